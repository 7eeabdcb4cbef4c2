"""Privacy as a game: an adversary chooses what a mechanism reads, and must not learn one bit.

A game turns a secret bit, the mechanism's coins and an adversary into what the adversary has seen
at the end, its `View`. A mechanism is (epsilon, delta)-private in a game if for every adversary the
views for bit 0 and bit 1 are (epsilon, delta)-close. The same objects are played against
(`draw_view`), enumerated for one adversary (`view_law`), and searched for the worst one
(`learners.audit.audit_game`).

Mechanisms and learners are immutable: their state goes in and comes out, and must be hashable.
`PickledObject` makes one of an object that changes.

| game | source | what the adversary chooses | what it sees, besides a halt |
|---|---|---|---|
| `AdaptiveInputs` | [KMMNS23, Alg. 3] | stream items, one of them twice | every answer |
| `AdaptiveStream` | [LWY25, Def. 2.4] | the same, after the hypothesis | every hypothesis |
| `AdaptiveQueries` | [KMMNS23, Alg. 2] | two neighbouring data sets, queries | every answer |
| `OnlineGame` | [KMMNS23, Alg. 4] | examples, at most g of them twice | other predictions |
| `GeneralGame` | [KMMNS23, Alg. 8] | users, one of them twice | the other users' views |
| `CompositionGame` | [KMMNS23, Alg. 5] | whole games and adversaries | their views |
| `ChallengeATGame` | [KMMNS23, Alg. 9] | two data sets, queries, one twice | other answers |

That the mechanism has halted is seen after every move, the last one and a challenge among them
(`View.halted`): whoever would go on is refused, and how many moves the game happens to have is no
secret of the mechanism. In `AdaptiveStream` alone nothing follows the last hypothesis.

An oblivious sequence is the adversary `Oblivious` in any of them. `Unmerged` is for mechanisms
whose states are not to be trusted to say when they are equal.
"""

from __future__ import annotations

import pickle
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import Any, ClassVar, Protocol

from learners.accounting import CHALLENGE, basic, checked_neighbours, neighbours
from learners.coins import Coins
from learners.exact import MAX_BRANCHES, TAIL, Law, exact_law
from learners.numbers import checked_positive, rational, whole
from learners.states import State, require_own
from lsclasses.errors import InvalidInput

__all__ = [
    "AdaptiveInputs",
    "AdaptiveQueries",
    "AdaptiveStream",
    "Adversary",
    "Ask",
    "MechanismResponder",
    "MechanismState",
    "MechanismQuerier",
    "Challenge",
    "ChallengeATGame",
    "CompositionGame",
    "Datasets",
    "Game",
    "GeneralGame",
    "HIDDEN",
    "PickledObject",
    "PickledState",
    "Learner",
    "Move",
    "NOTHING",
    "Oblivious",
    "OnlineGame",
    "Publisher",
    "Querier",
    "Responder",
    "Unmerged",
    "User",
    "View",
    "are_neighbours",
    "draw_view",
    "view_law",
]


class _Shown(Enum):
    HIDDEN = "hidden"

    NOTHING = "nothing"

    def __repr__(self) -> str:
        return self.name


HIDDEN = _Shown.HIDDEN
"""What the adversary sees of a challenge round where the answer belongs to the user alone."""

NOTHING = _Shown.NOTHING
"""What is seen where a hypothesis should be published and the mechanism has halted instead."""


# ---- moves and views


@dataclass(frozen=True)
class Ask:
    """The same item (query, example, user) whatever the secret bit is."""

    item: Any

    def given(self, bit: int) -> Any:
        """What the mechanism gets."""
        return self.item


@dataclass(frozen=True)
class Challenge:
    """The item `zero` if the secret bit is 0, and `one` if it is 1."""

    zero: Any
    one: Any

    def given(self, bit: int) -> Any:
        """What the mechanism gets."""
        return self.one if bit else self.zero


@dataclass(frozen=True)
class Datasets:
    """The two neighbouring data sets, of which the mechanism gets one."""

    zero: Any
    one: Any

    def given(self, bit: int) -> Any:
        """What the mechanism gets."""
        return self.one if bit else self.zero


Move = Ask | Challenge | Datasets


