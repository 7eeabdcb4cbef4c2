"""Experts in groups that have behaved equally so far, such as the concepts of a closed form.

The concepts of a class are experts in a table if the class is small, and in groups otherwise.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from learners import checked
from learners.coins import CoinGenerator, Coins
from learners.playing.expert_sources.base import (
    Expert,
    ExpertSource,
    Revealed,
    Tally,
    _LabelledExamples,
    require_several,
)
from learners.playing.expert_sources.concept_groups import ConceptGroups, concept_groups
from learners.playing.expert_sources.deferred import DeferredTally, Entry, begun_once, together
from learners.playing.expert_sources.listed import ListedConcepts, TableExperts
from lsclasses.concept_class import ConceptClass, OfClass
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.hypothesis import Hypothesis
from lsclasses.packing import BYTE_LIMIT
from lsclasses.point_names import Label, Point
from lsclasses.soa import version_space_from_json, version_space_to_json
from lsclasses.table import Table

# ---- grouped


LISTED_UP_TO = 1 << 20
"""The largest number of concepts of a class that is enumerated, if its table is small enough."""

Group = TypeVar("Group", bound=Hashable)
"""Type of the keys that identify groups of experts."""


@dataclass(frozen=True)
class _GroupTally(Tally, Generic[Group]):
    """The groups with the loss of each expert in them, and the number of such groups."""

    experts: GroupedExperts[Group]
    groups: tuple[tuple[Group, int, int], ...]
    """Key, loss of the experts and multiplicity of each group."""

    def after(self, item: Revealed, weight: int = 1) -> _GroupTally[Group]:
        found: dict[tuple[Group, int], int] = {}
        for key, loss, count in self.groups:
            for later, multiplicity, lost in self.experts.split(key, item):
                entry = later, loss + weight * lost
                found[entry] = found.get(entry, 0) + count * multiplicity
        return _GroupTally(
            self.experts, tuple((key, loss, count) for (key, loss), count in found.items())
        )

    def cleared(self) -> _GroupTally[Group]:
        found: dict[Group, int] = {}
        for key, _, count in self.groups:
            found[key] = found.get(key, 0) + count
        return _GroupTally(self.experts, tuple((key, 0, count) for key, count in found.items()))

    @property
    def least(self) -> int:
        return min(loss for _, loss, _ in self.groups)

    @property
    def best(self) -> Expert:
        least = self.least
        return self.experts.first(next(key for key, loss, _ in self.groups if loss == least))

    def draw(self, rate: Fraction, coins: Coins) -> Expert:
        losses = [loss for _, loss, _ in self.groups]
        counts = [count * self.experts.members(key) for key, _, count in self.groups]
        return self.experts.member(self.groups[coins.pick(losses, -rate, counts)][0], coins)

    def __repr__(self) -> str:
        return f"<Losses of experts in {len(self.groups)} groups>"


class _ArrayTally(DeferredTally["_GroupLosses"]):
    """The losses of groups of concepts in arrays, with the same draws as `_GroupTally`."""

    experts: ClassExperts

    @property
    def groups(self) -> tuple[tuple[ConceptClass, int, int], ...]:
        """The groups in the format of `_GroupTally`."""
        cells, losses = self._now()
        listed = losses.tolist()
        return tuple((cells.key(i), listed[i], 1) for i in reversed(range(len(cells))))

    def _sum(self, losses: _GroupLosses, entries: Sequence[Entry]) -> _GroupLosses:
        return losses[0].after(losses[1], together(entries))

    def cleared(self) -> _ArrayTally:
        cells, losses = self._now()
        return _ArrayTally(self.experts, (cells, np.zeros_like(losses)))

    def _leading(self) -> tuple[int, Expert]:
        cells, losses = self._now()
        # Groups are in reversed order, and the first of the best groups counts.
        last = len(losses) - 1 - int(losses[::-1].argmin())
        return int(losses[last]), self.experts.first(cells.key(last))

    def _draw(self, rate: Fraction, coins: Coins) -> Expert:
        cells, losses = self._now()
        drawn = coins.pick_counted(losses[::-1], cells.sizes[::-1], -rate)
        return self.experts.member(cells.key(len(losses) - 1 - drawn), coins)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _ArrayTally):
            return NotImplemented
        return (self.experts, self.groups) == (other.experts, other.groups)

    def __hash__(self) -> int:
        return hash(self.groups)

    def __repr__(self) -> str:
        return f"<Losses of experts in {len(self._now()[0])} groups>"


_GroupLosses = tuple[ConceptGroups, NDArray[np.int64]]
"""The groups and the losses of their experts."""


class GroupedExperts(ExpertSource, Generic[Group]):
    """Base class of sources whose experts are in groups that have behaved equally so far.

    There may be astronomically many experts, as long as there are few groups, because their numbers
    are Python's integers. A group is described by a hashable key. When a round is revealed, a group
    splits into groups whose members have equal losses. Groups with one key and one loss are merged,
    so a key must determine the future of its experts.

    A subclass supplies `groups`, `members`, `split`, `member` and `first`, and the methods that
    every source defines.

    Examples
    --------
    In the example, the experts begin with the prediction 0 and change to 1 in one of T rounds, or
    never. The experts that have not changed form one group, for any number of remaining rounds.

    >>> class Changing(GroupedExperts):
    ...     def __init__(self, rounds): self.rounds = rounds
    ...     def groups(self): return [(("waiting", self.rounds), 1)]
    ...     def members(self, key): return 1 + key[1] if key[0] == "waiting" else 1
    ...     def split(self, key, y):
    ...         if key[0] == "waiting":
    ...             yield ("waiting", key[1] - 1), 1, y
    ...         yield ("changed", 0), 1, 1 - y
    ...     def member(self, key, coins): return "a member"
    ...     def first(self, key): return "a member"
    ...     def require(self, item): return item
    ...     def loss(self, expert, item): return 0
    >>> experts = Changing(1000)
    >>> tally = experts.begin()
    >>> for y in (0, 1, 1):
    ...     tally = tally.after(y)
    >>> experts.size, sorted((loss, count) for _, loss, count in tally.groups), tally.least
    (1001, [(0, 1), (1, 2), (2, 1)], 0)
    """

    @abstractmethod
    def groups(self) -> Iterable[tuple[Group, int]]:
        """Return the groups before the first round, as keys with the number of such groups."""

    @abstractmethod
    def members(self, key: Group) -> int:
        """Return the number of experts of a group."""

    @abstractmethod
    def split(self, key: Group, item: Revealed) -> Iterable[tuple[Group, int, int]]:
        """Return the parts of a group: keys, numbers of groups, and losses in the round.

        Together they have as many members as the group has.
        """

    @abstractmethod
    def member(self, key: Group, coins: Coins) -> Expert:
        """Return a uniformly random expert of a group, in the form that a learner publishes."""

    @abstractmethod
    def first(self, key: Group) -> Expert:
        """Return a fixed expert of a group, which depends on the group only."""

    @property
    def size(self) -> int:
        """The number N of experts."""
        return sum(count * self.members(key) for key, count in self.groups())

    def begin(self) -> Tally:
        """Return the tally before the first round."""
        return _GroupTally(self, tuple((key, 0, count) for key, count in self.groups()))


@dataclass(frozen=True)
class ClassExperts(OfClass, _LabelledExamples, GroupedExperts[ConceptClass]):
    """The concepts of a class as experts, without listing them.

    Concepts that agree on all points so far form a group, described by their version space. So
    there are at most as many groups as the class has labellings of these points. For n points,
    this is at most the sum of C(n, i) over i <= VC dimension.

    Parameters
    ----------
    concept_class : ConceptClass
        Finite class that counts its concepts, also after restrictions.

    Raises
    ------
    InvalidInput
        If the class is infinite.
    TooLarge
        If the class cannot count its concepts.

    Examples
    --------
    >>> import catalog
    >>> experts = ClassExperts(catalog.build("points:n=2^64"))
    >>> tally = experts.begin().after((5, 1)).after((7, 0))
    >>> [(experts.members(key), loss, count) for key, loss, count in tally.groups]
    [(18446744073709551614, 1, 1), (1, 2, 1), (1, 0, 1)]
    >>> tally.best(5)
    1
    """

    concept_class: ConceptClass

    def __post_init__(self) -> None:
        if self.concept_class.size is None:
            raise InvalidInput(
                f"{self.concept_class!r} has infinitely many concepts. Experts are finitely many."
            )

    def begin(self) -> Tally:
        """Return the tally before the first round, in arrays for some classes."""
        cells = concept_groups(self.concept_class)
        if cells is None:
            return super().begin()
        return begun_once(self, lambda: _ArrayTally(self, (cells, np.zeros(1, dtype=np.int64))))

    def groups(self) -> Iterable[tuple[ConceptClass, int]]:
        """Return one group, which is the whole class."""
        return ((self.concept_class, 1),)

    def members(self, key: ConceptClass) -> int:
        """Return the number of concepts in a version space.

        Raises
        ------
        TooLarge
            If the number is not known, because in some classes counting takes too long after some
            examples. Under a private learner this error depends on the points and is public, and no
            guarantee covers it.
        """
        try:
            return key.size or 0
        except TooLarge as error:
            raise _unlisted(f"Counting the concepts of {key!r} takes too long") from error

    def split(
        self, key: ConceptClass, item: tuple[Point, Label]
    ) -> Iterable[tuple[ConceptClass, int, int]]:
        """Yield the concepts with either label at the point."""
        x, y = item
        for label in (0, 1):
            part = key._restrict(x, label)
            if not part.is_empty:
                yield part, 1, int(label != y)

    def member(self, key: ConceptClass, coins: Coins) -> Hypothesis:
        """Return a uniformly random concept of a version space."""
        return key._sample(CoinGenerator(coins))  # type: ignore[arg-type]

    def first(self, key: ConceptClass) -> Hypothesis:
        """Return a fixed concept of a version space."""
        return key.sample(0)

    def tally_to_json(self, tally: Tally) -> list[list[Any]]:
        """Return each version space's loss and multiplicity as JSON values, with all points."""
        assert isinstance(tally, (_GroupTally, _ArrayTally))
        return [
            [version_space_to_json(self.concept_class, key), loss, count]
            for key, loss, count in tally.groups
        ]

    def tally_from_json(self, data: Any) -> Tally:
        """Return the tally that `tally_to_json` wrote."""
        groups = tuple(
            (
                version_space_from_json(self.concept_class, examples),
                checked.nonnegative(loss, "loss"),
                checked.positive(count, "number of groups"),
            )
            for examples, loss, count in data
        )
        whole = concept_groups(self.concept_class)
        if whole is not None and all(count == 1 for _, _, count in groups):
            cells = whole.regrouped([key for key, _, _ in reversed(groups)])
            if cells is not None:
                losses = np.array([loss for _, loss, _ in reversed(groups)], dtype=np.int64)
                return _ArrayTally(self, (cells, losses))
        return _GroupTally(self, groups)

    def __str__(self) -> str:
        return f"{self.size} concepts"


