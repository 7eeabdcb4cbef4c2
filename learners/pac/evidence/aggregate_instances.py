"""Small instances of `learners.pac.aggregate` for its audits, chosen by their power."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Annotated

from learners.audit.instances import (
    AuditEntry,
    ClaimedDelta,
    ClaimedEpsilon,
    Instance,
    neighbouring_tables,
)
from learners.coins import Coins
from learners.pac.aggregate import SubsampleAggregate
from learners.pac.base import released
from learners.pac.plain import EmpiricalRiskMinimizer
from learners.pac.samples import Example, Sample
from lsclasses.hypothesis import Hypothesis
from lsclasses.specifications import Option
from lsclasses.table import Table


@dataclass(frozen=True)
class _Known(EmpiricalRiskMinimizer):
    """A deterministic learner that looks at each sample once, as an audit runs on few."""

    def fit(self, sample: Sample, coins: Coins) -> Hypothesis:
        """The first concept with the fewest errors."""
        rows = tuple(sample)
        if rows not in self._found:
            self._found[rows] = super().fit(sample, coins)
        return self._found[rows]

    @cached_property
    def _found(self) -> dict[tuple[Example, ...], Hypothesis]:
        return {}


def _instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(4),
    delta: ClaimedDelta = Fraction(1, 100),
    batches: Annotated[int, Option("how many there are", minimum=1, maximum=16)] = 8,
) -> Instance:
    """All tables on one point with a row for each batch."""
    base = _Known(Table([[0], [1]]))
    learner = SubsampleAggregate(base, batches, epsilon, delta)
    pairs = neighbouring_tables([(0, 0), (0, 1)], batches, "replace_one")
    return Instance(learner, released, pairs)


AUDITS = (
    AuditEntry(
        "subsample_aggregate",
        "the hypothesis that a learner finds on most batches",
        _instance,
    ),
)
