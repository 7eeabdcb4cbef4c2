"""Broken twins of what learns cut points, which their audits have to see."""

from __future__ import annotations

from dataclasses import replace

from learners.mechanisms.selection import ExponentialMechanism
from learners.tables.columns import PrivateCuts
from tests.learners.breaking import Twin, in_sixteenths, other, relative, repeated


class LowSensitivity(PrivateCuts):
    """Scores are thought to change by 1, and not by the number of parts."""

    def _mechanism(self, neighbours: str) -> ExponentialMechanism:
        return ExponentialMechanism(self.epsilon / self.count, neighbours=neighbours)


class EachCutWhole(PrivateCuts):
    """Every cut point is chosen at the price of all."""

    def _mechanism(self, neighbours: str) -> ExponentialMechanism:
        once = super()._mechanism(neighbours)
        return replace(once, epsilon=self.count * once.epsilon)


class OneCutOnly(PrivateCuts):
    """Scores are thought to change as for one cut point."""

    def _mechanism(self, neighbours: str) -> ExponentialMechanism:
        return replace(super()._mechanism(neighbours), sensitivity=2)


TWINS = (
    Twin(
        "private_cuts", "scales the weights for scores of sensitivity 1", relative(LowSensitivity)
    ),
    Twin(
        "private_cuts",
        "scales the weights for the sensitivity of one cut point",
        relative(OneCutOnly),
    ),
    Twin(
        "private_cuts",
        "spends the epsilon of all cut points on each cut point",
        relative(EachCutWhole),
    ),
    Twin(
        "private_cuts",
        "rounds each weight to a multiple of 1/16 of the largest weight",
        in_sixteenths,
    ),
    Twin(
        "group_rates",
        "scales the noise for one changed count instead of two",
        other(changes=lambda m, right: 1),
    ),
    Twin("group_rates", "adds one noise value to all counts", repeated(1)),
)
