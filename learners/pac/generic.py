r"""The generic private learner, the exponential mechanism over hypotheses [BLM20, Lemma 16].

The module also computes the number of rows that the learner needs for N hypotheses, with proofs.
Let S be n independent rows, L(h) the population loss and L_S(h) the empirical loss. The chosen
hypothesis g has L_S(g) <= min L_S + x except with probability N exp(-epsilon n x/2), since each
worse hypothesis has at most this share of the weight of the best hypothesis. Chernoff's bounds, for
a loss p and 0 < t < 1: P[L_S <= (1 - t) p] <= exp(-t^2 p n/2), and P[L_S >= (1 + t) p] <=
exp(-t^2 p n/3).

* **Best of the list** [BLM20, Lemma 16]. If some h has L(h) <= a, then L(g) <= 2a except with
  probability b, for n >= max((36/a) ln(4 N/b), (6/(a epsilon)) ln(2 N/b)). All hypotheses with L >
  2a have L_S > 5a/3 except with N exp(-a n/36) <= b/4 (t = 1/6); L_S(h) <= 4a/3 except with exp(-a
  n/27) <= b/4 (t = 1/3); the choice has x = a/3 except with N exp(-epsilon a n/6) <= b/2.
* **Realizable.** If some h has L(h) = 0, then L(g) <= a except with probability b, for
  n >= max(8, 4/epsilon) ln(2 N/b)/a. All hypotheses with L > a have L_S > a/2 except with N exp(-a
  n/8) (t = 1/2), and the choice has x = a/2 except with N exp(-epsilon a n/4).
* **Agnostic.** L(g) <= min L + a except with probability b, for
  n >= max((9/(2 a^2)) ln(4 N/b), (6/(a epsilon)) ln(2 N/b)). By Hoeffding's inequality all
  |L_S - L| <= a/3 except with 2 N exp(-2 n a^2/9) <= b/2, and x = a/3.

**Report noisy max.** The learner may also choose by `ReportNoisyMax`, which adds discrete Laplace
noise of scale 1/r to the errors, for r = epsilon/2. The difference of two noises is at least an
integer d >= 0 with probability q^d ((1 - q) d + 1 + 2 q^2/(1 + q))/(1 + q)^2 for q = e^-r. (Add up
the geometric series of the products of two probabilities.) This is at most (1 + r d) e^(-r d),
because 1 - q <= r and 2 q^2/(1 + q) <= 2 q + q^2. So L_S(g) <= min L_S + x except with probability
N (1 + y) e^-y for y = epsilon n x/2. For L = ln(2 N/b), this is at most b/2 from y = L + 2 ln(1 +
L) on, because (1 + L)^2 >= 1 + L + 2 ln(1 + L) for L >= ln 2. The bounds therefore hold with this y
instead of ln(2 N/b) in the terms with epsilon.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Annotated

from flint import arb

from learners.accounting import Event
from learners.balls import ball, ceiling, log
from learners.bounds import Bound
from learners.checked import Epsilon, Failure, Rows
from learners.coins import CoinGenerator, Coins
from learners.concentration import FAILURE
from learners.mechanisms.selection import ExponentialMechanism, ReportNoisyMax
from learners.pac.base import (
    HALF_LOSS,
    INDEPENDENT,
    POPULATION_ERROR,
    TRIVIAL_ERROR,
    ZERO_LOSS,
    BatchLearner,
    Error,
    enough_rows,
)
from learners.pac.entries import Alpha, Beta, SampleEntry
from learners.pac.samples import Hypotheses, Sample, count_errors, table_or_class
from learners.playing.private_options import PureSpending
from lsclasses.concept_class import ConceptClass
from lsclasses.domain import Domain
from lsclasses.error_histograms import ErrorHistogram, error_histogram
from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields
from lsclasses.hypothesis import Hypothesis
from lsclasses.options import Option, check_arguments, check_fields
from lsclasses.table import Table

MECHANISMS: dict[str, type[ExponentialMechanism] | type[ReportNoisyMax]] = {
    "exponential": ExponentialMechanism,
    "noisy-max": ReportNoisyMax,
}
"""Mechanisms that choose a hypothesis, by name."""

Count = Annotated[int, Option("number of hypotheses", minimum=1)]
Choice = Annotated[
    str,
    Option("mechanism that chooses a hypothesis by its errors", choices=tuple(MECHANISMS)),
]


def _exponent(hypotheses: int, beta: Fraction, choice: str) -> arb:
    """Return the least y of the module's docstring: the choice errs by x = 2 y/(epsilon n)."""
    size = log(2 * hypotheses / beta)
    return size + 2 * (1 + size).log() if choice == "noisy-max" else size


