"""Tables and streams of examples in files: CSV, JSON, NPY and NPZ, chosen by the suffix.

CSV
    The first line names the points, and every further line is a concept. The first column contains
    the names of the concepts if its head is empty, ``concept`` or ``name``, or if none of its
    entries is 0 or 1. Names are written in the form of `lsclasses.point_names.to_text`.
JSON
    ``{"format": "lsclasses-table", "version": 1, "points": [...], "concepts": [...] or null,
    "rows": ["0110", ...]}``. A row may also be a list of 0 and 1. As in all other JSON files, an
    object with a repeated entry is refused.
NPY
    The bare array of shape (concepts, points), without names.
NPZ
    The arrays ``labels`` and, optionally, ``points`` and ``concepts``, whose entries are names in
    JSON. The reader never unpickles data.

A stream is a CSV file with the columns ``point,label`` (or ``x,y``), one example per line. Other
columns, such as the columns of ``lsclasses run --csv``, are ignored.

The path ``-`` is standard input, with a table in CSV or in JSON, or a stream.
"""
