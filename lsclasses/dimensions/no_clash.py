"""No-clash teaching: teaching sets such that no two concepts clash.

A teacher gives every concept a teaching set, some points with their labels. Two concepts *clash* if
each agrees with the teaching set of the other. Without clashes, a learner that knows the teaching
sets never mistakes one concept for another. No other model of teaching that excludes collusion
needs fewer points (Kirkpatrick, Simon and Zilles 2019).

Integer programming (HiGHS) finds the teaching sets, and an exact check follows. The program also
shows that no smaller teaching sets exist. Its coefficients are 0, 1 and -1, but it computes in
floating point. The tests compare its results with searches that do not use floating point.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from lsclasses.dimensions.base import dimension
from lsclasses.dimensions.one_inclusion import peeled_density
from lsclasses.dimensions.queries import distinct_columns
from lsclasses.dimensions.teaching import Lesson, recursive_teaching_dim
from lsclasses.errors import LsclassesError, TooLarge
from lsclasses.limits import Limit, Meter, Progress
from lsclasses.searching.bitsets import members, of_members
from lsclasses.searching.search_bounds import Bounds

if TYPE_CHECKING:
    from lsclasses.table import Table

ENTRY_BYTES = 60
"""Approximate number of bytes of an entry of an integer program.

An entry is a point at which two concepts differ.
"""
MOST_ENTRIES = 2 * 10**6
"""The largest number of entries of an integer program."""
TOLERANCE = 1e-4
"""Largest distance of a computed bound of the integer program from an integer."""


@dimension(
    "no-clash teaching dimension",
    symbol="NCTD",
    definition="The least k for which teaching sets of at most k points with their labels exist, "
    "one for each concept, such that for any two distinct concepts, at least one disagrees with "
    "the teaching set of the other.",
    reference="Kirkpatrick, Simon and Zilles 2019",
    of_empty=-1,
    meaning="The number of labelled points that suffice if teacher and learner agree on the "
    "teaching sets in advance, without collusion.",
)
def no_clash_teaching_dim(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The least size of the largest teaching set of a teacher without clashes.

    Two teaching sets clash if each of their concepts agrees with the teaching set of the other. The
    value is -1 for the empty class, which needs no teaching set.

    Examples
    --------
    For any two neighbours in a cube, one teaching set contains the point where they differ. So half
    of the points suffice for each concept.

    >>> import catalog
    >>> [no_clash_teaching_dim(catalog.build(f"cube:n={n}").to_table()) for n in (1, 2, 3, 4)]
    [1, 1, 2, 2]
    """
    return _search(table, limit, progress, positive=False)[0]


