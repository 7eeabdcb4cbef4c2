"""Small instances of `learners.sanitizers.intervals` for its audits, chosen by their power."""

from __future__ import annotations

from fractions import Fraction

from learners.instances import (
    Auditable,
    Instance,
    claimed_delta,
    claimed_epsilon,
    count,
    neighbouring_streams,
)
from learners.mechanisms.counter import DyadicIntervals
from learners.sanitizers.intervals import REPLACER, IntervalSanitizer, audited_replacer, released

__all__ = ["AUDITS"]


def _instance(*, replacer: str, epsilon: Fraction, delta: Fraction, rounds: int) -> Instance:
    """All neighbouring streams of letters."""
    each = audited_replacer(replacer, epsilon, delta)
    sanitizer = IntervalSanitizer(rounds, (each,) * DyadicIntervals(rounds).depth)
    assert sanitizer.privacy is not None
    return Instance(sanitizer, released, neighbouring_streams("ab", rounds), sanitizer.privacy)


AUDITS = (
    Auditable(
        "interval_sanitizer",
        "synthetic points for all intervals, each length charged; one point differs",
        (
            REPLACER,
            claimed_epsilon(4),
            claimed_delta(Fraction(1, 10)),
            count("rounds", "how many points", 3, 1, 4),
        ),
        _instance,
    ),
)
