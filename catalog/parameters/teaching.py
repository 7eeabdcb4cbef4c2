"""Numbers of examples that identify concepts: least, positive, and recursive teaching sets."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable
from fractions import Fraction

from catalog.parameters.base import (
    Named,
    Numbers,
    Parts,
    Pattern,
    evidence,
    least_points,
    parameter,
    pattern_on,
    patterns_on,
    projected,
    projection_where,
    subsets,
    too_many,
    unknown_names,
)
from lsclasses.dimensions.definitions import Labels, Problem, _few_enough, listed
from lsclasses.point_names import Point, name_text

Size = Callable[[int, Numbers, int], int]


def teaching_size(concept: int, numbers: Numbers, points: int) -> int:
    """Return the least number of points whose labels distinguish a concept from all others."""
    return min(
        s.bit_count()
        for s in subsets(points)
        if all((concept ^ other) & s for other in numbers if other != concept)
    )


def positive_size(concept: int, numbers: Numbers, points: int) -> int:
    """Return the least number of points with label 1 that distinguish a concept from all others.

    The result is points + 1 if another concept contains the concept.
    """
    return min(
        (
            s.bit_count()
            for s in subsets(points)
            if not s & ~concept and all(s & ~other for other in numbers if other != concept)
        ),
        default=points + 1,
    )


def _recursive(size: Size, numbers: Numbers, points: int) -> int:
    """Return the largest least size if the concepts of least size are removed repeatedly.

    Sizes do not grow with fewer concepts, so removing all concepts of least size is optimal.
    """
    left, most = numbers, 0
    while left:
        sizes = {c: size(c, left, points) for c in left}
        most = max(most, min(sizes.values()))
        left = left - {c for c in left if sizes[c] <= most}
    return most


@parameter("minimum teaching set size", "TS_min")
def minimum_teaching_set_size(numbers: Numbers, points: int) -> int:
    """The least number of points whose labels distinguish some concept from all other concepts."""
    return min(teaching_size(c, numbers, points) for c in numbers)


def recursive_teaching(numbers: Numbers, points: int) -> int:
    """Return the recursive teaching dimension of a class, given by the numbers of its concepts."""
    return _recursive(teaching_size, numbers, points)


projected(
    "minimum teaching set size",
    "TS_min^p",
    "projected_minimum_teaching_set_size",
    minimum_teaching_set_size,
)
projected(
    "recursive teaching dimension", "RTD^p", "projected_recursive_teaching_dim", recursive_teaching
)


@parameter(
    "average teaching dimension",
    "TD_avg",
    reference="Anthony, Brightwell and Shawe-Taylor 1995",
    whole=False,
)
def average_teaching_dim(numbers: Numbers, points: int) -> Fraction:
    """The average, over the concepts, of the least number of points whose labels distinguish a
    concept from all other concepts.
    """
    return Fraction(sum(teaching_size(c, numbers, points) for c in numbers), len(numbers))


@parameter("positive teaching dimension", "TD+", flips_change=True)
def positive_teaching_dim(numbers: Numbers, points: int) -> int:
    """The largest, over the concepts, of the least number of points with label 1 that distinguish a
    concept from all other concepts. If some concept is contained in another concept, points with
    label 1 cannot distinguish it from the other, and the value is one more than the number of
    points.
    """
    return max(positive_size(c, numbers, points) for c in numbers)


@parameter("positive recursive teaching dimension", "RTD+", flips_change=True)
def positive_recursive_teaching_dim(numbers: Numbers, points: int) -> int:
    """The least k for which the concepts can be removed one by one such that at most k points with
    label 1 distinguish each concept from the concepts that are removed later.

    The least k exists for every class, because all its points distinguish a concept that no other
    concept contains.
    """
    return _recursive(positive_size, numbers, points)


@parameter("hitting size", "HT", flips_change=True)
def hitting_size(numbers: Numbers, points: int) -> int:
    """The least number of points that meet each non-empty concept.

    The labels of the same number of points distinguish the empty concept from all other concepts.
    """
    return min(s.bit_count() for s in subsets(points) if all(c & s for c in numbers if c))


# ---- searches for witnesses


def find_taught(C: Named, value: int) -> Parts:
    """Return a concept with a smallest teaching set, as evidence."""
    for c in C.rows:
        for s in C.sets(lambda s: s.bit_count() == value):
            if all((c ^ d) & s for d in C.rows if d != c):
                return {"concept": C.concept(c), "points": C.points(s)}
    raise AssertionError("a concept is taught by that many points")


def find_teaching_sets(C: Named, value: Fraction) -> Parts:
    """Return a smallest teaching set of each concept, as evidence."""
    sets = []
    for c in C.rows:
        size = teaching_size(c, C.numbers, C.n)
        good = C.sets(
            lambda s, c=c, size=size: (  # type: ignore[misc]
                s.bit_count() == size and all((c ^ d) & s for d in C.rows if d != c)
            )
        )
        sets.append(C.points(next(good)))
    return {"concepts": C.concepts(C.rows), "sets": tuple(sets)}


def find_projected_untaught(C: Named, value: int) -> Parts:
    """Return points whose projection has only large teaching sets, as evidence."""
    return projection_where(
        C, lambda numbers, n: min(teaching_size(c, numbers, n) for c in numbers) == value
    )


def _core(size: Size, numbers: Numbers, points: int, value: int) -> Numbers:
    """Return the concepts that remain if those with less than `value` points go, repeatedly."""
    left = numbers
    while gone := {c for c in left if size(c, left, points) < value}:
        left = left - gone
    return left


def find_projected_core(C: Named, value: int) -> Parts:
    """Return points and concepts that are hard to teach in the projection, as evidence."""
    for s, numbers, points in C.parts():
        if core := _core(teaching_size, numbers, points, value):
            concepts = [C.lifted(s, c) for c in sorted(core)]
            return {"points": C.points(s), "concepts": C.concepts(concepts)}
    raise AssertionError("a projection has that dimension")


def find_positive_core(C: Named, value: int) -> Parts:
    """Return concepts that are hard to teach by points with label 1, as evidence."""
    core = _core(positive_size, C.numbers, C.n, value)
    return {"concepts": C.concepts([c for c in C.rows if c in core])}


def find_positive_teaching(C: Named, value: int) -> Parts:
    """Return a concept that is hard to teach by points with label 1, as evidence."""
    return {
        "concept": C.concept(next(c for c in C.rows if positive_size(c, C.numbers, C.n) == value))
    }


def find_hitting(C: Named, value: int) -> Parts:
    """Return a smallest set of points that meets each non-empty concept, as evidence."""
    return least_points(C, value, lambda s: all(c & s for c in C.rows if c))


# ---- checks of witnesses


def check_taught(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in a concept with a smallest teaching set, or ""."""
    points, concept = parts["points"], parts["concept"]
    if problem := unknown_names(labels, points, [concept]) or too_many(points, value, "points"):
        return problem
    own = pattern_on(labels, concept, points)
    if any(c != concept and pattern_on(labels, c, points) == own for c in labels.concepts):
        return f"these points do not tell {name_text(concept)} from all others"
    return ""


