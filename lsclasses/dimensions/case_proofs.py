"""Proofs by cases from searches, for certificates of stars, thresholds and teaching.

The searches find the values and the objects. The rules of the checkers in `lsclasses.certificates`
split and close the cases. This module chooses the case to split and the reason that closes a case.

**Fractional hitting sets.** A linear program finds weights of sets which prove that few points
cannot meet all sets. Points are in teaching sets, and each teaching set has room for more points.
**Bound.** Suppose that every point of a teaching set l is in sets of total weight at most m(l).
Then teaching sets with r(l) points meet at most the sum of all r(l) m(l). If the total weight is
larger, some set is not met. The program computes in floating point. The weights are rounded to
multiplicities, and the checker verifies the multiplicities exactly.
"""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from lsclasses.certificates.base import Subject
from lsclasses.certificates.cases.lessons import LessonCase, NoClash, Teaching
from lsclasses.certificates.cases.patterns import (
    HollowStar,
    PartOfSample,
    PartOfStar,
    Rest,
    ThresholdLine,
)
from lsclasses.certificates.cases.proof import CLAIMS, ProofByCases
from lsclasses.certificates.cases.replay import MOST_NUMBERS, DimensionClaim, Evidence, Item
from lsclasses.dimensions.no_clash import no_clash_lessons, no_clash_teaching_dim
from lsclasses.dimensions.one_inclusion import densest_edges
from lsclasses.dimensions.stars import largest_hollow_star, largest_star
from lsclasses.dimensions.teaching import Lesson, hardest_lesson, plan_and_core, teaching_sets
from lsclasses.dimensions.threshold import thresholds
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.limits import Limit, Meter, Progress, within
from lsclasses.point_names import Point
from lsclasses.searching.bitsets import members

if TYPE_CHECKING:
    from lsclasses.table import Table


# ---- fractional


DENOMINATORS = (1, 2, 3, 4, 6, 12, 24, 60, 120, 720)
"""Denominators n for weights of sets, in the order in which they are tried.

A linear program finds weights of sets that few points cannot meet. The weights are rounded to
multiples of 1/n of the largest weight.
"""
TOLERANCE = 1e-7


def weighted(
    sets: Mapping[int, Mapping[int, int]], room: Mapping[int, int], meter: Meter
) -> Iterator[tuple[int, ...]]:
    """Yield lists of sets, with repetitions, that may close a case of a proof.

    A list closes the case if the points that the teaching sets may still receive cannot meet all
    its sets.

    Parameters
    ----------
    sets : mapping
        Points of each set in each teaching set, as bits of integers, by the number of the set.
    room : mapping from lessons to int
        Number of points that each teaching set may still receive.
    meter : Meter

    Examples
    --------
    One point meets two of the three edges of a triangle.

    >>> triangle = {7: {0: 0b011}, 8: {0: 0b110}, 9: {0: 0b101}}
    >>> next(weighted(triangle, {0: 1}, Meter(None)))
    (7, 8, 9)
    """
    from scipy import optimize
    from scipy.sparse import coo_array

    numbers = list(sets)
    lessons = {lesson: len(numbers) + i for i, lesson in enumerate(room)}
    elements: dict[tuple[int, int], int] = {}
    rows, columns, entries = [], [], []
    for i, number in enumerate(numbers):
        meter.tick()
        for lesson, points in sets[number].items():
            for x in members(points):
                if (lesson, x) not in elements:
                    row = elements[lesson, x] = len(elements)
                    rows.append(row)
                    columns.append(lessons[lesson])
                    entries.append(-1)
                rows.append(elements[lesson, x])
                columns.append(i)
                entries.append(1)
    shape = (len(elements), len(numbers) + len(lessons))
    found = optimize.linprog(
        [-1] * len(numbers) + [room[lesson] for lesson in lessons],
        A_ub=coo_array((entries, (rows, columns)), shape=shape).tocsr() if entries else None,
        b_ub=np.zeros(len(elements)) if entries else None,
        bounds=[(0, 1)] * shape[1],
        method="highs",
        options={"time_limit": meter.rest.seconds or math.inf},
    )
    if found.x is None or found.fun > -TOLERANCE:
        return
    weights = found.x[: len(numbers)]
    weights = weights / max(weights.max(), TOLERANCE)
    for denominator in DENOMINATORS:
        times = np.rint(weights * denominator).astype(int).tolist()
        yield tuple(number for number, t in zip(numbers, times, strict=True) for _ in range(t))


