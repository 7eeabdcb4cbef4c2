"""Matrices of 0 and 1 in the Matrix Market format (``.mtx``).

Rows are concepts, and columns are points. Their names are their numbers in the file, from 1. A
matrix ``coordinate`` lists its nonzero entries, and a matrix ``array`` lists all entries by column.
A ``symmetric`` matrix lists only the entries on and below the diagonal.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np

from lsclasses.errors import InvalidInput
from lsclasses.files.incidences import Words, table_of_incidences, whole_numbers
from lsclasses.files.text_content import numbered_lines
from lsclasses.numbers import plural
from lsclasses.packed_labels import PackedLabels
from lsclasses.packing import require_memory

FORMATS = ("coordinate", "array")
FIELDS = ("pattern", "integer", "real", "double")
SYMMETRIES = ("general", "symmetric")
ENTRIES = {"0": 0, "1": 1}
Entry = tuple[int, str]
"""A line of a file: its number and its text."""


def read_matrix(data: bytes, name: str) -> PackedLabels:
    """Return the table of a matrix in the Matrix Market format."""
    (_, first), *lines = numbered_lines(data, ".mtx")
    form, field, symmetry = _banner(first)
    body = [
        (number, text)
        for number, text in lines
        if text.strip() and not text.lstrip().startswith("%")
    ]
    if not body:
        raise InvalidInput("the line with the size of the matrix is missing.")
    size: Words = (body[0][0], body[0][1].split())
    entries = body[1:]
    sizes = whole_numbers([size]).tolist()
    if len(sizes) != (3 if form == "coordinate" else 2):
        expected = "rows, columns and entries" if form == "coordinate" else "rows and columns"
        raise InvalidInput(
            f"line {size[0]} must have the numbers of {expected}. Got {' '.join(size[1])!r:.80}."
        )
    concepts, points = sizes[:2]
    if symmetry == "symmetric" and concepts != points:
        raise InvalidInput(
            f"line {size[0]} must have as many rows as columns, because the matrix is symmetric. "
            f"Got {concepts} and {points}."
        )
    require_memory(concepts, points, name, packed=True)
    read = _coordinates if form == "coordinate" else _dense
    rows, columns = read(size[0], sizes, entries, pattern=field == "pattern", symmetry=symmetry)
    if symmetry == "symmetric":
        rows, columns = np.concatenate([rows, columns]), np.concatenate([columns, rows])
    names = [list(range(1, count + 1)) for count in (points, concepts)]
    return table_of_incidences(rows, columns, names[0], concepts=names[1], name=name)


def _banner(text: str) -> tuple[str, str, str]:
    """Return the format, the field and the symmetry that the first line declares."""
    begin, *words = text.lower().split() or [""]
    if begin != "%%matrixmarket" or len(words) != 4 or words[0] != "matrix":
        raise InvalidInput(
            "line 1 must have the form '%%MatrixMarket matrix coordinate pattern general'. "
            f"Got {text!r:.80}."
        )
    form, field, symmetry = words[1:]
    for word, known in ((form, FORMATS), (field, FIELDS), (symmetry, SYMMETRIES)):
        if word not in known:
            raise InvalidInput(f"line 1 must have one of {', '.join(known)}. Got {word!r:.80}.")
    if (form, field) == ("array", "pattern"):
        raise InvalidInput("line 1 declares an array without values. Expected coordinate pattern.")
    return form, field, symmetry


def _coordinates(
    line: int, sizes: Sequence[int], entries: Sequence[Entry], *, pattern: bool, symmetry: str
) -> tuple[np.ndarray, np.ndarray]:
    """Return the positions of the entries 1 of a matrix in coordinates."""
    concepts, points, count = sizes
    if len(entries) != count:
        raise InvalidInput(
            f"line {line} declares {plural(count, 'entry', 'entries')}. The file has "
            f"{plural(len(entries), 'line')} with entries."
        )
    width = 2 if pattern else 3
    numbers = _integers(entries, width)
    if numbers is None or not _in_range(numbers, concepts, points):
        _check_entries(entries, width, concepts, points)
        words = [(number, text.split()) for number, text in entries]
        numbers = np.zeros((len(words), width), dtype=np.int64)
        numbers[:, :2] = [[int(row), int(column)] for _, (row, column, *_) in words]
        if not pattern:
            numbers[_ones([(number, each[2]) for number, each in words]), 2] = 1
    rows, columns = numbers[:, 0] - 1, numbers[:, 1] - 1
    _refuse_repeated(rows * points + columns, entries)
    if symmetry == "symmetric" and (above := np.flatnonzero(columns > rows)).size:
        raise InvalidInput(
            f"line {entries[int(above[0])][0]} is above the diagonal. A symmetric matrix lists "
            "only entries on and below the diagonal."
        )
    if not pattern:
        ones = numbers[:, 2] != 0
        rows, columns = rows[ones], columns[ones]
    return rows, columns


def _integers(entries: Sequence[Entry], width: int) -> np.ndarray | None:
    """Return the numbers in all lines, or None if they are not `width` integers per line."""
    if not entries:
        return np.zeros((0, width), dtype=np.int64)
    try:
        with warnings.catch_warnings():
            # Some versions of NumPy read 2.9 as 2 with this warning instead of an error.
            warnings.simplefilter("error", DeprecationWarning)
            texts = [text for _, text in entries]
            numbers = np.loadtxt(texts, dtype=np.int64, comments=None, ndmin=2)
    except (ValueError, DeprecationWarning):
        return None
    return numbers if numbers.shape == (len(entries), width) else None


def _in_range(numbers: np.ndarray, concepts: int, points: int) -> bool:
    rows, columns, values = numbers[:, 0], numbers[:, 1], numbers[:, 2:]
    inside = (rows >= 1) & (rows <= concepts) & (columns >= 1) & (columns <= points)
    return bool(inside.all() and ((values == 0) | (values == 1)).all())


def _check_entries(entries: Sequence[Entry], width: int, concepts: int, points: int) -> None:
    """Refuse the first line that does not have a row, a column and perhaps a value."""
    for number, text in entries:
        words = text.split()
        if len(words) != width:
            form = "a row and a column" if width == 2 else "a row, a column and a value"
            raise InvalidInput(f"line {number} must have {form}. Got {text!r:.80}.")
        whole_numbers([(number, words[:1])], 1, concepts)
        whole_numbers([(number, words[1:2])], 1, points)


def _refuse_repeated(positions: np.ndarray, entries: Sequence[Entry]) -> None:
    _, first, inverse = np.unique(positions, return_index=True, return_inverse=True)
    later = np.flatnonzero(first[inverse.reshape(-1)] != np.arange(len(positions)))
    if len(later):
        i = int(later[0])
        before = int(first[inverse.reshape(-1)][i])
        raise InvalidInput(
            f"line {entries[i][0]} repeats the position of line {entries[before][0]}."
        )


def _dense(
    line: int, sizes: Sequence[int], entries: Sequence[Entry], *, pattern: bool, symmetry: str
) -> tuple[np.ndarray, np.ndarray]:
    """Return the positions of the entries 1 of a matrix that lists all entries by column."""
    concepts, points = sizes
    words = [(number, word) for number, text in entries for word in text.split()]
    count = concepts * (concepts + 1) // 2 if symmetry == "symmetric" else concepts * points
    if len(words) != count:
        raise InvalidInput(
            f"line {line} declares a matrix with {plural(count, 'entry', 'entries')}. The file has "
            f"{len(words)}."
        )
    ones = _ones(words)
    if symmetry == "symmetric":
        columns, rows = (each[ones] for each in np.triu_indices(concepts))
        return rows, columns
    return ones % concepts, ones // concepts


def _ones(words: Sequence[tuple[int, str]]) -> np.ndarray:
    """Return the positions of the entries 1, and refuse entries other than 0 and 1."""
    found = []
    for i, (number, word) in enumerate(words):
        value = ENTRIES.get(word)
        if value is None:
            try:
                value = float(word)  # type: ignore[assignment]
            except ValueError:
                value = None
            if value not in (0, 1):
                raise InvalidInput(f"entries must be 0 or 1. Got {word!r:.80} in line {number}.")
        if value:
            found.append(i)
    return np.array(found, dtype=np.intp)
