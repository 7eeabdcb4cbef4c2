"""Numbers between bounds: results are inside, and comparisons decide only if certain."""

from __future__ import annotations

import operator
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsclasses.brackets import Bracket, same_number
from lsclasses.errors import TooLarge

NUMBERS = st.fractions(-5, 5, max_denominator=9)


@st.composite
def brackets(draw: st.DrawFn) -> tuple[Bracket, Fraction]:
    """A bracket with a number inside."""
    low, inside, high = sorted(draw(st.tuples(NUMBERS, NUMBERS, NUMBERS)))
    return Bracket(low, high), inside


@given(brackets(), brackets())
def test_results_are_inside(one: tuple[Bracket, Fraction], other: tuple[Bracket, Fraction]) -> None:
    (x, a), (y, b) = one, other
    for combine in (operator.add, operator.sub, operator.mul):
        for left, right in ((x, y), (x, b), (a, y)):
            found = combine(left, right)
            assert found.lower <= combine(a, b) <= found.upper
    if y.lower > 0 or y.upper < 0:
        found = x / y
        assert found.lower <= a / b <= found.upper
    else:
        with pytest.raises(ZeroDivisionError):
            x / y
    for exponent in range(4):
        found = x**exponent
        assert found.lower <= a**exponent <= found.upper


@given(brackets(), brackets())
def test_comparisons_are_answered_only_if_they_are_certain(
    one: tuple[Bracket, Fraction], other: tuple[Bracket, Fraction]
) -> None:
    (x, _), (y, _) = one, other
    ends = [(a, b) for a in (x.lower, x.upper) for b in (y.lower, y.upper)]
    for compare in (operator.le, operator.lt, operator.ge, operator.gt):
        answers = {compare(a, b) for a, b in ends}
        if len(answers) == 1:
            assert compare(x, y) in answers
        else:
            with pytest.raises(TooLarge, match="only bounds are known"):
                compare(x, y)


def test_equality_of_numbers() -> None:
    third, wide = Bracket(Fraction(1, 3), Fraction(1, 3)), Bracket(Fraction(0), Fraction(1))
    assert same_number(third, Fraction(1, 3))
    assert not same_number(wide, 2)
    with pytest.raises(TooLarge):
        same_number(wide, third)
    assert wide == Bracket(Fraction(0), Fraction(1))
