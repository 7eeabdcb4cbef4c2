"""States that record the mechanism that started them, so that only this mechanism continues them.

An interactive mechanism is a description. Its changing part is a state that is passed in and out.
The ``privacy`` of a mechanism is the cost of a whole run. If another mechanism continued a state,
neither ``privacy`` would state the cost of the run. So every state stores the mechanism that
started it, and every function that receives a state calls `require_own` first.

A mechanism is described by named strings, in error messages and in files of states.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, Generic, TypeVar

import numpy as np

from lsclasses.concept_class import ConceptClass
from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput, LsclassesError
from lsclasses.lazy.finite import FiniteClass
from lsclasses.numbers import plural
from lsclasses.table import Table

SHOWN = 3
"""Largest number of differences between two mechanisms that an error message lists."""
WIDTH = 60
"""Length of the longest string that a description contains in full. A digest replaces longer
strings."""

Mechanism = TypeVar("Mechanism")
Given = TypeVar("Given")


@dataclass(frozen=True)
class State(Generic[Mechanism]):
    """The immutable state of a mechanism or a learner between two calls.

    Attributes
    ----------
    mechanism : object
        Mechanism or learner that started the state, with all its parameters.
    """

    # Equal states have equal mechanisms. Hashing them repeatedly would take most of an audit.
    mechanism: Mechanism = field(hash=False, repr=False)


def require_own(mechanism: object, state: Given) -> Given:
    """Return the state if this mechanism, or an equal one, started it. Otherwise raise an error.

    Parameters
    ----------
    mechanism : object
        Mechanism that is to continue.
    state : State
        State to check.

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
        named = _parameters_that_differ(theirs, mechanism)
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


def _parameters_that_differ(theirs: object, mine: object) -> str:
    try:
        return differences(description(theirs, ""), description(mine, ""))
    except LsclassesError:
        # A table is too large to be described. The message then names no parameters.
        return ""


def _brief(thing: object) -> str:
    if thing is None:
        return "nothing"
    return f"{'an' if type(thing).__name__[:1] in 'AEIOUaeiou' else 'a'} {type(thing).__name__}"


# ---- descriptions


def description(mechanism: object, name: str) -> dict[str, str]:
    """Return the parameters of a mechanism as strings, with nested names for nested parameters.

    A table is identified by a digest of its labels and names, and another class by its
    representation. Two functions are not distinguished.

    Parameters
    ----------
    mechanism : object
        Mechanism or learner to describe.
    name : str
        Name of the mechanism, the first part of all names, or an empty string.

    Examples
    --------
    >>> import catalog
    >>> from lsclasses.soa import SOA
    >>> description(SOA(catalog.build("thresholds:n=7")), "learner")["learner"]
    'SOA'
    """
    return dict(_parts(mechanism, name))


def differences(one: Mapping[str, str], other: Mapping[str, str]) -> str:
    """Return the differences between two descriptions, or the empty string if they are equal.

    Examples
    --------
    >>> differences({"learner.rate": "1/2"}, {"learner.rate": "1"})
    'learner.rate was 1/2 and is now 1'
    """
    names = [name for name in {**one, **other} if one.get(name) != other.get(name)]
    # Parameters that only one of them has follow from the difference of a common parameter.
    common = [name for name in names if name in one and name in other]
    found = [
        f"{name} was {one.get(name, 'missing')} and is now {other.get(name, 'missing')}"
        for name in common or names
    ]
    return ", ".join(found[:SHOWN]) + ", ..." * (len(found) > SHOWN)


def _parts(value: Any, name: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Table):
        digest = _digest(repr(value.points).encode() + repr(value.concept_names).encode())
        yield name, f"a table, {_digest(value.packed.tobytes())} with names {digest}"
    elif isinstance(value, FiniteClass):
        # Functions may have equal names. The labels of their points distinguish them.
        yield name, repr(value)
        yield from _parts(value._to_table(), f"{name}'s labels")
    elif isinstance(value, ConceptClass):
        yield name, f"{value!r} on {value.domain.describe()}"
    elif isinstance(value, Domain):
        yield name, value.describe()
    elif isinstance(value, np.ndarray):
        yield name, _digest(value.tobytes())
    elif is_dataclass(value):
        yield name, type(value).__name__
        for each in fields(value):
            if not each.name.startswith("_") and each.init:
                part = f"{name}.{each.name}" if name else each.name
                yield from _parts(getattr(value, each.name), part)
        for words, inner in getattr(value, "described_parts", {}).items():
            yield from _parts(inner, f"{name} {words}".lstrip())
    elif callable(value):
        yield name, "a function"
    else:
        text = str(value)
        yield name, text if len(text) <= WIDTH else _digest(text.encode())


def _digest(data: bytes) -> str:
    return f"sha256:{hashlib.sha256(data).hexdigest()[:32]}"