def check_teaching_sets(labels: Labels, parts: Parts, value: Fraction) -> Problem:
    """Return the error in a smallest teaching set of each concept, or ""."""
    concepts, sets = parts["concepts"], parts["sets"]
    if problem := labels.missing(concepts):
        return problem
    if len(set(concepts)) < len(labels.concepts) or len(sets) != len(concepts):
        return "each concept needs a teaching set"
    for concept, points in zip(concepts, sets, strict=True):
        parts = {"concept": concept, "points": points}
        if problem := check_taught(labels, parts, len(points)):
            return problem
    if sum(map(len, sets)) > value * len(labels.concepts):
        return f"{sum(map(len, sets))} points for {len(sets)} concepts are more than {value} each"
    return ""


def _untaught(patterns: Collection[Pattern], value: int) -> Problem:
    """Check that fewer than `value` indices distinguish none of some patterns from the others."""
    if not value:
        return ""
    places = len(next(iter(patterns)))
    if value > places:
        return f"all {places} points tell what differs on them"
    _few_enough(places, value - 1, "teach a concept")
    for chosen in itertools.combinations(range(places), value - 1):
        seen = [tuple(p[i] for i in chosen) for p in patterns]
        if any(seen.count(part) == 1 for part in seen):
            return f"fewer than {value} of the points tell a concept from the others"
    return ""


