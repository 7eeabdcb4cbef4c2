"""Queries and mistakes on families where they are known, and what follows from them."""

from __future__ import annotations

from hypothesis import given

import catalog
from lsclasses import Table
from lsclasses.dimensions import DIMENSIONS
from tests.strategies import tables

NAMES = (
    *("membership_queries", "equivalence_queries", "proper_equivalence_queries"),
    *("partial_equivalence_queries", "self_directed_mistakes"),
    *("best_order_mistakes", "worst_order_mistakes"),
)


def test_a_subclass_may_take_more_proper_queries() -> None:
    C = catalog.build("points:n=3,empty=1").to_table()
    assert C.proper_equivalence_queries() == 1
    assert catalog.build("points:n=3").to_table().proper_equivalence_queries() == 2


def test_leaving_out_a_point_may_take_more_membership_queries() -> None:
    C = Table([[0, 0, 0, 1], [0, 0, 1, 1], [0, 1, 0, 0], [1, 0, 0, 0]])
    assert (C.membership_queries(), C.project(range(3)).membership_queries()) == (2, 3)


@given(tables(max_concepts=8, max_points=4))
def test_equal_complementary_and_constant_points_cost_nothing(table: Table) -> None:
    labels = table.labels.tolist()
    more = Table([[*row, row[0], 1 - row[-1], 1] for row in labels])
    for name in NAMES:
        assert DIMENSIONS[name](more) == DIMENSIONS[name](table), name
