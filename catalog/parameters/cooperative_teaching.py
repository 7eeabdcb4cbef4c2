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
    subsets,
)
from catalog.parameters.teaching import teaching_size
from lsclasses.dimensions.definitions import Labels, Problem, _few_enough
from lsclasses.limits import tick
from lsclasses.point_names import Point, name_text

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
