"""NumPy's search for expected depths, asked directly: its answers, its bounds, its memory."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

from lsclasses import Limit, Table, TooLarge
from lsclasses.dimensions.littlestone import balanced_depth
from lsclasses.limits import Meter
from lsclasses.searching import littlestone_search, version_space
from lsclasses.searching.numpy_engine import NumpyDepths
from tests.lsclasses.searching.conftest import LEVELS
from tests.lsclasses.searching.spaces import rows, space_of, true_depth
from tests.strategies import tables


@pytest.fixture(
    params=[("numpy", 2), ("numpy", 10**9), *itertools.product(LEVELS, (0, 12, 10**9))], ids=str
)
def regime(request, monkeypatch):
    """Normal forms for all version spaces, for some or for none, at each level."""
    level, normal_from = request.param
    if level == "numpy":
        monkeypatch.setattr(version_space, "NORMAL_FORM_FROM_CONCEPTS", normal_from)
        monkeypatch.setattr(littlestone_search, "new_depth_engine", NumpyDepths)
        return
    from lsclasses.searching.native_engine import NativeEngine

    monkeypatch.setattr(
        littlestone_search, "new_depth_engine", lambda points: NativeEngine(level, normal_from)
    )


def test_random_tables_agree_with_the_recursion_in_every_regime(regime):
    @settings(max_examples=10)
    @given(tables(max_concepts=16, max_points=5))
    def check(table):
        assert 2 * table.randomized_ldim() == true_depth(table.labels)

    check()
    for seed in range(2):
        labels = np.random.default_rng(seed).integers(0, 2, (60, 7)) | np.tri(60, 7, dtype=int)
        assert 2 * Table(labels).randomized_ldim() == true_depth(labels)


@pytest.mark.parametrize("normal_from", [2, 12, 1000])
def test_one_engine_answers_for_classes_of_all_sizes_in_any_order(normal_from, monkeypatch):
    monkeypatch.setattr(version_space, "NORMAL_FORM_FROM_CONCEPTS", normal_from)
    search, meter = NumpyDepths(6), Meter(None)
    rng = np.random.default_rng(3)
    for seed, concepts in enumerate(
        rng.permutation([1, 2, 3, 4, 5, 8, 9, 16, 17, 30, 50]).tolist()
    ):
        for density in (0.5, 0.25):
            labels = rows(seed, concepts, 6, density)
            assert search.expected_depth(space_of(labels), meter) == true_depth(labels)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 7, 8, 9, 31, 40])
def test_depths_are_exact_on_as_many_points_as_the_domain_has(n):
    """One concept is peeled off at a time: branches as long as the domain has points."""
    points = np.concatenate([np.zeros((1, n), dtype=int), np.eye(n, dtype=int)])
    assert NumpyDepths(n).expected_depth(space_of(points), Meter(None)) == 2 - Fraction(2, 2**n)
    chain = np.tri(n + 1, n, -1, dtype=int)
    assert NumpyDepths(n).expected_depth(space_of(chain), Meter(None)) == balanced_depth(n + 1)


@pytest.mark.parametrize("order", ["up", "down", "drawn"])
def test_every_answer_below_a_threshold_is_a_bound_and_above_it_the_depth(order):
    """What is told of a version space if only depths above `enough` matter, asked in any order."""
    rng, meter = np.random.default_rng(5), Meter(None)
    for seed in range(8):
        # With few labels 1 counting promises more than there is.
        labels = rows(seed, int(rng.integers(12, 40)), 6, 0.2 if seed % 2 else 0.5)
        space, search = space_of(labels), NumpyDepths(6)
        value = true_depth(labels)
        search.expected_depth(space_of(np.tri(41, 40, -1)), meter)
        search._known.clear()
        exact = int(value * search._one)
        assert Fraction(exact, search._one) == value
        near = [2 * exact, exact + 2, exact + 1, exact, exact - 1, exact // 2, search._one, 0, -1]
        asked = sorted(near, reverse=order == "down")
        if order == "drawn":
            asked = rng.permutation(np.array(near, dtype=object)).tolist()
        for enough in asked:
            told = search._depth(space, enough, meter)
            assert told == exact if exact > enough else exact <= told <= enough


def test_what_is_remembered_is_told_without_a_search(monkeypatch):
    """A bound wherever it is enough, the depth everywhere; and a depth that meets a bound ends it.

    Only what is not known to be at most `enough` has to be searched for.
    """
    meter = Meter(None)
    for seed in range(4):
        labels = rows(seed, 40, 10, 0.15)
        space, search = space_of(labels), NumpyDepths(10)
        exact = int(search.expected_depth(space, meter) * search._one)
        search._known.clear()
        inside, found = [0], []

        def below(*given, search=search, inside=inside, found=found):
            inside[0] += 1
            best = NumpyDepths._depth_below(search, *given)
            inside[0] -= 1
            if not inside[0]:
                found.append(best)
            return best

        monkeypatch.setattr(search, "_depth_below", below)
        # Nothing is deeper: that it is no deeper is what is found, and is enough from there on.
        assert search._depth(space, exact, meter) == exact and set(found) == {exact}
        found.clear()
        for enough in (exact, exact + 1, 2 * exact):
            assert exact <= search._depth(space, enough, meter) <= enough
        assert found == []
        # Something is as deep: roots are tried until one is.
        assert search._depth(space, exact - 1, meter) == exact
        assert found.index(exact) == len(found) - 1
        found.clear()
        for enough in (exact - 1, -1, exact + 1):
            assert search._depth(space, enough, meter) == exact
        assert found == []


def test_sides_too_small_to_be_deep_are_not_searched():
    """F of the one and of the other say whether 1 and their mean can be more than is known."""
    for seed in range(4):
        space, search, meter = space_of(rows(seed, 40, 6, 0.35)), NumpyDepths(6), Meter(None)
        search.expected_depth(space, meter)
        for j in range(len(space.words)):
            sides = [space.side(j, y) for y in (0, 1)]
            counts = [balanced_depth(side.concepts) for side in sides]
            most = search._one + int(sum(counts) * search._one) // 2
            for enough in (most, most + 1, 2 * most):
                search._known.clear()
                assert search._depth_below(*sides, enough, meter) == enough
                assert not search._known


@pytest.mark.parametrize("points", [1, 51, 52, 53, 200])
def test_bounds_are_counted_without_rounding(points):
    """All fractions with 52 binary places; the largest are those of 2^20 concepts."""
    search = NumpyDepths(points)
    for depth in (0.0, 2.0**-52, 0.75, 1 - 2.0**-52, 1 + 2.0**-20, 19 + 2.0**-40, 20.0):
        assert Fraction(search._exact(depth), search._one) == Fraction(depth)


def test_two_sides_are_put_together_whichever_is_larger():
    """1 and the mean of the depths below, if that is more than is known; else what is known."""
    meter = Meter(None)
    for seed in range(3):
        labels = rows(seed, 24, 6, 0.35)
        space, search = space_of(labels), NumpyDepths(6)
        search.expected_depth(space, meter)
        for j, turned in itertools.product(range(len(space.words)), (False, True)):
            sides = [space.side(j, y) for y in ((1, 0) if turned else (0, 1))]
            value = (
                1
                + sum(true_depth(side.columns.T) if side.words else Fraction(0) for side in sides)
                / 2
            )
            exact = int(value * search._one)
            for enough in (exact - 1, exact, exact + 1, search._one, 3 * search._one):
                search._known.clear()
                assert search._depth_below(*sides, enough, meter) == max(enough, exact)


def test_hopes_are_what_counting_says_of_each_column_and_the_next():
    """Of its sides, the best of 1 and the mean of F of two parts; so no less than the depth.

    Where a side has at most three concepts, looking one ahead leaves nothing to hope for.
    """

    def ahead(side: np.ndarray) -> Fraction:
        ones = [(int(column.sum()), len(side)) for column in side.T]
        parts = [(k, m - k) for k, m in ones if 0 < k < m]
        return max((1 + sum(map(balanced_depth, both)) / 2 for both in parts), default=Fraction(0))

    for seed in range(12):
        labels = rows(seed, (5, 9, 14, 40)[seed % 4], 6, 0.35)
        space, search = space_of(labels), NumpyDepths(6)
        search.expected_depth(space, Meter(None))
        columns = space.columns.astype(np.int64)
        hopes = search._hopes(columns.sum(axis=1), columns @ columns.T, space.concepts)
        for column, hope in zip(columns, hopes.tolist(), strict=True):
            sides = [columns.T[column == y] for y in (0, 1)]
            assert Fraction(hope) == 1 + sum(map(ahead, sides)) / 2
            least = 1 + sum(map(true_depth, sides)) / 2
            assert least <= Fraction(hope)
            assert Fraction(hope) <= 1 + sum(balanced_depth(len(side)) for side in sides) / 2
            if max(map(len, sides)) <= 3:
                assert Fraction(hope) == least


def test_what_was_found_is_told_again_without_work():
    labels = rows(1, 80, 7)
    space, search, meter = space_of(labels), NumpyDepths(7), Meter(None)
    value = search.expected_depth(space, meter)
    assert value == true_depth(labels)
    used = meter.used
    assert search.expected_depth(space, meter) == value
    assert meter.used == used
    # Every version space that is remembered has a key and an entry.
    assert used >= 150 * len(search._known)


def test_limits_stop_it_and_leave_what_was_found():
    space, whole = space_of(rows(1, 80, 7)), Meter(None)
    value = NumpyDepths(7).expected_depth(space, whole)
    search = NumpyDepths(7)
    with pytest.raises(TooLarge, match=r"limit of 1e-09 seconds"):
        search.expected_depth(space, Meter(Limit(seconds=1e-9)))
    first = Meter(Limit(memory=whole.used // 2))
    with pytest.raises(TooLarge, match="bytes"):
        search.expected_depth(space, first)
    second = Meter(None)
    assert search.expected_depth(space, second) == value
    assert 0 < second.used < whole.used


def test_branches_deeper_than_the_recursion_limit_are_refused(monkeypatch):
    search = NumpyDepths(400)
    monkeypatch.setattr(search, "_depth", lambda *given: (_ for _ in ()).throw(RecursionError()))
    with pytest.raises(TooLarge, match="recursion limit"):
        search.expected_depth(space_of(np.eye(3)), Meter(None))
