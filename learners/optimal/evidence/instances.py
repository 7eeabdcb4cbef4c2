"""Audit instances of the optimal private learners."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Annotated, Any

import catalog
from learners.accounting import HYPOTHESES, ApproximateDP, Scope
from learners.audit.instances import (
    AuditEntry,
    ClaimedDelta,
    ClaimedEpsilon,
    GameInstance,
    Instance,
    UndetectedVariant,
    neighbouring_streams,
    neighbouring_tables,
)
from learners.coins import Coins
from learners.exact import Stepwise
from learners.games import AdaptiveStream, Ask, Challenge, OnlineGame
from learners.optimal.challenge import optimal_answers
from learners.optimal.error import optimal_error
from learners.optimal.mistakes import optimal_mistakes
from learners.optimal.publisher import OptimalPublisher
from learners.pac.base import released
from lsclasses.options import Option
from lsclasses.point_names import Label, Point
from lsclasses.table import Table

# ---- online


ONE_BIT = Table([[0], [1]])
"""The class of both concepts on one point."""


@dataclass(frozen=True)
class PublishedHypotheses:
    """A program that reads one example in each step and answers with the next hypothesis.

    The first hypothesis is drawn before any example, so it is not an answer.
    """

    learner: OptimalPublisher

    def start(self, coins: Coins) -> Any:
        """Return the state with the first hypothesis."""
        return self.learner.start(coins)

    def answer(self, state: Any, item: tuple[Point, Label], coins: Coins) -> tuple[Any, Hashable]:
        """Return the state after an example, and the hypothesis that is published next."""
        after = self.learner.receive(state, item, coins)
        assert after is not None
        return after, after.hypothesis


def _optimal_publisher(
    *,
    epsilon: ClaimedEpsilon = Fraction(1),
    delta: ClaimedDelta = Fraction(0),
    rounds: Annotated[int, Option("number of hypotheses", minimum=2, maximum=5)] = 4,
    adaptive: Annotated[
        bool, Option("claim the guarantee against adaptive adversaries, if delta > 0")
    ] = False,
) -> GameInstance | Instance:
    """Build the audit of one bit, in which the adversary chooses when to challenge.

    With delta > 0, the learner's guarantee covers fixed streams, so all pairs of fixed streams are
    compared. To claim the guarantee against adaptive adversaries, the audit uses the learner for
    delta = 0.
    """
    examples = (0, 0), (0, 1)
    if delta and not adaptive:
        fixed = optimal_mistakes(ONE_BIT, rounds, epsilon, delta).learner
        return Instance(
            fixed,
            lambda each: Stepwise(PublishedHypotheses(each)),
            neighbouring_streams(examples, rounds - 1),
        )
    learner = optimal_mistakes(ONE_BIT, rounds, epsilon).learner
    moves = (Ask(examples[0]), Ask(examples[1]), Challenge(*examples))
    scope = Scope.adaptive("replace_one", observes=HYPOTHESES)
    claim = ApproximateDP(epsilon, delta, scope=scope) if delta else learner.privacy
    return GameInstance(learner, lambda each: AdaptiveStream(each, rounds), moves, claim)


def _optimal_predictor(
    *,
    epsilon: ClaimedEpsilon = Fraction(1),
    rounds: Annotated[int, Option("number of answers", minimum=2, maximum=5)] = 4,
) -> GameInstance:
    """Build the audit of one bit, in which the adversary chooses when to challenge."""
    examples = (0, 0), (0, 1)
    learner = optimal_answers(ONE_BIT, rounds, epsilon).learner
    moves = (Ask(examples[0]), Ask(examples[1]), Challenge(*examples))
    return GameInstance(learner, lambda each: OnlineGame(each, rounds), moves, learner.privacy)


# ---- sample


def _optimal_learner(
    *,
    epsilon: ClaimedEpsilon = Fraction(1),
    points: Annotated[int, Option("number of points with one row each", minimum=2, maximum=3)] = 2,
    rows: Annotated[int, Option("number of rows of the sample", minimum=1, maximum=4)] = 3,
) -> Instance:
    """Return all tables of a small size, realizable or not."""
    C = catalog.build(f"points:n={points}")
    learner = optimal_error(C, rows, epsilon, tolerance=Fraction(1, 1000)).learner
    examples = list(product(range(points), (0, 1)))
    return Instance(learner, released, neighbouring_tables(examples, rows, "replace_one"))


AUDITS = (
    AuditEntry(
        "optimal_publisher",
        "hypotheses of the best private online learner of one bit, by adaptive examples",
        _optimal_publisher,
        unseen=(
            UndetectedVariant(
                "claims for adaptive streams a guarantee that holds only for fixed streams",
                "the default instance has delta = 0, and then a guarantee for fixed streams "
                "also covers adaptive streams",
                "optimal_publisher:epsilon=1/2,delta=1/20,adaptive=1",
            ),
        ),
    ),
    AuditEntry(
        "optimal_predictor",
        "answers of the best private predictor of one bit, to all users except one",
        _optimal_predictor,
    ),
    AuditEntry(
        "optimal_learner",
        "a hypothesis of the best private learner from samples of points",
        _optimal_learner,
    ),
)
