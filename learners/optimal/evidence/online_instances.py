"""A small instance of the best private online learner for its audit."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from learners.audit.instances import AuditEntry, ClaimedEpsilon, GameInstance
from learners.games import AdaptiveStream, Ask, Challenge
from learners.optimal.mistakes import optimal_mistakes
from lsclasses.specifications import Option
from lsclasses.table import Table

ONE_BIT = Table([[0], [1]])
"""Both concepts on one point."""


def _optimal_publisher(
    *,
    epsilon: ClaimedEpsilon = Fraction(1),
    rounds: Annotated[int, Option("how many hypotheses", minimum=2, maximum=5)] = 4,
) -> GameInstance:
    """One bit; the adversary sees all hypotheses so far and chooses when to challenge."""
    learner = optimal_mistakes(ONE_BIT, rounds, epsilon).learner
    moves = (Ask((0, 0)), Ask((0, 1)), Challenge((0, 0), (0, 1)))
    return GameInstance(learner, lambda each: AdaptiveStream(each, rounds), moves, learner.privacy)


AUDITS = (
    AuditEntry(
        "optimal_publisher",
        "hypotheses of the best private online learner of one bit, by adaptive examples",
        _optimal_publisher,
    ),
)
