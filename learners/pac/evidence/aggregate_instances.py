"""Small instances of `learners.pac.aggregate` for its audits, chosen by their power."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from learners.audit.instances import (
    AuditEntry,
    ClaimedDelta,
    ClaimedEpsilon,
    Instance,
    neighbouring_tables,
)
from learners.pac.aggregate import SubsampleAggregate
from learners.pac.base import released
from learners.pac.plain import EmpiricalRiskMinimizer
from lsclasses.specifications import Option
from lsclasses.table import Table


def _instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(4),
    delta: ClaimedDelta = Fraction(1, 100),
    batches: Annotated[int, Option("how many there are", minimum=1, maximum=16)] = 8,
) -> Instance:
    """All tables on one point with a row for each batch."""
    base = EmpiricalRiskMinimizer(Table([[0], [1]]))
    learner = SubsampleAggregate(base, batches, epsilon, delta)
    pairs = neighbouring_tables([(0, 0), (0, 1)], batches, "replace_one")
    return Instance(learner, released, pairs, learner.privacy)


AUDITS = (
    AuditEntry(
        "subsample_aggregate",
        "the hypothesis that a learner finds on most batches",
        _instance,
    ),
)
