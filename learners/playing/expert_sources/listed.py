"""Sources that store the loss of each expert in an array: numbers, concepts or hypotheses."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from learners import checked
from learners.checked import Experts
from learners.coins import Coins
from learners.playing.expert_sources.base import (
    Expert,
    ExpertSource,
    Revealed,
    Tally,
    _LabelledExamples,
)
from learners.playing.expert_sources.deferred import DeferredTally, Entry, begun_once, together
from lsclasses.concept_class import ConceptClass, OfClass
from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.hypothesis import Hypothesis
from lsclasses.numbers import plural, rational
from lsclasses.options import Option, check_fields
from lsclasses.point_names import Label, Point
from lsclasses.stacks import HypothesisStack
from lsclasses.table import Table

KEPT_UP_TO = 1 << 28
"""The largest number of experts whose losses are stored one by one."""

LARGEST_SUM = 1 << 62
"""An upper bound on the loss of an expert in units, which 64 bits hold."""
POINTS_AT_A_TIME = 1 << 10
"""Number of columns of a table that are transposed at once."""


class _ListedTally(DeferredTally[NDArray[np.integer]]):
    """The losses of the experts of an array source, shape (experts,).

    The losses have the narrowest type that holds as many losses as rounds.
    """

    experts: _ListedExperts

    def __init__(
        self, experts: _ListedExperts, losses: NDArray[np.integer], rounds: int = 0
    ) -> None:
        super().__init__(experts, losses)
        self.rounds = rounds
        """Number of rounds that have been read, with multiplicity."""

    @property
    def losses(self) -> NDArray[np.integer]:
        """The losses of the experts."""
        return self._now()

    def _after(self, item: Revealed, weight: int) -> _ListedTally:
        rounds = self.rounds + weight
        if rounds * self.experts.scale >= LARGEST_SUM:
            counted = f", each {weight} times," if weight > 1 else ""
            raise TooLarge(
                f"Losses in units of 1/{self.experts.scale}{counted} are added up for less than "
                f"{-(-LARGEST_SUM // (self.experts.scale * weight))} rounds. Take a coarser unit.",
                estimate=rounds,
                limit=LARGEST_SUM // self.experts.scale,
            )
        later = super()._after(item, weight)
        later.rounds = rounds
        if not self.experts.deferred:
            later._now()
        return later

    def _sum(self, losses: NDArray[np.integer], entries: Sequence[Entry]) -> NDArray[np.integer]:
        kind = _narrowest(self.rounds * self.experts.scale)
        total = losses
        # Without waiting rounds, the only item may be an array.
        for item, weight in entries if len(entries) == 1 else together(entries):
            added = self.experts.losses(item)
            if weight > 1:
                added = added.astype(kind) * kind.type(weight)
            total = np.add(total, added, dtype=kind, casting="unsafe")
        return total

    def cleared(self) -> _ListedTally:
        return self.experts._without_losses()

    def _leading(self) -> tuple[int, Expert]:
        first = int(self.losses.argmin())
        return int(self.losses[first]), self.experts.expert(first)

    def _draw(self, rate: Fraction, coins: Coins) -> Expert:
        return self.experts.expert(coins.pick_from(self.losses, -rate))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _ListedTally):
            return NotImplemented
        return np.array_equal(self.losses, other.losses) and self.experts == other.experts

    def __hash__(self) -> int:
        # Equal losses may have different types.
        return hash(self.losses.astype(np.int64).tobytes())

    def __repr__(self) -> str:
        return f"<Losses of {len(self.losses)} experts, from {self.least} on>"


def _narrowest(largest: int) -> np.dtype[Any]:
    """Return the narrowest type of losses up to a number."""
    for kind in (np.uint8, np.uint16, np.uint32):
        if largest <= np.iinfo(kind).max:
            return np.dtype(kind)
    return np.dtype(np.int64)


class _ListedExperts(ExpertSource):
    """Base of experts with positions, so that the losses of a round are an array.

    Attributes
    ----------
    deferred : bool
        Whether the losses of several rounds may be added together. The rounds are hashable then.
    """

    deferred: ClassVar[bool] = False

    def begin(self) -> Tally:
        if self.size > KEPT_UP_TO:
            raise TooLarge(
                f"The losses of at most {KEPT_UP_TO} experts are kept one by one. Got {self.size}.",
                estimate=self.size,
                limit=KEPT_UP_TO,
            )
        return begun_once(self, self._without_losses)

    def _without_losses(self) -> _ListedTally:
        return _ListedTally(self, np.zeros(self.size, dtype=np.uint8))

    def tally_to_json(self, tally: Tally) -> dict[str, Any]:
        """Return the losses of every expert as JSON values, which contain no examples."""
        assert isinstance(tally, _ListedTally)
        return {"losses": tally.losses.tolist(), "rounds": tally.rounds}

    def tally_from_json(self, data: Any) -> Tally:
        """Return the tally that `tally_to_json` wrote."""
        losses = np.array(data["losses"], dtype=np.int64)
        if losses.shape != (self.size,):
            raise InvalidInput(f"there is one loss for each of {self.size} experts.")
        rounds = checked.nonnegative(data["rounds"], "number of rounds")
        if losses.min() < 0 or losses.max() > rounds * self.scale:
            raise InvalidInput(f"losses lie between 0 and {rounds * self.scale}.")
        return _ListedTally(self, losses, rounds)

    @abstractmethod
    def losses(self, item: Revealed) -> NDArray[np.integer]:
        """Return the loss of every expert in a round, in units, shape (experts,), integers."""

    @abstractmethod
    def expert(self, position: int) -> Expert:
        """Return the expert at a position, as it is published."""


@dataclass(frozen=True)
class LossVectors(_ListedExperts):
    """Experts 0, ..., N - 1 that are given by their losses only.

    A round is the vector of their losses, which are multiples of 1/scale from 0 to 1.

    Parameters
    ----------
    count : int
        Number N of experts.
    scale : int
        Number of units of a loss of 1.

    Raises
    ------
    InvalidInput
        If the count or the scale is not positive, or the scale is 2^62 or more.

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

    count: Experts
    scale: Annotated[int, Option("scale of the losses", minimum=1)] = 1

    def __post_init__(self) -> None:
        check_fields(self)
        if self.scale >= LARGEST_SUM:
            raise InvalidInput(f"The scale of losses is below 2^62. Got {self.scale}.")

    @property
    def size(self) -> int:
        """The number N of experts."""
        return self.count

    def require(self, item: object) -> NDArray[np.int64]:
        """Check the losses, and convert them to units.

        Parameters
        ----------
        item : sequence of int or Fraction, or array of integers, shape (experts,)
            Loss of each expert.

        Raises
        ------
        InvalidInput
            If the number of losses differs from the number of experts, or a loss is a float, is
            outside of [0, 1], or is not a multiple of 1/scale.
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
                f"The revealed item is a vector of {self.count} losses. Got {item!r}."
            )
        if units.shape != (self.count,):
            raise InvalidInput(
                f"There must be one loss for each of {self.count} experts. Got an array of shape "
                f"{units.shape}."
            )
        return units

    def _units(self, at: int, loss: object) -> int:
        exact = rational(loss, f"loss of expert {at}")
        if not 0 <= exact <= 1:
            raise InvalidInput(f"A loss lies between 0 and 1. Expert {at} has the loss {exact}.")
        units = exact * self.scale
        if units.denominator != 1:
            raise InvalidInput(
                f"Losses are multiples of 1/{self.scale}. Expert {at} has the loss {exact}. "
                "Set scale=... for a finer unit."
            )
        return int(units)

    def losses(self, item: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the losses of all experts in a round."""
        return item

    def loss(self, expert: int, item: NDArray[np.int64]) -> int:
        """Return the loss of one expert in a round."""
        return int(item[expert])

    def expert(self, position: int) -> int:
        """Return the number of the expert."""
        return position

    def __str__(self) -> str:
        return plural(self.count, "expert")


