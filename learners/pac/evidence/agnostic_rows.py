"""The number of rows for arbitrary labels [BLM20, Cor 2], for the class of both constants."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import log

from flint import arb, ctx

from learners.balls import ball
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.exact import PRECISION
from learners.number_arguments import least_integer
from learners.pac.generic import rows_agnostic
from lsclasses.table import Table

CONSTANTS = Claim(
    "both constants, exponential mechanism: largest number of rows at which P[loss > least loss + "
    "alpha] exceeds beta",
    "max((9/(2 alpha^2)) ln(8/beta), (6/(alpha epsilon)) ln(4/beta))",
    source="learners.pac.generic, for [BLM20, Cor 2]",
    falsified="max((9/(2 alpha)) ln(8/beta), (6/(alpha epsilon)) ln(4/beta))",
    drops="the power 2 of 1/alpha, replaced by 1",
)


def worse_constant(share: Fraction, rows: int, epsilon: Fraction) -> arb:
    """Return P[the constant of larger loss is chosen], if this share of labels contradicts it.

    The number of contradicting rows is binomial. Given this number w, the weights of the constants
    are exp(-epsilon w/2) and exp(-epsilon (rows - w)/2).
    """
    term, total = ball(1 - share) ** rows, arb(0)
    odds = ball(share / (1 - share))
    for wrong in range(rows + 1):
        total += term / (1 + ball(epsilon * (2 * wrong - rows) / 2).exp())
        term *= odds * (rows - wrong) / (wrong + 1)
    return total


@recomputes(CONSTANTS)
def both_constants(epsilon: Fraction, alpha: Fraction, beta: Fraction) -> Iterator[Outcome]:
    """Yield labels for which the loss of one constant is slightly more than alpha too large."""
    C = Table([[0], [1]])
    share = (1 + alpha + Fraction(1, 1000)) / 2
    with ctx.workprec(PRECISION):
        most = least_integer(lambda n: not worse_constant(share, n, epsilon) > ball(beta), 0) - 1
    linear = max(4.5 * log(8 / beta), 6 / epsilon * log(4 / beta)) / alpha
    yield compare(
        CONSTANTS,
        f"epsilon={epsilon}, alpha={alpha}, beta={beta}, d=1",
        computed=most,
        stated=rows_agnostic(len(C), epsilon, alpha, beta),
        false=Fraction(linear),
        privacy=(epsilon, 0),
        hypotheses={"ldim": C.ldim() == 1, RANGES: in_range(epsilon, Fraction(0), alpha, beta)},
    )


RANGES = "the ranges of the four parameters"
"""Name of the hypothesis of [BLM20, Thm 1 and Cor 2]."""


def in_range(epsilon: Fraction, delta: Fraction, alpha: Fraction, beta: Fraction) -> bool:
    """Return whether the parameters are in the ranges of [BLM20, Thm 1], or delta is 0."""
    return 0 < epsilon < 1 and 0 <= delta < 1 and all(0 < x < Fraction(1, 2) for x in (alpha, beta))


def checks(topic: str) -> list[ClaimCheck]:
    """Return a loss at which the power of 1/alpha matters."""
    given = Fraction(9, 10), Fraction(1, 32), Fraction(1, 10)
    return [ClaimCheck(topic, both_constants, given)]
