"""Exponents that are fitted to measured values, with confidence intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt
from statistics import linear_regression

from lsclasses.errors import InvalidInput

CONFIDENCE = 0.95
"""Confidence level of the intervals for fitted exponents."""


@dataclass(frozen=True)
class Fit:
    """A power u^e that is fitted to measured values.

    Parameters
    ----------
    exponent : float
        Exponent e of the power.
    low, high : float
        Ends of the confidence interval for e.
    """

    exponent: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.exponent:.2f} ({self.low:.2f} to {self.high:.2f})"


def fit(measured: Sequence[tuple[float, Sequence[float]]]) -> Fit:
    """Return the exponent of the power of u that fits measured values best.

    The exponent is the slope of the least-squares line through the points (log u, log value), with
    one point for each measured value. The interval uses the t distribution. It assumes that the
    logarithms of the values have independent normal errors of equal variance around a line. If the
    true growth is not a power, the interval covers only the average slope.

    Parameters
    ----------
    measured : sequence of (u, values)
        Positive parameters, each with the positive values of independent runs.

    Raises
    ------
    InvalidInput
        If there are fewer than three values, or fewer than two parameters.

    Examples
    --------
    >>> print(fit([(1, [10, 11]), (2, [41, 40]), (4, [160, 158])]))
    1.96 (1.89 to 2.03)
    """
    from scipy.stats import t

    points = [(log(u), log(value)) for u, values in measured for value in values]
    if len(points) < 3 or len(measured) < 2:
        raise InvalidInput(
            "A fit needs at least three values and two parameters. "
            f"Got {len(points)} values and {len(measured)} parameters."
        )
    x, y = zip(*points, strict=True)
    slope, intercept = linear_regression(x, y)
    errors = sum((intercept + slope * a - b) ** 2 for a, b in points)
    mean = sum(x) / len(x)
    spread = sum((a - mean) ** 2 for a in x)
    freedom = len(points) - 2
    half = float(t.ppf((1 + CONFIDENCE) / 2, freedom)) * sqrt(errors / freedom / spread)
    return Fit(slope, slope - half, slope + half)
