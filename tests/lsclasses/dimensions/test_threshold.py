from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lsclasses import Table
from lsclasses.dimensions.threshold import _staircase, thresholds


def test_every_largest_concept_and_then_every_point_is_tried() -> None:
    """Lines of three that do not begin with the first largest concept, or with its first point."""
    for rows in (["1011", "1010", "0111"], ["010", "111", "001", "110"]):
        C = Table([[int(y) for y in row] for row in rows])
        points, concepts = thresholds(C)
        assert len(points) == len(concepts) == C.threshold_dim() == 3
        for (i, h), (j, x) in itertools.product(enumerate(concepts), enumerate(points)):
            assert C[h](x) == (i <= j)


def test_long_lines_are_found_without_nesting() -> None:
    n = 1100
    C = Table(np.tri(n, n, dtype=np.uint8))
    points, concepts = thresholds(C)
    assert len(points) == len(set(concepts)) == n


@given(st.lists(st.integers(0, 8), max_size=6))
def test_staircase(sizes: list[int]) -> None:
    fits = [
        k
        for k in range(len(sizes) + 1)
        if any(
            all(size >= k - i for i, size in enumerate(order))
            for order in itertools.permutations(sorted(sizes, reverse=True)[:k], k)
        )
    ]
    assert _staircase(sizes) == max(fits)
