"""A private learner from samples that merges version spaces, for Littlestone dimension 2 to 4.

The learner is `learners.merging.algorithm.MergingSOA` with a fresh batch of rows in place of each
period of a published hypothesis.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Protocol

from learners.accounting import Event, Sequential
from learners.bounds import Bound
from learners.budget import Budget
from learners.coins import Coins
from learners.concentration import FAILURE
from learners.merging.algorithm import LARGE_ENOUGH, MergingSOA, Mistakes
from learners.merging.entries import Dimension, checked_dimension
from learners.merging.parameters import MergingParameters
from learners.merging.version_spaces import Example, Node
from learners.pac.base import (
    INDEPENDENT,
    POPULATION_ERROR,
    REALIZABLE,
    TRIVIAL_ERROR,
    BatchLearner,
    enough_rows,
    warn_of_few_rows,
)
from learners.pac.entries import Alpha, Beta, SampleEntry
from learners.pac.merging_plans import row_plan_for
from learners.pac.samples import Sample
from learners.playing.private_options import Spending
from lsclasses.concept_class import ConceptClass
from lsclasses.domain import Domain
from lsclasses.hypothesis import Hypothesis


class RowParameters(Protocol):
    """Protocol of the parameters of `MergingSampleLearner`, such as a `MergingRowPlan`."""

    @property
    def parameters(self) -> MergingParameters: ...

    @property
    def limits(self) -> tuple[int, ...]: ...

    @property
    def batches(self) -> tuple[int, ...]: ...

    @property
    def margin(self) -> int: ...

    @property
    def rows(self) -> int: ...

    @property
    def alpha(self) -> Fraction: ...

    @property
    def beta(self) -> Fraction: ...

    @property
    def privacy(self) -> Event: ...


@dataclass(frozen=True)
class MergingSampleLearner(BatchLearner):
    """A private batch learner that merges version spaces.

    The learner runs the levels of the online learner `MergingSOA`. Each level has private version
    spaces, from which a noisy histogram releases functions. The learner tests each function phi
    that `MergingSOA` would publish on a fresh batch of rows. It counts the rows of the batch that
    phi mislabels, and adds discrete Laplace noise. Let m be the number of mistakes that the next
    level needs (1 at the last level), and let a be the margin of the plan. If the noisy count is
    below m + a, the output is phi. Otherwise the mislabelled rows are the set M_phi of mistakes in
    `MergingSOA`, and the learner continues. The last possible function is the output without a
    test.

    **Guarantee.** `privacy` holds if one row is replaced, for all samples. **Proof.** Batches are
    disjoint sets of positions, so only one count changes, by at most 1. Only one element of one set
    M_phi changes, and the proof of `MergingSOA` covers the histograms. QED

    **Error.** Let the dimension d of the plan be at least the Littlestone dimension. On realizable
    distributions, the error is at most alpha, except with probability beta, if the sample has at
    least `rows` rows. **Proof.** Each of the following events fails with probability at most b. If
    the error of phi exceeds alpha, phi mislabels at least m + 2a rows of its batch. The noise is at
    least -a, so the learner then continues. The noise is at most a, so |M_phi| >= m whenever the
    learner continues. Then Theorem M2 of `docs/merging.md` applies to the levels. If the learner
    tests the target, the target mislabels no row, so it is the output. The plan chooses b such that
    the sum of all failure probabilities is at most beta. QED

    Parameters
    ----------
    of : ConceptClass
        Class of Littlestone dimension at most the dimension d of the plan.
    plan : MergingRowPlan or None
        Plan of the batches and levels, made by `MergingSampleLearner.for_error`, or None for a
        class with one concept.

    Raises
    ------
    InvalidInput, TooLarge
        If `MergingSOA` rejects the class.

    References
    ----------
    The learner and its proofs are of this project.

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> from learners.pac.distributions import FiniteDistribution
    >>> C = catalog.build("at-most:n=2^32,k=2")
    >>> learner = MergingSampleLearner.for_error(C, Fraction(1, 10), Budget(1, Fraction(1, 10**6)))
    >>> target = C.restrict(7, 1).restrict(9, 1).soa()
    >>> D = FiniteDistribution.labelled(target, range(6, 12))
    >>> h = learner.fit(D.sample_seeded(learner.rows, seed=1), SeededCoins(1))
    >>> D.loss(h)
    Fraction(0, 1)
    """

    of: ConceptClass
    plan: RowParameters | None

    def __post_init__(self) -> None:
        _ = self.online

    @classmethod
    def for_error(
        cls,
        concept_class: ConceptClass,
        alpha: Fraction,
        budget: Budget,
        *,
        beta: Fraction = FAILURE,
        dimension: int | None = None,
    ) -> MergingSampleLearner:
        """Return the learner whose error is at most alpha, except with probability beta.

        Raises
        ------
        InvalidInput
            If the Littlestone dimension is not from 2 to 4, or the delta of the budget is 0.
        """
        found = checked_dimension(concept_class, dimension, command="pac")
        plan = row_plan_for(found, budget, alpha, beta) if found else None
        return cls(concept_class, plan)

    @cached_property
    def online(self) -> MergingSOA:
        """The online learner whose merging steps this learner shares."""
        return MergingSOA(self.of, None if self.plan is None else self.plan.parameters)

    @property
    def concept_class(self) -> ConceptClass:
        """The concept class that the learner learns."""
        return self.of

    @property
    def domain(self) -> Domain:
        """The points that the hypotheses of the learner label."""
        return self.of.domain

    @property
    def privacy(self) -> Event:
        """The privacy cost of a learned hypothesis."""
        return Sequential(()) if self.plan is None else self.plan.privacy

    @property
    def rows(self) -> int:
        """The number of rows that the error bound needs."""
        return 0 if self.plan is None else self.plan.rows

    def bounds(self, rows: int | None = None) -> tuple[Bound, ...]:
        """Return the error bound for samples of `rows` rows."""
        if self.plan is None:
            return (Bound(__name__, POPULATION_ERROR, "0", 0, TRIVIAL_ERROR, 0, (REALIZABLE,)),)
        enough = enough_rows(self.rows)
        few = (enough,) if rows is not None and rows < self.rows else ()
        return (
            Bound(
                __name__,
                POPULATION_ERROR,
                "alpha",
                self.plan.alpha,
                TRIVIAL_ERROR,
                self.plan.beta,
                (REALIZABLE, INDEPENDENT, LARGE_ENOUGH, enough),
                (*self.online.unmet, *few),
            ),
        )

    def fit(self, sample: Sample, coins: Coins) -> Hypothesis:
        """Learn a private hypothesis from a sample and return it in canonical form.

        If the sample has fewer rows than `rows`, every batch is shortened by the same factor. A
        warning (`FewRows`) states the needed number of rows. The privacy guarantee holds for any
        number of rows.

        Raises
        ------
        InvalidInput
            If the points of the sample are from another domain.
        """
        self._require(sample.domain)
        if self.plan is None:
            return self.online.first
        warn_of_few_rows(self.rows, len(sample))
        return _Fit(self, sample, coins).output()


@dataclass
class _Fit:
    """One run of the learner on a sample."""

    learner: MergingSampleLearner
    sample: Sample
    coins: Coins
    read: int = 0

    @property
    def _plan(self) -> RowParameters:
        assert self.learner.plan is not None
        return self.learner.plan

    def output(self) -> Hypothesis:
        plan, online = self._plan, self.learner.online
        dimension = plan.parameters.dimension
        ready: Counter[Node] = Counter()
        functions: tuple[Hypothesis, ...] = (online.first,)
        for level in range(dimension + 1):
            limit = plan.limits[level]
            sets: list[Mistakes] = []
            for phi in functions[:limit]:
                wrong = self._wrong(phi, level)
                noisy = wrong.total() + self.coins.laplace(1 / plan.parameters.epsilon)
                if noisy < plan.parameters.needed(level) + plan.margin:
                    return phi
                sets.append(frozenset(wrong.items()))
            if level == dimension:
                # The functions after the last test need no test.
                return functions[limit] if len(functions) > limit else functions[-1]
            if level:
                ready = online._merged(level, ready, sets, self.coins)
            else:
                ready = online._first_nodes(sets[0], self.coins)
            functions = online._released(level + 1, ready, self.coins)
            if level + 1 == dimension and not functions:
                return online.first
        raise AssertionError("The last level returns a function.")

    def _wrong(self, phi: Hypothesis, level: int) -> Counter[Example]:
        """Return the rows of a fresh batch that a function mislabels."""
        size = self._plan.batches[level]
        if len(self.sample) < self._plan.rows:
            size = size * len(self.sample) // self._plan.rows
        batch = self.sample[self.read : self.read + size]
        self.read += size
        counts: Mapping[Example, int] = batch.counts
        return Counter({(x, y): n for (x, y), n in counts.items() if phi._label(x) != y})


def _merging(
    C: ConceptClass,
    rows: int | None,
    *,
    budget: Spending,
    dimension: Dimension = None,
    alpha: Alpha,
    beta: Beta,
) -> MergingSampleLearner:
    return MergingSampleLearner.for_error(C, alpha, budget, beta=beta, dimension=dimension)


LEARNERS = (
    SampleEntry(
        "merging",
        "a private learner that merges version spaces, for Littlestone dimension 2 to 4",
        _merging,
        details=(
            "A version space consists of the concepts that agree with a few rows, and determines a "
            "function. The learner tests a function on a new batch of rows. If the function "
            "mislabels few rows of its batch, up to noise, the function is the output. Otherwise, "
            "each mislabelled row merges a random pair of version spaces into one. A noisy "
            "histogram then finds functions that many merged version spaces share, and the "
            "learner tests these functions."
        ),
    ),
)
