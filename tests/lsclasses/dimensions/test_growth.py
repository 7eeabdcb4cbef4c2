from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lsclasses import Table
from lsclasses.dimensions import growth
from lsclasses.dimensions.growth import growth_function, sauer_bound
from tests import oracles
from tests.strategies import plain, tables


@pytest.mark.parametrize("batch", [0, 40, growth.BATCH])
@given(table=tables(max_concepts=20, max_points=6))
def test_with_and_without_batches(batch: int, table: Table) -> None:
    """With small batches the branch and bound goes all the way down."""
    expected = tuple(oracles.growth_function(plain(table), n) for n in range(len(table.points) + 1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(growth, "BATCH", batch)
        assert growth_function(table) == expected


@settings(max_examples=10)
@given(st.integers(0, 2**32 - 1))
def test_wide_words(seed: int) -> None:
    """More columns than small words hold: columns that repeat the first ones add nothing."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, (12, 6))
    more = np.concatenate([labels, 1 - labels, labels[:, :1] & labels[:, 1:2]], axis=1)
    narrow = Table(np.concatenate([labels, labels[:, :1] & labels[:, 1:2]], axis=1))
    values = growth_function(Table(more))
    assert values[: len(narrow.points) + 1] == growth_function(narrow)
    assert set(values[len(narrow.points) :]) == {len(narrow)}


def test_many_points() -> None:
    n = 70
    values = growth_function(Table(np.eye(n, dtype=int)))
    # All singletons but one can be told from each other on n - 1 points.
    assert values == (*range(1, n + 1), n)


@given(st.integers(0, 12), st.integers(-1, 12))
def test_the_sauer_bound(n: int, d: int) -> None:
    assert sauer_bound(n, d) == sum(math.comb(n, i) for i in range(d + 1))
    if d >= n:
        assert sauer_bound(n, d) == 2**n
    if n and d >= 0:
        assert sauer_bound(n, d) == sauer_bound(n - 1, d) + sauer_bound(n - 1, d - 1)
