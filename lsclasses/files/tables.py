"""Tables in files, read and written in the format of the suffix.

A file contains labels and names, `PackedLabels`. This module does not depend on concept classes.
"""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from lsclasses.arrays import npy_parts, npz_bytes, read_npy, read_npz
from lsclasses.errors import InvalidInput
from lsclasses.files.comma_separated import csv_lines, require_commas, require_even
from lsclasses.files.sources import STANDARD_INPUT, PathLike, reading, source_of
from lsclasses.files.writing import Content, atomic_write
from lsclasses.json_text import parsed_json
from lsclasses.numbers import plural
from lsclasses.packed_labels import PackedLabels
from lsclasses.packing import require_memory
from lsclasses.point_names import Point, from_json, from_text, to_json, to_text

FORMAT = "lsclasses-table"
VERSION = 1
CONCEPT_HEADS = ("", "concept", "name")
TRUTH = {"false": "0", "true": "1"}
"""The words for a label in CSV in addition to 0 and 1, in any case."""
CSV_LIMIT = csv.field_size_limit()
"""The number of characters that a cell may have."""
Form = TypeVar("Form")


def load_labels(path: PathLike) -> PackedLabels:
    r"""Read a table.

    Parameters
    ----------
    path : path
        Path with the suffix ``.csv``, ``.json``, ``.npy`` or ``.npz`` of its format. The path ``-``
        is standard input.

    Returns
    -------
    PackedLabels
        The table. Its attribute `merged` is the number of duplicate rows of the file.

    Raises
    ------
    InvalidInput
        If the file cannot be read, or is not a table of at least one concept on at least one
        point.
    TooLarge
        If the table exceeds `lsclasses.packing.BYTE_LIMIT`.

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
            data = sys.stdin.buffer.read()
            if data.lstrip()[:1] in (b"{", b"["):
                return labels_from_json(parsed_json(data), "standard input")
            return _labels_of_lines(_lines(data), "standard input")
    read = _by_suffix(source, READERS)
    with reading(source):
        return read(source)


def save_labels(table: PackedLabels, path: PathLike) -> None:
    """Write a table to a file atomically.

    Parameters
    ----------
    table : PackedLabels
        Table with at least one concept.
    path : path
        Path with the suffix of the format. All formats keep the names of points and concepts,
        except ``.npy``, which has only the labels.

    Raises
    ------
    InvalidInput
        If the suffix is unknown, the class is empty, or a name or the file cannot be written.

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
    write = _by_suffix(target, WRITERS)
    if not (len(table) and table.points):
        missing = "the class has no points" if len(table) else "the class is empty"
        raise InvalidInput(
            f"Cannot write {str(target)!r}: {missing}, and a table in a file has at least one "
            "concept on at least one point."
        )
    atomic_write(target, write(table))


# ---- CSV


def _read_csv(path: Path) -> PackedLabels:
    return _labels_of_lines(_lines(source_of(path)), repr(str(path)))


def _labels_of_lines(lines: Iterator[_Line], name: str) -> PackedLabels:
    first = next(lines, None)
    if first is None:
        raise InvalidInput("the file is empty. Its first line should name the points.")
    header = first.cells
    require_commas(header)
    body = list(lines)
    if not body:
        raise InvalidInput("the file has only a header. Every further line should be a concept.")
    require_even(len(header), [(x.number, x.cells) for x in body if x.width != len(header)])
    named = header[0].strip().lower() in CONCEPT_HEADS or (
        len(header) > 1
        and not any(each.first.strip().casefold() in ("0", "1", *TRUTH) for each in body)
    )
    heads = header[named:]
    if not heads:
        raise InvalidInput(
            "the file has no point. Its only column contains the names of the concepts."
        )
    for j, head in enumerate(heads, start=1 + named):
        if not head.strip():
            raise InvalidInput(f"the point of column {j} has no name in the header.")
    words = {head.strip().casefold() for head in heads}
    digits = words <= {"0", "1"} and len(words) < len(heads)
    # Points may be called True and False, but a file of this library has 0 and 1 below them.
    truths = words <= {*TRUTH} and any(each.cells[-1].strip().casefold() in TRUTH for each in body)
    if digits or truths:
        raise InvalidInput(
            "the first line names the points, and here it holds labels: "
            f"{'0 and 1' if digits else 'True and False'} only. If it is a concept, write a line "
            "with names of the points above it."
        )
    require_memory(len(body), len(heads), name)
    labels = _plain_labels([each.text(named) for each in body], len(heads))
    if labels is None:
        labels = np.array([_csv_labels(each.number, each.cells[named:], heads) for each in body])
    names = [from_text(each.first) for each in body] if named else None
    return PackedLabels(labels, [from_text(head) for head in heads], names)


