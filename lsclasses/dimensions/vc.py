"""The VC dimension and the antipodal shattering dimension."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsclasses.dimensions import definitions
from lsclasses.dimensions.base import Evidence, dimension
from lsclasses.errors import InvalidInput
from lsclasses.limits import Limit, Meter, Progress
from lsclasses.point_names import Point
from lsclasses.searching.search_bounds import Bounds

if TYPE_CHECKING:
    from lsclasses.table import Table


def shattered_evidence(table: Table, limit: Limit | None) -> tuple[int, dict[str, Any]]:
    """Return the VC dimension of a table with a witness of the lower bound."""
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
        shattered_evidence,
        "points on which the class induces every labelling",
        definitions.shattered,
    ),
)
def vcdim(table: Table, *, limit: Limit | None = None, progress: Progress | None = None) -> int:
    """The size of the largest shattered set of points, or -1 for the empty class.

    A set of n points is shattered if the class induces all 2^n labellings on it.

    Examples
    --------
    >>> from lsclasses import Table
    >>> vcdim(Table([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]]))
    2
    """
    from lsclasses.searching.vc_search import largest_shattered

    if table.is_empty:
        return -1
    return len(largest_shattered(table._space, limit, progress))


def shattered_set(table: Table, *, limit: Limit | None = None) -> tuple[Point, ...]:
    """Return a largest shattered set of points in the order of the domain, evidence for `vcdim`.

    Raises
    ------
    InvalidInput
        If the class is empty, because it does not even shatter the empty set.
    TooLarge
        If the limit is reached.

    Examples
    --------
    >>> from lsclasses import Table
    >>> shattered_set(Table([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]], domain="abc"))
    ('a', 'b')
    """
    from lsclasses.searching.vc_search import largest_shattered

    if table.is_empty:
        raise InvalidInput("The empty class shatters no set, not even the empty set.")
    return tuple(table.points[j] for j in largest_shattered(table._space, limit, None))


# ---- antipodal shattering


def antipodal_evidence(table: Table, limit: Limit | None) -> tuple[int, dict[str, Any]]:
    """Return the antipodal shattering dimension of a table with a witness of the lower bound."""
    points = tuple(table.points[j] for j in _Search(table, Meter(limit)).run(None))
    return len(points), {"points": points}


@dimension(
    "antipodal shattering dimension",
    symbol="VC^a",
    definition="The size of the largest set of points such that, for every labelling of the set, "
    "the class induces the labelling or its complement.",
    reference="Alon, Moran and Yehudayoff 2016",
    of_empty=-1,
    meaning="It is the dual sign rank, a number of columns that are linearly independent in "
    "every real matrix with the signs of the class. So it is a lower bound on the dimension of a "
    "space in which concepts are halfspaces through the origin.",
    evidence=Evidence(
        antipodal_evidence,
        "points such that, for every labelling of the points, the class induces the labelling or "
        "its complement",
        definitions.antipodal,
    ),
)
def antipodal_shattering_dim(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The size of the largest antipodally shattered set of points, or -1 for the empty class.

    A set of points is antipodally shattered if, for every labelling of the set, the class induces
    the labelling or its complement. This size is the *dual sign rank*. With signs for labels, the
    columns of an antipodally shattered set are linearly independent in every real matrix that has
    the signs of the class. No other set has this property. Proof: for weights w, some matrix
    with these signs has columns whose weighted sum is 0, unless some row agrees in all signs with w
    or with -w. If the set is not antipodally shattered, then for some signs w, no row agrees with w
    or with -w.

    Examples
    --------
    >>> from lsclasses import Table
    >>> antipodal_shattering_dim(Table([[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 0, 1]]))
    3
    """
    return -1 if table.is_empty else len(_Search(table, Meter(limit)).run(progress))


class _Search:
    """Search over sets of points, one point after the other.

    Subsets of shattered sets are shattered. For a chosen set, each labelling with first label 0 has
    a cell: the concepts that induce the labelling or its complement. One of r further points halves
    a cell, so a cell needs as many concepts as there are labellings of the r points.
    """

    def __init__(self, table: Table, meter: Meter) -> None:
        self._everything = (1 << len(table)) - 1
        self._columns = table.column_bits
        self._meter = meter
        self._chosen: list[int] = []
        self._best: list[int] = []

    def run(self, progress: Progress | None) -> list[int]:
        """Return a largest set, of a class that is not empty."""
        upper = min(len(self._columns), self._everything.bit_length().bit_length())
        name = "the antipodal shattering dimension"
        with Bounds(name, min(1, len(self._columns)), upper, progress) as self._bounds:
            self._best = [0] if self._columns else []
            for first, column in enumerate(self._columns):
                self._chosen = [first]
                pair = (self._everything & ~column, column)
                self._extend([pair], range(first + 1, len(self._columns)))
            self._bounds.at_most(self._bounds.lower)
        return self._best

    def _extend(self, pairs: list[tuple[int, int]], candidates: range) -> None:
        self._meter.tick()
        if len(self._chosen) > len(self._best):
            self._best = list(self._chosen)
            self._bounds.at_least(len(self._best))
        fewest = min((a | b).bit_count() for a, b in pairs)
        for j in candidates:
            most = min(len(self._columns) - j, fewest.bit_length() - 1)
            if self._bounds.decided or len(self._chosen) + most <= len(self._best):
                return
            column = self._columns[j]
            halves: list[tuple[int, int]] = []
            for a, b in pairs:
                self._meter.tick()
                more = (a & column, b & ~column), (a & ~column, b & column)
                if not all(one | other for one, other in more):
                    break
                halves += more
            else:
                self._chosen.append(j)
                self._extend(halves, range(j + 1, candidates.stop))
                self._chosen.pop()
