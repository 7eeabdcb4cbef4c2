"""The optimal randomized online learner, with exact expected mistakes.

Let RL be the randomized Littlestone dimension, -1 for the empty class. On a point x the learner
predicts 1 with the probability that makes both answers equally bad,

    p + RL(V[x=0]) = (1 - p) + RL(V[x=1]),

clipped to [0, 1]. The left side is the expected loss if the label is 0, and the right side is the
expected loss if the label is 1. Both sides are at most RL(V). So the learner makes at most RL(C)
mistakes in expectation against any adaptive adversary, and no learner can guarantee fewer mistakes
(Filmus, Hanneke, Mehalel and Moran 2023).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from lsclasses.concept_class import ConceptClass, require_class
from lsclasses.errors import InvalidInput, NotRealizable, TooLarge
from lsclasses.limits import Limit
from lsclasses.point_names import Label, Point, check_label
from lsclasses.searching.littlestone_search import ExpectedDepthSearch
from lsclasses.soa import version_space_from_json, version_space_to_json


class RandomizedSOA:
    """A state of the randomized online learner that is optimal on realizable streams.

    Let RL be the randomized Littlestone dimension of a class (`ConceptClass.randomized_ldim`).
    Starting from a class C, the learner makes at most RL(C) mistakes in expectation, and no learner
    guarantees fewer. States are immutable: `observe` returns a new state, which shares computed
    values with this state. States are equal if and only if their version spaces are equal.

    Parameters
    ----------
    version_space : ConceptClass
        Class with at least one concept. For the class and its restrictions, a formula or a search
        must give RL.
    limit : Limit, optional
        Time and memory of each search for RL.

    Raises
    ------
    InvalidInput
        If the version space is empty.

    References
    ----------
    Filmus, Hanneke, Mehalel and Moran 2023

    Examples
    --------
    >>> from lsclasses import Table
    >>> state = RandomizedSOA(Table([[0, 0, 0], [0, 0, 1], [0, 1, 1]], domain="abc"))
    >>> state.mistake_bound
    Fraction(3, 4)
    >>> [str(state.predict_probability(x)) for x in "abc"]
    ['0', '1/4', '3/4']
    >>> state.observe("b", 0).mistake_bound, state.observe("b", 1).mistake_bound
    (Fraction(1, 2), Fraction(0, 1))
    """

    __slots__ = ("_values", "version_space")

    bound_symbol: ClassVar[str] = "RL"
    """The symbol of the bound on the expected mistakes."""

    def __init__(self, version_space: ConceptClass, *, limit: Limit | None = None) -> None:
        require_class(version_space, "The randomized SOA")
        if version_space.is_empty:
            raise InvalidInput(
                "The randomized SOA needs a class with at least one concept. Got an empty class."
            )
        self.version_space = version_space
        self._values = _Values(limit)

    @property
    def best_errors(self) -> int:
        """The largest number of errors of the best concept for which `mistake_bound` holds.

        The value 0 means that the bound holds only if some concept agrees with all examples.
        """
        return 0

    @property
    def mistake_bound(self) -> Fraction:
        """A bound on the expected number of further mistakes.

        The bound is the randomized Littlestone dimension of the version space.

        Raises
        ------
        TooLarge
            If the search for the dimension reaches the limit of the learner.
        """
        return self._values.of(self.version_space)

    def predict_probability(self, x: Any) -> Fraction:
        """Return the probability that the learner predicts 1 at the point x.

        Let V_y be the class of the concepts in the version space with label y at x. Let RL be the
        randomized Littlestone dimension, -1 for the empty class. The probability is ``(1 + RL(V_1)
        - RL(V_0)) / 2``, clipped to [0, 1]. If all concepts of the version space agree at x, the
        learner predicts their label with probability 1.

        Raises
        ------
        InvalidInput
            If x is not a point of the domain.
        TooLarge
            If a search for a dimension reaches the limit of the learner.
        """
        return self._probability(self.version_space.domain.require(x))

    def _probability(self, x: Point) -> Fraction:
        zeros, ones = (self._values.of(self.version_space._restrict(x, y)) for y in (0, 1))
        return min(max((1 + ones - zeros) / 2, Fraction(0)), Fraction(1))

    def predict(self, x: Any, *, rng: np.random.Generator | int | None = None) -> Label:
        """Return a random label for a point x.

        The label is 1 with the exact probability `predict_probability(x)`.

        Parameters
        ----------
        x : point
            Point of the domain.
        rng : Generator or seed, optional
            Source of randomness. The default is the operating system.

        Raises
        ------
        InvalidInput
            If x is not a point of the domain.

        Examples
        --------
        >>> from lsclasses import Table
        >>> state = RandomizedSOA(Table([[0, 0], [0, 1], [1, 1]]))
        >>> rng = np.random.default_rng(1)
        >>> sum(state.predict(0, rng=rng) for _ in range(100)), state.predict_probability(0)
        (24, Fraction(1, 4))
        """
        probability = self.predict_probability(x)
        generator = np.random.default_rng(rng)
        return int(_below(probability.denominator, generator) < probability.numerator)

    def observe(self, x: Any, y: Any) -> RandomizedSOA:
        """Return the learner's next state, after it observes the true label y of a point x.

        Raises
        ------
        InvalidInput
            If x is not a point of the domain or y is not a label.
        NotRealizable
            If no concept of the version space agrees with the example.
        """
        left = self.version_space.restrict(x, y)
        if left.is_empty:
            raise NotRealizable(
                f"No remaining concept gives the point {x!r} the label {y!r}. The randomized SOA "
                "is defined only on realizable sequences."
            )
        return self._at(left)

    def _at(self, version_space: ConceptClass) -> RandomizedSOA:
        state = RandomizedSOA.__new__(RandomizedSOA)
        state.version_space = version_space
        state._values = self._values
        return state

    def to_json(self, start: RandomizedSOA) -> Any:
        """Return a few examples that lead from the starting state `start` to this state.

        The examples are JSON values.
        """
        return version_space_to_json(start.version_space, self.version_space)

    def from_json(self, data: Any) -> RandomizedSOA:
        """Return the state that `to_json` described as JSON values.

        The object `self` must be the starting state, before any example.
        """
        return self._at(version_space_from_json(self.version_space, data))

    def expected_mistakes(self, examples: Iterable[tuple[Any, Any]]) -> Fraction:
        """Return the exact expected number of mistakes on a realizable sequence of examples.

        Raises
        ------
        InvalidInput
            If an example is not a labelled point of the domain.
        NotRealizable
            If no concept of the version space agrees with all examples.

        Examples
        --------
        >>> from lsclasses import Table
        >>> state = RandomizedSOA(Table([[0, 0], [0, 1], [1, 1]]))
        >>> state.expected_mistakes([(0, 0), (1, 1)])
        Fraction(3, 4)
        """
        state, total = self, Fraction(0)
        for x, y in examples:
            following = state.observe(x, y)
            total += state._loss(state.version_space.domain.require(x), check_label(y))
            state = following
        return total

    def _loss(self, x: Point, y: Label) -> Fraction:
        """Return the probability of a mistake when the label of x is y."""
        probability = self._probability(x)
        return probability if y == 0 else 1 - probability

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RandomizedSOA):
            return NotImplemented
        return self.version_space == other.version_space

    def __hash__(self) -> int:
        return hash((RandomizedSOA, self.version_space))

    def __repr__(self) -> str:
        return f"RandomizedSOA({self.version_space!r})"


class _Values:
    """Randomized Littlestone dimensions, each found once, shared by the states of a learner."""

    def __init__(self, limit: Limit | None) -> None:
        self._limit = limit
        self._known: dict[ConceptClass, Fraction] = {}
        self._search: ExpectedDepthSearch | None = None

    def of(self, version_space: ConceptClass) -> Fraction:
        """Return RL of a version space, which is -1 for an empty version space."""
        if version_space not in self._known:
            self._known[version_space] = self._find(version_space)
        return self._known[version_space]

    def _find(self, version_space: ConceptClass) -> Fraction:
        if version_space.is_empty:
            return Fraction(-1)
        value = version_space._closed_form("randomized_ldim")
        if value is not None:
            return Fraction(value)
        try:
            table = version_space.to_table()
        except TooLarge as stopped:
            reason = version_space._hardness_of_dimensions()
            raise TooLarge(
                f"{stopped} The randomized Littlestone dimension of every version space is a "
                "search in a table, unless a formula gives it. "
                + (reason and f"{reason} ")
                + "The learner best needs only a mistake bound. Use lsclasses run best.",
                estimate=stopped.estimate,
                limit=stopped.limit,
            ) from None
        if self._search is None:
            self._search = ExpectedDepthSearch(len(table.points))
        return self._search.depth(table._space, self._limit) / 2


def _below(n: int, generator: np.random.Generator) -> int:
    """Return a uniform integer in 0, ..., n - 1, for n of any size."""
    bits = (n - 1).bit_length()
    while True:
        drawn = int.from_bytes(generator.bytes(-(-bits // 8)), "little") & ((1 << bits) - 1)
        if drawn < n:
            return drawn