@dataclass(frozen=True)
class View:
    """What an adversary has seen: its own randomness and moves, and what it was shown.

    Attributes
    ----------
    randomness : hashable
        What the adversary drew before its first move.
    opening : hashable
        What it was shown before its first move.
    moves : tuple of Move
    answers : tuple
        What it was shown after each of them.
    halted : bool
        Whether it saw that the mechanism halted, after all of this.
    """

    randomness: Hashable = None
    opening: Hashable = None
    moves: tuple[Move, ...] = ()
    answers: tuple[Hashable, ...] = ()
    halted: bool = False

    def after(self, move: Move, answer: Hashable, halted: bool = False) -> View:
        """The view one round later."""
        return View(
            self.randomness, self.opening, (*self.moves, move), (*self.answers, answer), halted
        )

    @property
    def challenges(self) -> int:
        """How many challenges were posed."""
        return sum(isinstance(move, Challenge) for move in self.moves)


class Adversary(ABC):
    """Chooses each move from its view. All its randomness is drawn first and part of the view."""

    def draw(self, coins: Coins) -> Hashable:
        """What it draws before its first move; nothing unless overridden."""
        return None

    @abstractmethod
    def move(self, view: View) -> Move | None:
        """The next move, or None to stop."""


@dataclass(frozen=True)
class Oblivious(Adversary):
    """Moves that were fixed before the game.

    Examples
    --------
    >>> Oblivious.of("aab", "aba").moves
    (Ask(item='a'), Challenge(zero='a', one='b'), Challenge(zero='b', one='a'))
    """

    moves: tuple[Move, ...]

    @classmethod
    def of(cls, zero: Sequence[Any], one: Sequence[Any]) -> Oblivious:
        """The adversary that plays two sequences of equal length, a challenge where they differ.

        Raises
        ------
        InvalidInput
            If the lengths differ.
        """
        if len(zero) != len(one):
            raise InvalidInput(
                f"Two streams must have the same length. Got {len(zero)} and {len(one)} items."
            )
        return cls(
            tuple(Ask(x) if x == y else Challenge(x, y) for x, y in zip(zero, one, strict=True))
        )

    def move(self, view: View) -> Move | None:
        """The next of the fixed moves."""
        turn = len(view.moves)
        return self.moves[turn] if turn < len(self.moves) else None


# ---- who plays against the adversary


class Responder(Protocol):
    """Answers every item it is given; a state of None after an answer means that it halted."""

    def start(self, coins: Coins) -> Any:
        """The state before the first item."""

    def answer(self, state: Any, item: Any, coins: Coins) -> tuple[Any, Hashable]:
        """The next state and the answer to the item."""


class Publisher(Protocol):
    """Publishes a hypothesis before every item that it reads.

    A state of None means that it halted: with the hypothesis that `publish` returns beside it, or
    without another one if `receive` returns it.
    """

    def start(self, coins: Coins) -> Any:
        """The state before the first hypothesis."""

    def publish(self, state: Any, coins: Coins) -> tuple[Any, Hashable]:
        """The next state and the hypothesis."""

    def receive(self, state: Any, item: Any, coins: Coins) -> Any:
        """The state after an item."""


class Querier(Protocol):
    """Holds a data set and answers queries; a state of None means that it halted."""

    def start(self, dataset: Any, coins: Coins) -> Any:
        """The state before the first query."""

    def answer(self, state: Any, query: Any, coins: Coins) -> tuple[Any, Hashable]:
        """The next state and the answer to the query."""


class Learner(Protocol):
    """Predicts the label of a point before it is told; a state of None means that it halted."""

    def start(self, coins: Coins) -> Any:
        """The state before the first round."""

    def predict(self, state: Any, point: Any, coins: Coins) -> tuple[Any, Hashable]:
        """The next state and the predicted label."""

    def learn(self, state: Any, point: Any, label: Any, coins: Coins) -> Any:
        """The state after the true label was told."""


class User(Protocol):
    """An interactive algorithm that talks with a `Responder` in one phase of `GeneralGame`.

    It must be hashable, and deterministic given what it drew.
    """

    def draw(self, coins: Coins) -> Hashable:
        """Its randomness, part of its view."""

    def speak(self, randomness: Hashable, heard: tuple[Hashable, ...]) -> Any | None:
        """The next message after what was heard, or None to leave."""


