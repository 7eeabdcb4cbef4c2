r"""Sample sizes that generalize, by exact probabilities for all labellings of a few points.

The class of all labellings of d equally likely points has VC dimension d. Its errors depend on the
number of draws of each point, which has a multinomial distribution.

**Realizable** [LWY25, Lemma A.7], with constants. The pairs of concepts have at most (2 e n/d)^(2d)
traces on 2 n points. Use [LWY25, Lemma D.1] with lambda = 1/2 and mu = alpha/2, for the points on
which two concepts differ. The probability of failure is at most 8 (2 e n/d)^(2d)
exp(-alpha n/24). With ln z <= z/c + ln c - 1 at c = 192 e/alpha this is at most beta from
n = (48/alpha) (2 d ln(192/alpha) + ln(8/beta)) on.

**Agnostic** [LWY25, Lemma A.8], with constants. For d points E sup |err_S - err_P| is half of the
mean of sum |N_i/n - p_i|, at most sum sqrt(p_i/n)/2 <= sqrt(d/n)/2. One example changes sup by 1/n.
So McDiarmid's inequality and (a + b)^2 <= 2 a^2 + 2 b^2 give n >= (d/2 + ln(1/beta))/alpha^2. For
any class of VC dimension d, n >= (2000 d + ln(1/beta))/alpha^2. Proof: with random signs E sup is
at most twice the mean of the largest abs(sum of signs where h errs)/n. Concepts and their negations
have covers of at most 2 e (d + 1) (2 e 4^j)^d elements at distance 2^-j in quadratic mean
(Haussler's packing lemma). Two steps of a chain from 0 are 3 2^-j apart. So by Massart's lemma the
mean is at most the sum of 6 2^-j sqrt(d (4.08 + 1.39 j)/n), that is 15.8 sqrt(d/n).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import exp, log

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray
from scipy.special import gammaln

from learners.balls import ball, ceiling
from learners.balls import log as ln
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.exact import PRECISION
from learners.number_arguments import least_integer
from lsclasses.table import Table

POINTS = 3
"""Number of points, and VC dimension of all their labellings."""

Shares = NDArray[np.float64]
Failing = Callable[[int, Shares], NDArray[np.bool_]]
"""Function that returns which shares of a sample are too far off, for points of probability 1/3."""


def _least(quantity: str, formula: str, source: str, number: str, falsified: str) -> Claim:
    return Claim(
        f"largest number of examples with which {quantity} with probability above beta",
        formula,
        source=source,
        statements=(number,),
        falsified=falsified,
    )


GENERAL = replace(
    _least(
        "some labelling errs on more than alpha, but on at most alpha/2 of the sample,",
        "(64/alpha)(d ln(64/alpha) + ln(16/beta))",
        "[BF25, Thm A.6]",
        "BF25 Thm A.6",
        "(64/alpha) d ln(64/alpha)",
    ),
    drops="ln(16/beta)",
)
RELATIVE = _least(
    "some labelling has err_P > (1 + lambda) err_S + mu, or the other way round,",
    "the last n with 4 (2 e n/d)^d exp(-lambda mu n/(4 (1 + lambda))) > beta",
    "[LWY25, Lemma D.1]",
    "LWY25 Lemma D.1",
    "a five-hundredth of it",
)
REALIZABLE = _least(
    "two labellings differ on at most alpha, but on over 2 alpha of the sample, or vice versa,",
    "(48/alpha)(2 d ln(192/alpha) + ln(8/beta))",
    "learners.general_checks.generalization, for [LWY25, Lemma A.7]",
    "LWY25 Lemma A.7",
    "a thousandth of it",
)
AGNOSTIC = _least(
    "some labelling of d points errs by more than alpha more or less on the sample",
    "(d/2 + ln(1/beta))/alpha^2",
    "learners.general_checks.generalization, for [LWY25, Lemma A.8]",
    "LWY25 Lemma A.8",
    "a fifth of it",
)


def _chance(n: int, failing: Failing) -> float:
    """Return the probability that a sample of size n fails, over all counts of the points."""
    first, second = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    inside = first + second <= n
    counts = np.stack([first[inside], second[inside], n - (first + second)[inside]])
    chances = np.exp(gammaln(n + 1) - gammaln(counts + 1).sum(axis=0) - n * log(POINTS))
    bad = np.zeros(counts.shape[1], dtype=bool)
    for count in counts:
        # A point, and the other two.
        bad |= failing(1, count / n) | failing(2, 1 - count / n)
    return float(chances[bad].sum())


def _most(failing: Failing, slack: Fraction, beta: Fraction) -> int:
    """Return the largest sample size that fails with probability more than beta.

    In a sample that fails, one of the six sets of one or two points is at least `slack` too rare or
    too frequent. By Hoeffding's inequality this has probability at most 6 exp(-2 n slack^2),
    which is below beta from some n on.
    """
    enough = int(log(6 / beta) / (2 * slack**2)) + 1
    return next(n for n in range(enough, 0, -1) if _chance(n, failing) > beta)


@recomputes(GENERAL)
def general(alpha: Fraction, beta: Fraction) -> Iterator[Outcome]:
    """Check two labellings of one point, which is slightly more likely than alpha.

    By Chernoff's bound, the probability of n examples is at most exp(-n D), where D is the relative
    entropy of coins of bias alpha/2 and p.
    """
    p, half = alpha + Fraction(1, 400), alpha / 2

    def chance(n: int) -> arb:
        """Return P[at most alpha n/2 of n examples are at the point]."""
        term, total = ball(1 - p) ** n, arb(0)
        for k in range(int(half * n) + 1):
            total += term
            term *= ball(p / (1 - p) * Fraction(n - k, k + 1))
        return total

    with ctx.workprec(PRECISION):

        def least() -> arb:
            apart = ball(half) * ln(half / p) + ball(1 - half) * ln((1 - half) / (1 - p))
            return -ln(beta) / apart

        n = ceiling(least)
        while not chance(n) > ball(beta):
            n -= 1
        first, second = (64 / ball(alpha) * each for each in (ln(64 / alpha), ln(16 / beta)))
        yield compare(
            GENERAL,
            f"two labellings of one point of probability {p}, alpha={alpha}, beta={float(beta):g}",
            computed=n,
            stated=first + second,
            false=first,
            hypotheses={"the class has VC dimension VC": Table([[0, 0], [1, 0]]).vcdim() == 1},
        )


@recomputes(RELATIVE)
def relative(share: Fraction, beta: Fraction) -> Iterator[Outcome]:
    """Check lambda = mu."""
    factor, third = float(1 + share), Fraction(1, POINTS)

    def failing(size: int, seen: Shares) -> NDArray[np.bool_]:
        err = size / POINTS
        return (err > factor * seen + float(share)) | (seen > factor * err + float(share))

    slack = min(third - (third - share) / (1 + share), (1 + share) * third + share - third)
    found = _most(failing, slack, beta)

    def suffices(n: int) -> bool:
        rate = float(share**2 / (4 * (1 + share)))
        return log(4) + POINTS * log(2 * exp(1) * n / POINTS) - rate * n <= log(beta)

    stated = least_integer(suffices, int(4 * POINTS * (1 + share) / share**2)) - 1
    where = f"lambda=mu={share}, beta={beta}, all labellings of {POINTS} points"
    yield compare(
        RELATIVE,
        where,
        computed=found,
        stated=stated,
        false=Fraction(stated, 500),
        hypotheses={"vc": _shattered()},
    )


@recomputes(REALIZABLE)
def realizable(alpha: Fraction, beta: Fraction) -> Iterator[Outcome]:
    """Check 2 alpha below the probability of a point."""

    def failing(size: int, seen: Shares) -> NDArray[np.bool_]:
        err, a = Fraction(size, POINTS), float(alpha)
        return (err <= alpha) & (seen > 2 * a) | (err > 2 * alpha) & (seen <= a)

    found = _most(failing, Fraction(1, POINTS) - alpha, beta)
    stated = 48 / alpha * Fraction(2 * POINTS * log(192 / alpha) + log(8 / beta))
    yield compare(
        REALIZABLE,
        _where(alpha, beta),
        computed=found,
        stated=stated,
        false=stated / 1000,
        hypotheses={"vc": _shattered()},
    )


@recomputes(AGNOSTIC)
def agnostic(alpha: Fraction, beta: Fraction) -> Iterator[Outcome]:
    """Check labels 0: a labelling errs where it is 1."""
    found = _most(
        lambda size, seen: np.abs(seen - size / POINTS) > float(alpha) + 1e-9, alpha, beta
    )
    stated = Fraction(POINTS / 2 + log(1 / beta)) / alpha**2
    yield compare(
        AGNOSTIC,
        _where(alpha, beta),
        computed=found,
        stated=stated,
        false=stated / 5,
        hypotheses={"vc": _shattered()},
    )


def _shattered() -> bool:
    """Return whether all labellings of the points have their number as VC dimension."""
    return bool(Table(list(product((0, 1), repeat=POINTS))).vcdim() == POINTS)


def _where(alpha: Fraction, beta: Fraction) -> str:
    return f"all labellings of {POINTS} points, alpha={alpha}, beta={beta}"


def checks(topic: str) -> list[ClaimCheck]:
    """Return exact checks up to rounding, because no probability is near the required one."""
    tenth, twentieth = Fraction(1, 10), Fraction(1, 20)
    return [
        ClaimCheck(topic, general, (Fraction(1, 4), Fraction(1, 10**100))),
        ClaimCheck(topic, relative, (Fraction(1, 4), twentieth)),
        ClaimCheck(topic, realizable, (Fraction(3, 20), twentieth)),
        *(ClaimCheck(topic, agnostic, (alpha, tenth)) for alpha in (Fraction(1, 5), tenth)),
    ]
