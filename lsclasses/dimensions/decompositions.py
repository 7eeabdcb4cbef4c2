"""Irreducible classes, and trees whose leaves have a small Littlestone dimension.

A *tree over V* has points at its inner nodes, and its *leaves* are the subclasses of V that reach
them. For a dimension t, f(V, t) is the least depth of a tree over V whose leaves all have
Ldim <= t. A nonempty class V is *m-irreducible* if Ldim V[x_1=s_1]...[x_m=s_m] = Ldim V for all
points x_1, ..., x_m, where s_i is the label of the SOA of V at x_i. Points may repeat, so an
m-irreducible class is also j-irreducible for every j < m. The idea of irreducible classes is from
[GhaziGKM21].

All functions search the subclasses of a table as bit masks of concepts. Each subclass is examined
once for each dimension.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lsclasses.dimensions.queries import distinct_columns
from lsclasses.errors import InvalidInput
from lsclasses.hypothesis import Concept, Hypothesis
from lsclasses.limits import Limit, Meter
from lsclasses.numbers import integer
from lsclasses.point_names import Label, Point
from lsclasses.searching.bitsets import members

if TYPE_CHECKING:
    from lsclasses.concept_class import ConceptClass
    from lsclasses.table import Table

ENTRY_BYTES = 200
"""Approximate number of bytes of a stored value, without the subclass itself."""

Shape = int | tuple[int, "Shape", "Shape"]
"""A tree over a subclass. It is a leaf (a subclass), or the index of a point with two trees."""


class SubclassTrees:
    """Dimensions and trees of the subclasses of a table, which are bit masks of concepts.

    Every result depends only on the set of concepts, not on the examples that lead to the
    subclass. Results are stored, so repeated calls take no time.

    Parameters
    ----------
    table : Table
    limit : Limit, optional
        Time and memory of all searches together, unlimited when omitted.

    Attributes
    ----------
    table : Table
    whole : int
        Mask of all concepts.
    columns : tuple of int
        Masks of the concepts with label 1 at each point.

    Examples
    --------
    >>> from lsclasses import Table
    >>> subclasses = SubclassTrees(Table([[0, 0], [0, 1], [1, 1]]))
    >>> subclasses.whole, subclasses.ldim(7), subclasses.leaf_depth(7, 0)
    (7, 1, 2)
    """

    def __init__(self, table: Table, limit: Limit | None = None) -> None:
        self.table, self.whole = table, (1 << len(table)) - 1
        self.columns: tuple[int, ...] = table.column_bits
        self._meter = Meter(limit)
        splitting = set(distinct_columns(table))
        self._splitting: list[tuple[int, int]] = []
        for index, column in enumerate(self.columns):
            oriented = self.whole ^ column if column & 1 else column
            if oriented in splitting:
                splitting.remove(oriented)
                self._splitting.append((index, column))
        self._ldim: dict[int, int] = {0: -1}
        self._shattering: dict[tuple[int, int], bool] = {}
        self._depths: dict[tuple[int, int], tuple[int, int]] = {}
        self._rules: dict[int, int] = {}

    def restrict(self, mask: int, index: int, label: Label) -> int:
        """Return the subclass of the concepts that give the point with an index a label."""
        return mask & self.columns[index] if label else mask & ~self.columns[index]

    def splits(self, mask: int) -> Iterator[tuple[int, int, int]]:
        """Yield each point that splits a subclass, with its sides for the labels 0 and 1.

        Only the first of several points with equal or complementary columns is yielded.
        """
        for index, column in self._splitting:
            ones = mask & column
            if ones and ones != mask:
                yield index, mask ^ ones, ones

    def ldim(self, mask: int) -> int:
        """Return the Littlestone dimension of a subclass, -1 for the empty class."""
        known = self._ldim.get(mask)
        if known is None:
            known = 0
            while self._shatters(mask, known + 1):
                known += 1
            self._ldim[mask] = known
        return known

    def _shatters(self, mask: int, depth: int) -> bool:
        """Return whether a subclass shatters a tree of some depth."""
        if mask.bit_count() < 1 << depth:
            return False
        if depth <= 1:
            # Concepts of a table are distinct.
            return True
        known = self._shattering.get((mask, depth))
        if known is None:
            self._store(mask)
            known = any(
                self._shatters(zeros, depth - 1) and self._shatters(ones, depth - 1)
                for _, zeros, ones in self.splits(mask)
            )
            self._shattering[mask, depth] = known
        return known

    def _store(self, mask: int) -> None:
        self._meter.tick()
        self._meter.charge(ENTRY_BYTES + mask.bit_length() // 8)

    # ---- trees

    def leaf_depth(self, mask: int, dimension: int) -> int | float:
        """Return the least depth of a tree over a subclass whose leaves have Ldim <= `dimension`.

        The result is `math.inf` for a negative dimension and a non-empty subclass.
        """
        if dimension < 0:
            return math.inf if mask else 0
        depth = 0
        while not self.is_within(mask, dimension, depth):
            depth += 1
        return depth

    def is_within(self, mask: int, dimension: int, depth: int) -> bool:
        """Return whether `leaf_depth` of a subclass is at most a depth, for a dimension >= 0."""
        dimension_now = self.ldim(mask)
        if dimension_now <= dimension:
            return True
        if dimension_now + 1 > (dimension + 1) << depth:
            # A learner that runs the SOA of one side until the side is empty, and then the SOA of
            # the other side, shows Ldim V + 1 <= (Ldim V_0 + 1) + (Ldim V_1 + 1).
            return False
        below, enough = self._depths.get((mask, dimension), (0, mask.bit_count()))
        if depth <= below or depth >= enough:
            return depth >= enough
        self._store(mask)
        found = any(
            self.is_within(zeros, dimension, depth - 1)
            and self.is_within(ones, dimension, depth - 1)
            for _, zeros, ones in self.splits(mask)
        )
        below, enough = self._depths.get((mask, dimension), (0, mask.bit_count()))
        self._depths[mask, dimension] = (below, depth) if found else (depth, enough)
        return found

    def tree(self, mask: int, dimension: int) -> Shape:
        """Return the canonical tree over a subclass whose leaves have Ldim <= `dimension`.

        The tree has the least depth f(V, t), and the first suitable point at every node.

        Parameters
        ----------
        mask : int
            A subclass V.
        dimension : int
            Largest Littlestone dimension t of a leaf, at least 0.

        Returns
        -------
        int or tuple
            V, if Ldim V <= t. Otherwise the index of the first point whose sides V_0 and V_1 have
            f(V_0, t) < f(V, t) and f(V_1, t) < f(V, t), with the canonical trees of both sides.
        """
        depth = self.leaf_depth(mask, dimension)
        if not depth:
            return mask
        for index, zeros, ones in self.splits(mask):
            if all(self.is_within(side, dimension, int(depth) - 1) for side in (zeros, ones)):
                return index, self.tree(zeros, dimension), self.tree(ones, dimension)
        raise AssertionError("A tree of the least depth has a root.")

    def leaves(self, mask: int, dimension: int) -> list[int]:
        """Return the leaves of the canonical tree over a subclass, in the order of the tree."""
        return list(_leaves(self.tree(mask, dimension)))

    def rule(self, mask: int) -> int:
        """Return the SOA of a subclass as a bit mask of the points with label 1."""
        known = self._rules.get(mask)
        if known is None:
            known = 0
            for index, column in enumerate(self.columns):
                ones = mask & column
                # Constant points decide without a search.
                if ones and (ones == mask or self.ldim(ones) > self.ldim(mask ^ ones)):
                    known |= 1 << index
            self._rules[mask] = known
        return known

    def rules(self, mask: int, dimension: int) -> list[int]:
        """Return the distinct SOA rules of a canonical tree's leaves with Ldim = `dimension`."""
        leaves = (each for each in self.leaves(mask, dimension) if self.ldim(each) == dimension)
        return list(dict.fromkeys(map(self.rule, leaves)))

    def hypothesis(self, rule: int) -> Concept:
        """Return the hypothesis whose points with label 1 are the bits of a mask."""
        labels = [rule >> index & 1 for index in range(len(self.columns))]
        return Concept.from_labels(self.table.domain, labels)

    def is_irreducible(self, mask: int, m: int) -> bool:
        """Return whether a nonempty subclass is m-irreducible."""
        dimension, rule = self.ldim(mask), self.rule(mask)
        level = {mask}
        for _ in range(m):
            found = {
                self.restrict(each, index, rule >> index & 1)
                for each in level
                for index, _ in self._splitting
            }
            for each in found:
                self._meter.tick()
                if self.ldim(each) < dimension:
                    return False
            if found <= level:
                return True
            level = found
        return True


