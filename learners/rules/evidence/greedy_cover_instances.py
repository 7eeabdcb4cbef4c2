"""Small instances of `learners.rules.greedy_cover` for its audits, chosen by their power."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Annotated

import numpy as np

from learners.audit.instances import (
    AddRemove,
    AuditEntry,
    ClaimedDelta,
    ClaimedEpsilon,
    Instance,
    neighbouring_tables,
    relation,
)
from learners.coins import Coins
from learners.rules.greedy_cover import GreedyCover
from learners.rules.packed import PackedFeatures
from lsclasses.specifications import Option


def _instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(2),
    delta: ClaimedDelta = Fraction(1, 100),
    features: Annotated[int, Option("columns of the table", minimum=1, maximum=2)] = 1,
    rows: Annotated[int, Option("rows of the table", minimum=1, maximum=8)] = 8,
    add_remove: AddRemove = False,
) -> Instance:
    """All neighbouring tables of a small size."""
    mechanism = GreedyCover(epsilon, delta, relation(add_remove))

    def release(learner: GreedyCover) -> Callable[[tuple[tuple[int, ...], ...], Coins], str]:
        def run(data: tuple[tuple[int, ...], ...], coins: Coins) -> str:
            table = np.array(data, dtype=int).reshape(len(data), features + 1)
            packed = PackedFeatures.from_matrix(table[:, :-1])
            found = learner.fit(packed, table[:, -1], coins, accuracy=None)
            return found.text().replace("\n", ", ")

        return run

    kinds = list(product((0, 1), repeat=features + 1))
    pairs = neighbouring_tables(kinds, rows, mechanism.neighbours)
    return Instance(mechanism, release, pairs)


AUDITS = (
    AuditEntry(
        "greedy_cover",
        "a decision list from a table of features and labels; rows replaced, or added",
        _instance,
    ),
)
