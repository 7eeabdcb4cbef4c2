"""What algorithms for prediction from experts ask: who the experts are, and what they lose.

In every round each expert has a loss in [0, 1]. An `ExpertSource` says how many experts there are
and what they lose when a round is revealed; a `Tally` is what all of them have lost by now, and
draws one by its weight. Losses are integers in units of 1/scale, and all that is drawn is exact.

| source | experts | a round |
|---|---|---|
| `LossVectors` | numbers 0, ..., N - 1 | the vector of their losses |
| `TableExperts` | the concepts of a table, bit-packed | a labelled example |
| `HypothesisExperts` | hypotheses that are given | a labelled example |
| `ClassExperts` | the concepts of a class in closed form, in cells that agree so far | the same |
| `GroupedExperts` | a base for experts that come in groups, which split over time | anything |

The loss of an expert on a labelled example is whether it mislabels the point. `experts_of` finds a
source for a class.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.coins import Coins
from learners.numbers import checked_positive, rational
from lsclasses.concept_class import ConceptClass
from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.hypothesis import Hypothesis
from lsclasses.packing import BYTE_LIMIT
from lsclasses.points import Label, Point, check_label
from lsclasses.stacks import HypothesisStack
from lsclasses.table import Table

__all__ = [
    "ClassExperts",
    "ExpertSource",
    "GroupedExperts",
    "HypothesisExperts",
    "LossVectors",
    "TableExperts",
    "Tally",
    "experts_of",
]

KEPT_UP_TO = 1 << 28
"""The losses of so many experts are kept one by one at most."""
LISTED_UP_TO = 1 << 20
"""A class of at most so many concepts is written out, if its table is small enough."""

LARGEST_SUM = 1 << 62
"""What an expert may lose is less than so many units, which 64 bits hold."""
POINTS_AT_A_TIME = 1 << 10
"""How many columns of a table are turned at once."""


class Tally(ABC):
    """What every expert has lost by now; immutable, and hashable by that."""

    @abstractmethod
    def after(self, item: Any) -> Tally:
        """The tally one round later; the item has been checked (`ExpertSource.require`)."""

    @property
    @abstractmethod
    def least(self) -> int:
        """What the best expert has lost, in units."""

    @property
    @abstractmethod
    def best(self) -> Any:
        """The first of the experts that have lost least."""

    @abstractmethod
    def draw(self, rate: Fraction, coins: Coins) -> Any:
        """An expert, with probability proportional to exp(-rate * loss), the loss in units."""


class ExpertSource(ABC):
    """Who the experts are, and what they lose in a round.

    Attributes
    ----------
    scale : int
        Losses are integers from 0 to `scale`, which stands for a loss of 1.
    """

    scale: int = 1

    @property
    @abstractmethod
    def size(self) -> int:
        """N, the number of experts."""

    @property
    def domain(self) -> Domain | None:
        """The points that experts label; None if a round is no labelled example."""
        return None

    @abstractmethod
    def begin(self) -> Tally:
        """The tally before the first round."""

    @abstractmethod
    def require(self, item: Any) -> Any:
        """What is revealed in a round, checked, as the other methods take it.

        Raises
        ------
        InvalidInput
            If it is nothing that this source has losses for.
        """

    @abstractmethod
    def loss(self, expert: Any, item: Any) -> int:
        """What an expert loses in a round, in units; the item has been checked."""

    def followed(self, expert: Any, item: Any, coins: Coins) -> Any:
        """An expert that is kept, after a round; itself, where experts do not change.

        Of experts that change over time, only the group may have been drawn; what is left to draw
        of one that is kept is drawn here.
        """
        return expert

    @property
    def unit(self) -> Fraction:
        """What one unit of loss is."""
        return Fraction(1, self.scale)


class _LabelledExamples(ExpertSource):
    """What sources share whose experts are hypotheses: a round is an example (point, label)."""

    @property
    @abstractmethod
    def domain(self) -> Domain:
        """The points that experts label."""

    def require(self, item: Any) -> tuple[Point, Label]:
        """An example, its point in the domain.

        Raises
        ------
        InvalidInput
            If it is no pair of a point of the domain and a label.
        """
        if not isinstance(item, tuple) or len(item) != 2:
            raise InvalidInput(f"What is revealed is a pair (point, label). Got {item!r}.")
        return self.domain.require(item[0]), check_label(item[1])

    def loss(self, expert: Hypothesis, item: tuple[Point, Label]) -> int:
        """1 if the hypothesis mislabels the point."""
        return int(expert._label(item[0]) != item[1])


# ---- experts one by one


@dataclass(frozen=True, eq=False)
class _ListedTally(Tally):
    """A loss for each of the experts of an array source, shape (experts,), read-only."""

    experts: _ListedExperts
    losses: NDArray[np.int64]
    rounds: int = 0

    def after(self, item: Any) -> _ListedTally:
        rounds = self.rounds + 1
        if rounds * self.experts.scale >= LARGEST_SUM:
            raise TooLarge(
                f"Losses in units of 1/{self.experts.scale} are added up for less than "
                f"{-(-LARGEST_SUM // self.experts.scale)} rounds. Take a coarser unit.",
                estimate=rounds,
                limit=LARGEST_SUM // self.experts.scale,
            )
        return _ListedTally(self.experts, self.losses + self.experts.losses(item), rounds)

    @cached_property
    def least(self) -> int:
        return int(self.losses.min())

    @property
    def best(self) -> Any:
        return self.experts.expert(int(self.losses.argmin()))

    def draw(self, rate: Fraction, coins: Coins) -> Any:
        return self.experts.expert(coins.pick_from(self.losses, -rate))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _ListedTally):
            return NotImplemented
        return np.array_equal(self.losses, other.losses) and self.experts == other.experts

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(self.losses.tobytes())

    def __repr__(self) -> str:
        return f"<Losses of {len(self.losses)} experts, from {self.least} on>"


class _ListedExperts(ExpertSource):
    """Experts that have a position each, so that the losses of a round stand in an array."""

    def begin(self) -> Tally:
        if self.size > KEPT_UP_TO:
            raise TooLarge(
                f"The losses of at most {KEPT_UP_TO} experts are kept one by one. Got {self.size}.",
                estimate=self.size,
                limit=KEPT_UP_TO,
            )
        return _ListedTally(self, np.zeros(self.size, dtype=np.int64))

    @abstractmethod
    def losses(self, item: Any) -> NDArray[Any]:
        """What every expert loses in a round, in units, shape (experts,), integers."""

    @abstractmethod
    def expert(self, position: int) -> Any:
        """The expert at a position, as it is published."""


@dataclass(frozen=True)
class LossVectors(_ListedExperts):
    """Experts 0, ..., N - 1, of whom nothing is known but their losses.

    A round is the vector of their losses: numbers from 0 to 1 that are multiples of 1/scale.

    Parameters
    ----------
    count : int
        N.
    scale : int

    Raises
    ------
    InvalidInput
        If a number is not positive.

    Examples
    --------
    >>> experts = LossVectors(3, scale=4)
    >>> tally = experts.begin().after(experts.require([1, 0, Fraction(1, 2)]))
    >>> tally.least, tally.best, tally.losses.tolist()
    (0, 1, [4, 0, 2])
    >>> experts.require([0, 2, 1])
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: A loss lies between 0 and 1. Expert 1 has the loss 2.
    """

    count: int
    scale: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "count", checked_positive(self.count, "number of experts"))
        object.__setattr__(self, "scale", checked_positive(self.scale, "scale of the losses"))
        if self.scale >= LARGEST_SUM:
            raise InvalidInput(f"The scale of losses is below 2^62. Got {self.scale}.")

    @property
    def size(self) -> int:
        """N, the number of experts."""
        return self.count

    def require(self, item: Any) -> NDArray[np.int64]:
        """The losses in units.

        Parameters
        ----------
        item : sequence of int or Fraction, or array of integers, shape (experts,)

        Raises
        ------
        InvalidInput
            If there is not one loss for each expert, or one is a float, outside of [0, 1], or no
            multiple of 1/scale.
        """
        if isinstance(item, np.ndarray) and item.dtype.kind in "bui":
            wrong = (item < 0) | (item > 1)
            if wrong.any():
                at = int(wrong.argmax())
                raise InvalidInput(
                    f"A loss lies between 0 and 1. Expert {at} has the loss {item.flat[at]}."
                )
            units = item.astype(np.int64) * self.scale
        elif isinstance(item, (np.ndarray, Sequence)) and not isinstance(item, (str, bytes)):
            units = np.array([self._units(i, loss) for i, loss in enumerate(item)], dtype=np.int64)
        else:
            raise InvalidInput(
                f"What is revealed is a vector of {self.count} losses. Got {item!r}."
            )
        if units.shape != (self.count,):
            raise InvalidInput(
                f"There must be one loss for each of {self.count} experts. Got an array of shape "
                f"{units.shape}."
            )
        return units

    def _units(self, at: int, loss: Any) -> int:
        exact = rational(loss, f"loss of expert {at}")
        if not 0 <= exact <= 1:
            raise InvalidInput(f"A loss lies between 0 and 1. Expert {at} has the loss {exact}.")
        units = exact * self.scale
        if units.denominator != 1:
            raise InvalidInput(
                f"Losses are multiples of 1/{self.scale} here. Expert {at} has the loss {exact}; "
                "say scale=... for a finer unit."
            )
        return int(units)

    def losses(self, item: NDArray[np.int64]) -> NDArray[np.int64]:
        """The losses, as they were revealed."""
        return item

    def loss(self, expert: int, item: NDArray[np.int64]) -> int:
        """What an expert loses."""
        return int(item[expert])

    def expert(self, position: int) -> int:
        """The number of the expert."""
        return position

    def __str__(self) -> str:
        return f"{self.count} experts"


@dataclass(frozen=True)
class TableExperts(_LabelledExamples, _ListedExperts):
    """The concepts of a table as experts.

    The labels of a point by all concepts stand together, eight to a byte, so that the losses of a
    round are unpacked in one pass.

    Parameters
    ----------
    table : Table

    Examples
    --------
    >>> import catalog
    >>> experts = TableExperts(catalog.build("thresholds:n=3").to_table())
    >>> experts.losses((1, 1)).tolist()  # who is 0 at the point 1
    [0, 0, 1, 1]
    """

    table: Table

    @property
    def size(self) -> int:
        """The number of concepts."""
        return len(self.table)

    @property
    def domain(self) -> Domain:
        """The points of the table."""
        return self.table.domain

    @cached_property
    def _columns(self) -> NDArray[np.uint8]:
        """The table the other way round, shape (points, ceil(concepts / 8))."""
        packed, points = self.table.packed, len(self.table.domain)
        turned = np.empty((points, -(-len(packed) // 8)), dtype=np.uint8)
        for first in range(0, points, POINTS_AT_A_TIME):
            last = min(first + POINTS_AT_A_TIME, points)
            block = np.unpackbits(packed[:, first // 8 : -(-last // 8)], axis=1)
            turned[first:last] = np.packbits(block[:, : last - first].T, axis=1)
        return turned

    def losses(self, item: tuple[Point, Label]) -> NDArray[np.uint8]:
        """Which concepts mislabel the point."""
        x, y = item
        row = self._columns[self.table.domain.index(x)]
        return np.unpackbits(~row if y else row, count=self.size)

    def expert(self, position: int) -> Hypothesis:
        """The concept at a position of the table."""
        return self.table[position]

    def __str__(self) -> str:
        return f"{self.size} concepts"


class HypothesisExperts(_LabelledExamples, _ListedExperts):
    """Hypotheses on one domain as experts, such as rules of thumb.

    Parameters
    ----------
    hypotheses : iterable of Hypothesis
        At least one. Equal ones count as several experts.

    Raises
    ------
    InvalidInput
        If there is none, or they label different domains.

    Examples
    --------
    >>> from lsclasses import Concept
    >>> experts = HypothesisExperts([Concept.from_labels("ab", y) for y in ([0, 1], [1, 1])])
    >>> experts.losses(("a", 1)).tolist()
    [1, 0]
    """

    def __init__(self, hypotheses: Iterable[Hypothesis]) -> None:
        self.hypotheses = tuple(hypotheses)
        if not self.hypotheses:
            raise InvalidInput("At least one hypothesis is needed as an expert. Got none.")
        self._stack = HypothesisStack(self.hypotheses[0].domain)
        for h in self.hypotheses:
            self._stack.append(h)

    @property
    def size(self) -> int:
        """The number of hypotheses."""
        return len(self.hypotheses)

    @property
    def domain(self) -> Domain:
        """What they label."""
        return self._stack.domain

    def losses(self, item: tuple[Point, Label]) -> NDArray[np.uint8]:
        """Which of them mislabel the point."""
        x, y = item
        labels = self._stack.labels(x)
        return (~labels if y else labels).view(np.uint8)

    def expert(self, position: int) -> Hypothesis:
        """The hypothesis at a position."""
        return self.hypotheses[position]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, HypothesisExperts):
            return NotImplemented
        return self.hypotheses == other.hypotheses

    def __hash__(self) -> int:
        return hash(self.hypotheses)

    def __str__(self) -> str:
        return f"{self.size} hypotheses"


# ---- experts in groups


@dataclass(frozen=True)
class _GroupTally(Tally):
    """Groups with what each of their experts has lost, and with how many of such groups."""

    experts: GroupedExperts
    groups: tuple[tuple[Hashable, int, int], ...]
    """Of each group its key, the loss of its experts, and how often it counts."""

    def after(self, item: Any) -> _GroupTally:
        found: dict[tuple[Hashable, int], int] = {}
        for key, loss, count in self.groups:
            for later, multiplicity, lost in self.experts.split(key, item):
                entry = later, loss + lost
                found[entry] = found.get(entry, 0) + count * multiplicity
        return _GroupTally(
            self.experts, tuple((key, loss, count) for (key, loss), count in found.items())
        )

    @property
    def least(self) -> int:
        return min(loss for _, loss, _ in self.groups)

    @property
    def best(self) -> Any:
        least = self.least
        return self.experts.first(next(key for key, loss, _ in self.groups if loss == least))

    def draw(self, rate: Fraction, coins: Coins) -> Any:
        losses = [loss for _, loss, _ in self.groups]
        counts = [count * self.experts.members(key) for key, _, count in self.groups]
        return self.experts.member(self.groups[coins.pick(losses, -rate, counts)][0], coins)

    def __repr__(self) -> str:
        return f"<Losses of experts in {len(self.groups)} groups>"


class GroupedExperts(ExpertSource):
    """Experts in groups whose members have behaved alike so far; a base for sources of your own.

    There may be astronomically many experts, as long as there are few groups: their numbers are
    Python's integers. A group is described by a hashable key. When a round is revealed it splits
    into groups whose members lose the same. Groups of one key and one loss are taken together, so
    a key has to say all that the future of its experts depends on.

    A subclass supplies `groups`, `members`, `split`, `member` and `first`, and what every source
    says.

    Examples
    --------
    Experts that begin with the prediction 0 and may change to 1 in one of T rounds, or never: those
    who have not changed are one group, however many rounds they have left.

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
    def groups(self) -> Iterable[tuple[Hashable, int]]:
        """The groups before the first round: a key, and how many groups are described by it."""

    @abstractmethod
    def members(self, key: Hashable) -> int:
        """How many experts a group has."""

    @abstractmethod
    def split(self, key: Any, item: Any) -> Iterable[tuple[Hashable, int, int]]:
        """What a group splits into: keys, how many groups of each, and what their experts lose.

        Together they have as many members as the group has.
        """

    @abstractmethod
    def member(self, key: Any, coins: Coins) -> Any:
        """An expert of a group, each with the same probability, as it is published."""

    @abstractmethod
    def first(self, key: Any) -> Any:
        """An expert of a group that depends on nothing else."""

    @property
    def size(self) -> int:
        """N, the number of experts."""
        return sum(count * self.members(key) for key, count in self.groups())

    def begin(self) -> Tally:
        """Nothing is lost yet."""
        return _GroupTally(self, tuple((key, 0, count) for key, count in self.groups()))


