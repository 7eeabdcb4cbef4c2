"""Small instances of `learners.tables.groups` for its audit."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Annotated

import numpy as np

from learners.audit.instances import (
    AddRemove,
    AuditEntry,
    ClaimedEpsilon,
    Instance,
    neighbouring_tables,
    relation,
)
from learners.coins import Coins
from learners.tables.groups import Counts, PrivateGroupCounts
from lsclasses.specifications import Option


def _instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(33, 2),
    rows: Annotated[int, Option("rows of the table", minimum=1, maximum=3)] = 1,
    add_remove: AddRemove = False,
) -> Instance:
    """All neighbouring tables of one group, with a model that says what the label is.

    Counts are clipped to what is possible, which loses nothing of the loss.
    """
    mechanism = PrivateGroupCounts(epsilon, relation(add_remove))

    def release(made: PrivateGroupCounts) -> Callable[[tuple[int, ...], Coins], Counts]:
        def run(data: tuple[int, ...], coins: Coins) -> Counts:
            labels = np.array(data, dtype=int)
            ((a, b, c, d),) = made.release(np.zeros(len(data), dtype=int), 1, labels, labels, coins)
            clipped = [min(max(count, 0), rows) for count in (a, b, c, d)]
            return ((clipped[0], clipped[1], clipped[2], clipped[3]),)

        return run

    return Instance(mechanism, release, neighbouring_tables((0, 1), rows, mechanism.neighbours))


AUDITS = (
    AuditEntry(
        "group_rates",
        "noisy numbers of rows by group, label and prediction; rows replaced, or added",
        _instance,
    ),
)
