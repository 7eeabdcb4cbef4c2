"""Exact probabilities to fail: of a choice by losses, and of a count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb

from flint import arb, ctx

from learners.balls import ball
from learners.exact import PRECISION
from learners.pac.samples import Example

Weights = Mapping[Example, Fraction]
"""The probability of each example."""

Labels = tuple[int, ...]
"""The labels that a hypothesis gives the points 0, 1, ...."""


def choice_failure(
    weights: Weights,
    hypotheses: Sequence[Labels],
    epsilon: Fraction,
    rows: int,
    allowed: Fraction,
) -> arb:
    """The exact probability that the exponential mechanism chooses a loss above `allowed`.

    By the numbers of copies of each example, which have a multinomial law.
    """
    examples = list(weights)
    losses = [sum(w for (x, y), w in weights.items() if h[_place(x)] != y) for h in hypotheses]
    with ctx.workprec(PRECISION):

        def bad(errors: Sequence[int]) -> arb:
            chances = [(-ball(epsilon * wrong) / 2).exp() for wrong in errors]
            worse = (p for p, loss in zip(chances, losses, strict=True) if loss > allowed)
            return sum(worse, arb(0)) / sum(chances, arb(0))

        def walk(i: int, left: int, mass: Fraction, errors: Sequence[int]) -> arb:
            (x, y), last = examples[i], i == len(examples) - 1
            total = arb(0)
            for n in (left,) if last else range(left + 1):
                chance = mass * comb(left, n) * weights[examples[i]] ** n
                missed = [h[_place(x)] != y for h in hypotheses]
                wrong = [e + n * miss for e, miss in zip(errors, missed, strict=True)]
                total += ball(chance) * bad(wrong) if last else walk(i + 1, left - n, chance, wrong)
            return total

        return walk(0, rows, Fraction(1), [0] * len(hypotheses))


def _place(x: object) -> int:
    assert isinstance(x, int)
    return x


def binomial_tail(trials: int, chance: Fraction, least: int) -> arb:
    """P[Bin(trials, chance) >= least], a regularized incomplete beta function."""
    if least <= 0:
        return arb(1)
    return ball(chance).beta_lower(least, trials - least + 1, True) if least <= trials else arb(0)
