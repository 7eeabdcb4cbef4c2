"""Thresholds on a range of integers of any size, or on all integers from some point on.

A version space is a range of starts. The concept of start i labels x with 1 iff x >= i. An example
cuts the range. The depth of the trees that a version space shatters depends only on its length.

Steps are labellings of a range of integers that change their label finitely often.
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import NDArray

from catalog.closed_forms.by_formula import ByFormula, grow_tree, written
from lsclasses.domain import IntegerRange, OnDomain
from lsclasses.error_histograms import CellHistogram, ErrorHistogram, Weights, label_weights
from lsclasses.errors import InfiniteDimension, InvalidInput, TooLarge
from lsclasses.hypothesis import Constant, Hypothesis
from lsclasses.packing import require_memory
from lsclasses.point_names import Label, Point
from lsclasses.random_integers import spread, uniform_below
from lsclasses.stacks import GrowingArray, Listed, Stack, unsigned
from lsclasses.table import Table

# ---- steps


STACKED_CHANGES = 16
"""Largest number of changes of a labelling that a `StepsStack` stores."""


class Steps(OnDomain[IntegerRange], Hypothesis):
    """A labelling given by its first label and the points where the label changes.

    Parameters
    ----------
    domain : IntegerRange
    first : 0 or 1
        Label before the first change.
    changes : iterable of int
        Points where the label changes, in any order. Two changes at one point cancel. A change at
        or before the first point changes `first` instead. A change beyond the last point has no
        effect.

    Examples
    --------
    >>> h = Steps(IntegerRange(0, 2**64), 0, [10, 20])
    >>> h(9), h(10), h(19), h(20)
    (0, 1, 1, 0)
    >>> h.disagreement(Steps(h.domain, 0, [10]))
    20
    """

    __slots__ = ("_domain", "changes", "first")

    def __init__(self, domain: IntegerRange, first: Label, changes: Iterable[int]) -> None:
        self._domain = domain
        kept: list[int] = []
        for x in sorted(changes):
            if x <= domain.start:
                first = 1 - first
            elif kept and kept[-1] == x:
                kept.pop()
            elif domain.stop is None or x < domain.stop:
                kept.append(x)
        self.first = first
        self.changes = tuple(kept)

    def _label(self, x: Point) -> Label:
        assert isinstance(x, int)
        return self.first ^ (bisect_right(self.changes, x) & 1)

    def _extension(self) -> Hashable:
        return "steps", self.first, self.changes

    def _patched_extension(self, patches: Mapping[Point, Label]) -> Hashable:
        return self._changed_at(patches)._extension()

    def _canonical(self, patches: Mapping[Point, Label]) -> Steps:
        return self._changed_at(x for x, y in patches.items() if y != self._label(x))

    def _changed_at(self, points: Iterable[Point]) -> Steps:
        ends = itertools.chain.from_iterable((x, x + 1) for x in _integers(points))
        return Steps(self._domain, self.first, [*self.changes, *ends])

    def _disagreements(self, other: Hypothesis) -> Iterator[Point]:
        other = written(other)
        if isinstance(other, Constant):
            other = Steps(self._domain, other.label, ())
        if not isinstance(other, Steps):
            return super()._disagreements(other)
        return self._sum(other).ones()

    def _distance(self, other: Hypothesis) -> int:
        other = written(other)
        if isinstance(other, Constant):
            other = Steps(self._domain, other.label, ())
        if not isinstance(other, Steps):
            return super()._distance(other)
        return sum(stop - start for start, stop in self._sum(other)._runs() if stop is not None)

    def _sum(self, other: Steps) -> Steps:
        """Return the sum of the two labellings modulo 2, which is 1 where they differ."""
        return Steps(self._domain, self.first ^ other.first, [*self.changes, *other.changes])

    def _stack(self) -> StepsStack | Listed:
        return StepsStack(self._domain) if len(self.changes) <= STACKED_CHANGES else Listed()

    def ones(self) -> Iterator[int]:
        """Yield the points with label 1, in increasing order."""
        for start, stop in self._runs():
            yield from IntegerRange(start, stop)

    def _runs(self) -> Iterator[tuple[int, int | None]]:
        """Yield the ranges of points labelled 1, in order, where the last may have no end."""
        starts = [self._domain.start] * self.first + list(self.changes)
        ends = itertools.chain(starts[1::2], itertools.repeat(self._domain.stop))
        return zip(starts[::2], ends, strict=False)

    def ends(self) -> list[int]:
        """Return the points next to a change of the label, on both sides."""
        return [x for change in self.changes for x in (change - 1, change)]

    def __repr__(self) -> str:
        return f"Steps({self._domain!r}, {self.first}, {list(self.changes)})"


class StepsStack(Stack[Steps]):
    """A stack of labellings of a range of integers, stored as the points where labels change.

    Parameters
    ----------
    domain : IntegerRange

    Notes
    -----
    Points count from the first point on. A change at c is stored as c - 1, because a point after
    the change must exceed c - 1. So no stored number is larger than the last point. The largest
    number of a type (or infinity) represents no change, because no point exceeds it.
    """

    def __init__(self, domain: IntegerRange) -> None:
        self._start = domain.start
        self._dtype = unsigned(domain.size)
        self._never = math.inf if self._dtype is object else np.iinfo(self._dtype).max
        self._first = GrowingArray(np.bool_)
        self._before: list[GrowingArray] = []

    def accepts(self, h: Hypothesis) -> bool:
        """Return whether this stack can store a labelling, which must have few changes."""
        return isinstance(h, Steps) and len(h.changes) <= STACKED_CHANGES

    def append(self, h: Steps) -> None:
        """Put a labelling on the stack."""
        changes = [change - self._start - 1 for change in h.changes]
        while len(self._before) < len(changes):
            none = GrowingArray(self._dtype)
            none.fill(self._never, len(self._first.array))
            self._before.append(none)
        self._first.append(h.first)
        padded = itertools.chain(changes, itertools.repeat(self._never))
        for before, change in zip(self._before, padded, strict=False):
            before.append(change)

    def labels(self, x: Point) -> NDArray[np.bool_]:
        """Return the labels of the labellings at a point."""
        assert isinstance(x, int)
        labels = self._first.array
        for before in self._before:
            labels = labels ^ (before.array < x - self._start)
        return labels


def _integers(points: Iterable[Point]) -> Iterator[int]:
    for x in points:
        assert isinstance(x, int)
        yield x


# ---- thresholds


INFINITE: Final = frozenset({"ldim", "dual_ldim", "threshold_dim", "randomized_ldim"})
"""Names of the dimensions that are infinite for infinitely many thresholds."""


class ThresholdClass(OnDomain[IntegerRange], ByFormula):
    """The concepts that are 1 from a start on, for a range of starts.

    Parameters
    ----------
    domain : IntegerRange
    first : int
        Least start. The first point of the domain, or less, gives the constant 1.
    last : int, optional
        Largest start. One more than the last point gives the constant 0. On an infinite domain, the
        default is that no largest start exists.
    zeros : bool
        Whether the constant 0 belongs to a class without largest start.

    Notes
    -----
    Ldim is floor(log2 m) for m starts (Littlestone 1988), and infinite for infinitely many. The
    SOA's rule is a threshold itself. With infinitely many starts it predicts 0 everywhere, since
    the label 1 leaves finitely many.

    Examples
    --------
    >>> C = ThresholdClass(IntegerRange(0, 2**64 - 1), 0, 2**64 - 1)
    >>> C.ldim(), C.restrict(2**63 - 1, 1).ldim(), C.soa()(2**63 - 1), C.soa()(2**63)
    (64, 63, 0, 1)
    """

    __slots__ = ("_domain", "first", "last", "zeros")

    def __init__(
        self, domain: IntegerRange, first: int, last: int | None = None, *, zeros: bool = False
    ) -> None:
        if last is None and domain.stop is not None:
            raise InvalidInput(
                "Thresholds on a finite domain need a largest start, at most "
                f"{domain.stop}, which gives the constant 0. Got none."
            )
        self._domain = domain
        self.first = max(first, domain.start)
        self.last = last if last is None or domain.stop is None else min(last, domain.stop)
        if self.last is not None and self.first > self.last:
            self.first, self.last = domain.start + 1, domain.start
        self.zeros = zeros and last is None

    @property
    def _state(self) -> tuple[int, int | None, bool]:
        return self.first, self.last, self.zeros

    def _is_empty(self) -> bool:
        return self.last is not None and self.first > self.last

    def _size(self) -> int | None:
        return None if self.last is None else self.last - self.first + 1

    def _leaving(self) -> Iterator[tuple[Point, Label]]:
        if self.first > self._domain.start:
            yield self.first - 1, 0
        if self.last is not None and self.last in self._domain:
            yield self.last, 1

    def _restrict(self, x: Point, y: Label) -> ThresholdClass:
        assert isinstance(x, int)
        if y:
            if self.last is not None and self.last <= x:
                return self
            return ThresholdClass(self._domain, self.first, x)
        if x < self.first:
            return self
        return ThresholdClass(self._domain, x + 1, self.last, zeros=self.zeros)

    def __repr__(self) -> str:
        size, start, stop = self._domain.size, self._domain.start, self._domain.stop
        points = f"{size} points" if start == 0 else f"{start}, ..., {(stop or 0) - 1}"
        if stop is None:
            points = f"{start}, {start + 1}, ..."
        if self._is_empty():
            return f"<Thresholds on {points}: none left>"
        if self.last is None:
            also = " or never" if self.zeros else ""
            return f"<Thresholds on {points}: start {self.first} or later{also}>"
        return f"<Thresholds on {points}: start {self.first} to {self.last}>"

    # ---- dimensions

    def _has_proper_soa(self) -> bool:
        # As the point grows, the version space after 1 grows and the version space after 0 shrinks.
        # Below the first start only 0 is possible, from the last start on only 1. So the rule's
        # start is in between.
        return self.last is not None

    def _formula(self, dimension: str) -> int | Fraction | None:
        m = self._size()
        if m is None and dimension in INFINITE:
            raise InfiniteDimension(f"The dimension {dimension!r} of {self!r} is infinite.")
        if m is None and "teaching" in dimension:
            return None
        constants = (self.first > self._domain.start) + self._is_one_somewhere()
        most = 2 if m is None else m - 1
        match dimension:
            case "ldim":
                return _floor_log2(m)
            case "vcdim" | "recursive_teaching_dim":
                return min(1, most)
            case "star_number" | "teaching_dim":
                return min(2, most)
            case "hollow_star_number":
                # Two labels 1, 0 in this order, or a label that contradicts a constant point.
                return 2 if most >= 2 else min(1, constants)
            case "dual_ldim":
                return _floor_log2(most + constants)
            case "dual_vcdim":
                return min(1, most + constants - 1)
            case "threshold_dim":
                return most + self._is_one_somewhere()
            case "randomized_ldim":
                # Filmus, Hanneke, Mehalel and Moran 2023: it is linear in m between powers of two.
                depth = _floor_log2(m)
                return Fraction(depth, 2) + Fraction(most + 1 - 2**depth, 2 ** (depth + 1))
            case _:
                return None

    def _is_one_somewhere(self) -> bool:
        """Return whether all concepts are 1 at some point."""
        stop = self._domain.stop
        return self.last is not None and (stop is None or self.last < stop)

    def _ldim_after_one(self) -> int | None:
        # The last point is 1 in all concepts except the constant 0.
        if self._is_one_somewhere():
            return self.ldim()
        return None if self.last is None else _floor_log2(self.last - self.first)

    # ---- the Standard Optimal Algorithm

    def _soa(self) -> Steps:
        m = self._size()
        if m is None or m == 0:
            return Steps(self._domain, 0, ())
        return Steps(self._domain, 0, (self.first - 1 + least_majority(m),))

    def _soa_label(self, x: Point) -> Label:
        return self._soa()._label(x)

    def _shattered_tree(self) -> tuple[Point, ...]:
        return grow_tree(self, lambda left, d: left.first - 1 + 2 ** (d - 1))

    def _part_of_depth(self, depth: int) -> ThresholdClass:
        # The first 2^depth starts.
        return ThresholdClass(self._domain, self.first, self.first + 2**depth - 1)

    def _splitting_point(self) -> Point:
        return self.first - 1 + (1 << self.ldim() - 1)

    # ---- enumeration and sampling

    def _contains_zero(self) -> bool:
        return self.zeros or (self.last is not None and self.last == self._domain.stop)

    def _error_histogram(self, weights: Weights, rows: int) -> ErrorHistogram:
        assert self.last is not None
        points = sorted(label_weights(weights).items())
        starts = range(self.first, self.last + 1)

        def member(cell: range, rng: np.random.Generator) -> Steps:
            return Steps(self._domain, 0, (uniform_in(cell, rng),))

        return CellHistogram(threshold_cells(points, starts), member)

    def _majority_vote(self) -> Steps | None:
        m = self._size()
        # More than half of m consecutive starts are at most x.
        return Steps(self._domain, 0, (self.first + m // 2,)) if m else None

    def _lists_labellings(self) -> bool:
        return self.last is not None

    def _best_of_labellings(
        self, points: Sequence[Point], weights: Weights
    ) -> Iterator[tuple[Hypothesis, int]]:
        assert self.last is not None
        # Thresholds between the same two of the points label all points equally. Together with
        # the sample, the points cut the starts into cells, in which all errors are equal, too.
        rows = {x: [0, 0] for x in points} | label_weights(weights)
        cells = threshold_cells(sorted(rows.items()), range(self.first, self.last + 1))
        ends = sorted({x for x in points if isinstance(x, int)})
        groups = itertools.groupby(
            (cell for cell in cells if cell[1]), lambda cell: bisect_left(ends, cell[2].start)
        )
        for _, group in groups:
            errors, _, starts = min(group, key=lambda cell: cell[0])
            yield Steps(self._domain, 0, (starts.start,)), errors

    def _to_table(self) -> Table:
        m = self._size()
        start, stop = self._domain.start, self._domain.stop
        if m is None or stop is None:
            raise TooLarge(f"{self!r} is infinite and cannot be written out as a table.")
        require_memory(max(m, 1), stop - start, repr(self))
        starts = range(self.first, self.first + m)
        labels = np.arange(start, stop)[None, :] >= np.array(starts)[:, None]
        return Table(labels, domain=range(start, stop), concepts=starts)

    def _sample(self, rng: np.random.Generator) -> Steps:
        """Return a uniform concept. Without largest start, `spread` draws the distance."""
        m = self._size()
        later = spread(rng) if m is None else uniform_below(rng, m)
        return Steps(self._domain, 0, (self.first + later,))

    def _sample_point(self, rng: np.random.Generator, target: Hypothesis) -> int:
        """Return a uniform point, or a point near the target's start at any scale, half each."""
        return point_near_change(self._domain, rng, target)


