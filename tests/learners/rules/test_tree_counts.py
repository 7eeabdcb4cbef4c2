"""Counts of conditions that hold together: on small tables by hand, and at their limits."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from learners.rules import tree_weights
from learners.rules.tree_weights import LARGEST_WEIGHT, count_together
from learners.rules.trees import Conditions
from lsclasses.errors import TooLarge


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("weights", [(1, 1), (2, 5), (3, 2, 1)])
def test_every_entry_is_the_number_of_rows_with_these_features(depth, weights):
    """The array by its definition, over more rows than are counted together."""
    rng = np.random.default_rng(depth)
    rows = 4 * tree_weights.BLOCK
    matrix, labels = rng.random((rows, 3)) < 0.6, rng.integers(0, len(weights), rows)
    array = count_together(Conditions(3), matrix, labels, weights, depth).array
    assert array.shape == (len(weights) - 1, *(5,) * depth)
    # All rows, those with each feature, none.
    held = [np.ones(rows, bool), *matrix.T, np.zeros(rows, bool)]
    for place in product(range(5), repeat=depth):
        there = np.all([held[j] for j in place], axis=0)
        numbers = [w * int((there & (labels == b)).sum()) for b, w in enumerate(weights)]
        assert array[(slice(None), *place)].tolist() == [n - numbers[0] for n in numbers[1:]]


def test_children_have_the_counts_of_their_rows():
    rng = np.random.default_rng(3)
    first = rng.random((60, 2)) < 0.7
    matrix = np.column_stack([first, first[:, 0] & (rng.random(60) < 0.5)])
    labels = rng.integers(0, 2, 60)
    conditions = Conditions(3, [(0, None), (0, 2), (1, None)])
    values = conditions.values(matrix)
    counts = count_together(conditions, matrix, labels, (1, 2), 3)
    for c, answer in product(range(3), (True, False)):
        rows = values[:, c] == answer
        alone = count_together(conditions, matrix[rows], labels[rows], (1, 2), 2)
        child = counts.below(c, answer)
        assert child.depth == alone.depth == 2
        assert child.whole.tolist() == alone.whole.tolist()
        assert child.parts.tolist() == alone.parts.tolist()
        assert child.pairs.tolist() == alone.pairs.tolist()


@pytest.mark.parametrize("row", [row for row in product((0, 1), repeat=3) if row[2] <= row[1]])
def test_one_feature_without_another_holds_by_itself(row):
    conditions = Conditions(3, [(0, None), (1, 2)])
    matrix = np.array([[1, 1, 1], row], dtype=bool)
    counts = count_together(conditions, matrix, np.array([0, 1]), (1, 1), 1)
    assert counts.parts.tolist() == [[row[0] - 1, row[1] * (1 - row[2])]]


@pytest.mark.parametrize(
    ("weight", "rows"), [((1 << 23) + 1, 9), ((1 << 22) + 3, 9), (LARGEST_WEIGHT, 63)]
)
def test_heavy_rows_are_counted_exactly(weight, rows):
    given = Conditions(1), np.ones((rows, 1), bool), np.ones(rows, int), (1, weight), 1
    counts = count_together(*given)
    assert counts.whole.tolist() == [rows * weight] and counts.parts.tolist() == [[rows * weight]]


@pytest.mark.parametrize("weights", [(1, 1), (1, 1, 1), (1, 1, 1, 1)])
def test_the_memory_that_is_announced_is_what_counts_take(weights, monkeypatch):
    given = Conditions(4), np.ones((5, 4), bool), np.zeros(5, int), weights, 2
    taken = count_together(*given).array.nbytes
    monkeypatch.setattr(tree_weights, "BYTE_LIMIT", taken)
    count_together(*given)
    monkeypatch.setattr(tree_weights, "BYTE_LIMIT", taken - 1)
    with pytest.raises(TooLarge, match="trees of depth 1") as refused:
        count_together(*given)
    assert refused.value.estimate == taken


def test_sums_of_repeated_exponents_equal_the_sums_of_all_terms():
    """Few different exponents are looked up in a table, and many are computed one by one."""
    rng = np.random.default_rng(5)
    prior = np.array([1.0, 2.0, 1.0])
    for span in (4, 10**5):
        exponents = [rng.integers(-span, span, (20, 3)).astype(np.int32) for _ in range(2)]
        rate = 1 / 50
        integers, logarithms = tree_weights._sums(exponents, prior, rate)
        largest = np.maximum(*(each.max(axis=1) for each in exponents))
        assert integers.tolist() == largest.tolist()
        for node in range(20):
            terms = [
                count * math.exp((int(each[node, c]) - int(largest[node])) * rate)
                for each in exponents
                for c, count in enumerate(prior)
            ]
            assert logarithms[node] == pytest.approx(math.log(math.fsum(terms)), abs=1e-12)
