"""States that record the mechanism that started them, so that only this mechanism continues them.

An interactive mechanism is a description. Its changing part is a state that is passed in and out.
The mechanism that started a state has paid for its steps so far. The mechanism that continues the
state pays for the rest. Only if both are equal, the ``privacy`` of one description is the cost of
the whole run. So every state carries its mechanism, and a function that takes a state from outside
calls `require_own` first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Generic, TypeVar

from lsclasses.errors import InvalidInput
from lsclasses.numbers import plural

SHOWN = 3
"""Number of differing parameters that a message names."""
WIDTH = 60
"""The most characters of a value in a message."""

Mechanism = TypeVar("Mechanism")
Given = TypeVar("Given")


@dataclass(frozen=True)
class State(Generic[Mechanism]):
    """The immutable state of a mechanism or a learner between two calls.

    Attributes
    ----------
    mechanism : object
        What started it, with all its parameters: a mechanism, or a learner.
    """

    # Equal states have equal mechanisms. Hashing them repeatedly would take most of an audit.
    mechanism: Mechanism = field(hash=False, repr=False)


def require_own(mechanism: object, state: Given) -> Given:
    """Return the state, if this mechanism or an equal mechanism started it.

    Parameters
    ----------
    mechanism : object
        Mechanism that is to continue.
    state : State

    Raises
    ------
    InvalidInput
        If the argument is not a state, or another mechanism started it.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> from learners.mechanisms import AboveThreshold
    >>> costly = AboveThreshold(100, threshold=5)
    >>> run = costly.start(SeededCoins(1))
    >>> require_own(costly, run) is run, require_own(AboveThreshold(100, 5), run) is run
    (True, True)
    >>> require_own(AboveThreshold(1, threshold=5), run)
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: The state was started with other parameters: epsilon was 100 \
and is now 1. Continue with the original mechanism, or start again, which costs its budget again.
    """
    if not isinstance(state, State):
        raise InvalidInput(
            f"A state that {_brief(mechanism)} has returned is needed. Got {_brief(state)}."
        )
    theirs = state.mechanism
    # Comparing identical objects takes no time, and usually they are identical.
    if theirs is mechanism or theirs == mechanism:
        return state
    if type(theirs) is not type(mechanism):
        different = f"by another kind of mechanism: {_brief(theirs)}, not {_brief(mechanism)}"
    else:
        listed = list(_differences(theirs, mechanism))
        more = ", ..." * (len(listed) > SHOWN)
        named = ", ".join(listed[:SHOWN]) + more
        different = "with other parameters" + f": {named}" * bool(named)
    raise InvalidInput(
        f"The state was started {different}. Continue with the original mechanism, or start again, "
        "which costs its budget again."
    )


def require_rounds_left(
    played: int,
    rounds: int | None,
    who: str,
    what: str = "noise",
    *,
    unit: str = "round",
    cost: str = "epsilon and delta",
) -> None:
    """Raise InvalidInput if all rounds of a state have been played.

    Parameters
    ----------
    played : int
        Number of played rounds.
    rounds : int or None
        Number of rounds, or None if it is unlimited.
    who, what, unit, cost : str
        Words for the message: the mechanism, its part that depends on the number of rounds, one
        round, and the cost of a new mechanism.

    Examples
    --------
    >>> require_rounds_left(1, 1, "learner")
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: The learner is for 1 round, and its noise depends on ...
    """
    if rounds is not None and played >= rounds:
        raise InvalidInput(
            f"The {who} is for {plural(rounds, unit)}, and its {what} depends on this number. "
            f"Start again, which costs its {cost} again."
        )


def _differences(theirs: object, mine: object) -> Iterator[str]:
    """Yield the parameters that differ, nested ones included."""
    if not is_dataclass(mine):
        return
    for entry in fields(mine):
        before, now = getattr(theirs, entry.name), getattr(mine, entry.name)
        if not entry.compare or before is now or before == now:
            continue
        inner = list(_differences(before, now)) if type(before) is type(now) else []
        yield from inner or [f"{entry.name} was {_value(before)} and is now {_value(now)}"]


def _brief(thing: object) -> str:
    if thing is None:
        return "nothing"
    return f"{'an' if type(thing).__name__[:1] in 'AEIOUaeiou' else 'a'} {type(thing).__name__}"


def _value(value: object) -> str:
    text = str(value)
    return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"
