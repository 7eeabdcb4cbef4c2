r"""Number of rows that greedy covering needs, by the theorem as printed and as proved.

**Errors on the sample.** Let M = |F| + 1, t = epsilon_0/2, and let some decision list over F be
consistent with all labels. Then some decision list over the unused features is consistent with all
remaining rows (remove the rules with used features from the first list), and its first rule makes
no errors on them. So in every round some pair scores 0. A given pair that errs s times is chosen
with probability at most exp(-t s). So of K pairs, the chosen pair errs s times or more with
probability at most K exp(-t s), given the past. With at most K_j = 2 (M - j + 1) pairs in round j,
a union bound over the rounds gives [BF25, Lemma A.4]

    errors <= (M/t) ln(2 M^2/b),   except with probability b.

A sharper bound: the errors of round j are at most (ln K_j + X_j)/t for independent exponential X_j
(in distribution, given the past). The sum of M of these has a gamma distribution, whose tail is
P[sum > M + sqrt(2 M L) + L] <= e^-L, and ln M! <= (M + 1/2) ln M - M + 1, so

    errors <= (M ln(2 M) + ln(M)/2 + 1 + sqrt(2 M L) + L)/t,   L = ln(1/b).

**Errors in the population.** Let the rows be drawn independently, and let the class have VC
dimension v. The probability that some hypothesis errs with probability more than a, although it
errs on at most n a/2 rows, is at most 4 (2 e n/v)^v exp(-n a/16): (err - err_S)/sqrt(err) would
exceed sqrt(a)/2 (Vapnik's bound on relative deviations, with Sauer's lemma). From n >= (64/a)(v
ln(64/a) + ln(16/b)) on, this is at most b [BF25, Thm A.6]. This module finds the least such n by
bisection.

Decision lists over F are halfspaces over the features (let the weight of each rule exceed the sum
of all later weights), so v <= |F| + 1. [BF25] states v = O~(|F|), by counting.

**Printed version.** [BF25, Thm 3.5] has |F| for M and 2 ln(1/delta) + 3/2 where its epsilon-hat
gives 2 ln(1/delta) + 3. It also gives the full beta to each of two failures, so ln(16/beta) must be
ln(32/beta). The displayed probabilities in the proof of its Lemma A.4 have the inequality the wrong
way round.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from flint import arb

from learners.accounting import checked_neighbours
from learners.balls import ball, ceiling, certainly_le, floor, log
from learners.bounds import Bound
from learners.checked import Alpha, Delta, Epsilon, Failure, Features, Rows
from learners.concentration import FAILURE
from learners.number_arguments import least_integer
from learners.pac.base import POPULATION_ERROR, TRIVIAL_ERROR, FewRows
from learners.rules.cover import cover_rate
from lsclasses.options import Option, check_arguments

A_LIST_FITS = "a decision list over the features has all labels"
"""Hypothesis of the bounds of greedy covering that some decision list is consistent with all
labels."""


def warn_of_few_rows(
    features: int,
    rows: int,
    epsilon: Fraction,
    delta: Fraction,
    accuracy: Fraction,
    *,
    neighbours: str = "replace_one",
) -> None:
    """Warn (`FewRows`) if the theorem needs more rows for this error, with both numbers.

    The warning is only for the owner of the rows, because the number of rows may not be public.
    """
    needed = sample_size(features, epsilon, delta, accuracy, FAILURE, neighbours=neighbours).rows
    if rows < needed:
        warnings.warn(
            f"For an error of at most {accuracy} except with probability {FAILURE}, the theorem "
            f"needs {needed} rows with {features} features at this budget, but there are {rows}. "
            "The list is private, but need not be accurate.",
            FewRows,
            stacklevel=3,
        )


def _errors(features: int, rate: Fraction, failure: Fraction) -> arb:
    """Return the smaller of both bounds of the module's docstring."""
    rounds = features + 1
    fail = -log(failure)
    by_rounds = rounds * (log(2 * rounds**2) + fail)
    together = rounds * log(2 * rounds) + log(rounds) / 2 + 1 + (2 * rounds * fail).sqrt() + fail
    return by_rounds.min(together) / ball(rate)


@check_arguments
def errors_bound(
    features: Features,
    rate: Annotated[Fraction, Option("rate of the weights", above=0)],
    failure: Failure,
    *,
    rows: Rows | None = None,
) -> Bound:
    """Return a bound on the training errors of the decision list that greedy covering learns.

    Parameters
    ----------
    features : int
        Number of features, without the constant feature.
    rate : Fraction
        Rate of the weights exp(-rate * errors): half of `GreedyCover.choice_epsilon`.
    failure : Fraction
        Probability that the list makes more errors than the bound.
    rows : int, optional
        Number of rows, which is the largest possible number of errors.

    Raises
    ------
    InvalidInput
        If there are no features, the rate is not positive, or the failure is not a probability.

    Examples
    --------
    >>> bound = errors_bound(500, Fraction(1, 12), Fraction(1, 40), rows=10**6)
    >>> bound.value, bound.vacuous
    (Fraction(42364, 1), False)
    """
    return Bound(
        source="[BF25, Lemma A.4], explicit",
        quantity="errors on the sample",
        formula=(
            "Min(M*log(2*M**2/b), M*log(2*M) + log(M)/2 + 1 + sqrt(2*M*log(1/b)) + log(1/b))/t"
        ),
        value=floor(lambda: _errors(features, rate, failure)),
        trivial=rows,
        failure=failure,
        hypotheses=(A_LIST_FITS,),
        printed="(4*F/e)*log(sqrt(2/b)*F), for F = M - 1 features and e = 2*t",
    )


