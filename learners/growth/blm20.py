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
    """Return the number of examples (see `rows`) by the printed rule, for d = u."""
    return rows("printed", dimension=u)


def sharp_by_dimension(u: int) -> int:
    """Return the number of examples (see `rows`) by the sharp rule, for d = u."""
    return rows("sharp", dimension=u)


def by_error(u: int) -> int:
    """Return the number of examples (see `rows`) for alpha = 1/u."""
    return rows("sharp", alpha=Fraction(1, u))


def by_epsilon(u: int) -> int:
    """Return the number of examples (see `rows`) for epsilon = 1/u."""
    return rows("sharp", epsilon=Fraction(1, u))


def by_delta(u: int) -> int:
    """Return the number of examples (see `rows`) for delta = 2^-u."""
    return rows("sharp", delta=Fraction(1, 1 << u))


def by_failure(u: int) -> int:
    """Return the number of examples (see `rows`) for beta = 2^-u."""
    return rows("tight", beta=Fraction(1, 1 << u))


def agnostic_by_error(u: int) -> int:
    """Return the number of examples of the exponential mechanism on 256 concepts, alpha = 1/u."""
    return rows_agnostic(256, Fraction(1), Fraction(1, u), FAILURE)


def agnostic_by_epsilon(u: int) -> int:
    """Return the number of examples of the exponential mechanism, 256 concepts, epsilon = 1/u."""
    return rows_agnostic(256, Fraction(1, u), ERROR, FAILURE)


def agnostic_by_size(u: int) -> int:
    """Return the number of examples of the exponential mechanism on 2^u concepts."""
    return rows_agnostic(1 << u, Fraction(1), ERROR, FAILURE)


def agnostic_by_failure(u: int) -> int:
    """Return the number of examples of the exponential mechanism for beta = 2^-u."""
    return rows_agnostic(256, Fraction(1), ERROR, Fraction(1, 1 << u))


FIRST, SECOND = ("BLM20 Thm 1",), ("BLM20 Cor 2",)
EXAMPLES = "examples of the private Littlestone learner"
AGNOSTIC = "examples of the exponential mechanism, agnostic"
WORST = (
    "The least number of examples that suffices depends on the distribution, and the worst "
    "distribution is unknown."
)
FINITE = (
    "The bound is for finite classes, with log|H| in place of VC. For other classes, the paper "
    "cites the step from realizable learners."
)

RATES = (
    Rate(
        name="examples-d",
        statements=FIRST,
        quantity=f"{EXAMPLES}, printed rule",
        symbol="d",
        setting="alpha = 1/10, epsilon = 1, delta = 10^-6",
        bound=printed_by_dimension,
        start=1,
        doublings=4,
        stated=exponential(4) * power(2) * power(1, 17),
        false=exponential(3) * power(2) * power(1, 17),
        printed="16^d d^2 (d + log(1/(beta delta)))",
        unmeasured="By the printed rule, the learner reserves more than 10^11 examples at d = 4.",
    ),
    Rate(
        name="examples-d-sharp",
        statements=FIRST,
        quantity=f"{EXAMPLES}, sharp rule",
        symbol="d",
        setting="alpha = 1/10, epsilon = 1, delta = 10^-6",
        bound=sharp_by_dimension,
        start=1,
        doublings=3,
        stated=exponential(4) * power(2) * power(1, 17),
        false=exponential(1) * power(2) * power(1, 17),
        proved=exponential(2) * power(2) * power(1, 17),
        printed="16^d d^2 (d + log(1/(beta delta)))",
        note=(
            "In the tournaments of the proof, outcomes are independent of costs, so the factor "
            "4^d replaces 16^d."
        ),
        unmeasured="By the sharp rule, the learner reserves more than 10^10 examples at d = 8.",
        quick=(0, 1),
    ),
    Rate(
        name="examples-alpha",
        statements=FIRST,
        quantity=EXAMPLES,
        symbol="1/alpha",
        setting="d = 2, epsilon = 1, delta = 10^-6",
        bound=by_error,
        start=10,
        doublings=4,
        stated=power(1),
        false=power("1/2"),
        quick=(0,),
    ),
    Rate(
        name="examples-epsilon",
        statements=FIRST,
        quantity=EXAMPLES,
        symbol="1/epsilon",
        setting="d = 2, alpha = 1/10, delta = 10^-6",
        bound=by_epsilon,
        start=1,
        doublings=4,
        stated=power(1),
        false=power("1/2"),
        quick=(0,),
    ),
    Rate(
        name="examples-delta",
        statements=FIRST,
        quantity=EXAMPLES,
        symbol="log2(1/delta)",
        setting="d = 2, alpha = 1/10, epsilon = 1",
        bound=by_delta,
        start=20,
        doublings=4,
        stated=power(1),
        false=power("1/2"),
        quick=(0,),
    ),
    Rate(
        name="examples-beta",
        statements=FIRST,
        quantity=EXAMPLES,
        symbol="log2(1/beta)",
        setting="d = 2, alpha = 1/10, epsilon = 1",
        bound=by_failure,
        start=5,
        doublings=4,
        stated=power(1),
        false=power("1/2"),
        quick=(2,),
    ),
    Rate(
        name="agnostic-alpha",
        statements=SECOND,
        quantity=AGNOSTIC,
        symbol="1/alpha",
        setting="256 concepts, epsilon = 1",
        bound=agnostic_by_error,
        start=10,
        doublings=4,
        stated=power(2),
        false=power("3/2"),
        note=FINITE,
        unmeasured=WORST,
    ),
    Rate(
        name="agnostic-epsilon",
        statements=SECOND,
        quantity=AGNOSTIC,
        symbol="1/epsilon",
        setting="256 concepts, alpha = 1/10",
        bound=agnostic_by_epsilon,
        start=16,
        doublings=4,
        stated=power(1),
        false=power("1/2"),
        note=FINITE,
        unmeasured=WORST,
    ),
    Rate(
        name="agnostic-H",
        statements=SECOND,
        quantity=AGNOSTIC,
        symbol="log2|H|",
        setting="alpha = 1/10, epsilon = 1",
        bound=agnostic_by_size,
        start=8,
        doublings=4,
        stated=power(1),
        false=power("1/2"),
        note=FINITE,
        unmeasured=WORST,
        printed="VC",
    ),
    Rate(
        name="agnostic-beta",
        statements=SECOND,
        quantity=AGNOSTIC,
        symbol="log2(1/beta)",
        setting="256 concepts, alpha = 1/10, epsilon = 1",
        bound=agnostic_by_failure,
        start=8,
        doublings=4,
        stated=power(1),
        false=power("1/2"),
        note=FINITE,
        unmeasured=WORST,
    ),
)
