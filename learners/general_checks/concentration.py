"""Tail bounds, with and without replacement, against exact distributions, and coupon collecting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from math import ceil, comb, factorial

import numpy as np
from flint import arb, ctx

from learners.balls import ball
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.exact import PRECISION
from learners.general_checks import generalization

TOPIC = "concentration"

LOGARITHM = Claim(
    "(a ln x + b)/x at x = 4 a ln(2a) + 2b, for all 1 <= a and 0 <= b up to a million",
    "1",
    source="[LWY25, Lemma A.6]",
    falsified="at x = 4 a ln(2a) + b",
)
DECREASING = Claim(
    "largest 1/ln x from x = 4 a ln(2a) + 2b on, for the same a and b, where (a ln x + b)/x falls "
    "if it is at most",
    "1",
    source="[LWY25, Lemma A.6]",
    falsified="from x = 2 a ln(2a) + b on",
)
HOEFFDING = Claim(
    "worst P[E Z - Z >= t] exp(2 t^2/n), for sums Z of n independent biased bits",
    "1",
    source="[LWY25, Lemma A.11]",
    falsified="with exp(4 t^2/n)",
)
RANGE = Claim(
    "worst P[E Z - Z >= t] exp(2 t^2/(n (b - a)^2)), for sums Z of n independent numbers in "
    "{a, (a + b)/2, b}",
    "1",
    source="[LWY25, Lemma A.11]",
    falsified="with exp(2 t^2/n)",
    drops="the division of the exponent by (b - a)^2",
)
CHERNOFF = Claim(
    "worst P[Z <= (1 - t) E Z] exp(t^2 E Z/2), for sums Z of n of N bits",
    "1",
    source="[LWY25, Lemma A.13]",
    falsified="with exp(t^2 E Z)",
)
COUPONS = Claim(
    "worst P[2n draws from n hit at most half of k] exp(k/4), for k <= n",
    "1",
    source="[LWY25, Lemma A.14]",
    falsified="with n draws",
)
MCDIARMID = Claim(
    "worst P[E f - f >= r] exp(2 r^2/(9n)), for f that change by at most 1 with one of n places",
    "1",
    source="[LWY25, Lemma A.12], [GL21, Lemma 5.2]",
    falsified="1/2",
)
DISPLACED = Claim(
    "worst P[E f - f >= r] exp(2 r^2/(9n)), for the number f of displaced items of n",
    "1",
    source="[LWY25, Lemma A.12], [GL21, Lemma 5.2]",
    falsified="with exp(2 r^2/9)",
    drops="the division of the exponent by n",
)


# ---- a logarithm against a line


def _cover(low: Fraction, high: int, factor: Fraction) -> Iterator[arb]:
    """Balls whose union contains [low, high]."""
    while low < high:
        yield ball(low).union(ball(low * factor))
        low *= factor


@recomputes(LOGARITHM, DECREASING)
def logarithm(most: int) -> Iterator[Outcome]:
    """Check that (a ln x + b)/x is at most 1 from x = 4 a ln(2a) + 2b on [LWY25, Lemma A.6].

    Boxes cover all a and b. In each box, the value at the left end of the range of x is checked,
    and the quotient decreases afterwards. The derivative of (a ln x + b)/x is at most a (1 - ln
    x)/x^2.
    """
    factor = Fraction(9, 8)
    first, smallest = Fraction(1), Fraction(1, 1000)
    offsets = [ball(0).union(ball(smallest)), *_cover(smallest, most, factor)]
    value, inverse = arb(0), arb(0)
    for a in _cover(first, most, factor):
        least = 4 * a * (2 * a).log()
        for b in offsets:
            left = least + 2 * b
            value = value.max((a * left.log() + b) / left)
            inverse = inverse.max(1 / left.log())
    one, b = ball(1), ball(100)
    least = 4 * (2 * one).log()
    short, half = least + b, (least + 2 * ball(smallest)) / 2
    instance = f"boxes that cover 1 <= a <= {most}, 0 <= b <= {most}"
    yield compare(
        LOGARITHM,
        instance,
        computed=value.upper(),
        stated=1,
        twin=(short.log() + b) / short,
        changed=(least + 2 * b, short),
        hypotheses={"a >= 1": first >= 1, "b > 0": smallest > 0},
    )
    yield compare(
        DECREASING,
        instance,
        computed=inverse.upper(),
        stated=1,
        twin=1 / half.log(),
        changed=(2, 1),
    )


# ---- independent bits


@recomputes(HOEFFDING)
def hoeffding(most: int) -> Iterator[Outcome]:
    """Check Hoeffding's inequality for sums of independent biased bits.

    Check all sums of [0, 1] bits with probabilities that are multiples of 1/8.
    """
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
        changed=(2, 4),
        hypotheses={"the range of the variables": bits},
    )


@recomputes(RANGE)
def ranges(most: int) -> Iterator[Outcome]:
    """Check Hoeffding's inequality for sums of independent numbers in a range [a, b].

    Check all sums of independent -1, 0 and 1, with probabilities that are multiples of 1/4.
    """
    quarters = [Fraction(i, 4) for i in range(5)]
    laws = [(p, q, 1 - p - q) for p, q in product(quarters, repeat=2) if p + q <= 1]
    a, b = -1, 1
    worst, twin, within = arb(0), arb(0), True
    with ctx.workprec(PRECISION):
        for n in range(1, most + 1):
            for chosen in combinations_with_replacement(laws, n):
                sums = {0: Fraction(1)}
                for law in chosen:
                    after: dict[int, Fraction] = {}
                    for (z, weight), (step, chance) in product(sums.items(), enumerate(law, a)):
                        within &= a <= step <= b
                        after[z + step] = after.get(z + step, Fraction(0)) + weight * chance
                    sums = after
                mean = sum((z * weight for z, weight in sums.items()), Fraction(0))
                below = Fraction(0)
                for z in sorted(sums):
                    below += sums[z]
                    if z < mean:
                        scale = ball(2 * (mean - z) ** 2 / n)
                        worst = worst.max(ball(below) * (scale / (b - a) ** 2).exp())
                        twin = twin.max(ball(below) * scale.exp())
    yield compare(
        RANGE,
        f"n <= {most}, a={a}, b={b}, multiples of 1/4",
        computed=worst,
        stated=1,
        twin=twin,
        hypotheses={"the range of the variables": within},
    )


# ---- without replacement


LARGE = 2000, 250, 250
"""Size of a population, its number of ones, and the number of draws."""


def _lower_tails(size: int, ones: int, n: int) -> tuple[arb, arb]:
    """Return the worst value at all jumps for Z of n of `size` bits, with exponents once, twice."""
    mean, below, every = Fraction(ones * n, size), 0, comb(size, n)
    once = twice = arb(0)
    for z in range(ceil(mean)):
        below += comb(ones, z) * comb(size - ones, n - z)
        chance, scale = ball(Fraction(below, every)), ball((mean - z) ** 2 / mean / 2)
        once, twice = once.max(chance * scale.exp()), twice.max(chance * (2 * scale).exp())
    return once, twice


@recomputes(CHERNOFF)
def chernoff(most: int, large: tuple[int, int, int]) -> Iterator[Outcome]:
    """Check Chernoff's bound for draws without replacement.

    Check all populations up to a size, and a large one, whose tails refute the variant.
    """
    populations = [
        (size, ones, n)
        for size in range(1, most + 1)
        for ones, n in product(range(1, size + 1), repeat=2)
    ]
    populations.append(large)
    size, ones, n = large
    with ctx.workprec(PRECISION):
        found = [_lower_tails(*each) for each in populations]
        worst, twin = max((one for one, _ in found), key=float), found[-1][1]
    yield compare(
        CHERNOFF,
        f"N <= {most}, and {n} of {size} bits with {ones} ones",
        computed=worst,
        stated=1,
        twin=twin,
        changed=(1, 2),
        hypotheses={"n <= N": all(drawn <= size for size, _, drawn in populations)},
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
    """Check that 2n draws from n hit more than half of k items [LWY25, Lemma A.14].

    Check the least probability allowed for k, exp(-k/4), because more draws miss less.
    """
    worst, twin, enough, within = arb(0), arb(0), True, True
    with ctx.workprec(PRECISION):
        for n in range(1, most + 1):
            for k in range(1, n + 1):
                scale, draws = (ball(k) / 4).exp(), 2 * n
                enough &= draws >= 2 * n
                within &= k <= n and bool(4 * scale.log() <= ball(k) + ball(Fraction(1, 10**20)))
                worst = worst.max(ball(_missed(n, k, draws)) * scale)
                twin = twin.max(ball(_missed(n, k, n)) * scale)
    yield compare(
        COUPONS,
        f"n <= {most}",
        computed=worst,
        stated=1,
        twin=twin,
        changed=(2, 1),
        hypotheses={"m >= 2n": enough, "4 ln(1/beta) <= k <= n": within},
    )


def _places(x: Sequence[int], y: Sequence[int]) -> int:
    """Return the number of places in which two arrangements differ."""
    return sum(a != b for a, b in zip(x, y, strict=True))


@recomputes(MCDIARMID)
def mcdiarmid(items: Sequence[int], n: int) -> Iterator[Outcome]:
    """Check McDiarmid's inequality for permutations, for every event [LWY25, Lemma A.12].

    Check the first n of a random permutation of the items, and every event about them.

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
    found = []
    with ctx.workprec(PRECISION):
        # The empty event has probability 0, and only the certain event has distance 0.
        for far in np.unique(distance[1:-1]).tolist():
            chance = ball(Fraction(int(size[1:-1][distance[1:-1] == far].max()), whole))
            mean = Fraction(far, whole)
            scale = ball(2 * mean * mean / (9 * n)).exp()
            found.append((chance * scale, scale))
    worst, half = max((value for value, _ in found), key=float), Fraction(1, 2)
    # P is at most 1, so the second factor is the trivial bound on the product. Events that refute
    # the variant only by a probability near 1 do not count.
    trivial = max((scale for value, scale in found if value > ball(half)), key=float)
    drawn = "in any order" if n == len(items) else f"{n} of which are drawn"
    yield compare(
        MCDIARMID,
        f"items {', '.join(map(str, items))}, {drawn}: all {last} events",
        computed=worst,
        stated=1,
        false=half,
        trivial=trivial,
        hypotheses={
            "the sensitivity c of F": lipschitz,
            "the sensitivity c of f": lipschitz,
            "n is at most the number of items": n <= len(items),
        },
    )


