"""Small instances of `learners.mechanisms.histograms` for its audits, chosen by their power."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from learners.audit.instances import (
    AuditEntry,
    Instance,
    claimed_delta,
    claimed_epsilon,
    count,
    neighbouring_tables,
)
from learners.coins import Coins
from learners.mechanisms.histograms import BoundedHistogram, Histogram, Released, StableHistogram

LETTERS = "abcdefgh"


def _entry(kind: type[StableHistogram | BoundedHistogram], name: str, title: str) -> AuditEntry:
    def build(epsilon: Fraction, delta: Fraction, items: int, people: int) -> Instance:
        """All data sets of so many people. Mistakes show where counts are near the threshold."""
        mechanism = kind(epsilon, delta)
        pairs = neighbouring_tables(LETTERS[:items], people, mechanism.neighbours)

        def release(histogram: Histogram) -> Callable[[Any, Coins], Released]:
            return lambda data, coins: histogram.release(data, coins, key=ord)

        return Instance(mechanism, release, pairs, mechanism.privacy)

    parameters = (
        claimed_epsilon(2),
        claimed_delta(Fraction(1, 100)),
        count("items", "how many different items there are", 2, 2, len(LETTERS)),
        count("people", "how many items the data have", 12, 1, 64),
    )
    return AuditEntry(name, title, parameters, build)


AUDITS = (
    _entry(StableHistogram, "stable_histogram", "noisy counts that reach a threshold"),
    _entry(BoundedHistogram, "bounded_histogram", "noisy counts with a sure error"),
)
