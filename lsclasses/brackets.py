"""Numbers of which only a lower and an upper bound are known, in formulas and comparisons."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn

from lsclasses.errors import TooLarge

DIGITS = 6
"""Number of decimal places of a printed bound."""


@dataclass(frozen=True)
class Bracket:
    """A number between two rational bounds.

    Operations return brackets that contain all possible results. A comparison such as ``<`` has an
    answer only if all numbers in the brackets give the same answer. The operator ``==`` compares
    only the bounds. `same_number` compares the unknown numbers.

    Parameters
    ----------
    lower, upper : Fraction
        Bounds, with lower <= upper.

    Examples
    --------
    >>> x = Bracket(Fraction(1, 3), Fraction(2, 5))
    >>> print(2 * x + 1, 1 - x, 1 / x, x**2)
    1.666666 to 1.8 0.6 to 0.666667 2.5 to 3 0.111111 to 0.16
    >>> x < 1, x >= Fraction(1, 2)
    (True, False)
    >>> x < Fraction(7, 20)
    Traceback (most recent call last):
        ...
    lsclasses.errors.TooLarge: 0.333333 to 0.4 and 0.35 cannot be compared, ...
    """

    lower: Fraction
    upper: Fraction

    @classmethod
    def of(cls, value: object) -> Bracket | None:
        """Return a rational number or a bracket as a bracket, and None for other objects."""
        if isinstance(value, Bracket):
            return value
        if isinstance(value, (int, Fraction)):
            return cls(Fraction(value), Fraction(value))
        return None

    @property
    def width(self) -> Fraction:
        """The upper bound minus the lower bound."""
        return self.upper - self.lower

    @property
    def middle(self) -> Fraction:
        """The mean of the lower and the upper bound."""
        return (self.lower + self.upper) / 2

    def __float__(self) -> float:
        """Return the mean of the bounds, for example to order classes by it."""
        return float(self.middle)

    def __str__(self) -> str:
        lower, upper = _decimals(self.lower, up=False), _decimals(self.upper, up=True)
        return lower if lower == upper else f"{lower} to {upper}"

    def __neg__(self) -> Bracket:
        return Bracket(-self.upper, -self.lower)

    def __add__(self, other: object) -> Bracket:
        right = Bracket.of(other)
        if right is None:
            return NotImplemented
        return Bracket(self.lower + right.lower, self.upper + right.upper)

    def __sub__(self, other: object) -> Bracket:
        right = Bracket.of(other)
        return NotImplemented if right is None else self + -right

    def __rsub__(self, other: object) -> Bracket:
        left = Bracket.of(other)
        return NotImplemented if left is None else left - self

    def __mul__(self, other: object) -> Bracket:
        right = Bracket.of(other)
        if right is None:
            return NotImplemented
        corners = [a * b for a in (self.lower, self.upper) for b in (right.lower, right.upper)]
        return Bracket(min(corners), max(corners))

    def __truediv__(self, other: object) -> Bracket:
        right = Bracket.of(other)
        if right is None:
            return NotImplemented
        if right.lower <= 0 <= right.upper:
            raise ZeroDivisionError
        return self * Bracket(1 / right.upper, 1 / right.lower)

    def __rtruediv__(self, other: object) -> Bracket:
        left = Bracket.of(other)
        return NotImplemented if left is None else left / self

    def __pow__(self, exponent: int) -> Bracket:
        found = Bracket(Fraction(1), Fraction(1))
        for _ in range(abs(exponent)):
            found = found * self
        if exponent % 2 == 0 and self.lower < 0 < self.upper:
            found = Bracket(Fraction(0), found.upper)
        return found if exponent >= 0 else 1 / found

    __radd__, __rmul__ = __add__, __mul__

    def __le__(self, other: object) -> bool:
        right = Bracket.of(other)
        if right is None:
            return NotImplemented
        if self.upper <= right.lower:
            return True
        if self.lower > right.upper:
            return False
        self._undecided(right)

    def __lt__(self, other: object) -> bool:
        right = Bracket.of(other)
        if right is None:
            return NotImplemented
        if self.upper < right.lower:
            return True
        if self.lower >= right.upper:
            return False
        self._undecided(right)

    def __ge__(self, other: object) -> bool:
        right = Bracket.of(other)
        return NotImplemented if right is None else right <= self

    def __gt__(self, other: object) -> bool:
        right = Bracket.of(other)
        return NotImplemented if right is None else right < self

    def _undecided(self, other: Bracket) -> NoReturn:
        raise TooLarge(
            f"{self} and {other} cannot be compared, because only bounds are known. "
            "'lsclasses frontier --tolerance' computes narrower bounds."
        )


def _decimals(number: Fraction, *, up: bool) -> str:
    """Return a number with `DIGITS` decimals, rounded up or down, without zeros at the end."""
    unit = 10**DIGITS
    whole = -(-number * unit // 1) if up else number * unit // 1
    sign, (integer, part) = "-" * (whole < 0), divmod(abs(whole), unit)
    return f"{sign}{integer}.{part:0{DIGITS}}".rstrip("0").rstrip(".")


def same_number(left: object, right: object) -> bool:
    """Return whether two values are the same number.

    Raises
    ------
    TooLarge
        If the bounds of a bracket do not decide the question.

    Examples
    --------
    >>> x = Bracket(Fraction(1, 3), Fraction(2, 5))
    >>> same_number(x, 1), same_number(Fraction(1, 2), Fraction(2, 4))
    (False, True)
    """
    one, other = Bracket.of(left), Bracket.of(right)
    if one is None or other is None or not (one.width or other.width):
        return bool(left == right) if one is None or other is None else one == other
    if one.upper < other.lower or other.upper < one.lower:
        return False
    one._undecided(other)
