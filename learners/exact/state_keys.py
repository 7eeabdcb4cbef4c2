"""Keys of values that a program keeps between two calls, such as the attributes of an object."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Hashable
from dataclasses import fields, is_dataclass
from decimal import Decimal
from enum import Enum
from types import BuiltinFunctionType, FunctionType, MemberDescriptorType, MethodType, ModuleType
from typing import Any, NoReturn

import numpy as np

from learners.coins import Coins
from learners.exact.identity import PLAIN
from learners.exact.uniform_values import UniformValue
from lsclasses.errors import InvalidInput

SOURCES = (
    Coins,
    random.Random,
    np.random.Generator,
    np.random.RandomState,
    np.random.BitGenerator,
    np.random.SeedSequence,
    UniformValue,
)


def state_key(value: object, name: str = "object") -> Hashable:
    """Return a key such that two values have equal keys only if their visible states are equal.

    The key contains the types and the values of all parts at every depth. Parts are entries of
    containers, attributes, slots and arrays of NumPy. The key also states which mutable parts are
    one object. Equal values of different types have different keys, and 0.0 and -0.0 have different
    keys.

    Parameters
    ----------
    value : object
        Value that ``copy.deepcopy`` copies in full.
    name : str
        Name of the value in messages.

    Raises
    ------
    InvalidInput
        If the value contains a source of randomness or a part whose state the function cannot read.
        Examples of such parts are files, functions with a closure, and objects with their own
        method ``__deepcopy__``.

    Examples
    --------
    >>> class Counts:
    ...     __slots__ = ("counts",)
    ...     def __init__(self, *counts): self.counts = list(counts)
    >>> state_key(Counts(1, 2)) == state_key(Counts(1, 2))
    True
    >>> state_key(Counts(1)) == state_key(Counts(True))
    False
    """
    return _Walk().key(value, name)


class _Walk:
    """A walk through the parts of a value."""

    def __init__(self) -> None:
        self.met: dict[int, int] = {}
        """Numbers of the mutable parts by their addresses, because two names of one list differ
        from two equal lists."""
        self.parts: list[object] = []
        """The mutable parts, which must live as long as their addresses are compared."""
        self.arrays: list[np.ndarray] = []

    def key(self, value: Any, name: str) -> Hashable:
        kind = type(value)
        if kind in PLAIN:
            return kind, value
        if kind in KEYS:
            return kind, KEYS[kind](value)
        if kind in (tuple, frozenset):
            # The order of a set is visible.
            return kind, tuple(self.key(each, f"{name}[{i}]") for i, each in enumerate(value))
        if id(value) in self.met:
            return "the same as part", self.met[id(value)]
        self.met[id(value)] = len(self.met)
        self.parts.append(value)
        if kind in (list, set):
            return kind, tuple(self.key(each, f"{name}[{i}]") for i, each in enumerate(value))
        if kind is dict:
            return kind, tuple(
                (self.key(key, f"{name} key"), self.key(each, f"{name}[{key!r:.40}]"))
                for key, each in value.items()
            )
        return self._object_key(value, kind, name)

    def _object_key(self, value: Any, kind: Any, name: str) -> Hashable:
        if isinstance(value, SOURCES):
            raise InvalidInput(
                f"The program keeps a source of randomness or an undecided random number in {name}."
                " It must draw from the source that each call receives, and keep only values that "
                "it has compared or rounded."
            )
        if isinstance(value, np.ndarray):
            return self._array_key(value, name)
        if isinstance(value, np.generic):
            return kind, value.dtype.str, value.tobytes()
        if isinstance(value, Enum):
            # Combined flags have the name None.
            return kind, value.name, self.key(value.value, f"{name}.value")
        if isinstance(value, type):
            return "class", value
        if isinstance(value, MethodType):
            return (
                kind,
                self.key(value.__func__, name),
                self.key(value.__self__, f"{name}.__self__"),
            )
        if isinstance(value, FunctionType | BuiltinFunctionType):
            return self._function_key(value, name)
        return self._reduced_key(value, kind, name)

    def _array_key(self, value: np.ndarray, name: str) -> Hashable:
        if any(np.may_share_memory(value, each) for each in self.arrays):
            # A deep copy would separate the two arrays.
            raise InvalidInput(
                f"The array {name} shares its memory with another array of the program. Keep "
                "copies, because the audit copies each array separately."
            )
        self.arrays.append(value)
        head = type(value), value.dtype.str, value.shape
        if type(value) is not np.ndarray or value.dtype.names is not None:
            _refuse(name, value)
        if value.dtype == object:
            return *head, tuple(self.key(each, f"{name}[{i}]") for i, each in enumerate(value.flat))
        return *head, value.tobytes()

    def _function_key(self, value: Any, name: str) -> Hashable:
        """Return the key of a function, which ``copy.deepcopy`` does not copy."""
        bound = getattr(value, "__self__", None)
        if getattr(value, "__closure__", None) or getattr(value, "__dict__", None):
            _refuse(name, value)
        if bound is not None and not isinstance(bound, ModuleType):
            _refuse(name, value)
        if isinstance(value, FunctionType):
            defaults = value.__defaults__, value.__kwdefaults__
            return "function", value.__code__, self.key(defaults, f"{name} defaults")
        return "function", value

    def _reduced_key(self, value: Any, kind: Any, name: str) -> Hashable:
        """Return the key of the parts by which ``copy.deepcopy`` copies an object."""
        if _sets_itself(kind):
            _refuse(name, value)
        own = _attributes(value)
        try:
            reduced = value.__reduce_ex__(4)
        except (TypeError, AttributeError, ValueError):
            _refuse(name, value)
        if isinstance(reduced, str):
            return kind, reduced
        make, arguments, state, entries, pairs, setter = (*reduced, None, None, None, None)[:6]
        copied = _copied_attributes(kind, state)
        if setter is not None or any(
            each not in copied or copied[each] is not part for each, part in own.items()
        ):
            _refuse(name, value)
        return (
            kind,
            self.key(make, name),
            self.key(arguments, name),
            tuple((each, self.key(own[each], f"{name}.{each}")) for each in own)
            if own
            else self.key(state, name),
            None if entries is None else self.key(tuple(entries), name),
            None if pairs is None else self.key(tuple(pairs), name),
        )


def _attributes(value: object) -> dict[str, object]:
    """Return the attributes of an object in its dictionary and in the slots of all its classes."""
    found = dict(getattr(value, "__dict__", {}))
    for each in type(value).__mro__:
        if "__slots__" in vars(each):
            for name, part in vars(each).items():
                if isinstance(part, MemberDescriptorType) and hasattr(value, name):
                    found[name] = getattr(value, name)
    return found


def _copied_attributes(kind: Any, state: Any) -> dict[str, object]:
    """Return the attributes that a copy receives, from the state that an object reduces to."""
    if is_dataclass(kind) and isinstance(state, list):
        return dict(zip([each.name for each in fields(kind)], state, strict=True))
    parts = state if isinstance(state, tuple) and len(state) == 2 else (state,)
    return {name: each for part in parts if isinstance(part, dict) for name, each in part.items()}


def _sets_itself(kind: type) -> bool:
    """Return whether a class has its own method that makes a copy or sets the state of a copy."""
    for name in ("__deepcopy__", "__setstate__"):
        own = getattr(kind, name, None)
        module = getattr(own, "__module__", None)
        if isinstance(own, FunctionType) and module != "dataclasses":
            return True
        if own is not None and name == "__deepcopy__":
            return True
    return False


def _refuse(name: str, value: object) -> NoReturn:
    raise InvalidInput(
        f"The audit does not observe the whole state of {name}, whose type is "
        f"{type(value).__qualname__}. Keep numbers, strings, containers, arrays and objects with "
        "attributes. Do not keep iterators, files, functions with a closure, bound methods of "
        "built-in types, or objects that define how they are copied."
    )


KEYS: dict[type, Callable[[Any], Hashable]] = {
    float: lambda value: struct.pack("<d", value),
    complex: lambda value: struct.pack("<dd", value.real, value.imag),
    Decimal: str,
    range: lambda value: (value.start, value.stop, value.step),
    type(...): lambda value: None,
    type(NotImplemented): lambda value: None,
}
"""Functions that return the whole value of plain types."""
