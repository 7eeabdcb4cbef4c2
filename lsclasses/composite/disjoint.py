"""Disjoint unions of concept classes, whose concepts are 0 except on one part."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from lsclasses.composite.parts import (
    ADDED,
    WALK_LIMIT,
    Composite,
    JoinedHypothesis,
    chosen_by_size,
    is_zero,
    part_and_point,
    split_by_part,
)
from lsclasses.concept_class import ConceptClass
from lsclasses.domain import Domain
from lsclasses.error_histograms import ErrorHistogram, UnionHistogram, Weights
from lsclasses.errors import TooLarge
from lsclasses.hypothesis import ComputedHypothesis, Hypothesis
from lsclasses.point_names import Label, Point

if TYPE_CHECKING:
    from lsclasses.table import Table

BLIND_TO_ZEROS = ADDED | {"threshold_dim", "recursive_teaching_dim"}
"""Names of dimensions that do not change if points with only labels 0 are added to a class."""


class DisjointUnion(Composite):
    r"""The disjoint union of classes: each concept is a concept of one class, extended by 0.

    The given classes are the *parts*. The points of the union are the pairs (i, x) of the number i
    of a part, from 0, and a point x of this part. A concept of one part becomes a concept of the
    union that is 0 on all other parts.

    Parameters
    ----------
    *parts : ConceptClass
        Classes, at least one. If the constant 0 belongs to several classes, the union contains the
        constant 0 once.

    Raises
    ------
    InvalidInput
        If no class is given, or an argument is not a concept class.

    Notes
    -----
    After the label 1 at a point (i, x), only concepts of part i remain. The label 0 removes
    concepts of part i and leaves the other parts unchanged.

    *Littlestone dimension.* Let d be the largest Littlestone dimension of a part. The union has
    dimension d or d + 1. Indeed, a learner can predict 0 until its first error, after which
    concepts of one part remain, of dimension at most d. Let d' be the largest dimension that
    remains after a single example with label 1. So d' is d or d - 1. If d' = d - 1, the union has
    dimension d, because at most d - 1 further errors follow the first error.

    Suppose that d' = d, so that dimension d remains after the label 1 at some point (i, x). If a
    part other than part i also has dimension d, the union shatters a tree of depth d + 1 with the
    root (i, x). Indeed, the label 0 at (i, x) leaves the other part unchanged. If only one part is
    non-empty, the dimension of the union is the dimension of this part. The remaining cases need a
    search in the table of the union.

    *The SOA* (Standard Optimal Algorithm). If two parts have dimension d, the SOA predicts 0
    everywhere, because the dimension is at least d after the label 0 and at most d after the label
    1. If only one part has dimension d, the SOA predicts 0 on the points of the other parts. If
    only one part is non-empty, the SOA of this part predicts on the points of this part.

    Examples
    --------
    >>> import catalog
    >>> C = DisjointUnion(catalog.build("thresholds:n=5"), catalog.build("thresholds:n=5"))
    >>> C.ldim(), C.restrict((0, 2), 1).ldim(), C.size
    (3, 1, 11)
    """

    def _restrict(self, x: Point, y: Label) -> DisjointUnion:
        i, point = part_and_point(x)
        left = self._restricted(i, point, y)
        if y:
            parts: list[ConceptClass | None] = [None] * len(self._parts)
        else:
            parts = list(self._parts)
        parts[i] = left
        restricted = self._with(parts)
        return self if restricted._parts == self._parts else restricted

    @property
    def _left(self) -> list[tuple[int, ConceptClass]]:
        """The non-empty parts, with their numbers."""
        return [(i, part) for i, part in enumerate(self._parts) if part is not None]

    def _size(self) -> int | None:
        sizes = [part.size for _, part in self._left]
        if None in sizes:
            return None
        total = sum(size for size in sizes if size is not None)
        if len(sizes) < 2:
            return total
        return total - max(0, sum(_has_zero_concept(part) for _, part in self._left) - 1)

    def _closed_form(self, dimension: str) -> int | Fraction | None:
        if self.is_empty:
            return -1 if dimension in ("ldim", "vcdim") else None
        if len(self._left) == 1 and dimension in BLIND_TO_ZEROS:
            value: int | Fraction = self._left[0][1]._dimension(dimension, None)
            return value
        return self._joint_ldim() if dimension == "ldim" else None

    def _joint_ldim(self) -> int | None:
        """Return the Littlestone dimension of several parts, if an argument above applies."""
        parts = [part for _, part in self._left]
        dims = [part.ldim() for part in parts]
        d = max(dims)
        largest = [part for part, dim in zip(parts, dims, strict=True) if dim == d]
        after_one = [_ldim_after_one(part) for part in largest]
        if d in after_one:
            return d + 1 if len(largest) > 1 else self._searched(d)
        return self._searched(d) if None in after_one else d

    def _searched(self, d: int) -> int | None:
        """Return None for a search, or raise the known bounds if the class is too large for one."""
        if self._is_small():
            return None
        raise TooLarge(
            f"The Littlestone dimension of this disjoint union is {d} or {d + 1}. A search in its "
            "table could decide, but the table is too large.",
            lower=d,
            upper=d + 1,
        )

    def _soa_label(self, x: Point) -> Label:
        i, point = part_and_point(x)
        one = self._restricted(i, point, 1)
        if one is None:
            return 0
        rest = self._restrict(x, 0)
        if rest.is_empty:
            return 1
        after_one = one.ldim()
        # The dimension of the rest is the largest dimension of its parts, or 1 more.
        largest = max(part.ldim() for _, part in rest._left)
        if after_one <= largest:
            return 0
        return 1 if after_one > largest + 1 else int(after_one > rest.ldim())

    def _soa(self) -> JoinedHypothesis:
        left = self._left
        if not left:
            return self._zero()
        if len(left) == 1:
            return self._zero(left[0][0], left[0][1].soa())
        dims = [part.ldim() for _, part in left]
        d = max(dims)
        if dims.count(d) > 1:
            return self._zero()
        i = left[dims.index(d)][0]
        return self._zero(i, _PartOfSOA(self, i))

    def _error_histogram(self, weights: Weights, rows: int) -> ErrorHistogram:
        # A concept of one part is 0 on the other parts, so it errs on all of their rows labelled 1.
        split = split_by_part(weights, len(self._parts))
        ones = [sum(count for (_, y), count in part.items() if y) for part in split]
        parts = []
        repeated = 0
        for i, part in self._left:
            first = not repeated
            zero = len(self._left) > 1 and _has_zero_concept(part)
            repeated += zero
            embed = self._embedding(i, keep_zero=first or not zero)
            parts.append((part._error_histogram(split[i], rows), sum(ones) - ones[i], embed))
        return UnionHistogram(parts, {sum(ones): repeated - 1} if repeated > 1 else {})

    def _embedding(self, i: int, *, keep_zero: bool) -> Callable[[Hypothesis], Hypothesis | None]:
        """Return the map from a concept of a part to a concept of the union."""

        def embed(concept: Hypothesis) -> Hypothesis | None:
            return self._zero(i, concept) if keep_zero or not is_zero(concept) else None

        return embed

    def _to_table(self) -> Table:
        from lsclasses.packing import require_memory
        from lsclasses.table import Table

        sizes = [part.size for _, part in self._left]
        points = self._domain.size
        if None in sizes or points is None:
            raise TooLarge(f"{self!r} is infinite and cannot be enumerated as a table.")
        concepts = sum(size for size in sizes if size is not None)
        require_memory(max(concepts, 1), points, repr(self))
        tables = [(i, part.to_table()) for i, part in self._left]
        if not tables:
            return Table([], domain=self._domain)
        blocks = [
            np.hstack(
                [
                    table.labels if j == i else np.zeros((len(table), X.size or 0), dtype=np.uint8)
                    for j, X in enumerate(self._domain.parts)
                ]
            )
            for i, table in tables
        ]
        names = [(i, table.concept_name(row)) for i, table in tables for row in range(len(table))]
        merged = Table(np.vstack(blocks), domain=self._domain, concepts=names)
        merged.merged = 0
        return merged

    def _sample(self, rng: np.random.Generator) -> JoinedHypothesis:
        """Return a concept of one part, with equal probabilities if the parts are uniform.

        The constant 0 counts once.
        """
        left = self._left
        sizes = [part.size for _, part in left]
        if None in sizes:
            raise TooLarge(
                "There is no uniform distribution on infinitely many concepts. Sample from one "
                "of the parts instead."
            )
        while True:
            position = chosen_by_size(rng, [size or 0 for size in sizes])
            i, part = left[position]
            concept = part._sample(rng)
            # The constant 0 counts in the first part that has it.
            if (
                position == 0
                or not is_zero(concept)
                or not any(_has_zero_concept(earlier) for _, earlier in left[:position])
            ):
                return self._zero(i, concept)


class _PartOfSOA(ComputedHypothesis):
    """The SOA's rule for a disjoint union on the points of one part, evaluated on demand."""

    __slots__ = ("_i", "_union")

    kind = "SOA hypotheses"

    def __init__(self, union: DisjointUnion, i: int) -> None:
        super().__init__()
        self._union = union
        self._i = i

    @property
    def domain(self) -> Domain:
        """The points of the part."""
        return self._union.domain.parts[self._i]

    def _compute(self, x: Point) -> Label:
        return self._union._soa_label((self._i, x))

    def __repr__(self) -> str:
        return f"<SOA of part {self._i} of {self._union!r}>"


def _ldim_after_one(C: ConceptClass) -> int | None:
    """Return the largest Littlestone dimension after a label 1, or None if it is unknown."""
    value, size = C._ldim_after_one(), C.domain.size
    if value is None and size is not None and size <= WALK_LIMIT:
        return max(C._restrict(x, 1).ldim() for x in C.domain)
    return value


def _has_zero_concept(C: ConceptClass) -> bool:
    """Return whether the constant 0 belongs to a class."""
    if (known := C._contains_zero()) is not None:
        return known
    size = C.domain.size
    if size is None or size > WALK_LIMIT:
        raise TooLarge(
            "Whether the constant 0 belongs to a part of a disjoint union is found out by asking "
            f"every point, and {C!r} has more than {WALK_LIMIT}.",
            limit=WALK_LIMIT,
        )
    for x in C.domain:
        C = C._restrict(x, 0)
        if C.is_empty:
            return False
    return True
