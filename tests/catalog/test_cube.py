"""The points of the cube."""

from __future__ import annotations

import itertools

import pytest

from catalog.cube import cube_points, cube_vectors


@pytest.mark.parametrize("n", range(6))
def test_points_and_vectors_are_in_the_same_order(n):
    assert cube_points(n) == list(itertools.product((0, 1), repeat=n))
    assert cube_vectors(n).shape == (2**n, n)
    assert list(map(tuple, cube_vectors(n).tolist())) == cube_points(n)
    signed = [tuple(1 if x == 1 else -1 for x in point) for point in cube_points(n)]
    assert cube_points(n, signed=True) == signed
