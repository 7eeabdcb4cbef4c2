"""Irreducible classes and trees with leaves of small dimension, as they are defined."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from tests.oracles.dimensions import PlainClass, PlainConcept, ldim, points_of, restrict, soa_label

Leaf = frozenset[PlainConcept]


def irreducible(C: PlainClass, m: int) -> bool:
    """Whether labels of the SOA at any m points leave the Littlestone dimension of C.

    Examples
    --------
    >>> C = [c for c in itertools.product((0, 1), repeat=3) if sum(c) <= 1]
    >>> irreducible(C, 2), irreducible(C, 3)
    (True, False)
    """
    if not C:
        return False
    for points in itertools.product(points_of(C), repeat=m):
        left = frozenset(C)
        for x in points:
            left = restrict(left, x, soa_label(C, x))
        if ldim(left) != ldim(C):
            return False
    return True


def trees(C: PlainClass, depth: int) -> Iterator[list[Leaf]]:
    """The leaves of every tree over C of at most the given depth."""
    yield [frozenset(C)]
    if depth:
        for x in points_of(C):
            sides = (trees(restrict(C, x, y), depth - 1) for y in (0, 1))
            for zeros, ones in itertools.product(*map(list, sides)):
                yield zeros + ones


def leaf_depth(C: PlainClass, dimension: int) -> int:
    """The least depth of a tree over C whose leaves all have at most the given Ldim, from 0 on.

    Examples
    --------
    >>> leaf_depth([(0, 0), (0, 1), (1, 1)], 0)
    2
    """
    for depth in itertools.count():
        for leaves in trees(C, depth):
            if all(ldim(leaf) <= dimension for leaf in leaves):
                return depth
    raise AssertionError


def canonical_leaves(C: PlainClass, dimension: int) -> list[Leaf]:
    """The leaves of the tree of least depth, with the first point that allows it at every node."""
    depth = leaf_depth(C, dimension)
    if not depth:
        return [frozenset(C)]
    for x in points_of(C):
        sides = [restrict(C, x, y) for y in (0, 1)]
        if all(leaf_depth(side, dimension) < depth for side in sides):
            return [leaf for side in sides for leaf in canonical_leaves(side, dimension)]
    raise AssertionError


def canonical_soas(C: PlainClass, dimension: int) -> list[PlainConcept]:
    """The different SOAs of the canonical leaves of exactly the given dimension."""
    found = (
        tuple(soa_label(leaf, x) for x in points_of(C))
        for leaf in canonical_leaves(C, dimension)
        if ldim(leaf) == dimension
    )
    return list(dict.fromkeys(found))
