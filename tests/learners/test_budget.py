"""Budgets that protect nobody are refused where something is learned."""

from fractions import Fraction

import pytest

from learners.budget import LARGEST_EPSILON, WEAK_DELTA, Budget
from lsclasses.errors import InvalidInput

ABOVE, BELOW = Fraction(1, 10**9), -Fraction(1, 10**9)


def test_the_largest_budgets_that_need_no_word():
    assert tuple(Budget(LARGEST_EPSILON, WEAK_DELTA + BELOW)) == (20, WEAK_DELTA + BELOW)


@pytest.mark.parametrize(
    "weak",
    [(LARGEST_EPSILON + ABOVE, 0), (Fraction(10) ** 400, 0), (1, WEAK_DELTA)],
)
def test_weak_budgets_need_to_be_accepted(weak):
    with pytest.raises(InvalidInput):
        Budget(*weak)
    assert tuple(Budget(*weak, allow_weak_privacy=True)) == weak
