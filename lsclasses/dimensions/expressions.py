"""Formulas in the dimensions of a class, written as strings and computed exactly.

``2**(ldim + 1) - 1`` is such a formula. It may use the names of quantities, integers,
``+ - * / **``, comparisons, a subscript for a sequence (``growth_function[k]``), and these
functions:

* ``min(...)``, ``max(...)``, ``floor(a)``, ``ceil(a)``.
* ``log2(m)``: the binary logarithm. Values with logarithms are compared exactly, without rounding,
  see `lsclasses.dimensions.logarithms`.
* ``floor_log2(m)``: the largest integer a with 2^a <= m.
* ``binomial(n, k)``: the binomial coefficient C(n, k), which is 0 for k > n.
* ``sauer(n, d)``: C(n, 0) + ... + C(n, d), see `lsclasses.dimensions.growth.sauer_bound`.
* ``counted(d_1, ..., d_k)``: the largest depth of a tree that counting allows k classes to shatter
  together, see `counted`.

Formulas are parsed into a tree with only these parts. Python itself never evaluates a formula. An
error message marks the unknown part of a formula.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from lsclasses.brackets import Bracket, same_number
from lsclasses.dimensions.growth import sauer_bound
from lsclasses.dimensions.logarithms import Logarithmic, Real, log2
from lsclasses.errors import InvalidInput, TooLarge, nearest
from lsclasses.numbers import format_number

__all__ = ["Expression", "Number", "Quantity", "Real", "counted", "marked"]

Number = int | Fraction
Quantity = Number | Sequence[int] | Sequence[Bracket | None]
"""Type of the value of a name in a formula: a number or a sequence."""

LONGEST = 400
"""The largest number of characters of a formula."""
LOGARITHMS_LIMIT = 16
"""The largest exponent of a power of a number that contains logarithms."""
EXPONENT_LIMIT = 1 << 14
"""The largest exponent of a power."""
POWER_BITS = 1 << 16
"""The largest number of bits of a power."""
TERMS_LIMIT = 1 << 12
"""The largest number of binomials in a sum."""
COUNTED_LIMIT = 128
"""The largest sum of the dimensions d_1, ..., d_k that `counted` accepts."""
NO_VALUE: dict[type[Exception], str] = {
    ZeroDivisionError: "it divides by 0",
    IndexError: "a sequence has no entry of that index, or the entry is unknown",
    TypeError: "a sequence is used as a number",
}
"""The reasons why a formula has no value, by the type of the exception that Python raises."""


class Expression:
    """A formula in named quantities, called with their values to return its value.

    Parameters
    ----------
    text : str
        The formula.

    Raises
    ------
    InvalidInput
        If the string is not a formula in the syntax that the module describes.

    Examples
    --------
    >>> bound = Expression("2**(ldim + 1) - 1")
    >>> bound.names, bound({"ldim": 3})
    (frozenset({'ldim'}), 15)
    >>> Expression("growth_function[k] + 1/2")({"growth_function": (1, 2, 4), "k": 2})
    Fraction(9, 2)
    """

    def __init__(self, text: str) -> None:
        self.text = text = " ".join(text.split())
        if len(text) > LONGEST:
            raise InvalidInput(
                f"A formula has at most {LONGEST} characters. Got {len(text)}: {text[:60]}..."
            )
        try:
            self._tree = ast.parse(text, mode="eval").body
        except SyntaxError as error:
            at = (error.offset or len(text) + 1) - 1
            mark = marked(text, at) if text else ""
            raise InvalidInput(
                f"{text!r} is not a formula, such as '2**(ldim + 1) - 1'.{mark}"
            ) from None
        except (ValueError, RecursionError, MemoryError):
            raise InvalidInput(f"{text!r} is not a formula, such as '2**(ldim + 1) - 1'.") from None
        for node in ast.walk(self._tree):
            _require_known(node, text)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of all quantities in the formula."""
        functions = {id(n.func) for n in ast.walk(self._tree) if isinstance(n, ast.Call)}
        return frozenset(
            node.id
            for node in ast.walk(self._tree)
            if isinstance(node, ast.Name) and id(node) not in functions
        )

    @cached_property
    def indexed(self) -> frozenset[str]:
        """The names of the sequences in the formula, which have a subscript."""
        return frozenset(
            node.value.id
            for node in ast.walk(self._tree)
            if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name)
        )

    @cached_property
    def whole(self) -> frozenset[str]:
        """The names of the numbers in the formula, which have no subscript.

        Examples
        --------
        >>> formula = Expression("growth_function[k] <= ldim")
        >>> sorted(formula.indexed), sorted(formula.whole)
        (['growth_function'], ['k', 'ldim'])
        """
        nodes = list(ast.walk(self._tree))
        other = {id(n.func) for n in nodes if isinstance(n, ast.Call)}
        other |= {id(n.value) for n in nodes if isinstance(n, ast.Subscript)}
        return frozenset(n.id for n in nodes if isinstance(n, ast.Name) and id(n) not in other)

    def place(self, name: str) -> int:
        """Return the position of the first occurrence of a name in the formula."""
        return min(
            _place(node, self.text)
            for node in ast.walk(self._tree)
            if isinstance(node, ast.Name) and node.id == name
        )

    @cached_property
    def sides(self) -> tuple[Expression, str, Expression] | None:
        """The left side, the sign and the right side of a comparison, or None for other formulas.

        Examples
        --------
        >>> Expression("vcdim >= ldim - 1").sides
        (Expression('vcdim'), '>=', Expression('ldim - 1'))
        """
        if not isinstance(self._tree, ast.Compare):
            return None
        left, right = (
            Expression(ast.get_source_segment(self.text, node) or ast.unparse(node))
            for node in (self._tree.left, self._tree.comparators[0])
        )
        return left, SIGNS[type(self._tree.ops[0])], right

    @property
    def bare(self) -> str | None:
        """The name of the quantity if the formula is only a quantity or an entry of a sequence.

        The value is None for other formulas.
        """
        tree = self._tree
        if isinstance(tree, ast.Subscript):
            tree = tree.value
        return tree.id if isinstance(tree, ast.Name) else None

    @property
    def index(self) -> str | None:
        """The subscript if the formula is only an entry of a sequence, or None."""
        return ast.unparse(self._tree.slice) if isinstance(self._tree, ast.Subscript) else None

    def __call__(self, quantities: Mapping[str, Quantity]) -> Real:
        """Evaluate the formula.

        Raises
        ------
        InvalidInput
            If a quantity is missing, or the formula has no value, because of a division by 0 or a
            logarithm of 0.
        TooLarge
            If a power, a binomial or a sum of binomials is too large to be computed, or values with
            logarithms are too close to be compared.
        """
        try:
            value: Real = _value(self._tree, quantities)
        except (ArithmeticError, IndexError, TypeError) as error:
            reason = NO_VALUE.get(type(error), "a number is too large")
            raise InvalidInput(
                f"The formula {self.text!r} has no value for these quantities: {reason}."
            ) from None
        return value

    def filled(self, quantities: Mapping[str, Quantity]) -> str:
        """Return the formula as a string in which the given names are replaced by numbers.

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


def marked(text: str, at: int) -> str:
    """Return the line below a formula that marks one of its characters.

    >>> print("Here:" + marked("a >> b", 2))
    Here:
        a >> b
          ^
    """
    return f"\n    {text}\n    {' ' * at}^"


def counted(*dims: int) -> int:
    """Return the largest depth up to which 2^n <= sauer(n, d_1) * ... * sauer(n, d_k).

    Classes of Littlestone dimensions d_1, ..., d_k have 0-covers of these sizes on every tree of
    depth n. Hence their aggregation by a Boolean function has a 0-cover whose size is the product.
    A shattered tree needs a 0-cover of size 2^n [LWY25, Lemmas A.16, A.18]. VC dimensions bound the
    labellings of n points in the same way.

    Examples
    --------
    >>> counted(1, 1), counted(0, 3), counted(2, 2), counted(1, 1, 1)
    (5, 3, 13, 10)
    """
    if sum(dims) > COUNTED_LIMIT:
        raise TooLarge(
            f"Counting supports dimensions with a sum of at most {COUNTED_LIMIT}. Got "
            f"{format_number(sum(dims))}.",
            estimate=sum(dims),
            limit=COUNTED_LIMIT,
        )
    n = 0
    while math.prod(sauer_bound(n + 1, min(d, n + 1)) for d in dims) >> (n + 1):
        n += 1
    return n


def _sauer(n: int, d: int) -> int:
    if min(n, d) > TERMS_LIMIT:
        raise TooLarge(f"A sum must have at most {TERMS_LIMIT} binomials.", limit=TERMS_LIMIT)
    return sauer_bound(n, min(n, d))


def _binomial(n: Real, k: Real) -> int:
    whole = [int(m) for m in (n, k) if isinstance(m, Number) and m == int(m) >= 0]
    if len(whole) < 2:
        raise InvalidInput(f"binomial(n, k) needs integers n >= 0 and k >= 0. Got n={n}, k={k}.")
    items, chosen = whole
    # The binomial is at most the product of this number of factors, which are at most n.
    factors = min(chosen, items - chosen)
    if factors * items.bit_length() > POWER_BITS:
        raise TooLarge(
            f"A binomial must have at most {POWER_BITS} bits. C({items}, {chosen}) may have "
            f"{factors * items.bit_length()}.",
            limit=POWER_BITS,
        )
    return math.comb(items, chosen)


def _power(base: Real, exponent: Real) -> Real:
    if isinstance(exponent, Logarithmic):
        raise InvalidInput(f"An exponent must be an integer. Got {exponent}.")
    times = int(exponent)
    limit = LOGARITHMS_LIMIT if isinstance(base, Logarithmic) else EXPONENT_LIMIT
    if times != exponent or abs(times) > limit:
        raise TooLarge(
            f"A power must have an integer exponent of at most {limit}. Got "
            f"{format_number(Fraction(exponent))}.",
            limit=limit,
        )
    if not isinstance(base, Number):
        return base**times
    bits = max(Fraction(base).numerator.bit_length(), Fraction(base).denominator.bit_length())
    if bits * abs(times) > POWER_BITS:
        raise TooLarge(f"A power must have at most {POWER_BITS} bits.", limit=POWER_BITS)
    return _plain(Fraction(base) ** times)


def _divided(a: Real, b: Real) -> Real:
    if not isinstance(a, Number):
        return a / b
    if not isinstance(b, Number):
        return Fraction(a) / b
    return _plain(Fraction(a) / Fraction(b))


def _floor_log2(m: Real) -> int:
    if m < 1:
        raise InvalidInput(f"floor_log2 needs a number of at least 1. Got {m}.")
    return math.floor(m).bit_length() - 1


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "min": min,
    "max": max,
    "floor": math.floor,
    "ceil": math.ceil,
    "floor_log2": _floor_log2,
    "log2": log2,
    "binomial": _binomial,
    "sauer": _sauer,
    "counted": counted,
}
OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: _divided,
    ast.Pow: _power,
    ast.USub: operator.neg,
    ast.LtE: operator.le,
    ast.GtE: operator.ge,
    ast.Lt: operator.lt,
    ast.Gt: operator.gt,
    ast.Eq: same_number,
    ast.NotEq: lambda a, b: not same_number(a, b),
}
SIGNS: dict[type[ast.AST], str] = {
    ast.LtE: "<=",
    ast.GtE: ">=",
    ast.Lt: "<",
    ast.Gt: ">",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
"""The symbols of comparisons, by the types of nodes in Python's syntax tree."""
MEANT: dict[type[ast.AST], str] = {
    ast.BitXor: "Write ** for a power.",
    ast.FloorDiv: "Write floor(a/b) for a quotient rounded down.",
    ast.And: "A formula cannot contain 'and'. Only statements join comparisons by 'and'.",
    ast.Or: "Instead of 'P or Q', write P, 'when' and the negation of Q.",
}
"""Advice for common mistakes in formulas, by the types of nodes in Python's syntax tree."""
UNDERSTOOD = (
    *(ast.BinOp, ast.UnaryOp, ast.Name, ast.Load, ast.Call, ast.Subscript, ast.Compare),
    *OPERATORS,
)


