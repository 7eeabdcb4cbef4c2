"""Small instances of `learners.pac.generic` for its audits, chosen by their power."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Annotated

from learners.audit.instances import AuditEntry, ClaimedEpsilon, Instance, neighbouring_tables
from learners.pac.base import released
from learners.pac.generic import GenericLearner
from lsclasses.specifications import Option
from lsclasses.table import Table


def _instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(2),
    points: Annotated[int, Option("different points", minimum=1, maximum=2)] = 1,
    rows: Annotated[int, Option("rows of the sample", minimum=1, maximum=8)] = 6,
) -> Instance:
    """All tables of a small size, and all labellings of the points."""
    learner = GenericLearner(Table(list(product((0, 1), repeat=points))), epsilon)
    examples = list(product(range(points), (0, 1)))
    pairs = neighbouring_tables(examples, rows, "replace_one")
    return Instance(learner, released, pairs)


AUDITS = (
    AuditEntry(
        "generic_learner",
        "a hypothesis by its errors, as a candidate by its exponential weight",
        _instance,
    ),
)
