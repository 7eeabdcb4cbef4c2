"""Broken twins of POP, which their audits have to see."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from learners.coins import Coins
from learners.playing.base.state import Prediction
from learners.playing.copies import Copies
from learners.pop.agnostic import AgnosticPOP
from learners.pop.algorithm import POP
from learners.pop.until_mistakes import POPUntilMistakes
from tests.learners.breaking import Twin, relative


class TwoLearn(POP):
    """Two copies learn every example."""

    def learn(self, state: Any, point: Any, label: Any, coins: Coins) -> Any:
        once = super().learn(state, point, label, coins)
        return super().learn(once, point, label, coins)


class AllLearn(POP):
    """Every copy learns every example."""

    def _learn(self, state, point, label, coins):
        copies = state.copies
        learned = [(base.observe(point, label), count) for base, count in copies.items()]
        return replace(state, copies=type(copies)(learned))


class Plain(POP):
    """The majority, without noise."""

    def _predict(self, state, point, coins):
        ones = state.copies.ones(point)
        return state, Prediction(int(2 * ones > self.parameters.copies))


class ToldChoice(POP):
    """The copy that learned last is the one that is asked."""

    def _predict(self, state, point, coins):
        asked = coins.below(self.parameters.copies)
        return state, Prediction(state.copies.chosen(asked).predict(point))


@dataclass(frozen=True)
class Counting(POPUntilMistakes):
    """The same, but it halts after exactly so many mistakes."""

    def _learn(self, state, point, label, coins):
        total = state.counter.total + (state.shown != label)
        if total >= self.mistakes:
            return None
        counter = replace(state.counter, total=total)
        return replace(state, pop=self.pop.learn(state.pop, point, label, coins), counter=counter)


@dataclass(frozen=True)
class Keeping(AgnosticPOP):
    """The same, but the copies of a new phase know the example that ended the last one."""

    def _learn(self, state, point, label, coins):
        after = super()._learn(state, point, label, coins)
        if after is None or after.phase == state.phase:
            return after
        copies = Copies.of(self.run.pop.base.observe(point, label), self.parameters.copies)
        return replace(after, run=replace(after.run, pop=replace(after.run.pop, copies=copies)))


TWINS = (
    Twin("pop", "gives every example to all copies", relative(AllLearn)),
    Twin("pop", "gives every example to two copies", relative(TwoLearn)),
    Twin("pop", "adds no noise", relative(Plain)),
    Twin("pop", "predicts by one random copy instead of a noisy majority", relative(ToldChoice)),
    Twin(
        "pop_until_mistakes", "halts after exactly the given number of mistakes", relative(Counting)
    ),
    Twin(
        "agnostic_pop",
        "starts a new phase with copies that have learned the last example of the old phase",
        relative(Keeping),
    ),
)