def threshold_cells(
    points: Iterable[tuple[Point, Sequence[int]]], starts: range
) -> Iterator[tuple[int, int, range]]:
    """Yield the numbers of errors of thresholds on a sample.

    Each result consists of a number of errors, the number of starts in a range, and the range.
    Every start in the range has this number of errors.

    Parameters
    ----------
    points : iterable of (int, (int, int))
        Points of the sample in increasing order, each with its rows labelled 0 and labelled 1.
    starts : range
        Starts of the thresholds.

    Examples
    --------
    >>> list(threshold_cells([(2, (0, 3)), (4, (1, 0))], range(6)))
    [(1, 3, range(0, 3)), (4, 2, range(3, 5)), (3, 1, range(5, 6))]
    """
    points = list(points)
    # The threshold of start s errs on the ones before s and on the zeros from s on. Between two
    # points of the sample, all starts have equal errors.
    errors = sum(zeros for _, (zeros, _) in points)
    first = starts.start
    for x, (zeros, ones) in points:
        assert isinstance(x, int)
        stop = max(first, min(x + 1, starts.stop))
        yield errors, stop - first, range(first, stop)
        first = stop
        errors += ones - zeros
    yield errors, starts.stop - first, range(first, starts.stop)


def uniform_in(starts: range, rng: np.random.Generator) -> int:
    """Return a uniformly random number of a range of consecutive integers."""
    return starts.start + uniform_below(rng, starts.stop - starts.start)


