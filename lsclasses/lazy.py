"""Classes that are not written down: enumerated, or asked about, only as far as a query needs.

`LazyClass` is given by an enumeration of its concepts or a predicate on labellings, `OracleClass`
by a procedure that tells whether some concept fits examples, and `FiniteClass` by finitely many
functions under names, on a domain of any size.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from lsclasses.concept_class import ConceptClass
from lsclasses.domain import Domain, FiniteDomain
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.hypothesis import (
    ENUMERATION_LIMIT,
    Concept,
    Hypothesis,
    patched_in_order,
    require_enumerable,
)
from lsclasses.packing import require_memory
from lsclasses.points import Label, Point, check_label, plain
from lsclasses.table import Table

__all__ = ["FiniteClass", "FunctionHypothesis", "LazyClass", "OracleClass"]

Labelling = Hypothesis | Callable[[Any], Any]
Oracle = Callable[[tuple[tuple[Point, Label], ...]], Any]

CONCEPTS_LIMIT = 1 << 20
"""How many concepts are drawn from an enumeration, or found by an oracle, unless told otherwise."""


class FunctionHypothesis(Hypothesis):
    """A hypothesis given by a function from points to 0 and 1.

    It is compared with others by walking through the domain.

    Parameters
    ----------
    domain : Domain
    function : callable
        ``function(x)`` is the label of the point x.

    Examples
    --------
    >>> from lsclasses import IntegerRange
    >>> odd = FunctionHypothesis(IntegerRange(0, 10), lambda x: x % 2)
    >>> odd(7), odd.disagreement(FunctionHypothesis(odd.domain, lambda x: x < 3))
    (1, 0)
    """

    __slots__ = ("_domain", "function")

    def __init__(self, domain: Domain, function: Callable[[Any], Any]) -> None:
        self._domain = domain
        self.function = function

    @property
    def domain(self) -> Domain:
        """The points that are labelled."""
        return self._domain

    def _label(self, x: Point) -> Label:
        return check_label(self.function(x))

    def _extension(self) -> Hashable:
        return self.to_concept()._extension()

    def _patched_extension(self, patches: Mapping[Point, Label]) -> Hashable:
        points = FiniteDomain(self.to_concept().domain)
        labels = [patches.get(x, self._label(x)) for x in points]
        return Concept.from_labels(points, labels)._extension()

    def __repr__(self) -> str:
        return f"FunctionHypothesis({self._domain!r}, {self.function!r})"


# ---- what is known of a class whose concepts are unknown: the examples


class _SourceAndExamples(ConceptClass):
    """A class known by the examples seen, and a source that the whole class comes from.

    Equality is that of the source and of the examples, since more would take an enumeration: equal
    version spaces hold the same concepts, but different examples may leave the same concepts, too.
    """

    _domain: Domain
    _examples: dict[Point, Label]
    _contradictory: bool
    _table: Table | None

    @property
    def domain(self) -> Domain:
        """The points the concepts are defined on."""
        return self._domain

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

    def _restrict(self, x: Point, y: Label) -> ConceptClass:
        if self._contradictory or self._examples.get(x) == y:
            return self
        restricted: ConceptClass = self._extended(x, y)
        return restricted

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _SourceAndExamples):
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
        """The version space as a table; it is asked for once."""
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


class _Enumeration:
    """An iterator of labellings, drawn from as far as needed; shared by all version spaces."""

    def __init__(self, domain: Domain, concepts: Iterator[Any], limit: int) -> None:
        self._domain = domain
        self._rest = concepts
        self._limit = limit
        self._drawn: list[Hypothesis] = []
        self._finished = False

    def __getitem__(self, i: int) -> Hypothesis | None:
        """The i-th labelling; None if there are not so many."""
        while i >= len(self._drawn) and not self._finished:
            if len(self._drawn) == self._limit:
                raise TooLarge(
                    f"The first {self._limit} concepts of the enumeration do not settle this. "
                    "Allow more concepts, or ask about a smaller class.",
                    estimate=self._limit + 1,
                    limit=self._limit,
                )
            try:
                self._drawn.append(_hypothesis(self._domain, next(self._rest)))
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
        """How many labellings have been drawn so far."""
        return len(self._drawn)


def _hypothesis(domain: Domain, labelling: Any) -> Hypothesis:
    if isinstance(labelling, Hypothesis):
        if labelling.domain != domain:
            raise InvalidInput(
                f"A concept must label the domain of the class, {domain.describe()}. "
                f"Got one on {labelling.domain.describe()}."
            )
        return labelling
    if not callable(labelling):
        raise InvalidInput(
            "A concept must be a Hypothesis or a function from points to labels. "
            f"Got {labelling!r}."
        )
    return FunctionHypothesis(domain, labelling)


class LazyClass(_SourceAndExamples):
    """A class given by an enumeration of its concepts, which may be endless.

    Whether some concept fits examples is answered by the first that does; the search for it starts
    where the one for fewer examples ended. The size, dimensions and the SOA need all concepts.

    Parameters
    ----------
    domain : Domain or iterable of points
    concepts : iterable, or callable that returns one
        Hypotheses on the domain, or functions from points to labels. Repetitions do not matter.
    limit : int
        How many concepts may be drawn.

    Examples
    --------
    All unions of residue classes, smaller moduli first, without end:

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
        """How many concepts of the enumeration have been looked at so far, by any query."""
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
        points = self._points("write out a class")
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


