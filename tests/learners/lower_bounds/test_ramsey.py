"""Bounds on Ramsey numbers against exact numbers and exact towers."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import comb

import pytest

from learners.lower_bounds.ramsey import Tower, colours_of_profiles, points_that_force, ramsey_bound
from lsclasses.errors import InvalidInput


def forces(points, size, colours):
    """Whether each colouring of pairs has a set of a size with one colour."""
    pairs = list(combinations(range(points), 2))
    sets = [list(combinations(each, 2)) for each in combinations(range(points), size)]
    for chosen in product(range(colours), repeat=len(pairs)):
        colouring = dict(zip(pairs, chosen, strict=True))
        if not any(len({colouring[pair] for pair in each}) == 1 for each in sets):
            return False
    return True


def test_triangles_are_exact_for_two_colours():
    """Six points force a triangle of one colour, and five points do not."""
    assert ramsey_bound(2, 3, 2) == 6
    assert forces(6, 3, 2) and not forces(5, 3, 2)


def test_pigeonhole():
    """c (k - 1) + 1 elements force k elements of one colour."""
    assert [ramsey_bound(1, k, 3) for k in (2, 3, 4)] == [4, 7, 10]


def test_known_numbers_are_not_exceeded():
    """Published values: R(4, 4) = 18, R(3, 3, 3) = 17, and R_3(4; 2) = 13."""
    assert 18 <= ramsey_bound(2, 4, 2) <= 20
    assert ramsey_bound(2, 3, 3) == 17
    assert ramsey_bound(3, 4, 2) >= 13


def test_stepping_up():
    """The recursion of Theorem 7, number by number."""
    q = ramsey_bound(2, 3, 2)
    needed = 1
    for j in reversed(range(q)):
        needed = 1 + 2 ** comb(j, 1) * needed
    assert needed <= ramsey_bound(3, 4, 2) == 2 ** (comb(q, 2) + q)


@pytest.mark.parametrize("factor", [1, 2, 3, 17])
@pytest.mark.parametrize("top", [2, 3, 5])
def test_towers_are_upper_bounds(factor, top):
    """Scaled towers and powers are at least the exact numbers."""
    for height in (1, 2):
        exact = top
        for _ in range(height):
            exact = 2**exact
        for found, value in (
            (Tower(height, top).scaled(factor), exact * factor),
            (Tower(height, top).power(factor), exact**factor),
        ):
            computed = found.top
            for _ in range(found.height - 1):
                computed = 2**computed
            assert computed >= value.bit_length() - 1 and found.height == height


def test_one_colour_and_small_sets():
    """Sets of at most u elements, and one colour, are trivial."""
    assert ramsey_bound(3, 3, 5) == 3 and ramsey_bound(5, 9, 1) == 9


def test_points_that_force_a_homogeneous_set():
    """The height of the tower is the number of rows."""
    for rows, size in ((4, 8), (6, 12), (8, 16)):
        found = points_that_force(rows, size, Fraction(1, 10 * rows))
        assert isinstance(found, Tower) and found.height == rows
    assert colours_of_profiles(2, Fraction(1, 3)) == 8
    assert (
        str(Tower(2, 5)) == "2^2^5"
        and repr(Tower(1, 10**12)) == "<Tower 2^(a number of about 13 digits)>"
    )
    with pytest.raises(InvalidInput, match="positive"):
        ramsey_bound(0, 3, 2)