@recomputes(DISPLACED)
def displaced(n: int) -> Iterator[Outcome]:
    """Check McDiarmid's inequality for the number of displaced items of a permutation.

    Check the number of displaced items of a random permutation, by numbers of derangements.

    A false bound without n in the exponent fails only for n >= 8, which has too many events.
    """
    deranged = [1, 0]
    for size in range(2, n + 1):
        deranged.append((size - 1) * (deranged[-1] + deranged[-2]))
    counts = [comb(n, moved) * deranged[moved] for moved in range(n + 1)]
    total = factorial(n)
    mean = Fraction(sum(moved * count for moved, count in enumerate(counts)), total)
    worst, twin, below = arb(0), arb(0), 0
    with ctx.workprec(PRECISION):
        for moved in range(ceil(mean)):
            below += counts[moved]
            chance, scale = ball(Fraction(below, total)), ball(2 * (mean - moved) ** 2 / 9)
            worst, twin = worst.max(chance * (scale / n).exp()), twin.max(chance * scale.exp())
    # The function is a sum over the places, so an item changes it by the change of one summand.
    summands = [[int(item != place) for item in range(n)] for place in range(n)]
    lipschitz = all(max(each) - min(each) <= 1 for each in summands)
    yield compare(
        DISPLACED,
        f"n={n}",
        computed=worst,
        stated=1,
        twin=twin,
        hypotheses={
            "the sensitivity c of F": lipschitz,
            "the sensitivity c of f": lipschitz,
            "n is at most the number of items": len(summands[0]) >= n,
        },
    )


def checks() -> list[ClaimCheck]:
    """Return checks whose distributions are small enough to be computed in full."""
    return [
        ClaimCheck(TOPIC, logarithm, (10**6,)),
        ClaimCheck(TOPIC, hoeffding, (4,)),
        ClaimCheck(TOPIC, ranges, (3,)),
        ClaimCheck(TOPIC, chernoff, (12, LARGE)),
        ClaimCheck(TOPIC, coupons, (16,)),
        ClaimCheck(TOPIC, displaced, (9,)),
        *generalization.checks(TOPIC),
        ClaimCheck(TOPIC, hoeffding, (9,), slow=True),
        ClaimCheck(TOPIC, chernoff, (40, LARGE), slow=True),
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
