r"""Parameters of phases that noisy thresholds end, and the probability that all phases end.

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

If it ends in an early round or at its limit of rounds, has no threshold, or if T_k - a_k + 1 <= 0,
this inequality holds with X_k = 0. Where phase k begins a block, take r_k = 0. (But the first draw
reads no losses, so take r_1 = 1 and rate_1 = rate_2. No draw reads the last phase, so take its
weight to be infinite.)

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

**Number of early rounds.** Let m be the mean number of early rounds among all T rounds, so p = m/T.
Then at least e rounds are early with probability at most C(T, e) p^e <= m^e/e!. As f_1 rises in e,
summation by parts gives

    P[all end] <= f_1(0, 0) + sum over e = 1, ..., E + 1 of (f_1(e, 0) - f_1(e - 1, 0)) m^e/e!,

with f_1(E + 1, 0) = 1. So a larger m lowers all numbers a_k by ln(m)/epsilon_k, and needs more
phases.

`chance_that_all_end` computes f_1 with integers only. It rounds g down on a grid, rounds the
distribution of X down on the same grid, and rounds probabilities up in units of 2^-30. Each
rounding makes f_1 larger. The sum by parts is a mean of the numbers f_1 with nonnegative weights,
so it also grows with every f_1 (the weight of f_1(e, 0) is m^e/e! - m^(e+1)/(e+1)!, and m < 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import accumulate, pairwise
from math import ceil, comb, factorial, isqrt

import numpy as np
from flint import ctx
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from learners import checked
from learners.accounting import widest_range
from learners.balls import ball, ceiling, floor, log, round_down, round_up
from learners.mechanisms.sparse_vector import OneSidedThreshold
from learners.number_arguments import PRECISION, least_integer
from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields
from lsclasses.numbers import integer

ONE = 1 << 30
"""Denominator of probabilities. So 64 bits hold sums of products of two numerators."""

CELLS = 256
"""Number of cells of the grid from 0 to ln N on which the bounds are computed, for N experts."""
MOST_PHASES = 1000
"""Largest number of phases of a plan. Further phases hardly improve the computed bounds."""

MOST_EARLY = 4
"""Largest number E of early rounds for which the chance that all phases end is computed."""

EXPECTED_EARLY = tuple(Fraction(1, each) for each in (4, 6, 8, 12, 16, 32, 64, 128, 256, 1024))
"""Candidates for the mean number m of early rounds. A bound takes the best candidate."""

FAILURE_PARTS = 8
"""The raises of thresholds get failure/8. The event that all phases end gets the rest."""

CREDITS = tuple(Fraction(each, 10) for each in (8, 10, 12, 14, 16))
"""Candidates for the decrease of a log-weight by the losses of a careful phase."""

EQUAL_SHARE = Fraction(3, 10)
"""The part of epsilon that `cautious_phases` spends on thresholds."""

WINDOW_SHARE, SHORT_SHARE = Fraction(3, 20), Fraction(3, 10)
"""Parts of epsilon for thresholds in `sharp_phases`: the second phase, and later short phases."""

MEMORY_SHARE, KEEPING_SHARE = Fraction(1, 5), Fraction(1, 4)
"""Parts of epsilon for thresholds in `sharp_phases`: full memory, and the phase after its block."""

CAREFUL_SHARE = Fraction(1, 2)
"""The part of epsilon for the thresholds of the other careful phases in `sharp_phases`."""

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
    limits : tuple of int
        Largest number of rounds of each phase, or 0 for a phase without a limit. The default is no
        limit.
    rises : tuple of int
        Increase of each threshold in the rounds 8, 16, ..., 512 of the phase
        (`OneSidedThreshold.rise`). The default is 0.
    """

    thresholds: tuple[int, ...]
    weights: tuple[int, ...]
    rates: tuple[Fraction, ...]
    blocks: tuple[int, ...] = ()
    limits: tuple[int, ...] = ()
    rises: tuple[int, ...] = ()

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
        for name in ("limits", "rises"):
            each = getattr(self, name) or (0,) * count
            if len(each) != count:
                raise InvalidInput(
                    f"Each phase has an entry in {name}. Got {len(each)} for {count} phases."
                )
            numbers = tuple(checked.nonnegative(number, f"entry in {name}") for number in each)
            set_frozen_fields(self, **{name: numbers})

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The numbers of the first phases of all blocks, where phases are counted from 0."""
        return tuple(accumulate(self.blocks[:-1], initial=0))

    def readers(self, phase: int) -> tuple[Fraction, ...]:
        """Return the rates of the draws that read the losses of a phase."""
        ends = next((start for start in self.starts if start > phase), len(self.rates))
        return self.rates[phase:ends]

    @classmethod
    def equal(cls, count: int, threshold: int, rate: Fraction) -> Phases:
        """Return the parameters of `count` phases of weight 1 with one threshold and one rate.

        Examples
        --------
        >>> Phases.equal(2, 5, Fraction(1))
        Phases(thresholds=(5, 5), weights=(1,), rates=(Fraction(1, 1),), blocks=(2,), \
limits=(0, 0), rises=(0, 0))
        """
        return cls((threshold,) * count, (1,) * (count - 1), (rate,) * (count - 1))


def chances_that_all_end(
    phases: Phases, experts: int, early: int | Sequence[int | None]
) -> tuple[Fraction, ...]:
    """Return upper bounds on P[all phases end] for 0, 1, ..., `MOST_EARLY` early rounds.

    Parameters
    ----------
    phases : Phases
        Parameters of the phases.
    experts : int
        Number N of experts.
    early : int or sequence of int or None
        Number a, for all phases or for each phase. A round that is not early ends a phase only if
        the sum of losses exceeds the threshold minus a, or at the limit of the phase. The number is
        None for a phase without a threshold.

    Examples
    --------
    >>> phases = Phases.equal(20, 30, Fraction(1, 10))
    >>> [round(float(chance), 4) for chance in chances_that_all_end(phases, 100, 20)[:3]]
    [0.0004, 0.0037, 0.0221]
    """
    found = _AllEnd(experts)
    rates = (*phases.rates[:1], *phases.rates)
    each = [early] * len(phases.thresholds) if isinstance(early, int) else early
    # A phase that may end at its limit, or without a threshold, proves no decrease.
    credits = [
        0 if a is None or limit else t - a + 1
        for t, a, limit in zip(phases.thresholds, each, phases.limits, strict=True)
    ]
    found.before(Fraction(1), None if credits[-1] > 0 else Fraction(0))
    for k in reversed(range(len(phases.weights))):
        ratio = Fraction(1) if k == 0 else min(Fraction(1), rates[k + 1] / rates[k])
        if k and k in phases.starts:
            found.before(Fraction(0), Fraction(0))
        else:
            found.before(ratio, rates[k] * phases.weights[k] * credits[k])
    return found.chances


def chance_that_all_end(
    phases: Phases, experts: int, early: int | Sequence[int | None], expected: Fraction
) -> Fraction:
    """Return an upper bound on P[all phases end], for a mean number of early rounds.

    Parameters
    ----------
    phases, experts, early
        Parameters of `chances_that_all_end`.
    expected : Fraction
        Mean number of early rounds in all rounds, less than 1.

    Examples
    --------
    >>> phases = Phases.equal(20, 30, Fraction(1, 10))
    >>> means = Fraction(1, 64), Fraction(1, 8), Fraction(1, 2)
    >>> [round(float(chance_that_all_end(phases, 100, 20, mean)), 4) for mean in means]
    [0.0004, 0.0009, 0.0062]
    """
    return _mean(chances_that_all_end(phases, experts, early), expected)


def _mean(chances: Sequence[Fraction], expected: Fraction) -> Fraction:
    """Return the sum by parts of the module: an upper bound on the mean of the chances."""
    total = chances[0]
    for e, (fewer, more) in enumerate(pairwise((*chances, Fraction(1))), 1):
        total += (more - fewer) * expected**e / factorial(e)
    return total


class _AllEnd:
    """f_k of the module for one k, from the last phase backwards."""

    def __init__(self, experts: int) -> None:
        self.later = np.full((MOST_EARLY + 1, CELLS + 1), ONE, dtype=np.int64)
        self._reached = _reached(experts)

    @property
    def chances(self) -> tuple[Fraction, ...]:
        """f_k(e, 0) for every number e of early rounds."""
        return tuple(Fraction(each, ONE) for each in self.later[:, 0].tolist())

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
    """Return the least number K of phases with P[Bin(K, 1/2) <= G] <= failure/2, for G = `good`.

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
"""A plan: the parameters of phases, and the epsilons of their thresholds."""


