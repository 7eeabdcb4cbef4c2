"""Tables in files, read and written in the format of the suffix.

A file contains labels and names, `PackedLabels`. This module does not depend on concept classes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from lsclasses.arrays import npy_parts, npz_bytes, read_npy, read_npz
from lsclasses.errors import InvalidInput
from lsclasses.files.csv_tables import csv_bytes, digits, read_csv_table, read_tsv_table, tsv_bytes
from lsclasses.files.graph_files import read_dimacs, read_edge_list
from lsclasses.files.hypergraph_json import hif_lines, is_hypergraph_json, labels_from_hif
from lsclasses.files.matrix_market import read_matrix
from lsclasses.files.set_systems import (
    context_lines,
    hmetis_lines,
    member_lines,
    read_context,
    read_hmetis,
    read_hyperedges,
    read_members,
)
from lsclasses.files.sources import STANDARD_INPUT, PathLike, reading
from lsclasses.files.text_content import GZIP, bounded, parts_of, read_content, require_entries
from lsclasses.files.truth_tables import read_truth_table
from lsclasses.files.writing import Content, atomic_write
from lsclasses.json_text import parsed_json, require_few_values
from lsclasses.numbers import plural
from lsclasses.packed_labels import PackedLabels
from lsclasses.packing import require_memory
from lsclasses.point_names import Point, from_json, to_json

FORMAT = "lsclasses-table"
VERSION = 1


def load_labels(path: PathLike) -> PackedLabels:
    r"""Return the labels and names of the table in a file.

    Parameters
    ----------
    path : path
        Path with the suffix of its format, one of `READ`. The name of a compressed text file ends
        in ``.gz``. The path ``-`` is standard input.

    Returns
    -------
    PackedLabels
        The table. Its attribute `merged` is the number of duplicate rows of the file, and its
        attribute `notes` has sentences about parts of the file that the table omits.

    Raises
    ------
    InvalidInput
        If the file cannot be read, or is not a table of at least one concept on at least one
        point.
    TooLarge
        If the table exceeds `lsclasses.packing.BYTE_LIMIT`, or the file exceeds the limits of
        `lsclasses.files.text_content`.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "class.csv"
    >>> _ = path.write_text("concept,a,b\nnone,0,0\nboth,1,1\n")
    >>> load_labels(path).concept_names
    ('none', 'both')
    """
    source = Path(path)
    if source == STANDARD_INPUT:
        with reading(source):
            data = bounded(parts_of(sys.stdin.buffer), "standard input")
            if data.lstrip()[:1] in (b"{", b"["):
                return _read_json(data, "standard input")
            _require_few_entries(data, ".csv", "standard input")
            return read_csv_table(data, "standard input")
    suffix = file_suffix(source)
    bare = suffix.removesuffix(GZIP)
    if bare not in READERS or (suffix != bare and bare in ARRAYS):
        raise InvalidInput(
            f"The suffix of a table's file must be one of {', '.join(READ)}, perhaps with {GZIP} "
            f"after the suffix of a text format. Got {str(source)!r}."
        )
    with reading(source):
        if bare in ARRAYS:
            return ARRAYS[bare](source)
        content, name = read_content(source), repr(str(source))
        if bare == ".json" and suffix != bare:
            require_few_values(content, COMPRESSED_VALUES)
        _require_few_entries(content, bare, name)
        return TEXTS[bare](content, name)


def _require_few_entries(content: bytes, suffix: str, name: str) -> None:
    """Refuse a text whose values, lines or words would fill the memory."""
    if suffix == ".json":
        require_few_values(content, VALUES)
    elif suffix in (".csv", ".tsv") and b'"' not in content:
        # Lines without quotes are not split into cells.
        require_entries(content, name, (b"\n",))
    else:
        require_entries(content, name, (b"\n", b" ", b"\t", b","))


def save_labels(table: PackedLabels, path: PathLike) -> None:
    """Write a table to a file atomically.

    Parameters
    ----------
    table : PackedLabels
        Table with at least one concept.
    path : path
        Path with the suffix of the format, one of `WRITTEN`. The formats ``.npy`` and ``.hgr`` have
        only the labels, and ``.dat`` has no names of concepts.

    Raises
    ------
    InvalidInput
        If the suffix is unknown, the class is empty, the format cannot represent a name, or the
        file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "class.csv"
    >>> save_labels(PackedLabels([[0, 1], [1, 1]], domain=["a", (0, 1)]), path)
    >>> print(path.read_text(), end="")
    a,"(0, 1)"
    0,1
    1,1
    """
    target = Path(path)
    write = WRITERS.get(HIF if target.name.lower().endswith(HIF) else target.suffix.lower())
    if write is None:
        raise InvalidInput(
            "The suffix of a table's file that is written must be one of "
            f"{', '.join(WRITTEN)}. Got {str(target)!r}."
        )
    if not (len(table) and table.points):
        missing = "the class has no points" if len(table) else "the class is empty"
        raise InvalidInput(
            f"Cannot write {str(target)!r}: {missing}, and a table in a file has at least one "
            "concept on at least one point."
        )
    atomic_write(target, write(table))


# ---- JSON


def _read_json(content: bytes, name: str) -> PackedLabels:
    data = parsed_json(content)
    if is_hypergraph_json(data):
        return labels_from_hif(data, name)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InvalidInput(
            f'a class in JSON is an object with "format": "{FORMAT}", "points" and "rows", or a '
            'hypergraph in HIF with "incidences".'
        )
    return labels_from_json(data, name)


def labels_from_json(data: Any, name: str = "the table") -> PackedLabels:
    """Return the table in a parsed JSON document.

    Parameters
    ----------
    data : object
    name : str
        Name of the table in an error about its size.

    Raises
    ------
    InvalidInput
        If the data are not a table.
    TooLarge
        If the table exceeds `lsclasses.packing.BYTE_LIMIT`.
    """
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InvalidInput(
            f'a table in JSON is an object with "format": "{FORMAT}", "points" and "rows".'
        )
    if data.get("version") != VERSION:
        raise InvalidInput(f"its version must be {VERSION}. Got {data.get('version')!r}.")
    points = _json_names(data, "points")
    rows = data.get("rows")
    if points is None or not isinstance(rows, list):
        raise InvalidInput('it needs the lists "points" and "rows".')
    if not points or not rows:
        raise InvalidInput("a table has at least one point and one concept.")
    require_memory(len(rows), len(points), name)
    labels = np.array([_json_labels(i, row, len(points)) for i, row in enumerate(rows)])
    return PackedLabels(labels, points, _json_names(data, "concepts"))


def _json_names(data: dict[str, Any], key: str) -> list[Point] | None:
    names = data.get(key)
    if names is not None and not isinstance(names, list):
        raise InvalidInput(f'"{key}" must be a list of names. Got {names!r}.')
    return None if names is None else [from_json(name) for name in names]


def _json_labels(i: int, row: Any, points: int) -> np.ndarray:
    if not isinstance(row, (str, list)):
        raise InvalidInput(f'row {i} must be a string such as "0110" or a list. Got {row!r}.')
    if len(row) != points:
        raise InvalidInput(
            f"row {i} has {plural(len(row), 'entry', 'entries')}, "
            f"but there are {plural(points, 'point')}."
        )
    for j, entry in enumerate(row):
        if entry not in ("0", "1") and not (type(entry) is int and entry in (0, 1)):
            raise InvalidInput(f"entries must be 0 or 1. Got {entry!r} in row {i}, column {j}.")
    return digits("".join(map(str, row)))


def _json_bytes(table: PackedLabels) -> bytes:
    return (json.dumps(labels_to_json(table), indent=1) + "\n").encode()


def labels_to_json(table: PackedLabels) -> dict[str, Any]:
    """Return a table as a JSON object that `labels_from_json` reads.

    Examples
    --------
    >>> labels_to_json(PackedLabels([[0, 1], [1, 1]]))["rows"]
    ['01', '11']
    """
    names = table.concept_names
    return {
        "format": FORMAT,
        "version": VERSION,
        "points": [to_json(x) for x in table.points],
        "concepts": None if names is None else [to_json(name) for name in names],
        "rows": label_rows(table),
    }


def label_rows(table: PackedLabels, most: int | None = None) -> list[str]:
    """Return the labels of a table as strings of digits, one per concept.

    With `most`, only so many concepts are returned.
    """
    return ["".join(map(str, row)) for row in table.labels[:most].tolist()]


# ---- shared parts of all formats


ARRAYS: Mapping[str, Callable[[Path], PackedLabels]] = {".npy": read_npy, ".npz": read_npz}
"""Functions that read a table from a file of arrays, by the suffix of the file."""
TEXTS: Mapping[str, Callable[[bytes, str], PackedLabels]] = {
    ".csv": read_csv_table,
    ".tsv": read_tsv_table,
    ".json": _read_json,
    ".dat": read_members,
    ".hyperedges": read_hyperedges,
    ".cxt": read_context,
    ".hgr": read_hmetis,
    ".edgelist": read_edge_list,
    ".edges": read_edge_list,
    ".col": read_dimacs,
    ".dimacs": read_dimacs,
    ".mtx": read_matrix,
    ".pla": read_truth_table,
}
"""Functions that read a table from the content of a text file, by the suffix of the file.

