"""Products and disjoint unions of concept classes, whose parts may be of any kind and size.

The points of both are pairs ``(i, x)``, where x is a point of the i-th part. A concept of a product
is a choice of one concept in every part. A concept of a disjoint union is a concept of one part,
and 0 on all other parts.
"""

from __future__ import annotations

from lsclasses.composite.disjoint import DisjointUnion
from lsclasses.composite.parts import JoinedHypothesis, TaggedUnion
from lsclasses.composite.product import ProductClass

__all__ = ["DisjointUnion", "JoinedHypothesis", "ProductClass", "TaggedUnion"]
