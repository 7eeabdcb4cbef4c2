"""Stars around concepts in projections, sets of essential points, and Radon independence.

A *star* around a labelling consists of points and, for each of these points, a concept that differs
from the labelling at this point and at no other point of the star.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from catalog.parameters.base import (
    Named,
    Numbers,
    Parts,
    evidence,
    parameter,
    pattern_on,
    patterns_on,
    subsets,
    unknown_names,
)
from lsclasses.dimensions.definitions import Labels, Problem, _counted, _few_enough
from lsclasses.limits import tick
from lsclasses.point_names import Point, name_text
from lsclasses.searching.bitsets import members

# ---- stars


def _arms(numbers: Numbers, s: int, centre: int) -> list[int]:
    """Return, for each point of a set, a concept that differs from the centre only there.

    The result is empty if some point has no such concept.
    """
    shown = {(c ^ centre) & s: c for c in numbers}
    found = [shown.get(1 << j) for j in members(s)]
    return [] if None in found else [c for c in found if c is not None]


def _star(numbers: Numbers, points: int, concept: int) -> int:
    """Return a largest star around a concept, as a mask of its points."""
    return max(
        (s for s in subsets(points) if s == 0 or _arms(numbers, s, concept)), key=int.bit_count
    )


@parameter("projected maximum positive degree", "deg+^p", flips_change=True)
def projected_maximum_positive_degree(numbers: Numbers, points: int) -> int:
    """The largest maximum positive degree over all projections to sets of points. It is the largest
    number of points such that one concept is 1 at all of them and, for each of them, another
    concept is 1 at all of them except this point.
    """
    ones = (1 << points) - 1
    return max(
        s.bit_count()
        for s in subsets(points)
        if any(c & s == s for c in numbers) and (s == 0 or _arms(numbers, s, ones))
    )


@parameter("concept star number", "S_c")
def concept_star_number(numbers: Numbers, points: int) -> int:
    """The least, over the concepts, of the largest number of points of a star around the concept.
    A star around a concept is a set of points such that, for each of its points, another concept
    differs from the concept at this point and at no other point of the set.

    The number of points of a largest star is the largest size of a least teaching set of the
    concept over all projections.
    """
    return min(_star(numbers, points, c).bit_count() for c in numbers)


@parameter("subclass star number", "S_c^*")
def subclass_star_number(numbers: Numbers, points: int) -> int:
    """The largest concept star number over all subclasses.

    A subclass has only smaller stars around its concepts. So in every class, a concept with a
    smallest star can be removed: subclasses that contain it have no larger value than the class.
    """
    rest, best = set(numbers), 0
    while rest:
        sizes = {c: _star(frozenset(rest), points, c).bit_count() for c in sorted(rest)}
        least = min(sizes, key=lambda c: sizes[c])
        best = max(best, sizes[least])
        rest.remove(least)
    return best


# ---- essential points and shattered sets


def _essential(shown: frozenset[int], s: int) -> bool:
    """Return whether two patterns differ at x and at no other point, for each x in the set."""
    return all(any(p ^ 1 << j in shown for p in shown) for j in members(s))


@parameter("projected distinguishing range", "DR^p")
def projected_distinguishing_range(numbers: Numbers, points: int) -> int:
    """The largest distinguishing range over all projections to sets of points. It is the largest
    number of points such that, for each of them, two concepts differ at this point and at no other
    of these points.

    A smallest set of points that distinguishes all concepts of a projection contains no point that
    can be removed. Conversely, such points are the only distinguishing set of the projection to
    them.
    """
    return max(
        s.bit_count() for s in subsets(points) if _essential(frozenset(c & s for c in numbers), s)
    )


@parameter("shattering cover VC dimension", "SCVC")
def shattering_cover_vcdim(numbers: Numbers, points: int) -> int:
    """The least VC dimension of a projection that shatters at least as many sets of points,
    including the empty set, as the class has concepts.

    Every class shatters at least as many sets as it has concepts, so some projection does.
    """
    shattered = [s for s in subsets(points) if len({c & s for c in numbers}) == 1 << s.bit_count()]
    found = points
    for s in subsets(points):
        inside = [t for t in shattered if not t & ~s]
        if len(inside) >= len(numbers):
            found = min(found, max(map(int.bit_count, inside)))
    return found


# ---- antichains of samples


def _assigned(numbers: Numbers, points: int, size: int) -> dict[int, int]:
    """Return a set of `size` points for each concept such that the labelled sets are different.

    The result contains fewer concepts if there are no such sets for all of them.
    """
    sets = [s for s in subsets(points) if s.bit_count() == size]
    owner: dict[tuple[int, int], int] = {}
    taken: dict[int, int] = {}
    for start in sorted(numbers):
        # A breadth-first search for a path that changes the sets of other concepts.
        came: dict[tuple[int, int], int] = {}
        queue, found = [start], None
        while queue and found is None:
            tick()
            concept = queue.pop(0)
            for s in sets:
                example = (s, concept & s)
                if example not in came:
                    came[example] = concept
                    if example not in owner:
                        found = example
                        break
                    queue.append(owner[example])
        if found is None:
            return taken
        while found is not None:
            concept = came[found]
            before = taken.get(concept)
            owner[found], taken[concept] = concept, found[0]
            found = None if before is None or concept == start else (before, concept & before)
    return taken


@parameter("antichain number", "AN")
def antichain_number(numbers: Numbers, points: int) -> int:
    """The least k such that each concept can be assigned a set of at most k of its examples, and no
    assigned set contains the set of another concept.

    If such sets exist for k, different sets of exactly k examples exist for all concepts. Let j < k
    be the least size of a set. By Hall's theorem, all sets of this size can get one more example:
    each set has n - j possible larger sets, and each larger set comes from at most j + 1 sets. Here
    j + 1 <= n - j, because k is at most n/2, rounded up. Indeed, for this k, each labelling has at
    least as many sets of k examples as there are labellings that share a set.
    """
    if len(numbers) == 1:
        return 0
    return next(
        k for k in range(1, points + 1) if len(_assigned(numbers, points, k)) == len(numbers)
    )


# ---- Radon independence


def _hull(numbers: Numbers, part: Iterable[int]) -> set[int]:
    """Return the concepts that agree with all common labels of some concepts."""
    first, *others = part
    apart = 0
    for c in others:
        apart |= first ^ c
    return {c for c in numbers if not (c ^ first) & ~apart}


def _partitions(chosen: Sequence[Any]) -> Iterator[tuple[list[Any], list[Any]]]:
    """Yield the partitions into two non-empty parts, each once."""
    first, *others = chosen
    for inside in itertools.product((False, True), repeat=len(others)):
        if not all(inside):
            yield (
                [first, *(c for c, with_first in zip(others, inside, strict=True) if with_first)],
                [c for c, with_first in zip(others, inside, strict=True) if not with_first],
            )


def _independent(numbers: Numbers, chosen: Sequence[int]) -> bool:
    tick()
    return not any(
        _hull(numbers, part) & _hull(numbers, rest) for part, rest in _partitions(chosen)
    )


def _largest_independent(numbers: Numbers) -> tuple[int, ...]:
    """Return a largest Radon-independent set. Subsets of independent sets are independent."""
    level: list[tuple[int, ...]] = [(c,) for c in sorted(numbers)]
    while True:
        larger = [
            (*chosen, c)
            for chosen in level
            for c in sorted(numbers)
            if c > chosen[-1] and _independent(numbers, (*chosen, c))
        ]
        if not larger:
            return level[0]
        level = larger


@parameter(
    "Radon number of the version spaces",
    "Rad",
    reference="Chase, Chornomaz, Hanneke, Moran and Yehudayoff 2024",
)
def version_space_radon_number(numbers: Numbers, points: int) -> int:
    """The largest number of concepts such that, for each of their partitions into two non-empty
    parts, no concept agrees with all common labels of the first part and with all common labels of
    the second part. One concept has no such partition.

    In convex geometry, the Radon number is the least r such that every r points have a partition
    for which such a concept exists. By that convention, the value is larger by 1.
    """
    return len(_largest_independent(numbers))


# ---- searches for witnesses


def find_positive_star(C: Named, value: int) -> Parts:
    """Return a largest star around a concept that is 1 at its points, as evidence."""
    for s in C.sets(lambda s: s.bit_count() == value):
        arms = _arms(C.numbers, s, (1 << C.n) - 1)
        if any(c & s == s for c in C.rows) and (arms or not value):
            centre = C.concept_with(s, s)
            return {
                "points": C.points(s),
                "concept": C.concept(centre),
                "concepts": C.concepts(arms),
            }
    raise AssertionError("there is a star of that size")


def _stars(C: Named, numbers: Numbers) -> Parts:
    stars = {c: _star(numbers, C.n, c) for c in sorted(numbers)}
    return {
        "centres": C.concepts(list(stars)),
        "stars": tuple(C.points(s) for s in stars.values()),
        "arms": tuple(C.concepts(_arms(numbers, s, c)) for c, s in stars.items()),
    }


def find_stars(C: Named, value: int) -> Parts:
    """Return a largest star around every concept, as evidence."""
    return _stars(C, C.numbers)


def find_subclass(C: Named, value: int) -> Parts:
    """Return a subclass with large stars around its concepts, as evidence."""
    rest = set(C.numbers)
    while True:
        sizes = {c: _star(frozenset(rest), C.n, c).bit_count() for c in sorted(rest)}
        least = min(sizes, key=lambda c: sizes[c])
        if sizes[least] == value:
            return _stars(C, frozenset(rest))
        rest.remove(least)


def find_essential(C: Named, value: int) -> Parts:
    """Return points with two concepts that differ only at each of them, as evidence."""
    s = next(C.sets(lambda s: s.bit_count() == value and _essential(C.shown(s), s)))
    pairs = []
    for j in members(s):
        pattern = min(p for p in C.shown(s) if p ^ 1 << j in C.shown(s))
        pairs.append(C.concepts([C.concept_with(s, p) for p in (pattern, pattern ^ 1 << j)]))
    return {"points": C.points(s), "pairs": tuple(pairs)}


def find_cover(C: Named, value: int) -> Parts:
    """Return points whose projection has a small VC dimension, as evidence."""

    def good(s: int) -> bool:
        inside = [t for t in subsets(C.n) if not t & ~s]
        sizes = [t.bit_count() for t in inside if len(C.shown(t)) == 1 << t.bit_count()]
        return len(sizes) >= len(C.rows) and max(sizes) == value

    return {"points": C.points(next(C.sets(good)))}


def find_antichain(C: Named, value: int) -> Parts:
    """Return a set of points for each concept, as evidence."""
    sets = _assigned(C.numbers, C.n, value) if value else dict.fromkeys(C.rows, 0)
    return {"concepts": C.concepts(C.rows), "sets": tuple(C.points(sets[c]) for c in C.rows)}


def find_radon_independent(C: Named, value: int) -> Parts:
    """Return a largest set of concepts that no partition joins, as evidence."""
    return {"concepts": C.concepts(list(_largest_independent(C.numbers)))}


# ---- checks of witnesses


def _check_star(
    labels: Labels, points: Sequence[Point], concept: Point, arms: Sequence[Point]
) -> Problem:
    """Return the error in a star around a concept, or ""."""
    if len(arms) != len(points):
        return f"{len(points)} points need {len(points)} concepts. Got {len(arms)}"
    for x, other in zip(points, arms, strict=True):
        change = [y for y in points if labels.label(other, y) != labels.label(concept, y)]
        if change != [x]:
            return f"{name_text(other)} does not differ from {name_text(concept)} only at {x!r}"
    return ""


def check_positive_star(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in a star around a concept that is 1 at its points, or ""."""
    points, concept, arms = parts["points"], parts["concept"], parts["concepts"]
    problem = unknown_names(labels, points, [concept, *arms]) or _counted(points, value, "points")
    if problem:
        return problem
    if any(not labels.label(concept, x) for x in points):
        return f"{name_text(concept)} is not 1 at all of these points"
    return _check_star(labels, points, concept, arms)