@dimension(
    "positive no-clash teaching dimension",
    symbol="NCTD+",
    definition="The least k for which teaching sets of at most k points with label 1 exist, one "
    "for each concept, such that for any two distinct concepts, at least one disagrees with the "
    "teaching set of the other.",
    reference="Kirkpatrick, Simon and Zilles 2019",
    of_empty=-1,
    meaning="The no-clash teaching dimension of teachers that show only positive examples.",
    flips_change=True,
)
def positive_no_clash_teaching_dim(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The no-clash teaching dimension for teaching sets of points with label 1 only.

    Examples
    --------
    >>> import catalog
    >>> [positive_no_clash_teaching_dim(catalog.build(f"cube:n={n}").to_table()) for n in (1, 2, 3)]
    [1, 2, 3]
    """
    return _search(table, limit, progress, positive=True)[0]


def no_clash_lessons(
    table: Table, *, positive: bool = False, limit: Limit | None = None
) -> tuple[Lesson, ...]:
    """Return teaching sets without clashes, one for each concept, of least maximal size.

    The teaching sets prove an upper bound on the no-clash teaching dimension. If `positive` is
    true, they prove an upper bound on the positive no-clash teaching dimension.

    Parameters
    ----------
    table : Table
    positive : bool
        Whether teaching sets contain only points with label 1.
    limit : Limit, optional
        Time and memory that the search may use.

    Examples
    --------
    >>> from lsclasses import Table
    >>> C = Table([[0, 0], [1, 0], [0, 1], [1, 1]], domain="ab")
    >>> [(lesson.concept, lesson.points) for lesson in no_clash_lessons(C)]
    [(0, ('a',)), (1, ('b',)), (2, ('b',)), (3, ('a',))]
    """
    if table.is_empty:
        return ()
    _, lessons = _search(table, limit, None, positive=positive, lessons_too=True)
    return tuple(
        Lesson(table.concept_name(i), tuple(table.points[j] for j in members(lesson)))
        for i, lesson in enumerate(lessons)
    )


def _search(
    table: Table,
    limit: Limit | None,
    progress: Progress | None,
    *,
    positive: bool,
    lessons_too: bool = False,
) -> tuple[int, list[int]]:
    """Return the dimension and, if requested, teaching sets of that size, as sets of points."""
    if table.is_empty:
        return -1, []
    meter = Meter(limit)
    points = _useful_points(table, positive=positive)
    rows = []
    for concept in table.packed:
        meter.tick()
        labels = np.unpackbits(concept)[points]
        rows.append(of_members(np.flatnonzero(labels).tolist()))
    within = rows if positive else [(1 << len(points)) - 1] * len(rows)
    upper = max(map(int.bit_count, within))
    name = f"the {'positive ' if positive else ''}no-clash teaching dimension"
    with Bounds(name, int(len(rows) > 1), upper, progress) as bounds:
        # In every subgraph, the teaching sets have at least as many points together as edges.
        bounds.at_least(math.ceil(peeled_density(table, meter)))
        if not positive:
            bounds.at_most(recursive_teaching_dim(table, limit=meter.rest))
        if bounds.decided and not lessons_too:
            return bounds.lower, []
        lessons = [0] * len(rows)
        if points:
            lessons = _Program(rows, within, len(points), meter).solve(bounds, meter)
    return bounds.lower, [of_members(points[j] for j in members(lesson)) for lesson in lessons]


def _useful_points(table: Table, *, positive: bool) -> list[int]:
    """Return the points, without constant columns and repeated columns."""
    columns = table.column_bits
    useful = set(columns) if positive else set(distinct_columns(table))
    found = []
    everything = (1 << len(table)) - 1
    for j, column in enumerate(columns):
        key = column if positive or not column & 1 else everything ^ column
        if key in useful:
            useful.remove(key)
            found.append(j)
    return found


class _Program:
    """Teaching sets as an integer program, with a variable for every point of every teaching set.

    At least one of any two teaching sets contains a point at which their concepts differ. The
    program minimizes the size of the largest teaching set.
    """

    def __init__(self, rows: list[int], within: list[int], points: int, meter: Meter) -> None:
        self._rows, self._within, self._points = rows, within, points
        self._size = len(rows) * points
        allowed = np.array([[lesson >> j & 1 for j in range(points)] for lesson in within])
        labels = np.array([[row >> j & 1 for j in range(points)] for row in rows])
        self._allowed = np.append(allowed.ravel(), points)
        pairs, variables, count, entries = [], [], 0, 0
        for i in range(len(rows) - 1):
            meter.tick()
            other, x = np.nonzero(labels[i] ^ labels[i + 1 :])
            entries += 2 * len(x)
            meter.charge(ENTRY_BYTES * len(x))
            if entries > MOST_ENTRIES:
                raise TooLarge(
                    f"The teaching sets of {len(rows)} concepts on {points} points need a program "
                    f"with more than {MOST_ENTRIES} entries.",
                    limit=MOST_ENTRIES,
                )
            pairs += [other + count, other + count]
            variables += [i * points + x, (i + 1 + other) * points + x]
            count += len(rows) - 1 - i
        pairs_at = np.concatenate([np.zeros(0, dtype=int), *pairs])
        variables_at = np.concatenate([np.zeros(0, dtype=int), *variables])
        self._told_apart = _matrix(pairs_at, variables_at, 1, (count, self._size + 1))
        each = np.arange(self._size)
        self._sizes = _matrix(each // points, each, 1, (len(rows), self._size + 1))
        last = np.full(len(rows), self._size)
        self._sizes -= _matrix(np.arange(len(rows)), last, 1, self._sizes.shape)

    def solve(self, bounds: Bounds, meter: Meter) -> list[int]:
        """Return the teaching sets. Their largest size then equals both bounds."""
        from scipy import optimize

        cost = np.zeros(self._size + 1)
        cost[-1] = 1
        least = np.zeros(self._size + 1)
        least[-1] = bounds.lower
        seconds = meter.rest.seconds
        options = {} if seconds is None else {"time_limit": seconds}
        found = optimize.milp(
            cost,
            constraints=[
                optimize.LinearConstraint(self._told_apart, lb=1),
                optimize.LinearConstraint(self._sizes, ub=0),
            ],
            bounds=optimize.Bounds(least, self._allowed),
            integrality=np.ones(self._size + 1),
            options=options,
        )
        if found.mip_dual_bound is not None:
            bounds.at_least(min(bounds.upper, math.ceil(found.mip_dual_bound - TOLERANCE)))
        if not found.success:
            meter.tick()
            raise TooLarge(f"The program found no teaching sets: {found.message}", limit=seconds)
        chosen = found.x[:-1].reshape(len(self._rows), self._points) > 1 / 2
        lessons = [of_members(np.flatnonzero(lesson).tolist()) for lesson in chosen]
        self._check(lessons)
        bounds.at_most(max(map(int.bit_count, lessons)))
        return lessons

    def _check(self, lessons: list[int]) -> None:
        """Raise an error if the teaching sets clash. Floating point may have caused an error."""
        pairs = zip(self._rows, lessons, strict=True)
        clashes = (
            not (lesson | other) & (row ^ against)
            for (row, lesson), (against, other) in itertools.combinations(pairs, 2)
        )
        outside = (a & ~b for a, b in zip(lessons, self._within, strict=True))
        if any(clashes) or any(outside):
            raise LsclassesError("Internal error: the computed teaching sets clash.")


def _matrix(rows: np.ndarray, columns: np.ndarray, entry: int, shape: tuple[int, int]) -> Any:
    from scipy.sparse import csr_array

    return csr_array((np.full(len(rows), entry), (rows, columns)), shape=shape)
