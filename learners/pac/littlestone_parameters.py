"""The number of rows that the private learner of a Littlestone class needs, by three rules.

The private learner M of [BLM20, section 5.2] runs the globally stable learner G on k batches of m =
(N + 1) n rows, where n = ceil(2d/alpha). Some hypothesis f of loss at most alpha/2 is the outcome
of each batch with probability eta. A stable histogram lists frequent outcomes, and the exponential
mechanism chooses one of them by n' fresh rows. With probability 1 - beta the choice has loss at
most alpha if

1. f is on the list,
2. the list has at most l entries, and
3. the choice is right: this holds except with probability b if
   n' >= max((72/alpha) ln(4 l/b), (12/(alpha epsilon)) ln(2 l/b)) (`learners.pac.generic`).

Batches and fresh rows are disjoint blocks of fixed positions, so a replaced row changes the input
of only one of the two mechanisms. Each may spend the whole budget (`learners.accounting.Parallel`).

**printed**: the paper's proof with the constants that it leaves out. Both mechanisms get
epsilon/2, as if they read the same rows. N = 8^(d+1), eta = 1/((d + 1) 2^(d+1)), and outcomes with
a noisy count below 3 eta k/4 are removed from the list. *1.* k >= 128 ln(3/beta)/eta: f has fewer
than 7 eta k/8 copies with probability exp(-eta k/128) <= beta/3. All noises are at most eta k/8
except with probability beta/3. 3 eta k/4 is at least the histogram's threshold. *2.* Each entry has
5 eta k/8 copies: l <= 8/(5 eta). *3.* b = beta/3.

**tight**: each mechanism gets epsilon, and only the histogram's threshold tau removes outcomes.
*1.* With P[Z > z] <= beta/6 for the noise of f, k is the least number with P[Bin(k, eta) < tau + z]
<= beta/6. *2.* With noises of at most t (upwards) for k items, except with probability beta/6, each
entry has tau - t copies, and at least one: l <= k/max(1, tau - t). *3.* b = beta/3. The sum is
5 beta/6.

**sharp**: as tight, with another N. The paper bounds the cost C_k of a sample by Markov's
inequality and subtracts the probability that the budget is exceeded from 2^-d. But the outcomes of
tournaments are independent of their costs. So eta = 2^-d P[C_d <= N]/(d + 1) for the largest
possible C_d (`learners.pac.tournaments.least_frequency`), and N is arbitrary. The rule chooses the
N with the fewest rows. The mean of this C_d is at most (2^(d+1) - 2) (1 - 2^-d)^-d, less than 4
2^d, so rows grow like 4^d d^2, while the paper has 16^d d^2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from math import ceil
from typing import Annotated, Literal, NamedTuple

from learners import checked
from learners.accounting import Event, Parallel, PureDP, Scope
from learners.balls import ball, ceiling, log
from learners.bounds import Bound
from learners.budget import Budget
from learners.checked import AuxiliarySize, Batches, Delta, Epsilon, Failure
from learners.concentration import FAILURE, least_trials
from learners.mechanisms.histograms import StableHistogram
from learners.mechanisms.noise import upper_bound
from learners.pac.base import (
    INDEPENDENT,
    POPULATION_ERROR,
    REALIZABLE,
    TRIVIAL_ERROR,
    Error,
    enough_rows,
)
from learners.pac.generic import rows_agnostic, rows_for_best, rows_realizable
from learners.pac.tournaments import SEARCHED, least_frequency, mean_costs
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.numbers import format_number, integer
from lsclasses.options import Option, check_arguments, check_fields

Rule = Literal["printed", "tight", "sharp"]
RULES: tuple[Rule, ...] = ("printed", "tight", "sharp")

MOST_DIMENSION = 128
"""Largest Littlestone dimension for which `sample_complexity` computes parameters. This dimension
takes seconds."""


class _Asked(NamedTuple):
    """A required bound for which parameters are computed."""

    d: int
    n: int
    alpha: Fraction
    beta: Fraction
    epsilon: Fraction
    delta: Fraction


@dataclass(frozen=True)
class LittlestoneParameters:
    """The parameters of `PrivateLittlestoneLearner` except the class: numbers of rows and budgets.

    `for_error` chooses parameters for which the accuracy bound holds. Privacy holds for all values.

    Parameters
    ----------
    dimension : int
        Littlestone dimension d.
    auxiliary : int
        Number n of rows that the SOA reads last in a batch, after the tournaments.
    budget : int
        Largest number N of draws of n rows for the tournaments of a batch.
    batches : int
        Number k of batches.
    fresh : int
        Number n' of rows for the exponential mechanism.
    epsilon, delta : Fraction
        Privacy cost of the histogram of the batches' outcomes.
    choice_epsilon : Fraction
        Privacy cost of the exponential mechanism.
    least : int
        Lower bound on the threshold of the histogram. Every listed outcome has at least this noisy
        count.
    eta : Fraction
        Lower bound on the probability that a batch returns a fixed good hypothesis. It has no
        effect except in printed descriptions.
    alpha, beta : Fraction, optional
        Error of the accuracy bound, and the probability of a larger error. None if no bound is
        proved.
    rule : str
        Name of the rule that chose the parameters, or ``"own"`` for other parameters.

    Raises
    ------
    InvalidInput
        If a parameter is out of range, or a float.
    """

    dimension: Annotated[int, Option("Littlestone dimension", minimum=1)]
    auxiliary: AuxiliarySize
    budget: Annotated[int, Option("budget of the tournaments", minimum=1)]
    batches: Batches
    fresh: Annotated[int, Option("number of fresh rows", minimum=1)]
    epsilon: Epsilon
    delta: Delta
    choice_epsilon: Epsilon
    least: Annotated[int, Option("least count", minimum=1)] = 1
    eta: Fraction | None = None
    alpha: Fraction | None = None
    beta: Fraction | None = None
    rule: str = "own"

    def __post_init__(self) -> None:
        check_fields(self)

    @classmethod
    @check_arguments
    def for_error(
        cls,
        dimension: int,
        alpha: Error,
        budget: Budget,
        *,
        beta: Failure = FAILURE,
        rule: Rule = "sharp",
    ) -> LittlestoneParameters:
        """Return parameters for error at most alpha, except with probability beta.

        Parameters
        ----------
        dimension : int
            Littlestone dimension d, at least 1.
        alpha, beta : Fraction
            Largest error, and the probability of a larger error.
        budget : Budget
            Budget of the whole learner.
        rule : {"printed", "tight", "sharp"}
            Rule for the constants. "printed" follows the proof of the paper, with the constants
            that the paper omits. "tight" has a sharper analysis of the histogram. "sharp" in
            addition optimizes the number of rows of the tournaments.

        Raises
        ------
        InvalidInput
            If d = 0 (the class has only one concept), alpha is not less than 1/2, or a parameter is
            out of range, or a float.

        Examples
        --------
        >>> for rule in RULES:
        ...     found = LittlestoneParameters.for_error(
        ...         2, Fraction(1, 10), Budget(1, Fraction(1, 10**6)), rule=rule
        ...     )
        ...     print(f"{rule}: {found.batches} * {found.batch} + {found.fresh} = {found.rows}")
        printed: 12578 * 20520 + 6566 = 258107126
        tight: 1238 * 20520 + 7783 = 25411543
        sharp: 977 * 360 + 7610 = 359330
        """
        d = integer(dimension, "Littlestone dimension")
        if d == 0:
            raise InvalidInput(
                "The Littlestone dimension must be at least 1. A class of dimension 0 has one "
                "concept, which needs no rows to learn and no privacy."
            )
        d = checked.positive(d, "Littlestone dimension")
        error, failure = alpha, beta
        epsilon, delta = Budget.require(budget)
        if rule not in RULES:
            raise InvalidInput(f"The rule must be one of {', '.join(RULES)}. Got {rule!r}.")
        asked = _Asked(d, ceil(2 * d / error), error, failure, epsilon, checked.delta(delta))
        if rule == "printed":
            return cls._printed(asked)
        if rule == "tight":
            eta = Fraction(1, (d + 1) << (d + 1))
            return cls._tight(asked, 8 ** (d + 1), eta, rule)
        best: LittlestoneParameters | None = None
        fewest = _batches(asked, Fraction(1, (d + 1) << d))
        for cost in _budgets(d):
            if best is not None and fewest * (cost + 1) * asked.n >= best.rows:
                break
            found = cls._tight(asked, cost, least_frequency(d, cost), rule)
            if best is None or found.rows < best.rows:
                best = found
        assert best is not None
        return best

    @classmethod
    def _printed(cls, asked: _Asked) -> LittlestoneParameters:
        d, half = asked.d, asked.epsilon / 2
        eta = Fraction(1, (d + 1) << (d + 1))
        histogram = StableHistogram(half, asked.delta)
        k = max(
            ceiling(lambda: -128 / ball(eta) * log(asked.beta / 3)),
            ceil(histogram.threshold / (Fraction(3, 4) * eta)),
        )
        while eta * k < 8 * (noise := histogram.accuracy(k, asked.beta / 3)):
            k = ceil(8 * noise / eta)
        listed = int(8 / (5 * eta))
        return cls(
            dimension=d,
            auxiliary=asked.n,
            budget=8 ** (d + 1),
            batches=k,
            fresh=rows_for_best(listed, half, asked.alpha, asked.beta / 3),
            epsilon=half,
            delta=asked.delta,
            choice_epsilon=half,
            least=ceil(Fraction(3, 4) * eta * k),
            eta=eta,
            alpha=asked.alpha,
            beta=asked.beta,
            rule="printed",
        )

    @classmethod
    def _tight(cls, asked: _Asked, budget: int, eta: Fraction, rule: Rule) -> LittlestoneParameters:
        histogram = StableHistogram(asked.epsilon, asked.delta)
        k = _batches(asked, eta)
        noise = upper_bound(histogram.scale, asked.beta / (6 * k))
        listed = k // max(1, histogram.threshold - noise)
        return cls(
            dimension=asked.d,
            auxiliary=asked.n,
            budget=budget,
            batches=k,
            fresh=rows_for_best(listed, asked.epsilon, asked.alpha, asked.beta / 3),
            epsilon=asked.epsilon,
            delta=asked.delta,
            choice_epsilon=asked.epsilon,
            eta=eta,
            alpha=asked.alpha,
            beta=asked.beta,
            rule=rule,
        )

    @property
    def batch(self) -> int:
        """The size m of a batch."""
        return (self.budget + 1) * self.auxiliary

    @property
    def rows(self) -> int:
        """The sample size k m + n'."""
        return self.batches * self.batch + self.fresh

    @property
    def read(self) -> tuple[int, int, int]:
        """One lower and two upper bounds on the expected number of rows that the learner reads.

        Let n E_k be the mean number of rows that tournaments of depth k read
        (`learners.pac.tournaments`). They read at least 2^(k+1) - 2 times n rows, and at most all
        rows of the budget. If two runs of depth k - 1 have equal hypotheses with probability at
        most 2^-d, then E_k <= 2 (E_(k-1) + 1)/(1 - 2^-d). The first upper bound assumes this for
        all k (all D_k of [BLM20] are defined). The second upper bound, all rows of the budget,
        always holds. It is nearly attained if most runs have one hypothesis, because deeper
        tournaments then rarely find two different hypotheses.
        """
        d, n, most = self.dimension, self.auxiliary, self.budget
        least = [min((2 << k) - 2, most) for k in range(d + 1)]
        means = [min(mean, Fraction(most)) for mean in mean_costs(d)]

        def all_rows(costs: list[int] | list[Fraction]) -> int:
            each = (sum(costs, Fraction(0)) / (d + 1) + 1) * n
            return ceil(self.batches * each) + self.fresh

        return all_rows(least), all_rows(means), self.rows

    @property
    def histogram(self) -> StableHistogram:
        """The histogram that lists the frequent outcomes."""
        return StableHistogram(self.epsilon, self.delta, least=self.least)

    @property
    def privacy(self) -> Event:
        """The privacy cost of a hypothesis: the larger of the costs of histogram and choice.

        Both mechanisms read disjoint rows.
        """
        # A loss of bounded range is a loss. Two types of cost would be added up unnecessarily.
        choice = PureDP(
            self.choice_epsilon, name="exponential mechanism", scope=Scope.adaptive("replace_one")
        )
        return Parallel((self.histogram.privacy, choice))

    def bounds(self, rows: int) -> tuple[Bound, ...]:
        """Return the bound of [BLM20, Thm 17 with Thm 10] for a sample of `rows` rows.

        The result is empty unless the parameters have an alpha and a beta.
        """
        if self.alpha is None or self.beta is None:
            return ()
        needed = enough_rows(self.rows)
        return (
            Bound(
                source=f"[BLM20, Thm 1], constants of the rule {self.rule!r}",
                quantity=POPULATION_ERROR,
                formula="alpha",
                value=self.alpha,
                trivial=TRIVIAL_ERROR,
                failure=self.beta,
                hypotheses=(REALIZABLE, INDEPENDENT, needed),
                unmet=() if rows >= self.rows else (needed,),
            ),
        )

    def __str__(self) -> str:
        return (
            f"{self.batches} batches of {self.batch} rows (n = {self.auxiliary}, tournaments of at "
            f"most {self.budget} n) and {self.fresh} fresh rows: {self.rows} rows"
        )


