"""Numbers of examples if the learner draws conclusions from the teacher's choice of examples."""

from __future__ import annotations

import itertools

from catalog.parameters.base import (
    PROJECTED,
    Named,
    Numbers,
    Parts,
    evidence,
    parameter,
    pattern_on,
    patterns_on,
    searched,
    subsets,
    unknown_names,
)
from catalog.parameters.teaching import teaching_size
from lsclasses.dimensions.definitions import Labels, Problem, _few_enough
from lsclasses.dimensions.no_clash import no_clash_lessons, no_clash_teaching_dim
from lsclasses.limits import Limit, tick
from lsclasses.point_names import Point, name_text
from lsclasses.table import Table

# ---- samples that are too large for other concepts


def balbach_sizes(numbers: Numbers, points: int) -> dict[int, int]:
    """Return, for each concept, its size after the last round of the Balbach teaching dimension."""
    sizes = {c: teaching_size(c, numbers, points) for c in numbers}
    while True:
        smaller = {
            c: min(
                s.bit_count()
                for s in subsets(points)
                if all((c ^ d) & s or sizes[d] < s.bit_count() for d in numbers if d != c)
            )
            for c in numbers
        }
        if smaller == sizes:
            return sizes
        sizes = smaller


@parameter(
    "Balbach teaching dimension",
    "BTD",
    PROJECTED,
    reference="Balbach 2008; Zilles, Lange, Holte and Zinkevich 2011",
)
def balbach_teaching_dim(numbers: Numbers, points: int) -> int:
    """The largest size of a concept, over all concepts, at the end of the following rounds. At
    first, the size of a concept is the least number of points whose labels distinguish it from all
    other concepts. A round replaces the size of each concept by the least k for which some k points
    distinguish it from all other concepts of size at least k. The rounds end when no size changes.

    A learner excludes a concept if fewer examples would teach it. A teacher that relies on this
    learner needs fewer examples in the next round.
    """
    return max(balbach_sizes(numbers, points).values())


# ---- parts of the samples of one concept only


def subset_teaching_sets(numbers: Numbers, points: int) -> dict[int, set[int]]:
    """Return, for each concept, the point sets of its samples after the last round.

    `subset_teaching_dim` defines the rounds.
    """
    sets = {}
    for c in numbers:
        good = [s for s in subsets(points) if all((c ^ d) & s for d in numbers if d != c)]
        sets[c] = _smallest(good)
    while True:
        smaller = {c: _smallest(_own_parts(c, sets)) for c in numbers}
        if smaller == sets:
            return sets
        sets = smaller


def _own_parts(c: int, sets: dict[int, set[int]]) -> list[int]:
    """Return the subsets of the samples of a concept that no sample of another concept contains."""
    tick()
    parts = {t for s in sets[c] for t in range(s + 1) if not t & ~s}
    others = [(d, s) for d, samples in sets.items() if d != c for s in samples]
    return [t for t in parts if all((c ^ d) & t or t & ~s for d, s in others)]


def _smallest(sets: list[int]) -> set[int]:
    size = min(s.bit_count() for s in sets)
    return {s for s in sets if s.bit_count() == size}


@parameter(
    "subset teaching dimension",
    "STD",
    PROJECTED,
    reference="Zilles, Lange, Holte and Zinkevich 2011",
)
def subset_teaching_dim(numbers: Numbers, points: int) -> int:
    """The largest size of a sample, over all concepts, at the end of the following rounds. At
    first, the samples of a concept are the smallest sets of its examples that distinguish it from
    all other concepts. A round replaces the samples of each concept by the smallest subsets of
    these samples that no sample of another concept contains. The rounds end when no sample changes.

    The samples of a concept always have equal sizes. A subclass can have a larger dimension.
    """
    sets = subset_teaching_sets(numbers, points).values()
    return max(s.bit_count() for samples in sets for s in samples)


# ---- projections


def _sets_of_points(table: Table) -> list[tuple[Point, ...]]:
    points = table.points
    return [
        chosen for size in range(len(points) + 1) for chosen in itertools.combinations(points, size)
    ]


@searched(
    "projected no-clash teaching dimension",
    "NCTD^p",
    PROJECTED,
    reference="Kirkpatrick, Simon and Zilles 2019",
)
def projected_no_clash_teaching_dim(table: Table, limit: Limit | None) -> int:
    """The largest no-clash teaching dimension over all projections to sets of points."""
    return max(
        no_clash_teaching_dim(table.project(list(chosen)), limit=limit)
        for chosen in _sets_of_points(table)
    )


# ---- searches for witnesses


def find_balbach(C: Named, value: int) -> Parts:
    """Return a concept of largest size after the last round, as evidence."""
    sizes = balbach_sizes(C.numbers, C.n)
    return {"concept": C.concept(next(c for c in C.rows if sizes[c] == value))}


def find_subset_taught(C: Named, value: int) -> Parts:
    """Return a concept with largest samples after the last round, as evidence."""
    sets = subset_teaching_sets(C.numbers, C.n)
    taught = next(c for c in C.rows if min(sets[c]).bit_count() == value)
    return {"concept": C.concept(taught)}


