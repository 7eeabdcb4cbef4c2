r"""Parameters of phases that end by noisy thresholds, and the chance that all of them end.

**A phase that ends.** Phases are grouped into blocks. Draw k takes expert i with probability
proportional to exp(-A_k(i)), where A_k(i) = rate_k sum_j weight_j L^j_i over the phases j < k in
the block of phase k - 1, and L^j_i is the loss of i in phase j. Losses are 0 or 1 and fixed in
advance, and some expert has no losses. The threshold of phase k is T_k, of some epsilon_k. A round
is *early* as in `learners.mechanisms.sparse_vector.OneSidedThreshold`, that is, its coin is less
than some p. Let a_k >= 0 be such that exp(-epsilon_k a_k) <= p.

*Lemma.* Let G_k = -ln(mean_i exp(-A_k(i))), so that 0 <= G_k <= ln N because of the expert without
losses. Fix the set of early rounds and the history before draw k. Then there is a function V_k of
the drawn expert with P[V_k <= v] <= v for all v and the following property. If phase k ends in a
round that is not early, then for r_k = min(1, rate_{k+1}/rate_k)

    G_{k+1} >= r_k (G_k + X_k),  X_k = -ln(1 - V_k (1 - exp(-rate_k weight_k (T_k - a_k + 1)))).

If it ends in an early round, or if T_k - a_k + 1 <= 0, this inequality holds with X_k = 0. Where
phase k begins a block, take r_k = 0. (But the first draw reads no losses, so take r_1 = 1 and
rate_1 = rate_2. No draw reads the last phase, so take its weight to be infinite.)

*Proof.* For X_k = 0 use that losses only add to A_k. Now let c = T_k - a_k + 1 > 0. For each expert
let tau be the round in which its losses in the phase reach c, if ever. Losses are fixed, so tau
does not depend on the coins of the threshold. Let V_k be the probability, in the distribution of
draw k, of the experts whose tau is at most the tau of the drawn expert. The draw is independent of
the set of early rounds, so P[V_k <= v] <= v. Let the phase end in a round that is not early. Then
the drawn expert has lost at least c in it, hence all experts with an equal or earlier tau have,
which have probability V_k. With B = A_k + rate_k weight_k L^k the mean of exp(-B) is then at most
exp(-G_k) (1 - V_k + V_k exp(-rate_k weight_k c)). It remains to compare
A_{k+1} = (rate_{k+1}/rate_k) B with B >= 0. If the ratio r is at most 1, then
mean exp(-r B) <= (mean exp(-B))^r. Otherwise exp(-r B) <= exp(-B). QED

**All phases end** with at most e early rounds with at most the probability f_1(e, 0), where
f_{K+1} = 1 and

    f_k(e, g) = E[max(f_{k+1}(e, r_k (g + X)) [g + X <= ln N],  f_{k+1}(e - 1, r_k g) [e > 0])],

with X as in the lemma for a uniform V. *Proof.* Let f_k bound the probability that phases k to K
all end, given a history after which G_k >= g and at most e early rounds remain. It falls in g and
rises in e. The set of early rounds is fixed. But the round among them that ends the phase depends
on the drawn expert, and so on V, because experts that lose late are more likely to meet one. Hence
the maximum is inside of the expectation. By the argument of the lemma G_k + X_k <= ln N, too. QED

`chance_that_all_end` computes f_1 with integers only. It rounds g down on a grid, rounds the
distribution of X down on the same grid, and rounds probabilities up in units of 2^-30. Each
rounding makes f_1 larger.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import accumulate
from math import ceil, comb, isqrt

import numpy as np
from flint import ctx
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from learners import checked
from learners.accounting import zcdp_rho
from learners.balls import ball, ceiling, floor, log, rational_below, round_down, round_up
from learners.experts.hedge import rate_for
from learners.mechanisms.sparse_vector import OneSidedThreshold
from learners.number_arguments import PRECISION, least_integer
from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields
from lsclasses.numbers import integer

ONE = 1 << 30
"""Probabilities are integers in this unit, so that 64 bits hold sums of products of two."""

CELLS = 256
"""Number of cells into which ln N is cut."""
MOST_PHASES = 1000
"""Largest useful number of phases. More gain under a cell each, or their chance is below 1/ONE."""

EARLY_ROUNDS = (0, 1, 2)
"""Allowed numbers of early rounds, of which the best is taken."""

FAILURE_PARTS = 8
"""Too many early rounds get failure/8, thresholds that are raised by too much another such part."""

CAREFUL_LOG_WEIGHT = Fraction(1)
"""About how much the losses that a careful phase counts lower an expert's log-weight."""

