"""Chains, shattered sets, and sets that are shattered in an order or strongly."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from catalog.parameters.base import Numbers, parameter, projected, subsets
from catalog.parameters.distances import effective_points
from lsclasses.limits import tick

ORDERS = 6
"""On more points not all orders of them are tried."""

# ---- chains


@parameter("chain dimension", "chain", flips_change=True)
def chain_dimension(numbers: Numbers, points: int) -> int:
    """The largest d with points x_1, ..., x_d such that for each k = 0, ..., d some concept is 1 at
    x_1, ..., x_k and 0 at the others.
    """
    return _longest_chain(numbers, points)


@parameter("path dimension", "path")
def path_dimension(numbers: Numbers, points: int) -> int:
    """The largest chain dimension that flipping labels at points gives."""
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
    """The number of sets that are shattered, the empty one included."""
    return sum(1 for _ in _shattered(numbers, points))


@parameter("effective VC radius", "VCr")
def effective_vc_radius(numbers: Numbers, points: int) -> int:
    """The largest k for which concepts differ at k points or more, and all sets of k of the points
    at which concepts differ are shattered.
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
    """The largest dimension of a subcube all of which belongs to the class."""
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
    "subcube in the class", "SSH^p", "projected_strongly_shattered", largest_strongly_shattered_set
)


# ---- order shattering


@parameter(
    "least largest order-shattered set",
    "OSH_min",
    ORDERS,
    reference="Anstee, Rónyai and Sali 2002",
)
def least_order_shattered(numbers: Numbers, points: int) -> int:
    """The least, over all orders of the points, of the size of the largest set that is
    order-shattered.

    The sets that an order x_1, ..., x_n shatters are those of the class on the points but x_1 (of
    all concepts without their label there), and those of the concepts that stay in the class if
    their label at x_1 is flipped, with x_1; of a class on no points the empty set alone. They are
    as many as there are concepts, each is shattered, and each that is strongly shattered is among
    them. The largest over all orders is the VC dimension: put the points of a shattered set last.
    """
    return min(
        order_shattered_size(numbers, order) for order in itertools.permutations(range(points))
    )


def order_shattered_size(numbers: Numbers, order: tuple[int, ...]) -> int:
    """The size of the largest set that an order of the points shatters."""
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
