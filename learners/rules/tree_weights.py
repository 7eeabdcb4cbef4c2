"""The weights of the trees below a node: sums over trees of prior times exp(t right).

They are given as exp(t I + s) with integers I, so that rates and counts of any size fit floats. How
exact they are is proved in `learners.rules.gibbs_tree`. Where plain trees are a family of their own
(`Conditions.plain`), their terms are a part of those of all trees and computed once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise, product

import numpy as np
from numpy.typing import NDArray

from learners.rules.tree_counts import TreeCounts
from learners.rules.trees import Conditions

Weights = tuple[NDArray[np.int64], NDArray[np.float64]]
"""I and s of several weights exp(t I + s)."""


ANSWERS = (True, False)


def split_weights(counts: TreeCounts, rate: float) -> list[Weights]:
    """I and s of W(v and c) W(v and not c) for all c of each family, at depth 2 or 3."""
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
    """I and s of the products of both children's weights, for the conditions of each family."""
    return [
        (i[:size] + j[:size], s[:size] + r[:size])
        for size, (i, s), (j, r) in zip(conditions.sizes, one, two, strict=True)
    ]


def _children(counts: TreeCounts, answer: bool, first: int, rate: float) -> list[Weights]:
    """I and s of W_1 of a node's children by the conditions from the first one on."""
    parts, pairs = counts.parts[:, first:], counts.pairs[:, first:]
    if not answer:
        parts, pairs = counts.whole[:, None] - parts, counts.parts[:, None, :] - pairs
    return _stump_weights(parts, pairs, counts.conditions, rate)


def _grandchildren(counts: TreeCounts, rate: float) -> dict[tuple[bool, bool], list[Weights]]:
    """I and s of W_1 of the nodes below two conditions, by the answers to them.

    Which of the two is asked first does not matter, so that half of the nodes are mirrored.
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
    """The weights of nodes, family by family."""
    return [
        (np.array([i for i, _ in family], dtype=np.int64), np.array([s for _, s in family]))
        for family in zip(*nodes, strict=True)
    ]


def _node_weights(
    counts: TreeCounts, below: Sequence[Sequence[Weights]], rate: float
) -> list[tuple[int, float]]:
    """I and s of W(v) for each family, at depth 2, from those of its children by their answer."""
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
    """I and s of W_1 of several nodes, for each family.

    Parameters
    ----------
    whole : array, shape (K - 1, nodes)
        The counts of their rows.
    parts : array, shape (K - 1, nodes, conditions)
        The counts of those on which each condition holds.
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
    """I and s of sums over conditions c of p_c e^(t exponent), one for each node."""
    largest = np.max([each.max(axis=1) for each in exponents], axis=0)
    sums = np.zeros(largest.shape)
    for each in exponents:
        arguments = np.subtract(each, largest[:, None], dtype=np.float64)
        arguments *= rate
        sums += np.exp(arguments, out=arguments) @ prior
    return largest.astype(np.int64), np.log(sums)


def with_label_0(counts: NDArray[np.int32]) -> NDArray[np.int32]:
    """The differences from label 0 with that of label 0 itself, which is 0."""
    return np.concatenate([np.zeros_like(counts[:1]), counts])


def _difference(parts: NDArray[np.int32], a: int, b: int) -> NDArray[np.int32]:
    """The counts of label a less those of label b."""
    if not a:
        found: NDArray[np.int32] = -parts[b - 1]
        return found
    found = parts[a - 1] - parts[b - 1] if b else parts[a - 1]
    return found
