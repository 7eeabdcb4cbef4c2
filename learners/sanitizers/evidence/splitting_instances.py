"""Small instances of `learners.sanitizers.splitting` for its audits, chosen by their power."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from learners.audit.instances import AuditEntry, ClaimedEpsilon, Instance, Run, neighbouring_tables
from learners.sanitizers.mwem import MWEMSanitizer
from learners.sanitizers.splitting import LabelledBySplitting
from lsclasses.specifications import Option
from lsclasses.table import Table


def _instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(4),
    test: Annotated[Fraction, Option("epsilon of one test of MWEM")] = Fraction(2),
    rows: Annotated[int, Option("rows of the data", minimum=1, maximum=3)] = 2,
) -> Instance:
    """All labelled data sets on two points; MWEM of one round sanitizes both parts."""
    inner = MWEMSanitizer(Table([[0, 1]]), Fraction(1, 2), 1, test / 8, test)
    sanitizer = LabelledBySplitting(inner, epsilon)
    pairs = neighbouring_tables(list(sanitizer.domain), rows, "replace_one")
    return Instance(sanitizer, _released, pairs)


def _released(sanitizer: LabelledBySplitting) -> Run:
    return sanitizer.release


AUDITS = (
    AuditEntry(
        "labelled_by_splitting",
        "estimates from the points of either label, and the number of ones",
        _instance,
    ),
)