@dataclass(frozen=True)
class PickledObject:
    """An object that changes as it works, as something whose state goes in and comes out.

    The state is the pickled object, so that the object may be any Python object that pickles.

    Parameters
    ----------
    make : callable
        ``make(coins)`` (``make(dataset, coins)`` for a `Querier`) returns a fresh object with a
        method ``answer(item, coins)``; a true attribute ``halted`` ends the game.

    Examples
    --------
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

    make: Callable[..., Any]

    def start(self, *arguments: Any) -> PickledState:
        """The fresh object."""
        return PickledState(self, pickle.dumps(self.make(*arguments)))

    def answer(
        self, state: PickledState, item: Any, coins: Coins
    ) -> tuple[PickledState | None, Hashable]:
        """The object after it answered, None if it has halted, and its answer.

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
    """The state of `PickledObject`: the object as it was left.

    Attributes
    ----------
    pickled : bytes
    """

    pickled: bytes


@dataclass(frozen=True)
class MechanismResponder:
    """A mechanism of `learners.mechanisms` whose runs are asked one number after another.

    As a `Responder` it starts a run and asks it every item.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> from learners.mechanisms.sparse_vector import AboveThreshold
    >>> game = AdaptiveInputs(MechanismResponder(AboveThreshold(1, threshold=50)), 4)
    >>> stream = Oblivious.of([3, 20, 100, 7], [3, 21, 100, 7])
    >>> draw_view(game, stream, 1, SeededCoins(1)).answers
    (False, False, True)
    """

    mechanism: Any

    def start(self, coins: Coins) -> MechanismState:
        """A new run."""
        return MechanismState(self, self.mechanism.start(coins))

    def answer(
        self, state: MechanismState, item: Any, coins: Coins
    ) -> tuple[MechanismState | None, Hashable]:
        """The run after it was asked, None if it has halted, and what it answered.

        Raises
        ------
        InvalidInput
            If it is a run of another mechanism.
        """
        answer, run = require_own(self, state).run.ask(item, coins)
        return None if run.halted else replace(state, run=run), answer


@dataclass(frozen=True)
class MechanismState(State[Any]):
    """The state of `MechanismResponder` and of `MechanismQuerier`.

    Attributes
    ----------
    run : object
        The run of the mechanism.
    dataset : object
        What queries are about.
    """

    run: Any
    dataset: Any = None


@dataclass(frozen=True)
class MechanismQuerier:
    """A mechanism asked about a data set: a `Querier` that asks the run for ``query(dataset)``."""

    mechanism: Any

    def start(self, dataset: Any, coins: Coins) -> MechanismState:
        """The data set and a new run."""
        return MechanismState(self, self.mechanism.start(coins), dataset)

    def answer(
        self, state: MechanismState, query: Any, coins: Coins
    ) -> tuple[MechanismState | None, Hashable]:
        """The run after it was asked, None if it has halted, and what it answered.

        Raises
        ------
        InvalidInput
            If it is a run of another mechanism.
        """
        answer, run = require_own(self, state).run.ask(query(state.dataset), coins)
        return None if run.halted else replace(state, run=run), answer


# ---- games


class Game(ABC):
    """The rules: which moves are allowed, how the mechanism answers, what is shown.

    The mechanism's side of the game (`hidden`) is any hashable state, None once it has halted.
    States that are equal must behave alike, whatever comes: enumerations take them together.
    """

    reads_bit: ClassVar[bool] = True
    """Whether `respond` may use the secret bit in another way than through ``move.given(bit)``. A
    game that does not may say so, and its audits take half the work."""

    @property
    @abstractmethod
    def turns(self) -> int:
        """How many moves the adversary has."""

    @abstractmethod
    def begin(self, coins: Coins) -> tuple[Any, Hashable]:
        """The hidden state before the first move, and what is shown then."""

    @abstractmethod
    def check(self, view: View, move: Any) -> None:
        """Refuse a move that the rules forbid after this view.

        Raises
        ------
        InvalidInput
            If the move is forbidden.
        """

    @abstractmethod
    def respond(self, hidden: Any, move: Any, bit: int, coins: Coins) -> tuple[Any, Hashable]:
        """The next hidden state (None: the mechanism halted), and what is shown."""

    def shows_halt(self, moves: int) -> bool:
        """Whether the adversary sees it if the mechanism halts in the last of so many moves.

        Only in the last move of the game may it not.
        """
        return True

    def compares(self, relation: str) -> bool:
        """Whether a guarantee under these neighbours promises nothing but this game's views.

        In a game that hides what the challenged user is told, a guarantee of everything that the
        mechanism shows can hold and be false.
        """
        return True


