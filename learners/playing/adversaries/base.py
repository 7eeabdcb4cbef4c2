"""What an adversary is: a description that says what it may see, and a run of it in one game."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from learners.coins import Coins
from lsclasses.domain import Domain
from lsclasses.hypothesis import Hypothesis
from lsclasses.points import Label, Point

NOTHING = "nothing"
EARLIER = "earlier predictions"
THIS = "this prediction"
"""The information of an adversary; it determines the parts of an `AdversaryRun` that are called."""


class AdversaryRun(ABC):
    """An adversary within one game; it is mutable.

    In every round the game calls `pose`, then `reveal` if the label was left open, which only an
    adversary that sees this prediction may do, and `hear` at the end, unless it sees nothing.
    Before the round, one that sees this prediction gets the hypothesis in force by `read`, if
    the learner publishes hypotheses.
    """

    def read(self, hypothesis: Hypothesis) -> None:
        """Observe the hypothesis that the learner has published for this round."""
        return

    @abstractmethod
    def pose(self) -> tuple[Point, Label | None] | None:
        """The next point and its label, None if the label depends on the prediction.

        Returns None instead of a pair when there are no more points.
        """

    def reveal(self, label: Label, coin: bool) -> Label:
        """The true label, chosen after the prediction was shown."""
        raise NotImplementedError(f"{type(self).__name__} leaves no label open.")

    def hear(self, label: Label, coin: bool) -> None:
        """Observe the learner's prediction of this round."""
        return

    @property
    def concept(self) -> Hypothesis | None:
        """A concept that fits all examples so far, if the adversary guarantees one."""
        return None


class StreamAdversary(ABC):
    """Base of the stream adversaries; the module lists them.

    Attributes
    ----------
    sees : str
        ``"nothing"``, ``"earlier predictions"`` or ``"this prediction"``.
    """

    sees: str = NOTHING

    @property
    def domain(self) -> Domain | None:
        """The domain of its points, if known."""
        return None

    @property
    def realizable(self) -> bool:
        """Whether the adversary guarantees that some concept of its class fits all examples."""
        return False

    @abstractmethod
    def begin(self, coins: Coins) -> AdversaryRun:
        """Start the adversary for one game, with its randomness from the coins."""


def _generator(coins: Coins) -> np.random.Generator:
    """A generator for random points and concepts, which are drawn by NumPy."""
    return np.random.default_rng([coins.below(1 << 64) for _ in range(2)])
