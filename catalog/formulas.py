"""Functions that facts may use in their formulas in addition to sympy's functions.

This module needs sympy, so it is imported only when a formula is read.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import sympy

from lsclasses.errors import InvalidInput, TooLarge

DIGITS_LIMIT = 1 << 20
"""Largest number of binary digits of a number in a formula."""
TERMS_LIMIT = 1 << 14
"""Largest number of terms of a sum in a formula."""


class FloorLog2(sympy.Function):  # type: ignore[misc]
    """``floor_log2(r)``: the largest integer a with 2^a <= r, for a rational r > 0.

    Examples
    --------
    >>> [FloorLog2(r) for r in (7, 8, sympy.Rational(1, 3))]
    [2, 3, -2]
    """

    nargs = 1
    is_integer = True

    @classmethod
    def eval(cls, r: sympy.Expr) -> sympy.Expr | None:
        """Return the value at a positive rational number. Leave a symbolic argument unevaluated."""
        if not r.is_Rational or not r.is_positive:
            return None
        exponent = int(r.p).bit_length() - int(r.q).bit_length()
        # Up to the leading digits, r is 2^exponent, but r can be less.
        return sympy.Integer(exponent if sympy.Integer(2) ** exponent <= r else exponent - 1)

    def _latex(self, printer: sympy.printing.latex.LatexPrinter) -> str:
        return rf"\left\lfloor \log_2 {printer.parenthesize(self.args[0], 100)} \right\rfloor"


class GaussianBinomial(sympy.Function):  # type: ignore[misc]
    """``gauss(n, j, q)``: the number of j-dimensional subspaces of GF(q)^n.

    Examples
    --------
    >>> GaussianBinomial(4, 2, 2)
    35
    """

    nargs = 3
    is_integer = True
    is_nonnegative = True

    @classmethod
    def eval(cls, n: sympy.Expr, j: sympy.Expr, q: sympy.Expr) -> sympy.Expr | None:
        """Return the value at natural numbers. Leave symbolic arguments unevaluated."""
        if not (n.is_Integer and j.is_Integer and q.is_Integer):
            return None
        if j < 0 or j > n:
            return sympy.Integer(0)
        value = sympy.Integer(1)
        for i in range(int(j)):
            value = value * (q ** (n - i) - 1) / (q ** (i + 1) - 1)
        return value

    def _latex(self, printer: sympy.printing.latex.LatexPrinter) -> str:
        n, j, q = (printer.doprint(argument) for argument in self.args)
        return rf"\binom{{{n}}}{{{j}}}_{{{q}}}"


class OrderedPartitions(sympy.Function):  # type: ignore[misc]
    """``ordered_partitions(n, m)``: number of ordered partitions of n things into at most m blocks.

    The blocks are not empty, and their order matters. The number is 0 if n or m is negative.

    Examples
    --------
    >>> [OrderedPartitions(3, m) for m in (0, 1, 2, 3)]
    [0, 1, 7, 13]
    """

    nargs = 2
    is_integer = True
    is_nonnegative = True

    @classmethod
    def eval(cls, n: sympy.Expr, m: sympy.Expr) -> sympy.Expr | None:
        """Return the value at integers. Leave symbolic arguments unevaluated."""
        if not (n.is_Integer and m.is_Integer):
            return None
        if n < 0 or m < 0:
            return sympy.Integer(0)
        blocks = range(min(int(n), int(m)) + 1)
        return sympy.Integer(
            sum(
                (-1) ** i * math.comb(count, i) * (count - i) ** int(n)
                for count in blocks
                for i in range(count + 1)
            )
        )

    def _latex(self, printer: sympy.printing.latex.LatexPrinter) -> str:
        n, m = (printer.doprint(argument) for argument in self.args)
        return rf"\sum_{{i \leq {m}}} i! \left\{{ {n} \atop i \right\}}"


FORMULA_FUNCTIONS = {
    "floor_log2": FloorLog2,
    "gauss": GaussianBinomial,
    "ordered_partitions": OrderedPartitions,
}
"""Functions by their names in formulas."""


def substitute(expression: sympy.Basic, numbers: Mapping[sympy.Basic, sympy.Basic]) -> sympy.Basic:
    """Return the value of an expression for given numbers in place of its symbols.

    Parts that are cheap to evaluate are evaluated.

    Raises
    ------
    TooLarge
        If a power, binomial coefficient or sum in the expression is too long to be written down.
    """
    if not expression.args:
        return numbers.get(expression, expression)
    arguments = [substitute(argument, numbers) for argument in expression.args]
    size, limit = _size(expression.func, arguments)
    if size > limit:
        shown = f"{size:.3g}" if size > 10**6 else str(size)
        raise TooLarge(
            f"The formula {expression} at the given parameters would have about {shown} "
            f"{'terms' if limit == TERMS_LIMIT else 'binary digits'}. The limit is {limit}.",
            estimate=size,
            limit=limit,
        )
    return expression.func(*arguments)


def _size(function: type[sympy.Basic], arguments: list[sympy.Basic]) -> tuple[float, int]:
    """Return a rough size of the value of a function, and the largest size that is evaluated."""
    if function is sympy.Sum:
        terms = 1.0
        for _, first, last in arguments[1:]:
            if first.is_Integer and last.is_Integer:
                terms *= _magnitude(max(last - first + 1, sympy.S.One))
        return terms, TERMS_LIMIT
    numbers = [_magnitude(a) for a in arguments if a.is_Rational]
    if len(numbers) != len(arguments):
        return 0, DIGITS_LIMIT
    if function is sympy.Pow:
        base, _ = arguments
        return math.log2(max(abs(int(base.p)), int(base.q))) * numbers[1], DIGITS_LIMIT
    if function is sympy.binomial:
        n, k = numbers
        return min(n, min(k, abs(n - k)) * math.log2(n + 2)), DIGITS_LIMIT
    if function is GaussianBinomial:
        n, j, q = numbers
        return j * abs(n - j) * math.log2(q + 1), DIGITS_LIMIT
    if function is OrderedPartitions:
        n, m = numbers
        return min(n, m) ** 2 * n * math.log2(min(n, m) + 2), DIGITS_LIMIT
    return 0, DIGITS_LIMIT


def _magnitude(number: sympy.Rational) -> float:
    p, q = abs(int(number.p)), int(number.q)
    return p / q if p.bit_length() < 1000 and q.bit_length() < 1000 else math.inf


def rational(value: sympy.Basic, what: str) -> sympy.Rational:
    """Return the exact rational value of a formula without symbols.

    Raises
    ------
    InvalidInput
        If the formula has no such value.
    """
    number = value.replace(sympy.Sum, _added_up).doit()
    if not getattr(number, "is_Rational", False):
        number = sympy.simplify(number)
    if not getattr(number, "is_Rational", False):
        raise InvalidInput(f"{what} must have an exact rational value. Got {number}.")
    return number


def _added_up(term: sympy.Expr, *limits: sympy.Tuple) -> sympy.Expr:
    """Return the value of a finite sum, term by term, because sympy would seek a closed form."""
    if not limits:
        return term
    *inner, (index, first, last) = limits
    if not (first.is_Integer and last.is_Integer):
        return sympy.Sum(term, *limits)
    return sympy.Add(
        *(
            _added_up(*(part.xreplace({index: sympy.Integer(i)}) for part in (term, *inner)))
            for i in range(int(first), int(last) + 1)
        )
    )
