"""Hypotheses: functions from points to labels, compared by their labels.

Private learners count how often a hypothesis occurs (histograms) and need a point where two
hypotheses differ (tournaments). Both operations need comparison *by extension*.
"""

from __future__ import annotations

import heapq
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from lsclasses.domain import Domain, FiniteDomain, OnDomain
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.html import HIDDEN_FROM, hidden, html_table
from lsclasses.numbers import size_in_words
from lsclasses.packing import read_only
from lsclasses.point_names import Label, Point, check_label, name_text
from lsclasses.stacks import GrowingArray, Listed, Stack

if TYPE_CHECKING:
    from numpy.typing import NDArray

ENUMERATION_LIMIT = 1 << 22
"""The largest size of a domain whose points are enumerated to compare or list hypotheses."""
REMEMBERED_UP_TO = 1 << 12
"""The largest size of a domain on which all computed labels of a hypothesis are stored."""
RECENT_LABELS = 1 << 6
"""Number of latest labels that are stored on larger domains, where storage would grow too much."""


WIDE_NAME = 12
"""Largest number of characters of names that notebooks print side by side."""


class Hypothesis(ABC):
    """A labelling of the points of a domain with 0 and 1. The call ``h(x)`` returns a label.

    A subclass defines `domain`, `_label` and `_extension`. The method `_label` returns the label of
    a point of the domain. The method `_extension` returns a hashable value. For two hypotheses of
    one type on one domain, the values are equal if and only if the hypotheses agree everywhere.
    Objects are equal if their domains and values are equal. Hypotheses of different types (for
    example, a row of a table and a formula) can differ as objects although they agree everywhere.
    To compare them, test whether ``h.disagreement(g) is None``.
    """

    @property
    @abstractmethod
    def domain(self) -> Domain:
        """The points that the hypothesis labels."""

    @abstractmethod
    def _label(self, x: Point) -> Label: ...

    @abstractmethod
    def _extension(self) -> Hashable: ...

    def _patched_extension(self, patches: Mapping[Point, Label]) -> Hashable:
        """Return the `_extension` of this hypothesis with changed labels at the given points.

        A closed form whose changed versions can coincide overrides this method, so that such
        versions are equal.
        """
        return ("patched", self._extension(), frozenset(patches.items()))

    def _canonical(self, patches: Mapping[Point, Label]) -> Hypothesis:
        """Return this labelling with changed points, in a form that depends only on labels.

        The default is a list of labels. Closed forms override this method.
        """
        changed = PatchedHypothesis(self, patches) if patches else self
        concept = changed.to_concept()
        return concept if concept.name is None else Concept(concept.domain, concept.packed)

    def _stack(self) -> Stack[Any]:
        """Return an empty stack for hypotheses of this type, which labels a point by all of them.

        A representation that learners use in large numbers overrides this method. See
        `lsclasses.stacks`.
        """
        return Listed()

    def _base_and_changes(self) -> tuple[Hypothesis, Mapping[Point, Label]]:
        """Return the hypothesis to stack, and the labels of the points with other labels."""
        return self, {}

    def _disagreements(self, other: Hypothesis) -> Iterator[Point]:
        """Yield all points where the labels differ, in the order of the domain.

        The default is by enumeration. The other hypothesis is patched only if this hypothesis is
        patched. Callers use only the first few points, so a closed form need not list all points.
        """
        require_enumerable(self.domain, "compare two hypotheses")
        return (x for x in self.domain if self._label(x) != other._label(x))

    def _distance(self, other: Hypothesis) -> int:
        """Return the number of points where the labels differ, by enumeration unless overridden.

        The domain is finite, and the other hypothesis is patched only if this hypothesis is
        patched.
        """
        require_enumerable(self.domain, "count where two hypotheses differ")
        return sum(1 for _ in self._disagreements(other))

    def _repr_html_(self) -> str:
        """Return the labels of the first points, for notebooks."""
        points = list(map(name_text, islice(self.domain, HIDDEN_FROM)))
        labels = [self._label(x) for x in islice(self.domain, HIDDEN_FROM)]
        size = self.domain.size
        note = hidden(points=(size or 0) - len(points))
        if size is None:
            note = "For infinitely many points, only the first points are listed."
        if max(map(len, points), default=0) > WIDE_NAME:
            return html_table(repr(self), zip(points, labels, strict=True), note=note)
        return html_table(repr(self), [("label", *labels)], head=("point", *points), note=note)

    def __call__(self, x: Any) -> Label:
        return self._label(self.domain.require(x))

    def disagreement(self, other: Hypothesis) -> Point | None:
        """Return the first point at which this hypothesis and another hypothesis differ, or None.

        The point is the first in the order of the domain. So the point depends only on the two
        labellings, not on the order of the hypotheses or on their representations. Learners that
        compare hypotheses in tournaments need this property. The domain of a `FiniteClass` may be
        too large to list. Then the point is the first in the order of the representative points of
        this class.

        Parameters
        ----------
        other : Hypothesis
            Hypothesis on an equal domain.

        Raises
        ------
        InvalidInput
            If the domains differ.
        TooLarge
            If the comparison would enumerate a domain that is too large.

        Examples
        --------
        >>> f = Concept.from_labels(["a", "b"], [0, 1])
        >>> f.disagreement(Concept.from_labels(["a", "b"], [1, 1]))
        'a'
        """
        self._require_domain(other)
        return next(differences(self, other), None)

    def distance(self, other: Hypothesis) -> int:
        """Return the number of points at which this hypothesis and another hypothesis differ.

        Raises
        ------
        InvalidInput
            If the domains differ.
        TooLarge
            If the domain is infinite, or the count would enumerate a domain that is too large.

        Examples
        --------
        >>> import catalog
        >>> C = catalog.build("thresholds:n=2^64")
        >>> C.restrict(2**63, 1).soa().distance(C.soa()) == 2**62
        True
        """
        self._require_domain(other)
        if self.domain.size is None:
            raise TooLarge(
                "Hypotheses on infinitely many points can differ at infinitely many, which are not "
                "counted."
            )
        return distance(self, other)

    def _require_domain(self, other: Hypothesis) -> None:
        if self.domain != other.domain:
            raise InvalidInput(
                "Only hypotheses on one domain can be compared. "
                f"Got domains of {self.domain.describe()} and of {other.domain.describe()}."
            )

    def canonical(self) -> Hypothesis:
        """Return the canonical form of this hypothesis, which depends only on its labels.

        Hypotheses of one type that agree everywhere have equal canonical forms, also if their
        labels were changed at some points. A hypothesis may contain secret information, such as a
        version space of private examples, or the points at which its labels were changed. To
        publish only the labels, publish the canonical form.

        Raises
        ------
        TooLarge
            If the canonical form of this type of hypothesis is a list of labels, and the domain is
            infinite or too large to enumerate.

        Examples
        --------
        >>> from lsclasses import Table
        >>> C = Table([[0, 0, 1], [0, 1, 1], [1, 1, 1]])
        >>> one, other = C.restrict(1, 1).soa(), PatchedHypothesis(C.restrict(0, 0).soa(), {1: 1})
        >>> one == other, one.canonical(), other.canonical()
        (True, Concept('011'), Concept('011'))
        """
        return self._canonical({})

    def to_concept(self) -> Concept:
        """Return this hypothesis as a list of labels of all points.

        Raises
        ------
        TooLarge
            If the domain is infinite or too large to enumerate.
        """
        require_enumerable(self.domain, "write a hypothesis as a list of labels")
        points = self.domain if isinstance(self.domain, FiniteDomain) else FiniteDomain(self.domain)
        return Concept.from_labels(points, [self._label(x) for x in points])

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other) and not isinstance(other, Hypothesis):
            return NotImplemented
        mine, theirs = self.domain, other.domain
        return (mine is theirs or mine == theirs) and self._extension() == other._extension()

    def __hash__(self) -> int:
        return hash(self._extension())


