"""Broken twins of the private Winnow, which its audit has to see."""

from __future__ import annotations

from dataclasses import replace

from learners.playing.base.state import IntegerVector
from learners.winnow.algorithm import DPWinnow
from tests.learners.breaking import Twin, in_sixteenths, multiplied, relative


class Uncleared(DPWinnow):
    """Wrong: mistakes stay cached when a phase ends, so that they count again."""

    def _updated(self, state, coins):
        after = super()._updated(state, coins)
        return replace(after, cached=state.cached, held=0)


class Unnoised(DPWinnow):
    """Wrong: mistakes are counted with a thousandth of the noise that is paid for."""

    @property
    def counter(self):
        return type(super().counter)(1000 * self.threshold_epsilon, self.threshold)


class Rescaled(DPWinnow):
    """Wrong: a cache that is not full counts as much as a full one."""

    def _updated(self, state, coins):
        cached = state.cached.array * (self.batch // max(1, state.held))
        return super()._updated(replace(state, cached=IntegerVector.of(cached)), coins)


TWINS = (
    Twin(
        "dp_winnow",
        "keeps the stored mistakes at the end of a phase, so that they count again",
        relative(Uncleared),
    ),
    Twin("dp_winnow", "counts mistakes with almost no noise", relative(Unnoised)),
    Twin("dp_winnow", "gives a few stored mistakes the weight of a full batch", relative(Rescaled)),
    Twin("dp_winnow", "uses twice the rate", multiplied("rate")),
    Twin(
        "dp_winnow", "rounds each weight to a multiple of 1/16 of the largest weight", in_sixteenths
    ),
)
