"""Intervals on a range of integers of any size.

Before the first label 1, the zeros cut the line into gaps, and the version space consists of the
intervals inside a gap. After a label 1, both ends are thresholds that are independent of each
other.

The zeros are stored in immutable sets (`catalog.closed_forms.cuts`).
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections.abc import Hashable, Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from catalog.closed_forms.by_formula import RuleOnDemand, WritesRules, grow_tree, stated_value
from catalog.closed_forms.cuts import CutSet
from catalog.closed_forms.exceptions import listed
from catalog.closed_forms.interval_errors import errors_in_gaps, errors_of_ends
from catalog.closed_forms.thresholds import Steps, ThresholdClass, least_majority, point_near_change
from lsclasses.domain import IntegerRange, OnDomain
from lsclasses.error_histograms import ErrorHistogram, Weights
from lsclasses.errors import InvalidInput
from lsclasses.hypothesis import Hypothesis
from lsclasses.packing import require_memory
from lsclasses.point_names import Label, Point
from lsclasses.random_integers import uniform_below
from lsclasses.table import Table


class Gaps(NamedTuple):
    """The version space of intervals while every observed label is 0.

    Attributes
    ----------
    cuts : CutSet
        Zeros, with the places before the first and after the last point. Between neighbouring cuts
        at a distance s ("a stick of length s") are s - 1 points.
    empty : bool
        Whether the empty set is a concept.
    """

    cuts: CutSet
    empty: bool


class Ends(NamedTuple):
    """The version space of intervals after a label 1.

    The first points are `low`, ..., `left`, and the last points are `right`, ..., `high`.
    """

    low: int
    left: int
    right: int
    high: int

    @property
    def choices(self) -> tuple[int, int]:
        """Number of possible first points, and number of possible last points."""
        return self.left - self.low + 1, self.high - self.right + 1


class IntervalClass(OnDomain[IntegerRange], WritesRules):
    """The intervals of a finite range of integers, with or without the empty set.

    Parameters
    ----------
    domain : IntegerRange
        Finite range of integers.
    empty : bool
        Whether the empty set is a concept.

    Raises
    ------
    InvalidInput
        If the domain is infinite.

    Notes
    -----
    *After a 1*, the class is a product of two classes of thresholds, one for each end. Their
    dimensions add up to floor(log2 u) + floor(log2 v) for u first points and v last points.

    *Before a 1*, see `ldim_of_sticks`. The SOA then predicts 1 only in a gap such that fewer than
    two other gaps are at least as long. Two such gaps by themselves would shatter deeper trees than
    the version space after a 1 in the gap.

    Examples
    --------
    >>> C = IntervalClass(IntegerRange(0, 2**64))
    >>> C.ldim(), C.restrict(2**63, 1).ldim(), C.restrict(2**63, 0).ldim()
    (126, 126, 125)
    >>> C.soa()(2**62), C.soa()(2**63)
    (0, 1)
    """

    __slots__ = ("_count", "_domain", "_left", "_start", "_stop")

    writes_quickly = True

    def __init__(self, domain: IntegerRange, *, empty: bool = True) -> None:
        if domain.stop is None:
            raise InvalidInput("Intervals need a finite range of integers. Got an infinite range.")
        n = domain.stop - domain.start
        self._domain = domain
        self._start, self._stop = domain.start, domain.stop
        cuts = CutSet(self._start - 1, self._stop)
        self._assign(Gaps(cuts, empty), n * (n + 1) // 2 + empty)

    def _assign(self, left: Gaps | Ends | None, count: int) -> None:
        if isinstance(left, Gaps) and count == 1 and not left.empty:
            # One interval is left, which contains only the one point not yet seen.
            x = next(left.cuts.gaps_of(2))[0] + 1
            left = Ends(x, x, x, x)
        self._left = left if count else None
        self._count = count

    def _of(self, left: Gaps | Ends | None, count: int) -> IntervalClass:
        other: IntervalClass = IntervalClass.__new__(IntervalClass)
        other._domain, other._start, other._stop = self._domain, self._start, self._stop
        other._assign(left, count)
        return other

    @property
    def ends(self) -> Ends | None:
        """The possible ends after a label 1, or None before a label 1."""
        return self._left if isinstance(self._left, Ends) else None

    def with_ends(self, low: int, left: int, right: int, high: int) -> IntervalClass:
        """Return the intervals that start in low, ..., left and end in right, ..., high."""
        return self._of(Ends(low, left, right, high), (left - low + 1) * (high - right + 1))

    def _is_empty(self) -> bool:
        return not self._count

    def _size(self) -> int:
        return self._count

    def _leaving(self) -> Iterator[tuple[Point, Label]]:
        left = self._left
        if isinstance(left, Gaps):
            yield from ((x, 0) for x in list(left.cuts)[1:-1])
        elif left is not None:
            yield from ((x, 0) for x in (left.low - 1, left.high + 1) if x in self._domain)
            yield from ((x, 1) for x in (left.left, left.right))

    def _restrict(self, x: Point, y: Label) -> IntervalClass:
        assert isinstance(x, int)
        left = self._left
        if left is None:
            return self
        if isinstance(left, Ends):
            return self._restrict_ends(left, x, y)
        before, after = left.cuts.around(x)
        if after == x:
            return self._of(None, 0) if y else self
        containing = (x - before) * (after - x)
        if y:
            return self._of(Ends(before + 1, x, x, after - 1), containing)
        return self._of(Gaps(left.cuts.with_cut(x), left.empty), self._count - containing)

    def _restrict_ends(self, ends: Ends, x: int, y: Label) -> IntervalClass:
        if ends.left <= x <= ends.right:
            return self if y else self._of(None, 0)
        if not ends.low <= x <= ends.high:
            return self._of(None, 0) if y else self
        if x < ends.left:
            ends = ends._replace(left=x) if y else ends._replace(low=x + 1)
        else:
            ends = ends._replace(right=x) if y else ends._replace(high=x - 1)
        u, v = ends.choices
        return self._of(ends, u * v)

    @property
    def _state(self) -> Hashable:
        return self._count, self._left, type(self._left)

    def __repr__(self) -> str:
        n = self._stop - self._start
        text = f"<Intervals on {n} point{'' if n == 1 else 's'}"
        if self._start:
            text += f" from {self._start} on"
        match self._left:
            case None:
                return text + ": none left>"
            case Ends(low, left, right, high):
                return text + f": from {low}..{left} to {right}..{high}>"
            case Gaps(cuts, empty):
                text += ", or none" if empty else ""
                avoided = listed(list(cuts)[1:-1])
                return text + (f", avoiding {avoided}>" if avoided else ">")

    # ---- dimensions

    def _formula(self, dimension: str) -> int | Fraction | None:
        if isinstance(self._left, Ends):
            return _of_two_thresholds(*self._left.choices, dimension)
        assert self._left is not None
        cuts, empty = self._left
        if dimension == "ldim":
            return ldim_of_sticks(cuts.longest[-2:], empty=empty)
        n = self._stop - self._start
        if dimension == "vcdim":
            # Two neighbours, and a concept that contains neither of them.
            if cuts.longest[-1] >= 3 and (empty or n - (len(cuts) - 2) >= 3):
                return 2
            return min(1, self._count - 1)
        if len(cuts) == 2:
            return stated_value("intervals", dimension, n=n, k=1, empty=int(empty))
        return None

    def _ldim_after_one(self) -> int:
        if isinstance(self._left, Gaps) and self._left.cuts.longest[-1] > 1:
            return _heaviest_cut(self._left.cuts.longest[-1])
        return self.ldim() if isinstance(self._left, Ends) else -1

    # ---- the Standard Optimal Algorithm

    def _soa(self) -> Hypothesis:
        match self._left:
            case Ends(low, _, _, high) as ends:
                u, v = ends.choices
                first, last = low - 1 + least_majority(u), high + 1 - least_majority(v)
                return Steps(self._domain, 0, (first, last + 1))
            case Gaps():
                return RuleOnDemand(self)
            case _:
                return Steps(self._domain, 0, ())

    def _soa_label(self, x: Point) -> Label:
        assert isinstance(x, int)
        if not isinstance(self._left, Gaps):
            return self._soa()._label(x)
        cuts, empty = self._left
        before, after = cuts.around(x)
        if after == x:
            return 0
        a, b = x - before, after - x
        # Sticks other than the three longest sticks do not matter after one stick is cut.
        longest = _replaced(cuts.longest, a + b, (a, b))
        return int(_log2s(a, b) > ldim_of_sticks(longest[-2:], empty=empty))

    def _written_rule(self) -> Steps:
        assert isinstance(self._left, Gaps)
        changes: list[int] = []
        cuts = self._left.cuts
        for length in set(cuts.longest):
            # If two others are at least as long, the rule is 0 in the whole gap.
            if length > 1 and sum(other >= length for other in cuts.longest) <= 2:
                for before, after in cuts.gaps_of(length):
                    changes += self._changes(before, after)
        return Steps(self._domain, 0, changes)

    def _changes(self, before: int, after: int) -> list[int]:
        """Return the points where the SOA's rule changes between two cuts, at which it is 0."""
        changes: list[int] = []
        for x in _pieces(before, after):
            if self._soa_label(x) != len(changes) % 2:
                changes.append(x)
        return changes + [after] * (len(changes) % 2)

    def _shattered_tree(self) -> tuple[Point, ...]:
        return grow_tree(self, IntervalClass._split)

    def _splitting_point(self) -> int:
        return self._split(self.ldim())

    def _split(self, d: int) -> int:
        """Return a point both of whose labels leave Ldim at least d - 1, for Ldim at least d."""
        left = self._left
        if isinstance(left, Ends):
            u, v = left.choices
            if u > 1:
                return left.low - 1 + (1 << u.bit_length() - 2)
            return left.high + 1 - (1 << v.bit_length() - 2)
        assert left is not None
        before, after = next(left.cuts.gaps_of(left.cuts.longest[-1]))
        return next(
            x
            for x in _pieces(before, after)
            if min(self._restrict(x, 0).ldim(), self._restrict(x, 1).ldim()) >= d - 1
        )

    # ---- enumeration and sampling

    def _contains_zero(self) -> bool:
        return isinstance(self._left, Gaps) and self._left.empty

    def _error_histogram(self, weights: Weights, rows: int) -> ErrorHistogram:
        if isinstance(self._left, Ends):
            low, left, right, high = self._left
            ends = range(low, left + 1), range(right, high + 1)
            return errors_of_ends(self._domain, *ends, weights)
        assert self._left is not None
        return errors_in_gaps(self._domain, self._left.cuts, weights, empty=self._left.empty)

    def _to_table(self) -> Table:
        n = self._stop - self._start
        require_memory(max(self._count, 1), n, repr(self))
        concepts = list(self._concepts())
        labels = np.zeros((len(concepts), n), dtype=bool)
        for row, (first, last) in zip(labels, concepts, strict=True):
            row[first - self._start : last + 1 - self._start] = True
        names = [((first, last),) if first <= last else () for first, last in concepts]
        points = range(self._start, self._stop)
        return Table(labels, domain=points, concepts=names)

    def _concepts(self) -> Iterator[tuple[int, int]]:
        """Yield first and last points of all concepts, (start, start - 1) for the empty set."""
        match self._left:
            case Ends(low, left, right, high):
                yield from itertools.product(range(low, left + 1), range(right, high + 1))
            case Gaps(cuts, empty):
                if empty:
                    yield self._start, self._start - 1
                for before, after in itertools.pairwise(cuts):
                    for first in range(before + 1, after):
                        yield from ((first, last) for last in range(first, after))

    def _sample(self, rng: np.random.Generator) -> Steps:
        match self._left:
            case Ends(low, _, right, _) as ends:
                u, v = ends.choices
                first, last = low + uniform_below(rng, u), right + uniform_below(rng, v)
                return Steps(self._domain, 0, (first, last + 1))
            case Gaps(cuts, empty):
                index = uniform_below(rng, self._count) - empty
                for before, after in itertools.pairwise(cuts):
                    if index < 0:
                        break
                    length = after - before
                    index -= length * (length - 1) // 2
                    if index < 0:
                        ends_at: set[int] = set()
                        while len(ends_at) < 2:
                            ends_at = {before + 1 + uniform_below(rng, length) for _ in range(2)}
                        return Steps(self._domain, 0, ends_at)
        return Steps(self._domain, 0, ())

    def _sample_point(self, rng: np.random.Generator, target: Hypothesis) -> int:
        """Return a uniform point, or a point near an end of the target at any scale, half each."""
        return point_near_change(self._domain, rng, target)