def patched_in_order(base: Hypothesis, patches: Mapping[Point, Label]) -> Hypothesis:
    """Return a hypothesis with changed labels at some points.

    The result does not depend on the order of the points in `patches`.
    """
    if not patches:
        return base
    ordered = sorted(patches, key=base.domain._position)
    return PatchedHypothesis(base, {x: patches[x] for x in ordered})


def differences(g: Hypothesis, h: Hypothesis) -> Iterator[Point]:
    """Return the points where two hypotheses on one domain differ.

    Each hypothesis may be a `PatchedHypothesis`.
    """
    return h._disagreements(g) if isinstance(h, PatchedHypothesis) else g._disagreements(h)


def distance(g: Hypothesis, h: Hypothesis) -> int:
    """Return the number of points of a finite domain where two hypotheses differ."""
    return h._distance(g) if isinstance(h, PatchedHypothesis) else g._distance(h)


def require_enumerable(domain: Domain, purpose: str) -> None:
    """Raise `TooLarge` if a domain has too many points to enumerate.

    `purpose` names the purpose of the enumeration in the message.
    """
    size = domain.size
    if size is None or size > ENUMERATION_LIMIT:
        raise TooLarge(
            f"To {purpose}, the domain must be enumerated. It has "
            f"{'infinitely many' if size is None else size_in_words(size)} points. The limit is "
            f"{ENUMERATION_LIMIT}.",
            estimate=size,
            limit=ENUMERATION_LIMIT,
        )


