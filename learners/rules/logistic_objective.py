r"""A regularised logistic objective with an exact gradient, and certified approximate minima.

Let x_1, ..., x_n be integer vectors, in units of 1/256, with labels y_i of 0 and 1, and with
positive rational row weights v_i. For weights w, the objective is the sum of the losses of all
rows, each times its row weight, plus (l2/2) |w|^2, plus b w for a noise vector b. Its gradient at w
is

    sum_i v_i (S(x_i w) - y_i) x_i + l2 w + b.

The function S is the *interpolated logistic function*: it equals 1/(1 + e^-z), rounded to a
multiple of 2^-16, at the multiples z of 1/64 from -16 to 16, is linear between these numbers and
constant beyond them. It differs from the logistic function by less than 2 * 10^-5. S is
nondecreasing, its values are in [0, 1], and its slope is at most `CURVATURE` = 1/4. So every loss
is convex and differentiable, with gradients that are Lipschitz. For l2 > 0, the objective has
exactly one minimum.

Rows of one kind have one row weight. All numbers of the gradient except the row weights are dyadic.
So at dyadic weights, the sum over the rows of a kind is an exact integer in a fine unit, and the
gradient is an exact fraction (`LogisticObjective.gradient`). No rounding error enters a
certificate. Row weights multiply the finished sums, so they do not enter the 64-bit arithmetic.

**Certificate.** The gradient grows at least as l2 times the distance: (g(w) - g(w*)) (w - w*) >=
l2 |w - w*|^2. So |w - w*| <= |g(w)|/l2 for the minimum w*, and if every coordinate of g(w) is at
most t in absolute value, then the sum of absolute differences is at most

    sqrt(D) |w - w*| <= sqrt(D) sqrt(D) t/l2 = D t/l2.

**Minimum.** `certified_minimum` runs Newton's method in floating point and computes the exact
gradient of the result. If a coordinate exceeds the tolerance, gradient descent in integers follows.
*It always ends.* Let M = l2 + n W CURVATURE |x|^2 be the Lipschitz constant of the gradient, for
the largest row weight W and the largest |x|. A step w - g(w)/M multiplies the distance from w* by
at most 1 - l2/M, and rounding to multiples of 2^-k adds at most sqrt(D) 2^-k. So the distance falls
below 2 sqrt(D) 2^-k M/l2, and the gradient below M times this number, which is at most the
tolerance for the k of `_fine_bits`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, inf
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learners.rules.logistic_newton import FloatObjective, InterpolatedLogistic

FEATURE_BITS = 8
"""Features are multiples of 2^-8."""
FEATURE_UNIT = 1 << FEATURE_BITS
"""Integer feature that represents 1."""

STEP_BITS = 6
"""The interpolated logistic function has a node at every multiple of 2^-6."""
VALUE_BITS = 16
"""The values at the nodes are multiples of 2^-16."""
LARGEST = 16
"""Beyond +-16, the interpolated logistic function is constant."""

_NODES = LARGEST << STEP_BITS
_UPPER = [round((1 << VALUE_BITS) / (1 + exp(-k / (1 << STEP_BITS)))) for k in range(_NODES + 1)]
VALUES = np.array(
    [(1 << VALUE_BITS) - value for value in _UPPER[:0:-1]] + _UPPER,
    dtype=np.int64,
)
"""Values of the interpolated logistic function at its nodes, in units of 2^-16."""

CURVATURE = Fraction(int(np.diff(VALUES).max()) << STEP_BITS, 1 << VALUE_BITS)
"""Largest slope of the interpolated logistic function."""

_RISES = np.diff(VALUES)

WEIGHT_BITS = 42
"""Newton's method returns multiples of 2^-42."""
CHUNK = 1 << 13
"""Number of rows whose products are added up together."""
DIGIT_BITS = 21
"""Exact products of integers use digits in base 2^21."""
_BASE = 1 << DIGIT_BITS


class Weights(NamedTuple):
    """Weights in multiples of 2^-bits."""

    values: tuple[int, ...]
    bits: int


def _nearest_float(number: Fraction) -> float:
    try:
        return float(number)
    except OverflowError:
        return inf if number > 0 else -inf