@check_arguments
def rows_for_best(
    hypotheses: Count,
    epsilon: Epsilon,
    alpha: Error,
    beta: Failure,
    choice: Choice = "exponential",
) -> int:
    """Return a sample size for loss at most alpha, if some hypothesis has loss at most alpha/2.

    The size is [BLM20, Lemma 16] for a = alpha/2, with the constants of the module's docstring.

    Parameters
    ----------
    hypotheses : int
        Number of hypotheses.
    epsilon, alpha, beta : Fraction
        Budget, error, and the probability of a larger error.
    choice : "exponential" or "noisy-max"
        Mechanism that chooses a hypothesis.

    Raises
    ------
    InvalidInput
        If there are no hypotheses, or epsilon, alpha or beta is out of range, or a float.

    Examples
    --------
    >>> rows_for_best(100, 1, Fraction(1, 10), Fraction(1, 20))
    6471
    """
    return ceiling(
        lambda: (72 / ball(alpha) * log(4 * hypotheses / beta)).max(
            12 / ball(alpha * epsilon) * _exponent(hypotheses, beta, choice)
        )
    )


@check_arguments
def rows_realizable(
    hypotheses: Count,
    epsilon: Epsilon,
    alpha: Error,
    beta: Failure,
    choice: Choice = "exponential",
) -> int:
    """Return a sample size for loss at most alpha, if some hypothesis has loss 0.

    `rows_for_best` describes the parameters.

    Examples
    --------
    >>> rows_realizable(100, 1, Fraction(1, 10), Fraction(1, 20))
    664
    """
    return ceiling(
        lambda: (
            (8 * log(2 * hypotheses / beta)).max(
                4 / ball(epsilon) * _exponent(hypotheses, beta, choice)
            )
            / ball(alpha)
        )
    )


@check_arguments
def rows_agnostic(
    hypotheses: Count,
    epsilon: Epsilon,
    alpha: Error,
    beta: Failure,
    choice: Choice = "exponential",
) -> int:
    """Return a sample size for loss at most alpha above the least loss.

    `rows_for_best` describes the parameters.

    Examples
    --------
    >>> rows_agnostic(100, 1, Fraction(1, 10), Fraction(1, 20))
    4045
    """
    return ceiling(
        lambda: (9 / (2 * ball(alpha * alpha)) * log(4 * hypotheses / beta)).max(
            6 / ball(alpha * epsilon) * _exponent(hypotheses, beta, choice)
        )
    )


