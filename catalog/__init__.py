"""Named families of concept classes, and the one registry that lists them.

``catalog.build("thresholds:n=16")`` gives a class; ``catalog.families()`` lists what there is. A
package adds families of its own through the entry point group ``lsclasses.families``; each entry
point names a subclass of `Family`.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from catalog.family import Fact, Family, Parameter
from lsclasses.errors import InvalidInput
from lsclasses.points import nearest

if TYPE_CHECKING:
    from lsclasses.concept_class import ConceptClass

__all__ = ["Fact", "Family", "Parameter", "build", "families", "family", "parse"]

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
)
"""The modules of this package that define families, in the order of the listing."""


@cache
def families() -> dict[str, Family]:
    """Every known family by name: the ones of this package, then those of installed plug-ins.

    Raises
    ------
    InvalidInput
        If a plug-in does not name a subclass of `Family`, or takes a name that is in use.

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
        kind = entry.load()
        if not (isinstance(kind, type) and issubclass(kind, Family)):
            raise InvalidInput(
                f"The plug-in {entry.name!r} must name a subclass of catalog.Family. Got {kind!r}."
            )
        if kind.name in found:
            raise InvalidInput(
                f"The plug-in {entry.name!r} defines a family {kind.name!r}, which exists already; "
                "it needs another name."
            )
        found[kind.name] = kind()
    return found


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
    given: dict[str, str] = {}
    for part in rest.split(",") if rest.strip() else []:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not (key and equals and value):
            raise InvalidInput(
                f"A parameter is written name=value. Got {part!r} in {spec!r}; "
                f"the form is {found.usage()}."
            )
        if key in given:
            raise InvalidInput(f"The parameter {key!r} is given twice in {spec!r}.")
        given[key] = value
    return found, given


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
