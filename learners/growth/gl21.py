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
"""An epsilon so small that the histograms determine the number of trees. At a larger epsilon, the
frequency of hypotheses determines this number."""


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


FEW = (
    "At epsilon = 20 and T up to 2000, accurate histograms need more than T trees, but T "
    "examples change at most T trees. In games of 125 to 1000 rounds at epsilon = 16, the learner "
    "erred in every round."
)
FOREST, RERUN = ("GL21 Thm 4.1",), ("GL21 Thm 4.2",)
MEAN, AGAIN = "mean number of mistakes of ForestSOA", "mean number of mistakes of RerunForest"

RATES = (
    Rate(
        name="forest-T",
        statements=FOREST,
        quantity=MEAN,
        symbol="log2(T)",
        setting="d = 1, epsilon = 1, delta = 10^-6",
        bound=forest_by_rounds,
        start=16,
        doublings=4,
        stated=power(1),
        false=power("1/2"),
    ),
    Rate(
        name="forest-epsilon",
        statements=FOREST,
        quantity=MEAN,
        symbol="1/epsilon",
        setting="d = 1, delta = 10^-6, T = 10^6",
        bound=forest_by_epsilon,
        start=1,
        doublings=4,
        stated=power(1),
        false=power("1/2"),
        correction=correction("-1/4096"),
        note="The last factor covers the rounding to integers.",
    ),
    Rate(
        name="forest-d",
        statements=FOREST,
        quantity=MEAN,
        symbol="2^d",
        setting="epsilon = 1, delta = 10^-6, T = 10^6, d = 1 to 5",
        bound=forest_by_dimension,
        start=2,
        doublings=4,
        stated=exponential(8),
        false=exponential(16),
        correction=power(7),
        proved=exponential(24),
        note=(
            "With k_1 = 2^(d + 1) leaves, the conditions of Lemmas A.2 and A.3 give the exponent "
            "24. The page on errata has the computation."
        ),
        unmeasured="At d = 1, the theorem needs 2^63 trees.",
    ),
    Rate(
        name="rerun-T",
        statements=RERUN,
        quantity=AGAIN,
        symbol="T",
        setting="d = 1, epsilon = 2^-16, delta = 10^-6",
        bound=rerun_by_rounds,
        start=125,
        doublings=4,
        stated=power("1/2"),
        false=power("1/4"),
        correction=logarithm(1, 10**6),
        unmeasured=FEW,
    ),
    Rate(
        name="rerun-epsilon",
        statements=RERUN,
        quantity=AGAIN,
        symbol="1/epsilon",
        setting="d = 1, delta = 10^-6, T = 1000",
        bound=rerun_by_epsilon,
        start=1 << 12,
        doublings=4,
        stated=power(1),
        false=power("1/2"),
        correction=logarithm(1, 10**6),
        unmeasured=FEW,
    ),
    Rate(
        name="rerun-delta",
        statements=RERUN,
        quantity=AGAIN,
        symbol="log2(1/delta)",
        setting="d = 1, epsilon = 2^-16, T = 1000",
        bound=rerun_by_delta,
        start=20,
        doublings=4,
        stated=power(1),
        false=power(1),
        proved=power("3/2"),
        note=(
            "The epsilon of one round has another factor log(1/delta)^(-1/2). The page on errata "
            "has the computation."
        ),
        unmeasured=FEW,
    ),
)
