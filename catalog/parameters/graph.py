"""Degrees of the one-inclusion graph, whose edges join concepts that differ at one point."""

from __future__ import annotations

from fractions import Fraction

from catalog.parameters.base import (
    PAIRS,
    Named,
    Numbers,
    Parts,
    Pattern,
    evidence,
    parameter,
    patterns_on,
    projected,
    projection_where,
    unknown_names,
)
from lsclasses.dimensions.definitions import Labels, Problem, _counted
from lsclasses.point_names import name_text
from lsclasses.searching.bitsets import members


def _edges(numbers: Numbers, points: int) -> list[tuple[int, int]]:
    return [
        (c, c | 1 << j)
        for c in numbers
        for j in range(points)
        if not c & 1 << j and c | 1 << j in numbers
    ]


def _degrees(numbers: Numbers, points: int) -> list[int]:
    ends = [end for edge in _edges(numbers, points) for end in edge]
    return [ends.count(c) for c in numbers]


def _maximum_degree(numbers: Numbers, points: int) -> int:
    return max(_degrees(numbers, points))


def _minimum_degree(numbers: Numbers, points: int) -> int:
    return min(_degrees(numbers, points))


def _average_degree(numbers: Numbers, points: int) -> Fraction:
    return Fraction(2 * len(_edges(numbers, points)), len(numbers))


@parameter("maximum positive degree", "deg+", PAIRS, flips_change=True)
def maximum_positive_degree(numbers: Numbers, points: int) -> int:
    """The largest number of neighbours of a concept in the one-inclusion graph that are contained
    in the concept.
    """
    upper = [d for _, d in _edges(numbers, points)]
    return max(upper.count(c) for c in numbers)


projected("maximum degree", "d_max^p", "projected_maximum_degree", _maximum_degree)
projected("minimum degree", "d_min^p", "projected_minimum_degree", _minimum_degree)
projected("average degree", "2|E|/|V|^p", "projected_average_degree", _average_degree, whole=False)


# ---- searches for witnesses


def find_positive_neighbours(C: Named, value: int) -> Parts:
    """Return a concept with neighbours that it contains, as evidence."""
    for c in C.rows:
        below = [c ^ 1 << j for j in members(c) if c ^ 1 << j in C.numbers]
        if len(below) == value:
            return {"concept": C.concept(c), "concepts": C.concepts(below)}
    raise AssertionError("a concept has that many neighbours below")


def _neighbours(numbers: Numbers, points: int, c: int) -> list[int]:
    return [c ^ 1 << j for j in range(points) if c ^ 1 << j in numbers]


def find_projected_neighbours(C: Named, value: int) -> Parts:
    """Return points and a concept with many neighbours in a projection, as evidence."""
    for s, numbers, points in C.parts():
        for c in sorted(numbers):
            around = _neighbours(numbers, points, c)
            if len(around) == value:
                return {
                    "points": C.points(s),
                    "concept": C.concept(C.lifted(s, c)),
                    "concepts": C.concepts([C.lifted(s, d) for d in around]),
                }
    raise AssertionError("a projection has that degree")


def find_projected_degrees(C: Named, value: int) -> Parts:
    """Return points whose projection has a large minimum degree, as evidence."""
    return projection_where(
        C, lambda numbers, n: min(len(_neighbours(numbers, n, c)) for c in numbers) == value
    )


def find_projected_edges(C: Named, value: Fraction) -> Parts:
    """Return points whose projection has a large average degree, as evidence."""

    def good(numbers: Numbers, n: int) -> bool:
        return sum(len(_neighbours(numbers, n, c)) for c in numbers) == value * len(numbers)

    return projection_where(C, good)


# ---- checks of witnesses


def check_positive_neighbours(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in a concept with neighbours that it contains, or ""."""
    concept, concepts = parts["concept"], parts["concepts"]
    problem = labels.missing([concept, *concepts]) or _counted(concepts, value, "concepts")
    if problem:
        return problem
    for other in concepts:
        change = [x for x in labels.points if labels.label(other, x) != labels.label(concept, x)]
        if len(change) != 1 or labels.label(other, change[0]):
            return f"{name_text(other)} does not have one point less than {name_text(concept)}"
    return ""


def check_projected_neighbours(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in points and a concept with many neighbours in a projection, or ""."""
    points, concept, concepts = parts["points"], parts["concept"], parts["concepts"]
    if problem := unknown_names(labels, points, [concept, *concepts]):
        return problem
    changes = []
    for other in concepts:
        change = [x for x in points if labels.label(other, x) != labels.label(concept, x)]
        if len(change) != 1:
            return (
                f"{name_text(other)} does not differ from {name_text(concept)} at one of the points"
            )
        changes += change
    return _counted(changes, value, "points at which one of these differs")


def _degrees_of_patterns(patterns: set[Pattern]) -> list[int]:
    def changed(p: Pattern, i: int) -> Pattern:
        return (*p[:i], 1 - p[i], *p[i + 1 :])

    return [sum(changed(p, i) in patterns for i in range(len(p))) for p in patterns]


def check_projected_degrees(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in evidence for a projected graph of minimum degree `value`, or "".

    The evidence lists points. In the projected graph, two labellings of these points by concepts
    are neighbours if they differ at one point.
    """
    points = parts["points"]
    if problem := unknown_names(labels, points):
        return problem
    least = min(_degrees_of_patterns(patterns_on(labels, points)))
    return f"a concept has {least} neighbours on these points" if least < value else ""


def check_projected_edges(labels: Labels, parts: Parts, value: Fraction) -> Problem:
    """Return the error in evidence for a projected graph of average degree `value`, or "".

    `check_projected_degrees` describes the graph.
    """
    points = parts["points"]
    if problem := unknown_names(labels, points):
        return problem
    degrees = _degrees_of_patterns(patterns_on(labels, points))
    average = Fraction(sum(degrees), len(degrees))
    return f"the average degree on these points is {average}" if average < value else ""


# ---- the parts of witnesses


evidence(
    "maximum_positive_degree",
    "a concept, and neighbours that are contained in it",
    find_positive_neighbours,
    check_positive_neighbours,
)
evidence(
    "projected_maximum_degree",
    "points, a concept, and other concepts, each of which differs from it at exactly one of the "
    "points",
    find_projected_neighbours,
    check_projected_neighbours,
)
evidence(
    "projected_minimum_degree",
    "points such that each concept has at least n neighbours in the projection to them (n is the "
    "value)",
    find_projected_degrees,
    check_projected_degrees,
)
evidence(
    "projected_average_degree",
    "points such that concepts have at least n neighbours on average in the projection to them "
    "(n is the value)",
    find_projected_edges,
    check_projected_edges,
)
