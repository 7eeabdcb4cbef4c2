"""Hashable forms of outputs of programs. Distinguishable outputs have distinct forms."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from functools import lru_cache, partialmethod
from typing import Any

import numpy as np

from learners.exact import UniformValue
from lsclasses.errors import InvalidInput

NUMBERS = (float, complex, Decimal, np.inexact, np.datetime64, np.timedelta64)
"""Number types with a value that does not equal itself, such as NaN."""

_not_numbers: dict[tuple[type, str], Hashable] = {}


@dataclass(frozen=True)
class RaisedError:
    """An exception of a program as an output.

    Attributes
    ----------
    kind : str
        Name of the type.
    message : str
        Text of the exception.
    """

    kind: str
    message: str


@lru_cache(maxsize=1024)
def _container(name: str, brackets: str, base: type) -> type:
    """Return a hashable container whose type stands for another type of container."""
    write = _written_pairs if brackets == "{}" and base is tuple else _written_entries
    shown = partialmethod(write, brackets)
    return type(name, (base,), {"__repr__": shown, "__slots__": ()})


def _written_entries(value: Any, brackets: str) -> str:
    return brackets[0] + ", ".join(map(repr, value)) + brackets[1]


def _written_pairs(value: Any, brackets: str) -> str:
    return brackets[0] + ", ".join(f"{key!r}: {each!r}" for key, each in value) + brackets[1]


def hashable_output(value: Any) -> Hashable:
    """Return a hashable form of an output.

    Lists, sets, dictionaries and arrays become containers with their types and their entries.
    Outputs of different types can be equal, for example 1 and True, or a list and a tuple with
    equal entries. `learners.exact.require_same` then refuses them, because a reader distinguishes
    them. All NaNs of one type are one output.

    Examples
    --------
    >>> hashable_output({"a": [1, 2]}), hashable_output(np.array([1, 2]))
    ({'a': [1, 2]}, [1, 2])
    >>> hashable_output(float("nan")) is hashable_output(float("nan"))
    True
    >>> from learners.exact import require_same
    >>> require_same(hashable_output([0]), hashable_output((0,)))
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: The outcomes [0] and (0,) are equal, but a reader can \
distinguish them: the types are list and tuple. Return one of them always, or make them unequal.
    """
    kind = type(value)
    if kind is UniformValue:
        return hash(value)  # refused
    if kind is tuple:
        return tuple(map(hashable_output, value))
    found: Hashable
    if isinstance(value, tuple) and hasattr(kind, "_make"):  # a named tuple
        found = kind._make(map(hashable_output, value))
        return found
    if kind is list:
        found = _container("list", "[]", tuple)(map(hashable_output, value))
        return found
    if isinstance(value, set):
        found = _container(kind.__name__, "{}", frozenset)(map(hashable_output, value))
        return found
    if isinstance(value, dict):
        pairs = [(hashable_output(key), hashable_output(each)) for key, each in value.items()]
        found = _container(kind.__name__, "{}", tuple)(pairs)
        return found
    if isinstance(value, np.ndarray):
        return _array_output(value)
    if isinstance(value, np.void):
        found = _container(f"record of {value.dtype}", "()", tuple)(
            hashable_output(each) for each in value.tolist()
        )
        return found
    if isinstance(value, NUMBERS) and value != value:  # noqa: PLR0124
        return _not_numbers.setdefault((kind, repr(value)), value)
    _require_value(value)
    hashable: Hashable = value
    return hashable


def _require_value(value: Any) -> None:
    """Refuse an object with attributes that is equal only to itself."""
    kind = type(value)
    compare: object = kind.__eq__
    if compare is not object.__eq__ or isinstance(value, (type, Enum)):
        return
    slots = any(vars(each).get("__slots__") for each in kind.__mro__)
    if slots or getattr(value, "__dict__", None):
        raise InvalidInput(
            f"The program returns an object of the type {kind.__qualname__}, which is equal only "
            "to itself, so the audit does not observe its attributes. Return their values, for "
            "example as a tuple."
        )


def _array_output(value: np.ndarray) -> Hashable:
    """Return the entries of an array in a container, whose type has the type and the shape."""
    shape = f" with shape {value.shape}" if value.size == 0 or value.ndim == 0 else ""
    name = f"{type(value).__name__} of {value.dtype}{shape}"
    entries = value.tolist()
    if isinstance(entries, list):
        listed = [hashable_output(each) for each in entries]
    else:
        listed = [hashable_output(entries)]
    found: Hashable = _container(name, "[]", tuple)(listed)
    return found
