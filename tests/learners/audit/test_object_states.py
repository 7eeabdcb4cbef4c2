"""Interactive objects that keep generators or hide parts of their state from an audit."""

from __future__ import annotations

import copy
import math
import random
from collections import Counter, OrderedDict, defaultdict, deque
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from learners.audit import interactive
from learners.exact import (
    CannotEnumerate,
    EnumeratedGenerator,
    EnumeratedRandom,
    exact_distribution,
    state_key,
)
from lsclasses.errors import InvalidInput
from lsclasses.verdicts import Verdict

HALF = Fraction(1, 2)


def law_of_python(run):
    return exact_distribution(lambda coins: run(EnumeratedRandom(coins)))


# ---- kept generators


class Boxed:
    def __init__(self, coins) -> None:
        self.box = [coins]

    def answer(self, bit, coins):
        return 0 if self.box[0].flip(HALF) else bit


class Flipping:
    def __init__(self, coins) -> None:
        self.flip = coins.flip

    def answer(self, bit, coins):
        return 0 if self.flip(HALF) else bit


class Closure:
    def __init__(self, coins) -> None:
        self.flip = lambda: coins.flip(HALF)

    def answer(self, bit, coins):
        return 0 if self.flip() else bit


KEPT: list = []


class Global:
    def __init__(self, coins) -> None:
        KEPT[:] = [coins]

    def answer(self, bit, coins):
        try:
            return 0 if KEPT[0].flip(HALF) else bit
        except Exception:
            return 0


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (Boxed, r"in object.box\[0\]"),
        (Flipping, "in object.flip"),
        (Closure, "whole state of object.flip"),
        (Global, "coins of an earlier run"),
    ],
)
def test_kept_generators_are_refused(make, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        interactive(make, [0, 1], (0, 0), rounds=2)


@pytest.mark.parametrize("source", [EnumeratedRandom, EnumeratedGenerator, lambda coins: coins])
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_generators_are_not_copied(source, copied) -> None:
    with pytest.raises(CannotEnumerate, match="copies its"):
        exact_distribution(lambda coins: copied(source(coins)).random())


def test_numbers_of_earlier_runs_are_refused() -> None:
    numbers: list = []

    def run(rng):
        numbers.append(rng.random())
        return numbers[0] < 0.5

    with pytest.raises(CannotEnumerate, match="of an earlier run"):
        law_of_python(run)


# ---- states of interactive objects


@dataclass(slots=True)
class Slotted:
    k: int

    def answer(self, bit, coins):
        return bit if self.k == 1 else 0


class Base:
    __slots__ = ("k",)


class Inherited(Base):
    __slots__ = ()

    def __init__(self, k) -> None:
        self.k = k

    def answer(self, bit, coins):
        return bit if self.k == 1 else 0


class Entries(dict):
    def __init__(self, k) -> None:
        super().__init__(k=k)

    def answer(self, bit, coins):
        return bit if self["k"] == 1 else 0


class Boolean:
    def __init__(self, k) -> None:
        self.k = (1, True, 1)[k]

    def answer(self, bit, coins):
        return bit if self.k is True else 0


class Zero:
    def __init__(self, k) -> None:
        self.k = (0.0, -0.0, 0.0)[k]

    def answer(self, bit, coins):
        return bit if math.copysign(1, self.k) < 0 else 0


class Array:
    def __init__(self, k) -> None:
        self.k = np.array([1, 0], (int, bool, int)[k])

    def answer(self, bit, coins):
        return bit if self.k.dtype == bool else 0


class Alias:
    def __init__(self, k) -> None:
        one: list = []
        self.k = [one, one if k == 1 else []]

    def answer(self, bit, coins):
        self.k[0].append(0)
        return bit if self.k[1] else 0


@pytest.mark.parametrize("kind", [Slotted, Inherited, Entries, Boolean, Zero, Array, Alias])
def test_states_that_differ_in_any_part_are_not_merged(kind) -> None:
    found = interactive(lambda coins: kind(coins.below(3)), [0, 1], (0, 0), rounds=2)
    assert found.verdict == Verdict.VIOLATED
    assert found.measured.overlaps(1 / type(found.measured)(3))


def test_slots_are_states_of_objects_with_data_sets() -> None:
    class Later:
        __slots__ = ("count", "rows")

        def __init__(self, rows, coins) -> None:
            self.rows, self.count = rows, 0

        def answer(self, query, coins):
            self.count += 1
            return sum(self.rows) if self.count > 1 else 0

    found = interactive(Later, [0], (0, 0), rounds=2, datasets=((0, 0), (0, 1)))
    assert found.measured == 1


class Hiding(Counter):
    """A counter whose copies lose an attribute."""

    hidden = 0


def counter_with_attribute():
    found = Hiding(a=1)
    found.hidden = 1
    return found


class Copying:
    def __deepcopy__(self, memo):
        return self


class Reduced:
    def __init__(self) -> None:
        self.a, self.b = 1, 2

    def __getstate__(self):
        return {"a": self.a}


def views():
    found = np.zeros(3)
    return found, found[1:]


@pytest.mark.parametrize(
    "value",
    [
        counter_with_attribute(),
        Copying(),
        Reduced(),
        views(),
        [].append,
        (each for each in "a"),
        math,
        [random.Random(1)],
        {"a": np.random.default_rng(1)},
        np.random.RandomState(1),
        random.SystemRandom(),
    ],
)
def test_states_that_are_not_visible_are_refused(value) -> None:
    with pytest.raises(InvalidInput):
        state_key(value)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Slotted(1), Slotted(True)),
        (Counter(a=1), Counter(a=2)),
        (deque([1]), deque([1], 3)),
        (defaultdict(int), defaultdict(list)),
        (OrderedDict(a=1), {"a": 1}),
        (np.float32(1), np.float64(1)),
        (np.zeros((0, 2)), np.zeros((0, 3))),
        (Decimal(1), Decimal("1.0")),
        ({1}, frozenset({1})),
        (float("nan"), 1.0),
    ],
)
def test_keys_of_states_distinguish_types_and_values(one, other) -> None:
    assert state_key(one) == state_key(copy.deepcopy(one))
    assert state_key(one) != state_key(other)


def test_equal_items_of_different_types_are_refused() -> None:
    with pytest.raises(InvalidInput, match="the types are int and bool"):
        interactive(lambda coins: Slotted(1), [1, True], (0, 0), rounds=1)
