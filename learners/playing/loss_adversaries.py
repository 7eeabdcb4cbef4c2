"""Adversaries of prediction from experts, which choose the losses of all experts.

As in `learners.playing.adversaries`, an adversary is an immutable description, and `begin` gives a
run for one game. The game determines the information of the adversary. Losses of a round are always
chosen before the expert of that round is visible.

| adversary | losses | sees |
|---|---|---|
| `FixedLosses` | any, fixed before | nothing |
| `RandomLosses` | each expert's by a separate coin | nothing |
| `Chasing` | the expert that was published last loses | earlier experts |
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from learners.checked import Experts
from learners.coins import Coins
from learners.playing.adversaries.base import EARLIER, NOTHING, _generator
from learners.playing.expert_sources import Expert
from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields
from lsclasses.numbers import integer, rational
from lsclasses.options import check_fields

__all__ = ["Chasing", "FixedLosses", "LossAdversary", "LossRun", "RandomLosses"]


Losses = Sequence[int | Fraction] | NDArray[np.integer]
"""The losses of all experts in a round, in the format of `LossVectors`."""


class LossRun(ABC):
    """A run of a `LossAdversary` in one game, which chooses the losses of each round."""

    @abstractmethod
    def losses(self) -> Losses | None:
        """Return the losses of the next round, or None if no rounds remain."""

    def hear(self, expert: Expert) -> None:
        """Observe the expert published in this round."""
        return


class LossAdversary(ABC):
    """Base class of adversaries that choose losses.

    Attributes
    ----------
    sees : str
        Observed information: ``"nothing"``, or ``"earlier predictions"`` (the experts of earlier
        rounds).
    """

    sees: str = NOTHING

    @property
    def realizable(self) -> bool:
        """Whether the adversary guarantees an expert with loss 0."""
        return False

    @property
    def errors(self) -> int | None:
        """The guaranteed number of errors of the best expert, or None without a guarantee."""
        return 0 if self.realizable else None

    @abstractmethod
    def begin(self, coins: Coins) -> LossRun:
        """Return a new run of the adversary for one game."""


@dataclass(frozen=True)
class FixedLosses(LossAdversary):
    """An adversary that presents a fixed sequence of vectors of losses.

    Parameters
    ----------
    vectors : iterable of sequences
        Vectors in the format of `LossVectors`.

    Examples
    --------
    >>> FixedLosses([(0, 1), (0, 0)]).realizable, FixedLosses([(0, 1), (1, 0)]).realizable
    (True, False)
    """

    vectors: tuple[Losses, ...]

    def __init__(self, vectors: Iterable[Losses]) -> None:
        set_frozen_fields(self, vectors=tuple(vectors))

    @property
    def realizable(self) -> bool:
        """Whether some expert has loss 0."""
        try:
            return any(not any(column) for column in zip(*self.vectors, strict=True))
        except (TypeError, ValueError):  # vectors of different lengths, which the game refuses
            return False

    def begin(self, coins: Coins) -> LossRun:
        """Return a new run of the adversary, before the first vector of losses."""
        return _Recorded(iter(self.vectors))

    def __str__(self) -> str:
        return "fixed losses"


class _Recorded(LossRun):
    def __init__(self, vectors: Iterable[Losses]) -> None:
        self._vectors = iter(vectors)

    def losses(self) -> Losses | None:
        return next(self._vectors, None)


@dataclass(frozen=True)
class RandomLosses(LossAdversary):
    """An adversary that draws losses 0 or 1, with a smaller loss probability for one expert.

    Parameters
    ----------
    count : int
        Number N of experts.
    best : Fraction
        Loss probability of expert N - 1.
    others : Fraction
        Loss probability of every other expert.

    Raises
    ------
    InvalidInput
        If the number is not positive, or a probability is not between 0 and 1.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> run = RandomLosses(4, Fraction(0)).begin(SeededCoins(1))
    >>> [run.losses().tolist() for _ in range(3)]
    [[1, 1, 1, 0], [0, 0, 0, 0], [1, 0, 1, 0]]
    """

    count: Experts
    best: Fraction = Fraction(2, 5)
    others: Fraction = Fraction(1, 2)

    def __post_init__(self) -> None:
        check_fields(self)
        for name in ("best", "others"):
            chance = rational(getattr(self, name), "chance of a loss")
            if not 0 <= chance <= 1:
                raise InvalidInput(f"A chance lies between 0 and 1. Got {chance}.")
            set_frozen_fields(self, **{name: chance})

    @property
    def realizable(self) -> bool:
        """Whether the best expert has loss 0."""
        return self.best == 0

    def begin(self, coins: Coins) -> LossRun:
        """Return the adversary before the first round, with the seed of its losses."""
        rng, chances = _generator(coins), np.full(self.count, float(self.others), np.float32)
        chances[-1] = float(self.best)

        def vectors() -> Iterable[Losses]:
            while True:
                yield (rng.random(self.count, dtype=np.float32) < chances).view(np.uint8)

        return _Recorded(vectors())

    def __str__(self) -> str:
        return f"random losses, of mean {self.best} for the best expert and {self.others} otherwise"


@dataclass(frozen=True)
class Chasing(LossAdversary):
    """A chasing adversary: only the last published expert loses, and one expert never does.

    A learner that seldom changes its expert loses in nearly all rounds, because the current expert
    loses. The best expert has loss 0.

    Parameters
    ----------
    count : int
        Number N of experts.
    spared : int
        The expert that never loses.

    Raises
    ------
    InvalidInput
        If the number of experts is not positive, or the position is not an expert.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> run = Chasing(3, spared=0).begin(SeededCoins(1))
    >>> first = run.losses().tolist()
    >>> run.hear(2)
    >>> second = run.losses().tolist()
    >>> run.hear(0)
    >>> first, second, run.losses().tolist()
    ([0, 0, 0], [0, 0, 1], [0, 0, 0])
    """

    count: Experts
    spared: int = 0

    sees = EARLIER

    def __post_init__(self) -> None:
        check_fields(self)
        if not 0 <= integer(self.spared, "number of the expert who is spared") < self.count:
            raise InvalidInput(
                f"The experts are numbered from 0 to {self.count - 1}. Got {self.spared}."
            )

    @property
    def realizable(self) -> bool:
        """Always true, because one expert has loss 0."""
        return True

    def begin(self, coins: Coins) -> LossRun:
        """Return the adversary before the first published expert."""
        return _Chaser(self)

    def __str__(self) -> str:
        return "chasing the expert that was published last"


class _Chaser(LossRun):
    def __init__(self, adversary: Chasing) -> None:
        self._count, self._spared = adversary.count, adversary.spared
        self._last: int | None = None

    def losses(self) -> NDArray[np.uint8]:
        found = np.zeros(self._count, dtype=np.uint8)
        if self._last is not None and self._last != self._spared:
            found[self._last] = 1
        return found

    def hear(self, expert: int) -> None:
        self._last = expert
