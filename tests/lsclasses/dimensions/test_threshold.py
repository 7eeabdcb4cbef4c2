from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lsclasses import Table, naive
from lsclasses.dimensions.threshold import _staircase, threshold_dim, thresholds
from tests.strategies import plain, tables


@given(tables(max_concepts=12, max_points=6, min_concepts=0))
def test_the_witness_is_a_line_of_thresholds_and_none_is_longer(table: Table) -> None:
    points, concepts = thresholds(table)
    k = len(points)
    assert len(concepts) == k == naive.threshold_dim(plain(table)) == threshold_dim(table)
    for (i, h), (j, x) in itertools.product(enumerate(concepts), enumerate(points)):
        assert table[h](x) == (i <= j)


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
