from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings

from lsclasses import Table
from lsclasses.limits import Meter
from lsclasses.searching.symmetry import point_symmetries
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


@settings(max_examples=100)
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