@dataclass(frozen=True)
class LogisticObjective:
    """The objective of a table for fixed noise.

    Parameters
    ----------
    features : array of int, shape (rows, dimension)
        Features in units of 1/256, at most 256 in absolute value.
    labels : array of 0 and 1, shape (rows,)
    l2 : Fraction
        Regularisation. A positive dyadic number.
    noise : sequence of int
        Coordinates of the noise, in multiples of 2^-noise_bits.
    noise_bits : int
    kinds : array of int, shape (rows,), optional
        Kind of each row, which determines its row weight. The default is the label.
    kind_weights : tuple of Fraction
        Row weight of each kind, positive. If all are equal, kinds do not matter.

    Examples
    --------
    >>> table = np.array([[256, 256], [256, -256], [256, 256]])
    >>> objective = LogisticObjective(table, np.array([1, 0, 1]), Fraction(1), [0, 0], 0)
    >>> found = objective.certified_minimum(Fraction(1, 1 << 16))
    >>> [round(value / 2**found.bits, 4) for value in found.values]
    [0.1839, 0.8587]
    >>> max(abs(each) for each in objective.gradient(found)) < Fraction(1, 1 << 16)
    True
    """

    features: NDArray[np.integer]
    labels: NDArray[np.integer]
    l2: Fraction
    noise: Sequence[int]
    noise_bits: int
    kinds: NDArray[np.integer] | None = None
    kind_weights: tuple[Fraction, ...] = (Fraction(1),)

    def gradient(self, weights: Weights) -> list[Fraction]:
        """Return the exact gradient."""
        values, bits = weights
        unit = 1 << (VALUE_BITS + bits + FEATURE_BITS - STEP_BITS + FEATURE_BITS)
        found = [
            self.l2 * Fraction(value, 1 << bits) + Fraction(noise, 1 << self.noise_bits)
            for value, noise in zip(values, self.noise, strict=True)
        ]
        for features, labels, row_weight in self._groups():
            total = self._total(features, labels, weights)
            found = [
                each + row_weight * Fraction(residual, unit)
                for each, residual in zip(found, total, strict=True)
            ]
        return found

    def _groups(self) -> Iterator[tuple[NDArray[Any], NDArray[Any], Fraction]]:
        """Yield the rows of each row weight, with their labels."""
        first, *others = self.kind_weights
        if all(each == first for each in others):
            yield self.features, self.labels, first
            return
        kinds = self.labels if self.kinds is None else self.kinds
        for kind, row_weight in enumerate(self.kind_weights):
            chosen = kinds == kind
            yield self.features[chosen], self.labels[chosen], row_weight

    def _total(self, features: NDArray[Any], labels: NDArray[Any], weights: Weights) -> list[int]:
        """Return the sums of residual times feature over rows, exactly."""
        values, bits = weights
        # Sums of 64 bits are exact while |x w| < 2^62 and values and nodes fit into 61 bits.
        fits = FEATURE_UNIT * sum(map(abs, values)) < 1 << 62 and bits <= WEIGHT_BITS
        kind = np.float64 if fits else object
        total = [0] * len(values)
        for start in range(0, len(labels), CHUNK):
            rows = features[start : start + CHUNK].astype(kind)
            truth = labels[start : start + CHUNK].astype(np.int64)
            if fits:
                scores = _digits(np.array(values)).T
                first, second, third = (rows @ scores).T.astype(np.int64)
                scores = first + (second << DIGIT_BITS) + (third << 2 * DIGIT_BITS)
                digits = _digits(_residuals(scores, truth, bits)) @ rows
                parts = [
                    sum(int(each) << k * DIGIT_BITS for k, each in enumerate(column))
                    for column in digits.T.tolist()
                ]
            else:
                scores = rows @ np.array(values, dtype=object)
                parts = _residuals(scores, truth.astype(object), bits) @ rows
            total = [a + int(b) for a, b in zip(total, parts, strict=True)]
        return total

    def certified_minimum(self, tolerance: Fraction) -> Weights:
        """Return weights at which every coordinate of the gradient is at most the tolerance."""
        # Far below the tolerance, the rounded weights do not depend on the steps of the method. The
        # second part is about the rounding error of a sum over the rows.
        rounding = len(self.labels) * _nearest_float(max(self.kind_weights)) * 2.0**-50
        found = self.newton(float(tolerance) * 2.0**-14 + rounding)
        if self.certifies(found, tolerance):
            return found
        return self.descent(tolerance)

    def certifies(self, weights: Weights, tolerance: Fraction) -> bool:
        """Return whether every coordinate of the exact gradient is at most the tolerance."""
        return max(map(abs, self.gradient(weights))) <= tolerance

    def newton(self, enough: float = 0.0) -> Weights:
        """Return weights from Newton's method in floating point, without a certificate.

        The method ends when no coordinate of the computed gradient exceeds `enough`.
        """
        with np.errstate(all="ignore"):
            weights = self._floats.minimum(enough)
        # An exception would reveal something about the rows. Zeros fail the certificate, and the
        # descent follows.
        if not np.isfinite(weights).all():
            weights = np.zeros(len(self.noise))
        rounded = np.rint(weights * 2.0**WEIGHT_BITS).tolist()
        return Weights(tuple(map(int, rounded)), WEIGHT_BITS)

    @property
    def _floats(self) -> FloatObjective:
        return FloatObjective(
            self.features,
            self.labels,
            self._row_weights,
            float(self.l2),
            np.array([_nearest_float(Fraction(z, 1 << self.noise_bits)) for z in self.noise]),
            InterpolatedLogistic.of(VALUES / (1 << VALUE_BITS), 1 << STEP_BITS),
            FEATURE_UNIT,
        )

    @property
    def _row_weights(self) -> NDArray[np.float64] | float:
        sizes = [_nearest_float(each) for each in self.kind_weights]
        if len(set(self.kind_weights)) == 1:
            return sizes[0]
        found: NDArray[np.float64] = np.array(sizes)[
            np.asarray(self.labels if self.kinds is None else self.kinds, dtype=np.intp)
        ]
        return found

    def descent(self, tolerance: Fraction) -> Weights:
        """Return the result of gradient descent in integers, which always ends."""
        dimension = len(self.noise)
        # A row has at most `dimension` features of size 1.
        steepness = self.l2 + len(self.labels) * max(self.kind_weights) * CURVATURE * dimension
        bits = _fine_bits(dimension, steepness, self.l2, tolerance)
        weights = Weights((0,) * dimension, bits)
        while True:
            slope = self.gradient(weights)
            if max(map(abs, slope)) <= tolerance:
                return weights
            moved = (
                round(value - each / steepness * (1 << bits))
                for value, each in zip(weights.values, slope, strict=True)
            )
            weights = Weights(tuple(moved), bits)


