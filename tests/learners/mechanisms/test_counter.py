from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.accounting import PureDP, Scope, basic
from learners.audit.audit_registry import AUDITABLE
from learners.coins import Coins, SeededCoins
from learners.mechanisms.counter import DyadicIntervals, TreeCounter


class Silent(SeededCoins):
    """Coins whose noise is zero, and which count how often it is drawn."""

    drawn = 0

    def _laplace(self, numerator, denominator):
        self.drawn += 1
        return 0


@given(st.lists(st.integers(0, 1), min_size=1, max_size=70))
def test_without_noise_the_counts_are_right(bits):
    coins: Coins = Silent(0)
    counter = TreeCounter(1, len(bits))
    assert list(counter.answers(bits, coins)) == list(itertools.accumulate(bits))
    assert coins.drawn == len(bits)


@pytest.mark.parametrize("horizon", [1, 2, 7, 8])
def test_dyadic_intervals_are_told_by_their_definition(horizon):
    """How few there are is recomputed by `learners.general_checks.dyadic_intervals`."""
    intervals = DyadicIntervals(horizon)
    members = {
        (last - length + 1, last)
        for length in (1, 2, 4, 8)
        for last in range(length, horizon + 1, length)
    }
    assert sorted(intervals) == sorted(members)
    assert intervals.depth == horizon.bit_length()
    for time in range(1, horizon + 1):
        around = {(a, b) for a, b in members if a <= time <= b}
        assert set(intervals.containing(time)) == around
        for last in range(time, horizon + 1):
            pieces = intervals.decompose(time, last)
            assert set(pieces) <= members
            assert [t for a, b in pieces for t in range(a, b + 1)] == [*range(time, last + 1)]
            assert len(pieces) <= max(1, 2 * intervals.depth - 2)


def test_running_on_all_intervals_costs_the_depth():
    assert basic(
        DyadicIntervals(10).privacy(PureDP(Fraction(1, 8), scope=Scope.adaptive("replace_one")))
    ) == (Fraction(1, 2), 0)


@pytest.mark.parametrize("failure", [Fraction(1, 2), Fraction(1, 10**9)])
@pytest.mark.parametrize(("epsilon", "horizon"), [(2, 1), (2, 100), (Fraction(1, 7), 10**5)])
def test_deviations_are_the_least_that_the_moments_give(epsilon, horizon, failure):
    """The bound 2 T exp(-s m) (1 - (s b)^2)^-l of the proof, over a fine grid of s b."""
    counter = TreeCounter(epsilon, horizon)
    levels = math.floor(math.log2(horizon)) + 1
    b = levels / epsilon
    assert basic(counter.privacy) == (epsilon, 0)

    def least(odds):
        x = np.arange(1, 5000) / 5000
        return min((math.log(odds) - levels * np.log(1 - x * x)) * float(b) / x)

    for found, odds in (
        (counter.error(failure), 2 * horizon / failure),
        (counter.early(failure), horizon / failure),
        (counter.late(failure), 1 / failure),
    ):
        assert math.floor(least(odds)) <= found <= 1.0001 * least(odds)


def test_clipped_sums_are_those_of_the_run():
    """Told from the counts alone; the run itself knows each noisy sum."""
    counter, bits = TreeCounter(2, 9), [1, 1, 0, 1, 1, 1, 0, 0, 1]
    watched = AUDITABLE["tree_counter"].instance().release(counter)
    for seed in range(5):
        coins, sums = SeededCoins(seed), []
        run = counter.start(coins)
        for time, bit in enumerate(bits, 1):
            _, run = run.ask(bit, coins)
            sums.append(min(max(run.noisy[-1], 0), time & -time))
        assert watched(bits, SeededCoins(seed)) == tuple(sums)
