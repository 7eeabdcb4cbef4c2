"""Small instances of `learners.sanitizers.realizable` for its audits, chosen by their power."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from learners.audit.instances import (
    AuditEntry,
    Instance,
    claimed_delta,
    claimed_epsilon,
    count,
    neighbouring_tables,
)
from learners.mechanisms.histograms import BoundedHistogram
from learners.sanitizers.realizable import HistogramSanitizer
from lsclasses.table import Table


def _instance(*, epsilon: Fraction, delta: Fraction, points: int, rows: int) -> Instance:
    """All data sets of so many rows. Mistakes show where counts are near the threshold."""
    C = Table(np.eye(points, dtype=np.uint8))
    sanitizer = HistogramSanitizer(C, BoundedHistogram(epsilon, delta))
    pairs = neighbouring_tables(range(points), rows, "replace_one")
    return Instance(sanitizer, lambda each: each.release, pairs, sanitizer.privacy)


AUDITS = (
    AuditEntry(
        "histogram_sanitizer",
        "the points that a histogram with sure error releases, without their counts",
        (
            claimed_epsilon(2),
            claimed_delta(Fraction(1, 100)),
            count("points", "how many points", 2, 2, 4),
            count("rows", "rows of the data", 12, 1, 24),
        ),
        _instance,
    ),
)
