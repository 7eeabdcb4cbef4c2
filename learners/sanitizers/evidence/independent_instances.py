"""Small instances of `learners.sanitizers.independent` for its audits, chosen by their power."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from learners.audit.instances import (
    AuditEntry,
    Instance,
    claimed_epsilon,
    count,
    neighbouring_tables,
)
from learners.sanitizers.independent import IndependentAnswers
from lsclasses.table import Table


def _instance(*, epsilon: Fraction, points: int, rows: int) -> Instance:
    """Points as concepts: a replaced row then changes two answers, in opposite directions."""
    C = Table(np.eye(points, dtype=np.uint8))
    sanitizer = IndependentAnswers(C, epsilon / points)
    pairs = neighbouring_tables(range(points), rows, "replace_one")
    return Instance(sanitizer, lambda each: each.release, pairs, sanitizer.privacy)


AUDITS = (
    AuditEntry(
        "independent_answers",
        "a noisy share for every concept",
        (
            claimed_epsilon(2),
            count("points", "how many points, which are the concepts", 2, 2, 3),
            count("rows", "rows of the data", 2, 1, 4),
        ),
        _instance,
    ),
)
