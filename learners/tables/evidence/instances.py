"""Small instances of `learners.tables.fitted_columns` for its audits, chosen by their power."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Annotated

from learners.audit.instances import (
    AddRemove,
    AuditEntry,
    ClaimedEpsilon,
    Instance,
    neighbouring_tables,
    relation,
)
from learners.coins import Coins
from learners.tables.fitted_columns import PrivateCuts
from learners.tables.records import as_records
from lsclasses.specifications import Option


def _instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(8),
    grid: Annotated[int, Option("steps of the grid", minimum=2, maximum=6)] = 4,
    count: Annotated[int, Option("cut points", minimum=1, maximum=2)] = 2,
    rows: Annotated[int, Option("rows of the table", minimum=1, maximum=6)] = 6,
    add_remove: AddRemove = False,
) -> Instance:
    """All neighbouring columns of a small size, with at least one row."""
    neighbours = relation(add_remove)
    column = PrivateCuts(Fraction(0), Fraction(grid), grid, count, epsilon)

    def release(cuts: PrivateCuts) -> Callable[[tuple[int, ...], Coins], tuple[float, ...]]:
        def run(values: tuple[int, ...], coins: Coins) -> tuple[float, ...]:
            table = as_records([[value] for value in values], ["x"])
            return cuts.fitted(table, "x", neighbours, coins).points

        return run

    pairs = neighbouring_tables(range(grid), rows, neighbours, least=1)
    return Instance(column, release, pairs, column.privacy("x", neighbours))


AUDITS = (
    AuditEntry(
        "private_cuts",
        "cut points of a numeric column, chosen from a grid; rows replaced, or added",
        _instance,
    ),
)
