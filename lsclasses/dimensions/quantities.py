"""The quantities in formulas about a class: its dimensions and counts.

``size`` and ``points`` are the numbers of concepts and points. ``zero_cover_number[k]`` is
the largest 0-covering number of a tree of depth k [LWY25, Def. A.15].
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsclasses.dimensions import DIMENSIONS
from lsclasses.dimensions.expressions import Quantity
from lsclasses.dimensions.set_cover import max_zero_cover_number
from lsclasses.limits import Limit

if TYPE_CHECKING:
    from lsclasses.table import Table


def quantity_names() -> tuple[str, ...]:
    """Return the names of all quantities in inequalities: dimensions and numbers such as size."""
    return ("size", "points", *DIMENSIONS, "zero_cover_number")


def is_sequence(name: str) -> bool:
    """Return whether a quantity is a sequence, whose entries occur in formulas.

    Examples
    --------
    >>> is_sequence("growth_function"), is_sequence("ldim")
    (True, False)
    """
    if name in DIMENSIONS:
        return DIMENSIONS[name].kind == "sequence"
    return name == "zero_cover_number"


def quantity(table: Table, name: str, *, limit: Limit | None = None) -> Quantity:
    """Return the value of one of `quantity_names` for a class, by search.

    The value of a dimension for the empty class is a convention (`Dimension.of_empty_class`).

    Parameters
    ----------
    table : Table
    name : str
        One of `quantity_names`.
    limit : Limit, optional
        Time and memory that each search may use.
    """
    points = len(table.points)
    if name == "size":
        return len(table)
    if name == "points":
        return points
    if name == "zero_cover_number":
        return tuple(max_zero_cover_number(table, k, limit=limit) for k in range(points + 1))
    entry = DIMENSIONS[name]
    convention = entry.of_empty_class(table) if table.is_empty else None
    found: Quantity = entry.search(table, limit=limit) if convention is None else convention
    return found


def quantities(table: Table, *, limit: Limit | None = None) -> dict[str, Quantity]:
    """Return the values of all `quantity_names` for a class, by search.

    Parameters
    ----------
    table : Table
    limit : Limit, optional
        Time and memory that each search may use.

    Examples
    --------
    >>> from lsclasses import Table
    >>> values = quantities(Table([[0, 0], [0, 1], [1, 1]]))
    >>> values["size"], values["ldim"], values["zero_cover_number"]
    (3, 1, (1, 2, 3))
    """
    return {name: quantity(table, name, limit=limit) for name in quantity_names()}