class Concept(OnDomain[FiniteDomain], Hypothesis):
    """A concept: a labelling of a finite domain as a list of labels.

    Iteration over a `Table` gives concepts. `Hypothesis.to_concept` converts any hypothesis on a
    finite domain to a concept.

    Examples
    --------
    >>> c = Concept.from_labels(["a", "b", "c"], [0, 1, 1], name="not a")
    >>> c("b"), c.labels.tolist(), c.support
    (1, [0, 1, 1], ('b', 'c'))
    """

    __slots__ = ("_domain", "_packed", "name")

    def __init__(self, domain: FiniteDomain, packed: bytes, name: Point | None = None) -> None:
        self._domain = domain
        self._packed = packed
        self.name = name

    @classmethod
    def from_labels(
        cls, domain: FiniteDomain | Iterable[Any], labels: Iterable[Any], name: Point | None = None
    ) -> Concept:
        """Return the concept with the given labels, in the order of the domain.

        Raises
        ------
        InvalidInput
            If the number of labels differs from the number of points, or a label is not 0 or 1.
        """
        points = domain if isinstance(domain, FiniteDomain) else FiniteDomain(domain)
        values = [check_label(y) for y in labels]
        if len(values) != len(points):
            raise InvalidInput(
                f"A concept needs one label a point: {len(points)}. Got {len(values)}."
            )
        return cls(points, np.packbits(np.array(values, dtype=np.uint8)).tobytes(), name)

    @property
    def labels(self) -> np.ndarray:
        """The labels in the order of the domain, as a read-only uint8 array of shape (points,)."""
        packed = np.frombuffer(self._packed, np.uint8)
        return read_only(np.unpackbits(packed, count=len(self._domain)))

    @property
    def support(self) -> tuple[Point, ...]:
        """The points labelled 1, in the order of the domain."""
        return tuple(x for x in self._domain if self._label(x))

    @property
    def packed(self) -> bytes:
        """The labels as bytes, eight labels per byte. The first point is the highest bit."""
        return self._packed

    def _label(self, x: Point) -> Label:
        j = self._domain.index(x)
        return self._packed[j >> 3] >> (7 - (j & 7)) & 1

    def _extension(self) -> Hashable:
        return ("labels", self._packed)

    def _stack(self) -> ConceptStack:
        return ConceptStack(len(self._packed))

    def _disagreements(self, other: Hypothesis) -> Iterator[Point]:
        if isinstance(other, Concept):
            return (self._domain[int(j)] for j in np.flatnonzero(self.labels != other.labels))
        return super()._disagreements(other)

    def _distance(self, other: Hypothesis) -> int:
        if isinstance(other, Concept):
            mine, theirs = (int.from_bytes(h.packed) for h in (self, other))
            return (mine ^ theirs).bit_count()
        return super()._distance(other)

    def to_concept(self) -> Concept:
        """Return this concept, which is a list of labels already."""
        return self

    def __repr__(self) -> str:
        labels = "".join(map(str, self.labels))
        shown = labels if len(labels) <= 64 else labels[:61] + "..."
        return f"Concept({shown!r})" if self.name is None else f"Concept({shown!r}, {self.name!r})"


