"""Linear functions of open constants, as values of formulas: ``c*vcdim + d``.

A formula is evaluated once on a class, with a `LinearFunction` in place of each constant. The
operations of a formula either give a linear function again or raise `NotLinear`, so no rounding,
minimum or power of a constant is mistaken for a linear function.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NoReturn

from lsclasses.dimensions.logarithms import Logarithmic
from lsclasses.errors import InvalidInput


class NotLinear(InvalidInput):
    """Error for a formula that is not a linear function of its constants."""


def _not_linear(*_: object) -> NoReturn:
    raise NotLinear(
        "Constants are only added, subtracted, and multiplied or divided by rational numbers."
    )


_refuse: Callable[..., Any] = _not_linear


@dataclass(frozen=True, eq=False)
class LinearFunction:
    """A linear function ``weights . constants + offset`` with rational coefficients.

    Parameters
    ----------
    weights : tuple of Fraction
        Coefficients of the constants.
    offset : Fraction
        Value at 0.

    Examples
    --------
    >>> c, d = LinearFunction.constant(0, 2), LinearFunction.constant(1, 2)
    >>> (3 * c - (d + 1) / 2).weights, (3 * c - (d + 1) / 2).offset
    ((Fraction(3, 1), Fraction(-1, 2)), Fraction(-1, 2))
    >>> min(c, d)
    Traceback (most recent call last):
        ...
    catalog.refuting.linear.NotLinear: Constants are only added, ...
    """

    weights: tuple[Fraction, ...]
    offset: Fraction

    @classmethod
    def constant(cls, place: int, constants: int) -> LinearFunction:
        """Return the function whose value is one of the constants."""
        return cls(tuple(Fraction(i == place) for i in range(constants)), Fraction(0))

    def of(self, value: object) -> LinearFunction:
        """Return a rational number or a linear function as a linear function."""
        if isinstance(value, LinearFunction):
            return value
        return LinearFunction((Fraction(0),) * len(self.weights), _rational(value))

    def __add__(self, other: object) -> LinearFunction:
        right = self.of(other)
        pairs = zip(self.weights, right.weights, strict=True)
        return LinearFunction(tuple(a + b for a, b in pairs), self.offset + right.offset)

    def __neg__(self) -> LinearFunction:
        return self * -1

    def __sub__(self, other: object) -> LinearFunction:
        return self + -self.of(other)

    def __rsub__(self, other: object) -> LinearFunction:
        return self.of(other) - self

    def __mul__(self, other: object) -> LinearFunction:
        factor = _rational(other)
        return LinearFunction(tuple(factor * each for each in self.weights), factor * self.offset)

    def __truediv__(self, other: object) -> LinearFunction:
        return self * (1 / _rational(other))

    __radd__, __rmul__ = __add__, __mul__
    __rtruediv__ = __pow__ = __rpow__ = _refuse
    __int__ = __index__ = __floor__ = __ceil__ = __iter__ = __getitem__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = _refuse


def _rational(value: object) -> Fraction:
    if isinstance(value, Logarithmic):
        raise NotLinear(f"Both sides must be rational numbers. Got {value}.")
    if not isinstance(value, (int, Fraction)):
        _not_linear()
    return Fraction(value)
