"""Logistic regression with Gaussian noise: its noise, its zCDP constants and its choice."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from learners.accounting import ZCDP, UnderReplaceOne, total
from learners.coins import SeededCoins
from learners.mechanisms.near_gaussian_noise import NearGaussianNoise
from learners.rules.logistic_accuracy import ExcessLogLoss, _noise_bounds
from learners.rules.logistic_gaussian import GaussianPerturbation, least_noise
from learners.rules.logistic_objective import CURVATURE, VALUES
from learners.rules.logistic_regression import ObjectivePerturbation
from lsclasses.errors import InvalidInput

DELTA = Fraction(1, 10**6)

# ---- noise


@pytest.mark.parametrize("rounding", [Fraction(1, 2), Fraction(1)])
def test_the_drawn_integers_are_a_mixture_with_ideal_integers(rounding):
    """Integrate the distribution of ideal integers, and compare it with the discrete Gaussian."""
    noise, r = NearGaussianNoise(9, 1, rounding), float(rounding)
    k = np.arange(-80, 81)
    x = np.linspace(-30, 30, 60_001)
    density = np.exp(-(x**2) / 18) / math.sqrt(18 * math.pi)
    kernel = np.exp(-((k[:, None] - x) ** 2) / (2 * r))
    kernel[abs(k[:, None] - x) > noise.error] = 0
    ideal = (kernel / kernel.sum(axis=0) * density).sum(axis=1) * (x[1] - x[0])
    s = 9 + r
    drawn = np.exp(-(k**2) / (2 * s))
    drawn /= drawn.sum()
    likely = drawn > 1e-9
    assert (drawn[likely] >= (1 - float(noise.failure)) * ideal[likely] * (1 - 1e-6)).all()
    assert abs(ideal.sum() - 1) < 1e-6 and noise.failure < Fraction(1, 100)


def test_wrong_noise_is_refused():
    with pytest.raises(InvalidInput, match="at least 1/2"):
        NearGaussianNoise(1, 1, Fraction(1, 3))
    assert NearGaussianNoise(1, 2000).failure < Fraction(1, 10**35)


# ---- zCDP of the exact minimum, for one feature


def gradient_and_slope(labels, l2: float, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the gradient of the objective without noise, and its derivative, for x = 1."""
    values, nodes = VALUES / 65536, np.arange(-1024, 1025) / 64
    shares = np.interp(w, nodes, values)
    place = np.clip(np.floor(np.clip(w, -16, 15.99) * 64).astype(int) + 1024, 0, 2047)
    slopes = np.diff(values)[place] * 64 * (abs(w) < 16)
    return (
        l2 * w + sum((shares - y for y in labels), 0 * w),
        l2 + len(labels) * slopes,
    )


def largest_ratio(first, second, l2: float, deviation: float) -> tuple[float, float]:
    """Return the largest D_alpha/alpha of the minima of two tables, and the total probability."""
    # The minimum is near -b/l2.
    end = (9 * deviation + 3) / l2
    w = np.linspace(-end, end, 60_001)
    logs, mass = [], 0.0
    for labels in (first, second):
        g, slope = gradient_and_slope(labels, l2, w)
        constant = math.log(deviation * math.sqrt(2 * math.pi))
        logs.append(-(g**2) / (2 * deviation**2) - constant + np.log(slope))
        mass = float(np.exp(logs[-1]).sum() * (w[1] - w[0]))
    p, q = logs
    ratios = []
    for alpha in (1.01, 1.1, 1.5, 2, 4, 8, 16, 32):
        exponents = alpha * p + (1 - alpha) * q
        peak = exponents.max()
        total_log = peak + math.log(np.exp(exponents - peak).sum() * (w[1] - w[0]))
        ratios.append(total_log / (alpha - 1) / alpha)
    return max(ratios), mass


@pytest.mark.parametrize("l2", [Fraction(1), Fraction(4)])
@pytest.mark.parametrize("deviation", [1.5, 4.0])
def test_the_exact_minimum_has_the_claimed_zcdp(l2, deviation):
    bound = 1 / (2 * deviation**2) + 5 / 4 * float(CURVATURE / l2) ** 2
    found = []
    for row in (0, 1):
        for first, second in (((), (row,)), ((row,), ()), ((1, 0), (1, 0, row))):
            ratio, mass = largest_ratio(first, second, float(l2), deviation)
            assert abs(mass - 1) < 1e-3
            found.append(ratio)
    assert max(found) <= bound
    assert largest_ratio((0,), (1,), float(l2), deviation)[0] <= 4 * bound
    if l2 == 1:
        # Far weights have the residuals 0 and 1, so the part of the noise is nearly attained.
        assert max(found) > 0.95 / (2 * deviation**2)


