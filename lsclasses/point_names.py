"""Names of points and concepts: allowed names, and their form in files.

A name is a string, an integer, a finite float or a tuple of names. In JSON, a tuple is a list. In
CSV, a name that would be read as another value is written as a quoted Python literal. So every
format preserves all names.
"""

from __future__ import annotations

import ast
import math
import sys
import warnings
from collections.abc import Hashable
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import Any

from lsclasses.errors import InvalidInput

Point = Hashable
Label = int


def _from_numpy(name: Any) -> Any:
    """Return a NumPy value as a Python value, a list for arrays, and other values unchanged.

    NumPy values exist only if NumPy is in memory, so this module does not import NumPy. A command
    that prints its help then starts faster.
    """
    numpy = sys.modules.get("numpy")
    if not numpy:
        return name
    if isinstance(name, numpy.generic) or (isinstance(name, numpy.ndarray) and name.ndim == 0):
        name = name.item()
    return list(name) if isinstance(name, numpy.ndarray) else name


def plain(name: Any) -> Point:
    """Return a name in a form without NumPy scalars, lists and bools.

    They are replaced by Python's numbers, tuples and integers.

    Raises
    ------
    InvalidInput
        If the name cannot be hashed.

    Examples
    --------
    >>> import numpy as np
    >>> plain([np.int64(1), 0])
    (1, 0)
    """
    if type(name) in (str, int):
        return name  # type: ignore[no-any-return]
    name = _from_numpy(name)
    if isinstance(name, bool):
        return int(name)
    if isinstance(name, (list, tuple)):
        return tuple(plain(part) for part in name)
    try:
        hash(name)
    except TypeError:
        raise InvalidInput(
            f"A name must be hashable (a string, an integer, a tuple of them). Got {name!r}."
        ) from None
    return name  # type: ignore[no-any-return]


SHORT = 19
"""Number of digits from which a whole number is read by Python's parser."""
DIGITS = 4300
"""Largest number of digits of a decimal number before or after the point, as in Python."""


def canonical(name: Any) -> Point:
    """Return the canonical representative of all names that equal a given name.

    In Python, 1, 1.0 and True are equal, and 0.0 and -0.0 are equal. So a dictionary merges them
    and keeps the first of them. Code that counts, keeps or releases people's data by equality uses
    canonical names instead. Then the result does not reveal the form or the position of the given
    names. Each name is mapped, or refused, without regard to other names.

    Parameters
    ----------
    name : object
        String, finite number, None, or tuple (list, array) of these.

    Returns
    -------
    hashable
        A whole number is an integer. Any other number is a float if the float is exact, and a
        `Fraction` otherwise.

    Raises
    ------
    InvalidInput
        If the object has another type, because its equality is unknown. If a number is infinite,
        not a number, or a decimal of more than 4300 digits.

    Examples
    --------
    >>> import numpy as np
    >>> [canonical(x) for x in (True, 1.0, Fraction(2, 2), np.int8(1), -0.0, Decimal("0.50"))]
    [1, 1, 1, 1, 0, 0.5]
    >>> canonical(("a", [2.0, np.str_("b")], None))
    ('a', (2, 'b'), None)
    >>> canonical(frozenset("ab")) == "ab"
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: Points and items of data must be strings, finite numbers, or \
tuples of these, so that equal names are identical. Got an object of type frozenset. Name it by \
one of these.
    """
    kind = type(name)
    if kind is str or kind is int or name is None:
        return name  # type: ignore[no-any-return]
        # The most frequent types come first.
    if kind is float and math.isfinite(name):
        return int(name) if name.is_integer() else name
    if kind is tuple:
        return tuple([canonical(part) for part in name])
    if (numpy := sys.modules.get("numpy")) and isinstance(name, (numpy.generic, numpy.ndarray)):
        if not name.ndim and name.dtype.kind in "biufUO":
            name = name.item()
        if isinstance(name, numpy.ndarray):
            name = list(name)
    if isinstance(name, str):
        return str.__str__(name)
    if isinstance(name, (tuple, list)):
        return tuple([canonical(part) for part in name])
    if isinstance(name, (Real, Decimal)):
        return _canonical_number(name)
    raise InvalidInput(
        "Points and items of data must be strings, finite numbers, or tuples of these, so that "
        f"equal names are identical. Got an object of type {type(name).__name__}. Name it by one "
        "of these."
    )


