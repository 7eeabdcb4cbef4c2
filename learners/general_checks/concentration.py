"""Tail bounds, with and without replacement, against exact distributions, and coupon collecting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from math import ceil, comb

import numpy as np
from flint import arb, ctx

from learners.balls import ball
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.exact import PRECISION
from learners.general_checks import generalization

TOPIC = "concentration"

LOGARITHM = Claim(
    "(a ln x + b)/x at x = 4 a ln(2a) + 2b, or the largest derivative of a ln x + b beyond x if it "
    "is larger, for all 1 <= a and 0 <= b up to a million",
    "1",
    source="[LWY25, Lemma A.6]",
    falsified="at half of this x",
)
HOEFFDING = Claim(
    "worst P[E Z - Z >= t] exp(2 t^2/n), for sums Z of n independent biased bits",
    "1",
    source="[LWY25, Lemma A.11]",
    falsified="with exp(4 t^2/n)",
)
CHERNOFF = Claim(
    "worst P[Z <= (1 - t) E Z] exp(t^2 E Z/2), for sums Z of n of N bits",
    "1",
    source="[LWY25, Lemma A.13]",
    falsified="with exp(3 t^2 E Z/2)",
)
COUPONS = Claim(
    "worst P[2n draws from n hit at most half of k] exp(k/4), for k <= n",
    "1",
    source="[LWY25, Lemma A.14]",
    falsified="with n/2 draws",
)
MCDIARMID = Claim(
    "worst P[E f - f >= r] exp(2 r^2/(9n)), for f that change by at most 1 with one of n places",
    "1",
    source="[LWY25, Lemma A.12], [GL21, Lemma 5.2]",
    falsified="with exp(2 r^2/n)",
)


# ---- a logarithm against a line


def _cover(low: Fraction, high: int, factor: Fraction) -> Iterator[arb]:
    """Balls whose union contains [low, high]."""
    while low < high:
        yield ball(low).union(ball(low * factor))
        low *= factor


@recomputes(LOGARITHM)
def logarithm(most: int) -> Iterator[Outcome]:
    """Check on boxes that cover all a and b: the left end's value, and the derivative beyond."""
    factor = Fraction(9, 8)
    first, smallest = Fraction(1), Fraction(1, 1000)
    offsets = [ball(0).union(ball(smallest)), *_cover(smallest, most, factor)]
    value, slope = arb(0), arb(0)
    for a in _cover(first, most, factor):
        least = 4 * a * (2 * a).log()
        # The derivative a/x is largest where x is least, for b = 0.
        slope = slope.max(a / least)
        for b in offsets:
            left = least + 2 * b
            value = value.max((a * left.log() + b) / left)
    a, b = ball(1), ball(100)
    short = 2 * a * (2 * a).log() + b
    instance = f"boxes that cover 1 <= a <= {most}, 0 <= b <= {most}"
    yield compare(
        LOGARITHM,
        instance,
        computed=value.max(slope).upper(),
        stated=1,
        twin=(a * short.log() + b) / short,
        hypotheses={"a >= 1": first >= 1, "b > 0": smallest > 0},
    )


# ---- independent bits


@recomputes(HOEFFDING)
def hoeffding(most: int) -> Iterator[Outcome]:
    """Check all sums of [0, 1] bits with probabilities that are multiples of 1/8."""
    chances = [Fraction(i, 8) for i in range(1, 8)]
    worst, twin, bits = arb(0), arb(0), True
    with ctx.workprec(PRECISION):
        for n in range(1, most + 1):
            for chosen in combinations_with_replacement(chances, n):
                law = [Fraction(1)]
                for p in chosen:
                    law = [
                        (1 - p) * (law[z] if z < len(law) else 0) + p * (law[z - 1] if z else 0)
                        for z in range(len(law) + 1)
                    ]
                mean, below = sum(chosen, Fraction(0)), Fraction(0)
                bits &= len(law) == n + 1 and all(0 <= p <= 1 for p in chosen)
                for z, probability in enumerate(law):
                    below += probability
                    if z < mean:
                        scale = ball((mean - z) * (mean - z) / n)
                        worst = worst.max(ball(below) * (2 * scale).exp())
                        twin = twin.max(ball(below) * (4 * scale).exp())
    yield compare(
        HOEFFDING,
        f"n <= {most}, multiples of 1/8",
        computed=worst,
        stated=1,
        twin=twin,
        hypotheses={"the range of the variables": bits},
    )


# ---- without replacement


@recomputes(CHERNOFF)
def chernoff(most: int) -> Iterator[Outcome]:
    """Check all hypergeometric distributions of populations up to a size, at all their jumps."""
    worst, twin, fewer = arb(0), arb(0), True
    with ctx.workprec(PRECISION):
        for size in range(1, most + 1):
            for ones, n in product(range(1, size + 1), repeat=2):
                mean, below = Fraction(ones * n, size), Fraction(0)
                fewer &= n <= size
                for z in range(ceil(mean)):
                    below += Fraction(comb(ones, z) * comb(size - ones, n - z), comb(size, n))
                    scale = ball((mean - z) * (mean - z) / mean / 2)
                    worst = worst.max(ball(below) * scale.exp())
                    twin = twin.max(ball(below) * (3 * scale).exp())
    yield compare(
        CHERNOFF,
        f"N <= {most}",
        computed=worst,
        stated=1,
        twin=twin,
        hypotheses={"n <= N": fewer},
    )


