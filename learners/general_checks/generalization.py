r"""Sample sizes that generalize, by exact probabilities for all labellings of a few points.

The class of all labellings of d equally likely points has VC dimension d. Its errors depend on the
number of draws of each point, which has a multinomial distribution.

**Realizable** [LWY25, Lemma A.7], with constants. The pairs of concepts have at most (2 e n/d)^(2d)
traces on 2 n points. Use [LWY25, Lemma D.1] with lambda = 1/2 and mu = alpha/2, for the points on
which two concepts differ. The probability of failure is at most 8 (2 e n/d)^(2d)
exp(-alpha n/24). With ln z <= z/c + ln c - 1 at c = 192 e/alpha this is at most beta from
n = (48/alpha) (2 d ln(192/alpha) + ln(8/beta)) on. For all labellings of d points, two labellings
differ on one of 2^d sets. By Chernoff's bounds, a set of probability at most alpha has a share
above 2 alpha with probability at most (e/4)^(alpha n), and a set of probability above 2 alpha has a
share of at most alpha with probability at most (2/e)^(alpha n), the larger bound. So n >=
(d ln 2 + ln(1/beta))/((1 - ln 2) alpha) examples suffice. For sets of at most one of N < 1/(2
alpha) points, each more likely than 2 alpha, only N sets have to be considered. So (ln(1/(2 alpha))
+ ln(1/beta))/((1 - ln 2) alpha) examples suffice.

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
from math import ceil, exp, log

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray
from scipy.special import bdtr, gammaln

import catalog
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
"""A function that returns which shares of a point in a sample count as a failure. The point has
probability 1/3."""


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
UNSEEN = replace(
    GENERAL,
    quantity=f"{GENERAL.quantity}, for all labellings of d equally likely points",
    falsified="(64/alpha) ln(16/beta)",
    drops="VC ln(64/alpha)",
)
RELATIVE = replace(
    _least(
        "some labelling of d equally likely points has err_P > (1 + lambda) err_S + mu",
        "the last n with 4 (2 e n/d)^d exp(-lambda mu n/(4 (1 + lambda))) > beta",
        "[LWY25, Lemma D.1]",
        "LWY25 Lemma D.1",
        "the last n with 4 exp(-lambda mu n/(4 (1 + lambda))) > beta",
    ),
    drops="(2 e n/d)^d",
)
SWAPPED = replace(
    _least(
        "some labelling of d equally likely points has err_S > (1 + lambda) err_P + mu",
        RELATIVE.formula,
        RELATIVE.source,
        "LWY25 Lemma D.1",
        RELATIVE.falsified,
    ),
    drops=RELATIVE.drops,
)
REALIZABLE = _least(
    "two labellings of d points differ on at most alpha, but on over 2 alpha of the sample, or "
    "vice versa,",
    "(d ln 2 + ln(1/beta))/((1 - ln 2) alpha)",
    "learners.general_checks.generalization, for [LWY25, Lemma A.7]",
    "LWY25 Lemma A.7",
    "half of it",
)
FEW_ONES = replace(
    _least(
        "two sets of at most one of N points, each slightly more likely than 2 alpha, differ on at "
        "most alpha of the sample",
        "(ln(1/(2 alpha)) + ln(1/beta))/((1 - ln 2) alpha)",
        REALIZABLE.source,
        "LWY25 Lemma A.7",
        "ln(1/beta)/((1 - ln 2) alpha)",
    ),
    drops="ln(1/(2 alpha))",
)
AGNOSTIC = replace(
    _least(
        "some labelling of d points errs by more than alpha more or less on the sample",
        "(d/2 + ln(1/beta))/alpha^2",
        "learners.general_checks.generalization, for [LWY25, Lemma A.8]",
        "LWY25 Lemma A.8",
        "(d/2 + ln(1/beta))/alpha",
    ),
    drops="the power 2 of 1/alpha, replaced by 1",
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
    """Check the largest sample size at which a relative deviation is likely.

    Check two labellings of one point, which is slightly more likely than alpha.

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


