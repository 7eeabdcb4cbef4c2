"""States that know who started them, so that nobody else goes on with them.

An interactive mechanism is a description; what changes while it runs is a state that is handed in
and out. The mechanism that started a state has paid for its steps so far, and the mechanism that
continues it pays for the rest: only if both are the same, the ``privacy`` of one description is
the cost of the whole run. So every state carries its mechanism, and a function that takes a state
from outside calls `require_own` first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Generic, TypeVar

from lsclasses.errors import InvalidInput
from lsclasses.numbers import plural

SHOWN = 3
"""How many differing parameters a message names."""
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

    # Equal states have equal mechanisms; hashing these again and again would take most of an audit.
    mechanism: Mechanism = field(hash=False, repr=False)


def require_own(mechanism: object, state: Given) -> Given:
    """Return the state, if this mechanism or an equal one started it; else refuse it.

    Parameters
    ----------
    mechanism : object
        The mechanism that is to continue.
    state : State

    Raises
    ------
    InvalidInput
        If it is no state, or another mechanism started it.

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
and is 1 here. Go on with what started it, or start anew, which costs its budget again.
    """
    if not isinstance(state, State):
        raise InvalidInput(
            f"A state that {_brief(mechanism)} has returned is needed. Got {_brief(state)}."
        )
    theirs = state.mechanism
    # Comparing what is the same object takes no time, and usually it is.
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
        f"The state was started {different}. Go on with what started it, or start anew, which "
        "costs its budget again."
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
    """Refuse a state whose rounds have all been played.

    Parameters
    ----------
    played : int
    rounds : int or None
        None if there is no limit.
    who, what, unit, cost : str
        Who was made for them, what of it depends on their number, what one is called, and what a
        new one costs.

    Examples
    --------
    >>> require_rounds_left(1, 1, "learner")
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: The learner was made for 1 round, and its noise with ...
    """
    if rounds is not None and played >= rounds:
        raise InvalidInput(
            f"The {who} was made for {plural(rounds, unit)}, and its {what} with it. Start a new "
            f"one, which costs its {cost} again."
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
        yield from inner or [f"{entry.name} was {_value(before)} and is {_value(now)} here"]


def _brief(thing: object) -> str:
    if thing is None:
        return "nothing"
    return f"{'an' if type(thing).__name__[:1] in 'AEIOUaeiou' else 'a'} {type(thing).__name__}"


def _value(value: object) -> str:
    text = str(value)
    return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"
