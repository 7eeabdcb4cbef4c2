"""Exact checks of the list histogram and of the sparse exponential mechanism.

The outputs of the histogram for different items are independent. For one item, the probabilities of
outputs have few ratios, so few events decide the hockey-stick divergence. The module computes them
from the probabilities of the noise and not from the code of `ListHistogram`.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product

from flint import arb, ctx

from learners.accounting import basic
from learners.balls import ball
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.mechanisms.list_histogram import ListHistogram

PAGE = "docs/merging.md, "

SHARED_RATE = Claim(
    "hockey-stick divergence at epsilon of the list histogram with Laplace noise",
    "delta",
    source=f"{PAGE}Lemma L7",
    falsified="with noise of scale l/epsilon instead of 2l/epsilon",
)
THRESHOLD = Claim(
    "hockey-stick divergence at epsilon of the list histogram, one list vanishes",
    "delta",
    source=f"{PAGE}Lemma L7",
    falsified="with a threshold that is lower by one",
    incorrect_object=True,
)
SPARSE = Claim(
    "hockey-stick divergence at 2a + ln(1/(1 - delta0)) of the sparse exponential mechanism",
    "delta0",
    source=f"{PAGE}Lemma L8",
    falsified="at 2a with the weight of bottom divided by l",
    incorrect_object=True,
)

Event = tuple[arb, arb]
"""The probabilities of an event in the two worlds."""


def _reaching(rate: Fraction, least: int) -> arb:
    """Return P[Z >= m] for P[Z = z] in proportion to e^(-rate |z|), by the geometric series."""
    q = (-ball(rate)).exp()
    centre = (1 - q) / (1 + q)
    if least > 0:
        return centre * q**least / (1 - q)
    return 1 - centre * q ** (1 - least) / (1 - q)


def item_events(rate: Fraction, threshold: int, zero: int, one: int) -> list[Event]:
    """Return events of one item that decide its divergence, for counts in the two worlds.

    A released value v has the probability P[Z = v - count]. For counts that differ by one, the
    ratio of two such probabilities is constant below the larger count and from the larger count on.
    """

    def from_on(count: int, value: int) -> arb:
        return _reaching(rate, value - count) if count else arb(0)

    largest = max(zero, one)
    marks = sorted({threshold, max(threshold, largest)})
    tails = [(from_on(zero, mark), from_on(one, mark)) for mark in marks]
    events = [(1 - tails[0][0], 1 - tails[0][1])]
    for (p, q), (next_p, next_q) in zip(tails, [*tails[1:], (arb(0), arb(0))], strict=True):
        events.append((p - next_p, q - next_q))
    return events


def divergence(items: list[list[Event]], epsilon: arb) -> arb:
    """Return the hockey-stick divergence of independent items, in the larger direction."""
    odds, found = epsilon.exp(), [arb(0), arb(0)]
    for events in product(*items):
        p, q = arb(1), arb(1)
        for one, other in events:
            p, q = p * one, q * other
        found[0] += (p - odds * q).max(arb(0))
        found[1] += (q - odds * p).max(arb(0))
    return found[0].max(found[1])


def worst(length: int, rate: Fraction, threshold: int, epsilon: Fraction) -> arb:
    """Return the largest divergence when one list is replaced, appears or vanishes."""
    counts = (1, 2, threshold, threshold + 1)
    found = arb(0)
    for lost in product(counts, repeat=length):
        for gained in product(counts, repeat=length):
            if list(lost) != sorted(lost) or list(gained) != sorted(gained):
                continue
            items = [item_events(rate, threshold, c, c - 1) for c in lost]
            items += [item_events(rate, threshold, c - 1, c) for c in gained]
            found = found.max(divergence(items, ball(epsilon)))
    return found


@recomputes(SHARED_RATE)
def shared_rate(length: int, epsilon: Fraction, delta: Fraction) -> Iterator[Outcome]:
    """Check the privacy of the list histogram for all replaced lists (Lemma L7)."""
    mechanism = ListHistogram(length, epsilon, delta)
    rate = epsilon / (2 * length)
    with ctx.workprec(256):
        yield compare(
            SHARED_RATE,
            f"l={length}, epsilon={epsilon}, delta={delta}",
            computed=worst(length, rate, mechanism.threshold, epsilon),
            stated=delta,
            twin=worst(length, 2 * rate, mechanism.threshold, epsilon),
            changed=(2 * length, length),
            privacy=basic(mechanism.privacy),
        )


@recomputes(THRESHOLD)
def threshold(length: int, epsilon: Fraction, least: int) -> Iterator[Outcome]:
    """Check the threshold of the list histogram, if a list with unique items vanishes.

    delta/l is slightly above P[Z >= m] for m = `least`, so the threshold is m + 1.
    """
    rate = epsilon / (2 * length)
    with ctx.workprec(256):
        share = Fraction(float(_reaching(rate, least))) * Fraction(1001, 1000)
        mechanism = ListHistogram(length, epsilon, share * length)

        def vanishing(value: int) -> arb:
            return divergence([item_events(rate, value, 1, 0)] * length, ball(epsilon))

        yield compare(
            THRESHOLD,
            f"l={length}, epsilon={epsilon}, threshold {mechanism.threshold}",
            computed=vanishing(mechanism.threshold),
            stated=mechanism.delta,
            twin=vanishing(mechanism.threshold - 1),
            privacy=basic(mechanism.privacy),
        )


# ---- the sparse exponential mechanism


def draw_law(counts: dict[int, int], rate: Fraction, bottom: arb) -> dict[int | None, arb]:
    """Return the distribution of the mechanism of Lemma L8, with None for bottom."""
    weights: dict[int | None, arb] = {
        item: (ball(rate) * count).exp() for item, count in counts.items() if count
    }
    weights[None] = bottom.exp()
    total = sum(weights.values(), arb(0))
    return {item: weight / total for item, weight in weights.items()}


@recomputes(SPARSE)
def sparse(items: int, length: int, rate: Fraction, delta: Fraction) -> Iterator[Outcome]:
    """Check Lemma L8 of docs/merging.md on all short lists of few items.

    The lemma states the privacy of an exponential mechanism that stores only the counted items.
    """
    lists = [each for n in range(length + 1) for each in combinations(range(items), n)]

    def largest(bottom: arb, epsilon: arb) -> arb:
        found, odds = arb(0), epsilon.exp()
        for kept in lists:
            for one, other in combinations(lists, 2):
                laws = [
                    draw_law({i: (i in kept) + (i in changed) for i in range(items)}, rate, bottom)
                    for changed in (one, other)
                ]
                for p, q in (laws, laws[::-1]):
                    excess = (v - odds * q.get(k, arb(0)) for k, v in p.items())
                    found = found.max(sum((each.max(arb(0)) for each in excess), arb(0)))
        return found

    with ctx.workprec(256):
        epsilon = 2 * ball(rate) - (1 - ball(delta)).log()
        right = ball(rate) + (ball(length) / ball(delta)).log()
        wrong = ball(rate) - ball(delta).log()
        yield compare(
            SPARSE,
            f"{items} items, l={length}, a={rate}, delta0={delta}",
            computed=largest(right, epsilon),
            stated=delta,
            twin=largest(wrong, 2 * ball(rate)),
        )


def checks(topic: str) -> list[ClaimCheck]:
    """Return the checks of mechanisms, small instances first."""
    tenth = Fraction(1, 10)
    return [
        ClaimCheck(topic, shared_rate, (1, Fraction(1), tenth**3)),
        ClaimCheck(topic, shared_rate, (2, Fraction(2), tenth**4)),
        ClaimCheck(topic, threshold, (1, Fraction(2), 4)),
        ClaimCheck(topic, threshold, (3, Fraction(2), 20)),
        ClaimCheck(topic, sparse, (4, 2, Fraction(1, 2), tenth**2)),
        ClaimCheck(topic, shared_rate, (3, Fraction(2), tenth**6), slow=True),
        ClaimCheck(topic, sparse, (5, 2, Fraction(1), tenth), slow=True),
    ]
