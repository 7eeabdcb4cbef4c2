"""The base class of online learners, and adapters that make other objects playable.

A learner is an immutable description. Its methods take a state and return the next state, or None
if the learner halts.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from learners.bounds import EXPECTED, UNSEEN, Bound, few_errors
from learners.coins import Coins
from learners.playing.base.state import Prediction
from learners.states import State, require_own
from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.frozen import ShortRepr
from lsclasses.hypothesis import Hypothesis
from lsclasses.online import OnlineState
from lsclasses.point_names import Label, Point, check_label

if TYPE_CHECKING:
    from learners.accounting import Event
    from learners.playing.expert_sources import ExpertSource
    from lsclasses.randomized_soa import RandomizedSOA

__all__ = [
    "Deterministic",
    "OnlineLearner",
    "Playable",
    "PublishedState",
    "PublishingLearner",
    "Randomized",
    "as_learner",
]


Kept = Any
"""The state of a learner between rounds, None once it has halted.

Only the learner constructs or reads its states. Other code passes them on unchanged.
"""

Shown = Label | Prediction
"""The prediction of a learner: a label, or a `Prediction` with a mark for fair coins."""


class OnlineLearner(ShortRepr, ABC):
    """An online learner, which predicts the label of each point before the label is revealed.

    A subclass defines `start`, `_predict` and `_learn`, and overrides each property for which it
    has a value. The public methods `predict` and `learn` check the point and the label and then
    call `_predict` and `_learn`. A game (`learners.playing.play.play`) makes these checks itself
    and calls `_predict` and `_learn` directly. Every online learner has the methods of
    `learners.games.Learner`, so its privacy can be audited.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> class Fair(OnlineLearner):
    ...     def start(self, coins): return "nothing to remember"
    ...     def _predict(self, state, point, coins): return state, coins.below(2)
    ...     def _learn(self, state, point, label, coins): return state
    >>> coins, learner = SeededCoins(1), Fair()
    >>> learner.predict(learner.start(coins), "a point", coins)[1], learner.privacy, learner.bounds
    (1, None, ())
    >>> learner
    Fair
    """

    @property
    def privacy(self) -> Event | None:
        """The privacy cost of a whole game, or None if the learner has no guarantee."""
        return None

    @property
    def delta(self) -> Fraction | None:
        """The delta of the stated total privacy, or None if basic composition determines it."""
        return None

    @property
    def bounds(self) -> tuple[Bound, ...]:
        """The proved bounds on the mistakes, the regret or other quantities of a game."""
        return ()

    @property
    def domain(self) -> Domain | None:
        """The domain of the points, or None if the learner accepts every point."""
        return None

    @property
    def rounds(self) -> int | None:
        """The largest number of rounds of a game, or None if there is no limit."""
        return None

    @property
    def comparators(self) -> ExpertSource | None:
        """The experts whose best loss defines the regret, or None if games count no regret."""
        return None

    @property
    def counts_switches(self) -> bool:
        """Whether the learner defines `switched`, so that games can count changes of its rule."""
        return type(self).switched is not OnlineLearner.switched

    def switched(self, before: Kept, after: Kept) -> bool:
        """Return whether the learner predicts by different rules in two states."""
        raise NotImplementedError(f"{type(self).__name__} does not report whether it switched.")

    def published(self, state: Kept) -> Hypothesis | None:
        """Return the hypothesis published before the next round, or None if none is published."""
        return None

    def inspect(self, state: Kept) -> Mapping[str, float]:
        """Return secret numbers about a state, by name. Never release these numbers."""
        return {}

    @abstractmethod
    def start(self, coins: Coins) -> Kept:
        """Return the learner's state before the first round."""

    def predict(self, state: Kept, point: object, coins: Coins) -> tuple[Kept, Shown]:
        """Return the next state and the predicted label of a point.

        If the learner halts after this prediction, the returned state is None.

        Raises
        ------
        InvalidInput
            If the point is outside the domain, all rounds have been played, or another learner
            started the state.
        """
        return self._predict(state, self._point(point), coins)

    def learn(self, state: Kept, point: object, label: object, coins: Coins) -> Kept:
        """Return the learner's state after it learns the true label of a point.

        Raises
        ------
        InvalidInput
            If the point is outside the domain, the label is neither 0 nor 1, or another learner
            started the state.
        """
        return self._learn(state, self._point(point), check_label(label), coins)

    def _point(self, point: object) -> Point:
        return point if self.domain is None else self.domain.require(point)

    def state_to_json(self, state: Kept) -> Any:
        """Return a state between two rounds as JSON values, for the file of a paused game.

        The file is as secret as the examples.

        Raises
        ------
        InvalidInput
            If the learner does not support pauses, or another learner started the state.
        """
        raise InvalidInput(
            f"A game of {type(self).__name__} cannot be paused. The learner does not define which "
            "parts of its state are stored (state_to_json)."
        )

    def state_from_json(self, data: Any) -> Kept:
        """Return the state that `OnlineLearner.state_to_json` wrote, including random values.

        Raises
        ------
        InvalidInput
            If the data do not describe a state of this learner, or the learner does not support
            pauses.
        """
        raise InvalidInput(f"Games of {type(self).__name__} cannot be paused or resumed.")

    @abstractmethod
    def _predict(self, state: Kept, point: Point, coins: Coins) -> tuple[Kept, Shown]:
        """Predict for a point of the domain. Foreign states pass `require_own` first."""

    @abstractmethod
    def _learn(self, state: Kept, point: Point, label: Label, coins: Coins) -> Kept:
        """Learn from a point of the domain."""


