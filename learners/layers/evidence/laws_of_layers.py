"""The exact distributions of layers [LWY25, Lemmas B.1 and B.3]: releases and Update."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import comb

import numpy as np
from flint import arb, ctx

from learners.balls import ball
from learners.budget import Budget
from learners.claim_checks import Claim, Outcome, compare, recomputes
from learners.exact import PRECISION
from learners.layers.laws import kept_pairs
from learners.layers.plan import EARLY, UNRELEASED, LayeredParameters
from learners.mechanisms.histograms import BoundedHistogram

UNRELEASED_AT = Claim(
    "P[the one remaining hypothesis is not released after R mistakes], d = 1",
    "2 beta/5",
    source="docs/private-online.md, Theorem P",
    statements=("LWY25 Lemma B.3",),
    falsified="after R/2 mistakes",
)
KEPT = Claim(
    "P[Update keeps fewer good pairs than the recursion states] exp(Lambda)/8",
    "1",
    source="docs/private-online.md, the recursion",
    statements=("LWY25 Lemma B.3",),
    falsified="fewer than the mean",
)
SPLIT = Claim(
    "mean number of good pairs of U right sequences at N places",
    "U^2/(6N)",
    relation=">=",
    source="[LWY25, Lemma B.1]",
    falsified="U^2/(3N)",
)


def occupied(cells: int, draws: int) -> list[arb]:
    """Return P[uniform draws hit k of the cells] for k = 0, 1, ..., by inclusion and exclusion."""
    with ctx.workprec(16 * (cells + draws)):
        powers = [ball(Fraction(j, cells)) ** draws for j in range(cells + 1)]
        return [
            comb(cells, hit)
            * sum(((-1) ** (hit - j) * comb(hit, j) * powers[j] for j in range(hit + 1)), arb(0))
            for hit in range(cells + 1)
        ]


def together(places: int, right: int) -> list[Fraction]:
    """Return P[k pairs of places are taken] for k = 0, 1, ..., with `right` random taken places."""
    pairs = places // 2
    return [
        Fraction(
            comb(pairs, both) * comb(pairs - both, right - 2 * both) << (right - 2 * both),
            comb(places, right),
        )
        if right - 2 * both >= 0 and pairs - both >= right - 2 * both
        else Fraction(0)
        for both in range(pairs + 1)
    ]


def not_released(pairs: int, mistakes: int, histogram: BoundedHistogram) -> arb:
    """Return the probability of `release_failures`, by sums over closed forms."""
    bound = histogram.bound
    q = (-ball(histogram.unit)).exp()
    whole = sum((q ** abs(z) for z in range(-bound, bound + 1)), arb(0))

    def too_few(both: int) -> arb:
        """Return P[both + Z < t + 1], since a hypothesis that does not occur is never released."""
        below = range(-bound, min(bound, bound - both) + 1)
        return arb(1) if not both else sum((q ** abs(z) for z in below), arb(0)) / whole

    with ctx.workprec(PRECISION):
        chances = [too_few(both) for both in range(2 * bound + 1)]
        given_right = [
            sum(
                (
                    ball(p) * chance
                    for p, chance in zip(together(pairs, right), chances, strict=False)
                ),
                arb(0),
            )
            for right in range(pairs + 1)
        ]
        hits = occupied(pairs, mistakes)
        found = arb(0)
        for hit, weight in enumerate(hits):
            guessed = sum(
                (comb(hit, right) * given_right[right] for right in range(hit + 1)), arb(0)
            )
            found += weight * guessed / arb(2) ** hit
        return found


@recomputes(UNRELEASED_AT)
def unreleased(epsilon: Fraction, delta: Fraction, rounds: int) -> Iterator[Outcome]:
    """Check the probability that a hypothesis is not released, by exact distributions."""
    parameters = LayeredParameters.from_theorem(Budget(epsilon, delta), 1, rounds)
    assert parameters.histogram is not None
    early = parameters.counter(0).early(rounds, EARLY * parameters.failure)
    mistakes = parameters.thresholds[0] - early
    pairs, half = parameters.pairs(0), -(mistakes // -2)
    yield compare(
        UNRELEASED_AT,
        f"epsilon={epsilon}, delta={delta}, T={rounds}: N_0={2 * pairs}, R={mistakes}",
        computed=not_released(pairs, mistakes, parameters.histogram),
        stated=UNRELEASED * parameters.failure,
        twin=not_released(pairs, half, parameters.histogram),
        changed=(mistakes, half),
        privacy=(epsilon, delta),
    )


def guessed(hits: np.ndarray) -> np.ndarray:
    """Return the distribution of right guesses, given the distribution of guesses."""
    right, row = np.zeros(len(hits)), np.zeros(len(hits))
    row[0] = 1.0
    for weight in hits:
        right += weight * row
        row = (row + np.r_[0.0, row[:-1]]) / 2
    return right


def taken_pairs(places: int) -> Iterator[np.ndarray]:
    """Yield the distribution of the number of pairs of taken places, for 0, 1, ... taken places."""
    law = np.zeros(places // 2 + 1)
    law[0] = 1.0
    twice = 2 * np.arange(places // 2 + 1)
    for placed in range(places + 1):
        yield law
        if placed < places:
            # No differences, because the probability of impossible events has to stay 0.
            alone = np.maximum(placed - twice, 0)
            meets = law * alone / (places - placed)
            law = law * np.maximum(places - placed - alone, 0) / (places - placed)
            law[1:] += meets[:-1]


def met(right: np.ndarray) -> np.ndarray:
    """Return the distribution of complete pairs, given the distribution of taken places."""
    both: np.ndarray = sum(
        weight * law for weight, law in zip(right, taken_pairs(len(right) - 1), strict=True)
    )
    return both


@recomputes(KEPT)
def kept(pairs: int, coverage: int) -> Iterator[Outcome]:
    """Check that Update keeps the stated number of good pairs, for equal good pairs."""
    mistakes = coverage * pairs
    hits, share = np.zeros(pairs + 1), np.arange(pairs + 1) / pairs
    hits[0] = 1.0
    for _ in range(mistakes):
        hits = hits * share + np.r_[0.0, (hits * (1 - share))[:-1]]
    law = met(guessed(hits))
    mean = int(law @ np.arange(len(law)))
    worst, twin, lowest = 0.0, 0.0, mean
    for deviation in range(2, 13):
        allowed = 8 * float(np.exp(-deviation))
        least = kept_pairs(pairs, 2 * pairs, mistakes, ball(deviation), last=True)
        worst = max(worst, float(law[:least].sum()) / allowed)
        twin = max(twin, float(law[:mean].sum()) / allowed)
        lowest = min(lowest, least)
    yield compare(
        KEPT,
        f"N={2 * pairs}, R={mistakes}, Lambda=2, ..., 12",
        computed=Fraction(worst).limit_denominator(10**9),
        stated=1,
        twin=Fraction(twin).limit_denominator(10**9),
        changed=(lowest, mean),
    )


@recomputes(SPLIT)
def split(n: int, groups: tuple[int, int]) -> Iterator[Outcome]:
    """Check the mean number of good pairs after Update, for two hypotheses [LWY25, Lemma B.1].

    Their places are random. The good pairs are the pairs that differ again, or the pairs that agree
    on the commoner hypothesis. One of the two numbers has to be large. The mean of the larger
    number is at least the mean of the number that the proof takes.
    """
    # States: places taken only by one group, and pairs by type. Sequences arrive one by one.
    states: dict[tuple[int, int, int, int, int], Fraction] = {(0, 0, 0, 0, 0): Fraction(1)}
    for group, count in enumerate(groups):
        for _ in range(count):
            after: dict[tuple[int, int, int, int, int], Fraction] = {}
            for (a, b, mixed, one, two), weight in states.items():
                free = n - (a + b) - 2 * (mixed + one + two)
                options = [
                    (a, (a - 1, b, mixed + (group == 1), one + (group == 0), two)),
                    (b, (a, b - 1, mixed + (group == 0), one, two + (group == 1))),
                    (free - a - b, (a + (group == 0), b + (group == 1), mixed, one, two)),
                ]
                for ways, state in options:
                    if ways > 0:
                        share = weight * Fraction(ways, free)
                        after[state] = after.get(state, Fraction(0)) + share
            states = after
    mean = sum(
        (weight * max(mixed, one, two) for (_, _, mixed, one, two), weight in states.items()),
        Fraction(0),
    )
    right = sum(groups)
    yield compare(
        SPLIT,
        f"N={n}, hypotheses of {groups[0]} and {groups[1]}",
        computed=mean,
        stated=Fraction(right * right, 6 * n),
        false=Fraction(right * right, 3 * n),
    )
