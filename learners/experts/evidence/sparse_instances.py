"""Small instances of `learners.experts.sparse` for its audits, chosen by their power."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Annotated

from learners.audit.instances import AuditEntry, Instance, UndetectedVariant
from learners.coins import Coins
from learners.exact import Stepwise
from learners.experts.phases import Phases
from learners.experts.sparse import SparseVectorExperts
from learners.playing.evidence.loss_instances import loss_streams
from learners.playing.expert_sources import LossVectors
from learners.playing.learner import PublishedState
from lsclasses.specifications import Option


@dataclass(frozen=True)
class _Watched:
    """The published expert, and whether a threshold is running; the proof covers both."""

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


def _instance(
    *,
    rate: Annotated[
        Fraction, Option("what a unit of loss takes off log-weights in the second draw")
    ] = Fraction(1),
    fall: Annotated[Fraction, Option("rate of each later draw, in that of the one before")] = (
        Fraction(1, 2)
    ),
    phases: Annotated[int, Option("how many experts are drawn, at most", minimum=1, maximum=4)] = 3,
    threshold: Annotated[
        int,
        Option("losses after which the first phase ends, about", minimum=-(10**6), maximum=10**6),
    ] = 1,
    drop: Annotated[
        int, Option("by how much the threshold of every second phase is lower", minimum=0)
    ] = 1,
    counting: Annotated[Fraction, Option("what watching the first phase costs")] = Fraction(10),
    easing: Annotated[
        Fraction, Option("what watching each later phase costs, in that of the one before")
    ] = Fraction(1),
    block: Annotated[
        int, Option("how many phases the first block has; one block, if 0", minimum=0, maximum=3)
    ] = 0,
    experts: Annotated[int, Option("how many experts", minimum=2, maximum=4)] = 2,
    rounds: Annotated[int, Option("how many rounds", minimum=2, maximum=4)] = 4,
) -> Instance:
    """All neighbouring streams of losses in {0, 1}; experts and ends of phases are seen.

    What is read by fewer draws, or at lower rates, weighs more, so that all phases cost the same.
    In four rounds a phase can last two, so that what one phase leaves to the next is seen.
    """
    rates = tuple(rate * fall**k for k in range(phases - 1))
    blocks = (block, phases - block) if 0 < block < phases else (phases,)
    ends = [block if k < block < phases else phases - 1 for k in range(phases - 1)]
    later = [sum(rates[k:end], Fraction(0)) for k, end in enumerate(ends)]
    weights = [later[0] / each for each in later]
    unit = lcm(*(weight.denominator for weight in weights))
    learner = SparseVectorExperts(
        LossVectors(experts),
        rounds=rounds,
        phases=Phases(
            tuple(threshold - drop * (k % 2) for k in range(phases)),
            tuple(int(unit * weight) for weight in weights),
            rates,
            blocks,
        ),
        counting=tuple(counting * easing**k for k in range(phases)),
    )
    return Instance(learner, _watched, loss_streams(experts, rounds))


AUDITS = (
    AuditEntry(
        "sparse_experts",
        "experts that are kept until a noisy threshold; the losses of one round differ",
        _instance,
        unseen=(
            UndetectedVariant(
                "an expert that loses after the last phase is replaced",
                "three phases take three rounds, and no expert is shown after the fourth",
                seen_by="sparse_experts:phases=2",
            ),
            UndetectedVariant(
                "losses are not forgotten when a block ends",
                "all phases are in one block",
                seen_by="sparse_experts:block=1",
            ),
        ),
    ),
)
