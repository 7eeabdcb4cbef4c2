"""Functions as hypotheses, and classes of finitely many named functions on domains of any size."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from lsclasses.concept_class import ConceptClass
from lsclasses.domain import Domain, FiniteDomain, OnDomain
from lsclasses.errors import InvalidInput
from lsclasses.hypothesis import (
    ENUMERATION_LIMIT,
    Concept,
    Hypothesis,
    patched_in_order,
    require_enumerable,
)
from lsclasses.packing import require_memory
from lsclasses.point_names import Label, Point, check_label, plain
from lsclasses.table import Table

# ---- hypotheses


Labelling = Hypothesis | Callable[[Any], Any]


class FunctionHypothesis(OnDomain[Domain], Hypothesis):
    """A hypothesis given by a function from points to 0 and 1.

    A comparison with another hypothesis goes through all points of the domain.

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


def hypothesis_of(domain: Domain, labelling: Any) -> Hypothesis:
    """Return a concept as a hypothesis on a domain.

    The concept is a hypothesis on the domain, or a function from points to labels.
    """
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


# ---- classes


class _Functions:
    """Named functions on a domain, and representative points."""

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
        self.hypotheses = {plain(k): hypothesis_of(self.domain, f) for k, f in concepts.items()}
        require_memory(len(self.hypotheses), len(self.points), "The class")
        labels = [[h._label(x) for x in self.points] for h in self.hypotheses.values()]
        self.table = Table(labels, domain=self.points, concepts=self.hypotheses)
        self.table.merged = 0
        columns = zip(*labels, strict=True)
        self._like: dict[tuple[Label, ...], Point] = {}
        for x, column in zip(self.points, columns, strict=True):
            self._like.setdefault(column, x)

    def like(self, x: Point) -> Point:
        """Return a representative point that every concept labels like x."""
        if x in self.points:
            return x
        column = tuple(h._label(x) for h in self.hypotheses.values())
        found = self._like.get(column)
        if found is None:
            raise InvalidInput(
                f"No representative point has the same labels as {x!r} in all concepts. "
                "Add it to 'points'."
            )
        return found


class FiniteClass(ConceptClass):
    """A class of finitely many named functions on a domain of any size.

    A domain that is too large to list needs a list of representative points. For each point of the
    domain, some representative point must have the same labels in all concepts. Then the
    representative points determine all restrictions, dimensions and predictions. A point whose
    labels differ from the labels of all representative points raises an error when it occurs.

    Parameters
    ----------
    concepts : mapping of name to function or Hypothesis
        Functions by name. If several functions agree on all points, only the first is a concept.
    domain : Domain or iterable of points, optional
        Domain of the functions. The default is the list of representative points.
    points : iterable of points, optional
        Representative points. The default is all points of the domain.

    Raises
    ------
    InvalidInput
        If no concept is given, neither domain nor points are given, or a value is not a label.
    TooLarge
        If the domain cannot be enumerated and `points` is omitted.

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
        """The points on which the concepts are defined."""
        return self._functions.domain

    @property
    def names(self) -> tuple[Point, ...]:
        """The names of the concepts of this class, such as a version space."""
        return self._table.concept_names or ()

    def __getitem__(self, name: Any) -> Hypothesis:
        """Return the concept with this name, which can be the name of a merged duplicate.

        Raises
        ------
        InvalidInput
            If no remaining concept has this name.
        """
        key = plain(name)
        if dict(self._functions.table.merged_names).get(key, key) not in self.names:
            raise InvalidInput(f"No remaining concept has the name {name!r}.")
        return self._ruled(self._functions.hypotheses[key])

    def __iter__(self) -> Iterator[Hypothesis]:
        """Iterate over the remaining concepts, in the order of their names."""
        return (self[name] for name in self.names)

    def _contains(self, h: Hypothesis) -> bool:
        if isinstance(h, _Represented) and h._functions is self._functions:
            return h._labels in map(tuple, self._table.labels.tolist())
        return super()._contains(h)

    def _is_empty(self) -> bool:
        return self._table.is_empty

    def _size(self) -> int:
        return len(self._table)

    def _leaving(self) -> Iterable[tuple[Point, Label]]:
        return self._table._leaving()

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
        """Return the labels of the representative points, which determine all dimensions."""
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
        """Return a uniform point, or a uniform representative point of an infinite domain."""
        infinite = self.domain.size is None
        return (self._functions.points if infinite else self.domain).sample(rng)


class _Represented(Hypothesis):
    """A hypothesis that labels every point like its representative point."""

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
        return f"<Labels of {len(self._labels)} representative points, {ones} of them 1>"