def _missed(n: int, k: int, draws: int) -> Fraction:
    """P[at most half of the first k of n are hit], by following how many are."""
    law = [Fraction(1)] + [Fraction(0)] * k
    for _ in range(draws):
        law = [
            law[hit] * Fraction(n - k + hit, n)
            + (law[hit - 1] * Fraction(k - hit + 1, n) if hit else 0)
            for hit in range(k + 1)
        ]
    return sum(law[: k // 2 + 1], Fraction(0))


@recomputes(COUPONS)
def coupons(most: int) -> Iterator[Outcome]:
    """Check the least probability allowed for k, exp(-k/4), because more draws miss less."""
    worst, twin, enough, within = arb(0), arb(0), True, True
    with ctx.workprec(PRECISION):
        for n in range(1, most + 1):
            for k in range(1, n + 1):
                scale, draws = (ball(k) / 4).exp(), 2 * n
                enough &= draws >= 2 * n
                within &= k <= n and bool(4 * scale.log() <= ball(k) + ball(Fraction(1, 10**20)))
                worst = worst.max(ball(_missed(n, k, draws)) * scale)
                twin = twin.max(ball(_missed(n, k, n // 2)) * scale)
    yield compare(
        COUPONS,
        f"n <= {most}",
        computed=worst,
        stated=1,
        twin=twin,
        hypotheses={"m >= 2n": enough, "4 ln(1/beta) <= k <= n": within},
    )


def _places(x: Sequence[int], y: Sequence[int]) -> int:
    """Return the number of places in which two arrangements differ."""
    return sum(a != b for a, b in zip(x, y, strict=True))


@recomputes(MCDIARMID)
def mcdiarmid(items: Sequence[int], n: int) -> Iterator[Outcome]:
    """Check the first n of a random permutation of the items, and every event about them.

    If E f - f >= r on an event A, then f is at most max_A f + the distance to A. So r is at most
    the mean distance. For f the distance to A, r equals the mean distance.
    """
    # The number of permutations that begin with each arrangement is above 1 if items are equal.
    shares = Counter(order[:n] for order in permutations(items))
    whole, last = shares.total(), 1 << len(shares)
    events = np.arange(last)
    size = np.zeros(last, dtype=np.int64)
    for i, share in enumerate(shares.values()):
        size += (events >> i & 1) * share
    distance = np.zeros(last, dtype=np.int64)
    # The distance to an event is the least distance to one of its arrangements.
    lipschitz = all(
        abs(_places(x, z) - _places(y, z)) <= _places(x, y) for x, y, z in product(shares, repeat=3)
    )
    for x, share in shares.items():
        nearest = np.full(last, n, dtype=np.int64)
        for i, y in enumerate(shares):
            nearest[1 << i : 2 << i] = np.minimum(nearest[: 1 << i], _places(x, y))
        distance += share * nearest
    worst = twin = arb(0)
    with ctx.workprec(PRECISION):
        # The empty event has probability 0, and only the certain event has distance 0.
        for far in np.unique(distance[1:-1]).tolist():
            chance = ball(Fraction(int(size[1:-1][distance[1:-1] == far].max()), whole))
            mean = Fraction(far, whole)
            scale = ball(2 * mean * mean / n)
            worst = worst.max(chance * (scale / 9).exp())
            twin = twin.max(chance * scale.exp())
    drawn = "in any order" if n == len(items) else f"{n} of which are drawn"
    yield compare(
        MCDIARMID,
        f"items {', '.join(map(str, items))}, {drawn}: all {last} events",
        computed=worst,
        stated=1,
        twin=twin,
        hypotheses={
            "the sensitivity c of F": lipschitz,
            "the sensitivity c of f": lipschitz,
            "n is at most the number of items": n <= len(items),
        },
    )


def checks() -> list[ClaimCheck]:
    """Return checks whose distributions are small enough to be computed in full."""
    return [
        ClaimCheck(TOPIC, logarithm, (10**6,)),
        ClaimCheck(TOPIC, hoeffding, (4,)),
        ClaimCheck(TOPIC, chernoff, (12,)),
        ClaimCheck(TOPIC, coupons, (16,)),
        *generalization.checks(TOPIC),
        ClaimCheck(TOPIC, hoeffding, (9,), slow=True),
        ClaimCheck(TOPIC, chernoff, (40,), slow=True),
        *(
            ClaimCheck(TOPIC, mcdiarmid, arguments)
            for arguments in (
                ((1, 2), 2),
                ((1, 2, 3), 3),
                ((0, 0, 1, 1), 4),
                ((1, 1, 2, 3), 4),
                ((0, 0, 0, 1, 1, 1), 6),
                ((1, 2, 3, 4), 2),
                ((0, 0, 0, 1, 1, 1, 1), 4),
            )
        ),
    ]