def _started(state: Any) -> Any:
    """The state of a mechanism before its first move."""
    if state is None:
        raise InvalidInput(
            "A state of None means that the mechanism has halted, and it has not begun yet. "
            "Without anything to keep, the state can be ()."
        )
    return state


def _check_challenges(view: View, move: Any, allowed: int) -> None:
    if not isinstance(move, (Ask, Challenge)):
        raise InvalidInput(f"A move must be Ask(item) or Challenge(zero, one). Got {move!r}.")
    if isinstance(move, Challenge) and view.challenges >= allowed:
        raise InvalidInput(
            f"At most {allowed} challenge{'s' * (allowed > 1)} may be posed in this game; "
            f"{move!r} is one too many."
        )


@dataclass(frozen=True)
class AdaptiveInputs(Game):
    """Items chosen along the way, one of them in two versions [KMMNS23, Alg. 3].

    **View.** All answers, that to the challenge too, and whether the mechanism halted. Algorithm 3
    ends "when M or B halts": that M did is what ends it, so B knows, in the last round as well.

    Parameters
    ----------
    mechanism : Responder
    rounds : int

    Raises
    ------
    InvalidInput
        If the number of rounds is not positive.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> class Noisy:
    ...     def start(self, coins): return 0
    ...     def answer(self, state, item, coins): return state, item + coins.laplace(2)
    >>> draw_view(AdaptiveInputs(Noisy(), 3), Oblivious.of([5, 0, 0], [5, 1, 0]), 1, SeededCoins(1))
    View(randomness=None, opening=None, moves=(Ask(item=5), Challenge(zero=0, one=1), \
Ask(item=0)), answers=(4, 2, -1), halted=False)
    """

    reads_bit = False
    mechanism: Responder
    rounds: int

    def __post_init__(self) -> None:
        checked_positive(self.rounds, "number of rounds")

    @property
    def turns(self) -> int:
        """One move a round."""
        return self.rounds

    def begin(self, coins: Coins) -> tuple[Any, Hashable]:
        """Nothing is shown before the first move."""
        return _started(self.mechanism.start(coins)), None

    def check(self, view: View, move: Any) -> None:
        """At most one challenge."""
        _check_challenges(view, move, 1)

    def respond(self, hidden: Any, move: Any, bit: int, coins: Coins) -> tuple[Any, Hashable]:
        """The answer is shown, in the challenge round too."""
        return self.mechanism.answer(hidden, move.given(bit), coins)


@dataclass(frozen=True)
class AdaptiveStream(Game):
    """Data chosen after each published hypothesis, one item in two versions [LWY25, Def. 2.4].

    **View.** h_1, ..., h_T, as the definition says. The item of the last round is read after all
    of them, so it is no move, and whether the learner halts after h_T is not seen: nothing is
    published any more either way. If it halts before, the hypotheses that are missing show it; a
    learner that halts while it reads an item shows `NOTHING` in place of the next one.

    Hypotheses are compared as functions, if that is how they are equal (`lsclasses.Hypothesis`).
    Where more of one is released, such as the votes that were drawn for it, let `publish` return
    what is released.

    Parameters
    ----------
    learner : Publisher
    rounds : int
        T, the number of hypotheses.

    Raises
    ------
    InvalidInput
        If the number of rounds is not positive.
    """

    reads_bit = False
    learner: Publisher
    rounds: int

    def __post_init__(self) -> None:
        checked_positive(self.rounds, "number of rounds")

    @property
    def turns(self) -> int:
        """One move between any two hypotheses."""
        return self.rounds - 1

    def begin(self, coins: Coins) -> tuple[Any, Hashable]:
        """The first hypothesis is shown before the first move."""
        return self.learner.publish(_started(self.learner.start(coins)), coins)

    def check(self, view: View, move: Any) -> None:
        """At most one challenge."""
        _check_challenges(view, move, 1)

    def respond(self, hidden: Any, move: Any, bit: int, coins: Coins) -> tuple[Any, Hashable]:
        """The next hypothesis."""
        state = self.learner.receive(hidden, move.given(bit), coins)
        return (None, NOTHING) if state is None else self.learner.publish(state, coins)

    def shows_halt(self, moves: int) -> bool:
        """Before the last hypothesis."""
        return moves < self.turns


