"""Teaching dimensions: the number of labelled points that identify a concept.

A teaching set of a concept is a set of points whose labels distinguish the concept from every other
concept. It meets each set of points where another concept differs. Only the inclusion-minimal of
these sets matter, and a least teaching set is a least hitting set of them.

A symmetry of the class permutes its points and may complement some. It maps teaching sets to
teaching sets. So the search considers one concept of each orbit, and symmetries map its teaching
set to the other concepts. Any group of symmetries is correct. A smaller group requires searches for
more concepts.

A branch-and-bound search finds least hitting sets. The extended teaching dimension is the least
number of labels that leave at most one concept, for every labelling of the domain.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lsclasses.dimensions import definitions
from lsclasses.dimensions.base import Evidence, dimension
from lsclasses.dimensions.queries import distinct_columns
from lsclasses.errors import InvalidInput
from lsclasses.limits import Limit, Meter, Progress
from lsclasses.point_names import Point
from lsclasses.searching.bitsets import disjoint, members, of_members
from lsclasses.searching.search_bounds import Bounds
from lsclasses.searching.symmetry import Symmetry, generators, orbit, orbit_starts

if TYPE_CHECKING:
    from lsclasses.hypothesis import Hypothesis
    from lsclasses.table import Table


# ---- hitting sets


def hitting_set(sets: Sequence[int], size: int, meter: Meter) -> int | None:
    """Return at most `size` elements that meet every set, or None if no such elements exist.

    Parameters
    ----------
    sets : sequence of int
        Sets as bits of integers. The search is faster if no set contains another set.
    size : int
        Largest number of elements.
    meter : Meter
        Meter that ticks on every step.

    Raises
    ------
    TooLarge
        If the time limit of the meter is reached.

    Examples
    --------
    >>> sets = [0b0011, 0b0110, 0b1100]
    >>> bin(hitting_set(sets, 2, Meter(None))), hitting_set(sets, 1, Meter(None))
    ('0b110', None)
    """
    meter.tick()
    forced = 0
    for s in sets:
        if s.bit_count() == 1:
            forced |= s
    if forced:
        rest = [s for s in sets if not s & forced]
        size -= forced.bit_count()
        found = None if size < 0 else hitting_set(rest, size, meter)
        return None if found is None else found | forced
    if not sets:
        return 0
    if disjoint(sets) > size:
        return None
    smallest = min(sets, key=int.bit_count)
    often = {e: sum(s >> e & 1 for s in sets) for e in members(smallest)}
    excluded = 0
    for element in sorted(often, key=lambda e: -often[e]):
        bit = 1 << element
        # The solutions with an earlier element have been excluded.
        rest = [s & ~excluded for s in sets if not s & bit]
        if all(rest):
            found = hitting_set(rest, size - 1, meter)
            if found is not None:
                return found | bit
        excluded |= bit
    return None


# ---- teaching sets and plans


SYMMETRIES_FROM = 8
"""Least number of concepts per point for which symmetries are computed, because they save time."""


class Lesson(NamedTuple):
    """A step of a teaching plan: a concept, and the points that teach the concept.

    Attributes
    ----------
    concept : concept name
        Name of the concept, or its position in the table if concepts have no names.
    points : tuple of points
    """

    concept: Point
    points: tuple[Point, ...]


def teaching_evidence(table: Table, limit: Limit | None) -> tuple[int, dict[str, Any]]:
    """Return the teaching dimension of a table with a witness of the lower bound."""
    lesson = hardest_lesson(table, limit, None)
    return len(lesson.points), lesson._asdict()


@dimension(
    "teaching dimension",
    symbol="TD",
    definition="The largest, over the concepts, of the least number of points whose labels "
    "distinguish the concept from all other concepts.",
    reference="Goldman and Kearns 1995; Shinohara and Miyano 1991",
    of_empty=-1,
    meaning="The number of labelled points that a helpful teacher needs for the concept that is "
    "hardest to teach.",
    evidence=Evidence(
        teaching_evidence,
        "a concept, with a least set of points whose labels distinguish it from all other concepts",
        definitions.teaching,
    ),
)
def teaching_dim(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The largest size of a smallest teaching set, over all concepts.

    The value is -1 for the empty class, which has no concept to teach.

    Examples
    --------
    >>> from lsclasses import Table
    >>> teaching_dim(Table([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]))
    3
    """
    return -1 if table.is_empty else len(hardest_lesson(table, limit, progress).points)


