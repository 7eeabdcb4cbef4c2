"""Small instances of `learners.sanitizers.independent` for its audits, chosen by their power."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

import numpy as np

from learners.audit.instances import AuditEntry, ClaimedEpsilon, Instance, neighbouring_tables
from learners.sanitizers.independent import IndependentAnswers
from lsclasses.specifications import Option
from lsclasses.table import Table


def _instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(2),
    points: Annotated[
        int, Option("how many points, which are the concepts", minimum=2, maximum=3)
    ] = 2,
    rows: Annotated[int, Option("rows of the data", minimum=1, maximum=4)] = 2,
) -> Instance:
    """Point functions, for which a replaced row changes two answers in opposite directions."""
    C = Table(np.eye(points, dtype=np.uint8))
    sanitizer = IndependentAnswers(C, epsilon / points)
    pairs = neighbouring_tables(range(points), rows, "replace_one")
    return Instance(sanitizer, lambda each: each.release, pairs)


AUDITS = (
    AuditEntry(
        "independent_answers",
        "a noisy share for every concept",
        _instance,
    ),
)
