"""Tallies that add the losses of several rounds together."""

from __future__ import annotations

import weakref
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Generic, Self, TypeVar

from learners.coins import Coins
from learners.playing.expert_sources.base import Expert, ExpertSource, Revealed, Tally

DEFERRED = 1 << 10
"""Largest number of rounds whose losses are not yet added."""

Losses = TypeVar("Losses")
"""The losses of all experts, in the format of a source."""

Entry = tuple[Revealed, int]
"""A round with the weight of its losses."""


def together(entries: Sequence[Entry]) -> Sequence[Entry]:
    """Return the distinct rounds of a list, each with its total weight.

    Examples
    --------
    >>> together([((5, 1), 1), ((7, 0), 1), ((5, 1), 3)])
    (((5, 1), 4), ((7, 0), 1))
    """
    weights: dict[Revealed, int] = {}
    for item, weight in entries:
        weights[item] = weights.get(item, 0) + weight
    return tuple(weights.items())


class _LastResult:
    """The last result of a method, while the object of the method and the result are in use.

    A learner and the game that counts its regret add the same losses. The second of them receives
    the tally of the first.
    """

    def __init__(self) -> None:
        self._kept: tuple[weakref.ref[Any], Revealed, int, weakref.ref[Any]] | None = None

    def get(self, of: Any, item: Revealed, weight: int, make: Callable[[], Any]) -> Any:
        """Return the last result for these arguments, or make it."""
        if self._kept is not None:
            source, last, times, known = self._kept
            same = last is item or (type(item) is tuple and type(last) is tuple and last == item)
            if source() is of and times == weight and same:
                result = known()
                if result is not None:
                    return result
        result = make()
        self._kept = weakref.ref(of), item, weight, weakref.ref(result)
        return result


_BEGUN, _AFTER = _LastResult(), _LastResult()


def begun_once(experts: ExpertSource, make: Callable[[], Tally]) -> Tally:
    """Return the tally before the first round, which several users of the experts share.

    Parameters
    ----------
    experts : ExpertSource
        Experts of the game.
    make : callable
        Function that makes the tally before the first round.
    """
    tally: Tally = _BEGUN.get(experts, None, 0, make)
    return tally


class DeferredTally(Tally, Generic[Losses]):
    """A tally with rounds whose losses are not yet added.

    Adding many rounds together is faster, and learners that seldom draw need the losses of all
    experts only at draws. The least loss is known without these losses while an expert that had the
    least loss makes no further mistakes.

    Parameters
    ----------
    experts : ExpertSource
        Experts of the game.
    losses : object
        Losses of all experts before the rounds that are not yet added.
    """

    def __init__(self, experts: ExpertSource, losses: Losses) -> None:
        self.experts = experts
        self._added = losses
        # Successive tallies share the list. Each tally reads only its first entries.
        self._log: list[Entry] = []
        self._waiting = 0
        self._leader: tuple[int, Expert] | None = None

    @abstractmethod
    def _sum(self, losses: Losses, entries: Sequence[Entry]) -> Losses:
        """Return the losses after some rounds."""

    @abstractmethod
    def _leading(self) -> tuple[int, Expert]:
        """Return the least loss, and the first expert with this loss."""

    @abstractmethod
    def _draw(self, rate: Any, coins: Coins) -> Expert:
        """Draw an expert from the losses."""

    def _copy(self) -> Self:
        """Return a tally with the same losses."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        return other

    def _now(self) -> Losses:
        """Return the losses of all experts, after adding the waiting rounds."""
        if self._waiting:
            self._added = self._sum(self._added, self._log[: self._waiting])
            self._log, self._waiting = [], 0
        return self._added

    def after(self, item: Revealed, weight: int = 1) -> Self:
        """Return the tally of the losses of the experts after one more round."""
        tally: Self = _AFTER.get(self, item, weight, lambda: self._after(item, weight))
        return tally

    def _after(self, item: Revealed, weight: int) -> Self:
        if self._waiting >= DEFERRED:
            self._now()
        if self._waiting != len(self._log):
            self._log = self._log[: self._waiting]
        later = self._copy()
        self._log.append((item, weight))
        later._waiting = self._waiting + 1
        leader = self._leader
        # Losses only grow, so an expert with the least loss and no new loss keeps the least loss.
        if leader is not None and self.experts.loss(leader[1], item):
            later._leader = None
        return later

    @property
    def least(self) -> int:
        """The loss of the best expert, in units."""
        if self._leader is None:
            self._leader = self._leading()
        return self._leader[0]

    @property
    def best(self) -> Expert:
        """Return the first expert with the least loss."""
        return self._leading()[1]

    def draw(self, rate: Any, coins: Coins) -> Expert:
        """Draw an expert with probability proportional to exp(-rate * loss)."""
        return self._draw(rate, coins)