def find_projected_lessons(C: Named, value: int) -> Parts:
    """Return teaching sets without clashes in each projection, as evidence."""
    place = {x: j for j, x in enumerate(C.table.points)}
    found = []
    for chosen in _sets_of_points(C.table):
        part = C.table.project(list(chosen))
        rows = {part.concept_name(i): row for i, row in enumerate(part.labels.tolist())}
        lessons = []
        for lesson in no_clash_lessons(part, limit=C.limit):
            ones = sum(
                int(y) << place[x] for x, y in zip(chosen, rows[lesson.concept], strict=True)
            )
            concept = C.concept_with(sum(1 << place[x] for x in chosen), ones)
            lessons.append((C.concept(concept), lesson.points))
        found.append((chosen, tuple(lessons)))
    return {"projections": tuple(found)}


# ---- checks of witnesses


def check_balbach(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in a concept of largest size after the last round, or ""."""
    concept = parts["concept"]
    if problem := labels.missing([concept]):
        return problem
    size = _sizes_by_rounds(labels)[concept]
    return f"{size} points teach {name_text(concept)}" if size < value else ""


def check_subset_taught(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in a concept with largest samples after the last round, or ""."""
    concept = parts["concept"]
    if problem := labels.missing([concept]):
        return problem
    size = min(map(len, _samples_by_rounds(labels)[concept]))
    return f"samples of {name_text(concept)} have {size} points" if size < value else ""


Sample = frozenset[tuple[Point, int]]


def _samples_by_rounds(labels: Labels) -> dict[Point, set[Sample]]:
    """Return the samples of all concepts after the last round, by the definition."""
    points, concepts = labels.points, labels.concepts
    _few_enough(len(points), len(points) // 2, "teach a concept")
    sets = [s for k in range(len(points) + 1) for s in itertools.combinations(points, k)]
    every = {c: [frozenset((x, labels.label(c, x)) for x in s) for s in sets] for c in concepts}

    def smallest(c: Point, samples: dict[Point, set[Sample]]) -> set[Sample]:
        """Return the smallest samples that are contained in samples of this concept only."""
        alone = [
            s for s in every[c] if [d for d in concepts if any(s <= t for t in samples[d])] == [c]
        ]
        return {s for s in alone if len(s) == len(alone[0])}

    # The smallest samples with which only one concept agrees are the first samples.
    samples = {c: smallest(c, {d: {every[d][-1]} for d in concepts}) for c in concepts}
    while (after := {c: smallest(c, samples) for c in concepts}) != samples:
        samples = after
    return samples


def _sizes_by_rounds(labels: Labels) -> dict[Point, int]:
    """Return the sizes of all concepts after the last round, by the definition."""
    points, concepts = labels.points, labels.concepts
    _few_enough(len(points), len(points) // 2, "teach a concept")
    sets = [s for k in range(len(points) + 1) for s in itertools.combinations(points, k)]

    def size_after(c: Point, sizes: dict[Point, int]) -> int:
        for s in sets:
            agreeing = [d for d in concepts if pattern_on(labels, d, s) == pattern_on(labels, c, s)]
            if all(d == c or sizes[d] < len(s) for d in agreeing):
                return len(s)
        raise AssertionError("all points distinguish a concept from all other concepts")

    # No concept is excluded in the first round.
    sizes = dict.fromkeys(concepts, len(points) + 1)
    while (after := {c: size_after(c, sizes) for c in concepts}) != sizes:
        sizes = after
    return sizes


def check_projected_lessons(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in teaching sets without clashes in each projection, or ""."""
    _few_enough(len(labels.points), len(labels.points) // 2, "are projected to")
    projections = {frozenset(points): lessons for points, lessons in parts["projections"]}
    for size in range(len(labels.points) + 1):
        for points in itertools.combinations(labels.points, size):
            if frozenset(points) not in projections:
                return f"the projection to {', '.join(map(name_text, points))} is missing"
            lessons = projections[frozenset(points)]
            if problem := _clash(labels, points, lessons, value):
                return problem
    return ""


def _clash(
    labels: Labels,
    points: tuple[Point, ...],
    lessons: tuple[tuple[Point, tuple[Point, ...]], ...],
    value: int,
) -> Problem:
    """Return the error in teaching sets without clashes in one projection, or ""."""
    for concept, lesson in lessons:
        if problem := unknown_names(labels, lesson, [concept]):
            return problem
        if not set(lesson) <= set(points):
            return f"the teaching set of {name_text(concept)} is not in the projection"
        if len(set(lesson)) > value:
            return f"the teaching set of {name_text(concept)} has more than {value} points"
    if {pattern_on(labels, c, points) for c, _ in lessons} != patterns_on(labels, points):
        return "a concept of a projection has no teaching set"
    for (one, first), (other, second) in itertools.combinations(lessons, 2):
        if all(labels.label(one, x) == labels.label(other, x) for x in (*first, *second)):
            return f"the teaching sets of {name_text(one)} and {name_text(other)} clash"
    return ""


# ---- the parts of witnesses


evidence(
    "balbach_teaching_dim",
    "a concept whose size is at least n at the end of the rounds (n is the value)",
    find_balbach,
    check_balbach,
)
evidence(
    "subset_teaching_dim",
    "a concept whose samples have at least n points at the end of the rounds (n is the value)",
    find_subset_taught,
    check_subset_taught,
)
evidence(
    "projected_no_clash_teaching_dim",
    "for each set of points, teaching sets of at most n points for the concepts of the projection "
    "that do not clash (n is the value)",
    find_projected_lessons,
    check_projected_lessons,
    at_most=True,
)
