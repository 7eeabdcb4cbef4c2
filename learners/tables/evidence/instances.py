"""Small instances of `learners.tables.fitted_columns` for its audits, chosen by their power."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from learners.audit.instances import (
    ADD_REMOVE,
    AuditEntry,
    Instance,
    claimed_epsilon,
    count,
    neighbouring_tables,
    relation,
)
from learners.coins import Coins
from learners.tables.fitted_columns import PrivateCuts
from learners.tables.records import as_records


def _instance(epsilon: Fraction, grid: int, count: int, rows: int, add_remove: int) -> Instance:
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
        (
            claimed_epsilon(8),
            count("grid", "steps of the grid", 4, 2, 6),
            count("count", "cut points", 2, 1, 2),
            count("rows", "rows of the table", 6, 1, 6),
            ADD_REMOVE,
        ),
        _instance,
    ),
)
