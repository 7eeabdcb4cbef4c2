"""Rates of [GL21]: the mean number of mistakes of the forests."""

from __future__ import annotations

from fractions import Fraction

from learners.budget import Budget
from learners.forest.plan import ForestParameters
from learners.forest.rerun import RerunParameters
from learners.growth.factors import correction, exponential, logarithm, power
from learners.growth.rates import DELTA, Rate


def forest(mistake_bound: int, epsilon: Fraction, rounds: int) -> Fraction | int:
    """Return the bound on the mean number of mistakes of `ForestSOA` [GL21, Thm 4.1].

    Examples
    --------
    >>> f"{float(forest(1, Fraction(1), 10**6)):.3g}"
    '6.95e+27'
    """
    parameters = ForestParameters.from_theorem(Budget(epsilon, DELTA), mistake_bound, rounds)
    value = parameters.bounds(mistake_bound, True)[1].value
    assert value is not None
    return value


def forest_by_rounds(u: int) -> Fraction | int:
    """Return the bound of `ForestSOA` for T = 2^u."""
    return forest(1, Fraction(1), 1 << u)


def forest_by_epsilon(u: int) -> Fraction | int:
    """Return the bound of `ForestSOA` for epsilon = 1/u."""
    return forest(1, Fraction(1, u), 10**6)


def forest_by_dimension(u: int) -> Fraction | int:
    """Return the bound of `ForestSOA` for u = 2^d."""
    return forest(u.bit_length() - 1, Fraction(1), 10**6)


TINY = Fraction(1, 1 << 16)
"""Epsilon at which histograms need more trees than frequent hypotheses do."""


def rerun(epsilon: Fraction, delta: Fraction, rounds: int) -> Fraction | int:
    """Return the bound on the mean number of mistakes of `RerunForest` [GL21, Thm 4.2]."""
    parameters = RerunParameters.from_theorem(
        Budget(epsilon, delta), 1, rounds, composition="printed"
    )
    value = parameters.bounds(1, True)[1].value
    assert value is not None
    return value


def rerun_by_rounds(u: int) -> Fraction | int:
    """Return the bound of `RerunForest` for T = u."""
    return rerun(TINY, DELTA, u)


def rerun_by_epsilon(u: int) -> Fraction | int:
    """Return the bound of `RerunForest` for epsilon = 1/u."""
    return rerun(Fraction(1, u), DELTA, 1000)


def rerun_by_delta(u: int) -> Fraction | int:
    """Return the bound of `RerunForest` for delta = 2^-u."""
    return rerun(TINY, Fraction(1, 1 << u), 1000)


FOREST, RERUN = ("GL21 Thm 4.1",), ("GL21 Thm 4.2",)
MEAN, AGAIN = "mean number of mistakes of ForestSOA", "mean number of mistakes of RerunForest"

RATES = (
    Rate(
        "forest-T", FOREST, MEAN, "log2(T)", "d = 1, epsilon = 1, delta = 10^-6",
        forest_by_rounds, 16, 4, power(1), power("1/2"),
    ),
    Rate(
        "forest-epsilon", FOREST, MEAN, "1/epsilon", "d = 1, delta = 10^-6, T = 10^6",
        forest_by_epsilon, 1, 4, power(1), power("1/2"), correction("-1/4096"),
        note="The correction covers the rounding to integers.",
    ),
    Rate(
        "forest-d", FOREST, MEAN, "2^d", "epsilon = 1, delta = 10^-6, T = 10^6, d = 1 to 5",
        forest_by_dimension, 2, 4, exponential(8), exponential(16), power(7),
        proved=exponential(24),
        note="With k_1 = 2^(d + 1) leaves, the conditions of Lemmas A.2 and A.3 give the exponent "
        "24. The page on errata has the computation.",
        unmeasured="At d = 1, the theorem needs 2^63 trees.",
    ),
    Rate(
        "rerun-T", RERUN, AGAIN, "T", "d = 1, epsilon = 2^-16, delta = 10^-6",
        rerun_by_rounds, 125, 4, power("1/2"), power("1/4"), logarithm(1, 10**6),
    ),
    Rate(
        "rerun-epsilon", RERUN, AGAIN, "1/epsilon", "d = 1, delta = 10^-6, T = 1000",
        rerun_by_epsilon, 1 << 12, 4, power(1), power("1/2"), logarithm(1, 10**6),
    ),
    Rate(
        "rerun-delta", RERUN, AGAIN, "log2(1/delta)", "d = 1, epsilon = 2^-16, T = 1000",
        rerun_by_delta, 20, 4, power(1), power(1), proved=power("3/2"),
        note="The epsilon of one round has another factor log(1/delta)^(-1/2). The page on errata "
        "has the computation.",
    ),
)  # fmt: skip
