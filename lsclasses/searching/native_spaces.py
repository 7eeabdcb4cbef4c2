"""Functions of the kernel on one version space: parts, counts, look-ahead and normal forms.

Each function gives the result of the function with the same name on NumPy, from the same columns.
The columns are packed, 64 concepts to a word, in the order of `VersionSpace.words`.
"""

from __future__ import annotations

import numpy as np

from lsclasses.errors import TooLarge
from lsclasses.limits import tick
from lsclasses.searching import _kernel

MASKS = np.array([0, 0xFFFFFFFFFFFFFFFF], dtype=np.uint64)
"""Words w such that ``x ^ w`` is the word x (entry 0) or its complement (entry 1)."""


def part(
    columns: bytes, points: int, concepts: int, mask: np.ndarray
) -> tuple[int, np.ndarray, np.ndarray, np.ndarray]:
    """Return the version space of the concepts in a mask, in compacted form.

    Returns
    -------
    tuple of int, array of uint64, array of uint32, array of uint8
        Number of concepts, columns of shape (remaining points, words), their old numbers, and 1 for
        each complemented column.
    """
    left = int(np.bitwise_count(mask).sum())
    width = -(-left // 64)
    kept = np.empty(points * len(mask), dtype=np.uint64)
    names, flips = np.empty(points, dtype=np.uint32), np.empty(points, dtype=np.uint8)
    count = _computed("part", columns, (points, concepts), (mask, kept, names, flips))[0]
    return left, kept[: count * width].reshape(count, width), names[:count], flips[:count]


def common_ones(columns: bytes, points: int, concepts: int) -> np.ndarray:
    """Return how many concepts label both columns with 1, for each pair of columns."""
    both = np.empty((points, points), dtype=np.int32)
    _computed("pairs", columns, (points, concepts), (both,))
    return both


def look_ahead(
    columns: bytes, concepts: int, both: np.ndarray, k: int, work: int
) -> tuple[list[int], list[int], bool]:
    """Return the columns that counting allows as roots of shattered trees of depth k.

    The result also contains their weaker sides, and whether counting proves that all are roots.

    Triples of columns are counted if this needs at most `work`.
    """
    points = len(both)
    tried, weaker = np.empty(points, dtype=np.uint32), np.empty(points, dtype=np.uint8)
    arrays = (np.ascontiguousarray(both, dtype=np.int32), tried, weaker)
    count, enough = _computed("look_ahead", columns, (points, concepts), arrays, (k, work))
    return tried[:count].tolist(), weaker[:count].tolist(), bool(enough)


def canonical_order(
    ones: np.ndarray, both: np.ndarray, concepts: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return an order of the columns, and 1 for each column to complement.

    Both depend only on the numbers of ones of the columns and of pairs of columns.
    """
    points = len(ones)
    order, flips = np.empty(points, dtype=np.uint32), np.empty(points, dtype=np.uint64)
    # Columns that a caller has marked have negative counts. The conversion takes them modulo 2^32,
    # as the NumPy engine does.
    counts = tuple(np.ascontiguousarray(each.astype(np.uint32)) for each in (ones, both))
    _computed("order", b"", (points, concepts), (*counts, order, flips))
    return order.astype(np.intp), (flips[order] & np.uint64(1)).astype(np.uint8)


def arranged_rows(columns: bytes, concepts: int, order: np.ndarray, flip: np.ndarray) -> np.ndarray:
    """Return the sorted rows of at most 128 columns, after reordering and complementing columns."""
    points = len(order)
    flips = np.empty(points, dtype=np.uint64)
    # `flip` is listed in the new order. The kernel expects one mask for each original column.
    flips[order] = MASKS[flip]
    rows = np.empty((concepts, -(-points // 64)), dtype=np.uint64)
    _computed("rows", columns, (points, concepts), (order.astype(np.uint32), flips, rows))
    return rows


def _computed(
    name: str,
    columns: bytes,
    shape: tuple[int, int],
    arrays: tuple[np.ndarray, ...],
    asked: tuple[int, int] = (0, 0),
) -> tuple[int, int]:
    """Return two numbers. The kernel writes all other results into the arrays."""
    tick()
    try:
        return _kernel.Search().compute(name, columns, *shape, *asked, arrays, tick)
    except MemoryError:
        raise no_more_memory() from None


def no_more_memory() -> TooLarge:
    """Return the error to raise when an allocation fails."""
    return TooLarge("The search found no more memory on this machine. Choose a smaller class.")
