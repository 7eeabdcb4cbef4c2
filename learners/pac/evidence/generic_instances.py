"""Small instances of `learners.pac.generic` for its audits, chosen by their power."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from learners.audit.instances import (
    AuditEntry,
    Instance,
    claimed_epsilon,
    count,
    neighbouring_tables,
)
from learners.pac.base import (
    released,
)
from learners.pac.generic import GenericLearner
from lsclasses.table import Table


def _instance(epsilon: Fraction, points: int, rows: int) -> Instance:
    """All tables of a small size, and all labellings of the points."""
    learner = GenericLearner(Table(list(product((0, 1), repeat=points))), epsilon)
    examples = list(product(range(points), (0, 1)))
    pairs = neighbouring_tables(examples, rows, "replace_one")
    return Instance(learner, released, pairs, learner.privacy)


AUDITS = (
    AuditEntry(
        "generic_learner",
        "a hypothesis by its errors, as a candidate by its exponential weight",
        (
            claimed_epsilon(2),
            count("points", "different points", 1, 1, 2),
            count("rows", "rows of the sample", 6, 1, 8),
        ),
        _instance,
    ),
)
