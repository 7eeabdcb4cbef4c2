"""Base classes of mechanisms that answer the numbers of a stream one after the other."""

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
    """A run of a `StreamMechanism`, an immutable state that answers one number at a time.

    A subclass is a frozen dataclass and supplies `_ask`, and `halted` if it can halt.
    """

    @property
    def halted(self) -> bool:
        """Whether the run has halted. A halted run gives no more answers."""
        return False

    def ask(self, value: int, coins: Coins) -> tuple[Answer, Self]:
        """Return the answer to the next number of the stream, and the run after it.

        Raises
        ------
        InvalidInput
            If the run has halted or has answered all its questions, or the mechanism does not
            protect the value.
        """
        if self.halted:
            raise InvalidInput(
                "The run has halted, because its budget is spent. Start a new run, which costs "
                f"{self.mechanism.cost} again."  # type: ignore[attr-defined]
            )
        return self._ask(value, coins)

    def to_json(self) -> dict[str, Any]:
        """Return the secret state, for the file of a paused game."""
        return {
            each.name: written(getattr(self, each.name))
            for each in fields(self)
            if each.name != "mechanism"
        }

    @classmethod
    def from_json(cls, mechanism: Any, data: Any) -> Self:
        """Return the run of a mechanism that `to_json` wrote."""
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
        """Answer the next number, for a run that has not halted."""


class StreamMechanism(ABC, Generic[Answer, Run]):
    """A mechanism that answers an adaptively chosen stream of numbers until it halts.

    The mechanism is an immutable object. `start` returns a run, and the method ``ask`` of a run
    returns an answer and the next run.
    """

    cost: ClassVar[str] = "epsilon"
    """The cost of a new run, in words."""

    @abstractmethod
    def start(self, coins: Coins) -> Run:
        """Start a run and draw the randomness that precedes the first number."""

    def answers(self, values: Iterable[int], coins: Coins) -> tuple[Answer, ...]:
        """Return the answers to a stream of numbers, up to the answer after which the run halts."""
        run, given = self.start(coins), []
        for value in values:
            answer, run = run.ask(value, coins)
            given.append(answer)
            if run.halted:
                break
        return tuple(given)
