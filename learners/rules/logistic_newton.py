"""Newton's method for logistic objectives in floating point, without a certificate.

The gradient is the gradient of `learners.rules.logistic_objective`, up to rounding errors. The
matrix of second derivatives costs more than the gradient, so it is computed as seldom as possible:

* A table of many rows starts from the minimum of every 16th row, with the loss of each of these
  rows counted 16 times. The minimum of these rows is computed in this way too.
* The matrix of the sample, and then of earlier weights, is reused while each step divides the
  gradient by at least `ENOUGH_GAIN`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SAMPLED = 16
"""The start of a large table is the minimum of every 16th row."""
FEW_ROWS = 1 << 14
"""Tables with at most this number of rows start from weights of 0."""
AT_ONCE = 1 << 18
"""Number of features that are converted to floats together, so that they fit into the cache."""
STEPS = 50
"""Largest number of steps for each table."""
HALVINGS = 20
"""Largest number of halvings of a step with the current matrix."""
ENOUGH_GAIN = 8.0
"""The matrix of earlier weights is used again if a step divides the gradient by this number."""


@dataclass(frozen=True)
class InterpolatedLogistic:
    """The interpolated logistic function in floating point.

    Attributes
    ----------
    low, rise : array of float
        Value at each node but the last, and the difference from the next value.
    nodes : int
        Number of the node at 0.
    per_unit : int
        Number of nodes from 0 to 1.
    """

    low: Floats
    rise: Floats
    nodes: int
    per_unit: int

    @classmethod
    def of(cls, values: Floats, per_unit: int) -> InterpolatedLogistic:
        """Return the function with given values at its nodes, which are symmetric around 0."""
        return cls(values[:-1], np.diff(values), len(values) // 2, per_unit)

    def at(self, places: Floats) -> tuple[Floats, Floats]:
        """Return values and slopes at numbers in units of the distance of two nodes."""
        shifted = np.clip(places, -self.nodes, self.nodes)
        shifted += self.nodes
        node = shifted.astype(np.intp)
        # A place that is not a number must not raise an error, because errors depend on the rows.
        np.clip(node, 0, 2 * self.nodes - 1, out=node)
        shifted -= node
        slopes = self.rise[node]
        shifted *= slopes
        shifted += self.low[node]
        slopes *= self.per_unit
        return shifted, slopes


@dataclass(frozen=True)
class FloatObjective:
    """A logistic objective in floating point.

    Attributes
    ----------
    features : array of int, shape (rows, dimension)
        Features, in multiples of 1/`unit`.
    labels : array of 0 and 1, shape (rows,)
    row_weights : float, or array of float, shape (rows,)
    l2 : float
    noise : array of float, shape (dimension,)
    logistic : InterpolatedLogistic
    unit : int
        Integer feature that represents 1.
    copies : int
        Number of times that each row counts.
    """

    features: NDArray[np.integer]
    labels: NDArray[np.integer]
    row_weights: Floats | float
    l2: float
    noise: Floats
    logistic: InterpolatedLogistic
    unit: int
    copies: int = 1

    def sample(self) -> FloatObjective:
        """Return the objective of every 16th row, in which each row counts 16 times."""
        weights = self.row_weights
        return replace(
            self,
            features=self.features[::SAMPLED],
            labels=self.labels[::SAMPLED],
            row_weights=weights if isinstance(weights, float) else weights[::SAMPLED],
            copies=SAMPLED * self.copies,
        )

    def slope(self, weights: Floats) -> Floats:
        """Return the gradient."""
        return self._sums(weights, None)

    def derivatives(self, weights: Floats) -> tuple[Floats, Floats]:
        """Return the gradient and the matrix of second derivatives."""
        curvature = np.zeros((len(weights), len(weights)))
        slope = self._sums(weights, curvature)
        curvature *= self.copies / self.unit**2
        np.fill_diagonal(curvature, curvature.diagonal() + self.l2)
        return slope, curvature

    def _sums(self, weights: Floats, curvature: Floats | None) -> Floats:
        """Return the gradient. Add the second derivatives without factors to `curvature`."""
        total = np.zeros(len(weights))
        scaled = weights * (self.logistic.per_unit / self.unit)
        step = max(1, AT_ONCE // len(weights))
        for start in range(0, len(self.labels), step):
            part = slice(start, start + step)
            rows = self.features[part].astype(np.float64)
            shares, bends = self.logistic.at(rows @ scaled)
            shares -= self.labels[part]
            row_weights = self.row_weights
            if not isinstance(row_weights, float):
                row_weights = row_weights[part]
            shares *= row_weights
            total += shares @ rows
            if curvature is not None:
                bends *= row_weights
                curvature += rows.T @ (rows * bends[:, None])
        found: Floats = total * (self.copies / self.unit) + self.l2 * weights + self.noise
        return found

    def minimum(self, enough: float = 0.0) -> Floats:
        """Return weights from Newton's method.

        The method ends when no coordinate of the gradient exceeds `enough`.
        """
        return self._minimum(enough)[0]

    def _minimum(self, enough: float) -> tuple[Floats, Floats]:
        """Return weights, and a matrix of second derivatives close to them."""
        if len(self.labels) > FEW_ROWS:
            # The gradient of all rows is about as large as its sampling error at the start.
            near = float(np.sqrt(len(self.labels)))
            weights, curvature = self.sample()._minimum(max(enough, near))
            slope = self.slope(weights)
            current = False
        else:
            weights = np.zeros(len(self.noise))
            slope, curvature = self.derivatives(weights)
            current = True
        for _ in range(STEPS):
            if float(abs(slope).max()) <= enough:
                break
            step = self._step(weights, slope, curvature, HALVINGS if current else 1)
            if step is None and current:
                break
            current, slow = False, step is None
            if step is not None:
                weights, slope_there = step
                slow = float(abs(slope_there).max()) * ENOUGH_GAIN > float(abs(slope).max())
                slope = slope_there
            if slow:
                curvature, current = self.derivatives(weights)[1], True
        return weights, curvature

    def _step(
        self, weights: Floats, slope: Floats, curvature: Floats, tries: int
    ) -> tuple[Floats, Floats] | None:
        """Return weights with a smaller gradient, and this gradient.

        None if no such weights are found.
        """
        try:
            step = np.linalg.solve(curvature, slope)
        except np.linalg.LinAlgError:
            return None
        size = 1.0
        for _ in range(tries):
            tried = weights - size * step
            slope_there = self.slope(tried)
            if float(slope_there @ slope_there) < float(slope @ slope):
                return tried, slope_there
            size /= 2
        return None
