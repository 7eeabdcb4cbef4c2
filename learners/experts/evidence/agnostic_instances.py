"""Small instances of `learners.experts.agnostic` for its audits, chosen by their power."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Literal

from learners.audit.instances import (
    AuditEntry,
    ClaimedDelta,
    ClaimedEpsilon,
    Instance,
    neighbouring_streams,
)
from learners.coins import Coins
from learners.exact import Stepwise
from learners.experts.agnostic import AgnosticExperts
from learners.experts.constructed import ConstructedExperts
from learners.experts.dartboard import ShrinkingDartboard
from learners.experts.hedge import DPHedge
from learners.mechanisms.counter import DyadicIntervals
from learners.playing.base.proper_soa import proper_soa
from learners.playing.learner import PublishedState
from learners.playing.loss_learner import LossLearner
from learners.sanitizers.evidence.intervals_instances import ReplacerName, audited_replacer
from learners.sanitizers.intervals import IntervalSanitizer
from lsclasses.domain import FiniteDomain
from lsclasses.points import Label, Point
from lsclasses.specifications import Option
from lsclasses.table import Table


@dataclass(frozen=True)
class _Shown:
    """The rule in force, the number of draws, and the releases at the end of a round.

    How many experts were drawn is more than is published; the proofs of privacy cover it.
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
    """The published rules and the synthetic points, for an audit."""
    return Stepwise(_Shown(learner))


def _instance(
    *,
    chooser: Annotated[Literal["dp-hedge", "dartboard"], Option("who draws experts")] = "dp-hedge",
    rate: Annotated[Fraction, Option("what a loss takes off log-weights")] = Fraction(1),
    replacer: ReplacerName = "randomized",
    epsilon: ClaimedEpsilon = Fraction(8),
    delta: ClaimedDelta = Fraction(1, 10),
    rounds: Annotated[int, Option("how many examples", minimum=1, maximum=3)] = 2,
) -> Instance:
    """All neighbouring streams of examples of two points; concepts with at most one 1."""
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


AUDITS = (
    AuditEntry(
        "constructed_experts",
        "experts built from synthetic points and drawn by their losses; one example differs",
        _instance,
    ),
)
