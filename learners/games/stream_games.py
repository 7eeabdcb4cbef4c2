"""Games in which items, examples, users or whole games follow one another."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any

from learners.accounting import CHALLENGE, basic, neighbours
from learners.checked import GroupSize, Phases, Rounds
from learners.coins import Coins
from learners.games.game_rules import (
    HIDDEN,
    NOTHING,
    Adversary,
    Ask,
    Challenge,
    Game,
    Move,
    Step,
    View,
    check_challenges,
    require_started,
)
from learners.games.players import Learner, Publisher, Responder, User, draw_view
from lsclasses.errors import InvalidInput
from lsclasses.options import Option, check_fields


@dataclass(frozen=True)
class AdaptiveInputs(Game):
    """A game of adaptively chosen items, one of them in two versions [KMMNS23, Alg 3].

    A secret bit selects the version that the mechanism receives (the challenge).

    **View.** The adversary observes all answers, including the answer to the challenge, and whether
    the mechanism halted. The game of [KMMNS23] ends "when M or B halts", where M is the mechanism
    and B the adversary. So B observes a halt of M, also in the last round.

    Parameters
    ----------
    mechanism : Responder
        Mechanism that answers the items.
    rounds : int
        Largest number of items.

    Raises
    ------
    InvalidInput
        If the number of rounds is not positive.

    Examples
    --------
    >>> from learners.games import Oblivious
    >>> from learners.coins import SeededCoins
    >>> class Noisy:
    ...     def start(self, coins): return 0
    ...     def answer(self, state, item, coins): return state, item + coins.laplace(2)
    >>> draw_view(AdaptiveInputs(Noisy(), 3), Oblivious.of([5, 0, 0], [5, 1, 0]), 1, SeededCoins(1))
    View(randomness=None, opening=None, moves=(Ask(item=5), Challenge(zero=0, one=1), \
Ask(item=0)), answers=(4, 2, -1), halted=False)
    """

    reads_bit = False
    mechanism: Responder[Any, Any]
    rounds: Rounds

    def __post_init__(self) -> None:
        check_fields(self)

    @property
    def turns(self) -> int:
        """The number of moves of the adversary: one in each round."""
        return self.rounds

    def begin(self, coins: Coins) -> Step:
        """Return the state before the first move, without an output."""
        return require_started(self.mechanism.start(coins)), None

    def check(self, view: View, move: Move) -> None:
        """Refuse a second challenge of the adversary."""
        check_challenges(view, move, 1)

    def respond(self, hidden: Hashable, move: Move, bit: int, coins: Coins) -> Step:
        """Return the next state and the answer, which the adversary observes in every round."""
        return self.mechanism.answer(hidden, move.input(bit), coins)


@dataclass(frozen=True)
class AdaptiveStream(Game):
    """A game in which each item is chosen after a published hypothesis [LWY25, Def. 2.4].

    One item has two versions, of which a secret bit selects the version that the learner reads.

    **View.** The adversary observes the hypotheses h_1, ..., h_T, as in the definition. After h_T
    no hypothesis follows, so the adversary chooses only T - 1 items. The view does not show whether
    the learner halts after h_T. An earlier halt is visible by the missing hypotheses. If the
    learner halts while it reads an item, the view contains `NOTHING` in place of the next
    hypothesis.

    Published hypotheses are compared by ``==``, which compares `lsclasses.Hypothesis` objects as
    functions. If a release contains more information than the function, such as votes that were
    drawn for it, let `publish` return this information.

    Parameters
    ----------
    learner : Publisher
        Learner that publishes hypotheses.
    rounds : int
        Number T of hypotheses.

    Raises
    ------
    InvalidInput
        If the number of rounds is not positive.
    """

    reads_bit = False
    learner: Publisher[Any, Any]
    rounds: Rounds

    def __post_init__(self) -> None:
        check_fields(self)

    @property
    def turns(self) -> int:
        """The number T - 1 of moves: one move between any two successive hypotheses."""
        return self.rounds - 1

    def begin(self, coins: Coins) -> Step:
        """Return the learner's state before the first move, and the first hypothesis."""
        return self.learner.publish(require_started(self.learner.start(coins)), coins)

    def check(self, view: View, move: Move) -> None:
        """Refuse a second challenge of the adversary."""
        check_challenges(view, move, 1)

    def respond(self, hidden: Hashable, move: Move, bit: int, coins: Coins) -> Step:
        """Return the next state and the next hypothesis, which is shown."""
        state = self.learner.receive(hidden, move.input(bit), coins)
        return (None, NOTHING) if state is None else self.learner.publish(state, coins)

    def shows_halt(self, moves: int) -> bool:
        """Return whether the adversary observes a halt, that is, a missing hypothesis."""
        return moves < self.turns