@dataclass(frozen=True)
class OnlineGame(Game):
    """Challenge differential privacy [KMMNS23, Alg. 4]: predictions belong to their users.

    The adversary chooses labelled examples ``(x, y)`` and sees all predictions but those of
    challenge rounds, since a user is told the own prediction and the other users are not.

    **View.** The predictions of all rounds that are no challenges, and after every round whether
    the learner has halted, which it announces at once (`Transcript.halted_at`): nobody else is
    served. In Algorithm 4 a halt shows in that later predictions are missing; that of the last
    round is left out there, and seen here. Whether the learner halted with the prediction or after
    it had been told the label is not seen, as the game gives both in one round.

    Parameters
    ----------
    learner : Learner
    rounds : int
    group : int
        How many challenges may be posed.

    Raises
    ------
    InvalidInput
        If a number is not positive.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> class Copycat:
    ...     def start(self, coins): return 0
    ...     def predict(self, state, point, coins): return state, state
    ...     def learn(self, state, point, label, coins): return label
    >>> stream = Oblivious.of([("a", 1), ("b", 1), ("c", 0)], [("a", 1), ("b", 0), ("c", 0)])
    >>> [draw_view(OnlineGame(Copycat(), 3), stream, bit, SeededCoins(1)).answers for bit in (0, 1)]
    [(0, HIDDEN, 1), (0, HIDDEN, 0)]
    """

    reads_bit = False
    learner: Learner
    rounds: int
    group: int = 1

    def __post_init__(self) -> None:
        checked_positive(self.rounds, "number of rounds")
        checked_positive(self.group, "group size")

    @property
    def turns(self) -> int:
        """One move a round."""
        return self.rounds

    def begin(self, coins: Coins) -> tuple[Any, Hashable]:
        """Nothing is shown before the first move."""
        return _started(self.learner.start(coins)), None

    def check(self, view: View, move: Any) -> None:
        """At most `group` challenges, and examples are pairs."""
        _check_challenges(view, move, self.group)
        for item in (move.given(0), move.given(1)):
            if not isinstance(item, tuple) or len(item) != 2:
                raise InvalidInput(f"An example must be a pair (point, label). Got {item!r}.")

    def respond(self, hidden: Any, move: Any, bit: int, coins: Coins) -> tuple[Any, Hashable]:
        """The prediction comes before the label; it is shown unless this is a challenge."""
        point, label = move.given(bit)
        state, predicted = self.learner.predict(hidden, point, coins)
        if state is not None:
            state = self.learner.learn(state, point, label, coins)
        return state, HIDDEN if isinstance(move, Challenge) else predicted

    def compares(self, relation: str) -> bool:
        """Guarantees of the others' views."""
        return relation == CHALLENGE


@dataclass(frozen=True)
class GeneralGame(Game):
    """Challenge differential privacy for arbitrary interactions with users [KMMNS23, Alg. 8].

    In every phase a user talks with the mechanism. The user's view, its randomness and what it
    heard, is shown unless the phase is the challenge.

    **View.** The views of all users but the challenge, and after every phase, the last one and the
    challenge too, whether the mechanism has halted: the next user would find out by the first
    message. In the middle of which message it halted is a part of that user's view only.

    Parameters
    ----------
    mechanism : Responder
        It answers one message after another.
    phases : int
    messages : int
        The most messages of one user.

    Raises
    ------
    InvalidInput
        If a number is not positive, or a user does not come to an end.
    """

    reads_bit = False
    mechanism: Responder
    phases: int
    messages: int = 64

    def __post_init__(self) -> None:
        checked_positive(self.phases, "number of phases")
        checked_positive(self.messages, "number of messages")

    @property
    def turns(self) -> int:
        """One move a phase."""
        return self.phases

    def begin(self, coins: Coins) -> tuple[Any, Hashable]:
        """Nothing is shown before the first move."""
        return _started(self.mechanism.start(coins)), None

    def check(self, view: View, move: Any) -> None:
        """At most one challenge."""
        _check_challenges(view, move, 1)

    def respond(self, hidden: Any, move: Any, bit: int, coins: Coins) -> tuple[Any, Hashable]:
        """The user talks until it leaves or the mechanism halts."""
        user: User = move.given(bit)
        randomness = user.draw(coins)
        heard: tuple[Hashable, ...] = ()
        while hidden is not None:
            message = user.speak(randomness, heard)
            if message is None:
                break
            if len(heard) >= self.messages:
                raise InvalidInput(
                    f"A user may send at most {self.messages} messages. {user!r} sends more."
                )
            hidden, reply = self.mechanism.answer(hidden, message, coins)
            heard = (*heard, reply)
        return hidden, HIDDEN if isinstance(move, Challenge) else (randomness, heard)

    def compares(self, relation: str) -> bool:
        """Guarantees of the others' views."""
        return relation == CHALLENGE


