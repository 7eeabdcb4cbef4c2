"""The rules for expected depths of shattered trees in proofs.

E(V) is the largest expected depth of a tree, complete or not, that V shatters, where a branch takes
each side with probability 1/2. ``docs/certificates.md`` proves, under the labels Q1 to Q5, that
every claim that these functions accept is true. The module imports only NumPy and
`lsclasses.certificates.rows`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lsclasses.certificates.rows import Rows, contained

PLACES = 40
"""Number of binary places of bounds by counting.

The bounds are integers in units of 2^-40. They are exact for up to 2^38 concepts.
"""
ONE = 1 << PLACES
BALANCED_UP_TO = 3
"""Largest number of distinct concepts that always shatter a balanced tree with as many leaves."""


def balanced(sizes: np.ndarray) -> np.ndarray:
    """Return the largest expected depth of a tree with m leaves, for each given m.

    Depths are integers in units of 2^-40.

    Parameters
    ----------
    sizes : array of int64
        Numbers of leaves, at least 1.

    Examples
    --------
    >>> (balanced(np.array([1, 2, 3, 4, 6])) / ONE).tolist()
    [0.0, 1.0, 1.5, 2.0, 2.5]
    """
    # Q2
    places = np.frexp(sizes)[1].astype(np.int64) - 1
    depths: np.ndarray = (places - 1 << PLACES) + (sizes << PLACES - places)
    return depths


def counted_sides(concepts: int, ones: np.ndarray, both: np.ndarray) -> np.ndarray:
    """Return upper bounds on the expected depths of both sides of every column.

    The bounds follow from the number of concepts of each side, and of each pair of sides.

    Parameters
    ----------
    concepts : int
        Number of concepts of the class.
    ones : array of int64, shape (columns,)
        Number of labels 1 in each column, which is neither 0 nor the number of concepts.
    both : array of int64, shape (columns, columns)
        Number of concepts that label both columns with 1, for each pair of columns.

    Returns
    -------
    array of int64, shape (columns, 2)
        Bounds in units of 2^-40. The columns must be all non-constant columns, up to complement.

    Examples
    --------
    >>> cube = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> (counted_sides(4, cube.sum(axis=0), cube.T @ cube) / ONE).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    # Q3
    depths = balanced(np.maximum(np.arange(concepts + 1), 1))
    # A column that does not split a side comes out below 0.
    depths[0] = -64 * ONE
    found = np.empty((len(ones), 2), dtype=np.int64)
    for y, sizes, parts in ((0, concepts - ones, ones[None, :] - both), (1, ones, both)):
        split = ONE + (depths[parts] + depths[sizes[:, None] - parts] >> 1)
        found[:, y] = np.minimum(split.max(axis=1, initial=0), depths[sizes])
    return found


def kinds(rows: Rows) -> list[int]:
    """Return one column of each set of equal or complementary non-constant columns.

    Examples
    --------
    >>> kinds(Rows.of_labels(np.array([[0, 1, 0, 0], [0, 1, 1, 1], [0, 0, 0, 1]])))
    [1, 2, 3]
    """
    columns = rows.oriented_columns()
    first: dict[bytes, int] = {}
    for j, column in enumerate(columns):
        first.setdefault(column, j)
    first.pop(bytes(len(columns[0])) if columns else b"", None)
    return list(first.values())


def no_deeper(side: Rows, entry: Rows, columns: Sequence[int], matching: Sequence[int]) -> bool:
    """Return whether a matching proves that a side shatters no deeper tree than an entry.

    The side and the entry are classes.

    Parameters
    ----------
    side, entry : Rows
    columns : sequence of int
        Columns of the entry, at least one.
    matching : sequence of int
        For each column, 2 x for a column x of the side, or 2 x + 1 if the labels are complemented.
        The matching must use all non-constant columns of the side.

    Examples
    --------
    >>> side = Rows.of_labels(np.array([[0, 0, 1], [0, 1, 1]]))
    >>> entry = Rows.of_labels(np.array([[0, 1, 0], [1, 1, 0]]))
    >>> [no_deeper(side, entry, [0], [code]) for code in (0, 2, 3, 4)]
    [False, True, True, False]
    """
    # Q4
    kept = side.oriented_columns()
    named = {kept[code >> 1] for code in matching}
    if not set(kept) <= {*named, bytes(len(kept[0]))}:
        return False
    return contained(_image(side, matching), entry.distinct_image(columns))


def as_deep(side: Rows, entry: Rows, columns: Sequence[int], matching: Sequence[int]) -> bool:
    """Return whether a matching proves that a side shatters trees as deep as an entry's trees.

    The matching has the form of `no_deeper`. The columns must be all non-constant columns of the
    entry, up to complement.

    Examples
    --------
    >>> side = Rows.of_labels(np.array([[0, 1, 0], [1, 1, 0], [1, 1, 1]]))
    >>> entry = Rows.of_labels(np.array([[0, 0, 1], [0, 1, 1]]))
    >>> [as_deep(side, entry, [1], [code]) for code in (0, 1, 2, 4)]
    [True, True, False, True]
    """
    # Q5
    return contained(entry.distinct_image(columns), _image(side, matching))


def _image(side: Rows, matching: Sequence[int]) -> np.ndarray:
    return side.image([code >> 1 for code in matching], [code & 1 for code in matching]).distinct()
