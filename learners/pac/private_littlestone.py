"""A private learner for every class of finite Littlestone dimension: M [BLM20, section 5.2]."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from learners.accounting import Event
from learners.bounds import Bound
from learners.budget import Budget
from learners.coins import Coins
from learners.concentration import FAILURE
from learners.pac.base import warn_of_few_rows
from learners.pac.entries import Alpha, Beta, SampleEntry
from learners.pac.generic import GenericLearner
from learners.pac.globally_stable import GloballyStableLearner, TournamentLearner
from learners.pac.littlestone_parameters import LittlestoneParameters, Rule
from learners.pac.samples import Sample
from learners.pac.tournaments import dimension_of
from learners.playing.private_options import Spending
from lsclasses.concept_class import ConceptClass
from lsclasses.errors import InvalidInput
from lsclasses.hypothesis import Hypothesis
from lsclasses.options import Option
from lsclasses.soa import SOA


@dataclass(frozen=True)
class PrivateLittlestoneLearner(TournamentLearner):
    """A private PAC learner for classes of finite Littlestone dimension [BLM20, Thm 1].

    Rows 0, ..., k m - 1 form k batches of m rows. On each batch runs a `GloballyStableLearner`: one
    hypothesis is its output with at least a probability that depends only on the Littlestone
    dimension. A noisy histogram counts how many batches return each hypothesis, and lists the
    hypotheses whose noisy count reaches a threshold. The exponential mechanism chooses a hypothesis
    from this list by its errors on the rows after the batches. If the list is empty, the output is
    the hypothesis of the base learner before any example.

    **Guarantee.** `privacy` holds for a replaced row, for all samples and parameters. It is the
    larger of two costs: the cost of the histogram and the cost of the choice.

    **Proof.** Fix the coins of all runs of the globally stable learner. A row in one of the batches
    changes the outcome of at most one run, so one item of the histogram is replaced. So the list
    has the privacy of the histogram, and the choice from the list by unchanged rows is
    post-processing. A row after the batches does not change the list, and changes the number of
    errors of each listed hypothesis by at most 1. So the choice has the privacy of the exponential
    mechanism. Average over the coins. The output depends only on the labels of hypotheses, because
    hypotheses are counted, compared and returned in canonical form. (The paper adds up both costs,
    as if the choice also read the batches.)

    **Accuracy.** `bounds` hold on realizable distributions. The docstring of
    `LittlestoneParameters` states the bounds.

    Parameters
    ----------
    base : SOA
        Starting state of the SOA of the class.
    parameters : LittlestoneParameters
        Numbers of batches and rows, and the budgets of the histogram and of the choice.

    Raises
    ------
    InvalidInput
        If the base learner is not consistent with its examples, or not extended to contradictory
        examples as in [BLM20, Def. 8]. Also if the class has only one concept, or the parameters
        are for another Littlestone dimension.

    References
    ----------
    [BLM20, Thm 1, Thm 17]

    Examples
    --------
    >>> import catalog
    >>> from learners.pac.distributions import FiniteDistribution, Mixture, UniformDistribution
    >>> from learners.coins import SeededCoins
    >>> C = catalog.build("points:n=2^999")
    >>> budget = 1, Fraction(1, 10**6)
    >>> learner = PrivateLittlestoneLearner.for_error(SOA(C), Fraction(1, 10), Budget(*budget))
    >>> learner.rows
    31183
    >>> target = C.restrict(77, 1).soa()
    >>> D = Mixture([
    ...     (Fraction(1, 2), FiniteDistribution.labelled(target, range(70, 80))),
    ...     (Fraction(1, 2), UniformDistribution(C.domain, target)),
    ... ])
    >>> h = learner.fit(D.sample_seeded(learner.rows, seed=1), SeededCoins(1))
    >>> h == target, D.loss(h)
    (True, Fraction(0, 1))
    """

    base: SOA
    parameters: LittlestoneParameters

    def __post_init__(self) -> None:
        d = dimension_of(self.base)
        if d != self.parameters.dimension:
            raise InvalidInput(
                f"The base learner must have the Littlestone dimension of the parameters, "
                f"{self.parameters.dimension}. Got a base learner with mistake bound {d}."
            )

    @classmethod
    def for_error(
        cls,
        base: SOA,
        alpha: Fraction,
        budget: Budget,
        *,
        beta: Fraction = FAILURE,
        rule: Rule = "sharp",
    ) -> PrivateLittlestoneLearner:
        """Return the learner whose error is at most alpha, except with probability beta.

        Parameters
        ----------
        base : SOA
            Starting state of the SOA of the class.
        alpha, budget, beta, rule
            Error, privacy budget, failure probability and rule for the parameters, as for
            `LittlestoneParameters.for_error`.

        Raises
        ------
        InvalidInput
            If a parameter is out of range, or `PrivateLittlestoneLearner` rejects the base learner.
        """
        d = dimension_of(base)
        return cls(base, LittlestoneParameters.for_error(d, alpha, budget, beta=beta, rule=rule))

    @property
    def stable(self) -> GloballyStableLearner:
        """The globally stable learner that runs on every batch."""
        return GloballyStableLearner(self.base, self.parameters.auxiliary, self.parameters.budget)

    @property
    def privacy(self) -> Event:
        """The privacy cost of a learned hypothesis."""
        return self.parameters.privacy

    @property
    def rows(self) -> int:
        """The number k m + n' of rows that the error bound needs.

        These are k batches of m rows, and n' rows by which the exponential mechanism chooses.
        """
        return self.parameters.rows

    def reads(self, rows: int) -> int:
        """Return the approximate number of rows that the learner reads from `rows` rows.

        A batch has more rows than its run usually reads. The number is an upper bound on the
        expected number of read rows under one condition: every distribution D_k of [BLM20, section
        4.2] is defined, that is, no hypothesis has probability 2^-d or more after fewer than k
        tournaments.
        """
        return min(rows, self.parameters.read[1])

    def bounds(self, rows: int | None = None) -> tuple[Bound, ...]:
        """Return the error bound of [BLM20, Thm 1] for samples of `rows` rows."""
        return self.parameters.bounds(self.rows if rows is None else rows)

    def fit(self, sample: Sample, coins: Coins) -> Hypothesis:
        """Learn a private hypothesis from a sample and return it in canonical form.

        If the sample has fewer rows than `self.rows`, the method shortens every batch, and the
        fresh rows after the batches, by about the factor ``len(sample) / self.rows``. A warning
        (`FewRows`) states the needed number of rows. The privacy guarantee holds for any number of
        rows.

        Raises
        ------
        InvalidInput
            If the points of the sample are from another domain.
        """
        self._require(sample.domain)
        warn_of_few_rows(self.rows, len(sample))
        batch, fresh = self._blocks(len(sample))
        stable, k = self.stable, self.parameters.batches
        # [BLM20, M step 1]. Without rows, a run always returns the rule before any example.
        outcomes = (
            Counter(stable.fit(sample[i * batch : (i + 1) * batch], coins) for i in range(k))
            if batch
            else Counter({stable.fallback: k})
        )
        return self.choose(outcomes, sample[k * batch : k * batch + fresh], coins)

    def _blocks(self, rows: int) -> tuple[int, int]:
        """Return the lengths of a batch and of the fresh rows, from the number of rows only."""
        parameters = self.parameters
        if rows >= parameters.rows:
            return parameters.batch, parameters.fresh
        fresh = rows * parameters.fresh // parameters.rows
        return (rows - fresh) // parameters.batches, fresh

    def choose(self, outcomes: Mapping[Hypothesis, int], fresh: Sample, coins: Coins) -> Hypothesis:
        """Return the private output for given hypotheses of the batches and given fresh rows.

        Parameters
        ----------
        outcomes : mapping of Hypothesis to int
            Number of batches that returned each hypothesis.
        fresh : Sample
            Rows after the batches, by which the choice counts errors.
        coins : Coins
            Source of randomness, `SecureCoins` for a release.
        """
        # [BLM20, M step 2]. The `least` of the histogram removes estimates that are too small.
        listed = self.parameters.histogram.listed(outcomes, coins)
        if not listed:
            return self.stable.fallback
        # [BLM20, M step 3]
        return GenericLearner(listed, self.parameters.choice_epsilon).fit(fresh, coins)


def _learner(
    C: ConceptClass,
    rows: int | None,
    *,
    budget: Spending,
    alpha: Alpha,
    beta: Beta,
    rule: Annotated[
        Rule,
        Option(
            "rule for the number and the size of the batches: the constants of the paper's proof "
            "(printed), fewer rows (tight) or the fewest rows (sharp)"
        ),
    ] = "sharp",
) -> PrivateLittlestoneLearner:
    return PrivateLittlestoneLearner.for_error(SOA(C), alpha, budget, beta=beta, rule=rule)


LEARNERS = (
    SampleEntry(
        "private-littlestone",
        "a private learner for every class of finite Littlestone dimension [BLM20]",
        _learner,
        details=(
            "On each of many batches of rows, the learner finds one hypothesis by a procedure in "
            "which a good hypothesis is frequent. A noisy histogram lists the hypotheses of many "
            "batches. The exponential mechanism chooses one hypothesis from this list by its "
            "errors on further rows."
        ),
    ),
)
