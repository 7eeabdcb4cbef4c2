"""Checks of untrusted evidence: each returns the value or raises `BadCertificate`.

Import the module: ``reading.natural(depth)``, ``reading.fields(data, {"points"})``.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Set
from typing import Any, TypeVar

from lsclasses.errors import BadCertificate, InvalidInput
from lsclasses.points import Label, Point, from_json

T = TypeVar("T")

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 80
_SHORT.maxtuple = _SHORT.maxlist = 12


def brief(value: Any) -> str:
    """Return a value for an error message, with dots in place of long parts.

    Examples
    --------
    >>> brief(("a", 1)), len(brief(10**4000)), len(brief("a" * 4000))
    ("('a', 1)", 40, 80)
    """
    return _SHORT.repr(value)


def malformed(read: Callable[[], T]) -> T:
    """Call `read` and raise `BadCertificate` for any error that malformed data cause."""
    try:
        return read()
    except BadCertificate:
        raise
    except RecursionError:
        raise BadCertificate("The evidence is malformed: it is nested too deeply.") from None
    except (InvalidInput, LookupError, TypeError, ValueError, AttributeError, OverflowError) as e:
        raise BadCertificate(f"The evidence is malformed: {type(e).__name__}: {e}.") from None


def fields(data: Any, *shapes: Set[str]) -> dict[str, Any]:
    """A JSON object with exactly the fields of one of the shapes."""
    if not isinstance(data, dict) or data.keys() not in shapes:
        allowed = ", or ".join(", ".join(sorted(shape)) for shape in shapes)
        raise BadCertificate(f"Expected an object with the fields {allowed}. Got {brief(data)}.")
    return data


def names_from_json(values: Any) -> tuple[Point, ...]:
    """A JSON list of names."""
    return tuple(from_json(value) for value in values)


def natural(value: Any, most: int | None = None, *, least: int = 0) -> int:
    """An integer that must be >= `least`, 0 unless given, and <= `most` if given; no bool."""
    if type(value) is not int or value < least or (most is not None and value > most):
        allowed = f">= {least}" if most is None else f"from {least} to {most}"
        raise BadCertificate(f"Expected an integer {allowed}. Got {brief(value)}.")
    return value


def label(value: Any) -> Label:
    """The integer 0 or 1; no bool."""
    return natural(value, 1)


def require_tuple(values: Any, what: str) -> tuple[Any, ...]:
    """Check that a value is a tuple; an iterator would be empty on the second pass."""
    if not isinstance(values, tuple):
        raise BadCertificate(f"{what} must be a tuple. Got {brief(values)}.")
    return values
