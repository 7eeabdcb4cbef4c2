"""Checks of untrusted evidence, which return the value or raise `BadCertificate`.

Import the module: ``reading.natural(depth)``, ``reading.fields(data, {"points"})``.

Every kind of certificate declares the shape of its evidence as JSON. `Certificate.from_json` checks
the shape before it reads a field, so no field of a wrong JSON type reaches the rules of the
checker.
"""

from __future__ import annotations

import math
import re
import reprlib
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field
from typing import Any, TypeVar

from lsclasses.errors import BadCertificate, InvalidInput
from lsclasses.point_names import Label, Point, from_json

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
    """Call `read`, and turn every error that malformed data cause into `BadCertificate`."""
    try:
        return read()
    except BadCertificate:
        raise
    except RecursionError:
        raise BadCertificate("The evidence is nested too deeply.") from None
    except (InvalidInput, LookupError, TypeError, ValueError, AttributeError, OverflowError) as e:
        raise BadCertificate(f"The evidence is malformed: {type(e).__name__}: {e}.") from None


def fields(data: Any, *shapes: Set[str]) -> dict[str, Any]:
    """Return a JSON object with exactly the fields of one of the shapes."""
    if not isinstance(data, dict) or data.keys() not in shapes:
        allowed = ", or ".join(", ".join(sorted(shape)) for shape in shapes)
        raise BadCertificate(f"Expected an object with the fields {allowed}. Got {brief(data)}.")
    return data


def names_from_json(values: Any) -> tuple[Point, ...]:
    """Return the names of points or concepts in a JSON list."""
    return tuple(from_json(value) for value in values)


def natural(value: Any, most: int | None = None, *, least: int = 0) -> int:
    """Return a value that must be an integer in a range. A bool is refused.

    The range is from `least` to `most`, or has no upper end if `most` is None.
    """
    if type(value) is not int or value < least or (most is not None and value > most):
        allowed = f">= {least}" if most is None else f"from {least} to {most}"
        raise BadCertificate(f"Expected an integer {allowed}. Got {brief(value)}.")
    return value


def label(value: Any) -> Label:
    """Return the integer 0 or 1. A bool is refused."""
    return natural(value, 1)


def require_tuple(values: Any, what: str) -> tuple[Any, ...]:
    """Check that a value is a tuple, because an iterator would be empty on the second pass."""
    if not isinstance(values, tuple):
        raise BadCertificate(f"{what} must be a tuple. Got {brief(values)}.")
    return values


# ---- shapes of JSON values


LARGE = 1 << 63
"""Bound on the integers in certificates, except integers of the shape `LONG`."""
HEXADECIMAL = re.compile(r"-?0x(?:0|[1-9a-f][0-9a-f]*)")
"""Pattern of an integer in the form that Python's `hex` returns."""


@dataclass(frozen=True)
class Scalar:
    """The shape of a JSON value without parts, such as an integer.

    Attributes
    ----------
    what : str
        Name of the values in error messages.
    test : callable
        Returns whether a value is allowed.
    """

    what: str
    test: Callable[[Any], bool]


@dataclass(frozen=True)
class ListOf:
    """The shape of a JSON list of any length whose elements have one shape."""

    element: Shape


@dataclass(frozen=True)
class ListShape:
    """The shape of a JSON list of fixed length, with one shape for each element."""

    elements: tuple[Shape, ...]

    def __init__(self, *elements: Shape) -> None:
        object.__setattr__(self, "elements", elements)


@dataclass(frozen=True)
class ObjectShape:
    """The shape of a JSON object with fields of given shapes. Some fields may be absent."""

    required: Mapping[str, Shape]
    optional: Mapping[str, Shape] = field(default_factory=dict)


@dataclass(frozen=True)
class MapOf:
    """The shape of a JSON object with fields of any names whose values have one shape."""

    element: Shape


@dataclass(frozen=True)
class Either:
    """The shape of a JSON value with several allowed shapes. The JSON type chooses the shape."""

    shapes: tuple[Shape, ...]

    def __init__(self, *shapes: Shape) -> None:
        object.__setattr__(self, "shapes", shapes)


Shape = Scalar | ListOf | ListShape | ObjectShape | MapOf | Either


def _is_name(value: Any) -> bool:
    if isinstance(value, list):
        return all(map(_is_name, value))
    return type(value) in (str, int) or (type(value) is float and math.isfinite(value))


