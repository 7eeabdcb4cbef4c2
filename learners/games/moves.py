"""Moves, what is seen of them, and adversaries."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from learners.coins import Coins
from lsclasses.errors import InvalidInput


class _Shown(Enum):
    HIDDEN = "hidden"

    NOTHING = "nothing"

    def __repr__(self) -> str:
        return self.name


HIDDEN = _Shown.HIDDEN
"""The adversary's view of a challenge round whose answer only the user sees."""

NOTHING = _Shown.NOTHING
"""The view where a hypothesis is due and the mechanism has halted."""


Item = Any
"""The input of a mechanism: a number, a query, an example, a user."""


@dataclass(frozen=True)
class Ask:
    """A move with the same item (query, example, user) for both values of the secret bit."""

    item: Hashable

    def input(self, bit: int) -> Item:
        """The item that the mechanism receives."""
        return self.item


@dataclass(frozen=True)
class Challenge:
    """A move with the item `zero` if the secret bit is 0, and `one` if it is 1."""

    zero: Hashable
    one: Hashable

    def input(self, bit: int) -> Item:
        """The item that the mechanism receives."""
        return self.one if bit else self.zero


@dataclass(frozen=True)
class Datasets:
    """A move of two neighbouring data sets, one of which the mechanism receives."""

    zero: Sequence[Hashable]
    one: Sequence[Hashable]

    def input(self, bit: int) -> Item:
        """The data set that the mechanism receives."""
        return self.one if bit else self.zero


Move = Ask | Challenge | Datasets


@dataclass(frozen=True)
class View:
    """The view of an adversary: its own randomness and moves, and the answers shown to it.

    Attributes
    ----------
    randomness : hashable
        What the adversary drew before its first move.
    opening : hashable
        What it was shown before its first move.
    moves : tuple of Move
    answers : tuple
        What it was shown after each of them.
    halted : bool
        Whether it saw that the mechanism halted, after all of this.
    """

    randomness: Hashable = None
    opening: Hashable = None
    moves: tuple[Move, ...] = ()
    answers: tuple[Hashable, ...] = ()
    halted: bool = False

    def after(self, move: Move, answer: Hashable, halted: bool = False) -> View:
        """The view one round later."""
        return View(
            self.randomness, self.opening, (*self.moves, move), (*self.answers, answer), halted
        )

    @property
    def challenges(self) -> int:
        """The number of challenges so far."""
        return sum(isinstance(move, Challenge) for move in self.moves)


class Adversary(ABC):
    """An adversary: it chooses each move from its view, which has all its randomness."""

    def draw(self, coins: Coins) -> Hashable:
        """The adversary's randomness, drawn before its first move; empty unless overridden."""
        return None

    @abstractmethod
    def move(self, view: View) -> Move | None:
        """The next move, or None to stop."""


@dataclass(frozen=True)
class Oblivious(Adversary):
    """An oblivious adversary, whose moves are fixed before the game.

    Examples
    --------
    >>> Oblivious.of("aab", "aba").moves
    (Ask(item='a'), Challenge(zero='a', one='b'), Challenge(zero='b', one='a'))
    """

    moves: tuple[Move, ...]

    @classmethod
    def of(cls, zero: Sequence[Hashable], one: Sequence[Hashable]) -> Oblivious:
        """The adversary of two sequences of equal length, with a challenge where they differ.

        Raises
        ------
        InvalidInput
            If the lengths differ.
        """
        if len(zero) != len(one):
            raise InvalidInput(
                f"Two streams must have the same length. Got {len(zero)} and {len(one)}."
            )
        return cls(
            tuple(Ask(x) if x == y else Challenge(x, y) for x, y in zip(zero, one, strict=True))
        )

    def move(self, view: View) -> Move | None:
        """The next fixed move."""
        turn = len(view.moves)
        return self.moves[turn] if turn < len(self.moves) else None
