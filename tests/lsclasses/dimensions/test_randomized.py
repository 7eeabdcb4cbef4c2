from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

from lsclasses import Table, naive
from lsclasses.dimensions.randomized import RandomizedSearch, balanced_depth, randomized_ldim
from lsclasses.searching import keys
from tests.strategies import plain, tables


@pytest.mark.parametrize("normal_from", [2, keys.NORMAL_FORM_FROM_CONCEPTS, 10**9])
@settings(max_examples=60)
@given(table=tables(max_concepts=16, max_points=5))
def test_with_and_without_normal_forms(normal_from: int, table: Table) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keys, "NORMAL_FORM_FROM_CONCEPTS", normal_from)
        assert randomized_ldim(table) == naive.randomized_ldim_recursive(plain(table))


@pytest.mark.parametrize("seed", range(4))
def test_larger_classes(seed: int) -> None:
    table = Table(np.random.default_rng(seed).integers(0, 2, (60, 7)) | np.tri(60, 7, dtype=int))
    assert randomized_ldim(table) == naive.randomized_ldim_recursive(plain(table))


@pytest.mark.parametrize("n", [2, 3, 10, 60])
def test_point_functions(n: int) -> None:
    """Peeling off one concept at a time: 1/2 + RL(n - 1) / 2, exactly however long it goes on."""
    assert randomized_ldim(Table(np.eye(n, dtype=int))) == 1 - Fraction(1, 2 ** (n - 1))


@pytest.mark.parametrize("k", [1, 2, 3, 5, 6, 7, 8, 11, 16, 23])
def test_thresholds_have_balanced_trees(k: int) -> None:
    assert randomized_ldim(Table(np.tri(k, k, -1, dtype=int))) == balanced_depth(k) / 2


@settings(max_examples=40)
@given(tables(max_concepts=12, max_points=5))
def test_one_search_answers_for_all_restrictions(table: Table) -> None:
    search = RandomizedSearch(len(table.points))
    assert search.value(table) == randomized_ldim(table)
    for x, y in itertools.product(table.points, (0, 1)):
        part = table.restrict(x, y)
        assert search.value(part) == naive.randomized_ldim_recursive(plain(part))


def test_balanced_depths_are_the_best_of_all_shapes() -> None:
    best = {1: Fraction(0)}
    for m in range(2, 40):
        best[m] = max(1 + (best[a] + best[m - a]) / 2 for a in range(1, m))
        assert balanced_depth(m) == best[m]