def _unseen(points: int, most: int) -> Iterator[NDArray[np.float64]]:
    """Yield the distributions of the number of unseen points after 0, 1, ..., `most` examples."""
    law = np.zeros(points + 1)
    law[points] = 1
    share = np.arange(points + 1) / points
    for _ in range(most + 1):
        yield law
        law = law * (1 - share) + np.append((law * share)[1:], 0)


@recomputes(UNSEEN)
def unseen(points: int, alpha: Fraction, beta: Fraction) -> Iterator[Outcome]:
    """Check the sample size from which every labelling with a large error is contradicted.

    Check labellings that err on more than alpha, where no example is among the errors.
    """
    most, scale = int(alpha * points), 64 / float(alpha)
    laws = _unseen(points, 10 * points)
    failing = (law[most + 1 :].sum() > float(beta) for law in laws)
    yield compare(
        UNSEEN,
        f"d={points}, alpha={alpha}, beta={beta}",
        computed=next(n for n, fails in enumerate(failing) if not fails) - 1,
        stated=Fraction(scale * (points * log(scale) + log(16 / beta))),
        false=Fraction(scale * log(16 / beta)),
    )


@recomputes(RELATIVE, SWAPPED)
def relative(points: int, share: Fraction, beta: Fraction) -> Iterator[Outcome]:
    """Check the sample size for multiplicative deviations of errors.

    Check lambda = mu, where the labelling errs on all points that the sample misses, or on none.

    A point that occurs once in n <= (1 + lambda) d examples increases (1 + lambda) err_S at least
    as much as err_P. So some labelling fails if and only if more than mu d points are missed.

    With P and S exchanged, a point that occurs in n <= d/(1 + lambda) examples increases err_S at
    least as much as (1 + lambda) err_P. So some labelling fails if and only if fewer than
    (1 - mu) d/(1 + lambda) points are seen.
    """
    least, most = int(share * points) + 1, int((1 + share) * points)
    laws = enumerate(_unseen(points, most))
    missed = max(n for n, law in laws if law[least:].sum() > beta)
    seen = ceil((1 - share) * points / (1 + share))
    laws = enumerate(_unseen(points, int(points / (1 + share))))
    few = max((n for n, law in laws if law[points + 1 - seen :].sum() > beta), default=0)
    rate = float(share**2 / (4 * (1 + share)))

    def last(dimension: int) -> int:
        def suffices(n: int) -> bool:
            union = dimension * log(2 * exp(1) * n / points) if dimension else 0
            return log(4) + union - rate * n <= log(beta)

        return least_integer(suffices, int(dimension / rate) + 1) - 1

    for claim, found in ((RELATIVE, missed), (SWAPPED, few)):
        yield compare(
            claim,
            f"lambda=mu={share}, beta={beta}, all labellings of {points} points",
            computed=found,
            stated=last(points),
            false=last(0),
            hypotheses={"vc": catalog.build(f"cube:n={points}").vcdim() == points},
        )


