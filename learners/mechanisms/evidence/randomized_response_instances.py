"""Small instances of `learners.mechanisms.randomized_response` for its audits."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from learners.audit.instances import AuditEntry, Instance, claimed_epsilon, count
from learners.mechanisms.randomized_response import RandomizedResponse


def _instance(epsilon: Fraction, answers: int) -> Instance:
    mechanism = RandomizedResponse(epsilon, answers)
    pairs = tuple(combinations(range(answers), 2))
    return Instance(mechanism, lambda response: response.release, pairs, mechanism.privacy)


AUDITS = (
    AuditEntry(
        "randomized_response",
        "one of several answers, mostly the true one",
        (claimed_epsilon(1), count("answers", "how many there are", 3, 2, 64)),
        _instance,
    ),
)
