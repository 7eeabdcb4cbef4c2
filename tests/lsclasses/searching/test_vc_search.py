"""The searches for shattered sets, asked directly: they find the first set in the order of balance.

Every test of this file runs on each engine (`tests.lsclasses.searching.conftest`).
"""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
import pytest

from lsclasses import Limit, Table, TooLarge
from lsclasses.dimensions.vc import shattered_set
from lsclasses.limits import Meter
from lsclasses.searching import vc_search
from lsclasses.searching.vc_search import balanced_columns, largest_shattered, shattered_columns
from lsclasses.searching.version_space import VersionSpace
from tests.lsclasses.searching.conftest import NATIVE
from tests.lsclasses.searching.spaces import cube, first_shattered_set, is_shattered, rows, space_of

pytestmark = pytest.mark.usefixtures("engine")


def layer(n: int, k: int) -> np.ndarray:
    return cube(n)[cube(n).sum(axis=1) == k]


def in_order(space: VersionSpace) -> list[int]:
    """Columns that divide the concepts more evenly first."""
    ones = space.columns.sum(axis=1, dtype=int).tolist()
    return sorted(range(len(ones)), key=lambda j: abs(2 * ones[j] - space.concepts))


def first_by_definition(space: VersionSpace, size: int) -> tuple[int, ...] | None:
    found = first_shattered_set(space, in_order(space), size)
    return None if found is None else tuple(space.source[list(found)].tolist())


@cache
def cases() -> list[VersionSpace]:
    """Random classes with sets of 3 to 6 points, and symmetric ones."""
    shapes = [(20, 8, 0.4), (64, 9, 0.5), (65, 9, 0.5), (170, 8, 0.5), (300, 9, 0.4)]
    drawn = [rows(seed, *shape) for seed, shape in enumerate(shapes)]
    layers = [layer(7, 3), layer(8, 3), layer(8, 4)]
    sums = np.array([[*c, *(c + np.roll(c, 1)) % 2] for c in cube(5)])
    tables = [*drawn, *layers, sums, np.eye(9), np.tri(9, 8, -1), cube(4)]
    return [space_of(labels) for labels in tables]


@cache
def wanted(case: int, size: int) -> tuple[int, ...] | None:
    """The first shattered set in one of the cases."""
    return first_by_definition(cases()[case], size)


