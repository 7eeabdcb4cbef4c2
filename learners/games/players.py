"""The players against the adversary: protocols, objects and mechanisms.

`draw_view` plays a game, and `view_law` computes the exact distribution of the observations.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Protocol, TypeVar

from learners.coins import Coins
from learners.exact import MAX_BRANCHES, TAIL, OutputDistribution, exact_distribution
from learners.games.game_rules import Adversary, Game, View
from learners.states import State, require_own
from lsclasses.errors import InvalidInput
from lsclasses.numbers import integer
from lsclasses.point_names import Label

# ---- players


S = TypeVar("S")
Item_contra = TypeVar("Item_contra", contravariant=True)
Data_contra = TypeVar("Data_contra", contravariant=True)


class Responder(Protocol[S, Item_contra]):
    """A mechanism that answers each item of a stream. The state None means a halt."""

    def start(self, coins: Coins) -> S:
        """Return the state before the first item."""

    def answer(self, state: S, item: Item_contra, coins: Coins) -> tuple[S | None, Hashable]:
        """Return the next state and the answer to the item."""


class Publisher(Protocol[S, Item_contra]):
    """A learner that publishes a hypothesis before every item that it reads.

    The state None means a halt. If `publish` returns None as the state, the learner halts after the
    returned hypothesis. If `receive` returns None, the learner halts without a further hypothesis.
    """

    def start(self, coins: Coins) -> S:
        """Return the state before the first hypothesis."""

    def publish(self, state: S, coins: Coins) -> tuple[S | None, Hashable]:
        """Return the next state and the hypothesis."""

    def receive(self, state: S, item: Item_contra, coins: Coins) -> S | None:
        """Return the state after an item."""


class Querier(Protocol[S, Data_contra, Item_contra]):
    """A mechanism that answers queries about a data set. The state None means a halt."""

    def start(self, dataset: Data_contra, coins: Coins) -> S:
        """Return the state before the first query."""

    def answer(self, state: S, query: Item_contra, coins: Coins) -> tuple[S | None, Hashable]:
        """Return the next state and the answer to the query."""


class Learner(Protocol[S, Item_contra]):
    """A learner that predicts each label before it is revealed. The state None means a halt."""

    def start(self, coins: Coins) -> S:
        """Return the state before the first round."""

    def predict(self, state: S, point: Item_contra, coins: Coins) -> tuple[S | None, Hashable]:
        """Return the next state and the predicted label."""

    def learn(self, state: S, point: Item_contra, label: Label, coins: Coins) -> S | None:
        """Return the state after the true label is revealed."""


class User(Protocol):
    """An interactive algorithm that talks to a `Responder` in one phase of `GeneralGame`.

    In the game, several users talk with the mechanism, one after another. A user must be hashable,
    and deterministic given its random draws.
    """

    def draw(self, coins: Coins) -> Hashable:
        """Return the user's random draws, which are a part of the user's view."""

    def speak(self, randomness: Hashable, heard: tuple[Hashable, ...]) -> Hashable | None:
        """Return the user's next message after the received messages, or None to end the phase."""


class Run(Protocol):
    """Protocol of the runs in `learners.mechanisms`, which answer one number after another."""

    @property
    def halted(self) -> bool:
        """Whether the run has halted, after which it answers no further number."""

    def ask(self, value: Any, coins: Coins, /) -> tuple[Hashable, Run]:
        """Return the answer to a number, and the run after this answer."""


class Mechanism(Protocol):
    """A mechanism that starts a `Run`."""

    def start(self, coins: Coins) -> Run:
        """Return a new run of the mechanism."""


@dataclass(frozen=True)
class PickledObject:
    """A wrapper by which a mutable Python object can play a game with immutable states.

    The state is the pickled object, so the object may be of any type that pickle supports.

    Parameters
    ----------
    make : callable
        ``make(coins)``, or ``make(dataset, coins)`` in games with data sets, returns a fresh object
        with a method ``answer(item, coins)``. The game ends once the object has a true attribute
        ``halted``.

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
        """Return the object in its initial state."""
        return PickledState(self, pickle.dumps(self.make(*arguments)))

    def answer(
        self, state: PickledState, item: object, coins: Coins
    ) -> tuple[PickledState | None, Hashable]:
        """Return the state of the object (None after a halt) and the answer.

        Raises
        ------
        InvalidInput
            If the state does not belong to an object that this wrapper made.
        """
        # Only bytes that `start` and `answer` pickled in this process return to this method.
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
        The pickled object.
    """

    pickled: bytes


