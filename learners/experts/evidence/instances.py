"""Audit instances of the expert learners, as small games and two adversaries of private games."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import lcm
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from learners.accounting import ApproximateDP, Event, PureDP, Scope
from learners.audit.instances import (
    AuditEntry,
    ClaimedDelta,
    ClaimedEpsilon,
    Instance,
    UndetectedVariant,
    neighbouring_streams,
)
from learners.coins import Coins
from learners.exact import Stepwise
from learners.experts.agnostic import AgnosticExperts
from learners.experts.batched_online import SanitizedOnline
from learners.experts.constructed import ConstructedExperts
from learners.experts.dartboard import ShrinkingDartboard
from learners.experts.hedge import DPHedge, Hedge
from learners.experts.phases import Phases
from learners.experts.sparse import SparseVectorExperts
from learners.layers.evidence.instances import published as published_hypotheses
from learners.mechanisms.counter import DyadicIntervals
from learners.playing.base.proper_soa import proper_soa
from learners.playing.evidence import loss_streams, published
from learners.playing.expert_sources import LossVectors, TableExperts
from learners.playing.learner import PublishedState
from learners.playing.loss_learner import LossLearner
from learners.sanitizers.evidence.instances import LARGEST, ReplacerName, audited_replacer
from learners.sanitizers.interval_sanitizer import IntervalSanitizer, Places, Replacer
from learners.sanitizers.mwem import MWEMSanitizer
from lsclasses.domain import FiniteDomain
from lsclasses.options import Option
from lsclasses.point_names import Label, Point
from lsclasses.table import Table

# ---- worst replacers


@dataclass(frozen=True)
class AllowedReplacer(Replacer):
    """A replacer of points by [LWY25, Def. E.1], which hits functions that are 1 `level` times.

    A replacer *hits* a function if the function is 1 on a returned point. For functions that are 1
    less often, but at least once, the definition leaves a choice. The replacer hits none of them
    ("none"), all of them ("all"), or a random subset ("random"). The returned points are a smallest
    set that hits all chosen functions. With "random", coins may choose another such set.
    """

    table: Table
    level: int
    free: str

    @property
    def cost(self) -> None:
        return None

    @property
    def missed(self) -> int:
        return self.level - 1

    def replaced(self, points: Sequence[Point], coins: Coins) -> Places:
        counts = np.bincount(
            [self.table.domain.index(x) for x in points], minlength=len(self.table.domain)
        )
        rows = self.table.labels
        wanted = [
            row
            for row, ones in zip(rows, (rows @ counts).tolist(), strict=True)
            if ones >= self.level or (ones and self._said(coins))
        ]
        chosen = self._hitting(wanted, len(points), coins)
        return (*chosen, *(None,) * (len(points) - len(chosen)))

    def _said(self, coins: Coins) -> bool:
        return self.free == "all" or (self.free == "random" and coins.flip(Fraction(1, 2)))

    def _hitting(self, wanted: list[NDArray[np.uint8]], size: int, coins: Coins) -> Places:
        domain = self.table.domain
        sets = [
            chosen
            for length in range(size + 1)
            for chosen in combinations(range(len(domain)), min(length, len(domain)))
            if all(row[list(chosen)].any() for row in wanted)
        ]
        smallest = [chosen for chosen in sets if len(chosen) == len(sets[0])]
        if self.free == "random":
            smallest = sets
        at = coins.below(len(smallest))
        return tuple(domain[i] for i in smallest[at])


@dataclass(frozen=True)
class HidingReplacer(Replacer):
    """A replacer that shows the letter b if and only if b occurs more than `most` times."""

    most: int

    @property
    def cost(self) -> None:
        return None

    @property
    def missed(self) -> int:
        return self.most

    def replaced(self, points: Sequence[Point], coins: Coins) -> Places:
        return ("b" if points.count("b") > self.most else "a",) * len(points)


@dataclass(frozen=True)
class FailingReplacer(Replacer):
    """A private replacer that hides the letter b with a probability, and else shows both letters.

    The first shown letter is the first point by randomized response, which costs epsilon. For
    intervals of at least two points, showing both letters misses no function.
    """

    epsilon: Fraction
    beta: Fraction

    @property
    def cost(self) -> Event:
        return PureDP(self.epsilon, name="order of letters", scope=Scope.adaptive("replace_one"))

    @property
    def missed(self) -> int:
        return 0

    @property
    def failure(self) -> Fraction:
        return self.beta

    def replaced(self, points: Sequence[Point], coins: Coins) -> Places:
        if coins.flip(self.beta):
            return ("a",) * len(points)
        first = coins.pick([int(points[0] == letter) for letter in "ab"], self.epsilon)
        return tuple("ab"[(first + place) % 2] for place in range(len(points)))


@dataclass(frozen=True)
class RevealingReplacer(Replacer):
    """A replacer that reveals its points with probability delta, and else shows no points.

    The replacer is (0, delta)-DP. It states a positive epsilon, because a cost needs a positive
    epsilon.
    """

    epsilon: Fraction
    delta: Fraction

    @property
    def cost(self) -> Event:
        return ApproximateDP(
            self.epsilon, self.delta, name="revealed points", scope=Scope.adaptive("replace_one")
        )

    @property
    def missed(self) -> int:
        return LARGEST

    def replaced(self, points: Sequence[Point], coins: Coins) -> Places:
        return tuple(points) if coins.flip(self.delta) else (None,) * len(points)


# ---- agnostic


@dataclass(frozen=True)
class ShownRules:
    """The values that an audit observes after a round: rule, number of draws, synthetic points.

    The number of drawn experts is not published, but the proofs of privacy cover it.
    """

    learner: AgnosticExperts

    def start(self, coins: Coins) -> PublishedState | None:
        return self.learner.start(coins)

    def answer(
        self, state: PublishedState, item: tuple[Point, Label], coins: Coins
    ) -> tuple[PublishedState, Hashable]:
        after = self.learner.receive(state, item, coins)
        assert after is not None
        synthetic = after.inner.run.synthetic
        return after, (state.inner.chosen.drawn, state.hypothesis, synthetic.ended)


def shown_rules(learner: AgnosticExperts) -> Stepwise:
    """Return the published rules and the synthetic points, for an audit."""
    return Stepwise(ShownRules(learner))


def _agnostic_instance(
    *,
    chooser: Annotated[
        Literal["dp-hedge", "dartboard"], Option("mechanism that draws experts")
    ] = "dp-hedge",
    rate: Annotated[Fraction, Option("decrease of log-weights per loss")] = Fraction(1),
    replacer: ReplacerName = "randomized",
    epsilon: ClaimedEpsilon = Fraction(8),
    delta: ClaimedDelta = Fraction(1, 10),
    rounds: Annotated[int, Option("number of examples", minimum=1, maximum=3)] = 2,
) -> Instance:
    """Return all neighbouring streams of two points, for concepts with at most one 1."""
    C = Table([[0, 0], [1, 0], [0, 1]], domain=FiniteDomain("ab"))
    each = audited_replacer(replacer, epsilon, delta)
    sanitizer = IntervalSanitizer(rounds, (each,) * DyadicIntervals(rounds).depth)
    experts = ConstructedExperts(proper_soa(C), rounds)
    choosing: LossLearner = DPHedge(experts, rounds, rate)
    if chooser == "dartboard":
        choosing = ShrinkingDartboard(
            experts, rounds=rounds, rate=rate, batch=1, fake=Fraction(1, 8), switches=1
        )
    learner = AgnosticExperts(C, sanitizer, choosing)
    examples = [(x, y) for x in "ab" for y in (0, 1)]
    return Instance(learner, shown_rules, neighbouring_streams(examples, rounds))


# ---- batched online


def _batched_online_instance(
    *,
    select: Annotated[Fraction, Option("epsilon of one choice of MWEM")] = Fraction(1, 2),
    test: Annotated[Fraction, Option("epsilon of one test of MWEM")] = Fraction(2),
    points: Annotated[int, Option("number of points", minimum=1, maximum=2)] = 1,
    batch: Annotated[int, Option("number of rounds per batch", minimum=1, maximum=3)] = 1,
    rounds: Annotated[int, Option("number of batches", minimum=2, maximum=3)] = 3,
    mwem: Annotated[int, Option("largest number of rounds of MWEM", minimum=1, maximum=2)] = 1,
) -> Instance:
    """Return all neighbouring streams. They share the last batch, which is not read."""
    C = Table([[int(x == i) for x in range(points)] for i in range(points)] + [[0] * points])
    sanitizer = MWEMSanitizer(C.label_class(), Fraction(1, 2), mwem, select, test)
    total = rounds * batch
    copies = Hedge(TableExperts(C), rounds, Fraction(30))
    learner = SanitizedOnline(sanitizer, copies, total, batch)
    rest = ((0, 0),) * batch
    pairs = tuple(
        (zero + rest, one + rest)
        for zero, one in neighbouring_streams(list(sanitizer.domain), total - batch)
    )
    return Instance(learner, published_hypotheses, pairs)


# ---- dartboard


def _dartboard_instance(
    *,
    rate: Annotated[Fraction, Option("decrease of log-weights per loss")] = Fraction(2),
    fake: Annotated[Fraction, Option("probability of a fake switch")] = Fraction(1, 8),
    switches: Annotated[
        int, Option("largest number of experts drawn again", minimum=1, maximum=4)
    ] = 1,
    batch: Annotated[int, Option("number of rounds between decisions", minimum=1, maximum=3)] = 1,
    experts: Annotated[int, Option("number of experts", minimum=2, maximum=4)] = 2,
    rounds: Annotated[int, Option("number of rounds", minimum=2, maximum=4)] = 4,
) -> Instance:
    """Return all neighbouring streams of losses in {0, 1}, showing experts and when they are drawn.

    The game has three decisions. Losses that were not forgotten after one decision would be visible
    in the other decisions.
    """
    learner = ShrinkingDartboard(
        LossVectors(experts), rounds=rounds, rate=rate, batch=batch, fake=fake, switches=switches
    )
    return Instance(learner, published, loss_streams(experts, rounds))


# ---- hedge


def _hedge_instance(
    *,
    rate: Annotated[Fraction, Option("decrease of log-weights per loss")] = Fraction(2),
    experts: Annotated[int, Option("number of experts", minimum=2, maximum=4)] = 3,
    rounds: Annotated[int, Option("number of rounds", minimum=2, maximum=5)] = 3,
) -> Instance:
    """Return all neighbouring streams of losses in {0, 1}."""
    learner = DPHedge(LossVectors(experts), rounds, rate)
    return Instance(learner, published, loss_streams(experts, rounds))


# ---- sparse


@dataclass(frozen=True)
class _Watched:
    """The published expert, and whether a threshold is running, both covered by the proof."""

    learner: SparseVectorExperts

    def start(self, coins: Coins) -> PublishedState | None:
        return self.learner.start(coins)

    def answer(
        self, state: PublishedState, item: object, coins: Coins
    ) -> tuple[PublishedState | None, Hashable]:
        phase = state.inner
        shown = phase.drawn, phase.run is not None, state.hypothesis
        return self.learner.receive(state, item, coins), shown


def _watched(learner: SparseVectorExperts) -> Stepwise:
    return Stepwise(_Watched(learner))


def _equal_costs(rates: tuple[Fraction, ...], block: int, phases: int) -> tuple[int, ...]:
    """Return weights of phases for which the draws that read a phase cost the same for each."""
    ends = [block if k < block < phases else phases - 1 for k in range(phases - 1)]
    later = [sum(rates[k:end], Fraction(0)) for k, end in enumerate(ends)]
    weights = [later[0] / each for each in later]
    unit = lcm(*(weight.denominator for weight in weights))
    return tuple(int(unit * weight) for weight in weights)


def _sparse_instance(
    *,
    rate: Annotated[
        Fraction, Option("decrease of log-weights per unit of loss in the second draw")
    ] = Fraction(1),
    fall: Annotated[
        Fraction, Option("rate of each later draw, as a fraction of the previous rate")
    ] = (Fraction(1, 2)),
    phases: Annotated[int, Option("largest number of drawn experts", minimum=1, maximum=4)] = 3,
    threshold: Annotated[
        int,
        Option(
            "approximate number of losses that ends the first phase",
            minimum=-(10**6),
            maximum=10**6,
        ),
    ] = 1,
    drop: Annotated[int, Option("decrease of the threshold in every second phase", minimum=0)] = 1,
    counting: Annotated[Fraction, Option("epsilon for monitoring the first phase")] = Fraction(10),
    easing: Annotated[
        Fraction,
        Option("epsilon for monitoring each later phase, as a fraction of the previous epsilon"),
    ] = Fraction(1),
    block: Annotated[
        int,
        Option(
            "number of phases of the first block, or 0 for a single block", minimum=0, maximum=3
        ),
    ] = 0,
    limit: Annotated[
        int,
        Option(
            "number of rounds of the first phase, which then has no threshold, or 0 for a phase "
            "with a threshold",
            minimum=0,
            maximum=3,
        ),
    ] = 0,
    experts: Annotated[int, Option("number of experts", minimum=2, maximum=4)] = 2,
    rounds: Annotated[int, Option("number of rounds", minimum=2, maximum=4)] = 4,
) -> Instance:
    """Return all neighbouring streams of losses in {0, 1}, showing experts and ends of phases.

    Losses that are read by fewer draws, or at lower rates, have larger weights, so all phases cost
    the same. In four rounds a phase can last two rounds, so the effect of one phase on the next is
    visible.
    """
    rates = tuple(rate * fall**k for k in range(phases - 1))
    blocks = (block, phases - block) if 0 < block < phases else (phases,)
    learner = SparseVectorExperts(
        LossVectors(experts),
        rounds=rounds,
        phases=Phases(
            tuple(threshold - drop * (k % 2) for k in range(phases)),
            _equal_costs(rates, block, phases),
            rates,
            blocks,
            (limit, *(0,) * (phases - 1)),
        ),
        counting=tuple(
            counting * easing**k if k or not limit else Fraction(0) for k in range(phases)
        ),
    )
    return Instance(learner, _watched, loss_streams(experts, rounds))


AUDITS = (
    AuditEntry(
        "constructed_experts",
        "experts built from synthetic points and drawn by their losses, where one example differs",
        _agnostic_instance,
    ),
    AuditEntry(
        "sanitized_online",
        "concepts drawn by copies that learn synthetic examples, where an example differs",
        _batched_online_instance,
    ),
    AuditEntry(
        "dartboard",
        "experts that are seldom drawn again, where the losses of one round differ",
        _dartboard_instance,
        unseen=(
            UndetectedVariant(
                "draws once more if a redraw returns the current expert and another redraw is "
                "allowed",
                "the default instance allows only one redraw, so no other redraw is allowed "
                "after it",
                "dartboard:switches=2",
            ),
        ),
    ),
    AuditEntry(
        "dp_hedge",
        "experts drawn by exponential weights, where the losses of one round differ",
        _hedge_instance,
    ),
    AuditEntry(
        "sparse_experts",
        "experts kept until a noisy threshold, where the losses of one round differ",
        _sparse_instance,
        unseen=(
            UndetectedVariant(
                "replaces an expert that has a loss after the last phase",
                "the three phases take three of the four rounds, and the audit observes no "
                "expert after the fourth round",
                seen_by="sparse_experts:phases=2",
            ),
            UndetectedVariant(
                "does not forget losses at the end of a block of phases",
                "all phases of the default instance are in one block",
                seen_by="sparse_experts:block=1",
            ),
            UndetectedVariant(
                "counts only rounds with a loss towards the limit of a phase",
                "no phase of the default instance has a limit",
                seen_by="sparse_experts:limit=1",
            ),
        ),
    ),
)
