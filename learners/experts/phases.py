r"""Parameters of phases that end by noisy thresholds, and the chance that all of them end.

**A phase that ends.** Draw k takes expert i with probability proportional to exp(-A_k(i)), where
A_k(i) = rate_k sum_{j<k} weight_j L^j_i and L^j_i is what i loses in phase j. Losses are 0 or 1 and
fixed beforehand, and some expert loses nothing. The threshold of phase k is T_k, and a round is
*early* as in `learners.mechanisms.sparse_vector.OneSidedThreshold`, for some a >= 0.

*Lemma.* Let G_k = -ln(mean_i exp(-A_k(i))), so that 0 <= G_k <= ln N because of the expert that
loses nothing. Fix which rounds are early, and what happened before draw k. There is a V_k, a
function of the expert that is drawn, with P[V_k <= v] <= v for all v, such that if phase k ends in
a round that is not early, then for r_k = min(1, rate_{k+1}/rate_k)

    G_{k+1} >= r_k (G_k + X_k),  X_k = -ln(1 - V_k (1 - exp(-rate_k weight_k (T_k - a + 1)))).

If it ends in an early round, or if T_k - a + 1 <= 0, the same holds with X_k = 0. (The first draw
reads nothing: take r_1 = 1 and rate_1 = rate_2. No draw reads the last phase: take its weight to be
infinite.)

*Proof.* For X_k = 0 use that losses only add to A_k. Now let c = T_k - a + 1 > 0. For each expert
let tau be the round in which its losses in the phase reach c, if ever; losses are fixed, so the
coins of the threshold play no part. Let V_k be the probability, in the law of draw k, of the
experts whose tau is at most that of the drawn one. The draw is independent of which rounds are
early, so P[V_k <= v] <= v. If the phase ends in a round that is not early, the drawn expert has
lost at least c in it, hence so have all whose tau is no later, of probability V_k. With B = A_k +
rate_k weight_k L^k the mean of exp(-B) is then at most exp(-G_k) (1 - V_k + V_k exp(-rate_k
weight_k c)). It remains to compare A_{k+1} = (rate_{k+1}/rate_k) B with B >= 0. If the ratio r is
at most 1, then mean exp(-r B) <= (mean exp(-B))^r; otherwise exp(-r B) <= exp(-B). QED

**All phases end** with at most e early rounds with at most the probability f_1(e, 0), where
f_{K+1} = 1 and

    f_k(e, g) = E[max(f_{k+1}(e, r_k (g + X)) [g + X <= ln N],  f_{k+1}(e - 1, r_k g) [e > 0])],

with X as in the lemma for a uniform V. *Proof.* Let f_k bound the probability that phases k to K
all end, given a history after which G_k >= g and at most e early rounds are left. It falls in g and
rises in e. The set of early rounds is fixed, but which of them ends the phase depends on the drawn
expert, and so on V: experts that lose late are more likely to meet one. Hence the maximum stands
inside of the expectation. By the argument of the lemma G_k + X_k <= ln N, too. QED

`chance_that_all_end` computes f_1 with integers only: g on a grid, rounded down; the law of X on
the same grid, rounded down; probabilities in units of 2^-30, rounded up. Each makes it larger.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import ceil, comb, isqrt

import numpy as np
from flint import ctx
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from learners import checked
from learners.accounting import zcdp_rho
from learners.accounting.numbers import PRECISION
from learners.balls import ball, ceiling, floor, log, rational_below, round_down, round_up
from learners.experts.hedge import rate_for
from learners.mechanisms.sparse_vector import OneSidedThreshold
from learners.numbers import integer, least_integer
from lsclasses.errors import InvalidInput
from lsclasses.frozen import settle

ONE = 1 << 30
"""Probabilities are integers in this unit, so that 64 bits hold sums of products of two."""

CELLS = 256
"""How many cells ln N is cut into."""

EARLY_ROUNDS = (0, 1, 2)
"""How many early rounds are allowed for; the best is taken."""

FAILURE_PARTS = 8
"""Too many early rounds get failure/8, thresholds that are raised by too much another such part."""

CAREFUL_LOG_WEIGHT = Fraction(7, 10)
"""About how much the losses that a careful phase counts lower an expert's log-weight."""

