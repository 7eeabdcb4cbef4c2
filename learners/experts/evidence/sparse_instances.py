"""Small instances of `learners.experts.sparse` for its audits, chosen by their power."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from learners.audit.instances import AuditEntry, Instance, count
from learners.coins import Coins
from learners.exact import Stepwise
from learners.experts.sparse import SparseVectorExperts
from learners.playing.evidence.loss_instances import loss_streams
from learners.playing.expert_sources import LossVectors
from learners.playing.learner import PublishedState
from lsclasses.specifications import Parameter


@dataclass(frozen=True)
class _Watched:
    """What is published, and whether a threshold watches the expert; the proof covers both."""

    learner: SparseVectorExperts

    def start(self, coins: Coins) -> Any:
        return self.learner.start(coins)

    def answer(self, state: PublishedState, item: Any, coins: Coins) -> tuple[Any, Hashable]:
        phase = state.inner
        shown = phase.drawn, phase.run is not None, state.hypothesis
        return self.learner.receive(state, item, coins), shown


def _watched(learner: SparseVectorExperts) -> Stepwise:
    return Stepwise(_Watched(learner))


def _instance(
    *, rate: Fraction, phases: int, threshold: int, counting: Fraction, experts: int, rounds: int
) -> Instance:
    """All neighbouring streams of losses in {0, 1}; experts and the ends of phases are seen.

    In four rounds either of two phases can last two, so that what one phase leaves to the next is
    seen.
    """
    learner = SparseVectorExperts(
        LossVectors(experts),
        rounds=rounds,
        rate=rate,
        phases=phases,
        threshold=threshold,
        counting=counting,
    )
    return Instance(learner, _watched, loss_streams(experts, rounds), learner.privacy)


AUDITS = (
    AuditEntry(
        "sparse_experts",
        "experts that are kept until a noisy threshold; the losses of one round differ",
        (
            Parameter("rate", "what a loss takes off log-weights", Fraction(2), rational=True),
            count("phases", "how many experts are drawn, at most", 2, 1, 4),
            count("threshold", "losses after which a phase ends, about", 1, -(10**6), 10**6),
            Parameter("counting", "what watching losses costs", Fraction(10), rational=True),
            count("experts", "how many experts", 2, 2, 4),
            count("rounds", "how many rounds", 4, 2, 4),
        ),
        _instance,
    ),
)
