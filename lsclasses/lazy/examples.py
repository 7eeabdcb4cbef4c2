"""The state of a class whose concepts are not listed: its source and the examples seen."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from lsclasses.concept_class import ConceptClass
from lsclasses.domain import Domain, FiniteDomain, OnDomain
from lsclasses.hypothesis import require_enumerable
from lsclasses.points import Label, Point
from lsclasses.table import Table

CONCEPTS_LIMIT = 1 << 20
"""How many concepts are drawn from an enumeration, or found by an oracle, by default."""


class SourceAndExamples(OnDomain[Domain], ConceptClass):
    """A class known by the examples seen, and a source that the whole class comes from.

    Equality is that of the source and of the examples, since more would take an enumeration: equal
    version spaces hold the same concepts, but different examples may leave the same concepts, too.
    """

    _domain: Domain
    _examples: dict[Point, Label]
    _contradictory: bool
    _table: Table | None

    @property
    def examples(self) -> tuple[tuple[Point, Label], ...]:
        """The examples seen, each once, in order of appearance."""
        return tuple(self._examples.items())

    def _source(self) -> Hashable:
        raise NotImplementedError

    def _extended(self, x: Point, y: Label) -> Any:
        """The same class after one more example, about a new point or a contradiction."""
        left = type(self).__new__(type(self))
        left.__dict__.update(self.__dict__)
        left._contradictory = x in self._examples
        left._examples = {} if left._contradictory else {**self._examples, x: y}
        left._table = None if self._table is None else self._table._restrict(x, y)
        return left

    def _leaving(self) -> Iterable[tuple[Point, Label]]:
        return self.examples

    def _restrict(self, x: Point, y: Label) -> ConceptClass:
        if self._contradictory or self._examples.get(x) == y:
            return self
        restricted: ConceptClass = self._extended(x, y)
        return restricted

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SourceAndExamples):
            return NotImplemented
        return (
            self._source() == other._source()
            and self._contradictory == other._contradictory
            and self._examples == other._examples
        )

    def __hash__(self) -> int:
        return hash((self._source(), frozenset(self._examples.items()), self._contradictory))

    def __repr__(self) -> str:
        count = "infinitely many" if self._domain.size is None else self._domain.size
        text = f"<{type(self).__name__} on {count} points"
        if self._contradictory:
            return text + ": nothing left>"
        return text + (f" given {list(self.examples)!r}>" if self._examples else ">")

    def _written(self) -> Table:
        """The version space as a table, requested once."""
        raise NotImplementedError

    def _to_table(self) -> Table:
        if self._table is None:
            self._table = self._written()
        return self._table

    def _soa_label(self, x: Point) -> Label:
        # Where all concepts left agree, no dimension is needed.
        if self._restrict(x, 1).is_empty:
            return 0
        if self._restrict(x, 0).is_empty:
            return 1
        return self.to_table()._soa_label(x)

    def _points(self, purpose: str) -> FiniteDomain:
        require_enumerable(self._domain, purpose)
        return (
            self._domain if isinstance(self._domain, FiniteDomain) else FiniteDomain(self._domain)
        )
