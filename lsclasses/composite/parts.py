"""The parts of products and disjoint unions of concept classes.

A disjoint union of domains has pairs ``(i, x)`` as its points: the point x of the i-th part. A
hypothesis on a union of domains consists of one hypothesis on every part.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from lsclasses.concept_class import ConceptClass
from lsclasses.domain import Domain, OnDomain
from lsclasses.error_histograms import Weights
from lsclasses.errors import InvalidInput
from lsclasses.hypothesis import (
    Concept,
    Constant,
    Hypothesis,
    PatchedHypothesis,
    differences,
    distance,
)
from lsclasses.point_names import Label, Point
from lsclasses.random_integers import uniform_below
from lsclasses.stacks import HypothesisStack, Stack

# ---- unions of domains


class TaggedUnion(Domain):
    """The disjoint union of domains, with points ``(i, x)`` for the points x of the i-th part.

    In the order of the domain, the points of the finite parts come first. Then the infinite parts
    take turns: first the first point of each infinite part, then the second point of each, and so
    on.

    Parameters
    ----------
    *parts : Domain
        Domains, at least one. Part i is the i-th domain, counted from 0.

    Raises
    ------
    InvalidInput
        If no domain is given.

    Examples
    --------
    >>> from lsclasses import FiniteDomain, IntegerRange
    >>> X = TaggedUnion(IntegerRange(0, 2), FiniteDomain("a"))
    >>> list(X), (1, "a") in X, (0, "a") in X
    ([(0, 0), (0, 1), (1, 'a')], True, False)
    """

    __slots__ = ("parts",)

    def __init__(self, *parts: Domain) -> None:
        if not parts:
            raise InvalidInput("A union of domains needs at least one part. Got none.")
        self.parts = parts

    @property
    def size(self) -> int | None:
        """The number of points, or None if the domain is infinite."""
        sizes = [part.size for part in self.parts]
        return None if None in sizes else sum(size for size in sizes if size is not None)

    def __contains__(self, x: object) -> bool:
        if not (isinstance(x, tuple) and len(x) == 2 and isinstance(x[0], (int, np.integer))):
            return False
        i = int(x[0])
        return 0 <= i < len(self.parts) and x[1] in self.parts[i]

    def __iter__(self) -> Iterator[Point]:
        tagged = [zip(itertools.repeat(i), part) for i, part in enumerate(self.parts)]
        infinite = self._turns()
        for i, points in enumerate(tagged):
            if i not in infinite:
                yield from points
        while infinite:
            for i in infinite:
                yield next(tagged[i])

    def require(self, x: Any) -> Point:
        """Return the point of this domain that equals `x`, such as (0, 1) for (False, True)."""
        if type(x) is tuple and len(x) == 2 and type(x[0]) is int and 0 <= x[0] < len(self.parts):
            return x[0], self.parts[x[0]].require(x[1])
        i, point = part_and_point(self._member(x))
        return int(i), self.parts[int(i)].require(point)

    def _starts(self) -> list[int]:
        """The positions where finite parts begin, or where the turns of infinite parts begin."""
        finite = [part.size or 0 for part in self.parts]
        return list(itertools.accumulate(finite, initial=0))

    def _turns(self) -> list[int]:
        """Return the infinite parts, which take turns."""
        return [i for i, part in enumerate(self.parts) if part.size is None]

    def _position(self, x: Point) -> int:
        i, point = part_and_point(x)
        starts, turns = self._starts(), self._turns()
        if i not in turns:
            return starts[i] + self.parts[i]._position(point)
        return starts[-1] + len(turns) * self.parts[i]._position(point) + turns.index(i)

    def _at(self, i: int) -> Point:
        starts, turns = self._starts(), self._turns()
        if i >= starts[-1]:
            later, turn = divmod(i - starts[-1], len(turns))
            return turns[turn], self.parts[turns[turn]]._at(later)
        part = bisect_right(starts, i) - 1
        return part, self.parts[part]._at(i - starts[part])

    def _key(self) -> Hashable:
        return self.parts

    def _sample(self, rng: np.random.Generator) -> Point:
        i = chosen_by_size(rng, [part.size or 0 for part in self.parts])
        return i, self.parts[i].sample(rng)

    def __repr__(self) -> str:
        return f"TaggedUnion({', '.join(map(repr, self.parts))})"


def chosen_by_size(rng: np.random.Generator, sizes: Sequence[int]) -> int:
    """Return a random position in a list of sizes, with probability proportional to the entry."""
    ends = list(itertools.accumulate(sizes))
    return bisect_right(ends, uniform_below(rng, ends[-1]))


def part_and_point(x: Point) -> tuple[int, Point]:
    """Return the two entries (i, x) of a point of a union: the number of a part, and its point."""
    assert isinstance(x, tuple)
    return x[0], x[1]


def split_by_part(weights: Weights, parts: int) -> list[dict[tuple[Point, Label], int]]:
    """Return, for each part of a union of domains, its examples with their numbers of rows."""
    split: list[dict[tuple[Point, Label], int]] = [{} for _ in range(parts)]
    for (x, y), count in weights.items():
        i, point = part_and_point(x)
        split[i][point, y] = count
    return split


# ---- hypotheses on unions


WALK_LIMIT = 1 << 12
"""The largest number of points of a part on which a hypothesis is compared as a list of labels.

