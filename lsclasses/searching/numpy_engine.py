"""The engine that decides with NumPy whether a version space shatters a tree of depth k.

Five techniques make it fast (``docs/search.md`` reports the effect of each):

* *Compaction*: a version space is represented by its distinct non-constant columns up to
  complement. The Littlestone dimension depends only on them.
* *Look-ahead*: one matrix product counts every pair of columns. So a column is tried only if its
  sides can split once more.
* *The weaker side first*: of the two sides of a column, the engine first decides the side that
  seems less likely to shatter.
* *Memory*: bounds on a version space are stored under a key that renamings of points and concepts
  (and complements of columns) mostly share.
* *Products*: a version space whose columns fall into independent groups is decided by its factors.

No answer depends on chance. A key contains the whole compacted table, so equal keys mean isomorphic
version spaces. Collisions of hashes (of keys by Python, of columns while a canonical order is
computed) can cost time, but never cause a wrong answer.

The second engine finds the largest expected depth of a shattered tree. A tree with m leaves has an
expected depth of at most F(m) = k + (m - 2^k) / 2^k, where 2^k <= m <= 2^(k+1). This is the value
of the most balanced tree, and a sharper and exactly representable form of log2 m. Two columns leave
four parts, and F of their sizes bounds the depth of a tree that begins with them.
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from lsclasses.limits import Meter
from lsclasses.searching.blas import one_blas_thread
from lsclasses.searching.look_ahead import NORMAL_UP_TO_POINTS, candidates
from lsclasses.searching.products import factors
from lsclasses.searching.search_bounds import too_deep
from lsclasses.searching.version_space import (
    Arrangement,
    KeyTable,
    VersionSpace,
    arrange,
    normal_form,
)

# ---- expected depths


SPARE_BITS = 52
"""Number of binary places of bounds, in addition to the binary places of depths."""
ENTRY_BYTES = 150
"""Approximate number of bytes of a stored depth, without its key."""


class NumpyDepths:
    """Branch and bound for the expected depth. All restrictions of a class share stored results.

    Parameters
    ----------
    points : int
        Number of points of the domain. A branch has at most this length, so expected depths are
        stored as integers in units of 2^-(points + 52), without rounding.
    """

    def __init__(self, points: int) -> None:
        self._places = points + SPARE_BITS
        self._one = 1 << self._places
        self._known: dict[Hashable, tuple[int, bool]] = {}
        self._keys = KeyTable()
        self._balanced = np.zeros(0)

    def expected_depth(self, space: VersionSpace, meter: Meter) -> Fraction:
        """Return the largest expected depth of a tree that a version space shatters.

        Raises
        ------
        TooLarge
            If the meter's limit is reached. The engine remembers its bounds.
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
        """Return the expected depth if it exceeds `enough`, or some upper bound <= `enough`."""
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
        """Return the depth of a tree with these spaces below its root, if it exceeds `enough`."""
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
        """Return upper bounds on the depths of trees with each column as root, one level ahead.

        With fewer than 2^40 concepts all numbers are exact in floating point.
        """
        balanced = self._balanced
        half = []
        for side, shared in ((ones, both), (concepts - ones, ones[None, :] - both)):
            rest = side[:, None] - shared
            # Columns that do not split a side add less than columns that do, because F(0) is -1.
            split = 1 + (balanced[shared] + balanced[rest]) / 2
            # The formula gives 1/2 for a side of one concept, whose depth is 0. For larger sides it
            # never exceeds F.
            half.append(np.minimum(split.max(axis=1), balanced[side]))
        hopes: np.ndarray = 1 + (half[0] + half[1]) / 2
        return hopes

    def _exact(self, depth: float) -> int:
        """Return a bound in the units of the search. Bounds have at most 52 binary places."""
        return int(depth * 2.0**SPARE_BITS) << (self._places - SPARE_BITS)


# ---- complete trees


ENTRY_OVERHEAD = 200
"""Approximate number of bytes of a stored bound, without its key."""


