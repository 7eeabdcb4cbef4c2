"""Playing a game, and the exact law of what is seen of it."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

from learners.coins import Coins
from learners.exact import MAX_BRANCHES, TAIL, OutputDistribution, exact_distribution
from learners.games.moves import Adversary, View
from learners.games.rules import Game
from learners.numbers import integer
from lsclasses.errors import InvalidInput


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
    if integer(bit, "secret bit") not in (0, 1):
        raise InvalidInput(f"The secret bit must be 0 or 1. Got {bit}.")
    position = _opened(game, adversary, coins)
    while position[1] is not None and len(position[0].moves) < game.turns:
        position = _moved(game, adversary, bit, position, coins)
    return position[0]


Position = tuple[View, Hashable]
"""The adversary's view and the hidden state, None once the game is over."""


def _opened(game: Game, adversary: Adversary, coins: Coins) -> Position:
    """The state before the first move."""
    randomness = adversary.draw(coins)
    hidden, opening = game.begin(coins)
    return View(randomness, opening, halted=hidden is None and game.shows_halt(0)), hidden


def _moved(
    game: Game, adversary: Adversary, bit: int, position: Position, coins: Coins
) -> Position:
    """The state after a move; the game ends if the adversary stops."""
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
    """The exact law of an adversary's view.

    The game is explored round by round and equal (view, hidden state) are merged, so that long
    games with few states stay small.

    Parameters
    ----------
    game, adversary, bit
        As in `draw_view`.
    tail, max_branches
        As in `learners.exact.exact_distribution`.

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