class ConceptStack(Stack[Concept]):
    """A stack of labellings, stored as lists of labels, eight labels per byte.

    Parameters
    ----------
    size : int
        The number of bytes of each labelling.
    """

    def __init__(self, size: int) -> None:
        self._bytes = GrowingArray(np.uint8, (size,))

    def accepts(self, h: Hypothesis) -> bool:
        """Return whether this stack can store a hypothesis, which must be a `Concept`."""
        return isinstance(h, Concept)

    def append(self, h: Concept) -> None:
        """Put a concept on the stack."""
        self._bytes.append(np.frombuffer(h.packed, np.uint8))
        self._domain = h.domain

    def labels(self, x: Point) -> NDArray[np.bool_]:
        """Return the labels of the concepts at a point."""
        j = self._domain.index(x)
        labels: NDArray[np.bool_] = (self._bytes.array[j >> 3] & (128 >> (j & 7))) != 0
        return labels


class Constant(OnDomain[Domain], Hypothesis):
    """The hypothesis that gives every point the same label.

    A hypothesis of a class in closed form can compute the points where it differs from a constant
    without an enumeration of the domain.

    Parameters
    ----------
    domain : Domain
        Points that the hypothesis labels.
    label : 0 or 1
        Label of every point.

    Examples
    --------
    >>> h = Constant(FiniteDomain("abc"), 1)
    >>> h("b"), h.disagreement(Constant(h.domain, 0))
    (1, 'a')
    """

    __slots__ = ("_domain", "label")

    def __init__(self, domain: Domain, label: Label) -> None:
        self._domain = domain
        self.label = check_label(label)

    def _label(self, x: Point) -> Label:
        return self.label

    def _extension(self) -> Hashable:
        if isinstance(self._domain, FiniteDomain):
            return self.to_concept()._extension()
        return ("constant", self.label, frozenset())

    def _patched_extension(
        self, patches: Mapping[Point, Label]
    ) -> tuple[str, Label, frozenset[Point]]:
        size = self._domain.size
        changed = frozenset(patches)
        if size is None or (2 * len(changed), self.label) < (size, 1):
            return ("constant", self.label, changed)
        # List the points of the rarer label, or the points with label 1 on a tie.
        return ("constant", 1 - self.label, frozenset(x for x in self._domain if x not in changed))

    def _canonical(self, patches: Mapping[Point, Label]) -> Hypothesis:
        if isinstance(self._domain, FiniteDomain):
            return super()._canonical(patches)
        changed = {x for x, y in patches.items() if y != self.label}
        _, label, points = self._patched_extension(dict.fromkeys(changed, 1 - self.label))
        return patched_in_order(Constant(self._domain, label), dict.fromkeys(points, 1 - label))

    def _disagreements(self, other: Hypothesis) -> Iterator[Point]:
        if not isinstance(other, Constant):
            return other._disagreements(self)
        return iter(self._domain) if self.label != other.label else iter(())

    def _distance(self, other: Hypothesis) -> int:
        if not isinstance(other, Constant):
            return other._distance(self)
        assert self._domain.size is not None
        return self._domain.size if self.label != other.label else 0

    def __repr__(self) -> str:
        return f"Constant({self._domain!r}, {self.label})"


