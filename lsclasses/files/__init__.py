"""Tables and streams of examples in files: CSV, JSON, NPY and NPZ, chosen by the suffix.

CSV
    The first line names the points, every further line is a concept. The first column may hold
    the names of the concepts: it does if its head is empty, ``concept`` or ``name``, or if none
    of its entries is 0 or 1. Names are written as `lsclasses.point_names.to_text` does.
JSON
    ``{"format": "lsclasses-table", "version": 1, "points": [...], "concepts": [...] or null,
    "rows": ["0110", ...]}``; a row may also be a list of 0 and 1. An object that has an entry
    twice is refused, here and in all other JSON that is read.
NPY
    The bare array of shape (concepts, points); it keeps no names.
NPZ
    The arrays ``labels`` and, optionally, ``points`` and ``concepts``, whose entries are names in
    JSON. Nothing is ever unpickled.

A stream is a CSV file with the columns ``point,label`` (or ``x,y``), one example a line; others
beside them, as ``lsclasses run --csv`` writes them, are passed over.

The path ``-`` is standard input: a table in CSV, or in JSON, or a stream.
"""
