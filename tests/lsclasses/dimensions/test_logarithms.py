"""Numbers made of logarithms: against powers of integers, which need no logarithm."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st

from lsclasses import TooLarge
from lsclasses.dimensions.logarithms import Logarithmic, Real, log2, rounded

COEFFICIENTS = st.integers(-6, 6)
ARGUMENTS = st.integers(1, 40)
FORMS = st.lists(st.tuples(COEFFICIENTS, ARGUMENTS), max_size=4)


def combined(form: list[tuple[int, int]], constant: int) -> Real:
    value: Real = Fraction(constant)
    for c, m in form:
        value = value + c * log2(m)
    return value


def sign(value: Real) -> int:
    return value.sign() if isinstance(value, Logarithmic) else (value > 0) - (value < 0)


@given(FORMS, COEFFICIENTS)
def test_the_sign_of_a_sum_is_that_of_a_product(form: list[tuple[int, int]], constant: int) -> None:
    """c log2 a + ... is positive if and only if a^c ... is more than 1."""
    product = Fraction(2) ** constant * math.prod(Fraction(m) ** c for c, m in form)
    assert sign(combined(form, constant)) == (product > 1) - (product < 1)


@given(FORMS, COEFFICIENTS, st.integers(2, 40), st.integers(1, 6))
def test_quotients_and_orders(form: list[tuple[int, int]], constant: int, m: int, c: int) -> None:
    above, below = combined(form, constant), c * log2(m)
    quotient = above / below if isinstance(above, Logarithmic) else Fraction(above) / below
    assert quotient * below == above
    for bound in (Fraction(-1, 2), 0, 3):
        assert (quotient < bound) == (above < bound * below)
        assert (quotient > bound) == (bound < quotient) == (above > bound * below)
    assert math.floor(quotient) <= quotient < math.floor(quotient) + 1
    assert math.ceil(quotient) - 1 < quotient <= math.ceil(quotient)
    assert float(quotient) == pytest.approx(float(above) / float(below), abs=1e-9)


@given(st.integers(1, 10**60))
def test_roundings_are_on_their_side_and_near(m: int) -> None:
    value = log2(m)
    low, high = (Fraction(rounded(value, 11, up=up)) for up in (False, True))
    assert 2**low.numerator <= m**low.denominator or low.denominator == 1
    assert low <= value <= high and high - low <= Fraction(1, 2**11)
    assert (low == high) == (m.bit_count() == 1)
    assert float(low) - 1e-9 <= math.log2(m) <= float(high) + 1e-9


def test_what_floats_cannot_tell() -> None:
    huge = 3**200
    assert log2(huge + 1) > 200 * log2(3) > log2(huge - 1)
    assert log2(huge) == 200 * log2(3)
    assert log2(2**200 + 1) > 200 and math.log2(2**200 + 1) == 200


def test_products_of_logarithms_are_compared_or_undecided() -> None:
    a, b = log2(3), log2(5)
    assert a * b == b * a and (a + b) * (a + b) == a**2 + 2 * a * b + b * b
    assert a * b > 3 and (a * a) / a == a and a**-1 * a == 1
    assert (a + 1) * (b - 1) - a * b + a - b == -1
    with ctx.workprec(9000):
        above = (arb(3).log_base(2) * arb(5).log_base(2)).upper().fmpq()
    nearly = a * b - Fraction(int(above.p), int(above.q))
    assert isinstance(nearly, Logarithmic)
    with pytest.raises(TooLarge, match="4096 bits do not decide"):
        nearly.sign()
