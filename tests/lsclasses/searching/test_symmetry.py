"""Symmetries are symmetries, however they were found: by pairs, as products, in orbits."""

from __future__ import annotations

from itertools import permutations, product
from math import factorial

import numpy as np
import pytest

import catalog
from lsclasses.limits import Meter
from lsclasses.searching import symmetry
from lsclasses.searching.symmetry import (
    generators,
    moved_columns,
    orbit,
    orbit_starts,
    point_symmetries,
)
from lsclasses.searching.version_space import VersionSpace
from tests.lsclasses.searching.spaces import HEXAGON, rows, space_of

pytestmark = pytest.mark.usefixtures("engine")

SPECS = ["cube:n=4", "thresholds:n=6", "subsets:n=6,k=2", "points:n=5", "random:m=9,n=5"]


def spaces() -> list[VersionSpace]:
    """Classes with many symmetries, with few, and random ones."""
    named = [catalog.build(spec).to_table().labels for spec in SPECS]
    rng = np.random.default_rng(3)
    few = [np.unique(rng.integers(0, 2, (rng.integers(1, 7), 4)), axis=0) for _ in range(15)]
    pair = np.array([[*a, *b] for a in np.tri(3, 2, -1) for b in np.tri(3, 2, -1)])
    turned = HEXAGON ^ rng.integers(0, 2, 6)
    tables = [*named, HEXAGON, turned, pair, *few]
    return [VersionSpace.of_labels(np.asarray(labels, dtype=np.uint8)) for labels in tables]


SPACES = spaces()


def rotations(patterns: list[str]) -> np.ndarray:
    rows = [np.roll([int(y) for y in p], i) for p in patterns for i in range(len(p))]
    return np.unique(np.array(rows, dtype=np.uint8), axis=0)