@dataclass(frozen=True)
class Deterministic(OnlineLearner):
    """A deterministic learner, given by its starting state.

    Parameters
    ----------
    state : OnlineState
        The state, for example ``SOA(C)``, `Halving` or `Winnow`. If the state has a
        ``mistake_bound``, the learner has this bound.

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> from lsclasses.soa import SOA
    >>> learner = Deterministic(SOA(catalog.build("thresholds:n=7")))
    >>> print(learner, learner.bounds[0], sep="; ")
    SOA; mistakes <= Ldim = 3 mistake bound of the SOA
    >>> learner.predict(learner.start(SeededCoins(1)), 5, SeededCoins(1))[1]
    1
    """

    state: OnlineState

    @cached_property
    def bounds(self) -> tuple[Bound, ...]:
        """The mistake bound, if the state has one."""
        try:
            bound = self.state.mistake_bound
        except TooLarge:
            return ()
        if bound is None:
            return ()
        source = f"mistake bound of the {self}"
        return (
            Bound(
                source,
                "mistakes",
                self.state.bound_symbol,
                bound,
                hypotheses=(few_errors(self.state.best_errors),),
            ),
        )

    @property
    def domain(self) -> Domain | None:
        """The points that the learner labels, or None if the state does not specify them."""
        return self.state.domain

    def start(self, coins: Coins) -> OnlineState:
        """Return the state that was given to the learner."""
        return self.state

    def _predict(self, state: OnlineState, point: Point, coins: Coins) -> tuple[OnlineState, Label]:
        return state, state._predict(point)

    def _learn(self, state: OnlineState, point: Point, label: Label, coins: Coins) -> OnlineState:
        return state._observe(point, label)

    def state_to_json(self, state: OnlineState) -> Any:
        """Return the state as JSON values (`lsclasses.online.OnlineState.to_json`)."""
        return state.to_json(self.state)

    def state_from_json(self, data: Any) -> OnlineState:
        """Return the state that `state_to_json` wrote."""
        return self.state.from_json(data)

    def switched(self, before: OnlineState, after: OnlineState) -> bool:
        """Return whether the state changed in a round."""
        return before != after

    def __str__(self) -> str:
        return type(self.state).__name__


