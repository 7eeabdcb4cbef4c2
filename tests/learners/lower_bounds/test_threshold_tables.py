"""Tables of learners of thresholds, their homogeneous sets and the error bound, by definition."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations, product
from math import exp

import pytest

import catalog
from learners.lower_bounds.threshold_tables import ThresholdTable, error_bound, spaced_sample
from learners.optimal.error import optimal_error
from lsclasses.errors import InvalidInput

NONE, ONE = Fraction(0), Fraction(1)


def random_table(points, rows, spread, seed):
    """A table with weights near 100 on all functions."""
    drawn = random.Random(seed)
    hypotheses = tuple(product((0, 1), repeat=points))
    weights = {
        each: tuple(100 + drawn.randrange(spread + 1) for _ in hypotheses)
        for each in combinations(range(points), rows)
    }
    return ThresholdTable(points, rows, hypotheses, weights)


def is_homogeneous(table, points, tolerance):
    """The definition: a number p_i exists for each order i."""
    values = {}
    for sample in combinations(points, table.rows):
        for x in set(points) - set(sample):
            order = sum(z <= x for z in sample)
            values.setdefault(order, []).append(table.one(sample, x))
    return all(max(each) - min(each) <= 2 * tolerance for each in values.values())


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("tolerance", [Fraction(1, 500), Fraction(1, 200), Fraction(1, 20)])
def test_the_largest_homogeneous_set(seed, tolerance):
    """The search agrees with the definition on all subsets."""
    table = random_table(6, 2, 40, seed)
    found = table.largest_homogeneous_set(tolerance)
    assert is_homogeneous(table, found, tolerance)
    sizes = [
        len(each)
        for size in range(2, 7)
        for each in combinations(range(6), size)
        if is_homogeneous(table, each, tolerance)
    ]
    assert len(found) == max(sizes)


def test_the_exponential_mechanism():
    """Weights decrease by e^(-epsilon/2) for each error, and the mechanism is private."""
    table = ThresholdTable.exponential_mechanism(4, 2, ONE)
    weights = table.weights[1, 2]
    # The thresholds 0, ..., 4 err on the examples (1, 0) and (2, 1) so often:
    for weight, errors in zip(weights, (1, 1, 0, 1, 1), strict=True):
        assert float(Fraction(weight, weights[2])) == pytest.approx(exp(-errors / 2), abs=1e-3)
    assert table.divergence(Fraction(271828, 100000)) == 0
    assert table.divergence(Fraction(11, 10)) > 0


@pytest.mark.parametrize("rows", [2, 4])
def test_the_exposed_median(rows):
    """It is (0, delta)-DP, depends only on comparisons, and has the gap delta at its median."""
    delta = Fraction(1, 7)
    table = ThresholdTable.exposed_median(2 * rows + 1, rows, delta)
    everything = range(table.points)
    assert table.tolerance(everything) == 0 and table.divergence(ONE) == delta
    gaps = [table.family(everything, i).gap for i in range(1, rows + 1)]
    assert gaps == [delta * (i == rows // 2 + 1) for i in range(1, rows + 1)]
    assert table.error(spaced_sample(everything, rows)) == (1 - delta) / 2


def test_an_optimal_learner():
    """Its table has the answers of the learner on balanced samples."""
    learner = optimal_error(catalog.build("thresholds:n=3"), 2, 1).learner
    table = ThresholdTable.of_optimal(learner)
    assert set(table.weights) == {(0, 1), (0, 2), (1, 2)}
    assert table.divergence(Fraction(271829, 100000)) == 0
    assert table.error((0, 2)) < Fraction(9, 20)
    # A threshold labels larger points with 1.
    assert table.one((0, 1), 2) > Fraction(1, 2) > table.one((1, 2), 0)


@pytest.mark.parametrize(
    ("rows", "points", "seed"),
    [
        *((2, points, seed) for points in (4, 5) for seed in range(4)),
        (4, 8, 0),
        *(pytest.param(4, 8, seed, marks=pytest.mark.slow) for seed in (1, 2, 3)),
    ],
)
def test_no_private_table_errs_less(rows, points, seed):
    """The error bound holds for random tables with their exact delta and tolerance."""
    table = random_table(points, rows, 10, seed)
    everything, epsilon = range(points), Fraction(1, 20)
    delta = table.divergence(Fraction(exp(0.05)).limit_denominator(10**6) - Fraction(1, 10**5))
    bound = error_bound(rows, points - rows + 1, table.tolerance(everything), epsilon, delta)
    assert 0.2 < float(bound) <= float(table.error(spaced_sample(everything, rows)))


def test_families_by_definition():
    """The family of a moved example has the labels of the points through which it moves."""
    table = random_table(5, 2, 40, 1)
    family = table.family(range(5), 2)
    assert family.positions == (1, 2, 3, 4)
    ones = [[table.one((0, x), y) for y in family.positions] for x in family.positions]
    after = min(ones[i][j] for i, j in product(range(4), repeat=2) if j > i)
    assert family.gap == after - max(ones[i][j] for i, j in product(range(4), repeat=2) if j < i)
    assert family.divergence(ONE) <= table.divergence(ONE)


def test_refusals():
    """Odd samples, incomplete tables and small sets are refused."""
    table = random_table(4, 2, 5, 0)
    with pytest.raises(InvalidInput, match="even"):
        ThresholdTable(4, 3, table.hypotheses, table.weights)
    with pytest.raises(InvalidInput, match="needs 10 samples"):
        ThresholdTable(5, 2, table.hypotheses, table.weights)
    with pytest.raises(InvalidInput, match="at least 4 points"):
        spaced_sample(range(3), 2)
    with pytest.raises(InvalidInput, match="at least 3 points"):
        table.levels((0, 1))
