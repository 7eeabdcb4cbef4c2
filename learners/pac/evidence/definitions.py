"""Definitions about the output of a learner on a drawn sample, transcribed for two points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod

from flint import arb, ctx

from learners.balls import ball
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.exact import PRECISION, OutputDistribution
from learners.pac.distributions import FiniteDistribution
from learners.pac.generic import GenericLearner
from lsclasses.hypothesis import Hypothesis
from lsclasses.table import Table

STABILITY = Claim(
    "gap between the largest P[A(S) = h] by all samples and by the distribution of the output",
    "10^-12",
    source="[BLM20, Def 4]",
    falsified="for the worst sample in place of a drawn sample",
    incorrect_object=True,
)
LEARNED = Claim(
    "gap between the largest P[err(c, h) > alpha] over distributions and targets, by all samples "
    "and by the distribution of the output",
    "10^-12",
    source="[BF25, Def 3.2], [LWY25, Def A.1]",
    falsified="with the error on the sample",
    incorrect_object=True,
)
AGNOSTIC = Claim(
    "gap between the largest P[err(h) > least err + alpha] over distributions of examples, by all "
    "samples and by the distribution of the output",
    "10^-12",
    source="[LWY25, Def A.2]",
    falsified="without the least error",
    incorrect_object=True,
)

Row = tuple[int, int]
"""Labels of a concept at the points 0 and 1."""
CLASS: tuple[Row, ...] = ((0, 0), (0, 1), (1, 1))


def chances(sample: Sequence[tuple[int, int]], epsilon: Fraction) -> dict[Row, arb]:
    """Return the probabilities of the concepts: their weights are exp(-epsilon errors/2)."""
    weights = {h: (-ball(epsilon * sum(h[x] != y for x, y in sample)) / 2).exp() for h in CLASS}
    total = sum(weights.values(), arb(0))
    return {h: weight / total for h, weight in weights.items()}


def exceeding(law: OutputDistribution[Hypothesis], D: FiniteDistribution, alpha: Fraction) -> arb:
    """Return the probability of a population error of more than alpha."""
    return law.probability(lambda h: D.loss(h) > alpha)


@dataclass(frozen=True)
class Transcribed:
    """The numbers of the definitions for a target and a distribution, by all samples.

    Attributes
    ----------
    likeliest : arb
        Largest P[A(S) = h].
    failing, sampled : arb
        P[err(c, h) > alpha], by the error of the definition and by the error on the sample.
    single : arb
        Largest probability of an output on one sample.
    """

    likeliest: arb
    failing: arb
    sampled: arb
    single: arb

    @classmethod
    def of(
        cls, mass: Sequence[Fraction], c: Row, epsilon: Fraction, size: int, alpha: Fraction
    ) -> Transcribed:
        """Return the numbers for samples of `size` rows."""
        drawn = dict.fromkeys(CLASS, arb(0))
        failing, sampled, single = arb(0), arb(0), arb(0)
        for points in product((0, 1), repeat=size):
            weight = ball(prod((mass[x] for x in points), start=Fraction(1)))
            for h, p in chances([(x, c[x]) for x in points], epsilon).items():
                drawn[h] += p * weight
                single = single.max(p)
                if sum(mass[x] for x in (0, 1) if h[x] != c[x]) > alpha:
                    failing += p * weight
                if Fraction(sum(h[x] != c[x] for x in points), size) > alpha:
                    sampled += p * weight
        return cls(max(drawn.values(), key=float), failing, sampled, single)


@recomputes(STABILITY, LEARNED)
def definitions(epsilon: Fraction, size: int, alpha: Fraction) -> Iterator[Outcome]:
    """Compare stability and error of the exponential mechanism with their definitions."""
    table = Table([list(h) for h in CLASS])
    learner, shares = GenericLearner(table, epsilon), [Fraction(i, 4) for i in range(1, 4)]
    unstable, apart, worst, fits = arb(0), arb(0), [arb(0)] * 3, True
    with ctx.workprec(PRECISION):
        for share, c in product(shares, CLASS):
            mass = (share, 1 - share)
            D = FiniteDistribution(table.domain, {(x, c[x]): mass[x] for x in (0, 1)})
            law = learner.law(D, size)
            fits &= any(not D.loss(h) for h in table)
            found = Transcribed.of(mass, c, epsilon, size, alpha)
            largest = max((law[h] for h in law), key=float)
            unstable = unstable.max(abs(largest - found.likeliest))
            apart = apart.max(abs(largest - found.single))
            three = exceeding(law, D, alpha), found.failing, found.sampled
            worst = [one.max(other) for one, other in zip(worst, three, strict=True)]
        where, tiny = f"three thresholds, n={size}, epsilon={epsilon}", Fraction(1, 10**12)
        yield compare(STABILITY, where, computed=unstable.upper(), stated=tiny, twin=apart)
        yield compare(
            LEARNED,
            f"{where}, alpha={alpha}",
            computed=abs(worst[0] - worst[1]).upper(),
            stated=tiny,
            twin=abs(worst[0] - worst[2]),
            privacy=(epsilon, 0),
            hypotheses={
                "some concept fits the distribution": fits,
                "the labels are those of a concept of the class": table.labels.tolist()
                == [list(c) for c in CLASS],
            },
        )


CELLS: tuple[tuple[int, int], ...] = ((0, 0), (0, 1), (1, 0), (1, 1))
"""The labelled examples (x, y)."""


def error(h: Row, mass: Sequence[Fraction]) -> Fraction:
    """Return the probability of an example with a wrong label."""
    return sum((p for (x, y), p in zip(CELLS, mass, strict=True) if h[x] != y), Fraction())


@recomputes(AGNOSTIC)
def agnostic_definition(epsilon: Fraction, size: int, alpha: Fraction) -> Iterator[Outcome]:
    """Compare the agnostic error probability with its definition, for the exponential mechanism."""
    table = Table([list(h) for h in CLASS])
    learner, worst = GenericLearner(table, epsilon), [arb(0)] * 3
    quarters = [each for each in product(range(5), repeat=len(CELLS)) if sum(each) == 4]
    samples = list(product(range(len(CELLS)), repeat=size))
    with ctx.workprec(PRECISION):
        outputs = [chances([CELLS[i] for i in drawn], epsilon) for drawn in samples]
        for counts in quarters:
            mass = [Fraction(count, 4) for count in counts]
            errors = {h: error(h, mass) for h in CLASS}
            least = min(errors.values())
            failing, larger = arb(0), arb(0)
            for drawn, output in zip(samples, outputs, strict=True):
                weight = ball(prod((mass[i] for i in drawn), start=Fraction(1)))
                failing += weight * sum((output[h] for h in CLASS if errors[h] > least + alpha), 0)
                larger += weight * sum((output[h] for h in CLASS if errors[h] > alpha), 0)
            likely = {cell: p for cell, p in zip(CELLS, mass, strict=True) if p}
            D = FiniteDistribution(table.domain, likely)
            law = learner.law(D, size)
            by_output = exceeding(law, D, alpha + min(D.loss(h) for h in table))
            three = by_output, failing, larger
            worst = [one.max(other) for one, other in zip(worst, three, strict=True)]
    yield compare(
        AGNOSTIC,
        f"three thresholds, n={size}, epsilon={epsilon}, alpha={alpha}, "
        f"{len(quarters)} distributions",
        computed=abs(worst[0] - worst[1]).upper(),
        stated=Fraction(1, 10**12),
        twin=abs(worst[0] - worst[2]),
        privacy=(epsilon, 0),
    )


def checks(topic: str) -> list[ClaimCheck]:
    """Return the checks, under the name of a topic."""
    arguments = Fraction(2), 3, Fraction(1, 4)
    return [ClaimCheck(topic, each, arguments) for each in (definitions, agnostic_definition)]