@dataclass(frozen=True)
class SampleSize:
    """A sample size for [BF25, Thm 3.5].

    Attributes
    ----------
    features, epsilon, delta, alpha, beta, neighbours
        Parameters of the request: with probability 1 - beta, the list errs with probability at
        most alpha.
    rows : int
        Sufficient number of rows that is proved by the sharper bounds.
    corrected : int
        Value of the formula with the terms of its proof: |F| + 1 rounds, 2 ln(1/delta) + 3 and
        beta/2 for each failure.
    printed : int
        Value of the formula of the theorem.
    vacuous : bool
        Whether alpha is not better than a coin.
    """

    features: int
    epsilon: Fraction
    delta: Fraction
    alpha: Fraction
    beta: Fraction
    neighbours: str
    rows: int
    corrected: int
    printed: int

    @property
    def vacuous(self) -> bool:
        """Whether alpha is at least 1/2."""
        return self.alpha >= TRIVIAL_ERROR

    def bound(self, rows: int) -> Bound:
        """Return the error bound for a sample of `rows` rows, for comparison with runs."""
        needed = f"at least {self.rows} rows"
        return Bound(
            source="[BF25, Thm 3.5], explicit",
            quantity=POPULATION_ERROR,
            formula="alpha",
            value=self.alpha,
            trivial=TRIVIAL_ERROR,
            failure=self.beta,
            hypotheses=(
                A_LIST_FITS,
                "rows are drawn independently",
                needed,
            ),
            unmet=() if rows >= self.rows else (needed,),
        )

    def __str__(self) -> str:
        return (
            f"error at most {self.alpha}, except with probability {self.beta}: {self.rows} rows "
            f"(the formula of [BF25, Thm 3.5]: {self.printed}; by its proof, {self.corrected})"
        )


@check_arguments
def sample_size(
    features: Features,
    epsilon: Epsilon,
    delta: Delta,
    alpha: Alpha,
    beta: Failure,
    *,
    neighbours: str = "replace_one",
    vc: Annotated[int, Option("VC dimension", minimum=1)] | None = None,
) -> SampleSize:
    """Return a sample size for `GreedyCover` as an (alpha, beta)-PAC learner of decision lists.

    Parameters
    ----------
    features : int
        Number of features, such as ``conjunction_count(d, k)`` for k-decision lists.
    epsilon, delta : Fraction
        Privacy budget.
    alpha, beta : Fraction
        Error, and the probability of a larger error.
    neighbours : {"replace_one", "add_remove"}
        Neighbour relation of the guarantee.
    vc : int, optional
        VC dimension of decision lists over the features, or an upper bound. By default,
        features + 1.

    Raises
    ------
    InvalidInput
        If a number is out of range, or a float, or the relation does not exist.

    References
    ----------
    [BF25, Thm 3.5, Cor. A.8]

    Examples
    --------
    >>> tenth, twentieth = Fraction(1, 10), Fraction(1, 20)
    >>> print(sample_size(100, 1, Fraction(1, 10**6), tenth, twentieth))
    error at most 1/10, except with probability 1/20: 145728 rows \
(the formula of [BF25, Thm 3.5]: 1583839; by its proof, 1684509)
    """
    rate = cover_rate(
        epsilon, delta, neighbours=checked_neighbours(neighbours), rounds=features + 1
    )
    v = features + 1 if vc is None else vc
    errors = floor(lambda: _errors(features, rate, beta / 2))
    by_sample = -(-2 * errors // alpha)
    rounds = features + 1

    def generalized(logarithm: int) -> arb:
        return 64 / ball(alpha) * (v * log(64 / alpha) + log(logarithm / beta))

    def covered(rounds: int, slack: Fraction, half: int) -> arb:
        hat = ball(epsilon) / (ball(slack) - 2 * log(delta))
        return 4 * rounds / (ball(alpha) * hat) * log(half * rounds**2 / beta)

    return SampleSize(
        features,
        epsilon,
        delta,
        alpha,
        beta,
        neighbours,
        rows=max(int(by_sample), _rows_to_generalize(v, alpha, beta / 2)),
        corrected=max(
            ceiling(lambda: generalized(32)), ceiling(lambda: covered(rounds, Fraction(3), 4))
        ),
        printed=max(
            ceiling(lambda: generalized(16)),
            ceiling(lambda: covered(features, Fraction(3, 2), 4)),
        ),
    )


def _rows_to_generalize(v: int, alpha: Fraction, failure: Fraction) -> int:
    """Return the least n >= 16 v/alpha with 4 (2 e n/v)^v exp(-n alpha/16) <= failure."""

    def suffices(n: int) -> bool:
        return certainly_le(
            lambda: log(4 / failure) + v * (1 + log(Fraction(2 * n, v))) - ball(n * alpha / 16),
            0,
        )

    # From n = v up to 16 v/alpha, the left side increases and is above 1. Then it decreases.
    return least_integer(suffices, v)


@check_arguments
def promised_error(
    features: int,
    rows: Rows,
    epsilon: Fraction,
    delta: Fraction,
    beta: Fraction,
    *,
    neighbours: str = "replace_one",
) -> Fraction | None:
    """Return the least error, in thousandths, that the theorem gives for a sample of this size.

    The result is None if the theorem gives no error below 1/2, the error of a fair coin.

    Examples
    --------
    >>> arguments = 1, Fraction(1, 10**6), Fraction(1, 20)
    >>> promised_error(20, 100_000, *arguments), promised_error(20, 1000, *arguments)
    (Fraction(7, 200), None)
    """

    def suffices(thousandths: int) -> bool:
        alpha = Fraction(thousandths, 1000)
        needed = sample_size(features, epsilon, delta, alpha, beta, neighbours=neighbours)
        return needed.rows <= rows

    found = least_integer(suffices, 0, 500)
    return Fraction(found, 1000) if found < 500 else None
