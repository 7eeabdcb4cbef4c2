"""What the mechanisms share that answer one number of a stream after the other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar, Generic, Self, TypeVar

from learners.coins import Coins
from learners.states import Mechanism, State
from lsclasses.errors import InvalidInput

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
