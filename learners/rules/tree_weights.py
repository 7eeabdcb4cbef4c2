"""The weights of the trees below a node: sums over trees of prior times exp(t right).

They are given as exp(t I + s) with integers I, so that rates and counts of any size fit floats. How
exact they are is proved in `learners.rules.gibbs_tree`.
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np
from numpy.typing import NDArray

from learners.rules.tree_counts import TreeCounts
from learners.rules.trees import Conditions


def split_weights(counts: TreeCounts, rate: float) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """I and s of W(v and c) W(v and not c) for every condition c, at depth 2 or 3."""
    if counts.depth == 2:
        whole, parts, pairs = counts.whole, counts.parts, counts.pairs
        one = _stump_weights(parts, pairs, counts.conditions, rate)
        two = _stump_weights(
            whole[:, None] - parts, parts[:, None, :] - pairs, counts.conditions, rate
        )
        return one[0] + two[0], one[1] + two[1]
    found = [
        [_node_weight(counts.below(c, answer), rate) for answer in (True, False)]
        for c in range(len(counts.conditions))
    ]
    return (
        np.array([one[0] + two[0] for one, two in found], dtype=np.int64),
        np.array([one[1] + two[1] for one, two in found]),
    )


def _node_weight(counts: TreeCounts, rate: float) -> tuple[int, float]:
    """I and s of W(v), at depth 2."""
    conditions, labels = counts.conditions, 1 + len(counts.whole)
    exponents, rests = split_weights(counts, rate)
    exponents = np.concatenate([with_label_0(counts.whole), exponents])
    rests = np.concatenate([np.zeros(labels), rests])
    masses = np.array(
        [conditions.total] * labels + [labels * each for each in conditions.counts],
        dtype=np.float64,
    )
    largest = int(exponents.max())
    terms = np.exp((exponents - largest) * rate + rests)
    return largest, float(np.log(terms @ masses)) - math.log(2 * conditions.total * labels)


def _stump_weights(
    whole: NDArray[np.int32], parts: NDArray[np.int32], conditions: Conditions, rate: float
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """I and s of W_1 of several nodes.

    Parameters
    ----------
    whole : array, shape (K - 1, nodes)
        The counts of their rows.
    parts : array, shape (K - 1, nodes, conditions)
        The counts of those on which each condition holds.
    """
    labels, total = 1 + len(whole), conditions.total
    prior = np.array(conditions.counts, dtype=np.float64)
    whole = with_label_0(whole)
    # 2 M K^2 W_1 = M (K + 1) sum_b e^(t e_b(v))
    #               + sum over b != b' of sum_c p_c e^(t (e_b(v and c) + e_b'(v and not c)))
    pairs = [
        whole[b][:, None] + _difference(parts, a, b)
        for a, b in product(range(labels), repeat=2)
        if a != b
    ]
    largest = whole.max(axis=0)
    for exponents in pairs:
        np.maximum(largest, exponents.max(axis=1), out=largest)
    sums = total * (labels + 1) * np.exp((whole - largest) * rate).sum(axis=0)
    for exponents in pairs:
        arguments = np.subtract(exponents, largest[:, None], dtype=np.float64)
        arguments *= rate
        sums += np.exp(arguments, out=arguments) @ prior
    return largest.astype(np.int64), np.log(sums) - math.log(2 * total * labels**2)


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
