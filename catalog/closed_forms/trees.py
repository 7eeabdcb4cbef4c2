"""Shattered trees of classes that know, at every version space, a point to ask."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from lsclasses.concept_class import ConceptClass
from lsclasses.points import Point

C = TypeVar("C", bound=ConceptClass)


def grow_tree(root: C, split: Callable[[C, int], Point]) -> tuple[Point, ...]:
    """The inner nodes of a shattered tree of depth Ldim >= 0, breadth first.

    Parameters
    ----------
    root : ConceptClass
    split : callable
        ``split(V, d)`` gives, for a version space V with Ldim >= d >= 1, a point on both sides of
        which a tree of depth d - 1 is shattered.
    """
    points: list[Point] = []
    level: list[Any] = [root]
    for d in range(root.ldim(), 0, -1):
        below = []
        for left in level:
            x = split(left, d)
            points.append(x)
            below += [left._restrict(x, y) for y in (0, 1)]
        level = below
    return tuple(points)
