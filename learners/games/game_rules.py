"""The rules of a game: moves, observations and adversaries.

The module also has `Unmerged`, a game whose enumeration treats no two hidden states as equal.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar, TypeVar

from learners.coins import Coins
from lsclasses.errors import InvalidInput

# ---- moves


class _Shown(Enum):
    HIDDEN = "hidden"

    NOTHING = "nothing"

    def __repr__(self) -> str:
        return self.name


HIDDEN = _Shown.HIDDEN
"""Mark in the adversary's view for an answer that only the challenged user observes."""

NOTHING = _Shown.NOTHING
"""Mark in the adversary's view for a hypothesis that is missing because the mechanism has
halted."""


Item = Any
"""The input of a mechanism: a number, a query, an example, a user."""


@dataclass(frozen=True)
class Ask:
    """A move with one item (query, example or user) for both values of the secret bit."""

    item: Hashable

    def input(self, bit: int) -> Item:
        """Return the item that the mechanism receives."""
        return self.item


@dataclass(frozen=True)
class Challenge:
    """A move whose item is `zero` if the secret bit is 0, and `one` if the secret bit is 1."""

    zero: Hashable
    one: Hashable

    def input(self, bit: int) -> Item:
        """Return the item that the mechanism receives."""
        return self.one if bit else self.zero


@dataclass(frozen=True)
class Datasets:
    """A move with two neighbouring data sets. The mechanism receives one, by the secret bit."""

    zero: Sequence[Hashable]
    one: Sequence[Hashable]

    def input(self, bit: int) -> Item:
        """Return the data set that the mechanism receives."""
        return self.one if bit else self.zero


Move = Ask | Challenge | Datasets


@dataclass(frozen=True)
class View:
    """The view of an adversary: its random draws, its moves, and the outputs shown to it.

    Attributes
    ----------
    randomness : hashable
        Values that the adversary drew before its first move.
    opening : hashable
        Output shown to the adversary before its first move.
    moves : tuple of Move
        Moves of the adversary so far.
    answers : tuple
        Outputs shown to the adversary after each move.
    halted : bool
        Whether the adversary has observed, after these moves, that the mechanism halted.
    """

    randomness: Hashable = None
    opening: Hashable = None
    moves: tuple[Move, ...] = ()
    answers: tuple[Hashable, ...] = ()
    halted: bool = False

    def after(self, move: Move, answer: Hashable, halted: bool = False) -> View:
        """Return the adversary's view one round later."""
        return View(
            self.randomness, self.opening, (*self.moves, move), (*self.answers, answer), halted
        )

    @property
    def challenges(self) -> int:
        """The number of challenges that the adversary has submitted so far."""
        return sum(isinstance(move, Challenge) for move in self.moves)


class Adversary(ABC):
    """An adversary, which chooses each move by its random draws and the outputs it has observed."""

    def draw(self, coins: Coins) -> Hashable:
        """Return the adversary's random draws before its first move. By default, there are none."""
        return None

    @abstractmethod
    def move(self, view: View) -> Move | None:
        """Return the adversary's next move, or None to end the game."""


@dataclass(frozen=True)
class Oblivious(Adversary):
    """An oblivious adversary, whose moves are fixed before the game.

    Examples
    --------
    >>> Oblivious.of("aab", "aba").moves
    (Ask(item='a'), Challenge(zero='a', one='b'), Challenge(zero='b', one='a'))
    """

    moves: tuple[Move, ...]

    @classmethod
    def of(cls, zero: Sequence[Hashable], one: Sequence[Hashable]) -> Oblivious:
        """Return the adversary for two sequences, with a challenge at each place where they differ.

        Raises
        ------
        InvalidInput
            If the lengths differ.
        """
        if len(zero) != len(one):
            raise InvalidInput(
                f"Two streams must have the same length. Got {len(zero)} and {len(one)}."
            )
        return cls(
            tuple(Ask(x) if x == y else Challenge(x, y) for x, y in zip(zero, one, strict=True))
        )

    def move(self, view: View) -> Move | None:
        """Return the next fixed move."""
        turn = len(view.moves)
        return self.moves[turn] if turn < len(self.moves) else None


# ---- rules


S = TypeVar("S")

Step = tuple[Hashable, Hashable]
"""The hidden state after a move (None if the mechanism has halted), and the shown output."""


