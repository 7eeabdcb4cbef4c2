"""Rates of [BLM20]: numbers of examples of the private learner of a Littlestone class."""

from __future__ import annotations

from fractions import Fraction

from learners.budget import Budget
from learners.growth.factors import exponential, power
from learners.growth.rates import DELTA, FAILURE, Rate
from learners.pac.generic import rows_agnostic
from learners.pac.littlestone_parameters import LittlestoneParameters, Rule

ERROR = Fraction(1, 10)


def rows(
    rule: Rule,
    *,
    dimension: int = 2,
    alpha: Fraction = ERROR,
    epsilon: Fraction = Fraction(1),
    delta: Fraction = DELTA,
    beta: Fraction = FAILURE,
) -> int:
    """Return the number of examples of `PrivateLittlestoneLearner` by a rule.

    Examples
    --------
    >>> rows("printed"), rows("sharp")
    (258107126, 359330)
    """
    return LittlestoneParameters.for_error(
        dimension, alpha, Budget(epsilon, delta), beta=beta, rule=rule
    ).rows


def printed_by_dimension(u: int) -> int:
    """Return the number by the printed rule for d = u."""
    return rows("printed", dimension=u)


def sharp_by_dimension(u: int) -> int:
    """Return the number by the sharp rule for d = u."""
    return rows("sharp", dimension=u)


def by_error(u: int) -> int:
    """Return the number for alpha = 1/u."""
    return rows("sharp", alpha=Fraction(1, u))


def by_epsilon(u: int) -> int:
    """Return the number for epsilon = 1/u."""
    return rows("sharp", epsilon=Fraction(1, u))


def by_delta(u: int) -> int:
    """Return the number for delta = 2^-u."""
    return rows("sharp", delta=Fraction(1, 1 << u))


def by_failure(u: int) -> int:
    """Return the number for beta = 2^-u."""
    return rows("tight", beta=Fraction(1, 1 << u))


def agnostic_by_error(u: int) -> int:
    """Return the number of the exponential mechanism on 256 concepts for alpha = 1/u."""
    return rows_agnostic(256, Fraction(1), Fraction(1, u), FAILURE)


def agnostic_by_epsilon(u: int) -> int:
    """Return the number of the exponential mechanism on 256 concepts for epsilon = 1/u."""
    return rows_agnostic(256, Fraction(1, u), ERROR, FAILURE)


def agnostic_by_size(u: int) -> int:
    """Return the number of the exponential mechanism on 2^u concepts."""
    return rows_agnostic(1 << u, Fraction(1), ERROR, FAILURE)


def agnostic_by_failure(u: int) -> int:
    """Return the number of the exponential mechanism for beta = 2^-u."""
    return rows_agnostic(256, Fraction(1), ERROR, Fraction(1, 1 << u))


FIRST, SECOND = ("BLM20 Thm 1",), ("BLM20 Cor 2",)
EXAMPLES = "examples of the private Littlestone learner"
AGNOSTIC = "examples of the exponential mechanism, agnostic"
RESERVED = "The learner reserves this number of examples. A smaller sample has no guarantee to measure."
FINITE = (
    "The bound is for finite classes, with log|H| in place of VC. For other classes, the paper "
    "cites the step from realizable learners."
)

RATES = (
    Rate(
        "examples-d", FIRST, f"{EXAMPLES}, printed rule", "d", "alpha = 1/10, epsilon = 1, delta = 10^-6",
        printed_by_dimension, 1, 4,
        exponential(4) * power(2) * power(1, 17), exponential(3) * power(2) * power(1, 17),
        printed="16^d d^2 (d + log(1/(beta delta)))", unmeasured=RESERVED,
    ),
    Rate(
        "examples-d-sharp", FIRST, f"{EXAMPLES}, sharp rule", "d", "alpha = 1/10, epsilon = 1, delta = 10^-6",
        sharp_by_dimension, 1, 3,
        exponential(4) * power(2) * power(1, 17), exponential(1) * power(2) * power(1, 17),
        proved=exponential(2) * power(2) * power(1, 17),
        printed="16^d d^2 (d + log(1/(beta delta)))",
        note="Outcomes of tournaments are independent of their costs, so that 4^d replaces 16^d.",
    ),
    Rate(
        "examples-alpha", FIRST, EXAMPLES, "1/alpha", "d = 2, epsilon = 1, delta = 10^-6",
        by_error, 10, 4, power(1), power("1/2"),
    ),
    Rate(
        "examples-epsilon", FIRST, EXAMPLES, "1/epsilon", "d = 2, alpha = 1/10, delta = 10^-6",
        by_epsilon, 1, 4, power(1), power("1/2"),
    ),
    Rate(
        "examples-delta", FIRST, EXAMPLES, "log2(1/delta)", "d = 2, alpha = 1/10, epsilon = 1",
        by_delta, 20, 4, power(1), power("1/2"),
    ),
    Rate(
        "examples-beta", FIRST, EXAMPLES, "log2(1/beta)", "d = 2, alpha = 1/10, epsilon = 1",
        by_failure, 5, 4, power(1), power("1/2"), unmeasured=RESERVED,
    ),
    Rate(
        "agnostic-alpha", SECOND, AGNOSTIC, "1/alpha", "256 concepts, epsilon = 1",
        agnostic_by_error, 10, 4, power(2), power("3/2"), note=FINITE, unmeasured=RESERVED,
    ),
    Rate(
        "agnostic-epsilon", SECOND, AGNOSTIC, "1/epsilon", "256 concepts, alpha = 1/10",
        agnostic_by_epsilon, 16, 4, power(1), power("1/2"), note=FINITE, unmeasured=RESERVED,
    ),
    Rate(
        "agnostic-H", SECOND, AGNOSTIC, "log2|H|", "alpha = 1/10, epsilon = 1",
        agnostic_by_size, 8, 4, power(1), power("1/2"), note=FINITE, unmeasured=RESERVED,
        printed="VC",
    ),
    Rate(
        "agnostic-beta", SECOND, AGNOSTIC, "log2(1/beta)", "256 concepts, alpha = 1/10, epsilon = 1",
        agnostic_by_failure, 8, 4, power(1), power("1/2"), note=FINITE, unmeasured=RESERVED,
    ),
)  # fmt: skip