@dataclass(frozen=True)
class GenericLearner(BatchLearner):
    """A private learner that chooses a hypothesis by its errors, with a private mechanism.

    The score of a hypothesis is -n/2, where n is the number of its errors on the sample.

    A class whose table is too large is not enumerated. Then the learner computes how many concepts
    have each number of errors (`lsclasses.error_histograms`), draws a number of errors, and draws a
    uniformly random concept with this number of errors. The output has the same distribution as for
    an enumerated class.

    **Guarantee.** The learner is (epsilon, 0)-DP for a replaced row, if the hypotheses do not
    depend on the rows. **Proof.** A replaced row changes the number of errors of each hypothesis by
    at most 1. The learner is the exponential mechanism or report noisy max, which are private for
    such scores (`learners.mechanisms.selection`).

    **Accuracy.** The docstring of the module `learners.pac.generic` states the error bounds.

    Parameters
    ----------
    hypotheses : sequence of Hypothesis, or ConceptClass
        Candidates, at least one, all on the same domain. A class must be finite.
    epsilon : Fraction
        Privacy cost of the choice.
    alpha, beta : Fraction
        Error for which `rows` and `bounds` are stated, and the probability of a larger error.
    choice : "exponential" or "noisy-max"
        Mechanism that chooses a hypothesis. At small epsilon, the exponential mechanism needs fewer
        rows.

    Raises
    ------
    InvalidInput
        If there are no hypotheses, the class is infinite, the hypotheses have different domains, or
        a parameter is out of range.
    TooLarge
        If the class cannot be enumerated as a table and no formula counts its concepts.

    References
    ----------
    [BLM20, Lemma 16]; Kasiviswanathan, Lee, Nissim, Raskhodnikova and Smith 2011

    Examples
    --------
    >>> import catalog
    >>> from learners.pac.distributions import UniformDistribution
    >>> from learners.coins import SeededCoins
    >>> C = catalog.build("thresholds:n=100")
    >>> D = UniformDistribution(C.domain, C.restrict(40, 1).restrict(39, 0).soa())
    >>> learner = GenericLearner(C, 1)
    >>> learner.rows
    665
    >>> h = learner.fit(D.sample(665, SeededCoins(1)), SeededCoins(2))
    >>> D.loss(h)
    Fraction(0, 1)
    >>> huge = catalog.build("thresholds:n=2^64")
    >>> GenericLearner(huge, 1).rows, GenericLearner(huge, 1, choice="noisy-max").rows
    (3845, 3845)
    """

    hypotheses: Hypotheses | ConceptClass
    epsilon: Epsilon
    alpha: Error = Fraction(1, 10)
    beta: Failure = FAILURE
    choice: Choice = "exponential"

    def __post_init__(self) -> None:
        candidates = self.hypotheses
        if isinstance(candidates, ConceptClass):
            candidates = table_or_class(candidates)
        elif isinstance(candidates, Iterable):
            candidates = tuple(candidates)
        if isinstance(candidates, tuple):
            if not candidates:
                raise InvalidInput("The list must have at least one hypothesis. Got an empty list.")
            if any(h.domain != candidates[0].domain for h in candidates):
                raise InvalidInput("The hypotheses must label one domain.")
        check_fields(self)
        set_frozen_fields(self, hypotheses=candidates)

    @cached_property
    def count(self) -> int:
        """The number of hypotheses among which the learner chooses."""
        candidates = self.hypotheses
        if isinstance(candidates, (Table, tuple)):
            return len(candidates)
        assert isinstance(candidates, ConceptClass)
        return candidates.size or 0

    @property
    def domain(self) -> Domain:
        """The points that the hypotheses label."""
        candidates = self.hypotheses
        if isinstance(candidates, ConceptClass):
            return candidates.domain
        return candidates[0].domain

    @property
    def concept_class(self) -> ConceptClass | None:
        """The class of the candidate hypotheses, or None if they were given as a list."""
        return self.hypotheses if isinstance(self.hypotheses, ConceptClass) else None

    @property
    def mechanism(self) -> ExponentialMechanism | ReportNoisyMax:
        """The mechanism that chooses a hypothesis."""
        return MECHANISMS[self.choice](self.epsilon)

    @property
    def privacy(self) -> Event:
        """The privacy cost of the choice of a hypothesis."""
        return self.mechanism.privacy

    @property
    def rows(self) -> int:
        """The number of rows from which the error bound for realizable distributions holds."""
        return rows_realizable(self.count, self.epsilon, self.alpha, self.beta, self.choice)

    @check_arguments
    def bounds(self, rows: Rows | None = None) -> tuple[Bound, ...]:
        """Return the three error bounds for samples of `rows` rows.

        The bounds are for a list with a good hypothesis, for realizable distributions and for
        arbitrary distributions. The docstring of the module `learners.pac.generic` states them. The
        default of `rows` is the property of the same name.
        """
        given = self.rows if rows is None else rows
        arguments = self.count, self.epsilon, self.alpha, self.beta, self.choice

        def bound(quantity: str, source: str, hypothesis: tuple[str, ...], needed: int) -> Bound:
            enough = enough_rows(needed)
            return Bound(
                source=source,
                quantity=quantity,
                formula="alpha",
                value=self.alpha,
                trivial=TRIVIAL_ERROR,
                failure=self.beta,
                hypotheses=(*hypothesis, INDEPENDENT, enough),
                unmet=() if given >= needed else (enough,),
            )

        return (
            bound(
                POPULATION_ERROR,
                "learners.pac.generic, realizable",
                (ZERO_LOSS,),
                rows_realizable(*arguments),
            ),
            bound(
                POPULATION_ERROR,
                "[BLM20, Lemma 16], constants made explicit",
                (HALF_LOSS,),
                rows_for_best(*arguments),
            ),
            bound(
                f"excess {POPULATION_ERROR}",
                "learners.pac.generic, agnostic",
                (),
                rows_agnostic(*arguments),
            ),
        )

    def fit(self, sample: Sample, coins: Coins) -> Hypothesis:
        """Choose one of the hypotheses privately by the numbers of errors on a sample.

        Raises
        ------
        InvalidInput
            If the points of the sample are from another domain.
        """
        self._require(sample.domain)
        candidates = self.hypotheses
        if isinstance(candidates, (Table, tuple)):
            errors = count_errors(candidates, sample)
            # [BLM20, proof of Lemma 16]: exp(-epsilon n loss_S(h)/2)
            return candidates[self.mechanism.release([-wrong for wrong in errors], coins)]
        assert isinstance(candidates, ConceptClass)
        histogram = error_histogram(candidates, sample.counts)
        return draw_by_errors(histogram, self.mechanism, coins)


