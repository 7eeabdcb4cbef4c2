"""Conversion of dataclasses to JSON and back, with fields by name and by their annotations.

A fraction is a string such as 1/10, a tuple is a list, and a dataclass is an object with an entry
for each of its fields.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from fractions import Fraction
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from lsclasses.numbers import parse_number

Value = TypeVar("Value")


@cache
def _hints(kind: Any) -> dict[str, Any]:
    """Return the types of the fields of a class."""
    return get_type_hints(kind)


def written(value: object) -> object:
    """Return a value, such as a dataclass, as JSON values.

    Examples
    --------
    >>> @dataclass
    ... class Cost:
    ...     epsilon: Fraction
    ...     parts: tuple[str, ...] = ()
    >>> written(Cost(Fraction(1, 2), ("cuts", "rules")))
    {'epsilon': '1/2', 'parts': ['cuts', 'rules']}
    """
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, tuple):
        return [written(each) for each in value]
    if is_dataclass(value):
        return {each.name: written(getattr(value, each.name)) for each in fields(value)}
    return value


@dataclass(frozen=True)
class Codec:
    """A reader of the output of `written`, which refuses missing and unknown entries.

    Parameters
    ----------
    readers : mapping
        Functions ``read(value, name)`` for types that need a separate check or message.

    Examples
    --------
    >>> @dataclass
    ... class Cost:
    ...     epsilon: Fraction
    ...     name: str | None
    >>> Codec().read(Cost, {"epsilon": "1/2", "name": None})
    Cost(epsilon=Fraction(1, 2), name=None)
    """

    readers: Mapping[object, Callable[[Any, str], object]] = field(default_factory=dict)

    def read(self, kind: type[Value], data: object) -> Value:
        """Return a dataclass of the given type, read from its JSON entries.

        Raises
        ------
        LookupError, TypeError
            If the entries differ. `lsclasses.json_text.entries_of` turns this into a sentence.
        InvalidInput
            If a value is refused.
        """
        types: Any = kind
        hints = _hints(types)
        names = [each.name for each in fields(kind)]  # type: ignore[arg-type]
        if not isinstance(data, dict) or data.keys() - names:
            raise TypeError
        return kind(**{name: self.value(hints[name], data[name], name) for name in names})

    def value(self, kind: Any, data: Any, name: str) -> Any:
        """Return a value of an annotated type, read from JSON. Errors mention the given name."""
        if kind in self.readers:
            return self.readers[kind](data, name)
        inner = get_args(kind)
        if data is None and NoneType in inner:
            return None
        if get_origin(kind) in (Union, UnionType):  # a number is read as a fraction, not an int
            return self.value(inner[0], data, name)
        if get_origin(kind) is tuple and isinstance(data, list):
            return tuple(self.value(inner[0], each, name) for each in data)
        if kind is Fraction:
            return parse_number(data, name)
        if is_dataclass(kind) and isinstance(kind, type):
            return self.read(kind, data)
        if type(data) is not kind:
            raise TypeError
        return data
