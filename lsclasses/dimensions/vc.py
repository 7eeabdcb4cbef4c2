"""The Vapnik-Chervonenkis dimension, by branch and bound over shattered sets of points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsclasses.dimensions.bounds import Bounds
from lsclasses.errors import InvalidInput
from lsclasses.limits import Limit, Meter
from lsclasses.points import Point

if TYPE_CHECKING:
    from lsclasses.concept_class import Progress
    from lsclasses.table import Table

__all__ = ["shattered_set", "vcdim"]


def vcdim(table: Table, *, limit: Limit | None = None, progress: Progress | None = None) -> int:
    """The size of the largest shattered set of points; -1 for the empty class.

    A set of n points is shattered if the class induces all 2^n labellings on it.

    Parameters
    ----------
    table : Table
    limit : Limit, optional
        What the search may use.
    progress : callable, optional
        Called with (lower, upper) whenever a bound improves.

    Raises
    ------
    TooLarge
        If the limit is reached; the error carries the bounds found by then.

    References
    ----------
    Vapnik and Chervonenkis 1971

    Examples
    --------
    >>> from lsclasses import Table
    >>> vcdim(Table([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]]))
    2
    """
    if table.is_empty:
        return -1
    return len(_largest_shattered(table, limit, progress))


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
    if table.is_empty:
        raise InvalidInput("The empty class shatters no set, not even the empty one.")
    return tuple(table.points[j] for j in _largest_shattered(table, limit, None))


def _largest_shattered(
    table: Table, limit: Limit | None, progress: Progress | None
) -> tuple[int, ...]:
    """The positions of the points of a largest shattered set."""
    concepts = len(table)
    whole = (1 << concepts) - 1
    # No shattered set holds two columns that are equal or complements of each other.
    position: dict[int, int] = {}
    for j, column in enumerate(table.column_bits):
        position.setdefault(min(column, whole ^ column), j)
    columns = sorted((column for column in position if column), key=int.bit_count, reverse=True)
    search = _ShatteredSets(columns, whole, Meter(limit))
    found: tuple[int, ...] = ()
    upper = min(len(columns), concepts.bit_length() - 1)
    with Bounds("VCdim", 0, upper, progress) as bounds:
        while not bounds.decided:
            larger = search.of_size(bounds.lower + 1)
            if larger is None:
                bounds.at_most(bounds.lower)
            else:
                found = larger
                bounds.at_least(len(found))
    return tuple(sorted(position[columns[i]] for i in found))


class _ShatteredSets:
    """Decides whether some set of given size is shattered.

    Every labelling of the points chosen so far is a cell: the concepts that induce it. A point
    can be added, and r - 1 more after it, only if it splits every cell into two parts of at least
    2^(r-1) concepts each.
    """

    def __init__(self, columns: list[int], whole: int, meter: Meter) -> None:
        self._columns = columns
        self._whole = whole
        self._meter = meter

    def of_size(self, size: int) -> tuple[int, ...] | None:
        """The columns of a shattered set of `size` >= 1 points, or None."""
        return self._extend((), [self._whole], range(len(self._columns)), size)

    def _extend(
        self, chosen: tuple[int, ...], cells: list[int], candidates: Sequence[int], needed: int
    ) -> tuple[int, ...] | None:
        """`chosen` with `needed` >= 1 more columns out of `candidates`, shattered, or None."""
        possible: list[int] = []
        for j in candidates:
            self._meter.tick()
            if _splits(cells, self._columns[j], 1 << (needed - 1)):
                if needed == 1:
                    return (*chosen, j)
                possible.append(j)
        for i in range(len(possible) - needed + 1):
            column = self._columns[possible[i]]
            parts = [part for cell in cells for part in (cell & column, cell & ~column)]
            found = self._extend((*chosen, possible[i]), parts, possible[i + 1 :], needed - 1)
            if found is not None:
                return found
        return None


def _splits(cells: list[int], column: int, least: int) -> bool:
    """Whether a column splits every cell into two parts of at least `least` concepts."""
    for cell in cells:
        ones = (cell & column).bit_count()
        if ones < least or cell.bit_count() - ones < least:
            return False
    return True
