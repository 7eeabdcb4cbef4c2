"""Small instances of `learners.mechanisms.randomized_response` for its audits."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Annotated

from learners.audit.instances import AuditEntry, ClaimedEpsilon, Instance
from learners.mechanisms.randomized_response import RandomizedResponse
from lsclasses.specifications import Option


def _instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(1),
    answers: Annotated[int, Option("how many there are", minimum=2, maximum=64)] = 3,
) -> Instance:
    mechanism = RandomizedResponse(epsilon, answers)
    pairs = tuple(combinations(range(answers), 2))
    return Instance(mechanism, lambda response: response.release, pairs)


AUDITS = (
    AuditEntry(
        "randomized_response",
        "one of several answers, mostly the true one",
        _instance,
    ),
)
