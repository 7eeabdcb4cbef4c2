"""The star number: the largest star among the behaviours of a class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from lsclasses.dimensions import definitions
from lsclasses.dimensions.base import Evidence, dimension
from lsclasses.errors import InvalidInput
from lsclasses.limits import Limit, Meter, Progress
from lsclasses.points import Point
from lsclasses.searching.bitsets import members
from lsclasses.searching.bounds import Bounds

if TYPE_CHECKING:
    from lsclasses.table import Table


class Star(NamedTuple):
    """Points, a centre, and for each point a concept that differs from the centre there only.

    Attributes
    ----------
    points : tuple of points x_1, ..., x_s
    centre : concept name
    concepts : tuple of concept names
        The i-th differs from the centre at x_i and at no other x_j; elsewhere it may differ.
        Names are positions in the table when concepts have none.
    """

    points: tuple[Point, ...]
    centre: Point
    concepts: tuple[Point, ...]


def evidence(table: Table, limit: Limit | None) -> tuple[int, dict[str, Any]]:
    """The dimension with a witness that it is not smaller."""
    star = largest_star(table, limit=limit)
    return len(star.points), star._asdict()


@dimension(
    "star number",
    symbol="s",
    definition="The largest s with points x_1, ..., x_s and concepts h_0, ..., h_s such that among "
    "these points h_i differs from h_0 exactly at x_i.",
    reference="Hanneke and Yang 2015",
    of_empty=-1,
    meaning="Whether asking for labels one by one saves any: an active learner may need "
    "as many of them as the star number to see where a concept differs.",
    evidence=Evidence(
        evidence,
        "points, a centre and concepts, the i-th of which differs from the centre among these "
        "points at the i-th only",
        definitions.star,
    ),
)
def star_number(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The largest s with points x_1..x_s and concepts h_0..h_s, h_i differing from h_0 only at x_i.

    "Only" is meant among x_1, ..., x_s. It is at least the VC dimension and governs how many labels
    active learning needs. The empty class has no centre h_0: -1.

    Examples
    --------
    >>> from lsclasses import Table
    >>> star_number(Table([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]))
    3
    """
    if table.is_empty:
        return -1
    return len(_StarSearch(table, Meter(limit)).run(progress).points)


def largest_star(table: Table, *, limit: Limit | None = None) -> Star:
    """A largest star: the witness of `star_number`.

    Raises
    ------
    InvalidInput
        If the class is empty.

    Examples
    --------
    >>> from lsclasses import Table
    >>> largest_star(Table([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], domain="abc"))
    Star(points=('a', 'b', 'c'), centre=0, concepts=(1, 2, 3))
    """
    if table.is_empty:
        raise InvalidInput("The empty class has no star: there is no concept to be its centre.")
    return _StarSearch(table, Meter(limit)).run(None)


class _StarSearch:
    """Branch and bound over the labelled samples that are stars.

    A sample is a star if some concepts agree with it (the possible centres) and, for each of its
    points, some concepts disagree there only (the rays). Every part of a star is one, so points
    are added in the order of the domain. Each point still to come takes its ray from the present
    centres and leaves a centre, so r more points need more than r centres.
    """

    def __init__(self, table: Table, meter: Meter) -> None:
        self._table = table
        self._columns = table.column_bits
        self._meter = meter
        self._points: list[int] = []
        self._best: tuple[list[int], int, list[int]] = ([], 0, [])

    def run(self, progress: Progress | None) -> Star:
        """A largest star of a class that is not empty."""
        table = self._table
        whole = (1 << len(table)) - 1
        splitting = [j for j, column in enumerate(self._columns) if column not in (0, whole)]
        upper = min(len(splitting), len(table) - 1)
        with Bounds("the star number", 0, upper, progress) as self._bounds:
            self._extend(whole, [], splitting)
            self._bounds.at_most(self._bounds.lower)
        points, centres, rays = self._best
        first, *others = (table.concept_name(next(members(h))) for h in (centres or 1, *rays))
        return Star(tuple(table.points[j] for j in points), first, tuple(others))

    def _extend(self, centres: int, rays: list[int], candidates: list[int]) -> None:
        self._meter.tick()
        size = len(rays)
        if size > self._bounds.lower:
            self._best = (list(self._points), centres, rays)
            self._bounds.at_least(size)
        if self._bounds.decided:
            return
        more_than = self._bounds.lower - size
        alive: list[int] = []
        sides: list[tuple[int, int]] = []
        for j in candidates:
            self._meter.tick()
            column = self._columns[j]
            ones = centres & column
            zeros = centres ^ ones
            if not (ones and zeros):
                continue
            if ones.bit_count() <= more_than or not all(ray & column for ray in rays):
                ones = 0
            if zeros.bit_count() <= more_than or not all(ray & ~column for ray in rays):
                zeros = 0
            if ones or zeros:
                alive.append(j)
                sides.append((zeros, ones))
        for i, j in enumerate(alive):
            if size + len(alive) - i <= self._bounds.lower:
                return
            for label in (0, 1):
                if side := sides[i][label]:
                    column = self._columns[j] if label else ~self._columns[j]
                    self._points.append(j)
                    self._extend(
                        side, [ray & column for ray in rays] + [centres ^ side], alive[i + 1 :]
                    )
                    self._points.pop()
