"""The sources of random draws of audited programs, and the causes of refused programs."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Hashable, Sequence
from typing import Any, Literal

import numpy as np

from learners.coins import Coins
from learners.exact import EnumeratedGenerator, EnumeratedRandom, ExactCoins, state_key
from learners.exact.branches import current_coins
from lsclasses.errors import InvalidInput

Source = Literal["coins", "random", "numpy", "internal"]
"""The source of a program's random draws: `Coins`, `random.Random`, `numpy.random.Generator`, or a
source inside the program."""

InteractiveSource = Literal["coins", "random", "numpy"]
"""The source from which an interactive object draws."""

CLASSES: dict[str, type] = {
    "coins": Coins,
    "random": random.Random,
    "numpy": np.random.Generator,
}
"""The types of the sources that a program is given."""

STATELESS = (
    "Each run must start from the same state, must not change its input, and must draw only from "
    "the source that it is given."
)
KEEPS_STATE = (
    "The program keeps state between runs, because two identical queries have different output "
    f"distributions. {STATELESS}"
)


class WrongSource(InvalidInput):
    """An error: a program calls a method that its given random source does not have."""


def require_source(source: object, allowed: Sequence[str]) -> None:
    """Refuse a name of a source of randomness that the audit does not have."""
    if source not in allowed:
        listed = f"{', '.join(allowed[:-1])} or {allowed[-1]}"
        raise InvalidInput(f"The source must be {listed}. Got {source!r:.80}.")


def enumerated_source(source: Source, coins: Coins) -> Any:
    """Return the source of a program whose draws are enumerated."""
    if source == "random":
        return EnumeratedRandom(coins)
    if source == "numpy":
        assert isinstance(coins, ExactCoins)
        return EnumeratedGenerator(coins)
    return coins


def run_with(source: Source, given: Any, run: Callable[[Any], Any]) -> Any:
    """Return ``run(given)``. If the program needs another type of source, the error names it.

    Raises
    ------
    WrongSource
        If the program uses an attribute that only another type of source has.
    """
    try:
        return run(given)
    except AttributeError as problem:
        if problem.obj is not given:
            raise
        fitting = [
            f"source={name!r} for {kind.__module__.removesuffix('._generator')}.{kind.__name__}"
            for name, kind in CLASSES.items()
            if hasattr(kind, problem.name or "")
        ]
        if not fitting:
            raise
        wrong = WrongSource(
            f"The program uses {problem.name} of its source, which source={source!r} does not "
            f"have. Pass {' or '.join(fitting)}."
        )
        coins = current_coins()
        if coins is not None:
            coins.refuse(wrong)
        raise wrong from None


# ---- causes


def visible_state(data: Any) -> Hashable | None:
    """Return a key of the state of an input, or None if its state is not visible."""
    try:
        return state_key(data)
    except InvalidInput:
        return None


def require_unchanged(data: Any, before: Hashable | None) -> None:
    """Refuse a program that has changed its input."""
    if before is not None and visible_state(data) != before:
        raise InvalidInput(
            f"The program changes its input, which is now {data!r:.80}. It must copy the input "
            "before it changes it."
        )


def require_values(once: Collection[Any], again: Collection[Any]) -> None:
    """Refuse outputs that are compared by identity, because two identical queries then differ."""
    for outcome in {*once} ^ {*again}:
        kind = _kind_without_values(outcome)
        if kind is not None:
            raise InvalidInput(
                f"The program returns objects of the type {kind.__qualname__}, which are equal "
                "only to themselves, so outputs of different runs cannot be compared. Return their "
                "values, for example as a tuple."
            )


def _kind_without_values(outcome: Any) -> type | None:
    """Return the type of a part of an output that is equal only to itself, if any."""
    if isinstance(outcome, (tuple, frozenset)):
        found = (_kind_without_values(each) for each in outcome)
        return next((each for each in found if each is not None), None)
    kind = type(outcome)
    compare: object = kind.__eq__
    return kind if compare is object.__eq__ else None