# ---- case proofs


FRACTIONAL_UP_TO = 1 << 16
"""Largest number of sets to be met whose weights a linear program computes."""
MOST_PROGRAMS = 1 << 10
"""The largest number of linear programs that are solved for one proof."""

State = TypeVar("State")
Positions = Callable[[Iterable[Point]], tuple[int, ...]]


def proof_by_cases(
    table: Table, name: str, *, limit: Limit | None = None, progress: Progress | None = None
) -> ProofByCases:
    """Return a proof by cases of the exact value of a dimension. The checker does not search.

    Parameters
    ----------
    table : Table
    name : str
        One of `lsclasses.certificates.cases.proof.CLAIMS`.
    limit : Limit, optional
        Time and memory for the search and for writing the proof.
    progress : callable, optional
        Called with the number of written cases and the number of known cases.

    Raises
    ------
    InvalidInput
        If the class is empty, or the dimension has no proof by cases.
    TooLarge
        If the limit is reached, or the proof has more than a million numbers.

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("subsets:n=5,k=2").to_table()
    >>> proof = proof_by_cases(C, "star_number")
    >>> proof.claim, len(proof.cases)
    ('star_number = 3', 46)
    """
    if name not in CLAIMS:
        raise InvalidInput(f"Proofs by cases exist for {', '.join(CLAIMS)}. Got {name!r}.")
    if table.is_empty:
        raise InvalidInput(f"The empty class has no evidence for its {name}.")
    with within(limit):
        value, evidence = _FOUND[name](table, limit)
        claim = CLAIMS[name](table, value, evidence)
        claim.check_evidence()
        items = _written(claim, _strategy(claim, table, Meter(limit)), Meter(limit), progress)
    return ProofByCases(Subject.of(table), name, value, evidence, items)


# ---- the value, and the evidence for one bound


def _points(table: Table) -> Positions:
    numbers = {x: j for j, x in enumerate(table.points)}
    return lambda names: tuple(numbers[x] for x in names)


def _concepts(table: Table) -> Positions:
    numbers = {table.concept_name(i): i for i in range(len(table))}
    return lambda names: tuple(numbers[c] for c in names)


def _star(table: Table, limit: Limit | None) -> tuple[int, Evidence]:
    star = largest_star(table, limit=limit)
    concepts = _concepts(table)((star.centre, *star.concepts))
    return len(star.points), {"points": _points(table)(star.points), "concepts": concepts}


def _hollow_star(table: Table, limit: Limit | None) -> tuple[int, Evidence]:
    sample = largest_hollow_star(table, limit=limit) or ()
    points = _points(table)(x for x, _ in sample)
    return len(sample), {"points": points, "labels": tuple(y for _, y in sample)}


def _thresholds(table: Table, limit: Limit | None) -> tuple[int, Evidence]:
    line = thresholds(table, limit=limit)
    points, concepts = _points(table)(line.points), _concepts(table)(line.concepts)
    return len(points), {"points": points, "concepts": concepts}


def _teaching(table: Table, limit: Limit | None) -> tuple[int, Evidence]:
    hardest = hardest_lesson(table, limit, None)
    value = len(hardest.points)
    lessons = _in_order(table, teaching_sets(table, value, limit=limit))
    return value, {"lessons": lessons, "hardest": _concepts(table)([hardest.concept])}


def _recursive_teaching(table: Table, limit: Limit | None) -> tuple[int, Evidence]:
    plan, hard = plan_and_core(table, limit, None)
    lessons = _in_order(table, plan)
    order = _concepts(table)(lesson.concept for lesson in plan)
    value = max(map(len, lessons))
    return value, {"lessons": lessons, "order": order, "hardest": tuple(hard)}


def _no_clash(table: Table, limit: Limit | None) -> tuple[int, Evidence]:
    value = no_clash_teaching_dim(table, limit=limit)
    lessons, _ = plan_and_core(table, limit, None)
    if max(len(lesson.points) for lesson in lessons) > value:
        lessons = list(no_clash_lessons(table, limit=limit))
    return value, {"lessons": _in_order(table, lessons)}


