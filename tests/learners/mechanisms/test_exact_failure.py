"""Utility bounds against the true failure probability, computed from the law of the noise.

Each bound is held from both sides: the failure at the bound is at most what is stated, and the
least bound of which that is true is no smaller than a stated share of it. The share says how slack
the proof is; a bound that is halved, or a failure that is not divided by what it should be, fails.

Sums are over all noise up to where less than 10^-15 is left.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import exp, log

import pytest

from learners.mechanisms.histograms import StableHistogram
from learners.mechanisms.noise import noise_bound
from learners.mechanisms.selection import ReportNoisyMax
from learners.mechanisms.sparse_vector import AboveThreshold, CumulativeAboveThreshold, Sparse

FAILURES = [Fraction(1, 4), Fraction(1, 100), Fraction(1, 10**6)]


def tail(scale: float, k: int) -> float:
    """P[Z >= k] for discrete Laplace noise."""
    q = exp(-1 / scale)
    return q**k / (1 + q) if k > 0 else 1 - q ** (1 - k) / (1 + q)


def support(scale: float) -> range:
    reach = int(40 * scale) + 2
    return range(-reach, reach + 1)


def chance(scale: float, z: int) -> float:
    q = exp(-1 / scale)
    return (1 - q) / (1 + q) * q ** abs(z)


def any_reported(threshold_scale: float, scale: float, distance: int, rounds: int) -> float:
    """P[one of so many numbers, this far below the threshold, is taken for reaching it]."""
    total = 0.0
    for z in support(threshold_scale):
        missed = tail(scale, distance + z)
        total += chance(threshold_scale, z) * -_power_less_one(missed, rounds)
    return total


def _power_less_one(missed: float, rounds: int) -> float:
    """(1 - missed)^rounds - 1, to many digits."""
    from math import expm1, log1p

    return -1.0 if missed >= 1 else expm1(rounds * log1p(-missed))


def least(fails: Callable[[int], float], failure: Fraction, start: int) -> int:
    """The least m >= 0 with fails(m) <= failure, given that `start` is one."""
    assert fails(start) <= failure
    m = start
    while m and fails(m - 1) <= failure:
        m -= 1
    return m


def held(fails: Callable[[int], float], failure: Fraction, bound: int, share: float) -> None:
    """The bound is true, and none is that is 3 smaller than this share of it.

    Little failure is spent on small numbers, where the two halves of a sum are rounded up.
    """
    assert least(fails, failure, bound) >= share * bound - 3


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("rounds", [1, 20, 10**4])
def test_above_threshold(failure: Fraction, rounds: int) -> None:
    mechanism = AboveThreshold(1, 0)
    bound = mechanism.accuracy(rounds, failure)
    # All numbers are too low, or one is too high.
    held(lambda m: any_reported(2, 4, m + 1, rounds), failure, bound, 0.5)
    cumulative = CumulativeAboveThreshold(1, 0)
    bound = cumulative.accuracy(rounds, failure)
    held(lambda m: any_reported(1, 1, m + 1, rounds), failure, bound, 0.55)


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("rounds", [1, 20, 10**4])
def test_early(failure: Fraction, rounds: int) -> None:
    """A sum that stays below threshold - m is hardly ever taken for reaching it."""
    mechanism = CumulativeAboveThreshold(1, 0)
    bound = mechanism.early(rounds, failure)
    held(lambda m: any_reported(1, 1, m + 1, rounds), failure, bound, 0.55)
    # A bound that is too small by a tenth of what the rounds add is refuted.
    if rounds > 1:
        added = bound - mechanism.early(1, failure)
        assert added >= 0.9 * log(rounds)


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize(("reports", "rounds"), [(1, 1), (5, 5), (5, 500), (300, 10**4)])
def test_sparse(failure: Fraction, reports: int, rounds: int) -> None:
    mechanism = Sparse(1, reports, 0)
    bound = mechanism.accuracy(rounds, failure)

    def fails(m: int) -> float:
        # Numbers that are too low all the time; or as many reports as there are, each of which
        # a number that is too high should make at once: every run has noise of its own.
        low = any_reported(2, 4, m + 1, rounds)
        high = -_power_less_one(any_reported(2, 4, m + 1, 1), reports)
        return max(low, high)

    held(fails, failure, bound, 0.5)


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("candidates", [2, 30, 1000])
def test_report_noisy_max(failure: Fraction, candidates: int) -> None:
    """All but one candidate fall short by more than the bound; one of them is chosen."""
    mechanism = ReportNoisyMax(2)
    scale = float(1 / mechanism.rate)
    bound = mechanism.shortfall(candidates, failure)

    def fails(m: int) -> float:
        total = 0.0
        for z in support(scale):
            beaten = tail(scale, z + m + 1)  # ties go to them: they come first
            total += chance(scale, z) * -_power_less_one(beaten, candidates - 1)
        return total

    held(fails, failure, bound, 0.45)
    # Twice the least bound of all noises; what the candidates add is their logarithm, twice.
    added = bound - 2 * noise_bound(1 / mechanism.rate, failure)
    assert abs(added - 2 * scale * log(candidates)) <= 2


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("frequency", [Fraction(1, 2), Fraction(1, 10), Fraction(1, 50)])
def test_size_needed_of_a_stable_histogram(failure: Fraction, frequency: Fraction) -> None:
    """Enough items, and a tenth fewer break one of the two promises that the size is made of."""
    delta = Fraction(1, 10**6)
    size = StableHistogram.size_needed(1, delta, frequency=frequency, failure=failure)

    def kept(items: int) -> bool:
        mechanism = StableHistogram.for_frequencies(1, delta, frequency=frequency, size=items)
        # Every noise of at most so many different items is within 3 eta k/8 - 1.
        reach = int(3 * frequency * items / 8 - 1)
        scale = float(mechanism.scale)
        noisy = items * 2 * tail(scale, reach + 1) <= failure
        asked = -(-5 * frequency * items // 8)
        return noisy and mechanism.threshold == asked

    assert kept(size)
    assert not kept(size * 9 // 10)
