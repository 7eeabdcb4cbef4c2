"""Realizable sanitizers by a game and by cutting: against definitions, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import e, log

import numpy as np
import pytest

from learners.accounting import basic
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.sanitizers.base import ExactSanitizer
from learners.sanitizers.discriminators import RealizableDiscriminator
from learners.sanitizers.mwem import MWEMSanitizer
from learners.sanitizers.point_samples import PointSample
from learners.sanitizers.realizable import realizable_error
from learners.sanitizers.sketches import (
    ConceptSet,
    CutSanitizer,
    RealizableFooling,
    _greedy,
    sketch_by_vc,
    sketch_size,
    sketches,
)
from lsclasses import Table, TooLarge
from tests.learners.sanitizers.small_classes import table

DELTA = Fraction(1, 10**6)


@pytest.mark.parametrize("spec", ["points:n=3", "thresholds:n=4", "intervals:n=3"])
@pytest.mark.parametrize("alpha", [Fraction(1, 2), Fraction(9, 10)])
def test_sketches_are_the_sets_that_so_many_points_describe(spec, alpha):
    C = table(spec)
    for m in (1, 2, 3, 5):
        sets = {
            tuple(int(sum(h(x) for x in points) >= m * alpha / 2) for h in C)
            for points in combinations_with_replacement(C.domain, m)
        }
        found = sketches(C, alpha, m)
        assert {tuple(each.labels) for each in found} == sets
        assert len(found) == len(sets)


def test_sizes_of_sketches_are_the_formulas():
    assert sketch_size(10, Fraction(1, 10)) == 451
    # For large v the inequality holds for m = 1, too, from where it is not increasing.
    for v, alpha in ((1, 0.5), (3, 0.1), (5000, 0.5)):
        m = sketch_by_vc(v, Fraction(alpha).limit_denominator(100))
        right = [3040 / alpha * (v * log(2 * e * size / v) + log(16)) for size in (m - 1, m)]
        assert 3040 * v / alpha < m - 1 < right[0] and right[1] <= m


def test_a_hitting_data_set_meets_all_positive_concepts_and_is_small():
    C, coins = table("intervals:n=6"), SeededCoins(1)
    for _ in range(10):
        labels = tuple(coins.below(2) if any(h.labels) else 0 for h in C)
        found = ConceptSet(C, labels)
        assert [found.estimate(h) for h in C] == list(labels)
        data = found.hitting_dataset(6)
        assert len(data) == 6
        hit = [h for h, label in zip(C, labels, strict=True) if label]
        assert all(any(h(x) for x in data) for h in hit)
        least = len(set(data))
        # No fewer points would do.
        if hit:
            for fewer in product(C.domain, repeat=least - 1):
                assert not all(any(h(x) for x in fewer) for h in hit)
    assert set(ConceptSet(C, (0,) * len(C)).hitting_dataset(3)) == {0}


def test_hitting_sets_that_are_hard_to_find_are_chosen_greedily(monkeypatch):
    def gives_up(sets, opposites):
        raise TooLarge("no time")

    C = table("intervals:n=6")
    found = ConceptSet(C, tuple(int(any(h.labels)) for h in C))
    exact = found.hitting_dataset(6)
    monkeypatch.setattr("learners.sanitizers.sketches.smallest_hitting_set", gives_up)
    greedy = found.hitting_dataset(6)
    assert set(greedy) == set(exact) == set(range(6))


def test_the_set_is_what_the_learner_says_when_the_game_ends():
    """After T answers without a win, too: the last one is not told."""
    C = Table([[1, 0], [0, 1]])
    discriminator = RealizableDiscriminator(C, 4000, Fraction(1, 2), Fraction(40))
    sanitizer = RealizableFooling(discriminator, "soa", 19, 1)
    assert not sanitizer.bounds()[0].applies
    start = tuple(sanitizer.start.predict(h) for h in sanitizer.candidates.domain)
    for places in ([0], [1], [0, 1]):
        rows = PointSample.at(C.domain, (places * 4000)[:4000])
        assert sanitizer.release(rows, SeededCoins(1)).labels == start


def test_cut_estimates_are_a_realizable_sanitization():
    C, alpha = table("thresholds:n=6"), Fraction(1, 4)
    inner = MWEMSanitizer.for_error(C, Fraction(12, 100), Budget(2, DELTA), beta=Fraction(1, 10**9))
    sanitizer = CutSanitizer(inner, alpha, inner.alpha)
    (bound,) = sanitizer.bounds(inner.needed)
    assert (bound.value, bound.failure, bound.applies) == (alpha, inner.beta, True)
    assert not sanitizer.bounds(inner.needed - 1)[0].applies
    assert basic(sanitizer.privacy) == basic(inner.privacy)
    for places in ([5], [0, 1, 1, 1], [2, 2, 2, 2, 2, 2, 2, 4]):
        rows = PointSample.at(C.domain, (places * inner.needed)[: inner.needed])
        assert realizable_error(sanitizer.release(rows, SeededCoins(3)), C, rows) < alpha
    # Where less is promised than is cut with, nothing is.
    assert CutSanitizer(inner, alpha, Fraction(1, 10)).bounds(inner.needed) == ()
    assert CutSanitizer(ExactSanitizer(C), alpha, Fraction(1, 10)).privacy is None


def test_sketches_are_counted_before_they_are_gone_through(monkeypatch):
    C = table("points:n=5")
    m = 4
    ways = sum(1 for _ in combinations_with_replacement(C.domain, m))
    monkeypatch.setattr("learners.sanitizers.sketches.MOST_SKETCHES", ways)
    assert len(sketches(C, Fraction(1, 7), m))
    monkeypatch.setattr("learners.sanitizers.sketches.MOST_SKETCHES", ways - 1)
    with pytest.raises(TooLarge, match=f"There are {ways} ways") as refused:
        sketches(C, Fraction(1, 8), m)
    assert (refused.value.estimate, refused.value.limit) == (ways, ways - 1)


def test_a_greedy_choice_takes_the_first_point_that_is_in_most_of_the_rest():
    # 1 and 3 are in two sets; after 1 there is {0, 3} left.
    assert _greedy([0b0110, 0b1010, 0b1001], 4) == 0b0011
    assert _greedy([0b100], 3) == 0b100
    assert _greedy([0b001, 0b010, 0b110], 3) == 0b011
    assert _greedy([], 3) == 0


def test_the_game_ends_with_the_first_win(monkeypatch):
    C = table("points:n=3")
    sanitizer = RealizableFooling(
        RealizableDiscriminator(C, 9, Fraction(1, 2), Fraction(1)), "soa", 4, 5
    )
    asked = []

    def answer(self, data, labels, coins):
        asked.append(labels)
        return None if len(asked) == 3 else (C[len(asked) - 1], 1 - labels[len(asked) - 1])

    monkeypatch.setattr(RealizableDiscriminator, "answer", answer)
    found = sanitizer.release([0] * 9, SeededCoins(1))
    assert len(asked) == 3 and found.labels == asked[2]
    # What was told is learned.
    assert asked[2][:2] == (1 - asked[0][0], 1 - asked[1][1])


def test_an_equal_table_in_another_order_has_sketches_of_its_own():
    rows = np.array([[1, 1, 1], [1, 0, 0], [0, 1, 0]])
    first = Table(rows, domain="abc")
    second = Table(rows[::-1, [2, 1, 0]], domain="cba")
    assert first == second and first.points != second.points
    # What is remembered of the first is not of use: the concept "everywhere" comes last here.
    for C, x in product((first, second), "abc"):
        sanitizer = RealizableFooling.for_error(C, Fraction(1, 2), Budget(2, DELTA))
        data = PointSample(C.domain, [x] * sanitizer.rows)
        assert realizable_error(sanitizer.release(data, SeededCoins(1)), C, data) == 0


def test_cuts_lie_between_the_errors():
    C = table("points:n=3")
    # Cut at 1/2 - 1/8: a share of 3/8 is 1, and 2/8 is 0.
    sanitizer = CutSanitizer(ExactSanitizer(C), Fraction(1, 2), Fraction(1, 8))
    assert sanitizer.release([0] * 3 + [1] * 2 + [2] * 3, SeededCoins(1)).labels == (1, 0, 1)
    assert [b.value for b in sanitizer.bounds(8)] == [Fraction(1, 2)]