def check_projected_untaught(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in points whose projection has only large teaching sets, or ""."""
    points = parts["points"]
    return unknown_names(labels, points) or _untaught(patterns_on(labels, points), value)


def check_projected_core(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in points and concepts that are hard to teach in the projection, or ""."""
    points, concepts = parts["points"], parts["concepts"]
    if problem := unknown_names(labels, points, concepts):
        return problem
    if not concepts:
        return "some concept is needed"
    return _untaught({pattern_on(labels, c, points) for c in concepts}, value)


def _told_by_ones(labels: Labels, concept: Point, among: Iterable[Point], value: int) -> Problem:
    """Check that at least `value` points with label 1 are needed to distinguish a concept."""
    if not value:
        return ""
    ones = [x for x in labels.points if labels.label(concept, x)]
    size = min(value - 1, len(ones))
    _few_enough(len(ones), size, "teach a concept")
    others = [c for c in among if c != concept]
    for points in itertools.combinations(ones, size):
        if not any(all(pattern_on(labels, c, points)) for c in others):
            named = listed([name_text(x) for x in points])
            return f"the points {named} tell {name_text(concept)} from the others already"
    return ""


def check_positive_teaching(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in a concept that is hard to teach by points with label 1, or ""."""
    concept = parts["concept"]
    if problem := labels.missing([concept]):
        return problem
    if value > len(labels.points) + 1:
        return f"it is at most {len(labels.points) + 1}"
    return _told_by_ones(labels, concept, labels.concepts, value)


def check_positive_core(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in concepts that are hard to teach by points with label 1, or ""."""
    concepts = parts["concepts"]
    if problem := labels.missing(concepts):
        return problem
    if not concepts:
        return "some concept is needed"
    return next(filter(None, (_told_by_ones(labels, c, concepts, value) for c in concepts)), "")


def check_hitting(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in a smallest set of points that meets each non-empty concept, or ""."""
    points = parts["points"]
    if problem := unknown_names(labels, points) or too_many(points, value, "points"):
        return problem
    for c in labels.concepts:
        if any(pattern_on(labels, c, labels.points)) and not any(pattern_on(labels, c, points)):
            return f"{name_text(c)} is 1 at none of them"
    return ""


# ---- the parts of witnesses


evidence(
    "projected_minimum_teaching_set_size",
    "points such that, in the projection to them, every teaching set has at least n points (n is "
    "the value)",
    find_projected_untaught,
    check_projected_untaught,
)
evidence(
    "projected_recursive_teaching_dim",
    "points and concepts such that no set of fewer than n of the points distinguishes any of the "
    "concepts from the others (n is the value)",
    find_projected_core,
    check_projected_core,
)
evidence(
    "positive_teaching_dim",
    "a concept such that no set of fewer than n points with label 1 distinguishes it from all "
    "other concepts (n is the value)",
    find_positive_teaching,
    check_positive_teaching,
)
evidence(
    "positive_recursive_teaching_dim",
    "concepts such that no set of fewer than n points with label 1 distinguishes any of them from "
    "the others (n is the value)",
    find_positive_core,
    check_positive_core,
)
evidence(
    "minimum_teaching_set_size",
    "a concept, and points whose labels distinguish it from all other concepts",
    find_taught,
    check_taught,
    at_most=True,
)
evidence(
    "average_teaching_dim",
    "the concepts, and for each of them points whose labels distinguish it from all other concepts",
    find_teaching_sets,
    check_teaching_sets,
    at_most=True,
)
evidence(
    "hitting_size",
    "points that meet each non-empty concept",
    find_hitting,
    check_hitting,
    at_most=True,
)
