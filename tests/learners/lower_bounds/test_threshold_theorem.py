"""The theorem for thresholds: its numbers meet the conditions of the proof."""

from __future__ import annotations

from fractions import Fraction

import pytest

from learners.balls import ball
from learners.lower_bounds.gaps import gap_bound_of_levels
from learners.lower_bounds.ramsey import points_that_force
from learners.lower_bounds.threshold_tables import error_bound, error_bound_of_gap
from learners.lower_bounds.threshold_theorem import threshold_bound
from lsclasses.errors import InvalidInput


@pytest.mark.parametrize("rows", [2, 4, 20, 26])
def test_three_positions_are_enough_for_few_rows(rows):
    """The error bound of three positions exceeds 1/8."""
    found = threshold_bound(rows)
    assert found.levels == 0 and found.homogeneous == 2 * rows
    assert error_bound(rows, 3, found.tolerance, found.epsilon, found.delta) > ball(found.error)
    assert found.points == points_that_force(rows, found.homogeneous, found.tolerance)


@pytest.mark.parametrize("rows", [28, 40])
def test_the_least_number_of_levels(rows):
    """The error exceeds 1/8 for this number of levels, and not for one less."""
    found = threshold_bound(rows, delta=Fraction(1, 10**7))

    def error(levels):
        gap = gap_bound_of_levels(levels, found.epsilon, found.delta)
        return error_bound_of_gap(rows, gap, found.tolerance, found.epsilon, found.delta)

    assert error(found.levels) > ball(found.error) > error(found.levels - 1)
    assert found.homogeneous == 2 ** (found.levels + 1) - 1 + rows - 1
    assert found.copies * found.delta <= Fraction(1, 2)


def test_refusals():
    """Odd samples, weak privacy and a large delta are refused."""
    with pytest.raises(InvalidInput, match="even"):
        threshold_bound(3)
    with pytest.raises(InvalidInput, match="does not cover"):
        threshold_bound(4, 3)
    with pytest.raises(InvalidInput, match="does not cover"):
        threshold_bound(30, Fraction(1, 10), Fraction(1, 1000))
