"""Small instances of `learners.mechanisms.fresh_noise` for its audits, chosen by their power."""

from __future__ import annotations

from fractions import Fraction

from learners.audit.instances import (
    AuditEntry,
    Instance,
    asked,
    claimed_delta,
    claimed_epsilon,
    count,
)
from learners.mechanisms.fresh_noise import FreshNoiseThreshold
from lsclasses.specifications import Parameter


def _instance(
    epsilon: Fraction, delta: Fraction, reports: int, queries: int, calibrated: int
) -> Instance:
    """One number asked over and over, at every distance up to twice the scale below the threshold.

    The loss of a report is largest far below the threshold, and a report comes only if one asks
    often.
    """
    mechanism = FreshNoiseThreshold(epsilon, delta, reports, 0, calibrated=bool(calibrated))
    pairs = tuple(
        ((-distance,) * queries, (1 - distance,) * queries)
        for distance in range(1, int(2 * mechanism.scale) + 1)
    )
    return Instance(mechanism, asked, pairs, mechanism.privacy)


AUDITS = (
    AuditEntry(
        "fresh_noise_threshold",
        "reports above a threshold that has no noise; all numbers may differ",
        (
            claimed_epsilon(1),
            claimed_delta(Fraction(1, 10**6)),
            count("reports", "how many may be made", 1, 1, 3),
            count("queries", "how many numbers", 90, 1, 200),
            Parameter.flag("calibrated", "the numeric scale, not the closed form", default=1),
        ),
        _instance,
    ),
)
