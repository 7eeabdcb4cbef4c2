"""Subsample and aggregate: the hypothesis that a learner finds most often on many batches."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from flint import arb

from learners.accounting import Event
from learners.balls import ball, log, rational_above, rational_below
from learners.bounds import Bound
from learners.budget import Budget
from learners.checked import Batches, Failure, Rows
from learners.coins import Coins
from learners.concentration import FAILURE
from learners.mechanisms.histograms import StableHistogram
from learners.mechanisms.noise import noise_bound, tail
from learners.pac.base import (
    INDEPENDENT,
    POPULATION_ERROR,
    REALIZABLE,
    TRIVIAL_ERROR,
    BatchLearner,
    FewRows,
)
from learners.pac.entries import Beta, EmpiricalRiskMinimizer, SampleEntry
from learners.pac.samples import Sample
from learners.playing.private_options import Spending
from lsclasses.concept_class import ConceptClass
from lsclasses.domain import Domain
from lsclasses.errors import TooLarge
from lsclasses.frozen import set_frozen_fields
from lsclasses.hypothesis import Hypothesis
from lsclasses.options import Option, check_arguments, check_fields

DENOMINATOR = 1 << 40


GoodShare = Annotated[
    Fraction,
    Option(
        "assumed probability with which one good concept has the fewest errors on a batch of "
        "rows. If the assumption is right, the number of batches suffices for this concept to be "
        "the output, except with probability --beta",
        above=Fraction(1, 2),
        maximum=1,
        noun="probability eta",
        reason="because the desired hypothesis must occur on most batches",
    ),
]


@dataclass(frozen=True)
class SubsampleAggregate(BatchLearner):
    """A private learner that learns on many batches and outputs a most frequent hypothesis.

    The rows are cut into k batches of equal length by their positions. The base learner runs on
    each batch. A `StableHistogram` adds noise to the number of batches that return each hypothesis,
    and releases the noisy counts that reach a threshold. The output is the hypothesis with the
    largest released count. If no count is released, the output is the hypothesis of the base
    learner without any rows.

    **Guarantee.** The learner has the guarantee of the histogram, for a replaced row and every base
    learner. **Proof.** Fix the coins of the base learner. A row is in one batch, so a replaced row
    replaces at most one of the k hypotheses that the histogram counts. The output is a function of
    the released counts. Hypotheses are compared and returned in canonical form, so they reveal only
    their labels.

    **Error.** Let the base learner be an `EmpiricalRiskMinimizer` for N concepts. Let the k batches
    have m independent rows each, and let some concept have population loss 0. Then the base learner
    returns a concept without errors on its batch. Put a = ln(2 k N/beta)/m. A concept with loss
    above a has no errors on a batch with probability at most exp(-a m). So by a union bound over N
    concepts and k batches, all k hypotheses have loss at most a, except with probability beta/2.
    Some concept is the hypothesis of k/N batches or more. `StableHistogram.for_estimates` gives the
    number k from which such a concept is released, except with probability beta/2. All released
    hypotheses are hypotheses of batches. So for such k, the loss of the output is at most a, except
    with probability beta.

    **Success.** If the base learner returns a hypothesis h with probability eta on each batch, the
    output is h with probability at least `success(eta)`.

    Parameters
    ----------
    base : BatchLearner
        Base learner, such as ``EmpiricalRiskMinimizer(C)``.
    batches : int
        Number k of batches.
    epsilon, delta : Fraction
        Privacy cost of the histogram.
    beta : Fraction
        Failure probability of the error bound.

    Raises
    ------
    InvalidInput
        If the number of batches is not positive, or epsilon or delta is out of range, or a float.

    References
    ----------
    Nissim, Raskhodnikova and Smith 2007; Smith and Thakurta 2013

    Examples
    --------
    >>> import catalog
    >>> from learners.pac.distributions import UniformDistribution
    >>> from learners.pac.entries import EmpiricalRiskMinimizer
    >>> from learners.coins import SeededCoins
    >>> C = catalog.build("thresholds:n=10")
    >>> D = UniformDistribution(C.domain, C.restrict(4, 1).restrict(3, 0).soa())
    >>> learner = SubsampleAggregate(EmpiricalRiskMinimizer(C), 150, 1, Fraction(1, 10**6))
    >>> h = learner.fit(D.sample(150 * 40, SeededCoins(1)), SeededCoins(2))
    >>> D.loss(h), round(float(learner.success(Fraction(9, 10))), 6)
    (Fraction(0, 1), 0.999999)
    """

    base: BatchLearner
    batches: Batches
    epsilon: Fraction
    delta: Fraction
    beta: Failure = FAILURE

    @classmethod
    @check_arguments
    def for_success(
        cls,
        base: BatchLearner,
        budget: Budget,
        *,
        eta: GoodShare,
        beta: Failure,
    ) -> SubsampleAggregate:
        """Return a learner with few batches that outputs a frequent hypothesis of the base learner.

        The output differs from this hypothesis with probability at most beta.

        Parameters
        ----------
        base : BatchLearner
            Base learner that runs on each batch.
        budget : Budget
            Total budget, with a delta above 0.
        eta : Fraction
            Probability, above 1/2, with which the base learner returns the frequent hypothesis on a
            batch.
        beta : Fraction
            Largest probability that the output differs from the frequent hypothesis.

        Raises
        ------
        InvalidInput
            If the delta of the budget is 0, or eta or beta is out of range, or a float.

        Examples
        --------
        >>> import catalog
        >>> base = EmpiricalRiskMinimizer(catalog.build("thresholds:n=10"))
        >>> learner = SubsampleAggregate.for_success(
        ...     base, Budget(1, Fraction(1, 10**6)), eta=Fraction(3, 4), beta=Fraction(1, 20)
        ... )
        >>> learner.batches, float(learner.success(Fraction(3, 4))) >= 0.95
        (101, True)
        """
        epsilon, delta = Budget.require(budget)

        def enough(batches: int) -> bool:
            return cls(base, batches, epsilon, delta, beta).success(eta) >= 1 - beta

        most = 1
        while not enough(most):
            most *= 2
        least = most // 2
        while most - least > 1:
            middle = (least + most) // 2
            least, most = (least, middle) if enough(middle) else (middle, most)
        return cls(base, most, epsilon, delta, beta)

    def __post_init__(self) -> None:
        check_fields(self)
        set_frozen_fields(self, epsilon=self.histogram.epsilon)
        set_frozen_fields(self, delta=self.histogram.delta)

    @property
    def histogram(self) -> StableHistogram:
        """The mechanism that releases noisy counts of the hypotheses of the batches."""
        return StableHistogram(self.epsilon, self.delta)

    @property
    def domain(self) -> Domain:
        """The points that the hypotheses of the learner label."""
        return self.base.domain

    @property
    def concept_class(self) -> ConceptClass | None:
        """The concept class of the base learner, or None if it has no class."""
        return self.base.concept_class

    @property
    def privacy(self) -> Event:
        """The privacy cost of a learned hypothesis."""
        return self.histogram.privacy

    @check_arguments
    def bounds(self, rows: Rows | None = None) -> tuple[Bound, ...]:
        """Return the error bound for a sample of `rows` rows (see the docstring of the class).

        The result is empty if the number of rows is unknown or smaller than the number of batches,
        or if the base learner is not an `EmpiricalRiskMinimizer`. The bound uses that this learner
        returns one of N concepts. Other consistent learners may return functions that are not
        concepts.

        Examples
        --------
        >>> import catalog
        >>> base = EmpiricalRiskMinimizer(catalog.build("thresholds:n=3"))
        >>> learner = SubsampleAggregate(base, 400, 1, Fraction(1, 10**6))
        >>> (bound,) = learner.bounds(40_000)
        >>> f"{float(bound.value):.3f}", bound.applies
        ('0.111', True)
        """
        length = 0 if rows is None else rows // self.batches
        size = _size(self.concept_class)
        if not length or size is None or not isinstance(self.base, EmpiricalRiskMinimizer):
            return ()
        k = self.batches
        needed = self.histogram.for_estimates(Fraction(1, max(2, size)), self.beta / 2)
        many = f"at least {needed} batches"

        def error() -> arb:
            return log(Fraction(2 * k * size) / self.beta) / length

        return (
            Bound(
                source="learners.pac.aggregate",
                quantity=POPULATION_ERROR,
                formula="ln(2*k*N/b)/m",
                value=rational_above(error, DENOMINATOR),
                trivial=TRIVIAL_ERROR,
                failure=self.beta,
                hypotheses=(REALIZABLE, INDEPENDENT, many),
                unmet=() if k >= needed else (many,),
            ),
        )

    def fit(self, sample: Sample, coins: Coins) -> Hypothesis:
        """Learn a private hypothesis from a sample. Rows after the last complete batch are ignored.

        The hypothesis is in canonical form, which reveals only its labels. The method warns
        (`FewRows`) if the sample has fewer rows than batches.

        Raises
        ------
        InvalidInput
            If the points of the sample are from another domain.
        """
        self._require(sample.domain)
        length = len(sample) // self.batches
        if not length:
            warnings.warn(
                f"There are {len(sample)} rows for {self.batches} batches, so every batch is empty "
                "and the hypothesis does not depend on the rows.",
                FewRows,
                stacklevel=2,
            )
        found = [
            self.base.fit(sample[i * length : (i + 1) * length], coins) for i in range(self.batches)
        ]
        released = self.histogram.release(found, coins)
        if released:
            likeliest: Hypothesis = released[0][0]
            return likeliest
        return self.base.fit(sample[:0], coins).canonical()

    @check_arguments
    def success(
        self, eta: Annotated[Fraction, Option("probability eta", minimum=0, maximum=1)]
    ) -> Fraction:
        """Return a lower bound on the probability of outputting a hypothesis of frequency eta.

        The base learner returns the hypothesis on each batch with probability eta, independently.

        Let k be the number of batches, and let Z be the noise of a count. All noises of at most k
        counts have absolute value at most t, except with probability 2 k P[Z > t]. Then a
        hypothesis that c batches return is the output if c - t is at least the threshold of the
        histogram and c - t > k - c + t. Let c(t) be the least such c. The returned bound is
        P[Bin(k, eta) >= c(t)] - 2 k P[Z > t] for the best t.

        Parameters
        ----------
        eta : Fraction
            Probability that the base learner returns the hypothesis on a batch, from 0 to 1.

        Raises
        ------
        InvalidInput
            If eta is out of range, or a float.
        """
        k, histogram = self.batches, self.histogram

        def at_least(copies: int) -> arb:
            if copies > k:
                return arb(0)
            # P[Bin(k, eta) >= c] is the regularized incomplete beta function I_eta(c, k - c + 1).
            return ball(eta).beta_lower(copies, k - copies + 1, True)

        def chance(t: int) -> Fraction:
            copies = max(histogram.threshold + t, k // 2 + t + 1)
            return rational_below(
                lambda: at_least(copies) - 2 * k * tail(histogram.scale, t + 1), DENOMINATOR
            )

        # Beyond this, the probability of large noise is too small to justify one more copy.
        most = min(k // 2, noise_bound(histogram.scale, Fraction(1, k << 60)))
        return max(Fraction(0), *map(chance, range(most + 1)))


def _size(C: ConceptClass | None) -> int | None:
    """Return the number of concepts, or None if it is infinite or unknown."""
    try:
        return None if C is None else C.size
    except TooLarge:
        return None


def _learner(
    C: ConceptClass,
    rows: int | None,
    *,
    budget: Spending,
    eta: GoodShare = Fraction(3, 4),
    beta: Beta,
    batches: Batches | None = None,
) -> SubsampleAggregate:
    base = EmpiricalRiskMinimizer(C)
    if batches is not None:
        epsilon, delta = budget
        return SubsampleAggregate(base, batches, epsilon, delta, beta)
    return SubsampleAggregate.for_success(base, budget, eta=eta, beta=beta)


LEARNERS = (
    SampleEntry(
        "subsample-aggregate",
        "the concept that is most often the best concept of a batch of rows, chosen privately",
        _learner,
        details=(
            "The best concept of a batch of rows is the first concept with the fewest errors on "
            "the batch. A noisy histogram counts the batches of each concept. The output is the "
            "concept with the largest noisy count, or the first concept if no count reaches a "
            "threshold."
        ),
    ),
)
