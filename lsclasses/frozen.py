"""Frozen dataclasses: fields in one form, and short representations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any


def set_frozen_fields(instance: object, **fields: object) -> None:
    """Set fields of a frozen dataclass to given values, for use in its ``__post_init__``.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Word:
    ...     letters: str
    ...
    ...     def __post_init__(self) -> None:
    ...         set_frozen_fields(self, letters=self.letters.lower())
    >>> Word("SOA") == Word("soa")
    True
    """
    for name, value in fields.items():
        object.__setattr__(instance, name, value)


MAIN_PARAMETERS = ("epsilon", "delta", "alpha", "beta", "rounds")
"""The names of the parameters that a short representation contains, in this order."""

SUBJECT_WIDTH = 100
"""The largest number of characters for the class in a short representation."""


class ShortRepr:
    """Base of learners whose ``repr`` has only the concept class and the main parameters.

    A dataclass would otherwise print every field of every part. A class that defines
    ``__repr__`` keeps it.

    Examples
    --------
    >>> import catalog
    >>> from learners.playing.entries import ONLINE_LEARNERS
    >>> ONLINE_LEARNERS["pop"].learner("thresholds:n=7", 1000, epsilon=2)
    POP(ConservativeSOA(<Thresholds on 7 points: start 0 to 7>), epsilon=2, delta=7/8000000, \
rounds=1000)
    """

    def __init_subclass__(cls, **given: Any) -> None:
        super().__init_subclass__(**given)
        if "__repr__" not in cls.__dict__:
            # `dataclass` replaces only an inherited __repr__.
            cls.__repr__ = cls.__repr__  # type: ignore[method-assign]

    def __repr__(self) -> str:
        """Return the name of its class with the class of concepts and the main parameters."""
        if not is_dataclass(self):
            return type(self).__name__
        numbers = {name: value for name, value in _numbers(self) if value is not None}
        parts = [f"{each}={_short(numbers[each])}" for each in MAIN_PARAMETERS if each in numbers]
        return f"{type(self).__name__}({', '.join([*_subject(self), *parts, *_flags(self)])})"


def _subject(learner: object) -> list[str]:
    """Return the first part that has points, such as a class or a base learner, as a string."""
    for each in _values(learner):
        if isinstance(each, ShortRepr) and is_dataclass(each):
            return [f"{type(each).__name__}({', '.join(_subject(each))})"]
        if hasattr(each, "domain") or hasattr(each, "concept_class"):
            text, of = repr(each), getattr(each, "concept_class", None)
            if "\n" in text or len(text) > SUBJECT_WIDTH:
                text = type(each).__name__ + ("" if of is None else f"({of!r:.{SUBJECT_WIDTH}})")
            return [text]
    return []


def _flags(learner: Any) -> list[str]:
    """Return the truth values that differ from their defaults, such as ``realizable=False``."""
    flags = ((each, getattr(learner, each.name, None)) for each in fields(learner) if each.repr)
    return [
        f"{each.name}={value}"
        for each, value in flags
        if isinstance(value, bool) and isinstance(each.default, bool) and value != each.default
    ]


def _numbers(part: object) -> Iterator[tuple[str, Any]]:
    """Yield the main parameters by name. Outer parameters follow inner parameters."""
    for each in reversed(list(_values(part))):
        if is_dataclass(each):
            yield from _numbers(each)
    yield from ((name, getattr(part, name, None)) for name in _names(part))


def _names(part: object) -> list[str]:
    if not is_dataclass(part):
        return []
    return [each.name for each in fields(part) if each.repr]


def _values(part: object) -> Iterator[object]:
    return (getattr(part, name, None) for name in _names(part))


def _short(value: object) -> str:
    from lsclasses.numbers import format_number

    text = str(value)
    long = isinstance(value, (int, Fraction)) and len(text) > 12
    return format_number(value, 3) if long else text  # type: ignore[arg-type]