def least_majority(m: int) -> int:
    """Return the least number of thresholds with label 1 for which the SOA predicts 1.

    For m >= 1 thresholds, the number is the least a with floor(log2 a) > floor(log2(m - a)), where
    log2(0) counts as -1.

    Examples
    --------
    >>> [least_majority(m) for m in range(1, 9)]
    [1, 2, 2, 3, 4, 4, 4, 5]
    """
    if m == 1:
        return 1
    # With 2^d <= m < 2^(d+1), either a has as many digits as m, or one less and m - a two less.
    d = _floor_log2(m)
    return min(1 << d, m + 1 - (1 << d - 1))


def point_near_change(domain: IntegerRange, rng: np.random.Generator, target: Hypothesis) -> int:
    """Return a random point for a stream: uniform, or near a change of the target's label.

    On an infinite domain, `spread` replaces the uniform distribution.
    """
    changes = target.changes if isinstance(target, Steps) else ()
    if changes and rng.integers(2):
        change = changes[int(rng.integers(len(changes)))]
        x = change + spread(rng) if rng.integers(2) else change - 1 - spread(rng)
        if x in domain:
            return x
    if domain.stop is None:
        return domain.start + spread(rng)
    return domain.start + uniform_below(rng, domain.stop - domain.start)


def _floor_log2(m: int | None) -> int:
    assert m is not None
    return m.bit_length() - 1
