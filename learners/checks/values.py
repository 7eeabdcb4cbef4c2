"""Checks that learners and mechanisms share: immutability, privacy cost and use of coins."""

from __future__ import annotations

import pickle
import random
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from fractions import Fraction

import numpy as np

from learners.accounting import Event, basic, zcdp
from lsclasses.errors import InvalidInput


def _hash(thing: object) -> int:
    try:
        return hash(thing)
    except TypeError as error:
        raise InvalidInput(
            f"A {type(thing).__name__} cannot be hashed ({error}), but states and mechanisms are "
            "compared and remembered by value. A frozen dataclass of hashable parts can be."
        ) from None


def _require_equal(one: object, other: object, act: str) -> None:
    """Refuse two results of one call that differ, or are equal with different hashes."""
    if one != other:
        raise InvalidInput(
            f"{act} twice gave two results of type {type(one).__name__} that are not equal. They "
            "must be equal by value, as frozen dataclasses are, and all randomness must come from "
            "the coins."
        )
    if _hash(one) != _hash(other):
        raise InvalidInput(
            f"{act} twice gave two results of type {type(one).__name__} that are equal but have "
            "different hashes. Base the hash on the compared fields."
        )


def _check_ledger(thing: object, noun: str) -> tuple[Fraction, Fraction]:
    name = type(thing).__name__
    stated = getattr(thing, "delta", None)
    return _check_event(getattr(thing, "privacy", None), f"The {noun} {name}", stated)


def _check_event(
    event: object, owner: str, stated: Fraction | None = None
) -> tuple[Fraction, Fraction]:
    if not isinstance(event, Event):
        raise InvalidInput(
            f"{owner} must state its cost in `privacy`, as an event of the ledger "
            f"(learners.accounting). Got {event!r}."
        )
    # A zCDP event has an epsilon only at a stated delta.
    if stated is not None and event.profile().unbounded:
        epsilon, delta = zcdp(event, stated)
    else:
        epsilon, delta = basic(event)
    if delta >= 1:
        raise InvalidInput(f"{owner} must state a delta below 1. Got {delta}.")
    return epsilon, delta


@contextmanager
def no_other_randomness(noun: str) -> Iterator[None]:
    """Refuse draws from the global generators of Python and NumPy."""
    before = _global_generators()
    try:
        yield
    finally:
        # Where something else is wrong, this is why.
        if _global_generators() != before:
            raise InvalidInput(
                f"The {noun} draws from a global random number generator. All randomness must "
                "come from the coins that it is given."
            ) from None


def _global_generators() -> tuple[Hashable, ...]:
    state = np.random.get_state()  # noqa: NPY002 - whether others use it is the question
    return random.getstate(), pickle.dumps(state)
