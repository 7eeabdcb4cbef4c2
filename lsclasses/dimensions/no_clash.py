"""No-clash teaching: lessons of which no two concepts agree with each other's.

A teacher gives every concept a lesson, some points with their labels. Two concepts *clash* if each
agrees with the lesson of the other. Without clashes, whoever knows the lessons never takes one
concept for another, and no other way of teaching that rules collusion out needs fewer points
(Kirkpatrick, Simon and Zilles 2019).
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

from lsclasses.dimensions.base import Dimension
from lsclasses.dimensions.one_inclusion import peeled_density
from lsclasses.dimensions.queries import distinct_columns
from lsclasses.dimensions.teaching import Lesson, recursive_teaching_dim
from lsclasses.limits import Limit, Meter, Progress
from lsclasses.searching.bitsets import members, of_members
from lsclasses.searching.bounds import Bounds

if TYPE_CHECKING:
    from lsclasses.table import Table

__all__ = ["no_clash_lessons", "no_clash_teaching_dim", "positive_no_clash_teaching_dim"]

ENTRY_BYTES = 40
"""Bytes that a possible lesson takes, about."""


def no_clash_teaching_dim(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The least size of the largest lesson of a teacher whose lessons do not clash.

    -1 for the empty class, which needs no lesson.

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
    Kirkpatrick, Simon and Zilles 2019

    Examples
    --------
    Of two neighbours in a cube one lesson has the point where they differ: half of the points for
    each.

    >>> import catalog
    >>> [no_clash_teaching_dim(catalog.build(f"cube:n={n}").to_table()) for n in (1, 2, 3, 4)]
    [1, 1, 2, 2]
    """
    return _search(table, limit, progress, positive=False)[0]


def positive_no_clash_teaching_dim(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The same for lessons of points with label 1 only.

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
    Kirkpatrick, Simon and Zilles 2019

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
    """Lessons that do not clash, the largest of them as small as possible: for each concept one.

    They show that the no-clash teaching dimension, or the positive one, is not larger.

    Parameters
    ----------
    table : Table
    positive : bool
        Whether lessons have only points with label 1.
    limit : Limit, optional
        What the search may use.

    Raises
    ------
    TooLarge
        If the limit is reached.

    Examples
    --------
    >>> from lsclasses import Table
    >>> C = Table([[0, 0], [1, 0], [0, 1], [1, 1]], domain="ab")
    >>> [(lesson.concept, lesson.points) for lesson in no_clash_lessons(C)]
    [(0, ('a',)), (1, ('b',)), (2, ('b',)), (3, ('a',))]
    """
    if table.is_empty:
        return ()
    _, lessons = _search(table, limit, None, positive=positive)
    return tuple(
        Lesson(table.concept_name(i), tuple(table.points[j] for j in members(lesson)))
        for i, lesson in enumerate(lessons)
    )


def _search(
    table: Table, limit: Limit | None, progress: Progress | None, *, positive: bool
) -> tuple[int, list[int]]:
    """The dimension and lessons of that size, as sets of points."""
    if table.is_empty:
        return -1, []
    meter = Meter(limit)
    points = _useful_points(table, positive=positive)
    rows = [of_members(j for j in points if row[j]) for row in table.labels.tolist()]
    # Lessons are the sets in `within`: larger ones clash no more than smaller ones.
    within = rows if positive else [of_members(points)] * len(rows)
    # In every part the lessons have, taken together, at least as many points as there are edges.
    lower = math.ceil(peeled_density(table, meter))
    upper = max(map(int.bit_count, within))
    name = f"the {'positive ' if positive else ''}no-clash teaching dimension"
    with Bounds(name, lower, upper, progress) as bounds:
        if not positive:
            bounds.at_most(recursive_teaching_dim(table, limit=limit))
        while (lessons := without_clash(rows, within, bounds.lower, meter)) is None:
            bounds.at_least(bounds.lower + 1)
        bounds.at_most(bounds.lower)
    return bounds.lower, lessons


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


def without_clash(rows: list[int], within: list[int], size: int, meter: Meter) -> list[int] | None:
    """Lessons of at most `size` points that do not clash, or None if there are none.

    Parameters
    ----------
    rows : list of int
        The concepts, as the sets of points with label 1.
    within : list of int
        The points that the lesson of each may have.
    size : int
    meter : Meter
        Ticks on every lesson that is tried.

    Examples
    --------
    >>> without_clash([0b00, 0b01, 0b10, 0b11], [0b11] * 4, 1, Meter(None))
    [1, 2, 2, 1]
    """
    possible: list[list[int]] = []
    for allowed in within:
        chosen = itertools.combinations(members(allowed), min(size, allowed.bit_count()))
        possible.append([])
        for points in chosen:
            meter.tick()
            meter.charge(ENTRY_BYTES)
            possible[-1].append(of_members(points))
    return _assign(rows, dict(enumerate(possible)), {}, meter)


def _assign(
    rows: list[int], possible: dict[int, list[int]], chosen: dict[int, int], meter: Meter
) -> list[int] | None:
    """Lessons for the concepts that have none yet, each out of the possible ones."""
    if not possible:
        return [chosen[i] for i in range(len(rows))]
    first = min(possible, key=lambda i: len(possible[i]))
    choices = []
    for lesson in possible[first]:
        meter.tick()
        left, loss = {}, 0.0
        for i, lessons in possible.items():
            if i == first:
                continue
            left[i] = lessons
            differing = rows[i] ^ rows[first]
            if not lesson & differing:
                # It does not tell this concept from the first: the other lesson has to.
                left[i] = [other for other in lessons if other & differing]
                if not left[i]:
                    break
                loss += (len(lessons) - len(left[i])) / len(left[i])
        else:
            choices.append((loss, lesson, left))
    # What takes least away from the others is tried first.
    for _, lesson, left in sorted(choices, key=lambda choice: choice[0]):
        found = _assign(rows, left, chosen | {first: lesson}, meter)
        if found is not None:
            return found
    return None


NO_CLASH_TEACHING_DIM = Dimension(
    "no_clash_teaching_dim",
    "no-clash teaching dimension",
    "NCTD",
    "The least k for which every concept can be given a lesson of at most k points with their "
    "labels such that of two concepts one never agrees with the lesson of the other.",
    "Kirkpatrick, Simon and Zilles 2019",
    no_clash_teaching_dim,
    -1,
    meaning="How many labelled points suffice if teacher and learner agree on the lessons "
    "beforehand, and no more than that is allowed.",
)

POSITIVE_NO_CLASH_TEACHING_DIM = Dimension(
    "positive_no_clash_teaching_dim",
    "positive no-clash teaching dimension",
    "NCTD+",
    "The least k for which every concept can be given a lesson of at most k points with label 1 "
    "such that of two concepts one never agrees with the lesson of the other.",
    "Kirkpatrick, Simon and Zilles 2019",
    positive_no_clash_teaching_dim,
    -1,
    meaning="The same for teachers who only show examples of what is to be learned.",
    flips_change=True,
)
