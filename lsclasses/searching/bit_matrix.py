"""Matrices of bits, 64 to a word, for version spaces too large to give every label a byte.

A matrix of columns has a line for each point. Bit i of the line is the label of concept i, and the
label of the first concept is the lowest bit. A matrix of rows has a word for each concept and each
group of 64 points. Bit j of the word is the label of the j-th point of the group.

Counts of concepts on two or more columns are products of matrices of zeros and ones, which floating
point multiplies much faster than integers. They are exact if every partial sum, in every order, is
an integer that the type represents. `counting_type` chooses the type.
"""

from __future__ import annotations

import numpy as np

from lsclasses.limits import tick

# ---- counting


SINGLE = 1 << 24
"""The largest integer up to which float32 represents every integer."""


def counting_type(most: int) -> type[np.float32 | np.float64]:
    """Return the smallest floating-point type that represents all integers from -most to most.

    Parameters
    ----------
    most : int
        Largest absolute value of a partial sum, below 2^53.

    Examples
    --------
    >>> counting_type(1000), counting_type(10**8)
    (<class 'numpy.float32'>, <class 'numpy.float64'>)
    >>> int(np.float32(2**24) + np.float32(1)) - 2**24   # why the limit is where it is
    0
    """
    return np.float32 if most <= SINGLE else np.float64


# ---- bit matrix


HALVES = tuple(
    (np.uint64(shift), np.uint64(mask))
    for shift, mask in (
        (32, 0x00000000FFFFFFFF),
        (16, 0x0000FFFF0000FFFF),
        (8, 0x00FF00FF00FF00FF),
        (4, 0x0F0F0F0F0F0F0F0F),
        (2, 0x3333333333333333),
        (1, 0x5555555555555555),
    )
)
"""Steps that transpose a square of 64 x 64 bits: pairs (shift, mask), from large to small."""
SORTED_AT_ONCE = 1 << 19
"""Number of rows that are sorted between two checks of the time limit."""
AT_ONCE = 1 << 9
"""Number of words of 64 lines that are processed at a time, so that they fit into the cache."""