def _leaves(shape: Shape) -> Iterator[int]:
    if isinstance(shape, int):
        yield shape
    else:
        yield from _leaves(shape[1])
        yield from _leaves(shape[2])


# ---- queries of a class


def is_irreducible(C: ConceptClass, m: int, *, limit: Limit | None = None) -> bool:
    """Return whether a class is m-irreducible.

    `ConceptClass.irreducible` describes the parameters.
    """
    m = integer(m, "number of points")
    if m < 0:
        raise InvalidInput(f"The number of points must be at least 0. Got {m}.")
    subclasses = SubclassTrees(C.to_table(), limit)
    return bool(subclasses.whole) and subclasses.is_irreducible(subclasses.whole, m)


def leaf_depth(C: ConceptClass, dimension: int, *, limit: Limit | None = None) -> int | float:
    """Return the least depth of a tree whose leaves have at most a given Littlestone dimension.

    `ConceptClass.leaf_depth` describes the parameters.
    """
    subclasses = SubclassTrees(C.to_table(), limit)
    return subclasses.leaf_depth(subclasses.whole, integer(dimension, "dimension"))


def decomposition(C: ConceptClass, dimension: int, *, limit: Limit | None = None) -> Decomposition:
    """Return the canonical tree whose leaves have at most a given Littlestone dimension.

    `ConceptClass.decomposition` describes the parameters.
    """
    t = integer(dimension, "dimension")
    if t < 0:
        raise InvalidInput(f"The dimension of leaves must be at least 0. Got {t}.")
    subclasses = SubclassTrees(C.to_table(), limit)
    return Decomposition(subclasses, t, subclasses.tree(subclasses.whole, t))


