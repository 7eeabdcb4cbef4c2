"""The transcribed definitions against values that are known from papers or proved by hand."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given

from lsclasses import naive
from tests.strategies import plain, tables


def thresholds(k: int) -> frozenset[tuple[int, ...]]:
    """The first k of the thresholds on k - 1 points: k concepts that are told apart."""
    return frozenset(tuple(int(j >= i) for j in range(max(1, k - 1))) for i in range(k))


def cube(n: int) -> frozenset[tuple[int, ...]]:
    return frozenset(itertools.product((0, 1), repeat=n))


def flats(q: int, n: int, k: int, *, linear: bool = False) -> frozenset[tuple[int, ...]]:
    """Indicators of the affine (or linear) subspaces of GF(q)^n of dimension at most k, q prime."""
    space = list(itertools.product(range(q), repeat=n))
    found = set()
    for directions in itertools.product(space, repeat=k):
        span = {
            tuple(
                sum(a * v[i] for a, v in zip(factors, directions, strict=True)) % q
                for i in range(n)
            )
            for factors in itertools.product(range(q), repeat=k)
        }
        for origin in [(0,) * n] if linear else space:
            moved = {tuple((a + b) % q for a, b in zip(origin, v, strict=True)) for v in span}
            found.add(tuple(int(x in moved) for x in space))
    return frozenset(found)


def test_thresholds() -> None:
    for k, ldim, randomized in zip(
        range(1, 9),
        (0, 1, 1, 2, 2, 2, 2, 3),
        ("0", "1/2", "3/4", "1", "9/8", "5/4", "11/8", "3/2"),
        strict=True,
    ):
        C = thresholds(k)
        assert len(C) == k
        assert naive.ldim_recursive(C) == ldim
        assert naive.randomized_ldim_recursive(C) == Fraction(randomized)


@pytest.mark.parametrize("n", [2, 4])
def test_point_functions(n: int) -> None:
    C = frozenset(tuple(int(i == j) for j in range(n)) for i in range(n))
    assert naive.ldim(C) == naive.ldim_recursive(C) == 1
    assert naive.vcdim(C) == naive.recursive_teaching_dim(C) == 1
    # All zeros is not realizable, but flipping any zero is.
    assert naive.hollow_star_number(C) == n


@pytest.mark.parametrize(("q", "n"), [(2, 2), (2, 3), (3, 2)])
def test_affine_subspaces_need_one_mistake_more_than_linear_ones(q: int, n: int) -> None:
    for k in range(3):
        assert naive.ldim_recursive(flats(q, n, k)) == k + 1
        if 0 < k < n:
            assert naive.ldim_recursive(flats(q, n, k, linear=True)) == k


@pytest.mark.parametrize("n", range(1, 4))
def test_the_cube(n: int) -> None:
    C = cube(n)
    assert naive.ldim(C) == naive.vcdim(C) == naive.threshold_dim(C) == n
    assert naive.star_number(C) == naive.teaching_dim(C) == naive.recursive_teaching_dim(C) == n
    assert naive.randomized_ldim(C) == Fraction(n, 2)
    assert naive.hollow_star_number(C) == 0
    assert [naive.growth_function(C, i) for i in range(n + 1)] == [2**i for i in range(n + 1)]


def test_thresholds_of_other_dimensions() -> None:
    C = thresholds(5)
    assert (naive.threshold_dim(C), naive.vcdim(C)) == (4, 1)
    assert naive.star_number(C) == naive.teaching_dim(C) == naive.hollow_star_number(C) == 2
    assert naive.recursive_teaching_dim(C) == 1
    assert naive.dual_ldim(C) == 2


def test_what_the_definitions_give_for_the_empty_class() -> None:
    empty: frozenset[tuple[int, ...]] = frozenset()
    assert naive.ldim(empty) == naive.ldim_recursive(empty) == naive.vcdim(empty) == -1
    assert naive.randomized_ldim(empty) == naive.randomized_ldim_recursive(empty) == -1
    assert naive.star_number(empty) == naive.teaching_dim(empty) == -1
    assert naive.recursive_teaching_dim(empty) == -1
    assert naive.threshold_dim(empty) == naive.hollow_star_number(empty) == 0
    assert naive.dual_ldim(empty) == naive.dual_vcdim(empty) == 0
    assert naive.growth_function(empty, 2) == 0
    assert naive.zero_cover_number(empty, (0,), 1) == 0


@given(tables(max_concepts=9, max_points=4, min_concepts=0))
def test_the_recursion_for_ldim_agrees_with_shattered_trees(table) -> None:
    C = plain(table)
    assert naive.ldim_recursive(C) == naive.ldim(C)


@given(tables(max_concepts=8, max_points=3, min_concepts=0))
def test_the_recursion_for_randomized_ldim_agrees_with_shattered_trees(table) -> None:
    C = plain(table)
    assert naive.randomized_ldim_recursive(C) == naive.randomized_ldim(C)


@given(tables(max_concepts=5, max_points=4))
def test_the_least_order_of_teaching_plans_over_all_orders(table) -> None:
    C = list(plain(table))
    orders = itertools.permutations(C)
    assert naive.recursive_teaching_dim(C) == min(
        max(naive.teaching_set_size(c, order[i:]) for i, c in enumerate(order)) for order in orders
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
    assert naive.hollow_star_number(C) == largest


def test_the_soa_label_breaks_ties_with_0() -> None:
    C = thresholds(4)
    assert [naive.soa_label(C, x) for x in range(3)] == [0, 0, 1]


def test_a_0_cover_must_follow_concepts_along_branches_they_do_not_take() -> None:
    # The two concepts agree at the root and on their own branch, and differ on the other one.
    C = [(0, 0, 0), (0, 0, 1)]
    assert naive.zero_cover_number(C, (0, 1, 2), 2) == 2
    assert naive.zero_cover_number(C, (0, 1, 1), 2) == 1


@pytest.mark.parametrize("k", [1, 3, 4])
def test_a_shattered_tree_needs_a_label_tree_for_every_branch(k: int) -> None:
    C = thresholds(k)
    d = naive.ldim(C)
    assert naive.max_zero_cover_number(C, d) == 2**d
