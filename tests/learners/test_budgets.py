"""Budgets that protect nobody are refused where something is learned."""

from fractions import Fraction

import pytest

from learners.numbers import LARGEST_EPSILON, WEAK_DELTA, checked_budget
from lsclasses.errors import InvalidInput

ABOVE, BELOW = Fraction(1, 10**9), -Fraction(1, 10**9)


def test_the_largest_budgets_that_need_no_word():
    assert checked_budget(LARGEST_EPSILON, WEAK_DELTA + BELOW) == (20, WEAK_DELTA + BELOW)


@pytest.mark.parametrize(
    "weak",
    [(LARGEST_EPSILON + ABOVE, 0), (Fraction(10) ** 400, 0), (1, WEAK_DELTA), (30, Fraction(1, 2))],
)
def test_weak_budgets_need_to_be_accepted(weak):
    with pytest.raises(InvalidInput, match=r"gives no privacy.*--accept-weak"):
        checked_budget(*weak)
    assert checked_budget(*weak, accept_weak=True) == weak


@pytest.mark.parametrize("accept_weak", [False, True])
@pytest.mark.parametrize("wrong", [(0, 0), (-1, 0), (1, 1), (1, -ABOVE), (0.5, 0), (1, 1e-6)])
def test_what_is_no_budget_is_refused_in_any_case(wrong, accept_weak):
    with pytest.raises(InvalidInput):
        checked_budget(*wrong, accept_weak)
