"""Sets of given sizes against their definition."""

from __future__ import annotations

import itertools

import pytest

from catalog.subsets import AtMost, Cube, Subsets


def labellings(n, sizes):
    return {y for y in itertools.product((0, 1), repeat=n) if sum(y) in sizes}


def plain(table):
    return {tuple(c.labels.tolist()) for c in table}


@pytest.mark.parametrize(("n", "k"), [(n, k) for n in range(1, 6) for k in range(n + 1)])
def test_sizes(n, k):
    assert plain(Subsets().table(n=n, k=k)) == labellings(n, {k})
    assert plain(AtMost().table(n=n, k=k)) == labellings(n, set(range(k + 1)))


@pytest.mark.parametrize("n", range(1, 6))
def test_the_cube_has_every_labelling(n):
    assert plain(Cube().table(n=n)) == labellings(n, set(range(n + 1)))


@pytest.mark.parametrize("table", [Subsets().table(n=5, k=2), AtMost().table(n=4, k=3)])
def test_a_set_is_named_by_its_members(table):
    assert all(c.name == c.support for c in table)
