"""Synthetic points for all intervals: what is joined, what is seen, what it costs."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners.accounting import Sequential, basic
from learners.audit import audit
from learners.audit.audit_registry import AUDITABLE
from learners.audit.instances import neighbouring_streams
from learners.coins import SeededCoins
from learners.mechanisms.histograms import BoundedHistogram
from learners.sanitizers.evidence.instances import RandomizedPoints, released
from learners.sanitizers.interval_sanitizer import (
    HistogramReplacer,
    IntervalSanitizer,
    KeptPoints,
    SanitizerReplacer,
)
from learners.sanitizers.realizable import HistogramSanitizer
from lsclasses import FiniteDomain, Table
from lsclasses.verdicts import Verdict
from tests.strategies import lookalikes

HISTOGRAM = BoundedHistogram(4, Fraction(1, 100))


def run_on(sanitizer, points, seed=1):
    coins = SeededCoins(seed)
    run, ended = sanitizer.start(coins), []
    for x in points:
        shown, run = run.ask(x, coins)
        ended.append(shown)
    return run, ended


def kept(horizon):
    return IntervalSanitizer(horizon, (KeptPoints(),) * horizon.bit_length())


@pytest.mark.parametrize("horizon", [1, 7, 8])
def test_points_that_are_kept_are_those_of_every_interval(horizon):
    points = tuple(range(horizon))
    coins = SeededCoins(1)
    assert KeptPoints().missed == 0 and kept(horizon).seen == 1
    run = kept(horizon).start(coins)
    for time in range(1, horizon + 1):
        shown, run = run.ask(points[time - 1], coins)
        assert run.synthetic.time == time
        assert run.synthetic.ended == shown
        # Those of lengths that divide the time, each released once, when it ends.
        lengths = [1 << i for i in range(horizon.bit_length()) if time % (1 << i) == 0]
        assert shown == tuple(points[time - length : time] for length in lengths)
        for last in range(1, time + 1):
            for first in range(1, last + 1):
                assert run.synthetic.between(first, last) == points[first - 1 : last]
        for first in range(1, time + 1):
            assert run.synthetic.since(first) == Counter(points[first - 1 : time])


def test_secret_points_are_forgotten_when_no_interval_reads_them():
    run, _ = run_on(kept(6), "aaab")
    assert run.points == ()
    after, _ = run_on(kept(6), "aaabba")
    assert after.points == ("b", "a")
    # A run is a value: to go on does not change it.
    assert run.ask("a", SeededCoins(1)) == run.ask("a", SeededCoins(1))
    assert run.synthetic.time == 4


@pytest.mark.parametrize("seed", range(5))
def test_released_points_all_have_a_place(seed):
    coins = SeededCoins(seed)
    size = 1 + coins.below(60)
    points = ["abcdefgh"[coins.below(1 + coins.below(8))] for _ in range(size)]
    replacer = HistogramReplacer(BoundedHistogram(6, Fraction(1, 10)), 2)
    noisy = dict(replacer.histogram.release(points, SeededCoins(seed + 100), key=repr))
    places = replacer.replaced(points, SeededCoins(seed + 100))
    assert len(places) == size
    assert set(places) == (set(noisy) or {None})
    # In proportion to the noisy counts, up to one place.
    for x, count in noisy.items():
        assert abs(places.count(x) - Fraction(size * count, sum(noisy.values()))) <= 1


@pytest.mark.parametrize("support", [1, 2])
def test_a_histogram_misses_no_more_than_it_says(support):
    replacer = HistogramReplacer(BoundedHistogram(6, Fraction(1, 10)), support)
    letters = "abcd"[:support]
    # One more than what may be missed, spread as evenly as can be, in a crowd of other points.
    points = [letters[i % support] for i in range(replacer.missed + 1)] + ["x"] * 50
    for seed in range(40):
        assert set(letters) & set(replacer.replaced(points, SeededCoins(seed)))
    # One fewer is missed now and then.
    fewer = [letters[i % support] for i in range(replacer.missed)] + ["x"] * 50
    assert any(
        not set(letters) & set(replacer.replaced(fewer, SeededCoins(seed))) for seed in range(2000)
    )


def test_the_lengths_that_are_replaced_are_paid_for():
    replacer = HistogramReplacer(HISTOGRAM, 1)
    for paid in range(1, 5):
        sanitizer = IntervalSanitizer(15, (None,) * (4 - paid) + (replacer,) * paid)
        assert basic(sanitizer.privacy) == (4 * paid, Fraction(paid, 100))
    assert kept(3).privacy is None
    assert IntervalSanitizer(3, (None, KeptPoints())).privacy is None
    assert basic(IntervalSanitizer(3, (None, None)).privacy) == (0, 0)


@pytest.mark.parametrize("horizon", [1, 3, 5000])
def test_the_lengths_of_a_budget_are_those_that_see_most(horizon):
    epsilon, delta = Fraction(2), Fraction(1, 10**6)
    made = IntervalSanitizer.released(horizon, epsilon, delta, support=3)
    assert basic(made.privacy) == (epsilon, delta)
    depth = made.intervals.depth
    for paid in range(1, depth + 1):
        each = HistogramReplacer(BoundedHistogram(epsilon / paid, delta / paid), 3)
        other = IntervalSanitizer(horizon, (None,) * (depth - paid) + (each,) * paid)
        assert made.seen <= other.seen


def test_a_sanitizer_with_a_hitting_data_set_replaces_points():
    C = Table([[1, 0, 0], [0, 1, 1]], domain=FiniteDomain("abc"))
    sanitizer = HistogramSanitizer(C, HISTOGRAM)
    replacer = SanitizerReplacer(sanitizer, 40)
    assert replacer.missed == HISTOGRAM.error * 2
    assert replacer.failure == 0
    places = replacer.replaced("a" * 20 + "c" * 20, SeededCoins(1))
    assert len(places) == 40
    assert set(places) == {"a", "c"}
    paid = IntervalSanitizer(40, (None,) * 5 + (SanitizerReplacer(sanitizer, 32),))
    assert basic(paid.privacy) == (4, Fraction(1, 100))

    # Three points are released of an interval of two places: it is as if none were.
    class Crowded(HistogramSanitizer):
        def _release(self, sample, coins):
            from learners.sanitizers.realizable import ReleasedPoints

            return ReleasedPoints(self.domain, ("a", "b", "c"))

    crowded = SanitizerReplacer(Crowded(C, HISTOGRAM), 2)
    assert crowded.replaced("ab", SeededCoins(1)) == (None, None)


@pytest.mark.parametrize("rounds", [2, pytest.param(4, marks=pytest.mark.slow)])
def test_a_length_too_few_is_flagged(rounds):
    """On all streams."""
    lengths = rounds.bit_length()
    sanitizer = IntervalSanitizer(rounds, (RandomizedPoints(Fraction(1)),) * lengths)
    pairs = neighbouring_streams("ab", rounds)
    few = Sequential(sanitizer.privacy.events[: lengths - 1])
    assert audit(released(sanitizer), pairs, sanitizer.privacy).verdict == Verdict.HOLDS
    assert audit(released(sanitizer), pairs, few).verdict == Verdict.VIOLATED


def test_the_audit_can_be_one_of_released_points():
    built = AUDITABLE["interval_sanitizer"].instance(replacer="released", rounds=2)
    assert all(isinstance(each, HistogramReplacer) for each in built.mechanism.replacers)
    assert audit(built.run, built.pairs, built.privacy).verdict == Verdict.HOLDS


def test_replacers_fail_together_at_most():
    class Failing(KeptPoints):
        failure = Fraction(1, 100)

    sanitizer = IntervalSanitizer(10, (None, Failing(), None, Failing()))
    assert sanitizer.failure == Fraction(5 + 1, 100)
    assert replace(sanitizer, horizon=8).failure == Fraction(5, 100)


@pytest.mark.parametrize("first", [1, 1.0, True])
def test_no_released_point_tells_as_what_an_equal_one_was_given(first):
    sanitizer = IntervalSanitizer(
        16, (*[None] * 4, HistogramReplacer(HISTOGRAM, 1)), FiniteDomain((0, 1))
    )
    _, ended = run_on(sanitizer, [first] + [1] * 15)
    assert {repr(x) for x in ended[-1][-1]} == {"1"}


@settings(max_examples=10)
@given(st.lists(lookalikes, min_size=1, max_size=3), st.integers(0, 50))
def test_which_of_equal_points_was_given_does_not_show(pairs, seed):
    replacer = HistogramReplacer(HISTOGRAM, 2)
    stream = (pairs * 16)[:16]
    seen = []
    for side in (0, 1):
        points = [pair[side] for pair in stream]
        run, ended = run_on(IntervalSanitizer(16, (KeptPoints(), *(replacer,) * 4)), points, seed)
        seen.append((run.points, ended, replacer.replaced(points, SeededCoins(seed))))
    assert repr(seen[0]) == repr(seen[1])


def test_points_of_a_domain_are_released_as_they_stand_there():
    domain = FiniteDomain([1.0, frozenset("ab")])
    made = IntervalSanitizer.released(64, 8, Fraction(1, 100), support=2, domain=domain)
    run, _ = run_on(made, [True] * 32 + [frozenset("ba")] * 32)
    synthetic = run.synthetic.between(1, 64)
    assert {repr(x) for x in synthetic} - {"None"} <= set(map(repr, domain))
    assert repr(1.0) in map(repr, synthetic)
