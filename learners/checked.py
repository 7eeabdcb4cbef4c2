"""Checks of numbers that a user gives. Each returns the number, or states the valid input.

Import the module: ``checked.epsilon(epsilon)``, ``checked.positive(rounds, "number of rounds")``.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from learners.number_arguments import integer, rational
from lsclasses.errors import InvalidInput


def nonnegative(value: object, name: str) -> int:
    """Return an integer of at least 0."""
    number = integer(value, name)
    if number < 0:
        raise InvalidInput(f"The {name} must be at least 0. Got {number}.")
    return number


def positive(value: object, name: str) -> int:
    """Return an integer of at least 1."""
    number = integer(value, name)
    if number < 1:
        raise InvalidInput(f"The {name} must be at least 1. Got {number}.")
    return number


def counts(values: Iterable[object], name: str) -> tuple[int, ...]:
    """Integers, at least one of them."""
    found = tuple(integer(value, name) for value in values)
    if not found:
        raise InvalidInput(f"At least one {name} is needed. Got none.")
    return found


def nonnegative_fraction(value: object, name: str) -> Fraction:
    """Return a fraction of at least 0."""
    number = rational(value, name)
    if number < 0:
        raise InvalidInput(f"The {name} must be at least 0. Got {number}.")
    return number


def positive_fraction(value: object, name: str) -> Fraction:
    """Return a fraction above 0."""
    number = rational(value, name)
    if number <= 0:
        raise InvalidInput(f"The {name} must be positive. Got {number}.")
    return number


def share(value: object, name: str) -> Fraction:
    """Return a fraction strictly between 0 and 1."""
    number = rational(value, name)
    if not 0 < number < 1:
        raise InvalidInput(f"The {name} must lie strictly between 0 and 1. Got {number}.")
    return number


def epsilon(value: object) -> Fraction:
    """Epsilon as a positive fraction."""
    return positive_fraction(value, "privacy parameter epsilon")


def delta(value: object) -> Fraction:
    """Delta as a fraction strictly between 0 and 1."""
    return share(value, "privacy parameter delta")


def failure(value: object) -> Fraction:
    """Return a failure probability as a fraction strictly between 0 and 1."""
    return share(value, "failure probability")
