"""The total weight of all trees below a node: the sum of prior(T) exp(t right(T)) over trees T.

The weights are represented as exp(t I + s) with integers I, so that rates and counts of any size
fit floats. `learners.rules.gibbs_tree` proves their accuracy. If plain trees are a separate family
(`Conditions.plain`), their terms are a part of the terms of all trees and are computed once.

The module also counts the rows on which conditions hold together, by label. A small tree needs no
other data.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise, product

import numpy as np
from numpy.typing import NDArray

from learners.rules.trees import Conditions
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.searching.blas import exact_product, one_blas_thread

# ---- tree counts


BLOCK = 1 << 12
"""Number of rows of a label in a block that fits the cache. Sums up to 2^24 are exact."""

LARGEST_WEIGHT = 1 << 24
"""Largest weight of a label."""

LARGEST_COUNT = 1 << 30
"""Largest count. Counts are integers of 32 bits, and the sum of two counts must fit."""

BYTE_LIMIT = 1 << 30
"""Largest memory of the counts, in bytes."""


class TreeCounts:
    """The weighted counts of rows of a tree's node, for all conditions of its descendants.

    The numbers are the counts of each label 1, ..., K - 1 less the counts of label 0, each times
    the weight of its label. These differences decide between trees: the score of a tree is the
    number of rows with label 0 plus, for each leaf, the difference of the leaf's label.

    Attributes
    ----------
    array : numpy.ndarray
        Integers of shape (K - 1, F + 2, ..., F + 2), symmetric in all axes but the first, with one
        such axis for each remaining level. Place 0 of an axis represents all rows, place 1 + j
        represents the rows with feature j, and the last place represents no rows.
    conditions : Conditions
        Conditions of the rules.
    """

    def __init__(self, array: NDArray[np.int32], conditions: Conditions) -> None:
        self.array, self.conditions = array, conditions
        self._first = np.array([first + 1 for first, _ in conditions.listed], dtype=np.intp)
        self._second = np.array(
            [-1 if second is None else second + 1 for _, second in conditions.listed], dtype=np.intp
        )

    @property
    def depth(self) -> int:
        """The number of remaining levels."""
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
        """Return the counts of several features together, among all rows of the node."""
        place: tuple[slice | int, ...] = (slice(None),) * (1 + asked) + (0,) * (self.depth - asked)
        found: NDArray[np.int32] = self.array[place]
        return found

    def _of_conditions(self, array: NDArray[np.int32]) -> NDArray[np.int32]:
        found: NDArray[np.int32] = array[:, self._first] - array[:, self._second]
        return found

    def below(self, condition: int, answer: bool) -> TreeCounts:
        """Return the counts of a child of the node."""
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
    """Compute the counts of all rows in one pass over arrays.

    Parameters
    ----------
    conditions : Conditions
        Conditions of the rules.
    matrix : array of bool, shape (rows, features)
        Features of the rows.
    labels : array of int, shape (rows,)
        Labels of the rows, from 0 to K - 1.
    weights : tuple of int
        Weight of each label.
    depth : int
        Number of conditions that are tested together.

    Raises
    ------
    InvalidInput
        If a pair of features is not a pair where the second implies the first.
    TooLarge
        If the counts take more than a gigabyte.
    """
    rows, features = matrix.shape
    size = 4 * (len(weights) - 1) * (features + 2) ** depth
    if size > BYTE_LIMIT:
        raise TooLarge(
            f"Counts of {depth} of {features} features together take {size} bytes. The limit is "
            f"{BYTE_LIMIT}. Use fewer cut points and categories, or trees of depth {depth - 1}.",
            estimate=size,
            limit=BYTE_LIMIT,
        )
    if rows * max(weights) >= LARGEST_COUNT:
        raise TooLarge(
            f"Weighted rows may add up to {LARGEST_COUNT}. Got {rows} rows "
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
            # All counts are relative to label 0.
            _add(array[b - 1 : b] if b else array, held, weight if b else -weight)


def _add(array: NDArray[np.int32], held: NDArray[np.float32], weight: int) -> None:
    """Add the weighted numbers of a block of rows. Every sum is exact, as a small integer."""
    if array.ndim == 2:
        array[:, :-1] += weight * held.sum(axis=0).astype(np.int32)
    elif array.ndim == 3:
        array[:, :-1, :-1] += weight * exact_product(held.T, held).astype(np.int32)
    else:
        pairs = exact_product(held.T, held)
        for j in range(held.shape[1]):
            column = held[:, j]
            # Rows without a frequent feature are fewer, and are subtracted from all rows.
            frequent = 2 * np.count_nonzero(column) > len(column)
            chosen = np.flatnonzero(column == 0 if frequent else column)
            there = held[:, j:].take(chosen, axis=0)
            numbers = exact_product(there.T, there)
            if frequent:
                np.subtract(pairs[j:, j:], numbers, out=numbers)
            added = numbers.astype(np.int32)
            if weight != 1:
                added *= weight
            array[:, j, j:-1, j:-1] += added


def _mirror(array: NDArray[np.int32]) -> None:
    """Fill in the array by symmetry. Slice j has the numbers for j <= k, l."""
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


# ---- tree weights


Weights = tuple[NDArray[np.int64], NDArray[np.float64]]
"""The arrays I and s of several weights exp(t I + s)."""


ANSWERS = (True, False)


def split_weights(counts: TreeCounts, rate: float) -> list[Weights]:
    """Return the weight of each split of a node v, for all conditions c of each family.

    The weight is W(v and c) W(v and not c), where W is the total weight of all trees below a node.
    """
    if counts.depth == 2:
        one, two = (_children(counts, answer, 0, rate) for answer in ANSWERS)
    else:
        below = _grandchildren(counts, rate)
        one, two = (
            _joined(
                [
                    _node_weights(
                        counts.below(c, answer),
                        [[(i[c], s[c]) for i, s in below[answer, other]] for other in ANSWERS],
                        rate,
                    )
                    for c in range(len(counts.conditions))
                ]
            )
            for answer in ANSWERS
        )
    return _products(counts.conditions, one, two)


def _products(
    conditions: Conditions, one: Sequence[Weights], two: Sequence[Weights]
) -> list[Weights]:
    """Return I and s of the products of both children's weights, by family and condition."""
    return [
        (i[:size] + j[:size], s[:size] + r[:size])
        for size, (i, s), (j, r) in zip(conditions.sizes, one, two, strict=True)
    ]


