"""Packed rows, eight labels per byte, with their limits, checks and comparison."""

from __future__ import annotations

import math
import numbers
import reprlib
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from itertools import islice
from typing import Any

import numpy as np

from lsclasses.domain import FiniteDomain
from lsclasses.errors import InvalidInput, TooLarge

BYTE_LIMIT = 1 << 28
"""Largest number of bytes of a table while it is made.

A label needs a byte, or a bit if the table is made packed. So classes that are made packed have up
to 2^31 labels, for example 33 million concepts on 64 points.
"""
AT_ONCE = 1 << 22
"""Number of labels that are checked and packed at a time."""


def require_memory(concepts: int, points: int, what: str, *, packed: bool = False) -> None:
    """Raise `TooLarge` if making a table of that size would take more than `BYTE_LIMIT` bytes.

    `packed` declares that the table is made without a separate byte for each label.
    """
    # Few concepts on very many points would still need all their names.
    size = concepts * -(-points // 8) + 8 * points if packed else concepts * points
    if size > BYTE_LIMIT:
        raise TooLarge(
            f"{what} would be a table of up to {_count(concepts)} concepts on {_count(points)} "
            f"points, which needs {_count(size)} bytes. The limit is {BYTE_LIMIT} bytes.",
            estimate=size,
            limit=BYTE_LIMIT,
        )


def _count(number: int) -> str:
    """Return a number in digits, or its order of magnitude if it is long."""
    return str(number) if number < 10**18 else f"about 10^{math.floor(math.log10(number))}"


def rectangular(rows: Any, domain: FiniteDomain | None) -> np.ndarray:
    """Return the rows of a table as an array of two dimensions. Its entries are not checked."""
    _refuse_other_descriptions(rows)
    if not isinstance(rows, np.ndarray):
        rows = np.asarray(rows) if hasattr(rows, "__array__") else _list_of_rows(rows)
    # Rows such as '011' form an array of strings with one dimension. In a list, the strings are
    # read character by character.
    if isinstance(rows, np.ndarray) and rows.ndim and rows.dtype.kind in "UO":
        rows = _list_of_rows(rows.tolist())
    if isinstance(rows, list) and not rows:
        if domain is None:
            raise InvalidInput(
                "A table without concepts needs a domain: Table([], domain=[...]). Got neither "
                "rows nor a domain."
            )
        return np.zeros((0, len(domain)), dtype=np.uint8)
    try:
        labels = np.asarray(rows)
        if labels.dtype.kind not in "iufb":
            # Without this type, NumPy would convert mixed entries such as [1, '0'] to strings.
            labels = np.asarray([_entries(row) for row in rows], dtype=object)
    except ValueError as error:
        raise InvalidInput(f"The rows do not form a 0/1 table: {error}.") from None
    if labels.ndim != 2:
        raise InvalidInput(
            f"A table must have two dimensions (concepts, points). Got {labels.ndim}."
        )
    return labels


def _refuse_other_descriptions(rows: Any) -> None:
    """Raise `InvalidInput` for sets, functions, graphs and strings, with the right constructor."""
    if isinstance(rows, str):
        problem = f"a string, {reprlib.repr(rows)}"
        remedy = (
            "A list of rows is ['011', '001']. catalog.build('thresholds:n=16') builds a family, "
            "and Table.load(path) reads a file"
        )
    elif hasattr(rows, "nodes") and hasattr(rows, "adj"):
        problem, remedy = (
            "a graph",
            "lsclasses.neighbourhoods(graph), cliques(graph), independent_sets(graph) and "
            "paths(graph) return classes of a graph",
        )
    elif is_hypergraph(rows):
        problem = "a hypergraph"
        remedy = "lsclasses.hyperedges(hypergraph) returns the class of its hyperedges"
    elif callable(rows) or _first(rows, callable):
        problem = "functions from points to labels"
        remedy = "Table.from_functions(points, functions) takes functions"
    elif _first(rows, lambda row: isinstance(row, Set)):
        problem, remedy = "sets of points", "Table.from_sets(points, sets) takes sets"
    elif isinstance(rows, Mapping):
        problem = f"a mapping, {reprlib.repr(rows)}"
        remedy = "Table(list(m.values()), concepts=list(m)) takes a mapping m of names to rows"
    else:
        return
    raise InvalidInput(f"A table needs a list of rows of labels 0 and 1. Got {problem}. {remedy}.")


def is_hypergraph(given: Any) -> bool:
    """Return whether an object is a hypergraph of XGI or HyperNetX, by its attributes."""
    return hasattr(given, "incidence_dict") or hasattr(getattr(given, "edges", None), "members")


def _first(rows: Any, accepts: Callable[[Any], bool]) -> bool:
    """Return whether the first row, of a list or of a mapping, is such a row."""
    if isinstance(rows, Mapping):
        rows = rows.values()
    elif not isinstance(rows, (Sequence, Set)):
        return False
    return any(accepts(row) for row in islice(rows, 1))


def packed_rows(labels: np.ndarray) -> np.ndarray:
    """Return the packed rows of a table, after a check of its entries.

    The rows are processed in parts, so memory-mapped files are not read as a whole.
    """
    concepts, points = labels.shape
    packed = np.empty((concepts, -(-points // 8)), dtype=np.uint8)
    step = max(1, AT_ONCE // max(points, 1))
    for start in range(0, concepts, step):
        packed[start : start + step] = packed_part(labels[start : start + step], start)
    return packed


def packed_part(part: np.ndarray, row: int = 0, column: int = 0) -> np.ndarray:
    """Return some entries of a table, packed with eight entries of a row per byte.

    Parameters
    ----------
    part : array, shape (rows, columns)
    row, column : int
        Position of the part in the table, for messages.

    Raises
    ------
    InvalidInput
        If an entry is not 0 or 1.

    Examples
    --------
    >>> packed_part(np.array([[1, 0, 1]])).tolist()
    [[160]]
    """
    if part.dtype == object:
        wrong = np.array([[not is_entry(y) for y in entries] for entries in part], dtype=bool)
    else:
        # NaN differs from 0 and from 1, so this test also finds NaN.
        wrong = (part != 0) & (part != 1)
    if wrong.any():
        i, j = (int(k) for k in np.argwhere(wrong)[0])
        entry = part[i, j]
        shown = entry.item() if isinstance(entry, np.generic) else entry
        raise InvalidInput(
            f"Entries must be 0 or 1. Got {shown!r} in row {row + i}, column {column + j}."
        )
    return np.packbits(part.astype(np.uint8), axis=1)


def packed_incidences(rows: np.ndarray, columns: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """Return packed rows of labels that are 1 at given positions, and 0 elsewhere.

    Parameters
    ----------
    rows, columns : array of int
        Positions of the labels 1, in any order. Positions may repeat.
    shape : (int, int)
        Number of concepts and number of points.

    Examples
    --------
    >>> packed_incidences(np.array([1, 1]), np.array([0, 2]), (2, 3)).tolist()
    [[0], [160]]
    """
    concepts, points = shape
    packed = np.empty((concepts, -(-points // 8)), dtype=np.uint8)
    if (rows[1:] < rows[:-1]).any():
        order = np.argsort(rows, kind="stable")
        rows, columns = rows[order], columns[order]
    # A byte per label exists only for a few rows at a time.
    step = max(1, AT_ONCE // max(points, 1))
    for start in range(0, concepts, step):
        stop = min(start + step, concepts)
        first, last = np.searchsorted(rows, [start, stop])
        labels = np.zeros((stop - start, points), dtype=np.uint8)
        labels[rows[first:last] - start, columns[first:last]] = 1
        packed[start:stop] = np.packbits(labels, axis=1)
    return packed


def packed_sparse(matrix: Any) -> np.ndarray:
    """Return the packed rows of a sparse matrix of scipy, whose entries are 0 and 1.

    Raises
    ------
    InvalidInput
        If an entry is not 0 or 1, or the array does not have two dimensions.
    TooLarge
        If the table exceeds `BYTE_LIMIT`.
    """
    if len(matrix.shape) != 2:
        raise InvalidInput(
            f"A table must have two dimensions (concepts, points). Got {len(matrix.shape)}."
        )
    concepts, points = matrix.shape
    require_memory(concepts, points, "The matrix", packed=True)
    entries = matrix.tocoo(copy=True)
    if entries.data.dtype.kind in "iu":
        entries.data = entries.data.astype(np.int64)  # sums of small types would wrap
    entries.sum_duplicates()
    wrong = np.flatnonzero((entries.data != 0) & (entries.data != 1))
    if len(wrong):
        i, j, entry = (each[wrong[0]].item() for each in (entries.row, entries.col, entries.data))
        raise InvalidInput(f"Entries must be 0 or 1. Got {entry!r} in row {i}, column {j}.")
    ones = entries.data != 0
    return packed_incidences(entries.row[ones], entries.col[ones], (concepts, points))


def _entries(row: Any) -> Any:
    """Return the entries of a row, with numbers for the strings 0 and 1."""
    if not isinstance(row, (str, list, tuple, np.ndarray)):
        return row
    return [int(y) if isinstance(y, str) and y in ("0", "1") else y for y in row]


def _list_of_rows(rows: Any) -> list[Any]:
    """Return the rows as a list, all of equal length."""
    try:
        listed = list(rows)
        lengths = [len(row) for row in listed]
    except TypeError:
        raise InvalidInput(
            "A table must have two dimensions (concepts, points): a list of rows. "
            f"Got {reprlib.repr(rows)}."
        ) from None
    for i, length in enumerate(lengths):
        if length != lengths[0]:
            raise InvalidInput(
                "All rows must have the same length. "
                f"Row 0 has {lengths[0]} entries, row {i} has {length}."
            )
    return listed


def read_only(array: np.ndarray) -> np.ndarray:
    """Return an array after making it read-only.

    A write would change only a copy of the labels, so it is forbidden.
    """
    array.flags.writeable = False
    return array


def is_entry(y: Any) -> bool:
    """Return whether a value is a number or a bool that equals 0 or 1."""
    return isinstance(y, (numbers.Real, np.bool_)) and (y == 0 or y == 1)


def as_void(packed: np.ndarray) -> np.ndarray:
    """Return each row as one value of NumPy's type void, so that rows can be sorted."""
    rows = np.ascontiguousarray(packed)
    if not rows.shape[1]:
        # On no points there is only one function, and NumPy cannot sort rows of 0 bytes.
        return np.zeros(len(rows), dtype=np.uint8)
    return rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).reshape(len(rows))


def distinct_rows(packed: np.ndarray) -> tuple[np.ndarray, Iterable[int]]:
    """Return the distinct rows in order of first appearance, and their first positions."""
    if len(packed) < 2:
        return packed, range(len(packed))
    width = packed.shape[1]
    keys = as_void(packed)
    if width <= 8:
        # Numbers are sorted many times faster than other values are.
        padded = np.zeros((len(packed), 8), dtype=np.uint8)
        padded[:, :width] = packed
        keys = padded.view(np.uint64).reshape(len(packed))
        # Mostly they are distinct, and finding that out takes a third of the memory.
        in_order = np.sort(keys)
        if (in_order[1:] != in_order[:-1]).all():
            return packed, range(len(packed))
    # `np.unique` lists first positions in the order of the values. The sort restores the order of
    # the rows.
    first = np.sort(np.unique(keys, return_index=True)[1])
    return (packed, first) if len(first) == len(packed) else (packed[first], first)
