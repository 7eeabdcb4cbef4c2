"""Rectangles on a grid against their definition."""

from __future__ import annotations

import itertools

import pytest

from catalog.rectangles import Rectangles


def is_rectangle(points):
    """Whether a set of grid points holds every point between any two of its points."""
    return all(
        (i, j) in points
        for (i1, j1), (i2, j2) in itertools.product(points, repeat=2)
        for i in range(min(i1, i2), max(i1, i2) + 1)
        for j in range(min(j1, j2), max(j1, j2) + 1)
    )


@pytest.mark.parametrize(("a", "b"), [(1, 1), (1, 4), (4, 1), (2, 2), (2, 4), (3, 3)])
def test_rectangles_are_the_sets_closed_under_betweenness(a, b):
    grid = [(i, j) for i in range(a) for j in range(b)]
    sets = itertools.chain.from_iterable(
        itertools.combinations(grid, size) for size in range(a * b + 1)
    )
    table = Rectangles().table(a=a, b=b)
    assert {c.support for c in table} == {points for points in sets if is_rectangle(set(points))}
    assert table.points == tuple(grid)


def test_a_rectangle_is_named_by_its_rows_and_columns():
    for c in Rectangles().table(a=3, b=4):
        if c.name == ():
            assert c.support == ()
            continue
        (top, bottom), (left, right) = c.name
        assert c.support == tuple(
            (i, j) for i in range(top, bottom + 1) for j in range(left, right + 1)
        )