def _children(counts: TreeCounts, answer: bool, first: int, rate: float) -> list[Weights]:
    """Return I and s of W_1 of a node's children, by the conditions from `first` on."""
    parts, pairs = counts.parts[:, first:], counts.pairs[:, first:]
    if not answer:
        parts, pairs = counts.whole[:, None] - parts, counts.parts[:, None, :] - pairs
    return _stump_weights(parts, pairs, counts.conditions, rate)


def _grandchildren(counts: TreeCounts, rate: float) -> dict[tuple[bool, bool], list[Weights]]:
    """Return I and s of W_1 of the nodes below two conditions, by the answers to them.

    The order of the two conditions does not matter, so half of the nodes are mirrored.
    """
    shape = (len(counts.conditions),) * 2
    found: dict[tuple[bool, bool], list[Weights]] = {
        (answer, other): [
            (np.empty(shape, dtype=np.int64), np.empty(shape)) for _ in counts.conditions.families
        ]
        for answer, other in product(ANSWERS, repeat=2)
    }
    for c in range(len(counts.conditions)):
        for answer, other, first in (True, True, c), (True, False, 0), (False, False, c):
            below = _children(counts.below(c, answer), other, first, rate)
            for place, mirrored, given in zip(
                found[answer, other], found[other, answer], below, strict=True
            ):
                for whole, image, row in zip(place, mirrored, given, strict=True):
                    whole[c, first:] = row
                    image[first:, c] = row
    return found


def _joined(nodes: Sequence[Sequence[tuple[int, float]]]) -> list[Weights]:
    """Return the weights of nodes, family by family."""
    return [
        (np.array([i for i, _ in family], dtype=np.int64), np.array([s for _, s in family]))
        for family in zip(*nodes, strict=True)
    ]