def ldim_of_sticks(longest: Iterable[int], *, empty: bool) -> int:
    """Return the Littlestone dimension of the intervals in some gaps.

    A gap is a maximal run of points without an example. Only the two longest gaps matter.

    Parameters
    ----------
    longest : iterable of int
        Lengths of the two longest sticks, or of the only stick. A gap of g points has length g + 1.
    empty : bool
        Whether the empty set is also a concept.

    Notes
    -----
    A point x of a gap cuts its stick into parts of lengths u and v. The label 1 leaves u * v
    intervals, a product of thresholds, of dimension floor(log2 u) + floor(log2 v). The label 0
    leaves the intervals in the parts. The weight of the cut is floor(log2 u) + floor(log2 v). So
    dimension d means d cuts in turn. The first cut has weight at least d - 1, the next cut at least
    d - 2, and so on. After the last cut, a concept is left.

    A cut of weight w = 2h needs a stick of length 2 * 2^h. A cut of weight 2h + 1 needs a stick of
    length 3 * 2^h. Let s and t be the longest and the second stick, and let the first cut have
    weight w >= 2. If w = 2h and s < 5/2 * 2^h, both parts must have length at least 2^h. So both
    are shorter than 3/2 * 2^h and too short for the next cut, and t >= 3/2 * 2^h is needed. This is
    sufficient: after a cut of t, there are three sticks of length 2^h. One serves for weight
    2h - 2, and another for all cuts that follow. If w = 2h + 1 and s < 7/2 * 2^h, the parts have
    lengths of at least 2^h and 2 * 2^h. The longer part serves for the next cut, in the middle. All
    parts are then shorter than 3/2 * 2^h, too short for the third cut. The stick t could replace
    one of them, again if t >= 3/2 * 2^h. Then the argument is as before. A longer stick serves for
    all cuts by itself. With 7/2 * 2^h, a cut of weight 2h + 1 leaves 5/2 * 2^h. From 5/2 * 2^h,
    cuts of weights 2h and 2h - 1 take 2^(h-1) each and leave 3/2 * 2^h, more than the
    5/2 * 2^(h-1) that weight 2h - 2 needs. A stick of length s has these lengths for the weights
    below the largest weight of a cut of the stick.

    For w < 2, all this holds without the empty set, because then a stick must be left in the end.
    With the empty set, a stick of length w + 2 is enough.

    Examples
    --------
    >>> ldim_of_sticks([8], empty=True), ldim_of_sticks([8, 6], empty=True)
    (4, 5)
    """
    t, s = sorted([1, 1, *longest])[-2:]
    if s < 2:
        return 0 if empty else -1
    w = _heaviest_cut(s)
    half = 1 << w // 2
    alone = 7 * half if w % 2 else 5 * half
    enough = 2 * s >= alone or 2 * t >= 3 * half or (empty and w < 2)
    return w + 1 if enough else w