class _Line(NamedTuple):
    """A line of a table with its cells, as one string if the separators are unambiguous.

    Lists of cells would use most of the time of reading, and most of the memory.
    """

    number: int
    first: str
    rest: str | list[str]
    width: int

    @classmethod
    def plain(cls, number: int, line: str) -> _Line:
        """Return a line without quotes."""
        first, comma, rest = line.partition(",")
        return cls(number, first, rest if comma else [], line.count(",") + 1)

    @property
    def cells(self) -> list[str]:
        rest = self.rest.split(",") if isinstance(self.rest, str) else self.rest
        return [self.first, *rest]

    def text(self, named: bool) -> str:
        """Return the cells of labels with a comma between them."""
        rest = self.rest if isinstance(self.rest, str) else ",".join(self.rest)
        return rest if named else f"{self.first},{rest}" if self.width > 1 else self.first


def _lines(source: Path | bytes) -> Iterator[_Line]:
    """Yield the non-blank lines of a table. Lines without quotes are not split into cells."""
    data = source if isinstance(source, bytes) else source.read_bytes()
    text = data.decode("utf-8-sig")
    lines = text.replace("\r\n", "\n").split("\n")
    if '"' in text or any("\r" in line or len(line) > CSV_LIMIT for line in lines):
        for number, (first, *rest) in csv_lines(data):
            yield _Line(number, first, rest, 1 + len(rest))
        return
    for number, line in enumerate(lines, start=1):
        if line:
            yield _Line.plain(number, line)


def _plain_labels(rows: Sequence[str], points: int) -> np.ndarray | None:
    """Return the labels of rows whose cells are all 0 or 1 without spaces, or None."""
    text = ("\n".join(rows) + "\n").encode()
    if len(text) != 2 * points * len(rows):
        return None
    # The number of separators is right, so no cell contains a separator or two digits.
    written = np.frombuffer(text, dtype=np.uint8).reshape(len(rows), points, 2)
    digits = written[:, :, 0] - np.uint8(ord("0"))
    separated = (written[:, :-1, 1] == ord(",")).all() and (written[:, -1, 1] == ord("\n")).all()
    return digits if separated and (digits <= 1).all() else None


def _csv_labels(number: int, cells: Sequence[str], heads: Sequence[str]) -> np.ndarray:
    entries = cells
    if not {"0", "1"}.issuperset(entries):
        words = [cell.strip() for cell in cells]
        entries = [TRUTH.get(word.casefold(), word) for word in words]
        for head, entry in zip(heads, entries, strict=True):
            if entry not in ("0", "1"):
                raise InvalidInput(
                    "entries must be 0 or 1, or False or True. "
                    f"Got {entry!r} in line {number}, column {head!r}."
                )
    return _digits("".join(entries))


def _digits(text: str) -> np.ndarray:
    """Return the entries of a row that is a string of 0 and 1."""
    return np.frombuffer(text.encode(), dtype=np.uint8) - np.uint8(ord("0"))


def _csv_bytes(table: PackedLabels) -> bytes:
    header = [to_text(x) for x in table.points]
    names: list[str] | None = None
    if table.concept_names is not None:
        header.insert(0, "concept")
        names = [to_text(name) for name in table.concept_names]
    elif header[0].lower() in CONCEPT_HEADS:
        header[0] = repr(header[0])
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(header)
    for i, row in enumerate(table.labels.tolist()):
        writer.writerow(row if names is None else [names[i], *row])
    return buffer.getvalue().encode()


# ---- JSON


def _read_json(path: Path) -> PackedLabels:
    return labels_from_json(parsed_json(path.read_bytes()), repr(str(path)))


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
    return _digits("".join(map(str, row)))


def _json_bytes(table: PackedLabels) -> bytes:
    return (json.dumps(labels_to_json(table), indent=1) + "\n").encode()


def labels_to_json(table: PackedLabels) -> dict[str, Any]:
    """Return a table as an object of JSON, for `labels_from_json`.

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
    """Return the labels of a table as strings of digits, one per concept, perhaps truncated."""
    return ["".join(map(str, row)) for row in table.labels[:most].tolist()]


# ---- shared parts of all formats


READERS: dict[str, Callable[[Path], PackedLabels]] = {
    ".csv": _read_csv,
    ".json": _read_json,
    ".npy": read_npy,
    ".npz": read_npz,
}
WRITERS: dict[str, Callable[[PackedLabels], Content]] = {
    ".csv": _csv_bytes,
    ".json": _json_bytes,
    ".npy": npy_parts,
    ".npz": npz_bytes,
}
SUFFIXES = tuple(READERS)
"""The suffixes of the formats that tables are read from and written to."""


def _by_suffix(path: Path, known: dict[str, Form]) -> Form:
    found = known.get(path.suffix.lower())
    if found is None:
        raise InvalidInput(
            f"The suffix of a table's file must be one of {', '.join(known)}. Got {str(path)!r}."
        )
    return found