def _positive_no_clash(table: Table, limit: Limit | None) -> tuple[int, Evidence]:
    lessons = _in_order(table, no_clash_lessons(table, positive=True, limit=limit))
    return max(map(len, lessons)), {"lessons": lessons}


def _in_order(table: Table, lessons: Sequence[Lesson]) -> tuple[tuple[int, ...], ...]:
    """Return teaching sets in the order of their concepts, by positions of the points."""
    points, number = _points(table), _concepts(table)
    found = {number([each.concept]): tuple(sorted(points(each.points))) for each in lessons}
    return tuple(found[i,] for i in range(len(table)))


_FOUND: dict[str, Callable[[Table, Limit | None], tuple[int, Evidence]]] = {
    "star_number": _star,
    "hollow_star_number": _hollow_star,
    "threshold_dim": _thresholds,
    "teaching_dim": _teaching,
    "recursive_teaching_dim": _recursive_teaching,
    "no_clash_teaching_dim": _no_clash,
    "positive_no_clash_teaching_dim": _positive_no_clash,
}


# ---- the cases


class _Strategy(ABC, Generic[State]):
    """The choice of a reason that closes a case, or of a point or concept that splits it."""

    @abstractmethod
    def reason(self, state: State) -> tuple[int, ...] | None:
        """Return a reason that closes the case, or None if no reason is known."""

    @abstractmethod
    def choice(self, state: State) -> int:
        """Return the point or concept that splits the case."""


def _written(
    claim: DimensionClaim[State],
    strategy: _Strategy[State],
    meter: Meter,
    progress: Progress | None,
) -> tuple[Item, ...]:
    """Return the items that close every case, in the form of `lsclasses.certificates.cases`."""
    items: list[Item] = []
    waiting, numbers = [*reversed(claim.start())], 0
    while waiting:
        meter.tick()
        if progress is not None:
            progress(len(items), len(items) + len(waiting))
        state = waiting.pop()
        claim.visit(state)
        reason = strategy.reason(state)
        if reason is None:
            choice = strategy.choice(state)
            items.append(choice)
            waiting.extend(reversed(claim.cases(state, choice)))
        else:
            items.append(reason)
        numbers += 1 if reason is None else 1 + len(reason)
        if numbers > MOST_NUMBERS:
            raise TooLarge(
                f"The proof by cases has more than {MOST_NUMBERS} numbers.", limit=MOST_NUMBERS
            )
    return tuple(items)


def _strategy(claim: DimensionClaim[Any], table: Table, meter: Meter) -> _Strategy[Any]:
    if isinstance(claim, ThresholdLine):
        return _ThresholdCases(claim)
    if isinstance(claim, HollowStar):
        return _SampleCases(claim)
    if isinstance(claim, NoClash):
        return _ClashCases(claim, table, meter)
    if isinstance(claim, Teaching):
        return _LessonCases(claim, meter)
    return _StarCases(claim)


class _StarCases(_Strategy[PartOfStar]):
    """Points are added in order."""

    def __init__(self, claim: DimensionClaim[PartOfStar]) -> None:
        self._claim = claim

    def reason(self, state: PartOfStar) -> tuple[int, ...] | None:
        return () if self._claim.closed(state, ()) else None

    def choice(self, state: PartOfStar) -> int:
        return next(members(state.points))


class _SampleCases(_Strategy[PartOfSample]):
    """The next concept is one that fewest examples contradict."""

    def __init__(self, claim: HollowStar) -> None:
        self._claim = claim
        self._against = [claim.contradicting(concept) for concept in range(len(claim.rows))]

    def reason(self, state: PartOfSample) -> tuple[int, ...] | None:
        return () if self._claim.closed(state, ()) else None

    def choice(self, state: PartOfSample) -> int:
        def examples(concept: int) -> int:
            return (state.allowed & self._against[concept]).bit_count()

        return min(members(state.agreeing), key=examples)


class _ThresholdCases(_Strategy[Rest]):
    """An equal earlier case, about a line of at least the same length, closes a case."""

    def __init__(self, claim: ThresholdLine) -> None:
        self._claim = claim
        self._numbers: dict[tuple[int, int], tuple[int, int]] = {}
        self._visited = 0

    def reason(self, state: Rest) -> tuple[int, ...] | None:
        number, self._visited = self._visited, self._visited + 1
        if self._claim.closed(state, ()):
            return ()
        here = state.points, state.concepts
        before = self._numbers.get(here)
        if before is not None and before[1] <= state.length:
            return (before[0],)
        self._numbers[here] = number, state.length
        return None

    def choice(self, state: Rest) -> int:
        return 0