def pairs(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    return np.array([[*a, *b] for a in A for b in B], dtype=np.uint8)


CIRCLES = [
    space_of(rotations(["1101000", "1000000"])),
    space_of(pairs(rotations(["110100"]), rotations(["11010"]))),
    space_of(pairs(rotations(["110100"]), np.tri(4, 3, -1))),
]


def row_set(columns: np.ndarray) -> set[tuple[int, ...]]:
    return set(map(tuple, columns.T.tolist()))


def all_symmetries(space: VersionSpace) -> set[tuple[int, ...]]:
    """Every permutation of at most 6 columns that maps the class to itself, by trying all."""
    columns = space.columns
    known = row_set(columns)
    found = set()
    for order in permutations(range(len(columns))):
        moved = np.empty_like(columns)
        moved[list(order)] = columns
        # The first concept becomes some concept, which tells what is complemented.
        images = (moved ^ (moved[:, :1] ^ columns[:, i : i + 1]) for i in range(columns.shape[1]))
        if any(row_set(image) == known for image in images):
            found.add(order)
    return found


def require_kept(space: VersionSpace, asked: list[int]) -> tuple[int, int]:
    """Pairs are symmetries, and each column that is asked about is led to one that is kept.

    How many are kept, and how many must be.
    """
    columns = space.columns
    kept, symmetries = moved_columns(space, asked, Meter(None))
    leads: dict[int, set[int]] = {x: {x} for x in asked}
    for before, after in symmetries:
        image = np.empty_like(columns)
        image[after.order] = columns[before.order] ^ (before.flip ^ after.flip)[:, None]
        assert row_set(image) == row_set(columns)
        for x, z in zip(before.order.tolist(), after.order.tolist(), strict=True):
            leads[x].add(z)
            leads[z].add(x)
    for _ in asked:
        leads = {x: set().union(*(leads[z] for z in leads[x])) for x in asked}
    assert set(kept) <= set(asked)
    assert all(leads[x] & set(kept) for x in asked)
    return len(kept), len({min(leads[x]) for x in asked})


@pytest.mark.parametrize("space", [*SPACES, *CIRCLES])
def test_pairs_are_symmetries_and_lead_to_the_columns_that_are_kept(space: VersionSpace) -> None:
    columns = list(range(len(space.words)))
    kept, needed = require_kept(space, columns)
    # One of the columns that are alike is enough, and of circles fewer than all.
    assert kept == needed or (kept < len(columns) and space in CIRCLES) or space is CIRCLES[0]
    for order in (columns[::-1], np.random.default_rng(1).permutation(columns).tolist()):
        require_kept(space, order)


def test_columns_that_only_look_alike_are_kept() -> None:
    """Among so many random classes are some where counts agree and no symmetry is found."""
    for seed in range(100):
        space = space_of(rows(seed, 8, 5, 0.35))
        require_kept(space, list(range(len(space.words))))


def test_columns_that_are_all_alike_need_one() -> None:
    for spec, most in (("cube:n=4", 1), ("thresholds:n=6", 3), ("subsets:n=6,k=2", 1)):
        space = catalog.build(spec).to_table()._space
        kept, _ = moved_columns(space, range(len(space.words)), Meter(None))
        assert len(kept) == most
    assert len(moved_columns(SPACES[5], range(6), Meter(None))[0]) == 1


def test_few_columns_and_too_many_are_left_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    cube = catalog.build("cube:n=4").to_table()._space
    assert moved_columns(cube, [2], Meter(None)) == ([2], [])
    assert moved_columns(cube, [], Meter(None)) == ([], [])
    assert moved_columns(cube, [1, 3], Meter(None))[0] == [1]
    monkeypatch.setattr(symmetry, "NORMAL_UP_TO_POINTS", 4)
    assert moved_columns(cube, range(4), Meter(None))[0] == [0]
    monkeypatch.setattr(symmetry, "NORMAL_UP_TO_POINTS", 3)
    assert moved_columns(cube, range(4), Meter(None)) == ([0, 1, 2, 3], [])


@pytest.mark.parametrize("space", [space for space in SPACES if len(space.words) <= 6])
def test_every_element_of_the_group_is_found_once_and_nothing_else(space: VersionSpace) -> None:
    """Against all permutations, which are few enough of six points."""
    found = [tuple(p) for p in point_symmetries(space, 4096, Meter(None)).tolist()]
    assert len(set(found)) == len(found)
    assert found[0] == tuple(range(len(space.words)))
    assert set(found) == all_symmetries(space)


@pytest.mark.parametrize("most", [1, 2, 7, 47, 48])
def test_of_too_many_as_many_as_wanted_are_drawn(most: int) -> None:
    """A hexagon has twelve; a square with complements has permutations alone, 24."""
    for space in (SPACES[0], SPACES[5]):
        known = all_symmetries(space)
        found = point_symmetries(space, most, Meter(None))
        assert len(found) == min(most, len(known))
        assert {tuple(p) for p in found.tolist()} <= known
        assert found[0].tolist() == list(range(len(space.words)))


@pytest.mark.parametrize("space", SPACES)
def test_orbits_of_concepts_are_those_of_the_generators(space: VersionSpace) -> None:
    found = generators(space, Meter(None))
    columns, points = space.columns, len(space.words)
    left = set(range(space.concepts))
    for start in orbit_starts(space.concepts, found).tolist():
        assert start == min(left)
        for i, moved in orbit(start, points, found):
            left.remove(i)
            # The points moved so, concept `start` is concept i but for what is complemented.
            image = np.empty_like(columns)
            image[moved] = columns
            turned = image ^ (image[:, start] ^ columns[:, i])[:, None]
            assert row_set(turned) == row_set(columns)
    assert not left


def test_all_symmetries_of_sets_of_one_size_and_none_of_a_random_class() -> None:
    for n in (2, 3, 4):
        sets = space_of([row for row in product((0, 1), repeat=2 * n) if sum(row) == n])
        assert len(point_symmetries(sets, 4096, Meter(None))) == min(factorial(2 * n), 4096)
    drawn = space_of(np.random.default_rng(0).integers(0, 2, (60, 12)))
    assert len(point_symmetries(drawn, 4096, Meter(None))) == 1
