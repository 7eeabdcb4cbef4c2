"""Small instances of `learners.mechanisms.challenge_at` for its audits, chosen by their power."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from learners.audit.instances import (
    AuditEntry,
    ClaimedDelta,
    ClaimedEpsilon,
    HiddenAnswers,
    Instance,
    challenged,
    opposite_numbers,
)
from learners.exact import Stepwise
from learners.games import MechanismResponder
from learners.mechanisms.challenge_at import FAILURE_SHARE, ChallengeAT
from lsclasses.errors import InvalidInput
from lsclasses.numbers import format_number
from lsclasses.specifications import Option

FAR = 100
"""A question whose number is so far from the threshold stands for the challenge."""


def _steps(mechanism: ChallengeAT) -> Stepwise:
    return Stepwise(HiddenAnswers(MechanismResponder(mechanism)))


def _instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(4),
    delta: ClaimedDelta = Fraction(0),
    share: Annotated[Fraction, Option("the part of epsilon for halting")] = Fraction(1, 2),
    reports: Annotated[int, Option("after about how many it halts", minimum=1, maximum=8)] = 1,
    threshold: Annotated[int, Option("the threshold", minimum=-9, maximum=9)] = 1,
    queries: Annotated[int, Option("how many questions", minimum=1, maximum=6)] = 4,
    tree: Annotated[bool, Option("halting by the counts of a tree counter")] = False,
) -> Instance:
    """Opposite numbers, and in every place a challenge that surely is reported in one world only.

    Without delta, these pairs are enough among those with such a challenge. Given the noise of the
    halting test, the probability of what is seen is a product of one factor for each number and
    of whether the run halts when it does, which depends on the challenge only: the latter favours
    one world or the other, and for the former see `opposite_numbers`.
    """
    if not 0 < share < 1:
        raise InvalidInput(
            f"The parameter 'share' must lie between 0 and 1. Got {format_number(share)}."
        )
    mechanism = ChallengeAT(
        epsilon * (1 - share),
        delta * (1 - FAILURE_SHARE),
        reports,
        threshold,
        epsilon * share,
        delta * FAILURE_SHARE,
        queries,
        "tree" if tree else "cumulative",
    )
    worlds = opposite_numbers(queries - 1)
    both_ways = dict.fromkeys((*worlds, *((one, zero) for zero, one in worlds)))
    pairs = challenged(both_ways, [(-FAR, FAR)])
    return Instance(mechanism, _steps, pairs)


AUDITS = (
    AuditEntry(
        "challenge_at",
        "reports above a threshold; one question in two versions, its answer hidden",
        _instance,
    ),
)
