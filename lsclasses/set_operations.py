"""Operations of collections and sets on concept classes: `len`, iteration, `in`, unions.

Tables and finite classes in closed form support these operations. An operation that lists the
concepts of a class raises an error for a class that is too large. The error message mentions
`size`, which lists no concepts.
"""

from __future__ import annotations

import operator
import sys
import weakref
from collections.abc import Iterator, Mapping, Set
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from lsclasses.domain import Domain, FiniteDomain
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.hypothesis import ENUMERATION_LIMIT, Concept, Hypothesis
from lsclasses.numbers import format_number
from lsclasses.packing import as_void, require_memory
from lsclasses.point_names import Label, Point

if TYPE_CHECKING:
    from lsclasses.table import Table

DIGITS = 40
"""The largest number of digits of a size that an error message prints in full."""

_LISTINGS: dict[int, Table] = {}
"""Tables of classes that were listed, by the identity of the class.

A table is deleted with its class.
"""


class SetOperations:
    """Mixin of `ConceptClass`: a class as a collection, and as a set, of its concepts."""

    if TYPE_CHECKING:  # the queries of `ConceptClass` that the operations need

        @property
        def domain(self) -> Domain: ...

        @property
        def size(self) -> int | None: ...

        @property
        def is_empty(self) -> bool: ...

        def to_table(self) -> Table: ...

        def _restrict(self, x: Point, y: Label) -> SetOperations: ...

    # ---- the class as a collection

    def __bool__(self) -> bool:
        """Return whether the class has a concept."""
        return not self.is_empty

    def __len__(self) -> int:
        """Return the number of concepts, at most `sys.maxsize`."""
        size = self.size
        if size is None or size > sys.maxsize:
            raise TooLarge(
                f"{self!r} has {_concepts(size)}, and `len` returns at most {sys.maxsize}. "
                f"{_size_remedy(size)}",
                estimate=size,
                limit=sys.maxsize,
            )
        return size

    def __iter__(self) -> Iterator[Hypothesis]:
        """Iterate over the concepts in the order of `to_table`."""
        return iter(self._listing())

    def __getitem__(self, i: Any) -> Hypothesis:
        """Return the concept at a position of `to_table`."""
        return self._listing()[i]

    def __contains__(self, h: object) -> bool:
        """Return whether a `Hypothesis` or a row of labels is a concept of the class."""
        return self._contains(h if isinstance(h, Hypothesis) else row_labelling(self.domain, h))

    def _contains(self, h: Hypothesis) -> bool:
        """Return whether some concept agrees with every label."""
        domain, remaining = self.domain, self
        if h.domain.size != domain.size:
            return False
        if domain.size is None or domain.size > ENUMERATION_LIMIT:
            raise TooLarge(
                f"`in` reads the label of every point. {self!r} has {_number(domain.size)} points, "
                f"more than the {ENUMERATION_LIMIT} that can be read. `given` returns the concepts "
                f"that are consistent with examples. `size` returns the number of concepts.",
                estimate=domain.size,
                limit=ENUMERATION_LIMIT,
            )
        if h.domain != domain and any(x not in h.domain for x in domain):
            return False
        for x in domain:
            remaining = remaining._restrict(x, h(x))
            if remaining.is_empty:
                return False
        return not remaining.is_empty

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """Return the labels as a fresh array, shape (concepts, points)."""
        if copy is False:
            raise ValueError("The labels of a class are packed, so an array of them is a copy.")
        return np.array(self._listing().labels, dtype=dtype)

    def _listing(self) -> Table:
        """Return the table of the concepts on all points, made once.

        Raises
        ------
        TooLarge
            If the table is infinite or too large. The message names `size`.
        """
        table = _LISTINGS.get(id(self))
        if table is None:
            size, points = self.size, self.domain.size
            try:
                table = self.to_table()
            except TooLarge as error:
                limit = "" if error.limit is None else f" The limit is {error.limit:.0f} bytes."
                raise TooLarge(
                    f"{self!r} has {_concepts(size)} on {_number(points)} points, too many to be "
                    f"listed.{limit if size and points else ''} {_size_remedy(size)}",
                    estimate=error.estimate,
                    limit=error.limit,
                ) from error
            if len(table.points) != points:
                raise TooLarge(
                    f"{self!r} has {_number(points)} points, and its table lists only "
                    f"{len(table.points)} of them. Use the operation on tables: to_table() returns "
                    f"the table of the listed points. {_size_remedy(size)}",
                    estimate=points,
                    limit=len(table.points),
                )
            _LISTINGS[id(self)] = table
            weakref.finalize(self, _LISTINGS.pop, id(self), None).atexit = False
        return table

    # ---- the class as a set of concepts

    def same_class(self, other: SetOperations) -> bool:
        """Return whether this class and another class have the same points and the same concepts.

        The order of points and concepts and the names of concepts do not matter. The equality ``C
        == D`` is stricter, because a class in closed form never equals a table.

        Parameters
        ----------
        other : ConceptClass
            Class to compare.

        Raises
        ------
        InvalidInput
            If `other` is not a concept class.
        TooLarge
            If a class is too large to enumerate, unless the numbers of concepts are known and
            differ.

        Examples
        --------
        >>> import catalog
        >>> C = catalog.build("thresholds:n=5")
        >>> C == C.to_table(), C.same_class(C.to_table())
        (False, True)
        >>> C.same_class(catalog.build("thresholds:n=2^64"))
        False
        """
        _require_class(other, "comparison")
        if self is other or self == other:
            return True
        if self.domain.size != other.domain.size or _sizes_differ(self, other):
            return False
        return self._listing() == other._listing()

    def union(self, other: SetOperations) -> Table:
        """Return the class ``C | D`` of the concepts that are in C or in D, as a table.

        Raises
        ------
        InvalidInput
            If the classes have different points.
        TooLarge
            If a class is too large to enumerate.

        Examples
        --------
        >>> import catalog
        >>> from lsclasses import Table
        >>> C, D = catalog.build("thresholds:n=3"), Table(["010", "011"])
        >>> C | D, C & D, C - D
        (<Table: 5 concepts on 3 points>, <Table: 1 concept on 3 points>, <Table: 3 concepts on 3 \
points>)
        >>> C & D <= C, C <= D
        (True, False)
        """
        mine, theirs = aligned_tables("union", self, other)
        return mine._of_packed(mine.domain, np.concatenate([mine.packed, theirs.packed]))

    def intersection(self, other: SetOperations) -> Table:
        """Return the class ``C & D`` of the concepts that are in both classes, as a table.

        Raises
        ------
        InvalidInput
            If the classes have different points.
        TooLarge
            If a class is too large to enumerate.
        """
        mine, theirs = aligned_tables("intersection", self, other)
        return mine._subclass(np.flatnonzero(_shared(mine, theirs)))

    def difference(self, other: SetOperations) -> Table:
        """Return the class ``C - D`` of the concepts of C that are not in D, as a table.

        Raises
        ------
        InvalidInput
            If the classes have different points.
        TooLarge
            If a class is too large to enumerate.
        """
        mine, theirs = aligned_tables("difference", self, other)
        return mine._subclass(np.flatnonzero(~_shared(mine, theirs)))

    def is_subclass(self, other: SetOperations) -> bool:
        """Return ``C <= D``: whether every concept of this class C is in the class D.

        Raises
        ------
        InvalidInput
            If the classes have different points.
        TooLarge
            If a class is too large to enumerate.
        """
        mine, theirs = aligned_tables("inclusion", self, other)
        return bool(_shared(mine, theirs).all())

    def symmetric_difference(self, other: SetOperations) -> Table:
        """Return the class ``C ^ D`` of all ``c xor d`` with c in C and d in D, as a table.

        [LWY25] writes C + D for this class. Note that the class is not the symmetric difference of
        the two sets of concepts.

        Raises
        ------
        InvalidInput
            If the classes have different points.
        TooLarge
            If a class is too large to enumerate.
            The result may also be too large.

        Examples
        --------
        >>> from lsclasses import Table
        >>> C = Table([[0, 1], [1, 1]])
        >>> sorted(c.support for c in C ^ C)
        [(), (0,)]
        """
        mine, theirs = aligned_tables("symmetric difference class", self, other)
        count, width = len(mine) * len(theirs), mine.packed.shape[1]
        require_memory(count, len(mine.points), "The symmetric difference class")
        pairs = mine.packed[:, None, :] ^ theirs.packed[None, :, :]
        return mine._of_packed(mine.domain, pairs.reshape(count, width))

    def complement(self) -> Table:
        """Return the class ``~C`` of the complements ``1 - c`` of all concepts c, as a table.

        ``~C`` equals ``C ^ D`` for the class D whose only concept is the constant 1. The concepts
        keep their names. Note that ``~C`` is not the set of all labellings outside C, which
        contains nearly 2^n labellings of n points.

        Raises
        ------
        TooLarge
            If the class is too large to enumerate.

        Examples
        --------
        >>> import catalog
        >>> from lsclasses import Table
        >>> C = catalog.build("points:n=3")
        >>> [c.support for c in ~C]
        [(1, 2), (0, 2), (0, 1)]
        >>> ~C == C ^ Table(["111"])
        True
        """
        mine = self._listing()
        flipped = np.packbits(1 - mine.labels, axis=1)
        found = mine._of_distinct(mine.domain, flipped, mine.concept_names)
        found.merged_names = mine.merged_names
        return found

    def product(self, other: SetOperations) -> Table:
        """Return the class ``C * D`` on the union of the two domains, as a table.

        For all concepts c of C and d of D, the class contains the concept that equals c on the
        domain of C and d on the domain of D. The domains must be disjoint. If they share points,
        use `lsclasses.ProductClass`, which replaces a point x by pairs (i, x) and enumerates no
        concepts.

        Raises
        ------
        InvalidInput
            If the domains share a point.
        TooLarge
            If a class or the product is too large to enumerate.

        Examples
        --------
        >>> from lsclasses import Table
        >>> C = Table([[0], [1]], domain=["a"])
        >>> (C * C.rename(["b"])).ldim()
        2
        """
        _require_class(other, "product")
        mine, theirs = self._listing(), other._listing()
        shared = [x for x in mine.points if x in theirs.domain]
        if shared:
            raise InvalidInput(
                f"A product needs disjoint domains. Got {shown_points(shared)} in both. Rename the "
                "points of one table with rename(...), or use ProductClass(C, D), which tags them."
            )
        domain = FiniteDomain(mine.points + theirs.points)
        require_memory(len(mine) * len(theirs), len(domain), "The product")
        left = np.repeat(mine.labels, len(theirs), axis=0)
        right = np.tile(theirs.labels, (len(mine), 1))
        return mine._of_distinct(domain, np.packbits(np.hstack([left, right]), axis=1))

    def __or__(self, other: SetOperations) -> Table:
        return self.union(other) if _is_class(other) else NotImplemented

    def __and__(self, other: SetOperations) -> Table:
        return self.intersection(other) if _is_class(other) else NotImplemented

    def __sub__(self, other: SetOperations) -> Table:
        return self.difference(other) if _is_class(other) else NotImplemented

    def __xor__(self, other: SetOperations) -> Table:
        """Return the class ``{c xor d}`` of all pairs of concepts, C + D in [LWY25].

        It is not the symmetric difference of the two sets of concepts, which ``^`` is for sets of
        Python. The method `symmetric_difference` is the same operation.

        Examples
        --------
        >>> from lsclasses import Table
        >>> C, D = Table([[0, 1], [1, 1]]), Table([[0, 0], [0, 1]])
        >>> sorted(c.support for c in C ^ D)
        [(), (0,), (0, 1), (1,)]
        """
        return self.symmetric_difference(other) if _is_class(other) else NotImplemented

    def __mul__(self, other: SetOperations) -> Table:
        return self.product(other) if _is_class(other) else NotImplemented

    def __invert__(self) -> Table:
        return self.complement()

    def __le__(self, other: SetOperations) -> bool:
        return self.is_subclass(other) if _is_class(other) else NotImplemented

    def __ge__(self, other: SetOperations) -> bool:
        return other.is_subclass(self) if _is_class(other) else NotImplemented

    def __lt__(self, other: SetOperations) -> bool:
        if not _is_class(other):
            return NotImplemented
        return self.is_subclass(other) and len(self) < len(other)

    def __gt__(self, other: SetOperations) -> bool:
        if not _is_class(other):
            return NotImplemented
        return other.is_subclass(self) and len(other) < len(self)


