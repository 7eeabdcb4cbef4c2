"""What `learners.winnow.algorithm.DPWinnow` keeps between two rounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from learners import checked
from learners.mechanisms.sparse_vector import CumulativeRun
from learners.playing.base.state import IntegerVector
from learners.states import State, require_own
from lsclasses.errors import InvalidInput
from lsclasses.numbers import plural


@dataclass(frozen=True)
class WinnowState(State[Any]):
    """A state of `DPWinnow`. Only `votes` and `updates` are public.

    Attributes
    ----------
    votes : IntegerVector
        How often each expert was drawn for the hypothesis in force; all once before any update.
    updates : int
        How many hypotheses were drawn so far.
    scores : IntegerVector
        Secret: s, the sum of y z over the examples of all updates, without the negations.
    waiting : CumulativeRun or None
        Secret: counts the mistakes of the phase; None once no update is left.
    cached : IntegerVector
        Secret: the sum of y z over the mistakes cached in this phase.
    held : int
        Secret: how many are cached.
    """

    votes: IntegerVector
    updates: int
    scores: IntegerVector
    waiting: CumulativeRun | None
    cached: IntegerVector
    held: int = 0

    def __post_init__(self) -> None:
        # A phase that nothing counts would be free, and one after the last is not paid for.
        if (self.waiting is None) != (self.updates >= self.mechanism.updates):
            raise InvalidInput(
                f"Mistakes are counted in the {self.mechanism.updates} phases that end with an "
                f"update and not afterwards. Got {plural(self.updates, 'update')}."
            )
        if self.waiting is not None:
            require_own(self.mechanism.counter, self.waiting)

    def to_json(self) -> dict[str, Any]:
        """The secret state, for the file of a paused game; no example is in the clear."""
        return {
            "votes": self.votes.array.tolist(),
            "updates": self.updates,
            "scores": self.scores.array.tolist(),
            "waiting": None if self.waiting is None else self.waiting.to_json(),
            "cached": self.cached.array.tolist(),
            "held": self.held,
        }

    @classmethod
    def from_json(cls, mechanism: Any, data: Any) -> Self:
        """The state of a learner that `to_json` wrote."""
        entries, waiting = mechanism.features.count + mechanism.bias, data["waiting"]
        return cls(
            mechanism,
            _read(data["votes"], mechanism.experts),
            checked.nonnegative(data["updates"], "number of updates"),
            _read(data["scores"], entries),
            None if waiting is None else CumulativeRun.from_json(mechanism.counter, waiting),
            _read(data["cached"], entries),
            checked.nonnegative(data["held"], "number of cached mistakes"),
        )


def _read(data: Any, entries: int) -> IntegerVector:
    return IntegerVector.of(np.array(data)).filled(entries)


@dataclass(frozen=True)
class EndedPhase:
    """The data on which the end of a phase depends; its noise is not part of it."""

    updates: int
    scores: IntegerVector
    cached: IntegerVector
    held: int
