"""Small instances of `learners.mechanisms.noise` for its audits, chosen by their power."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from learners.audit.instances import AuditEntry, ClaimedEpsilon, Instance
from learners.mechanisms.noise import DiscreteLaplace
from lsclasses.specifications import Option


def _instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(1, 2),
    sensitivity: Annotated[
        int, Option("by how much the count may change", minimum=1, maximum=16)
    ] = 1,
) -> Instance:
    mechanism = DiscreteLaplace(epsilon, sensitivity)
    pairs = tuple((0, changed) for changed in range(1, sensitivity + 1))
    return Instance(mechanism, lambda noise: noise.release, pairs)


AUDITS = (
    AuditEntry(
        "discrete_laplace",
        "discrete Laplace noise on a count",
        _instance,
    ),
)