Their second argument is the name of the file.
"""
READERS = {**TEXTS, **ARRAYS}
HIF = ".hif.json"
"""Ending of the names of written hypergraphs in HIF. They are read with the suffix ``.json``."""
WRITERS: Mapping[str, Callable[[PackedLabels], Content]] = {
    ".csv": csv_bytes,
    ".json": _json_bytes,
    ".npy": npy_parts,
    ".npz": npz_bytes,
    ".tsv": tsv_bytes,
    ".dat": member_lines,
    ".cxt": context_lines,
    ".hgr": hmetis_lines,
    HIF: hif_lines,
}
SUFFIXES = (".csv", ".json", ".npy", ".npz", ".tsv")
"""The suffixes of the formats that represent every table. Only ``.npy`` omits names."""
READ = tuple(READERS)
"""The suffixes of the formats that are read, without ``.gz``."""
WRITTEN = tuple(WRITERS)
"""The suffixes of the formats that are written."""
VALUES = 1 << 26
"""Largest number of JSON values in a file."""
COMPRESSED_VALUES = 1 << 22
"""Largest number of JSON values in a compressed file."""


def file_suffix(path: Path) -> str:
    """Return the suffix that determines the format of a file, in lower case.

    Examples
    --------
    >>> file_suffix(Path("class.CSV")), file_suffix(Path("class.csv.gz")), file_suffix(Path("a.gz"))
    ('.csv', '.csv.gz', '.gz')
    """
    name = path.name.lower()
    bare = name.removesuffix(GZIP)
    return Path(bare).suffix + name[len(bare) :]


def names_a_table(path: Path) -> bool:
    """Return whether the name of a file has the suffix of a format for tables."""
    return file_suffix(path).removesuffix(GZIP) in READERS
