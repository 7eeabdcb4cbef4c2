"""Broken twins of the forest, which their audits have to see."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from learners.audit.instances import Instance
from learners.coins import Coins
from learners.forest.algorithm import ForestSOA
from learners.forest.evidence.instances import FixedCoinsRerun
from learners.forest.rerun import Past
from tests.learners.breaking import Twin, multiplied, relative


def halved_tests(built: Instance) -> Any:
    parameters = replace(built.mechanism.parameters, paper_constants=True)
    return relative(ForestSOA, parameters=parameters)(built)


@dataclass(frozen=True)
class NoisyPast(Past):
    """What `KeptNoise` keeps: the noise of each name."""

    noise: tuple[tuple[Any, int], ...] = ()


class KeptNoise(FixedCoinsRerun):
    """The counts of a name get the same noise in every round."""

    def _begin(self, coins: Coins) -> Past:
        return NoisyPast()

    def _publish(self, state: Any, coins: Coins) -> Any:
        histogram, noise = self.parameters.histogram, dict(state.noise)
        noisy = {}
        for name, count in self._shown(state.examples, coins).items():
            if name is not None:
                if name not in noise:
                    (noise[name],) = histogram._noise(1, coins)
                noisy[name] = count + noise[name]
        best = max(noisy, key=lambda name: noisy[name])
        name = best if noisy[best] >= histogram.threshold else self.first
        return replace(state, noise=tuple(noise.items())), name

    def _receive(self, state: Any, point: Any, label: Any, coins: Coins) -> Any:
        return NoisyPast(super()._receive(state, point, label, coins).examples, state.noise)


class Restarting(ForestSOA):
    """A test that has fired begins anew without being counted."""

    def _publish(self, state, coins):
        after, name = super()._publish(state, coins)
        if state.run is not None:
            after = replace(after, run=replace(after.run, remaining=state.run.remaining))
        return after, name


TWINS = (
    Twin("forest_soa", "adds half the noise", multiplied("parameters.epsilon")),
    Twin("rerun_forest", "adds half the noise", multiplied("parameters.epsilon")),
    Twin("rerun_forest", "adds the same noise in every round", relative(KeptNoise)),
    Twin("forest_soa", "adds half the noise in the tests", halved_tests),
    Twin(
        "forest_soa",
        "restarts a test that has ended without counting the restart",
        relative(Restarting),
    ),
)
