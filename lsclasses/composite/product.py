"""Products of concept classes, whose concepts are choices of one concept in every part."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from lsclasses.composite.parts import (
    ADDED,
    Composite,
    JoinedHypothesis,
    part_and_point,
    split_by_part,
)
from lsclasses.concept_class import ConceptClass
from lsclasses.error_histograms import ErrorHistogram, SumHistogram, Weights
from lsclasses.errors import InfiniteDimension
from lsclasses.hypothesis import Hypothesis
from lsclasses.point_names import Label, Point

if TYPE_CHECKING:
    from lsclasses.table import Table


class ProductClass(Composite):
    r"""The product of classes: each concept consists of one concept c_i of each class.

    The given classes are the *parts*. The points of the product are the pairs ``(i, x)`` of the
    number i of a part, from 0, and a point x of this part. The concept gives the point ``(i, x)``
    the label c_i(x).

    Parameters
    ----------
    *parts : ConceptClass
        Classes, at least one.

    Raises
    ------
    InvalidInput
        If no class is given, or an argument is not a concept class.

    Notes
    -----
    If a part is empty, the product is empty. Otherwise, an example with the point ``(i, x)``
    restricts part i and leaves the other parts unchanged.

    *Littlestone dimension.* The dimension is the sum of the dimensions of the parts. For the upper
    bound, run the SOA (Standard Optimal Algorithm) of each part on the examples of this part.
    Together, the SOAs make at most this number of mistakes. For the lower bound, append a shattered
    tree of the second part below every leaf of a shattered tree of the first part, and so on. The
    SOA of the product predicts on the points of each part like the SOA of this part.

    *Other dimensions.* The VC dimension is the sum, because a set is shattered if and only if its
    points in each part are shattered by this part. The randomized Littlestone dimension is the sum
    for the two reasons given for the Littlestone dimension. The star number is the sum, because a
    star of the product consists of one star of each part. The teaching dimension is the sum,
    because a teaching set of a concept consists of a teaching set of each c_i. The hollow star
    number is the maximum over the parts, because a minimal non-realizable sample has points of only
    one part.

    Examples
    --------
    >>> import catalog
    >>> C = ProductClass(catalog.build("thresholds:n=7"), catalog.build("points:n=5"))
    >>> C.ldim(), C.size, C.restrict((1, 3), 1).ldim()
    (4, 40, 3)
    >>> C.soa()((0, 6)), C.soa()((1, 3))
    (1, 0)
    """

    def _set_parts(self, parts: Sequence[ConceptClass | None]) -> None:
        super()._set_parts(parts)
        if None in self._parts:
            self._parts = (None,) * len(self._parts)

    @property
    def _factors(self) -> list[ConceptClass]:
        """The parts of a product that is not empty."""
        return [part for part in self._parts if part is not None]

    def _leaving(self) -> Iterator[tuple[Point, Label]]:
        leaving = [part._leaving() for part in self._factors]
        return (((i, x), y) for i, examples in enumerate(leaving) for x, y in examples)

    def _restrict(self, x: Point, y: Label) -> ProductClass:
        i, point = part_and_point(x)
        left = self._restricted(i, point, y)
        if left == self._parts[i]:
            return self
        return self._with([*self._parts[:i], left, *self._parts[i + 1 :]])

    def _size(self) -> int | None:
        sizes = [part.size for part in self._factors] or [0]
        return None if None in sizes else math.prod(size for size in sizes if size is not None)

    def _closed_form(self, dimension: str) -> int | Fraction | None:
        if self.is_empty:
            return -1 if dimension in ("ldim", "vcdim") else None
        if dimension not in ADDED and dimension != "hollow_star_number":
            return None
        values = [part._dimension(dimension, None) for part in self._factors]
        total: int | Fraction = sum(values) if dimension in ADDED else max(values)
        return total

    def _soa_label(self, x: Point) -> Label:
        i, point = part_and_point(x)
        part = self._parts[i]
        return 0 if part is None else part._soa_label(point)

    def _soa(self) -> Hypothesis:
        if self.is_empty:
            return self._zero()
        return JoinedHypothesis(self._domain, [part.soa() for part in self._factors])

    def _has_proper_soa(self) -> bool:
        # The rule consists of the rules of the parts, and a part receives only its examples.
        return all(part._has_proper_soa() for part in self._factors)

    def _error_histogram(self, weights: Weights, rows: int) -> ErrorHistogram:
        # Limits depend on all rows, because the number of rows of a part is not public.
        split = split_by_part(weights, len(self._parts))
        histograms = [
            part._error_histogram(own, rows) for part, own in zip(self._factors, split, strict=True)
        ]
        return SumHistogram(histograms, lambda parts: JoinedHypothesis(self._domain, parts))

    def _to_table(self) -> Table:
        from lsclasses.packing import require_memory
        from lsclasses.table import Table

        tables = [part.to_table() for part in self._factors]
        size, points = self._size(), self._domain.size
        assert size is not None
        assert points is not None
        require_memory(max(size, 1), points, repr(self))
        if not tables:
            return Table([], domain=self._domain)
        chosen = np.indices([len(table) for table in tables]).reshape(len(tables), -1)
        labels = [table.labels[rows] for table, rows in zip(tables, chosen, strict=True)]
        names = (
            tuple(table.concept_name(i) for table, i in zip(tables, row, strict=True))
            for row in chosen.T.tolist()
        )
        return Table(np.hstack(labels), domain=self._domain, concepts=names)

    def _shattered_tree(self) -> tuple[Point, ...]:
        if self._is_small():
            return super()._shattered_tree()
        points: list[Point] = []
        for i, part in enumerate(self._factors):
            tree = part._shattered_tree()
            above = (len(points) + 1).bit_length() - 1
            for level in range((len(tree) + 1).bit_length() - 1):
                nodes = tree[2**level - 1 : 2 ** (level + 1) - 1]
                points += [(i, x) for x in nodes] * 2**above
        return tuple(points)

    def _part_of_depth(self, depth: int) -> ProductClass:
        return self._with([_with_finite_ldim(part, depth) for part in self._factors])

    def _splitting_point(self) -> Point:
        return next(
            (i, part._splitting_point()) for i, part in enumerate(self._factors) if part.ldim()
        )

    def _sample(self, rng: np.random.Generator) -> JoinedHypothesis:
        """Return a concept of every part, with the distribution of its part."""
        return JoinedHypothesis(self._domain, [part._sample(rng) for part in self._factors])


def _with_finite_ldim(part: ConceptClass, depth: int) -> ConceptClass:
    """Return a part itself, or concepts of it that shatter a tree of this depth."""
    try:
        part.ldim()
    except InfiniteDimension:
        return part._part_of_depth(depth)
    return part
