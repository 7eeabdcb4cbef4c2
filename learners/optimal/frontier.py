"""A proved interval for the error or the mistakes of the optimal private learner.

The module also checks the parameters of a computation of the optimum.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from learners import checked
from learners.balls import ball, rational_above, rational_below
from learners.optimal.linear import LARGEST, Array
from lsclasses.concept_class import ConceptClass, require_class
from lsclasses.errors import InvalidInput
from lsclasses.numbers import format_number, rational, size_in_words

# ---- parameters


MOST_POINTS = 8
DENOMINATOR = 10**15
"""Denominator of the fractions around e^epsilon."""


def require_small(C: ConceptClass, where: str) -> None:
    """Refuse an object that is not a concept class, or a class on too many points."""
    require_class(C, where)
    if not C.domain.size or C.domain.size > MOST_POINTS:
        raise InvalidInput(
            f"The best private learner needs a class on 1 to {MOST_POINTS} points, because its "
            "linear program lists all samples (docs/frontier.md, Reduction to a linear program). "
            "Choose a class on fewer points. Got a class on "
            f"{_points_in_words(C.domain.size)}."
        )
    if C.is_empty:
        raise InvalidInput("The class must have at least one concept. Got an empty class.")


def _points_in_words(count: int | None) -> str:
    return "infinitely many points" if count is None else f"{size_in_words(count, ',')} points"


def require_one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    """Refuse a value that is not one of the allowed words."""
    if value not in allowed:
        raise InvalidInput(f"The {name} must be one of {', '.join(allowed)}. Got {value!r}.")


def checked_privacy(
    epsilon: object, delta: object, *, infinite: str, zero: str
) -> tuple[Fraction, Fraction]:
    """Check epsilon and delta, and return the numbers as fractions.

    Parameters
    ----------
    epsilon, delta : object
        Privacy parameters that a user gives.
    infinite, zero : str
        Sentences for the error message about an infinite epsilon and about epsilon 0.

    Raises
    ------
    InvalidInput
        If epsilon is 0, infinite, larger than `LARGEST` or a float, or delta is not in [0, 1).
    """
    if str(epsilon) in {"inf", "infinity", "oo"}:
        raise InvalidInput(f"Epsilon must be finite. Infinite epsilon is no privacy. {infinite}")
    found = checked.nonnegative_fraction(epsilon, "privacy parameter epsilon")
    if not found:
        raise InvalidInput(
            "Epsilon must be positive. With epsilon = 0, the output depends on no private example. "
            f"{zero}"
        )
    if found > LARGEST:
        raise InvalidInput(f"Epsilon may be at most {LARGEST}. Got {format_number(found)}.")
    failure = rational(delta, "privacy parameter delta")
    if not 0 <= failure < 1:
        raise InvalidInput(
            f"Delta must be at least 0 and less than 1. Got {format_number(failure)}."
        )
    return found, failure


def ratios(epsilon: Fraction) -> tuple[Fraction, Fraction]:
    """Return fractions closely below and above e^epsilon.

    Examples
    --------
    >>> below, above = ratios(Fraction(1))
    >>> float(below), (above - below) * 10**15
    (2.718281828459045, Fraction(1, 1))
    """
    return (
        rational_below(lambda: ball(epsilon).exp(), DENOMINATOR),
        rational_above(lambda: ball(epsilon).exp(), DENOMINATOR),
    )


def entries(values: Array) -> dict[int, int]:
    """Return the nonzero integers of an array, by their positions."""
    return {position: int(value) for position, value in enumerate(values) if value}


# ---- frontier


@dataclass(frozen=True)
class Frontier:
    """The optimum over all private learners, as an interval between two proved bounds.

    Attributes
    ----------
    quantity : str
        Bounded quantity.
    lower, upper : Fraction
        Proved bounds on the optimum.
    learner : object
        Private learner that attains the upper bound.
    hard : object
        Distributions or adversaries on which every private learner errs at least as stated.
    evidence : object
        Evidence for both bounds, with a method ``check(C)``.
    """

    quantity: str
    lower: Fraction
    upper: Fraction
    learner: Any
    hard: Any
    evidence: Any

    def __str__(self) -> str:
        return f"{float(self.lower):.6f} <= {self.quantity} <= {float(self.upper):.6f}"
