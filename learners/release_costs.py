"""Costs of releases: the (epsilon, delta) of an event under the neighbour relation of a budget."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

from learners.accounting import (
    CHALLENGE,
    Event,
    Privacy,
    UnderChallenge,
    UnderReplaceOne,
    basic,
    gaussian,
    neighbours,
)
from lsclasses.errors import InvalidInput


def cost_of(event: Event, delta: Fraction | None = None) -> tuple[Fraction, Fraction]:
    """Return the (epsilon, delta) that a release costs, rounded up.

    Parameters
    ----------
    event : Event
        Releases whose cost is computed.
    delta : Fraction, optional
        Total delta, if it may exceed the deltas of the parts.

    Raises
    ------
    InvalidInput
        If the event is free, or it is under zCDP or Gaussian privacy and delta is missing.

    Examples
    --------
    >>> from learners.accounting import PureDP, SelfComposed, Scope
    >>> cost_of(SelfComposed(PureDP(Fraction(1, 10), scope=Scope.adaptive("replace_one")), 3))
    (Fraction(3, 10), Fraction(0, 1))
    """
    found: list[tuple[Fraction, Fraction]] = []
    with suppress(InvalidInput):
        found.append(basic(event))
    if delta is not None and (not found or found[0][1] < delta):
        found.append((Privacy.of(event, delta).epsilon, delta))
        with suppress(InvalidInput):
            found.append(gaussian(event, delta))
    if not found and event.profile().unbounded:
        raise InvalidInput(
            "A release under zCDP or Gaussian privacy has a cost only at a delta. Give a delta, "
            "such as Fraction(1, 10**6). Got no delta."
        )
    cost = min(found) if found else basic(event)
    if not any(cost):
        raise InvalidInput("The cost of a release about rows must be positive. Got 0.")
    return cost


def converted(event: Event, relation: str) -> Event:
    """Return an event converted to the neighbour relation of a budget.

    A guarantee for replacing one row covers the view of other users under ``challenge``
    (`UnderChallenge`). Two steps of adding or removing one row replace one row (`UnderReplaceOne`).
    No other conversion is valid: under ``replace_one`` the number of rows may be revealed, and
    under ``challenge`` a user's row may be revealed to the user.

    Raises
    ------
    InvalidInput
        If the event's relation implies no guarantee under this relation.

    Examples
    --------
    >>> from learners.accounting import PureDP, Scope
    >>> basic(converted(PureDP(1, scope=Scope.adaptive("add_remove")), "replace_one"))
    (Fraction(2, 1), Fraction(0, 1))
    """
    held = neighbours(event)
    if held in (None, relation):
        return event
    if held == "add_remove" and relation != "add_remove":
        event, held = UnderReplaceOne(event), "replace_one"
    if held == "replace_one" and relation == CHALLENGE:
        event, held = UnderChallenge(event), CHALLENGE
    if held != relation:
        raise InvalidInput(
            f"The budget needs a guarantee under {relation}. A guarantee under {held} does not "
            "imply one."
        )
    return event
