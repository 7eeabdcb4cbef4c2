"""Audit instances of the learners from tables."""

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
from learners.tables.cells import Cells
from learners.tables.columns import PrivateCuts
from learners.tables.groups import Counts, PrivateGroupCounts
from lsclasses.options import Option

# ---- groups


def _groups_instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(4),
    rows: Annotated[int, Option("number of rows of the table", minimum=1, maximum=3)] = 1,
    add_remove: AddRemove = False,
) -> Instance:
    """Return all neighbouring tables of one group, with a model that predicts every label right.

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


# ---- tables


def _tables_instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(8),
    grid: Annotated[int, Option("number of steps of the grid", minimum=2, maximum=6)] = 4,
    count: Annotated[int, Option("number of cut points", minimum=1, maximum=2)] = 2,
    rows: Annotated[int, Option("number of rows of the table", minimum=1, maximum=6)] = 6,
    add_remove: AddRemove = False,
) -> Instance:
    """Return all neighbouring columns of a small size, with at least one row."""
    neighbours = relation(add_remove)
    column = PrivateCuts(Fraction(0), Fraction(grid), grid, count, epsilon)

    def release(cuts: PrivateCuts) -> Callable[[tuple[int, ...], Coins], tuple[float, ...]]:
        def run(values: tuple[int, ...], coins: Coins) -> tuple[float, ...]:
            cells = Cells("x", np.array(values, dtype=int))
            return cuts.fitted(cells, neighbours, coins).points

        return run

    pairs = neighbouring_tables(range(grid), rows, neighbours, least=1)
    return Instance(column, release, pairs, column.privacy("x", neighbours))


AUDITS = (
    AuditEntry(
        "group_rates",
        "noisy numbers of rows by group, label and prediction; rows replaced, or added",
        _groups_instance,
    ),
    AuditEntry(
        "private_cuts",
        "cut points of a numeric column, chosen from a grid; rows replaced, or added",
        _tables_instance,
    ),
)
