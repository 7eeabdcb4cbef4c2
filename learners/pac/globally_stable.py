"""The globally stable learner G [BLM20, section 4], and the global stability of learners.

A learner is globally stable if some hypothesis occurs often in its output [BLM20, section 1.1.1].
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil

from flint import arb, ctx

from learners import checked
from learners.balls import ball, rational_above
from learners.bounds import Bound
from learners.checked import AuxiliarySize, Rows
from learners.coins import Coins
from learners.exact import MAX_BRANCHES, PRECISION, OutputDistribution
from learners.pac.base import (
    INDEPENDENT,
    POPULATION_ERROR,
    REALIZABLE,
    TRIVIAL_ERROR,
    BatchLearner,
    Error,
    enough_rows,
)
from learners.pac.distributions import FiniteDistribution
from learners.pac.samples import Example, Sample
from learners.pac.tournaments import (
    MAX_STATES,
    Level,
    costs_within,
    dimension_of,
    least_frequency,
    levels,
)
from lsclasses.concept_class import ConceptClass
from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.frozen import set_frozen_fields
from lsclasses.hypothesis import Hypothesis
from lsclasses.numbers import integer
from lsclasses.options import check_arguments, check_fields
from lsclasses.soa import SOA

# ---- stability


CONSISTENT_LEARNER = "the learner is consistent"

DENOMINATOR = 1 << 64


@dataclass(frozen=True)
class Stability:
    """The (rows, eta)-global stability of a learner on a distribution [BLM20, Def. 4].

    Attributes
    ----------
    rows : int
        Size n of the sample.
    law : Law
        Exact distribution of the learner's hypothesis.
    mode : Hypothesis
        Hypothesis of largest probability.
    eta : arb
        Probability of the mode, with an error bound.
    loss : Fraction
        Population loss of the mode.
    bound : Bound
        Bound of [BLM20, Prop. 5] on the loss of the mode. It requires a consistent learner and a
        realizable distribution.
    """

    rows: int
    law: OutputDistribution[Hypothesis]
    mode: Hypothesis
    eta: arb
    loss: Fraction
    bound: Bound


@check_arguments
def stable_error(eta: Fraction | arb, rows: Rows) -> Fraction:
    """Return the bound ln(1/eta)/n on the loss of an output of probability eta [BLM20, Prop. 5].

    The output is a hypothesis of a consistent learner for n = `rows` rows. The bound is rounded up.

    *Proof.* A consistent learner outputs h only if h is consistent with the sample. If h errs with
    probability a, this happens with probability (1 - a)^n <= e^(-a n). So eta <= e^(-a n).

    Examples
    --------
    >>> float(stable_error(Fraction(1, 2), 7)) < 0.1
    True
    """
    return rational_above(
        lambda: -(eta.lower() if isinstance(eta, arb) else ball(eta)).log() / rows, DENOMINATOR
    )


def stability(
    learner: BatchLearner,
    distribution: FiniteDistribution,
    rows: int,
    *,
    max_branches: int = MAX_BRANCHES,
) -> Stability:
    """Return the global stability of a learner: its most likely output and its probability.

    Parameters
    ----------
    learner : BatchLearner
        Learner whose output is sampled.
    distribution : FiniteDistribution
        Distribution of the examples.
    rows : int
        Sample size, at least 1.
    max_branches : int
        Largest number of samples, outcomes of coins or states in the computation of the output
        distribution.

    Raises
    ------
    InvalidInput
        If the number of rows is less than 1, or the distribution is on points of another domain.
    TooLarge
        If the output distribution is too large. The error states its size.

    Examples
    --------
    >>> import catalog
    >>> from learners.pac.entries import FinalHypothesis
    >>> from lsclasses.soa import SOA
    >>> C = catalog.build("thresholds:n=7")
    >>> D = FiniteDistribution.labelled(C.restrict(3, 1).restrict(2, 0).soa())
    >>> found = stability(FinalHypothesis(SOA(C)), D, 1)
    >>> found.law.rational(found.mode), found.loss, round(float(found.bound.value), 3)
    (Fraction(3, 7), Fraction(0, 1), 0.847)
    """
    rows = integer(rows, "number of rows")
    if rows < 1:
        raise InvalidInput(f"Stability needs samples of at least 1 row. Got {rows}.")
    law = learner.law(distribution, rows, max_branches=max_branches)
    mode = max(law, key=lambda h: float(law[h].mid()))
    eta = law[mode]
    hypotheses = (CONSISTENT_LEARNER, REALIZABLE, INDEPENDENT)
    C = learner.concept_class
    met = (learner.consistent, C is not None and distribution.is_realizable(C), True)
    bound = Bound(
        source="[BLM20, Prop. 5]",
        quantity=f"{POPULATION_ERROR} of the mode",
        formula="log(1/eta)/n",
        value=stable_error(eta, rows),
        trivial=1,
        hypotheses=hypotheses,
        unmet=tuple(name for name, holds in zip(hypotheses, met, strict=True) if not holds),
    )
    return Stability(rows, law, mode, eta, distribution.loss(mode), bound)


# ---- globally stable


BUDGET = "the budget is enough for tournaments of depth d"


class TournamentLearner(BatchLearner):
    """Base class of learners from samples that play tournaments of an SOA."""

    base: SOA

    @property
    def domain(self) -> Domain:
        """The points that the hypotheses of the learner label."""
        return self.base.version_space.domain

    @property
    def concept_class(self) -> ConceptClass:
        """The concept class of the base learner."""
        return self.base.version_space


@dataclass(frozen=True)
class GloballyStableLearner(TournamentLearner):
    """A globally stable learner: some good hypothesis is its output with probability at least eta.

    Draw k uniformly from 0, ..., d. Play tournaments of depth k, which produce a sample S
    (`learners.pac.tournaments`). The output is the hypothesis of the SOA after S and n more rows.
    If the tournaments need more than `budget` times n rows, the output is the hypothesis of the SOA
    before any example.

    **Theorem 10.** Let n = ceil(d/alpha), and let the budget be 8^(d+1). On every realizable
    distribution, some hypothesis of population loss at most d/n <= alpha is the output with
    probability at least 1/((d + 1) 2^(d+1)). (The property `eta` is a larger bound. It does not
    subtract the probability that the budget is exceeded, because the number of rows is independent
    of the outcome.)

    **Proof.** [BLM20, section 4] has three steps. Let D_k be the distribution of a sample of
    tournaments of depth k. Let C_k be the number of draws of n rows for this sample. Let p_k(f) be
    the probability that the SOA has the hypothesis f after this sample and n more rows. D_k is
    defined if every p_j(f) with j < k is less than 2^-d. *Some k is right* (Lemma 12): suppose that
    D_d is defined and every p_d(f) < 2^-d. With probability 2^-d, all d labels of the tournaments
    are labels of the target c. Then the SOA makes d mistakes on examples with which c is
    consistent, and outputs c. So p_d(c) >= 2^-d. *Frequent hypotheses are good* (Lemma 13): the
    hypothesis is right on the last n rows, so 2^-d <= p_k(f) <= (1 - loss(f))^n, and loss(f) <=
    d/n. *The budget is enough* (Lemma 14 and Markov): E[C_k] <= 4^(k+1) and 8^(d+1) >= 2^(d+1)
    4^(k+1). The right k is drawn with probability 1/(d + 1), and then f occurs with probability at
    least 2^-d - 2^-(d+1).

    The second step needs a hypothesis that is right on the last n rows even if they contradict the
    guessed labels of the tournaments. So the base learner must be consistent with its examples and
    extended to contradictory examples as in [BLM20, Def. 8]. `ConservativeSOA`, which forgets
    correctly predicted examples, is refused.

    Parameters
    ----------
    base : SOA
        Starting state.
    n : int
        Number of rows that are read together in one step (the auxiliary sample size of the paper).
    budget : int, optional
        Largest number of draws of n rows for the tournaments. The default is 8^(d+1).

    Raises
    ------
    InvalidInput
        If the base learner is not consistent or not extended to contradictory examples, the class
        has only one concept, or a number is less than 1.

    Notes
    -----
    The learner is not private. The private `PrivateLittlestoneLearner` runs it on many batches.

    References
    ----------
    [BLM20, Thm 10]

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> C = catalog.build("points:n=2^20")
    >>> learner = GloballyStableLearner.for_error(SOA(C), Fraction(1, 10))
    >>> learner.n, learner.rows, learner.printed_eta, round(float(learner.eta), 6)
    (10, 650, Fraction(1, 8), 0.25)
    >>> target = C.restrict(77, 1).soa()
    >>> D = FiniteDistribution.labelled(target, range(70, 80))
    >>> found = [learner.fit(D.sample_seeded(650, seed), SeededCoins(seed)) for seed in range(40)]
    >>> sum(h == target for h in found)
    33
    """

    base: SOA
    n: AuxiliarySize
    budget: int = 0

    def __post_init__(self) -> None:
        dimension_of(self.base)  # refuses learners that the proof does not cover
        check_fields(self)
        budget = self.budget or self.printed_budget
        set_frozen_fields(self, budget=checked.positive(budget, "budget"))

    @classmethod
    @check_arguments
    def for_error(cls, base: SOA, alpha: Error) -> GloballyStableLearner:
        """Return the learner of [BLM20, Thm 10] for the error alpha, with n = ceil(d/alpha).

        Raises
        ------
        InvalidInput
            If alpha is not between 0 and 1/2, or `GloballyStableLearner` rejects the base learner.
        """
        return cls(base, ceil(dimension_of(base) / alpha))

    @property
    def dimension(self) -> int:
        """The Littlestone dimension d, the mistake bound of the base learner."""
        return dimension_of(self.base)

    @property
    def printed_budget(self) -> int:
        """The budget of [BLM20, G step 1], 8^(d+1)."""
        return 1 << 3 * (self.dimension + 1)

    @property
    def printed_eta(self) -> Fraction:
        """The probability 1/((d + 1) 2^(d+1)) that [BLM20, Thm 10] states for its budget."""
        return Fraction(1, (self.dimension + 1) << (self.dimension + 1))

    @cached_property
    def eta(self) -> Fraction:
        """A lower bound eta on the probability that the output is one good hypothesis.

        The loss of this hypothesis is at most d/n.

        For the budget of the paper, eta is nearly twice the probability that the paper states.
        """
        return least_frequency(self.dimension, self.budget)

    @property
    def rows(self) -> int:
        """The number of rows of a sample, of which the learner usually reads only a few."""
        return (self.budget + 1) * self.n

    @property
    def fallback(self) -> Hypothesis:
        """The output if the tournaments exceed the budget: the base learner's first hypothesis."""
        return self.base.hypothesis.canonical()

    def bounds(self, rows: int | None = None) -> tuple[Bound, ...]:
        """Return the bound of [BLM20, Lemma 13] on the loss of frequent hypotheses.

        A hypothesis is frequent if it is the output with probability at least eta.
        """
        needed = enough_rows(self.rows)
        hypotheses = (REALIZABLE, INDEPENDENT, needed, BUDGET)
        enough = rows is None or rows >= self.rows
        met = (True, True, enough, self.eta > 0)
        return (
            Bound(
                source="[BLM20, Thm 10]",
                quantity=f"{POPULATION_ERROR} of some hypothesis of probability eta",
                formula="d/n",
                value=Fraction(self.dimension, self.n),
                trivial=TRIVIAL_ERROR,
                hypotheses=hypotheses,
                unmet=tuple(h for h, holds in zip(hypotheses, met, strict=True) if not holds),
            ),
        )

    def fit(self, sample: Sample, coins: Coins) -> Hypothesis:
        """Return the hypothesis learned from a sample, in canonical form (`Hypothesis.canonical`).

        The tournaments read rows in order, as many as they need. The last n rows of the sample are
        kept for the end. If the sample has fewer rows than the property `rows`, the budget of the
        tournaments is the number of all other rows.

        Raises
        ------
        InvalidInput
            If the points of the sample are from another domain.
        """
        self._require(sample.domain)
        supply = _Supply(sample, self.n, self.budget)
        k = coins.below(self.dimension + 1)  # [BLM20, G step 2]
        try:
            state = self._sampled(k, supply, coins)  # [BLM20, G step 3]: S
        except _Exhausted:
            return self.fallback
        learned = _learned(state, supply.last())  # [BLM20, G step 3]: T
        return learned.hypothesis.canonical()

    def _sampled(self, k: int, supply: _Supply, coins: Coins) -> SOA:
        """Return the state of the SOA after a sample S of the Monte-Carlo variant of D_k."""
        if k == 0:
            return self.base  # [BLM20, D_k step 1]
        while True:
            # [BLM20, D_k step (i)]
            starts = [self._sampled(k - 1, supply, coins) for _ in range(2)]
            one, other = (_learned(start, supply.next()) for start in starts)
            if one == other:
                continue
            f, g = one.hypothesis, other.hypothesis  # [BLM20, D_k step (ii)]
            # The first point depends only on the two labellings, as the analysis requires.
            x = f.disagreement(g)
            if x is None:
                continue  # [BLM20, D_k step (iii)]
            y = coins.below(2)  # [BLM20, D_k step (iv)]
            loser = one if f(x) != y else other  # [BLM20, D_k step (v)]
            return loser.observe(x, y)

    def law(
        self,
        distribution: FiniteDistribution,
        rows: int | None = None,
        *,
        max_branches: int = MAX_STATES,
    ) -> OutputDistribution[Hypothesis]:
        """Return the exact distribution of the output hypothesis on a sample of independent rows.

        The method computes the distributions of the tournaments. For fewer rows than the property
        `rows`, it enumerates all samples instead.

        Parameters
        ----------
        distribution : FiniteDistribution
            Distribution of the examples.
        rows : int, optional
            Number of rows of the sample. The default is the property `rows`.
        max_branches : int
            Largest number of states of a distribution. If tournaments of some depth have more
            states, their outcomes are not computed, and their probability is the tail of the
            result.

        Raises
        ------
        TooLarge
            If the distribution for depth 0 already has more states.

        Examples
        --------
        >>> import catalog
        >>> C = catalog.build("points:n=3")
        >>> D = FiniteDistribution.labelled(C.restrict(1, 1).soa())
        >>> learner = GloballyStableLearner(SOA(C), 2)
        >>> law = learner.law(D)
        >>> [(h, float(law[h])) for h in law]
        [(Concept('000'), 0.2222227178238887), (Concept('010'), 0.7777772821761113)]
        """
        if rows is not None and rows < self.rows:
            return super().law(distribution, rows, max_branches=max_branches)
        found: list[Level] = []
        try:
            deeper = levels(self.base, distribution, self.n, beyond=True, max_states=max_branches)
            for level in deeper:
                found.append(level)
        except TooLarge:
            if not found:
                raise
            unknown = self.dimension + 1 - len(found)
        else:
            unknown = 0
        # If all rules are equal, no tournament ever finds a pair.
        differ = [level.differ for level in found]
        differ += [Fraction(0)] * (self.dimension + 1 - unknown - len(found))
        within = costs_within(differ[: self.dimension - unknown], self.budget)
        weights: dict[Hypothesis, arb] = {}
        with ctx.workprec(PRECISION):
            share = arb(1) / (self.dimension + 1)
            for level in found:
                for h in level.law:
                    reached = share * within[level.k] * level.law[h]
                    weights[h] = weights.get(h, arb(0)) + reached
            failing = sum((1 - chance for chance in within[1:]), arb(0)) * share
            if not failing.is_zero():
                fallback = self.fallback.to_concept()
                weights[fallback] = weights.get(fallback, arb(0)) + failing
        return OutputDistribution.of(
            weights,
            tail=Fraction(unknown, self.dimension + 1),
            branches=sum(level.states for level in found),
        )


class _Exhausted(Exception):
    """The tournaments need more rows than allowed."""


class _Supply:
    """The rows of a sample, n at a time."""

    def __init__(self, sample: Sample, n: int, budget: int) -> None:
        self._sample = sample
        self._n = n
        self._read = 0
        self._limit = min(budget * n, len(sample) - n)

    def next(self) -> Iterable[Example]:
        """Return the next n rows, for a tournament."""
        if self._read + self._n > self._limit:
            raise _Exhausted
        return self.last()

    def last(self) -> Iterable[Example]:
        """Return the n rows after those that were read, or the remaining rows."""
        start = self._read
        self._read = start + self._n
        return self._sample[start : self._read]


def _learned(state: SOA, examples: Iterable[Example]) -> SOA:
    """Return the state after rows of a sample, which are points of the domain."""
    for x, y in examples:
        state = state._observe(x, y)
    return state