def cautious_phases(
    experts: int,
    rounds: int,
    budget: tuple[Fraction, Fraction],
    failure: Fraction,
    share: Fraction | None = None,
) -> Plan:
    """Return equal phases, each of which halves half of the total weight with probability 1/2.

    The number of phases is `phases_for` (G) for G = `good_phases`, the largest number with
    N (3/4)^G >= 1. Thresholds are a + ln(2)/rate, so that a loss of this size halves a weight. No
    round is early. The rate is half of `learners.accounting.widest_range`.

    Parameters
    ----------
    experts, rounds
        Number N of experts, and number T of rounds.
    budget : tuple of Fraction
        (epsilon, delta) of the game.
    failure : Fraction
        Failure probability of the loss bound.
    share : Fraction, optional
        Part of epsilon for the thresholds. The default is `EQUAL_SHARE`.
    """
    epsilon, delta = budget
    counting = (EQUAL_SHARE if share is None else share) * epsilon
    count = phases_for(good_phases(experts), failure)
    rate = widest_range(epsilon, delta, count - 1, counting) / 2
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

    Let m = ceil(log2 N) and l = ln T - 1. In this description, thresholds are in units of
    1/epsilon_k for the epsilon of the threshold.

    **Short phases** are separate blocks. A draw reads only the phase before it, so one draw gets
    the whole budget. The first phase has no threshold. It ends after 3 ln(N)/(2 epsilon) rounds,
    and then a slightly better expert replaces the first one. The second phase has the threshold
    min(6, l), or more, so that c losses have rate weight c >= ln N + 5. Then experts with that loss
    are rarely drawn. The phase ends after twice as many rounds at the latest. On random points, its
    draw often finds a good expert. Up to three more short phases have rising thresholds, of
    min(7, l) at first, or more, so that c losses have rate weight c >= ln N. A good expert mostly
    stays, because the threshold rises by about ln 2 in the rounds 8, 16, ..., 512 of the phase.

    **Full memory.** The next block has min(m, 16) - 1 phases with thresholds min(6, l), and
    min(8, l) for the first. The later draws of the block read all of its losses, for an adversary
    who lets experts lose one after another.

    Only one fact is proved about the short phases and the block of full memory. In each phase, the
    learner loses at most the raised threshold, and at most the number of rounds of the phase.

    **Careful phases** are also a block. No further fact is proved of its first phase, whose draw
    reads another block. It has a rising threshold, of min(15/2, l) at first, so that the learner
    rarely leaves a good expert that the previous block found. The other careful phases have
    thresholds a + c - 1 for c losses that lower the log-weight by a typical number in `CREDITS` in
    a phase that 5 ln N draws follow. Where a loss weighs more, c is less by the square root of that
    factor. `chance_that_all_end` determines the number of careful phases for each number in
    `CREDITS`, and the least sum of thresholds decides.

    **Weights.** Each phase gets the largest weight at which its threshold and the draws that read
    it keep to (epsilon, delta), by `learners.accounting.widest_range`.

    Parameters
    ----------
    experts, rounds, budget, failure, share
        Parameters of `cautious_phases`. By default, `WINDOW_SHARE`, `SHORT_SHARE`, `MEMORY_SHARE`,
        `KEEPING_SHARE` and `CAREFUL_SHARE` of epsilon are for the thresholds. The first phase has
        no threshold.
    """
    plan = _SharpPlan(experts, rounds, budget, share)
    plan.add_short_phases()
    plan.add_memory()
    plan.add_careful(failure)
    return plan.result()


class _SharpPlan:
    """The sharp plan, phase by phase.

    The rate of each draw is `unit`, a small power of two. So a weight is a number of units.
    """

    def __init__(
        self,
        experts: int,
        rounds: int,
        budget: tuple[Fraction, Fraction],
        share: Fraction | None,
    ) -> None:
        self.experts, self.rounds, self.share = experts, rounds, share
        self.epsilon, self.delta = budget
        # A power of two, which coins like: 2^-p with 2^bits units at most the largest weight.
        self.unit = Fraction(1, 1 << max(0, ceil((1 << WEIGHT_BITS) / self.epsilon).bit_length()))
        self.longest = floor(lambda: 4 * (log(rounds) - 1)) / Fraction(4)
        self.doublings = (experts - 1).bit_length()
        self.thresholds: list[int] = []
        self.counting: list[Fraction] = []
        self.weights: list[int] = []
        self.limits: list[int] = []
        self.rises: list[int] = []
        self.blocks: list[int] = []

    def counts(self, part: Fraction) -> Fraction:
        """Return the epsilon of a threshold with a part of the budget."""
        return (part if self.share is None else self.share) * self.epsilon

    def weight(self, counting: Fraction, readers: int) -> int:
        """Return the largest weight of a phase that `readers` draws read."""
        eta = widest_range(self.epsilon, self.delta, readers, counting)
        return int(eta / (2 * self.unit))

    def losses(self, log_weight: Fraction, weight: int) -> int:
        """Return how many losses lower a log-weight by ln N and more."""
        return ceiling(lambda: (log(self.experts) + ball(log_weight)) / ball(self.unit * weight))

    def units(self, most: int | Fraction, counting: Fraction) -> int:
        """Return a threshold of `most` units, or less in few rounds."""
        return max(1, int(min(Fraction(most), self.longest) / counting))

    def add(
        self, threshold: int, counting: Fraction, readers: int, *, limit: int = 0, rise: int = 0
    ) -> None:
        """Append a phase."""
        self.thresholds.append(threshold)
        self.counting.append(counting)
        self.weights.append(self.weight(counting, readers))
        self.limits.append(limit)
        self.rises.append(rise)

    def add_short_phases(self) -> None:
        """Append phases that one draw reads."""
        brief = ceiling(lambda: 3 * log(self.experts) / (2 * ball(self.epsilon)))
        self.add(brief, Fraction(0), 1, limit=brief)
        window = self.counts(WINDOW_SHARE)
        enough = self.losses(Fraction(5), self.weight(window, 1))
        threshold = max(self.units(6, window), enough)
        self.add(threshold, window, 1, limit=2 * threshold)
        short = self.counts(SHORT_SHARE)
        threshold = max(self.units(7, short), self.losses(Fraction(0), self.weight(short, 1)))
        rise = max(1, floor(lambda: log(2) / ball(short)))
        for _ in range(max(1, min(-(-self.doublings // 2), 5) - 2)):
            self.add(threshold, short, 1, rise=rise)
        self.blocks += [1] * len(self.thresholds)

    def add_memory(self) -> None:
        """Append the block whose draws read all of its losses."""
        together, memory = max(1, min(self.doublings, 16) - 1), self.counts(MEMORY_SHARE)
        for k in range(together):
            self.add(self.units(6 if k else 8, memory), memory, together - k)
        self.blocks.append(together)

    def add_careful(self, failure: Fraction) -> None:
        """Append the careful phases of the least bound."""
        careful = self.counts(CAREFUL_SHARE)
        early = OneSidedThreshold(careful, 1).early(self.rounds, expected_early(failure))
        plans = [self._careful(careful, early, credit, failure) for credit in CREDITS]
        found = min((plan for plan in plans if plan is not None), key=sum, default=None)
        if found is None:
            raise InvalidInput(
                f"No {MOST_PHASES} careful phases are proved to be enough for about "
                f"2^{self.experts.bit_length() - 1} experts and a failure probability of "
                f"{float(failure):.1g} at this budget. Take fewer experts, a larger failure "
                "probability or a larger budget."
            )
        count, keeping = len(found), self.counts(KEEPING_SHARE)
        # The first phase of the block has no proof, but its expert should stay if it is good.
        rise = ceiling(lambda: log(2) / ball(keeping))
        self.add(self.units(Fraction(15, 2), keeping), keeping, count, rise=rise)
        for k, threshold in enumerate(found, 1):
            self.add(threshold, careful, max(1, count - k))
        self.blocks.append(count + 1)

    def _careful(
        self, counting: Fraction, early: int, credit: Fraction, failure: Fraction
    ) -> list[int] | None:
        """Return the thresholds of enough careful phases, or None for too many phases."""
        typical = self.weight(counting, ceiling(lambda: 5 * log(self.experts)))
        if not typical:
            return None
        losses = ceil(credit / (self.unit * typical))

        def credited(weight: int) -> int:
            return isqrt(losses**2 * typical // weight) + 1

        thresholds = [early + credited(self.weight(counting, 1)) - 1]
        chance = _AllEnd(self.experts)
        chance.before(Fraction(1), None)
        expected, enough = expected_early(failure), failure * (FAILURE_PARTS - 1) / FAILURE_PARTS
        while _mean(chance.chances, expected) > enough:
            weight = self.weight(counting, len(thresholds))
            if not weight or len(thresholds) > MOST_PHASES:
                return None
            chance.before(Fraction(1), self.unit * weight * credited(weight))
            thresholds.insert(0, early + credited(weight) - 1)
        return thresholds

    def result(self) -> Plan:
        """Return the phases, and the epsilons of their thresholds."""
        weights = self.weights[:-1]
        phases = Phases(
            tuple(self.thresholds),
            tuple(weights),
            (self.unit,) * len(weights),
            tuple(self.blocks),
            tuple(self.limits),
            tuple(self.rises),
        )
        return phases, tuple(self.counting)


def expected_early(failure: Fraction) -> Fraction:
    """Return the mean number of early rounds for which careful phases are planned.

    The mean is at most 1/8, and so small that more than `MOST_EARLY` early rounds hardly count.

    Examples
    --------
    >>> [str(expected_early(failure)) for failure in (Fraction(1, 20), Fraction(1, 10**9))]
    ['1/8', '1/64']
    """
    several = MOST_EARLY + 1
    return next(
        (
            mean
            for mean in EXPECTED_EARLY
            if mean <= Fraction(1, 8) and 64 * mean**several <= failure * factorial(several)
        ),
        failure / FAILURE_PARTS,
    )