class ComputedHypothesis(Hypothesis):
    """A hypothesis whose labels are computed on demand and stored.

    Subclasses supply `domain` and `_compute`. A comparison of two such hypotheses computes all
    their labels.
    """

    __slots__ = ("_labels",)

    kind: ClassVar[str] = "computed hypotheses"
    """The plural noun for hypotheses of this type in error messages."""

    def __init__(self) -> None:
        self._labels: dict[Point, Label] = {}

    @abstractmethod
    def _compute(self, x: Point) -> Label: ...

    def _repr_html_(self) -> str:
        """Return the type of the hypothesis. Its labels are not shown, because they take time."""
        return html_table(repr(self), [("labels", "are computed on demand")])

    def _label(self, x: Point) -> Label:
        label = self._labels.get(x)
        if label is None:
            if len(self._labels) >= RECENT_LABELS and not self._is_small():
                self._labels.clear()
            label = self._labels[x] = self._compute(x)
        return label

    def _is_small(self) -> bool:
        size = self.domain.size
        return size is not None and size <= REMEMBERED_UP_TO

    def _extension(self) -> Hashable:
        require_enumerable(self.domain, f"compare {self.kind} by extension")
        return self.to_concept()._extension()

    def _patched_extension(self, patches: Mapping[Point, Label]) -> Hashable:
        require_enumerable(self.domain, f"compare {self.kind} by extension")
        return PatchedHypothesis(self, patches).to_concept()._extension()


class PatchedHypothesis(Hypothesis):
    """A hypothesis whose labels are changed at finitely many points.

    Parameters
    ----------
    base : Hypothesis
        Hypothesis that labels all other points.
    patches : mapping of point to label
        Labels at the changed points.

    Notes
    -----
    The Standard Optimal Algorithm predicts by a patched hypothesis after examples with which no
    concept is consistent [BLM20, Def. 8].

    Examples
    --------
    >>> h = PatchedHypothesis(Concept.from_labels(["a", "b"], [0, 0]), {"b": 1})
    >>> h("a"), h("b")
    (0, 1)
    >>> h == PatchedHypothesis(h, {"a": 0})
    True
    """

    __slots__ = ("base", "patches")

    def __init__(self, base: Hypothesis, patches: Mapping[Point, Label]) -> None:
        changes = {base.domain.require(x): check_label(y) for x, y in patches.items()}
        if isinstance(base, PatchedHypothesis):
            changes = {**base.patches, **changes}
            base = base.base
        self.base: Hypothesis = base
        self.patches: dict[Point, Label] = {x: y for x, y in changes.items() if base._label(x) != y}

    @property
    def domain(self) -> Domain:
        """The points that the hypothesis labels."""
        return self.base.domain

    def _label(self, x: Point) -> Label:
        return self.patches[x] if x in self.patches else self.base._label(x)

    def _extension(self) -> Hashable:
        if not self.patches:
            return self.base._extension()
        if isinstance(self.domain, FiniteDomain):
            return self.to_concept()._extension()
        return self.base._patched_extension(self.patches)

    def _canonical(self, patches: Mapping[Point, Label]) -> Hypothesis:
        return self.base._canonical({**self.patches, **patches})

    def _base_and_changes(self) -> tuple[Hypothesis, Mapping[Point, Label]]:
        base, changes = self.base._base_and_changes()
        return base, {**changes, **self.patches}

    def _disagreements(self, other: Hypothesis) -> Iterator[Point]:
        base, theirs, changed = self._without_patches(other)
        position = self.domain._position
        found = sorted((x for x in changed if self._label(x) != other._label(x)), key=position)
        if base is theirs:
            return iter(found)
        elsewhere = (x for x in differences(base, theirs) if x not in changed)
        return heapq.merge(found, elsewhere, key=position)

    def _distance(self, other: Hypothesis) -> int:
        base, theirs, changed = self._without_patches(other)
        here = sum(self._label(x) != other._label(x) for x in changed)
        without = sum(base._label(x) != theirs._label(x) for x in changed)
        return here - without + (0 if base is theirs else distance(base, theirs))

    def _without_patches(self, other: Hypothesis) -> tuple[Hypothesis, Hypothesis, set[Point]]:
        """Return both hypotheses without patches, and the patched points."""
        if isinstance(other, PatchedHypothesis):
            return self.base, other.base, {*self.patches, *other.patches}
        return self.base, other, set(self.patches)

    def __repr__(self) -> str:
        return f"PatchedHypothesis({self.base!r}, {self.patches!r})"
