r"""Empirical learners from PAC learners [LWY25, Lemma A.10]: n rows drawn from m, with replacement.

**Privacy.** Let A be (e, d)-DP, e <= 1, n e >= 1 and m >= 3 e n. If row 1 is drawn K times, K ~
Bin(n, p) for p = 1/m, let A_0 be the law if those draws were of another row. By the privacy of
groups, one sample's law is at most e^(e K) A_0 + K e^(e (K - 1)) d, and its neighbour's at least
e^(-e K) A_0 - K d. In the mean that is a A_0 + n p (1 + p (e^e - 1))^(n - 1) d and b A_0 - n p d,
for a = (1 + p (e^e - 1))^n and b = (1 - p (1 - e^-e))^n. Since n p <= 1/(3 e), a/b <= e^1 and
a <= 1.78, so that the release is (1, 3 d/(2 e))-DP.

**Accuracy.** The rows that A is given are independent draws from the uniform law on the sample.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil, comb

from flint import arb, ctx

from learners.balls import ball
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.exact import PRECISION
from learners.numbers import least_integer
from learners.pac.evidence.exact_failures import Weights, choice_failure
from learners.pac.evidence.row_claims import SQUARE
from learners.pac.generic import rows_realizable

SOURCE = "learners.pac.evidence.resampled_claims"
LEMMA = ("LWY25 Lemma A.10",)

PURE = Claim(
    "least epsilon, in hundredths, of n rows drawn from 3 e n, with the worst learner of (e, 0)",
    "1",
    source=SOURCE,
    statements=LEMMA,
    falsified="1/3",
)
DELTA = Claim(
    "delta(1) of n rows drawn from 3 e n, with the worst learner of (e, d)",
    "3 d/(2 e)",
    source=SOURCE,
    statements=LEMMA,
    falsified="with n rows drawn from e n/2",
)
EMPIRICAL = Claim(
    "P[empirical error > alpha], with n rows drawn from 3 e n",
    "beta",
    source=SOURCE,
    statements=LEMMA,
    falsified="with a twentieth of the draws",
)


def _worst(rows: int, epsilon: Fraction, delta: Fraction) -> list[arb]:
    """P[the answer is 1] by the number of ones among the rows, which grows as fast as allowed."""
    growth = ball(epsilon).exp()
    found = [1 / (1 + growth ** (rows // 2))]
    for _ in range(rows):
        now = found[-1]
        found.append((growth * now + ball(delta)).min(1 - (1 - now - ball(delta)) / growth))
    return found


def _resampled(chances: Sequence[arb], size: int) -> list[arb]:
    """The same by the number of ones in the sample from which the rows are resampled."""
    rows = len(chances) - 1

    def mean(share: Fraction) -> arb:
        return sum(
            (
                ball(comb(rows, k) * share**k * (1 - share) ** (rows - k)) * chance
                for k, chance in enumerate(chances)
            ),
            arb(0),
        )

    return [mean(Fraction(ones, size)) for ones in range(size + 1)]


def _divergence(chances: Sequence[arb], epsilon: Fraction) -> arb:
    """The largest delta(epsilon) of two neighbouring samples, over both answers."""
    factor, largest = ball(epsilon).exp(), arb(0)
    for one, other in pairwise(chances):
        for p, q in ((one, other), (other, one), (1 - one, 1 - other), (1 - other, 1 - one)):
            largest = largest.max(p - factor * q)
    return largest


@recomputes(PURE, DELTA)
def private(rows: int, epsilon: Fraction, delta: Fraction) -> Iterator[Outcome]:
    """A learner with a one-bit answer whose law changes as much as allowed with each row."""
    size, tiny = ceil(3 * epsilon * rows), ball(Fraction(1, 10**15))
    where = f"e={epsilon}, n={rows}, m={size}"
    with ctx.workprec(PRECISION):
        pure = _resampled(_worst(rows, epsilon, Fraction(0)), size)
        least = least_integer(
            lambda hundredths: bool(_divergence(pure, Fraction(hundredths, 100)) <= tiny), 0
        )
        yield compare(
            PURE,
            where,
            computed=Fraction(least, 100),
            stated=1,
            false=Fraction(1, 3),
            privacy=(1, 0),
        )
        worst, stated = _worst(rows, epsilon, delta), 3 * delta / (2 * epsilon)
        yield compare(
            DELTA,
            f"{where}, d={delta}",
            computed=_divergence(_resampled(worst, size), Fraction(1)),
            stated=stated,
            twin=_divergence(_resampled(worst, int(epsilon * rows / 2)), Fraction(1)),
            privacy=(1, stated),
        )


@recomputes(EMPIRICAL)
def accurate(epsilon: Fraction, alpha: Fraction, beta: Fraction) -> Iterator[Outcome]:
    """All labellings of two points, where the second has slightly more than alpha of the sample."""
    rows = rows_realizable(len(SQUARE), epsilon, alpha, beta)
    size = ceil(3 * epsilon * rows)
    second = Fraction(int(alpha * size) + 1, size)
    weights: Weights = {(0, 1): 1 - second, (1, 0): second}
    failing = [choice_failure(weights, SQUARE, epsilon, n, alpha) for n in (rows, rows // 20)]
    yield compare(
        EMPIRICAL,
        f"e={epsilon}, alpha={alpha}, beta={beta}, n={rows}, m={size}",
        computed=failing[0],
        stated=beta,
        twin=failing[1],
        privacy=(1, 0),
    )


def checks(topic: str) -> Sequence[ClaimCheck]:
    """Exact laws."""
    half, fifth = Fraction(1, 2), Fraction(1, 5)
    return [
        ClaimCheck(topic, private, (24, half, Fraction(1, 10**4))),
        ClaimCheck(topic, accurate, (half, fifth, Fraction(1, 10))),
    ]