def _transpose_squares(squares: np.ndarray) -> None:
    """Transpose squares of 64 x 64 bits in place, shape (64, squares), each word a line."""
    for shift, mask in HALVES:
        half = int(shift)
        # Squares of 64 lines are contiguous, so `reshape` returns a view. The operators below
        # change `squares` itself.
        halves = squares.reshape(32 // half, 2, half, -1)
        low, high = halves[:, 0], halves[:, 1]
        # Each round exchanges the upper bits of the low lines with the lower bits of the high
        # lines. The blocks get smaller, from 32 x 32 bits to single bits.
        exchanged = (low >> shift ^ high) & mask
        high ^= exchanged
        low ^= exchanged << shift


def rows_of_columns(columns: np.ndarray, concepts: int) -> np.ndarray:
    """Return the matrix of rows with the labels of a matrix of columns.

    A matrix of columns has a line of words for each point, with a bit for each concept. A matrix of
    rows has a word for each concept and each group of 64 points.

    Parameters
    ----------
    columns : array of uint64, shape (points, ceil(concepts / 64))
    concepts : int
        Number of concepts, which is not determined by the padded columns.

    Returns
    -------
    array of uint64, shape (ceil(points / 64), concepts)

    Examples
    --------
    >>> rows_of_columns(np.array([[0b011], [0b110]], dtype=np.uint64), 3).tolist()
    [[1, 3, 2]]
    """
    points, width = columns.shape
    rows = np.empty((-(-points // 64), width * 64), dtype=np.uint64)
    for word, start in enumerate(range(0, points, 64)):
        for place in range(0, width, AT_ONCE):
            part = columns[start : start + 64, place : place + AT_ONCE]
            squares = np.zeros((64, part.shape[1]), dtype=np.uint64)
            squares[: len(part)] = part
            _transpose_squares(squares)
            # After the transposition, line i of square s is the word of concept 64 s + i. The order
            # of the concepts is therefore square by square.
            rows[word, place * 64 : (place + AT_ONCE) * 64] = squares.T.ravel()
            tick()
    return rows[:, :concepts]


def columns_of_rows(rows: np.ndarray, points: int) -> np.ndarray:
    """Return the matrix of columns with the labels of a matrix of rows, as in `rows_of_columns`.

    Bits beyond the last concept are 0.

    Examples
    --------
    >>> columns_of_rows(np.array([[1, 3, 2]], dtype=np.uint64), 2).tolist()
    [[3], [6]]
    """
    concepts = rows.shape[1]
    columns = np.empty((points, -(-concepts // 64)), dtype=np.uint64)
    for word, start in enumerate(range(0, points, 64)):
        for place in range(0, concepts, AT_ONCE * 64):
            part = rows[word, place : place + AT_ONCE * 64]
            lines = np.zeros((-(-len(part) // 64), 64), dtype=np.uint64)
            # `ravel` returns a view of a contiguous array, so this assignment fills `lines`. The
            # last square may have fewer than 64 concepts.
            lines.ravel()[: len(part)] = part
            # The transposition in place needs contiguous squares, but `lines.T` is only a view.
            squares = np.ascontiguousarray(lines.T)
            _transpose_squares(squares)
            columns[start : start + 64, place // 64 : place // 64 + len(lines)] = squares[
                : points - start
            ]
            tick()
    return columns


def common_ones(columns: np.ndarray, chosen: np.ndarray | None = None) -> np.ndarray:
    """Return how many concepts label both columns with 1, for each chosen column and each column.

    By default, all columns are chosen.

    Returns
    -------
    array of int32, shape (chosen, points)

    Examples
    --------
    >>> common_ones(np.array([[0b011], [0b110]], dtype=np.uint64)).tolist()
    [[2, 1], [1, 2]]
    """
    points, width = columns.shape
    asked = list(range(points)) if chosen is None else chosen.tolist()
    counts = np.zeros((len(asked), points), dtype=np.int32)
    for place in range(0, width, 2 * AT_ONCE):
        part = np.ascontiguousarray(columns[:, place : place + 2 * AT_ONCE])
        for i, j in enumerate(asked):
            # Without a choice, the counts are symmetric, so each pair is counted once.
            start = j if chosen is None else 0
            common = np.bitwise_count(part[j] & part[start:])
            counts[i, start:] += common.sum(axis=1, dtype=np.int32)
        tick()
    return counts if chosen is not None else np.triu(counts) + np.triu(counts, 1).T


def sorted_rows(rows: np.ndarray) -> np.ndarray:
    """Return the rows of a matrix of rows in increasing order, so equal sets give equal arrays."""
    if len(rows) == 1:
        return np.sort(rows)
    return rows[:, row_order(rows)]


def row_order(rows: np.ndarray) -> np.ndarray:
    """Return the permutation that sorts the rows, equal to ``np.lexsort(rows)``.

    The result has the shape (concepts,). Millions of rows are first divided into intervals by their
    last words. Then one interval is sorted at a time. If the rows have no words, all rows are equal
    and keep their order.

    Examples
    --------
    >>> row_order(np.array([[3, 1, 2], [0, 1, 0]], dtype=np.uint64)).tolist()
    [2, 0, 1]
    """
    words, concepts = rows.shape
    if not words:
        return np.arange(concepts)
    if concepts <= SORTED_AT_ONCE:
        return np.lexsort(rows)
    # `np.lexsort` compares the last word first. So intervals of the last word are intervals of the
    # sorted order.
    highest = rows[-1]
    # The sample has at most 1024 words, and each 16th word is a bound. These are at most 63 bounds,
    # so the number of a part fits into a byte.
    between = np.unique(np.sort(highest[:: concepts // 1024 + 1])[16::16])
    part = np.empty(concepts, dtype=np.uint8)
    for start in range(0, concepts, SORTED_AT_ONCE):
        block = slice(start, start + SORTED_AT_ONCE)
        part[block] = np.searchsorted(between, highest[block], side="right")
        tick()
    # Both sorts are stable, so that equal rows keep their order as in one call of `np.lexsort`.
    order = np.argsort(part, kind="stable")
    end = 0
    for size in np.bincount(part).tolist():
        end += size
        place = order[end - size : end]
        order[end - size : end] = place[np.lexsort(rows[:, place])]
        tick()
    return order


def distinct_rows(rows: np.ndarray) -> int:
    """Return the number of distinct rows of a matrix with at least one row.

    Examples
    --------
    >>> distinct_rows(np.array([[1, 3, 2, 3]], dtype=np.uint64))
    3
    """
    ordered = sorted_rows(rows)
    return 1 + int((ordered[:, 1:] != ordered[:, :-1]).any(axis=0).sum())
