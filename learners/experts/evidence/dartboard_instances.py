"""Small instances of `learners.experts.dartboard` for its audits, chosen by their power."""

from __future__ import annotations

from fractions import Fraction

from learners.audit.instances import AuditEntry, Instance, count
from learners.experts.dartboard import ShrinkingDartboard
from learners.playing.evidence.loss_instances import loss_streams, published
from learners.playing.expert_sources import LossVectors
from lsclasses.specifications import Parameter


def _instance(
    *, rate: Fraction, fake: Fraction, switches: int, batch: int, experts: int, rounds: int
) -> Instance:
    """All neighbouring streams of losses in {0, 1}; experts are seen, and when they are drawn.

    Three decisions: losses that were not forgotten after one would be seen in the others.
    """
    learner = ShrinkingDartboard(
        LossVectors(experts), rounds=rounds, rate=rate, batch=batch, fake=fake, switches=switches
    )
    return Instance(learner, published, loss_streams(experts, rounds), learner.privacy)


AUDITS = (
    AuditEntry(
        "dartboard",
        "experts that are seldom drawn anew; the losses of one round differ",
        (
            Parameter("rate", "what a loss takes off log-weights", Fraction(2), rational=True),
            Parameter("fake", "chance of a fake switch", Fraction(1, 8), rational=True),
            count("switches", "how many experts are drawn anew, at most", 1, 1, 4),
            count("batch", "rounds between decisions", 1, 1, 3),
            count("experts", "how many experts", 2, 2, 4),
            count("rounds", "how many rounds", 4, 2, 4),
        ),
        _instance,
    ),
)
