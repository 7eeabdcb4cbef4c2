"""Points of the Boolean cube, literals and sets of labellings, shared by many families.

Families that are enumerated step by step store sets of labellings as arrays of machine words. A
labelling of p points is a row of ceil(p / 64) words, with the first point in the highest bit. So
Boolean operations on words act on all points, and sorted rows are in lexicographic order.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from lsclasses.domain import FiniteDomain
from lsclasses.errors import TooLarge
from lsclasses.point_names import Point
from lsclasses.table import Table

# ---- cube


MAX_VARIABLES = 28
"""Largest number of variables n for which the points of {0,1}^n may form a table."""


def require_cube(n: int, what: str) -> None:
    """Raise `TooLarge` if the points of {0,1}^n are already too many for a table."""
    if n > MAX_VARIABLES:
        raise TooLarge(
            f"{what} on {n} variables would be a table with 2^{n} points. Tables have at most "
            f"{MAX_VARIABLES} variables.",
            estimate=n,
            limit=MAX_VARIABLES,
        )


def cube_points(n: int, *, signed: bool = False) -> list[Point]:
    """Return the points of {0,1}^n, or of {-1,1}^n, as tuples in lexicographic order.

    Examples
    --------
    >>> cube_points(2)
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    >>> cube_points(1, signed=True)
    [(-1,), (1,)]
    """
    return list(itertools.product((-1, 1) if signed else (0, 1), repeat=n))


def cube_vectors(n: int) -> np.ndarray:
    """Return the points of {0,1}^n as the rows of an array, in lexicographic order.

    Returns
    -------
    ndarray of uint8, shape (2**n, n)

    Examples
    --------
    >>> cube_vectors(2).tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    numbers = np.arange(1 << n, dtype=np.uint32)[:, None]
    places = np.arange(n - 1, -1, -1, dtype=np.uint32)[None, :]
    return (numbers >> places & 1).astype(np.uint8)


# ---- labellings


def as_words(labels: np.ndarray) -> np.ndarray:
    """Return 0/1 labels of shape (rows, points), packed into words of shape (rows, words).

    Examples
    --------
    >>> [hex(word) for (word,) in as_words(np.array([[1, 0, 0, 0, 1], [0, 0, 0, 0, 0]])).tolist()]
    ['0x8800000000000000', '0x0']
    """
    padded = np.pad(labels, ((0, 0), (0, -labels.shape[1] % 64)))
    octets = np.ascontiguousarray(np.packbits(padded, axis=1))
    return octets.view(">u8").astype(np.uint64)


def as_labels(words: np.ndarray, points: int) -> np.ndarray:
    """Return the labels in words of shape (rows, words), unpacked to shape (rows, points)."""
    octets = words.astype(">u8").view(np.uint8)
    return np.unpackbits(octets, axis=1, count=points)


def by_size(points: int, sizes: range) -> np.ndarray:
    """Return all labellings whose number of ones is in `sizes`, as an array (rows, points).

    Labellings are sorted by their number of ones, then in the order of `itertools.combinations`.

    Examples
    --------
    >>> by_size(3, range(2)).tolist()
    [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    """
    levels = []
    for size in sizes:
        count = math.comb(points, size)
        ones = np.fromiter(
            itertools.chain.from_iterable(itertools.combinations(range(points), size)),
            dtype=np.int64,
            count=count * size,
        )
        level = np.zeros((count, points), dtype=np.uint8)
        np.put_along_axis(level, ones.reshape(count, size), 1, axis=1)
        levels.append(level)
    return np.concatenate(levels)


def table_of(words: np.ndarray, domain: FiniteDomain) -> Table:
    """Return the class of some distinct labellings of a domain, given as packed words.

    Examples
    --------
    >>> C = table_of(np.array([[0], [5 << 61]], dtype=np.uint64), FiniteDomain("abc"))
    >>> [c.support for c in C]
    [(), ('a', 'c')]
    """
    octets = words.astype(">u8").view(np.uint8)[:, : -(-len(domain) // 8)]
    return Table._of_distinct(domain, octets)


def distinct(words: np.ndarray) -> np.ndarray:
    """Return the distinct rows of an array of words, in lexicographic order.

    Examples
    --------
    >>> distinct(np.array([[2], [1], [2]], dtype=np.uint64)).tolist()
    [[1], [2]]
    """
    keys = np.sort(_keys(words))  # several times as fast as the hashing of np.unique
    first = np.ones(len(keys), dtype=bool)
    first[1:] = keys[1:] != keys[:-1]
    rows = keys[first].view(np.uint64 if words.shape[1] == 1 else ">u8")
    return rows.reshape(-1, words.shape[1]).astype(np.uint64, copy=False)


def new(words: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Return the distinct rows of an array of words that do not occur in the known rows."""
    rows = distinct(words)
    return rows[~np.isin(_keys(rows), _keys(known))]


def _keys(words: np.ndarray) -> np.ndarray:
    """Return each row as one value, such that values are ordered as rows are."""
    if words.shape[1] == 1:
        return words.reshape(-1)
    rows = np.ascontiguousarray(words.astype(">u8"))
    return rows.view(np.dtype((np.void, 8 * rows.shape[1]))).reshape(-1)