def draw_by_errors(
    histogram: ErrorHistogram, mechanism: ExponentialMechanism | ReportNoisyMax, coins: Coins
) -> Hypothesis:
    """Return a concept, chosen by a mechanism with the negated errors as scores.

    All concepts with equal errors have equal probabilities, so the number of errors is drawn first.
    The exponential mechanism chooses a concept with a probability in proportion to
    exp(-rate * errors).

    Parameters
    ----------
    histogram : ErrorHistogram
        Concepts by their number of errors.
    mechanism : ExponentialMechanism or ReportNoisyMax
        Mechanism that chooses the concept.
    coins : Coins
        Source of randomness, `SecureCoins` for a release.

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> histogram = error_histogram(catalog.build("points:n=2^64"), {(7, 1): 200})
    >>> draw_by_errors(histogram, ExponentialMechanism(1), SeededCoins(1)).exceptional_points
    (7,)
    >>> draw_by_errors(histogram, ReportNoisyMax(1), SeededCoins(1)).exceptional_points
    (7,)
    """
    numbers = list(histogram.counts)
    scores, counts = [-errors for errors in numbers], list(histogram.counts.values())
    place = mechanism.release(scores, coins, counts=counts)
    return histogram.sample(numbers[place], CoinGenerator(coins))


def _learner(
    C: ConceptClass,
    rows: int | None,
    *,
    budget: PureSpending,
    alpha: Alpha,
    beta: Beta,
    choice: Choice = "exponential",
) -> GenericLearner:
    return GenericLearner(C, budget.epsilon, alpha, beta, choice)


LEARNERS = (
    SampleEntry(
        "generic",
        "the exponential mechanism over a finite class [BLM20, Lemma 16]",
        _learner,
        details=(
            "The exponential mechanism outputs a concept with e errors on the rows with "
            "probability proportional to exp(-epsilon e/2)."
        ),
    ),
)
