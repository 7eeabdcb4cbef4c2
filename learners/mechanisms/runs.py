"""What the mechanisms share that answer one number of a stream after the other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import fields
from typing import Any, ClassVar, Generic, Self, TypeVar, get_type_hints

from learners.codec import Codec, written
from learners.coins import Coins
from learners.states import Mechanism, State
from lsclasses.errors import InvalidInput

CODEC = Codec()

Answer = TypeVar("Answer")
Run = TypeVar("Run", bound="StreamRun[Any, Any]")


class StreamRun(State[Mechanism], ABC, Generic[Mechanism, Answer]):
    """A run of a `StreamMechanism`: an immutable state that answers one number at a time.

    A subclass is a frozen dataclass and supplies `_ask`, and `halted` if it can halt.
    """

    @property
    def halted(self) -> bool:
        """Whether the run has halted; then it answers no more."""
        return False

    def ask(self, value: int, coins: Coins) -> tuple[Answer, Self]:
        """The answer to the next number of the stream, and the run after it.

        Raises
        ------
        InvalidInput
            If the run has halted, all questions that it was made for have been asked, or the value
            is no number that the mechanism protects.
        """
        if self.halted:
            raise InvalidInput(
                "The run has halted: its budget is spent. Start a new one, which costs its "
                f"{self.mechanism.cost} again."  # type: ignore[attr-defined]
            )
        return self._ask(value, coins)

    def to_json(self) -> dict[str, Any]:
        """The secret state, for the file of a paused game."""
        return {
            each.name: written(getattr(self, each.name))
            for each in fields(self)
            if each.name != "mechanism"
        }

    @classmethod
    def from_json(cls, mechanism: Any, data: Any) -> Self:
        """The run of a mechanism that `to_json` wrote."""
        hints = get_type_hints(cls)
        return cls(
            mechanism,
            **{
                each.name: CODEC.value(hints[each.name], data[each.name], each.name)
                for each in fields(cls)
                if each.name != "mechanism"
            },
        )

    @abstractmethod
    def _ask(self, value: int, coins: Coins) -> tuple[Answer, Self]:
        """As `ask`, for a run that has not halted."""


class StreamMechanism(ABC, Generic[Answer, Run]):
    """A mechanism that answers an adaptively chosen stream of numbers until it halts.

    It is a description; `start` gives a run, whose ``ask`` gives an answer and the next run.
    """

    cost: ClassVar[str] = "epsilon"
    """The cost of a new run, in words."""

    @abstractmethod
    def start(self, coins: Coins) -> Run:
        """Start a run; randomness that precedes the first number is drawn here."""

    def answers(self, values: Iterable[int], coins: Coins) -> tuple[Answer, ...]:
        """The answers to a whole stream, up to the one with which the run halts."""
        run, given = self.start(coins), []
        for value in values:
            answer, run = run.ask(value, coins)
            given.append(answer)
            if run.halted:
                break
        return tuple(given)