@dataclass(frozen=True)
class TableExperts(_LabelledExamples, _ListedExperts):
    """The concepts of a table as experts.

    The labels of a point by all concepts are stored together, eight to a byte, so that the losses
    of a round are unpacked in one pass.

    Parameters
    ----------
    table : Table
        Table whose concepts are the experts.

    Examples
    --------
    >>> import catalog
    >>> experts = TableExperts(catalog.build("thresholds:n=3").to_table())
    >>> experts.losses((1, 1)).tolist()  # who is 0 at the point 1
    [0, 0, 1, 1]
    """

    table: Table
    deferred = True

    @property
    def size(self) -> int:
        """The number of concepts."""
        return len(self.table)

    @property
    def domain(self) -> Domain:
        """The domain of the table."""
        return self.table.domain

    @cached_property
    def _columns(self) -> NDArray[np.uint8]:
        """The transposed table, shape (points, ceil(concepts / 8))."""
        packed, points = self.table.packed, len(self.table.domain)
        turned = np.empty((points, -(-len(packed) // 8)), dtype=np.uint8)
        for first in range(0, points, POINTS_AT_A_TIME):
            last = min(first + POINTS_AT_A_TIME, points)
            block = np.unpackbits(packed[:, first // 8 : -(-last // 8)], axis=1)
            turned[first:last] = np.packbits(block[:, : last - first].T, axis=1)
        return turned

    def losses(self, item: tuple[Point, Label]) -> NDArray[np.uint8]:
        """Return the losses of the concepts: 1 where a concept mislabels the point."""
        x, y = item
        row = self._columns[self.table.domain.index(x)]
        return np.unpackbits(~row if y else row, count=self.size)

    def expert(self, position: int) -> Hypothesis:
        """Return the concept at a position of the table."""
        return self.table[position]

    def __str__(self) -> str:
        return f"{self.size} concepts"


@dataclass(frozen=True)
class ListedConcepts(OfClass, _LabelledExamples, _ListedExperts):
    """The concepts of a class that lists its concepts but not its points.

    Parameters
    ----------
    concept_class : ConceptClass
        Concept class.

    Examples
    --------
    >>> import catalog
    >>> experts = ListedConcepts(catalog.build("decision-lists:n=200,length=2"))
    >>> experts.size, int(experts.losses(((0,) * 200, 1)).sum()), experts.expert(1)
    (402, 201, <if x1: 0, else 1>)
    """

    concept_class: ConceptClass

    @property
    def size(self) -> int:
        """The number of concepts."""
        return self.concept_class.size or 0

    def losses(self, item: tuple[Point, Label]) -> NDArray[np.uint8]:
        """Return the losses of the concepts: 1 where a concept mislabels the point."""
        x, y = item
        labels = self.concept_class._labels_of_concepts(x)
        return (~labels if y else labels).view(np.uint8)

    def expert(self, position: int) -> Hypothesis:
        """Return the concept at a position."""
        return self.concept_class._concept_at(position)

    def __str__(self) -> str:
        return f"{self.size} concepts"


class HypothesisExperts(_LabelledExamples, _ListedExperts):
    """Hypotheses on one domain as experts, such as rules of thumb.

    Parameters
    ----------
    hypotheses : iterable of Hypothesis
        At least one hypothesis. Equal hypotheses count as several experts.

    Raises
    ------
    InvalidInput
        If the list is empty, or the hypotheses label different domains.

    Examples
    --------
    >>> from lsclasses import Concept
    >>> experts = HypothesisExperts([Concept.from_labels("ab", y) for y in ([0, 1], [1, 1])])
    >>> experts.losses(("a", 1)).tolist()
    [1, 0]
    """

    deferred = True

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
        """The domain of the hypotheses."""
        return self._stack.domain

    def losses(self, item: tuple[Point, Label]) -> NDArray[np.uint8]:
        """Return the losses of the hypotheses: 1 where one mislabels the point."""
        x, y = item
        labels = self._stack.labels(x)
        return (~labels if y else labels).view(np.uint8)

    def expert(self, position: int) -> Hypothesis:
        """Return the hypothesis at a position."""
        return self.hypotheses[position]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, HypothesisExperts):
            return NotImplemented
        return self.hypotheses == other.hypotheses

    def __hash__(self) -> int:
        return hash(self.hypotheses)

    def __str__(self) -> str:
        return f"{self.size} hypotheses"
