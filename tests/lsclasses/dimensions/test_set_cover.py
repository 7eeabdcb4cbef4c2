from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsclasses import Limit, Table, TooLarge
from lsclasses.dimensions.growth import sauer_bound
from lsclasses.dimensions.set_cover import max_zero_cover_number, zero_cover_number
from tests import oracles
from tests.strategies import plain, tables


@given(tables(max_concepts=6, max_points=4, min_concepts=0), st.data())
def test_against_the_least_cover_found_by_trying_all(table: Table, data: st.DataObject) -> None:
    # On depth 3 there are 128 labelled trees: only few concepts leave few enough covers to try.
    depth = data.draw(st.integers(0, 3 if len(table) <= 3 else 2))
    size = 2**depth - 1
    tree = data.draw(st.lists(st.sampled_from(table.points), min_size=size, max_size=size))
    assert zero_cover_number(table, tree) == oracles.zero_cover_number(plain(table), tree, depth)


@given(tables(max_concepts=5, max_points=3, min_concepts=0), st.integers(0, 2))
def test_the_largest_over_all_trees_is_attained(table: Table, depth: int) -> None:
    most = max_zero_cover_number(table, depth)
    trees = itertools.product(table.points, repeat=2**depth - 1)
    assert most == oracles.max_zero_cover_number(plain(table), depth)
    assert most == max(zero_cover_number(table, tree) for tree in trees)


@given(tables(max_concepts=20, max_points=6, min_concepts=0), st.integers(0, 7))
def test_sauer_on_trees(table: Table, n: int) -> None:
    d = table.ldim()
    number = max_zero_cover_number(table, n)
    assert number <= sauer_bound(n, d)
    assert number <= len(table)
    assert (number == 2**n) == (n <= d)
    assert max_zero_cover_number(table, n + 1) >= number


@given(tables(max_concepts=14, max_points=5))
def test_shattered_trees_need_the_most(table: Table) -> None:
    tree = table.shattered_tree()
    assert zero_cover_number(table, tree) == 2**tree.depth


def test_limits() -> None:
    cube = Table(list(itertools.product((0, 1), repeat=12)))
    with pytest.raises(TooLarge, match="seconds"):
        zero_cover_number(cube, [j % 12 for j in range(2**12 - 1)], limit=Limit(seconds=0.02))
    with pytest.raises(TooLarge, match="memory"):
        max_zero_cover_number(cube, 12, limit=Limit(memory=1000))
