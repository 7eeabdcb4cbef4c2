"""The list histogram: thresholds and tails by definition, and refused lists."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from learners.accounting import ApproximateZCDP, basic
from learners.coins import SeededCoins
from learners.mechanisms.list_histogram import ListHistogram
from learners.mechanisms.noise import gaussian_tail
from lsclasses.errors import InvalidInput


def gaussian(variance: float, least: int) -> float:
    """P[Z >= least] for discrete Gaussian noise, as a sum."""
    weights = {z: math.exp(-z * z / (2 * variance)) for z in range(-400, 401)}
    return sum(w for z, w in weights.items() if z >= least) / sum(weights.values())


@pytest.mark.parametrize("variance", [Fraction(1, 2), Fraction(9), Fraction(400)])
def test_the_gaussian_tail_is_a_bound_and_nearly_exact(variance: Fraction) -> None:
    sigma = math.sqrt(variance)
    for least in range(-2, int(6 * sigma) + 3):
        bound, exact = float(gaussian_tail(variance, least)), gaussian(float(variance), least)
        assert exact <= bound * (1 + 1e-9)
    if sigma > 2:
        least = int(4 * sigma)
        assert float(gaussian_tail(variance, least)) < 1.1 * gaussian(float(variance), least)


@pytest.mark.parametrize("length", [1, 2, 7])
def test_the_threshold_is_the_least_with_a_rare_release(length: int) -> None:
    delta = Fraction(1, 10**4)
    mechanism = ListHistogram(length, 2, delta)
    q = math.exp(-1 / length)

    def release(threshold: int) -> float:
        return q ** (threshold - 1) / (1 + q)

    assert release(mechanism.threshold) <= delta / length < release(mechanism.threshold - 1)
    assert basic(mechanism.privacy) == (2, delta)


def test_gaussian_noise_has_the_parameter_of_its_rho() -> None:
    mechanism = ListHistogram(3, Fraction(1, 100), Fraction(1, 10**6), "gaussian")
    assert mechanism.scale == 300
    assert isinstance(mechanism.privacy, ApproximateZCDP)
    share = 1e-6 / 3
    assert gaussian(300, mechanism.threshold - 1) <= share < gaussian(300, mechanism.threshold - 3)


def test_counts_are_numbers_of_lists() -> None:
    mechanism = ListHistogram(2, 10**3, Fraction(1, 100))
    lists = [("a", "b")] * 5 + [("b",)] * 2 + [()]
    released = mechanism.release(lists, SeededCoins(1), key=str)
    assert released == (("b", 7), ("a", 5))
    assert mechanism.release({("a", "b"): 5, ("b",): 2}, SeededCoins(1), key=str) == released


@pytest.mark.parametrize("items", [("a", "b", "c"), ("a", "a")])
def test_lists_that_the_noise_does_not_cover_are_refused(items: tuple[str, ...]) -> None:
    with pytest.raises(InvalidInput, match="at most 2 different items"):
        ListHistogram(2, 1, Fraction(1, 100)).release([items], SeededCoins(1))


def test_unknown_noise_is_refused() -> None:
    with pytest.raises(InvalidInput, match="uniform"):
        ListHistogram(2, 1, Fraction(1, 100), "uniform")  # type: ignore[arg-type]
