"""Growth of a bound in one parameter, as a product of powers, logarithms and exponentials.

The papers state rates such as d^2, log^2(T/beta) or 16^d. A `GrowthProduct` is such a product. Its
method `ratio` returns the factor by which the product grows when the parameter doubles, in ball
arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import mul
from typing import Literal

from flint import arb

from learners.balls import ball, log

Kind = Literal["power", "logarithm", "exponential", "correction"]


@dataclass(frozen=True)
class GrowthFactor:
    """One factor of a growth, as a function of the parameter u.

    Parameters
    ----------
    kind : {"power", "logarithm", "exponential", "correction"}
        Form of the factor: (u + c)^e, log(c u^i)^e, 2^(e u), or (1 + c/u)^e.
    exponent : Fraction
        Exponent e of the factor.
    constant : Fraction
        Constant c of the factor.
    inner : int
        Power i of u in a logarithm.
    """

    kind: Kind
    exponent: Fraction
    constant: Fraction = Fraction(0)
    inner: int = 1

    def value(self, u: int) -> arb:
        """Return the factor at u, as a ball.

        Examples
        --------
        >>> factor = GrowthFactor("power", Fraction(3))
        >>> int(factor.value(2).unique_fmpz())
        8
        """
        if self.kind == "exponential":
            return (ball(self.exponent * u) * log(2)).exp()
        if self.kind == "power":
            base = ball(u + self.constant)
        elif self.kind == "correction":
            base = ball(1 + self.constant / u)
        else:
            base = log(self.constant) + self.inner * log(u)
        return base ** ball(self.exponent)

    def text(self, symbol: str) -> str:
        """Return the factor as a formula in a symbol.

        Examples
        --------
        >>> power("3/2").text("d"), exponential(4).text("d"), logarithm(1, "20").text("T")
        ('d^(3/2)', '2^(4 d)', 'log(20 T)')
        >>> correction(Fraction(-1, 8), 2).text("d"), power(1, 17).text("d")
        ('(1 - 1/(8 d))^2', '(d + 17)')
        """
        if self.kind == "exponential":
            return f"2^({self.exponent} {symbol})" if self.exponent != 1 else f"2^{_atom(symbol)}"
        if self.kind == "power":
            if not self.constant and self.exponent == 1:
                return symbol
            base = f"({symbol} + {self.constant})" if self.constant else _atom(symbol)
        elif self.kind == "correction":
            sign = "-" if self.constant < 0 else "+"
            top, bottom = abs(self.constant.numerator), self.constant.denominator
            under = _atom(symbol) if bottom == 1 else f"({bottom} {_atom(symbol)})"
            base = f"(1 {sign} {top}/{under})"
        else:
            argument = symbol if self.inner == 1 else f"{_atom(symbol)}^{self.inner}"
            base = f"log({argument})"
            if self.constant != 1:
                base = f"log({self.constant} {argument if self.inner > 1 else _atom(symbol)})"
        if self.exponent == 1:
            return base
        whole = self.exponent.denominator == 1
        return f"{base}^{self.exponent}" if whole else f"{base}^({self.exponent})"


def _atom(symbol: str) -> str:
    """Return a symbol in parentheses, unless it is a name or a function."""
    name = symbol.replace("_", "").replace("*", "")
    return symbol if name.isalnum() or symbol.startswith("log2") else f"({symbol})"


@dataclass(frozen=True)
class GrowthProduct:
    """A product of growth factors. The empty product is constant.

    Examples
    --------
    >>> growth = power(2) * logarithm(1)
    >>> growth.text("d")
    'd^2 log(d)'
    >>> growth.ratio(4)
    [6.0000000000000... +/- ...]
    """

    factors: tuple[GrowthFactor, ...] = ()

    def __mul__(self, other: GrowthProduct) -> GrowthProduct:
        return GrowthProduct(self.factors + other.factors)

    def ratio(self, u: int) -> arb:
        """Return the factor by which the product grows from u to 2u, as a ball."""
        return reduce(mul, (each.value(2 * u) / each.value(u) for each in self.factors), arb(1))

    def exponents(self) -> tuple[Fraction, Fraction, Fraction]:
        """Return the total exponents of 2^u, of u and of log(u), without corrections.

        Examples
        --------
        >>> (exponential(4) * power(2, 17)).exponents() > power(9).exponents()
        True
        """
        kinds: tuple[Kind, ...] = ("exponential", "power", "logarithm")
        first, second, third = (
            sum((each.exponent for each in self.factors if each.kind == kind), Fraction(0))
            for kind in kinds
        )
        return first, second, third

    def text(self, symbol: str) -> str:
        """Return the product as a formula in a symbol."""
        return " ".join(self._parts(symbol)) or "1"

    def _parts(self, symbol: str) -> Iterator[str]:
        return (each.text(symbol) for each in self.factors)


ONE = GrowthProduct()
"""The growth product without factors: the constant 1."""

Number = Fraction | int | str


def power(exponent: Number, constant: Number = 0) -> GrowthProduct:
    """Return the growth (u + constant)^exponent."""
    return GrowthProduct((GrowthFactor("power", Fraction(exponent), Fraction(constant)),))


def logarithm(exponent: Number, constant: Number = 1, inner: int = 1) -> GrowthProduct:
    """Return the growth log(constant u^inner)^exponent."""
    return GrowthProduct(
        (GrowthFactor("logarithm", Fraction(exponent), Fraction(constant), inner),)
    )


def exponential(exponent: Number) -> GrowthProduct:
    """Return the growth 2^(exponent u)."""
    return GrowthProduct((GrowthFactor("exponential", Fraction(exponent)),))


def correction(constant: Number, exponent: Number = 1) -> GrowthProduct:
    """Return the growth (1 + constant/u)^exponent, whose ratio tends to 1."""
    return GrowthProduct((GrowthFactor("correction", Fraction(exponent), Fraction(constant)),))
