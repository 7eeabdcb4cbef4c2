"""The theorem of Alon, Livni, Malliaris and Moran for thresholds, with explicit constants.

Each private learner of thresholds from m examples, on sufficiently many points, has a large
expected error on some sample. The number of points is a tower of about m powers of two. So m grows
at least as log* of the number of points. ``docs/lower-bounds.md`` contains the proof.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from learners import checked
from learners.balls import ball, ceiling, log
from learners.lower_bounds.gaps import copies, gap_bound_of_levels
from learners.lower_bounds.ramsey import Size, points_that_force
from learners.lower_bounds.threshold_tables import error_bound, error_bound_of_gap
from lsclasses.errors import InvalidInput

TOLERANCE = 10
"""Number that determines the tolerance of the homogeneous set, which is 1/(10 m)."""
MOST_LEVELS = 14_000
"""Largest number of levels of the search trees that the theorem compares."""
MOST_ROWS = 40


@dataclass(frozen=True)
class ThresholdBound:
    """A number of points on which no private learner of thresholds is accurate.

    Attributes
    ----------
    rows : int
        Even sample size m.
    epsilon, delta : Fraction
        Privacy of the learners.
    error : Fraction
        Expected error on the sample itself, which every private learner exceeds on some sample.
    tolerance : Fraction
        Tolerance of the homogeneous set.
    levels : int
        Number d of levels of the search tree, or 0 if three positions are enough.
    copies : int
        Number of independent copies in the search.
    homogeneous : int
        Number of points of the homogeneous set.
    points : int or Tower
        Number of points that forces the homogeneous set, by Ramsey's theorem.
    """

    rows: int
    epsilon: Fraction
    delta: Fraction
    error: Fraction
    tolerance: Fraction
    levels: int
    copies: int
    homogeneous: int
    points: Size


def threshold_bound(
    rows: int,
    epsilon: Fraction | int | str = Fraction(1, 10),
    delta: Fraction | int | str = 0,
    error: Fraction | int | str = Fraction(1, 8),
) -> ThresholdBound:
    """Return a number N such that private learners of thresholds on N points have a large error.

    Every private learner of the thresholds on at least N points has a large error on some sample.
    An (alpha, beta)-accurate learner has an expected error of at most alpha + beta, so an error of
    1/8 covers (1/16, 1/16)-accurate learners.

    Parameters
    ----------
    rows : int
        Even sample size m, at most 40.
    epsilon : Fraction
        Positive epsilon.
    delta : Fraction
        Delta of at least 0.
    error : Fraction
        Expected error on the sample.

    Raises
    ------
    InvalidInput
        If a parameter is out of range, or if the theorem does not cover the privacy and the error.

    Examples
    --------
    >>> found = threshold_bound(2)
    >>> found.homogeneous, str(found.points)
    (4, '2^(a number of about 5138 digits)')
    >>> found = threshold_bound(4)
    >>> found.levels, str(found.points)
    (0, '2^2^2^2^563200019')
    """
    rows = checked.positive(rows, "number of rows")
    if rows % 2 or rows > MOST_ROWS:
        raise InvalidInput(f"The number of rows must be even and at most {MOST_ROWS}. Got {rows}.")
    exact = checked.positive_fraction(epsilon, "privacy parameter epsilon")
    failure = checked.nonnegative_fraction(delta, "privacy parameter delta")
    most = checked.share(error, "error")
    tolerance = Fraction(1, TOLERANCE * rows)
    levels = _levels(rows, exact, failure, most, tolerance)
    positions = 2 ** (levels + 1) - 1 if levels else 3
    homogeneous = max(2 * rows, positions + rows - 1)
    return ThresholdBound(
        rows,
        exact,
        failure,
        most,
        tolerance,
        levels,
        copies(levels, exact, failure) if levels else 1,
        homogeneous,
        points_that_force(rows, homogeneous, tolerance),
    )


def _levels(
    rows: int, epsilon: Fraction, delta: Fraction, error: Fraction, tolerance: Fraction
) -> int:
    """Return the least number of levels for which the error bound exceeds the error."""
    goal = ball(error)
    if error_bound(rows, 3, tolerance, epsilon, delta) > goal:
        return 0

    def enough(levels: int) -> bool:
        gap = gap_bound_of_levels(levels, epsilon, delta)
        return bool(error_bound_of_gap(rows, gap, tolerance, epsilon, delta) > goal)

    # Further levels do not help if delta limits the number of copies.
    most, high = MOST_LEVELS, 1
    if delta:
        limit = Fraction(int(1 / (2 * delta)) + 1) * epsilon
        most = min(most, ceiling(lambda: ball(limit) / log(2)))
    while not enough(high):
        high, tried = min(2 * high, most), high
        if high <= tried:
            raise InvalidInput(
                f"The theorem does not cover an error of {error} for {rows} rows, epsilon = "
                f"{epsilon} and delta = {delta}. Use a smaller epsilon, delta or error."
            )
    low = 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