@dataclass(frozen=True)
class OnlineGame(Game):
    """The game of challenge differential privacy [KMMNS23, Alg 4], for predictions to users.

    The adversary chooses labelled examples ``(x, y)`` and observes all predictions except in
    challenge rounds, because each user receives only the prediction for this user.

    **View.** The adversary observes the predictions of all rounds without a challenge and, after
    every round, whether the learner has halted. In the game of [KMMNS23] a halt is visible only by
    missing later predictions, so a halt in the last round is invisible. This game shows every halt,
    because learners of this library announce a halt at once (`Transcript.halted_at`). The view does
    not show whether the learner halted at the prediction or after it received the label.

    Parameters
    ----------
    learner : Learner
        Learner that predicts the labels.
    rounds : int
        Largest number of examples.
    group : int
        Largest number of challenges, that is, of rounds in which a secret bit selects one of two
        examples.

    Raises
    ------
    InvalidInput
        If the number of rounds or of challenges is not positive.

    Examples
    --------
    >>> from learners.games import Oblivious
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
    learner: Learner[Any, Any]
    rounds: Rounds
    group: GroupSize = 1

    def __post_init__(self) -> None:
        check_fields(self)

    @property
    def turns(self) -> int:
        """The number of moves of the adversary: one in each round."""
        return self.rounds

    def begin(self, coins: Coins) -> Step:
        """Return the state before the first move, without an output."""
        return require_started(self.learner.start(coins)), None

    def check(self, view: View, move: Move) -> None:
        """Check that items are labelled examples, and that there are at most `group` challenges."""
        check_challenges(view, move, self.group)
        for item in (move.input(0), move.input(1)):
            if not isinstance(item, tuple) or len(item) != 2:
                raise InvalidInput(f"An example must be a pair (point, label). Got {item!r}.")

    def respond(self, hidden: Hashable, move: Move, bit: int, coins: Coins) -> Step:
        """Return the learner's next state and the prediction, which is hidden in a challenge."""
        point, label = move.input(bit)
        state, predicted = self.learner.predict(hidden, point, coins)
        if state is not None:
            state = self.learner.learn(state, point, label, coins)
        return state, HIDDEN if isinstance(move, Challenge) else predicted

    def compares(self, relation: str) -> bool:
        """Return whether a neighbour relation is ``"challenge"``.

        Under this relation, one user's item differs, and the adversary observes the answers to all
        other users.
        """
        return relation == CHALLENGE


@dataclass(frozen=True)
class GeneralGame(Game):
    """The game of challenge-DP for arbitrary interactions with users [KMMNS23, Alg 8].

    In every phase, the adversary selects a user, who talks with the mechanism. In one phase, the
    challenge, the adversary selects two users, and a secret bit chooses one of them. A user's view
    contains the user's random draws and the messages that the user received.

    **View.** The adversary observes the views of all users except the user of the challenge. After
    every phase, it also observes whether the mechanism has halted, because the next user would
    notice the halt at the first message. Only the view of the user who was talking shows the
    message at which the mechanism halted.

    Parameters
    ----------
    mechanism : Responder
        Mechanism that answers one message after another.
    phases : int
        Largest number of users.
    messages : int
        Largest number of messages of one user.

    Raises
    ------
    InvalidInput
        If a number is not positive, or a user sends more than `messages` messages.
    """

    reads_bit = False
    mechanism: Responder[Any, Any]
    phases: Phases
    messages: Annotated[int, Option("number of messages", minimum=1)] = 64

    def __post_init__(self) -> None:
        check_fields(self)

    @property
    def turns(self) -> int:
        """The number of moves of the adversary: one in each phase."""
        return self.phases

    def begin(self, coins: Coins) -> Step:
        """Return the state before the first move, without an output."""
        return require_started(self.mechanism.start(coins)), None

    def check(self, view: View, move: Move) -> None:
        """Refuse a second challenge of the adversary."""
        check_challenges(view, move, 1)

    def respond(self, hidden: Hashable, move: Move, bit: int, coins: Coins) -> Step:
        """Let the user talk until it leaves or the mechanism halts."""
        user: User = move.input(bit)
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
        """Return whether a neighbour relation is ``"challenge"``.

        Under this relation, one user's item differs, and the adversary observes the answers to all
        other users.
        """
        return relation == CHALLENGE


@dataclass(frozen=True)
class CompositionGame(Game):
    """A sequence of games with the same secret bit, as for composition [KMMNS23, Alg 5].

    A move ``Ask((game, adversary))`` plays an `OnlineGame` against another adversary, and shows the
    final view of this adversary. If the learner of a game states its privacy, the stated guarantee
    must be at most (epsilon, delta).

    **View.** The views at the end of all games. Each view contains whether the learner of the game
    halted.

    Parameters
    ----------
    games : int
        Largest number of games.
    epsilon, delta : Fraction
        Guarantee that every learner must satisfy.

    Raises
    ------
    InvalidInput
        If a parameter is out of range.
    """

    games: Annotated[int, Option("number of games", minimum=1)]
    epsilon: Annotated[Fraction, Option("epsilon")]
    delta: Annotated[Fraction, Option("delta")] = Fraction(0)

    def __post_init__(self) -> None:
        check_fields(self)

    @property
    def turns(self) -> int:
        """The number of moves of the adversary: one in each game."""
        return self.games

    def begin(self, coins: Coins) -> Step:
        """Return the empty state, because the mechanism keeps no state between two games."""
        return "between games", None

    def check(self, view: View, move: Move) -> None:
        """Check that a move is a game with one challenge and a learner within the budget."""
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
                    f"Every learner must be ({self.epsilon}, {self.delta})-private. Got a learner "
                    f"that states ({epsilon}, {delta})."
                )

    def respond(self, hidden: Hashable, move: Move, bit: int, coins: Coins) -> Step:
        """Play the chosen game with the secret bit of the composition."""
        game, adversary = move.input(bit)
        return hidden, draw_view(game, adversary, bit, coins)

    def compares(self, relation: str) -> bool:
        """Return whether a neighbour relation is ``"challenge"``.

        Under this relation, one user's item differs, and the adversary observes the answers to all
        other users.
        """
        return relation == CHALLENGE
