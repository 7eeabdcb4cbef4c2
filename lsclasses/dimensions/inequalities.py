"""Inequalities between the dimensions of a class, as objects.

Each says that one formula in the dimensions never exceeds another, why, and how close they come on
small classes. They stand in ``inequalities.toml``, and `INEQUALITIES` is the single list: the
documentation prints it, ``lsclasses verify`` recomputes it on all classes of the atlas and on
members of the catalog, and ``lsclasses dims`` uses it where a search was stopped
(`lsclasses.dimensions.derived`).

Beside the dimensions of the registry, formulas know ``size`` and ``points`` (how many concepts and
points there are) and ``zero_cover_number[k]``, the largest 0-covering number of a tree of depth k
[LWY25, Def. A.15].
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from lsclasses.data_files import filled, parse
from lsclasses.dimensions import DIMENSIONS
from lsclasses.dimensions.cover import max_zero_cover_number
from lsclasses.dimensions.expressions import Quantity
from lsclasses.dimensions.inequality import Inequality
from lsclasses.limits import Limit

if TYPE_CHECKING:
    from lsclasses.table import Table

__all__ = [
    "INEQUALITIES",
    "MAJORITIES",
    "OPERATIONS",
    "Inequality",
    "quantities",
    "quantity",
    "quantity_names",
]


def _listed(table: str) -> tuple[Inequality, ...]:
    return tuple(filled(Inequality, each, f"'{table}'") for each in _TABLES[table])


_TABLES = parse(files(__package__).joinpath("inequalities.toml").read_text(encoding="utf-8"))

INEQUALITIES = _listed("classes")
"""The inequalities between the dimensions of every non-empty class."""

OPERATIONS = _listed("operations")
"""The inequalities for two non-empty classes on one domain, their union, and the class that a
Boolean function makes of them point by point (`lsclasses.aggregate`)."""

MAJORITIES = _listed("majorities")
"""The inequalities for the class of all majorities of three concepts (`Table.majority`)."""


def quantity_names() -> tuple[str, ...]:
    """The names of all quantities in inequalities: dimensions, and counts."""
    return ("size", "points", *DIMENSIONS, "zero_cover_number")


def quantity(table: Table, name: str, *, limit: Limit | None = None) -> Quantity:
    """The value of one of `quantity_names` for a non-empty class, by search.

    Parameters
    ----------
    table : Table
    name : str
    limit : Limit, optional
        What each search may use.
    """
    points = len(table.points)
    if name == "size":
        return len(table)
    if name == "points":
        return points
    if name == "zero_cover_number":
        return tuple(max_zero_cover_number(table, k, limit=limit) for k in range(points + 1))
    found: Quantity = DIMENSIONS[name].search(table, limit=limit)
    return found


def quantities(table: Table, *, limit: Limit | None = None) -> dict[str, Quantity]:
    """The values of all `quantity_names` for a non-empty class, by search.

    Parameters
    ----------
    table : Table
    limit : Limit, optional
        What each search may use.

    Examples
    --------
    >>> from lsclasses import Table
    >>> values = quantities(Table([[0, 0], [0, 1], [1, 1]]))
    >>> values["size"], values["ldim"], values["zero_cover_number"]
    (3, 1, (1, 2, 3))
    >>> all(min(each.margins(values), default=0) >= 0 for each in INEQUALITIES)
    True
    """
    return {name: quantity(table, name, limit=limit) for name in quantity_names()}