def hardest_lesson(table: Table, limit: Limit | None, progress: Progress | None) -> Lesson:
    """Return a concept that needs the largest teaching set, with a smallest such teaching set."""
    concepts = _Concepts(table, Meter(limit))
    hardest, taught = 0, 0
    with Bounds("the teaching dimension", 0, concepts.largest, progress) as bounds:
        for i in orbit_starts(len(table), concepts.symmetries()).tolist():
            differences = concepts.differences(i)
            while (found := hitting_set(differences, bounds.lower, concepts.meter)) is None:
                bounds.at_least(bounds.lower + 1)
                hardest = i
            if hardest == i:
                taught = found
            if bounds.decided:
                break
        bounds.at_most(bounds.lower)
    return Lesson(table.concept_name(hardest), concepts.points(taught))


def teaching_sets(table: Table, size: int, *, limit: Limit | None = None) -> list[Lesson]:
    """Return a teaching set of at most `size` points for each concept.

    Raises
    ------
    InvalidInput
        If some concept needs more points.

    Examples
    --------
    >>> from lsclasses import Table
    >>> [lesson.points for lesson in teaching_sets(Table([[0, 0], [1, 0], [0, 1]], domain="ab"), 2)]
    [('a', 'b'), ('a',), ('b',)]
    """
    concepts = _Concepts(table, Meter(limit))
    found: dict[int, Lesson] = {}
    symmetries = concepts.symmetries()
    for i in orbit_starts(len(table), symmetries).tolist():
        points = hitting_set(concepts.differences(i), size, concepts.meter)
        if points is None:
            raise InvalidInput(f"Concept {table.concept_name(i)!r} needs more than {size} points.")
        for image, moved in orbit(i, concepts.width, symmetries):
            taught = concepts.points(of_members(moved[list(members(points))].tolist()))
            found[image] = Lesson(table.concept_name(image), taught)
    return [found[i] for i in range(len(table))]


def teaching_set(table: Table, h: Hypothesis, *, limit: Limit | None = None) -> tuple[Point, ...]:
    """Return a smallest set of points whose labels distinguish the concept h from all others.

    Raises
    ------
    InvalidInput
        If h is not in the class.

    Examples
    --------
    >>> from lsclasses import Table
    >>> C = Table([[0, 0, 0], [1, 0, 0], [0, 1, 0]], domain="abc")
    >>> teaching_set(C, C[0]), teaching_set(C, C[1])
    (('a', 'b'), ('a',))
    """
    i = table.position(h)
    if i is None:
        raise InvalidInput(f"Only a concept of the class has a teaching set. Got {h!r}.")
    concepts = _Concepts(table, Meter(limit))
    with Bounds("the size of a teaching set", 0, concepts.largest) as bounds:
        differences = concepts.differences(i)
        while (found := hitting_set(differences, bounds.lower, concepts.meter)) is None:
            bounds.at_least(bounds.lower + 1)
    return concepts.points(found)


def recursive_evidence(table: Table, limit: Limit | None) -> tuple[int, dict[str, Any]]:
    """Return the recursive teaching dimension with a witness of the lower bound."""
    plan, hard = plan_and_core(table, limit, None)
    concepts = tuple(table.concept_name(i) for i in hard)
    return max(len(lesson.points) for lesson in plan), {"concepts": concepts}