class Game(ABC):
    """The rules of a game between an adversary and a mechanism, which depends on a secret bit.

    The rules define the allowed moves of the adversary, the mechanism's answers and the answers
    that the adversary observes. The state of the mechanism (`hidden`) is a hashable object, or None
    after a halt. Equal states must behave equally for all later inputs, because enumerations merge
    equal states.
    """

    reads_bit: ClassVar[bool] = True
    """Whether `respond` may use the secret bit in another way than through ``move.input(bit)``. A
    game in which `respond` uses only ``move.input(bit)`` may set this attribute to False, and its
    audits then take half the work."""

    @property
    @abstractmethod
    def turns(self) -> int:
        """The number of moves of the adversary in a game."""

    @abstractmethod
    def begin(self, coins: Coins) -> Step:
        """Return the mechanism's state, and the output shown, before the first move."""

    @abstractmethod
    def check(self, view: View, move: Move) -> None:
        """Raise `InvalidInput` if the rules forbid a move after a view.

        Raises
        ------
        InvalidInput
            If the move is forbidden.
        """

    @abstractmethod
    def respond(self, hidden: Hashable, move: Move, bit: int, coins: Coins) -> Step:
        """Return the mechanism's next state (None after a halt), and the answer that is shown."""

    def shows_halt(self, moves: int) -> bool:
        """Return whether the adversary observes a halt of the mechanism after this number of moves.

        Only a halt in the last move of the game may remain hidden.
        """
        return True

    def compares(self, relation: str) -> bool:
        """Return whether a guarantee under a neighbour relation is about the views of this game.

        Otherwise the game cannot test the guarantee. For example, in a game that hides the output
        for one user, a false guarantee of all outputs of the mechanism can seem to hold.
        """
        return True


def require_started(state: S | None) -> S:
    """Refuse a mechanism that has no state before its first move."""
    if state is None:
        raise InvalidInput(
            "A state of None means that the mechanism has halted, and it has not begun yet. "
            "Without anything to keep, the state can be ()."
        )
    return state


def check_challenges(view: View, move: Move, allowed: int) -> None:
    if not isinstance(move, (Ask, Challenge)):
        raise InvalidInput(f"A move must be Ask(item) or Challenge(zero, one). Got {move!r}.")
    if isinstance(move, Challenge) and view.challenges >= allowed:
        raise InvalidInput(
            f"At most {allowed} challenge{'s' * (allowed > 1)} may be made in this game. "
            f"{move!r} exceeds this number."
        )


def one_challenge(game: Game, challenge: Challenge) -> bool:
    """Return whether a game allows a challenge once, and refuses to repeat it."""
    game.check(View(), challenge)
    try:
        game.check(View(moves=(challenge,), answers=(None,)), challenge)
    except InvalidInput:
        return True
    return False


@dataclass(frozen=True)
class Unmerged(Game):
    """A game whose hidden states are never merged, even if they compare equal.

    Enumerations merge equal states of the mechanism and continue from one of them. If ``==``
    ignores a field on which answers depend (a field with ``compare=False``), the enumeration has a
    false result. For each set of equal states, `learners.audit.audit_game` compares two of them,
    which usually detects an ignored field. An enumeration of the wrapped game does not depend on
    ``==``, but only small games can be enumerated in this way.

    Parameters
    ----------
    game : Game
        The wrapped game.

    Examples
    --------
    >>> from learners.games import AdaptiveInputs
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
        """The number of moves of the adversary in the wrapped game."""
        return self.game.turns

    def begin(self, coins: Coins) -> Step:
        """Begin the wrapped game."""
        return _boxed(*self.game.begin(coins))

    def check(self, view: View, move: Move) -> None:
        """Check a move by the rules of the wrapped game."""
        self.game.check(view, move)

    def respond(self, hidden: Hashable, move: Move, bit: int, coins: Coins) -> Step:
        """Respond to a move as the wrapped game does."""
        assert isinstance(hidden, _Box), "the state of another game"
        return _boxed(*self.game.respond(hidden.state, move, bit, coins))

    def shows_halt(self, moves: int) -> bool:
        """Return whether the wrapped game shows a halt after this number of moves."""
        return self.game.shows_halt(moves)

    def compares(self, relation: str) -> bool:
        """Return whether a guarantee under this relation covers the views of the wrapped game."""
        return self.game.compares(relation)


@dataclass(frozen=True, eq=False)
class _Box:
    """A state that equals itself only."""

    state: Hashable


def _boxed(state: Hashable, shown: Hashable) -> Step:
    return None if state is None else _Box(state), shown