# ---- classes of an operation


def aligned_tables(operation: str, first: object, *others: object) -> list[Table]:
    """Return classes on the same points as tables with equal orders of the columns.

    The order is the order of the first class.

    Parameters
    ----------
    operation : str
        Name of the operation, for messages.
    first, *others : ConceptClass

    Raises
    ------
    InvalidInput
        If an argument is not a concept class, or the classes have different points.
    TooLarge
        If a class is too large to be listed.
    """
    for each in (first, *others):
        _require_class(each, operation)
    tables = [cast("SetOperations", each)._listing() for each in (first, *others)]
    points = set(tables[0].points)
    for table in tables[1:]:
        if set(table.points) != points:
            raise InvalidInput(
                f"The {operation} of two classes needs one domain. Got points "
                f"{shown_points(tables[0].points)} and {shown_points(table.points)}."
            )
    return [table._reordered(tables[0].domain) for table in tables]


def _is_class(other: object) -> bool:
    return isinstance(other, SetOperations)


def _require_class(other: object, operation: str) -> None:
    if not _is_class(other):
        raise InvalidInput(f"The {operation} needs concept classes. Got {other!r:.200}.")


def _shared(mine: Table, theirs: Table) -> np.ndarray:
    """Return a mask of the concepts of the first table that are in the second table."""
    return np.isin(as_void(mine.packed), as_void(theirs.packed))


