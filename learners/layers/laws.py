"""Exact distributions of the random numbers of `LayeredSOA`, and the sizes of its layers.

A layer has P pairs of sequences. Mistakes hit uniform pairs. Each pair that was hit yields a
sequence of the next layer, which is right with probability 1/2. Right sequences are at uniform
places. A histogram reads the pairs of two right sequences. `release_failures` is the exact
probability that it does not release them. `kept_pairs` is a bound by Chernoff's inequality, for
layers that are too large or whose right sequences are not all equal (`docs/private-online.md`).
These functions determine the number of sequences for a guarantee, and the good pairs of each layer.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

from learners.balls import ball, ceiling, floor, log, round_up
from learners.budget import Budget
from learners.mechanisms.histograms import BoundedHistogram
from learners.number_arguments import require_size
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.numbers import format_number

LARGEST_LAYER = 1 << 16
"""Largest number P of pairs of a layer whose exact distribution is computed, in time P^2."""

ROUNDING = 1 + 2.0**-29
"""Bound on the relative rounding error of the computed probabilities. All numbers are sums of
products of numbers that are not negative, so that every rounding changes them by a factor of at
most 1 + 2^-53, downwards too. Each number results from at most 8 (P + mistakes) successive
roundings, which is less than 2^23 for the largest layer."""

TINY = 2.0**-1000
"""An upper bound on the sum of all numbers that are too small for a float."""


def _released_less(histogram: BoundedHistogram, cut: int, most: int) -> NDArray[np.float64]:
    """Return P[x + Z < cut], rounded up, for x = 0, ..., most or until it is 0 (1 for x = 0)."""
    bound = histogram.bound
    least = max(cut, histogram.threshold)
    q = (-ball(histogram.unit)).exp()
    weights = [q ** abs(z) for z in range(-bound, bound + 1)]
    whole, total, below = sum(weights, arb(0)), arb(0), []
    for weight in weights:
        total += weight
        below.append(min(1.0, float(round_up(total / whole, 50))))
    # A count of x is too small if Z <= least - 1 - x.
    chances = [1.0]
    for x in range(1, min(most + 1, least + bound)):
        place = least - 1 - x + bound
        chances.append(below[place] if place < 2 * bound else 1.0)
    return np.array(chances)


def _unreleased(pairs: int, histogram: BoundedHistogram, cut: int) -> NDArray[np.float64]:
    """Return P[too few of u right sequences form pairs to be released], for u = 0, ..., pairs.

    This is the probability that too few right sequences meet a right partner to be released.
    """
    chances = _released_less(histogram, cut, pairs // 2)
    # x complete pairs after u sequences. The next meets one of u - 2x among pairs - u places.
    law = np.zeros(len(chances))
    law[0] = 1.0
    twice = 2 * np.arange(len(chances))
    found = np.empty(pairs + 1)
    for u in range(pairs + 1):
        found[u] = law @ chances
        if u < pairs:
            alone = np.maximum(u - twice, 0)
            meets = law * alone / (pairs - u)
            law = law * np.maximum(pairs - u - alone, 0) / (pairs - u)
            law[1:] += meets[:-1]
    return found


@lru_cache(maxsize=256)
def release_failures(
    pairs: int,
    histogram: BoundedHistogram,
    most: int,
    cut: int = 1,
    enough: Fraction = Fraction(1, 1 << 40),
) -> NDArray[np.float64]:
    """Return P[the right hypothesis is not released after r mistakes], for r = 0, 1, ...

    **The process.** A uniformly random one of P pairs is hit, r times. Each pair that was hit at
    least once becomes a right sequence with probability 1/2. Right sequences get different uniform
    places among P, which are P/2 pairs. The histogram counts the pairs of two right sequences, and
    releases the count if with its noise it reaches the histogram's threshold and the cut.

    **The computation** is the Markov chain of each step, backwards. With u right sequences, the
    next sequence meets a right partner with probability (u - 2x)/(P - u), given x complete pairs. A
    pair that was hit is right with probability 1/2. With a pairs hit, the next mistake hits one of
    them with probability a/P. The computation takes time P (P + r).

    Parameters
    ----------
    pairs : int
        Number P of pairs, even and at most `LARGEST_LAYER`.
    histogram : BoundedHistogram
        Histogram that releases the hypothesis.
    most : int
        Largest number of mistakes. Numbers from 4 P on are not examined.
    cut : int
        A noisy count below which no hypothesis is released, for every threshold.
    enough : Fraction
        A probability below which no more mistakes are examined.

    Returns
    -------
    array of float
        Upper bounds, which exceed the probabilities by at most a factor of about 1 + 2^-29. The
        bounds do not increase with r.

    Examples
    --------
    >>> histogram = BoundedHistogram(1, Fraction(1, 10**6), "add_remove")
    >>> failures = release_failures(400, histogram, 700)
    >>> [round(float(failures[mistakes]), 6) for mistakes in (300, 400, 500, 600)]
    [0.573499, 0.096977, 0.008113, 0.000606]
    """
    given_right = _unreleased(pairs, histogram, cut)
    # With a pairs hit: fair coins for all of them, in sequence.
    given_hit = np.empty(pairs + 1)
    for a in range(pairs + 1):
        given_hit[a] = given_right[0]
        given_right = (given_right[:-1] + given_right[1:]) / 2
    hit = np.arange(pairs + 1) / pairs
    new = np.arange(pairs, 0, -1) / pairs
    found = [given_hit[0]]
    value = given_hit
    # With nearly all pairs hit, further mistakes have no effect. Without them it is a bound, too.
    most = min(most, 4 * pairs)
    while len(found) <= most and found[-1] * ROUNDING + TINY > enough:
        after = hit * value
        after[:-1] += new * value[1:]
        value = after
        found.append(value[0])
    failures = np.minimum(1.0, np.array(found) * ROUNDING + TINY)
    failures.setflags(write=False)
    return failures


def kept_pairs(good: int, sequences: int, mistakes: int, deviation: arb, *, last: bool) -> int:
    """Return a lower bound on the number of good pairs of the next layer [LWY25, Lemma B.1].

    A layer of N sequences has N/2 pairs, and some are good. The two sequences of a good pair are
    consistent with a concept f. Either all good pairs consist of two sequences with one common
    hypothesis, or the two sequences of each good pair have different hypotheses. Let R mistakes hit
    uniform pairs, and assume that good pairs with one hypothesis are no longer equal once they are
    hit. Then after Update, except with probability 8 exp(-deviation), the number of good pairs of
    the next layer is at least the returned number. The proof is in `docs/private-online.md`, with
    Chernoff's bounds where the paper has McDiarmid's.

    Parameters
    ----------
    good : int
        Number M of good pairs.
    sequences : int
        Number N of sequences.
    mistakes : int
        Number R of mistakes. The bound is proved only for positive R.
    deviation : arb
        Number Lambda, the negative logarithm of an eighth of the failure probability.
    last : bool
        Whether all sequences of the next layer that are consistent with f have equal hypotheses.

    Returns
    -------
    int
        The bound, or 0 if no bound is proved.

    Examples
    --------
    >>> from learners.balls import log
    >>> kept_pairs(2**19, 2**20, 3 * 2**19, log(6400), last=False)
    23578
    """
    n = sequences // 2

    def left(share: arb) -> arb:
        return (1 - share).nonnegative_part()

    def kept() -> arb:
        mean = good * (1 - (-ball(Fraction(mistakes, n))).exp())
        if not mean > 0:
            return arb(0)
        hit = mean * left((2 * deviation / mean).sqrt())
        if not hit > 0:
            return arb(0)
        right = hit / 2 * left((4 * deviation / hit).sqrt())
        if not right > 0:
            return arb(0)
        if last:
            return _alike(right, n, deviation)
        one = _alike(2 * right / 3, n, deviation)
        # Two groups of a third at least, so that the product of their sizes is 2/9 at least.
        spread = left((12 * deviation / right).sqrt()) ** 2
        product = 2 * right * right / 9
        if not spread * product > 0:
            return arb(0)
        mixed = spread * product / n * left((4 * deviation * n / (spread * product)).sqrt())
        return one.min(mixed)

    return max(0, floor(lambda: kept().lower()))


def _alike(count: arb, n: int, deviation: arb) -> arb:
    """Return a lower bound on the pairs that `count` sequences form at uniform places among n."""
    spread = (1 - 4 * deviation / count).nonnegative_part()
    square = spread * count * count
    if not square > 0:
        return arb(0)
    share = (4 * deviation * n / square).sqrt()
    return square / (2 * n) * (1 - share).nonnegative_part()


# ---- sizes: sequences and good pairs for a requirement

MOST_SEQUENCES = 1 << 60
"""The largest requested number of sequences, unless the last layer needs more to have a pair.