On larger parts, hypotheses are compared by the form of their rules.
"""


class JoinedHypothesis(OnDomain[TaggedUnion], Hypothesis):
    """One hypothesis on every part of a union of domains.

    Parameters
    ----------
    domain : TaggedUnion
    parts : sequence of Hypothesis
        Hypotheses on the parts of the domain, in their order.

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
    """A stack of hypotheses on a union of domains, stored as one stack for each part.

    Parameters
    ----------
    domain : TaggedUnion
        The union.
    """

    def __init__(self, domain: TaggedUnion) -> None:
        self._parts = [HypothesisStack(part) for part in domain.parts]

    def accepts(self, h: Hypothesis) -> bool:
        """Return whether this stack can store a hypothesis, which must be a `JoinedHypothesis`."""
        return isinstance(h, JoinedHypothesis)

    def append(self, h: JoinedHypothesis) -> None:
        """Put a hypothesis on the stack."""
        for part, ours in zip(self._parts, h.parts, strict=True):
            part.append(ours)

    def labels(self, x: Point) -> NDArray[np.bool_]:
        """Return the labels of the hypotheses at a point."""
        i, point = part_and_point(x)
        return self._parts[i].labels(point)


def _normal(h: Hypothesis) -> Hashable:
    """Return a key that hypotheses on a part share if and only if they agree.

    The rule of a part may agree with a constant or with a rule that is evaluated point by point.
    """
    size = h.domain.size
    if size is not None and size <= WALK_LIMIT:
        return h.to_concept()._extension()
    return 0 if is_zero(h) else (1, h._extension())


def _canonical(h: Hypothesis, patches: Mapping[Point, Label]) -> Hypothesis:
    """Return the canonical form on a part, whose rule may be written in one of several ways."""
    size = h.domain.size
    changed = PatchedHypothesis(h, patches)
    if size is not None and size <= WALK_LIMIT:
        concept = changed.to_concept()
        return Concept(concept.domain, concept.packed)
    return Constant(h.domain, 0) if is_zero(changed) else h._canonical(patches)


def is_zero(h: Hypothesis) -> bool:
    """Return whether a hypothesis gives every point the label 0."""
    return next(differences(h, Constant(h.domain, 0)), None) is None


# ---- classes and their parts


ADDED = frozenset({"ldim", "vcdim", "randomized_ldim", "star_number", "teaching_dim"})
"""Names of dimensions whose value for a product is the sum of the values for its parts."""


class Composite(OnDomain[TaggedUnion], ConceptClass):
    """Base class of products and disjoint unions of classes."""

    def __init__(self, *parts: ConceptClass) -> None:
        if not parts:
            raise InvalidInput(f"A {type(self).__name__} needs at least one class. Got none.")
        for part in parts:
            if not isinstance(part, ConceptClass):
                raise InvalidInput(
                    f"A {type(self).__name__} is made of concept classes. Got {part!r}."
                )
        self._domain = TaggedUnion(*(part.domain for part in parts))
        self._set_parts(parts)

    def _set_parts(self, parts: Sequence[ConceptClass | None]) -> None:
        self._parts = tuple(None if part is None or part.is_empty else part for part in parts)

    def _with(self, parts: Sequence[ConceptClass | None]) -> Self:
        """Return the class of the same kind on the same points with other parts."""
        left = type(self).__new__(type(self))
        left._domain = self._domain
        left._set_parts(parts)
        return left

    @property
    def parts(self) -> tuple[ConceptClass | None, ...]:
        """The combined classes, in order, with None instead of an empty class."""
        return self._parts

    def _is_empty(self) -> bool:
        return all(part is None for part in self._parts)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        assert isinstance(other, Composite)
        return self._parts == other._parts and self._domain == other._domain

    def __hash__(self) -> int:
        return hash((type(self), self._parts))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(_description, self._parts))})"

    def _zero(self, i: int | None = None, h: Hypothesis | None = None) -> JoinedHypothesis:
        """Return the constant 0 with a hypothesis on one part."""
        parts: list[Hypothesis] = [Constant(X, 0) for X in self._domain.parts]
        if i is not None and h is not None:
            parts[i] = h
        return JoinedHypothesis(self._domain, parts)

    def _restricted(self, i: int, x: Point, y: Label) -> ConceptClass | None:
        """Return the version space of a part."""
        part = self._parts[i]
        if part is None:
            return None
        left = part._restrict(x, y)
        return None if left.is_empty else left

    def _sample_point(self, rng: np.random.Generator, target: Hypothesis) -> Point:
        """Return a point of a uniformly chosen part, with the distribution of the part."""
        i = int(rng.integers(len(self._parts)))
        part = self._parts[i]
        if part is None or not isinstance(target, JoinedHypothesis):
            return i, self._domain.parts[i].sample(rng)
        return i, part._sample_point(rng, target.parts[i])


def _description(part: ConceptClass | None) -> str:
    """Return a string that distinguishes a part from other parts, unlike the name of a table."""
    from lsclasses.certificates.base import Subject
    from lsclasses.table import Table

    if isinstance(part, Table):
        return f"{repr(part)[:-1]}, sha256 {Subject.of(part).sha256}>"
    return "nothing" if part is None else repr(part)
