from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.accounting import PureDP, basic
from learners.coins import Coins, SeededCoins
from learners.exact import exact_law
from learners.mechanisms.counter import AUDITS, DyadicIntervals, TreeCounter
from lsclasses.errors import InvalidInput
from tests.learners.privacy_checks import assert_private, loss, smallest_instances


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


@pytest.mark.parametrize("epsilon", [1, 2])
def test_the_first_counts_are_private(epsilon):
    counter = TreeCounter(epsilon, horizon=2)
    laws = {
        bits: exact_law(
            lambda coins, bits=bits: counter.answers(bits, coins), tail=Fraction(1, 10**8)
        )
        for bits in itertools.product((0, 1), repeat=2)
    }
    for bits, p in laws.items():
        for at in range(2):
            other = laws[(*bits[:at], 1 - bits[at], *bits[at + 1 :])]
            assert_private(p, other, epsilon)
    # The first bit is in both intervals, so that its loss is the whole of epsilon.
    assert float(loss(laws[0, 0], laws[1, 0], (0, 0))) == pytest.approx(float(epsilon))
    assert basic(counter.privacy) == (epsilon, 0)


def test_more_bits_are_private_where_the_noise_is_recovered():
    # The released counts determine the noisy sums, whose laws are independent: it is enough that
    # a bit enters at most as many of them as there are levels.
    horizon = 37
    counter = TreeCounter(1, horizon)
    for changed in range(horizon):
        zero, one = counter.start(Silent(0)), counter.start(Silent(0))
        differing = 0
        for time in range(horizon):
            _, zero = zero.ask(0, Silent(0))
            _, one = one.ask(int(time == changed), Silent(0))
            differing += zero.sums[-1] != one.sums[-1]
        assert differing <= counter.levels
    assert basic(counter.privacy) == (1, 0)


@pytest.mark.parametrize("horizon", [1, 2, 7, 1000, 10**6])
def test_errors_are_within_the_closed_forms(horizon):
    failure = Fraction(1, 20)
    counter = TreeCounter(1, horizon)
    levels, size = counter.levels, math.log(2 * horizon / failure)
    found = counter.error(failure)
    assert found <= levels * math.sqrt(2) * (size + 0.693 * levels)
    if size <= 0.69 * levels:
        assert found <= levels * math.sqrt(5.55 * levels * size)
    if horizon == 10**6:
        assert counter.error(Fraction(1, 10**6)) == pytest.approx(1192, abs=2)


def test_errors_are_as_rare_as_promised():
    counter, failure = TreeCounter(3, horizon=2), Fraction(1, 2)
    law = exact_law(lambda coins: counter.answers((1, 1), coins), tail=Fraction(1, 10**8))
    bound = counter.error(failure)
    wrong = law.probability(
        lambda counts: any(abs(a - b) > bound for a, b in zip(counts, (1, 2), strict=True))
    )
    assert wrong <= 0.5
    many, bits = TreeCounter(1, horizon=64), [1, 0] * 32
    failures = 0
    for seed in range(40):
        counts = many.answers(bits, SeededCoins(seed))
        true = itertools.accumulate(bits)
        failures += any(
            abs(a - b) > many.error(Fraction(1, 2)) for a, b in zip(counts, true, strict=True)
        )
    assert failures <= 20


def test_a_seed_gives_one_transcript():
    assert TreeCounter(1, 12).answers([1, 1, 0, 1] * 3, SeededCoins(4)) == STORED


STORED = (-1, -1, -1, -2, -5, -1, -2, 5, 7, 8, 3, 1)