A layer keeps only sequences that examples touched."""
MOST_LAYERS = 1 << 12
"""The largest number of layers after the first layer. Numbers of sequences have about this number
of bits. With more layers, no game ends the first layer (docs/private-online.md, Many layers)."""


@dataclass(frozen=True)
class Requirement:
    """The requirements that parameters must meet: budget, rounds and failure probability."""

    depth: int
    rounds: int
    epsilon: Fraction
    delta: Fraction
    failure: Fraction
    concepts: int | None
    rule: str = "tight"


def require_few_layers(depth: int) -> None:
    if depth > MOST_LAYERS:
        raise TooLarge(
            f"The base learner may err {depth} times, so the first layer has at least "
            f"2^{depth + 1} sequences. In a game of up to 10^12 rounds, the layered learner would "
            "publish its first hypothesis in every round, except with probability below 2^-4016 "
            f"(docs/private-online.md, Many layers). It has at most {MOST_LAYERS} layers after the "
            "first layer. Use lsclasses run pop or lsclasses run forest-soa.",
            estimate=depth,
            limit=MOST_LAYERS,
        )


def require_divisible(sequences: int, depth: int) -> None:
    if sequences > max(MOST_SEQUENCES, 2 << depth):
        raise InvalidInput(
            f"There may be at most 2^{max(60, depth + 1)} sequences for d = {depth}. "
            f"Got {format_number(sequences, exact=10**30)}."
        )
    if sequences % (2 << depth):
        raise InvalidInput(
            f"Layers are halved d = {depth} times and made of pairs, so the number of sequences "
            f"must be a multiple of 2^{depth + 1}. Got {sequences}."
        )


def requirement(
    depth: int,
    rounds: int,
    budget: object,
    failure: Fraction,
    *,
    rule: str,
    concepts: int | None,
) -> Requirement:
    """Return a requirement for which parameters are to be found."""
    epsilon, delta = Budget.require(budget)
    if not delta:
        raise InvalidInput("The delta must be positive, as histograms need it. Got 0.")
    require_size(epsilon, delta, failure)
    require_few_layers(depth)
    return Requirement(depth, rounds, epsilon, delta, failure, concepts, rule)


def require_few(sequences: int, depth: int, who: str) -> None:
    if sequences > MOST_SEQUENCES:
        raise TooLarge(
            f"{who} for about {format_number(Fraction(sequences), 2)} sequences for d = {depth}. "
            "At most 2^60 are kept.",
            estimate=sequences,
            limit=MOST_SEQUENCES,
        )


def good_pairs(
    depth: int, sequences: int, waited: list[int], failure: Fraction, concepts: int | None
) -> list[int]:
    """Return lower bounds M_0, ..., M_d on the good pairs, with probability 1 - failure."""
    good = [sequences // 2]
    with ctx.workprec(64):
        for s, mistakes in enumerate(waited):
            size = sequences >> s
            # Sauer's lemma on the points of a layer, d >= 1.
            labellings = depth * log(
                Fraction(2718281829, 10**9) * (2 * depth + Fraction(1, 2)) * size / depth
            )
            if concepts is not None:
                labellings = labellings.min(log(concepts))
            deviation = labellings + log(8 * depth / failure)
            last = s == depth - 1
            good.append(kept_pairs(good[-1], size, mistakes, deviation, last=last))
    return good


def waited_for(depth: int, sequences: int, coverage: Fraction) -> list[int]:
    """Return the number of mistakes that ends each layer except the last layer."""
    return [int(coverage * (sequences >> (layer + 1))) for layer in range(depth)]


def good_among(asked: Requirement, sequences: int, coverage: Fraction) -> list[int]:
    """Return lower bounds M_1, ..., M_d on the good pairs, with half of the failure probability."""
    waited = waited_for(asked.depth, sequences, coverage)
    return good_pairs(asked.depth, sequences, waited, asked.failure / 2, asked.concepts)[1:]


def usual_sequences(depth: int, coverage: Fraction, pairs: int) -> int:
    """Return nearly the least number of sequences for `pairs` good pairs per layer on average.

    At first, a share g of the pairs of a layer is good. Each pair is hit with probability
    1 - e^-c for the coverage c, and its guess is right with probability 1/2. Two right sequences
    meet where both are right. So the next layer has the share (g (1 - e^-c)/2)^2, of half as many
    pairs. The number has no guarantee, as all numbers vary, and the hypotheses of good pairs may
    differ. The number is at most 2^60 for d < 60 and 2^(d + 1) for d >= 60, even if more sequences
    are needed.

    Examples
    --------
    >>> [usual_sequences(depth, Fraction(3), 100) for depth in (1, 2, 3, 6)]
    [1776, 69560, 53585456, 1152921504606846976]
    """
    with ctx.workprec(64):
        hit = 1 - (-ball(coverage)).exp()
        share, needed = arb(1), arb(1)
        for layer in range(1, depth + 1):
            share = (share * hit / 2) ** 2
            needed = needed.max((pairs << (layer + 1)) / share)
        if not needed < MOST_SEQUENCES:
            return max(MOST_SEQUENCES, 2 << depth)
        return _multiple(int(needed.upper().ceil().unique_fmpz() or 0), depth)


def least_sequences(asked: Requirement, coverage: Fraction, pairs: int) -> int:
    """Return nearly the least number of sequences for `pairs` good pairs per later layer."""
    unit = 2 << asked.depth

    def suffices(units: int) -> bool:
        return min(good_among(asked, units * unit, coverage)) >= pairs

    high = 1
    while not suffices(high):
        high *= 2
        if high * unit > 1 << 400:
            break
    low = high // 2
    while high - low > 1 + high // 64:
        middle = (low + high) // 2
        low, high = (low, middle) if suffices(middle) else (middle, high)
    return high * unit


def paper_sequences(asked: Requirement, *, printed: bool) -> int:
    """Return the least N_0 that satisfies the conditions in the proof of [LWY25, Lemma B.3]."""
    d, half, beta = asked.depth, asked.epsilon / 2, asked.failure
    top = 1 << d

    def noise() -> arb:
        """8 d ln(8d/delta)/epsilon_0 <= M_d/4, without the factors that M_d has."""
        return d * log(8 * d / asked.delta) / ball(half)

    if printed:
        power, last = 1 << (24 * top + d), 1 << (6 * top + d)

        def all_printed() -> arb:
            spread = 4 * power * d * log(power * 2 * d) + 2 * power * (d * log(7) + log(6 / beta))
            coupons = last * 4 * log(3 * asked.rounds / beta) / 128
            return (last * noise()).max(coupons).max(arb(last)).max(spread)

        return _multiple(ceiling(all_printed), d)

    def conditions(sequences: int) -> arb:
        labellings = d * log(7 * sequences)
        spread = (1 << (16 * top + d - 1)) * (labellings + log(6 * d / beta)) / 202
        # M_s for s < d, where coupons are collected, and r_1 = M/4 <= M/2 - 6.
        coupons = (4 * (log(3 * asked.rounds / beta) + labellings)).max(arb(48))
        return (
            ((1 << (8 * top + d - 2)) * noise()).max(spread).max((1 << (4 * top + d - 8)) * coupons)
        )

    least = 2 << d
    while (needed := _multiple(ceiling(partial(conditions, least)), d)) > least:
        least = needed
    return least


def _multiple(sequences: int, depth: int) -> int:
    """Return the number of sequences rounded up to a multiple that can be halved `depth` times."""
    unit = 2 << depth
    return -(-sequences // unit) * unit