@dataclass(frozen=True)
class ClassExperts(_LabelledExamples, GroupedExperts):
    """The concepts of a class as experts, without a list of them.

    Concepts that agree on all points so far are a group, described by their version space. So there
    are at most as many groups as the class has labellings of these points: n points, at most the
    sum of C(n, i) over i <= VC dimension.

    Parameters
    ----------
    concept_class : ConceptClass
        Finite; it and its restrictions have to know how many concepts they have.

    Raises
    ------
    InvalidInput
        If the class is infinite.
    TooLarge
        If the class does not know its size.

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
                f"{self.concept_class!r} has infinitely many concepts; experts are finitely many."
            )

    @property
    def domain(self) -> Domain:
        """The domain of the class."""
        return self.concept_class.domain

    def groups(self) -> Iterable[tuple[ConceptClass, int]]:
        """The class is one group."""
        return ((self.concept_class, 1),)

    def members(self, key: ConceptClass) -> int:  # type: ignore[override]
        """How many concepts a version space has.

        Raises
        ------
        TooLarge
            If it is not known: of some classes, counting takes too long after some examples. Under
            a private learner this depends on the points and is seen by everybody; no guarantee
            covers it.
        """
        try:
            return key.size or 0
        except TooLarge as error:
            raise _unlisted(f"How many concepts {key!r} has takes too long to count") from error

    def split(
        self, key: ConceptClass, item: tuple[Point, Label]
    ) -> Iterable[tuple[ConceptClass, int, int]]:
        """The concepts with either label at the point."""
        x, y = item
        for label in (0, 1):
            part = key._restrict(x, label)
            if not part.is_empty:
                yield part, 1, int(label != y)

    def member(self, key: ConceptClass, coins: Coins) -> Hypothesis:
        """A uniform concept of a version space."""
        return key._sample(_Generator(coins))  # type: ignore[arg-type]

    def first(self, key: ConceptClass) -> Hypothesis:
        """A concept that is the same each time."""
        return key.sample(0)

    def __str__(self) -> str:
        return f"{self.size} concepts"


class _Generator:
    """What `ConceptClass._sample` asks of NumPy's generator, drawn from coins: exact laws."""

    def __init__(self, coins: Coins) -> None:
        self._coins = coins

    def integers(self, high: int, *, size: int | None = None) -> Any:
        """A uniform integer below `high`, or an array of them."""
        if size is None:
            return self._coins.below(high)
        return np.array([self._coins.below(high) for _ in range(size)], dtype=np.int64)

    def bytes(self, length: int) -> bytes:
        """So many uniform bytes."""
        return self._coins.below(1 << 8 * length).to_bytes(length, "little")


# ---- a source for a class


def experts_of(concept_class: ConceptClass) -> ExpertSource:
    """The concepts of a class as experts: a table where it can be written out, else in groups.

    Parameters
    ----------
    concept_class : ConceptClass

    Raises
    ------
    InvalidInput
        If it has fewer than two concepts: there is nothing to be learned.
    TooLarge
        If there are infinitely many, or too many to be listed and no formula counts them.

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
    return ClassExperts(concept_class)


def require_several(size: int, what: str) -> None:
    """Refuse experts of whom there is none, or only one.

    Raises
    ------
    InvalidInput
        If there are fewer than two.
    """
    if size < 2:
        raise InvalidInput(
            "From fewer than 2 experts there is nothing to be learned, since there is no choice. "
            f"Got {size}: {what}."
        )


def _unlisted(problem: str) -> TooLarge:
    return TooLarge(
        f"{problem}, so that they cannot all be weighed as experts. POP needs a learner with a "
        "mistake bound only, and the layered learner one with an SOA: lsclasses run pop, "
        "agnostic-pop or layered-soa.",
        estimate=float("inf"),
        limit=LISTED_UP_TO,
    )
