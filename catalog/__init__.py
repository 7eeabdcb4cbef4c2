"""Named families of concept classes, and the one registry that lists them.

``catalog.build("thresholds:n=16")`` gives a class; ``catalog.families()`` lists what there is. A
package adds families of its own through the entry point group ``lsclasses.families``; each entry
point names a subclass of `Family`.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING

from catalog.checks import check_family, instantiate
from catalog.family import Fact, Family, Parameter
from lsclasses.errors import InvalidInput
from lsclasses.points import nearest

if TYPE_CHECKING:
    from lsclasses.concept_class import ConceptClass

__all__ = [
    "Fact",
    "Family",
    "Parameter",
    "build",
    "check_family",
    "families",
    "family",
    "parse",
]

ENTRY_POINT_GROUP = "lsclasses.families"

MODULES = (
    "thresholds",
    "points",
    "intervals",
    "rectangles",
    "parities",
    "affine",
    "projective",
    "subsets",
    "conjunctions",
    "decision_lists",
    "halfspaces",
    "monotone",
    "hamming_balls",
    "warmuth",
    "maass_turan",
    "random_tables",
)
"""The modules of this package that define families, in the order of the listing."""


@cache
def families() -> dict[str, Family]:
    """Every known family by name: the ones of this package, then those of installed plug-ins.

    Raises
    ------
    InvalidInput
        If a plug-in cannot be loaded, does not name a complete subclass of `Family`, or takes a
        name that is in use.

    Examples
    --------
    >>> families()["thresholds"].title
    'Thresholds on n points'
    """
    found: dict[str, Family] = {}
    for module_name in MODULES:
        module = import_module(f"catalog.{module_name}")
        for kind in module.FAMILIES:
            found[kind.name] = kind()
    for entry in entry_points(group=ENTRY_POINT_GROUP):
        plugged = _plugged(entry)
        if plugged.name in found:
            raise InvalidInput(
                f"The plug-in {entry.name!r} defines a family {plugged.name!r}, which exists "
                "already; it needs another name."
            )
        found[plugged.name] = plugged
    return found


def _plugged(entry: EntryPoint) -> Family:
    """The family of a plug-in."""
    try:
        kind = entry.load()
    except Exception as error:
        raise InvalidInput(
            f"The plug-in {entry.name!r} ({entry.value}) cannot be loaded: {error!r}. Mend or "
            "uninstall the package that provides it."
        ) from error
    try:
        return instantiate(kind)
    except InvalidInput as error:
        raise InvalidInput(f"The plug-in {entry.name!r} names no family. {error}") from None


def family(name: str) -> Family:
    """The family of that name.

    Raises
    ------
    InvalidInput
        If there is none; the message names the nearest.
    """
    known = families()
    if name not in known:
        raise InvalidInput(f"There is no family {name!r}. {nearest(name, known)}")
    return known[name]


def parse(spec: str) -> tuple[Family, dict[str, str]]:
    """Split a specification ``family:name=value,name=value``.

    Raises
    ------
    InvalidInput
        If it is not of that form, or names an unknown family.

    Examples
    --------
    >>> parse("thresholds:n=16")
    (<Family thresholds:n=<n>,zeros=1,ones=1>, {'n': '16'})
    """
    name, _, rest = spec.partition(":")
    found = family(name.strip())
    return found, found.given(rest)


def build(spec: str) -> ConceptClass:
    """The concept class that a specification names.

    Raises
    ------
    InvalidInput
        If the specification is wrong.
    TooLarge
        If the class has no closed form and its table would be too large.

    Examples
    --------
    >>> build("thresholds:n=16").ldim()
    4
    """
    found, given = parse(spec)
    return found.concept_class(**given)
