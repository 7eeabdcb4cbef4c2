"""The distribution of a whole release of logistic regression with two features.

The noise of the gradient has two coordinates, so a release has too many outcomes for the audits by
enumeration. With at most one row, the minimum depends on one number of the noise. So the
distribution of the rounded minimum is a sum over all values of the noise, and the noise of the
released weights has independent coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from learners.exact import exact_distribution
from learners.mechanisms.k_norm_noise import KNormNoise
from learners.rules.logistic_objective import VALUES
from learners.rules.logistic_regression import ObjectivePerturbation

TAIL = 1e-12
"""Probability of the omitted values of the noise."""


def parts_of_noise(scale: int, tail: float = TAIL):
    """Yield each radius with its probability, and the lengths of the inner coordinate."""
    q, radius, left = np.exp(-1 / scale), 0, 1.0
    while left > tail:
        chance = (radius + 1) * (1 - q) ** 2 * q**radius
        bits = radius.bit_length()
        lengths = radius * np.arange(1 << bits) >> bits
        yield radius, chance, np.bincount(lengths) / (1 << bits)
        radius, left = radius + 1, left - chance


def test_the_formula_of_the_noise_is_the_distribution_of_the_draws():
    noise = KNormNoise(1, (1, 1))
    found = exact_distribution(lambda coins: tuple(noise.draw(coins)), tail=Fraction(1, 1 << 16))
    expected: dict[tuple[int, int], float] = {}
    for radius, chance, inner in parts_of_noise(1, 1e-4):
        for length, share in enumerate(inner):
            for a in (radius, -radius):
                for b in (length, -length):
                    for drawn in ((a, b), (b, a)):
                        expected[drawn] = expected.get(drawn, 0.0) + chance * share / 8
    drawn = {outcome: float(found[outcome]) for outcome in expected}
    assert sum(drawn.values()) > 0.999
    assert all(abs(drawn[each] - expected[each]) < 1e-4 for each in expected)


Row = tuple[int, int]
"""The feature after the intercept, 1 or -1, and the label. None is the table without rows."""


@dataclass(frozen=True)
class Release:
    """The distribution of the released weights for tables of at most one row."""

    mechanism: ObjectivePerturbation
    scale: int
    tail: float = TAIL

    def minima(self, row: Row | None, first, second) -> tuple[np.ndarray, np.ndarray]:
        """Return the rounded minima for integer noise, in units of 2^-weight_bits."""
        unit, l2 = 1 << self.mechanism.noise_bits, float(self.mechanism.l2)
        x, label = row or (1, 0)
        residuals = 0.0
        if row is not None:
            # The residual of the row depends on one number of the noise only.
            known, place = np.unique(first + x * second, return_inverse=True)
            residuals = (share(known / unit, l2, label) - label)[place]
        scaled = (1 << self.mechanism.weight_bits) / l2
        return tuple(
            np.rint(-(b / unit + residuals * each) * scaled).astype(np.int64)
            for b, each in ((first, 1), (second, x))
        )

    def of(self, row: Row | None, size: int) -> np.ndarray:
        """Return the probabilities of released weights from -size to size."""
        drawn, weights = [], []
        for radius, chance, inner in parts_of_noise(self.scale, self.tail):
            long, short = np.full(len(inner), radius), np.arange(len(inner))
            for a, b in product((long, -long), (short, -short)):
                drawn += [(a, b), (b, a)]
            weights.append(np.tile(inner * chance / 8, 8))
        first, second = self.minima(row, *map(np.concatenate, zip(*drawn, strict=True)))
        places = (first + size) * (2 * size + 1) + second + size
        masses = np.bincount(places, np.concatenate(weights), (2 * size + 1) ** 2)
        p = np.exp(-1 / self.mechanism.rounding_scale)
        steps = np.arange(2 * size + 1)
        spread = (1 - p) / (1 + p) * p ** abs(steps[:, None] - steps)
        found: np.ndarray = spread @ masses.reshape(2 * size + 1, -1) @ spread
        return found


def share(noise: np.ndarray, l2: float, label: int) -> np.ndarray:
    """Return S(z) for the score z of the minimum: l2 z + 2 (S(z) - label) + noise = 0."""
    nodes = np.arange(-1024, 1025) / 64
    low, high = np.full(len(noise), -1e3), np.full(len(noise), 1e3)
    for _ in range(70):
        z = (low + high) / 2
        above = l2 * z + 2 * (np.interp(z, nodes, VALUES / 65536) - label) + noise > 0
        low, high = np.where(above, low, z), np.where(above, z, high)
    return np.interp(low, nodes, VALUES / 65536)


FINE = ObjectivePerturbation(
    8,
    (1, 1),
    "add_remove",
    Fraction(1),
    noise_bits=7,
    weight_bits=5,
    tolerance=Fraction(1, 1 << 12),
    rounding_share=Fraction(1, 4),
)
ROWS = [None, *product((1, -1), (0, 1))]


@pytest.mark.parametrize("row", ROWS)
def test_the_formula_of_the_minimum_equals_the_production_code(row):
    rng = np.random.default_rng(1)
    noise = rng.integers(-600, 601, (30, 2))
    table = np.zeros((0, 2), int) if row is None else np.array([[256, 256 * row[0]]])
    labels = np.array([] if row is None else [row[1]], dtype=int)
    found = np.column_stack(Release(FINE, 1).minima(row, *noise.T))
    for pair, expected in zip(noise.tolist(), found.tolist(), strict=True):
        assert list(FINE.rounded(FINE.minimum(table, labels, pair))) == expected


def largest_loss(scale: int) -> float:
    """Return the largest log-ratio of probabilities above 10^-7, for an added row.

    For ratios up to e^9, the smaller probability is above 10^-11, far above the omitted values.
    """
    release = Release(FINE, scale)
    radius = max(each for each, _, _ in parts_of_noise(scale))
    size = (radius >> 2) + 160  # 2^-7 for noise, 2^-5 for weights, and the row and the last noise
    none, one = (release.of(row, size) for row in (None, (1, 0)))
    assert abs(none.sum() - 1) < 1e-9 and abs(one.sum() - 1) < 1e-9
    likely = np.maximum(none, one) > 1e-7
    return float(np.abs(np.log(none[likely] / one[likely])).max())


def test_a_release_of_two_weights_keeps_its_claim_and_half_of_the_noise_exceeds_it():
    scale = int(FINE.noise.scale)
    assert 0.6 * FINE.epsilon < largest_loss(scale) <= FINE.epsilon
    assert largest_loss(scale // 2) > FINE.epsilon
