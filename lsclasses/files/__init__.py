"""Concept classes and streams of examples in files. The suffix determines the format of a class.

All text formats are read in UTF-8, and compressed by gzip with ``.gz`` after the suffix. Names are
written in the form of `lsclasses.point_names.to_text`. The page ``docs/files.md`` has a table of
the formats.

CSV and TSV (``.csv``, ``.tsv``)
    The first line names the points, and every further line is a concept. The first column contains
    the names of the concepts if its head is empty, ``concept`` or ``name``, or if none of its
    entries is 0 or 1. A first line of only 0 and 1 is refused, unless it has quotation marks.
JSON
    ``{"format": "lsclasses-table", "version": 1, "points": [...], "concepts": [...] or null,
    "rows": ["0110", ...]}``. A row may also be a list of 0 and 1. As in all other JSON files, an
    object with a repeated entry is refused. An object with ``incidences`` is a hypergraph in HIF
    (`lsclasses.files.hypergraph_json`).
NPY
    The bare array of shape (concepts, points), without names.
NPZ
    The arrays ``labels`` and, optionally, ``points`` and ``concepts``, whose entries are names in
    JSON. The reader never unpickles data.
Lines of members, formal contexts and hypergraphs of hMETIS
    See `lsclasses.files.set_systems`.
Graphs, matrices and truth tables
    See `lsclasses.files.graph_files`, `lsclasses.files.matrix_market` and
    `lsclasses.files.truth_tables`.

A stream is a CSV file with the columns ``point,label`` (or ``x,y``), one example per line. Other
columns, such as the columns of ``lsclasses run --csv``, are ignored.

The path ``-`` is standard input, with a table in CSV or in JSON, or a stream.
"""
