"""Utility bounds against the true failure probability, computed from the law of the noise.

Each bound is held from both sides: the failure at the bound is at most what is stated, and the
least bound of which that is true is no smaller than a stated share of it. The share says how slack
the proof is; a bound that is halved, or a failure that is not divided by what it should be, fails.

Sums are over all noise up to where less than 10^-15 is left.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import exp, expm1, log, log1p

import pytest

from learners.mechanisms.challenge_at import ChallengeAT
from learners.mechanisms.fresh_noise import FreshNoiseThreshold
from learners.mechanisms.histograms import BoundedHistogram, StableHistogram
from learners.mechanisms.selection import ExponentialMechanism, PermuteAndFlip, SelectionMechanism
from learners.mechanisms.sparse_vector import CumulativeAboveThreshold
from tests.learners.privacy_checks import mass, reach

FAILURES = [Fraction(1, 4), Fraction(1, 10**6)]


def support(scale: float) -> range:
    far = int(40 * scale) + 2
    return range(-far, far + 1)


def _power_less_one(missed: float, rounds: int) -> float:
    """(1 - missed)^rounds - 1, to many digits."""
    return -1.0 if missed >= 1 else expm1(rounds * log1p(-missed))


def least(fails: Callable[[int], float], failure: Fraction, start: int) -> int:
    """The least m >= 0 with fails(m) <= failure, given that `start` is one."""
    assert fails(start) <= failure
    m = start
    while m and fails(m - 1) <= failure:
        m -= 1
    return m


def held(
    fails: Callable[[int], float],
    failure: Fraction,
    bound: int,
    share: float,
    unused: float = 0,
) -> None:
    """The bound is true, and none is that is 3 smaller than this share of what it uses.

    Little failure is spent on small numbers, where the two halves of a sum are rounded up.
    """
    assert least(fails, failure, bound) >= share * (bound - unused) - 3


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("frequency", [Fraction(1, 2), Fraction(1, 10), Fraction(1, 50)])
@pytest.mark.parametrize("delta", [Fraction(1, 10**6), Fraction(1, 10**30)])
def test_size_needed_of_a_stable_histogram(
    failure: Fraction, frequency: Fraction, delta: Fraction
) -> None:
    """Enough items, and a tenth fewer break one of the two promises that the size is made of."""
    size = StableHistogram.size_needed(1, delta, frequency=frequency, failure=failure)

    def kept(items: int) -> bool:
        mechanism = StableHistogram.for_frequencies(1, delta, frequency=frequency, size=items)
        # Every noise of at most so many different items is within 3 eta k/8 - 1.
        far = int(3 * frequency * items / 8 - 1)
        scale = float(mechanism.scale)
        noisy = items * 2 * reach(scale, far + 1) <= failure
        asked = -(-5 * frequency * items // 8)
        return noisy and mechanism.threshold == asked

    assert kept(size)
    assert not kept(size * 9 // 10)


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("different", [1, 30, 10**5])
def test_noisy_counts(failure: Fraction, different: int) -> None:
    """One of so many independent noises is beyond the bound, on either side."""
    mechanism = StableHistogram(1, Fraction(1, 10**6))
    scale = float(mechanism.scale)

    def fails(m: int) -> float:
        return -_power_less_one(2 * reach(scale, m + 1), different)

    held(fails, failure, mechanism.accuracy(different, failure), 0.95)


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("questions", [1, 30, 10**5])
def test_answers_with_fresh_noise(failure: Fraction, questions: int) -> None:
    """A number beyond the bound is wrong on one side only, where the bound counts both."""
    fresh = FreshNoiseThreshold(1, Fraction(1, 100), 3, 0)
    challenged = ChallengeAT(2, 0, 1, 0, 1, 0, horizon=20)
    for mechanism in (fresh, challenged):
        scale = float(mechanism.scale)

        def fails(m: int, scale: float = scale) -> float:
            return -_power_less_one(reach(scale, m + 1), questions)

        bound = mechanism.accuracy(questions, failure)
        held(fails, failure, bound, 0.95, unused=scale * log(2))


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("epsilon", [1, Fraction(1, 10)])
def test_a_sum_that_is_reached_late(failure: Fraction, epsilon: Fraction) -> None:
    """The noise of the threshold exceeds that of the sum; this is the least bound itself."""
    mechanism = CumulativeAboveThreshold(epsilon, 0)
    scale = float(mechanism.scale)

    def fails(m: int) -> float:
        return sum(mass(scale, z) * reach(scale, m + 1 + z) for z in support(scale))

    bound = mechanism.late(failure)
    assert fails(bound) <= failure < fails(bound - 1)


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("candidates", [2, 30, 1000])
def test_selections(failure: Fraction, candidates: int) -> None:
    """All but one candidate fall short by more than the bound; one of them is chosen."""
    others = candidates - 1

    def by_weight(rate: float, m: int) -> float:
        weight = others * exp(-rate * (m + 1))
        return weight / (1 + weight)

    def by_flips(rate: float, m: int) -> float:
        # Of k others that pass, each is chosen as often as the best: k/(k + 1) on average.
        passes = exp(-rate * (m + 1))
        return 1 + _power_less_one(passes, candidates) / (candidates * passes)

    kinds: list[tuple[type[SelectionMechanism], Callable[[float, int], float], float]] = [
        (ExponentialMechanism, by_weight, 0),
        (PermuteAndFlip, by_flips, log(2)),
    ]
    for kind, wrong, tied in kinds:
        mechanism = kind(Fraction(1, 5))
        rate = float(mechanism.rate)
        bound = mechanism.shortfall(candidates, failure)
        # A tie is broken by a coin, and the best candidate is not one of those that fall short.
        unused = (log(candidates / others) + tied) / rate
        held(lambda m, r=rate, w=wrong: w(r, m), failure, bound, 0.95, unused)


@pytest.mark.parametrize("neighbours", ["replace_one", "add_remove"])
def test_the_error_of_a_bounded_histogram_is_attained(neighbours: str) -> None:
    mechanism = BoundedHistogram(1, Fraction(1, 100), neighbours)
    counts = range(1, mechanism.error + 2)
    noise = range(-mechanism.bound, mechanism.bound + 1)
    released = {
        (count, count + z if count + z >= mechanism.threshold else 0)
        for count in counts
        for z in noise
    }
    assert max(abs(shown - count) for count, shown in released) == mechanism.error