def _node_weights(
    counts: TreeCounts, below: Sequence[Sequence[Weights]], rate: float
) -> list[tuple[int, float]]:
    """Return I and s of W(v) for each family, at depth 2, from its children by their answer."""
    labels = 1 + len(counts.whole)
    found = []
    for conditions, weights in zip(
        counts.conditions.families, _products(counts.conditions, *below), strict=True
    ):
        exponents = np.concatenate([with_label_0(counts.whole), weights[0]])
        rests = np.concatenate([np.zeros(labels), weights[1]])
        masses = np.array(
            [conditions.total] * labels + [labels * each for each in conditions.counts],
            dtype=np.float64,
        )
        largest = int(exponents.max())
        terms = np.exp((exponents - largest) * rate + rests)
        mass = math.log(2 * conditions.total * labels)
        found.append((largest, float(np.log(terms @ masses)) - mass))
    return found


def _stump_weights(
    whole: NDArray[np.int32], parts: NDArray[np.int32], conditions: Conditions, rate: float
) -> list[Weights]:
    """Return I and s of W_1 of several nodes, for each family.

    Parameters
    ----------
    whole : array, shape (K - 1, nodes)
        Counts of the rows of the nodes.
    parts : array, shape (K - 1, nodes, conditions)
        Counts of the rows on which each condition holds.
    """
    labels = 1 + len(whole)
    prior = np.array(conditions.counts, dtype=np.float64)
    whole = with_label_0(whole)
    # 2 M K^2 W_1 = M (K + 1) sum_b e^(t e_b(v))
    #               + sum over b != b' of sum_c p_c e^(t (e_b(v and c) + e_b'(v and not c)))
    sums: list[Weights] = []
    for start, end in pairwise((0, *conditions.sizes)):
        exponents = [
            whole[b][:, None] + _difference(parts[..., start:end], a, b)
            for a, b in product(range(labels), repeat=2)
            if a != b
        ]
        sums.append(_sums(exponents, prior[start:end], rate))
    leaves = [(each.astype(np.int64), np.zeros(each.shape)) for each in whole]
    found = []
    for count, family in enumerate(conditions.families, start=1):
        summands = [*leaves, *sums[:count]]
        masses = [float(family.total * (labels + 1))] * labels + [1.0] * count
        largest = np.max([exponents for exponents, _ in summands], axis=0)
        total = sum(
            mass * np.exp((exponents - largest) * rate + rests)
            for mass, (exponents, rests) in zip(masses, summands, strict=True)
        )
        found.append((largest, np.log(total) - math.log(2 * family.total * labels**2)))
    return found


def _sums(
    exponents: Sequence[NDArray[np.int32]], prior: NDArray[np.float64], rate: float
) -> Weights:
    """Return I and s of sums over conditions c of p_c e^(t exponent), one for each node."""
    largest = np.max([each.max(axis=1) for each in exponents], axis=0)
    sums = np.zeros(largest.shape)
    least = min(int(each.min()) for each in exponents) if len(largest) else 0
    span = int(largest.max(initial=0)) - least
    if span < exponents[0].size:
        # Exponents are integers, so many terms are equal.
        powers = np.exp(np.arange(0, -span - 1, -1, dtype=np.float64) * rate)
        for each in exponents:
            sums += powers.take(largest[:, None] - each) @ prior
    else:
        for each in exponents:
            arguments = np.subtract(each, largest[:, None], dtype=np.float64)
            arguments *= rate
            sums += np.exp(arguments, out=arguments) @ prior
    return largest.astype(np.int64), np.log(sums)


def with_label_0(counts: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the differences from label 0, including the difference 0 of label 0 itself."""
    return np.concatenate([np.zeros_like(counts[:1]), counts])


def _difference(parts: NDArray[np.int32], a: int, b: int) -> NDArray[np.int32]:
    """Return the counts of label a less the counts of label b."""
    if not a:
        found: NDArray[np.int32] = -parts[b - 1]
        return found
    found = parts[a - 1] - parts[b - 1] if b else parts[a - 1]
    return found
