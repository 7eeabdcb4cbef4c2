"""The methods of a class that the proofs about it use.

A proof is checked on the labels of an enumerated class, `PackedLabels`, or on the version spaces
that remain after some examples. So a checker trusts only these methods.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from lsclasses.domain import Domain
from lsclasses.limits import Limit, Progress
from lsclasses.packed_labels import PackedLabels
from lsclasses.point_names import Point


class SubjectClass(Protocol):
    """The part of a concept class that certificates use. `lsclasses.ConceptClass` implements it."""

    @property
    def domain(self) -> Domain:
        """The domain of the class, which contains its points."""
        ...

    @property
    def size(self) -> int | None:
        """The number of concepts, or None for infinitely many."""
        ...

    @property
    def is_empty(self) -> bool:
        """Whether the class has no concept."""
        ...

    def restrict(self, x: Any, y: Any) -> SubjectClass:
        """Return the class of all concepts c with ``c(x) = y``."""
        ...

    def given(self, examples: Iterable[tuple[Any, Any]]) -> SubjectClass:
        """Return the class of all concepts that agree with the examples."""
        ...

    def to_table(self) -> PackedLabels:
        """Return the class as a table with the labels of every concept."""
        ...

    def ldim(self, *, limit: Limit | None = None, progress: Progress | None = None) -> int:
        """Return the Littlestone dimension. A checker does not rely on this method."""
        ...

    def splitting_point(self) -> Point:
        """Return a point for the root of a deepest shattered tree."""
        ...

    def _shattered_tree(self) -> tuple[Point, ...]: ...

    def _part_of_depth(self, depth: int) -> SubjectClass: ...

    def _listed(self) -> PackedLabels | None: ...
