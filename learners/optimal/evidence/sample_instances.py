"""A small instance of the best private learner from samples for its audit."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Annotated

import catalog
from learners.audit.instances import AuditEntry, ClaimedEpsilon, Instance, neighbouring_tables
from learners.optimal.error import optimal_error
from learners.pac.base import released
from lsclasses.specifications import Option


def _optimal_learner(
    *,
    epsilon: ClaimedEpsilon = Fraction(1),
    points: Annotated[int, Option("points, of one each", minimum=2, maximum=3)] = 2,
    rows: Annotated[int, Option("rows of the sample", minimum=1, maximum=4)] = 3,
) -> Instance:
    """All tables of a small size, realizable or not."""
    C = catalog.build(f"points:n={points}")
    learner = optimal_error(C, rows, epsilon, tolerance=Fraction(1, 1000)).learner
    examples = list(product(range(points), (0, 1)))
    return Instance(learner, released, neighbouring_tables(examples, rows, "replace_one"))


AUDITS = (
    AuditEntry(
        "optimal_learner",
        "a hypothesis of the best private learner from samples of points",
        _optimal_learner,
    ),
)