class OracleClass(_SourceAndExamples):
    """A class given by a procedure that tells whether some concept fits examples.

    Dimensions and the SOA need a table. It is found point by point, following only those labellings
    of the first points that some concept fits: at most two questions a point for every concept.

    Parameters
    ----------
    domain : Domain or iterable of points
    oracle : callable
        Given a tuple of examples (point, label) about different points, it says whether a concept
        fits all of them: a truth value; or a `Hypothesis` of the class that does, None if there is
        none, which saves questions.
    limit : int
        How many concepts may be found when the class is written out.

    Examples
    --------
    Closed under intersection: some concept fits iff no 0 is implied by the 1s.

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
        """What the oracle says of the examples."""
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
        points = self._points("write out a class")
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


# ---- finitely many functions


class _Functions:
    """Named functions on a domain, and points that stand for all others."""

    def __init__(
        self,
        concepts: Mapping[Any, Labelling],
        domain: Domain | None,
        points: Iterable[Any] | None,
    ) -> None:
        if not concepts:
            raise InvalidInput("A FiniteClass needs at least one concept. Got none.")
        if domain is None and points is None:
            raise InvalidInput("A FiniteClass needs a domain, or points. Got neither.")
        if points is None:
            assert domain is not None
            require_enumerable(domain, "compare all points without a choice of 'points'")
            points = domain
        self.points = FiniteDomain(points)
        self.domain: Domain = self.points if domain is None else domain
        for x in self.points:
            self.domain.require(x)
        self.hypotheses = {plain(k): _hypothesis(self.domain, f) for k, f in concepts.items()}
        require_memory(len(self.hypotheses), len(self.points), "The class")
        labels = [[h._label(x) for x in self.points] for h in self.hypotheses.values()]
        self.table = Table(labels, domain=self.points, concepts=self.hypotheses)
        self.table.merged = 0
        columns = zip(*labels, strict=True)
        self._like: dict[tuple[Label, ...], Point] = {}
        for x, column in zip(self.points, columns, strict=True):
            self._like.setdefault(column, x)

    def like(self, x: Point) -> Point:
        """A representative point that every concept labels like x."""
        if x in self.points:
            return x
        column = tuple(h._label(x) for h in self.hypotheses.values())
        found = self._like.get(column)
        if found is None:
            raise InvalidInput(
                f"The concepts do not label {x!r} like any of the points that stand for all "
                "others. Add it to 'points'."
            )
        return found


class FiniteClass(ConceptClass):
    """Finitely many functions under names, on a domain of any size.

    Restrictions, dimensions and the SOA only depend on how the concepts label a point. So on a
    domain that cannot be listed, points are given that stand for all others: each point of the
    domain must be labelled by all concepts like one of them. A point that is not is refused when
    it is met.

    Parameters
    ----------
    concepts : mapping of name to function or Hypothesis
        Of functions that agree on all points, the first is kept.
    domain : Domain or iterable of points, optional
        The points given, if omitted.
    points : iterable of points, optional
        The points that stand for all others; all points of the domain, if omitted.

    Raises
    ------
    InvalidInput
        If there is no concept, neither domain nor points, or a function gives no label.
    TooLarge
        If the domain cannot be enumerated and no points are given.

    Examples
    --------
    >>> from lsclasses import IntegerRange
    >>> concepts = {f"divisible by {p}": lambda x, p=p: x % p == 0 for p in (2, 3, 5)}
    >>> C = FiniteClass(concepts, IntegerRange(1), points=range(1, 31))
    >>> C.size, C.ldim(), C.domain.size
    (3, 1, None)
    >>> C.restrict(10**100, 0).names
    ('divisible by 3',)
    """

    def __init__(
        self,
        concepts: Mapping[Any, Labelling],
        domain: Domain | Iterable[Any] | None = None,
        points: Iterable[Any] | None = None,
    ) -> None:
        if not (domain is None or isinstance(domain, Domain)):
            domain = FiniteDomain(domain)
        self._functions = _Functions(concepts, domain, points)
        self._table = self._functions.table

    def _left(self, table: Table) -> FiniteClass:
        left: FiniteClass = FiniteClass.__new__(FiniteClass)
        left._functions = self._functions
        left._table = table
        return left

    @property
    def domain(self) -> Domain:
        """The points the concepts are defined on."""
        return self._functions.domain

    @property
    def names(self) -> tuple[Point, ...]:
        """The names of the concepts that are left."""
        return self._table.concept_names or ()

    def __getitem__(self, name: Any) -> Hypothesis:
        """The concept of that name.

        Raises
        ------
        InvalidInput
            If no concept of that name is left.
        """
        if name not in self.names:
            raise InvalidInput(f"No concept of the name {name!r} is left.")
        return self._ruled(self._functions.hypotheses[plain(name)])

    def _is_empty(self) -> bool:
        return self._table.is_empty

    def _size(self) -> int:
        return len(self._table)

    def _restrict(self, x: Point, y: Label) -> FiniteClass:
        left = self._table._restrict(self._functions.like(x), y)
        return self if left is self._table else self._left(left)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FiniteClass):
            return NotImplemented
        return self._functions is other._functions and self.names == other.names

    def __hash__(self) -> int:
        return hash((id(self._functions), self.names))

    def __repr__(self) -> str:
        names = ", ".join(map(repr, self.names))
        if len(self.names) > 8:
            digest = hashlib.sha256(names.encode()).hexdigest()
            names = f"{self.names[0]!r}, ..., {self.names[-1]!r}; sha256 of the names {digest}"
        return f"<FiniteClass of {len(self.names)} concepts: {names or 'none'}>"

    def _to_table(self) -> Table:
        """The labels of the points that stand for all others, which all dimensions depend on."""
        return self._table

    def _soa_label(self, x: Point) -> Label:
        return self._table._soa_label(self._functions.like(x))

    def _soa(self) -> Hypothesis:
        return self._ruled(self._table.soa())

    def _ruled(self, h: Hypothesis) -> _Represented:
        labels = tuple(h._label(x) for x in self._functions.points)
        return _Represented(self._functions, labels)

    def _listed(self) -> Table:
        return self._table

    def _sample(self, rng: np.random.Generator) -> Hypothesis:
        return self[self.names[int(rng.integers(len(self.names)))]]

    def _sample_point(self, rng: np.random.Generator, target: Hypothesis) -> Point:
        """A uniform point; of an infinite domain, one of those that stand for all others."""
        infinite = self.domain.size is None
        return (self._functions.points if infinite else self.domain).sample(rng)


class _Represented(Hypothesis):
    """A hypothesis that labels every point like the one that stands for it."""

    __slots__ = ("_functions", "_labels")

    def __init__(self, functions: _Functions, labels: tuple[Label, ...]) -> None:
        self._functions = functions
        self._labels = labels

    @property
    def domain(self) -> Domain:
        """The points that are labelled."""
        return self._functions.domain

    def _label(self, x: Point) -> Label:
        return self._labels[self._functions.points.index(self._functions.like(x))]

    def _extension(self) -> Hashable:
        if isinstance(self.domain, FiniteDomain):
            return self.to_concept()._extension()
        return "represented", id(self._functions), self._labels

    def _canonical(self, patches: Mapping[Point, Label]) -> Hypothesis:
        size = self.domain.size
        if size is not None and size <= ENUMERATION_LIMIT:
            return super()._canonical(patches)
        wrong = {x: y for x, y in patches.items() if y != self._label(x)}
        return patched_in_order(_Represented(self._functions, self._labels), wrong)

    def _disagreements(self, other: Hypothesis) -> Iterator[Point]:
        size = self.domain.size
        listed = size is not None and size <= ENUMERATION_LIMIT
        alike = isinstance(other, _Represented) and other._functions is self._functions
        if listed or not alike:
            yield from super()._disagreements(other)
            return
        assert isinstance(other, _Represented)
        pairs = zip(self._functions.points, self._labels, other._labels, strict=True)
        differing = [x for x, mine, theirs in pairs if mine != theirs]
        yield from differing
        if differing:
            known = self._functions.points
            yield from (x for x in super()._disagreements(other) if x not in known)

    def __repr__(self) -> str:
        ones = sum(self._labels)
        return f"<Labels of {len(self._labels)} points that stand for all, {ones} of them 1>"
