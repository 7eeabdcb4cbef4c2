r"""Halving by a majority of few concepts, drawn from the version space.

If a class has few concepts for its Littlestone dimension, such as a table without structure, this
learner has fewer mistakes than `learners.majorities.algorithm`. It needs no dimension.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from learners.coins import SeededCoins
from learners.majorities.certificates import HalvingCertificate, steps_above
from learners.playing.base.proper_soa import (
    Subclasses,
    subclass_from_json,
    subclass_to_json,
    written_out,
)
from learners.playing.base.state import ConservativeLearner
from lsclasses.concept_class import ConceptClass, OfClass
from lsclasses.frozen import set_frozen_fields
from lsclasses.point_names import Label, Point
from lsclasses.vote import Vote

TOLERANCE = Fraction(1, 10)
"""The number tau. The drawn votes must have the majority of all votes at every point at which at
least 1/2 + tau of all votes agree."""
SEED = 0
"""The seed of the draws in every state, so that a hypothesis depends only on the state."""
WORD = 1 << 62
"""Sum of weights below which 64-bit integers count the weights. Python integers count larger
sums."""


def few_votes(
    rows: NDArray[np.uint8], mixture: Mapping[int, int], tolerance: Fraction
) -> dict[int, int]:
    """Return a small sample of a mixture whose majority agrees with clear majorities of it.

    Concepts are drawn with a fixed seed until the number of draws is odd and the majority of the
    drawn concepts equals the majority of the mixture wherever the majority of the mixture has at
    least the share 1/2 + tau. By Hoeffding's inequality, this ends soon, because m draws fail with
    probability at most 2 |X| exp(-2 m tau^2).

    Parameters
    ----------
    rows : ndarray of shape (concepts, points), 0 or 1
        Labels of each concept at all points.
    mixture : mapping of int to int
        Positions of rows with positive weights.
    tolerance : Fraction
        Number tau, strictly between 0 and 1/2.

    Returns
    -------
    dict
        Positions, increasing, with their numbers of draws.

    Examples
    --------
    >>> few_votes(np.eye(64, dtype=np.uint8), dict.fromkeys(range(64), 1), TOLERANCE)
    {15: 1, 34: 1, 49: 1}
    """
    positions, weights = list(mixture), list(mixture.values())
    sums = list(accumulate(weights))
    total = sums[-1]
    chosen = rows[positions]
    if total < WORD:
        # In blocks: a table of 64 bits an entry would be eight times as large.
        ones = np.einsum("i,ij->j", np.array(weights, np.int64), chosen)
    else:
        ones = np.array(weights, object) @ chosen.astype(object)
    surely = [_most(side, total, tolerance) for side in (total - ones, ones)]
    coins = SeededCoins(SEED)
    drawn: list[int] = []
    counts = np.zeros(rows.shape[1], np.int64)
    while True:
        drawn.append(positions[bisect_right(sums, coins.below(total))])
        counts += rows[drawn[-1]]
        if len(drawn) % 2:
            majority = 2 * counts > len(drawn)
            if not (majority & surely[0]).any() and (majority | ~surely[1]).all():
                return dict(sorted(Counter(drawn).items()))


def _most(shares: NDArray[np.generic], total: int, tolerance: Fraction) -> NDArray[np.bool_]:
    """Return the positions where a share is at least 1/2 + tau of the total."""
    enough = (Fraction(1, 2) + tolerance) * total
    return np.array([share >= enough for share in shares.tolist()])


def halvings_at_most(concepts: int) -> int:
    """Return a mistake bound of `SparseHalving` on `concepts` concepts.

    The bound is the largest n with (1/2 + tau)^n N >= 1, which is at most 1.357 log2 N.

    Examples
    --------
    >>> [halvings_at_most(concepts) for concepts in (1, 2, 16, 1000, 10**6)]
    [0, 1, 5, 13, 27]
    """
    return steps_above(Fraction(concepts), Fraction(1), Fraction(1, 2) + TOLERANCE)


@dataclass(frozen=True)
class SparseHalving(OfClass, ConservativeLearner):
    """An online learner by majorities of m concepts, with at most 1.357 log2 N mistakes.

    The class has N concepts. The learner keeps the *remaining* concepts, which agree with the true
    labels at all its mistakes. It draws m remaining concepts with a fixed seed and predicts by
    their majority. For tau = 1/10, a majority is *clear* at a point if a share of at least 1/2 +
    tau of the remaining concepts agree at this point. The number m is the least odd number with
    which the m concepts repeat every clear majority. So on a mistake, at most a share 1/2 + tau of
    the remaining concepts are right, and only these concepts stay. After n mistakes, at most (1/2 +
    tau)^n N concepts remain. At least one concept remains if some concept is consistent with all
    examples, so n is at most 1.357 log2 N.

    Parameters
    ----------
    concept_class : ConceptClass
        Class that is not empty and can be enumerated as a table.

    Attributes
    ----------
    remaining : int
        Bit mask of the concepts that agree with the true labels at the mistakes so far.
    mistakes : int
        Number of mistakes so far. Equality of states ignores this number.
    realizable : bool
        Whether some concept agrees with the true labels at all mistakes so far.

    Raises
    ------
    InvalidInput
        If the class is empty.
    TooLarge
        If the class cannot be enumerated as a table.

    References
    ----------
    Barzdin and Freivalds 1972; Littlestone 1988, with votes drawn as for [LWY25, Lemma E.9]

    Examples
    --------
    >>> import catalog
    >>> state = SparseHalving(catalog.build("intervals:n=44"))
    >>> state.mistake_bound, state.votes
    (13, 23)
    >>> state.observe(20, 1 - state.predict(20)).mistake_bound
    12
    """

    concept_class: ConceptClass = field(compare=False)
    remaining: int = 0
    mistakes: int = field(default=0, compare=False)
    realizable: bool = True
    _subclasses: Subclasses | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self._subclasses is None:
            subclasses = Subclasses(written_out(self.concept_class))
            set_frozen_fields(self, _subclasses=subclasses, remaining=subclasses.all)

    @property
    def subclasses(self) -> Subclasses:
        """An object with the operations on bit masks of concepts, such as the mask `remaining`."""
        assert self._subclasses is not None
        return self._subclasses

    @cached_property
    def voters(self) -> dict[int, int]:
        """The voting concepts, as positions in the table of the class with multiplicities."""
        members = self.subclasses.members(self.remaining).tolist()
        return few_votes(self.subclasses.rows, dict.fromkeys(members, 1), TOLERANCE)

    @property
    def votes(self) -> int:
        """The number m of concepts, with repetitions, whose majority is the learner's rule."""
        return sum(self.hypothesis.weights)

    @cached_property
    def hypothesis(self) -> Vote:
        """The rule (hypothesis) that predicts in this state. Rules with equal labels are equal."""
        table = self.subclasses.table
        return Vote([table[i] for i in self.voters], self.voters.values())

    @property
    def mistake_bound(self) -> int | None:
        """A bound on the remaining mistakes, or None if no concept is consistent."""
        return halvings_at_most(self.remaining.bit_count()) if self.realizable else None

    def certificate(self) -> HalvingCertificate:
        """Return a certificate that proves the mistake bound of this state by counting concepts.

        Examples
        --------
        >>> import catalog
        >>> C = catalog.build("intervals:n=6").to_table()
        >>> proof = SparseHalving(C).certificate()
        >>> proof.claim
        'at most 6 more mistakes if one of its 22 concepts agrees with all examples'
        >>> proof.verify(C)
        """
        members = tuple(self.subclasses.members(self.remaining).tolist())
        bound = halvings_at_most(len(members))
        return HalvingCertificate(TOLERANCE, members, tuple(self.voters.items()), bound)

    def to_json(self, start: Self) -> dict[str, Any]:
        """Return the state as a JSON object: the bit mask of the remaining concepts."""
        return subclass_to_json(self)

    def from_json(self, data: Any) -> Self:
        """Return the state that `SparseHalving.to_json` wrote, with the class of this state."""
        return replace(self, **subclass_from_json(self.subclasses, data))

    def _corrected(self, x: Point, y: Label) -> Self:
        point = self.subclasses.table.domain.index(x)
        left = self.subclasses.side(self.remaining, point, y)
        if not left:
            return replace(self, mistakes=self.mistakes + 1, realizable=False)
        return replace(self, remaining=left, mistakes=self.mistakes + 1)
