"""Checks of the parameters that mechanisms share."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from learners.accounting import DATA_NEIGHBOURS
from learners.coins import rational, whole
from lsclasses.errors import InvalidInput

__all__ = [
    "checked_counts",
    "checked_delta",
    "checked_epsilon",
    "checked_failure",
    "checked_neighbours",
    "checked_positive",
]


def checked_epsilon(epsilon: Any) -> Fraction:
    """Epsilon as a positive fraction."""
    value = rational(epsilon, "privacy parameter epsilon")
    if value <= 0:
        raise InvalidInput(f"The privacy parameter epsilon must be positive. Got {value}.")
    return value


def checked_delta(delta: Any) -> Fraction:
    """Delta as a fraction strictly between 0 and 1."""
    value = rational(delta, "privacy parameter delta")
    if not 0 < value < 1:
        raise InvalidInput(
            f"The privacy parameter delta must lie strictly between 0 and 1. Got {value}."
        )
    return value


def checked_failure(beta: Any) -> Fraction:
    """A failure probability as a fraction strictly between 0 and 1."""
    value = rational(beta, "failure probability")
    if not 0 < value < 1:
        raise InvalidInput(f"A failure probability must lie strictly between 0 and 1. Got {value}.")
    return value


def checked_positive(value: Any, name: str) -> int:
    """An integer of at least 1."""
    number = whole(value, name)
    if number < 1:
        raise InvalidInput(f"The {name} must be at least 1. Got {number}.")
    return number


def checked_neighbours(neighbours: Any) -> str:
    """The name of a neighbour relation between data sets."""
    if neighbours not in DATA_NEIGHBOURS:
        raise InvalidInput(
            f"Neighbours are related by one of {', '.join(map(repr, DATA_NEIGHBOURS))}. "
            f"Got {neighbours!r}."
        )
    return str(neighbours)


def checked_counts(values: Iterable[Any], name: str) -> tuple[int, ...]:
    """Integers, at least one of them."""
    counts = tuple(whole(value, name) for value in values)
    if not counts:
        raise InvalidInput(f"At least one {name} is needed. Got none.")
    return counts