@dataclass(frozen=True)
class MechanismResponder:
    """A mechanism of `learners.mechanisms` that answers a stream of items, as a `Responder`.

    The responder starts one run of the mechanism and passes every item to this run.

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
        """Return a new run of the mechanism."""
        return MechanismState(self, self.mechanism.start(coins))

    def answer(
        self, state: MechanismState, item: object, coins: Coins
    ) -> tuple[MechanismState | None, Hashable]:
        """Return the state after the answer (None after a halt) and the answer.

        Raises
        ------
        InvalidInput
            If `state` is a state of another mechanism.
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
        Data set that the queries read, or None for a stream.
    """

    run: Run
    dataset: object = None


@dataclass(frozen=True)
class MechanismQuerier:
    """A mechanism of `learners.mechanisms` that answers queries about a data set, as a `Querier`.

    For each query, a run of the mechanism receives the number ``query(dataset)`` and answers it.
    """

    mechanism: Mechanism

    def start(self, dataset: object, coins: Coins) -> MechanismState:
        """Return the data set and a new run."""
        return MechanismState(self, self.mechanism.start(coins), dataset)

    def answer(
        self, state: MechanismState, query: Callable[..., object], coins: Coins
    ) -> tuple[MechanismState | None, Hashable]:
        """Return the state after the answer (None after a halt) and the answer.

        Raises
        ------
        InvalidInput
            If `state` is a state of another mechanism.
        """
        answer, run = require_own(self, state).run.ask(query(state.dataset), coins)
        return None if run.halted else replace(state, run=run), answer


# ---- playing


def draw_view(game: Game, adversary: Adversary, bit: int, coins: Coins) -> View:
    """Play a game of an adversary and a mechanism to its end and return the adversary's view.

    Parameters
    ----------
    game : Game
        Game to play.
    adversary : Adversary
        Adversary that chooses the moves.
    bit : int
        The secret bit, 0 or 1.
    coins : Coins
        Source of randomness of the mechanism. The adversary draws from it before its first move.

    Returns
    -------
    View

    Raises
    ------
    InvalidInput
        If the adversary breaks the rules, or the bit is neither 0 nor 1.
    """
    if integer(bit, "secret bit") not in (0, 1):
        raise InvalidInput(f"The secret bit must be 0 or 1. Got {bit}.")
    position = _opened(game, adversary, coins)
    while position[1] is not None and len(position[0].moves) < game.turns:
        position = _moved(game, adversary, bit, position, coins)
    return position[0]


Position = tuple[View, Hashable]
"""The adversary's view and the mechanism's hidden state, which is None once the game is over."""


def _opened(game: Game, adversary: Adversary, coins: Coins) -> Position:
    """Return the state before the first move."""
    randomness = adversary.draw(coins)
    hidden, opening = game.begin(coins)
    return View(randomness, opening, halted=hidden is None and game.shows_halt(0)), hidden


def _moved(
    game: Game, adversary: Adversary, bit: int, position: Position, coins: Coins
) -> Position:
    """Return the state after a move. The game ends if the adversary stops."""
    view, hidden = position
    if hidden is None:
        return position
    move = adversary.move(view)
    if move is None:
        return view, None
    game.check(view, move)
    hidden, answer = game.respond(hidden, move, bit, coins)
    halted = hidden is None and game.shows_halt(len(view.moves) + 1)
    return view.after(move, answer, halted), hidden


def view_law(
    game: Game,
    adversary: Adversary,
    bit: int,
    *,
    tail: Fraction = TAIL,
    max_branches: int = MAX_BRANCHES,
) -> OutputDistribution[View]:
    """Return the exact distribution of an adversary's view at the end of a game.

    The game is explored round by round. Equal pairs of a view and a hidden state are merged, so
    that long games with few states stay small.

    Parameters
    ----------
    game, adversary, bit
        Parameters of `draw_view`.
    tail, max_branches
        Parameters of `learners.exact.exact_distribution`.

    Examples
    --------
    >>> from learners.games import AdaptiveInputs, Oblivious
    >>> class Response:
    ...     def start(self, coins): return 0
    ...     def answer(self, state, item, coins): return state, item ^ coins.flip(Fraction(1, 4))
    >>> law = view_law(AdaptiveInputs(Response(), 2), Oblivious.of([0, 0], [0, 1]), 1)
    >>> for view in sorted(law, key=lambda view: view.answers):
    ...     print(view.answers, law.rational(view))
    (0, 0) 3/16
    (0, 1) 9/16
    (1, 0) 1/16
    (1, 1) 3/16
    """
    if integer(bit, "secret bit") not in (0, 1):
        raise InvalidInput(f"The secret bit must be 0 or 1. Got {bit}.")
    law: OutputDistribution[Position] = exact_distribution(
        lambda coins: _opened(game, adversary, coins), tail=tail, max_branches=max_branches
    )
    for _ in range(game.turns):
        law = law.then(
            lambda position, coins: _moved(game, adversary, bit, position, coins),
            tail=tail,
            max_branches=max_branches,
        )
    return law.map(lambda state: state[0])
