"""Numbers as users write and read them: exact, of any size, and never a float in between.

A float turns 1e400 into infinity and 1e-400 into 0, and a power of ten such as 1e999999999 would
fill the memory when it is written out. Whatever reads a number from a text, and whatever prints a
fraction, does it here.
"""

from __future__ import annotations

import math
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

from lsclasses.errors import InvalidInput

LARGEST_EXPONENT = 1000
"""A larger power of ten in a text is a typing error, and so are more digits. Written out, it might
fill the memory; and Python does not print integers of more than 4300 digits."""

LONG = 10**9
"""From here on, whole numbers and fractions are printed as decimals."""


def parse_number(text: str, name: str) -> Fraction:
    """Return the number that a user wrote, such as 1/2, 0.5 or 1e-6, exactly.

    Parameters
    ----------
    text : str
    name : str
        Of what it is a number, for the error.

    Raises
    ------
    InvalidInput
        If it is no number, or has more than 1000 digits, or its power of ten is beyond 10^1000.

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


def format_number(
    value: Fraction | int,
    digits: int = 6,
    *,
    exact: int = 0,
    up: bool = False,
    down: bool = False,
) -> str:
    """Return a number in decimal digits, laid out like a float; only 0 and infinity print as such.

    Parameters
    ----------
    value : Fraction or int
    digits : int
        How many are printed, at most.
    exact : int
        A fraction with a smaller denominator is printed as it is, such as 1/3, and so is any
        whole number unless it is long.
    up, down : bool
        Whether to round up, as for a budget, which must not look smaller than it is, or down, as
        for a lower bound; otherwise to the nearest.

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


def hundredths(bound: Fraction | int, **rounding: bool) -> str:
    """Return a bound with two decimal places at most, rounded to the side on which it stays one.

    Examples
    --------
    >>> hundredths(Fraction(10, 3), up=True), hundredths(Fraction(10, 3), down=True)
    ('3.34', '3.33')
    """
    return format_number(bound, len(str(math.floor(bound))) + 2, **rounding)


def plural(count: int, one: str, many: str = "") -> str:
    """Return a count with its noun: 1 round, 2 rounds; 1 copy, 2 copies."""
    return f"{count} {one if count == 1 else many or one + 's'}"
