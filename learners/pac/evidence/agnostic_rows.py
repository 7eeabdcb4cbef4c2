"""Numbers of rows of the exponential mechanism [BLM20, Cor 2 and Lemma 16], [LWY25, Def A.1]."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import log, prod, sqrt

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray
from scipy.special import expit
from scipy.stats import binom

from learners.balls import ball
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.exact import PRECISION
from learners.number_arguments import least_integer
from learners.pac.generic import rows_agnostic, rows_for_best, rows_realizable
from lsclasses.table import Table

CONSTANTS = Claim(
    "both constants, exponential mechanism: largest number of rows at which P[loss > least loss + "
    "alpha] exceeds beta",
    "max((9/(2 alpha^2)) ln(8/beta), (6/(alpha epsilon)) ln(4/beta))",
    source="learners.pac.generic, for [BLM20, Cor 2]",
    falsified="max((9/(2 alpha)) ln(8/beta), (6/(alpha epsilon)) ln(4/beta))",
    drops="the power 2 of 1/alpha, replaced by 1",
)


REALIZABLE = Claim(
    "exponential mechanism, realizable distributions: largest number of rows at which "
    "P[loss > alpha] exceeds beta",
    "max(8, 4/epsilon) ln(2 N/beta)/alpha",
    source="learners.pac.generic, for [LWY25, Def A.1]",
    falsified="max(8, 4/epsilon) ln(2 N/beta)/sqrt(alpha)",
    drops="the power 1 of 1/alpha, replaced by 1/2",
)


def wrong_somewhere(share: Fraction, rows: int, epsilon: Fraction) -> arb:
    """Return P[the chosen labelling of two points is wrong], for all labellings and labels 0.

    The number k of rows at the second point is binomial. The weight of a labelling is the product
    of exp(-epsilon k/2) and exp(-epsilon (rows - k)/2) over the points that it labels by 1.
    """
    term, right = ball(1 - share) ** rows, arb(0)
    odds = ball(share / (1 - share))
    for k in range(rows + 1):
        each = (1 + ball(-epsilon * count / 2).exp() for count in (k, rows - k))
        right += term / prod(each, start=arb(1))
        term *= odds * (rows - k) / (k + 1)
    return 1 - right


@recomputes(REALIZABLE)
def realizable(epsilon: Fraction, alpha: Fraction, beta: Fraction) -> Iterator[Outcome]:
    """Check the number of rows of the exponential mechanism for realizable distributions.

    Check the claim on all labellings of two points, both of which are more likely than alpha.
    """
    shares = alpha + Fraction(1, 1000), 2 * alpha, 8 * alpha
    C = Table([[0, 0], [0, 1], [1, 0], [1, 1]])

    def fails(n: int) -> bool:
        return any(bool(wrong_somewhere(share, n, epsilon) > ball(beta)) for share in shares)

    stated = rows_realizable(len(C), epsilon, alpha, beta)
    with ctx.workprec(64):
        most = least_integer(lambda n: not fails(n), 0) - 1
    yield compare(
        REALIZABLE,
        f"epsilon={epsilon}, alpha={alpha}, beta={beta}, all labellings of two points",
        computed=most,
        stated=stated,
        false=Fraction(stated * sqrt(alpha)),
        privacy=(epsilon, 0),
        hypotheses={"some concept fits the distribution": not C.given([(0, 0), (1, 0)]).is_empty},
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
    """Check the agnostic number of rows of the exponential mechanism, for two constants.

    Check labels for which the loss of one constant is slightly more than alpha too large.
    """
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
"""Name of the hypothesis about parameter ranges in [BLM20, Thm 1 and Cor 2]."""


def in_range(epsilon: Fraction, delta: Fraction, alpha: Fraction, beta: Fraction) -> bool:
    """Return whether the parameters are in the ranges of [BLM20, Thm 1], or delta is 0."""
    return 0 < epsilon < 1 and 0 <= delta < 1 and all(0 < x < Fraction(1, 2) for x in (alpha, beta))


FEW_ERRORS = Claim(
    "exponential mechanism, hypotheses of loss alpha and more than 2 alpha: largest number of rows "
    "at which P[loss > 2 alpha] exceeds beta",
    "max((36/alpha) ln(8/beta), (6/(alpha epsilon)) ln(4/beta))",
    source="learners.pac.generic, for [BLM20, Lemma 16]",
    falsified="max(36 ln(8/beta), (6/epsilon) ln(4/beta))",
    drops="1/alpha",
)
MOST = 80
"""Largest counted number of errors. Larger numbers have a probability of less than 10^-12."""


def few_of(share: Fraction, rows: int) -> list[arb]:
    """Return P[Bin(rows, share) = k] for k up to `MOST`."""
    term, found = ball(1 - share) ** rows, []
    odds = ball(share / (1 - share))
    for k in range(min(rows, MOST) + 1):
        found.append(term)
        term *= odds * (rows - k) / (k + 1)
    return found


def worse_of_two(good: Fraction, bad: Fraction, rows: int, epsilon: Fraction) -> arb:
    """Return P[the hypothesis of loss `bad` is chosen], if no example contradicts both.

    The number of errors of the first hypothesis is binomial. Given this number, the other number is
    binomial among the remaining rows.
    """
    total = arb(0)
    for first, chance in enumerate(few_of(good, rows)):
        for second, weight in enumerate(few_of(bad / (1 - good), rows - first)):
            total += chance * weight / (1 + ball(epsilon * (second - first) / 2).exp())
    return total


@recomputes(FEW_ERRORS)
def few_errors(epsilon: Fraction, alpha: Fraction, beta: Fraction) -> Iterator[Outcome]:
    """Check the number of rows [BLM20, Lemma 16], for two hypotheses with few errors.

    Check two points of small mass, each of which contradicts one of the hypotheses.
    """
    H = Table([[0, 0], [0, 1]])
    losses = alpha, 2 * alpha + Fraction(1, 10**6)
    with ctx.workprec(64):
        most = least_integer(lambda n: not worse_of_two(*losses, n, epsilon) > ball(beta), 0) - 1
    yield compare(
        FEW_ERRORS,
        f"epsilon={epsilon}, alpha={alpha}, beta={beta}",
        computed=most,
        stated=rows_for_best(len(H), epsilon, 2 * alpha, beta),
        false=Fraction(max(36 * log(8 / beta), 6 / epsilon * log(4 / beta))),
        privacy=(epsilon, 0),
        hypotheses={
            "H is finite": len(H) == len(losses),
            "some member of H has loss at most alpha": min(losses) <= alpha,
            "epsilon <= 1, as section 3.3 has it": epsilon <= 1,
        },
    )


MANY = (
    "exponential mechanism, a hypothesis of loss alpha, the others of more than 2 alpha: largest "
    "number of rows at which P[loss > 2 alpha] exceeds beta"
)
LOG_SIZE = Claim(
    MANY,
    "max((36/alpha) ln(4 N/beta), (6/(alpha epsilon)) ln(2 N/beta))",
    source="learners.pac.generic, for [BLM20, Lemma 16]",
    statements=("BLM20 Lemma 16",),
    falsified="max((36/alpha) ln(4/beta), (6/(alpha epsilon)) ln(2/beta))",
    drops="ln N",
)
SMALL_EPSILON = Claim(
    f"small epsilon, {MANY}",
    "max((36/alpha) ln(4 N/beta), (6/(alpha epsilon)) ln(2 N/beta))",
    source="learners.pac.generic, for [BLM20, Lemma 16]",
    statements=("BLM20 Lemma 16",),
    falsified="max((36/alpha) ln(4 N/beta), (6/alpha) ln(2 N/beta))",
    drops="1/epsilon",
)


def worse_of_many(
    good: Fraction, bad: Fraction, others: int, rows: int, epsilon: Fraction
) -> float:
    """Return P[a hypothesis of loss `bad` is chosen], if no example contradicts good and bad ones.

    One point contradicts only the good hypothesis, and another point contradicts all `others`
    hypotheses, which differ on points of mass 0. Numbers of errors beyond 7 standard deviations are
    left out.
    """

    def likely(share: Fraction) -> NDArray[np.int64]:
        mean = float(rows * share)
        reach = 7 * sqrt(mean) + 7
        return np.arange(max(0, int(mean - reach)), min(rows, int(mean + reach)) + 1)

    first, second = likely(good)[:, None], likely(bad)[None, :]
    chances = binom.pmf(first, rows, float(good)) * binom.pmf(
        second, rows - first, float(bad / (1 - good))
    )
    chosen = expit(log(others) - float(epsilon) * (second - first) / 2)
    return float((chances * chosen).sum())


@recomputes(LOG_SIZE, SMALL_EPSILON)
def many_hypotheses(alpha: Fraction, beta: Fraction) -> Iterator[Outcome]:
    """Check the factors ln N and 1/epsilon in the number of rows [BLM20, Lemma 16].

    Check 2^12 bad hypotheses at epsilon 1/8, and one bad hypothesis at epsilon 1/64.
    """
    losses = alpha, 2 * alpha + Fraction(1, 10**6)
    for claim, epsilon, points in (
        (LOG_SIZE, Fraction(1, 8), 12),
        (SMALL_EPSILON, Fraction(1, 64), 0),
    ):
        labels = product((0, 1), repeat=points)
        H = Table([[0, 1, *[0] * points], *([1, 0, *each] for each in labels)])
        size = len(H)

        def suffices(n: int, others: int = size - 1, epsilon: Fraction = epsilon) -> bool:
            return worse_of_many(*losses, others, n, epsilon) <= beta

        most = least_integer(suffices, 0) - 1
        without = {
            LOG_SIZE: max(36 / alpha * log(4 / beta), 6 / (alpha * epsilon) * log(2 / beta)),
            SMALL_EPSILON: 36 / alpha * log(4 * size / beta),
        }
        yield compare(
            claim,
            f"epsilon={epsilon}, alpha={alpha}, beta={beta}, N={size}",
            computed=most,
            stated=rows_for_best(size, epsilon, 2 * alpha, beta),
            false=Fraction(without[claim]),
            privacy=(epsilon, 0),
            hypotheses={
                "H is finite": size == 1 + 2**points,
                "some member of H has loss at most alpha": min(losses) <= alpha,
                "epsilon <= 1, as section 3.3 has it": epsilon <= 1,
            },
        )


def checks(topic: str) -> list[ClaimCheck]:
    """Return the checks, for losses at which the power of 1/alpha matters."""
    given = Fraction(9, 10), Fraction(1, 32), Fraction(1, 10)
    return [
        ClaimCheck(topic, realizable, (Fraction(1, 2), Fraction(1, 64), Fraction(1, 10))),
        ClaimCheck(topic, both_constants, given),
        ClaimCheck(topic, few_errors, (Fraction(1), Fraction(1, 30), Fraction(1, 10))),
        ClaimCheck(topic, many_hypotheses, (Fraction(1, 8), Fraction(1, 10))),
    ]
