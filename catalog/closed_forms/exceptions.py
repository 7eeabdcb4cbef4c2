"""Labellings that are constant except at finitely many points.

The points are in immutable sets that grow by one element at a time without a copy.
"""

from __future__ import annotations

import hashlib
import itertools
import threading
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from lsclasses.domain import Domain, IntegerRange, OnDomain
from lsclasses.hypothesis import Constant, Hypothesis
from lsclasses.point_names import Label, Point
from lsclasses.random_integers import spread, uniform_below
from lsclasses.stacks import GrowingArray, Listed, Stack

# ---- growing set


T = TypeVar("T", bound=Hashable)

_EXTENDING = threading.Lock()


class GrowingSet(Generic[T]):
    """An immutable, hashable set to which `added` adds an element in constant time.

    A version space keeps the points that were labelled 0, one more in every round. Copying a set of
    a hundred thousand points in each round would dominate the running time. A set and the sets
    grown from it therefore share one dictionary from elements to positions, and each set stores its
    number of positions. Only a second, different element added to the same set causes a copy.

    Parameters
    ----------
    elements : iterable of hashable

    Examples
    --------
    >>> small = GrowingSet([3, 5])
    >>> large = small.added(7)
    >>> 7 in large, 7 in small, len(large), large == GrowingSet([7, 5, 3])
    (True, False, 3, True)
    """

    __slots__ = ("_hash", "_length", "_positions")

    def __init__(self, elements: Iterable[T] = ()) -> None:
        self._positions: dict[T, int] = {}
        for x in elements:
            self._positions.setdefault(x, len(self._positions))
        self._length = len(self._positions)
        self._hash = 0
        for x in self._positions:
            self._hash ^= hash((x,))

    def added(self, x: T) -> GrowingSet[T]:
        """Return the set with `x` added."""
        if x in self:
            return self
        grown: GrowingSet[T] = GrowingSet.__new__(GrowingSet)
        with _EXTENDING:
            shared = self._positions
            if len(shared) != self._length and shared.get(x) != self._length:
                shared = dict(itertools.islice(shared.items(), self._length))
            shared[x] = self._length
        grown._positions = shared
        grown._length = self._length + 1
        grown._hash = self._hash ^ hash((x,))
        return grown

    def __contains__(self, x: object) -> bool:
        position = self._positions.get(x)  # type: ignore[arg-type]
        return position is not None and position < self._length

    def __iter__(self) -> Iterator[T]:
        # Iterate over a snapshot, because the shared dictionary may grow meanwhile.
        return iter(list(itertools.islice(self._positions, self._length)))

    def __len__(self) -> int:
        return self._length

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GrowingSet):
            return NotImplemented
        if self._length != other._length or self._hash != other._hash:
            return False
        return self._positions is other._positions or all(x in other for x in self)

    def __hash__(self) -> int:
        return hash((self._length, self._hash))

    def __reduce__(self) -> tuple[Any, ...]:
        return GrowingSet, (list(self),)

    def __repr__(self) -> str:
        return f"GrowingSet({list(self)!r})"


# ---- exceptions


STACKED_EXCEPTIONS = 64
"""Largest number of exceptions of a labelling that an `AllButStack` stores."""


