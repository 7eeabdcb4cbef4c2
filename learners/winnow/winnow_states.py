"""The state that `learners.winnow.algorithm.DPWinnow` keeps between two rounds."""

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
        Draws of each expert for the current hypothesis, or 1 for each before any update.
    updates : int
        Number of hypotheses drawn so far.
    scores : IntegerVector
        Secret: the scores s, which are the sum of y z over the examples of all updates. The scores
        of negations are omitted.
    waiting : CumulativeRun or None
        Secret: the counter of the mistakes in this phase, or None if no updates remain.
    cached : IntegerVector
        Secret: the sum of y z over the mistakes cached in this phase.
    held : int
        Secret: number of cached mistakes.
    """

    votes: IntegerVector
    updates: int
    scores: IntegerVector
    waiting: CumulativeRun | None
    cached: IntegerVector
    held: int = 0

    def __post_init__(self) -> None:
        # A phase without a counter would be free, and a phase after the last is not paid for.
        if (self.waiting is None) != (self.updates >= self.mechanism.updates):
            raise InvalidInput(
                f"Mistakes are counted in the {self.mechanism.updates} phases that end with an "
                f"update and not afterwards. Got {plural(self.updates, 'update')}."
            )
        if self.waiting is not None:
            require_own(self.mechanism.counter, self.waiting)

    def to_json(self) -> dict[str, Any]:
        """Return the secret state as JSON values for a paused game's file, without examples."""
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
        """Return the state of a learner that `to_json` wrote."""
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
    """The secret data that a phase leaves at its end, from which the next phase is drawn."""

    updates: int
    scores: IntegerVector
    cached: IntegerVector
    held: int
