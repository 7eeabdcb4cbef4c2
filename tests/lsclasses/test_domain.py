"""Domains: order, membership, and what they say about themselves in errors."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.playing.features import SignVectors
from lsclasses import (
    Domain,
    FiniteDomain,
    IntegerRange,
    InvalidInput,
    TaggedUnion,
    TooLarge,
    Vectors,
)
from tests.strategies import equal_names

lists_of_points = st.lists(
    st.integers() | st.text() | st.tuples(st.integers(), st.integers()), unique=True, min_size=1
)


class Naturals(Domain):
    def __repr__(self) -> str:
        return "Naturals()"

    @property
    def size(self) -> None:
        return None

    def __contains__(self, x: object) -> bool:
        return isinstance(x, int) and x >= 0

    def __iter__(self) -> Iterator[int]:
        x = 0
        while True:
            yield x
            x += 1


@given(lists_of_points)
def test_a_finite_domain_is_its_list_of_points(points: list[object]) -> None:
    X = FiniteDomain(points)
    assert list(X) == points
    assert X.size == len(X) == len(points)
    for j, x in enumerate(points):
        assert x in X
        assert X.index(x) == j
        assert X[j] == X.require(x) == x


@given(lists_of_points, st.randoms(use_true_random=False))
def test_domains_are_equal_when_the_points_and_their_order_are(
    points: list[object], random: object
) -> None:
    again = list(points)
    random.shuffle(again)  # type: ignore[attr-defined]
    assert FiniteDomain(points) == FiniteDomain(tuple(points))
    assert hash(FiniteDomain(points)) == hash(FiniteDomain(tuple(points)))
    assert (FiniteDomain(points) == FiniteDomain(again)) == (points == again)


def test_strange_objects_are_no_points() -> None:
    assert all(wrong not in FiniteDomain("ab") for wrong in ("c", ["a"], {}))


class Halves(Naturals):
    """Multiples of 1/2; a new domain says which objects are points, and nothing else."""

    def __contains__(self, x: object) -> bool:
        return isinstance(x, (int, float, Fraction)) and (2 * x) % 1 == 0


EVERYWHERE = [
    FiniteDomain([0, 1.0, "ß", ("a", True), 0.5]),
    IntegerRange(0, 3),
    Vectors(3, 2),
    SignVectors(2),
    Halves(),
    TaggedUnion(IntegerRange(0, 2), FiniteDomain([0, 1.0, 0.5]), Halves()),
]


@pytest.mark.parametrize("X", EVERYWHERE, ids=repr)
@given(st.data())
def test_equal_points_are_required_to_one_object(X: Domain, data: st.DataObject) -> None:
    listed = list(X) if X.size else [0, 0.5, 1, (0, 1), (1, 0.5), (2, 1.0)]
    point = data.draw(st.sampled_from([x for x in listed if x in X]))
    other = data.draw(equal_names(point))
    with suppress(InvalidInput):  # some domains take integers only: then it is refused by itself
        found = X.require(other)
        assert found == point
        assert repr(found) == repr(X.require(point))


# ---- domains that are not enumerated


@given(st.integers(-5, 5), st.integers(1, 6), st.integers(-10, 12))
def test_integer_ranges_are_ranges(start: int, size: int, x: int) -> None:
    X = IntegerRange(start, start + size)
    assert list(X) == list(range(start, start + size))
    assert X.size == size
    assert (x in X) == (x in range(start, start + size))
    assert (np.int64(x) in X) == (x in X)


def test_infinite_ranges() -> None:
    X = IntegerRange(3)
    assert X.size is None
    assert 10**100 in X
    assert 2 not in X


@pytest.mark.parametrize(("q", "n"), [(1, 2), (2, 1), (2, 3), (3, 2)])
def test_vectors_are_a_product(q: int, n: int) -> None:
    X = Vectors(q, n)
    assert list(X) == list(itertools.product(range(q), repeat=n))
    assert X.size == q**n
    assert all(x in X for x in X)
    for wrong in ((0,) * (n + 1), (q,) * n, (-1,) * n, 0, "0" * n, ((0,),) * n):
        assert wrong not in X


@pytest.mark.parametrize("X", [IntegerRange(0, 2), Vectors(2, 2), IntegerRange(0)], ids=repr)
def test_points_are_made_plain(X: Domain) -> None:
    x = (0, 1) if isinstance(X, Vectors) else 1
    for spelled in (x, np.array(x), np.array(x)[()], (False, True) if x == (0, 1) else True):
        point = X.require(spelled)
        assert point == x
        assert type(point) is type(x)


def test_a_listed_domain_equals_its_list() -> None:
    for X in (IntegerRange(2, 5), Vectors(2, 2)):
        listed = FiniteDomain(X)
        assert listed == X
        assert X.__eq__(listed)
        assert hash(X) == hash(listed)
        assert FiniteDomain(reversed(list(X))) != X
        assert FiniteDomain(list(X)[1:]) != X
    assert IntegerRange(0, 4) != Vectors(2, 2)
    assert IntegerRange(0) != IntegerRange(0, 5)
    assert IntegerRange(0, 2**80) == IntegerRange(0, 2**80)
    assert IntegerRange(0) != FiniteDomain([0]) != Naturals()
    assert IntegerRange(0) != 0


@pytest.mark.parametrize(
    "domain",
    [
        FiniteDomain("cab"),
        IntegerRange(3, 20),
        IntegerRange(-4),
        Naturals(),
        Vectors(2, 9),
        Vectors(3, 4),
        SignVectors(3),
        TaggedUnion(FiniteDomain("ab"), Vectors(2, 2), IntegerRange(0, 3)),
        TaggedUnion(IntegerRange(0), FiniteDomain("ab"), Naturals(), Vectors(2, 1)),
    ],
    ids=repr,
)
def test_points_stand_at_the_positions_of_the_enumeration(domain: Domain) -> None:
    for i, x in enumerate(itertools.islice(domain, 600)):
        assert domain.point(i) == x
        assert domain.index(x) == i


def test_positions_are_found_without_a_walk_where_they_are_known() -> None:
    for domain in (Vectors(2, 200), Vectors(7, 50), IntegerRange(5), TaggedUnion(Vectors(2, 99))):
        for i in (0, 1, 2**70, 3**50):
            assert domain.index(domain.point(i)) == i


def test_an_endless_walk_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lsclasses.domain.WALK_LIMIT", 100)
    for ask in (Naturals().index, Naturals().point):
        with pytest.raises(TooLarge, match="100"):
            ask(10**9)
