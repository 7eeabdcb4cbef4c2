"""Littlestone trees in which all nodes of some levels have equal points.

A complete binary tree of points is *shattered* by a class if, for every branch, some concept agrees
with all labels on the branch. Level 0 of the tree contains the root. Two types of trees prescribe
levels:

* In a *prefix-k tree*, all nodes of a level have equal points, for each of the first k levels.
* A *k-block tree* consists of blocks of k levels. All nodes of a level in a block have equal points
  if they lie below one node of the first level of the block. So the adversary chooses k points
  before it chooses their labels.

The dimensions PL_k and B_k are the largest depths of shattered trees of these types. For k = 1,
PL_k and B_k are the Littlestone dimension. If k is at least the Littlestone dimension, PL_k and B_k
are the VC dimension. The database Combinatorial Parameters defines both dimensions.

**Recursion.** In a shattered tree, the points of levels with one point each are shattered, so these
points are different. Let d(V) be the value of the version space V. If V shatters no k points, every
tree ends within the first k levels, so d(V) is the largest number of points that V shatters.
Otherwise, for each set of k points that V shatters, let V_y contain the concepts with the labels y
at these points. Then d(V) is the largest k + min over y of e(V_y). Here e(V_y) is the largest depth
of the subtrees: d(V_y) for blocks and the Littlestone dimension of V_y for prefixes.
"""

from __future__ import annotations

from collections.abc import Iterator

from lsclasses.concept_class import ConceptClass, require_class
from lsclasses.dimensions.queries import distinct_columns
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.limits import Limit, Meter
from lsclasses.numbers import integer
from lsclasses.table import Table

__all__ = ["MOST_STATES", "LevelTrees", "block_ldim", "prefix_ldim"]

MOST_STATES = 1 << 18
"""Largest number of version spaces whose values are stored."""

STATE_BYTES = 200
"""Approximate number of bytes of a stored value, without its version space."""