def give_up_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel gives up its search for shattered sets at once, wherever it may."""
    native = pytest.importorskip("lsclasses.searching.native_engine")
    patient = native.first_shattered

    def impatient(*given, patience=None, **named):
        return None if patience is not None else patient(*given, **named)

    monkeypatch.setattr(native, "first_shattered", impatient)


@pytest.mark.parametrize(
    "regime",
    [
        (100, vc_search.TOGETHER, 80, True),
        (0, vc_search.TOGETHER, 80, False),
        (0, 0, 80, True),
        (2, 500, 0, False),
    ],
)
def test_the_first_set_in_the_order_of_balance_is_found(engine, monkeypatch, regime):
    """By triples and symmetries or without them, cell by cell or all at once."""
    easy, together, triples, patient = regime
    monkeypatch.setattr(vc_search, "EASY_STEPS", easy)
    monkeypatch.setattr(vc_search, "TOGETHER", together)
    monkeypatch.setattr(vc_search, "TRIPLES_UP_TO", triples)
    if not patient and engine == "native":
        give_up_at_once(monkeypatch)
    for i, space in enumerate(cases()):
        for size in range(10):
            found = shattered_columns(space, size, Meter(None))
            assert found == wanted(i, size), (i, size)
            if found is None:
                break
        largest = largest_shattered(space, None, None)
        assert len(largest) == size - 1


def test_sets_of_none_and_one_and_of_more_than_there_are():
    for labels in (np.zeros((0, 3)), np.zeros((1, 3)), np.eye(2, 1), cube(2), cube(3)[1:]):
        space = space_of(labels)
        for size in range(6):
            assert shattered_columns(space, size, Meter(None)) == first_by_definition(space, size)


@pytest.mark.parametrize("concepts", [1, 2, 3, 4, 7, 8, 9, 31, 32, 33])
def test_the_bound_that_progress_begins_with_is_by_counting(concepts):
    """2^k labellings need 2^k concepts and k points."""
    told: list[tuple[int, int]] = []
    for points in (1, 3, 12):
        space = space_of(np.unique(cube(12)[:concepts, :points], axis=0))
        told.clear()
        found = largest_shattered(space, None, lambda *bounds: told.append(bounds))
        lower, upper = told[0]
        assert 1 << upper <= space.concepts and upper <= len(space.words)
        assert lower <= len(found) <= upper and told[-1] == (len(found), len(found))


def test_balanced_columns_are_shattered_or_none_are_told():
    for space in [*cases(), *map(space_of, (cube(6), cube(7), np.zeros((1, 2)), np.eye(2, 1)))]:
        for size in range(9):
            first = tuple(in_order(space)[:size])
            all_of_them = len(first) == size and is_shattered(space, first)
            told = balanced_columns(space, size)
            assert told == (tuple(space.source[list(first)].tolist()) if all_of_them else None)


def test_a_limit_stops_the_search_and_tells_what_is_known():
    space = space_of(np.random.default_rng(0).integers(0, 2, (3000, 60)))
    with pytest.raises(TooLarge, match="seconds"):
        shattered_columns(space, 11, Meter(Limit(seconds=1e-6)))
    with pytest.raises(TooLarge, match=r"So far: \d+ <= VCdim <= 11") as stopped:
        largest_shattered(space, Limit(seconds=0.02), None)
    assert stopped.value.lower < stopped.value.upper == 11


def test_what_is_ruled_out_is_in_no_shattered_set_and_is_charged(monkeypatch):
    """With its images under all symmetries; each is remembered once."""
    space, meter = space_of(layer(7, 3)), Meter(None)
    search = vc_search._ShatteredSets(space, meter)
    search._size = 4
    search._rule_out((0, 1))
    used = meter.used - search._all_symmetries().nbytes
    assert used == 100 * 21 and search._is_ruled_out((3,), np.array([0, 5])).all()
    search._rule_out((5, 2))
    assert meter.used - search._all_symmetries().nbytes == used
    assert not search._is_ruled_out((), np.arange(7)).any()
    assert not search._is_ruled_out((0, 1), np.arange(2, 7)).any()


def symmetric(seed: int) -> np.ndarray:
    """A random class with its images under permutations of the points and complements of some."""
    rng = np.random.default_rng(seed)
    points = int(rng.integers(7, 9))
    moves = [rng.permutation(points) if seed % 2 else np.roll(np.arange(points), 1)]
    blocks = np.arange(points)
    blocks[:3], blocks[3:6] = [3, 4, 5], [0, 1, 2]
    moves += [blocks, np.array([1, 0, *range(2, points)])][: seed % 3]
    found = np.unique(rng.integers(0, 2, (int(rng.integers(1, 40)), points)), axis=0)
    for _ in range(200):
        images = [found[:, move] ^ (seed % 5 == 0) for move in moves]
        larger = np.unique(np.concatenate([found, *images]), axis=0)
        if len(larger) == len(found):
            break
        found = larger
    return found


@pytest.mark.parametrize("engine", NATIVE, indirect=True)
@pytest.mark.parametrize("fixed", [0, 1, 2])
def test_plans_pass_by_no_shattered_set(engine, monkeypatch, fixed):
    """On random symmetric classes, whose symmetries are planned with from the first points on."""
    give_up_at_once(monkeypatch)
    monkeypatch.setattr(vc_search, "FIXED_UP_TO", fixed)
    plans, planned = set(), vc_search._ShatteredSets._planned

    def noted(search, chosen, candidates, place):
        plan = planned(search, chosen, candidates, place)
        if plan != [0]:
            plans.add((len(chosen), search._size))
        return plan

    monkeypatch.setattr(vc_search._ShatteredSets, "_planned", noted)
    for seed in range(15):
        space = space_of(symmetric(seed))
        for size in range(2, 8):
            found = shattered_columns(space, size, Meter(None))
            assert found == first_by_definition(space, size), (seed, size)
            if found is None:
                break
    assert {(fixed, fixed + 3), (fixed, 5), (3, 6)} <= plans


@pytest.mark.parametrize("engine", NATIVE, indirect=True)
@pytest.mark.parametrize("seed", [0, 1, 3, 4])
def test_the_kernel_is_asked_about_one_set_of_each_orbit(engine, monkeypatch, seed):
    """Nor about completions by points that make an image of what has none.

    The class is a random one with its rotations, which are found but for one seed in sixty; it
    shatters five points nowhere.
    """
    give_up_at_once(monkeypatch)
    asked = vc_search._ShatteredSets._completed
    points, refuted = 11, set()
    sets = []

    def completed(search, chosen, candidates):
        sets.append(chosen)
        assert len({*chosen, *candidates.tolist()}) == len(chosen) + len(candidates)
        for y in candidates.tolist():
            parts = (itertools.combinations((*chosen, y), k + 1) for k in range(len(chosen) + 1))
            assert not any(frozenset(part) in refuted for each in parts for part in each)
        found = asked(search, chosen, candidates)
        if found == ():
            turned = ({(x + i) % points for x in chosen} for i in range(points))
            refuted.update(map(frozenset, turned))
        return found

    monkeypatch.setattr(vc_search._ShatteredSets, "_completed", completed)
    drawn = np.random.default_rng(seed).integers(0, 2, (5, points))
    space = space_of(np.unique([np.roll(row, i) for row in drawn for i in range(points)], axis=0))
    assert space.source.tolist() == list(range(points))
    assert shattered_columns(space, 5, Meter(None)) is None
    assert max(map(len, sets)) == vc_search.FIXED_UP_TO
    starts = [frozenset(chosen) for chosen in sets if len(chosen) == vc_search.FIXED_UP_TO]
    assert len(starts) == len(set(starts)) > 1


def test_the_witness_uses_names() -> None:
    C = Table([[0, 0, 1], [0, 1, 0], [0, 1, 1], [0, 0, 0]], domain=["constant", "left", "right"])
    assert shattered_set(C) == ("left", "right")


@pytest.mark.parametrize("points", [20, 55_107, 55_108])
def test_sets_of_many_columns_have_codes_of_their_own(points: int) -> None:
    """Numbers of 64 bits wrap from 55,108 columns on, where sets would share their codes."""
    # The digits of 1, 2, ... below a concept that is 0 everywhere: no column twice, none constant.
    labels = np.arange(1, points + 1) >> np.arange(18)[:, None] & 1
    labels = np.concatenate([np.zeros((1, points), dtype=np.int64), labels])
    space = VersionSpace.of_labels(labels.astype(np.uint8))
    search = vc_search._ShatteredSets(space, Meter(None))
    assert len(space.words) == points
    rng = np.random.default_rng(1)
    sets = [rng.integers(points, size=(50, size)) for size in (1, 2, 3, 4)]
    sets[-1][0] = points - 1
    for chosen in sets:
        ordered = np.sort(chosen, axis=1).tolist()
        exact = [sum((x + 1) * (points + 1) ** i for i, x in enumerate(row)) for row in ordered]
        assert search._codes(chosen).tolist() == exact
