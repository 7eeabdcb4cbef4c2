from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given

from lsclasses import Table, naive
from lsclasses.dimensions.vc import shattered_set, vcdim
from lsclasses.limits import Meter
from lsclasses.searching import vc
from lsclasses.searching.version_space import VersionSpace
from tests.strategies import plain, tables

pytestmark = pytest.mark.usefixtures("engine")


def is_shattered(table: Table, points: tuple) -> bool:
    return all(
        not table.given(zip(points, labels, strict=True)).is_empty
        for labels in itertools.product((0, 1), repeat=len(points))
    )


@given(tables(max_concepts=24, max_points=6))
def test_the_witness_is_shattered_and_none_is_larger(table: Table) -> None:
    points = shattered_set(table)
    assert len(set(points)) == len(points) == naive.vcdim(plain(table)) == vcdim(table)
    assert is_shattered(table, points)
    assert list(points) == sorted(points)


def test_the_witness_uses_names() -> None:
    C = Table([[0, 0, 1], [0, 1, 0], [0, 1, 1], [0, 0, 0]], domain=["constant", "left", "right"])
    assert shattered_set(C) == ("left", "right")


@pytest.mark.parametrize("points", [20, 55_107, 55_108, 65_536, 200_000])
def test_sets_of_many_columns_have_codes_of_their_own(points: int) -> None:
    """Numbers of 64 bits wrap from 55,108 columns on, where sets would share their codes."""
    # The digits of 1, 2, ... below a concept that is 0 everywhere: no column twice, none constant.
    labels = np.arange(1, points + 1) >> np.arange(18)[:, None] & 1
    labels = np.concatenate([np.zeros((1, points), dtype=np.int64), labels])
    space = VersionSpace.of_labels(labels.astype(np.uint8))
    search = vc._ShatteredSets(space, Meter(None))
    assert len(space.words) == points
    rng = np.random.default_rng(1)
    sets = [rng.integers(points, size=(50, size)) for size in (1, 2, 3, 4)]
    sets[-1][0] = points - 1
    for chosen in sets:
        ordered = np.sort(chosen, axis=1).tolist()
        exact = [sum((x + 1) * (points + 1) ** i for i, x in enumerate(row)) for row in ordered]
        assert search._codes(chosen).tolist() == exact
