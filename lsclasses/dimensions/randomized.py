"""The randomized Littlestone dimension: the optimal expected number of mistakes, exactly.

Everything is counted in the expected depth E of a shattered tree, twice the dimension. A tree with
m leaves has an expected depth of at most F(m) = k + (m - 2^k) / 2^k, where 2^k <= m <= 2^(k+1):
the value of the most balanced tree, a sharper and exactly representable form of E <= log2 m.
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from lsclasses.dimensions.base import Dimension
from lsclasses.limits import Limit, Meter, Progress
from lsclasses.searching.bounds import too_deep
from lsclasses.searching.counting import counting_type
from lsclasses.searching.keys import KeyTable
from lsclasses.searching.look_ahead import one_blas_thread
from lsclasses.searching.version_space import VersionSpace

if TYPE_CHECKING:
    from lsclasses.table import Table

__all__ = ["RandomizedSearch", "balanced_depth", "randomized_ldim"]

SPARE_BITS = 52
"""Binary places that the bounds need beyond those of the depths themselves."""
ENTRY_BYTES = 150
"""Bytes that a remembered depth takes beside its key, about."""


def randomized_ldim(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> Fraction:
    """Half the largest expected depth of a shattered binary tree, complete or not.

    Branches are taken with probability 1/2 each. With d the Littlestone dimension it lies between
    d/2 and d; it is at most log2(m)/2 for m concepts; and it is the least expected number of
    mistakes that a randomized learner can guarantee. It satisfies RL = 0 when no point splits the
    class and otherwise ``RL(C) = max over x of 1/2 + (RL(C[x=0]) + RL(C[x=1])) / 2``. The empty
    class shatters no tree: -1.

    Parameters
    ----------
    table : Table
    limit : Limit, optional
        What the search may use.
    progress : callable, optional
        Not called: the search finds out the value at once.

    Raises
    ------
    TooLarge
        If the limit is reached.

    References
    ----------
    Filmus, Hanneke, Mehalel and Moran 2023

    Examples
    --------
    >>> from lsclasses import Table
    >>> randomized_ldim(Table([[0, 0, 0], [0, 0, 1], [0, 1, 1]]))
    Fraction(3, 4)
    """
    return RandomizedSearch(len(table.points)).value(table, limit)


def balanced_depth(m: int) -> Fraction:
    """The largest expected depth F(m) of a binary tree with m >= 1 leaves, the balanced one's.

    Examples
    --------
    >>> [str(balanced_depth(m)) for m in (1, 2, 3, 4, 6)]
    ['0', '1', '3/2', '2', '5/2']
    """
    k = m.bit_length() - 1
    return k + Fraction(m - 2**k, 2**k)


class RandomizedSearch:
    """Branch and bound for the expected depth, with a memory that restrictions of a class share.

    Parameters
    ----------
    points : int
        The number of points of the domain. No branch is longer, so expected depths are kept as
        integers in units of 2^-(points + 52), without rounding.
    """

    def __init__(self, points: int) -> None:
        self._places = points + SPARE_BITS
        self._one = 1 << self._places
        self._known: dict[Hashable, tuple[int, bool]] = {}
        self._keys = KeyTable()
        self._balanced = np.zeros(2)
        self._meter = Meter(None)
        self._used = 0

    def value(self, table: Table, limit: Limit | None = None) -> Fraction:
        """The randomized Littlestone dimension of a table with that number of points."""
        if table.is_empty:
            return Fraction(-1)
        sizes = np.arange(len(table) + 1)
        places = np.frexp(np.maximum(sizes, 1))[1] - 1
        self._balanced = places - 1 + np.ldexp(sizes, -places)
        self._meter = Meter(limit, self._used)
        try:
            with one_blas_thread():
                depth = self._depth(table._space, -1)
        except RecursionError:
            raise too_deep() from None
        finally:
            self._used = self._meter.used
        return Fraction(depth, 2 * self._one)

    def _depth(self, space: VersionSpace, enough: int) -> int:
        """The expected depth, if it is larger than `enough`; else some upper bound <= `enough`."""
        points = len(space.words)
        if points <= 1:
            return points * self._one
        concepts = space.concepts
        upper = self._exact(self._balanced[concepts])
        if upper <= enough:
            return upper
        self._meter.tick(8)
        columns = space.columns
        factor = columns.astype(counting_type(concepts))
        both = np.matmul(factor, factor.T).astype(np.int64)
        ones = columns.sum(axis=1, dtype=np.int64)
        hopes = self._hopes(ones, both, concepts)
        order = np.argsort(-hopes, kind="stable").tolist()
        upper = min(upper, self._exact(hopes[order[0]]))
        if upper <= enough:
            return upper
        key = self._keys.key(space, self._meter, ones, both)
        if key in self._known:
            remembered, exact = self._known[key]
            upper = min(upper, remembered)
            if exact or upper <= enough:
                return upper
        else:
            self._meter.charge(ENTRY_BYTES)
        best = enough
        for j in order:
            if self._exact(hopes[j]) <= best:
                break
            best = self._depth_below(space.side(j, 0), space.side(j, 1), best)
            if best >= upper:
                break
        self._known[key] = best, best > enough
        return best

    def _depth_below(self, left: VersionSpace, right: VersionSpace, enough: int) -> int:
        """The depth of a tree with those version spaces below its root, if more than `enough`."""
        # The two depths must sum to more than this.
        together = 2 * (enough - self._one)
        most = [self._exact(self._balanced[side.concepts]) for side in (left, right)]
        if most[0] > most[1]:
            left, right = right, left
            most.reverse()
        first = self._depth(left, together - most[1])
        if first + most[1] <= together:
            return enough
        second = self._depth(right, together - first)
        return max(enough, self._one + (first + second) // 2)

    def _hopes(self, ones: np.ndarray, both: np.ndarray, concepts: int) -> np.ndarray:
        """Upper bounds on the depths of trees with each column at the root, looking one ahead.

        With fewer than 2^40 concepts all numbers are exact in floating point.
        """
        balanced = self._balanced
        half = []
        for side, shared in ((ones, both), (concepts - ones, ones[None, :] - both)):
            rest = side[:, None] - shared
            split = 1 + (balanced[shared] + balanced[rest]) / 2
            split[(shared == 0) | (rest == 0)] = 0
            half.append(np.minimum(split.max(axis=1), balanced[side]))
        hopes: np.ndarray = 1 + (half[0] + half[1]) / 2
        return hopes

    def _exact(self, depth: float) -> int:
        """A bound in the units of the search; exact, since bounds have at most 52 binary places."""
        return int(depth * 2.0**SPARE_BITS) << (self._places - SPARE_BITS)


RANDOMIZED_LDIM = Dimension(
    "randomized_ldim",
    "randomized Littlestone dimension",
    "RL",
    "Half the largest expected depth of a binary tree of points, complete or not, every "
    "branch of which some concept follows, when branches turn with probability 1/2.",
    "Filmus, Hanneke, Mehalel and Moran 2023",
    randomized_ldim,
    Fraction(-1),
    meaning="The expected number of mistakes that an adversary forces on every online "
    "learner which may flip coins, and that the best one makes.",
)
