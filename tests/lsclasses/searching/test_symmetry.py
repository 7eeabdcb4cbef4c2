from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given

import catalog
from lsclasses import Table
from lsclasses.limits import Meter
from lsclasses.searching.symmetry import generators, orbit, orbit_starts, point_symmetries
from lsclasses.searching.version_space import VersionSpace
from tests.strategies import tables


def is_symmetry(columns: np.ndarray, permutation: np.ndarray) -> bool:
    """Whether moving the columns, and complementing some, gives the same set of concepts."""
    rows = {tuple(row) for row in columns.T.tolist()}
    moved = np.empty_like(columns)
    moved[permutation] = columns
    # The first concept must become some concept, which says what is complemented.
    return any(
        {tuple(row) for row in (moved ^ (moved[:, :1] ^ columns[:, i : i + 1])).T.tolist()} == rows
        for i in range(columns.shape[1])
    )


def symmetries(labels: np.ndarray, most: int = 4096) -> tuple[np.ndarray, np.ndarray]:
    space = VersionSpace.of_labels(np.asarray(labels, dtype=np.uint8))
    return space.columns, point_symmetries(space, most, Meter(None))


@given(tables(max_concepts=10, max_points=5))
def test_only_symmetries_each_once(table: Table) -> None:
    columns, found = symmetries(table.labels)
    assert found[0].tolist() == list(range(len(columns)))
    assert len({tuple(p) for p in found.tolist()}) == len(found)
    assert all(is_symmetry(columns, p) for p in found)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_all_symmetries_of_sets_of_one_size(n: int) -> None:
    rows = [row for row in itertools.product((0, 1), repeat=2 * n) if sum(row) == n]
    columns, found = symmetries(np.array(rows))
    assert len(found) == math.factorial(2 * n) if n < 4 else len(found) == 4096
    assert all(is_symmetry(columns, p) for p in found[:: max(1, len(found) // 20)])


def test_thresholds_can_only_be_reversed() -> None:
    _, found = symmetries(np.tri(9, 8, -1))
    assert found.tolist() == [list(range(8)), list(range(7, -1, -1))]


def test_a_random_class_has_none() -> None:
    _, found = symmetries(np.random.default_rng(0).integers(0, 2, (60, 12)))
    assert len(found) == 1


@given(tables(max_concepts=10, max_points=5))
def test_concepts_move_with_the_points(table: Table) -> None:
    space = VersionSpace.of_labels(table.labels)
    for g in generators(space, Meter(None)):
        assert sorted(g.concepts.tolist()) == list(range(len(table)))
        moved = np.empty_like(space.columns)
        moved[g.points] = space.columns
        became = space.columns[:, g.concepts]
        # Concept i, its points moved, is concept g.concepts[i] but for what is complemented.
        assert all(len(set(row)) == 1 for row in (moved ^ became).tolist())


@pytest.mark.parametrize(
    ("spec", "orbits"),
    [("cube:n=4", 3), ("subsets:n=6,k=3", 1), ("thresholds:n=9", 5), ("random:m=40,n=9", 39)],
)
def test_orbits_of_concepts(spec: str, orbits: int) -> None:
    table = catalog.build(spec).to_table()
    found = generators(table._space, Meter(None))
    starts = orbit_starts(len(table), found).tolist()
    points = len(table._space.words)
    members = [[i for i, _ in orbit(start, points, found)] for start in starts]
    assert sorted(itertools.chain(*members)) == list(range(len(table)))
    assert [min(orbit) for orbit in members] == starts
    assert len(starts) == orbits