WEIGHT_BITS = 10
"""The largest weight of a quick phase has about this many bits."""


@dataclass(frozen=True)
class Phases:
    """The parameters of all phases: thresholds, weights of losses, rates of draws.

    Attributes
    ----------
    thresholds : tuple of int
        Of each phase; there are K.
    weights : tuple of int
        What a loss in a phase counts; of each phase but the last, whose losses no draw reads.
    rates : tuple of Fraction
        What a unit of loss takes off log-weights; of each draw but the first, which reads nothing.
    """

    thresholds: tuple[int, ...]
    weights: tuple[int, ...]
    rates: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        count = checked.positive(len(self.thresholds), "number of phases")
        if {len(self.weights), len(self.rates)} != {count - 1}:
            raise InvalidInput(
                "There is one weight for each phase but the last, and one rate for each draw but "
                f"the first. Got {count} phases, {len(self.weights)} weights and "
                f"{len(self.rates)} rates."
            )
        settle(self, thresholds=tuple(integer(each, "threshold") for each in self.thresholds))
        settle(self, weights=tuple(checked.positive(each, "weight") for each in self.weights))
        settle(self, rates=tuple(checked.positive_fraction(each, "rate") for each in self.rates))

    @classmethod
    def equal(cls, count: int, threshold: int, rate: Fraction) -> Phases:
        """`count` phases with the same threshold and rate, each of weight 1.

        Examples
        --------
        >>> Phases.equal(2, 5, Fraction(1))
        Phases(thresholds=(5, 5), weights=(1,), rates=(Fraction(1, 1),))
        """
        return cls((threshold,) * count, (1,) * (count - 1), (rate,) * (count - 1))


def chance_that_all_end(phases: Phases, experts: int, early: int, rare: int) -> Fraction:
    """An upper bound on P[all phases end], if at most `rare` rounds are early by `early`.

    See the module.

    Examples
    --------
    >>> phases = Phases.equal(20, 30, Fraction(1, 10))
    >>> [round(float(chance_that_all_end(phases, 100, 20, rare)), 4) for rare in (0, 1, 2)]
    [0.0004, 0.0037, 0.0221]
    """
    found = _AllEnd(experts, rare)
    rates = (*phases.rates[:1], *phases.rates)
    credits = [each - early + 1 for each in phases.thresholds]
    found.before(Fraction(1), None if credits[-1] > 0 else Fraction(0))
    for k in reversed(range(len(phases.weights))):
        ratio = Fraction(1) if k == 0 else min(Fraction(1), rates[k + 1] / rates[k])
        found.before(ratio, rates[k] * phases.weights[k] * credits[k])
    return found.chance


