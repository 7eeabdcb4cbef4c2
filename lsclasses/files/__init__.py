"""Tables and streams of examples in files: CSV, JSON, NPY and NPZ, chosen by the suffix.

CSV
    The first line names the points, every further line is a concept. The first column may hold
    the names of the concepts: it does if its head is empty, ``concept`` or ``name``, or if none
    of its entries is 0 or 1. Names are written as `lsclasses.points.to_text` does.
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

from __future__ import annotations

from lsclasses.files.comma_separated import (
    csv_lines,
    csv_parts,
    read_csv,
    require_commas,
    require_even,
)
from lsclasses.files.documents import read_json, same_json
from lsclasses.files.sources import FileBytes, PathLike, reading, source_of
from lsclasses.files.streams import load_stream
from lsclasses.files.tables import (
    SUFFIXES,
    label_rows,
    labels_from_json,
    labels_to_json,
    load_labels,
    save_labels,
)
from lsclasses.files.writing import (
    atomic_write,
    check_folder,
    check_writable,
    is_standard_output,
    make_folder,
    write_all,
)

__all__ = [
    "FileBytes",
    "PathLike",
    "SUFFIXES",
    "atomic_write",
    "check_folder",
    "check_writable",
    "csv_lines",
    "csv_parts",
    "is_standard_output",
    "label_rows",
    "load_stream",
    "load_labels",
    "make_folder",
    "read_csv",
    "read_json",
    "reading",
    "require_commas",
    "require_even",
    "same_json",
    "save_labels",
    "source_of",
    "labels_from_json",
    "labels_to_json",
    "write_all",
]
