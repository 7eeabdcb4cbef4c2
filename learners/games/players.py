"""The players against the adversary: protocols, and objects and mechanisms as players."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

from learners.coins import Coins
from learners.states import State, require_own
from lsclasses.points import Label

S = TypeVar("S")
Item_contra = TypeVar("Item_contra", contravariant=True)
Data_contra = TypeVar("Data_contra", contravariant=True)


class Responder(Protocol[S, Item_contra]):
    """A mechanism that answers items; a state of None after an answer means that it halted."""

    def start(self, coins: Coins) -> S:
        """The state before the first item."""

    def answer(self, state: S, item: Item_contra, coins: Coins) -> tuple[S | None, Hashable]:
        """The next state and the answer to the item."""


class Publisher(Protocol[S, Item_contra]):
    """A learner that publishes a hypothesis before every item that it reads.

    A state of None means that it halted: with the hypothesis that `publish` returns beside it, or
    without another one if `receive` returns it.
    """

    def start(self, coins: Coins) -> S:
        """The state before the first hypothesis."""

    def publish(self, state: S, coins: Coins) -> tuple[S | None, Hashable]:
        """The next state and the hypothesis."""

    def receive(self, state: S, item: Item_contra, coins: Coins) -> S | None:
        """The state after an item."""


class Querier(Protocol[S, Data_contra, Item_contra]):
    """A mechanism that answers queries about a data set; a state of None means that it halted."""

    def start(self, dataset: Data_contra, coins: Coins) -> S:
        """The state before the first query."""

    def answer(self, state: S, query: Item_contra, coins: Coins) -> tuple[S | None, Hashable]:
        """The next state and the answer to the query."""


class Learner(Protocol[S, Item_contra]):
    """A learner that predicts before the label is revealed; a state None means it halted."""

    def start(self, coins: Coins) -> S:
        """The state before the first round."""

    def predict(self, state: S, point: Item_contra, coins: Coins) -> tuple[S | None, Hashable]:
        """The next state and the predicted label."""

    def learn(self, state: S, point: Item_contra, label: Label, coins: Coins) -> S | None:
        """The state after the true label is revealed."""


class User(Protocol):
    """An interactive algorithm that talks to a `Responder` in one phase of `GeneralGame`.

    It must be hashable, and deterministic given what it drew.
    """

    def draw(self, coins: Coins) -> Hashable:
        """The user's randomness, part of its view."""

    def speak(self, randomness: Hashable, heard: tuple[Hashable, ...]) -> Hashable | None:
        """The next message after those received, or None to leave."""


class Run(Protocol):
    """A run of a mechanism as in `learners.mechanisms`, which answers one number after another."""

    @property
    def halted(self) -> bool:
        """Whether the run has halted."""

    def ask(self, value: Any, coins: Coins, /) -> tuple[Hashable, Run]:
        """The answer and the run after it."""


class Mechanism(Protocol):
    """A mechanism that starts a `Run`."""

    def start(self, coins: Coins) -> Run:
        """A new run."""


@dataclass(frozen=True)
class PickledObject:
    """A wrapper that gives a mutable object an explicit state.

    The state is the pickled object, so that the object may be any Python object that pickles.

    Parameters
    ----------
    make : callable
        ``make(coins)`` (``make(dataset, coins)`` for a `Querier`) returns a fresh object with a
        method ``answer(item, coins)``; a true attribute ``halted`` ends the game.

    Examples
    --------
    >>> from learners.games import AdaptiveInputs, Oblivious, draw_view
    >>> class Total:
    ...     value = 0
    ...     def answer(self, item, coins):
    ...         self.value += item
    ...         return self.value
    >>> import learners.games; learners.games.Total = Total  # pickle finds classes by name
    >>> Total.__module__ = "learners.games"
    >>> from learners.coins import SeededCoins
    >>> game = AdaptiveInputs(PickledObject(lambda coins: Total()), 3)
    >>> draw_view(game, Oblivious.of([1, 2, 3], [1, 2, 3]), 0, SeededCoins(1)).answers
    (1, 3, 6)
    >>> del learners.games.Total
    """

    make: Callable[..., object]

    def start(self, *arguments: object) -> PickledState:
        """The object in its initial state."""
        return PickledState(self, pickle.dumps(self.make(*arguments)))

    def answer(
        self, state: PickledState, item: object, coins: Coins
    ) -> tuple[PickledState | None, Hashable]:
        """The object after an answer, None if it has halted, and the answer.

        Raises
        ------
        InvalidInput
            If the state is not of an object that was made here.
        """
        # Only what `start` and `answer` pickled in this process comes back here.
        kept = pickle.loads(require_own(self, state).pickled)
        answer: Hashable = kept.answer(item, coins)
        halted = getattr(kept, "halted", False)
        return (None if halted else PickledState(self, pickle.dumps(kept))), answer


@dataclass(frozen=True)
class PickledState(State[PickledObject]):
    """The state of `PickledObject`: the pickled object.

    Attributes
    ----------
    pickled : bytes
    """

    pickled: bytes


@dataclass(frozen=True)
class MechanismResponder:
    """A mechanism of `learners.mechanisms` as a `Responder`: its runs answer numbers.

    As a `Responder` it starts a run and asks it every item.

    Examples
    --------
    >>> from learners.games import AdaptiveInputs, Oblivious, draw_view
    >>> from learners.coins import SeededCoins
    >>> from learners.mechanisms.sparse_vector import AboveThreshold
    >>> game = AdaptiveInputs(MechanismResponder(AboveThreshold(1, threshold=50)), 4)
    >>> stream = Oblivious.of([3, 20, 100, 7], [3, 21, 100, 7])
    >>> draw_view(game, stream, 1, SeededCoins(1)).answers
    (False, False, True)
    """

    mechanism: Mechanism

    def start(self, coins: Coins) -> MechanismState:
        """A new run."""
        return MechanismState(self, self.mechanism.start(coins))

    def answer(
        self, state: MechanismState, item: object, coins: Coins
    ) -> tuple[MechanismState | None, Hashable]:
        """The run after an answer, None if it has halted, and the answer.

        Raises
        ------
        InvalidInput
            If it is a run of another mechanism.
        """
        answer, run = require_own(self, state).run.ask(item, coins)
        return None if run.halted else replace(state, run=run), answer


@dataclass(frozen=True)
class MechanismState(State["MechanismResponder | MechanismQuerier"]):
    """The state of `MechanismResponder` and of `MechanismQuerier`.

    Attributes
    ----------
    run : object
        The run of the mechanism.
    dataset : object
        What queries are about.
    """

    run: Run
    dataset: object = None


@dataclass(frozen=True)
class MechanismQuerier:
    """A mechanism as a `Querier`: its run answers ``query(dataset)``."""

    mechanism: Mechanism

    def start(self, dataset: object, coins: Coins) -> MechanismState:
        """The data set and a new run."""
        return MechanismState(self, self.mechanism.start(coins), dataset)

    def answer(
        self, state: MechanismState, query: Callable[..., object], coins: Coins
    ) -> tuple[MechanismState | None, Hashable]:
        """The run after an answer, None if it has halted, and the answer.

        Raises
        ------
        InvalidInput
            If it is a run of another mechanism.
        """
        answer, run = require_own(self, state).run.ask(query(state.dataset), coins)
        return None if run.halted else replace(state, run=run), answer
