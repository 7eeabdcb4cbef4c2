"""Learning from synthetic examples: all adaptive adversaries, regret, and what the order is for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np

import catalog
from learners.audit import audit_game
from learners.budget import Budget
from learners.claim_checks import Claim, ClaimCheck, Outcome, audit_outcome, compare, recomputes
from learners.coins import Coins, SeededCoins
from learners.experts.batched_online import SanitizedOnline
from learners.experts.hedge import Hedge
from learners.games import AdaptiveStream, Ask, Challenge, Move
from learners.pac.samples import Example
from learners.playing.expert_sources import TableExperts
from learners.playing.learner import Kept
from learners.sanitizers.base import ExactSanitizer
from learners.sanitizers.mwem import MWEMSanitizer
from lsclasses.table import Table

TOPIC = "sanitizers"
ALGORITHM = ("LWY25 Alg 3", "LWY25 Thm 4.1")

PRIVATE = Claim(
    "privacy of SanitizedOnline against all adaptive adversaries",
    "what one batch costs",
    source="learners.experts.batched_online",
    statements=ALGORITHM,
    falsified="copies are told the true examples",
)
UNORDERED = replace(
    PRIVATE, quantity="the same without the random order of synthetic examples, which is as private"
)
REGRET = Claim(
    "expected regret of SanitizedOnline, mean over seeds",
    "B R(T/B) + 2 a T",
    source="learners.experts.batched_online",
    statements=("LWY25 Thm 4.1",),
    falsified="without the random order",
)
PRIVATE_REGRET = replace(
    REGRET,
    formula="B R(T/B) + 2 a T + b T (T/B - 1)",
    falsified="a hundredth of that",
)


@dataclass(frozen=True)
class InOrder(SanitizedOnline):
    """A twin that gives the i-th synthetic example, in the order of the domain, to copy i."""

    def _order(self, coins: Coins) -> tuple[int, ...]:
        return tuple(range(self.batch))


@dataclass(frozen=True)
class Open(SanitizedOnline):
    """A twin whose copies receive the true examples."""

    def _after_batch(
        self, copies: tuple[Kept, ...], counts: tuple[int, ...], coins: Coins
    ) -> tuple[Kept, ...]:
        true = replace(self, sanitizer=ExactSanitizer(self.sanitizer.concept_class))
        return SanitizedOnline._after_batch(true, copies, counts, coins)


# ---- privacy


def _learner(kind: type[SanitizedOnline], points: int, batches: int) -> SanitizedOnline:
    C = Table([[int(x == i) for x in range(points)] for i in range(points)] + [[0] * points])
    sanitizer = MWEMSanitizer(C.label_class(), Fraction(1, 2), 1, Fraction(1, 2), Fraction(2))
    return kind(sanitizer, Hedge(TableExperts(C), batches, Fraction(30)), 2 * batches, 2)


def _moves(points: int) -> list[Move]:
    examples = list(product(range(points), (0, 1)))
    listed: list[Move] = [Ask(example) for example in examples]
    return listed + [Challenge(x, y) for x, y in combinations(examples, 2)]


@recomputes(PRIVATE, UNORDERED)
def private(points: int, batches: int) -> Iterator[Outcome]:
    """Batches of two; the adversary sees every concept before it chooses an example."""
    rounds, found = 2 * batches, {}
    for kind in (SanitizedOnline, InOrder, Open):
        learner = _learner(kind, points, batches)
        assert learner.privacy is not None
        game = AdaptiveStream(learner, rounds)
        found[kind] = audit_game(game, _moves(points), learner.privacy)
    where = f"{points} point{'s' * (points > 1)}, {batches} batches of 2"
    yield audit_outcome(PRIVATE, where, found[SanitizedOnline], false=found[Open])
    yield audit_outcome(UNORDERED, where, found[InOrder], false=found[Open])


# ---- regret


def expected_regret(learner: SanitizedOnline, stream: Sequence[Example], coins: Coins) -> float:
    """The expected mistakes given the releases of the sanitizer, less those of the best concept.

    The copies must be `Hedge` over a table: the expectation is over the draws of copies and
    concepts, computed and not drawn.
    """
    hedge = learner.copy
    assert isinstance(hedge, Hedge)
    experts = hedge.experts
    assert isinstance(experts, TableExperts)
    pairs: Any = learner.sanitizer.domain
    B, wrong = learner.batch, {pair: experts.losses(pair).astype(float) for pair in pairs}
    kept = learner._begin(coins)
    mistakes, least = 0.0, np.zeros(experts.size)
    for start in range(0, learner.rounds, B):
        losses = np.array([copy.tally.losses for copy in kept.copies])
        chances = np.exp(-float(hedge.rate) * (losses - losses.min(1, keepdims=True)))
        chances /= chances.sum(1, keepdims=True)
        drawn = chances.mean(0)
        for example in stream[start : start + B]:
            mistakes += float(wrong[example] @ drawn)
            least += wrong[example]
            kept = learner._receive(kept, *example, coins)
    return mistakes - float(least.min())


def _rounded(value: float) -> Fraction:
    """The number rounded to tenths."""
    return Fraction(round(10 * value), 10)


def _alternating(points: int, rounds: int) -> list[Example]:
    """Every point in turn, all with the label 1."""
    return [(t % points, 1) for t in range(rounds)]


@recomputes(REGRET)
def order(points: int, batch: int, rounds: int, seeds: int) -> Iterator[Outcome]:
    """True examples as synthetic ones, so that a copy with one point knows nothing of others."""
    C = Table([[int(x == i) for x in range(points)] for i in range(points)] + [[1] * points])
    exact, copies = ExactSanitizer(C.label_class()), Hedge(TableExperts(C), rounds // batch)
    stream, found = _alternating(points, rounds), {}
    for kind in (SanitizedOnline, InOrder):
        learner = kind(exact, copies, rounds, batch)
        runs = [expected_regret(learner, stream, SeededCoins(seed)) for seed in range(seeds)]
        found[kind] = _rounded(sum(runs) / seeds)
    value = SanitizedOnline(exact, copies, rounds, batch).bounds[0].value
    assert value is not None
    where = f"{points} points in turn, all positive, T = {rounds}, B = {batch}"
    yield compare(
        REGRET,
        where,
        computed=found[SanitizedOnline],
        stated=_rounded(float(value)),
        twin=found[InOrder],
    )


@recomputes(PRIVATE_REGRET)
def regret(spec: str, rounds: int, epsilon: int, seeds: int) -> Iterator[Outcome]:
    """A private sanitizer, with a non-vacuous bound."""
    C = catalog.build(spec)
    budget = Budget(Fraction(epsilon), Fraction(1, 10**6))
    learner = SanitizedOnline.within(budget, C, rounds)
    value = learner.bounds[0].value
    assert value is not None and not learner.bounds[0].vacuous
    stream = _alternating(len(learner.sanitizer.domain) // 2, rounds)
    runs = [expected_regret(learner, stream, SeededCoins(seed)) for seed in range(seeds)]
    stated = _rounded(float(value))
    yield compare(
        PRIVATE_REGRET,
        f"{spec}, T = {rounds}, B = {learner.batch}, epsilon = {epsilon}, all positive",
        computed=_rounded(sum(runs) / seeds),
        stated=stated,
        false=stated / 100,
        privacy=budget,
    )


def checks() -> list[ClaimCheck]:
    """Small games against everybody; regret with and without the random order."""
    return [
        ClaimCheck(TOPIC, private, (1, 2)),
        ClaimCheck(TOPIC, order, (2, 10, 2000, 5)),
        ClaimCheck(TOPIC, regret, ("thresholds:n=2", 30_000, 8, 1)),
        ClaimCheck(TOPIC, private, (2, 2), slow=True),
        ClaimCheck(TOPIC, private, (1, 3), slow=True),
        ClaimCheck(TOPIC, order, (4, 20, 20_000, 5), slow=True),
        ClaimCheck(TOPIC, regret, ("thresholds:n=4", 1_000_000, 8, 2), slow=True),
    ]
