"""How deep are the shattered trees of a version space in expectation? NumPy's engine.

A tree with m leaves has an expected depth of at most F(m) = k + (m - 2^k) / 2^k, where
2^k <= m <= 2^(k+1): the value of the most balanced tree, a sharper and exactly representable form
of log2 m. Two columns leave four parts, whose F bound the depth of a tree that begins with them.
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

import numpy as np

from lsclasses.limits import Meter
from lsclasses.searching.blas import one_blas_thread
from lsclasses.searching.bounds import too_deep
from lsclasses.searching.keys import KeyTable
from lsclasses.searching.version_space import VersionSpace

SPARE_BITS = 52
"""Binary places that the bounds need beyond those of the depths themselves."""
ENTRY_BYTES = 150
"""Bytes that a remembered depth takes beside its key, about."""


class NumpyDepths:
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
        self._balanced = np.zeros(0)

    def expected_depth(self, space: VersionSpace, meter: Meter) -> Fraction:
        """The largest expected depth of a shattered tree.

        Raises
        ------
        TooLarge
            When the meter's limit is reached; what was found out by then is remembered.
        """
        if len(self._balanced) <= space.concepts:
            sizes = np.arange(space.concepts + 1)
            # `frexp` reads the exponent of a float, so the floor of log2 is exact. The size 0 gets
            # the value -1.
            places = np.frexp(np.maximum(sizes, 1))[1] - 1
            self._balanced = places - 1 + np.ldexp(sizes, -places)
        try:
            with one_blas_thread():
                # Every depth exceeds -1, so the result is exact and not only a bound.
                return Fraction(self._depth(space, -1, meter), self._one)
        except RecursionError:
            raise too_deep() from None

    def _depth(self, space: VersionSpace, enough: int, meter: Meter) -> int:
        """The expected depth, if it is larger than `enough`; else some upper bound <= `enough`."""
        points = len(space.words)
        if points <= 1:
            return points * self._one
        concepts = space.concepts
        upper = self._exact(self._balanced[concepts])
        if upper <= enough:
            return upper
        meter.tick()
        both, ones = space.both.astype(np.int64), space.ones.astype(np.int64)
        hopes = self._hopes(ones, both, concepts)
        order = np.argsort(-hopes, kind="stable").tolist()
        upper = min(upper, self._exact(hopes[order[0]]))
        if upper <= enough:
            return upper
        key = self._keys.key(space, meter, ones, both)
        if key in self._known:
            remembered, exact = self._known[key]
            upper = min(upper, remembered)
            if exact or upper <= enough:
                return upper
        else:
            meter.charge(ENTRY_BYTES)
        best = enough
        for j in order:
            # The columns are sorted by their hopes, so no later column improves the best value.
            if self._exact(hopes[j]) <= best:
                break
            best = self._depth_below(space.side(j, 0), space.side(j, 1), best, meter)
            if best >= upper:
                break
        # A value above `enough` is exact. Otherwise, the search has proved only that `enough` is an
        # upper bound.
        self._known[key] = best, best > enough
        return best

    def _depth_below(
        self, left: VersionSpace, right: VersionSpace, enough: int, meter: Meter
    ) -> int:
        """The depth of a tree with those version spaces below its root, if more than `enough`."""
        # The two depths must sum to more than this.
        together = 2 * (enough - self._one)
        most = [self._exact(self._balanced[side.concepts]) for side in (left, right)]
        # The side with the smaller bound comes first. If its depth misses the bound, the other side
        # must exceed a larger value.
        if most[0] > most[1]:
            left, right = right, left
            most.reverse()
        first = self._depth(left, together - most[1], meter)
        second = self._depth(right, together - first, meter)
        # If one number is only a bound, then the sum is at most `together` and the maximum is
        # `enough`. Otherwise both depths are exact, and their sum is even in these units.
        return max(enough, self._one + (first + second) // 2)

    def _hopes(self, ones: np.ndarray, both: np.ndarray, concepts: int) -> np.ndarray:
        """Upper bounds on the depths of trees with each column at the root, looking one ahead.

        With fewer than 2^40 concepts all numbers are exact in floating point.
        """
        balanced = self._balanced
        half = []
        for side, shared in ((ones, both), (concepts - ones, ones[None, :] - both)):
            rest = side[:, None] - shared
            # Columns that do not split a side count for no more than those that do: F(0) is -1.
            split = 1 + (balanced[shared] + balanced[rest]) / 2
            # The formula gives 1/2 for a side of one concept, whose depth is 0. For larger sides it
            # never exceeds F.
            half.append(np.minimum(split.max(axis=1), balanced[side]))
        hopes: np.ndarray = 1 + (half[0] + half[1]) / 2
        return hopes

    def _exact(self, depth: float) -> int:
        """A bound in the units of the search; exact, since bounds have at most 52 binary places."""
        return int(depth * 2.0**SPARE_BITS) << (self._places - SPARE_BITS)