@pytest.mark.parametrize("horizon", [*range(1, 34), 63, 64, 65])
def test_dyadic_intervals_keep_their_promises(horizon):
    intervals = DyadicIntervals(horizon)
    members = list(intervals)
    depth = math.floor(math.log2(horizon)) + 1
    assert intervals.depth == depth
    assert len(set(members)) == len(members) < 2 * horizon
    for first, last in members:
        length = last - first + 1
        assert length & (length - 1) == 0
        assert last % length == 0
        assert 1 <= first <= last <= horizon
    for time in range(1, horizon + 1):
        around = intervals.containing(time)
        assert set(around) == {(a, b) for a, b in members if a <= time <= b}
        assert len(around) <= depth
    for first in range(1, horizon + 1):
        for last in range(first, horizon + 1):
            pieces = intervals.decompose(first, last)
            assert set(pieces) <= set(members)
            assert pieces[0][0] == first
            assert pieces[-1][1] == last
            assert all(b + 1 == c for (_, b), (c, _) in itertools.pairwise(pieces))
            assert len(pieces) <= max(1, 2 * depth - 2)
    if horizon >= 2:
        assert max(depth, 2 * depth - 2) <= 3 * math.log(horizon)


def test_running_on_all_intervals_costs_the_depth():
    assert basic(DyadicIntervals(10).privacy(PureDP(Fraction(1, 8)))) == (Fraction(1, 2), 0)


def test_bad_input_is_refused():
    coins = SeededCoins(0)
    run = TreeCounter(1, 1).start(coins)
    with pytest.raises(InvalidInput, match="bits 0 and 1 only"):
        run.ask(2, coins)
    with pytest.raises(InvalidInput, match="bit must be an integer"):
        run.ask(0.5, coins)
    _, run = run.ask(1, coins)
    with pytest.raises(InvalidInput, match="made for 1 bits"):
        run.ask(1, coins)
    with pytest.raises(InvalidInput, match="horizon"):
        TreeCounter(1, 0)
    with pytest.raises(InvalidInput, match=r"Fraction\(1, 2\)"):
        TreeCounter(0.5, 1)
    with pytest.raises(InvalidInput, match="horizon"):
        DyadicIntervals(0)
    with pytest.raises(InvalidInput, match="Times run from 1 to 5"):
        DyadicIntervals(5).containing(6)
    with pytest.raises(InvalidInput, match="Times run from 1 to 5"):
        DyadicIntervals(5).containing(0)
    with pytest.raises(InvalidInput, match="ends after it begins"):
        DyadicIntervals(5).decompose(3, 2)


@pytest.mark.parametrize("horizon", [1, 2])
def test_counts_are_too_high_or_too_low_no_more_often_than_promised(horizon):
    counter = TreeCounter(2, horizon)
    failure = Fraction(1, 20)
    early, late = counter.early(failure), counter.late(failure)
    assert late <= early <= counter.error(failure)
    law = exact_law(lambda coins: counter.answers((1,) * horizon, coins), tail=Fraction(1, 10**8))
    high = law.probability(lambda counts: any(c > t + early for t, c in enumerate(counts, 1)))
    assert high <= float(failure)
    for time in range(horizon):
        low = law.probability(lambda counts, t=time: counts[t] < t + 1 - late)
        assert low <= float(failure)


@pytest.mark.parametrize("failure", [Fraction(1, 2), Fraction(1, 20), Fraction(1, 10**9)])
@pytest.mark.parametrize("horizon", [1, 3, 100, 10**5])
@pytest.mark.parametrize("epsilon", [Fraction(1, 7), 2])
def test_deviations_are_the_least_that_the_moments_give(epsilon, horizon, failure):
    """The bound 2 T exp(-s m) (1 - (s b)^2)^-l of the proof, over a fine grid of s b."""
    counter = TreeCounter(epsilon, horizon)
    levels = math.floor(math.log2(horizon)) + 1
    b = levels / epsilon

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
    counter, bits = (
        TreeCounter(2, 21),
        [1, 1, 0, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 0],
    )
    watched = AUDITS[0].instance().release(counter)
    for seed in range(5):
        coins, sums = SeededCoins(seed), []
        run = counter.start(coins)
        for time, bit in enumerate(bits, 1):
            _, run = run.ask(bit, coins)
            length = time & -time
            sums.append(min(max(run.noisy[-1], 0), length))
        assert watched(bits, SeededCoins(seed)) == tuple(sums)


def test_one_bit_is_the_fewest_to_audit():
    assert smallest_instances(AUDITS, rounds=1)["tree_counter"].pairs == (((0,), (1,)),)