@dataclass(frozen=True)
class CompositionGame(Game):
    """Games one after the other, all with the same secret bit [KMMNS23, Alg. 5].

    A move is ``Ask((game, adversary))`` with an `OnlineGame`; what is shown is the view in which
    that game ends. A learner that states its privacy must state at most (epsilon, delta).

    **View.** The views of all games as they ended, with whether their learners halted, wherever the
    adversaries of these games stopped. Nothing halts between games.

    Parameters
    ----------
    games : int
        How many may be played.
    epsilon, delta : Fraction
        What every learner must satisfy.

    Raises
    ------
    InvalidInput
        If a parameter is out of range.
    """

    games: int
    epsilon: Fraction
    delta: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        checked_positive(self.games, "number of games")
        object.__setattr__(self, "epsilon", rational(self.epsilon, "epsilon"))
        object.__setattr__(self, "delta", rational(self.delta, "delta"))

    @property
    def turns(self) -> int:
        """One move a game."""
        return self.games

    def begin(self, coins: Coins) -> tuple[Any, Hashable]:
        """No state is kept between the games."""
        return "between games", None

    def check(self, view: View, move: Any) -> None:
        """A game of challenge-DP with one challenge, against a learner that is private enough."""
        item = move.item if isinstance(move, Ask) else None
        if not (isinstance(item, tuple) and len(item) == 2):
            raise InvalidInput(f"A move must be Ask((game, adversary)). Got {move!r}.")
        game, adversary = item
        if not isinstance(game, OnlineGame) or not isinstance(adversary, Adversary):
            raise InvalidInput(
                f"A move must name an OnlineGame and an Adversary. Got {game!r} and {adversary!r}."
            )
        if game.group != 1:
            raise InvalidInput(f"Composed games have one challenge each. Got {game.group}.")
        stated = getattr(game.learner, "privacy", None)
        if stated is not None:
            if (relation := neighbours(stated)) not in (None, "replace_one", CHALLENGE):
                raise InvalidInput(
                    "Every learner must be private when one example is replaced. Got one whose "
                    f"guarantee holds under {relation}."
                )
            epsilon, delta = basic(stated)
            if epsilon > self.epsilon or delta > self.delta:
                raise InvalidInput(
                    f"Every learner must be ({self.epsilon}, {self.delta})-private here. Got one "
                    f"that states ({epsilon}, {delta})."
                )

    def respond(self, hidden: Any, move: Any, bit: int, coins: Coins) -> tuple[Any, Hashable]:
        """Play the game with the same bit."""
        game, adversary = move.item
        return hidden, draw_view(game, adversary, bit, coins)

    def compares(self, relation: str) -> bool:
        """Guarantees of the others' views."""
        return relation == CHALLENGE


def are_neighbours(zero: Sequence[Any], one: Sequence[Any], relation: str = "replace_one") -> bool:
    """Whether two data sets (sequences of items) are neighbours, or equal.

    Parameters
    ----------
    zero, one : sequence
    relation : str
        ``"replace_one"``: equal length and at most one position differs. ``"add_remove"``: one
        is the other without one item.

    Raises
    ------
    InvalidInput
        If there is no such relation.

    Examples
    --------
    >>> are_neighbours("abc", "abd"), are_neighbours("abc", "ac")
    (True, False)
    >>> are_neighbours("abc", "ac", "add_remove")
    True
    """
    checked_neighbours(relation)
    zero, one = tuple(zero), tuple(one)
    if zero == one:
        return True
    if relation == "replace_one":
        return len(zero) == len(one) and sum(x != y for x, y in zip(zero, one, strict=True)) == 1
    shorter, longer = sorted((zero, one), key=len)
    return len(longer) == len(shorter) + 1 and any(
        longer[:i] + longer[i + 1 :] == shorter for i in range(len(longer))
    )