def _sizes_differ(C: SetOperations, D: SetOperations) -> bool:
    try:
        return C.size != D.size
    except TooLarge:
        return False


# ---- arguments


def concept_position(i: Any, count: int) -> int:
    """Return the position, from 0, of the concept with an index such as -1 among `count` concepts.

    Raises
    ------
    InvalidInput
        If the index is not an integer.
    IndexError
        If no concept has the position.

    Examples
    --------
    >>> concept_position(-1, 5)
    4
    """
    if isinstance(i, slice):
        raise InvalidInput(
            f"The index of a concept must be an integer, since a class has no slices. Got {i}. "
            "Slice list(C) for a list of concepts, or C.to_table().labels for rows of a new Table."
        )
    try:
        place = operator.index(i)
    except TypeError:
        raise InvalidInput(
            f"The index of a concept must be an integer, its position. Got {i!r:.200}."
        ) from None
    if not -count <= place < count:
        has = f"has {count} concept{'' if count == 1 else 's'}"
        raise IndexError(f"There is no concept {place}: the class {has}, counted from 0.")
    return place % count


def row_labelling(domain: Domain, labels: object) -> Concept:
    """Return a row of labels, in the order of the domain, as a labelling.

    Raises
    ------
    InvalidInput
        If `labels` is not a row of labels, one for each point.
    """
    rows = isinstance(labels, (str, np.ndarray)) or (
        hasattr(labels, "__iter__") and not isinstance(labels, (Set, Mapping, SetOperations))
    )
    if not rows:
        raise InvalidInput(
            "A labelling must be a Hypothesis, or a row of labels 0 and 1 such as [0, 1, 1] or "
            f"'011', one for each point. Got {labels!r:.200}."
        )
    given = (
        [int(y) if y in ("0", "1") else y for y in labels]
        if isinstance(labels, str)
        else (list(cast("Any", labels)))
    )
    if len(given) != domain.size:
        raise InvalidInput(
            f"A row needs one label for each point: {_number(domain.size)}. Got {len(given)}: "
            f"{labels!r:.200}."
        )
    points = domain if isinstance(domain, FiniteDomain) else FiniteDomain(domain)
    return Concept.from_labels(points, given)


# ---- words


def shown_points(points: Any) -> str:
    """Return the first of some points as a string, for error messages.

    Examples
    --------
    >>> shown_points("abcdef")
    "'a', 'b', 'c', 'd', ..."
    """
    listed: list[Point] = list(points[:4])
    return ", ".join(map(repr, listed)) + (", ..." if len(points) > 4 else "")


def _number(count: int | None) -> str:
    if count is None:
        return "infinitely many"
    return str(count) if count < 10**DIGITS else format_number(count, 3)


def _concepts(size: int | None) -> str:
    return f"{_number(size)} concept{'' if size == 1 else 's'}"


def _size_remedy(size: int | None) -> str:
    if size is None:
        return "`size` returns None for an infinite class."
    return "`size` returns the number of concepts."