def _fine_bits(dimension: int, steepness: Fraction, l2: Fraction, tolerance: Fraction) -> int:
    """Return k such that 2 D M^2/l2 2^-k is at most the tolerance."""
    return int(2 * dimension * steepness**2 / (l2 * tolerance) + 1).bit_length()


def _residuals(scores: NDArray[Any], labels: NDArray[Any], bits: int) -> NDArray[Any]:
    """Return S(score) - label for exact scores, in units of 2^-(VALUE_BITS + shift)."""
    shift = bits + FEATURE_BITS - STEP_BITS  # scores have bits + 8, nodes have 6
    end = _NODES << shift
    scores = np.clip(scores, -end, end)
    node = np.minimum((scores >> shift) + _NODES, 2 * _NODES - 1).astype(np.int64)
    rest = scores - ((node - _NODES).astype(scores.dtype) << shift)
    low, rise = (table[node].astype(scores.dtype) for table in (VALUES, _RISES))
    found: NDArray[Any] = (low << shift) + rise * rest - (labels << (VALUE_BITS + shift))
    return found


def _digits(numbers: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return three digits of integers in base 2^DIGIT_BITS, the last with a sign, shape (3, ...).

    Sums of such digits times features are integers below 2^53, so floats represent them exactly.
    """
    rest, last = numbers >> DIGIT_BITS, numbers >> 2 * DIGIT_BITS
    digits = numbers & (_BASE - 1), rest & (_BASE - 1), last
    return np.array(digits, dtype=np.float64)
