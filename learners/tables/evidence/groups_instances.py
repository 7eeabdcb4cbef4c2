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
    clipped,
    neighbouring_tables,
    relation,
)
from learners.coins import Coins
from learners.exact import CensoredCoins
from learners.tables.groups import Counts, PrivateGroupCounts
from lsclasses.specifications import Option


def _instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(4),
    rows: Annotated[int, Option("rows of the table", minimum=1, maximum=3)] = 1,
    add_remove: AddRemove = False,
) -> Instance:
    """All neighbouring tables of one group, with a model that predicts every label correctly.

    Noisy counts are clipped to the range of the true counts. For independent Laplace noise,
    clipping does not reduce the loss.
    """
    mechanism = PrivateGroupCounts(epsilon, relation(add_remove))

    def release(made: PrivateGroupCounts) -> Callable[[tuple[int, ...], Coins], Counts]:
        def run(data: tuple[int, ...], coins: Coins) -> Counts:
            labels, noisy = np.array(data, dtype=int), CensoredCoins(coins, rows)
            found = made.release(np.zeros(len(data), dtype=int), 1, labels, labels, noisy)
            counts: Counts = clipped(found, 0, rows)
            return counts

        return run

    return Instance(mechanism, release, neighbouring_tables((0, 1), rows, mechanism.neighbours))


AUDITS = (
    AuditEntry(
        "group_rates",
        "noisy numbers of rows by group, label and prediction; rows replaced, or added",
        _instance,
    ),
)
