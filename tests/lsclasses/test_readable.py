"""Formulas as people write them mean what they meant."""

from __future__ import annotations

import re

import pytest
import sympy

from catalog import families
from catalog.readable import readable


@pytest.mark.parametrize(
    "text, shown",
    [
        ("a - (b - c)", "a - (b - c)"),
        ("(a - b) - c", "a - b - c"),
        ("a/(b*c)", "a/(b*c)"),
        ("-(a + b)**2", "-(a + b)^2"),
        ("(a**b)**c", "(a^b)^c"),
        ("a**(b**c)", "a^(b^c)"),
        ("2**(-n)", "2^(-n)"),
        ("~Eq(n, 1) & ((n > 2) | (m <= 3))", "not (n = 1) and (n > 2 or m <= 3)"),
        ("Rational(5, 4)*Mod(n, 2)", "5/4*(n mod 2)"),
        ("log(d, 2)", "log(d, 2)"),
    ],
)
def test_operators_keep_their_parentheses(text, shown):
    assert readable(text) == shown


def test_arithmetic_reads_back_as_the_same_formula():
    names = sympy.symbols("a b d k m n q r t", integer=True, positive=True)
    known = {str(name): name for name in names}
    read = 0
    for family in families().values():
        for fact in family.facts:
            text = fact.expression
            if re.fullmatch(r"[a-z0-9*/+() -]*", text) and not re.search(r"[a-z]{2}|[a-z]\(", text):
                again = readable(text).replace("^", "**")
                assert sympy.sympify(again, locals=known) == sympy.sympify(text, locals=known)
                read += 1
    assert read > 100
