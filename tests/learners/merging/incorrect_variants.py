"""Broken twins of the merging learner, which its audit has to see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from learners.coins import Coins
from learners.merging.algorithm import MergingSOA
from learners.merging.evidence.games import ExactParameters
from learners.pac.base import released
from tests.learners.breaking import Broken, Twin


class NoHistogram(MergingSOA):
    """The most frequent function of each level is published, without noise."""

    def _released(self, level: int, ready: Mapping[Any, int], coins: Coins) -> tuple[Any, ...]:
        counts: Counter[Any] = Counter()
        for node, count in ready.items():
            for item in self._nodes.list_of(node, level) or ():
                counts[item] += count
        return tuple(self._nodes.hypothesis(item) for item, _ in counts.most_common(1))


def exact_thresholds(built: Any) -> MergingSOA:
    """The learner of an instance with thresholds without noise."""
    right = built.mechanism.parameters
    values = {each.name: getattr(right, each.name) for each in fields(right)}
    return replace(built.mechanism, parameters=ExactParameters(**values))


def playing(kind: type[MergingSOA]) -> Broken:
    """Another learner in the game of an instance."""

    def run(built: Any) -> Any:
        right = built.mechanism
        return kind(**{each.name: getattr(right, each.name) for each in fields(right)})

    return run


def quiet_counts(built: Any) -> Any:
    """The learner from samples with a hundredth of the noise of its counts."""
    right = built.mechanism
    return released(replace(right, plan=replace(right.plan, epsilon=100 * right.plan.epsilon)))


TWINS = (
    Twin("pac_merging", "adds a hundredth of the noise to the counts", quiet_counts),
    Twin("merging_soa", "adds no noise to the thresholds", exact_thresholds),
    Twin("merging_soa", "publishes the most frequent function", playing(NoHistogram)),
)