@dimension(
    "recursive teaching dimension",
    symbol="RTD",
    definition="The least k for which the concepts can be removed one by one such that the "
    "labels of at most k points distinguish each concept from the concepts that are removed later.",
    reference="Zilles, Lange, Holte and Zinkevich 2011; Doliwa, Fan, Simon and Zilles 2014",
    of_empty=-1,
    meaning="The number of labelled points that suffice if easy concepts are taught first and "
    "are known to be excluded later.",
    evidence=Evidence(
        recursive_evidence,
        "concepts such that at least as many points are needed to distinguish any of them from "
        "the rest of them",
        definitions.recursive_teaching,
    ),
)
def recursive_teaching_dim(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The order of the canonical teaching plan, which is the least order of all plans.

    A plan removes the concepts one by one. Each concept is taught against the remaining concepts.
    The order of the plan is the size of the largest teaching set used. The canonical plan always
    removes a concept that is cheapest to teach at that time. The value is -1 for the empty class.

    Examples
    --------
    >>> from lsclasses import Table
    >>> recursive_teaching_dim(Table([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]))
    1
    """
    if table.is_empty:
        return -1
    return max(len(lesson.points) for lesson in plan_and_core(table, limit, progress)[0])


def teaching_plan(table: Table, *, limit: Limit | None = None) -> tuple[Lesson, ...]:
    """Return a teaching plan of least order, as evidence for `recursive_teaching_dim`.

    It proves an upper bound. The points of each step distinguish its concept from the concepts of
    all later steps.

    Examples
    --------
    >>> from lsclasses import Table
    >>> plan = teaching_plan(Table([[0, 0], [1, 0], [0, 1]], domain="ab", concepts="fgh"))
    >>> [(lesson.concept, lesson.points) for lesson in plan]
    [('g', ('a',)), ('h', ('b',)), ('f', ())]
    """
    return tuple(plan_and_core(table, limit, None)[0])


def plan_and_core(
    table: Table, limit: Limit | None, progress: Progress | None
) -> tuple[list[Lesson], list[int]]:
    """Return a teaching plan of least order, and a set of concepts that proves the order.

    Each concept of the set needs at least as many points as the order to be taught within the set.
    """
    # With teaching sets of k points, all concepts that can be taught may be removed at once,
    # because this only makes the other concepts easier. So the least k that exhausts the class is
    # the order of the canonical plan. The remaining concepts are a union of orbits, so all images
    # of a concept that can be taught can be taught, too.
    concepts = _Concepts(table, Meter(limit))
    plan: list[Lesson] = []
    hard = concepts.remaining()
    largest = concepts.largest if len(table) else 0
    with Bounds("the recursive teaching dimension", 0, largest, progress) as bounds:
        symmetries = concepts.symmetries()
        left = orbit_starts(len(table), symmetries).tolist()
        while left:
            still_left: list[int] = []
            for i in left:
                found = hitting_set(concepts.differences(i), bounds.lower, concepts.meter)
                if found is None:
                    still_left.append(i)
                    continue
                for image, moved in orbit(i, concepts.width, symmetries):
                    concepts.forget(image)
                    points = concepts.points(of_members(moved[list(members(found))].tolist()))
                    plan.append(Lesson(table.concept_name(image), points))
            if len(still_left) == len(left):
                bounds.at_least(bounds.lower + 1)
                hard = concepts.remaining()
            left = still_left
        bounds.at_most(bounds.lower)
    return plan, hard


class _Concepts:
    """The remaining concepts of a table, and their differences.

    Of several points that distinguish the same concepts, only the first point is kept.
    """

    def __init__(self, table: Table, meter: Meter) -> None:
        self.meter = meter
        self.largest = min(len(table.points), len(table) - 1)
        self._space = space = table._space
        self.width = len(space.words)
        self._names = [table.points[j] for j in space.source.tolist()]
        self._rows = np.ascontiguousarray(space.rows.T)
        self._present = np.ones(len(table), dtype=bool)

    def symmetries(self) -> list[Symmetry]:
        """Return the symmetries of the class, if computing them saves time."""
        pays = len(self._rows) >= SYMMETRIES_FROM * self.width
        return generators(self._space, self.meter) if pays else []

    def points(self, chosen: int) -> tuple[Point, ...]:
        """Return the points of a set of positions."""
        return tuple(self._names[j] for j in members(chosen))

    def forget(self, i: int) -> None:
        """Remove the i-th concept."""
        self._present[i] = False

    def remaining(self) -> list[int]:
        """Return the concepts that are not removed."""
        left: list[int] = np.flatnonzero(self._present).tolist()
        return left

    def differences(self, i: int) -> list[int]:
        """Return the minimal sets where a remaining concept differs from the i-th concept."""
        self._present[i] = False
        rest = self._rows[self._present] ^ self._rows[i]
        self._present[i] = True
        # NumPy sorts numbers of 16 bits many times faster.
        few = self.width < 1 << 16
        distances = np.bitwise_count(rest).sum(axis=1, dtype=np.uint16 if few else np.uint32)
        rest = rest[np.argsort(distances, kind="stable")]
        minimal: list[int] = []
        while len(rest):
            self.meter.tick()
            smallest = rest[0]
            minimal.append(int.from_bytes(smallest.tobytes(), "little"))
            rest = rest[((rest & smallest) != smallest).any(axis=1)]
        return minimal


# ---- the extended teaching dimension


def extended_evidence(table: Table, limit: Limit | None) -> tuple[int, dict[str, Any]]:
    """Return the extended teaching dimension of a table with a witness of the lower bound."""
    value, labelling = _search(table, limit, None)
    return value, {"sample": labelling}


@dimension(
    "extended teaching dimension",
    symbol="XTD",
    definition="The largest, over all labellings of the points, of the least size of a set of "
    "points on which at most one concept agrees with the labelling.",
    reference="Hegedűs 1995",
    of_empty=0,
    meaning="The number of labels that show which concept, if any, a function can be. Learning "
    "with membership queries needs at least as many labels.",
    evidence=Evidence(
        extended_evidence,
        "a sample of all points such that at least two concepts agree with each part of it that "
        "has fewer examples",
        definitions.unspecified,
    ),
)
def extended_teaching_dim(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The largest, over all labellings, of the least number of points that specify a labelling.

    Points specify a labelling if at most one concept agrees with the labelling on the points. The
    labelling need not be a concept. The value is 0 for the empty class.

    Examples
    --------
    One label teaches each of five points. Four labels are needed to exclude all of them.

    >>> import catalog
    >>> C = catalog.build("points:n=5").to_table()
    >>> C.teaching_dim(), extended_teaching_dim(C)
    (1, 4)
    """
    return _search(table, limit, progress)[0]


def _search(
    table: Table, limit: Limit | None, progress: Progress | None
) -> tuple[int, tuple[tuple[Any, int], ...]]:
    """Return the dimension, and a labelling that needs this number of points."""
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
    # The label of a column in `hardest` is the label of all columns that split the same concepts.
    labels = {column: hardest >> j & 1 for j, column in enumerate(columns)}
    sample = []
    for x, column in zip(table.points, table.column_bits, strict=True):
        flip = column & 1
        sample.append((x, labels.get(whole ^ column if flip else column, 0) ^ flip))
    return bounds.lower, tuple(sample)


def _unspecified(columns: list[int], j: int, spaces: list[set[int]], meter: Meter) -> int | None:
    """Return labels of the columns from j on for which few points leave two concepts, or None.

    ``spaces[i]`` are the version spaces that i of the labels given so far leave. The last entry is
    for the largest number of points that is tried.
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
    """Return the version spaces after one more label, or None if one has less than two concepts."""
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
