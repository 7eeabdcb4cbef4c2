"""Completions that shells request (``lsclasses --install-completion``).

The module looks names up only when a shell requests completions, so other commands start quickly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

Complete = Callable[[str], list[str]]
"""A function that returns all completions of an incomplete word."""


def among(find: Callable[[], Iterable[str]]) -> Complete:
    """Return a completion function that completes one of the given names."""
    return lambda incomplete: [name for name in find() if name.startswith(incomplete)]


def listed(find: Callable[[], Iterable[str]]) -> Complete:
    """Return a completion function for a list of names, separated by commas.

    It does not offer the names that are already in the list.
    """

    def complete(incomplete: str) -> list[str]:
        *before, last = incomplete.split(",")
        head = "".join(f"{name}," for name in before)
        names = (name for name in find() if name.startswith(last) and name not in before)
        return [head + name for name in names]

    return complete


def specification(find: Callable[[], Mapping[str, Any]], *more: str) -> Complete:
    """Return a completion function for specifications ``name:parameter=value,...``.

    Parameters
    ----------
    find : callable
        Function that returns the families, or similar entries, by name.
    more : str
        Further words that may be written instead of a specification.
    """

    def complete(incomplete: str) -> list[str]:
        name, colon, given = incomplete.partition(":")
        known = find()
        if colon:
            return _parameters(known[name], f"{name}:", given) if name in known else []
        found = [each for each in known if each.startswith(name)]
        # To know its parameters, a thing has to be imported, so only one that is meant is.
        forms = _forms(found[0], known[found[0]]) if len(found) == 1 else [f"{n}:" for n in found]
        return [*forms, *(each for each in more if each.startswith(name))]

    return complete


def _forms(name: str, thing: Any) -> list[str]:
    """Return a name without a colon if parameters are optional, and with a colon if it has any."""
    declared = _declared(thing)
    required = any(each.default is None and not each.optional for each in declared)
    return [*([] if required else [name]), *([f"{name}:"] if declared else [])]


def _declared(thing: Any) -> tuple[Any, ...]:
    return getattr(thing, "parameters", ())


def _parameters(thing: Any, head: str, given: str) -> list[str]:
    *before, last = given.split(",")
    head += "".join(f"{part}," for part in before)
    name, equals, value = last.partition("=")
    taken = {part.partition("=")[0] for part in before}
    if not equals:
        names = (each.name for each in _declared(thing) if each.name not in taken)
        return [f"{head}{each}=" for each in names if each.startswith(name)]
    choices = next((each.choices for each in _declared(thing) if each.name == name), ())
    return [f"{head}{name}={each}" for each in choices if each.startswith(value)]


def _families() -> Mapping[str, Any]:
    from lsclasses.specifications import FAMILIES

    return FAMILIES


FAMILY = among(lambda: _families().keys())
CLASS = specification(_families)
"""Completion function for the specification of a class."""
