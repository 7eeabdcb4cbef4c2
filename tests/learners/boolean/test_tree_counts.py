"""Counts of conditions that hold together: on small tables by hand, and at their limits."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from learners.boolean import tree_counts
from learners.boolean.tree_counts import LARGEST_WEIGHT, count_together
from learners.boolean.trees import Conditions
from lsclasses.errors import InvalidInput, TooLarge


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("weights", [(1, 1), (2, 5), (3, 2, 1)])
def test_every_entry_is_the_number_of_rows_with_these_features(depth, weights):
    """The array by its definition, over more rows than are counted together."""
    rng = np.random.default_rng(depth)
    rows = tree_counts.BLOCK + 50
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


def test_the_second_feature_of_a_pair_implies_the_first():
    conditions = Conditions(3, [(0, None), (1, 2)])
    for row in product((0, 1), repeat=3):
        matrix = np.array([[1, 1, 1], row], dtype=bool)
        if row[2] > row[1]:
            with pytest.raises(InvalidInput, match=r"\(1, 2\), and a row with feature 2"):
                count_together(conditions, matrix, np.array([0, 1]), (1, 1), 1)
        else:
            counts = count_together(conditions, matrix, np.array([0, 1]), (1, 1), 1)
            assert counts.parts.tolist() == [[row[0] - 1, row[1] * (1 - row[2])]]


@pytest.mark.parametrize("weight", [(1 << 23) + 1, (1 << 22) + 3, LARGEST_WEIGHT])
def test_heavy_rows_are_counted_exactly(weight):
    rows = 9
    counts = count_together(
        Conditions(1), np.ones((rows, 1), bool), np.ones(rows, int), (1, weight), 1
    )
    assert counts.whole.tolist() == [rows * weight] and counts.parts.tolist() == [[rows * weight]]


def test_rows_times_weights_stay_below_what_is_counted():
    heavy = (1, LARGEST_WEIGHT)
    for rows in (63, 64):
        given = Conditions(1), np.ones((rows, 1), bool), np.ones(rows, int), heavy, 1
        if rows * LARGEST_WEIGHT < 1 << 30:
            assert count_together(*given).whole.tolist() == [rows * LARGEST_WEIGHT]
        else:
            with pytest.raises(TooLarge, match="64 rows") as refused:
                count_together(*given)
            assert (refused.value.estimate, refused.value.limit) == (1 << 30, 1 << 30)


@pytest.mark.parametrize("weights", [(1, 1), (1, 1, 1), (1, 1, 1, 1)])
def test_the_memory_that_is_announced_is_what_counts_take(weights, monkeypatch):
    given = Conditions(4), np.ones((5, 4), bool), np.zeros(5, int), weights, 2
    taken = count_together(*given).array.nbytes
    monkeypatch.setattr(tree_counts, "BYTE_LIMIT", taken)
    count_together(*given)
    monkeypatch.setattr(tree_counts, "BYTE_LIMIT", taken - 1)
    with pytest.raises(TooLarge, match="trees of depth 1") as refused:
        count_together(*given)
    assert refused.value.estimate == taken


def test_no_more_than_a_gigabyte_is_taken():
    wide = np.zeros((1, 20_000), bool)
    with pytest.raises(TooLarge) as refused:
        count_together(Conditions(20_000), wide, np.zeros(1, int), (1, 1), 2)
    assert refused.value.limit == 1 << 30 < refused.value.estimate
