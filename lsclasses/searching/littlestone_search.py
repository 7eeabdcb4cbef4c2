"""The Littlestone dimension by search over shattered trees.

The search decides ``Ldim(V) >= k`` and bisects on k. An engine (`lsclasses.searching.engines`) only
answers yes or no. All other results, such as the column at the root of a tree or the version spaces
that counting excludes, are *defined* by such answers and by counting. So these results do not
depend on the engine, or on earlier calls.

The second search finds the largest expected depth of a shattered tree, where a branch takes each
side with probability 1/2. Trees need not be complete. The depth is twice the randomized Littlestone
dimension. An engine finds it (`lsclasses.searching.engines`). The kernel counts in units of 2^-118.
If this is not fine enough, NumPy's engine continues, which counts in integers of any size.
"""

from __future__ import annotations

from contextlib import nullcontext
from fractions import Fraction
from typing import Protocol

import numpy as np

from lsclasses.limits import Limit, Meter
from lsclasses.searching.blas import one_blas_thread
from lsclasses.searching.engines import engine_name
from lsclasses.searching.look_ahead import candidates, weaker_sides
from lsclasses.searching.numpy_engine import NumpyDepths
from lsclasses.searching.products import split
from lsclasses.searching.search_bounds import Bounds
from lsclasses.searching.vc_search import balanced_columns
from lsclasses.searching.version_space import VersionSpace

# ---- engines


class Engine(Protocol):
    """Protocol of a procedure that decides which trees a version space shatters.

    The procedure stores bounds on the version spaces that it has searched.
    """

    uses_blas: bool
    """Whether the engine multiplies matrices, so that BLAS on one thread saves time."""

    def at_least(self, space: VersionSpace, k: int, meter: Meter) -> bool:
        """Return whether a version space shatters a complete tree of depth k.

        Raises
        ------
        TooLarge
            If the meter's limit is reached. The engine remembers its bounds.
        """


class DepthEngine(Protocol):
    """Protocol of a search for expected depths of trees, which stores bounds on version spaces."""

    def expected_depth(self, space: VersionSpace, meter: Meter) -> Fraction:
        """Return the largest expected depth of a tree that a version space shatters.

        Raises
        ------
        TooLarge
            If the meter's limit is reached. The engine remembers its bounds.
        OverflowError
            If the engine cannot count in the units that this version space needs.
        """


def new_engine() -> Engine:
    """Return a new engine without stored results."""
    if engine_name() == "native":
        # The import fails if the kernel was not built, so only this branch contains it.
        from lsclasses.searching.native_engine import NativeEngine

        return NativeEngine()
    from lsclasses.searching.numpy_engine import NumpyEngine

    return NumpyEngine()


def new_depth_engine(points: int) -> DepthEngine:
    """Return a new engine for expected depths on `points` points, without stored results."""
    if engine_name() == "native":
        from lsclasses.searching.native_engine import NativeEngine
        from lsclasses.searching.version_space import NORMAL_FORM_FROM_CONCEPTS

        return NativeEngine(normal_from_concepts=NORMAL_FORM_FROM_CONCEPTS)
    from lsclasses.searching.numpy_engine import NumpyDepths

    return NumpyDepths(points)


# ---- the Littlestone dimension


MANY_LABELS = 1 << 15
"""Least number of labels of a version space for which BLAS is restricted to one thread."""