@recomputes(REALIZABLE)
def realizable(alpha: Fraction, beta: Fraction) -> Iterator[Outcome]:
    """Check the sample size that generalizes for realizable labels [LWY25, Lemma A.7].

    Check all labellings of two points, one of which has a probability just above 2 alpha.

    A sample fails if it contains this point at most alpha n times.
    """
    chance = 2 * alpha + Fraction(1, 10**6)
    stated = (2 * log(2) + log(1 / beta)) / ((1 - log(2)) * float(alpha))
    sizes = np.arange(1, int(2 * stated))
    failing = bdtr(sizes * alpha.numerator // alpha.denominator, sizes, float(chance))
    yield compare(
        REALIZABLE,
        f"all labellings of 2 points, alpha={alpha}, beta={beta}",
        computed=int(sizes[failing > float(beta)].max()),
        stated=Fraction(stated),
        false=Fraction(stated) / 2,
        hypotheses={"vc": _shattered(2)},
    )


def _some_rare(points: int, most: int, n: int) -> float:
    """Return P[some of the equally likely points occurs at most `most` times in n examples].

    Given their sum n, independent Poisson numbers of mean n/points are the numbers of examples.
    """
    counts = np.arange(n + 1)
    mean = n / points
    law = np.exp(counts * log(mean) - mean - gammaln(counts + 1))
    law[: most + 1] = 0
    power, left = np.eye(1, n + 1)[0], points
    while left:
        if left % 2:
            power = np.convolve(power, law)[: n + 1]
        law, left = np.convolve(law, law)[: n + 1], left // 2
    return float(1 - power[n] / exp(n * log(n) - n - gammaln(n + 1)))


@recomputes(FEW_ONES)
def few_ones(points: int, beta: Fraction) -> Iterator[Outcome]:
    """Check the sample size that generalizes, for labellings with few ones.

    Check equally likely points, where a sample fails if some point occurs at most alpha n times.

    For a given integer part of alpha n, fewer examples fail more often.
    """
    alpha = Fraction(1, 2 * points + 1)
    stated = (log(1 / (2 * alpha)) + log(1 / beta)) / ((1 - log(2)) * float(alpha))
    block = 2 * points + 1
    most = max(
        k
        for k in range(int(stated) // block + 1)
        if _some_rare(points, k, max(1, k * block)) > beta
    )
    sizes = range(max(1, most * block), (most + 1) * block)
    yield compare(
        FEW_ONES,
        f"sets of at most one of {points} points, alpha={alpha}, beta={beta}",
        computed=max(n for n in sizes if _some_rare(points, most, n) > beta),
        stated=Fraction(stated),
        false=Fraction(log(1 / beta) / ((1 - log(2)) * float(alpha))),
        hypotheses={"vc": catalog.build(f"at-most:n={points},k=1").vcdim() == 1},
    )


@recomputes(AGNOSTIC)
def agnostic(alpha: Fraction, beta: Fraction) -> Iterator[Outcome]:
    """Check the sample size that generalizes for all labels [LWY25, Lemma A.8].

    All true labels are 0, so a labelling errs at the points that it labels with 1.
    """
    found = _most(
        lambda size, seen: np.abs(seen - size / POINTS) > float(alpha) + 1e-9, alpha, beta
    )
    stated = Fraction(POINTS / 2 + log(1 / beta)) / alpha**2
    yield compare(
        AGNOSTIC,
        _where(alpha, beta),
        computed=found,
        stated=stated,
        false=stated * alpha,
        hypotheses={"vc": _shattered()},
    )


def _shattered(points: int = POINTS) -> bool:
    """Return whether all labellings of the points have their number as VC dimension."""
    return bool(Table(list(product((0, 1), repeat=points))).vcdim() == points)


def _where(alpha: Fraction, beta: Fraction) -> str:
    return f"all labellings of {POINTS} points, alpha={alpha}, beta={beta}"


def checks(topic: str) -> list[ClaimCheck]:
    """Return the checks. They use floats, because no probability is close to the required one."""
    tenth, twentieth = Fraction(1, 10), Fraction(1, 20)
    return [
        ClaimCheck(topic, general, (Fraction(1, 4), Fraction(1, 10**100))),
        ClaimCheck(topic, unseen, (2000, Fraction(2, 5), Fraction(1, 2))),
        ClaimCheck(topic, relative, (400, Fraction(1, 2), twentieth)),
        ClaimCheck(topic, realizable, (Fraction(1, 50), Fraction(1, 10**6))),
        ClaimCheck(topic, few_ones, (50, Fraction(1, 2))),
        *(ClaimCheck(topic, agnostic, (alpha, tenth)) for alpha in (tenth, Fraction(1, 5))),
    ]
