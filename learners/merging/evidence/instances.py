"""Small instances of `MergingSOA` for its audits, as games against all adaptive adversaries."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from learners.audit.instances import AuditEntry, ClaimedDelta, GameInstance
from learners.games import AdaptiveStream
from learners.merging.algorithm import MergingSOA
from learners.merging.evidence.games import ONE, moves
from learners.merging.parameters import Level, MergingParameters
from lsclasses.options import Option
from lsclasses.table import Table

Waiting = Annotated[Fraction, Option("epsilon of the thresholds", above=0)]
Histogram = Annotated[Fraction, Option("epsilon of the histogram", above=0)]


def _one_level(
    *,
    epsilon: Waiting = Fraction(4),
    histogram: Histogram = Fraction(1),
    delta: ClaimedDelta = Fraction(1, 4),
    nodes: Annotated[int, Option("number of version spaces", minimum=1, maximum=4)] = 2,
    rounds: Annotated[int, Option("number of rounds", minimum=1, maximum=4)] = 3,
) -> GameInstance:
    """Return games on two points for a class of Littlestone dimension 1, with one level.

    The delta is so large that the histogram releases functions of small counts. Then the time at
    which the threshold is reached is visible.
    """
    level = Level(histogram, delta, noise="laplace")
    parameters = MergingParameters(1, rounds, nodes, epsilon, 1, (level,))
    learner = MergingSOA(Table(list(ONE)), parameters)
    return GameInstance(
        learner,
        lambda mechanism: AdaptiveStream(mechanism, rounds),
        tuple(moves(2)),
        learner.privacy,
    )


AUDITS = (
    AuditEntry(
        "merging_soa",
        "hypotheses of the merging learner with one level, against all adaptive adversaries",
        _one_level,
        Fraction("3.54"),
        "the hypotheses show the histogram only through the order of two functions, and delta pays "
        "for a part of the loss",
    ),
)
