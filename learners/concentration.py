"""Concentration bounds: numbers of trials that give n successes except with a probability."""

from __future__ import annotations

import math
from fractions import Fraction
from statistics import NormalDist
from typing import Annotated

from flint import arb

from learners.balls import ball, ceiling, certainly_le, log
from learners.checked import Failure
from learners.number_arguments import least_integer
from lsclasses.errors import InvalidInput
from lsclasses.options import Option, check_arguments

FAILURE = Fraction(1, 20)
"""The default probability with which bounds may fail."""
_SUM_UNIT = 1 << 10


@check_arguments
def least_trials(
    successes: Annotated[int, Option("number of successes", minimum=0)],
    chance: Annotated[Fraction, Option("chance of success")],
    failure: Failure,
) -> int:
    """Return the least number N of trials with P[Bin(N, p) <= n] <= failure.

    By Chernoff's bound ceil((n + L + sqrt(L^2 + 2 n L))/p) trials suffice, where
    L = ln(1/failure). Proof: with mu = N p, the probability is at most exp(-(mu - n)^2/(2 mu)),
    which is e^-L. (Where the probability equals `failure`, the result may be one trial more.)

    Parameters
    ----------
    successes : int
        Number n of successes, at least 0.
    chance : Fraction
        Probability p of a success, more than 0 and at most 1.
    failure : Fraction
        Largest probability of at most n successes.

    Raises
    ------
    InvalidInput
        If a number is out of range or a float.

    Examples
    --------
    >>> least_trials(100, Fraction(1, 5), Fraction(1, 60))
    606
    >>> least_trials(100, Fraction(1), Fraction(1, 60))
    101
    """
    if not 0 < chance <= 1:
        raise InvalidInput(f"The chance of success must be positive and at most 1. Got {chance}.")
    if chance == 1:
        return successes + 1

    def suffices(trials: int) -> bool:
        # P[Bin(N, p) <= n] is the regularized incomplete beta function I_(1-p)(N - n, n + 1).
        return certainly_le(
            lambda: ball(1 - chance).beta_lower(trials - successes, successes + 1, True), failure
        )

    enough = chernoff_trials(successes, chance, failure)
    return least_integer(suffices, successes, enough, _guess(successes + 1, chance, failure))


def _guess(successes: int, chance: Fraction, failure: Fraction) -> int | None:
    """Return the trials up to the n-th success that are exceeded with this probability, roughly.

    The result uses the first terms of the Cornish-Fisher expansion of a negative binomial
    distribution, whose skewness is (2 - p)/sqrt(n (1 - p)). With many successes it is off by one or
    two.
    """
    p, tail = float(chance), float(failure)
    if not 0 < tail < 1:
        return None
    z = -NormalDist().inv_cdf(tail)
    spread = z * math.sqrt(successes * (1 - p)) + (z * z - 1) / 6 * (2 - p)
    return round((successes + Fraction(spread)) / chance)


def chernoff_trials(successes: int, chance: Fraction, failure: Fraction) -> int:
    """Return a number of trials that suffices by Chernoff's bound, as proved in `least_trials`."""

    def trials() -> arb:
        size = -log(failure)
        return (successes + size + (size * size + 2 * successes * size).sqrt()) / ball(chance)

    return ceiling(trials)


@check_arguments
def exponential_sum(
    count: Annotated[int, Option("number of variables", minimum=1)], failure: Failure
) -> Fraction:
    """Return a number that a sum of D exponential variables rarely exceeds.

    The sum is larger with probability at most `failure`.

    The variables are independent and have the mean 1. The sum of D of them exceeds x with the
    probability of fewer than D events of a Poisson variable of mean x. The result is the least
    multiple of 1/1024 for which ball arithmetic confirms the probability. It is at most D + sqrt(2
    D t) + t, rounded up, for t = ln(1/failure).

    Parameters
    ----------
    count : int
        Number D of variables.
    failure : Fraction
        Largest probability of a larger sum.

    Examples
    --------
    >>> float(exponential_sum(1, Fraction(1, 20))), float(exponential_sum(50, Fraction(1, 20)))
    (2.9960..., 62.1...)
    """

    def suffices(steps: int) -> bool:
        return certainly_le(lambda: ball(Fraction(steps, _SUM_UNIT)).gamma_upper(count, 1), failure)

    def upper() -> arb:
        size = -log(failure)
        return _SUM_UNIT * (count + (2 * count * size).sqrt() + size)

    return Fraction(least_integer(suffices, 0, ceiling(upper) + 1), _SUM_UNIT)
