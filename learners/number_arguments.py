"""Numbers that a user passes to learners and ledgers.

Learners and releases compute with integers and fractions. The checks of `learners.checked` and of
`lsclasses.numbers` take them from a user. `learners.balls` rounds the values that are computed from
them. The module also has the failure probabilities and the precision of ledgers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import TypeVar

from lsclasses.errors import InvalidInput
from lsclasses.numbers import format_number

# ---- numbers


T = TypeVar("T")

SMALLEST = Fraction(1, 10**100)
"""Least budget and least failure probability for a search in floating point. The search could not
distinguish smaller numbers from 0."""


def require_size(*values: Fraction) -> None:
    """Refuse budgets and failure probabilities that are smaller than `SMALLEST`."""
    if min(values) < SMALLEST:
        raise InvalidInput(
            "An epsilon, a delta or a failure probability must be at least 10^-100. "
            f"Got {format_number(min(values))}."
        )


def log_in_floats(value: Fraction) -> float:
    """Return ln(value) approximately, also for fractions outside the range of floats."""
    return math.log(value.numerator) - math.log(value.denominator)


def least_integer(
    suffices: Callable[[int], bool], low: int, high: int | None = None, near: int | None = None
) -> int:
    """Return the least integer above `low` that suffices, found by bisection.

    Parameters
    ----------
    suffices : callable
        Function that returns whether a number suffices. If a number suffices, all larger numbers
        must suffice.
    low : int
        Number that does not suffice. It is not tested.
    high : int, optional
        Number that suffices. It is not tested. If omitted, it is found by doubling.
    near : int, optional
        First number to try. The steps from this number double, so a good guess saves tests.

    Examples
    --------
    >>> least_integer(lambda n: n * n >= 50, 0)
    8
    >>> asked = []
    >>> least_integer(lambda n: asked.append(n) or n * n >= 10**8, 0, 10**8, near=9999), asked
    (10000, [9999, 10000])
    """
    if high is None:
        high = max(1, 2 * low)
        while not suffices(high):
            low, high = high, 2 * high
    step = 1
    while near is not None and low < near < high:
        if suffices(near):
            high, near = near, near - step
        else:
            low, near = near, near + step
        step *= 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if suffices(middle) else (middle, high)
    return high


# ---- numbers


# `round_up` keeps 64 bits. The other 64 bits absorb the rounding errors of a formula.
PRECISION = 128

OVERFLOW = 700
"""The least loss at which exp overflows floating point. Larger losses are added up without exp."""


def _shown(value: Fraction) -> str:
    return format_number(value, exact=10**9, up=True)
