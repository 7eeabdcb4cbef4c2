"""Small instances of `learners.sanitizers.mwem` for its audits, chosen by their power."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from learners.audit.instances import AuditEntry, Instance, count, neighbouring_tables
from learners.sanitizers.mwem import MWEMSanitizer
from learners.sanitizers.points import PointSample
from lsclasses.specifications import Parameter
from lsclasses.table import Table


def _instance(
    *, alpha: Fraction, select: Fraction, test: Fraction, points: int, rows: int, rounds: int
) -> Instance:
    """All data sets of so many rows; the transcript is compared, and not only its weights."""
    C = Table(np.eye(points, dtype=np.uint8)[: max(1, points - 1)])
    sanitizer = MWEMSanitizer(C, alpha, rounds, select, test)
    pairs = neighbouring_tables(range(points), rows, "replace_one")
    return Instance(sanitizer, _released, pairs, sanitizer.privacy)


def _released(sanitizer: MWEMSanitizer) -> Any:
    return lambda rows, coins: sanitizer.run(PointSample(sanitizer.domain, rows), coins)


def _budget(name: str, doc: str, default: int) -> Parameter:
    return Parameter(name, doc, default=Fraction(default), rational=True)


AUDITS = (
    AuditEntry(
        "mwem",
        "rounds of a private choice and a private test, from which weights follow",
        (
            Parameter("alpha", "the error aimed at", default=Fraction(1, 2), rational=True),
            _budget("select", "epsilon of one choice", 4),
            _budget("test", "epsilon of one test", 2),
            count("points", "how many points", 2, 2, 3),
            count("rows", "rows of the data", 3, 1, 3),
            count("rounds", "the most rounds", 2, 1, 3),
        ),
        _instance,
    ),
)
