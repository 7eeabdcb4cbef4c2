from __future__ import annotations

import math
from fractions import Fraction

import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from learners.balls import ball, ceiling, certainly_le, floor, log, rational_above, rational_below


@given(st.fractions(-1000, 1000))
def test_fractions_round_as_they_should(x):
    def undecided_at_first():
        # A ball that shrinks with the precision, like that of any irrational number.
        return ball(x) + arb(0, 1) * ball(Fraction(1, 3)).rad()

    try:
        assert ceiling(undecided_at_first) == math.ceil(x)
        assert floor(undecided_at_first) == math.floor(x)
    except ArithmeticError:
        assert x.denominator == 1


@given(st.fractions(Fraction(1, 1000), 1000), st.integers(1, 100))
def test_rounded_logarithms_enclose(x, denominator):
    above, below = (f(lambda: log(x), denominator) for f in (rational_above, rational_below))
    assert float(below) - 1e-9 <= math.log(x) <= float(above) + 1e-9
    assert above - below in (0, Fraction(1, denominator))
    assert certainly_le(lambda: log(x), above)
    assert certainly_le(lambda: log(x), below) == (above == below)


def test_numbers_that_cannot_be_told_from_an_integer_are_refused():
    with pytest.raises(ArithmeticError):
        ceiling(lambda: log(2).exp())
    assert not certainly_le(lambda: log(2).exp(), 2)
