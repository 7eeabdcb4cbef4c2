"""A proper SOA, which breaks ties such that its rules are concepts of the class.

The learner represents a subclass of the table as an integer. Bit i states whether the subclass
contains the i-th concept.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from learners import checked
from learners.playing.base.state import ConservativeLearner
from lsclasses.concept_class import ConceptClass, OfClass
from lsclasses.errors import InvalidInput, LsclassesError, TooLarge
from lsclasses.frozen import set_frozen_fields
from lsclasses.hypothesis import Concept
from lsclasses.online import MistakeBounded
from lsclasses.point_names import Label, Point
from lsclasses.soa import ConservativeSOA
from lsclasses.table import Table

__all__ = ["ProperRules", "ProperSOA", "proper_soa"]


# ---- subclasses


FREE = -1
"""Mark of a point at which either label may be predicted."""
KNOWN_SUBCLASSES = 1 << 16
"""Largest number of subclasses whose dimension and labels are stored."""

Known = TypeVar("Known")


class Left(Protocol):
    """Protocol of states that store the concepts that agree with the examples of all mistakes."""

    @property
    def remaining(self) -> int: ...

    @property
    def mistakes(self) -> int: ...

    @property
    def realizable(self) -> bool: ...


class Subclasses:
    """The subclasses of a table, with their Littlestone dimensions and the labels of the SOA.

    A subclass is an integer whose bit i states whether the subclass contains the concept in row i.
    Two objects are equal if their tables have the same points and the same rows in the same order.

    Parameters
    ----------
    table : Table
        Table with at least one concept.

    Raises
    ------
    InvalidInput
        If the table is empty.

    Examples
    --------
    >>> C = Subclasses(Table([[0, 0], [0, 1], [1, 1]]))
    >>> C.all, C.side(C.all, 1, 1), C.dimension(C.all)
    (7, 6, 1)
    >>> C.labels(C.all).tolist(), C.labels(C.side(C.all, 1, 1)).tolist()
    ([0, 1], [-1, 1])
    """

    def __init__(self, table: Table) -> None:
        if table.is_empty:
            raise InvalidInput("A learner needs a class with at least one concept. Got none.")
        self.table = table
        self.rows: NDArray[np.uint8] = table.labels
        self.all = (1 << len(table)) - 1
        self._key = table.points, table.packed.tobytes()
        self._dimensions: dict[int, int] = {}
        self._labels: dict[int, NDArray[np.int8]] = {}

    def __eq__(self, other: object) -> bool:
        # Equal tables may list their rows in different orders, but this class numbers the rows.
        return type(other) is type(self) and other.__dict__["_key"] == self._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.table,)

    def members(self, subclass: int) -> NDArray[np.intp]:
        """Return the positions of the concepts of a subclass, in increasing order."""
        count = len(self.table)
        packed = np.frombuffer(subclass.to_bytes(-(-count // 8), "little"), np.uint8)
        return np.unpackbits(packed, count=count, bitorder="little").nonzero()[0]

    def side(self, subclass: int, point: int, label: Label) -> int:
        """Return the subclass of the concepts that give a label to the point at a position."""
        ones = self.table.column_bits[point]
        return subclass & ones if label else subclass & ~ones

    def dimension(self, subclass: int) -> int:
        """Return the Littlestone dimension of a subclass, or -1 if it is empty."""
        found = self._dimensions.get(subclass)
        if found is None:
            found = self._written_out(subclass).ldim()
            _remember(self._dimensions, subclass, found)
        return found

    def labels(self, subclass: int) -> NDArray[np.int8]:
        """Return, for each point, the only label that the SOA may predict, or `FREE` for both.

        The SOA may predict a label if the concepts with the opposite label have a smaller
        Littlestone dimension. `FREE` (-1) marks points at which it may predict either label.

        Parameters
        ----------
        subclass : int
            Subclass with at least one concept.

        Returns
        -------
        ndarray of shape (points,)
        """
        found = self._labels.get(subclass)
        if found is None:
            dimension = self.dimension(subclass)
            # At most one label leaves the dimension unchanged. Otherwise it would be larger.
            found = np.array(
                [
                    1
                    if self._keeps(self.side(subclass, x, 1), dimension)
                    else 0
                    if self._keeps(self.side(subclass, x, 0), dimension)
                    else FREE
                    for x in range(len(self.table.domain))
                ],
                np.int8,
            )
            found.flags.writeable = False
            _remember(self._labels, subclass, found)
        return found

    def _keeps(self, side: int, dimension: int) -> bool:
        return side.bit_count() >= 1 << dimension and self._written_out(side)._shatters(dimension)

    def _written_out(self, subclass: int) -> Table:
        return self.table if subclass == self.all else self.table._subclass(self.members(subclass))


def written_out(C: ConceptClass) -> Table:
    """Return the table of a class, for a learner that searches its subclasses.

    Raises
    ------
    TooLarge
        If the class cannot be enumerated as a table. The message names learners for such classes.

    Examples
    --------
    >>> import catalog
    >>> written_out(catalog.build("points:n=inf"))
    Traceback (most recent call last):
        ...
    lsclasses.errors.TooLarge: <Sets of 1 of infinitely many points> is infinite and cannot be \
