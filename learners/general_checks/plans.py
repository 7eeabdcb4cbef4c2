"""All deterministic adversaries of a game with few turns, and the views of the best adversary."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from typing import TypeVar

from flint import arb, ctx

from learners.balls import ball
from learners.coins import Coins
from learners.exact import PRECISION, OutputDistribution, exact_distribution
from learners.games import HIDDEN, Challenge, Game, Move, View
from lsclasses.errors import InvalidInput


@dataclass(frozen=True)
class AdversaryPlan:
    """A deterministic adversary: a move, and the next plan for each answer."""

    move: Move
    after: tuple[tuple[Hashable, AdversaryPlan | None], ...]

    def next(self, answer: Hashable) -> AdversaryPlan | None:
        """Return the plan for the remaining rounds of the game."""
        return dict(self.after)[answer]


def plans(
    turns: int, moves: Sequence[Move], answers: Callable[[Move], Sequence[Hashable]], most: int
) -> Iterator[AdversaryPlan]:
    """Yield all deterministic adversaries with `turns` moves, at most `most` of them challenges."""
    for move in moves:
        left = most - isinstance(move, Challenge)
        if left < 0:
            continue
        shown = answers(move)
        if turns == 1:
            yield AdversaryPlan(move, tuple((answer, None) for answer in shown))
            continue
        rest = list(plans(turns - 1, moves, answers, left))
        for chosen in product(rest, repeat=len(shown)):
            yield AdversaryPlan(move, tuple(zip(shown, chosen, strict=True)))


def both(move: Move) -> Sequence[Hashable]:
    """Return the possible answers to a move: both bits."""
    return (0, 1)


def hidden(move: Move) -> Sequence[Hashable]:
    """Return the possible answers to a move: both bits, or a hidden answer to a challenge."""
    return (HIDDEN,) if isinstance(move, Challenge) else (0, 1)


def challenges_allowed(game: Game, challenge: Challenge, *opening: Move) -> int:
    """Return the number of challenges that the rules allow after the opening moves."""
    view = View(moves=opening, answers=(None,) * len(opening))
    for count in range(game.turns + 1):
        try:
            game.check(view, challenge)
        except InvalidInput:
            return count
        view = view.after(challenge, HIDDEN)
    return game.turns + 1


Rules = Callable[[AdversaryPlan | None, int, Coins], Hashable]
"""``rules(plan, bit, coins)`` plays a game and returns the view of the adversary."""


def worst_delta(rules: Rules, adversaries: Iterator[AdversaryPlan], epsilon: Fraction) -> arb:
    """Return the delta of the definition, the largest over adversaries and events."""
    best = arb(0)
    for plan in adversaries:
        laws = [exact_distribution(partial(rules, plan, bit)) for bit in (0, 1)]
        # The best event consists of all outcomes that increase the difference, see `events`.
        with ctx.workprec(PRECISION):
            factor = ball(epsilon).exp()
            for mine, other in (laws, laws[::-1]):
                gained = arb(0)
                for seen in mine:
                    beside = other[seen] if seen in other else arb(0)
                    gained += (mine[seen] - factor * beside).nonnegative_part()
                best = best.max(gained)
    return best


Seen = TypeVar("Seen", bound=Hashable)


def worst_event(
    zero: OutputDistribution[Seen], one: OutputDistribution[Seen], epsilon: Fraction
) -> tuple[arb, arb]:
    """Return the largest P(E) - e^epsilon P'(E), in both directions, over all and single events."""
    outcomes = list({**dict.fromkeys(zero), **dict.fromkeys(one)})
    pairs = [
        tuple(law[outcome] if outcome in law else arb(0) for law in (zero, one))
        for outcome in outcomes
    ]
    best, single = arb(0), arb(0)
    with ctx.workprec(PRECISION):
        factor = ball(epsilon).exp()
        for size in range(1, len(pairs) + 1):
            for event in combinations(pairs, size):
                p, q = (sum((pair[side] for pair in event), arb(0)) for side in (0, 1))
                found = (p - factor * q).max(q - factor * p)
                best = best.max(found)
                if size == 1:
                    single = single.max(found)
    return best, single