@dataclass(frozen=True)
class Randomized(OnlineLearner):
    """A randomized learner without privacy, given by its starting state, drawing from the coins.

    Parameters
    ----------
    state : RandomizedSOA
        Starting state.

    Examples
    --------
    >>> import catalog
    >>> from learners.exact import exact_distribution
    >>> from learners.playing.play import play
    >>> from lsclasses.randomized_soa import RandomizedSOA
    >>> learner = Randomized(RandomizedSOA(catalog.build("thresholds:n=3")))
    >>> law = exact_distribution(lambda coins: play(learner, [(1, 1), (0, 0)], 2, coins).mistakes)
    >>> sum(law.rational(mistakes) * mistakes for mistakes in law)
    Fraction(1, 1)
    """

    state: RandomizedSOA

    @property
    def domain(self) -> Domain:
        """The points that the learner labels."""
        return self.state.version_space.domain

    def start(self, coins: Coins) -> RandomizedSOA:
        """Return the state that was given to the learner."""
        return self.state

    def _predict(
        self, state: RandomizedSOA, point: Point, coins: Coins
    ) -> tuple[RandomizedSOA, Label]:
        return state, int(coins.flip(state._probability(point)))

    def _learn(
        self, state: RandomizedSOA, point: Point, label: Label, coins: Coins
    ) -> RandomizedSOA:
        return state.observe(point, label)

    @cached_property
    def bounds(self) -> tuple[Bound, ...]:
        """The bound on the expected mistakes, which is the randomized Littlestone dimension.

        The adversary may observe all earlier predictions. An adversary that observes the coins of a
        round before it chooses the label could force the Littlestone dimension.
        """
        try:
            bound = self.state.mistake_bound
        except TooLarge:
            return ()
        return (
            Bound(
                "Filmus, Hanneke, Mehalel and Moran 2023",
                f"{EXPECTED}mistakes",
                self.state.bound_symbol,
                bound,
                hypotheses=(few_errors(self.state.best_errors), UNSEEN),
            ),
        )

    def state_to_json(self, state: RandomizedSOA) -> Any:
        """Return the state as JSON values: a few examples that determine its version space."""
        return state.to_json(self.state)

    def state_from_json(self, data: Any) -> RandomizedSOA:
        """Return the state that `state_to_json` wrote."""
        return self.state.from_json(data)

    def switched(self, before: RandomizedSOA, after: RandomizedSOA) -> bool:
        """Return whether the state changed in a round."""
        return before != after

    def __str__(self) -> str:
        return type(self.state).__name__


