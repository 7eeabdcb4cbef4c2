"""Small instances of `learners.mechanisms.fresh_noise` for its audits, chosen by their power."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from learners.audit.instances import AuditEntry, ClaimedDelta, ClaimedEpsilon, Instance, asked
from learners.mechanisms.fresh_noise import FreshNoiseThreshold
from lsclasses.specifications import Option


def _instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(1),
    delta: ClaimedDelta = Fraction(1, 10**6),
    reports: Annotated[int, Option("how many may be made", minimum=1, maximum=3)] = 1,
    queries: Annotated[int, Option("how many numbers", minimum=1, maximum=200)] = 90,
    calibrated: Annotated[bool, Option("the numeric scale, not the closed form")] = True,
) -> Instance:
    """One number asked over and over, at every distance up to twice the scale below the threshold.

    The loss of a report is largest far below the threshold, and a report comes only if one asks
    often.
    """
    mechanism = FreshNoiseThreshold(epsilon, delta, reports, 0, calibrated=calibrated)
    pairs = tuple(
        ((-distance,) * queries, (1 - distance,) * queries)
        for distance in range(1, int(2 * mechanism.scale) + 1)
    )
    return Instance(mechanism, asked, pairs)


AUDITS = (
    AuditEntry(
        "fresh_noise_threshold",
        "reports above a threshold that has no noise; all numbers may differ",
        _instance,
    ),
)
