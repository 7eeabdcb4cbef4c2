"""Convexity: the hull of a set of points is the intersection of all concepts that contain it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from catalog.parameters.base import (
    PROJECTED,
    Named,
    Numbers,
    Parts,
    evidence,
    parameter,
    subsets,
    unknown_names,
)
from lsclasses.dimensions.definitions import Labels, Problem, _counted, _few_enough, listed
from lsclasses.point_names import Point, name_text


def _hull(s: int, numbers: Numbers, points: int) -> int:
    hull = (1 << points) - 1
    for c in numbers:
        if not s & ~c:
            hull &= c
    return hull


def _has_no_radon_partition(s: int, numbers: Numbers, points: int) -> bool:
    parts = (t for t in subsets(points) if t and t != s and not t & ~s)
    return not any(_hull(t, numbers, points) & _hull(s ^ t, numbers, points) for t in parts)


@parameter(
    "Radon number of the intersections",
    "r",
    PROJECTED,
    reference="Radon 1921",
    flips_change=True,
)
def intersection_radon_number(numbers: Numbers, points: int) -> int:
    """The least r such that every set of r points has a partition into two non-empty parts whose
    hulls intersect. The hull of a set of points is the intersection of all concepts that contain
    the set, or all points if no concept contains it.

    The value is at most one more than the number of points, because no set has more points. If
    some set of points has no such partition, neither has any of its subsets.
    """
    return 1 + max(
        s.bit_count() for s in subsets(points) if _has_no_radon_partition(s, numbers, points)
    )


# ---- searches for witnesses


def find_independent(C: Named, value: int) -> Parts:
    """Return points without a partition whose hulls intersect, as evidence."""
    good = C.sets(
        lambda s: s.bit_count() == value - 1 and _has_no_radon_partition(s, C.numbers, C.n)
    )
    return {"points": C.points(next(good))}


# ---- checks of witnesses


def check_independent(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in points without a partition whose hulls intersect, or ""."""
    points = parts["points"]
    if not value:
        return ""
    if problem := unknown_names(labels, points) or _counted(points, value - 1, "points"):
        return problem
    _few_enough(len(points), len(points) // 2, "be parts")

    def hull(part: Iterable[Point]) -> set[Point]:
        around = [c for c in labels.concepts if all(labels.label(c, x) for x in part)]
        return {x for x in labels.points if all(labels.label(c, x) for c in around)}

    for size in range(1, len(points)):
        for part in itertools.combinations(points, size):
            rest = [x for x in points if x not in part]
            if common := hull(part) & hull(rest):
                named, shared = (listed(sorted(map(name_text, s))) for s in (part, common))
                return f"the hulls of {named} and of the other points contain {shared}"
    return ""


# ---- the parts of witnesses


evidence(
    "intersection_radon_number",
    "n - 1 points such that, for each of their partitions into two parts, the hulls of the parts "
    "have no common point (n is the value)",
    find_independent,
    check_independent,
)
