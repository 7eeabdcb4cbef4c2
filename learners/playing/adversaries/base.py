"""The base class of adversaries, and their runs in one game.

The module also has three distributions of random points: the distribution of the class, the uniform
distribution, and a distribution with balanced labels.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Literal, get_args

import numpy as np

from learners.coins import Coins
from lsclasses.concept_class import ConceptClass
from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput
from lsclasses.hypothesis import Hypothesis
from lsclasses.point_names import Label, Point

# ---- base


NOTHING = "nothing"
EARLIER = "earlier predictions"
THIS = "this prediction"
"""The information that an adversary observes. It determines the methods of an `AdversaryRun` that
the game calls."""


class AdversaryRun(ABC):
    """A run of an adversary in one game, which is a mutable object.

    In every round the game calls `pose`. If `pose` leaves the label open, the game then calls
    `reveal`. Only an adversary with `sees` = ``"this prediction"`` may leave the label open. At the
    end the game calls `hear`, unless the adversary observes nothing. Before the round, an adversary
    that observes this prediction receives the current hypothesis by `read`, if the learner
    publishes hypotheses.
    """

    def read(self, hypothesis: Hypothesis) -> None:
        """Observe the hypothesis that the learner has published for this round."""
        return

    @abstractmethod
    def pose(self) -> tuple[Point, Label | None] | None:
        """Return the next point with its label, or with None for an open label.

        An open label depends on the prediction.

        The method returns None instead of the pair if the stream has ended.
        """

    def reveal(self, label: Label, coin: bool) -> Label:
        """Return the true label, chosen after the prediction was shown."""
        raise NotImplementedError(f"{type(self).__name__} leaves no label open.")

    def hear(self, label: Label, coin: bool) -> None:
        """Observe the learner's prediction of this round."""
        return

    @property
    def concept(self) -> Hypothesis | None:
        """A concept consistent with all examples so far, if the adversary guarantees one."""
        return None


class StreamAdversary(ABC):
    """Base class of the adversaries that present points and labels.

    Attributes
    ----------
    sees : str
        Information that the adversary observes before it fixes the label of a round: ``"nothing"``,
        ``"earlier predictions"`` or ``"this prediction"``.
    """

    sees: str = NOTHING

    @property
    def domain(self) -> Domain | None:
        """The domain of the presented points, or None if it is unknown."""
        return None

    @property
    def realizable(self) -> bool:
        """Whether the adversary guarantees that some concept of its class labels all examples."""
        return False

    @property
    def errors(self) -> int | None:
        """Upper bound on the errors of the best concept on the stream, or None if unknown."""
        return 0 if self.realizable else None

    @abstractmethod
    def begin(self, coins: Coins) -> AdversaryRun:
        """Return a run of the adversary for one game, which draws from the coins."""


def _generator(coins: Coins) -> np.random.Generator:
    """Return a generator for random points and concepts, which are drawn by NumPy."""
    return np.random.default_rng([coins.below(1 << 64) for _ in range(2)])


# ---- distributions of points


PointLaw = Literal["class", "uniform", "balanced"]
"""Distribution of random points (see `RandomConcept`)."""

LISTED_UP_TO = 1 << 12
"""Largest size of a domain whose points are listed by label."""
TRIES = 64
"""Number of random attempts to find a point with the wanted label in a larger domain."""

_LAW_WORDS = {"class": "random", "uniform": "uniform", "balanced": "balanced"}


def _point_law(
    C: ConceptClass, concept: Hypothesis, law: PointLaw, rng: np.random.Generator
) -> Callable[[], Point]:
    """Draws one random point after the other."""
    domain = C.domain
    if law == "class":
        return lambda: C._sample_point(rng, concept)
    if law == "uniform":
        return lambda: domain.sample(rng)
    if domain.size is not None and domain.size <= LISTED_UP_TO:
        of_label: list[list[Point]] = [[], []]
        for x in domain:
            of_label[concept._label(x)].append(x)
        sides = [points for points in of_label if points]

        def listed() -> Point:
            points = sides[int(rng.integers(len(sides)))]
            return points[int(rng.integers(len(points)))]

        return listed

    def tried() -> Point:
        wanted = int(rng.integers(2))
        x = C._sample_point(rng, concept)
        for _ in range(TRIES):
            if concept._label(x) == wanted:
                break
            x = C._sample_point(rng, concept)
        return x

    return tried


def _checked_law(law: PointLaw) -> PointLaw:
    if law not in get_args(PointLaw):
        raise InvalidInput(
            f"Random points have one of the distributions {', '.join(get_args(PointLaw))}. "
            f"Got {law!r}."
        )
    return law


def _checked_class(C: object) -> ConceptClass:
    if not isinstance(C, ConceptClass):
        raise InvalidInput(f"An adversary needs a concept class. Got {C!r}.")
    if C.is_empty:
        raise InvalidInput("An adversary needs a class with at least one concept. Got none.")
    return C
