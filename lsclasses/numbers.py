"""Conversion between exact numbers of any size and strings, without floats.

A float turns 1e400 into infinity and 1e-400 into 0. A power of ten such as 1e999999999 would fill
the memory when its digits are written. All code that parses numbers, prints fractions or takes
numbers from Python code of a user uses this module.
"""

from __future__ import annotations

import math
import operator
import re
from decimal import (
    MAX_EMAX,
    MIN_EMIN,
    ROUND_CEILING,
    ROUND_FLOOR,
    ROUND_HALF_EVEN,
    Context,
    Decimal,
    localcontext,
)
from fractions import Fraction
from numbers import Rational, Real
from typing import TypeGuard

from lsclasses.errors import InvalidInput

LARGEST_EXPONENT = 1000
"""The largest power of ten, and the largest number of digits, of a number in a string.

Larger numbers are typing errors. Their digits might fill the memory, and Python does not print
integers of more than 4300 digits."""

LONG = 10**9
"""The least whole number that is printed in scientific notation."""

LONGEST_SIZE = 10**30
"""The least size that error messages print with two digits and a power of ten."""


def parse_number(text: str, name: str) -> Fraction:
    """Return the number that a user wrote, such as 1/2, 0.5 or 1e-6, exactly.

    Parameters
    ----------
    text : str
    name : str
        Description of the number, for the error message.

    Raises
    ------
    InvalidInput
        If the string is not a number, has more than 1000 digits, or has a power of ten beyond
        10^1000.

    Examples
    --------
    >>> parse_number("1e-6", "option --delta")
    Fraction(1, 1000000)
    >>> parse_number("1e200000000", "option --delta")
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: The option --delta must be a number such as 1/2, 1e-6 or 0.5. \
Got '1e200000000'.
    """
    exponent = re.search(r"[eE]([-+]?\d+)\s*$", text)
    short = len(text) <= LARGEST_EXPONENT and "_" not in text
    try:
        if short and (exponent is None or abs(int(exponent[1])) <= LARGEST_EXPONENT):
            return Fraction(text)
    except (ValueError, ZeroDivisionError):
        pass
    if len(text) > 80:
        text = f"{text[:60]}..."
    raise InvalidInput(f"The {name} must be a number such as 1/2, 1e-6 or 0.5. Got {text!r}.")


def rational(value: object, name: str) -> Fraction:
    """Return a rational value as a `Fraction`. A float raises an error that suggests a fraction.

    A string is read exactly, as on the command line.

    Examples
    --------
    >>> rational(3, "scale"), rational("1e-6", "delta")
    (Fraction(3, 1), Fraction(1, 1000000))
    >>> rational(0.1, "scale")
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: The scale must be an int or a Fraction, not a float. The float \
0.1 is 3602879701896397/36028797018963968. Write Fraction(1, 10) for the printed number.
    """
    if isinstance(value, Fraction):
        return value
    if isinstance(value, str):
        return parse_number(value, name)
    if isinstance(value, Decimal) and value.is_finite():
        return parse_number(str(value), name)
    if _is_float(value):
        try:
            printed, held = Fraction(str(float(value))), Fraction(float(value))
        except (ValueError, OverflowError):
            raise InvalidInput(
                f"The {name} must be an int or a Fraction. Got the float {value!r}."
            ) from None
        raise InvalidInput(
            f"The {name} must be an int or a Fraction, not a float. The float "
            f"{float(value)!r} is {held}. Write Fraction({printed.numerator}, "
            f"{printed.denominator}) for the printed number."
        )
    if isinstance(value, bool) or not isinstance(value, Rational):
        raise InvalidInput(f"The {name} must be an int or a Fraction. Got {value!r}.")
    return Fraction(int(value.numerator), int(value.denominator))


def integer(value: object, name: str) -> int:
    """Return an integer value as an ``int``, or raise an error if it is not an integer.

    Examples
    --------
    >>> integer(7, "count")
    7
    >>> integer(7.0, "count")
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: The count must be an integer. Got 7.0.
    """
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise InvalidInput(f"The {name} must be an integer. Got {value!r}.") from None


def _is_float(value: object) -> TypeGuard[float]:
    """Return whether a value is a float of Python or NumPy, whose floats are `Real`."""
    return isinstance(value, Real) and not isinstance(value, Rational)


