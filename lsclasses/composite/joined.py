"""Hypotheses on unions of domains: one on every part, and many of them stacked."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from lsclasses.composite.tagged import TaggedUnion, part_and_point
from lsclasses.domain import OnDomain
from lsclasses.hypothesis import (
    Concept,
    Constant,
    Hypothesis,
    PatchedHypothesis,
    differences,
    distance,
)
from lsclasses.points import Label, Point
from lsclasses.stacks import HypothesisStack, Stack

WALK_LIMIT = 1 << 12
"""The largest part whose points are all tried where no formula says what is needed."""


class JoinedHypothesis(OnDomain[TaggedUnion], Hypothesis):
    """One hypothesis on every part of a union of domains.

    Parameters
    ----------
    domain : TaggedUnion
    parts : sequence of Hypothesis
        On the parts of the domain, in their order.

    Examples
    --------
    >>> from lsclasses import FiniteDomain
    >>> X = TaggedUnion(FiniteDomain("ab"), FiniteDomain("c"))
    >>> h = JoinedHypothesis(X, [Constant(X.parts[0], 1), Constant(X.parts[1], 0)])
    >>> h((0, "b")), h((1, "c"))
    (1, 0)
    """

    __slots__ = ("_domain", "parts")

    def __init__(self, domain: TaggedUnion, parts: Sequence[Hypothesis]) -> None:
        self._domain = domain
        self.parts = tuple(parts)

    def _label(self, x: Point) -> Label:
        i, point = part_and_point(x)
        return self.parts[i]._label(point)

    def _extension(self) -> Hashable:
        return "joined", tuple(map(_normal, self.parts))

    def _patched_extension(self, patches: Mapping[Point, Label]) -> Hashable:
        changes: list[dict[Point, Label]] = [{} for _ in self.parts]
        for x, y in patches.items():
            i, point = part_and_point(x)
            changes[i][point] = y
        changed = map(PatchedHypothesis, self.parts, changes)
        return JoinedHypothesis(self._domain, tuple(changed))._extension()

    def _canonical(self, patches: Mapping[Point, Label]) -> JoinedHypothesis:
        changes: list[dict[Point, Label]] = [{} for _ in self.parts]
        for x, y in patches.items():
            i, point = part_and_point(x)
            changes[i][point] = y
        return JoinedHypothesis(self._domain, tuple(map(_canonical, self.parts, changes)))

    def _disagreements(self, other: Hypothesis) -> Iterator[Point]:
        if isinstance(other, Constant):
            constants = [Constant(part, other.label) for part in self._domain.parts]
            other = JoinedHypothesis(self._domain, constants)
        if not isinstance(other, JoinedHypothesis):
            return super()._disagreements(other)
        pairs = enumerate(zip(self.parts, other.parts, strict=True))
        return ((i, x) for i, (mine, theirs) in pairs for x in differences(mine, theirs))

    def _distance(self, other: Hypothesis) -> int:
        if not isinstance(other, JoinedHypothesis):
            return super()._distance(other)
        return sum(map(distance, self.parts, other.parts))

    def _stack(self) -> JoinedStack:
        return JoinedStack(self._domain)

    def __repr__(self) -> str:
        return f"JoinedHypothesis({', '.join(map(repr, self.parts))})"


class JoinedStack(Stack[JoinedHypothesis]):
    """Hypotheses on a union of domains, stacked on every part of it.

    Parameters
    ----------
    domain : TaggedUnion
    """

    def __init__(self, domain: TaggedUnion) -> None:
        self._parts = [HypothesisStack(part) for part in domain.parts]

    def accepts(self, h: Hypothesis) -> bool:
        """Whether the hypothesis is given by its parts."""
        return isinstance(h, JoinedHypothesis)

    def append(self, h: JoinedHypothesis) -> None:
        """Put a hypothesis on the stack."""
        for part, ours in zip(self._parts, h.parts, strict=True):
            part.append(ours)

    def labels(self, x: Point) -> NDArray[np.bool_]:
        """The labels of the hypotheses at a point."""
        i, point = part_and_point(x)
        return self._parts[i].labels(point)


def _normal(h: Hypothesis) -> Hashable:
    """A key that hypotheses on a part share if and only if they agree, however they are written.

    The rule of a part may stand beside a constant or a rule that is evaluated point by point.
    """
    size = h.domain.size
    if size is not None and size <= WALK_LIMIT:
        return h.to_concept()._extension()
    return 0 if is_zero(h) else (1, h._extension())


def _canonical(h: Hypothesis, patches: Mapping[Point, Label]) -> Hypothesis:
    """The canonical form on a part, whose rule may be written in one of several ways."""
    size = h.domain.size
    changed = PatchedHypothesis(h, patches)
    if size is not None and size <= WALK_LIMIT:
        concept = changed.to_concept()
        return Concept(concept.domain, concept.packed)
    return Constant(h.domain, 0) if is_zero(changed) else h._canonical(patches)


def is_zero(h: Hypothesis) -> bool:
    return next(differences(h, Constant(h.domain, 0)), None) is None
