"""Broken twins of the learners with experts, which their audits have to see."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from learners.coins import Coins
from learners.experts.dartboard import ShrinkingDartboard
from learners.experts.hedge import DPHedge
from learners.experts.sparse import SparseVectorExperts
from learners.sanitizers.evidence.mwem import Open
from tests.learners.breaking import Twin, multiplied, other, relative
from tests.learners.mechanisms.incorrect_variants import NotRaised


class NoFakeSwitches(ShrinkingDartboard):
    """An expert that has lost nothing is state."""

    def _keeps(self, lost: int, coins: Coins) -> bool:
        return coins.decays(self.rate * lost)


class MoreSwitches(ShrinkingDartboard):
    """Redraws are not counted."""

    def _choose(self, state: Any, coins: Coins) -> Any:
        return replace(super()._choose(state, coins), drawn=0)


class RedrawsTheSame(ShrinkingDartboard):
    """If the redrawn expert is the current one, then one more draw is made."""

    def _drawn(self, state: Any, coins: Coins) -> Any:
        found = super()._drawn(state, coins)
        return super()._drawn(state, coins) if state.played and found == state.expert else found


class RedrawsTheSameEarly(ShrinkingDartboard):
    """One more draw is made for the same expert, but only while redraws are left."""

    def _choose(self, state: Any, coins: Coins) -> Any:
        after = super()._choose(state, coins)
        same = after.drawn > state.drawn and after.expert == state.expert
        if same and after.drawn < self.switches:
            return replace(after, expert=self._drawn(after, coins))
        return after


class MorePhases(SparseVectorExperts):
    """The expert of the last phase is drawn anew when it has lost enough."""

    def _choose(self, state: Any, coins: Coins) -> Any:
        over = state.run is not None and state.run.halted
        return super()._choose(replace(state, drawn=1) if over else state, coins)


class CountsLossesTwice(DPHedge):
    """Every loss counts as two."""

    def _listen(self, state: Any, item: Any, coins: Coins) -> Any:
        once = super()._listen(state, item, coins)
        return replace(once, tally=once.tally.after(item))


class TwiceTheWeights(SparseVectorExperts):
    """Every loss counts as two."""

    def _listen(self, state: Any, item: Any, coins: Coins) -> Any:
        once = super()._listen(state, item, coins)
        weight = (*self.phases.weights, 1)[state.drawn - 1]
        return replace(once, tally=once.tally.after(item, weight))


class ReadOnce(SparseVectorExperts):
    """Every phase counts as much as if one draw read it, as the last but one."""

    def _listen(self, state: Any, item: Any, coins: Coins) -> Any:
        once = super()._listen(state, item, coins)
        more = max(self.phases.weights) - (*self.phases.weights, 1)[state.drawn - 1]
        return replace(once, tally=once.tally.after(item, more)) if more > 0 else once


def not_raised(mechanism: Any) -> NotRaised | None:
    return mechanism and NotRaised(mechanism.epsilon, mechanism.threshold)


class LimitOfLosses(SparseVectorExperts):
    """The limit of a phase counts the rounds with a loss of its expert only."""

    def _listen(self, state: Any, item: Any, coins: Coins) -> Any:
        after = super()._listen(state, item, coins)
        lost = self.experts.loss(state.expert, item)
        return after if lost else replace(after, length=state.length)


class CarriedNoise(SparseVectorExperts):
    """The threshold of a phase has the noise of the one before."""

    def _choose(self, state: Any, coins: Coins) -> Any:
        after = super()._choose(state, coins)
        if state.run is None or after.run in (None, state.run):
            return after
        carried = state.run.raised
        return replace(after, run=replace(after.run, raised=carried))


class CarriedLosses(SparseVectorExperts):
    """The losses of a phase count in the next one."""

    def _choose(self, state: Any, coins: Coins) -> Any:
        after = super()._choose(state, coins)
        if state.run is None or after.run in (None, state.run):
            return after
        return replace(after, run=replace(after.run, total=state.run.total))


class FirstRate(SparseVectorExperts):
    """Every draw is made at the rate of the first that reads losses."""

    def _choose(self, state: Any, coins: Coins) -> Any:
        rates = self.phases.rates
        equal = replace(self.phases, rates=rates[:1] * len(rates))
        return SparseVectorExperts._choose(replace(self, phases=equal), state, coins)


class NeverForgets(SparseVectorExperts):
    """Losses are remembered from block to block."""

    def _choose(self, state: Any, coins: Coins) -> Any:
        one = replace(self.phases, blocks=())
        return SparseVectorExperts._choose(replace(self, phases=one), state, coins)


class LeavesLosers(SparseVectorExperts):
    """After the last phase the expert is left as soon as it loses."""

    def _listen(self, state: Any, item: Any, coins: Coins) -> Any:
        after = super()._listen(state, item, coins)
        if state.run is None and self.experts.loss(state.expert, item):
            return replace(after, expert=(state.expert + 1) % self.experts.size)
        return after


class Unforgiving(ShrinkingDartboard):
    """The losses of a batch count in the decisions after it, until another expert is drawn."""

    def _choose(self, state: Any, coins: Coins) -> Any:
        after = super()._choose(state, coins)
        return replace(after, lost=state.lost) if after.drawn == state.drawn else after


TWINS = (
    Twin("dp_hedge", "uses twice the rate", multiplied("rate")),
    Twin("dp_hedge", "counts each loss twice", relative(CountsLossesTwice)),
    Twin("dartboard", "always keeps an expert that has no loss", relative(NoFakeSwitches)),
    Twin("dartboard", "does not limit the number of redraws", relative(MoreSwitches)),
    Twin(
        "dartboard",
        "draws once more if a redraw returns the current expert",
        relative(RedrawsTheSame),
    ),
    Twin(
        "dartboard",
        "draws once more if a redraw returns the current expert and another redraw is allowed",
        relative(RedrawsTheSameEarly),
    ),
    Twin(
        "dartboard",
        "decides by the losses of all batches since the last redraw, not only of the last batch",
        relative(Unforgiving),
    ),
    Twin("dartboard", "uses twice the rate", multiplied("rate")),
    Twin("sparse_experts", "counts each loss twice", relative(TwiceTheWeights)),
    Twin(
        "sparse_experts",
        "weights the losses of every phase as if only one draw read them",
        relative(ReadOnce),
    ),
    Twin(
        "sparse_experts",
        "adds no noise to the thresholds",
        other(mechanisms=lambda m, right: tuple(map(not_raised, right))),
    ),
    Twin("sparse_experts", "does not limit the number of phases", relative(MorePhases)),
    Twin(
        "sparse_experts",
        "reuses the noise of a threshold for the threshold of the next phase",
        relative(CarriedNoise),
    ),
    Twin(
        "sparse_experts",
        "counts the losses of a phase towards the threshold of the next phase, too",
        relative(CarriedLosses),
    ),
    Twin(
        "sparse_experts",
        "makes all draws that read losses at the rate of the first of them",
        relative(FirstRate),
    ),
    Twin(
        "sparse_experts",
        "does not forget losses at the end of a block of phases",
        relative(NeverForgets),
    ),
    Twin(
        "sparse_experts",
        "replaces an expert that has a loss after the last phase",
        relative(LeavesLosers),
    ),
    Twin(
        "sparse_experts",
        "counts only rounds with a loss towards the limit of a phase",
        relative(LimitOfLosses),
    ),
    Twin(
        "constructed_experts",
        "replaces points by synthetic points with twice the epsilon",
        multiplied("sanitizer.replacers.epsilon"),
    ),
    Twin("sanitized_online", "adds half the noise in the tests", multiplied("sanitizer.test")),
    Twin(
        "sanitized_online",
        "gives the true examples to the copies instead of synthetic examples",
        relative(Open),
    ),
)