@dataclass(frozen=True, eq=False, repr=False)
class Decomposition:
    """A tree over a class whose leaves all have Littlestone dimension at most t.

    It is the canonical tree: its depth is least, and every node has the first point of the domain
    that allows this depth. So the tree is a function of the class and t.

    Attributes
    ----------
    dimension : int
        Largest Littlestone dimension t of a leaf.

    Examples
    --------
    >>> import catalog
    >>> found = catalog.build("thresholds:n=7").decomposition(1)
    >>> print(found)
    leaves of Ldim <= 1
    1
    ├─0─ 4
    │    ├─0─ 3 concepts of Ldim 1
    │    └─1─ 3 concepts of Ldim 1
    └─1─ 2 concepts of Ldim 1
    """

    _subclasses: SubclassTrees
    dimension: int
    _shape: Shape

    @cached_property
    def depth(self) -> int:
        """The depth of the tree."""
        return _depth(self._shape)

    @cached_property
    def leaves(self) -> tuple[Table, ...]:
        """The subclasses at the leaves, from left (label 0) to right."""
        table = self._subclasses.table
        return tuple(table._subclass(_rows(mask)) for mask in _leaves(self._shape))

    @cached_property
    def soas(self) -> tuple[Hypothesis, ...]:
        """The distinct SOA rules of the leaves with Littlestone dimension t."""
        kept = self._subclasses
        masks = (mask for mask in _leaves(self._shape) if kept.ldim(mask) == self.dimension)
        return tuple(map(kept.hypothesis, dict.fromkeys(map(kept.rule, masks))))

    def _lines(self, shape: Shape) -> list[str]:
        if isinstance(shape, int):
            count, kept = shape.bit_count(), self._subclasses
            return [f"{count} concept{'s' * (count != 1)} of Ldim {kept.ldim(shape)}"]
        lines = [str(self._point(shape[0]))]
        for label, mark, bar in ((0, "├─0─ ", "│    "), (1, "└─1─ ", "     ")):
            first, *rest = self._lines(shape[1 + label])
            lines += [mark + first, *(bar + line for line in rest)]
        return lines

    def _point(self, index: int) -> Point:
        return self._subclasses.table.points[index]

    def __str__(self) -> str:
        return "\n".join([f"leaves of Ldim <= {self.dimension}", *self._lines(self._shape)])

    def __repr__(self) -> str:
        return f"<tree of depth {self.depth} whose leaves have Ldim <= {self.dimension}>"


def _depth(shape: Shape) -> int:
    return 0 if isinstance(shape, int) else 1 + max(_depth(shape[1]), _depth(shape[2]))


def _rows(mask: int) -> NDArray[np.intp]:
    return np.fromiter(members(mask), np.intp)
