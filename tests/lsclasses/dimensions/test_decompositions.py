"""Irreducible classes and trees with leaves of small dimension, against their definitions."""

from __future__ import annotations

import math

import pytest
from hypothesis import given

import catalog
from lsclasses import Table
from lsclasses.dimensions.decompositions import SubclassTrees
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.limits import Limit
from tests.oracles import decompositions as oracle
from tests.oracles import ldim_recursive
from tests.strategies import plain, tables


@given(tables(max_concepts=8, max_points=3, min_concepts=0))
def test_irreducible_classes_and_depths_are_as_defined(table: Table) -> None:
    C = plain(table)
    for m in range(4):
        assert table.irreducible(m) == oracle.irreducible(C, m)
    for t in range(3):
        assert table.leaf_depth(t) == oracle.leaf_depth(C, t)


@given(tables(max_concepts=6, max_points=3))
def test_the_canonical_tree_has_the_least_depth_and_the_first_points(table: Table) -> None:
    C = plain(table)
    for t in range(2):
        found = table.decomposition(t)
        assert found.depth == oracle.leaf_depth(C, t)
        assert list(map(plain, found.leaves)) == oracle.canonical_leaves(C, t)
        soas = [tuple(h(x) for x in table.points) for h in found.soas]
        assert soas == oracle.canonical_soas(C, t)


@given(tables(max_concepts=8, max_points=4))
def test_dimensions_of_subclasses_are_the_dimensions_of_tables(table: Table) -> None:
    subclasses = SubclassTrees(table)
    for x in table.points:
        for y in (0, 1):
            side = table.restrict(x, y)
            mask = subclasses.restrict(subclasses.whole, table.domain.index(x), y)
            assert subclasses.ldim(mask) == ldim_recursive(plain(side))
            assert subclasses.hypothesis(subclasses.rule(mask)) == side.soa()


@pytest.mark.slow
def test_the_sets_of_two_points_are_irreducible_as_defined() -> None:
    table = catalog.build("at-most:n=4,k=2").to_table()
    found = [oracle.irreducible(plain(table), m) for m in (1, 2, 3)]
    assert [table.irreducible(m) for m in (1, 2, 3)] == found == [True, True, False]


def test_one_point_may_halve_the_dimension() -> None:
    # Label 0 at the last point leaves the sets of at most one point, label 1 their complements.
    few = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    C = Table([[*row, 0] for row in few] + [[*(1 - y for y in row), 1] for row in few])
    assert (C.ldim(), C.leaf_depth(1)) == (3, 1)


def test_a_negative_dimension_has_no_tree_except_for_the_empty_class() -> None:
    C = catalog.build("thresholds:n=3")
    assert C.leaf_depth(-1) == math.inf
    assert Table([[0]]).restrict(0, 1).leaf_depth(-1) == 0
    with pytest.raises(InvalidInput, match="Got -1"):
        C.decomposition(-1)
    with pytest.raises(InvalidInput, match="Got -2"):
        C.irreducible(-2)


def test_a_limit_stops_the_search() -> None:
    with pytest.raises(TooLarge, match="100 bytes"):
        catalog.build("cube:n=6").leaf_depth(1, limit=Limit(memory=100))


def test_the_irreducibility_of_a_closed_form_needs_a_table() -> None:
    with pytest.raises(TooLarge):
        catalog.build("points:n=2^64").irreducible(1)