def _canonical_number(number: Any) -> int | float | Fraction:
    """Return a finite number as an integer, a float, or a fraction, the first exact type."""
    if not isinstance(number, Decimal) or (
        number.is_finite() and abs(number.adjusted()) + len(number.as_tuple().digits) <= DIGITS
    ):
        try:
            exact = Fraction(*number.as_integer_ratio())
        except (AttributeError, OverflowError, ValueError):
            pass
        else:
            if exact.denominator == 1:
                return exact.numerator
            try:
                near = float(exact)
            except OverflowError:
                return exact
            return near if Fraction(near) == exact else exact
    raise InvalidInput(
        "A number that is a point or an item of data must be finite, and a decimal number must "
        f"have at most {DIGITS} digits. Got {number!r:.100}."
    )


def check_label(y: Any) -> Label:
    """Return a label as the integer 0 or 1.

    Raises
    ------
    InvalidInput
        If `y` is not a label.
    """
    numpy = sys.modules.get("numpy")
    kinds = (int, numpy.integer, numpy.bool_) if numpy else (int,)
    if isinstance(y, kinds) and (y == 0 or y == 1):
        return int(y)
    raise InvalidInput(f"A label must be 0 or 1. Got {y!r}.")


def to_json(name: Point) -> Any:
    """Return a name as a JSON value.

    Raises
    ------
    InvalidInput
        If the name has no faithful JSON form.
    """
    if isinstance(name, str):
        return name
    if isinstance(name, int):
        return int(name)
    if isinstance(name, float) and math.isfinite(name):
        return name
    if isinstance(name, tuple):
        return [to_json(part) for part in name]
    raise InvalidInput(
        "Only strings, integers, finite floats and tuples of them can be written to a file as "
        f"names. Got {name!r} of type {type(name).__name__}. Rename it first."
    )


def from_json(value: Any) -> Point:
    """Return the name that `to_json` wrote."""
    if isinstance(value, list):
        return tuple(from_json(part) for part in value)
    if isinstance(value, (str, int)) and not isinstance(value, bool):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    raise InvalidInput(
        f"A name in a JSON file must be a string, a finite number or a list of them. Got {value!r}."
    )


def to_text(name: Point) -> str:
    """Return a name as a string that `from_text` reads: a CSV cell or a command-line word.

    Examples
    --------
    >>> to_text("x1"), to_text(3), to_text("3"), to_text((0, 1))
    ('x1', '3', "'3'", '(0, 1)')
    """
    if isinstance(name, str):
        plainly = name and name.isprintable() and from_text(name) == name
        return name if plainly else repr(name)
    to_json(name)
    return repr(name)


def name_text(name: Any) -> str:
    """Return a string that displays the name of a point or concept.

    It is the result of `to_text`, or the ``repr`` of the name. Control characters are escaped,
    because terminals obey them.

    Every hashable object can be displayed. Only files need names that `from_text` can read.

    Examples
    --------
    >>> name_text("x1"), name_text("3"), name_text(Fraction(1, 2)), name_text(b"x")
    ('x1', "'3'", 'Fraction(1, 2)', "b'x'")
    """
    try:
        return to_text(name)
    except InvalidInput:
        text = repr(name)
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in text
    )


def from_text(cell: str) -> Point:
    """Return the name in a CSV cell or a command-line word.

    A Python literal (an integer, a float, a tuple or a quoted string) gives its value. Any other
    cell is a string.

    Examples
    --------
    >>> from_text("3"), from_text("'3'"), from_text("(0, 1)"), from_text("007")
    (3, '3', (0, 1), '007')
    """
    word = cell.strip()
    if (
        word.isascii()
        and word.isdecimal()
        and len(word) < SHORT
        and (word[0] != "0" or word == "0")
    ):
        return int(word)
    if word[:1] in "0123456789+-.('\"" and word:
        try:
            with warnings.catch_warnings():
                # Names such as 1or cause warnings that do not concern the reader.
                warnings.simplefilter("ignore")
                value = ast.literal_eval(word)
            if _is_spelling(value, word):
                name = plain(value)
                to_json(name)
                return name
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            pass
    return word


def _is_spelling(value: Any, word: str) -> bool:
    """Return whether `word` is the canonical spelling of the literal `value`.

    So ``007`` and ``1_000`` remain strings, while ``7`` and ``(0, 1)`` are read as Python values.
    """
    if isinstance(value, str):
        return True
    if isinstance(value, tuple):
        return repr(value).replace(" ", "") == word.replace(" ", "")
    return isinstance(value, (int, float)) and repr(value) == word


def split_words(text: str, separator: str = ",") -> list[str]:
    """Return the parts of a string between separators outside of parentheses and quotes.

    Examples
    --------
    >>> split_words("(0, 1):1, 'a,b':0"), split_words("(0, 1):1", ":")
    (['(0, 1):1', "'a,b':0"], ['(0, 1)', '1'])
    """
    parts, depth, quote = [""], 0, ""
    for character in text:
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        else:
            depth += (character == "(") - (character == ")")
        if character == separator and not quote and depth <= 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]
