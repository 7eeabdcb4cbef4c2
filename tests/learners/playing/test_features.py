"""Boolean features against their tables."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from catalog.cube import cube_points
from catalog.decision_lists import short_conjunctions
from learners.playing.base.state import IntegerVector
from learners.playing.features import Literals, ShortConjunctions, SignVectors
from lsclasses import FiniteDomain, Table, Vectors
from tests.strategies import GivenFeatures


@pytest.mark.parametrize("monotone", [False, True])
@pytest.mark.parametrize(("n", "k"), [(1, 1), (2, 1), (3, 2), (4, 3), (3, 9)])
def test_short_conjunctions_are_those_of_the_catalog(n: int, k: int, monotone: bool) -> None:
    features = ShortConjunctions(n, k, monotone=monotone)
    table = short_conjunctions(n, k, monotone=monotone)
    assert features.domain == table.domain
    assert features.count == len(table)
    for x in table.points:
        assert features.values(x).tolist() == table.column(x).astype(bool).tolist()
        assert GivenFeatures(table).values(x).tolist() == table.column(x).tolist()


def test_literals() -> None:
    for signed in (False, True):
        features = Literals(3, signed=signed)
        assert features.domain == FiniteDomain(cube_points(3, signed=signed))
        for x in features.domain:
            assert features.values(x).tolist() == [e == 1 for e in x]  # type: ignore[attr-defined]


def test_sign_vectors() -> None:
    X = SignVectors(3)
    assert list(X) == list(itertools.product((-1, 1), repeat=3)) == cube_points(3, signed=True)
    assert X.size == 8
    assert FiniteDomain(cube_points(3, signed=True)) == X
    assert Vectors(2, 3) != X
    assert X.require([np.int64(-1), 1, True]) == (-1, 1, 1)
    rng = np.random.default_rng(0)
    assert {X.sample(rng) for _ in range(200)} == set(X)
    assert SignVectors(10_000).size == 2**10_000


def test_features_are_compared_by_what_they_are() -> None:
    assert Literals(3) == Literals(3)
    assert hash(Literals(3)) == hash(Literals(3))
    assert len({Literals(3), Literals(3, signed=True), Literals(4), ShortConjunctions(3, 1)}) == 4
    assert ShortConjunctions(2, 5) == ShortConjunctions(2, 2)
    rows = [[0, 1], [1, 1]]
    assert GivenFeatures(Table(rows)) == GivenFeatures(Table(rows))
    # The same functions in another order are numbered otherwise.
    assert GivenFeatures(Table(rows)) != GivenFeatures(Table(rows[::-1]))


def test_integer_vectors() -> None:
    v = IntegerVector.of(np.array([5, -2]))
    assert v.array.tolist() == [5, -2]
    assert (v == IntegerVector.of(np.array([5.0, -2.0])), v == IntegerVector()) == (True, False)
    with pytest.raises(ValueError, match="read-only"):
        v.array[0] = 3
