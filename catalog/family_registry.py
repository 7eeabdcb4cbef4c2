"""The named families, and the classes that specifications such as ``thresholds:n=16`` name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from lsclasses.errors import InvalidInput
from lsclasses.options import Value
from lsclasses.specifications import FAMILIES as SPECIFIED_FAMILIES
from lsclasses.specifications import split

if TYPE_CHECKING:
    from catalog.family import Family
    from lsclasses.concept_class import ConceptClass
    from lsclasses.registry import Registry

FAMILIES = cast("Registry[Family]", SPECIFIED_FAMILIES)
"""Every family by name, with the families of plug-ins."""


def families() -> dict[str, Family]:
    """Return every registered family of concept classes by name.

    The families of installed plug-ins are included.

    Raises
    ------
    InvalidInput
        If a family cannot be loaded, is not a complete subclass of `Family`, or has the name of
        another family.

    Examples
    --------
    >>> families()["thresholds"].title
    'Thresholds on n points'
    """
    return dict(FAMILIES)


def family(name: str) -> Family:
    """Return the family of concept classes with the given name.

    Raises
    ------
    InvalidInput
        If no family has this name. The message suggests similar names.
    """
    return FAMILIES[name]


def parse(spec: str) -> tuple[Family, dict[str, str]]:
    """Split a specification ``family:name=value,...`` into the family and its parameter strings.

    Raises
    ------
    InvalidInput
        If the string does not have this form, or names an unknown family.

    Examples
    --------
    >>> parse("thresholds:n=16")
    (<Family thresholds:n=<n>,zeros=1,ones=1>, {'n': '16'})
    """
    if not isinstance(spec, str):
        raise InvalidInput(
            f"A class is named by a string such as 'thresholds:n=16'. Got {spec!r:.200}."
        )
    name, rest = split(spec)
    if name not in FAMILIES and _names_a_table(spec):
        raise InvalidInput(
            f"A class is named by a specification such as 'thresholds:n=16', and {spec!r:.200} "
            f"looks like a file. Use lsclasses.Table.load({spec!r:.200}) for a class in a file."
        )
    found = family(name)
    return found, found.values_in(rest)


def _names_a_table(text: str) -> bool:
    """Return whether a string ends like the name of a table."""
    from lsclasses.files.tables import names_a_table

    return names_a_table(Path(text))


def build(spec: str, **given: Value) -> ConceptClass:
    """Return the concept class that a specification names, such as ``thresholds:n=16``.

    Parameters
    ----------
    spec : str
        Name of a family, or a string ``family:name=value,...`` with values of its parameters.
    **given
        Parameters that the specification does not set.

    Raises
    ------
    InvalidInput
        If the specification is wrong, or sets a parameter that `given` also sets.
    TooLarge
        If the class has no closed form and its table would be too large.

    Examples
    --------
    >>> build("thresholds:n=16").ldim()
    4
    >>> build("affine", q=2, n=3, k=1) == build("affine:q=2,n=3,k=1")
    True
    """
    found, written = parse(spec)
    for name, value in given.items():
        if name in written:
            raise InvalidInput(
                f"The parameter {name!r} is given twice: in {spec!r}, and as {value!r}."
            )
    return found.concept_class(**written, **given)
