"""Equal values that a program can distinguish, such as 1 and True."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime, time
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache, partial
from operator import attrgetter
from types import MemberDescriptorType
from typing import Any, TypeVar

import numpy as np

from lsclasses.errors import InvalidInput

Outcome = TypeVar("Outcome", bound=Hashable)


def require_same(one: object, other: object) -> None:
    """Check that a program cannot distinguish two equal values.

    For example, 1 and True are equal in Python but fail the check, and so do 0.0 and -0.0. A
    dictionary merges equal values. But a reader of a release observes the difference, so an audit
    must not merge them. The check also covers the parts of tuples, frozen sets and dataclasses. For
    other objects, such as hypotheses, the check trusts ``==``.

    Parameters
    ----------
    one, other : object
        Two equal values.

    Raises
    ------
    InvalidInput
        If their types or their printed forms differ.

    Examples
    --------
    >>> from learners.exact import exact_distribution
    >>> exact_distribution(lambda coins: (1, True)[coins.below(2)])
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: The outcomes 1 and True are equal, but a reader can distinguish \
them: the types are int and bool. Return one of them always, or make them unequal.
    """
    apart = _apart(one, other)
    if apart is not None:
        raise InvalidInput(
            f"The outcomes {one!r} and {other!r} are equal, but a reader can distinguish "
            f"them: {apart}. Return one of them always, or make them unequal."
        )


def _apart(one: object, other: object) -> str | None:
    """Return the difference of two equal values, in words, if there is one."""
    if one is other:
        return None
    kind = type(one)
    if kind is not type(other):
        return f"the types are {kind.__name__} and {type(other).__name__}"
    look = _looked_into(kind)  # type: ignore[arg-type]
    return None if look is None else look(one, other)


Look = Callable[[Any, Any], str | None]


@lru_cache(maxsize=1024)
def _looked_into(kind: type) -> Look | None:
    """Return the function that compares the parts of two equal values, None without parts."""
    if kind in PLAIN:
        return None
    inside = _looked_inside(kind)
    if not issubclass(kind, WRITTEN):
        return inside
    if inside is None:
        return _written_apart
    return lambda one, other: _written_apart(one, other) or inside(one, other)


def _looked_inside(kind: type) -> Look | None:
    if issubclass(kind, tuple):
        return _entries_apart
    if issubclass(kind, frozenset):
        return _members_apart
    if not is_dataclass(kind):
        return None
    names = [each.name for each in fields(kind) if each.compare]
    if not names:
        return None
    if len(names) == 1:
        only = attrgetter(names[0])
        return lambda one, other: _apart(only(one), only(other))
    values = attrgetter(*names)
    return lambda one, other: _entries_apart(values(one), values(other))


def _written_apart(one: object, other: object) -> str | None:
    return None if repr(one) == repr(other) else "they are written differently"


def _entries_apart(one: tuple[object, ...], other: tuple[object, ...]) -> str | None:
    for mine, theirs in zip(one, other, strict=True):
        if mine is not theirs and (found := _apart(mine, theirs)) is not None:
            return found
    return None


def _members_apart(one: frozenset[object], other: frozenset[object]) -> str | None:
    twins = {each: each for each in other}
    return _entries_apart(tuple(one), tuple(twins[each] for each in one))


def better_twin(first: Outcome, twin: Outcome, other: Outcome) -> Outcome:
    """Return one of two objects that equal `first`, preferably one whose attributes differ.

    Equal objects may differ in attributes that ``==`` ignores, and may then behave differently. An
    audit also explores the returned object, to check that it behaves like `first`.

    Examples
    --------
    >>> class Same:
    ...     def __init__(self, name): self.name = name
    ...     def __eq__(self, other): return True
    >>> one, again, another = Same("a"), Same("a"), Same("b")
    >>> better_twin(one, again, another).name, better_twin(one, another, again).name
    ('b', 'b')
    """
    return twin if other is first or looks_apart(first, twin) else other


def looks_apart(one: object, other: object) -> bool:
    """Return whether two equal values differ in attributes that their equality ignores.

    The comparison covers, at every depth, the entries of tuples, lists, frozen sets and mappings,
    the fields of dataclasses, and the attributes in `vars`. It does not cover arrays, or slots of
    objects that are not dataclasses.
    """
    kind: Any = type(one)
    if one is other or kind in PLAIN:
        return False
    entries, slots = _parts(kind)
    for mine, theirs in entries(one, other) if entries else ():
        if mine is not theirs and looks_apart(mine, theirs):
            return True
    if kind is not type(other) or kind in BARE:
        return False
    mine, theirs = getattr(one, "__dict__", {}), getattr(other, "__dict__", {})
    if mine.keys() != theirs.keys():
        return True
    for name, value in mine.items():
        if value is not theirs[name] and _differ(value, theirs[name]):
            return True
    return any(_differ(getattr(one, name), getattr(other, name)) for name in slots)


def _differ(one: object, other: object) -> bool:
    if one is other:
        return False
    try:
        return bool(one != other) or looks_apart(one, other)
    except (TypeError, ValueError):  # arrays
        return False


Entries = Callable[[Any, Any], Iterable[tuple[object, object]]]


@lru_cache(maxsize=1024)
def _parts(kind: type) -> tuple[Entries | None, tuple[str, ...]]:
    """Return the function that pairs the entries of equal values, if any, and dataclass slots."""
    names = [each.name for each in fields(kind)] if is_dataclass(kind) else []
    slots = tuple(
        name for name in names if isinstance(getattr(kind, name, None), MemberDescriptorType)
    )
    if issubclass(kind, tuple | list):
        return partial(zip, strict=True), slots
    if issubclass(kind, frozenset):
        return _members, slots
    return (_values if issubclass(kind, Mapping) else None), slots


def _members(one: frozenset[object], other: frozenset[object]) -> Iterator[tuple[object, object]]:
    twins = {each: each for each in other}
    return ((each, twins[each]) for each in one)


def _values(one: Mapping[Any, object], other: Mapping[Any, object]) -> Any:
    return ((one[key], other[key]) for key in one)


WRITTEN = (
    *(float, complex, Decimal, range, datetime, time),
    *(np.inexact, np.datetime64, np.timedelta64),
)
"""Number types with equal values that are printed differently, such as 0.0 and -0.0."""


def distinct(value: object) -> Hashable:
    """Return a key such that two values have equal keys only if no program can distinguish them.

    Parameters
    ----------
    value : object
        Numbers, strings and tuples are compared by their types and parts. All other objects are
        compared by identity, and must live as long as the key.

    Raises
    ------
    InvalidInput
        If the value is not hashable. A mutable value cannot be compared with its earlier content.

    Examples
    --------
    >>> distinct((1, "a")) == distinct((1, "a")), distinct(1) == distinct(True)
    (True, False)
    """
    kind = type(value)
    if type(value) is tuple:
        return kind, *map(distinct, value)
    if kind in PLAIN:
        return kind, value
    try:
        hash(value)
    except TypeError:
        raise InvalidInput(
            f"The input of a mechanism must be hashable, such as a tuple. Got {value!r}."
        ) from None
    return kind, id(value)


PLAIN = frozenset({int, bool, str, bytes, Fraction, type(None)})
"""Types whose equal values no program can distinguish."""

BARE = frozenset({tuple, list, frozenset, dict})
"""Container types whose state consists only of their entries."""