class PublishingLearner(OnlineLearner):
    """A learner that publishes a hypothesis before every example and predicts by it.

    A subclass supplies `_begin`, `_publish` and `_receive`. It is a `learners.games.Publisher` as
    well as a `learners.games.Learner`, with the same states.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> from learners.playing.play import play
    >>> class Last(PublishingLearner):
    ...     def _begin(self, coins): return 0
    ...     def _publish(self, label, coins): return label, (int(0).__mul__, int(1).__mul__)[label]
    ...     def _receive(self, before, point, label, coins): return label
    >>> print(play(Last(), [(1, 0), (1, 1), (1, 1)], 3, SeededCoins(1)).switches)
    1
    """

    @abstractmethod
    def _begin(self, coins: Coins) -> Kept:
        """Return the inner state before the first hypothesis."""

    @abstractmethod
    def _publish(self, inner: Kept, coins: Coins) -> tuple[Kept, Hashable]:
        """Return the next inner state (None if the learner halts) and the hypothesis."""

    @abstractmethod
    def _receive(self, inner: Kept, point: Point, label: Label, coins: Coins) -> Kept:
        """Return the inner state after an example, or None if it halts without a hypothesis."""

    def start(self, coins: Coins) -> PublishedState | None:
        """Return the learner's state before the first example, with the first hypothesis."""
        return self._published(self._begin(coins), coins)

    def _published(self, inner: Kept, coins: Coins) -> PublishedState | None:
        return None if inner is None else PublishedState(self, *self._publish(inner, coins))

    def _predict(
        self, state: PublishedState, point: Point, coins: Coins
    ) -> tuple[PublishedState, Shown]:
        return state, require_own(self, state).hypothesis(point)

    def _learn(
        self, state: PublishedState, point: Point, label: Label, coins: Coins
    ) -> PublishedState | None:
        inner = require_own(self, state).inner
        if inner is None:
            return None
        return self._published(self._receive(inner, point, label, coins), coins)

    def publish(self, state: PublishedState, coins: Coins) -> tuple[PublishedState | None, Any]:
        """Return the next state and the hypothesis that the given state publishes.

        The next state is the given state, or None if the learner halts after this hypothesis.

        Raises
        ------
        InvalidInput
            If another learner started the state.
        """
        require_own(self, state)
        return None if state.inner is None else state, state.hypothesis

    def receive(
        self, state: PublishedState, item: tuple[object, object], coins: Coins
    ) -> PublishedState | None:
        """Return the learner's state after an example (point, label), with the next hypothesis.

        Raises
        ------
        InvalidInput
            If `OnlineLearner.learn` rejects the example or the state.
        """
        return self.learn(state, *item, coins)  # type: ignore[no-any-return]

    def state_to_json(self, state: PublishedState) -> Any:
        """Return a state between two rounds as JSON values, which are as secret as the examples."""
        if require_own(self, state).inner is None:
            raise InvalidInput(
                "The game cannot be paused now. The learner halts with its next prediction."
            )
        return self._kept_to_json(state.inner)

    def state_from_json(self, data: Any) -> PublishedState:
        """Return the state that `PublishingLearner.state_to_json` wrote."""
        inner = self._kept_from_json(data)
        return PublishedState(self, inner, self._in_force(inner))

    def _kept_to_json(self, inner: Kept) -> Any:
        """Return the kept state for a file. Subclasses override all three of these methods."""
        return super().state_to_json(inner)

    def _kept_from_json(self, data: Any) -> Kept:
        """Return the kept state that `_kept_to_json` wrote."""
        return super().state_from_json(data)

    def _in_force(self, inner: Kept) -> Hashable:
        """Return the hypothesis that was published with the kept state."""
        raise NotImplementedError

    def published(self, state: PublishedState) -> Hypothesis | None:
        """Return the published object of a state if it is a `Hypothesis`, and None otherwise."""
        return state.hypothesis if isinstance(state.hypothesis, Hypothesis) else None

    def switched(self, before: PublishedState, after: PublishedState) -> bool:
        """Return whether two states publish different hypotheses."""
        if before.hypothesis is after.hypothesis:
            return False
        return bool(before.hypothesis != after.hypothesis)


@dataclass(frozen=True)
class PublishedState(State[PublishingLearner]):
    """The state of a `PublishingLearner` between rounds.

    Attributes
    ----------
    inner : object
        State of the learner without the hypothesis, or None once the learner has halted.
    hypothesis : callable
        Hypothesis that was published last.
    """

    inner: Kept
    hypothesis: Any


Playable: TypeAlias = "OnlineLearner | OnlineState | RandomizedSOA"
"""A learner, or a state from which `as_learner` makes a learner."""


def as_learner(learner: Playable) -> OnlineLearner:
    """Return the learner itself, or a `Deterministic` or `Randomized` learner of a state.

    Raises
    ------
    InvalidInput
        If the object is neither a learner nor such a state.

    Examples
    --------
    >>> import catalog
    >>> from lsclasses.soa import SOA
    >>> print(as_learner(SOA(catalog.build("points:n=3"))))
    SOA
    """
    if isinstance(learner, OnlineLearner):
        return learner
    if isinstance(learner, OnlineState):
        return Deterministic(learner)
    from lsclasses.randomized_soa import RandomizedSOA

    if isinstance(learner, RandomizedSOA):
        return Randomized(learner)
    raise InvalidInput(
        "A learner is an OnlineLearner, or a state such as SOA(C). Your own class inherits "
        f"from learners.playing.learner.OnlineLearner or lsclasses.online.OnlineState. Got "
        f"{learner!r}."
    )
