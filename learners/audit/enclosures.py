"""Pairs of floats that enclose a number, rounded outwards."""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from typing import NamedTuple

from flint import arb

from lsclasses.numbers import format_number


class Enclosure(NamedTuple):
    """A lower and an upper bound on a number.

    Attributes
    ----------
    lower, upper : float
        Bounds. The lower bound is rounded down, and the upper bound is rounded up. If only the
        upper bound is infinite, no upper bound is known.

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
        """Return the enclosure of a number or a ball between two floats."""
        return cls(float_below(value), float_above(value))

    def largest(self, other: Enclosure) -> Enclosure:
        """Return an enclosure of the larger of two numbers, each given by an enclosure."""
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


def text_below(value: float, digits: int = 7) -> str:
    """Return decimal digits of a number that is at most the value.

    Examples
    --------
    >>> text_below(17.308668966), text_above(17.308668966), text_below(0.5)
    ('17.30866', '17.30867', '0.5')
    """
    return format_number(Fraction(value), digits, down=True) if math.isfinite(value) else "infinite"


def text_above(value: float, digits: int = 7) -> str:
    """Return decimal digits of a number that is at least the value.

    Examples
    --------
    >>> text_above(2.115e-19, 2), text_above(math.inf)
    ('2.2e-19', 'infinite')
    """
    return format_number(Fraction(value), digits, up=True) if math.isfinite(value) else "infinite"


def rounded_text(bounds: Enclosure, digits: int = 7) -> str | None:
    """Return the enclosed number, rounded to nearest. None if the bounds leave digits open.

    Examples
    --------
    >>> rounded_text(Enclosure(0.33333332, 0.33333334)), rounded_text(Enclosure(0.33, 0.34))
    ('0.3333333', None)
    """
    if not all(map(math.isfinite, bounds)):
        return None
    low, high = (format_number(Fraction(each), digits) for each in bounds)
    return low if low == high else None


def bounds_in_words(bounds: Enclosure, digits: int = 7, *, sampled: bool = False) -> str:
    """Return bounds in words, rounded to the safe side.

    Parameters
    ----------
    bounds : Enclosure
        Bounds to print.
    digits : int
        Number of printed digits.
    sampled : bool
        Whether only the lower bound is known.

    Examples
    --------
    >>> bounds_in_words(Enclosure(1.1961e-07, 1.2039e-07), 3)
    '= 1.2e-07'
    >>> bounds_in_words(Enclosure(1.1961e-07, 1.2039e-07), 4)
    'is in [1.196e-07, 1.204e-07]'
    >>> bounds_in_words(Enclosure(0.5, 0.5)), bounds_in_words(Enclosure(1.09861228, math.inf))
    ('= 0.5', 'is at least 1.098612')
    """
    if bounds.lower == math.inf:
        return "is infinite"
    if bounds.upper == math.inf or sampled:
        return f"is at least {text_below(bounds.lower, digits)}"
    if (known := rounded_text(bounds, digits)) is not None:
        return f"= {known}"
    return f"is in [{text_below(bounds.lower, digits)}, {text_above(bounds.upper, digits)}]"


def _before(value: float) -> float:
    return math.nextafter(value, -math.inf)
