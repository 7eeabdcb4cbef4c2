"""Small instances of `learners.experts.hedge` for its audits, chosen by their power."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from learners.audit.instances import AuditEntry, Instance
from learners.experts.hedge import DPHedge
from learners.playing.evidence.loss_instances import loss_streams, published
from learners.playing.expert_sources import LossVectors
from lsclasses.specifications import Option


def _instance(
    *,
    rate: Annotated[Fraction, Option("what a loss takes off log-weights")] = Fraction(2),
    experts: Annotated[int, Option("how many experts", minimum=2, maximum=4)] = 3,
    rounds: Annotated[int, Option("how many rounds", minimum=2, maximum=5)] = 3,
) -> Instance:
    """All neighbouring streams of losses in {0, 1}."""
    learner = DPHedge(LossVectors(experts), rounds, rate)
    return Instance(learner, published, loss_streams(experts, rounds))


AUDITS = (
    AuditEntry(
        "dp_hedge",
        "experts drawn by exponential weights; the losses of one round differ",
        _instance,
    ),
)
