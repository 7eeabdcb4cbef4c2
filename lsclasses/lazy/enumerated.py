"""Classes without a list of concepts, defined by an enumeration or an oracle.

An enumeration is read only as far as a query needs. An oracle decides whether some concept agrees
with examples. The state of such a class is its source and the observed examples.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any

import numpy as np

from lsclasses.concept_class import ConceptClass
from lsclasses.domain import Domain, FiniteDomain, OnDomain
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.hypothesis import Hypothesis, require_enumerable
from lsclasses.lazy.finite import Labelling, hypothesis_of
from lsclasses.packing import require_memory
from lsclasses.point_names import Label, Point
from lsclasses.table import Table

# ---- the state


CONCEPTS_LIMIT = 1 << 20
"""Default limit on the number of concepts that are taken from an enumeration or an oracle."""


class SourceAndExamples(OnDomain[Domain], ConceptClass):
    """Base of classes that store a source of concepts and the observed examples.

    Two classes are equal as objects if their sources and their examples are equal, because a
    further comparison would need an enumeration. So two classes with equal concepts but different
    examples can be unequal as objects.
    """

    _domain: Domain
    _examples: dict[Point, Label]
    _contradictory: bool
    _table: Table | None

    @property
    def examples(self) -> tuple[tuple[Point, Label], ...]:
        """The examples that define the version space, each once, in order of appearance."""
        return tuple(self._examples.items())

    def _source(self) -> Hashable:
        raise NotImplementedError

    def _extended(self, x: Point, y: Label) -> Any:
        """Return the class after one more example, with a new point or a contradiction."""
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
        """Return the version space as a table, requested once."""
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


# ---- oracles


Oracle = Callable[[tuple[tuple[Point, Label], ...]], Any]


class OracleClass(SourceAndExamples):
    """A concept class, given by a procedure that decides whether some concept agrees with examples.

    Dimensions and the SOA need the table of the class. To compute the table, the class extends
    labellings of the first points by one more point at a time, and drops each labelling with which
    no concept agrees. This takes at most two oracle calls per point and concept.

    Parameters
    ----------
    domain : Domain or iterable of points
        Points of the class.
    oracle : callable
        Function of a tuple of examples (point, label) at different points. It returns True if some
        concept agrees with all examples, and False otherwise. To save calls, it may instead return
        a `Hypothesis` of the class that agrees with the examples, or None if no concept does.
    limit : int
        Largest number of concepts in the table.

    Examples
    --------
    The class of all intervals: some interval agrees with the examples if and only if no point with
    label 0 is between two points with label 1.

    >>> def fits(examples):
    ...     ones = [x for x, y in examples if y]
    ...     return not any(min(ones) <= x <= max(ones) for x, y in examples if ones and not y)
    >>> C = OracleClass(range(8), fits)
    >>> C.size, C.ldim(), C.restrict(3, 1).restrict(6, 1).restrict(5, 0).is_empty
    (37, 4, True)
    """

    def __init__(
        self, domain: Domain | Iterable[Any], oracle: Oracle, *, limit: int = CONCEPTS_LIMIT
    ) -> None:
        if not callable(oracle):
            raise InvalidInput(
                f"An oracle must be a function of a tuple of examples. Got {oracle!r}."
            )
        self._domain = domain if isinstance(domain, Domain) else FiniteDomain(domain)
        self._oracle = oracle
        self._limit = limit
        self._examples = {}
        self._contradictory = False
        self._table = None
        self._answer: Any = ...

    def _source(self) -> Hashable:
        return self._oracle, self._domain

    def _extended(self, x: Point, y: Label) -> OracleClass:
        left: OracleClass = super()._extended(x, y)
        known = self._answer
        if not (isinstance(known, Hypothesis) and not left._contradictory and known._label(x) == y):
            left._answer = None if left._contradictory else ...
        return left

    def _asked(self) -> Any:
        """Return the answer of the oracle about the examples."""
        if self._answer is ...:
            self._answer = self._oracle(self.examples)
            if isinstance(self._answer, Hypothesis) and any(
                self._answer._label(x) != y for x, y in self._examples.items()
            ):
                raise InvalidInput(
                    "The oracle must give a hypothesis that agrees with the examples. "
                    f"Got {self._answer!r} for {list(self.examples)!r}."
                )
        return self._answer

    def _is_empty(self) -> bool:
        if self._table is not None:
            return self._table.is_empty
        return not self._asked_truth()

    def _asked_truth(self) -> bool:
        answer = self._asked()
        return isinstance(answer, Hypothesis) or bool(answer)

    def _written(self) -> Table:
        points = self._points("enumerate a class")
        rows: list[list[Label]] = []
        # Depth first, so that few version spaces are held at a time.
        stack: list[tuple[int, OracleClass, list[Label]]] = [(0, self, [])]
        while stack:
            j, left, labels = stack.pop()
            if left.is_empty:
                continue
            if j == len(points):
                if len(rows) == self._limit:
                    raise TooLarge(
                        f"The class has more than {self._limit} concepts. Allow more, or ask about "
                        "a smaller class.",
                        estimate=self._limit + 1,
                        limit=self._limit,
                    )
                require_memory(len(rows) + 1, len(points), repr(self))
                rows.append(labels)
                continue
            for y in (1, 0):
                below = left._restrict(points[j], y)
                assert isinstance(below, OracleClass)
                stack.append((j + 1, below, [*labels, y]))
        return Table(rows, domain=points)


# ---- enumerations


class _Enumeration:
    """An iterator of labellings, read as far as needed and shared by all version spaces."""

    def __init__(self, domain: Domain, concepts: Iterator[Any], limit: int) -> None:
        self._domain = domain
        self._rest = concepts
        self._limit = limit
        self._drawn: list[Hypothesis] = []
        self._finished = False

    def __getitem__(self, i: int) -> Hypothesis | None:
        """Return the i-th labelling, or None if there are at most i labellings."""
        while i >= len(self._drawn) and not self._finished:
            if len(self._drawn) == self._limit:
                raise TooLarge(
                    f"The first {self._limit} concepts of the enumeration do not settle this. "
                    "Allow more concepts, or ask about a smaller class.",
                    estimate=self._limit + 1,
                    limit=self._limit,
                )
            try:
                self._drawn.append(hypothesis_of(self._domain, next(self._rest)))
            except StopIteration:
                self._finished = True
        return self._drawn[i] if i < len(self._drawn) else None

    def __iter__(self) -> Iterator[Hypothesis]:
        i = 0
        while (h := self[i]) is not None:
            yield h
            i += 1

    @property
    def drawn(self) -> int:
        """The number of labellings drawn so far."""
        return len(self._drawn)


class LazyClass(SourceAndExamples):
    """A concept class, given by a finite or infinite enumeration of its concepts.

    To decide whether some concept agrees with given examples, the class draws concepts from the
    enumeration until a concept agrees. With additional examples, the search resumes at this
    concept. The size, the dimensions and the SOA need an enumeration of all concepts.

    Parameters
    ----------
    domain : Domain or iterable of points
        Points of the class.
    concepts : iterable or callable
        Hypotheses on the domain, or functions from points to labels. A callable must return such an
        iterable. Repetitions do not matter.
    limit : int
        Largest number of concepts that may be drawn from the enumeration.

    Examples
    --------
    The infinite enumeration of all unions of residue classes, in the order of the moduli:

    >>> from lsclasses import IntegerRange
    >>> import itertools
    >>> def periodic():
    ...     for m in itertools.count(1):
    ...         for rests in itertools.product((0, 1), repeat=m):
    ...             yield lambda x, m=m, rests=rests: rests[x % m]
    >>> C = LazyClass(IntegerRange(0), periodic)
    >>> left = C.given([(0, 1), (1, 0), (2, 0), (3, 1)])
    >>> left.is_empty, left.drawn
    (False, 11)
    """

    def __init__(
        self,
        domain: Domain | Iterable[Any],
        concepts: Iterable[Labelling] | Callable[[], Iterable[Labelling]],
        *,
        limit: int = CONCEPTS_LIMIT,
    ) -> None:
        self._domain = domain if isinstance(domain, Domain) else FiniteDomain(domain)
        drawn = concepts() if callable(concepts) else concepts
        self._enumeration = _Enumeration(self._domain, iter(drawn), limit)
        self._examples = {}
        self._contradictory = False
        self._table = None
        self._first = 0

    @property
    def drawn(self) -> int:
        """The number of concepts that have been drawn from the enumeration so far."""
        return self._enumeration.drawn

    def _source(self) -> Hashable:
        return self._enumeration

    def _fits(self, h: Hypothesis) -> bool:
        return all(h._label(x) == y for x, y in self._examples.items())

    def _is_empty(self) -> bool:
        if self._contradictory:
            return True
        while (h := self._enumeration[self._first]) is not None and not self._fits(h):
            self._first += 1
        return h is None

    def _size(self) -> int:
        if self._domain.size is not None:
            return len(self.to_table())
        if self._contradictory:
            return 0
        return len({h for h in self._enumeration if self._fits(h)})

    def _written(self) -> Table:
        points = self._points("enumerate a class")
        rows: list[np.ndarray] = []
        names: list[int] = []
        if not self._contradictory:
            for i, h in enumerate(self._enumeration):
                if self._fits(h):
                    require_memory(len(rows) + 1, len(points), repr(self))
                    rows.append(h.to_concept().labels)
                    names.append(i)
        table = Table(np.array(rows) if rows else [], domain=points, concepts=names)
        table.merged = 0
        return table
