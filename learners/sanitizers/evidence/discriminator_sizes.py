"""Claims about the numbers of points of [LWY25, Lemmas D.7 and E.2], by exact distributions.

**Instance.** The class has one concept h, so every learner of a part is exact, and only the choice
of a part and the test can be wrong. P[an answer] is monotone in the number of points on which h is
1, so the largest or the least number on each side of a requirement is the worst data set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil, floor

from flint import arb, ctx

from learners.balls import ball
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.exact import PRECISION
from learners.sanitizers.discriminators import (
    Discriminator,
    FoolingDiscriminator,
    RealizableDiscriminator,
)
from learners.sanitizers.evidence.fooling import TOPIC, Either, answers, wrong
from learners.sanitizers.point_samples import PointSample
from lsclasses.table import Table

LARGEST = Claim(
    "exact learners: largest n, a multiple of 200, with worst P[an answer of FoolingDiscriminator "
    "is wrong] above beta",
    "(60/(alpha epsilon)) ln(60/(alpha beta))",
    source="[LWY25, Lemma D.7] with the constant of learners.sanitizers.discriminators",
    statements=("LWY25 Lemma D.7",),
    falsified="60/(alpha epsilon)",
    drops="the factor ln(60/(alpha beta))",
)
ENOUGH = Claim(
    "exact learners, n = ceil(36 ln(4/beta)/(epsilon alpha)): worst P[an answer of "
    "RealizableDiscriminator is wrong]",
    "beta",
    source="[LWY25, Lemma E.2]",
    falsified="with n/2 points",
)

ONE = Table([[0, 1]])
"""The class of the instance. Its only concept is 1 on the second of two points."""
STEP = 200
"""Step of the numbers of points of `LARGEST`."""


def _worst(discriminator: Either, cases: Sequence[tuple[Sequence[int], int]]) -> arb:
    """Return the largest P[the answer is wrong], for proposals with numbers of points of h."""
    n, worst = discriminator.size, arb(0)
    for proposal, ones in cases:
        count = min(max(ones, 0), n)
        points = PointSample.counted(ONE.domain, {0: n - count, 1: count})
        law = answers(discriminator, points, proposal)
        worst = worst.max(
            law.probability(lambda answer: wrong(discriminator, points, proposal, answer))  # noqa: B023
        )
    return worst


def _below(limit: Fraction) -> int:
    """Return the largest integer below a number."""
    return ceil(limit) - 1


def _above(limit: Fraction) -> int:
    """Return the least integer above a number."""
    return floor(limit) + 1


def _fooling_cases(discriminator: Discriminator) -> list[tuple[Sequence[int], int]]:
    """Return proposals with extreme data on both sides of their requirements.

    With P_t(h) = 1/k, the test of Algorithm 10 is closest to the requirement alpha/2.
    """
    n, alpha = discriminator.size, discriminator.alpha
    bins = ceil(10 / alpha)
    found: list[tuple[Sequence[int], int]] = []
    for proposal in ((1, 0), (bins - 1, 1), (1, 1), (1, bins - 1), (0, 1)):
        share = Fraction(proposal[1], sum(proposal))
        found += [
            (proposal, _below(n * (share + alpha / 2))),
            (proposal, _above(n * (share - alpha / 2))),
            (proposal, _above(n * (share + alpha))),
            (proposal, _below(n * (share - alpha))),
        ]
    return [(proposal, ones) for proposal, ones in found if 0 <= ones <= n]


def _realizable_cases(discriminator: Discriminator) -> list[tuple[Sequence[int], int]]:
    """Return both proposals with extreme data on both sides of their requirements."""
    n, alpha = discriminator.size, discriminator.alpha
    return [
        ((0,), _below(n * 5 * alpha / 9)),
        ((0,), ceil(n * alpha)),
        ((1,), _above(n * 4 * alpha / 9)),
        ((1,), 0),
    ]


@recomputes(LARGEST)
def largest(alpha: Fraction, epsilon: Fraction, beta: Fraction) -> Iterator[Outcome]:
    """Check the number of points that `FoolingDiscriminator` needs [LWY25, Lemma D.7]."""
    with ctx.workprec(PRECISION):
        short = 60 / (alpha * epsilon)
        stated = ball(short) * ball(60 / (alpha * beta)).log()
        last = STEP * ceil(float(stated) / STEP)
        for n in range(last, 0, -STEP):
            discriminator = FoolingDiscriminator(ONE, n, alpha, epsilon, beta=beta)
            if _worst(discriminator, _fooling_cases(discriminator)) > ball(beta):
                break
        yield compare(
            LARGEST,
            f"alpha={alpha}, epsilon={epsilon}, beta={beta}",
            computed=n,
            stated=stated,
            false=short,
            privacy=discriminator.privacy,
        )


@recomputes(ENOUGH)
def enough(alpha: Fraction, epsilon: Fraction, beta: Fraction) -> Iterator[Outcome]:
    """Check the number of points that `RealizableDiscriminator` needs [LWY25, Lemma E.2]."""
    with ctx.workprec(PRECISION):
        needed = ball(36 / (epsilon * alpha)) * ball(4 / beta).log()
        n = floor(float(needed)) + 1
        found = []
        for size in (n, n // 2):
            discriminator = RealizableDiscriminator(ONE, size, alpha, epsilon, beta=beta)
            found.append(_worst(discriminator, _realizable_cases(discriminator)))
        yield compare(
            ENOUGH,
            f"alpha={alpha}, epsilon={epsilon}, beta={beta}, n={n}",
            computed=found[0],
            stated=beta,
            twin=found[1],
            changed=(n, n // 2),
            privacy=discriminator.privacy,
            hypotheses={"n >= 36 ln(4/beta)/(epsilon alpha)": bool(ball(n) >= needed)},
        )


def checks() -> list[ClaimCheck]:
    """Return the checks of instances at epsilon <= 2."""
    return [
        ClaimCheck(TOPIC, largest, (Fraction(1, 4), Fraction(1), Fraction(1, 10**6))),
        ClaimCheck(TOPIC, enough, (Fraction(1, 4), Fraction(1), Fraction(1, 100))),
        ClaimCheck(TOPIC, enough, (Fraction(1, 10), Fraction(1, 2), Fraction(1, 100))),
    ]
