"""0-covering numbers: the least number of labelled trees that cover a class on a tree of points.

Let T be a complete tree of points of depth n. A 0-cover of a class H on T is a set V of trees of
the same shape, labelled 0 or 1 at the nodes, with the following property. For every h in H and
every branch of T, some tree in V has along the branch the labels that h gives to its points [LWY25,
Def. A.15]. The branch need not be the branch that h itself follows. N(H, T) is the least size of a
0-cover.

**Recursion.** N(H, T) = 0 if H is empty, and 1 if it is not and T has depth 0. Otherwise let x be
the point at the root, L and R the subtrees below it, and H_b the concepts with h(x) = b. Then

    N(H, T) = sum over b in {0, 1} of max(N(H_b, L), N(H_b, R)).

*Proof.* Every branch begins at the root, so a tree of V can cover h only if its root is labelled
h(x). Hence V splits into V_0 and V_1 by the label of the root, and V covers H on T if and only if
each V_b covers H_b. A branch continues in L or in R. So V_b covers H_b if and only if the left
subtrees of V_b cover H_b on L and its right subtrees cover H_b on R. Both conditions hold for some
V_b of size m if and only if m >= N(H_b, L) and m >= N(H_b, R), because m trees can be combined from
any left and right subtrees, with repetitions. If H_b is empty, both numbers N(H_b, .) are 0.

**Largest tree.** Let N(H, n) be the maximum of N(H, T) over the trees T of depth n. Then
N(H, 0) = 1 for H not empty and N(H, n) = max over x of N(H_0, n-1) + N(H_1, n-1).

*Proof.* "At most": in the sum above, both numbers for b are at most N(H_b, n-1). "At least": take
the x that attains the maximum as the root, a worst tree for H_0 as L, and a worst tree for H_1 as
R.

So N(H, n) is also the largest number of branches of a tree of depth n that concepts of H follow.
With d = Ldim(H), the tree version of Sauer's lemma gives N(H, n) <= C(n, 0) + ... + C(n, d), which
is `lsclasses.dimensions.growth.sauer_bound` (n, d). For n <= d, N(H, n) = 2^n.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from lsclasses.errors import InvalidInput
from lsclasses.limits import Limit, Meter
from lsclasses.point_names import Point
from lsclasses.searching.bit_matrix import counting_type
from lsclasses.searching.search_bounds import too_deep
from lsclasses.searching.version_space import KeyTable, VersionSpace

if TYPE_CHECKING:
    from lsclasses.concept_class import ConceptClass

__all__ = ["PointTree", "max_zero_cover_number", "zero_cover_number"]

ENTRY_BYTES = 150
"""Approximate number of bytes of a stored covering number, without its key."""


class PointTree(Protocol):
    """Protocol of complete trees of points in breadth-first order, such as a `ShatteredTree`."""

    @property
    def points(self) -> tuple[Point, ...]:
        """The points at the nodes. The children of node i are 2 i + 1 (label 0) and 2 i + 2."""
        ...


def zero_cover_number(
    C: ConceptClass, tree: PointTree | Sequence[Any], *, limit: Limit | None = None
) -> int:
    """Return the least size of a 0-cover of the class on a tree of points [LWY25, Def. A.15].

    A 0-cover is a set of trees of the same shape with a label at each node. For every concept and
    every branch, some tree of the set has along the branch the labels of the concept.

    Parameters
    ----------
    C : ConceptClass
        Any class. The computation uses only restrictions.
    tree : ShatteredTree, or sequence of 2^n - 1 points
        A complete tree of depth n, breadth first: the children of node i are 2 i + 1 (label 0) and
        2 i + 2 (label 1). The class need not shatter it.
    limit : Limit, optional
        Time and memory that the computation may use.

    Raises
    ------
    InvalidInput
        If the number of points is not 2^n - 1, or a point is outside of the domain.
    TooLarge
        If the limit is reached.

    References
    ----------
    Rakhlin, Sridharan and Tewari 2015

    Examples
    --------
    >>> from lsclasses import Table
    >>> C = Table([[0, 0], [0, 1], [1, 1]], domain="ab")
    >>> zero_cover_number(C, ["a", "b", "b"]), zero_cover_number(C, ["a", "a", "a"])
    (3, 2)
    """
    given = tree if isinstance(tree, Sequence) else tree.points
    points = [C.domain.require(x) for x in given]
    if (len(points) + 1).bit_count() != 1:
        raise InvalidInput(
            f"A complete tree of depth n has 2^n - 1 points. Got {len(points)}, which is not of "
            "this form."
        )
    meter = Meter(limit)

    def cover(left: ConceptClass, node: int) -> int:
        meter.tick()
        if left.is_empty:
            return 0
        if node >= len(points):
            return 1
        children = 2 * node + 1, 2 * node + 2
        sides = [left._restrict(points[node], b) for b in (0, 1)]
        return sum(max(cover(side, child) for child in children) for side in sides)

    return cover(C, 0)


def max_zero_cover_number(C: ConceptClass, n: int, *, limit: Limit | None = None) -> int:
    """Return the largest 0-covering number of the class on a tree of depth n [LWY25, Def. A.15].

    The 0-covering number on a tree is the least size of a 0-cover (`zero_cover_number`).

    Parameters
    ----------
    C : ConceptClass
        A class that can be enumerated as a table.
    n : int
        Depth of the tree, at least 0.
    limit : Limit, optional
        Time and memory that the search may use.

    Raises
    ------
    InvalidInput
        If n is negative.
    TooLarge
        If the limit is reached, or the class cannot be enumerated.

    Examples
    --------
    >>> from lsclasses import Table
    >>> C = Table([[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]])
    >>> [max_zero_cover_number(C, n) for n in range(4)]
    [1, 2, 4, 4]
    """
    if n < 0:
        raise InvalidInput(f"The depth of a tree must be at least 0. Got {n!r}.")
    table = C.to_table()
    if table.is_empty:
        return 0
    try:
        return _CoverSearch(Meter(limit)).largest(table._space, n)
    except RecursionError:
        raise too_deep() from None


class _CoverSearch:
    """The recursion for the largest covering number, which visits each version space once."""

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self._keys = KeyTable()
        self._known: dict[Hashable, int] = {}

    def largest(self, space: VersionSpace, n: int) -> int:
        """Return N(H, n) for a version space that is not empty."""
        enough = min(space.concepts, 1 << n)
        if enough <= 2:
            return enough
        self._meter.tick()
        columns = space.columns
        concepts = space.concepts
        factor = columns.astype(counting_type(concepts))
        both = np.matmul(factor, factor.T).astype(np.int64)
        ones = columns.sum(axis=1, dtype=np.int64)
        key = n, self._keys.key(space, self._meter, ones, both)
        if key not in self._known:
            self._meter.charge(ENTRY_BYTES)
            below = 1 << (n - 1)
            hopes = np.minimum(ones, below) + np.minimum(concepts - ones, below)
            best = 0
            for j in np.argsort(-hopes, kind="stable").tolist():
                if min(enough, int(hopes[j])) <= best:
                    break
                found = sum(self.largest(space.side(j, b), n - 1) for b in (0, 1))
                best = max(best, found)
            self._known[key] = best
        return self._known[key]
