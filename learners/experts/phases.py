r"""Parameters of phases that end by noisy thresholds, and the chance that all of them end.

**A phase that ends.** Phases stand in blocks. Draw k takes expert i with probability proportional
to exp(-A_k(i)), where A_k(i) = rate_k sum_j weight_j L^j_i over the phases j < k in the block of
phase k - 1, and L^j_i is what i loses in phase j. Losses are 0 or 1 and fixed beforehand, and some
expert loses nothing. The threshold of phase k is T_k, of some epsilon_k, and a round is *early* as
in `learners.mechanisms.sparse_vector.OneSidedThreshold`: its coin is less than some p. Let
a_k >= 0 be such that exp(-epsilon_k a_k) <= p.

*Lemma.* Let G_k = -ln(mean_i exp(-A_k(i))), so that 0 <= G_k <= ln N because of the expert that
loses nothing. Fix which rounds are early, and what happened before draw k. There is a V_k, a
function of the expert that is drawn, with P[V_k <= v] <= v for all v, such that if phase k ends in
a round that is not early, then for r_k = min(1, rate_{k+1}/rate_k)

    G_{k+1} >= r_k (G_k + X_k),  X_k = -ln(1 - V_k (1 - exp(-rate_k weight_k (T_k - a_k + 1)))).

If it ends in an early round, or if T_k - a_k + 1 <= 0, the same holds with X_k = 0. Where phase k
begins a block, take r_k = 0. (But the first draw reads nothing: take r_1 = 1 and rate_1 = rate_2.
No draw reads the last phase: take its weight to be infinite.)

*Proof.* For X_k = 0 use that losses only add to A_k. Now let c = T_k - a_k + 1 > 0. For each expert
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
from learners.number_arguments import PRECISION, integer, least_integer
from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields

ONE = 1 << 30
"""Probabilities are integers in this unit, so that 64 bits hold sums of products of two."""

CELLS = 256
"""How many cells ln N is cut into."""
MOST_PHASES = 1000
"""With more the grid is too coarse: phases gain less than a cell, or the chance less than 1/ONE."""

EARLY_ROUNDS = (0, 1, 2)
"""How many early rounds are allowed for; the best is taken."""

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
    """The parameters of all phases: thresholds, weights of losses, rates of draws.

    Attributes
    ----------
    thresholds : tuple of int
        Of each phase; there are K.
    weights : tuple of int
        What a loss in a phase counts; of each phase but the last, whose losses no draw reads.
    rates : tuple of Fraction
        What a unit of loss takes off log-weights; of each draw but the first, which reads nothing.
    blocks : tuple of int
        How many phases there are in each block, in which losses are kept; one block if omitted.
        A draw reads the losses of the block in which the phase before it is.
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
    """An upper bound on P[all phases end], given that at most `rare` rounds are early.

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
        """The law of X rounded down to the grid, in units of 1/ONE, and the mass beyond it."""
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
    """The largest number g of good phases, N (3/4)^g >= 1.

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
    """The least number K of phases with P[Bin(K, 1/2) <= G] <= failure/2.

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
    """Equal phases, each of which halves half of the weight with probability 1/2.

    There are `phases_for` the G = `good_phases` of which N (3/4)^G >= 1, and thresholds are
    a + ln(2)/rate, so that a loss of that much halves a weight; no round is early.

    Parameters
    ----------
    experts, rounds
    budget : tuple of Fraction
        (epsilon, delta) of the game.
    failure : Fraction
    share : Fraction, optional
        The part of epsilon that thresholds get; `EQUAL_SHARE` when omitted.
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
    """The sharp plan: phases of short memory, a block of full memory, then careful phases.

    Let m = ceil(log2 N). Thresholds are in units of 1/counting here, and l = ln T - 1.

    **Alone.** The first min(ceil(m/2), 5) phases are blocks of their own: a draw reads the phase
    before it and nothing else, so that all that the budget pays for goes into one draw. Phase k has
    the threshold min(5 + k, 9, l), or more: c losses with rate weight c >= ln N + 5, so that
    experts with that loss are rarely drawn. Where losses tell experts apart, as on random
    points, one or two such draws find a good one.

    **Together.** A block of min(m, 16) phases with thresholds min(7, l). All of its losses are read
    by the later draws of it, for an adversary who lets experts lose one after the other. The first
    has the threshold l + 3, so that the expert that was found alone is hardly left without need.

    Nothing is proved of these phases but that each loses at most its raised threshold. Of epsilon,
    their thresholds get `SHORT_SHARE`.

    **Careful phases** are a block, too; their thresholds get `CAREFUL_SHARE`. Of the first, whose
    draw reads another block, nothing is proved either. The others have thresholds a + c - 1 with
    the a of one early round. c losses lower the log-weight by `CAREFUL_LOG_WEIGHT` in a phase that
    5 ln N draws follow; where a loss weighs more, c is less by the square root of that. There are
    as many as `chance_that_all_end` asks for.

    **Weights.** Each phase gets the largest weight at which the draws that read it keep to
    (epsilon, delta), by zCDP or by adding up (`learners.experts.sparse`, Privacy). A late phase of
    a block is read by few draws, so its losses count more.

    Parameters
    ----------
    experts, rounds, budget, failure, share
        As for `cautious_phases`; the shares above when omitted.
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
        """The weights that an (epsilon, delta) budget allows."""
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
        """The largest weight of a phase that `later` draws read."""
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
        # Nothing is proved of the first phase of a block, but its expert should stay if it is good.
        self.weights.insert(0, weighing.of(len(self.thresholds)))
        self.thresholds.insert(0, self.thresholds[0])
