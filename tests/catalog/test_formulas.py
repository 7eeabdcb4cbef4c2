"""The functions that formulas may use."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from catalog.formulas import FORMULA_FUNCTIONS, FloorLog2, GaussianBinomial, rational, substitute


@given(st.fractions(min_value=Fraction(1, 10**6), max_value=10**30))
def test_floor_log2_brackets_its_argument(r):
    a = int(FloorLog2(sympy.Rational(r.numerator, r.denominator)))
    assert Fraction(2) ** a <= r < Fraction(2) ** (a + 1)


@given(st.integers(-200, 200))
def test_floor_log2_is_exact_at_powers_of_two(a):
    power = sympy.Integer(2) ** a
    assert FloorLog2(power) == a
    assert FloorLog2(power * (1 - sympy.Rational(1, 10**40))) == a - 1


@pytest.mark.parametrize("argument", [0, -1])
def test_floor_log2_has_no_value_where_there_is_none(argument):
    assert FloorLog2(argument).is_Function


def test_gaussian_binomials_vanish_outside():
    assert GaussianBinomial(3, 4, 2) == GaussianBinomial(3, -1, 2) == 0


@pytest.mark.parametrize("name", list(FORMULA_FUNCTIONS))
def test_symbols_stay_and_are_drawn(name):
    function = FORMULA_FUNCTIONS[name]
    symbols = sympy.symbols("n m q", integer=True, positive=True)[: function.nargs.args[0]]
    assert function(*symbols).free_symbols == set(symbols)
    assert function(*symbols).is_integer
    assert "\\" in sympy.latex(function(*symbols))


def test_rational_numbers_are_fractions():
    assert rational(sympy.Rational(2, 6), "It") == sympy.Rational(1, 3)


@pytest.mark.parametrize("text", ["2**n", "gauss(n, n/2, 3)", "Sum(binomial(n, i), (i, 0, n))"])
def test_small_numbers_are_put_in_as_sympy_does(text):
    n = sympy.Symbol("n", integer=True)
    expression = sympy.sympify(text, locals={**FORMULA_FUNCTIONS, "n": n})
    six = {n: sympy.Integer(6)}
    assert substitute(expression, six) == expression.xreplace(six)


def test_what_is_small_in_spite_of_large_numbers_is_evaluated():
    n, k = sympy.symbols("n k", integer=True)
    large = {n: sympy.Integer(2**64), k: sympy.Integer(2)}
    for text, value in (
        ("2**floor_log2(n)", 2**64),
        ("binomial(n, k)", 2**63 * (2**64 - 1)),
        ("binomial(n, n - k)", 2**63 * (2**64 - 1)),
        ("Sum(n**i, (i, 0, k))", 1 + 2**64 + 2**128),
        ("Min(1, n)", 1),
    ):
        expression = sympy.sympify(text, locals={**FORMULA_FUNCTIONS, "n": n, "k": k})
        assert rational(substitute(expression, large), "It") == value
