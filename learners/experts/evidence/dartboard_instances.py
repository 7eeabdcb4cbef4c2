"""Small instances of `learners.experts.dartboard` for its audits, chosen by their power."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from learners.audit.instances import AuditEntry, Instance, UndetectedVariant
from learners.experts.dartboard import ShrinkingDartboard
from learners.playing.evidence.loss_instances import loss_streams, published
from learners.playing.expert_sources import LossVectors
from lsclasses.specifications import Option


def _instance(
    *,
    rate: Annotated[Fraction, Option("what a loss takes off log-weights")] = Fraction(2),
    fake: Annotated[Fraction, Option("chance of a fake switch")] = Fraction(1, 8),
    switches: Annotated[
        int, Option("how many experts are drawn anew, at most", minimum=1, maximum=4)
    ] = 1,
    batch: Annotated[int, Option("rounds between decisions", minimum=1, maximum=3)] = 1,
    experts: Annotated[int, Option("how many experts", minimum=2, maximum=4)] = 2,
    rounds: Annotated[int, Option("how many rounds", minimum=2, maximum=4)] = 4,
) -> Instance:
    """All neighbouring streams of losses in {0, 1}; experts are seen, and when they are drawn.

    Three decisions: losses that were not forgotten after one would be seen in the others.
    """
    learner = ShrinkingDartboard(
        LossVectors(experts), rounds=rounds, rate=rate, batch=batch, fake=fake, switches=switches
    )
    return Instance(learner, published, loss_streams(experts, rounds))


AUDITS = (
    AuditEntry(
        "dartboard",
        "experts that are seldom drawn anew; the losses of one round differ",
        _instance,
        unseen=(
            UndetectedVariant(
                "a redraw of the same expert is drawn once more while redraws are left",
                "one redraw is allowed, so that none is left after it",
                "dartboard:switches=2",
            ),
        ),
    ),
)