def as_printed(value: object, name: str) -> Fraction:
    """Return a float as the fraction that its decimal digits denote, for example 1/10 for 0.1.

    This function reads a privacy parameter that is a float or a string as it is printed. Mechanisms
    themselves refuse floats.

    Raises
    ------
    InvalidInput
        If the value is not a finite number.

    Examples
    --------
    >>> as_printed(0.1, "epsilon"), as_printed("1e-6", "delta")
    (Fraction(1, 10), Fraction(1, 1000000))
    """
    if isinstance(value, (str, Decimal)) or _is_float(value):
        return parse_number(str(value), name)
    return rational(value, name)


def format_number(
    value: Fraction | int,
    digits: int = 6,
    *,
    exact: int = 0,
    up: bool = False,
    down: bool = False,
) -> str:
    """Return a number in decimal digits, in the format of a float.

    Only the number 0 is printed as 0, and only infinity is printed as infinity.

    Parameters
    ----------
    value : Fraction or int
    digits : int
        Largest number of printed digits.
    exact : int
        Largest denominator of fractions, such as 1/3, that are printed exactly. If it is not 0,
        whole numbers are also printed exactly unless they are long.
    up, down : bool
        Whether to round up or down. For example, a privacy budget is rounded up, because it must
        not look smaller than it is. By default, numbers are rounded to the nearest number.

    Examples
    --------
    >>> [format_number(Fraction(text)) for text in ("1", "1/3", "1e-6", "1e400", "-1e-400")]
    ['1', '0.333333', '1e-06', '1e+400', '-1e-400']
    >>> format_number(Fraction(1, 3), 2, up=True), format_number(Fraction(1, 3), exact=10)
    ('0.34', '1/3')
    >>> format_number(2**166, exact=10)
    '9.35361e+49'
    """
    number = Fraction(value)
    if number.denominator < exact and abs(number) < LONG:
        return str(number)
    rounding = ROUND_CEILING if up else ROUND_FLOOR if down else ROUND_HALF_EVEN
    with localcontext(Context(prec=digits, rounding=rounding, Emax=MAX_EMAX, Emin=MIN_EMIN)):
        rounded = (Decimal(number.numerator) / Decimal(number.denominator)).normalize()
    if not rounded or -5 < rounded.adjusted() < digits:
        return f"{rounded:f}"
    mantissa, exponent = f"{rounded:e}".split("e")
    return f"{mantissa}e{int(exponent):+03d}"


def size_in_words(size: int, separator: str = "") -> str:
    """Return a size for an error message: all digits, or two digits of a very large number.

    Parameters
    ----------
    size : int
    separator : str
        Separator of thousands, such as a comma.

    Examples
    --------
    >>> size_in_words(2**64), size_in_words(2**200), size_in_words(12345, separator=",")
    ('18446744073709551616', '1.6 * 10^60', '12,345')
    """
    if size < LONGEST_SIZE:
        return f"{size:{separator}}"
    mantissa, _, exponent = format_number(size, 2).partition("e")
    return f"{mantissa} * 10^{int(exponent)}"


def exact_text(value: Fraction | int) -> str:
    """Return a number exactly: as decimal digits if they end, and otherwise as a fraction.

    Examples
    --------
    >>> [exact_text(Fraction(text)) for text in ("20200101", "1/4", "-2.5", "1/3")]
    ['20200101', '0.25', '-2.5', '1/3']
    """
    number = Fraction(value)
    rest, digits = number.denominator, 0
    for prime in (2, 5):
        power = 0
        while rest % prime == 0:
            rest, power = rest // prime, power + 1
        digits = max(digits, power)
    if rest > 1:
        return str(number)
    scaled = str(abs(number.numerator) * 10**digits // number.denominator).rjust(digits + 1, "0")
    whole, decimals = (scaled[:-digits], f".{scaled[-digits:]}") if digits else (scaled, "")
    return f"{'-' * (number < 0)}{whole}{decimals}"


def hundredths(bound: Fraction | int, **rounding: bool) -> str:
    """Return a bound with at most two decimal places, rounded so that it remains a bound.

    Examples
    --------
    >>> hundredths(Fraction(10, 3), up=True), hundredths(Fraction(10, 3), down=True)
    ('3.34', '3.33')
    """
    return format_number(bound, len(str(math.floor(bound))) + 2, **rounding)


def plural(count: int, one: str, many: str = "") -> str:
    """Return a count with its noun, for example 1 round, 2 rounds, 1 copy, 2 copies."""
    return f"{count} {one if count == 1 else many or one + 's'}"