@dataclass(frozen=True)
class AdaptiveQueries(Game):
    """Queries chosen along the way about one of two data sets [KMMNS23, Alg. 2].

    The first move is `Datasets(zero, one)`, every other one `Ask(query)`. Queries that can be
    called are checked to have the stated sensitivity on these two data sets.

    **View.** All answers, and whether the mechanism halted: Algorithm 2 ends "when M or B halts",
    after as many queries as B likes, so that a halt at the last of ours is seen by asking another.

    Parameters
    ----------
    mechanism : Querier
    queries : int
        The most queries that are asked.
    sensitivity : Fraction or int
        The most that a query may differ between neighbours.
    neighbours : str
        ``"replace_one"`` or ``"add_remove"``.

    Raises
    ------
    InvalidInput
        If a parameter is out of range.
    """

    reads_bit = False
    mechanism: Querier
    queries: int
    sensitivity: Fraction = Fraction(1)
    neighbours: str = "replace_one"

    def __post_init__(self) -> None:
        checked_positive(self.queries, "number of queries")
        are_neighbours((), (), self.neighbours)
        object.__setattr__(self, "sensitivity", rational(self.sensitivity, "sensitivity"))

    @property
    def turns(self) -> int:
        """The data sets, then the queries."""
        return self.queries + 1

    def begin(self, coins: Coins) -> tuple[Any, Hashable]:
        """The mechanism has no data yet."""
        return "no data", None

    def check(self, view: View, move: Any) -> None:
        """Neighbouring data sets first; then queries, of bounded sensitivity, without challenge."""
        self._check(view, move, 0)

    def _check(self, view: View, move: Any, challenges: int) -> None:
        if not view.moves:
            if not isinstance(move, Datasets):
                raise InvalidInput(f"The first move must be Datasets(zero, one). Got {move!r}.")
            if not are_neighbours(move.zero, move.one, self.neighbours):
                raise InvalidInput(
                    f"The data sets must be neighbours ({self.neighbours}). "
                    f"Got {move.zero!r} and {move.one!r}."
                )
            return
        allowed = (Ask, Challenge) if challenges else Ask
        if not isinstance(move, allowed):
            raise InvalidInput(f"A move after the data sets must be Ask(query). Got {move!r}.")
        _check_challenges(view, move, challenges)
        data = view.moves[0]
        for query in (move.given(0), move.given(1)):
            if not callable(query):
                continue
            change = abs(query(data.given(0)) - query(data.given(1)))
            if change > self.sensitivity:
                raise InvalidInput(
                    f"A query may differ by at most {self.sensitivity} between neighbours. "
                    f"Got one that differs by {change}."
                )

    def respond(self, hidden: Any, move: Any, bit: int, coins: Coins) -> tuple[Any, Hashable]:
        """Every answer is shown."""
        if isinstance(move, Datasets):
            return _started(self.mechanism.start(move.given(bit), coins)), None
        state, answer = self.mechanism.answer(hidden, move.given(bit), coins)
        return state, HIDDEN if isinstance(move, Challenge) else answer

    def compares(self, relation: str) -> bool:
        """Guarantees under the neighbours of the data sets."""
        return relation == self.neighbours


@dataclass(frozen=True)
class ChallengeATGame(AdaptiveQueries):
    """Two neighbouring data sets and one query in two versions [KMMNS23, Alg. 9].

    As `AdaptiveQueries`, but one query may be a `Challenge(zero, one)`, whose answer is hidden:
    the two queries may be as different as they like.

    **View.** All answers but that to the challenge, and whether the mechanism halted, in the round
    of the challenge too: there, a halt is the only thing that can tell which query was asked, and
    hiding it is what `learners.mechanisms.ChallengeAT` pays for.
    """

    def check(self, view: View, move: Any) -> None:
        """Neighbouring data sets first; then queries, at most one of them a challenge."""
        self._check(view, move, 1)


