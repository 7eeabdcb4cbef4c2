"""What products and disjoint unions of concept classes share: their parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np

from lsclasses.composite.joined import JoinedHypothesis
from lsclasses.composite.tagged import TaggedUnion
from lsclasses.concept_class import ConceptClass
from lsclasses.domain import OnDomain
from lsclasses.errors import InvalidInput
from lsclasses.hypothesis import Constant, Hypothesis
from lsclasses.points import Label, Point

ADDED = frozenset({"ldim", "vcdim", "randomized_ldim", "star_number", "teaching_dim"})
"""Dimensions that add up over the parts of a product."""


class Composite(OnDomain[TaggedUnion], ConceptClass):
    """Base of products and disjoint unions: their parts, and the points of these."""

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
        """The class of the same kind on the same points with other parts."""
        left = type(self).__new__(type(self))
        left._domain = self._domain
        left._set_parts(parts)
        return left

    @property
    def parts(self) -> tuple[ConceptClass | None, ...]:
        """The parts; None where no concept of a part is left."""
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
        """The constant 0, but for a hypothesis on one part."""
        parts: list[Hypothesis] = [Constant(X, 0) for X in self._domain.parts]
        if i is not None and h is not None:
            parts[i] = h
        return JoinedHypothesis(self._domain, parts)

    def _restricted(self, i: int, x: Point, y: Label) -> ConceptClass | None:
        """The version space of a part."""
        part = self._parts[i]
        if part is None:
            return None
        left = part._restrict(x, y)
        return None if left.is_empty else left

    def _sample_point(self, rng: np.random.Generator, target: Hypothesis) -> Point:
        """A point of a part chosen uniformly, by the law of that part."""
        i = int(rng.integers(len(self._parts)))
        part = self._parts[i]
        if part is None or not isinstance(target, JoinedHypothesis):
            return i, self._domain.parts[i].sample(rng)
        return i, part._sample_point(rng, target.parts[i])


def _description(part: ConceptClass | None) -> str:
    """A text that tells a part from any other, as the one of a table does not."""
    from lsclasses.certificates.base import Subject
    from lsclasses.table import Table

    if isinstance(part, Table):
        return f"{repr(part)[:-1]}, sha256 {Subject.of(part).sha256}>"
    return "nothing" if part is None else repr(part)
