"""Small instances of `learners.mechanisms.noise` for its audits, chosen by their power."""

from __future__ import annotations

from fractions import Fraction

from learners.audit.instances import AuditEntry, Instance, claimed_epsilon, count
from learners.mechanisms.noise import DiscreteLaplace


def _instance(epsilon: Fraction, sensitivity: int) -> Instance:
    mechanism = DiscreteLaplace(epsilon, sensitivity)
    pairs = tuple((0, changed) for changed in range(1, sensitivity + 1))
    return Instance(mechanism, lambda noise: noise.release, pairs, mechanism.privacy)


AUDITS = (
    AuditEntry(
        "discrete_laplace",
        "discrete Laplace noise on a count",
        (
            claimed_epsilon(Fraction(1, 2)),
            count("sensitivity", "by how much the count may change", 1, 1, 16),
        ),
        _instance,
    ),
)
