"""Labellings of a range of integers that change their label finitely often."""

from __future__ import annotations

import itertools
import math
from bisect import bisect_right
from collections.abc import Hashable, Iterable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from catalog.closed_forms.on_demand import written
from lsclasses.domain import IntegerRange, OnDomain
from lsclasses.hypothesis import Constant, Hypothesis
from lsclasses.points import Label, Point
from lsclasses.stacks import GrowingArray, Listed, Stack, unsigned

STACKED_CHANGES = 16
"""Up to how many changes labellings are stacked."""


class Steps(OnDomain[IntegerRange], Hypothesis):
    """A labelling given by its first label and the points from which the label is another one.

    Parameters
    ----------
    domain : IntegerRange
    first : 0 or 1
        The label before the first change.
    changes : iterable of int
        Where the label changes, in any order; two changes at one point cancel. A change at or
        before the first point changes `first` instead, one beyond the last point nothing.

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
        """The sum of the two labellings modulo 2: 1 where they differ."""
        return Steps(self._domain, self.first ^ other.first, [*self.changes, *other.changes])

    def _stack(self) -> StepsStack | Listed:
        return StepsStack(self._domain) if len(self.changes) <= STACKED_CHANGES else Listed()

    def ones(self) -> Iterator[int]:
        """The points labelled 1, in order."""
        for start, stop in self._runs():
            yield from IntegerRange(start, stop)

    def _runs(self) -> Iterator[tuple[int, int | None]]:
        """The ranges of points labelled 1, in order; the last may have no end."""
        starts = [self._domain.start] * self.first + list(self.changes)
        ends = itertools.chain(starts[1::2], itertools.repeat(self._domain.stop))
        return zip(starts[::2], ends, strict=False)

    def ends(self) -> list[int]:
        """The points beside the changes, on both sides."""
        return [x for change in self.changes for x in (change - 1, change)]

    def __repr__(self) -> str:
        return f"Steps({self._domain!r}, {self.first}, {list(self.changes)})"


class StepsStack(Stack[Steps]):
    """Labellings of a range of integers by where they change.

    Parameters
    ----------
    domain : IntegerRange

    Notes
    -----
    Points count from the first one on. A change at c is kept as c - 1, which a point must exceed to
    lie behind it, so that no number is larger than the last point; and nothing exceeds the largest
    number of a type (or infinity), which stands for no change.
    """

    def __init__(self, domain: IntegerRange) -> None:
        self._start = domain.start
        self._dtype = unsigned(domain.size)
        self._never = math.inf if self._dtype is object else np.iinfo(self._dtype).max
        self._first = GrowingArray(np.bool_)
        self._before: list[GrowingArray] = []

    def accepts(self, h: Hypothesis) -> bool:
        """Whether the labelling changes a few times only."""
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
        """The labels of the labellings at a point."""
        assert isinstance(x, int)
        labels = self._first.array
        for before in self._before:
            labels = labels ^ (before.array < x - self._start)
        return labels


def _integers(points: Iterable[Point]) -> Iterator[int]:
    for x in points:
        assert isinstance(x, int)
        yield x
