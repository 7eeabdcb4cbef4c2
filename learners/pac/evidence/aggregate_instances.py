"""Small instances of `learners.pac.aggregate` for its audits, chosen by their power."""

from __future__ import annotations

from fractions import Fraction

from learners.audit.instances import (
    AuditEntry,
    Instance,
    claimed_delta,
    claimed_epsilon,
    count,
    neighbouring_tables,
)
from learners.pac.aggregate import SubsampleAggregate
from learners.pac.base import released
from learners.pac.plain import EmpiricalRiskMinimizer
from lsclasses.table import Table


def _instance(epsilon: Fraction, delta: Fraction, batches: int) -> Instance:
    """All tables on one point with a row for each batch."""
    base = EmpiricalRiskMinimizer(Table([[0], [1]]))
    learner = SubsampleAggregate(base, batches, epsilon, delta)
    pairs = neighbouring_tables([(0, 0), (0, 1)], batches, "replace_one")
    return Instance(learner, released, pairs, learner.privacy)


AUDITS = (
    AuditEntry(
        "subsample_aggregate",
        "the hypothesis that a learner finds on most batches",
        (
            claimed_epsilon(4),
            claimed_delta(Fraction(1, 100)),
            count("batches", "how many there are", 8, 1, 16),
        ),
        _instance,
    ),
)
