"""Claims of audits, the findings on them, and the checks that all exact audits share."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypedDict

from flint import arb

from learners import checked
from learners.accounting import Event, basic
from learners.balls import ball
from learners.exact import OutputDistribution
from lsclasses.errors import InvalidInput
from lsclasses.numbers import as_printed, format_number
from lsclasses.verdicts import Verdict

Number = Fraction | float | str | Decimal
"""A number of a claim. A float is read as it is printed: 0.1 is 1/10."""

Claim = Event | tuple[Number, Number]
"""The claim of an audit: a ledger, whose total is computed by basic composition, or two numbers."""

RESOLUTION = Fraction(1, 10**12)
"""Tolerance of the verdict "holds": the largest excess of the measured delta over the claimed
delta. It is positive for two reasons. If the loss is exactly epsilon, the measured delta is a ball
around 0. Also, infinite distributions are truncated."""


class Cut(TypedDict):
    """The two arguments of an audit that bound its error: the truncation and the resolution."""

    tail: Fraction
    resolution: Fraction


@dataclass(frozen=True)
class Finding:
    """The result of an audit of a claim.

    Attributes
    ----------
    epsilon, delta : Fraction
        The claimed numbers.
    verdict : Verdict
        `HOLDS`, `VIOLATED` or `UNDECIDED` for an exact audit. `VIOLATED` or `CONSISTENT` for an
        audit from samples.
    direction : int
        0 if the distinguishing event is likelier for the first input (in a game, for the secret bit
        0), and 1 if it is likelier for the second input (the secret bit 1).
    """

    epsilon: Fraction
    delta: Fraction
    verdict: Verdict
    direction: int


NOT_REPEATED = (
    "The audited program does not repeat itself. Repeated queries have other distributions of "
    "answers. It must keep all data in its states (`learners.games.PickledObject` makes a state of "
    "an object that changes), and draw from its coins only. Equal states must behave equally. A "
    "game that declares that it does not read the secret bit must not read it."
)


def checked_claim(claim: Claim) -> tuple[Fraction, Fraction]:
    """Return the epsilon and delta of a claim. For an event, use basic composition."""
    epsilon, delta = basic(claim) if isinstance(claim, Event) else claim
    return checked_epsilon(epsilon), checked_delta(delta)


def checked_epsilon(value: object) -> Fraction:
    """Return an epsilon of at least 0, where a float is read as it is printed."""
    return checked.nonnegative_fraction(as_printed(value, "epsilon"), "epsilon")


def checked_delta(value: object, name: str = "delta") -> Fraction:
    """Return a number of at least 0 and less than 1, where a float is read as it is printed.

    Examples
    --------
    >>> checked_delta(1e-6)
    Fraction(1, 1000000)
    """
    delta = as_printed(value, name)
    if not 0 <= delta < 1:
        raise InvalidInput(f"The {name} must be at least 0 and less than 1. Got {delta}.")
    return delta


def checked_share(value: object, name: str) -> Fraction:
    """Return a number strictly between 0 and 1, where a float is read as it is printed."""
    return checked.share(as_printed(value, name), name)


def claim_text(value: Fraction) -> str:
    """Return a claimed number: a short number exactly, and a long number rounded down.

    Examples
    --------
    >>> claim_text(Fraction(1, 3)), claim_text(1 - Fraction(1, 2 * 10**9))
    ('1/3', '0.9999999995')
    """
    return format_number(value, 15, exact=10**9, down=True)


def checked_resolution(value: object) -> Fraction:
    """Return a resolution: at least 0 and less than 1."""
    return checked_delta(value, "resolution")


def verdict_of(measured: arb, delta: Fraction, resolution: Fraction) -> Verdict:
    """Return the verdict of the measured delta(epsilon) on a claimed delta."""
    if measured > ball(delta):
        return Verdict.VIOLATED
    if measured <= ball(delta + resolution):
        return Verdict.HOLDS
    return Verdict.UNDECIDED


def probabilities(law: OutputDistribution[Any]) -> dict[Hashable, arb]:
    """Return the probability of each outcome of a distribution."""
    return {outcome: law[outcome] for outcome in law}


def require_repeated(before: dict[Hashable, arb], now: dict[Hashable, arb]) -> None:
    """Check that recomputing a distribution after other computations gives equal results."""
    if before.keys() != now.keys() or not all(before[each].overlaps(now[each]) for each in now):
        raise InvalidInput(NOT_REPEATED)
