"""The votes of drawn experts, one per phase, which the private Winnow releases.

The module also checks rows of features and labels, and plays streams in blocks of rounds.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from learners.coins import Coins
from learners.playing.base.state import IntegerVector, ValueRule
from learners.playing.base.winnow import signed_values
from learners.playing.features import Features
from learners.playing.learner import OnlineLearner
from learners.states import require_own
from lsclasses.errors import InvalidInput
from lsclasses.point_names import Label
from lsclasses.searching.bit_matrix import counting_type
from lsclasses.searching.blas import exact_product

# ---- examples


def checked_rows(X: ArrayLike, features: int) -> np.ndarray:
    """Check rows of 0/1 features. Return their array of shape (rows, features), not copied."""
    rows = X if isinstance(X, np.ndarray) else np.asarray(X)
    if rows.ndim != 2 or rows.shape[1] != features:
        raise InvalidInput(
            f"Examples must be rows of {features} features. Got an array of shape {rows.shape}."
        )
    if rows.dtype != bool and rows.dtype.kind not in "iu":
        raise InvalidInput(
            f"Features must be 0 or 1, as bool or integers. Got the type {rows.dtype}."
        )
    return rows


def _require_bits(block: np.ndarray) -> None:
    if block.dtype != bool and block.size and (block.min() < 0 or block.max() > 1):
        wrong = block[(block < 0) | (block > 1)][0]
        raise InvalidInput(
            f"Features must be 0 or 1. Write (X > 0) for signs. Got {int(wrong)} among them."
        )


def _checked_labels(y: ArrayLike, rounds: int) -> np.ndarray:
    labels = np.asarray(y)
    if labels.shape != (rounds,):
        raise InvalidInput(
            f"There must be one label a row, {rounds} in all. Got an array of shape {labels.shape}."
        )
    if labels.dtype != bool and labels.size:
        if labels.dtype.kind not in "iu":
            raise InvalidInput(
                f"Labels must be 0 or 1, as bool or integers. Got the type {labels.dtype}."
            )
        _require_labels(labels)
    return labels.astype(bool)


def _require_labels(labels: np.ndarray) -> None:
    unknown = labels[(labels != 0) & (labels != 1)]
    if len(unknown):
        raise InvalidInput(f"Labels must be 0 or 1. Got {int(unknown[0])} among them.")


# ---- votes


BLOCK = 1 << 22
"""Approximate number of entries of the feature matrix that are processed together."""


class SampledVote(ValueRule):
    """A released hypothesis: 1 if at least half of the drawn experts vote for 1, else 0.

    Parameters
    ----------
    features : Features
        Features of the points.
    votes : IntegerVector
        Number of draws of each expert: the features, the constant feature if there is a bias, and
        then their negations if there are any. The hypothesis is an average with
        ``votes.array.sum()`` terms, w~ in the paper.
    bias, balanced : bool
        Whether the experts include a constant feature, and negations.
    """

    __slots__ = ("_weights", "balanced", "bias", "features", "votes")

    def __init__(
        self, features: Features, votes: IntegerVector, bias: bool, balanced: bool
    ) -> None:
        self.features, self.votes, self.bias, self.balanced = features, votes, bias, balanced
        self._weights = signed_votes(votes, balanced)

    @property
    def weights(self) -> np.ndarray:
        """The integer weights of features with values -1 and 1, the constant feature last.

        Divided by the number of draws, these weights are the average of the drawn experts. The
        shape is (features + bias,).
        """
        return self._weights

    def _label_by(self, values: np.ndarray) -> Label:
        return int(self._weights @ signed_values(values, self.bias) >= 0)

    def labels(self, X: np.ndarray) -> np.ndarray:
        """Return the labels of rows of features, of shape (rows,) and dtype bool.

        The rows have shape (rows, features).

        Raises
        ------
        InvalidInput
            If the rows are not 0/1 or have another number of features.
        """
        rows = checked_rows(X, self.features.count)
        _require_bits(rows)
        found = [
            self._block(rows[start : start + self._height])
            for start in range(0, len(rows), self._height)
        ]
        return np.concatenate(found) if found else np.zeros(0, dtype=bool)

    @property
    def _height(self) -> int:
        return max(1, BLOCK // max(1, self.features.count))

    def _block(self, rows: np.ndarray) -> np.ndarray:
        count = self.features.count
        weights = self._weights[:count]
        # <w, 2x - 1> + bias >= 0, in integers that the floating point type represents exactly.
        offset = int(weights.sum() - self._weights[count:].sum())
        used = np.flatnonzero(weights)
        largest = int(np.abs(weights).sum())
        kind = counting_type(largest)
        if 4 * len(used) < count:
            rows, weights = rows[:, used], weights[used]
        sums = exact_product(rows.astype(kind), weights.astype(kind))
        return np.asarray(2 * sums >= offset)

    def _description(self) -> Hashable:
        return "votes", self.features, self.votes, self.bias, self.balanced

    def __repr__(self) -> str:
        drawn = int(self.votes.array.sum())
        return f"<Vote of {drawn} drawn experts over {self.features!r}>"


def signed_votes(votes: IntegerVector, balanced: bool) -> np.ndarray:
    """Return the number of draws of each feature minus the draws of its negation, as int64."""
    array = votes.array.astype(np.int64)
    if not balanced:
        return array
    half = len(array) // 2
    return np.asarray(array[:half] - array[half:])


@dataclass(frozen=True)
class Phase:
    """A released hypothesis and the first round (from 0) in which it predicts.

    Attributes
    ----------
    start : int
        Start of the phase, counted from the first round of its run.
    votes : IntegerVector
        Number of draws of each expert.
    """

    start: int
    votes: IntegerVector


# ---- blocks


FIRST_BLOCK = 64
"""Number of rounds that are predicted together at the beginning of a phase."""


class DrawnVotes(Protocol):
    """Protocol of a learner's state with the current votes, which determine predictions."""

    @property
    def votes(self) -> IntegerVector:
        """The number of draws of each expert for the current hypothesis."""

    @property
    def updates(self) -> int:
        """The number of hypotheses that were drawn so far."""


