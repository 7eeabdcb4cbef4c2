r"""Majorities of concepts of the class as an online learner with O(Ldim) mistakes.

The SOA's rule need not be a concept or simple. Hanneke, Livni and Moran (2021) learn with
majorities of few concepts, and [LWY25, Lemma E.9] builds on it. The learner in this module is a
reconstruction for finite classes, with constants. Its proof is in docs/sparse-majorities.md.
`sparse_majority` takes `SparseHalving` in its place if the bound of `SparseHalving` is smaller.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Self

from learners.majorities.certificates import LeafEvidence, MajorityCertificate, steps_above
from learners.majorities.leaves import SLACK, Leaf, LeafSolver
from learners.majorities.sparse_halving import TOLERANCE, SparseHalving, few_votes, halvings_at_most
from learners.playing.base.halving import Halving
from learners.playing.base.proper_soa import written_out
from learners.playing.base.state import ConservativeLearner
from lsclasses.concept_class import ConceptClass, OfClass
from lsclasses.errors import TooLarge
from lsclasses.frozen import set_frozen_fields
from lsclasses.point_names import Label, Point
from lsclasses.soa import ConservativeSOA
from lsclasses.vote import Vote

__all__ = ["SparseMajority", "mistakes_at_most", "sparse_majority"]


def mistakes_at_most(dimension: int, *, exact: bool = False) -> int:
    """Return the mistake bound of `SparseMajority` for a class of the given Littlestone dimension.

    The bound is the largest n with (1/2 + tau + xi')^n >= xi^d, for the constants tau, xi and xi'
    of the learner. It is less than 4.41 d if votes are exact, and less than 6.46 d otherwise.

    Examples
    --------
    >>> [mistakes_at_most(d) for d in range(5)]
    [0, 6, 12, 19, 25]
    >>> [mistakes_at_most(d, exact=True) for d in range(5)]
    [0, 4, 8, 13, 17]
    """
    keep, tolerance = _shares(exact)
    return steps_above(Fraction(1), keep**dimension, Fraction(1, 2) + tolerance + keep + SLACK)


def _shares(exact: bool) -> tuple[Fraction, Fraction]:
    """Return the parameters xi and tau."""
    return (Fraction(3, 20), Fraction(0)) if exact else (Fraction(1, 10), TOLERANCE)


@dataclass(frozen=True)
class SparseMajority(OfClass, ConservativeLearner):
    r"""An online learner by majorities of m concepts, with at most 6.46 Ldim mistakes.

    A state is a set of *leaves*, which are version spaces with weights. In a leaf V, each point x
    has a label b(x) such that the concepts of V with the opposite label have a smaller Littlestone
    dimension. A leaf is *good* if its concepts have weights of the following kind: at every point
    x, the concepts with the label 1 - b(x) have at most a share xi + 10^-4 of the total weight, for
    xi = 1/10. The state contains only good leaves. A leaf that is not good is replaced by smaller
    leaves: its concepts with the label 1 - b(x), for each of several points x. The mixture of all
    leaves gives each concept of a leaf the weight of the leaf times the share of the concept in the
    leaf. The learner draws m concepts from the mixture with a fixed seed, and predicts by their
    majority. The number m is the least odd number such that this majority equals the weighted
    majority of the mixture at every point where the weighted majority has a share of at least 1/2 +
    tau, for tau = 1/10.

    On a mistake at a point x, every leaf keeps its concepts that agree with the true label. If the
    label b(x) of a leaf is wrong, the weight of the leaf is multiplied by xi.

    **Mistakes.** The learner makes at most ``mistakes_at_most(Ldim, exact=exact)`` mistakes on
    every sequence that is consistent with some concept, also if the sequence is chosen adaptively.
    `docs/sparse-majorities.md` contains the proof. The method `certificate` returns a proof for a
    state, which a program can check.

    **Predictions do not depend on unchecked floating point numbers.** A solver of linear programs
    proposes weights, which are rounded. The learner uses only weights that it has checked in
    integers. Different versions of the solver may propose different weights, so predictions may
    differ between installations.

    Parameters
    ----------
    concept_class : ConceptClass
        Class that is not empty and can be enumerated as a table.
    exact : bool
        Whether all concepts of the mixture vote instead of m drawn concepts. Then xi = 3/20, tau =
        0, and the mistake bound is at most 4.41 Ldim, but the rule is a majority of very many
        concepts (with repetitions).

    Attributes
    ----------
    leaves : tuple of Leaf
        Version spaces with integer weights. Each version space is a set of positions of concepts in
        the table of the class.
    mistakes : int
        Number of mistakes so far. Equality of states ignores this number.
    realizable : bool
        Whether some concept agrees with all mistakes so far. A label that contradicts every concept
        changes no leaf.

    Raises
    ------
    InvalidInput
        If the class is empty.
    TooLarge
        If the class cannot be enumerated as a table, or the state would have more than 2^14 leaves.
        In later states the number of leaves depends on the examples. So if this learner is the base
        of a private learner, the error reveals information that no privacy guarantee covers.

    References
    ----------
    Hanneke, Livni, Moran 2021; [LWY25, Lemma E.9]

    Examples
    --------
    >>> import catalog
    >>> state = SparseMajority(catalog.build("points:n=64"))
    >>> state.mistake_bound, state.votes, state.hypothesis.to_concept().support
    (6, 3, ())
    >>> after = state.observe(7, 1)
    >>> after.mistake_bound, after.votes, after.hypothesis.to_concept().support
    (0, 1, (7,))
    """

    concept_class: ConceptClass = field(compare=False)
    exact: bool = False
    leaves: tuple[Leaf, ...] = ()
    mistakes: int = field(default=0, compare=False)
    realizable: bool = True
    _solver: LeafSolver | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self._solver is None:
            solver = LeafSolver(written_out(self.concept_class), _shares(self.exact)[0])
            set_frozen_fields(self, _solver=solver)
            start = {solver.subclasses.all: Fraction(1)}
            set_frozen_fields(self, leaves=solver.refined(start))

    @property
    def solver(self) -> LeafSolver:
        """The solver that computes weights of the concepts of a leaf (a weighted version space)."""
        assert self._solver is not None
        return self._solver

    # ---- the rule

    @cached_property
    def mixture(self) -> dict[int, int]:
        """The mixture of the concepts of all leaves (weighted version spaces).

        Keys are positions of concepts in the table of the class. Values are integer weights.
        """
        mixed: Counter[int] = Counter()
        for leaf, weight in self.leaves:
            for position, share in self.solver.solved(leaf).weights:
                mixed[position] += weight * share
        return dict(sorted(mixed.items()))

    @cached_property
    def voters(self) -> dict[int, int]:
        """The voting concepts, as positions in the table of the class with multiplicities."""
        if self.exact:
            return self.mixture
        return few_votes(self.solver.subclasses.rows, self.mixture, _shares(self.exact)[1])

    @property
    def votes(self) -> int:
        """The number m of concepts, with repetitions, whose majority is the learner's rule."""
        return sum(self.hypothesis.weights)

    @cached_property
    def hypothesis(self) -> Vote:
        """The rule (hypothesis) that predicts in this state. Rules with equal labels are equal."""
        table = self.solver.subclasses.table
        return Vote([table[i] for i in self.voters], self.voters.values())

    # ---- mistake bounds

    @cached_property
    def mistake_bound(self) -> int | None:
        """The remaining mistake bound, or None once no concept is consistent.

        The bound is computed from the weights of the leaves. It can be smaller than the bound
        `mistakes_at_most` for the Littlestone dimension of the present version space.
        """
        return self._bound() if self.realizable else None

    def _bound(self) -> int:
        keep, tolerance = _shares(self.exact)
        kept = [Fraction(0)] * len(self.solver.subclasses.table)
        for leaf, weight in self.leaves:
            part = weight * keep ** self.solver.subclasses.dimension(leaf)
            for position in self.solver.subclasses.members(leaf).tolist():
                kept[position] += part
        total = Fraction(sum(weight for _, weight in self.leaves))
        factor = Fraction(1, 2) + tolerance + keep + SLACK
        return steps_above(total, min(part for part in kept if part), factor)

    def certificate(self) -> MajorityCertificate:
        """Return a certificate of the mistake bound from this state on, verified without a solver.

        Examples
        --------
        >>> import catalog
        >>> C = catalog.build("points:n=9").to_table()
        >>> proof = SparseMajority(C).certificate()
        >>> proof.claim
        'at most 6 more mistakes if one of its 9 concepts agrees with all examples'
        >>> proof.verify(C)
        """
        keep, tolerance = _shares(self.exact)
        evidence = []
        for leaf, weight in self.leaves:
            solution = self.solver.solved(leaf)
            members = tuple(self.solver.subclasses.members(leaf).tolist())
            dimension = self.solver.subclasses.dimension(leaf)
            evidence.append(
                LeafEvidence(members, weight, dimension, solution.labels, solution.weights)
            )
        return MajorityCertificate(
            keep,
            keep + SLACK,
            tolerance,
            tuple(evidence),
            tuple(self.voters.items()),
            self._bound(),
        )

    # ---- learning

    def _corrected(self, x: Point, y: Label) -> Self:
        subclasses = self.solver.subclasses
        keep, _ = _shares(self.exact)
        point = subclasses.table.domain.index(x)
        left: dict[int, Fraction] = {}
        for leaf, weight in self.leaves:
            side = subclasses.side(leaf, point, y)
            if side:
                wrong = self.solver.solved(leaf).labels[point] != y
                left[side] = left.get(side, Fraction(0)) + (weight * keep if wrong else weight)
        if not left:
            return replace(self, mistakes=self.mistakes + 1, realizable=False)
        return replace(self, leaves=self.solver.refined(left), mistakes=self.mistakes + 1)


def sparse_majority(
    C: ConceptClass, *, exact: bool = False
) -> SparseMajority | SparseHalving | Halving | ConservativeSOA:
    """Return the majority learner with the least mistake bound, which is at most 6.46 Ldim.

    The bound of `SparseHalving` is at most 1.357 log2 N, which is less if the class has few
    concepts for its dimension. For 1000 concepts, it is less from Ldim 3 on. Otherwise the learner
    is `SparseMajority`. For the choice, a search decides whether Ldim >= k for one k, which is
    faster than computing Ldim. A class that is too large for a table gets the proper SOA if a
    formula shows that the rules of the SOA are concepts. Each rule is then the vote of one concept,
    and the bound is Ldim.

    Parameters
    ----------
    C : ConceptClass
        Class that is not empty. It must be enumerable as a table, unless its SOA is proper by a
        formula, or `exact` is set and a formula gives the sizes of its version spaces.
    exact : bool
        Whether all concepts vote. The learner is then `Halving`, with at most log2 N mistakes, or
        the exact form of `SparseMajority`, with 4.41 Ldim. A class that is too large for a table
        gets `Halving`, because `SparseMajority` solves linear programs over all concepts.

    Raises
    ------
    InvalidInput
        If the class is empty.
    TooLarge
        If the class must be enumerable as a table and is not.

    Examples
    --------
    >>> import catalog
    >>> for spec in ("points:n=64", "intervals:n=44"):
    ...     learner = sparse_majority(catalog.build(spec))
    ...     print(type(learner).__name__, learner.mistake_bound)
    SparseMajority 6
    SparseHalving 13
    >>> large = catalog.build("thresholds:n=2^64")
    >>> [sparse_majority(large, exact=exact).mistake_bound for exact in (False, True)]
    [64, 64]
    """
    try:
        table = written_out(C)
    except TooLarge as stopped:
        if not exact:
            if C._has_proper_soa():
                return ConservativeSOA(C)
            raise TooLarge(
                f"{stopped} The votes are checked at every point (docs/sparse-majorities.md, The "
                "learner)." + _counting_instead(C),
                estimate=stopped.estimate,
                limit=stopped.limit,
            ) from None
        if reason := C._hardness_of_counts():
            raise TooLarge(
                f"{stopped} {reason}", estimate=stopped.estimate, limit=stopped.limit
            ) from None
        if C.size is None or not C._counts_version_spaces():
            raise
        return Halving(C)
    by_counting = len(table).bit_length() - 1 if exact else halvings_at_most(len(table))
    dimension = 0
    while mistakes_at_most(dimension, exact=exact) < by_counting:
        dimension += 1
    if table.is_empty or not table._shatters(dimension):
        return SparseMajority(table, exact=exact)
    return Halving(table) if exact else SparseHalving(table)


def _counting_instead(C: ConceptClass) -> str:
    """Return a sentence about halving with all votes, or '' if no formula counts the concepts."""
    try:
        counted = C.size is not None and C._counts_version_spaces()
    except TooLarge:
        counted = False
    return " Use lsclasses run exact-majority, which counts all votes by a formula." * counted
