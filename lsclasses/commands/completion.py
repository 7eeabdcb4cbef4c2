"""What shells complete (``lsclasses --install-completion``).

Names are looked up when a shell asks for them, so nothing here is paid for by other commands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

Complete = Callable[[str], list[str]]
"""What begins with an incomplete word."""


def among(find: Callable[[], Iterable[str]]) -> Complete:
    """Completion of one of some names."""
    return lambda incomplete: [name for name in find() if name.startswith(incomplete)]


def listed(find: Callable[[], Iterable[str]]) -> Complete:
    """Completion of names between commas; those that stand there are not offered again."""

    def complete(incomplete: str) -> list[str]:
        *before, last = incomplete.split(",")
        head = "".join(f"{name}," for name in before)
        names = (name for name in find() if name.startswith(last) and name not in before)
        return [head + name for name in names]

    return complete


def specification(find: Callable[[], Mapping[str, Any]], *more: str) -> Complete:
    """Completion of ``name:parameter=value,...`` for things with parameters, such as families.

    Parameters
    ----------
    find : callable
        Imports the registry.
    more : str
        What else may stand there.
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
    """A name alone, if nothing has to follow it, and with a colon, if something may."""
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
"""A family, and the specification of a class."""
