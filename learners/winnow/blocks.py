"""Whole streams of rows, a block of rounds at a time."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from learners.coins import Coins
from learners.playing.base.state import IntegerVector
from learners.playing.features import Features
from learners.playing.learner import OnlineLearner
from learners.states import require_own
from learners.winnow.examples import _checked_labels, _require_bits, checked_rows
from learners.winnow.votes import Phase, SampledVote
from lsclasses.errors import InvalidInput

FIRST_BLOCK = 64
"""How many rounds are predicted together at the beginning of a phase."""


class DrawnVotes(Protocol):
    """A state with the votes in force; only these are read here."""

    @property
    def votes(self) -> IntegerVector:
        """The number of times that each expert was drawn."""

    @property
    def updates(self) -> int:
        """The number of times that experts were drawn anew."""


S = TypeVar("S", bound=DrawnVotes)


@dataclass(frozen=True, eq=False)
class WinnowRun(Generic[S]):
    """The record of a run on a stream.

    Attributes
    ----------
    predictions : ndarray of bool, shape (rounds,)
        Each was made before the label of its round was read. **A prediction is meant for the
        person of its round:** it depends on that person's features. What the guarantee covers is
        the sequence of hypotheses, `phases`, and with it the predictions for all others.
    phases : tuple of Phase
        The released hypotheses; the first one was in force when the run began.
    mistakes : int
        Secret: it is a function of the labels.
    wrong : ndarray of bool, shape (rounds,)
        Secret: the rounds with mistakes.
    state : WinnowState
        Where to go on.
    hypothesis : SampledVote
        The last released hypothesis; it can be published and used to predict.
    """

    predictions: np.ndarray = field(repr=False)
    phases: tuple[Phase, ...] = field(repr=False)
    mistakes: int
    wrong: np.ndarray = field(repr=False)
    state: S = field(repr=False)
    hypothesis: SampledVote

    @property
    def updates(self) -> int:
        """The number of hypotheses drawn in this run."""
        return len(self.phases) - 1


class PlaysBlocks(OnlineLearner, Generic[S]):
    """Base of learners whose hypothesis stays for many rounds, so that blocks are labelled.

    A subclass supplies `features`, `bias`, `balanced` and `_advanced`.
    """

    features: Features
    bias: bool
    balanced: bool

    def hypothesis(self, state: S) -> SampledVote:
        """The hypothesis in force, which is public.

        Raises
        ------
        InvalidInput
            If another learner started the state.
        """
        require_own(self, state)
        return SampledVote(self.features, state.votes, self.bias, self.balanced)

    def averaged(self, phases: Iterable[Phase]) -> SampledVote:
        """The vote of all experts drawn for some hypotheses.

        It is computed from what is released, so it costs nothing. Nothing is proved of it, but
        it is often less noisy than the last hypothesis.

        Raises
        ------
        InvalidInput
            If there is no hypothesis.
        """
        votes = [phase.votes.array for phase in phases]
        if not votes:
            raise InvalidInput("There is nothing to average: no hypothesis was given.")
        sums = IntegerVector.of(np.sum(votes, axis=0))
        return SampledVote(self.features, sums, self.bias, self.balanced)

    @abstractmethod
    def _advanced(
        self, state: S, rows: np.ndarray, labels: np.ndarray, wrong: np.ndarray, coins: Coins
    ) -> tuple[int, S]:
        """Read rounds until another hypothesis is drawn; returns their number, and the rest."""

    def run(
        self, X: ArrayLike, y: ArrayLike, coins: Coins, *, state: S | None = None
    ) -> WinnowRun[S]:
        """Play a whole stream, or continue it.

        It makes the same draws as `predict` and `learn` round by round, and gives the same.

        Parameters
        ----------
        X : array of bool or of 0/1 integers, shape (rounds, features)
            A row a round. It may be a memory map; a block of rows is read at a time.
        y : array of bool or of 0/1 integers, shape (rounds,)
        coins : Coins
        state : WinnowState, optional
            Where an earlier run of this learner, or of an equal one, ended (``run.state``); a fresh
            start when omitted. What all of it costs together is `privacy`, provided that nothing
            goes on from the same state twice.

        Raises
        ------
        InvalidInput
            If the shapes do not fit, an entry is neither 0 nor 1, or another learner started the
            state.
        """
        if state is not None:
            require_own(self, state)
        rows = checked_rows(X, self.features.count)
        labels = _checked_labels(y, len(rows))
        if state is None:
            state = self.start(coins)
        predictions = np.zeros(len(rows), dtype=bool)
        wrong = np.zeros(len(rows), dtype=bool)
        phases = [Phase(0, state.votes)]
        hypothesis = self.hypothesis(state)
        done, size = 0, FIRST_BLOCK
        while done < len(rows):
            block = rows[done : done + min(size, hypothesis._height)]
            _require_bits(block)
            end = done + len(block)
            predicted = hypothesis._block(block)
            mistaken = predicted != labels[done:end]
            used, after = self._advanced(state, block, labels[done:end], mistaken, coins)
            predictions[done : done + used] = predicted[:used]
            wrong[done : done + used] = mistaken[:used]
            done += used
            if after.updates > state.updates:
                hypothesis = self.hypothesis(after)
                phases.append(Phase(done, after.votes))
                size = FIRST_BLOCK
            else:
                size *= 2
            state = after
        return WinnowRun(predictions, tuple(phases), int(wrong.sum()), wrong, state, hypothesis)
