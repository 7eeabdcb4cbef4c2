"""Small mechanisms, one for each protocol, and adversaries."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from learners.accounting import Event
from learners.coins import Coins
from learners.games import Adversary, Ask, Challenge, Move, View


@dataclass(frozen=True)
class NoisySum:
    """A `Responder`: the parity of the bits so far, flipped with probability 1/5."""

    halts_after: int = 99

    def start(self, coins: Coins) -> tuple[int, int]:
        return 0, 0

    def answer(self, state: Any, item: int, coins: Coins) -> tuple[Any, Hashable]:
        parity, count = state[0] ^ item, state[1] + 1
        seen = parity ^ coins.flip(Fraction(1, 5))
        return (None if count >= self.halts_after else (parity, count)), int(seen)


@dataclass(frozen=True)
class Echo:
    """A `Learner`: predicts the last label that it was told, sometimes the other one."""

    privacy: Event | None = None

    def start(self, coins: Coins) -> int:
        return int(coins.flip(Fraction(1, 3)))

    def predict(self, state: int, point: Any, coins: Coins) -> tuple[int, Hashable]:
        return state, (point, state ^ coins.flip(Fraction(1, 4)))

    def learn(self, state: int, point: Any, label: int, coins: Coins) -> int:
        return label


@dataclass(frozen=True)
class EchoResponder:
    """The same learner as a `Responder` to the messages (point) and then (label)."""

    learner: Echo

    def start(self, coins: Coins) -> Any:
        return self.learner.start(coins), None

    def answer(self, state: Any, message: Any, coins: Coins) -> tuple[Any, Hashable]:
        inner, point = state
        if point is None:
            inner, predicted = self.learner.predict(inner, message[0], coins)
            return (inner, message), predicted
        return (self.learner.learn(inner, point[0], message[0], coins), None), None


@dataclass(frozen=True)
class Pupil:
    """A `User` of `GeneralGame` that brings an example."""

    point: str
    label: int

    def draw(self, coins: Coins) -> Hashable:
        return None

    def speak(self, randomness: Hashable, heard: tuple[Hashable, ...]) -> Any | None:
        return [(self.point,), (self.label,), None][len(heard)]


@dataclass(frozen=True)
class Saying:
    """A `User` that says the same so many times."""

    message: int
    times: int = 1

    def draw(self, coins: Coins) -> Hashable:
        return None

    def speak(self, randomness: Hashable, heard: tuple[Hashable, ...]) -> Any | None:
        return self.message if len(heard) < self.times else None


@dataclass(frozen=True)
class LastItem:
    """A `Publisher`: the hypothesis is the item read last, "nothing" at first."""

    def start(self, coins: Coins) -> Any:
        return "nothing"

    def publish(self, state: Any, coins: Coins) -> tuple[Any, Hashable]:
        return state, state

    def receive(self, state: Any, item: Any, coins: Coins) -> Any:
        return item


@dataclass(frozen=True)
class SetQueries:
    """A `Querier`: the query's value, noisy."""

    def start(self, dataset: Any, coins: Coins) -> Any:
        return dataset

    def answer(self, state: Any, query: Any, coins: Coins) -> tuple[Any, Hashable]:
        return state, query(state) + coins.below(2)


class Curious(Adversary):
    """Asks for what it saw last, after a first move that it draws; challenges once."""

    def draw(self, coins: Coins) -> Hashable:
        return coins.below(2)

    def move(self, view: View) -> Move | None:
        if not view.answers:
            assert isinstance(view.randomness, int)
            return Ask(view.randomness)
        if len(view.answers) == 1:
            return Challenge(0, 1)
        last = view.answers[-1]
        return Ask(last) if last in (0, 1) else None


class Kind(Adversary):
    """Plays what it is told, without a check."""

    def __init__(self, *moves: Any) -> None:
        self.moves = moves

    def move(self, view: View) -> Move | None:
        return self.moves[len(view.moves)] if len(view.moves) < len(self.moves) else None


class Memory:
    """A mutable object that answers; `PickledObject` turns it into a `Responder`."""

    def __init__(self) -> None:
        self.parity, self.halted, self.left = 0, False, 2

    def answer(self, item: int, coins: Coins) -> int:
        self.parity ^= item
        self.left -= 1
        self.halted = not self.left
        return int(self.parity ^ coins.flip(Fraction(1, 5)))
