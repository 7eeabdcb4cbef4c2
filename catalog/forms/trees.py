"""Shattered trees of classes that know, at every version space, a point to ask."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from lsclasses.certificates import ShatteredTree
from lsclasses.certificates.base import Subject
from lsclasses.concept_class import ConceptClass
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.hypothesis import ENUMERATION_LIMIT
from lsclasses.points import Point

__all__ = ["DEPTH_LIMIT", "grow_tree"]

DEPTH_LIMIT = 20
"""The depth of the largest tree that is written out; it has 2^20 leaves."""

C = TypeVar("C", bound=ConceptClass)


def grow_tree(root: C, split: Callable[[C, int], Point]) -> ShatteredTree:
    """A shattered tree of depth Ldim; leaves are named where the class is small enough to list.

    Parameters
    ----------
    root : ConceptClass
    split : callable
        ``split(V, d)`` gives, for a version space V with Ldim >= d >= 1, a point on both sides of
        which a tree of depth d - 1 is shattered.

    Raises
    ------
    InvalidInput
        If the class is empty.
    TooLarge
        If the tree is deeper than `DEPTH_LIMIT`.
    """
    depth = root.ldim()
    if depth < 0:
        raise InvalidInput("The empty class shatters no tree, not even that of depth 0.")
    if depth > DEPTH_LIMIT:
        raise TooLarge(
            f"A shattered tree of depth {depth} has 2^{depth} leaves; "
            f"trees are written out up to depth {DEPTH_LIMIT}.",
            estimate=depth,
            limit=DEPTH_LIMIT,
        )
    concepts, size = root.size, root.domain.size
    table = None
    if concepts is not None and size is not None and concepts * size <= ENUMERATION_LIMIT:
        table = root.to_table()
    points: list[Point] = []
    level: list[tuple[C, Any]] = [(root, table)]
    for d in range(depth, 0, -1):
        below: list[Any] = []
        for left, rows in level:
            x = split(left, d)
            points.append(x)
            for y in (0, 1):
                below.append((left._restrict(x, y), None if rows is None else rows.restrict(x, y)))
        level = below
    leaves = tuple(None if rows is None else rows.concept_name(0) for _, rows in level)
    return ShatteredTree(Subject.of(root), depth, tuple(points), leaves)
