"""Laplace noise: the sampler of the shipped coins, and the distribution that audits use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from flint import arb, ctx

from learners.balls import ball
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.coins import Coins, WordCoins
from learners.exact import PRECISION, exact_distribution

TOPIC = "coins"
STATEMENTS = ("KMMNS23 Def 2.2", "LWY25 Def A.20")

SAMPLED = Claim(
    "largest ratio of P[sampler returns z] to (1 - q)/(1 + q) q^|z|, q = exp(-1/scale)",
    "1",
    source="Canonne, Kamath and Steinke 2020",
    statements=STATEMENTS,
    falsified="for noise of twice the scale",
)
AUDITED = Claim(
    "total variation of exact noise distributions from weights exp(-|z|/scale) on the integers",
    "10^-15",
    source="learners.exact",
    statements=STATEMENTS,
    falsified="from the weights of twice the scale",
)


class Branching(WordCoins):
    """The samplers with uniform numbers from coins that follow every branch."""

    def __init__(self, uniform: Coins) -> None:
        super().__init__()
        self._uniform = uniform

    def _read(self) -> list[int]:
        # Of a word that is read directly, only the parity is used.
        return [self._uniform.below(2)]

    def _below(self, n: int) -> int:
        return self._uniform.below(n)


@recomputes(SAMPLED)
def sampled(scale: Fraction) -> Iterator[Outcome]:
    """Compare sampled distributions with exact distributions, from which cuts only remove mass."""
    law = exact_distribution(
        lambda coins: Branching(coins).laplace(scale), tail=Fraction(1, 10**5), depth=0
    )

    def most(assumed: Fraction) -> arb:
        with ctx.workprec(PRECISION):
            q = (-1 / ball(assumed)).exp()
            ratios = [law[z] * (1 + q) / ((1 - q) * q ** abs(z)) for z in law]
        return max(ratios, key=lambda ratio: float(ratio.mid()))

    cut = float(law.tail.upper())
    yield compare(
        SAMPLED,
        f"scale={scale}, all but {cut:.2g} of the branches",
        computed=most(scale),
        stated=1,
        twin=most(2 * scale),
        changed=(scale, 2 * scale),
    )


@recomputes(AUDITED)
def audited_law(scale: Fraction) -> Iterator[Outcome]:
    """Compare the audited distribution in total variation, summed up to a tail of 10^-20."""
    law = exact_distribution(lambda coins: coins.laplace(scale))
    reach = int(60 * scale)

    def distance(weight: Callable[[int], arb]) -> arb:
        total = sum((weight(z) for z in range(-reach, reach + 1)), arb(0))
        gaps = (abs(law.get(z, arb(0)) - weight(z) / total) for z in range(-reach, reach + 1))
        return sum(gaps, arb(0)) / 2 + law.tail

    with ctx.workprec(PRECISION):
        yield compare(
            AUDITED,
            f"scale={scale}",
            computed=distance(lambda z: (-abs(z) / ball(scale)).exp()),
            stated=Fraction(1, 10**15),
            twin=distance(lambda z: (-abs(z) / ball(2 * scale)).exp()),
            changed=(scale, 2 * scale),
        )


def checks() -> list[ClaimCheck]:
    """Return all checks: integer and fractional scales, and scales less than 1."""
    scales = (Fraction(1), Fraction(2), Fraction(1, 2))
    return [
        *(ClaimCheck(TOPIC, sampled, (scale,)) for scale in scales),
        *(ClaimCheck(TOPIC, audited_law, (scale,)) for scale in (*scales, Fraction(7, 3))),
    ]
