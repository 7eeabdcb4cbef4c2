"""Whole games of `MergingSOA`: exact audits of small games, and simulations."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import catalog
from learners.audit import ExploredGame, audit_game
from learners.audit.claims import Cut
from learners.bounds import Bound
from learners.budget import Budget
from learners.claim_checks import (
    Claim,
    ClaimCheck,
    Outcome,
    audit_outcome,
    bound_outcome,
    recomputes,
)
from learners.coins import Coins, SeededCoins
from learners.games import AdaptiveStream, Ask, Challenge, Move
from learners.mechanisms.sparse_vector import OneSidedRun, OneSidedThreshold
from learners.merging.algorithm import MergingSOA
from learners.merging.parameters import MergingLevel, MergingParameters
from learners.merging.planner import plan_for
from learners.playing.learner import PublishedState
from lsclasses.point_names import Point
from lsclasses.table import Table

PAGE = "docs/merging.md, "

ONE_LEVEL = Claim(
    "privacy of games of MergingSOA for d = 1, against all adaptive adversaries",
    "(epsilon_A + epsilon_1, delta_1)",
    source=f"{PAGE}Theorem M1",
    falsified="with thresholds without noise",
    incorrect_object=True,
)
TWO_LEVELS = Claim(
    "privacy of games of MergingSOA for d = 2, against all adaptive adversaries",
    "(epsilon_A + epsilon_1 + epsilon_2, delta_1 + delta_2)",
    source=f"{PAGE}Theorem M1",
    falsified="with delta_2 instead of delta_1 + delta_2",
    drops="the delta of level 1",
)
MISTAKES = Claim(
    "mistakes of MergingSOA against an adversary that mixes the points of the target",
    "the bound of the plan",
    source=f"{PAGE}Theorem M2",
    falsified="half of the bound",
)

CUT: Cut = {"tail": Fraction(1, 2**16), "resolution": Fraction(1, 10**3)}

ONE = ((0, 0), (1, 0), (0, 1))
TWO = ((0, 0), (1, 0), (0, 1), (1, 1))
"""Concepts of two classes on two points, of Littlestone dimension 1 (ONE) and 2 (TWO)."""


def moves(points: int) -> list[Move]:
    """Return all examples, and all challenges of two of them."""
    examples = [(x, y) for x in range(points) for y in (0, 1)]
    return [*map(Ask, examples), *(Challenge(x, y) for x, y in combinations(examples, 2))]


@dataclass(frozen=True)
class ExactThreshold(OneSidedThreshold):
    """An incorrect variant of the mistake threshold, which has no noise."""

    def start(self, coins: Coins) -> OneSidedRun:
        return ExactRun(self, self.threshold)


@dataclass(frozen=True)
class ExactRun(OneSidedRun):
    """A run of `ExactThreshold`."""

    def _ask(self, value: int, coins: Coins) -> tuple[bool, ExactRun]:
        total = self.total + value
        reached = total >= self.raised
        return reached, ExactRun(self.mechanism, self.raised, total, reached)


@dataclass(frozen=True)
class ExactParameters(MergingParameters):
    """Parameters with the thresholds of the incorrect variant."""

    def counter(self, r: int) -> OneSidedThreshold:
        return ExactThreshold(self.epsilon, self.needed(r) + self.margin - 1)


@recomputes(ONE_LEVEL)
def one_level(rounds: int, nodes: int, waiting: Fraction, rate: Fraction) -> Iterator[Outcome]:
    """Check the privacy of `MergingSOA` for d = 1 against all adaptive adversaries."""
    # At this delta, the histogram releases a function with the count k or more.
    delta = Fraction(1, 8)
    level = MergingLevel(2 * rate, delta, noise="laplace")
    parameters = 1, rounds, nodes, waiting, 1, (level,)
    learner = MergingSOA(Table(list(ONE)), MergingParameters(*parameters))
    variant = MergingSOA(learner.concept_class, ExactParameters(*parameters))
    claim = learner.privacy
    yield audit_outcome(
        ONE_LEVEL,
        f"k={nodes}, T={rounds}, epsilon_A={waiting}, e={rate}",
        audit_game(AdaptiveStream(learner, rounds), moves(2), claim, **CUT),
        false=audit_game(AdaptiveStream(variant, rounds), moves(2), claim, **CUT),
    )


@recomputes(TWO_LEVELS)
def two_levels(rounds: int, waiting: Fraction, rate: Fraction) -> Iterator[Outcome]:
    """Check the privacy of `MergingSOA` for d = 2 against all adaptive adversaries."""
    levels = (
        MergingLevel(2 * rate, Fraction(27, 100), noise="laplace"),
        MergingLevel(4 * rate, Fraction(8, 100), noise="laplace"),
    )
    parameters = MergingParameters(2, rounds, 1, waiting, 1, levels)
    learner = MergingSOA(Table(list(TWO)), parameters)
    explored = ExploredGame(AdaptiveStream(learner, rounds), moves(2), **CUT)
    epsilon = waiting + 6 * rate
    yield audit_outcome(
        TWO_LEVELS,
        f"k=(2, 1), T={rounds}, epsilon_A={waiting}, e={rate}",
        explored.against(learner.privacy),
        false=explored.against((epsilon, levels[1].delta)),
    )


# ---- simulations


def mixed_game(learner: MergingSOA, points: tuple[Point, ...], seed: int) -> int:
    """Return the mistakes of a game whose adversary presents random points of the target.

    The target is the set of these points. The adversary observes the published hypothesis and
    presents a random point of the target at which it errs. The game ends when no such point exists.
    """
    coins, rng = SeededCoins(seed), random.Random(seed)
    state: PublishedState | None = learner.start(coins)
    mistakes = 0
    while state is not None:
        wrong = [x for x in points if not state.hypothesis(x)]
        if not wrong:
            break
        state = learner._learn(state, rng.choice(wrong), 1, coins)
        mistakes += 1
    return mistakes


@recomputes(MISTAKES)
def simulated(dimension: int, epsilon: int, games: int) -> Iterator[Outcome]:
    """Check the mistake bound of `MergingSOA` on games with targets of d of d + 2 points."""
    spec = f"at-most:n={dimension + 2},k={dimension}"
    plan = plan_for(dimension, 10**6, Budget(Fraction(epsilon), Fraction(1, 10**6)))
    learner = MergingSOA.of_plan(catalog.build(spec), plan)
    mistakes = [mixed_game(learner, tuple(range(dimension)), seed) for seed in range(games)]
    (bound,) = learner.bounds
    assert isinstance(bound, Bound)
    yield bound_outcome(
        MISTAKES,
        f"{spec}, epsilon={epsilon}, {games} games, at most {max(mistakes)} mistakes",
        bound,
        mistakes,
        false=plan.bound // 2,
        privacy=(plan.epsilon, plan.delta),
    )


def checks(topic: str) -> list[ClaimCheck]:
    """Return the checks of whole games, small instances first."""
    return [
        ClaimCheck(topic, simulated, (2, 8, 6)),
        ClaimCheck(topic, one_level, (3, 2, Fraction(3), Fraction(2)), slow=True),
        ClaimCheck(topic, two_levels, (3, Fraction(1), Fraction(1)), slow=True),
        ClaimCheck(topic, simulated, (2, 8, 1000), slow=True),
        ClaimCheck(topic, simulated, (3, 8, 100), slow=True),
    ]
