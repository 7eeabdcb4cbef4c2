"""The transcribed definitions against values that are known from papers or proved by hand."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given

from tests import oracles
from tests.strategies import plain, tables


def thresholds(k: int) -> frozenset[tuple[int, ...]]:
    """The first k of the thresholds on k - 1 points: k concepts that are told apart."""
    return frozenset(tuple(int(j >= i) for j in range(max(1, k - 1))) for i in range(k))


def test_what_the_definitions_give_for_the_empty_class() -> None:
    empty: frozenset[tuple[int, ...]] = frozenset()
    assert oracles.ldim(empty) == oracles.ldim_recursive(empty) == oracles.vcdim(empty) == -1
    assert oracles.randomized_ldim(empty) == oracles.randomized_ldim_recursive(empty) == -1
    assert oracles.star_number(empty) == oracles.teaching_dim(empty) == -1
    assert oracles.recursive_teaching_dim(empty) == -1
    assert oracles.threshold_dim(empty) == oracles.hollow_star_number(empty) == 0
    assert oracles.dual_ldim(empty) == oracles.dual_vcdim(empty) == 0
    assert oracles.growth_function(empty, 2) == 0
    assert oracles.zero_cover_number(empty, (0,), 1) == 0


@given(tables(max_concepts=9, max_points=4, min_concepts=0))
def test_the_recursion_for_ldim_agrees_with_shattered_trees(table) -> None:
    C = plain(table)
    assert oracles.ldim_recursive(C) == oracles.ldim(C)


@given(tables(max_concepts=8, max_points=3, min_concepts=0))
def test_the_recursion_for_randomized_ldim_agrees_with_shattered_trees(table) -> None:
    C = plain(table)
    assert oracles.randomized_ldim_recursive(C) == oracles.randomized_ldim(C)


@given(tables(max_concepts=5, max_points=4))
def test_the_least_order_of_teaching_plans_over_all_orders(table) -> None:
    C = list(plain(table))
    orders = itertools.permutations(C)
    assert oracles.recursive_teaching_dim(C) == min(
        max(oracles.teaching_set_size(c, order[i:]) for i, c in enumerate(order))
        for order in orders
    )


@given(tables(max_concepts=8, max_points=4, min_concepts=0))
def test_hollow_stars_are_the_minimal_samples_that_are_not_realizable(table) -> None:
    C = plain(table)
    points = range(len(table.points))

    def realizable(sample: tuple[tuple[int, int], ...]) -> bool:
        return any(all(c[x] == y for x, y in sample) for c in C)

    largest = 0
    for size in range(len(points) + 1):
        for chosen in itertools.combinations(points, size):
            for labels in itertools.product((0, 1), repeat=size):
                sample = tuple(zip(chosen, labels, strict=True))
                parts = (sample[:i] + sample[i + 1 :] for i in range(size))
                if not realizable(sample) and all(map(realizable, parts)):
                    largest = size
    assert oracles.hollow_star_number(C) == largest


def test_the_soa_label_breaks_ties_with_0() -> None:
    C = thresholds(4)
    assert [oracles.soa_label(C, x) for x in range(3)] == [0, 0, 1]


def test_a_0_cover_must_follow_concepts_along_branches_they_do_not_take() -> None:
    # The two concepts agree at the root and on their own branch, and differ on the other one.
    C = [(0, 0, 0), (0, 0, 1)]
    assert oracles.zero_cover_number(C, (0, 1, 2), 2) == 2
    assert oracles.zero_cover_number(C, (0, 1, 1), 2) == 1


@pytest.mark.parametrize("k", [1, 3, 4])
def test_a_shattered_tree_needs_a_label_tree_for_every_branch(k: int) -> None:
    C = thresholds(k)
    d = oracles.ldim(C)
    assert oracles.max_zero_cover_number(C, d) == 2**d