S = TypeVar("S", bound=DrawnVotes)


@dataclass(frozen=True, eq=False)
class WinnowRun(Generic[S]):
    """The record of a run of a private Winnow on a stream.

    Attributes
    ----------
    predictions : ndarray of bool, shape (rounds,)
        Predicted labels. Each prediction was made before the label of its round was read. **A
        prediction is only for the person of its round**, because it depends on that person's
        features. The guarantee covers the sequence of hypotheses, `phases`, and with it the
        predictions for all other persons.
    phases : tuple of Phase
        The released hypotheses. The first was the current hypothesis at the beginning of the run.
    mistakes : int
        Number of mistakes. It is secret, because it is a function of the labels.
    wrong : ndarray of bool, shape (rounds,)
        Whether the prediction of each round was a mistake. It is secret, too.
    state : WinnowState
        State from which a later run continues.
    hypothesis : SampledVote
        The last released hypothesis, which can be published and used to predict.
    """

    predictions: np.ndarray = field(repr=False)
    phases: tuple[Phase, ...] = field(repr=False)
    mistakes: int
    wrong: np.ndarray = field(repr=False)
    state: S = field(repr=False)
    hypothesis: SampledVote

    @property
    def updates(self) -> int:
        """The number of hypotheses that were drawn in this run."""
        return len(self.phases) - 1


class PlaysBlocks(OnlineLearner, Generic[S]):
    """Base of learners that predict many rounds at once, because hypotheses change seldom.

    A subclass supplies `features`, `bias`, `balanced` and `_advanced`.
    """

    features: Features
    bias: bool
    balanced: bool

    def hypothesis(self, state: S) -> SampledVote:
        """Return the current hypothesis of a state, which is public.

        Raises
        ------
        InvalidInput
            If another learner started the state.
        """
        require_own(self, state)
        return SampledVote(self.features, state.votes, self.bias, self.balanced)

    def averaged(self, phases: Iterable[Phase]) -> SampledVote:
        """Return the majority vote of all experts in the hypotheses of some phases.

        A phase is the time in which one hypothesis is published. The vote is computed from
        published hypotheses, so it has no privacy cost. It has no proved bound, but it is often
        less noisy than the last hypothesis.

        Raises
        ------
        InvalidInput
            If no phases are given.
        """
        votes = [phase.votes.array for phase in phases]
        if not votes:
            raise InvalidInput("No hypothesis was given, so there is no average.")
        sums = IntegerVector.of(np.sum(votes, axis=0))
        return SampledVote(self.features, sums, self.bias, self.balanced)

    @abstractmethod
    def _advanced(
        self, state: S, rows: np.ndarray, labels: np.ndarray, wrong: np.ndarray, coins: Coins
    ) -> tuple[int, S]:
        """Read rounds until another hypothesis is drawn, and return their number and the rest."""

    def run(
        self, X: ArrayLike, y: ArrayLike, coins: Coins, *, state: S | None = None
    ) -> WinnowRun[S]:
        """Play a whole stream of examples, or continue an earlier stream, and return a record.

        The results equal the results of calling `predict` and `learn` in each round, but the method
        is faster.

        Parameters
        ----------
        X : array of bool or of 0/1 integers, shape (rounds, features)
            Features of the points of all rounds. A memory map is allowed, because the method reads
            one block of rows at a time.
        y : array of bool or of 0/1 integers, shape (rounds,)
            True labels.
        coins : Coins
            Source of randomness, `SecureCoins` for a release.
        state : WinnowState, optional
            State at the end of an earlier call (``run.state`` for the returned record ``run``) of
            this learner or an equal learner. The default is the state before the first round.
            `privacy` is the total cost of all calls together, provided that each state is continued
            at most once.

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
