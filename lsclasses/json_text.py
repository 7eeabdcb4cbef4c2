"""Strict reading of JSON. Objects with repeated or missing entries are refused."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from lsclasses.errors import InvalidInput, LsclassesError


def parsed_json(text: bytes, *, real: Callable[[str], Any] = float) -> Any:
    """Return the content of a JSON document.

    Parameters
    ----------
    text : bytes
        The document.
    real : callable
        Function that returns the value of a number with a decimal point or an exponent.

    Raises
    ------
    InvalidInput
        If the string is not JSON, is nested too deeply, or an object has an entry twice.
    UnicodeDecodeError
        If the bytes are not UTF-8.

    Examples
    --------
    >>> parsed_json(b'{"rows": ["01"]}')
    {'rows': ['01']}
    """
    try:
        return json.loads(text, object_pairs_hook=_once, parse_float=real)
    except RecursionError:
        raise InvalidInput("it is nested too deeply to be JSON of this library.") from None
    except json.JSONDecodeError as error:
        raise InvalidInput(
            f"it is not valid JSON, or not complete ({error.msg} in line {error.lineno})."
        ) from None
    except ValueError as error:
        if isinstance(error, (UnicodeDecodeError, InvalidInput)):
            raise
        digits = sys.get_int_max_str_digits()
        raise InvalidInput(f"it holds a number of more than {digits} digits.") from None


STRING = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
VALUE_BYTES = 100
"""Approximate upper bound on the number of bytes of memory for a value of a JSON document."""


def require_few_values(text: bytes, most: int) -> None:
    """Raise `InvalidInput` if a JSON document has too many values, before Python builds them.

    Python needs many times the size of the document for short values, such as empty lists.

    Parameters
    ----------
    text : bytes
        The document.
    most : int
        Largest number of values. The check compares it with an upper bound on the number of values,
        in which an empty list counts twice.

    Raises
    ------
    InvalidInput
        If the document can have more values. The message states the limit and an estimate of the
        memory.

    Examples
    --------
    >>> require_few_values(b'[1, "a, b, [c", {"d": []}]', 6)
    >>> require_few_values(b"[[], [], []]", 6)
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: it has about 7 JSON values, which need up to about ...
    """
    if 1 + sum(map(text.count, (b",", b"[", b"{"))) <= most:
        return
    bare = STRING.sub(b"", text)
    values = 1 + sum(map(bare.count, (b",", b"[", b"{")))
    if values > most:
        memory = f"{values * VALUE_BYTES / 10**9:.2g} GB"
        raise InvalidInput(
            f"it has about {values:,} JSON values, which need up to about {memory} of memory. The "
            f"limit is {most:,} values."
        )


WRONG = (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError)
"""The errors that Python raises for data of a wrong form."""


@contextmanager
def entries_of(refusal: str) -> Iterator[None]:
    """Return a context manager that turns errors of reading a document into `InvalidInput`.

    Such an error occurs if the document lacks an entry, or an entry has the wrong type.

    Parameters
    ----------
    refusal : str
        First part of the error message, before the colon.

    Examples
    --------
    >>> with entries_of("it is not a complete model"):
    ...     {"else": 1}["rules"]
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: it is not a complete model: the entry 'rules' is missing.
    """
    try:
        yield
    except LsclassesError:
        raise
    except WRONG as error:
        raise InvalidInput(f"{refusal}: {damaged(error)}.") from None


def damaged(error: Exception) -> str:
    """Return an error text for an exception that Python raised for data of a wrong form."""
    if isinstance(error, KeyError):
        return f"the entry {error.args[0]!r:.200} is missing"
    return "a value has the wrong type"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON. Refuse repeated names, because readers differ in their choice."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise InvalidInput(f'an object contains "{name}" twice.')
        found[name] = value
    return found
