"""The named families, and the classes that specifications such as ``thresholds:n=16`` name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from catalog.family import Family, instantiate
from lsclasses.registry import Registry
from lsclasses.specifications import split

if TYPE_CHECKING:
    from lsclasses.concept_class import ConceptClass

__all__ = ["FAMILIES", "build", "families", "family", "parse"]

FAMILIES = Registry("lsclasses.families", "family", instantiate)
"""Every family by name: those of this package and of installed plug-ins."""


def families() -> dict[str, Family]:
    """Every known family by name.

    Raises
    ------
    InvalidInput
        If one cannot be loaded, is no complete subclass of `Family`, or two share a name.

    Examples
    --------
    >>> families()["thresholds"].title
    'Thresholds on n points'
    """
    return {found.name: found for found in FAMILIES}


def family(name: str) -> Family:
    """The family of that name.

    Raises
    ------
    InvalidInput
        If there is none; the message names the nearest.
    """
    return FAMILIES[name]


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
    name, rest = split(spec)
    found = family(name)
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