class LittlestoneSearch:
    """A search engine that a table and all its restrictions share, with stored results."""

    def __init__(self) -> None:
        self._engine = new_engine()
        self._latest: tuple[np.ndarray, VersionSpace] | None = None
        self._used = 0
        self._running: Meter | None = None

    @property
    def _meter(self) -> Meter:
        """The meter of the running search, or one that keeps to the caller's time limit."""
        return Meter(None) if self._running is None else self._running

    def space(self, packed: np.ndarray, points: int) -> VersionSpace:
        """Return the version space of a packed table. The latest version space is stored."""
        # The packed array of a table is read-only, so the identity of the array implies equal
        # labels.
        if self._latest is None or self._latest[0] is not packed:
            self._latest = packed, VersionSpace.of_packed(packed, points)
        return self._latest[1]

    def decide(self, space: VersionSpace, bounds: Bounds, limit: Limit | None) -> None:
        """Improve the bounds on the dimension of a version space until both bounds are equal.

        Raises
        ------
        TooLarge
            If the limit is reached. Then `bounds` contains the known bounds. If the call is inside
            the ``with`` block of `bounds`, the error contains the bounds, too.
        """
        self._running = meter = Meter(limit, self._used)
        try:
            many = space.concepts * len(space.words) > MANY_LABELS
            with one_blas_thread() if many and self._engine.uses_blas else nullcontext():
                self._close(space, bounds)
        finally:
            self._used = meter.used
            self._running = None

    def _close(self, space: VersionSpace, bounds: Bounds) -> None:
        """Improve the bounds until they meet."""
        # The points of a branch are distinct, and constant or equal columns add no depth. So the
        # number of distinct columns bounds the dimension.
        bounds.at_most(len(space.words))
        # Small version spaces are searched faster than split.
        if space.large and (sides := split(space)):
            bounds.at_most(sum(self.dimension(space.side(*side)) for side in sides))
            # A shattered set of points is a complete tree with one point per level. If its size is
            # the upper bound, no search is needed.
            if balanced_columns(space, bounds.upper) is not None:
                bounds.at_least(bounds.upper)
        while not bounds.decided:
            middle = (bounds.lower + bounds.upper + 1) // 2
            if self.at_least(space, middle):
                bounds.at_least(middle)
            else:
                bounds.at_most(middle - 1)

    def at_least(self, space: VersionSpace, k: int) -> bool:
        """Return whether a version space shatters a complete tree of depth k."""
        return self._engine.at_least(space, k, self._meter)

    def dimension(self, space: VersionSpace) -> int:
        """Return the Littlestone dimension of a version space that is not empty."""
        bounds = Bounds("Ldim", 0, space.concepts.bit_length() - 1)
        self._close(space, bounds)
        return bounds.lower

    def root_column(self, space: VersionSpace, k: int) -> int:
        """Return a column that can be the root of a shattered tree of depth k >= 1.

        The version space must shatter depth k. The result is the most balanced column both of whose
        sides shatter depth k - 1, or the first of several equally balanced columns.
        """
        tried = candidates(space, k, self._meter)
        if tried.enough:
            return tried.columns[0]
        return next(
            j
            for j, first in zip(tried.columns, tried.first, strict=True)
            if self.at_least(space.side(j, first), k - 1)
            and self.at_least(space.side(j, 1 - first), k - 1)
        )

    def weaker_sides(self, space: VersionSpace, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Return, for each column, its smaller side, and whether counting refutes the side.

        Counting concepts on pairs of columns can show that the side does not shatter depth k - 1.
        """
        return weaker_sides(space, k)

    def counted_out(self, space: VersionSpace, k: int) -> bool:
        """Return whether counting shows that a version space shatters no tree of depth k.

        Concepts are counted on columns, pairs of columns and triples of columns.
        """
        return space.concepts == 0 if k <= 0 else not candidates(space, k, self._meter).columns


# ---- expected depths


class ExpectedDepthSearch:
    """A search engine that a table and all its restrictions share, with stored results.

    Parameters
    ----------
    points : int
        The number of points of the domain.
    """

    def __init__(self, points: int) -> None:
        self._points = points
        self._engine: DepthEngine | None = None
        self._used = 0

    def depth(self, space: VersionSpace, limit: Limit | None = None) -> Fraction:
        """Return the largest expected depth of a tree that a non-empty version space shatters.

        Raises
        ------
        TooLarge
            If the limit is reached. The engine remembers its bounds.
        """
        if self._engine is None:
            self._engine = new_depth_engine(self._points)
        meter = Meter(limit, self._used)
        try:
            return self._engine.expected_depth(space, meter)
        except OverflowError:
            # The kernel's memory is freed together with the kernel's engine, so the meter restarts
            # at 0.
            self._engine = NumpyDepths(self._points)
            meter.used = 0
            return self._engine.expected_depth(space, meter)
        finally:
            self._used = meter.used
