"""Point functions, sets of exactly and of at most k points, and all sets, in closed form."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog
from catalog.closed_forms.counted_sets import CountedSets
from catalog.closed_forms.exceptions import AllBut
from learners.coins import SeededCoins
from learners.playing.adversaries import Optimal
from learners.playing.play import play, replay
from lsclasses import Concept, FiniteDomain, IntegerRange, Table, Vectors
from lsclasses.soa import SOA
from tests.catalog.closed_forms.closed_form_checks import check_all, check_streams


@pytest.mark.parametrize("empty", [0, 1])
@pytest.mark.parametrize("n", [1, 2, 4])
def test_point_functions(n: int, empty: int) -> None:
    closed = CountedSets(IntegerRange(0, n), 1 - empty, 1)
    check_all(closed, catalog.family("points").table(n=n, empty=empty), max_states=200)


@pytest.mark.parametrize(
    ("n", "k"),
    [
        pytest.param(n, k, marks=pytest.mark.slow if n > 3 else ())
        for n in range(1, 6)
        for k in range(n + 1)
    ],
)
def test_sets_of_exactly_and_of_at_most_k_points(n: int, k: int) -> None:
    X = IntegerRange(0, n)
    check_all(CountedSets(X, k, k), catalog.family("subsets").table(n=n, k=k), max_states=150)
    check_all(CountedSets(X, 0, k), catalog.family("at-most").table(n=n, k=k), max_states=150)


@pytest.mark.parametrize("n", [1, 3])
def test_all_sets(n: int) -> None:
    check_all(CountedSets(IntegerRange(0, n), 0), catalog.family("cube").table(n=n))


@given(st.integers(1, 7), st.data())
def test_any_bounds_on_any_domain(n: int, data: st.DataObject) -> None:
    least = data.draw(st.integers(0, n), label="least")
    most = data.draw(st.integers(least, n), label="most")
    X = FiniteDomain([f"p{j}" for j in range(n)])
    sets = [
        chosen
        for size in range(least, most + 1)
        for chosen in itertools.combinations(X.points, size)
    ]
    closed, table = CountedSets(X, least, most), Table.from_sets(X, sets)
    assert closed.to_table() == table
    check_streams(closed, table, length=12, streams=2, seed=n)


def test_huge_domains() -> None:
    C = CountedSets(Vectors(2, 64), 0, 1)
    zero, one = (0,) * 64, (1,) * 64
    assert (C.size, C.ldim(), C.vcdim(), C.dual_ldim(), C.star_number()) == (
        2**64 + 1, 1, 1, 1, 2**64,
    )  # fmt: skip
    assert C.restrict(zero, 0).ldim() == 1
    left = C.restrict(one, 1)
    assert (left.size, left.ldim()) == (1, 0)
    assert left.soa().disagreement(C.soa()) == one
    assert left.restrict(zero, 1).is_empty
    tree = CountedSets(IntegerRange(0, 2**64), 2, 7).shattered_tree()
    assert tree.depth == 7
    tree.verify(CountedSets(IntegerRange(0, 2**64), 2, 7))


def test_sets_of_almost_all_points() -> None:
    n = 2**64
    C = CountedSets(IntegerRange(0, n), n - 3, n - 1)
    assert (C.ldim(), C.size) == (3, n + math.comb(n, 2) + math.comb(n, 3))
    C.shattered_tree().verify(C)
    assert C.soa()(5) == 1
    target = C.sample(rng=0)
    assert 1 <= len(target.exceptional_points) <= 3
    assert target(target.exceptional_points[0]) == 0


def test_infinite_domains() -> None:
    points = CountedSets(IntegerRange(0), 1, 1)
    assert points.size is None
    assert (points.ldim(), points.vcdim(), points.randomized_ldim()) == (1, 1, 1)
    assert points.restrict(3, 0).ldim() == 1
    assert points.restrict(3, 1).size == 1
    points.shattered_tree().verify(points)
    sets = CountedSets(IntegerRange(0), 3, 5)
    assert sets.ldim() == 5
    target = sets.sample(rng=3)
    assert 3 <= len(target.exceptional_points) <= 5
    rounds = replay(SOA(sets), sets.sample_stream(200, 4, target=target))
    assert rounds[-1].mistakes <= 5
    assert play(SOA(sets), Optimal(sets), 5, SeededCoins(1)).mistakes == 5


def test_uniform_concepts_after_most_points_are_excluded() -> None:
    C = CountedSets(IntegerRange(0, 1000), 1, 1).given((x, 0) for x in range(990))
    assert isinstance(C, CountedSets)
    drawn = {C.sample(rng=seed).exceptional_points for seed in range(200)}
    assert drawn == {(x,) for x in range(990, 1000)}


# ---- labellings that are constant but for some points


@given(
    st.integers(1, 6),
    st.lists(st.tuples(st.integers(0, 1), st.sets(st.integers(0, 5))), max_size=4),
)
def test_all_but_are_equal_iff_their_labels_are(
    n: int, given_as: list[tuple[int, set[int]]]
) -> None:
    X = IntegerRange(0, n)
    labellings = [AllBut(X, label, [x for x in points if x < n]) for label, points in given_as]
    for h, (label, points) in zip(labellings, given_as, strict=True):
        labels = [label ^ (x in points) for x in X]
        assert [h(x) for x in X] == labels
        assert h.disagreement(Concept.from_labels(FiniteDomain(X), labels)) is None
    for g, h in itertools.product(labellings, repeat=2):
        assert (g == h) == all(g(x) == h(x) for x in X)
        assert g != h or hash(g) == hash(h)
        x = g.disagreement(h)
        assert (x is None) == (g == h)
        assert x is None or g(x) != h(x)


def test_opposite_labels_on_infinite_domains_differ() -> None:
    X = IntegerRange(0)
    assert AllBut(X, 0, [0, 1]).disagreement(AllBut(X, 1, [2])) == 3
    assert AllBut(X, 0, [0, 1]) != AllBut(X, 1, [0, 1])