class AllBut(OnDomain[Domain], Hypothesis):
    """The labelling that has one label everywhere except at finitely many points.

    Parameters
    ----------
    domain : Domain
    label : 0 or 1
        Label of all other points.
    exceptions : iterable of points
        Points with the label ``1 - label``.

    Examples
    --------
    >>> h = AllBut(IntegerRange(0, 2**64), 0, [7])
    >>> h(7), h(8), h.disagreement(AllBut(h.domain, 0, [7, 9]))
    (1, 0, 9)
    >>> AllBut(IntegerRange(0, 3), 1, [0, 2]) == AllBut(IntegerRange(0, 3), 0, [1])
    True
    """

    def __init__(self, domain: Domain, label: Label, exceptions: Iterable[Point] = ()) -> None:
        self._domain = domain
        self.label = label
        self.exceptions: GrowingSet[Point] = (
            exceptions if isinstance(exceptions, GrowingSet) else GrowingSet(exceptions)
        )

    def _label(self, x: Point) -> Label:
        return 1 - self.label if x in self.exceptions else self.label

    @cached_property
    def _normal(self) -> tuple[Label, GrowingSet[Point]]:
        """Return the label and exceptions with fewest exceptions, which are 1 on a tie."""
        size = self._domain.size
        surplus = -1 if size is None else 2 * len(self.exceptions) - size
        if surplus < 0 or (surplus == 0 and self.label == 0):
            return self.label, self.exceptions
        return 1 - self.label, GrowingSet(x for x in self._domain if x not in self.exceptions)

    def _extension(self) -> Hashable:
        return "all but", *self._normal

    def _patched_extension(self, patches: Mapping[Point, Label]) -> Hashable:
        changed = set(self.exceptions).symmetric_difference(patches)
        return AllBut(self._domain, self.label, changed)._extension()

    def _canonical(self, patches: Mapping[Point, Label]) -> AllBut:
        wrong = {x for x, y in patches.items() if y != self._label(x)}
        changed = AllBut(self._domain, self.label, wrong.symmetric_difference(self.exceptions))
        label, exceptions = changed._normal
        return AllBut(self._domain, label, sorted(exceptions, key=self._domain._position))

    def _disagreements(self, other: Hypothesis) -> Iterator[Point]:
        if isinstance(other, Constant):
            other = AllBut(self._domain, other.label)
        if not isinstance(other, AllBut):
            return super()._disagreements(other)
        ours, theirs = self.exceptions, other.exceptions
        if self.label == other.label:
            in_one = [x for x in ours if x not in theirs] + [x for x in theirs if x not in ours]
            return iter(sorted(in_one, key=self._domain._position))
        return (x for x in self._domain if (x in ours) == (x in theirs))

    def _distance(self, other: Hypothesis) -> int:
        if isinstance(other, Constant):
            other = AllBut(self._domain, other.label)
        if not isinstance(other, AllBut):
            return super()._distance(other)
        ours, theirs = self.exceptions, other.exceptions
        in_both = sum(x in theirs for x in ours)
        in_one = len(ours) + len(theirs) - 2 * in_both
        if self.label == other.label:
            return in_one
        assert self._domain.size is not None
        return self._domain.size - in_one

    def _stack(self) -> AllButStack | Listed:
        return AllButStack() if len(self.exceptions) <= STACKED_EXCEPTIONS else Listed()

    @cached_property
    def exceptional_points(self) -> tuple[Point, ...]:
        """The exceptions, in the order in which they were added."""
        return tuple(self.exceptions)

    def __repr__(self) -> str:
        if not self.exceptions:
            return f"<Always {self.label}>"
        return f"<Always {self.label} but at {listed(self.exceptions)}>"


class AllButStack(Stack[AllBut]):
    """A stack of labellings, stored as the indices of the labellings with exceptions at a point."""

    def __init__(self) -> None:
        self._usual = GrowingArray(np.bool_)
        self._excepted: dict[Point, list[int]] = {}

    def accepts(self, h: Hypothesis) -> bool:
        """Return whether this stack can store a labelling, which must have few exceptions."""
        return isinstance(h, AllBut) and len(h.exceptions) <= STACKED_EXCEPTIONS

    def append(self, h: AllBut) -> None:
        """Put a labelling on the stack."""
        for x in h.exceptions:
            self._excepted.setdefault(x, []).append(len(self._usual.array))
        self._usual.append(h.label)

    def labels(self, x: Point) -> NDArray[np.bool_]:
        """Return the labels of the labellings at a point."""
        labels = self._usual.array
        excepted = self._excepted.get(x)
        if excepted:
            labels = labels.copy()
            labels[excepted] ^= True
        return labels


def listed(points: Collection[Point]) -> str:
    """Return a string that identifies a set of points: a list, or a digest for many points."""
    shown = sorted(map(repr, points), key=lambda text: (len(text), text))
    if len(shown) <= 8:
        return ", ".join(shown)
    digest = hashlib.sha256(", ".join(shown).encode()).hexdigest()
    return f"{len(shown)} points (sha256 {digest})"


def random_point(domain: Domain, rng: np.random.Generator) -> Point:
    """Return a random point of a domain, uniform if the domain is finite.

    In an infinite range of integers, `spread` draws the distance of the point from the start.

    Raises
    ------
    InvalidInput
        If the domain is infinite and not a range of integers.
    """
    if isinstance(domain, IntegerRange):
        if domain.stop is None:
            return domain.start + spread(rng)
        return domain.start + uniform_below(rng, domain.stop - domain.start)
    # The coins of a release are not a NumPy generator, which the public method requires.
    return domain.sample(rng) if domain.size is None else domain._sample(rng)
