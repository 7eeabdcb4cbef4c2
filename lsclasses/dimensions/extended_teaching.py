"""The extended teaching dimension: how few labels show which concept a labelling can be at most."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsclasses.dimensions import definitions
from lsclasses.dimensions.base import Evidence, dimension
from lsclasses.dimensions.queries import distinct_columns
from lsclasses.limits import Limit, Meter, Progress
from lsclasses.searching.bounds import Bounds

if TYPE_CHECKING:
    from lsclasses.table import Table


def evidence(table: Table, limit: Limit | None) -> tuple[int, dict[str, Any]]:
    """The dimension with a witness that it is not smaller."""
    value, labelling = _search(table, limit, None)
    return value, {"sample": labelling}


@dimension(
    "extended teaching dimension",
    symbol="XTD",
    definition="The largest, over all labellings of the points, of the least number of points on "
    "which at most one concept agrees with the labelling.",
    reference="Hegedűs 1995",
    of_empty=0,
    meaning="How many labels show which concept, if any, a function can be; learning with "
    "membership queries takes at least as many.",
    evidence=Evidence(
        evidence,
        "a sample of all points such that at least two concepts agree with each part of it that "
        "has fewer examples",
        definitions.unspecified,
    ),
)
def extended_teaching_dim(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The largest, over all labellings, of the least number of points that specify one.

    Points specify a labelling if at most one concept agrees with it there; the labelling need not
    be a concept. 0 for the empty class.

    Examples
    --------
    One label teaches each of five points; to see that there is none of them takes four.

    >>> import catalog
    >>> C = catalog.build("points:n=5").to_table()
    >>> C.teaching_dim(), extended_teaching_dim(C)
    (1, 4)
    """
    return _search(table, limit, progress)[0]


def _search(
    table: Table, limit: Limit | None, progress: Progress | None
) -> tuple[int, tuple[tuple[Any, int], ...]]:
    """The dimension, and a labelling whose teaching takes that number of points."""
    columns, meter = distinct_columns(table), Meter(limit)
    upper = min(len(columns), max(0, len(table) - 1))
    hardest = 0
    whole = (1 << len(table)) - 1
    with Bounds("the extended teaching dimension", 0, upper, progress) as bounds:
        while not bounds.decided:
            spaces = [{whole}, *(set[int]() for _ in range(bounds.lower))]
            found = _unspecified(columns, 0, spaces, meter) if whole & (whole - 1) else None
            if found is None:
                bounds.at_most(bounds.lower)
            else:
                hardest = found
                bounds.at_least(bounds.lower + 1)
    # What `hardest` says of the columns that were looked at holds for all that split the same.
    labels = {column: hardest >> j & 1 for j, column in enumerate(columns)}
    sample = []
    for x, column in zip(table.points, table.column_bits, strict=True):
        flip = column & 1
        sample.append((x, labels.get(whole ^ column if flip else column, 0) ^ flip))
    return bounds.lower, tuple(sample)


def _unspecified(columns: list[int], j: int, spaces: list[set[int]], meter: Meter) -> int | None:
    """Labels of the columns from j on for which few points leave two concepts, if there are some.

    ``spaces[i]`` are the version spaces that i of the labels given so far leave; the last of them
    are those of the largest number of points that is tried.
    """
    if j == len(columns):
        return 0
    for label in (0, 1):
        larger = _with_one_more(columns[j], label, spaces, meter)
        if larger is not None:
            rest = _unspecified(columns, j + 1, larger, meter)
            if rest is not None:
                return rest | label << j
    return None


def _with_one_more(
    column: int, label: int, spaces: list[set[int]], meter: Meter
) -> list[set[int]] | None:
    """The version spaces that one more label leaves; None if one has fewer than two concepts."""
    larger = [set(found) for found in spaces]
    for i in range(len(spaces) - 1):
        for space in spaces[i]:
            meter.tick()
            left = space & column if label else space & ~column
            if left != space:
                if not left & (left - 1):
                    return None
                larger[i + 1].add(left)
    return larger
