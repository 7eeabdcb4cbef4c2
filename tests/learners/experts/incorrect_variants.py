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


def not_raised(mechanism: Any) -> NotRaised:
    return NotRaised(mechanism.epsilon, mechanism.threshold)


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
    Twin("dp_hedge", "twice the rate", multiplied("rate")),
    Twin("dp_hedge", "losses counted twice", relative(CountsLossesTwice)),
    Twin("dartboard", "no fake switches", relative(NoFakeSwitches)),
    Twin("dartboard", "redraws are not counted", relative(MoreSwitches)),
    Twin("dartboard", "a redraw of the same expert is drawn once more", relative(RedrawsTheSame)),
    Twin(
        "dartboard",
        "a redraw of the same expert is drawn once more while redraws are left",
        relative(RedrawsTheSameEarly),
    ),
    Twin("dartboard", "losses are not forgotten", relative(Unforgiving)),
    Twin("dartboard", "twice the rate", multiplied("rate")),
    Twin("sparse_experts", "weights over budget", relative(TwiceTheWeights)),
    Twin("sparse_experts", "a phase is charged to one draw", relative(ReadOnce)),
    Twin(
        "sparse_experts",
        "no noise on the thresholds",
        other(mechanisms=lambda m, right: tuple(map(not_raised, right))),
    ),
    Twin("sparse_experts", "phases are not counted", relative(MorePhases)),
    Twin("sparse_experts", "a phase has the noise of the one before", relative(CarriedNoise)),
    Twin("sparse_experts", "losses count in the next phase", relative(CarriedLosses)),
    Twin("sparse_experts", "all draws have the rate of the first", relative(FirstRate)),
    Twin("sparse_experts", "losses are not forgotten when a block ends", relative(NeverForgets)),
    Twin(
        "sparse_experts",
        "an expert that loses after the last phase is replaced",
        relative(LeavesLosers),
    ),
    Twin(
        "constructed_experts",
        "points replaced at twice their price",
        multiplied("sanitizer.replacers.epsilon"),
    ),
    Twin("sanitized_online", "half the noise of tests", multiplied("sanitizer.test")),
    Twin("sanitized_online", "copies are told the true examples", relative(Open)),
)
