"""Threshold functions and margin halfspaces against all integer weights in a range."""

from __future__ import annotations

import itertools

import pytest

import catalog
from catalog.halfspaces import LinearThresholdFunctions, MarginHalfspaces
from tests.strategies import plain


def dot(w, x):
    return sum(a * b for a, b in zip(w, x, strict=True))


def cube(n, values=(0, 1)):
    return list(itertools.product(values, repeat=n))


def thresholds(points, n, largest):
    """All functions <w, x> >= t with integer weights up to `largest`."""
    found = set()
    for w in itertools.product(range(-largest, largest + 1), repeat=n):
        sums = [dot(w, x) for x in points]
        for t in range(min(sums), max(sums) + 2):
            found.add(tuple(int(value >= t) for value in sums))
    return found


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_threshold_functions_with_larger_weights_than_needed(n):
    found = LinearThresholdFunctions().table(n=n)
    assert plain(found) == thresholds(cube(n), n, largest=4)
    assert found.points == tuple(cube(n))
    assert found.merged == 0


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_signed_points_carry_the_same_functions(n):
    found = LinearThresholdFunctions().table(n=n, signed=1)
    assert plain(found) == thresholds(cube(n, (-1, 1)), n, largest=4)
    assert found.points == tuple(cube(n, (-1, 1)))


def test_numbers_of_threshold_functions():
    sizes = [LinearThresholdFunctions().table(n=n).size for n in range(5)]
    assert sizes == [2, 4, 14, 104, 1882]  # OEIS A000609


def halfspaces(d, norm, margin):
    points = cube(d, (-1, 1))
    found = set()
    for w in itertools.product(range(-norm, norm + 1), repeat=d):
        if sum(map(abs, w)) <= norm:
            sums = [dot(w, x) for x in points]
            if min(map(abs, sums)) >= margin:
                found.add(tuple(int(value > 0) for value in sums))
    return found


@pytest.mark.parametrize(
    ("d", "norm", "margin"),
    [
        *((d, norm, margin) for d in (1, 2, 3) for norm in (3, 4, 7) for margin in (1, 2, 3)),
        (4, 5, 1),
        (4, 6, 2),
        (5, 3, 1),
    ],
)
def test_margin_halfspaces_against_all_weights(d, norm, margin):
    found = MarginHalfspaces().table(d=d, norm=norm, margin=margin)
    assert plain(found) == halfspaces(d, norm, margin)
    assert found.points == tuple(cube(d, (-1, 1)))
    assert found.merged == 0


@pytest.mark.parametrize(("d", "norm"), [(1, 1), (2, 1), (3, 3), (4, 5), (5, 9)])
def test_all_homogeneous_halfspaces_are_threshold_functions_of_one_variable_less(d, norm):
    C = MarginHalfspaces().table(d=d, norm=norm)
    half = C.project([x for x in C.points if x[-1] == 1]).rename(cube(d - 1))
    assert half == LinearThresholdFunctions().table(n=d - 1)
    assert half.size == C.size
    # Smaller norms do not give all of them.
    if d >= 3:
        assert MarginHalfspaces().table(d=d, norm=norm - 1).size < C.size


def test_monotone_decision_lists_have_a_margin():
    """[BF25, Lemma 4.10] for two variables and a constant coordinate: the margin is 1/3."""
    lists = catalog.build("decision-lists:n=2,monotone=1").to_table()
    halves = MarginHalfspaces().table(d=3, norm=3)
    positive = [x for x in halves.points if x[-1] == 1]
    signed = {(*(2 * bit - 1 for bit in x), 1) for x in lists.points}
    assert set(positive) == signed
    assert plain(lists) <= plain(halves.project(positive).rename(lists.points))


@pytest.mark.slow
def test_six_variables_give_the_known_number_of_threshold_functions():
    table = LinearThresholdFunctions().table(n=6)
    assert table.size == 15028134  # OEIS A000609
    # Half of them are 1 at any one point, since complements are threshold functions, too.
    assert [int(table.column(x).sum()) for x in table.points[:3]] == [15028134 // 2] * 3
