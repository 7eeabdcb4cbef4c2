"""Names of points and concepts: which are allowed, and how they are written to files.

A name is a text, an integer, a finite float or a tuple of names. In JSON a tuple is a list; in CSV
a name that would read back as something else is written as a quoted Python literal, so every
format gives back the very names it was given.
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
    """A NumPy value as a value of Python, a list if it has several; other values as they are.

    Without NumPy in memory there is no such value, so this module does not import NumPy. A command
    that prints its help starts faster.
    """
    numpy = sys.modules.get("numpy")
    if not numpy:
        return name
    if isinstance(name, numpy.generic) or (isinstance(name, numpy.ndarray) and name.ndim == 0):
        name = name.item()
    return list(name) if isinstance(name, numpy.ndarray) else name


def plain(name: Any) -> Point:
    """Return the name with NumPy scalars replaced by Python's, lists by tuples, bools by integers.

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
            f"A name must be hashable (text, an integer, a tuple of them). Got {name!r}."
        ) from None
    return name  # type: ignore[no-any-return]


SHORT = 19
"""Whole numbers with fewer digits are read without Python's parser."""
DIGITS = 4300
"""How many digits a decimal number may have before or behind the point; Python's own limit."""


def canonical(name: Any) -> Point:
    """Return the canonical representative of all names that equal a given one.

    Python holds 1, 1.0 and True to be equal, and 0.0 and -0.0, so a dictionary takes them together
    and keeps the one that came first. Code that counts, keeps or releases people's data by equality
    takes canonical names instead, so that nothing tells which of the equal ones was given, nor in
    which place. Each name is mapped, or refused, by itself: no other one matters.

    Parameters
    ----------
    name : object
        A text, a finite number, None, or a tuple (list, array) of these.

    Returns
    -------
    hashable
        A whole number is an integer; any other number a float where that is exact, and else a
        `Fraction`.

    Raises
    ------
    InvalidInput
        If it is another object, since nothing is known of its equality; or a number that is
        infinite, no number, or a decimal of more than 4300 digits.

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
    lsclasses.errors.InvalidInput: Points and items of data are texts, finite numbers, or tuples \
of these, so that equal ones look alike. Got an object of type frozenset; name it by one of them.
    """
    kind = type(name)
    if kind is str or kind is int or name is None:
        return name  # type: ignore[no-any-return]
    # What data are made of most often goes first.
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
        "Points and items of data are texts, finite numbers, or tuples of these, so that equal "
        f"ones look alike. Got an object of type {type(name).__name__}; name it by one of them."
    )


def _canonical_number(number: Any) -> int | float | Fraction:
    """A finite number as an integer, or a float, or else a fraction: the first that is exact."""
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
        f"A number that is a point or an item of data is finite, and a decimal one has at most "
        f"{DIGITS} digits. Got {number!r:.100}."
    )


def check_label(y: Any) -> Label:
    """`y` as the integer 0 or 1.

    Raises
    ------
    InvalidInput
        If `y` is anything else.
    """
    numpy = sys.modules.get("numpy")
    kinds = (int, numpy.integer, numpy.bool_) if numpy else (int,)
    if isinstance(y, kinds) and (y == 0 or y == 1):
        return int(y)
    raise InvalidInput(f"A label must be 0 or 1. Got {y!r}.")


def to_json(name: Point) -> Any:
    """Return the name as a JSON value.

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
        "Only names made of text, integers, finite floats and tuples of them can be written to a "
        f"file. Got {name!r} of type {type(name).__name__}; rename it first."
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
        f"A name in a JSON file must be a text, a finite number or a list of them. Got {value!r}."
    )


def to_text(name: Point) -> str:
    """Return the name as one CSV cell or command-line word; `from_text` gives it back.

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


def from_text(cell: str) -> Point:
    """Read a name: a Python integer, float, tuple or quoted text; any other text is itself.

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
                # A name such as 1or is no concern of the reader's.
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
    """Return whether `word` is the one spelling of the literal `value` that names are written in.

    So ``007`` or ``1_000`` stay texts, while ``7`` and ``(0, 1)`` are read as Python values.
    """
    if isinstance(value, str):
        return True
    if isinstance(value, tuple):
        return repr(value).replace(" ", "") == word.replace(" ", "")
    return isinstance(value, (int, float)) and repr(value) == word


def split_words(text: str, separator: str = ",") -> list[str]:
    """Return the parts of a text between separators that stand outside of parentheses and quotes.

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
