"""Small instances of `MergingSOA` for its audits, as games against all adaptive adversaries."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from learners.accounting import Event, PureDP, Scope, Sequential
from learners.audit.instances import (
    AuditEntry,
    ClaimedDelta,
    GameInstance,
    Instance,
    neighbouring_tables,
)
from learners.games import AdaptiveStream
from learners.merging.algorithm import MergingSOA
from learners.merging.evidence.games import ONE, moves
from learners.merging.parameters import MergingLevel, MergingParameters
from learners.pac.base import released
from learners.pac.merging import MergingSampleLearner
from lsclasses.options import Option
from lsclasses.table import Table

Waiting = Annotated[Fraction, Option("epsilon of the thresholds", above=0)]
Histogram = Annotated[Fraction, Option("epsilon of the histogram", above=0)]


def _one_level(
    *,
    epsilon: Waiting = Fraction(4),
    histogram: Histogram = Fraction(4),
    delta: ClaimedDelta = Fraction(1, 8),
    nodes: Annotated[int, Option("number of version spaces", minimum=1, maximum=4)] = 2,
    rounds: Annotated[int, Option("number of rounds", minimum=1, maximum=4)] = 3,
) -> GameInstance:
    """Return games on two points for a class of Littlestone dimension 1, with one level.

    The delta is so large that the histogram releases functions of small counts. Then the time at
    which the threshold is reached is visible.
    """
    level = MergingLevel(histogram, delta, noise="laplace")
    parameters = MergingParameters(1, rounds, nodes, epsilon, 1, (level,))
    learner = MergingSOA(Table(list(ONE)), parameters)
    return GameInstance(
        learner,
        lambda mechanism: AdaptiveStream(mechanism, rounds),
        tuple(moves(2)),
        learner.privacy,
    )


@dataclass(frozen=True)
class SmallBatches:
    """Parameters of `MergingSampleLearner` with one level and few rows, without an error bound."""

    epsilon: Fraction
    histogram: Fraction
    delta: Fraction
    size: int

    alpha, beta, margin = Fraction(49, 100), Fraction(99, 100), 0

    @property
    def parameters(self) -> MergingParameters:
        level = MergingLevel(self.histogram, self.delta, noise="laplace")
        return MergingParameters(1, 1, self.size, self.epsilon, 1, (level,))

    limits = (1, 0)

    @property
    def batches(self) -> tuple[int, int]:
        return self.size, 0

    @property
    def rows(self) -> int:
        return self.size

    @property
    def privacy(self) -> Event:
        scope = Scope.adaptive("replace_one")
        count = PureDP(self.epsilon, name="noisy count of wrong rows", scope=scope)
        return Sequential((count, *self.parameters.privacy.events[1:]))


def _from_sample(
    *,
    epsilon: Waiting = Fraction(4),
    histogram: Histogram = Fraction(4),
    delta: ClaimedDelta = Fraction(1, 50),
    rows: Annotated[int, Option("number of rows", minimum=1, maximum=6)] = 3,
) -> Instance:
    """Return all neighbouring tables of a few rows, with two wrong examples and a right one."""
    learner = MergingSampleLearner(Table(list(ONE)), SmallBatches(epsilon, histogram, delta, rows))
    pairs = neighbouring_tables(((0, 1), (1, 1), (0, 0)), rows, "replace_one")
    return Instance(learner, released, pairs)


AUDITS = (
    AuditEntry(
        "merging_soa",
        "hypotheses of the merging learner with one level, against all adaptive adversaries",
        _one_level,
        Fraction("5.84"),
        "the hypotheses show the histogram only through the order of two functions, and delta pays "
        "for a part of the loss",
    ),
    AuditEntry(
        "pac_merging",
        "hypothesis of the merging learner from a sample with one batch, on two points",
        _from_sample,
        Fraction("5.97"),
        "the hypothesis shows the counts of the histogram only through the order of two functions",
    ),
)
