"""The privacy cost of `DPWinnow`, and the largest rates of its draws within a budget."""

from __future__ import annotations

from fractions import Fraction
from math import floor, log2

from learners.accounting import (
    BoundedRange,
    Event,
    PureDP,
    Scope,
    SelfComposed,
    Sequential,
    StreamParallel,
    largest_parameter,
    zcdp_rho,
)
from learners.balls import ball, rational_below

FINE = 1 << 40
"""Denominator of calibrated rates of at least 2^-20. Smaller rates have finer denominators."""


def winnow_cost(rate: Fraction, counting: Fraction, updates: int, draws: int) -> Event:
    """Return the privacy cost of all counted phases and of all drawn experts.

    The docstring of `learners.winnow.algorithm.DPWinnow` has the proof.

    Parameters
    ----------
    rate : Fraction
        Change of the logarithm of a weight per example.
    counting : Fraction
        Epsilon of counting mistakes, in all phases together.
    updates, draws : int
        Largest number of updates, and number of draws per update.

    Examples
    --------
    >>> from learners.accounting import basic
    >>> basic(winnow_cost(Fraction(1, 100), Fraction(2), 2, 3))
    (Fraction(56, 25), Fraction(0, 1))
    """
    scope = Scope.adaptive("replace_one")
    count = PureDP(counting, name="mistakes of a phase counted", scope=scope)
    draw = BoundedRange(4 * rate, name="expert drawn by its weight", scope=scope)
    return Sequential((StreamParallel(count, updates), SelfComposed(draw, updates * draws)))


def rate_for(epsilon: Fraction, delta: Fraction, releases: int) -> Fraction:
    """Return the rate at which `releases` draws are (epsilon, delta)-DP by zCDP, rounded down.

    Examples
    --------
    >>> round(float(rate_for(Fraction(2, 3), Fraction(1, 10**6), 1000)), 6)
    0.002388
    """
    rho = zcdp_rho(epsilon, delta)
    size = float((ball(rho / (2 * releases)).sqrt()).mid())
    fine = 1 << max(0, 22 - floor(log2(size)))
    return rational_below(lambda: ball(rho / (2 * releases)).sqrt(), fine)


def calibrated_rate(
    epsilon: Fraction, delta: Fraction, counting: Fraction, updates: int, draws: int
) -> Fraction:
    """Return a nearly largest rate at which counting and all draws are (epsilon, delta)-DP.

    The rate is at least `rate_for` of the epsilon that counting leaves. If the rate is larger,
    `learners.accounting.total` of `winnow_cost` is at most epsilon.

    Parameters
    ----------
    epsilon, delta : Fraction
        Budget of the whole game.
    counting, updates, draws
        Arguments of `winnow_cost`.

    Examples
    --------
    >>> budget = Fraction(1), Fraction(1, 10**6)
    >>> found = calibrated_rate(*budget, Fraction(1, 3), 10, 100)
    >>> round(float(found / rate_for(Fraction(2, 3), budget[1], 1000)), 3)
    1.09
    """
    start = rate_for(epsilon - counting, delta, updates * draws)
    fine = max(FINE, start.denominator)
    return largest_parameter(
        lambda tried: winnow_cost(tried, counting, updates, draws),
        start,
        epsilon,
        delta,
        rounded=lambda tried: Fraction(floor(tried * fine), fine),
    )
