"""Adversaries that audits of games find, and the privacy loss of a game against one.

The module also explores the hidden states of a mechanism in a game, each state once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from flint import arb

from learners.audit.blind_spots import CHANNELS, RANDOMNESS, SIZES, STRATEGIES, BlindSpots
from learners.audit.claims import Finding, require_repeated
from learners.audit.enclosures import float_above, text_above
from learners.audit.losses import PrivacyLoss
from learners.exact import MAX_BRANCHES, TAIL, OutputDistribution, better_twin, require_same
from learners.games import Adversary, Game, Move, View, view_law
from lsclasses.numbers import plural

# ---- strategies


def view_loss(
    game: Game,
    adversary: Adversary,
    *,
    tail: Fraction = TAIL,
    max_branches: int = MAX_BRANCHES,
) -> PrivacyLoss[View]:
    """Return the exact privacy loss of a game against one adversary.

    Parameters
    ----------
    game, adversary
        The arguments of `learners.games.draw_view`.
    tail, max_branches
        The arguments of `learners.exact.exact_distribution`.
    """
    zero, one = (
        view_law(game, adversary, bit, tail=tail, max_branches=max_branches) for bit in (0, 1)
    )
    return PrivacyLoss(zero, one)


@dataclass(frozen=True)
class Strategy(Adversary):
    """A deterministic adversary, as a table with a move for each view that can occur."""

    moves: dict[tuple[Hashable, tuple[Hashable, ...]], Move] = field(hash=False)

    def move(self, view: View) -> Move | None:
        """Return the move for a view, or None if the adversary makes no move."""
        return self.moves.get((view.opening, view.answers))


@dataclass(frozen=True)
class PlayedAdversary:
    """An adversary with a value of the secret bit, which determine a game except for its coins.

    Examples
    --------
    >>> from learners.games import Ask
    >>> PlayedAdversary(Strategy({("opened", ()): Ask(1)}), 0)
    Played(at first Ask(item=1); secret bit 0)
    """

    adversary: Adversary
    bit: int

    def strategy(self) -> list[tuple[tuple[Hashable, ...], Move]]:
        """Return the moves of a `Strategy` after each sequence of answers, earlier moves first."""
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
    """The result of an audit of a game by a search over all deterministic adversaries.

    Attributes
    ----------
    measured : arb
        The largest delta(epsilon) over all adversaries and both directions. The direction is the
        value of the secret bit for which the distinguishing event is likelier.
    adversary : Strategy
        An adversary that attains `measured`, up to the precision of the computation.
    nodes : int
        Number of visited positions of the game.
    untested : tuple of str
        Properties of the mechanism that the audit does not test.
    """

    measured: arb
    adversary: Strategy
    nodes: int
    untested: tuple[str, ...] = ()

    @property
    def blind_spots(self) -> BlindSpots:
        """The parts of the claim that the audit does not test."""
        width = 2 * float_above(self.measured.rad())
        return BlindSpots(
            plural(self.nodes, "position of a game", "positions of a game"),
            f"probability at most {text_above(width, 3)}, the width of the bounds on delta(epsilon)"
            if width
            else "no probability",
            (SIZES, STRATEGIES, CHANNELS, *self.untested, RANDOMNESS),
        )


# ---- hidden states


@dataclass(eq=False)
class _Met:
    """A hidden state that occurred, with another object that equals it, if one occurred.

    There is one for all states of a game that are equal, so that states are hashed once.
    """

    state: object
    twin: object


Mass = dict[_Met, arb]
"""Hidden states of a mechanism, each with its weight."""


@dataclass
class _States:
    """The hidden states of a game that occurred."""

    known: dict[Hashable, _Met] = field(default_factory=dict)

    def met(self, state: object, twin: object) -> _Met:
        """Return the entry of the states that equal these two."""
        found = self.known.get(state)
        if found is None:
            found = self.known[state] = _Met(state, twin)
        else:
            require_same(found.state, state)
            for each in (state, twin):
                found.twin = better_twin(found.state, found.twin, each)
        return found


Branch = tuple[object, Hashable, object, arb]
"""A hidden state, the shown answer, another state that equals the first, and the weight."""


def _branches(law: OutputDistribution[Any]) -> list[Branch]:
    """Return the branches of a distribution of (hidden state, shown answer)."""
    return [(*each.first, each.twin[0], each.enclosure) for each in law.weights.values()]


@dataclass
class _Step:
    """The possible next states and answers after a hidden state and an item, and the cut."""

    hidden: _Met
    branches: list[Branch]
    cut: arb | None
    again: Callable[[object], OutputDistribution[Any]]
    repeated: object = None
    """The state from which it was recomputed."""
    _followed: list[tuple[_Met, Hashable, arb]] = field(default_factory=list)

    def followed(self, states: _States | None) -> list[tuple[_Met, Hashable, arb]]:
        """Return the next states with their entries, or at the end (None) whether the game halted.

        Only states from which the game continues need a comparison with other states.
        """
        if states is None:
            return [
                (HALTED if state is None else ENDED, shown, weight)
                for state, shown, _, weight in self.branches
            ]
        if not self._followed:
            self._followed = [
                (states.met(state, twin), shown, weight)
                for state, shown, twin, weight in self.branches
            ]
        return self._followed

    def require_repeated(self) -> None:
        """Recompute the distribution from an equal state, if any, and require an equal result.

        The audit of a further claim reaches the same states, and does not repeat this test.
        """
        if self.repeated is self.hidden.twin:
            return
        again = _branches(self.again(self.hidden.twin))
        require_repeated(_shown(self.branches), _shown(again))
        self.repeated = self.hidden.twin


def _shown(branches: list[Branch]) -> dict[Hashable, arb]:
    """Return the probability of each answer, with whether the mechanism halts."""
    found: dict[Hashable, arb] = {}
    for state, answer, _, weight in branches:
        key = answer, state is None
        found[key] = found.get(key, arb(0)) + weight
    return found


Steps = dict[tuple[_Met, Hashable, bool, int | None], _Step]


HALTED, ENDED = _Met(None, None), _Met((), ())
"""Two marks that replace the hidden state at the end of the game: a halt, or the last round."""


def _gather(mass: Mass, met: _Met, weight: arb) -> None:
    """Add weight to a hidden state."""
    known = mass.get(met)
    mass[met] = weight if known is None else known + weight