class _LessonCases(_Strategy[LessonCase]):
    """A smallest set is met next, unless there are more disjoint sets than remaining points."""

    def __init__(self, claim: Teaching, meter: Meter) -> None:
        self._claim, self._meter = claim, meter
        self._sets: dict[int, list[int]] = {}

    def reason(self, state: LessonCase) -> tuple[int, ...] | None:
        left = self._left(state)
        taken, disjoint = 0, []
        for number, points in left:
            if not points & taken:
                taken |= points
                disjoint.append(number)
        room = self._claim.value - 1 - state.chosen.get(0, 0).bit_count()
        for reason in (tuple(disjoint[: room + 1]), tuple(number for number, _ in left)):
            if self._claim.closed(state, reason):
                return reason
        return None

    def choice(self, state: LessonCase) -> int:
        return self._left(state)[0][0]

    def _left(self, state: LessonCase) -> list[tuple[int, int]]:
        """Return the minimal sets that are not met yet, by size, with their available points."""
        self._meter.tick()
        if state.target not in self._sets:
            self._sets[state.target] = self._minimal(state)
        rows, chosen = self._claim.rows, state.chosen.get(0, 0)
        unmet = (i for i in self._sets[state.target] if not (rows[i] ^ rows[state.target]) & chosen)
        found = [(i, self._claim.possible(state, i)[0]) for i in unmet]
        return sorted(found, key=lambda each: each[1].bit_count())

    def _minimal(self, state: LessonCase) -> list[int]:
        """Return the concepts whose set of differences from the target is minimal."""
        packed = self._claim.table.packed
        others = np.array([i for i in members(self._claim.others) if i != state.target], dtype=int)
        rest = packed[others] ^ packed[state.target]
        order = np.argsort(np.bitwise_count(rest).sum(axis=1, dtype=np.int64), kind="stable")
        others, rest = others[order], rest[order]
        found: list[int] = []
        while len(others):
            self._meter.tick()
            found.append(int(others[0]))
            kept = ((rest & rest[0]) != rest[0]).any(axis=1)
            others, rest = others[kept], rest[kept]
        return found


class _ClashCases(_Strategy[LessonCase]):
    """Pairs of concepts have weights, from one-inclusion edges or from a linear program."""

    def __init__(self, claim: NoClash, table: Table, meter: Meter) -> None:
        self._claim, self._meter = claim, meter
        self._edges = tuple(i * len(table) + j for i, j in densest_edges(table, meter))
        self._programs = 0

    def reason(self, state: LessonCase) -> tuple[int, ...] | None:
        if not state.chosen and self._claim.closed(state, self._edges):
            return self._edges

        left = self._left(state)
        for number, points in left.items():
            if not any(points.values()):
                return (number,)
        self._programs += 1
        if self._programs > MOST_PROGRAMS or len(left) > FRACTIONAL_UP_TO:
            raise TooLarge(
                f"The search found no proof by cases. It solves at most {MOST_PROGRAMS} linear "
                f"programs for at most {FRACTIONAL_UP_TO} pairs of concepts.",
                limit=MOST_PROGRAMS,
            )
        room = {
            lesson: self._claim.value - 1 - state.chosen.get(lesson, 0).bit_count()
            for points in left.values()
            for lesson in points
        }
        for reason in weighted(left, room, self._meter):
            if self._claim.closed(state, reason):
                return reason
        return None

    def choice(self, state: LessonCase) -> int:
        left = self._left(state)
        return min(left, key=lambda number: sum(p.bit_count() for p in left[number].values()))

    def _left(self, state: LessonCase) -> dict[int, dict[int, int]]:
        """Return the pairs that are not distinguished yet, with the available points."""
        found = {}
        for i, j in itertools.combinations(range(len(self._claim.rows)), 2):
            differing = self._claim.rows[i] ^ self._claim.rows[j]
            if not any(state.chosen.get(each, 0) & differing for each in (i, j)):
                number = i * len(self._claim.rows) + j
                found[number] = self._claim.possible(state, number)
        return found
