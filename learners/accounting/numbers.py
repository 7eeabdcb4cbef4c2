"""The numbers of a ledger: failure probabilities, how precisely it computes, and how it writes."""

from __future__ import annotations

from fractions import Fraction

from learners.numbers import rational
from lsclasses.errors import InvalidInput
from lsclasses.numbers import format_number

# `round_up` keeps 64 bits. The other 64 bits absorb the rounding errors of a formula.
PRECISION = 128

OVERFLOW = 700
"""For a loss beyond it, exp is no floating point number; losses are added up instead."""


def _failure(value: object, name: str = "delta") -> Fraction:
    number = rational(value, name)
    if not 0 <= number < 1:
        raise InvalidInput(f"The {name} must be at least 0 and less than 1. Got {value}.")
    return number


def _shown(value: Fraction) -> str:
    return format_number(value, exact=10**9, up=True)
