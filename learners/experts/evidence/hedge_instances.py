"""Small instances of `learners.experts.hedge` for its audits, chosen by their power."""

from __future__ import annotations

from fractions import Fraction

from learners.audit.instances import AuditEntry, Instance, count
from learners.experts.hedge import DPHedge
from learners.playing.evidence.loss_instances import loss_streams, published
from learners.playing.expert_sources import LossVectors
from lsclasses.specifications import Parameter


def _instance(*, rate: Fraction, experts: int, rounds: int) -> Instance:
    """All neighbouring streams of losses in {0, 1}."""
    learner = DPHedge(LossVectors(experts), rounds, rate)
    return Instance(learner, published, loss_streams(experts, rounds), learner.privacy)


AUDITS = (
    AuditEntry(
        "dp_hedge",
        "experts drawn by exponential weights; the losses of one round differ",
        (
            Parameter("rate", "what a loss takes off log-weights", Fraction(2), rational=True),
            count("experts", "how many experts", 3, 2, 4),
            count("rounds", "how many rounds", 3, 2, 5),
        ),
        _instance,
    ),
)