@dataclass(frozen=True)
class Unmerged(Game):
    """A game in which no two hidden states count as equal, whatever they say of themselves.

    Enumerations take equal states together and go on from one of them. If a state's ``==`` leaves
    out something that answers depend on (a field with ``compare=False``), what they find is false.
    `learners.audit.audit_game` tries one pair of each and usually notices. Here, nothing is assumed
    of equality; small games only can be enumerated like this.

    Parameters
    ----------
    game : Game

    Examples
    --------
    >>> from dataclasses import field
    >>> from learners.audit import audit_game
    >>> @dataclass(frozen=True)
    ... class Memory:
    ...     count: int
    ...     last: int = field(compare=False)  # a mistake: answers depend on it
    >>> class Delayed:
    ...     def start(self, coins): return Memory(0, 0)
    ...     def answer(self, state, item, coins): return Memory(state.count + 1, item), state.last
    >>> game, moves = AdaptiveInputs(Delayed(), 2), [Ask(0), Challenge(0, 1)]
    >>> audit_game(Unmerged(game), moves, (1, 0)).verdict
    'violated'
    """

    game: Game

    @property
    def turns(self) -> int:
        """Those of the game."""
        return self.game.turns

    def begin(self, coins: Coins) -> tuple[Any, Hashable]:
        """As the game does."""
        return _boxed(*self.game.begin(coins))

    def check(self, view: View, move: Any) -> None:
        """As the game does."""
        self.game.check(view, move)

    def respond(self, hidden: Any, move: Any, bit: int, coins: Coins) -> tuple[Any, Hashable]:
        """As the game does."""
        return _boxed(*self.game.respond(hidden.state, move, bit, coins))

    def shows_halt(self, moves: int) -> bool:
        """As the game does."""
        return self.game.shows_halt(moves)

    def compares(self, relation: str) -> bool:
        """What the game compares."""
        return self.game.compares(relation)


@dataclass(frozen=True, eq=False)
class _Box:
    """A state that equals itself only."""

    state: Any


def _boxed(state: Any, shown: Hashable) -> tuple[Any, Hashable]:
    return None if state is None else _Box(state), shown


# ---- playing


def draw_view(game: Game, adversary: Adversary, bit: int, coins: Coins) -> View:
    """Play a game to its end.

    Parameters
    ----------
    game : Game
    adversary : Adversary
    bit : int
        The secret, 0 or 1.
    coins : Coins
        The mechanism's; the adversary draws from them before its first move.

    Returns
    -------
    View

    Raises
    ------
    InvalidInput
        If the adversary breaks the rules, or the bit is neither 0 nor 1.
    """
    if whole(bit, "secret bit") not in (0, 1):
        raise InvalidInput(f"The secret bit must be 0 or 1. Got {bit}.")
    position = _opened(game, adversary, coins)
    while position[1] is not None and len(position[0].moves) < game.turns:
        position = _moved(game, adversary, bit, position, coins)
    return position[0]


Position = tuple[View, Any]
"""What the adversary has seen and the hidden state; None once the game is over."""


def _opened(game: Game, adversary: Adversary, coins: Coins) -> Position:
    """Before the first move."""
    randomness = adversary.draw(coins)
    hidden, opening = game.begin(coins)
    return View(randomness, opening, halted=hidden is None and game.shows_halt(0)), hidden


def _moved(
    game: Game, adversary: Adversary, bit: int, position: Position, coins: Coins
) -> Position:
    """A move later; over, also if the adversary stops."""
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
) -> Law[View]:
    """The exact law of an adversary's view.

    The game is explored round by round and equal (view, hidden state) are merged, so that long
    games with few states stay small.

    Parameters
    ----------
    game, adversary, bit
        As in `draw_view`.
    tail, max_branches
        As in `learners.exact.exact_law`.

    Examples
    --------
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
    if whole(bit, "secret bit") not in (0, 1):
        raise InvalidInput(f"The secret bit must be 0 or 1. Got {bit}.")
    law: Law[Position] = exact_law(
        lambda coins: _opened(game, adversary, coins), tail=tail, max_branches=max_branches
    )
    for _ in range(game.turns):
        law = law.then(
            lambda position, coins: _moved(game, adversary, bit, position, coins),
            tail=tail,
            max_branches=max_branches,
        )
    return law.map(lambda state: state[0])