def _batches(asked: _Asked, eta: Fraction) -> int:
    """Return the least k with P[Bin(k, eta) < tau + z] <= beta/6, where P[Z > z] <= beta/6."""
    histogram = StableHistogram(asked.epsilon, asked.delta)
    z = upper_bound(histogram.scale, asked.beta / 6)
    return least_trials(histogram.threshold + z - 1, eta, asked.beta / 6)


def _budgets(d: int) -> Iterator[int]:
    """Yield the budgets to try, in increasing order, from the least cost of tournaments.

    If their cost is bounded by its mean, four times the mean is tried first.
    """
    start = (2 << d) - 2 if d <= SEARCHED else ceil(4 * mean_costs(d)[-1])
    return count(start, max(2, (2 << d) // 16))


@dataclass(frozen=True)
class SampleComplexity:
    """The numbers of rows that several private learners of a class need.

    Attributes
    ----------
    dimension : int
        Littlestone dimension of the class.
    alpha, beta, epsilon, delta : Fraction
        Privacy budget (epsilon, delta), and accuracy: the error is at most alpha with probability 1
        - beta.
    parameters : dict
        Parameters of `PrivateLittlestoneLearner` for each rule, or empty for a dimension above
        `MOST_DIMENSION`.
    concepts : int or None
        Number of concepts of the class, or None if unknown or infinite.
    """

    dimension: int
    alpha: Fraction
    beta: Fraction
    epsilon: Fraction
    delta: Fraction
    parameters: dict[Rule, LittlestoneParameters]
    concepts: int | None = None

    @property
    def finite(self) -> int | None:
        """The number of rows for the exponential mechanism on realizable distributions."""
        if self.concepts is None:
            return None
        return rows_realizable(self.concepts, self.epsilon, self.alpha, self.beta)

    @property
    def finite_noisy_max(self) -> int | None:
        """The number of rows for report noisy max on realizable distributions."""
        if self.concepts is None:
            return None
        return rows_realizable(self.concepts, self.epsilon, self.alpha, self.beta, "noisy-max")

    @property
    def finite_agnostic(self) -> int | None:
        """The number of rows for the exponential mechanism with excess error at most alpha."""
        if self.concepts is None:
            return None
        return rows_agnostic(self.concepts, self.epsilon, self.alpha, self.beta)

    @property
    def without_privacy(self) -> int | None:
        """The number of rows ln(concepts/beta)/alpha for learners without privacy.

        With this number, every consistent concept has error at most alpha.
        """
        if self.concepts is None:
            return None
        concepts = self.concepts
        return ceiling(lambda: log(concepts / self.beta) / ball(self.alpha))

    @property
    def voting(self) -> int | None:
        """The number of rows for the voting learner, or None for dimensions above 1."""
        if self.dimension > 1:
            return None
        from learners.pac.voting import rows_by_votes

        return rows_by_votes(self.epsilon, self.delta, self.alpha, self.beta)

    @property
    def merging(self) -> int | None:
        """The number of rows for the merging learner, or None unless the dimension is 2, 3 or 4."""
        if not 2 <= self.dimension <= 4 or not self.delta:
            return None
        from learners.pac.merging_plans import rows_by_merging

        return rows_by_merging(self.dimension, self.epsilon, self.delta, self.alpha, self.beta)

    @property
    def for_every_size(self) -> dict[str, int]:
        """The numbers of rows of learners whose bounds do not depend on the number of concepts."""
        fewest = min((each.rows for each in self.parameters.values()), default=None)
        found = {
            "private-littlestone": fewest,
            "voting": self.voting,
            "merging": self.merging,
        }
        return {name: rows for name, rows in found.items() if rows is not None}

    @property
    def sentence(self) -> str:
        """A sentence of advice on which method needs fewest rows."""
        if not self.parameters:
            return (
                f"The exponential mechanism needs {rows_in_words(self.finite or 0)} rows. The rows "
                "of private-littlestone are computed only up to dimension "
                f"{MOST_DIMENSION}, because they grow at least as 2^d with the dimension d."
            )
        name, rows = min(self.for_every_size.items(), key=lambda each: each[1])
        needs = f"{name} needs {rows_in_words(rows)} rows"
        if self.finite is None:
            return f"{needs}, for every size of the class."
        if self.finite <= rows:
            size = rows_in_words(self.concepts or 0)
            return (
                f"{needs}. The exponential mechanism over the {size} concepts needs "
                f"{rows_in_words(self.finite)} rows, and is proper."
            )
        return (
            f"{needs}, fewer than the {rows_in_words(self.finite)} rows of the "
            "exponential mechanism over all concepts."
        )


def rows_in_words(count: int) -> str:
    """Return a sample size in words: small numbers unchanged, large numbers as 2.2 * 10^10."""
    if count < 10**6:
        return str(count)
    mantissa, _, exponent = format_number(count, 2, up=True).partition("e")
    if not exponent:
        return mantissa
    return f"{mantissa} * 10^{int(exponent)}"


@check_arguments
def sample_complexity(
    dimension: int,
    alpha: Fraction,
    epsilon: Annotated[Fraction, Option("epsilon")],
    delta: Fraction,
    *,
    beta: Fraction = FAILURE,
    concepts: Annotated[int, Option("number of concepts", minimum=1)] | None = None,
) -> SampleComplexity:
    """Return the numbers of rows with which private learners of a class have error at most alpha.

    Parameters
    ----------
    dimension : int
        Littlestone dimension of the class.
    alpha, beta : Fraction
        Largest error, and the probability of a larger error.
    epsilon, delta : Fraction
        Privacy budget of the learner.
    concepts : int, optional
        Number of concepts, if the class is finite. The exponential mechanism is then an
        alternative.

    Raises
    ------
    InvalidInput
        If the dimension is not positive, or another number is out of range, or a float.
    TooLarge
        If the dimension is above `MOST_DIMENSION` and the number of concepts is not given.

    Examples
    --------
    >>> tenth, millionth = Fraction(1, 10), Fraction(1, 10**6)
    >>> found = sample_complexity(4, tenth, 1, millionth, concepts=2**20)
    >>> {rule: found.parameters[rule].rows for rule in RULES}
    {'printed': 219822324499, 'tight': 21758625945, 'sharp': 16776220}
    >>> found.finite, found.without_privacy
    (1405, 169)
    >>> print(found.sentence)
    merging needs 2.3 * 10^6 rows. The exponential mechanism over the 1.1 * 10^6 concepts needs \
1405 rows, and is proper.
    """
    if dimension > MOST_DIMENSION:
        if concepts is None:
            raise TooLarge(
                f"The rows of private-littlestone are computed up to dimension {MOST_DIMENSION}. "
                f"They grow at least as 2^d with the dimension d. Got {dimension}.",
                estimate=dimension,
                limit=MOST_DIMENSION,
            )
        return SampleComplexity(dimension, alpha, beta, epsilon, delta, {}, concepts)
    rows = {
        rule: LittlestoneParameters.for_error(
            dimension, alpha, Budget(epsilon, delta, allow_weak_privacy=True), beta=beta, rule=rule
        )
        for rule in RULES
    }
    any_rule = rows["printed"]
    assert any_rule.alpha is not None
    assert any_rule.beta is not None
    if concepts is not None and concepts < 1 << any_rule.dimension:
        raise InvalidInput(
            f"A class of Littlestone dimension {any_rule.dimension} has at least "
            f"{1 << any_rule.dimension} concepts. Got {concepts}."
        )
    return SampleComplexity(
        any_rule.dimension,
        any_rule.alpha,
        any_rule.beta,
        epsilon,
        any_rule.delta,
        rows,
        concepts,
    )
