"""What a search tells besides yes and no: dimensions, roots, and what counting rules out."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsclasses import Table
from lsclasses.searching import littlestone_search, look_ahead, version_space
from lsclasses.searching.littlestone_search import LittlestoneSearch
from lsclasses.searching.look_ahead import Candidates, candidates
from lsclasses.searching.numpy_engine import NumpyEngine
from lsclasses.searching.products import split
from lsclasses.searching.search_bounds import Bounds
from lsclasses.searching.version_space import VersionSpace
from tests.lsclasses.searching.conftest import LEVELS
from tests.lsclasses.searching.spaces import ldim_of, true_ldim


def drawn(seed: int) -> VersionSpace:
    """Random concepts, in half of the cases with all labellings of some points among them."""
    rng = np.random.default_rng(seed)
    points = int(rng.integers(2, 8))
    labels = rng.random((int(rng.integers(1, 50)), points)) < rng.choice([0.2, 0.5])
    if rng.random() < 0.5:
        cube = np.array(list(np.ndindex(*[2] * int(rng.integers(1, min(points, 6) + 1)))))
        labels = np.concatenate([labels, np.pad(cube, ((0, 0), (0, points - cube.shape[1])))])
    return VersionSpace.of_labels(np.unique(labels.astype(np.uint8), axis=0))


REGIMES = ["usual", "normal forms", "no triples", "both"]


@pytest.fixture(params=[*REGIMES, *((level, n) for level in LEVELS for n in (200, 0))], ids=str)
def regime(request, monkeypatch):
    """Small tables do not reach the regimes meant for large ones unless forced to."""
    if isinstance(request.param, tuple):
        from lsclasses.searching.native_engine import NativeEngine

        monkeypatch.setattr(littlestone_search, "new_engine", lambda: NativeEngine(*request.param))
        return
    monkeypatch.setattr(littlestone_search, "new_engine", NumpyEngine)
    if request.param in ("normal forms", "both"):
        monkeypatch.setattr(NumpyEngine, "normal_from_concepts", 0)
    if request.param in ("no triples", "both"):
        monkeypatch.setattr(look_ahead, "TRIPLES_WORK", -1)


def test_a_table_and_its_restrictions_agree_with_the_recursion_in_every_regime(regime):
    """On one memory for all of them."""
    rng = np.random.default_rng(7)
    tables = [Table(rng.random((120, 9)) < density) for density in (0.2, 0.8)]
    for table in (*tables, Table(rng.integers(0, 2, (60, 7)))):
        assert table.ldim() == true_ldim(table.labels)
    for x, y in itertools.product(table.points, (0, 1)):
        part = table.restrict(x, y)
        assert part._search is table._search
        assert part.ldim() == true_ldim(part.labels)


seeds = st.integers(0, 2**32 - 1)


@pytest.mark.parametrize("packed", [False, True])
@given(seed=seeds)
def test_dimensions_are_those_of_the_recursion(packed: bool, seed: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        if packed:
            patch.setattr(version_space, "UNPACKED_UP_TO", -1)
        space = drawn(seed)
        told: list[tuple[int, int]] = []
        bounds = Bounds("Ldim", 0, space.concepts.bit_length() - 1, lambda *b: told.append(b))
        LittlestoneSearch().decide(space, bounds, None)
        assert (
            bounds.lower == bounds.upper == ldim_of(space) == LittlestoneSearch().dimension(space)
        )
        # Bounds only ever improve, and are true at any time.
        assert all(low <= ldim_of(space) <= high for low, high in told)
        assert told == sorted(told, key=lambda pair: (pair[0], -pair[1]))


def test_where_the_bound_by_two_sides_is_not_the_value_the_search_goes_on() -> None:
    """A part of a product, as deep as log2 of its size allows by its sides, but not in truth."""
    rows = (16, 17, 18, 19, 20, 33, 34, 36, 41, 42, 44, 49, 52, 57, 59, 60)
    labels = np.array([[int(y) for y in f"{row:06b}"] for row in rows], dtype=np.uint8)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(version_space, "UNPACKED_UP_TO", -1)
        space = VersionSpace.of_labels(labels)
        sides = split(space)
        assert sides is not None and sum(ldim_of(space.side(*side)) for side in sides) == 4
        assert LittlestoneSearch().dimension(space) == ldim_of(space) == 3


@pytest.mark.parametrize("packed", [False, True])
@given(seed=seeds)
def test_the_root_is_the_most_balanced_column_both_sides_of_which_are_deep_enough(
    packed: bool, seed: int
) -> None:
    """Of packed version spaces depth 4 is not decided by counting, and sides are searched."""
    with pytest.MonkeyPatch.context() as patch:
        if packed:
            patch.setattr(version_space, "UNPACKED_UP_TO", -1)
        _require_roots(drawn(seed))


def _require_roots(space: VersionSpace) -> None:
    depth, search = ldim_of(space), LittlestoneSearch()
    balance = np.abs(2 * space.ones - space.concepts)
    order = sorted(range(len(space.words)), key=lambda j: (balance[j], j))
    for k in range(1, depth + 1):
        expected = next(j for j in order if min(ldim_of(space.side(j, y)) for y in (0, 1)) >= k - 1)
        assert search.root_column(space, k) == expected


@given(seed=seeds)
def test_counting_rules_out_what_has_no_candidates(seed):
    space, search = drawn(seed), LittlestoneSearch()
    for k in range(1, 7):
        out = search.counted_out(space, k)
        assert out == (not candidates(space, k, search._meter).columns)
        assert not out or ldim_of(space) < k
        # Depths up to 3 are decided.
        assert k > 3 or out == (ldim_of(space) < k)
    assert not search.counted_out(space, 0)
    one = VersionSpace.of_labels(np.zeros((1, 2), dtype=np.uint8))
    assert not search.counted_out(one, 0) and search.counted_out(one, 1)
    empty = VersionSpace.of_labels(np.zeros((0, 2), dtype=np.uint8))
    assert search.counted_out(empty, 0) and search.counted_out(empty, 1)


def test_the_version_space_of_the_table_that_was_asked_last_is_kept() -> None:
    search = LittlestoneSearch()
    one, other = (np.packbits(np.eye(n, dtype=np.uint8), axis=1) for n in (3, 4))
    first = search.space(one, 3)
    assert search.space(one, 3) is first
    assert len(search.space(other, 4).words) == 4
    assert search.space(one, 3) is not first and len(search.space(one, 3).words) == 3


@pytest.mark.parametrize("first", [0, 1])
def test_a_root_needs_both_sides_whatever_counting_leaves_and_whichever_is_asked_first(
    first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counting rules nothing out here, so that all that is told is found on the two sides."""

    def uncounted(space: VersionSpace, k: int, meter: object) -> Candidates:
        balance = np.abs(2 * space.ones - space.concepts)
        order = np.argsort(balance, kind="stable").tolist()
        return Candidates(order, [first] * len(order), enough=False)

    monkeypatch.setattr(littlestone_search, "candidates", uncounted)
    for seed in range(8):
        _require_roots(drawn(seed))
