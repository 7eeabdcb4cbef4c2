"""Small instances of `learners.experts.batched_online` for its audits, chosen by their power."""

from __future__ import annotations

from fractions import Fraction

from learners.audit.instances import AuditEntry, Instance, count, neighbouring_streams
from learners.experts.batched_online import SanitizedOnline
from learners.experts.hedge import Hedge
from learners.layers.evidence.instances import published
from learners.playing.expert_sources import TableExperts
from learners.sanitizers.mwem import MWEMSanitizer
from lsclasses.specifications import Parameter
from lsclasses.table import Table


def _instance(
    *, select: Fraction, test: Fraction, points: int, batch: int, rounds: int, mwem: int
) -> Instance:
    """All neighbouring streams; the last batch, which is not read, is the same in all."""
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
    assert learner.privacy is not None
    return Instance(learner, published, pairs, learner.privacy)


AUDITS = (
    AuditEntry(
        "sanitized_online",
        "concepts drawn by copies that learn synthetic examples; an example differs",
        (
            Parameter("select", "epsilon of one choice of MWEM", Fraction(1, 2), rational=True),
            Parameter("test", "epsilon of one test of MWEM", Fraction(2), rational=True),
            count("points", "how many points", 1, 1, 2),
            count("batch", "rounds of a batch", 1, 1, 3),
            count("rounds", "how many batches", 3, 2, 3),
            count("mwem", "the most rounds of MWEM", 1, 1, 2),
        ),
        _instance,
    ),
)
