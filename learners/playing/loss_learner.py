"""Prediction from experts: in each round a learner publishes an expert, then reads all losses.

A `LossLearner` is the third type of learner that `learners.playing.play.play` plays. Its privacy is
the privacy of the game `learners.games.AdaptiveStream` over the information that a round reveals.
Neighbouring streams differ in one round. Where the experts are the concepts of a class, a round is
a labelled example, and the learner is an ordinary online learner. Where the experts are numbers
(`LossVectors`), the game is played with loss vectors.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Self

from learners import checked
from learners.budget import Budget
from learners.coins import Coins
from learners.number_arguments import require_size
from learners.playing.expert_sources.base import (
    Expert,
    ExpertSource,
    Revealed,
    Tally,
    require_several,
)
from learners.playing.learner import Kept, PublishedState, PublishingLearner, Shown
from learners.states import require_own, require_rounds_left
from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields
from lsclasses.point_names import Label, Point


@dataclass(frozen=True)
class LossState:
    """The state of a `LossLearner` between rounds.

    Attributes
    ----------
    tally : Tally
        Losses of the experts.
    played : int
        Number of rounds that the learner has read.
    expert : object
        Expert that was published last, or None before the first.
    drawn : int
        Number of drawn experts, for learners that do not draw an expert in every round. Otherwise
        0.
    """

    tally: Tally
    played: int = 0
    expert: Expert = None
    drawn: int = 0

    def after(self, item: Revealed, weight: int = 1) -> Self:
        """Return the state after one round, whose losses count `weight` times."""
        return replace(self, tally=self.tally.after(item, weight), played=self.played + 1)


class LossLearner(PublishingLearner):
    """An online learner that, in every round, publishes an expert and then reads the losses.

    A subclass is a frozen dataclass with a field `experts`, and supplies `_listen` and `_choose`.
    The method `_choose` chooses an expert before every round.

    Attributes
    ----------
    experts : ExpertSource
        Experts of the game.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> from learners.playing.expert_sources import LossVectors
    >>> from learners.experts.hedge import FollowTheLeader
    >>> learner, coins = FollowTheLeader(LossVectors(3)), SeededCoins(1)
    >>> state, expert = learner.publish(learner.start(coins), coins)
    >>> state = learner.receive(state, (1, 0, 1), coins)
    >>> expert, learner.publish(state, coins)[1]
    (0, 1)
    """

    experts: ExpertSource

    def __post_init__(self) -> None:
        checked_experts(self.experts)
        if self.rounds is not None:
            set_frozen_fields(self, rounds=checked_rounds(self.rounds))

    @property
    def domain(self) -> Domain | None:
        """The points that the experts label, or None if each round reveals a vector of losses."""
        return self.experts.domain

    @property
    def comparators(self) -> ExpertSource:
        """The experts among which the learner chooses. The best expert defines the regret."""
        return self.experts

    @abstractmethod
    def _choose(self, state: Kept, coins: Coins) -> Kept:
        """Return the state with the next `LossState.expert`, perhaps the same expert."""

    @abstractmethod
    def _listen(self, state: Kept, item: Revealed, coins: Coins) -> Kept:
        """Return the inner state after a round, whose item has been checked."""

    def _begin(self, coins: Coins) -> Kept:
        """Return the inner state before the first round. Learners that keep more override it."""
        return LossState(self.experts.begin())

    def _publish(self, state: Kept, coins: Coins) -> tuple[Kept, Hashable]:
        # The last round draws no expert. The publication after it contains no new information.
        if self.rounds is None or state.played < self.rounds:
            state = self._choose(state, coins)
        return state, state.expert

    def receive(self, state: PublishedState, item: object, coins: Coins) -> PublishedState | None:
        """Return the learner's state after a round, which publishes the expert of the next round.

        Parameters
        ----------
        state : PublishedState
            State before the round, with the expert that was published for the round.
        item : object
            Information that determines the losses of the experts in the round: a labelled example,
            or the vector of losses.
        coins : Coins
            Source of randomness.

        Raises
        ------
        InvalidInput
            If the experts do not accept the item, all rounds have been played, or another learner
            started the state.
        """
        return self._received(require_own(self, state), self.experts.require(item), coins)

    def _received(
        self, state: PublishedState, item: Revealed, coins: Coins
    ) -> PublishedState | None:
        """Return the state after a checked item, with the next expert."""
        return self._published(self._read(state.inner, item, coins), coins)

    def _receive(self, state: Kept, point: Point, label: Label, coins: Coins) -> Kept:
        return self._read(state, (point, label), coins)

    def _read(self, state: Kept, item: Revealed, coins: Coins) -> Kept:
        require_rounds_left(state.played, self.rounds, "learner")
        return self._listen(state, item, coins)

    def _kept_to_json(self, inner: LossState) -> dict[str, Any]:
        if type(inner) is not LossState:
            # This method does not know the additional fields of a subclass.
            return super()._kept_to_json(inner)  # type: ignore[no-any-return]
        return self._common_to_json(inner)

    def _common_to_json(self, inner: LossState) -> dict[str, Any]:
        """Return the fields of `LossState`."""
        return {
            "tally": self.experts.tally_to_json(inner.tally),
            "played": inner.played,
            "expert": self.experts.expert_to_json(inner.expert),
            "drawn": inner.drawn,
        }

    def _kept_from_json(self, data: Any) -> LossState:
        return LossState(*self._common_from_json(data))

    def _common_from_json(self, data: Any) -> tuple[Tally, int, Expert, int]:
        """Return the fields of `LossState` in the data that `_kept_to_json` wrote."""
        return (
            self.experts.tally_from_json(data["tally"]),
            checked.nonnegative(data["played"], "number of rounds"),
            self.experts.expert_from_json(data["expert"]),
            checked.nonnegative(data["drawn"], "number of draws"),
        )

    def _in_force(self, inner: LossState) -> Expert:
        return inner.expert

    def _predict(
        self, state: PublishedState, point: Point, coins: Coins
    ) -> tuple[PublishedState, Shown]:
        if self.domain is None:
            raise InvalidInput(
                "These experts do not label points. Use `publish` for the current expert, and pass "
                "the losses of all experts to `receive`."
            )
        return super()._predict(state, point, coins)


def checked_experts(experts: object) -> ExpertSource:
    """Check that a source has at least two experts.

    Raises
    ------
    InvalidInput
        If the object is not a source, or the source has fewer than two experts.
    """
    if not isinstance(experts, ExpertSource):
        raise InvalidInput(
            "Experts come from an ExpertSource, such as LossVectors(3) or experts_of(C). "
            f"Got {experts!r}."
        )
    require_several(experts.size, str(experts))
    return experts


def checked_rounds(rounds: object) -> int:
    """Return the given number of rounds, after a check of its range."""
    return checked.positive(rounds, "number of rounds")


def checked_budgeted(
    experts: object, rounds: object, budget: object, *others: Fraction
) -> tuple[int, Fraction, Fraction]:
    """Check the rounds and the budget of a learner for these experts.

    Parameters
    ----------
    experts, rounds
        Arguments of `checked_experts` and `checked_rounds`.
    budget : Budget
        Privacy budget of the whole game.
    *others : Fraction
        Further probabilities, which must not be too small for the computation.
    """
    epsilon, delta = Budget.require(budget)
    require_size(epsilon, delta or Fraction(1), *others)
    checked_experts(experts)
    return checked_rounds(rounds), epsilon, delta


def units(rate: Fraction, experts: ExpertSource) -> Fraction:
    """Return the rate for losses in units, from a rate for losses in [0, 1]."""
    return rate * experts.unit