def _place(node: ast.AST, text: str) -> int:
    """Return the position of a part in its formula. The syntax tree counts bytes."""
    return len(text.encode()[: getattr(node, "col_offset", 0)].decode())


def _require_known(node: ast.AST, text: str) -> None:
    """Raise `InvalidInput` at an unknown part of a formula."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return
    at = _place(node, text)
    if isinstance(node, (ast.BinOp, ast.BoolOp)) and type(node.op) not in OPERATORS:
        hint = MEANT.get(type(node.op), "")
        raise InvalidInput(
            f"This is not understood in a formula. {hint}".strip() + marked(text, at)
        )
    if not isinstance(node, UNDERSTOOD):
        part = ast.unparse(node) if isinstance(node, ast.expr) else type(node).__name__
        hint = "Numbers are integers. Write 1/2 for 0.5." * isinstance(node, ast.Constant)
        raise InvalidInput(
            f"{part!r} is not understood in a formula. {hint}".strip() + marked(text, at)
        )
    if isinstance(node, ast.Compare) and len(node.ops) != 1:
        raise InvalidInput(f"A comparison has two sides.{marked(text, at)}")
    if isinstance(node, ast.Call):
        if not isinstance(node.func, ast.Name) or node.func.id not in FUNCTIONS:
            called = ast.unparse(node.func)
            raise InvalidInput(
                f"Formulas have no function {called!r}. "
                f"{nearest(called, FUNCTIONS)}{marked(text, at)}"
            )
        if node.keywords:
            raise InvalidInput(f"Functions in formulas take no keywords.{marked(text, at)}")


def _value(node: ast.AST, quantities: Mapping[str, Quantity]) -> Any:
    match node:
        case ast.Constant():
            return node.value
        case ast.Name():
            if node.id not in quantities:
                raise InvalidInput(f"The quantity {node.id!r} is not given.")
            return quantities[node.id]
        case ast.Subscript():
            return _entry(_value(node.value, quantities), _value(node.slice, quantities))
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


def _entry(sequence: Sequence[Any], index: int) -> Any:
    if index < 0 or sequence[index] is None:
        raise IndexError
    return sequence[index]


def _plain(value: Fraction) -> Number:
    """Return an integral value as an integer."""
    return value.numerator if value.denominator == 1 else value
