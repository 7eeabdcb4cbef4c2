"""Indicators of boxes of a grid, products of ranges of integers."""

from __future__ import annotations

import heapq
import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import NamedTuple

from lsclasses.domain import IntegerGrid, OnDomain, lattice_points
from lsclasses.hypothesis import Constant, Hypothesis, require_enumerable
from lsclasses.point_names import Label, Point


class Box(NamedTuple):
    """A box of a grid, which contains at least one point.

    Attributes
    ----------
    first, last : tuple of int
        Least and greatest entries of its points.
    """

    first: tuple[int, ...]
    last: tuple[int, ...]

    @property
    def ranges(self) -> list[range]:
        """The range of the values of the box's points, for each axis."""
        return [range(a, b + 1) for a, b in zip(self.first, self.last, strict=True)]

    @property
    def size(self) -> int:
        """The number of points of the box."""
        return math.prod(b + 1 - a for a, b in zip(self.first, self.last, strict=True))

    def contains(self, other: Box) -> bool:
        """Return whether all points of another box belong to this box."""
        inside = zip(self.first, other.first, other.last, self.last, strict=True)
        return all(a <= b and c <= d for a, b, c, d in inside)


def point_box(x: Point) -> Box:
    """Return the box of a single point."""
    assert isinstance(x, tuple)
    return Box(x, x)


def hull(box: Box | None, other: Box) -> Box:
    """Return the least box that contains two boxes, or the second box if the first is None.

    Examples
    --------
    >>> hull(Box((2, 2), (3, 3)), point_box((0, 3)))
    Box(first=(0, 2), last=(3, 3))
    """
    if box is None:
        return other
    return Box(
        tuple(map(min, box.first, other.first)),
        tuple(map(max, box.last, other.last)),
    )


class BoxIndicator(OnDomain[IntegerGrid], Hypothesis):
    """The labelling that is 1 in a box of a grid, or nowhere.

    Parameters
    ----------
    domain : IntegerGrid
        Grid whose points are labelled.
    box : Box or None
        Box of the points with label 1, or None if all labels are 0.

    Examples
    --------
    >>> h = BoxIndicator(IntegerGrid(2**64, 2**64), Box((3, 4), (9, 9)))
    >>> h((3, 9)), h((2, 9)), h.distance(BoxIndicator(h.domain, None))
    (1, 0, 42)
    """

    __slots__ = ("_domain", "box")

    def __init__(self, domain: IntegerGrid, box: Box | None) -> None:
        self._domain, self.box = domain, box

    def _label(self, x: Point) -> Label:
        if self.box is None:
            return 0
        assert isinstance(x, tuple)
        first, last = self.box
        return int(all(a <= e <= b for a, e, b in zip(first, x, last, strict=True)))

    def _extension(self) -> Hashable:
        return "box", self.box

    def _patched_extension(self, patches: Mapping[Point, Label]) -> Hashable:
        changed = self._changed(patches)
        return changed if isinstance(changed, frozenset) else changed._extension()

    def _canonical(self, patches: Mapping[Point, Label]) -> Hypothesis:
        changed = self._changed(patches)
        if isinstance(changed, BoxIndicator):
            return changed
        return super()._canonical(patches)

    def _changed(self, patches: Mapping[Point, Label]) -> BoxIndicator | frozenset[Point]:
        """Return the labelling with changed points as a box, or as the set of its ones."""
        wrong = {x for x, y in patches.items() if y != self._label(x)}
        if not wrong:
            return self
        require_enumerable(self._domain, "compare a box with changed labels")
        ones: set[Point] = set(lattice_points(self.box.ranges)) if self.box else set()
        ones ^= wrong
        least: Box | None = None
        for x in ones:
            least = hull(least, point_box(x))
        if least is None or least.size == len(ones):
            return BoxIndicator(self._domain, least)
        return frozenset(ones)

    def _disagreements(self, other: Hypothesis) -> Iterator[Point]:
        theirs = self._as_box(other)
        if theirs is None:
            return super()._disagreements(other)
        parts = [*_without(self.box, theirs.box), *_without(theirs.box, self.box)]
        return heapq.merge(*(lattice_points(part) for part in parts))

    def _distance(self, other: Hypothesis) -> int:
        theirs = self._as_box(other)
        if theirs is None:
            return super()._distance(other)
        parts = [*_without(self.box, theirs.box), *_without(theirs.box, self.box)]
        return sum(math.prod(r.stop - r.start for r in part) for part in parts)

    def _as_box(self, other: Hypothesis) -> BoxIndicator | None:
        if isinstance(other, BoxIndicator):
            return other
        if isinstance(other, Constant):
            sides = self._domain.sides
            whole = Box((0,) * len(sides), tuple(side - 1 for side in sides))
            return BoxIndicator(self._domain, whole if other.label else None)
        return None

    def __repr__(self) -> str:
        if self.box is None:
            return f"<No point of {self._domain!r}>"
        shown = " x ".join(f"{a}..{b}" for a, b in zip(self.box.first, self.box.last, strict=True))
        return f"<Box {shown} of {self._domain!r}>"


def _without(box: Box | None, other: Box | None) -> Iterator[Sequence[range]]:
    """Yield disjoint boxes, as ranges, that together are a box without another box."""
    if box is None:
        return
    ranges = box.ranges
    if other is None:
        yield ranges
        return
    common = [
        range(max(a.start, b.start), min(a.stop, b.stop))
        for a, b in zip(ranges, other.ranges, strict=True)
    ]
    if not all(common):
        yield ranges
        return
    for axis, (whole, inner) in enumerate(zip(ranges, common, strict=True)):
        for part in (range(whole.start, inner.start), range(inner.stop, whole.stop)):
            if part:
                yield [*common[:axis], part, *ranges[axis + 1 :]]
