"""The Vapnik-Chervonenkis dimension of a table, and a shattered set that shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsclasses.dimensions import definitions
from lsclasses.dimensions.base import Evidence, dimension
from lsclasses.errors import InvalidInput
from lsclasses.limits import Limit, Progress
from lsclasses.points import Point

if TYPE_CHECKING:
    from lsclasses.table import Table


def evidence(table: Table, limit: Limit | None) -> tuple[int, dict[str, Any]]:
    """The dimension with a witness that it is not smaller."""
    points = shattered_set(table, limit=limit)
    return len(points), {"points": points}


@dimension(
    "Vapnik-Chervonenkis dimension",
    symbol="VCdim",
    definition="The size of the largest set of points on which the class induces every labelling.",
    reference="Vapnik and Chervonenkis 1971",
    of_empty=-1,
    meaning="About VCdim / alpha independent examples are enough to learn with error alpha. VCdim "
    "is finite if and only if the class can be learned from independent examples",
    evidence=Evidence(
        evidence,
        "points on which every labelling is induced",
        definitions.shattered,
    ),
)
def vcdim(table: Table, *, limit: Limit | None = None, progress: Progress | None = None) -> int:
    """The size of the largest shattered set of points; -1 for the empty class.

    A set of n points is shattered if the class induces all 2^n labellings on it.

    Examples
    --------
    >>> from lsclasses import Table
    >>> vcdim(Table([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]]))
    2
    """
    from lsclasses.searching.vc import largest_shattered

    if table.is_empty:
        return -1
    return len(largest_shattered(table._space, limit, progress))


def shattered_set(table: Table, *, limit: Limit | None = None) -> tuple[Point, ...]:
    """A largest shattered set of points, in the order of the domain: evidence for `vcdim`.

    Raises
    ------
    InvalidInput
        If the class is empty: it does not even shatter the empty set.
    TooLarge
        If the limit is reached.

    Examples
    --------
    >>> from lsclasses import Table
    >>> shattered_set(Table([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]], domain="abc"))
    ('a', 'b')
    """
    from lsclasses.searching.vc import largest_shattered

    if table.is_empty:
        raise InvalidInput("The empty class shatters no set, not even the empty one.")
    return tuple(table.points[j] for j in largest_shattered(table._space, limit, None))
