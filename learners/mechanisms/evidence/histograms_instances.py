"""Small instances of `learners.mechanisms.histograms` for its audits, chosen by their power."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Annotated

from learners.audit.instances import (
    AuditEntry,
    ClaimedDelta,
    ClaimedEpsilon,
    Instance,
    neighbouring_tables,
)
from learners.coins import Coins
from learners.mechanisms.histograms import BoundedHistogram, Histogram, Released, StableHistogram
from lsclasses.specifications import Option

LETTERS = "abcdefgh"


def _entry(kind: type[StableHistogram | BoundedHistogram], name: str, title: str) -> AuditEntry:
    def build(
        *,
        epsilon: ClaimedEpsilon = Fraction(2),
        delta: ClaimedDelta = Fraction(1, 100),
        items: Annotated[
            int, Option("how many different items there are", minimum=2, maximum=len(LETTERS))
        ] = 2,
        people: Annotated[int, Option("how many items the data have", minimum=1, maximum=64)] = 12,
    ) -> Instance:
        """All data sets of `people` people. Mistakes show where counts are near the threshold."""
        mechanism = kind(epsilon, delta)
        pairs = neighbouring_tables(LETTERS[:items], people, mechanism.neighbours)

        def release(histogram: Histogram) -> Callable[[Sequence[str], Coins], Released]:
            return lambda data, coins: histogram.release(data, coins, key=ord)

        return Instance(mechanism, release, pairs)

    return AuditEntry(name, title, build)


AUDITS = (
    _entry(StableHistogram, "stable_histogram", "noisy counts that reach a threshold"),
    _entry(BoundedHistogram, "bounded_histogram", "noisy counts with a sure error"),
)
