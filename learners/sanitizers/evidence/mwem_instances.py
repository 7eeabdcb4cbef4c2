"""Small instances of `learners.sanitizers.mwem` for its audits, chosen by their power."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

import numpy as np

from learners.audit.instances import AuditEntry, Instance, Run, neighbouring_tables
from learners.sanitizers.mwem import MWEMSanitizer
from learners.sanitizers.points import PointSample
from lsclasses.specifications import Option
from lsclasses.table import Table


def _instance(
    *,
    alpha: Annotated[Fraction, Option("the error aimed at")] = Fraction(1, 2),
    select: Annotated[Fraction, Option("epsilon of one choice")] = Fraction(4),
    test: Annotated[Fraction, Option("epsilon of one test")] = Fraction(2),
    points: Annotated[int, Option("how many points", minimum=2, maximum=3)] = 2,
    rows: Annotated[int, Option("rows of the data", minimum=1, maximum=3)] = 3,
    rounds: Annotated[int, Option("the most rounds", minimum=1, maximum=3)] = 2,
) -> Instance:
    """All data sets of `rows` rows; the audit compares transcripts, not only weights."""
    C = Table(np.eye(points, dtype=np.uint8)[: max(1, points - 1)])
    sanitizer = MWEMSanitizer(C, alpha, rounds, select, test)
    pairs = neighbouring_tables(range(points), rows, "replace_one")
    return Instance(sanitizer, _released, pairs)


def _released(sanitizer: MWEMSanitizer) -> Run:
    return lambda rows, coins: sanitizer.run(PointSample(sanitizer.domain, rows), coins)


AUDITS = (
    AuditEntry(
        "mwem",
        "rounds of a private choice and a private test, from which weights follow",
        _instance,
    ),
)
