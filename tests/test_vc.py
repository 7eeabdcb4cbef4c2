from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings

from lsclasses import InvalidInput, Table, naive
from lsclasses.dimensions.vc import shattered_set, vcdim
from tests.strategies import plain, tables


def is_shattered(table: Table, points: tuple) -> bool:
    return all(
        not table.given(zip(points, labels, strict=True)).is_empty
        for labels in itertools.product((0, 1), repeat=len(points))
    )


@settings(max_examples=150)
@given(tables(max_concepts=24, max_points=6))
def test_the_witness_is_shattered_and_none_is_larger(table: Table) -> None:
    points = shattered_set(table)
    assert len(set(points)) == len(points) == naive.vcdim(plain(table)) == vcdim(table)
    assert is_shattered(table, points)
    assert list(points) == sorted(points)


def test_the_witness_uses_names() -> None:
    C = Table([[0, 0, 1], [0, 1, 0], [0, 1, 1], [0, 0, 0]], domain=["constant", "left", "right"])
    assert shattered_set(C) == ("left", "right")


def test_the_empty_class_shatters_nothing() -> None:
    with pytest.raises(InvalidInput, match="empty"):
        shattered_set(Table([], domain="ab"))


@pytest.mark.parametrize("seed", range(3))
def test_planted_shattered_sets_are_found(seed: int) -> None:
    """A cube of 4 points hidden among random columns, in a class of higher counting bounds."""
    rng = np.random.default_rng(seed)
    cube = np.array(list(itertools.product((0, 1), repeat=4)), dtype=np.uint8)
    threshold = np.tri(16, 12, dtype=np.uint8)
    labels = np.concatenate([cube, threshold[rng.permutation(16)]], axis=1)
    table = Table(labels[:, rng.permutation(16)])
    assert vcdim(table) == 4
    assert is_shattered(table, shattered_set(table))
