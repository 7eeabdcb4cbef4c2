"""Adversaries that audits of games find, and the privacy loss of a game against one."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from fractions import Fraction

from flint import arb

from learners.audit.claims import Finding
from learners.audit.losses import PrivacyLoss
from learners.exact import MAX_BRANCHES, TAIL
from learners.games import Adversary, Game, Move, View, view_law


def view_loss(
    game: Game,
    adversary: Adversary,
    *,
    tail: Fraction = TAIL,
    max_branches: int = MAX_BRANCHES,
) -> PrivacyLoss[View]:
    """The exact privacy loss of a game against one adversary.

    Parameters
    ----------
    game, adversary
        As in `learners.games.draw_view`.
    tail, max_branches
        As in `learners.exact.exact_distribution`.
    """
    zero, one = (
        view_law(game, adversary, bit, tail=tail, max_branches=max_branches) for bit in (0, 1)
    )
    return PrivacyLoss(zero, one)


@dataclass(frozen=True)
class Strategy(Adversary):
    """A deterministic adversary as a table: the moves for the views that it can meet."""

    moves: dict[tuple[Hashable, tuple[Hashable, ...]], Move] = field(hash=False)

    def move(self, view: View) -> Move | None:
        """The move in the table; it stops where there is none."""
        return self.moves.get((view.opening, view.answers))


@dataclass(frozen=True)
class PlayedAdversary:
    """An adversary with a value of the secret bit, on which a game is played.

    Examples
    --------
    >>> from learners.games import Ask
    >>> PlayedAdversary(Strategy({("opened", ()): Ask(1)}), 0)
    Played(at first Ask(item=1); secret bit 0)
    """

    adversary: Adversary
    bit: int

    def strategy(self) -> list[tuple[tuple[Hashable, ...], Move]]:
        """The moves of a `Strategy` after each sequence of answers, earlier moves first."""
        if not isinstance(self.adversary, Strategy):
            return []
        listed = [(answers, move) for (_, answers), move in self.adversary.moves.items()]
        return sorted(listed, key=lambda entry: len(entry[0]))

    def __repr__(self) -> str:
        moves = "; ".join(
            f"after {', '.join(map(repr, seen))} {move!r}" if seen else f"at first {move!r}"
            for seen, move in self.strategy()
        )
        return f"Played({moves or repr(self.adversary)}; secret bit {self.bit})"


@dataclass(frozen=True)
class GameFinding(Finding):
    """The result of a search over all deterministic adversaries.

    Attributes
    ----------
    measured : arb
        The largest delta(epsilon) over all adversaries, both directions.
    adversary : Strategy
        One that attains it, up to the width of the balls.
    nodes : int
        How many positions of the game were visited.
    """

    measured: arb
    adversary: Strategy
    nodes: int
