"""Chains, shattered sets, and sets that are shattered in an order or strongly."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import partial

from catalog.parameters.base import (
    Named,
    Numbers,
    Parts,
    Pattern,
    evidence,
    least_points,
    not_a_label,
    parameter,
    patterns_on,
    projected,
    searched,
    subsets,
    too_many,
    unknown_names,
)
from catalog.parameters.distances import effective_points
from lsclasses.dimensions.definitions import (
    Labels,
    Problem,
    _counted,
    _few_enough,
    listed,
    shattered,
)
from lsclasses.dimensions.vc import antipodal_shattering_dim
from lsclasses.limits import Limit, tick
from lsclasses.point_names import name_text
from lsclasses.searching.bitsets import members
from lsclasses.table import Table

ORDERS = 6
"""Largest number of points for which all orders of the points are tried."""

# ---- chains


@parameter("chain dimension", "chain", flips_change=True)
def chain_dimension(numbers: Numbers, points: int) -> int:
    """The largest d with points x_1, ..., x_d such that for each k = 0, ..., d some concept is 1 at
    x_1, ..., x_k and 0 at x_{k+1}, ..., x_d.
    """
    return _longest_chain(numbers, points)


@parameter("path dimension", "path")
def path_dimension(numbers: Numbers, points: int) -> int:
    """The largest chain dimension over all flips of labels at points."""
    return max(
        _longest_chain(frozenset(c ^ flip for c in numbers), points) for flip in subsets(points)
    )


def _longest_chain(numbers: Numbers, points: int) -> int:
    best = 0
    for s in subsets(points):
        shown = {c & s for c in numbers}
        if s.bit_count() <= best or 0 not in shown or s not in shown:
            continue
        reached = {0}
        for pattern in sorted(shown, key=int.bit_count):
            if any(pattern & 1 << j and pattern ^ 1 << j in reached for j in range(points)):
                reached.add(pattern)
        if s in reached:
            best = s.bit_count()
    return best


# ---- shattered sets


def _shattered(numbers: Numbers, points: int) -> Iterator[int]:
    for s in subsets(points):
        if len({c & s for c in numbers}) == 1 << s.bit_count():
            yield s


@parameter("number of shattered sets", "|Sh|")
def shattered_sets(numbers: Numbers, points: int) -> int:
    """The number of shattered sets of points, including the empty set."""
    return sum(1 for _ in _shattered(numbers, points))


@parameter("effective VC radius", "VCr")
def effective_vc_radius(numbers: Numbers, points: int) -> int:
    """The largest k, at most the number of points at which concepts differ, such that every set of
    k of these points is shattered.
    """
    shattered = set(_shattered(numbers, points))
    moving = effective_points(numbers)
    sets = [s for s in subsets(points) if s & ~moving == 0]
    k = 0
    while k < moving.bit_count() and all(s in shattered for s in sets if s.bit_count() == k + 1):
        k += 1
    return k


@parameter("largest strongly shattered set", "SSH")
def largest_strongly_shattered_set(numbers: Numbers, points: int) -> int:
    """The largest dimension of a subcube that is contained in the class."""
    return max(
        s.bit_count()
        for s in subsets(points)
        if any(
            sum(1 for c in numbers if c & ~s == rest) == 1 << s.bit_count()
            for rest in {c & ~s for c in numbers}
        )
    )


projected("effective VC radius", "VCr^p", "projected_vc_radius", effective_vc_radius)
projected(
    "subcube in the class",
    "SSH^p",
    "projected_strongly_shattered",
    largest_strongly_shattered_set,
    what="dimension of a subcube that is contained in the projected class,",
)


# ---- order shattering


@parameter(
    "least largest order-shattered set",
    "OSH_min",
    ORDERS,
    reference="Anstee, Rónyai and Sali 2002",
)
def least_order_shattered(numbers: Numbers, points: int) -> int:
    """The least, over all orders of the points, of the size of the largest set that the order
    shatters.

    An order x_1, ..., x_n shatters two types of sets. The first are the sets that x_2, ..., x_n
    shatters for the class of all concepts without their label at x_1. The second are the sets with
    x_1 added that x_2, ..., x_n shatters for the concepts that stay in the class if their label at
    x_1 is flipped. On no points, only the empty set is shattered. The number of these sets is the
    number of concepts. Each of them is shattered, and each strongly shattered set is among them.
    The largest over all orders is the VC dimension, because the points of a shattered set can come
    last.
    """
    return min(
        order_shattered_size(numbers, order) for order in itertools.permutations(range(points))
    )


def order_shattered_size(numbers: Numbers, order: tuple[int, ...]) -> int:
    """Return the size of the largest set that is shattered by an order of the points."""
    tick()
    if not order or len(numbers) == 1:
        return 0
    bit = 1 << order[0]
    either = frozenset(c & ~bit for c in numbers)
    both = frozenset(c for c in either if c in numbers and c | bit in numbers)
    size = order_shattered_size(either, order[1:])
    if both:
        size = max(size, 1 + order_shattered_size(both, order[1:]))
    return size


@searched(
    "dual antipodal shattering dimension",
    "AVC*",
    reference="Alon, Moran and Yehudayoff 2016",
)
def dual_antipodal_shattering_dim(table: Table, limit: Limit | None) -> int:
    """The largest number of concepts such that, for every pattern of labels of these concepts, the
    pattern or its complement is the pattern at some point. It is the antipodal shattering dimension
    of the dual class.

    The value on no points is 0.
    """
    return antipodal_shattering_dim(table.dual(), limit=limit) if table.points else 0


# ---- searches for witnesses


def find_unflipped_chain(C: Named, value: int) -> Parts:
    """Return a longest chain from labels 0 to labels 1, as evidence."""
    found = find_chain(C, value, flips=(0,))
    return {name: found[name] for name in ("points", "concepts")}


def find_chain(C: Named, value: int, flips: tuple[int, ...] | None = None) -> Parts:
    """Return a longest chain after flips of labels, as evidence."""
    for flip in subsets(C.n) if flips is None else flips:
        for s in C.sets(lambda s: s.bit_count() == value):
            shown = {c & s for c in (c ^ flip for c in C.rows)}
            order = _order(shown, s, 0)
            if 0 in shown and order is not None:
                steps = [sum(1 << j for j in order[:k]) ^ flip & s for k in range(value + 1)]
                return {
                    "points": tuple(C.table.points[j] for j in order),
                    "concepts": C.concepts([C.concept_with(s, step) for step in steps]),
                    "flipped": C.points(flip & s),
                }
    raise AssertionError("there is a chain of that length")


def _order(shown: set[int], s: int, reached: int) -> tuple[int, ...] | None:
    """Return an order in which each added point leads to a pattern of the class."""
    if reached == s:
        return ()
    for j in members(s & ~reached):
        if reached | 1 << j in shown:
            rest = _order(shown, s, reached | 1 << j)
            if rest is not None:
                return (j, *rest)
    return None


def _is_shattered(C: Named, s: int) -> bool:
    return len(C.shown(s)) == 1 << s.bit_count()


def find_shattered(C: Named, value: int) -> Parts:
    """Return a shattered set of `value` points, as evidence."""
    return least_points(C, value, partial(_is_shattered, C))


def find_shattered_sets(C: Named, value: int) -> Parts:
    """Return all shattered sets of points, as evidence."""
    return {"sets": tuple(map(C.points, C.sets(partial(_is_shattered, C))))}


def find_not_shattered(C: Named, value: int) -> Parts:
    """Return a sample that proves an upper bound on the effective VC radius, as evidence."""
    moving = effective_points(C.numbers)
    for s in C.sets(lambda s: s.bit_count() == value + 1 and not s & ~moving):
        shown = C.shown(s)
        if not _is_shattered(C, s):
            missing = next(p for p in subsets(C.n) if not p & ~s and p not in shown)
            return {"sample": C.sample(s, missing)}
    return {"sample": ()}


def find_subcube(C: Named, value: int) -> Parts:
    """Return a largest subcube that the class contains, as evidence."""
    for s in C.sets(lambda s: s.bit_count() == value):
        inside = [t for t in subsets(C.n) if not t & ~s]
        for c in C.rows:
            if all(c ^ t in C.numbers for t in inside):
                return {"points": C.points(s), "concept": C.concept(c)}
    raise AssertionError("there is a subcube of that dimension")


def find_order_shattered(C: Named, value: int) -> Parts:
    """Return an order of the points that shatters only small sets, as evidence."""
    for order in itertools.permutations(range(C.n)):
        if order_shattered_size(C.numbers, order) == value:
            return {"points": tuple(C.table.points[j] for j in order)}
    raise AssertionError("an order has that value")


def find_dual_antipodal(C: Named, value: int) -> Parts:
    """Return concepts that the dual class shatters antipodally, as evidence."""
    for concepts in itertools.combinations(C.rows, value):
        shown = {tuple(c >> j & 1 for c in concepts) for j in range(C.n)}
        if _shows_each_up_to_complement(shown, value):
            return {"concepts": C.concepts(list(concepts))}
    return {"concepts": ()}


def _shows_each_up_to_complement(shown: set[Pattern], size: int) -> bool:
    return all(
        {pattern, tuple(1 - y for y in pattern)} & shown
        for pattern in itertools.product((0, 1), repeat=size)
    )


# ---- checks of witnesses


def check_chain(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in a longest chain after flips of labels, or ""."""
    points, concepts, flipped = parts["points"], parts["concepts"], parts["flipped"]
    problem = unknown_names(labels, points, concepts) or _counted(points, value, "points")
    if problem or (problem := labels.missing(points=flipped)):
        return problem
    if len(concepts) != value + 1:
        return f"{value + 1} concepts are needed, and these are {len(concepts)}"
    for k, concept in enumerate(concepts):
        for i, x in enumerate(points):
            if labels.label(concept, x) != (i < k) ^ (x in flipped):
                return f"concept {name_text(concept)} has not the label it needs at {x!r}"
    return ""