def test_half_of_the_deviation_exceeds_the_claim():
    deviation = 1.5
    bound = 1 / (2 * deviation**2) + 5 / 4 * float(CURVATURE) ** 2
    assert largest_ratio((1, 0), (1, 0, 1), 1.0, deviation)[0] <= bound
    assert largest_ratio((1, 0), (1, 0, 1), 1.0, deviation / 2)[0] > bound


# ---- parameters


@pytest.mark.parametrize(("neighbours", "steps"), [("replace_one", 4), ("add_remove", 1)])
@pytest.mark.parametrize("classes", [2, 3])
def test_the_parts_of_rho_add_up(neighbours, steps, classes):
    weights = (Fraction(2),) * classes
    mechanism = GaussianPerturbation(1, (1, 1, 4), neighbours, class_weights=weights, delta=DELTA)
    problems, q = mechanism.problems, CURVATURE * 2 * 3 / mechanism.l2
    theorem = steps * (problems * 4 * 3 / mechanism.variance / 2 + Fraction(5, 4) * problems * q**2)
    assert theorem + mechanism.rounding_epsilon**2 / 2 == mechanism.rho
    assert mechanism.noise.variance >= mechanism.variance * 4**26
    assert mechanism.rounding_scale >= 2 * mechanism.distance / mechanism.rounding_epsilon
    spent = total(mechanism.privacy, DELTA)
    assert Fraction(99, 100) < spent.epsilon <= 1
    assert mechanism.privacy.scope.neighbours == neighbours


def test_a_replaced_row_costs_two_steps():
    added, replaced = (
        GaussianPerturbation(2, (1, 1), neighbours, Fraction(64), delta=DELTA)
        for neighbours in ("add_remove", "replace_one")
    )
    assert UnderReplaceOne(ZCDP(1, scope=added.privacy.scope)).profile().rho == 4
    assert replaced.curvature_rho == 4 * added.curvature_rho
    assert replaced.variance * replaced.gradient_rho == 4 * added.variance * added.gradient_rho


def test_a_small_l2_is_refused_and_a_large_l2_leaves_more_for_the_noise():
    with pytest.raises(InvalidInput, match="too small for epsilon"):
        GaussianPerturbation(1, (1, 1), l2=Fraction(1, 4))
    small, large = (GaussianPerturbation(1, (1, 1), l2=Fraction(l2)) for l2 in (16, 1024))
    assert large.variance < small.variance


@pytest.mark.parametrize("make", [ObjectivePerturbation, GaussianPerturbation])
def test_the_mean_square_of_the_noise_decides(make):
    mechanism, coins = make(1, (1, 1, 3, 6)), SeededCoins(8)
    drawn = np.array([mechanism.noise.draw(coins) for _ in range(4000)]) / 2**26
    squares = (drawn**2).mean(axis=0)
    found = squares[:2].sum() + squares[2:5].mean() + squares[5:].mean()
    assert np.isclose(found, mechanism.noise_square, rtol=0.06)
    pair = ObjectivePerturbation(1, (1, 1, 3, 6)), GaussianPerturbation(1, (1, 1, 3, 6))
    least = min(each.noise_square for each in pair)
    assert least_noise(*pair).noise_square == least


def test_the_released_weights_are_near_the_minimum():
    mechanism, rng = GaussianPerturbation(4, (1, 1), "add_remove"), np.random.default_rng(3)
    table = np.column_stack([np.full(4000, 256), rng.integers(-256, 257, 4000)])
    labels = (rng.random(4000) < 1 / (1 + np.exp(-table[:, 1] / 64))).astype(int)
    exact = mechanism.rounded(mechanism.minimum(table, labels, [0, 0]))
    found = mechanism.fit(table, labels, SeededCoins(4))
    assert np.allclose(np.array(found) / 2**32, np.array(exact) / 2**32, atol=0.2)


# ---- accuracy


def test_normal_noise_rarely_exceeds_the_bounds_of_its_size():
    mechanism, rng = GaussianPerturbation(1, (1,) * 12), np.random.default_rng(6)
    square, along = _noise_bounds(mechanism, Fraction(1, 20))
    b = rng.normal(size=(4000, 12)) * math.sqrt(mechanism.variance)
    assert (b @ b[0] > 0).any()
    assert ((b**2).sum(axis=1) > float(square)).mean() <= 0.06
    assert (b[:, 0] > math.sqrt(along)).mean() <= 0.06
    bound = ExcessLogLoss.of(mechanism, norm=2).bound(10_000)
    assert not bound.vacuous and bound.value > 0
