from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lsclasses import Table
from lsclasses.limits import Meter
from lsclasses.searching.keys import KeyTable
from lsclasses.searching.version_space import VersionSpace
from tests.strategies import tables


def key(table: Table, keys: KeyTable):
    space = VersionSpace.of_labels(table.labels)
    columns = space.columns.astype(int)
    return keys.key(space, Meter(None), columns.sum(axis=1), columns @ columns.T)


def compacted(table: Table) -> list[tuple[int, ...]]:
    """Non-constant columns, one of each and its complement."""
    return sorted(
        {
            min(column, tuple(1 - y for y in column))
            for column in zip(*table.labels.tolist(), strict=True)
        }
        - {(0,) * len(table)}
    )


def isomorphic(A: Table, B: Table) -> bool:
    return len(A) == len(B) and any(
        compacted(Table(A.labels[list(order)])) == compacted(B)
        for order in itertools.permutations(range(len(A)))
    )


@pytest.mark.parametrize("normal_from", [2, 100])
@settings(max_examples=150)
@given(A=tables(max_concepts=5, max_points=3), B=tables(max_concepts=5, max_points=3))
def test_one_key_means_isomorphic(normal_from: int, A: Table, B: Table) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lsclasses.searching.keys.NORMAL_FORM_FROM_CONCEPTS", normal_from)
        keys = KeyTable()
        if key(A, keys) == key(B, keys):
            assert isomorphic(A, B)


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1))
def test_renamings_of_a_random_class_get_one_key(seed: int) -> None:
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, (20, 8), dtype=np.uint8)
    renamed = labels[rng.permutation(20)][:, rng.permutation(8)] ^ rng.integers(0, 2, 8)
    keys = KeyTable()
    assert key(Table(labels), keys) == key(Table(renamed), keys)
