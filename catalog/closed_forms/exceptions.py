"""Labellings that are constant but for finitely many points."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from catalog.closed_forms.growing_set import GrowingSet
from lsclasses.domain import Domain, IntegerRange, OnDomain
from lsclasses.hypothesis import Constant, Hypothesis
from lsclasses.points import Label, Point
from lsclasses.sampling import spread, uniform_below
from lsclasses.stacks import GrowingArray, Listed, Stack

STACKED_EXCEPTIONS = 64
"""Up to how many exceptions labellings are stacked."""


class AllBut(OnDomain[Domain], Hypothesis):
    """One label everywhere but at finitely many points.

    Parameters
    ----------
    domain : Domain
    label : 0 or 1
        The label of all other points.
    exceptions : iterable of points
        Where the label is ``1 - label``.

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
        """The rarer label's points are the exceptions; 1 is the exception on a tie."""
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
        """The exceptions, in the order in which they came about."""
        return tuple(self.exceptions)

    def __repr__(self) -> str:
        if not self.exceptions:
            return f"<Always {self.label}>"
        return f"<Always {self.label} but at {listed(self.exceptions)}>"


class AllButStack(Stack[AllBut]):
    """A stack of labellings by their exceptions: for every point, the labellings it excepts."""

    def __init__(self) -> None:
        self._usual = GrowingArray(np.bool_)
        self._excepted: dict[Point, list[int]] = {}

    def accepts(self, h: Hypothesis) -> bool:
        """Whether the labelling has a few exceptions only."""
        return isinstance(h, AllBut) and len(h.exceptions) <= STACKED_EXCEPTIONS

    def append(self, h: AllBut) -> None:
        """Put a labelling on the stack."""
        for x in h.exceptions:
            self._excepted.setdefault(x, []).append(len(self._usual.array))
        self._usual.append(h.label)

    def labels(self, x: Point) -> NDArray[np.bool_]:
        """The labels of the labellings at a point."""
        labels = self._usual.array
        excepted = self._excepted.get(x)
        if excepted:
            labels = labels.copy()
            labels[excepted] ^= True
        return labels


def listed(points: Collection[Point]) -> str:
    """The points as a text that tells the set from any other; a digest if they are many."""
    shown = sorted(map(repr, points), key=lambda text: (len(text), text))
    if len(shown) <= 8:
        return ", ".join(shown)
    digest = hashlib.sha256(", ".join(shown).encode()).hexdigest()
    return f"{len(shown)} points (sha256 {digest})"


def random_point(domain: Domain, rng: np.random.Generator) -> Point:
    """A uniform point; of infinitely many integers, one that exceeds the first by `spread`.

    Raises
    ------
    InvalidInput
        If the domain is infinite in some other way.
    """
    if isinstance(domain, IntegerRange):
        if domain.stop is None:
            return domain.start + spread(rng)
        return domain.start + uniform_below(rng, domain.stop - domain.start)
    return domain.sample(rng)
