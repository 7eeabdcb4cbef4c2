"""Formulas in the dimensions of a class, written as text and computed exactly.

``2**(ldim + 1) - 1`` is such a formula. It may use the names of quantities, integers,
``+ - * / **``, comparisons, a subscript for a sequence (``growth_function[k]``), and these
functions:

* ``min(...)``, ``max(...)``;
* ``floor_log2(m)``: the largest integer a with 2^a <= m;
* ``log2(m)``: exact for powers of 2; otherwise rounded *up* to a multiple of 2^-10, so it may stand
  only where a larger value is a weaker statement;
* ``sauer(n, d)``: C(n, 0) + ... + C(n, d), see `lsclasses.dimensions.growth.sauer_bound`;
* ``counted(d_1, ..., d_k)``: how deep a tree counting allows k classes to shatter together, see
  `counted`.

Formulas are parsed into a tree, of which only these parts are understood; nothing is evaluated by
Python itself.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from lsclasses.dimensions.growth import sauer_bound
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.points import nearest

__all__ = ["Expression", "Number", "Quantity", "counted", "log2_rounded_up"]

Number = int | Fraction
Quantity = Number | Sequence[int]
"""What a name in a formula can stand for."""

LOG_PLACES = 10
"""Binary places of a logarithm that is not an integer."""
EXPONENT_LIMIT = 1 << 14
"""Powers with larger exponents are too large to be computed."""
TERMS_LIMIT = 1 << 12
"""How many binomials a sum may have."""
COUNTED_LIMIT = 128
"""The largest sum of dimensions for which trees are counted."""


class Expression:
    """A formula in named quantities.

    Parameters
    ----------
    text : str

    Raises
    ------
    InvalidInput
        If it is no formula as described above.

    Examples
    --------
    >>> bound = Expression("2**(ldim + 1) - 1")
    >>> bound.names, bound({"ldim": 3})
    (frozenset({'ldim'}), 15)
    >>> Expression("growth_function[k] + 1/2")({"growth_function": (1, 2, 4), "k": 2})
    Fraction(9, 2)
    """

    def __init__(self, text: str) -> None:
        self.text = text
        try:
            self._tree = ast.parse(text, mode="eval").body
        except (SyntaxError, ValueError):
            raise InvalidInput(f"{text!r} is no formula, such as '2**(ldim + 1) - 1'.") from None
        for node in ast.walk(self._tree):
            _require_known(node, text)

    @cached_property
    def names(self) -> frozenset[str]:
        """The quantities that it is made of."""
        functions = {id(n.func) for n in ast.walk(self._tree) if isinstance(n, ast.Call)}
        return frozenset(
            node.id
            for node in ast.walk(self._tree)
            if isinstance(node, ast.Name) and id(node) not in functions
        )

    @property
    def bare(self) -> str | None:
        """The name of a quantity, or of a sequence of which it is an entry, if it is only that."""
        tree = self._tree
        if isinstance(tree, ast.Subscript):
            tree = tree.value
        return tree.id if isinstance(tree, ast.Name) else None

    @property
    def index(self) -> str | None:
        """The subscript, if the formula is an entry of a sequence and nothing else."""
        return ast.unparse(self._tree.slice) if isinstance(self._tree, ast.Subscript) else None

    def __call__(self, quantities: Mapping[str, Quantity]) -> Number:
        """The value.

        Raises
        ------
        InvalidInput
            If a quantity is missing, or there is no value: a division by 0, a logarithm of 0.
        TooLarge
            If a power or a sum of binomials is too large to be computed.
        """
        try:
            value: Number = _value(self._tree, quantities)
        except (ArithmeticError, IndexError, TypeError) as error:
            raise InvalidInput(f"The formula {self.text!r} has no value here: {error}.") from None
        return value

    def filled(self, quantities: Mapping[str, Quantity]) -> str:
        """The formula with numbers in place of the names that are given.

        Examples
        --------
        >>> Expression("log2(size)/2").filled({"size": 1050})
        'log2(1050)/2'
        """

        class Fill(ast.NodeTransformer):
            def visit_Name(self, node: ast.Name) -> ast.AST:
                value = quantities.get(node.id)
                return ast.Constant(value) if isinstance(value, int) else node

        filled = ast.unparse(Fill().visit(ast.parse(self.text, mode="eval")))
        return filled.replace(" / ", "/").replace(" ** ", "**").replace(" * ", "*")

    def __repr__(self) -> str:
        return f"Expression({self.text!r})"


def log2_rounded_up(m: Number) -> Number:
    """The binary logarithm of m >= 1, exact for powers of 2, else up to a multiple of 2^-10.

    Raises
    ------
    InvalidInput
        If m is less than 1.

    Examples
    --------
    >>> log2_rounded_up(8), log2_rounded_up(1050)
    (3, Fraction(5139, 512))
    """
    if m < 1:
        raise InvalidInput(f"A logarithm is taken of a number from 1 on. Got {m}.")
    whole = math.ceil(m)
    # Of a long number the first 64 bits, rounded up, are enough.
    shift = max(0, whole.bit_length() - 64)
    leading = -(-whole >> shift)
    places = 1 << LOG_PLACES
    return _plain(shift + Fraction((leading**places - 1).bit_length(), places))


def counted(*dims: int) -> int:
    """The largest depth up to which 2^n <= sauer(n, d_1) * ... * sauer(n, d_k).

    Classes of Littlestone dimensions d_1, ..., d_k have 0-covers of those sizes on every tree of
    depth n, hence their aggregation by a Boolean function one of the size of the product, and a
    shattered tree needs 2^n [LWY25, Lemmas A.16, A.18]. VC dimensions bound the labellings of n
    points in the same way.

    Examples
    --------
    >>> counted(1, 1), counted(0, 3), counted(2, 2), counted(1, 1, 1)
    (5, 3, 13, 10)
    """
    if sum(dims) > COUNTED_LIMIT:
        raise TooLarge(
            f"Counting is for dimensions of {COUNTED_LIMIT} together. Got {sum(dims)}.",
            estimate=sum(dims),
            limit=COUNTED_LIMIT,
        )
    n = 0
    while math.prod(sauer_bound(n + 1, min(d, n + 1)) for d in dims) >> (n + 1):
        n += 1
    return n


def _sauer(n: int, d: int) -> int:
    if min(n, d) > TERMS_LIMIT:
        raise TooLarge(f"Sums have at most {TERMS_LIMIT} binomials.", limit=TERMS_LIMIT)
    return sauer_bound(n, min(n, d))


def _power(base: Number, exponent: Number) -> Number:
    times = int(exponent)
    if times != exponent or abs(times) > EXPONENT_LIMIT:
        raise TooLarge(
            f"Powers are computed with whole exponents up to {EXPONENT_LIMIT}.",
            limit=EXPONENT_LIMIT,
        )
    return _plain(Fraction(base) ** times)


def _floor_log2(m: Number) -> int:
    if m < 1:
        raise InvalidInput(f"A logarithm is taken of a number from 1 on. Got {m}.")
    return math.floor(m).bit_length() - 1


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "min": min,
    "max": max,
    "floor_log2": _floor_log2,
    "log2": log2_rounded_up,
    "sauer": _sauer,
    "counted": counted,
}
OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: lambda a, b: _plain(Fraction(a) / Fraction(b)),
    ast.Pow: _power,
    ast.USub: operator.neg,
    ast.LtE: operator.le,
    ast.GtE: operator.ge,
    ast.Lt: operator.lt,
    ast.Gt: operator.gt,
    ast.Eq: operator.eq,
}
UNDERSTOOD = (
    *(ast.BinOp, ast.UnaryOp, ast.Name, ast.Load, ast.Call, ast.Subscript, ast.Compare),
    *OPERATORS,
)


def _require_known(node: ast.AST, text: str) -> None:
    """Raise `InvalidInput` at a part of a formula that is not understood."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return
    if not isinstance(node, UNDERSTOOD):
        part = ast.unparse(node) if isinstance(node, ast.expr) else type(node).__name__
        raise InvalidInput(f"{part!r} is not understood in the formula {text!r}.")
    if isinstance(node, ast.Compare) and len(node.ops) != 1:
        raise InvalidInput(f"Comparisons of two sides only. Got {text!r}.")
    if isinstance(node, ast.Call):
        if not isinstance(node.func, ast.Name) or node.func.id not in FUNCTIONS:
            called = ast.unparse(node.func)
            raise InvalidInput(
                f"There is no function {called!r} for formulas. {nearest(called, FUNCTIONS)}"
            )
        if node.keywords:
            raise InvalidInput(f"Functions in formulas take no keywords. Got {text!r}.")


def _value(node: ast.AST, quantities: Mapping[str, Quantity]) -> Any:
    match node:
        case ast.Constant():
            return node.value
        case ast.Name():
            if node.id not in quantities:
                raise InvalidInput(f"The quantity {node.id!r} is not given.")
            return quantities[node.id]
        case ast.Subscript():
            return _value(node.value, quantities)[_value(node.slice, quantities)]
        case ast.UnaryOp():
            return OPERATORS[type(node.op)](_value(node.operand, quantities))
        case ast.BinOp():
            sides = _value(node.left, quantities), _value(node.right, quantities)
            return OPERATORS[type(node.op)](*sides)
        case ast.Compare():
            sides = _value(node.left, quantities), _value(node.comparators[0], quantities)
            return OPERATORS[type(node.ops[0])](*sides)
        case ast.Call(func=ast.Name(id=function)):
            return FUNCTIONS[function](*(_value(part, quantities) for part in node.args))
    raise AssertionError(f"A formula has the part {ast.dump(node)}.")


def _plain(value: Fraction) -> Number:
    """An integer where it is one."""
    return value.numerator if value.denominator == 1 else value
