"""The covering algorithms of [BF25], transcribed, and the distributions of their outputs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from flint import arb, ctx

from learners.balls import ball
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.exact import PRECISION, OutputDistribution, exact_distribution
from learners.rules.cover import EMCover
from learners.rules.greedy_cover import GreedyCover
from learners.rules.packed import PackedFeatures

KEPT = "with covered items kept"
COVERED = Claim(
    "distance between the choices of em_cover and of its transcription",
    "10^-12",
    source="[BF25, Alg A.1]",
    falsified=KEPT,
    incorrect_object=True,
)
LISTED = Claim(
    "distance between the lists of greedy_cover and of its transcription",
    "10^-12",
    source="[BF25, Alg 3.1]",
    falsified=KEPT,
    incorrect_object=True,
)

Chosen = tuple[Any, ...]
Laws = dict[Hashable, arb]
ROWS = ((1, 0, 1), (1, 1, 0), (0, 1, 1), (0, 0, 0), (1, 1, 1))
"""Rows of the checks: the values of two features, and the label."""


def choices(
    items: Sequence[Any],
    rate: Fraction,
    score: Callable[[Sequence[Any], Any, Chosen], int],
    covers: Callable[[Any, Any], bool],
    available: Callable[[Chosen], Sequence[Any]],
    *,
    kept: bool,
) -> Laws:
    """Return the distribution of the choices until no candidate is available.

    Each round chooses a candidate with weight exp(rate score). Then it removes the items that the
    candidate covers, unless they are kept.
    """
    found: Laws = {}

    def play(left: tuple[Any, ...], chosen: Chosen, weight: arb) -> None:
        candidates = available(chosen)
        if not candidates:
            found[chosen] = found.get(chosen, arb(0)) + weight
            return
        weights = [(ball(rate * score(left, each, chosen))).exp() for each in candidates]
        for each, share in zip(candidates, weights, strict=True):
            rest = left if kept else tuple(z for z in left if not covers(each, z))
            play(rest, (*chosen, each), weight * share / sum(weights, arb(0)))

    play(tuple(items), (), arb(1))
    return found


def distance(law: OutputDistribution[Any], other: Mapping[Hashable, arb]) -> arb:
    """Return an upper bound on the distance of two distributions."""
    gaps = (abs(law.get(each, arb(0)) - other.get(each, arb(0))) for each in {*law, *other})
    return (sum(gaps, arb(0)) / 2).upper()


@recomputes(COVERED)
def covered(rounds: int) -> Iterator[Outcome]:
    """Compare `EMCover` with a transcription of [BF25, Alg A.1], on sets of letters."""
    word, sets, rate = "aaabbc", ("ab", "bc", "ca", "d"), Fraction(1, 4)

    def score(items: Sequence[str], letters: str, chosen: Chosen) -> int:
        hits = sum(item in letters for item in items)
        return hits if "bc" in chosen[:1] else -hits

    def covers(letters: str, item: str) -> bool:
        return item in letters

    def available(chosen: Chosen) -> list[str]:
        return [each for each in sets if each not in chosen and len(chosen) < rounds]

    mechanism = EMCover(
        *(rate, Fraction(1, 100), rounds, score, covers, available),
        monotone=False,
        neighbours="add_remove",
    )
    law = exact_distribution(partial(mechanism.release, word))
    with ctx.workprec(PRECISION):
        right, wrong = (
            distance(law, choices(word, rate, score, covers, available, kept=kept))
            for kept in (False, True)
        )
    yield compare(
        COVERED,
        f"{len(word)} items, {len(sets)} candidates, {rounds} rounds, rate={rate}",
        computed=right,
        stated=Fraction(1, 10**12),
        twin=wrong,
        privacy=mechanism.privacy,
    )


@recomputes(LISTED)
def listed(features: int) -> Iterator[Outcome]:
    """Compare `GreedyCover` with a transcription of [BF25, Alg 3.1], on five rows."""
    learner = GreedyCover(Fraction(2), Fraction(1, 100))
    packed = PackedFeatures.from_matrix([row[:features] for row in ROWS])
    labels = [row[-1] for row in ROWS]

    def fitted(coins: Any) -> Chosen:
        found = learner.fit(packed, labels, coins, accuracy=None)
        return (*((rule.feature, rule.label) for rule in found.rules), (features, found.default))

    def holds(pair: tuple[int, int], row: Sequence[int]) -> bool:
        return pair[0] == features or bool(row[pair[0]])

    def score(left: Sequence[Sequence[int]], pair: tuple[int, int], chosen: Chosen) -> int:
        return -sum(holds(pair, row) and row[-1] != pair[1] for row in left)

    def available(chosen: Chosen) -> list[tuple[int, int]]:
        used = {feature for feature, _ in chosen}
        if features in used:
            return []
        return [(f, b) for f in range(features + 1) if f not in used for b in (0, 1)]

    rate = learner.choice_epsilon(features) / 2
    law = exact_distribution(fitted)
    with ctx.workprec(PRECISION):
        right, wrong = (
            distance(law, choices(ROWS, rate, score, holds, available, kept=kept))
            for kept in (False, True)
        )
    yield compare(
        LISTED,
        f"{len(ROWS)} rows, F={features}",
        computed=right,
        stated=Fraction(1, 10**12),
        twin=wrong,
        privacy=learner.privacy,
    )


def checks(topic: str) -> list[ClaimCheck]:
    """Return the checks, under the name of a topic."""
    return [ClaimCheck(topic, covered, (2,)), ClaimCheck(topic, listed, (2,))]
