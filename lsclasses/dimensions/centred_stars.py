"""The minimum star number: the largest star around the labelling that has the smallest ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsclasses.dimensions.base import dimension
from lsclasses.dimensions.queries import distinct_columns
from lsclasses.limits import Limit, Meter, Progress
from lsclasses.searching.bounds import Bounds

if TYPE_CHECKING:
    from lsclasses.table import Table

CentredStar = tuple[int, tuple[int, ...]]
"""The concepts that agree with the centre on the points of a star, and those of each ray."""


@dimension(
    "minimum star number",
    symbol="s_min",
    definition="The least, over all labellings g of the points, of the largest number of points "
    "on which some concept agrees with g and, for each point, some concept differs from g there "
    "only.",
    reference="Hanneke 2024",
    of_empty=-1,
    meaning="Some stable sample compression scheme keeps this number of points and no labels.",
)
def min_star_number(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The least, over all labellings g, of the size of the largest star centred at g.

    A set of points is a star centred at g if some concept agrees with g there, and for each of the
    points some concept differs from g there only. g need not be a concept. -1 for the empty class.

    Examples
    --------
    Around the empty set points are a star, around the whole domain no two of them.

    >>> import catalog
    >>> C = catalog.build("points:n=5,empty=1").to_table()
    >>> min_star_number(C), C.star_number()
    (1, 5)
    """
    if table.is_empty:
        return -1
    columns, meter = distinct_columns(table), Meter(limit)
    upper = min(len(columns), len(table) - 1)
    with Bounds("the minimum star number", int(len(table) > 1), upper, progress) as bounds:
        while not bounds.decided:
            whole: CentredStar = ((1 << len(table)) - 1, ())
            if _has_centre(columns, [whole], bounds.lower, meter):
                bounds.at_most(bounds.lower)
            else:
                bounds.at_least(bounds.lower + 1)
    return bounds.lower


def _has_centre(columns: list[int], stars: list[CentredStar], most: int, meter: Meter) -> bool:
    """Whether the other points can be labelled so that no star gets more than `most` points.

    `stars` are all stars around the labels given so far. Parts of stars are stars, so one point
    more makes new ones of these only.
    """
    if not columns:
        return True
    column, *others = columns
    for flip in (0, -1):
        larger: list[CentredStar] = []
        agree = column ^ flip
        for centres, rays in stars:
            meter.tick()
            longer = (*(ray & agree for ray in rays), centres & ~agree)
            if centres & agree and all(longer):
                larger.append((centres & agree, longer))
                if len(longer) > most:
                    break
        else:
            if _has_centre(others, stars + larger, most, meter):
                return True
    return False
