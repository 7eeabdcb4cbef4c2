"""Numbers of points at which concepts differ."""

from __future__ import annotations

import itertools
from functools import partial

from catalog.parameters.base import (
    PAIRS,
    Named,
    Numbers,
    Parts,
    evidence,
    least_points,
    parameter,
    patterns_on,
    subsets,
    too_many,
    unknown_names,
)
from lsclasses.dimensions.definitions import Labels, Problem, _counted
from lsclasses.point_names import name_text
from lsclasses.searching.bitsets import members


def effective_points(numbers: Numbers) -> int:
    """Return the points at which two concepts differ, as a mask."""
    either, both = 0, -1
    for c in numbers:
        either, both = either | c, both & c
    return either & ~both


@parameter("effective range", "n", PAIRS)
def effective_range(numbers: Numbers, points: int) -> int:
    """The number of points at which at least two concepts differ."""
    return effective_points(numbers).bit_count()


@parameter("diameter", "diam", PAIRS)
def diameter(numbers: Numbers, points: int) -> int:
    """The largest number of points at which two concepts differ."""
    return max((c ^ d).bit_count() for c in numbers for d in numbers)


@parameter("oriented diameter", "diam+", PAIRS, flips_change=True)
def oriented_diameter(numbers: Numbers, points: int) -> int:
    """The largest number of points such that one concept is 0 at all of them and a second concept
    is 1 at all of them.
    """
    return max((c & ~d).bit_count() for c in numbers for d in numbers)


@parameter("Hamming radius", "rad")
def hamming_radius(numbers: Numbers, points: int) -> int:
    """The least radius of a Hamming ball that contains all concepts. Any labelling of the points
    may be the centre.
    """
    return min(max((c ^ centre).bit_count() for c in numbers) for centre in subsets(points))


@parameter("distinguishing range", "DR")
def distinguishing_range(numbers: Numbers, points: int) -> int:
    """The least number of points whose labels distinguish all concepts."""
    return min(
        s.bit_count() for s in subsets(points) if len({c & s for c in numbers}) == len(numbers)
    )


# ---- searches for witnesses


def find_differing(C: Named, value: int) -> Parts:
    """Return points at which concepts differ, with two concepts for each, as evidence."""
    moving = list(members(effective_points(C.numbers)))
    zeros, ones = (
        C.concepts([next(c for c in C.rows if c >> j & 1 == y) for j in moving]) for y in (0, 1)
    )
    return {"points": tuple(C.table.points[j] for j in moving), "zeros": zeros, "ones": ones}


def find_far_apart(C: Named, value: int, *, oriented: bool = False) -> Parts:
    """Return two concepts, and points at which they differ, as evidence."""
    for pair in itertools.product(C.rows, repeat=2):
        apart = ~pair[0] & pair[1] if oriented else pair[0] ^ pair[1]
        if apart.bit_count() == value:
            return {"points": C.points(apart), "concepts": C.concepts(list(pair))}
    raise AssertionError("two concepts have that distance")


def find_ball(C: Named, value: int) -> Parts:
    """Return the centre of a Hamming ball that contains all concepts, as evidence."""
    centre = next(s for s in subsets(C.n) if all((c ^ s).bit_count() <= value for c in C.rows))
    return {"sample": C.sample(2**C.n - 1, centre)}


def find_telling_apart(C: Named, value: int) -> Parts:
    """Return points whose labels distinguish all concepts, as evidence."""
    return least_points(C, value, lambda s: len(C.shown(s)) == len(C.rows))


# ---- checks of witnesses


def check_differing(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in points at which concepts differ, with two concepts for each, or ""."""
    points, zeros, ones = parts["points"], parts["zeros"], parts["ones"]
    if problem := unknown_names(labels, points, (*zeros, *ones)) or _counted(
        points, value, "points"
    ):
        return problem
    for x, zero, one in zip(points, zeros, ones, strict=True):
        if labels.label(zero, x) or not labels.label(one, x):
            return f"{name_text(zero)} and {name_text(one)} do not have the labels 0 and 1 at {x!r}"
    return ""


def check_far_apart(labels: Labels, parts: Parts, value: int, *, oriented: bool = False) -> Problem:
    """Return the error in two concepts, and points at which they differ, or ""."""
    points, (one, other) = parts["points"], parts["concepts"]
    if problem := unknown_names(labels, points, (one, other)) or _counted(points, value, "points"):
        return problem
    for x in points:
        pair = labels.label(one, x), labels.label(other, x)
        if (pair != (0, 1)) if oriented else (pair[0] == pair[1]):
            return f"the two concepts have the labels {pair[0]} and {pair[1]} at {x!r}"
    return ""


def check_ball(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in the centre of a Hamming ball that contains all concepts, or ""."""
    centre = dict(parts["sample"])
    if problem := labels.missing(points=centre):
        return problem
    if len(centre) != len(labels.points):
        return f"the centre has a label for each of the {len(labels.points)} points"
    for c in labels.concepts:
        distance = sum(labels.label(c, x) != y for x, y in centre.items())
        if distance > value:
            return f"{name_text(c)} differs from the centre at {distance} points"
    return ""


def check_telling_apart(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in points whose labels distinguish all concepts, or ""."""
    points = parts["points"]
    if problem := unknown_names(labels, points) or too_many(points, value, "points"):
        return problem
    if len(patterns_on(labels, points)) < len(labels.concepts):
        return "two concepts have the same labels there"
    return ""


# ---- the parts of witnesses


evidence(
    "effective_range",
    "points and, for each point, a concept with label 0 and a concept with label 1",
    find_differing,
    check_differing,
)
evidence(
    "diameter", "two concepts, and points at which they differ", find_far_apart, check_far_apart
)
evidence(
    "oriented_diameter",
    "two concepts, and points at which the first concept is 0 and the second concept is 1",
    partial(find_far_apart, oriented=True),
    partial(check_far_apart, oriented=True),
)
evidence(
    "hamming_radius",
    "a labelling of all points from which each concept differs at no more than n points (n is "
    "the value)",
    find_ball,
    check_ball,
    at_most=True,
)
evidence(
    "distinguishing_range",
    "points whose labels distinguish all concepts",
    find_telling_apart,
    check_telling_apart,
    at_most=True,
)
