"""Small instances of `learners.sanitizers.realizable` for its audits, chosen by their power."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

import numpy as np

from learners.audit.instances import (
    AuditEntry,
    ClaimedDelta,
    ClaimedEpsilon,
    Instance,
    neighbouring_tables,
)
from learners.mechanisms.histograms import BoundedHistogram
from learners.sanitizers.realizable import HistogramSanitizer
from lsclasses.specifications import Option
from lsclasses.table import Table


def _instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(2),
    delta: ClaimedDelta = Fraction(1, 100),
    points: Annotated[int, Option("how many points", minimum=2, maximum=4)] = 2,
    rows: Annotated[int, Option("rows of the data", minimum=1, maximum=24)] = 12,
) -> Instance:
    """All data sets of `rows` rows; counts near the threshold reveal mistakes."""
    C = Table(np.eye(points, dtype=np.uint8))
    sanitizer = HistogramSanitizer(C, BoundedHistogram(epsilon, delta))
    pairs = neighbouring_tables(range(points), rows, "replace_one")
    return Instance(sanitizer, lambda each: each.release, pairs)


AUDITS = (
    AuditEntry(
        "histogram_sanitizer",
        "the points that a histogram with sure error releases, without their counts",
        _instance,
    ),
)