EQUAL_SHARE = Fraction(3, 10)
"""The part of epsilon that thresholds get by the cautious rule."""

SHORT_SHARE, CAREFUL_SHARE = Fraction(1, 5), Fraction(9, 20)
"""The parts that they get by the sharp rule, in phases with a short memory and in careful ones."""

WEIGHT_BITS = 12
"""The largest weight of a phase has about this many bits."""


@dataclass(frozen=True)
class Phases:
    """The parameters of all phases, with thresholds, weights of losses and rates of draws.

    Attributes
    ----------
    thresholds : tuple of int
        Threshold of each of the K phases.
    weights : tuple of int
        Weight of a loss in each phase except the last, whose losses no draw reads.
    rates : tuple of Fraction
        Decrease of log-weights per unit of loss, for each draw except the first, which reads no
        losses.
    blocks : tuple of int
        Number of phases in each block, in which losses are kept. The default is one block. A draw
        reads the losses of the block of the phase before it.
    """

    thresholds: tuple[int, ...]
    weights: tuple[int, ...]
    rates: tuple[Fraction, ...]
    blocks: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        count = checked.positive(len(self.thresholds), "number of phases")
        if {len(self.weights), len(self.rates)} != {count - 1}:
            raise InvalidInput(
                "There is one weight for each phase but the last, and one rate for each draw but "
                f"the first. Got {count} phases, {len(self.weights)} weights and "
                f"{len(self.rates)} rates."
            )
        set_frozen_fields(
            self, thresholds=tuple(integer(each, "threshold") for each in self.thresholds)
        )
        set_frozen_fields(
            self, weights=tuple(checked.positive(each, "weight") for each in self.weights)
        )
        set_frozen_fields(
            self, rates=tuple(checked.positive_fraction(each, "rate") for each in self.rates)
        )
        blocks = [checked.positive(each, "length of a block") for each in self.blocks or (count,)]
        if sum(blocks) != count:
            raise InvalidInput(
                f"Blocks have all phases between them. Got {count} phases and blocks of "
                f"{', '.join(map(str, blocks))}."
            )
        set_frozen_fields(self, blocks=tuple(blocks))

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The first phase of each block, counted from 0."""
        return tuple(accumulate(self.blocks[:-1], initial=0))

    def readers(self, phase: int) -> tuple[Fraction, ...]:
        """The rates of the draws that read a phase, up to the first draw of the next block."""
        ends = next((start for start in self.starts if start > phase), len(self.rates))
        return self.rates[phase:ends]

    @classmethod
    def equal(cls, count: int, threshold: int, rate: Fraction) -> Phases:
        """`count` phases with the same threshold and rate, each of weight 1.

        Examples
        --------
        >>> Phases.equal(2, 5, Fraction(1))
        Phases(thresholds=(5, 5), weights=(1,), rates=(Fraction(1, 1),), blocks=(2,))
        """
        return cls((threshold,) * count, (1,) * (count - 1), (rate,) * (count - 1))


def chance_that_all_end(
    phases: Phases, experts: int, early: int | Sequence[int], rare: int
) -> Fraction:
    """Return an upper bound on P[all phases end], given that at most `rare` rounds are early.

    A round that is not early ends a phase only at a sum above threshold - `early`, one number for
    all phases or one for each. See the module.

    Examples
    --------
    >>> phases = Phases.equal(20, 30, Fraction(1, 10))
    >>> [round(float(chance_that_all_end(phases, 100, 20, rare)), 4) for rare in (0, 1, 2)]
    [0.0004, 0.0037, 0.0221]
    """
    found = _AllEnd(experts, rare)
    rates = (*phases.rates[:1], *phases.rates)
    each = [early] * len(phases.thresholds) if isinstance(early, int) else early
    credits = [t - a + 1 for t, a in zip(phases.thresholds, each, strict=True)]
    found.before(Fraction(1), None if credits[-1] > 0 else Fraction(0))
    for k in reversed(range(len(phases.weights))):
        ratio = Fraction(1) if k == 0 else min(Fraction(1), rates[k + 1] / rates[k])
        if k and k in phases.starts:
            found.before(Fraction(0), Fraction(0))
        else:
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
        """Go back by a phase of this r_k, and of rate weight (T - a + 1) (None for infinity)."""
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
        """Return X's distribution rounded down to the grid, in units of 1/ONE, and the rest."""
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
    """Return the largest number g of good phases with N (3/4)^g >= 1.

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
    """Return the least number K of phases with P[Bin(K, 1/2) <= G] <= failure/2.

    Examples
    --------
    >>> [phases_for(good_phases(experts), Fraction(1, 20)) for experts in (2, 17, 1000)]
    [12, 30, 65]
    """

    def enough(phases: int) -> bool:
        few = sum(comb(phases, i) for i in range(good + 1))
        return 2 * few * failure.denominator <= failure.numerator << phases

    return least_integer(enough, good)


Plan = tuple[Phases, tuple[Fraction, ...]]
"""Phases, and the epsilons of their thresholds."""


def cautious_phases(
    experts: int,
    rounds: int,
    budget: tuple[Fraction, Fraction],
    failure: Fraction,
    share: Fraction | None = None,
) -> Plan:
    """Return equal phases, each of which halves half of the weight with probability 1/2.

    The number of phases is `phases_for` (G) for G = `good_phases`, the largest number with
    N (3/4)^G >= 1. Thresholds are a + ln(2)/rate, so that a loss of this size halves a weight. No
    round is early.

    Parameters
    ----------
    experts, rounds
    budget : tuple of Fraction
        (epsilon, delta) of the game.
    failure : Fraction
    share : Fraction, optional
        Part of epsilon for the thresholds. The default is `EQUAL_SHARE`.
    """
    epsilon, delta = budget
    counting = (EQUAL_SHARE if share is None else share) * epsilon
    count = phases_for(good_phases(experts), failure)
    rate = rate_for(epsilon - counting, delta, count - 1)
    early = OneSidedThreshold(counting, 1).early(rounds, failure / FAILURE_PARTS)
    phases = Phases.equal(count, early + ceiling(lambda: log(2) / ball(rate)), rate)
    return phases, (counting,) * count


def sharp_phases(
    experts: int,
    rounds: int,
    budget: tuple[Fraction, Fraction],
    failure: Fraction,
    share: Fraction | None = None,
) -> Plan:
    """Return the sharp plan: short phases, a block of full memory, then careful phases.

    Let m = ceil(log2 N). In this description, thresholds are in units of 1/counting, and
    l = ln T - 1.

    **Short phases.** The first min(ceil(m/2), 5) phases are separate blocks. A draw reads only the
    phase before it, so the whole budget goes into one draw. Phase k has the threshold
    min(5 + k, 9, l), or more, so that c losses have rate weight c >= ln N + 5. Then experts with
    that loss are rarely drawn. Where losses distinguish the experts, as on random points, one or
    two such draws find a good expert.

    **Full memory.** The next block has min(m, 16) phases with thresholds min(7, l). The later draws
    of the block read all of its losses, for an adversary who lets experts lose one after another.
    The first phase has the threshold l + 3, so that the expert that the short phases found is
    hardly left without need.

    The only proved fact of these phases is that each loses at most its raised threshold. Their
    thresholds get `SHORT_SHARE` of epsilon.

    **Careful phases** are also a block. Their thresholds get `CAREFUL_SHARE`. No further fact is
    proved of the first careful phase, whose draw reads another block. The other careful phases have
    thresholds a + c - 1 with the a of one early round. c losses lower the log-weight by
    `CAREFUL_LOG_WEIGHT` in a phase that 5 ln N draws follow. Where a loss weighs more, c is less by
    the square root of that factor. `chance_that_all_end` determines the number of careful phases.

    **Weights.** Each phase gets the largest weight at which the draws that read it keep to
    (epsilon, delta), by zCDP or by adding up (`learners.experts.sparse`, Privacy). A late phase of
    a block is read by few draws, so its losses count more.

    Parameters
    ----------
    experts, rounds, budget, failure, share
        Parameters of `cautious_phases`. The default is the shares above.
    """
    epsilon, delta = budget
    doublings = (experts - 1).bit_length()
    alone, together = min(-(-doublings // 2), 5), min(doublings, 16)
    short = (SHORT_SHARE if share is None else share) * epsilon
    weighing = _Weighing.within(epsilon - short, delta)
    longest = floor(lambda: 4 * (log(rounds) - 1)) / Fraction(4)

    def units(most: int) -> int:
        return max(1, int(min(Fraction(most), longest) / short))

    enough = ceiling(lambda: (log(experts) + 5) / ball(weighing.unit * weighing.of(1)))
    thresholds = [
        *(max(enough, units(min(5 + k, 9))) for k in range(1, alone + 1)),
        ceil((longest + 3) / short),
        *[units(7)] * (together - 1),
    ]
    careful = (CAREFUL_SHARE if share is None else share) * epsilon
    found = _Careful(experts, rounds, careful, (epsilon - careful, delta), failure)
    quick, count = alone + together, len(found.thresholds)
    later = [1] * alone + list(range(together, 0, -1))
    phases = Phases(
        (*thresholds, *found.thresholds),
        (*map(weighing.of, later), *found.weights),
        (*[weighing.unit] * quick, *[found.unit] * (count - 1)),
        (*[1] * alone, together, count),
    )
    return phases, (short,) * quick + (careful,) * count


@dataclass(frozen=True)
class _Weighing:
    """The largest phase weights within a budget, if every draw that reads a phase has rate `unit`.

    A weight w that n draws read costs 2 unit w n by adding up, and (unit w)^2 n/2 of zCDP.
    """

    unit: Fraction
    added: int
    concentrated: int

    @classmethod
    def within(cls, epsilon: Fraction, delta: Fraction) -> _Weighing:
        """Return the weights that an (epsilon, delta) budget allows."""
        most = rate_for(epsilon, delta, 1)
        # A power of two, which coins like: 2^-p with 2^bits units at most the largest weight.
        unit = Fraction(1, 1 << max(0, ceil((1 << WEIGHT_BITS) / most).bit_length()))
        added = int(epsilon / (2 * unit))
        concentrated = 0
        if delta:
            rho = zcdp_rho(epsilon, delta)
            concentrated = int(rational_below(lambda: ball(2 * rho / unit**2).sqrt(), 1))
        return cls(unit, added, concentrated)

    def of(self, later: int) -> int:
        """Return the largest weight of a phase that `later` draws read."""
        return max(self.added // later, isqrt(self.concentrated**2 // later))


class _Careful:
    """The careful phases: enough that all of them end with small probability only.

    Attributes
    ----------
    unit : Fraction
        The rate of their draws.
    thresholds, weights : list of int
    """

    def __init__(
        self,
        experts: int,
        rounds: int,
        counting: Fraction,
        drawing: tuple[Fraction, Fraction],
        failure: Fraction,
    ) -> None:
        weighing = _Weighing.within(*drawing)
        self.unit = weighing.unit
        early = OneSidedThreshold(counting, 1).early(rounds, failure / FAILURE_PARTS, 1)
        typical = weighing.of(ceiling(lambda: 5 * log(experts)))
        refusal = InvalidInput(
            f"No {MOST_PHASES} careful phases are proved to be enough for about "
            f"2^{experts.bit_length() - 1} experts and a failure probability of "
            f"{float(failure):.1g} at this budget. Take fewer experts, a larger failure "
            "probability or a larger budget."
        )
        if not typical:
            raise refusal
        credit = ceil(CAREFUL_LOG_WEIGHT / (self.unit * typical))

        def credited(weight: int) -> int:
            return isqrt(credit**2 * typical // weight) + 1

        self.weights: list[int] = []
        self.thresholds = [early + credited(weighing.of(1)) - 1]
        chance = _AllEnd(experts, 1)
        chance.before(Fraction(1), None)
        while chance.chance > failure * (FAILURE_PARTS - 2) / FAILURE_PARTS:
            weight = weighing.of(len(self.thresholds))
            if not weight or len(self.thresholds) > MOST_PHASES:
                raise refusal
            chance.before(Fraction(1), self.unit * weight * credited(weight))
            self.weights.insert(0, weight)
            self.thresholds.insert(0, early + credited(weight) - 1)
        # The first phase of a block has no proof, but its expert should stay if it is good.
        self.weights.insert(0, weighing.of(len(self.thresholds)))
        self.thresholds.insert(0, self.thresholds[0])
