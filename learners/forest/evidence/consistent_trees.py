"""Claims about the number of consistent trees [GL21, Claim A.4], by exact binomial distributions.

A tree of k_1 leaves guesses k_1 - 1 labels, so it is consistent with probability 2^-(k_1 - 1). The
proof of the claim uses only the lower bound 2^(-2 k_1) on this probability. So the claim is not
tight. If the stated failure probability is at most 9/10, the exact failure probability is less than
4e-15 times the stated probability:

* At k_1 = 1, every tree is consistent. At k_1 = 2, the stated probability requires k_2 >= 54. The
  largest quotient is 55/2^54 e^(54/512), at k_2 = 54.
* For k_1 >= 3, the stated probability requires k_2 >= 2^(4 k_1 + 1)/10, so the mean number mu of
  consistent trees is at least 2^(3 k_1 + 2)/10. By Chernoff's bound, the exact probability is less
  than exp(-mu/3).

Therefore, the claim remains true if one of its exponents is doubled or halved. The proof's
inequality about independent trees of probability 2^(-2 k_1) is tighter. A double exponent makes it
false.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from flint import arb, ctx

from learners.balls import ball
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.exact import PRECISION
from lsclasses.errors import InvalidInput
from lsclasses.numbers import format_number

CONSISTENT = Claim(
    "worst P[fewer than 2^(-2 k_1 - 1) k_2 trees guess the target's labels] exp(2^(-4 k_1) k_2/2)",
    "1",
    source="[GL21, Claim A.4]",
    falsified="without 2^(-4 k_1)",
    drops="the factor 2^(-4 k_1)",
)
INDEPENDENT = Claim(
    "k_2 independent trees, each consistent with probability 2^(-2 k_1): worst "
    "P[at most 2^(-2 k_1 - 1) k_2 are consistent] exp(2^(-4 k_1) k_2/2)",
    "1",
    source="[GL21, Claim A.4], its proof",
    statements=("GL21 Claim A.4",),
    falsified="with exp(2^(-4 k_1) k_2)",
)

LARGEST_STATED = Fraction(9, 10)
"""Largest stated failure probability of an instance."""


def at_most(trees: int, chance: Fraction, most: int) -> arb:
    """Return P[Bin(trees, chance) <= most], computed as a sum of binomial probabilities."""
    term, total = ball(1 - chance) ** trees, arb(0)
    ratio = ball(chance / (1 - chance))
    for hit in range(most + 1):
        total += term
        term *= ratio * (trees - hit) / (hit + 1)
    return total


def require_small(leaves: int, trees: int) -> None:
    """Require a stated failure probability of at most 9/10."""
    if not ball(Fraction(-trees, 2 << 4 * leaves)).exp() < ball(LARGEST_STATED):
        raise InvalidInput(
            f"The stated failure probability must be less than {LARGEST_STATED}. "
            f"Got {leaves} leaves and {trees} trees."
        )


def worst(leaves: int, numbers: Sequence[int], chance: Fraction, power: Fraction, less: int) -> arb:
    """Return the largest failure probability times exp(power k_2)."""
    found = arb(0)
    for trees in numbers:
        most = (trees - less) // (2 << 2 * leaves)
        found = found.max(at_most(trees, chance, most) * ball(power * trees).exp())
    return found


def described(leaves: int, numbers: Sequence[int]) -> str:
    """Return the instance in words, with its largest and least stated failure probability."""
    stated = [ball(Fraction(-trees, 2 << 4 * leaves)).exp() for trees in numbers]
    return (
        f"k_1={leaves}, {format_number(numbers[0])} <= k_2 <= {format_number(numbers[-1])}, "
        f"stated {stated[0].str(3, radius=False)} to {stated[-1].str(3, radius=False)}"
    )


@recomputes(CONSISTENT)
def consistent(leaves: int, numbers: Sequence[int]) -> Iterator[Outcome]:
    """Check [GL21, Claim A.4] by the binomial number of trees whose guesses are all right."""
    chance = Fraction(1, 1 << leaves - 1)
    with ctx.workprec(PRECISION):
        for trees in numbers:
            require_small(leaves, trees)
        yield compare(
            CONSISTENT,
            described(leaves, numbers),
            computed=worst(leaves, numbers, chance, Fraction(1, 2 << 4 * leaves), 1),
            stated=1,
            twin=worst(leaves, numbers, chance, Fraction(1, 2), 1),
            hypotheses={"leaves": leaves & leaves - 1 == 0},
        )


@recomputes(INDEPENDENT)
def independent(leaves: int, numbers: Sequence[int]) -> Iterator[Outcome]:
    """Check the inequality in the proof of [GL21, Claim A.4], for independent trees."""
    chance = Fraction(1, 1 << 2 * leaves)
    with ctx.workprec(PRECISION):
        for trees in numbers:
            require_small(leaves, trees)
        yield compare(
            INDEPENDENT,
            described(leaves, numbers),
            computed=worst(leaves, numbers, chance, Fraction(1, 2 << 4 * leaves), 0),
            stated=1,
            twin=worst(leaves, numbers, chance, Fraction(1, 1 << 4 * leaves), 0),
            changed=(1, 2),
            hypotheses={"leaves": leaves & leaves - 1 == 0},
        )


def checks(topic: str) -> list[ClaimCheck]:
    """Return the checks, for numbers of trees with a stated failure probability of at most 9/10."""
    return [
        ClaimCheck(topic, consistent, (4, (1 << 14, 1 << 16, 1 << 19))),
        ClaimCheck(topic, consistent, (2, range(54, 1025))),
        ClaimCheck(topic, independent, (1, range(4, 2049))),
        ClaimCheck(topic, independent, (2, range(54, 1025))),
    ]