def _heaviest_cut(length: int) -> int:
    """Return the largest floor(log2 u) + floor(log2 v) for parts u, v of a stick of length >= 2."""
    h = length.bit_length() - 2
    return 2 * h + (length >= 3 << h)


def _replaced(ascending: tuple[int, ...], old: int, new: Iterable[int]) -> tuple[int, ...]:
    """Return the sorted tuple without `old`, if it occurs, and with the new elements."""
    kept = list(ascending)
    i = bisect_left(kept, old)
    if i < len(kept) and kept[i] == old:
        del kept[i]
    for length in new:
        kept.insert(bisect_left(kept, length), length)
    return tuple(kept)


def _pieces(before: int, after: int) -> list[int]:
    """Return points of a gap between which the dimensions after either label do not change.

    The dimensions depend on whether the parts of the stick reach 1, 3/2, 5/2 or 7/2 times a power
    of two.
    """
    length = after - before
    found = set()
    for factor in (1, 3, 5, 7):
        for power in range(length.bit_length()):
            size = factor << power
            found |= {before + size, after - size + 1}
    return sorted(x for x in found if before < x < after)


def _log2s(u: int, v: int) -> int:
    return u.bit_length() + v.bit_length() - 2


def _of_two_thresholds(u: int, v: int, dimension: str) -> int | Fraction | None:
    """Return the value of an additive dimension for a product of u and v thresholds."""
    additive = ("ldim", "vcdim", "randomized_ldim", "star_number", "teaching_dim")
    if dimension not in additive:
        return None
    parts = [ThresholdClass(IntegerRange(0, m), 0, m - 1)._closed_form(dimension) for m in (u, v)]
    return None if None in parts else sum(part for part in parts if part is not None)
