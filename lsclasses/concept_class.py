"""Concept classes, immutable and closed under restriction.

A learner uses three methods of a class. `restrict` returns the version space of some examples.
`ldim` returns the depth of the deepest mistake tree that the class shatters. `soa` returns the
predictions of the Standard Optimal Algorithm. A restriction is again a concept class, so version
spaces need no separate type.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from lsclasses.concept_counts import ConceptCounts
from lsclasses.dimension_methods import DimensionMethods
from lsclasses.domain import Domain
from lsclasses.errors import InfiniteDimension, InvalidInput, TooLarge
from lsclasses.html import count, html_table
from lsclasses.hypothesis import (
    ENUMERATION_LIMIT,
    ComputedHypothesis,
    Hypothesis,
    require_enumerable,
)
from lsclasses.limits import Limit, Progress
from lsclasses.point_names import Label, Point, check_label, name_text
from lsclasses.set_operations import SetOperations

if TYPE_CHECKING:
    from lsclasses.certificates import FailureDAG, LdimCertificate, ShatteredTree, VCCertificate
    from lsclasses.table import Table


def iterated(values: Any, what: str) -> Iterator[Any]:
    """Return an iterator over some values. Raise `InvalidInput` if they are not iterable."""
    try:
        return iter(values)
    except TypeError:
        raise InvalidInput(f"A list of {what} is needed. Got {values!r:.200}.") from None


def require_class(C: object, who: str) -> None:
    """Raise `InvalidInput`, with the name `who` of the caller, unless `C` is a concept class."""
    if not isinstance(C, ConceptClass):
        raise InvalidInput(
            f"{who} needs a concept class, such as catalog.build('thresholds:n=16') or a Table. "
            f"Got {C!r:.200}."
        )


def generator(rng: Any) -> np.random.Generator:
    """Return the NumPy generator for a seed. Raise `InvalidInput` for other values."""
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError):
        raise InvalidInput(
            "Random numbers come from a seed, an integer that is not negative, or a NumPy "
            f"Generator. Got {rng!r:.200}."
        ) from None


LISTED_POINTS = 20
"""The largest number of points for which `shatters` tries every labelling."""


class ConceptClass(DimensionMethods, SetOperations, ConceptCounts, ABC):
    """A concept class: a set of labellings (concepts) of one domain, immutable and hashable.

    A finite class that is not too large supports ``len(C)``, ``for c in C``, ``C[i]``, ``h in C``,
    ``C | D``, ``C & D``, ``C - D``, ``C ^ D``, ``C * D``, ``~C`` and ``C <= D``. The module
    `lsclasses.set_operations` defines these operators.

    A public method checks its arguments and then calls a hook, a method whose name starts with an
    underscore. A subclass overrides hooks instead of public methods. It must define `domain`,
    `_is_empty`, `_restrict` and equality. It must also define `_to_table`, or all hooks whose
    default uses the table.
    """

    # ---- the parts of every class

    @property
    @abstractmethod
    def domain(self) -> Domain:
        """The points on which the concepts are defined. A restriction keeps the domain."""

    @abstractmethod
    def _is_empty(self) -> bool: ...

    @abstractmethod
    def _restrict(self, x: Point, y: Label) -> ConceptClass: ...

    @abstractmethod
    def __eq__(self, other: object) -> bool: ...

    @abstractmethod
    def __hash__(self) -> int: ...

    def _leaving(self) -> Iterable[tuple[Point, Label]]:
        """Return examples that leave this version space of the class that it came from.

        The default is all points on which the concepts agree, with their labels. A class with too
        many points to enumerate overrides this method.
        """
        # Refuse the call before the points are enumerated.
        require_enumerable(self.domain, "list examples that determine a version space")
        return self._agreed()

    def _agreed(self) -> Iterator[tuple[Point, Label]]:
        """Yield the points on which the concepts agree, with their labels."""
        for x in self.domain:
            zeros, ones = (self._restrict(x, y).is_empty for y in (0, 1))
            if zeros or ones:
                yield x, int(zeros)

    # ---- values that a class may compute without a search

    def _size(self) -> int | None:
        """Return the number of concepts, or None for infinitely many."""
        return len(self.to_table())

    def _closed_form(self, dimension: str) -> int | Fraction | None:
        """Return the exact value of a registered dimension by a formula, or None."""
        return None

    def _ldim_after_one(self) -> int | None:
        """Return the largest Littlestone dimension after a label 1 at some point, if it is known.

        Disjoint unions ask this of classes whose points are too many to be tried.
        """
        return None

    def _has_proper_soa(self) -> bool:
        """Return whether the SOA's rule is known to be a concept of this class after any examples.

        The result is False if no formula decides. Then `learners.playing.base.proper_soa` searches.
        """
        return False

    def _to_table(self) -> Table:
        raise TooLarge(f"{self!r} cannot be enumerated as a table.")

    def _soa_label(self, x: Point) -> Label:
        """Return the label whose restriction has the larger Littlestone dimension, 0 on a tie."""
        return int(self._restrict(x, 1).ldim() > self._restrict(x, 0).ldim())

    def _soa(self) -> Hypothesis:
        return SOAHypothesis(self)

    def _shattered_tree(self) -> tuple[Point, ...]:
        """Return the inner nodes of a shattered tree of depth Ldim >= 0, breadth first.

        The children of node i are 2 i + 1 (label 0) and 2 i + 2 (label 1).
        """
        return self.to_table()._shattered_tree()

    def _part_of_depth(self, depth: int) -> ConceptClass:
        """Return concepts of finite Ldim >= depth, for a class of infinite Ldim."""
        raise InfiniteDimension(
            f"The Littlestone dimension of {self!r} is infinite, and which of its concepts shatter "
            f"a tree of depth {depth} is not known."
        )

    def _is_small(self) -> bool:
        """Return whether the class can be listed, and searched, in next to no time."""
        try:
            concepts, points = self.size, self.domain.size
        except TooLarge:
            return False
        if concepts is None or points is None:
            return False
        return concepts * points <= ENUMERATION_LIMIT

    def _listed(self) -> Table | None:
        """Return the class as a table, if it is small."""
        return self.to_table() if self._is_small() else None

    def _splitting_point(self) -> Point:
        """Return the root of a deepest shattered tree, for a positive Littlestone dimension.

        A class with deeper trees than can be enumerated overrides this method.
        """
        return self.to_table()._splitting_point()

    def _sample(self, rng: np.random.Generator) -> Hypothesis:
        """Return a random concept of this non-empty class."""
        return self.to_table()._sample(rng)

    def _sample_point(self, rng: np.random.Generator, target: Hypothesis) -> Point:
        """Return a random point for a stream labelled by `target`.

        A family overrides this method if uniform points would reveal little about the target, or if
        no uniform distribution exists.
        """
        return self.domain.sample(rng)

    def _known(self, dimension: str) -> int | Fraction | None:
        """Return the value of a dimension if it needs no search, for `_repr_html_`."""
        return self._closed_form(dimension)

    def _repr_html_(self) -> str:
        """Return the values that are known without a search, for notebooks."""
        try:
            size = count(self.size)
        except TooLarge:
            size = "too many to count"
        rows = [("concepts", size), ("points", count(self.domain.size))]
        for dimension in ("ldim", "vcdim"):
            try:
                value = self._known(dimension)
            except TooLarge:  # this is how the method reports an infinite dimension
                continue
            if value is not None:
                rows.append((dimension, count(int(value))))
        rows.append(("first points", ", ".join(map(name_text, islice(self.domain, 4)))))
        return html_table(repr(self), rows)

    # ---- public queries

    @property
    def is_empty(self) -> bool:
        """Whether the class has no concepts."""
        return self._is_empty()

    @property
    def size(self) -> int | None:
        """The number of concepts, which may be astronomically large, or None if it is infinite."""
        return self._size()

    def restrict(self, x: Any, y: Any) -> ConceptClass:
        """Return the class of the concepts c with ``c(x) = y``, on the same domain.

        Parameters
        ----------
        x : point
            Point of the domain.
        y : 0 or 1
            Label of the point.

        Raises
        ------
        InvalidInput
            If `x` is not a point of the domain or `y` is not a label.

        Examples
        --------
        >>> from lsclasses import Table
        >>> C = Table([[0, 0], [0, 1], [1, 1]])
        >>> C.restrict(1, 1).size, C.restrict(0, 1).restrict(1, 0).is_empty
        (2, True)
        """
        return self._restrict(self.domain.require(x), check_label(y))

    def given(self, examples: Iterable[tuple[Any, Any]]) -> ConceptClass:
        """Return the version space: the class of the concepts that agree with all examples."""
        version_space: ConceptClass = self
        for example in iterated(examples, "examples"):
            try:
                x, y = example
            except (TypeError, ValueError):
                raise InvalidInput(
                    f"An example is a pair of a point and its label. Got {example!r:.200}."
                ) from None
            version_space = version_space.restrict(x, y)
        return version_space

    def soa(self) -> Hypothesis:
        """Return the prediction rule of the Standard Optimal Algorithm for this class.

        The rule predicts the label y whose restriction ``C.restrict(x, y)`` has the larger
        Littlestone dimension, or 0 for a tie ([BLM20], section 3.2). The empty class has dimension
        -1. The rule need not belong to the class.

        Examples
        --------
        >>> from lsclasses import Table
        >>> h = Table([[0, 0], [0, 1], [1, 1]]).soa()
        >>> h(0), h(1)
        (0, 1)
        """
        return self._soa()

    def to_table(self) -> Table:
        """Return the class as a `Table`, whose rows list all concepts.

        Raises
        ------
        TooLarge
            If the class is infinite or its table has more bytes than
            `lsclasses.packing.BYTE_LIMIT`.
        """
        return self._to_table()

    def canonical(self, *, flips: bool = True, limit: Limit | None = None) -> Table:
        """Return the canonical form of this class. Isomorphic classes have equal canonical forms.

        Two classes are isomorphic if some permutation of the points, with flips of all labels at
        some points, maps one class to the other. The canonical form is the isomorphic class with
        the least bit mask, an integer that encodes the class (`lsclasses.isomorphism.class_mask`).
        The function `lsclasses.isomorphism.canonical_form` also returns an isomorphism to the
        canonical class.

        Parameters
        ----------
        flips : bool
            Whether labels may also be flipped at points. By default they may.
        limit : Limit, optional
            Time and memory for the search, which is exhaustive and suitable only for small tables.

        Raises
        ------
        TooLarge
            If the limit is reached, or the class has too many points or cannot be enumerated.

        Examples
        --------
        >>> from lsclasses import Table
        >>> C, D = Table([[0, 0], [0, 1], [1, 1]]), Table([[1, 0], [0, 1], [1, 1]], domain="ab")
        >>> C.canonical() == D.canonical(), C.canonical(flips=False) == D.canonical(flips=False)
        (True, False)
        """
        from lsclasses.isomorphism import canonical_form

        return canonical_form(self, flips=flips, limit=limit)[0]

    # ---- random concepts and streams

    def sample(self, rng: Any = None) -> Hypothesis:
        """Return a random concept of the class.

        The distribution of a finite class is uniform. An infinite class documents its distribution.

        Parameters
        ----------
        rng : numpy.random.Generator or seed, optional
            Seed or generator, as for `numpy.random.default_rng`.

        Raises
        ------
        InvalidInput
            If the class is empty.
        TooLarge
            If the class has too many concepts to list, and no method to sample without a list.

        Examples
        --------
        >>> from lsclasses import Table
        >>> C = Table([[0, 0], [0, 1], [1, 1]])
        >>> C.sample(rng=0) in C
        True
        """
        if self.is_empty:
            raise InvalidInput("The empty class has no concept to sample.")
        return self._sample(generator(rng))

    def sample_stream(
        self, length: int, rng: Any = None, *, target: Hypothesis | None = None
    ) -> Iterator[tuple[Point, Label]]:
        """Return a realizable stream of random points, labelled by one concept, the target.

        The points are independent, and uniform unless the class specifies another distribution.
        Some families on huge domains also draw points near the target, because uniform points would
        hardly ever distinguish the target from other concepts.

        Parameters
        ----------
        length : int
            Number of examples.
        rng : numpy.random.Generator or seed, optional
            Seed or generator, as for `numpy.random.default_rng`.
        target : Hypothesis, optional
            Hypothesis on the domain that labels the points. The default is a random concept.

        Returns
        -------
        iterator of (point, label)
            The examples. They are drawn one by one, so a long stream takes no memory.

        Raises
        ------
        InvalidInput
            If the class is empty and no target is given, or the target has another domain.

        Examples
        --------
        >>> from lsclasses import Table
        >>> C = Table([[0, 0], [0, 1], [1, 1]])
        >>> C.given(C.sample_stream(10, rng=0)).is_empty
        False
        """
        if isinstance(length, bool) or not isinstance(length, (int, np.integer)) or length < 0:
            raise InvalidInput(f"The length of a stream is an integer >= 0. Got {length!r:.200}.")
        if self.domain.size == 0:
            raise InvalidInput("A stream needs points, and the domain has none.")
        drawn = generator(rng)
        if target is not None and target.domain != self.domain:
            raise InvalidInput(
                "The target of a stream must label the domain of the class, "
                f"{self.domain.describe()}. Got a target on {target.domain.describe()}."
            )
        concept = self.sample(drawn) if target is None else target
        points = (self._sample_point(drawn, concept) for _ in range(length))
        return ((x, concept._label(x)) for x in points)

    # ---- evidence

    def shatters(self, points: Iterable[Any]) -> bool:
        """Return whether the class induces every labelling of the given points.

        Parameters
        ----------
        points : iterable of points
            Distinct points. Every non-empty class shatters the empty set of points.

        Raises
        ------
        InvalidInput
            If an element is not a point of the domain, or is repeated.
        TooLarge
            If there are more than 20 points, and neither the size nor the VC dimension shows that
            the class does not shatter them.

        Examples
        --------
        >>> from lsclasses import Table
        >>> C = Table([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]], domain="abc")
        >>> C.shatters("ab"), C.shatters("abc"), C.shatters([])
        (True, False, True)
        """
        chosen = [self.domain.require(x) for x in iterated(points, "points")]
        if len(set(chosen)) != len(chosen):
            raise InvalidInput(f"A shattered set has different points. Got {chosen!r:.200}.")
        if len(chosen) > LISTED_POINTS:
            size, most = self.size, self._closed_form("vcdim")
            if (size is not None and size < 2 ** len(chosen)) or (
                most is not None and most < len(chosen)
            ):
                return False
            raise TooLarge(
                f"Checking whether {len(chosen)} points are shattered needs up to 2^{len(chosen)} "
                f"labellings. The limit is {LISTED_POINTS} points.",
                estimate=len(chosen),
                limit=LISTED_POINTS,
            )
        return self._shatters_points(chosen)

    def _shatters_points(self, points: list[Point]) -> bool:
        """Return whether the class induces every labelling on points that have been checked."""
        if not points:
            return not self._is_empty()
        first, *rest = points
        return all(self._restrict(first, y)._shatters_points(rest) for y in (0, 1))

    def shattered_tree(
        self,
        depth: int | None = None,
        *,
        limit: Limit | None = None,
        progress: Progress | None = None,
    ) -> ShatteredTree:
        """Return a shattered tree, which proves a lower bound on the Littlestone dimension.

        A complete binary tree of points is shattered if, for every branch, some concept agrees with
        all labels on the branch. The depth is the Littlestone dimension, Ldim, unless `depth` is
        given.

        Parameters
        ----------
        depth : int, optional
            Number of levels of points in the tree, at most Ldim. It must be given if Ldim is
            infinite.
        limit, progress : optional
            Limit and progress function of the search for the Littlestone dimension, as for `ldim`.

        Raises
        ------
        InvalidInput
            If the class is empty, so that it shatters no tree, or if the depth is negative.
        TooLarge
            If the class is not a table and the tree would have more than 2^20 leaves, or if the
            limit is reached. An infinite class without `depth` raises `InfiniteDimension`.

        Examples
        --------
        >>> import catalog
        >>> print(catalog.build("cube:n=100").shattered_tree(depth=2))
        Ldim >= 2
        0
        ├─0─ 1
        │    ├─0─
        │    └─1─
        └─1─ 1
             ├─0─
             └─1─
        """
        from lsclasses.certificates import ShatteredTree

        return ShatteredTree.of(self, depth, limit=limit, progress=progress)

    def splitting_point(self) -> Point:
        """Return a point at which each label reduces the Littlestone dimension by at most 1.

        An adversary that presents such a point in every round and rejects every prediction forces
        as many mistakes as the Littlestone dimension. The method builds no tree, so the dimension
        may be arbitrarily large.

        Raises
        ------
        InvalidInput
            If the Littlestone dimension is not positive. Then all concepts agree on every point.

        Examples
        --------
        >>> import catalog
        >>> C = catalog.build("thresholds:n=18446744073709551615")
        >>> x = C.splitting_point()
        >>> C.ldim(), C.restrict(x, 0).ldim(), C.restrict(x, 1).ldim()
        (64, 63, 63)
        """
        if self.ldim() < 1:
            raise InvalidInput(
                "A point can split only a class of at least two concepts, whose Littlestone "
                f"dimension is positive. Got {self!r}."
            )
        return self._splitting_point()

    def failure_dag(self, *, limit: Limit | None = None) -> FailureDAG:
        """Return a proof that this class shatters no tree deeper than its Littlestone dimension.

        The proof consists of cases. A typical case proves that a version space shatters no tree of
        some depth k. For every point, the case names a label after which the remaining concepts
        shatter no tree of depth k - 1. Another case proves this, or fewer than 2^(k-1) concepts
        remain.
        """
        from lsclasses.certificates import FailureDAG

        return FailureDAG.of(self.to_table(), limit=limit)

    def ldim_certificate(self, *, limit: Limit | None = None) -> LdimCertificate:
        """Return a certificate of the exact Littlestone dimension.

        The certificate contains a shattered tree, which proves the lower bound, and a `FailureDAG`,
        a proof by cases of the upper bound.
        """
        from lsclasses.certificates import LdimCertificate

        return LdimCertificate.of(self.to_table(), limit=limit)

    def vcdim_certificate(self, *, limit: Limit | None = None) -> VCCertificate:
        """Return a certificate of the VC dimension.

        The certificate contains a shattered set, and a proof that no larger set is shattered.
        """
        from lsclasses.certificates import VCCertificate

        return VCCertificate.of(self.to_table(), limit=limit)


class OfClass:
    """Base of objects on the domain of a concept class that they store."""

    concept_class: ConceptClass

    @property
    def domain(self) -> Domain:
        """The domain of the concept class of this object."""
        return self.concept_class.domain


class VersionSpaceRule(ComputedHypothesis):
    """The prediction rule of a learner for a version space. It computes labels on demand."""

    __slots__ = ("version_space",)

    def __init__(self, version_space: ConceptClass) -> None:
        super().__init__()
        self.version_space = version_space

    @property
    def domain(self) -> Domain:
        """The domain of the class whose version space determines the rule."""
        return self.version_space.domain

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.version_space!r})"


class SOAHypothesis(VersionSpaceRule):
    """The SOA's prediction rule for one version space."""

    __slots__ = ()

    kind = "SOA hypotheses"

    def _compute(self, x: Point) -> Label:
        return self.version_space._soa_label(x)
