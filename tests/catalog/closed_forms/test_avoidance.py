"""The largest flat that avoids points, against all flats."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog
from catalog.closed_forms.linear_algebra import (
    Subspace,
    largest_avoiding,
    subspace_avoiding,
    zero_subspace,
)
from lsclasses import Table

SPACES = [(2, 1), (2, 2), (2, 3), (2, 4), (3, 1), (3, 2), (3, 3), (5, 1), (5, 2), (7, 1)]
FLATS: dict[tuple[int, int], Table] = {
    (q, n): catalog.family("affine").table(q=q, n=n, k=n) for q, n in SPACES
}


def check(q: int, n: int, ones: list[int], zeros: list[int], k: int) -> None:
    """Compare with the flats of dimension at most k that contain `ones` and avoid `zeros`."""
    table = FLATS[q, n]
    hull = zero_subspace(q, n + 1).spanned((1, *table.points[i]) for i in ones)  # type: ignore[misc]
    left = table.labels[:, ones].all(axis=1) & ~table.labels[:, zeros].any(axis=1)
    sizes = table.labels[left].sum(axis=1)
    # A flat of dimension d has q^d points.
    dimensions = [d for d in range(k + 1) if (sizes == q**d).any()]
    if not dimensions or hull.dimension > k + 1:
        return
    avoided = {hull.remainder(hull.vector((1, *table.points[i]))) for i in zeros}  # type: ignore[misc]
    found = largest_avoiding(hull, avoided, k + 1)
    assert found.dimension == dimensions[-1] + 1
    example = subspace_avoiding(hull, avoided, found)
    assert example.dimension == found.dimension
    assert all(example.remainder(row) is None for row in hull.rows)
    assert all(example.remainder(w) is not None for w in avoided)
    # A flat, not a set of directions: some vector (1, x) belongs to it.
    assert example.entries(example.rows[0])[0] == 1


@given(st.data())
def test_random_points(data: st.DataObject) -> None:
    q, n = data.draw(st.sampled_from(SPACES))
    number = q**n
    k = data.draw(st.integers(0, n))
    ones = data.draw(st.lists(st.integers(0, number - 1), max_size=2, unique=True))
    share = data.draw(st.floats(0, 1))
    rng = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    zeros = np.flatnonzero(rng.random(number) < share).tolist()
    check(q, n, ones, zeros, k)


@pytest.mark.parametrize(("q", "n"), [(2, 1), (2, 2), (2, 3), (3, 1), (5, 1)])
def test_all_sets_of_points(q: int, n: int) -> None:
    number = q**n
    for chosen in itertools.product((0, 1), repeat=number):
        zeros = [i for i, bit in enumerate(chosen) if bit]
        for ones in ([], [number - 1]):
            check(q, n, ones, zeros, n)


def test_a_blocking_set_is_as_small_as_bose_and_burton_say() -> None:
    # The nonzero vectors of a (c+1)-dimensional subspace meet all subspaces of codimension c.
    q, n = 3, 6
    hull = zero_subspace(q, n + 1).spanned([(1, *([0] * n))])
    for c in range(3):
        plane = zero_subspace(q, n + 1).spanned(
            tuple(int(i == j) for i in range(n + 1)) for j in range(n - c, n + 1)
        )
        blocking = [
            v for v in zero_subspace(q, n + 1).projective_points() if plane.remainder(v) is None
        ]
        assert len(blocking) == (q ** (c + 1) - 1) // (q - 1)
        assert largest_avoiding(hull, blocking, n + 1).dimension == n - c
        assert largest_avoiding(hull, blocking[1:], n + 1).dimension == n + 1 - c


def test_many_points_that_counting_settles() -> None:
    rng = np.random.default_rng(0)
    hull: Subspace = zero_subspace(2, 65)
    avoided = {hull.vector((1, *rng.integers(2, size=64).tolist())) for _ in range(2000)}
    found = largest_avoiding(hull, avoided, 9)
    assert found.colours is None
    assert found.dimension == 9
    example = subspace_avoiding(hull, avoided, found)
    assert example.dimension == 9
    assert all(example.remainder(w) is not None for w in avoided)