NULL = Scalar("null", lambda value: value is None)
TEXT = Scalar("a string", lambda value: type(value) is str)
INTEGER = Scalar("an integer below 2^63", lambda value: type(value) is int and abs(value) < LARGE)
NATURAL = Scalar("an integer from 0 to 2^63 - 1", lambda v: type(v) is int and 0 <= v < LARGE)
LONG = Scalar("an integer >= 0", lambda value: type(value) is int and value >= 0)
LABEL = Scalar("the integer 0 or 1", lambda value: type(value) is int and value in (0, 1))
NAME = Scalar("a string, a finite number or a list of them", _is_name)
HEX = Scalar(
    "an integer as a hexadecimal string, such as '0x1f'",
    lambda value: type(value) is str and HEXADECIMAL.fullmatch(value) is not None,
)
NATURALS = ListOf(NATURAL)
MATCHING = ListOf(ListShape(NATURAL, NATURAL, LABEL))


def require_shape(value: Any, shape: Shape, place: str = "the evidence") -> None:
    """Raise `BadCertificate` unless a JSON value has a shape.

    Parameters
    ----------
    value : object
        Value that was read from JSON.
    shape : Shape
        Expected shape.
    place : str
        Name of the value in the error message.

    Raises
    ------
    BadCertificate
        The message names the first place that has a wrong type.

    Examples
    --------
    >>> require_shape({"rows": 2}, ObjectShape({"rows": NATURAL}))
    >>> require_shape({"rows": True}, ObjectShape({"rows": NATURAL}))
    Traceback (most recent call last):
        ...
    lsclasses.errors.BadCertificate: Expected an integer from 0 to 2^63 - 1 as 'rows' of ...
    """
    match shape:
        case Scalar(what, test):
            if not test(value):
                raise BadCertificate(f"Expected {what} as {place}. Got {brief(value)}.")
        case ListOf(element):
            _require_type(value, list, "a list", place)
            if isinstance(element, Scalar) and all(map(element.test, value)):
                return
            for i, each in enumerate(value):
                require_shape(each, element, f"element {i} of {place}")
        case ListShape(elements):
            _require_type(value, list, "a list", place)
            if len(value) != len(elements):
                raise BadCertificate(
                    f"Expected a list of {len(elements)} elements as {place}. Got {brief(value)}."
                )
            for i, (each, element) in enumerate(zip(value, elements, strict=True)):
                require_shape(each, element, f"element {i} of {place}")
        case MapOf(element):
            _require_type(value, dict, "an object", place)
            for name, each in value.items():
                require_shape(each, element, f"{brief(name)} of {place}")
        case ObjectShape(required, optional):
            allowed = {**required, **optional}
            if not isinstance(value, dict) or not required.keys() <= value.keys() <= allowed.keys():
                names = ", ".join(sorted(required))
                if optional:
                    names += f", and perhaps {', '.join(sorted(optional))}"
                raise BadCertificate(
                    f"Expected an object with the fields {names} as {place}. Got {brief(value)}."
                )
            for name, each in value.items():
                require_shape(each, allowed[name], f"'{name}' of {place}")
        case Either(shapes):
            fitting = [each for each in shapes if _has_type(value, each)]
            if not fitting:
                raise BadCertificate(
                    f"Expected {' or '.join(map(_what, shapes))} as {place}. Got {brief(value)}."
                )
            require_shape(value, fitting[0], place)


def _require_type(value: Any, kind: type, what: str, place: str) -> None:
    if not isinstance(value, kind):
        raise BadCertificate(f"Expected {what} as {place}. Got {brief(value)}.")


def _has_type(value: Any, shape: Shape) -> bool:
    """Return whether `Either` selects the shape for a value."""
    match shape:
        case Scalar(_, test):
            return test(value)
        case ListOf():
            return isinstance(value, list)
        case ListShape(elements):
            return isinstance(value, list) and len(value) == len(elements)
        case ObjectShape(required):
            return isinstance(value, dict) and required.keys() <= value.keys()
        case MapOf():
            return isinstance(value, dict)
        case Either(shapes):
            return any(_has_type(value, each) for each in shapes)


def _what(shape: Shape) -> str:
    match shape:
        case Scalar(what):
            return what
        case ListShape(elements):
            return f"a list of {len(elements)} elements"
        case ListOf():
            return "a list"
        case ObjectShape(required):
            return f"an object with the fields {', '.join(sorted(required))}"
        case MapOf():
            return "an object"
        case Either(shapes):
            return " or ".join(map(_what, shapes))
