"""Numbers are read exactly and printed as what they are, whatever their size."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsclasses.numbers import LARGEST_EXPONENT, format_number, parse_number

fractions = st.builds(
    lambda n, d, power: Fraction(n, d) * Fraction(10) ** power,
    st.integers(-(10**12), 10**12),
    st.integers(1, 10**12),
    st.integers(-900, 900),
)


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(1, 12))
def test_a_float_is_shown_as_python_shows_it(value: float, digits: int) -> None:
    expected = f"{value:.{digits}g}" if value else "0"
    assert format_number(Fraction(value), digits) == expected


@given(fractions, st.integers(1, 12))
def test_what_is_shown_is_near_and_of_the_same_sign(value: Fraction, digits: int) -> None:
    near, above = (Fraction(Decimal(format_number(value, digits, up=up))) for up in (False, True))
    unit = abs(value) / 10 ** (digits - 1)
    assert abs(near - value) <= unit / 2
    assert value <= above <= value + unit
    for text in (near, above):
        assert (text > 0) == (value > 0) and (text < 0) == (value < 0)


@given(fractions)
def test_a_number_that_is_written_is_read_exactly(value: Fraction) -> None:
    assert parse_number(str(value), "number") == value


@pytest.mark.parametrize("power", [LARGEST_EXPONENT, -LARGEST_EXPONENT])
def test_powers_of_ten_are_read_up_to_a_limit(power: int) -> None:
    assert parse_number(f"1e{power}", "number") == Fraction(10) ** power


def test_short_fractions_stay_fractions() -> None:
    assert [format_number(Fraction(1, d), 3, exact=100) for d in (1, 99, 100)] == [
        "1",
        "1/99",
        "0.01",
    ]
    assert [format_number(n, 3, exact=2) for n in (10**9 - 1, 10**9)] == ["999999999", "1e+09"]
