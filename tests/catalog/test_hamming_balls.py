"""Hamming balls against distances."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.hamming_balls import HammingBall, HammingBalls
from tests.strategies import plain


def ball(centre, r):
    return {
        y
        for y in itertools.product((0, 1), repeat=len(centre))
        if sum(a != b for a, b in zip(y, centre, strict=True)) <= r
    }


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_distances_to_the_centre(n):
    for r in range(n + 2):
        for ones in range(n + 1):
            centre = (1,) * ones + (0,) * (n - ones)
            assert plain(HammingBall().table(n=n, r=r, ones=ones)) == ball(centre, r)


@given(st.integers(1, 6), st.integers(0, 3), st.integers(1, 4), st.integers(0, 10**20))
def test_a_union_is_made_of_balls(n, r, count, seed):
    centres = plain(HammingBalls().table(n=n, r=0, count=count, seed=seed))
    union = plain(HammingBalls().table(n=n, r=r, count=count, seed=seed))
    assert 1 <= len(centres) <= count
    assert union == set().union(*(ball(centre, r) for centre in centres))


def test_seeds_name_classes():
    def build(seed):
        return HammingBalls().table(n=30, r=1, count=3, seed=seed)

    assert build(4) == build(4)
    assert len({build(seed) for seed in range(5)}) == 5