def _unlisted(problem: str, reason: str = "") -> TooLarge:
    return TooLarge(
        f"{problem}, so the concepts cannot all be weighed as experts. "
        + (reason and f"{reason} ")
        + "POP needs only a learner with a mistake bound. Use lsclasses run pop.",
        estimate=float("inf"),
        limit=LISTED_UP_TO,
    )


# ---- of class


def experts_of(concept_class: ConceptClass) -> ExpertSource:
    """Return the concepts of a class as experts, one by one if possible, else in groups.

    Parameters
    ----------
    concept_class : ConceptClass
        Concept class.

    Raises
    ------
    InvalidInput
        If the class has fewer than two concepts, which leave no choice to learn.
    TooLarge
        If the class is infinite, or too large to be listed and no formula counts its concepts.

    Examples
    --------
    >>> import catalog
    >>> print(type(experts_of(catalog.build("thresholds:n=7"))).__name__)
    TableExperts
    >>> print(experts_of(catalog.build("thresholds:n=2^64")))
    18446744073709551617 concepts
    """
    try:
        size = concept_class.size
    except TooLarge as error:
        raise _unlisted(f"{concept_class!r} has too many concepts to be listed") from error
    if size is None:
        raise _unlisted(f"{concept_class!r} has infinitely many concepts")
    require_several(size, repr(concept_class))
    points = concept_class.domain.size
    if isinstance(concept_class, Table):
        return TableExperts(concept_class)
    if points is not None and size <= LISTED_UP_TO and size * points <= BYTE_LIMIT:
        return TableExperts(concept_class.to_table())
    if concept_class._lists_concepts() and size <= LISTED_UP_TO:
        return ListedConcepts(concept_class)
    if not concept_class._counts_version_spaces():
        raise _unlisted(
            f"No formula counts the concepts of {concept_class!r} after examples",
            concept_class._hardness_of_weights(),
        )
    return ClassExperts(concept_class)
