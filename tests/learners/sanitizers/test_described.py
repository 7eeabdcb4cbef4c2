"""Sets of concepts that distributions describe: none is missing, and each exclusion is proved."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import catalog
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.sanitizers.described import described, impossible
from learners.sanitizers.point_samples import PointSample
from learners.sanitizers.realizable import realizable_error
from learners.sanitizers.sketches import RealizableFooling, sketch_size, sketches
from lsclasses import Table, TooLarge
from tests.learners.four_classes import FOUR


def table(source):
    return source if isinstance(source, Table) else catalog.build(source).to_table()


@pytest.mark.parametrize("spec", ["points:n=4", "thresholds:n=4", "intervals:n=3"])
@pytest.mark.parametrize("alpha", [Fraction(1, 3), Fraction(1, 2), Fraction(9, 10)])
def test_they_are_the_sketches_of_many_points(spec, alpha):
    C = table(spec)
    found = described(C, alpha / 2)
    exact = sketches(C, alpha, sketch_size(len(C.dual()), alpha))
    # Where shares are exactly alpha/2 a set more may be there.
    assert {*exact} <= {*found} and len(found) <= len(exact) + (alpha == Fraction(1, 2))


@pytest.mark.parametrize("name", ["random", "thresholds"])
def test_no_set_of_any_distribution_is_missing(name):
    C, rng = table(FOUR[name]), np.random.default_rng(1)
    for theta in (Fraction(1, 4), Fraction(1, 2)):
        found = {tuple(row) for row in described(C, theta).labels.tolist()}
        for _ in range(300):
            weights = rng.multinomial(12, rng.dirichlet(np.full(len(C.domain), 0.5)))
            shares = C.labels.astype(int) @ weights
            assert tuple((shares * theta.denominator >= 12 * theta.numerator).astype(int)) in found


def test_what_integers_prove_is_impossible():
    rows = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    labels = np.ones(3, dtype=int)
    # Three disjoint concepts of a share of at least 2/5 each.
    assert impossible(rows, labels, [1, 1, 1], Fraction(2, 5))
    assert not impossible(rows, labels, [1, 1, 1], Fraction(1, 3))
    assert not impossible(rows, labels, [1, 1, -1], Fraction(2, 5))
    # A negative multiple would prove that a concept that is 1 everywhere has no share.
    assert not impossible(np.array([[1]]), np.array([1]), [-1], Fraction(1, 2))
    rng = np.random.default_rng(2)
    for labels in map(np.array, product((0, 1), repeat=3)):
        for _ in range(50):
            weights = rng.integers(6, size=3).tolist()
            if impossible(rows, labels, weights, Fraction(1, 4)):
                for grid in product(range(13), repeat=2):
                    if sum(grid) <= 12:
                        shares = np.array([*grid, 12 - sum(grid)])
                        assert not np.array_equal(shares >= 3, labels.astype(bool))


def test_ten_points_are_no_longer_too_many():
    C, alpha = table("thresholds:n=10"), Fraction(1, 4)
    with pytest.raises(TooLarge):
        RealizableFooling.for_error(C, alpha, Budget(1, Fraction(1, 10**6)), sketch=400)
    game = RealizableFooling.for_error(C, alpha, Budget(1, Fraction(1, 10**6)))
    assert len(game.candidates) == 10 and game.bounds()[0].applies
    for places in ([0], [3, 3, 9], [1, 5, 5, 8]):
        rows = PointSample.at(C.domain, (places * game.rows)[: game.rows])
        assert realizable_error(game.release(rows, SeededCoins(1)), C, rows) < alpha


def test_they_are_counted_as_they_are_found(monkeypatch):
    C = table("points:n=4")
    monkeypatch.setattr("learners.sanitizers.described.MOST_DESCRIBED", 14)
    with pytest.raises(TooLarge, match="more than 14 sets of the first 4 of 4 concepts") as refused:
        described(C, Fraction(1, 7))
    assert refused.value.limit == 14
