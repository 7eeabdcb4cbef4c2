"""Groups of concepts that agree on all points so far, stored as arrays for some closed forms.

The groups of thresholds are ranges of starts. The groups of sets of at most one point are the
points so far, and the sets of other points. A new point splits one group only.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from catalog.closed_forms.counted_sets import CountedSets
from catalog.closed_forms.exceptions import AllBut
from catalog.closed_forms.intervals import IntervalClass
from catalog.closed_forms.thresholds import ThresholdClass
from lsclasses.concept_class import ConceptClass
from lsclasses.point_names import Label, Point

FEW_CUTS = 16
"""Largest number of cuts that are inserted one by one. More cuts are sorted, which is faster."""

Sizes = NDArray[np.uint64] | NDArray[np.object_]
"""Numbers of concepts, as Python integers if 64 bits do not hold them."""
Examples = Sequence[tuple[tuple[Any, Label], int]]
"""Different labelled points, each with its weight."""


class ConceptGroups(ABC):
    """Groups of concepts in a fixed order, immutable.

    A point may split a group into two groups. The group of concepts with label 1 comes first, and
    the group with label 0 second. So the order is the reverse of the order of
    `learners.playing.expert_sources.GroupedExperts`.

    Attributes
    ----------
    sizes : array of integers, shape (groups,)
        Numbers of concepts.
    """

    sizes: Sizes

    @abstractmethod
    def after(
        self, losses: NDArray[np.int64], examples: Examples
    ) -> tuple[Self, NDArray[np.int64]]:
        """Return the groups after some examples, and their losses in a new array.

        Parameters
        ----------
        losses : array of int64, shape (groups,)
            Losses of the groups before the examples.
        examples : sequence of ((point, label), int)
            Examples with their numbers.
        """

    @abstractmethod
    def key(self, position: int) -> ConceptClass:
        """Return the version space of the group at a position."""

    @classmethod
    @abstractmethod
    def of(cls, C: ConceptClass) -> Self | None:
        """Return all concepts as one group, or None if this format cannot represent the class."""

    @abstractmethod
    def regrouped(self, keys: Sequence[ConceptClass]) -> Self | None:
        """Return groups with the given version spaces, or None if one of them has another format.

        The groups of this object are the whole class.
        """

    def __len__(self) -> int:
        return len(self.sizes)


def concept_groups(C: ConceptClass) -> ConceptGroups | None:
    """Return the concepts of a class as one group, or None if no format represents them.

    Examples
    --------
    >>> import catalog
    >>> groups = concept_groups(catalog.build("thresholds:n=2^64"))
    >>> groups, losses = groups.after(np.zeros(1, dtype=np.int64), [((9, 1), 1)])
    >>> losses.tolist(), groups.key(0), groups.sizes.tolist()[0]
    ([0, 1], <Thresholds on 18446744073709551616 points: start 0 to 9>, 10)
    >>> concept_groups(catalog.build("parities:n=2")) is None
    True
    """
    return ThresholdGroups.of(C) or PointGroups.of(C) or IntervalGroups.of(C)


def _sizes(sizes: Sequence[int]) -> Sizes:
    return np.array(sizes, dtype=np.uint64 if max(sizes) < 1 << 64 else object)


# ---- thresholds


class ThresholdGroups(ConceptGroups):
    """Thresholds in groups of consecutive starts.

    Parameters
    ----------
    C : ThresholdClass
        Finite class.
    bounds : list of int
        First start of each group in increasing order, and one more than the last start.
    sizes : array of integers
        Number of concepts in each group.
    """

    def __init__(self, C: ThresholdClass, bounds: list[int], sizes: Sizes) -> None:
        self._class, self._bounds, self.sizes = C, bounds, sizes

    @classmethod
    def of(cls, C: ConceptClass) -> ThresholdGroups | None:
        """Return the class as one group, if the class consists of finitely many thresholds."""
        if not isinstance(C, ThresholdClass) or C.last is None or C.is_empty:
            return None
        return cls(C, [C.first, C.last + 1], _sizes([C.last - C.first + 1]))

    def regrouped(self, keys: Sequence[ConceptClass]) -> ThresholdGroups | None:
        """Return groups with the given starts, or None if the starts are not consecutive."""
        bounds = [self._bounds[0]]
        for key in keys:
            if not isinstance(key, ThresholdClass) or key.last is None or key.first != bounds[-1]:
                return None
            bounds.append(key.last + 1)
        if bounds[-1] != self._bounds[-1]:
            return None
        return ThresholdGroups(self._class, bounds, _sizes([b - a for a, b in pairwise(bounds)]))

    def after(
        self, losses: NDArray[np.int64], examples: Examples
    ) -> tuple[ThresholdGroups, NDArray[np.int64]]:
        """Return the groups cut at the points of examples, and their losses."""
        groups, origins = self._cut(sorted({x + 1 for (x, _), _ in examples}))
        losses = losses.copy() if origins is None else np.repeat(losses, origins)
        bounds, count = groups._bounds, len(groups)
        changes = np.zeros(count + 1, dtype=np.int64)
        for (x, y), weight in examples:
            # Starts up to the point have label 1.
            ones = min(bisect_left(bounds, x + 1), count)
            changes[ones] += weight if y else -weight
            if not y:
                changes[0] += weight
        losses += changes.cumsum()[:-1]
        return groups, losses

    def _cut(self, cuts: list[int]) -> tuple[ThresholdGroups, NDArray[np.int64] | None]:
        """Return the groups after some cuts, and the number of parts of each earlier group."""
        low, high = self._bounds[0], self._bounds[-1]
        found = [(bisect_left(self._bounds, cut), cut) for cut in cuts if low < cut < high]
        found = [(place, cut) for place, cut in found if self._bounds[place] != cut]
        if not found:
            return self, None
        places, cuts = map(list, zip(*found, strict=True))
        if len(cuts) < FEW_CUTS:
            bounds = self._bounds.copy()
            for place, cut in zip(reversed(places), reversed(cuts), strict=True):
                bounds.insert(place, cut)
        else:
            bounds = sorted(self._bounds + cuts)
        parts = np.ones(len(self), dtype=np.int64)
        np.add.at(parts, np.array(places) - 1, 1)
        if self.sizes.dtype == object:
            return ThresholdGroups(
                self._class, bounds, _sizes([b - a for a, b in pairwise(bounds)])
            ), parts
        sizes: Sizes = np.repeat(self.sizes, parts)  # type: ignore[assignment]
        for i, place in enumerate(places):
            new = place + i
            sizes[new - 1] = bounds[new] - bounds[new - 1]
            sizes[new] = bounds[new + 1] - bounds[new]
        return ThresholdGroups(self._class, bounds, sizes), parts

    def key(self, position: int) -> ThresholdClass:
        """Return the thresholds of the group at a position, as a class."""
        first, stop = self._bounds[position : position + 2]
        return ThresholdClass(self._class.domain, first, stop - 1)


# ---- points


class PointGroups(ConceptGroups):
    """Sets of at most one point: one group per point observed so far, and one of all other sets.

    Parameters
    ----------
    C : CountedSets
        Class of the sets.
    places : dict
        Position of the group of each point, perhaps with points of later groups.
    points : list
        Points of the groups, in order, perhaps with points of later groups.
    others : CountedSets
        Sets without these points.
    sizes : array of integers
        Number of concepts in each group.
    """

    def __init__(
        self,
        C: CountedSets,
        places: dict[Point, int],
        points: list[Point],
        others: ConceptClass,
        sizes: Sizes,
    ) -> None:
        self._class, self._places, self._points = C, places, points
        self._others, self.sizes = others, sizes

    @classmethod
    def of(cls, C: ConceptClass) -> PointGroups | None:
        """Return the class as one group, or None if this format does not represent the class.

        The class must have finitely many concepts, at least two, each with label 1 at at most one
        point.
        """
        if not isinstance(C, CountedSets) or not C.has_single_points:
            return None
        return cls(C, {}, [], C, _sizes([C.size or 0]))

    def regrouped(self, keys: Sequence[ConceptClass]) -> PointGroups | None:
        """Return the groups of the given points, and last the group of the other sets."""
        *single, others = keys
        points = [x for key in single if key.size == 1 for x in _points_of(key)]
        groups = self._with(points)
        same = len(groups) == len(keys) and groups._others == others
        return (
            groups if same and all(groups.key(i) == key for i, key in enumerate(single)) else None
        )

    def after(
        self, losses: NDArray[np.int64], examples: Examples
    ) -> tuple[PointGroups, NDArray[np.int64]]:
        """Return the groups of concepts after some examples, and the loss of each group.

        Each point that occurs for the first time gets a new group.
        """
        groups = self._with([x for (x, _), _ in examples])
        new = len(groups) - len(self)
        losses = np.concatenate((losses, np.full(new, losses[-1])))
        for (x, y), weight in examples:
            ones = groups._place(x)
            if ones is None and groups._others._restrict(x, 0).is_empty:
                ones = len(groups) - 1
            if y:
                losses += weight
            if ones is not None:
                losses[ones] += -weight if y else weight
        return groups, losses

    def _with(self, points: Sequence[Point]) -> PointGroups:
        """Return the groups after some points."""
        others, new = self._others, []
        for x in dict.fromkeys(points):
            if self._place(x) is None:
                one, zero = others._restrict(x, 1), others._restrict(x, 0)
                if not one.is_empty and not zero.is_empty:
                    others = zero
                    new.append(x)
        if not new:
            return self
        kept, count = self._points, len(self) - 1
        places = self._places
        if len(kept) != count:
            kept = kept[:count]
            places = {x: i for i, x in enumerate(kept)}
        places.update((x, count + i) for i, x in enumerate(new))
        kept.extend(new)
        single = np.ones(count + len(new), dtype=np.uint64)
        last = _sizes([others.size or 0])
        sizes = np.concatenate((single.astype(last.dtype), last))
        return PointGroups(self._class, places, kept, others, sizes)

    def _place(self, x: Point) -> int | None:
        place = self._places.get(x)
        return place if place is not None and place < len(self) - 1 else None

    def key(self, position: int) -> ConceptClass:
        """Return the version space of the group at a position.

        The last group contains the sets without an observed exceptional point.
        """
        if position == len(self) - 1:
            return self._others
        return self._class._restrict(self._points[position], 1)


def _points_of(key: ConceptClass) -> tuple[Point, ...]:
    """Return the exceptional points of the only concept of a version space."""
    concept = key.sample(0)
    return concept.exceptional_points if isinstance(concept, AllBut) else ()


# ---- intervals


class IntervalGroups(ConceptGroups):
    """Intervals, grouped by the first and the last observed point that they contain.

    The last group contains the intervals without an observed point.

    Parameters
    ----------
    C : IntervalClass
        Class of the intervals.
    ends : array of uint64, shape (4, groups - 1)
        For each group of intervals that contain some point so far: the least first point, the
        largest first point, the least last point and the largest last point, from the start of the
        domain on.
    others : IntervalClass
        Intervals that contain no point so far.
    """

    def __init__(self, C: IntervalClass, ends: NDArray[np.uint64], others: ConceptClass) -> None:
        self._class, self._ends, self._others = C, ends, others

    @classmethod
    def of(cls, C: ConceptClass) -> IntervalGroups | None:
        """Return the class as one group, if it consists of intervals of at most 2^64 points."""
        if not isinstance(C, IntervalClass) or C.ends is not None or C.is_empty:
            return None
        if C.domain.size is None or C.domain.size > 1 << 64:
            return None
        return cls(C, np.empty((4, 0), dtype=np.uint64), C)

    def regrouped(self, keys: Sequence[ConceptClass]) -> IntervalGroups | None:
        """Return groups with the given ends, and last the group of the other intervals."""
        *some, others = keys
        ends = [key.ends for key in some if isinstance(key, IntervalClass)]
        start = self._class.domain.start
        columns = [[each - start for each in end] for end in ends if end is not None]
        if len(columns) != len(some) or not isinstance(others, IntervalClass):
            return None
        array = np.array(columns, dtype=np.uint64).reshape(-1, 4).T.copy()
        return IntervalGroups(self._class, array, others)

    @cached_property
    def sizes(self) -> Sizes:  # type: ignore[override]
        """Numbers of concepts: the products of the numbers of first and of last points."""
        low, left, right, high = self._ends
        one = np.uint64(1)
        firsts, lasts = left - low + one, high - right + one
        others = self._others.size or 0
        # A range of all 2^64 points does not occur in a group with a point so far and two ends.
        largest = float((firsts.astype(float) * lasts).max(initial=0))
        if max(largest, others) < 1 << 63:
            return np.append(firsts * lasts, np.uint64(others))
        products = firsts.astype(object) * lasts.astype(object)
        return np.append(products, np.array([others], dtype=object))

    def __len__(self) -> int:
        return int(self._ends.shape[1]) + 1

    def after(
        self, losses: NDArray[np.int64], examples: Examples
    ) -> tuple[IntervalGroups, NDArray[np.int64]]:
        """Return the groups split at the points of examples, and their losses."""
        start = self._class.domain.start
        ends, others, apart, last = self._ends, self._others, losses[:-1], int(losses[-1])
        for x in dict.fromkeys(x for (x, _), _ in examples):
            assert isinstance(x, int)
            ends, apart = _split_ends(ends, apart, np.uint64(x - start))
            one, zero = others._restrict(x, 1), others._restrict(x, 0)
            if not one.is_empty and not zero.is_empty:
                assert isinstance(one, IntervalClass) and one.ends is not None
                new = np.array([[each - start] for each in one.ends], dtype=np.uint64)
                ends, apart = np.append(ends, new, axis=1), np.append(apart, last)
                others = zero
        for (x, y), weight in examples:
            last += weight * (y != others._restrict(x, 0).is_empty)
        changes: dict[int, int] = {}
        wrong = 0
        for (x, y), weight in examples:
            assert isinstance(x, int)
            wrong += weight * y
            changes[x - start] = changes.get(x - start, 0) + (weight if y else -weight)
        points = np.array(sorted(changes), dtype=np.uint64)
        gained = np.cumsum([0, *(changes[x] for x in sorted(changes))])
        # A group contains the points from its largest first point to its least last point.
        inside = gained[points.searchsorted(ends[2], side="right")]
        inside = inside - gained[points.searchsorted(ends[1], side="left")]
        return (
            IntervalGroups(self._class, ends, others),
            np.append(apart + wrong - inside, last),
        )

    def key(self, position: int) -> ConceptClass:
        """Return the version space of the group at a position.

        The last group contains the intervals without an observed point.
        """
        if position == len(self) - 1:
            return self._others
        start = self._class.domain.start
        return self._class.with_ends(*(start + int(each) for each in self._ends[:, position]))


def _split_ends(
    ends: NDArray[np.uint64], losses: NDArray[np.int64], x: np.uint64
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Split groups of intervals with and without a point."""
    low, left, right, high = ends
    before, after = (low <= x) & (x < left), (right < x) & (x <= high)
    parts = 1 + (before | after)
    places = np.flatnonzero(before | after)
    if not len(places):
        return ends, losses
    split = np.repeat(ends, parts, axis=1)
    with_x = places + np.arange(len(places))
    starts = before[places]
    one = np.uint64(1)
    split[1, with_x[starts]], split[0, with_x[starts] + 1] = x, x + one
    split[2, with_x[~starts]] = x
    split[3, with_x[~starts] + 1] = x - one if x else x
    return split, np.repeat(losses, parts)
