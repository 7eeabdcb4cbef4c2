"""Small instances of the voting learners for their audits."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Annotated

from learners.audit.instances import (
    AuditEntry,
    ClaimedDelta,
    ClaimedEpsilon,
    GameInstance,
    Instance,
    neighbouring_tables,
)
from learners.games import AdaptiveStream, Ask, Challenge, Move
from learners.mechanisms.voting_counters import VotingCounters
from learners.pac.base import released
from learners.pac.voting import VotingSampleLearner
from learners.voting.algorithm import VotingLearner
from lsclasses.options import Option
from lsclasses.point_names import Label, Point
from lsclasses.soa import SOA
from lsclasses.table import Table

NONE_OR_ONE = Table([[0, 0], [1, 0], [0, 1]])
"""The sets of at most one of two points, a class of Littlestone dimension 1."""

VOTE, OTHER, NO_VOTE = (0, 1), (1, 1), (0, 0)
"""Examples that vote for the first and for the second point, and an example without a vote."""


def examples_and_challenges(
    examples: tuple[tuple[Point, Label], ...], challenged: tuple[tuple[Point, Label], ...]
) -> tuple[Move, ...]:
    """Return the moves that present an example, or two versions of a challenge."""
    challenges = [Challenge(zero, one) for zero, one in combinations(challenged, 2)]
    return (*map(Ask, examples), *challenges)


def _online(
    *,
    epsilon: ClaimedEpsilon = Fraction(12),
    delta: ClaimedDelta = Fraction(1, 32),
    rounds: Annotated[int, Option("number of examples", minimum=1, maximum=5)] = 3,
    quiet: Annotated[bool, Option("allow examples without a vote in all rounds")] = False,
) -> GameInstance:
    """Return the game of all adaptive examples of the sets of at most one of two points."""
    learner = VotingLearner(SOA(NONE_OR_ONE), VotingCounters(epsilon, delta, rounds))
    asked = (VOTE, OTHER, NO_VOTE) if quiet else (VOTE, OTHER)
    moves = examples_and_challenges(asked, (VOTE, OTHER, NO_VOTE))
    return GameInstance(
        learner, lambda each: AdaptiveStream(each, rounds + 1), moves, learner.privacy
    )


def sample_learner(epsilon: Fraction, delta: Fraction) -> VotingSampleLearner:
    """Return the learner from samples with an error bound that few rows guarantee."""
    return VotingSampleLearner(
        SOA(NONE_OR_ONE), epsilon, delta, alpha=Fraction(49, 100), beta=Fraction(99, 100)
    )


def _from_sample(
    *,
    epsilon: ClaimedEpsilon = Fraction(8),
    delta: ClaimedDelta = Fraction(1, 20),
    rows: Annotated[int, Option("number of rows", minimum=1, maximum=12)] = 5,
) -> Instance:
    """Return all neighbouring tables of rows that vote for two hypotheses or for none."""
    learner = sample_learner(epsilon, delta)
    pairs = neighbouring_tables((VOTE, OTHER, NO_VOTE), rows, "replace_one")
    return Instance(learner, released, pairs)


AUDITS = (
    AuditEntry(
        "voting",
        "hypotheses of the voting learner on two points, in adaptive games",
        _online,
    ),
    AuditEntry(
        "pac_voting",
        "hypothesis of the voting learner from a sample, on two points",
        _from_sample,
    ),
)
