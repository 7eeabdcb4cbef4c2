"""No-clash teaching: lessons of which no two concepts agree with each other's.

A teacher gives every concept a lesson, some points with their labels. Two concepts *clash* if each
agrees with the lesson of the other. Without clashes, a learner that knows the lessons never takes
one concept for another, and no other way of teaching that rules collusion out needs fewer points
(Kirkpatrick, Simon and Zilles 2019).

The lessons are found by integer programming (HiGHS) and checked exactly. That there are no smaller
ones is what the program says, whose coefficients are 0, 1 and -1 but which computes in floating
point; the tests compare with searches that do not.
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
"""Bytes that a point at which two concepts differ takes in the program, about."""
MOST_ENTRIES = 2 * 10**6
"""The largest number of entries of a program."""
TOLERANCE = 1e-4
"""Bounds that a program has to be an integer are believed up to this."""


@dimension(
    "no-clash teaching dimension",
    symbol="NCTD",
    definition="The least k for which every concept can be given a lesson of at most k points "
    "with their labels such that of two concepts one never agrees with the lesson of the other.",
    reference="Kirkpatrick, Simon and Zilles 2019",
    of_empty=-1,
    meaning="How many labelled points suffice if teacher and learner agree on the lessons "
    "beforehand, and no more than that is allowed.",
)
def no_clash_teaching_dim(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The least size of the largest lesson of a teacher whose lessons do not clash.

    Two lessons clash if each of their concepts agrees with the lesson of the other. -1 for the
    empty class, which needs no lesson.

    Examples
    --------
    Of two neighbours in a cube one lesson has the point where they differ: half of the points for
    each.

    >>> import catalog
    >>> [no_clash_teaching_dim(catalog.build(f"cube:n={n}").to_table()) for n in (1, 2, 3, 4)]
    [1, 1, 2, 2]
    """
    return _search(table, limit, progress, positive=False)[0]


@dimension(
    "positive no-clash teaching dimension",
    symbol="NCTD+",
    definition="The least k for which every concept can be given a lesson of at most k points "
    "with label 1 such that of two concepts one never agrees with the lesson of the other.",
    reference="Kirkpatrick, Simon and Zilles 2019",
    of_empty=-1,
    meaning="The same for teachers who only show examples of what is to be learned.",
    flips_change=True,
)
def positive_no_clash_teaching_dim(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The no-clash teaching dimension with lessons of points with label 1 only.

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
    """Lessons without clashes, one for each concept, the largest as small as possible.

    They show that the no-clash teaching dimension, or the positive one, is not larger.

    Parameters
    ----------
    table : Table
    positive : bool
        Whether lessons have only points with label 1.
    limit : Limit, optional
        What the search may use.

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
    """Return the dimension and, if requested, lessons of that size, as sets of points."""
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
        # In every part the lessons have, taken together, at least as many points as edges.
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
    """The points, but for those where concepts are labelled as at another one, or all the same."""
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
    """Lessons as an integer program: a variable for every point of every lesson, and their size.

    Of the points at which two concepts differ one lesson or the other has one, and the largest
    lesson is as small as possible.
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
                    f"The lessons of {len(rows)} concepts on {points} points take a program with "
                    f"more than {MOST_ENTRIES} entries.",
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
        """Return the lessons; their size is then what the bounds agree on."""
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
            raise TooLarge(f"No lessons were found: {found.message}", limit=seconds)
        chosen = found.x[:-1].reshape(len(self._rows), self._points) > 1 / 2
        lessons = [of_members(np.flatnonzero(lesson).tolist()) for lesson in chosen]
        self._check(lessons)
        bounds.at_most(max(map(int.bit_count, lessons)))
        return lessons

    def _check(self, lessons: list[int]) -> None:
        """Nothing that was computed with floating point is believed of lessons."""
        pairs = zip(self._rows, lessons, strict=True)
        clashes = (
            not (lesson | other) & (row ^ against)
            for (row, lesson), (against, other) in itertools.combinations(pairs, 2)
        )
        outside = (a & ~b for a, b in zip(lessons, self._within, strict=True))
        if any(clashes) or any(outside):
            raise LsclassesError("Lessons that were found clash, which would be a mistake here.")


def _matrix(rows: np.ndarray, columns: np.ndarray, entry: int, shape: tuple[int, int]) -> Any:
    from scipy.sparse import csr_array

    return csr_array((np.full(len(rows), entry), (rows, columns)), shape=shape)
