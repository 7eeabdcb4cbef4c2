"""A private learner from samples for Littlestone dimension 1, in which mislabelled rows vote.

Each row that the first hypothesis of the SOA mislabels votes for the only concept that is
consistent with the row. A stable histogram releases a concept with many votes.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from flint import arb

from learners.accounting import Event
from learners.balls import ball, certainly_le
from learners.bounds import Bound
from learners.budget import Budget
from learners.checked import Delta, Epsilon, Failure, Rows
from learners.coins import Coins
from learners.concentration import FAILURE
from learners.mechanisms.histograms import StableHistogram
from learners.number_arguments import least_integer
from learners.pac.base import (
    INDEPENDENT,
    POPULATION_ERROR,
    REALIZABLE,
    TRIVIAL_ERROR,
    BatchLearner,
    Error,
    enough_rows,
    warn_of_few_rows,
)
from learners.pac.entries import Alpha, Beta, SampleEntry
from learners.pac.samples import Sample
from learners.playing.entries import base_state
from learners.playing.private_options import Base, Spending
from learners.voting.algorithm import require_one_mistake, vote
from lsclasses.concept_class import ConceptClass
from lsclasses.domain import Domain
from lsclasses.hypothesis import Hypothesis
from lsclasses.online import MistakeBounded
from lsclasses.options import check_arguments, check_fields

__all__ = ["VotingSampleLearner", "rows_by_votes"]

NEGLIGIBLE = Fraction(1, 1 << 80)
"""Probability of noise below which `unreleased` stops its sum and uses a bound for the remaining
terms."""


def unreleased(histogram: StableHistogram, rows: int, alpha: Fraction) -> arb:
    """Return a bound on P[a histogram omits an item] for an item with Bin(n, alpha) copies.

    Let q = exp(-1/scale), and let tau be the threshold of the histogram. An item with k >= 1 copies
    is omitted with probability P[Z < tau - k], which is 1 - q^(tau - k)/(1 + q) for k < tau and
    q^(k - tau + 1)/(1 + q) for k >= tau. An item without copies is omitted. The sum over the
    number of copies is exact up to k = K, and P[Z < tau - K] bounds all later terms.

    Examples
    --------
    >>> histogram = StableHistogram(1, Fraction(1, 10**6))
    >>> print(unreleased(histogram, 430, Fraction(1, 10)).str(4, radius=False))
    0.009895
    """
    scale, tau = ball(histogram.scale), histogram.threshold
    q, one_and_q = (-1 / scale).exp(), 1 + (-1 / scale).exp()
    chance, omitted, copies, total = (1 - ball(alpha)) ** rows, arb(1), 0, arb(0)
    while copies <= rows and not (copies >= tau and omitted <= ball(NEGLIGIBLE)):
        total += chance * omitted
        chance *= (rows - copies) * ball(alpha / (1 - alpha)) / (copies + 1)
        copies += 1
        omitted = (
            1 - q ** (tau - copies) / one_and_q
            if copies < tau
            else q ** (copies - tau + 1) / one_and_q
        )
    return total + omitted if copies <= rows else total


@check_arguments
def rows_by_votes(epsilon: Epsilon, delta: Delta, alpha: Error, beta: Failure) -> int:
    """Return the least number of rows for which `VotingSampleLearner` has error at most alpha.

    The number does not depend on the class.

    Parameters
    ----------
    epsilon, delta : Fraction
        Privacy budget.
    alpha, beta : Fraction
        Largest error, and the probability of a larger error.

    Raises
    ------
    InvalidInput
        If a number is out of range, or a float.

    Examples
    --------
    >>> millionth, tenth = Fraction(1, 10**6), Fraction(1, 10)
    >>> rows_by_votes(1, millionth, tenth, Fraction(1, 20))
    380
    """
    histogram = StableHistogram(epsilon, delta)
    return least_integer(
        lambda rows: certainly_le(lambda: unreleased(histogram, rows, alpha), beta), 0
    )


@dataclass(frozen=True)
class VotingSampleLearner(BatchLearner):
    """A private batch learner by votes, for online base learners that err at most once.

    Let h be the first hypothesis of the base learner. Each row (x, y) with h(x) != y votes for c(x,
    y), the hypothesis of the base learner after this row. A `StableHistogram` releases noisy
    numbers of votes. The output is the hypothesis with the largest released number, or h if the
    histogram releases none.

    **Guarantee.** The learner is (epsilon, delta)-DP if one row is replaced, for all samples and
    base learners.

    **Proof.** The vote of a row depends on this row only. So a replaced row replaces, adds or
    removes one vote. `StableHistogram` has the guarantee for a replaced vote, which raises one
    count and lowers another count. An added or removed vote makes only one of these two changes.
    The output is computed from the released counts. QED

    **Error.** On realizable distributions the error is at most alpha, except with probability beta,
    for at least `rows_by_votes` rows. *Proof.* All votes are for the target f: if c(x, y) differed
    from f at a point x', the base learner would err on (x, y) and on (x', f(x')). So the output is
    f or h. If the error of h is at most alpha, both outputs are good. Otherwise each row votes with
    a probability above alpha. The probability that the histogram omits f decreases in the number of
    votes. So it is at most the omission probability for a Bin(n, alpha) number of votes of n rows
    (`unreleased`), which decreases in n. QED

    Parameters
    ----------
    base : MistakeBounded
        Starting state of the base learner, such as ``SOA(C)`` for a class of Littlestone dimension
        1. Its mistake bound is at most 1.
    epsilon, delta : Fraction or int
        Privacy cost of a hypothesis.
    alpha, beta : Fraction
        Error that determines the number of rows, and the probability of a larger error.

    Raises
    ------
    InvalidInput
        If `VotingLearner` rejects the base learner, or a number is out of range.

    References
    ----------
    The learner and its proofs are of this project. For all Littlestone classes, [BLM20] uses a
    related idea: a histogram of the hypotheses of many batches.

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> from learners.pac.distributions import FiniteDistribution
    >>> from lsclasses.soa import SOA
    >>> C = catalog.build("points:n=2^64")
    >>> learner = VotingSampleLearner(SOA(C), 1, Fraction(1, 10**6))
    >>> target = C.restrict(77, 1).soa()
    >>> D = FiniteDistribution.labelled(target, range(74, 79))
    >>> h = learner.fit(D.sample_seeded(learner.rows, seed=1), SeededCoins(1))
    >>> learner.rows, h == target
    (380, True)
    """

    base: MistakeBounded
    epsilon: Epsilon
    delta: Delta
    alpha: Error = Fraction(1, 10)
    beta: Failure = FAILURE

    def __post_init__(self) -> None:
        check_fields(self)
        require_one_mistake(self.base)

    @classmethod
    def for_error(
        cls, base: MistakeBounded, alpha: Fraction, budget: Budget, *, beta: Fraction = FAILURE
    ) -> VotingSampleLearner:
        """Return the learner whose error is at most alpha, except with probability beta.

        Raises
        ------
        InvalidInput
            If the delta of the budget is 0, or `VotingSampleLearner` rejects an argument.
        """
        return cls(base, budget.epsilon, budget.delta, alpha, beta)

    @cached_property
    def histogram(self) -> StableHistogram:
        """The histogram of the votes."""
        return StableHistogram(self.epsilon, self.delta)

    @cached_property
    def first(self) -> Hypothesis:
        """The first hypothesis of the base learner, in its canonical form."""
        return self.base.hypothesis.canonical()

    @property
    def concept_class(self) -> ConceptClass | None:
        """The concept class of the base learner, or None if it has no class."""
        return getattr(self.base, "version_space", None)

    @property
    def domain(self) -> Domain:
        """The points that the hypotheses of the learner label."""
        return self.base.domain

    @property
    def privacy(self) -> Event:
        """The privacy cost of a learned hypothesis."""
        return self.histogram.privacy

    @cached_property
    def rows(self) -> int:
        """The number of rows that the error bound needs."""
        return rows_by_votes(self.epsilon, self.delta, self.alpha, self.beta)

    @check_arguments
    def bounds(self, rows: Rows | None = None) -> tuple[Bound, ...]:
        """Return the error bound for samples of `rows` rows."""
        enough = enough_rows(self.rows)
        unmet = (enough,) if rows is not None and rows < self.rows else ()
        return (
            Bound(
                __name__,
                POPULATION_ERROR,
                "alpha",
                self.alpha,
                TRIVIAL_ERROR,
                self.beta,
                (REALIZABLE, INDEPENDENT, enough),
                unmet,
            ),
        )

    def fit(self, sample: Sample, coins: Coins) -> Hypothesis:
        """Learn a private hypothesis from a sample and return it in canonical form.

        If the sample has fewer rows than the error bound needs, a warning (`FewRows`) states the
        needed number. The privacy guarantee holds for any number of rows.

        Raises
        ------
        InvalidInput
            If the points of the sample are from another domain.
        """
        self._require(sample.domain)
        warn_of_few_rows(self.rows, len(sample))
        votes: Counter[Hypothesis] = Counter()
        for (x, y), count in sample.counts.items():
            hypothesis = vote(self.base, x, y)
            if hypothesis is not None:
                votes[hypothesis] += count
        released = self.histogram.release(votes, coins)
        return released[0][0] if released else self.first


def _voting(
    C: ConceptClass,
    rows: int | None,
    *,
    budget: Spending,
    base: Base,
    alpha: Alpha,
    beta: Beta,
) -> VotingSampleLearner:
    return VotingSampleLearner.for_error(base_state(base, C), alpha, budget, beta=beta)


LEARNERS = (
    SampleEntry(
        "voting",
        "a private learner in which each mislabelled row votes for a concept, for Littlestone "
        "dimension 1",
        _voting,
        details=(
            "Each row that the first hypothesis of the SOA (Standard Optimal Algorithm) mislabels "
            "is consistent with at most one concept, and votes for this concept. A noisy "
            "histogram counts the votes. The output is the concept with the largest noisy count, "
            "or the first hypothesis if no count reaches a threshold."
        ),
    ),
)
