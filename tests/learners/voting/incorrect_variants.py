"""Broken twins of the voting learners, which their audits have to see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from learners.coins import Coins
from learners.mechanisms.voting_counters import VotingRun
from learners.pac.voting import VotingSampleLearner
from learners.voting.algorithm import VotingLearner, VotingState, vote
from tests.learners.breaking import Broken, Twin, relative
from tests.learners.mechanisms.incorrect_variants import SmallNoise


class TwoVotes(VotingLearner):
    """Each mistake votes twice."""

    def _receive(self, inner: Any, point: Any, label: Any, coins: Coins) -> Any:
        item = vote(self.base, point, label)
        if item is None or inner.run.halted:
            return super()._receive(inner, point, label, coins)
        known = inner.run.missing.get(item)
        missing = (self.parameters._raised(coins) if known is None else known) - 1
        once = replace(inner.run, missing=inner.run.missing.changed(item, missing))
        return super()._receive(replace(inner, run=once), point, label, coins)


class Immediate(VotingLearner):
    """The hypothesis after the first mistake is published."""

    def _receive(self, inner: Any, point: Any, label: Any, coins: Coins) -> Any:
        item = None if inner.run.halted else vote(self.base, point, label)
        if item is None:
            return super()._receive(inner, point, label, coins)
        run = VotingRun(self.parameters, played=inner.played + 1, halted=True)
        return VotingState(run, item, inner.played + 1)


class StillReading(VotingLearner):
    """The published hypothesis is corrected at the points of later examples."""

    def _receive(self, inner: Any, point: Any, label: Any, coins: Coins) -> Any:
        after = super()._receive(inner, point, label, coins)
        if not inner.run.halted or inner.hypothesis(point) == label:
            return after
        return replace(after, hypothesis=self.base._observe(point, label).hypothesis.canonical())


class SmallNoiseVotes(VotingSampleLearner):
    """The histogram has the noise for one changed count, where two change."""

    @property
    def histogram(self) -> Any:
        return SmallNoise(self.epsilon, self.delta)


class LowerThreshold(VotingSampleLearner):
    """The histogram releases smaller counts."""

    @property
    def histogram(self) -> Any:
        right = super().histogram
        kind = type("Lower", (type(right),), {"threshold": right.threshold - 1})
        return kind(self.epsilon, self.delta)


def playing(kind: Callable[..., Any]) -> Broken:
    """Another learner in the game of an instance."""

    def run(built: Any) -> Any:
        right = built.mechanism
        return kind(**{each.name: getattr(right, each.name) for each in fields(right)})

    return run


TWINS = (
    Twin("voting", "counts the vote of each mistake twice", playing(TwoVotes)),
    Twin("voting", "publishes the hypothesis after the first mistake", playing(Immediate)),
    Twin("voting", "corrects the published hypothesis by later mistakes", playing(StillReading)),
    Twin(
        "pac_voting",
        "adds the noise for one changed number of votes instead of two",
        relative(SmallNoiseVotes),
    ),
    Twin("pac_voting", "lowers the threshold of the histogram by 1", relative(LowerThreshold)),
)
