"""The rules of a game, and a game in which no two hidden states count as equal."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from learners.coins import Coins
from learners.games.moves import Ask, Challenge, Move, View
from lsclasses.errors import InvalidInput

S = TypeVar("S")

Step = tuple[Hashable, Hashable]
"""The hidden state after a move, None if the mechanism has halted, and what is shown."""


class Game(ABC):
    """The rules of a game: the allowed moves, the mechanism's answers, and what is shown.

    The mechanism's side of the game (`hidden`) is any hashable state, None once it has halted.
    States that are equal must behave alike, whatever comes: enumerations take them together.
    """

    reads_bit: ClassVar[bool] = True
    """Whether `respond` may use the secret bit in another way than through ``move.input(bit)``. A
    game that does not may say so, and its audits take half the work."""

    @property
    @abstractmethod
    def turns(self) -> int:
        """The number of moves of the adversary."""

    @abstractmethod
    def begin(self, coins: Coins) -> Step:
        """The hidden state before the first move, and the view at that point."""

    @abstractmethod
    def check(self, view: View, move: Move) -> None:
        """Refuse a move that the rules forbid after this view.

        Raises
        ------
        InvalidInput
            If the move is forbidden.
        """

    @abstractmethod
    def respond(self, hidden: Hashable, move: Move, bit: int, coins: Coins) -> Step:
        """The next hidden state (None if the mechanism halted), and the answer that is shown."""

    def shows_halt(self, moves: int) -> bool:
        """Whether the adversary sees that the mechanism halts in the last of its moves.

        Only in the last move of the game may it not.
        """
        return True

    def compares(self, relation: str) -> bool:
        """Whether a guarantee under this relation is about exactly the views of this game.

        In a game that hides what the challenged user is told, a guarantee of everything that the
        mechanism shows can hold and be false.
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
            f"At most {allowed} challenge{'s' * (allowed > 1)} may be posed in this game; "
            f"{move!r} is one too many."
        )


@dataclass(frozen=True)
class Unmerged(Game):
    """A game whose hidden states are never merged, even if they compare equal.

    Enumerations take equal states together and go on from one of them. If a state's ``==`` leaves
    out something that answers depend on (a field with ``compare=False``), what they find is false.
    `learners.audit.audit_game` tries one pair of each and usually notices. Here, nothing is assumed
    of equality; small games only can be enumerated like this.

    Parameters
    ----------
    game : Game

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
        """As in the game."""
        return self.game.turns

    def begin(self, coins: Coins) -> Step:
        """As in the game."""
        return _boxed(*self.game.begin(coins))

    def check(self, view: View, move: Move) -> None:
        """As in the game."""
        self.game.check(view, move)

    def respond(self, hidden: Hashable, move: Move, bit: int, coins: Coins) -> Step:
        """As in the game."""
        assert isinstance(hidden, _Box), "the state of another game"
        return _boxed(*self.game.respond(hidden.state, move, bit, coins))

    def shows_halt(self, moves: int) -> bool:
        """As in the game."""
        return self.game.shows_halt(moves)

    def compares(self, relation: str) -> bool:
        """As in the game."""
        return self.game.compares(relation)


@dataclass(frozen=True, eq=False)
class _Box:
    """A state that equals itself only."""

    state: Hashable


def _boxed(state: Hashable, shown: Hashable) -> Step:
    return None if state is None else _Box(state), shown