def check_unflipped_chain(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in a longest chain from labels 0 to labels 1, or ""."""
    return check_chain(labels, {**parts, "flipped": ()}, value)


def check_shattered_sets(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in all shattered sets of points, or ""."""
    sets = parts["sets"]
    for points in sets:
        if problem := unknown_names(labels, points):
            return problem
        if len(patterns_on(labels, points)) < 2 ** len(points):
            return f"the points {listed([name_text(x) for x in points])} are not shattered"
    return _counted([frozenset(points) for points in sets], value, "sets")


def check_not_shattered(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in a sample that proves an upper bound on the effective VC radius, or ""."""
    sample = parts["sample"]
    points = [x for x, _ in sample]
    if problem := unknown_names(labels, points) or not_a_label(y for _, y in sample):
        return problem
    if not sample:
        moving = sum(len(patterns_on(labels, [x])) == 2 for x in labels.points)
        return f"concepts differ at {moving} points" if moving > value else ""
    if constant := [x for x in points if len(patterns_on(labels, [x])) < 2]:
        return f"all concepts agree at {constant[0]!r}"
    if labels.fits(sample):
        return "a concept agrees with the sample"
    return too_many(points, value + 1, "points")


def check_subcube(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in a largest subcube that the class contains, or ""."""
    points, concept = parts["points"], parts["concept"]
    if problem := unknown_names(labels, points, [concept]) or _counted(points, value, "points"):
        return problem
    rest = [(x, labels.label(concept, x)) for x in labels.points if x not in points]
    for pattern in itertools.product((0, 1), repeat=value):
        if not labels.fits([*rest, *zip(points, pattern, strict=True)]):
            return f"no concept has the labels {pattern} there and is like this one elsewhere"
    return ""


def check_order_shattered(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in an order of the points that shatters only small sets, or ""."""
    order = parts["points"]
    if problem := unknown_names(labels, order) or _counted(order, len(labels.points), "points"):
        return problem
    largest = max(map(len, _in_order(patterns_on(labels, order))))
    return f"this order shatters {largest} points" if largest > value else ""


def _in_order(patterns: set[Pattern]) -> set[tuple[int, ...]]:
    """Return the sets that the order of the entries shatters, by places counted from the end."""
    places = len(next(iter(patterns)))
    if not places:
        return {()}
    rest = {p[1:] for p in patterns}
    both = {p for p in rest if {(0, *p), (1, *p)} <= patterns}
    with_first = {(places, *each) for each in _in_order(both)} if both else set()
    return _in_order(rest) | with_first


def check_dual_antipodal(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in concepts that the dual class shatters antipodally, or ""."""
    concepts = parts["concepts"]
    problem = labels.missing(concepts) or _counted(concepts, value, "concepts")
    if problem or not value:
        return problem
    _few_enough(value, value // 2, "be patterns of concepts")
    shown = [[labels.label(c, x) for c in concepts] for x in labels.points]
    for first, *rest in itertools.product((0, 1), repeat=value):
        pattern = [first, *rest]
        if pattern not in shown and [1 - y for y in pattern] not in shown:
            return f"no point has the labels {listed(list(map(str, pattern)))} or their complement"
    return ""


# ---- the parts of witnesses


evidence(
    "chain_dimension",
    "points in an order, and a concept for each step of the chain",
    find_unflipped_chain,
    check_unflipped_chain,
)
evidence(
    "path_dimension",
    "points in an order, the points whose labels are flipped, and a concept for each step of the "
    "chain",
    find_chain,
    check_chain,
)
evidence(
    "shattered_sets",
    "different sets of points, each of which is shattered",
    find_shattered_sets,
    check_shattered_sets,
)
evidence(
    "largest_strongly_shattered_set",
    "points, and a concept: every labelling of the points, with the other labels of the concept, "
    "is a concept",
    find_subcube,
    check_subcube,
)
evidence(
    "projected_vc_radius",
    "a shattered set of points: its size is the radius of the projection to it",
    find_shattered,
    shattered,
)
evidence(
    "projected_strongly_shattered",
    "a shattered set of points: the projection to it is a cube",
    find_shattered,
    shattered,
)
evidence(
    "effective_vc_radius",
    "a sample of at most n + 1 points with which no concept agrees, although concepts differ at "
    "each of its points, or an empty sample if concepts differ at no more than n points (n is "
    "the value)",
    find_not_shattered,
    check_not_shattered,
    at_most=True,
)
evidence(
    "least_order_shattered",
    "an order of all points that shatters no set of more than n points (n is the value)",
    find_order_shattered,
    check_order_shattered,
    at_most=True,
)
evidence(
    "dual_antipodal_shattering_dim",
    "concepts such that, for every pattern of their labels, the pattern or its complement is the "
    "pattern at some point",
    find_dual_antipodal,
    check_dual_antipodal,
)
