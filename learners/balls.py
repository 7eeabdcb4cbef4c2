"""Numbers computed in ball arithmetic from users' parameters, rounded to the safe side.

A bound with a logarithm is computed as a `ball` (python-flint's `arb`) and rounded to an integer or
a fraction on the safe side. The precision grows until the ball determines the rounded number, so
the result does not depend on floating point.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flint import arb, ctx, fmpq

from lsclasses.errors import TooLarge

PRECISIONS = (64, 128, 256, 512, 1024)


def ball(value: Fraction | int) -> arb:
    """Return a number as a ball of the current precision."""
    # A conversion of a fraction to a fraction would take most of the time.
    fraction = value if type(value) in (Fraction, int) else Fraction(value)
    return arb(fmpq(fraction.numerator, fraction.denominator))


def log(value: Fraction | int) -> arb:
    """Return the natural logarithm of a positive number."""
    return ball(value).log()


def ceiling(compute: Callable[[], arb]) -> int:
    """Return the least integer that is at least the computed number.

    Parameters
    ----------
    compute : callable
        Function that returns a ball around the number, at every precision.

    Raises
    ------
    ArithmeticError
        If 1024 bits do not separate the number from an integer.

    Examples
    --------
    >>> ceiling(lambda: log(1000))
    7
    >>> ceiling(lambda: ball(7))
    7
    """
    for precision in PRECISIONS:
        with ctx.workprec(precision):
            rounded = compute().ceil().unique_fmpz()
        if rounded is not None:
            return int(rounded)
    raise ArithmeticError("The number is too close to an integer to be rounded up.")


def floor(compute: Callable[[], arb]) -> int:
    """Return the greatest integer that is at most the computed number."""
    return -ceiling(lambda: -compute())


def rational_above(compute: Callable[[], arb], denominator: int) -> Fraction:
    """Return the least fraction with the given denominator that is at least the computed number.

    Examples
    --------
    >>> rational_above(lambda: log(2), 16)
    Fraction(3, 4)
    """
    return Fraction(ceiling(lambda: compute() * denominator), denominator)


def rational_below(compute: Callable[[], arb], denominator: int) -> Fraction:
    """Return the greatest fraction with the given denominator at most the computed number."""
    return -rational_above(lambda: -compute(), denominator)


def certainly_le(compute: Callable[[], arb], bound: Fraction | int) -> bool:
    """Return whether the computed number is surely at most the bound, at sufficient precision.

    Examples
    --------
    >>> [certainly_le(lambda: log(2), Fraction(n, 100)) for n in (70, 69)]
    [True, False]
    """
    for precision in PRECISIONS:
        with ctx.workprec(precision):
            number, limit = compute(), ball(bound)
            if number <= limit:
                return True
            if number > limit:
                return False
    return False


def at_most(number: arb, bound: Fraction | int) -> bool:
    """Return whether the number in the ball is surely at most the bound.

    Examples
    --------
    >>> at_most(log(2), 1), at_most(log(2) + arb(0, 1), 1)
    (True, False)
    """
    with ctx.workprec(1024):
        return bool(number <= ball(bound))


LONGEST = 1 << 16
"""Largest number of bits of a bound before or after the binary point."""


def round_up(enclosure: arb, bits: int = 64) -> Fraction:
    """Return an upper bound of the number in the ball, a fraction of `bits` significant bits.

    Numbers between 0 and 2^-65536 are rounded up to 2^-65536.

    Raises
    ------
    TooLarge
        If the ball is not bounded, or the number exceeds 2^65536.

    Examples
    --------
    >>> round_up(log(2), 4), round_up(arb(1))
    (Fraction(3, 4), Fraction(1, 1))
    >>> round_up(arb("1e-1000000000")) == Fraction(1, 2**65536)
    True
    """
    upper = enclosure.upper()
    if not upper.is_finite() or upper > arb(2) ** LONGEST:
        raise TooLarge("The numbers are too large or too small for a bound to be computed.")
    if 0 < upper < arb(2) ** -LONGEST:
        # Written out, such a number could fill the memory.
        return Fraction(1, 1 << LONGEST)
    mantissa, exponent = (int(part) for part in upper.man_exp())
    spare = mantissa.bit_length() - bits
    if spare > 0:
        mantissa, exponent = -(-mantissa >> spare), exponent + spare
    return Fraction(mantissa) * Fraction(2) ** exponent


def round_down(enclosure: arb, bits: int = 32) -> Fraction:
    """Return a lower bound of the positive number in the ball, of `bits` significant bits.

    Raises
    ------
    TooLarge
        If the ball is not bounded, reaches down to 0, or the number is outside of the range from
        2^-65536 to 2^65536.

    Examples
    --------
    >>> round_down(log(2), 4), round_down(arb(1))
    (Fraction(11, 16), Fraction(1, 1))
    """
    lower = enclosure.lower()
    if not lower.is_finite() or not arb(2) ** -LONGEST < lower < arb(2) ** LONGEST:
        raise TooLarge("The numbers are too large or too small for a bound to be computed.")
    mantissa, exponent = (int(part) for part in lower.man_exp())
    spare = max(0, mantissa.bit_length() - bits)
    return Fraction(mantissa >> spare) * Fraction(2) ** (exponent + spare)