written out as a table. This learner weighs every concept at every point. The SOA needs no table, \
because a formula gives the Littlestone dimension. Use lsclasses run soa, or pop with it.
    """
    try:
        return C.to_table()
    except TooLarge as stopped:
        raise TooLarge(
            f"{stopped} This learner weighs every concept at every point. {_without_table(C)}",
            estimate=stopped.estimate,
            limit=stopped.limit,
        ) from None


def _without_table(C: ConceptClass) -> str:
    """Return the learners for a class without a table, with the reason why the SOA refuses."""
    try:
        C._soa()
    except LsclassesError:
        reason = C._hardness_of_dimensions()
        return (reason and f"{reason} ") + (
            "The learner best needs only a mistake bound. Use lsclasses run best, or pop with it."
        )
    return (
        "The SOA needs no table, because a formula gives the Littlestone dimension. Use lsclasses "
        "run soa, or pop with it."
    )


def subclass_to_json(left: Left) -> dict[str, Any]:
    """Return the state of a learner that keeps concepts as bits, without its examples."""
    return {
        "remaining": f"{left.remaining:x}",
        "mistakes": left.mistakes,
        "realizable": left.realizable,
    }


def subclass_from_json(subclasses: Subclasses, data: Any) -> dict[str, Any]:
    """Return the fields of the state that `subclass_to_json` wrote.

    Raises
    ------
    InvalidInput
        If the data do not describe concepts of the class.
    """
    remaining = int(data["remaining"], 16)
    if not 0 < remaining <= subclasses.all:
        raise InvalidInput("the remaining concepts must belong to the class.")
    return {
        "remaining": remaining,
        "mistakes": checked.nonnegative(data["mistakes"], "number of mistakes"),
        "realizable": bool(data["realizable"]),
    }


def _remember(known: dict[int, Known], subclass: int, value: Known) -> None:
    if len(known) >= KNOWN_SUBCLASSES:
        known.clear()
    known[subclass] = value


# ---- proper soa


SUBCLASSES_LIMIT = 1 << 14
"""Largest number of version spaces that a search for a rule visits."""


class ProperRules:
    """The concepts that can serve as the SOA's rules, for the version spaces of a table.

    In a version space V, a label of a point suits the SOA if the opposite label leaves a smaller
    Littlestone dimension. At some points both labels suit. A concept is a rule for V under two
    conditions. First, it gives every point a suitable label. Second, for every point, the concepts
    of V with the other label at the point have a rule.

    Parameters
    ----------
    table : Table
        Table with at least one concept. `ProperRules` objects are equal for equal tables with rows
        and points in the same order.
    """

    def __init__(self, table: Table) -> None:
        self.subclasses = Subclasses(table)
        self._rules: dict[int, int | None] = {}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ProperRules):
            return NotImplemented
        return self.subclasses == other.subclasses

    def __hash__(self) -> int:
        return hash(self.subclasses)

    def __reduce__(self) -> tuple[object, ...]:
        return ProperRules, (self.subclasses.table,)

    def rule(self, subclass: int) -> int | None:
        """Return the position of the first concept that can be the SOA's rule for a version space.

        The conditions on a rule are in the docstring of the class. If no concept meets both
        conditions, return None.

        Parameters
        ----------
        subclass : int
            Version space V in the form of `Subclasses`, not empty.

        Raises
        ------
        TooLarge
            If the search visits more than 2^14 version spaces.
        """
        if subclass not in self._rules:
            if len(self._rules) >= SUBCLASSES_LIMIT:
                raise TooLarge(
                    "The search that decides whether the SOA can be proper visits at most "
                    f"{SUBCLASSES_LIMIT} version spaces. This class has more. Use sparse-majority.",
                    estimate=len(self._rules),
                    limit=SUBCLASSES_LIMIT,
                )
            self._rules[subclass] = None
            self._rules[subclass] = self._found(subclass)
        return self._rules[subclass]

    def _found(self, subclass: int) -> int | None:
        rows = self.subclasses.rows
        labels = self.subclasses.labels(subclass)
        forced = np.flatnonzero(labels != FREE)
        candidates = np.flatnonzero((rows[:, forced] == labels[forced]).all(axis=1))
        while len(candidates):
            chosen = int(candidates[0])
            for x, y in enumerate(rows[chosen].tolist()):
                left = self.subclasses.side(subclass, x, 1 - y)
                if left and self.rule(left) is None:
                    # Every concept with this label at this point also fails to be a rule.
                    candidates = candidates[rows[candidates, x] != y]
                    break
            else:
                return chosen
        return None


@dataclass(frozen=True)
class ProperSOA(OfClass, ConservativeLearner):
    """A proper learner with at most Ldim mistakes: an SOA whose hypotheses are concepts.

    The SOA predicts the label after which the version space has the larger Littlestone dimension.
    If both version spaces have the same dimension, `ProperSOA` chooses the label such that its
    hypothesis (rule) is always a concept of the class. The learner changes its rule only on
    mistakes, and makes at most Ldim mistakes on every sequence that is consistent with some
    concept.

    Parameters
    ----------
    concept_class : ConceptClass
        Class that can be enumerated as a table.

    Attributes
    ----------
    remaining : int
        Bit mask of the concepts, numbered as in the table, that agree with the true labels at the
        mistakes so far. An example that contradicts all these concepts does not change the mask.
    mistakes : int
        Number of mistakes so far. Equality of states ignores this number.
    realizable : bool
        Whether some concept agrees with the true labels at all mistakes so far.

    Raises
    ------
    InvalidInput
        If the class is empty, or some version space has no concept that the SOA may use as its
        rule.
    TooLarge
        If the class cannot be enumerated as a table, or the search finds too many version spaces.

    Examples
    --------
    >>> import catalog
    >>> state = ProperSOA(catalog.build("intervals:n=6"))
    >>> state.mistake_bound, state.hypothesis.support
    (4, ())
    >>> state.observe(2, 1).hypothesis.support
    (1, 2)
    """

    concept_class: ConceptClass = field(compare=False)
    remaining: int = 0
    mistakes: int = field(default=0, compare=False)
    realizable: bool = True
    _rules: ProperRules | None = field(default=None, repr=False)

    bound_symbol: ClassVar[str] = "Ldim"

    def __post_init__(self) -> None:
        if self._rules is None:
            rules = ProperRules(written_out(self.concept_class))
            if rules.rule(rules.subclasses.all) is None:
                raise InvalidInput(
                    "No way to break ties makes the SOA's rule always a concept of "
                    f"{self.concept_class!r}. A search of all ways proves this statement "
                    "(docs/sparse-majorities.md, Single concepts: the proper SOA). Use "
                    "sparse-majority, whose rules are majorities of few concepts."
                )
            set_frozen_fields(self, _rules=rules, remaining=rules.subclasses.all)

    @property
    def rules(self) -> ProperRules:
        """The concept by which the learner predicts, for each version space. Computed on demand."""
        assert self._rules is not None
        return self._rules

    @property
    def hypothesis(self) -> Concept:
        """The concept of the class by which the learner predicts in this state."""
        rule = self.rules.rule(self.remaining)
        assert rule is not None
        return self.rules.subclasses.table[rule]

    @property
    def mistake_bound(self) -> int | None:
        """A bound on the remaining mistakes, or None if no concept is consistent."""
        return self.rules.subclasses.dimension(self.remaining) if self.realizable else None

    def to_json(self, start: Self) -> dict[str, Any]:
        """Return the state as a JSON object: the bit mask of the remaining concepts."""
        return subclass_to_json(self)

    def from_json(self, data: Any) -> Self:
        """Return the state that `ProperSOA.to_json` wrote, with the class of this state."""
        return replace(self, **subclass_from_json(self.rules.subclasses, data))

    def _corrected(self, x: Point, y: Label) -> Self:
        subclasses = self.rules.subclasses
        left = subclasses.side(self.remaining, subclasses.table.domain.index(x), y)
        if not left:
            return replace(self, mistakes=self.mistakes + 1, realizable=False)
        return replace(self, remaining=left, mistakes=self.mistakes + 1)


def proper_soa(C: ConceptClass) -> MistakeBounded:
    """Return the proper SOA of a class, with at most Ldim mistakes and only concepts as rules.

    For some classes, a formula shows that the SOA's rule is a concept after any examples. These
    classes are thresholds, sets of at most k points (for k = 1, the point functions with the empty
    concept), and products of such classes. The result is then `ConservativeSOA`, at any size. Any
    other class is enumerated as a table, and a search decides whether ties can be broken so that
    the rule is always a concept. The result is then `ProperSOA`.

    Parameters
    ----------
    C : ConceptClass
        Class that is not empty.

    Raises
    ------
    InvalidInput
        If the class is empty, or the SOA has no such rules.
    TooLarge
        If neither a formula nor a search decides whether such a learner exists.

    References
    ----------
    [LWY25, App. E.2] needs learners whose rules are majorities of few concepts. The rules of this
    learner are single concepts.

    Examples
    --------
    >>> import catalog
    >>> proper_soa(catalog.build("thresholds:n=2^64")).mistake_bound
    64
    >>> proper_soa(catalog.build("parities:n=3"))
    ProperSOA(<parities:n=3>)
    >>> proper_soa(catalog.build("points:n=9"))
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: No way to break ties makes the SOA's rule always a \
concept of <Sets of 1 of 9 points>. A search of all ways proves this statement \
(docs/sparse-majorities.md, Single concepts: the proper SOA). Use sparse-majority, whose rules are \
majorities of few concepts.
    """
    return ConservativeSOA(C) if not C.is_empty and C._has_proper_soa() else ProperSOA(C)
