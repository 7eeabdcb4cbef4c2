from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsclasses import Table
from lsclasses.limits import Meter
from lsclasses.searching.engines import VARIABLE
from lsclasses.searching.version_space import (
    NORMAL_FORM_FROM_CONCEPTS,
    NORMAL_FORM_UP_TO_POINTS,
    KeyTable,
    VersionSpace,
)
from tests.lsclasses.searching.spaces import bytes_of
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
@given(A=tables(max_concepts=5, max_points=3), B=tables(max_concepts=5, max_points=3))
def test_one_key_means_isomorphic(normal_from: int, A: Table, B: Table) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lsclasses.searching.version_space.NORMAL_FORM_FROM_CONCEPTS", normal_from)
        keys = KeyTable()
        if key(A, keys) == key(B, keys):
            assert isomorphic(A, B)


@given(st.integers(0, 2**32 - 1))
def test_renamings_of_a_random_class_get_one_key(seed: int) -> None:
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, (20, 8), dtype=np.uint8)
    renamed = labels[rng.permutation(20)][:, rng.permutation(8)] ^ rng.integers(0, 2, 8)
    keys = KeyTable()
    assert key(Table(labels), keys) == key(Table(renamed), keys)


@pytest.mark.parametrize("shape", [(20, 30), (64, 20), (400, 9)])
def test_memory_is_charged_for_what_is_kept_about(
    shape: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of both keys, and once: a space that comes again costs nothing."""
    monkeypatch.setenv(VARIABLE, "numpy")
    rng = np.random.default_rng(0)
    space = VersionSpace.of_labels(rng.integers(0, 2, shape, dtype=np.uint8))
    keys, meter = KeyTable(), Meter(None)
    first = keys.key(space, meter, space.ones, space.both)
    written = (space.concepts, frozenset(space.words))
    assert 0.55 < meter.used / (bytes_of(first) + bytes_of(written)) < 1.12
    used = meter.used
    assert keys.key(space, meter, space.ones, space.both) == first
    assert meter.used == used


def test_small_and_wide_spaces_are_known_by_their_columns_and_cost_nothing() -> None:
    """Few concepts, or too many columns: for these no normal form is sought."""
    fewest, most = NORMAL_FORM_FROM_CONCEPTS, NORMAL_FORM_UP_TO_POINTS
    for concepts, points, normal in [
        (fewest - 1, 4, False),
        (2, 1, False),
        (fewest, 4, True),
        (40, most, True),
        (40, most + 1, False),
    ]:
        numbers = np.arange(1, points + 1)[:, None] >> np.arange(concepts - 1) & 1
        labels = np.zeros((concepts, points), dtype=np.uint8)
        labels[1:] = numbers.T
        space = VersionSpace.of_labels(labels)
        assert (space.concepts, len(space.words)) == (concepts, points)
        meter = Meter(None)
        found = KeyTable().key(space, meter, space.ones, space.both)
        assert (meter.used > 0) == normal
        assert (found == (concepts, frozenset(space.words))) == (not normal)
