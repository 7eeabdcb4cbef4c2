"""Row reduction over prime fields, against the set of all combinations."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.closed_forms import linear_algebra
from catalog.closed_forms.linear_algebra import Subspace, tuples, zero_subspace

FIELDS = st.sampled_from([2, 3, 5])


def combinations_of(q: int, width: int, vectors: list[tuple[int, ...]]) -> set[tuple[int, ...]]:
    return {
        tuple(
            sum(c * v[i] for c, v in zip(factors, vectors, strict=True)) % q for i in range(width)
        )
        for factors in itertools.product(range(q), repeat=len(vectors))
    }


@st.composite
def spanning_sets(draw: st.DrawFn) -> tuple[int, int, list[tuple[int, ...]]]:
    q = draw(FIELDS)
    width = draw(st.integers(1, 4))
    entry = st.integers(0, q - 1)
    vectors = draw(st.lists(st.tuples(*[entry] * width), max_size=4))
    return q, width, vectors


@pytest.fixture(params=[1, 10**9], ids=["numpy", "python"], autouse=True)
def both_ways(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linear_algebra, "MATRIX_FROM", request.param)


@given(spanning_sets(), st.data())
def test_remainders_and_rows(given_as: tuple, data: st.DataObject) -> None:
    q, width, vectors = given_as
    U = zero_subspace(q, width).spanned(vectors)
    members = combinations_of(q, width, vectors)
    assert q**U.dimension == len(members)
    rows = [U.entries(row) for row in U.rows]
    pivots = [next(i for i, e in enumerate(row) if e) for row in rows]
    assert pivots == sorted(set(pivots))
    for row, pivot in zip(rows, pivots, strict=True):
        assert row in members
        assert [other[pivot] for other in rows] == [int(other == row) for other in rows]
    order = data.draw(st.permutations(vectors))
    assert zero_subspace(q, width).spanned(order) == U
    assert hash(zero_subspace(q, width).spanned(order)) == hash(U)
    remainders = set()
    for v in itertools.product(range(q), repeat=width):
        remainder = U.remainder(U.vector(v))
        assert U.entries(U.vector(v)) == v
        assert (remainder is None) == (v in members)
        if remainder is not None:
            r = U.entries(remainder)
            assert r[next(i for i, e in enumerate(r) if e)] == 1
            assert all(r[pivot] == 0 for pivot in pivots)
            # v and r span the same subspace together with U.
            assert any(
                tuple((c * a - b) % q for a, b in zip(r, v, strict=True)) in members
                for c in range(1, q)
            )
            assert U.extended(remainder) == U.spanned([v]) == U.joined(U.vector(v))
            remainders.add(r)
    points = [U.entries(r) for r in U.projective_points()]
    assert sorted(points) == sorted(remainders)
    assert len(points) == (q ** (width - U.dimension) - 1) // (q - 1)
    assert U.with_rows(U.rows) == U


@given(spanning_sets(), st.data())
def test_combinations(given_as: tuple, data: st.DataObject) -> None:
    q, width, vectors = given_as
    U = zero_subspace(q, width)
    factors = data.draw(st.lists(st.integers(0, q - 1), min_size=4, max_size=4))
    terms = list(zip(factors, vectors, strict=False))
    total = U.combination((c, U.vector(v)) for c, v in terms)
    assert U.entries(total) == tuple(sum(c * v[i] for c, v in terms) % q for i in range(width))


def test_the_largest_field_is_exact() -> None:
    q = 2**31 - 1
    rows = [(1, q - 1, 5, 7), (q - 2, 3, q - 1, 11), (17, 19, q - 23, q - 1)]
    U = zero_subspace(q, 4).spanned(rows)
    assert U.dimension == 3
    v = tuple(sum(c * row[i] for c, row in zip((q - 1, q - 2, 3), rows, strict=True)) % q
              for i in range(4))  # fmt: skip
    assert U.remainder(U.vector(v)) is None
    assert U.remainder(U.vector((*v[:3], (v[3] + 1) % q))) == (0, 0, 0, 1)


def test_tuples() -> None:
    assert list(tuples(2, 0)) == [()]
    assert list(tuples(3, 2)) == list(itertools.product(range(3), repeat=2))
    assert list(itertools.islice(tuples(2**31 - 1, 3), 2)) == [(0, 0, 0), (0, 0, 1)]


def test_subspaces_of_different_spaces_differ() -> None:
    spaces: list[Subspace] = [zero_subspace(2, 2), zero_subspace(2, 3), zero_subspace(3, 2)]
    assert len(set(spaces)) == 3
    assert spaces[0] != "GF(2)^2"
    assert repr(spaces[0].spanned([(0, 1)])) == "<Subspace of GF(2)^2: (0, 1)>"
    assert repr(spaces[2]) == "<Subspace of GF(3)^2: 0>"
