"""Broken twins of the layered learner, which their audits have to see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from functools import cached_property
from typing import Any

from learners.audit.instances import Instance
from learners.coins import Coins
from learners.layers.evidence.claims import TwoPairs
from learners.layers.evidence.instances import FixedCoinsLayers
from learners.layers.plan import LayeredParameters
from learners.mechanisms.histograms import BoundedHistogram
from tests.learners.breaking import Broken, Twin, altered, multiplied, relative
from tests.learners.mechanisms.incorrect_variants import HalvedCount, PlainThreshold


class TwoReleases(FixedCoinsLayers):
    """The histogram is asked twice for the price of one, and both lists are published."""

    def _listed(self, number: int, pairs: Any, coins: Coins) -> Any:
        both = [super(TwoReleases, self)._listed(number, pairs, coins) for _ in "ab"]
        return tuple(dict.fromkeys((*both[0], *both[1])))


class HalvedWaiting(FixedCoinsLayers):
    """Mistakes are counted with half the noise."""

    @property
    def _counters(self) -> Any:
        return tuple(HalvedCount(each.epsilon, each.threshold) for each in super()._counters)


class BothSiblings(FixedCoinsLayers):
    """Both sequences of a pair are told, and the histogram counts the sequences that were."""

    def _extended(self, pair: Any, point: Any, label: Any) -> Any:
        told = super()._extended(pair, point, label)
        return told if told is pair or told is None else replace(told, second=told.first)

    def _updated(self, number: int, pairs: Any, coins: Coins) -> Any:
        return pairs

    def _counts(self, pairs: Any) -> Any:
        once = super()._counts(pairs)
        return {h: 2 * count for h, count in once.items() if h != self.base.hypothesis}


class PlainWaiting(FixedCoinsLayers):
    """The thresholds that wait for mistakes get no noise."""

    @property
    def _counters(self) -> Any:
        return tuple(PlainThreshold(each.epsilon, each.threshold) for each in super()._counters)


class CarriedMistakes(FixedCoinsLayers):
    """The mistakes of a hypothesis count as mistakes of the next one."""

    def _receive(self, state: Any, point: Any, label: Any, coins: Coins) -> Any:
        after = super()._receive(state, point, label, coins)
        if state.run is None or after.run is None:
            return after
        total = state.run.total + (state.hypothesis(point) != label)
        return replace(after, run=replace(after.run, total=int(total)))


def layers_with(change: Callable[[BoundedHistogram, int], BoundedHistogram]) -> Broken:
    """Layers with another histogram, made of the right one and d."""

    class Changed(LayeredParameters):
        @cached_property
        def histogram(self) -> Any:
            right = super().histogram
            return None if right is None else change(right, self.depth)

    def run(built: Instance) -> Any:
        known = built.mechanism.parameters
        given = {each.name: getattr(known, each.name) for each in fields(known)}
        return relative(FixedCoinsLayers, parameters=Changed(**given))(built)

    return run


def lower(right: BoundedHistogram, depth: int) -> BoundedHistogram:
    lowered = altered(BoundedHistogram, threshold=lambda of, threshold: threshold - 1)
    return lowered(right.epsilon, right.delta, right.neighbours)


def undivided(right: BoundedHistogram, depth: int) -> BoundedHistogram:
    return replace(right, epsilon=depth * right.epsilon, delta=depth * right.delta)


def undivided_epsilon(right: BoundedHistogram, depth: int) -> BoundedHistogram:
    return replace(right, epsilon=depth * right.epsilon)


def undivided_delta(right: BoundedHistogram, depth: int) -> BoundedHistogram:
    return replace(right, delta=depth * right.delta)


TWINS = (
    Twin("layered_soa", "gives each example to two pairs of sequences", relative(TwoPairs)),
    Twin(
        "layered_soa",
        "releases each histogram twice with the epsilon of one release",
        relative(TwoReleases),
    ),
    Twin("layered_soa", "adds half the noise when it counts mistakes", relative(HalvedWaiting)),
    Twin(
        "layered_soa",
        "adds no noise to the thresholds for numbers of mistakes",
        relative(PlainWaiting),
    ),
    Twin(
        "layered_soa",
        "counts the mistakes of a hypothesis for the next hypothesis, too",
        relative(CarriedMistakes),
    ),
    Twin("layered_soa", "adds half the noise to the histograms", multiplied("parameters.epsilon")),
    Twin("layered_soa", "lowers the threshold of the histograms by 1", layers_with(lower)),
    Twin(
        "layered_soa",
        "gives the example to both sequences of a pair and counts both in the histogram",
        relative(BothSiblings),
    ),
    Twin(
        "layered_soa",
        "spends the whole budget of all histograms on each histogram",
        layers_with(undivided),
    ),
    Twin(
        "layered_soa_deep",
        "spends the epsilon of all d histograms on each histogram",
        layers_with(undivided_epsilon),
    ),
    Twin(
        "layered_soa_deep",
        "spends the delta of all d histograms on each histogram",
        layers_with(undivided_delta),
    ),
)