class LevelTrees:
    """A search for the deepest trees with prescribed levels, which stores values of version spaces.

    Parameters
    ----------
    table : Table
        Table with at least one concept.
    limit : Limit, optional
        Time and memory of the search.

    Examples
    --------
    >>> from lsclasses import Table
    >>> trees = LevelTrees(Table(["00", "01", "10", "11"]))
    >>> trees.block_depth(trees.everything, 2), trees.prefix_depth(1)
    (2, 2)
    """

    def __init__(self, table: Table, limit: Limit | None = None) -> None:
        self.table = table
        self.everything = (1 << len(table)) - 1
        self.columns = distinct_columns(table)
        self._meter = Meter(limit)
        self._depths: dict[tuple[int, int], int] = {}

    def shattered(self, space: int, count: int) -> Iterator[tuple[tuple[int, ...], list[int]]]:
        """Yield the shattered sets of at most `count` points.

        Parameters
        ----------
        space : int
            Version space, as bits.
        count : int
            Largest number of points.

        Yields
        ------
        columns : tuple of int
            Columns of the points, as indices of `columns` in increasing order.
        parts : list of int
            The concepts with each pattern of labels. The label at the first point is the highest
            bit of the index of a part.
        """
        stack: list[tuple[tuple[int, ...], list[int]]] = [((), [space])]
        while stack:
            chosen, parts = stack.pop()
            self._meter.tick()
            yield chosen, parts
            if len(chosen) == count:
                continue
            for i in range(chosen[-1] + 1 if chosen else 0, len(self.columns)):
                ones = self.columns[i]
                split = [side for part in parts for side in (part & ~ones, part & ones)]
                if all(split):
                    stack.append(((*chosen, i), split))

    def block_depth(self, space: int, block: int) -> int:
        """Return the largest depth of a shattered tree of blocks for a version space."""
        known = self._depths.get((space, block))
        return self._deepest(space, block, block) if known is None else known

    def prefix_depth(self, levels: int) -> int:
        """Return the largest depth of a shattered tree with one point on each of some levels."""
        return self._deepest(self.everything, levels, 1)

    def _deepest(self, space: int, levels: int, block: int) -> int:
        """Return the depth if `levels` points come first and trees of blocks follow."""
        most, best = space.bit_count().bit_length() - 1, 0
        for chosen, parts in self.shattered(space, min(levels, most)):
            size = len(chosen)
            if size < levels:
                best = max(best, size)
            elif self._room(size, parts) > best:
                best = max(best, size + self._shallowest(parts, block, best - size))
            if best == most:
                break
        if levels == block:
            self._depths[space, block] = best
            self._count(len(self._depths))
        return best

    @staticmethod
    def _room(size: int, parts: list[int]) -> int:
        """Return an upper bound on the depth of a tree from the sizes of the parts."""
        return size + min(map(int.bit_count, parts)).bit_length() - 1

    def _shallowest(self, parts: list[int], block: int, bound: int) -> int:
        """Return the least depth of the parts. If it is at most the bound, return the bound."""
        least = len(self.table)
        for part in sorted(parts, key=int.bit_count):
            least = min(least, self.block_depth(part, block))
            if least <= bound:
                return bound
        return least

    def _count(self, states: int) -> None:
        self._meter.charge(STATE_BYTES + len(self.table) // 8)
        if states > MOST_STATES:
            estimate = 3 ** min(len(self.columns), 1000)
            raise TooLarge(
                f"The search for trees has more than {MOST_STATES} version spaces, at most "
                f"{float(estimate):.3g}. Choose a smaller class.",
                estimate=estimate,
                limit=MOST_STATES,
            )


def prefix_ldim(C: ConceptClass, levels: int, *, limit: Limit | None = None) -> int:
    """Return the prefix-k Littlestone dimension PL_k of a class.

    PL_k is the largest depth of a complete binary tree of points with two properties. For every
    branch, some concept agrees with all labels on the branch. On each of the first k levels, all
    nodes have equal points.

    Parameters
    ----------
    C : ConceptClass
        Class that can be enumerated as a table.
    levels : int
        The number k of levels, at least 1.
    limit : Limit, optional
        Time and memory of the search.

    Returns
    -------
    int
        The dimension, which is -1 for the empty class.

    Raises
    ------
    InvalidInput
        If k is less than 1 or not an integer.
    TooLarge
        If the search has too many version spaces, or the limit is reached.

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("thresholds:n=7")
    >>> [prefix_ldim(C, k) for k in (1, 2, 3)]
    [3, 1, 1]
    """
    k = _levels(C, levels)
    return -1 if C.is_empty else LevelTrees(C.to_table(), limit).prefix_depth(k)


def block_ldim(C: ConceptClass, block: int, *, limit: Limit | None = None) -> int:
    """Return the k-block Littlestone dimension B_k of a class.

    B_k is the largest depth of a complete binary tree of points with two properties. For every
    branch, some concept agrees with all labels on the branch. For each i divisible by k and each
    node of level i, all nodes of level i + j below this node have equal points, for each j < k.

    Parameters
    ----------
    C : ConceptClass
        Class that can be enumerated as a table.
    block : int
        The number k of levels of a block, at least 1.
    limit : Limit, optional
        Time and memory of the search.

    Returns
    -------
    int
        The dimension, which is -1 for the empty class.

    Raises
    ------
    InvalidInput
        If k is less than 1 or not an integer.
    TooLarge
        If the search has too many version spaces, or the limit is reached.

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("cube:n=4")
    >>> [block_ldim(C, k) for k in (1, 2, 3, 9)]
    [4, 4, 4, 4]
    """
    k = _levels(C, block)
    if C.is_empty:
        return -1
    trees = LevelTrees(C.to_table(), limit)
    return trees.block_depth(trees.everything, k)


def _levels(C: object, value: object) -> int:
    """Return the number of levels if it is an integer of at least 1."""
    require_class(C, "The number of levels")
    k = integer(value, "number of levels")
    if k < 1:
        raise InvalidInput(f"The number of levels must be at least 1. Got {k}.")
    return k
