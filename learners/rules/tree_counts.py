"""Counts of rows on which conditions hold together, by label: all that a small tree needs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from learners.rules.trees import Conditions
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.searching.blas import one_blas_thread

BLOCK = 1 << 12
"""How many rows of a label are counted together, in the cache; sums up to 2^24 are exact."""

LARGEST_WEIGHT = 1 << 24
"""The largest weight of a label."""

LARGEST_COUNT = 1 << 30
"""Counts are kept as integers of 32 bits, of which two are added."""

BYTE_LIMIT = 1 << 30
"""The most memory that counts may take."""


class TreeCounts:
    """The weighted counts of rows of a tree's node, for all conditions of its descendants.

    The numbers are those of each label 1, ..., K - 1 less those of label 0, each times the weight
    of its label: these differences decide between trees, because what a tree gets right is the
    number of rows with label 0 plus, for each leaf, the difference of its label there.

    Attributes
    ----------
    array : numpy.ndarray
        Shape (K - 1, F + 2, ..., F + 2), integers, symmetric in all axes but the first, with one
        such axis for each level that is left. Place 0 of an axis stands for all rows, place 1 + j
        for those with feature j, and the last place for none.
    conditions : Conditions
    """

    def __init__(self, array: NDArray[np.int32], conditions: Conditions) -> None:
        self.array, self.conditions = array, conditions
        self._first = np.array([first + 1 for first, _ in conditions.listed], dtype=np.intp)
        self._second = np.array(
            [-1 if second is None else second + 1 for _, second in conditions.listed], dtype=np.intp
        )

    @property
    def depth(self) -> int:
        """The number of levels left."""
        return self.array.ndim - 1

    @property
    def whole(self) -> NDArray[np.int32]:
        """The counts of all rows of the node, shape (K - 1,)."""
        return self._slice(0)

    @property
    def parts(self) -> NDArray[np.int32]:
        """The counts of the rows on which each condition holds, shape (K - 1, conditions)."""
        return self._of_conditions(self._slice(1))

    @property
    def pairs(self) -> NDArray[np.int32]:
        """The counts for two conditions, shape (K - 1, conditions, conditions), from depth 2 on."""
        array = self._slice(2)
        return self._of_conditions(self._of_conditions(array).swapaxes(1, 2))

    def _slice(self, asked: int) -> NDArray[np.int32]:
        """The counts of several features together, among all rows of the node."""
        place: tuple[slice | int, ...] = (slice(None),) * (1 + asked) + (0,) * (self.depth - asked)
        found: NDArray[np.int32] = self.array[place]
        return found

    def _of_conditions(self, array: NDArray[np.int32]) -> NDArray[np.int32]:
        found: NDArray[np.int32] = array[:, self._first] - array[:, self._second]
        return found

    def below(self, condition: int, answer: bool) -> TreeCounts:
        """The counts of a child of the node."""
        array: NDArray[np.int32] = (
            self.array[:, self._first[condition]] - self.array[:, self._second[condition]]
        )
        return TreeCounts(array if answer else self.array[:, 0] - array, self.conditions)


def count_together(
    conditions: Conditions,
    matrix: NDArray[np.bool_],
    labels: NDArray[np.integer],
    weights: tuple[int, ...],
    depth: int,
) -> TreeCounts:
    """Count all rows.

    Parameters
    ----------
    conditions : Conditions
    matrix : array of bool, shape (rows, features)
    labels : array of int, shape (rows,)
        From 0 to K - 1.
    weights : tuple of int
        One for each label.
    depth : int
        How many conditions are asked together.

    Raises
    ------
    InvalidInput
        If a pair of features is not one where the second implies the first.
    TooLarge
        If the counts take more than a gigabyte.
    """
    rows, features = matrix.shape
    size = 4 * (len(weights) - 1) * (features + 2) ** depth
    if size > BYTE_LIMIT:
        raise TooLarge(
            f"Counts of {depth} of {features} features together take {size} bytes; the limit is "
            f"{BYTE_LIMIT}. Take fewer cut points and categories, or trees of depth {depth - 1}.",
            estimate=size,
            limit=BYTE_LIMIT,
        )
    if rows * max(weights) >= LARGEST_COUNT:
        raise TooLarge(
            f"Rows are counted up to {LARGEST_COUNT}, each as often as its weight. Got {rows} rows "
            f"of weight up to {max(weights)}.",
            estimate=rows * max(weights),
            limit=LARGEST_COUNT,
        )
    array = np.zeros((len(weights) - 1, *(features + 2,) * depth), dtype=np.int32)
    with one_blas_thread():
        _count(array, conditions, matrix, labels, weights)
    if depth == 3:
        _mirror(array)
    return TreeCounts(array, conditions)


def _count(
    array: NDArray[np.int32],
    conditions: Conditions,
    matrix: NDArray[np.bool_],
    labels: NDArray[np.integer],
    weights: tuple[int, ...],
) -> None:
    for b, weight in enumerate(weights):
        chosen = np.flatnonzero(labels == b)
        for start in range(0, len(chosen), BLOCK):
            rows = chosen[start : start + BLOCK]
            held = np.ones((len(rows), 1 + matrix.shape[1]), dtype=np.float32)
            held[:, 1:] = matrix[rows]
            _require_nested(conditions, held)
            # Everything is relative to label 0.
            _add(array[b - 1 : b] if b else array, held, weight if b else -weight)


def _add(array: NDArray[np.int32], held: NDArray[np.float32], weight: int) -> None:
    """Add the weighted numbers of a block of rows; every sum is exact, as a small integer."""
    if array.ndim == 2:
        array[:, :-1] += weight * held.sum(axis=0).astype(np.int32)
    elif array.ndim == 3:
        array[:, :-1, :-1] += weight * (held.T @ held).astype(np.int32)
    else:
        for j in range(held.shape[1]):
            there = held[np.flatnonzero(held[:, j]), j:]
            array[:, j, j:-1, j:-1] += weight * (there.T @ there).astype(np.int32)


def _mirror(array: NDArray[np.int32]) -> None:
    """Fill in by symmetry: slice j has the numbers for j <= k, l."""
    for j in range(array.shape[1] - 1):
        known = array[:, j, j:-1, j:-1]
        array[:, j:-1, j, j:-1] = known
        array[:, j:-1, j:-1, j] = known


def _require_nested(conditions: Conditions, held: NDArray[np.float32]) -> None:
    for a, b in ((a, b) for a, b in conditions.listed if b is not None):
        if (held[:, 1 + b] > held[:, 1 + a]).any():
            raise InvalidInput(
                f"In a condition (a, b) the feature b must imply a. Got ({a}, {b}), and a row with "
                f"feature {b} and without {a}."
            )
