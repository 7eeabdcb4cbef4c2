"""Definitions of parameters of small classes that are not dimensions, and bounds on them.

A module holds a family of parameters. A new parameter is a function with the decorator `parameter`
in the module of its family. The module also holds the search for the witnesses of the parameter and
their check, and registers both by `catalog.parameters.base.evidence`. A new family is a name in
`FAMILIES`. Statements (``lsclasses refute``), ``lsclasses explain``, ``lsclasses database`` and
their page read `PARAMETERS`.

`catalog.parameters.relations` contains relations between parameters and dimensions, with proofs.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from catalog.parameters.base import KNOWN, ClassParameter, Numbers, numbers_of, parameter
from lsclasses.dimensions import DIMENSIONS, Dimension, quantities
from lsclasses.dimensions.expressions import Quantity
from lsclasses.dimensions.quantities import quantity
from lsclasses.limits import Limit
from lsclasses.registry import spelling
from lsclasses.table import Table

__all__ = [
    "PARAMETERS",
    "Numbers",
    "ClassParameter",
    "answers",
    "described",
    "is_sequence",
    "numbers_of",
    "parameter",
    "value",
]

FAMILIES = (
    "distances",
    "shattering",
    "extensions",
    "convexity",
    "stars",
    "algebra",
    "homology",
    "graph",
    "teaching",
    "cooperative_teaching",
    "queries",
    "mistakes",
    "levels",
    "apple_tasting",
    "spherical",
    "replicability",
    "compression",
)
for _family in FAMILIES:
    import_module(f"{__name__}.{_family}")

PARAMETERS: dict[str, ClassParameter] = dict(KNOWN)
"""Every parameter of small classes by its name."""


def described(name: str) -> Dimension[Any] | ClassParameter | None:
    """Return the dimension or parameter with a name. The result has a title and a definition.

    Examples
    --------
    >>> described("diameter").symbol, described("size")
    ('diam', None)
    """
    found: Dimension[Any] | None = DIMENSIONS.get(name)
    return PARAMETERS.get(name) if found is None else found


def is_sequence(name: str) -> bool:
    """Return whether a parameter or another quantity is a sequence.

    Examples
    --------
    >>> is_sequence("transductive_mistakes"), is_sequence("diameter")
    (True, False)
    """
    return PARAMETERS[name].sequence if name in PARAMETERS else quantities.is_sequence(name)


def answers() -> dict[str, str]:
    """Return a sentence about each parameter, for queries that need a dimension.

    The keys are the `lsclasses.registry.spelling` of names and titles.

    Examples
    --------
    >>> answers()["spherical_dimension"]
    "'lsclasses explain spherical_dim --class SPEC' computes this parameter of small classes."
    """
    return {
        spelling(word): f"'lsclasses explain {each.name} --class SPEC' computes this parameter of "
        "small classes."
        for each in PARAMETERS.values()
        for word in (each.name, each.title)
    }


def value(table: Table, name: str, *, limit: Limit | None = None) -> Quantity:
    """Return the value of a parameter, or of another quantity, for a class, by search.

    Parameters
    ----------
    table : Table
    name : str
        Name in `PARAMETERS` or `lsclasses.dimensions.quantities.quantity_names`.
    limit : Limit, optional
        Time and memory of the search.

    Raises
    ------
    InvalidInput
        If the class is empty and the name is one of `PARAMETERS`.
    TooLarge
        If there are too many points, or the limit is reached.

    Examples
    --------
    >>> empty = Table([], domain="ab")
    >>> value(empty, "teaching_dim")
    -1
    >>> value(empty, "diameter")
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: diameter is not defined for the empty class. ...
    """
    if name in PARAMETERS:
        return PARAMETERS[name](table, limit=limit)
    return quantity(table, name, limit=limit)
