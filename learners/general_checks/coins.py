"""Laplace noise: the sampler of the shipped coins, and the distribution that audits use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import exp, log

from flint import arb, ctx
from scipy.integrate import quad

from learners.balls import ball
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.coins import Coins, WordCoins
from learners.exact import PRECISION, exact_distribution
from learners.games import are_neighbours

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

DENSITY = Claim(
    "largest distance of P[noise <= z] from the integral of the density up to z + 1/2",
    "1/(16 scale^2)",
    source="exp(-(z + 1/2)/scale) (1/2 - sqrt(q)/(1 + q)), q = exp(-1/scale)",
    statements=STATEMENTS,
    falsified="half of it",
)
UNITS = Claim(
    "numbers z at which P[noise = z | noise >= 0] differs from twice the integral of the density "
    "from z to z + 1 by more than 10^-9",
    "0",
    "==",
    source="the integral part of an exponential variable is geometric",
    statements=STATEMENTS,
    falsified="for the density of twice the scale",
)
CONTINUOUS = Claim(
    "continuous noise: largest logarithm of the ratio of P[f(S) + noise in an interval] for "
    "neighbouring S",
    "epsilon + 10^-9",
    source="[KMMNS23, Thm 2.4]",
    falsified="epsilon/2",
)


def laplace_integral(low: float, high: float, scale: float) -> float:
    """Return the integral of the density exp(-|x|/scale)/(2 scale), by quadrature."""
    value, _ = quad(lambda x: exp(-abs(x) / scale) / (2 * scale), low, high, epsabs=1e-13)
    return float(value)


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
    """Check the sampler of Laplace noise, whose enumerated probabilities are at most exact ones."""
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
    """Check the total variation distance of audited Laplace noise from its definition."""
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


@recomputes(DENSITY)
def density(scale: Fraction) -> Iterator[Outcome]:
    """Check the distance between discrete and continuous Laplace noise, for z >= 0."""
    law = exact_distribution(lambda coins: coins.laplace(scale))
    above, largest = law.probability(lambda z: z > 0), 0.0
    for z in range(int(8 * scale)):
        integral = 1 / 2 + laplace_integral(0, z + 1 / 2, float(scale))
        largest = max(largest, abs(1 - float(above.mid()) - integral))
        above -= law[z + 1]
    yield compare(
        DENSITY,
        f"scale={scale}",
        computed=Fraction(largest),
        stated=1 / (16 * scale**2),
        false=1 / (32 * scale**2),
    )


@recomputes(UNITS)
def units(scale: Fraction) -> Iterator[Outcome]:
    """Check that discrete Laplace noise is rounded continuous noise, given noise >= 0."""
    law = exact_distribution(lambda coins: coins.laplace(scale))
    positive = float(law.probability(lambda z: z >= 0).mid())
    chances = {z: float(law[z].mid()) / positive for z in range(int(8 * scale))}

    def different(assumed: Fraction) -> int:
        integrals = {z: 2 * laplace_integral(z, z + 1, float(assumed)) for z in chances}
        return sum(abs(p - integrals[z]) > 1e-9 for z, p in chances.items())

    yield compare(
        UNITS,
        f"scale={scale}",
        computed=different(scale),
        stated=0,
        twin=different(2 * scale),
        changed=(scale, 2 * scale),
    )


@recomputes(CONTINUOUS)
def continuous(epsilon: Fraction, most: int) -> Iterator[Outcome]:
    """Check the privacy of continuous Laplace noise, on intervals of length 1 from -5 to 5."""
    scale, sizes = float(most / epsilon), range(4)
    near = [(m, n) for m, n in product(sizes, repeat=2) if abs(m - n) == 1]
    chances = {
        (low, n): log(laplace_integral(low - most * n, low + 1 - most * n, scale))
        for low, n in product(range(-5, 5), sizes)
    }
    yield compare(
        CONTINUOUS,
        f"epsilon={epsilon}, {most} times the number of up to three items",
        computed=Fraction(
            max(
                p - chances[low, n]
                for (low, m), p in chances.items()
                for n in sizes
                if (m, n) in near
            )
        ),
        stated=epsilon + Fraction(1, 10**9),
        false=epsilon / 2,
        privacy=(epsilon, 0),
        hypotheses={
            "the sensitivity of f": most == max(abs(most * m - most * n) for m, n in near)
            and all(are_neighbours((1,) * m, (1,) * n, "add_remove") for m, n in near),
        },
    )


def checks() -> list[ClaimCheck]:
    """Return all checks: integer and fractional scales, and scales less than 1."""
    scales = (Fraction(1), Fraction(2), Fraction(1, 2))
    return [
        *(ClaimCheck(TOPIC, sampled, (scale,)) for scale in scales),
        *(ClaimCheck(TOPIC, audited_law, (scale,)) for scale in (*scales, Fraction(7, 3))),
        *(ClaimCheck(TOPIC, density, (scale,)) for scale in (Fraction(8), *scales[:2])),
        *(ClaimCheck(TOPIC, units, (scale,)) for scale in (Fraction(7, 3), *scales)),
        ClaimCheck(TOPIC, continuous, (Fraction(1, 2), 2)),
    ]