class _AllEnd:
    """f_k of the module for one k, from the last phase backwards."""

    def __init__(self, experts: int, rare: int) -> None:
        self.later = np.full((rare + 1, CELLS + 1), ONE, dtype=np.int64)
        self._reached = _reached(experts)

    @property
    def chance(self) -> Fraction:
        """f_k(e, 0)."""
        return Fraction(int(self.later[-1, 0]), ONE)

    def before(self, ratio: Fraction, exponent: Fraction | None) -> None:
        """Go back by a phase of this r_k, and of rate weight (T - a + 1), None for infinity."""
        law, beyond = self._law(exponent)
        # The terms of a ratio may have more than 64 bits.
        grid = [i * ratio.numerator // ratio.denominator for i in range(CELLS + 1)]
        found = np.empty_like(self.later)
        for e, later in enumerate(self.later):
            padded = np.zeros(2 * CELLS + 1, dtype=np.int64)
            padded[: CELLS + 1] = later[grid]
            kept = sliding_window_view(padded, CELLS + 1)
            skipped = self.later[e - 1][grid] if e else np.zeros(CELLS + 1, dtype=np.int64)
            total = np.maximum(kept, skipped[:, None]) @ law + skipped * beyond
            found[e] = -(-total // ONE)
        self.later = found

    def _law(self, exponent: Fraction | None) -> tuple[NDArray[np.int64], int]:
        """The law of X rounded down to the grid, in units of 1/ONE: cells, and what lies beyond."""
        most = ONE if exponent is None else 0
        if exponent is not None and exponent > 0:
            with ctx.workprec(PRECISION):
                most = int(ONE * round_down(-(-ball(exponent)).expm1()))
        below = np.full(CELLS + 2, ONE, dtype=np.int64)
        below[0] = 0
        if most:
            below = np.minimum(-(-(self._reached * ONE) // most), ONE)
        return np.diff(below), ONE - int(below[-1])


@cache
def _reached(experts: int) -> NDArray[np.int64]:
    """1 - N^(-i/CELLS) for i = 0, ..., CELLS + 1, in units of 1/ONE, rounded up."""
    with ctx.workprec(PRECISION):
        each = -log(experts) / CELLS
        return np.array(
            [0, *(ceil(ONE * round_up(-(each * i).expm1())) for i in range(1, CELLS + 2))]
        )


# ---- parameters, from public numbers


def good_phases(experts: int) -> int:
    """The largest g with N (3/4)^g >= 1.

    Examples
    --------
    >>> [good_phases(experts) for experts in (2, 17, 1000, 2**64)]
    [2, 9, 24, 154]
    """
    power, good = 4, 0
    while power <= experts * 3 ** (good + 1):
        good, power = good + 1, 4 * power
    return good


def phases_for(good: int, failure: Fraction) -> int:
    """The least K with P[Bin(K, 1/2) <= G] <= failure/2.

    Examples
    --------
    >>> [phases_for(good_phases(experts), Fraction(1, 20)) for experts in (2, 17, 1000)]
    [12, 30, 65]
    """

    def enough(phases: int) -> bool:
        few = sum(comb(phases, i) for i in range(good + 1))
        return 2 * few * failure.denominator <= failure.numerator << phases

    return least_integer(enough, good)


def cautious_phases(
    experts: int,
    rounds: int,
    counting: Fraction,
    drawing: tuple[Fraction, Fraction],
    failure: Fraction,
) -> Phases:
    """Equal phases, of which each halves half of the weight with probability 1/2.

    There are `phases_for` the G = `good_phases` of which N (3/4)^G >= 1, and thresholds are
    a + ln(2)/rate, so that a loss of that much halves a weight; no round is early.

    Parameters
    ----------
    experts, rounds
    counting : Fraction
        Epsilon of a threshold.
    drawing : tuple of Fraction
        (epsilon, delta) of all draws.
    failure : Fraction
    """
    count = phases_for(good_phases(experts), failure)
    rate = rate_for(*drawing, count - 1)
    early = OneSidedThreshold(counting, 1).early(rounds, failure / FAILURE_PARTS)
    return Phases.equal(count, early + ceiling(lambda: log(2) / ball(rate)), rate)


def sharp_phases(
    experts: int,
    rounds: int,
    counting: Fraction,
    drawing: tuple[Fraction, Fraction],
    failure: Fraction,
) -> Phases:
    """Quick phases that forget, then careful ones.

    **Quick phases.** There are s = max(0, ceil(log2 N) - 1), at most 16, with the thresholds
    min(5 + 3 (k - 1)/4, ln T - 1)/counting. Each of their draws halves the weight of all earlier
    losses, rate_{k+1} = rate_k/2, so that the newest phase can count for much. They may end early,
    and nothing is proved of them but G >= 0.

    **Careful phases** have equal rates and thresholds, a + c - 1 with the a of one early round.
    Here c losses lower the log-weight by `CAREFUL_LOG_WEIGHT`, at the weight of a phase that
    5 ln N draws follow, and there are as many phases as `chance_that_all_end` asks for. (A larger c
    would lower the bound by some percent, but lengthen phases.)

    **Weights.** Each phase gets the largest weight at which the draws after it, which read it, keep
    to (epsilon, delta): by zCDP or by adding up (`learners.experts.sparse`, Privacy). A late phase
    is read by few draws, so it counts more.

    Parameters
    ----------
    experts, rounds, counting, drawing, failure
        As for `cautious_phases`.
    """
    quick = min(16, (experts - 1).bit_length() - 1) if experts > 2 else 0
    longest = floor(lambda: 4 * (log(rounds) - 1)) / Fraction(4)
    rising = [max(1, int(min(5 + Fraction(3 * k, 4), longest) / counting)) for k in range(quick)]
    weighing = _Weighing.within(*drawing, quick)
    early = OneSidedThreshold(counting, 1).early(rounds, failure / FAILURE_PARTS, 1)
    typical = weighing.unit * weighing.careful(ceiling(lambda: 5 * log(experts)))
    credit = ceil(CAREFUL_LOG_WEIGHT / typical)
    count = _careful(experts, credit, weighing, failure)
    return Phases(
        (*rising, *[early + credit - 1] * count),
        (
            *(weighing.quick(phase, count) for phase in range(1, quick + 1)),
            *(weighing.careful(later) for later in range(count - 1, 0, -1)),
        ),
        tuple(weighing.unit * (1 << max(0, quick - k)) for k in range(1, quick + count)),
    )


def _careful(experts: int, credit: int, weighing: _Weighing, failure: Fraction) -> int:
    """The least number of careful phases for which P[all phases end] is small enough."""
    found = _AllEnd(experts, 1)
    found.before(Fraction(1), None)
    count = 1
    while found.chance > failure * (FAILURE_PARTS - 2) / FAILURE_PARTS:
        found.before(Fraction(1), weighing.unit * weighing.careful(count) * credit)
        count += 1
    return count


@dataclass(frozen=True)
class _Weighing:
    """The largest weights: a phase is read by the later draws, of rates unit 2^(s - min(k - 1, s)).

    With S_1 the sum of their rates in units and S_2 that of squares, a weight w costs 2 unit w S_1
    by adding up, and (unit w)^2 S_2/2 of zCDP.
    """

    unit: Fraction
    added: int
    concentrated: int
    steps: int

    @classmethod
    def within(cls, epsilon: Fraction, delta: Fraction, steps: int) -> _Weighing:
        """The weights that (epsilon, delta) pays for if there are `steps` quick phases."""
        most = rate_for(epsilon, delta, 1)
        bits = WEIGHT_BITS + steps
        # A power of two, which coins like: 2^-p with 2^bits units at most the largest weight.
        unit = Fraction(1, 1 << max(0, ceil((1 << bits) / most).bit_length()))
        added = int(epsilon / (2 * unit))
        concentrated = 0
        if delta:
            rho = zcdp_rho(epsilon, delta)
            concentrated = int(rational_below(lambda: ball(2 * rho / unit**2).sqrt(), 1))
        return cls(unit, added, concentrated, steps)

    def _weight(self, ones: int, squares: int) -> int:
        return max(1, self.added // ones, isqrt(self.concentrated**2 // squares))

    def careful(self, later: int) -> int:
        """The weight of a careful phase that is followed by `later` draws."""
        return self._weight(later, later)

    def quick(self, phase: int, careful: int) -> int:
        """The weight of a quick phase; draws after the last quick phase all have rate `unit`."""
        sizes = [1 << (self.steps - k) for k in range(phase, self.steps)]
        return self._weight(sum(sizes) + careful, sum(size * size for size in sizes) + careful)
