"""What the private Winnow releases: votes of drawn experts, one for each phase."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from learners.playing.base.state import IntegerVector, ValueRule
from learners.playing.base.winnow import signed_values
from learners.playing.features import Features
from learners.winnow.examples import _require_bits, checked_rows
from lsclasses.points import Label
from lsclasses.searching.bit_matrix import counting_type

BLOCK = 1 << 22
"""About how many features are looked at together."""


class SampledVote(ValueRule):
    """The released hypothesis: 1 iff at least half of the drawn experts vote for 1.

    Parameters
    ----------
    features : Features
    votes : IntegerVector
        How often each expert was drawn: the features, the constant one if there is a bias, and
        then the negations of all these if there are any. It is an average with
        ``votes.array.sum()`` terms, w~ in the paper.
    bias, balanced : bool
        What experts there are.
    """

    __slots__ = ("_weights", "balanced", "bias", "features", "votes")

    def __init__(
        self, features: Features, votes: IntegerVector, bias: bool, balanced: bool
    ) -> None:
        self.features, self.votes, self.bias, self.balanced = features, votes, bias, balanced
        self._weights = signed_votes(votes, balanced)

    @property
    def weights(self) -> np.ndarray:
        """The weights of the features as numbers -1 and 1, the constant one last; integers.

        Divided by the number of draws they are the average of the drawn experts; shape
        (features + bias,).
        """
        return self._weights

    def _label_by(self, values: np.ndarray) -> Label:
        return int(self._weights @ signed_values(values, self.bias) >= 0)

    def labels(self, X: np.ndarray) -> np.ndarray:
        """The labels of rows of features; shape (rows, features) to shape (rows,), dtype bool.

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
        sums = rows.astype(kind) @ weights.astype(kind)
        return np.asarray(2 * sums >= offset)

    def _description(self) -> Hashable:
        return "votes", self.features, self.votes, self.bias, self.balanced

    def __repr__(self) -> str:
        drawn = int(self.votes.array.sum())
        return f"<Vote of {drawn} drawn experts over {self.features!r}>"


def signed_votes(votes: IntegerVector, balanced: bool) -> np.ndarray:
    """The number of draws of each feature minus that of its negation; int64."""
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
        Counted from the first round of the run that it belongs to.
    votes : IntegerVector
        How often each expert was drawn.
    """

    start: int
    votes: IntegerVector
