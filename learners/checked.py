"""Options that several learners share, and checks of numbers that a user gives.

An alias such as `Rounds` declares the range of a number once. Fields of dataclasses and parameters
of functions have the alias as their annotation. `lsclasses.options.check_fields` and
`lsclasses.options.check_arguments` then check the number. The functions of this module check a
single number: ``checked.epsilon(epsilon)``, ``checked.positive(rounds, "number of rounds")``.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Annotated

from lsclasses.errors import InvalidInput
from lsclasses.numbers import integer
from lsclasses.options import Option

# ---- options

EPSILON = Option("privacy parameter epsilon", above=0)
DELTA = Option("privacy parameter delta", above=0, below=1)
FAILURE = Option("failure probability", above=0, below=1)

Epsilon = Annotated[Fraction, EPSILON]
EpsilonOrZero = Annotated[Fraction, Option("epsilon", minimum=0)]
Delta = Annotated[Fraction, DELTA]
Failure = Annotated[Fraction, FAILURE]
DeltaOrZero = Annotated[Fraction, Option("delta", minimum=0, below=1)]
Rho = Annotated[Fraction, Option("rho", minimum=0)]
MuSquared = Annotated[Fraction, Option("square of mu", minimum=0)]
CompositionDelta = Annotated[Fraction, Option("delta", above=0, below=1)]
Alpha = Annotated[Fraction, Option("error alpha", above=0, below=1)]
Frequency = Annotated[Fraction, Option("frequency", above=0, below=1)]

Rounds = Annotated[int, Option("number of rounds", minimum=1)]
Rows = Annotated[int, Option("number of rows", minimum=1)]
Batches = Annotated[int, Option("number of batches", minimum=1)]
GroupSize = Annotated[int, Option("group size", minimum=1)]
Phases = Annotated[int, Option("number of phases", minimum=1)]
Choices = Annotated[int, Option("number of choices", minimum=1)]
Horizon = Annotated[int, Option("horizon", minimum=1)]
Questions = Annotated[int, Option("number of questions", minimum=1)]
Reports = Annotated[int, Option("number of reports", minimum=1)]
Threshold = Annotated[int, Option("threshold")]
Sensitivity = Annotated[int, Option("sensitivity", minimum=1)]
Histograms = Annotated[
    int,
    Option(
        "largest number of hypotheses that the learner publishes one after another",
        minimum=1,
        noun="number of histograms",
    ),
]

Features = Annotated[int, Option("number of features", minimum=1)]
Experts = Annotated[int, Option("number of experts", minimum=1)]
MistakeBound = Annotated[int, Option("mistake bound", minimum=0)]
AuxiliarySize = Annotated[int, Option("auxiliary sample size n", minimum=1)]

# ---- checks

_NONNEGATIVE, _POSITIVE, _ABOVE_ZERO, _SHARE = (
    Option("number", minimum=0),
    Option("number", minimum=1),
    Option("number", above=0),
    Option("number", above=0, below=1),
)


def nonnegative(value: object, name: str) -> int:
    """Return the given integer, after a check that it is at least 0."""
    return _NONNEGATIVE.integer(value, name)


def positive(value: object, name: str) -> int:
    """Return the given integer, after a check that it is at least 1."""
    return _POSITIVE.integer(value, name)


def counts(values: Iterable[object], name: str) -> tuple[int, ...]:
    """Return a nonempty list of integers as a tuple."""
    found = tuple(integer(value, name) for value in values)
    if not found:
        raise InvalidInput(f"At least one {name} is needed. Got none.")
    return found


def nonnegative_fraction(value: object, name: str) -> Fraction:
    """Convert a number to a fraction. Refuse numbers below 0."""
    return _NONNEGATIVE.fraction(value, name)


def positive_fraction(value: object, name: str) -> Fraction:
    """Convert a number to a fraction. Refuse numbers of at most 0."""
    return _ABOVE_ZERO.fraction(value, name)


def share(value: object, name: str) -> Fraction:
    """Convert a number to a fraction. Refuse numbers not strictly between 0 and 1."""
    return _SHARE.fraction(value, name)


def epsilon(value: object) -> Fraction:
    """Convert epsilon to a fraction. Refuse numbers of at most 0."""
    return EPSILON.fraction(value)


def delta(value: object) -> Fraction:
    """Return delta as a fraction strictly between 0 and 1."""
    return DELTA.fraction(value)