class Known(NamedTuple):
    """Stored bounds on the Littlestone dimension of a version space."""

    lower: int
    upper: int


UNKNOWN = Known(3, 1 << 30)
"""First bounds for a version space that the look-ahead does not decide.

The look-ahead counts concepts on pairs and triples of columns. The lower bound is 3, because the
look-ahead has then proved depth 3.
"""


class NumpyEngine:
    """The decision procedure with NumPy, which stores bounds on version spaces."""

    uses_blas = True
    normal_from_concepts = 200
    """Least number of concepts of version spaces that are brought into normal form.

    It is faster to search smaller version spaces again.
    """
    products_from_concepts = 200
    """Least number of concepts of version spaces that are tested for a product.

    It is faster to search smaller version spaces.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], Known] = {}

    def at_least(self, space: VersionSpace, k: int, meter: Meter) -> bool:
        """Return whether a version space shatters a complete tree of depth k."""
        if k <= 0:
            return space.concepts > 0
        if space.concepts < 1 << k:
            return False
        # Counting decides depths up to 3, so only answers on greater depths are stored.
        # Two restrictions in either order give one version space: worth a look before counting.
        plain = k > 3 and not self._normalised(space)
        arranged = arrange(space) if plain else None
        if arranged is not None and (answer := self._recall(arranged, k)) is not None:
            return answer
        tried = candidates(space, k, meter)
        if tried.enough or not tried.columns:
            answer = bool(tried.columns)
        else:
            if arranged is None:
                arranged = normal_form(space, tried.ones, tried.both)
                if (answer := self._recall(arranged, k)) is not None:
                    return answer
            meter.tick()
            parts = factors(space) if space.concepts >= self.products_from_concepts else []
            answer = (
                self._sum_at_least(parts, k, meter)
                if parts
                else any(
                    self.at_least(space.side(j, first), k - 1, meter)
                    and self.at_least(space.side(j, 1 - first), k - 1, meter)
                    for j, first in zip(tried.columns, tried.first, strict=True)
                )
            )
        if arranged is not None:
            self._remember(arranged, k, meter, answer=answer)
        return answer

    def _sum_at_least(self, parts: list[VersionSpace], k: int, meter: Meter) -> bool:
        """Return whether the dimensions of the factors of a product add up to k."""
        # Each factor has a dimension of at least 1, as it has a column that is not constant.
        needed = k - len(parts)
        for part in parts:
            # A factor needs to contribute at most `needed` more than 1. Larger dimensions of the
            # factor do not change the answer.
            lower, upper = 1, min(needed + 1, part.concepts.bit_length() - 1)
            while lower < upper:
                middle = (lower + upper + 1) // 2
                if self.at_least(part, middle, meter):
                    lower = middle
                else:
                    upper = middle - 1
            needed -= lower - 1
        return needed <= 0

    def _normalised(self, space: VersionSpace) -> bool:
        """Return whether bounds of the version space are kept under its normal form."""
        points = len(space.words)
        return space.concepts >= self.normal_from_concepts and points <= NORMAL_UP_TO_POINTS

    def _recall(self, arranged: Arrangement, k: int) -> bool | None:
        """Return whether depth k is shattered, if that has been found out."""
        known = self._known.get(arranged.key)
        if known is None or known.lower < k <= known.upper:
            return None
        return k <= known.lower

    def _remember(self, arranged: Arrangement, k: int, meter: Meter, *, answer: bool) -> None:
        """Remember whether depth k is shattered."""
        known = self._known.get(arranged.key)
        if known is None:
            known = UNKNOWN
            meter.charge(_key_size(arranged.key))
        self._known[arranged.key] = (
            # The question was open, so `lower` < k <= `upper` holds and the new bound is tighter.
            known._replace(lower=k) if answer else known._replace(upper=k - 1)
        )


def _key_size(key: tuple[object, ...]) -> int:
    last = key[-1]
    parts = [last] if isinstance(last, bytes) else list(last)  # type: ignore[call-overload]
    return ENTRY_OVERHEAD + sum(len(part) + 33 for part in parts)