def check_subclass_stars(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in stars around the concepts of a subclass, or ""."""
    centres, stars, arms = parts["centres"], parts["stars"], parts["arms"]
    if problem := labels.missing(centres):
        return problem
    if not centres or len(set(centres)) != len(centres):
        return "the concepts must be different, and at least one concept"
    if not len(centres) == len(stars) == len(arms):
        return "each concept needs a star"
    for centre, points, others in zip(centres, stars, arms, strict=True):
        if problem := unknown_names(labels, points, others):
            return problem
        if len(set(points)) < value:
            return f"the star around {name_text(centre)} has fewer than {value} points"
        if not set(others) <= set(centres):
            return "a concept of a star is not among the concepts"
        if problem := _check_star(labels, points, centre, others):
            return problem
    return ""


def check_stars(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in stars around all concepts, or ""."""
    if set(parts["centres"]) != set(labels.concepts):
        return "each concept needs a star"
    return check_subclass_stars(labels, parts, value)


def check_essential(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in points with two concepts that differ only at each of them, or ""."""
    points, pairs = parts["points"], parts["pairs"]
    names = [c for pair in pairs for c in pair]
    problem = unknown_names(labels, points, names) or _counted(points, value, "points")
    if problem:
        return problem
    if len(pairs) != value:
        return f"{value} points need {value} pairs of concepts. Got {len(pairs)}"
    for x, (one, other) in zip(points, pairs, strict=True):
        change = [y for y in points if labels.label(one, y) != labels.label(other, y)]
        if change != [x]:
            return f"{name_text(one)} and {name_text(other)} do not differ only at {x!r}"
    return ""


def check_cover(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in points whose projection has a small VC dimension, or ""."""
    points = parts["points"]
    if problem := unknown_names(labels, points):
        return problem
    _few_enough(len(points), len(points) // 2, "are shattered")
    shattered = [
        size
        for size in range(len(points) + 1)
        for chosen in itertools.combinations(points, size)
        if len(patterns_on(labels, chosen)) == 2**size
    ]
    if len(shattered) < len(labels.concepts):
        return f"{len(shattered)} sets are shattered, and there are {len(labels.concepts)} concepts"
    return f"{max(shattered)} points are shattered" if max(shattered) > value else ""


def check_antichain(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in sets of points for the concepts, or ""."""
    concepts, sets = parts["concepts"], parts["sets"]
    if problem := labels.missing(concepts) or _counted(concepts, len(labels.concepts), "concepts"):
        return problem
    if len(sets) != len(concepts):
        return "each concept needs a set of points"
    samples = {}
    for concept, points in zip(concepts, sets, strict=True):
        if problem := unknown_names(labels, points):
            return problem
        if len(set(points)) > value:
            return f"the set of {name_text(concept)} has more than {value} points"
        samples[concept] = set(zip(points, pattern_on(labels, concept, points), strict=True))
    for one, other in itertools.permutations(concepts, 2):
        if samples[one] <= samples[other]:
            return f"the examples of {name_text(other)} contain the examples of {name_text(one)}"
    return ""


def check_radon_independent(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in concepts that no partition joins, or ""."""
    concepts = parts["concepts"]
    if problem := labels.missing(concepts) or _counted(concepts, value, "concepts"):
        return problem
    if not value:
        return ""
    _few_enough(value, value // 2, "are joined")

    def common(part: Sequence[Point]) -> Mapping[Point, int]:
        shared = {x: labels.label(part[0], x) for x in labels.points}
        return {x: y for x, y in shared.items() if all(labels.label(c, x) == y for c in part)}

    for part, rest in _partitions(concepts):
        sample = [*common(part).items(), *common(rest).items()]
        if labels.fits(sample):
            named = ", ".join(map(name_text, part))
            return f"a concept agrees with the common labels of {named} and of the other concepts"
    return ""


# ---- the parts of witnesses


evidence(
    "projected_maximum_positive_degree",
    "points, a concept that is 1 at all of them, and for each of them a concept that is 0 only "
    "there",
    find_positive_star,
    check_positive_star,
)
evidence(
    "concept_star_number",
    "for each concept, points and, for each of them, a concept that differs only there",
    find_stars,
    check_stars,
)
evidence(
    "subclass_star_number",
    "concepts and, for each of them, points with one of the concepts that differs only there",
    find_subclass,
    check_subclass_stars,
)
evidence(
    "projected_distinguishing_range",
    "points and, for each of them, two concepts that differ only there",
    find_essential,
    check_essential,
)
evidence(
    "shattering_cover_vcdim",
    "points that contain at least as many shattered sets as there are concepts, and no shattered "
    "set of more than n points (n is the value)",
    find_cover,
    check_cover,
    at_most=True,
)
evidence(
    "antichain_number",
    "the concepts, and for each of them points whose labels no other concept's points contain",
    find_antichain,
    check_antichain,
    at_most=True,
)
evidence(
    "version_space_radon_number",
    "concepts such that, for each of their partitions into two parts, no concept agrees with all "
    "common labels of both parts",
    find_radon_independent,
    check_radon_independent,
)
