"""Small instances of `learners.experts.batched_online` for its audits, chosen by their power."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from learners.audit.instances import AuditEntry, Instance, neighbouring_streams
from learners.experts.batched_online import SanitizedOnline
from learners.experts.hedge import Hedge
from learners.layers.evidence.instances import published
from learners.playing.expert_sources import TableExperts
from learners.sanitizers.mwem import MWEMSanitizer
from lsclasses.specifications import Option
from lsclasses.table import Table


def _instance(
    *,
    select: Annotated[Fraction, Option("epsilon of one choice of MWEM")] = Fraction(1, 2),
    test: Annotated[Fraction, Option("epsilon of one test of MWEM")] = Fraction(2),
    points: Annotated[int, Option("how many points", minimum=1, maximum=2)] = 1,
    batch: Annotated[int, Option("rounds of a batch", minimum=1, maximum=3)] = 1,
    rounds: Annotated[int, Option("how many batches", minimum=2, maximum=3)] = 3,
    mwem: Annotated[int, Option("the most rounds of MWEM", minimum=1, maximum=2)] = 1,
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
    return Instance(learner, published, pairs)


AUDITS = (
    AuditEntry(
        "sanitized_online",
        "concepts drawn by copies that learn synthetic examples; an example differs",
        _instance,
    ),
)
