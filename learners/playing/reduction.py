"""The base class of private learners that run copies of a learner with a mistake bound."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from learners.playing.learner import OnlineLearner
from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.hypothesis import Hypothesis
from lsclasses.online import MistakeBounded

if TYPE_CHECKING:
    from learners.accounting import Event


class ReductionPlan(Protocol):
    """The parameters of a reduction, with its number of rounds and privacy cost."""

    @property
    def rounds(self) -> int | None: ...

    @property
    def privacy(self) -> Event: ...


class Reduction(OnlineLearner):
    """Base class of private learners that run copies of a base learner.

    A subclass is a dataclass with these two fields.

    Attributes
    ----------
    base : MistakeBounded
        The starting state of a deterministic learner, such as ``SOA(C)``.
    parameters : Plan
        Parameters of the learner.

    Raises
    ------
    InvalidInput
        If the base learner is not a `MistakeBounded` state.
    """

    base: MistakeBounded
    parameters: ReductionPlan

    def __post_init__(self) -> None:
        if not isinstance(self.base, MistakeBounded):
            raise InvalidInput(
                "The base learner must be a state that is MistakeBounded (lsclasses.online), such "
                f"as SOA(C) or Halving(C). Got {self.base!r}."
            )

    @cached_property
    def first(self) -> Hypothesis:
        """The base learner's first hypothesis, in its canonical form."""
        try:
            return self.base.hypothesis.canonical()
        except TooLarge as error:
            raise TooLarge(
                f"The hypotheses of {type(self.base).__name__} have no canonical form, so the "
                f"learner cannot compare them with published hypotheses. {error} Take another base "
                "learner, such as --base best.",
                estimate=error.estimate,
                limit=error.limit,
            ) from None

    @property
    def base_bound(self) -> int | None:
        """The mistake bound of the base learner (of which copies run), or None if it is unknown."""
        return known_bound(self.base)

    @property
    def privacy(self) -> Event:
        """The privacy cost of a whole game of the learner."""
        return self.parameters.privacy

    @property
    def rounds(self) -> int | None:
        """The largest number of rounds of a game, or None if there is no limit."""
        return self.parameters.rounds

    @property
    def domain(self) -> Domain:
        """The points that the learner labels."""
        return self.base.domain


def known_bound(base: MistakeBounded) -> int | None:
    """Return the mistake bound of a base learner, or None if unknown."""
    try:
        return base.mistake_bound
    except TooLarge:
        return None
