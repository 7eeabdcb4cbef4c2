"""From formulas with logarithms to the integers and fractions that mechanisms run on.

A bound is computed as a ball (python-flint's `arb`) and rounded to the safe side. The precision
grows until the ball decides, so that no constant depends on floating point.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flint import arb, ctx, fmpq

__all__ = ["at_most", "ceiling", "floor", "log", "rational_above", "rational_below", "real"]

PRECISIONS = (64, 128, 256, 512, 1024)


def real(value: Fraction | int) -> arb:
    """The number as a ball of the current precision."""
    fraction = Fraction(value)
    return arb(fmpq(fraction.numerator, fraction.denominator))


def log(value: Fraction | int) -> arb:
    """The natural logarithm of a positive number."""
    return real(value).log()


def ceiling(compute: Callable[[], arb]) -> int:
    """The least integer that is at least the computed number.

    Parameters
    ----------
    compute : callable
        Returns a ball around the number, at whatever precision is set.

    Raises
    ------
    ArithmeticError
        If 1024 bits do not separate the number from an integer.

    Examples
    --------
    >>> ceiling(lambda: log(1000))
    7
    >>> ceiling(lambda: real(7))
    7
    """
    for precision in PRECISIONS:
        with ctx.workprec(precision):
            rounded = compute().ceil().unique_fmpz()
        if rounded is not None:
            return int(rounded)
    raise ArithmeticError("The number is too close to an integer to be rounded up.")


def floor(compute: Callable[[], arb]) -> int:
    """The greatest integer that is at most the computed number."""
    return -ceiling(lambda: -compute())


def rational_above(compute: Callable[[], arb], denominator: int) -> Fraction:
    """The least fraction with the given denominator that is at least the computed number.

    Examples
    --------
    >>> rational_above(lambda: log(2), 16)
    Fraction(3, 4)
    """
    return Fraction(ceiling(lambda: compute() * denominator), denominator)


def rational_below(compute: Callable[[], arb], denominator: int) -> Fraction:
    """The greatest fraction with the given denominator that is at most the computed number."""
    return -rational_above(lambda: -compute(), denominator)


def at_most(compute: Callable[[], arb], bound: Fraction | int) -> bool:
    """Whether the computed number is surely at most the bound, at the highest precision needed.

    Examples
    --------
    >>> at_most(lambda: log(2), Fraction(7, 10)), at_most(lambda: log(2), Fraction(69, 100))
    (True, False)
    """
    for precision in PRECISIONS:
        with ctx.workprec(precision):
            number, limit = compute(), real(bound)
            if number <= limit:
                return True
            if number > limit:
                return False
    return False
