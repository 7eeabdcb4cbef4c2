"""Statements about the values of private learners."""

from __future__ import annotations

from fractions import Fraction

import pytest

from catalog.atlas.private_values import PrivateColumn, all_private_values
from catalog.refuting import Statement, refute, survey
from catalog.refuting.hunt import Hunt, _Pool
from catalog.refuting.joint import Joint
from catalog.refuting.open_constants import OpenStatement, least_constants
from lsclasses import Table
from lsclasses.errors import InvalidInput
from lsclasses.isomorphism import class_of_mask, name_in_atlas


def test_a_false_statement_has_the_smallest_counterexample() -> None:
    found = refute("V[2] <= V_two[1]", seconds=0)
    assert found.atlas_name() == "1:3"
    assert found.counterexample is not None and found.counterexample.fails


def test_overlapping_bounds_are_undecided_and_unknown_values_have_no_value() -> None:
    outcomes = [each.outcomes for each in survey(Statement("V[1] <= V[1]"))]
    assert "undecided" in outcomes[2] and "fails" not in outcomes[2]
    outcomes = [each.outcomes for each in survey(Statement("M[4] <= 2 when size >= 2"))]
    assert "no value" in outcomes[3] and "holds" in outcomes[1]


def test_a_sequence_needs_an_index() -> None:
    with pytest.raises(InvalidInput, match="V is a sequence"):
        Statement("V <= 1")


def test_constants_suffice_for_the_bounds() -> None:
    found = least_constants(OpenStatement("V[1] <= c*ldim when points == 1"), seconds=0)
    ((value,),) = (corner.values for corner in found.corners)
    assert 0 <= float(value) - 0.268941421 < 1e-6


def test_constructed_classes_have_values() -> None:
    two, three = Table([[0], [1]]), Table([[0, 0], [1, 0], [0, 1]])
    assert not Joint("V(product(C, D))[1] <= V(C)[1]").trial(two, three).sides.holds
    assert Joint("V(C)[1] <= V(product(C, D))[1]").trial(two, three).sides.holds


def test_the_search_visits_the_classes_of_the_private_atlas_on_five_points() -> None:
    found = refute("V[1] <= 1/5 when points == 5", seconds=5)
    assert found.counterexample is not None
    assert len(found.counterexample.table.points) == 5
    assert name_in_atlas(found.counterexample.table).startswith("5:")


def test_the_search_orders_generated_tables_by_bounds() -> None:
    """The bounds on a generated table have no exact distance, so their means are compared."""
    hunt = Hunt(Statement("V[1] <= 1/2 when points <= 4"), seconds=60)
    pool = _Pool()
    for mask in (0b0110, 0b10110):
        pool.add(hunt.trial(class_of_mask(3, mask)))
    assert [each[0] for each in pool._kept] == sorted(each[0] for each in pool._kept)
    assert 0 < pool._kept[0][0] < 1 / 2


def test_open_constants_are_compared_on_five_points() -> None:
    found = least_constants(OpenStatement("V[1] <= c when points == 5 and size == 2"), seconds=20)
    ((corner,),) = [corner.values for corner in found.corners]
    column = PrivateColumn("V", 1, Fraction(1))
    assert corner == max(
        values[column].upper
        for points, mask, values in all_private_values()
        if points == 5 and mask.bit_count() == 2
    )
