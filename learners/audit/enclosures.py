"""Pairs of floats that enclose a number, rounded outwards."""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from typing import NamedTuple

from flint import arb


class Enclosure(NamedTuple):
    """A lower and an upper bound on a number.

    Attributes
    ----------
    lower, upper : float
        Bounds, rounded to the safe side. An upper bound of infinity means that no bound is known
        if the lower bound is finite.

    Examples
    --------
    >>> around = Enclosure.of(Fraction(1, 3))
    >>> around.lower < Fraction(1, 3) < around.upper
    True
    >>> Enclosure.of(Fraction(1, 2))
    Enclosure(lower=0.5, upper=0.5)
    """

    lower: float
    upper: float

    @classmethod
    def of(cls, value: Fraction | float | arb) -> Enclosure:
        """Return floats below and above a number or a ball. A number may be infinite."""
        return cls(float_below(value), float_above(value))

    def largest(self, other: Enclosure) -> Enclosure:
        """Return an enclosure of the larger number of two enclosed numbers."""
        return Enclosure(max(self.lower, other.lower), max(self.upper, other.upper))


def float_below(value: Fraction | float | arb) -> float:
    """Return a float that is at most the number."""
    if isinstance(value, arb):
        bound = value.lower()
        found = float(bound)
        return found if math.isinf(found) or arb(found) <= bound else _before(found)
    try:
        found = float(value)
    except OverflowError:
        return -math.inf if value < 0 else sys.float_info.max
    return _before(found) if found > value else found


def float_above(value: Fraction | float | arb) -> float:
    """Return a float that is at least the number."""
    return 0.0 - float_below(-value)


def _before(value: float) -> float:
    return math.nextafter(value, -math.inf)
