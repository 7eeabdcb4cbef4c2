r"""The shrinking dartboard: private exponential weights in batches, with few changes of expert.

Rounds are grouped into batches of B. Let the current expert x lose l in a batch. It is kept with
probability (1 - p) exp(-eta l). Otherwise an expert is drawn again with probability proportional
to exp(-eta L_i), where L_i is the loss of i so far. At most K experts are drawn again, and then the
last expert stays. The probability p makes *fake switches*. Without them, a switch would reveal that
x has a loss.

**Marginals.** Assume that the losses are fixed in advance and that K is infinite. Then the
distribution of the expert of batch b is exactly exponential weights, with P_b(i) proportional to
exp(-eta L_i) before batch b.

*Proof.* By induction. Let l_i be the losses of batch b and Z = E_{P_b}[exp(-eta l)], so that
P_b(i) exp(-eta l_i) = Z P_(b+1)(i). The expert is kept, and is i, with probability
(1 - p) P_b(i) exp(-eta l_i) = (1 - p) Z P_(b+1)(i). With the rest, 1 - (1 - p) Z, it is drawn from
P_(b+1). The sum is P_(b+1)(i). QED

**Expected regret.** For losses fixed in advance, at most ln(N)/eta + eta T B/8 + T r, where r is
P[Bin(n - 1, q) > K] for n = ceil(T/B) and q = 1 - (1 - p) exp(-eta B).

*Proof.* With K infinite, the expected losses are the losses of exponential weights on n batches.
The losses of batch b lie in [0, B_b] with sum B_b = T, B_b <= B. So the proof in
`learners.experts.hedge` gives ln(N)/eta + eta sum B_b^2/8. A decision makes a switch with
probability at most q, for every history. So more than K of n - 1 decisions make a switch with
probability at most r. The game differs only in this case, which costs at most T. QED

**Why oblivious.** An adversary who observes the experts lets only the current expert lose. Then the
expert of a round and its losses are not independent, and the induction fails (see `Chasing` in
`learners.playing.loss_adversaries`).

**Privacy** holds against adaptive adversaries. Let the losses of one round change, and follow the
two runs along one sequence of experts and switches. Only one decision reads the changed losses, at
the end of the round's batch. It reads only the loss l of the current expert, which changes by at
most 1. The probabilities of keeping differ by a factor of at most exp(eta). The probabilities of
switching, 1 - (1 - p) exp(-eta l), differ by a factor of at most (1 - (1 - p) exp(-eta))/p. This is
their ratio at l = 0 and 1, and the ratio falls as l grows. So the decision is epsilon_1-DP with the
larger of the logarithms, `ShrinkingDartboard.keep_epsilon`. Draws read L, which changes by some u
in [-1, 1], so each has bounded range 2 eta. There are at most K draws, and the first draw of the
game reads no losses. The adversary may choose the losses of a round after it observed all earlier
experts. So every total of a pure mechanism and K adaptive choices is valid, in every order
(`learners.accounting.bounded_ranges`, `learners.accounting.gaussians`). QED

**Calibration.** zCDP finds the batch length and the share of epsilon. Then all accountants enlarge
the rate within the budget. The result is the learner with the least regret bound of these learners.

References
----------
Geulen, Vöcking, Winkler 2010 for the dartboard; Asi, Feldman, Koren, Talwar 2023 for its private
form, with batches of one round.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any

from flint import arb, ctx

from learners.accounting import (
    BoundedRange,
    Event,
    PureDP,
    Scope,
    SelfComposed,
    Sequential,
    basic,
    largest_parameter,
    zcdp,
    zcdp_rho,
)
from learners.accounting.calibration import require_composition
from learners.balls import ball, log, round_down, round_up
from learners.bounds import OBLIVIOUS, Bound
from learners.budget import Budget
from learners.checked import Delta
from learners.coins import Coins
from learners.experts.hedge import best_rate, quoted
from learners.number_arguments import PRECISION, least_integer
from learners.playing.entries import OnlineEntry, Source, class_of
from learners.playing.expert_sources import Expert, ExpertSource, Revealed, experts_of
from learners.playing.loss_learner import LossLearner, LossState, checked_budgeted, units
from learners.playing.private_options import Spending
from lsclasses.errors import InvalidInput
from lsclasses.numbers import format_number
from lsclasses.options import Option, check_arguments, check_fields

__all__ = ["LEARNERS", "DartboardState", "ShrinkingDartboard"]

SHARES = 16
"""Number of equal parts of epsilon. A search chooses the number of parts for the decisions."""

LONGEST_BATCH = 1 << 12
FINALISTS = 3
"""Number of pairs of a batch length and a share of epsilon that the search computes exactly. These
pairs have the least approximate bounds."""


@dataclass(frozen=True)
class DartboardState(LossState):
    """The state of the learner `ShrinkingDartboard` between rounds.

    Attributes
    ----------
    lost : int
        Loss of the current expert in this batch, in units.
    drawn : int
        Number of experts that were drawn again.
    """

    lost: int = 0


Batch = Annotated[int, Option("number of rounds per batch", minimum=1, noun="length of a batch")]


@dataclass(frozen=True)
class ShrinkingDartboard(LossLearner):
    """Private prediction from experts in batches, with few switches, for oblivious losses.

    In each batch of B rounds the learner follows one expert. After a batch the learner keeps this
    expert or draws an expert again with exponential weights, at most K times. The regret bounds
    hold for losses that were fixed in advance. The module `learners.experts.dartboard` contains the
    algorithm and the proofs.

    Parameters
    ----------
    experts, rounds, rate
        Experts, number T of rounds and rate eta, as for `Hedge`.
    batch : int
        Number B of rounds per batch, from 1 to T.
    fake : Fraction
        Probability p, strictly between 0 and 1, of a fake switch: a new draw that does not depend
        on the loss of the current expert.
    switches : int
        Largest number K of experts that are drawn again, at least 1.
    delta : Fraction, optional
        Delta of the stated total privacy. The default is the delta of basic composition.

    Raises
    ------
    InvalidInput
        If there are fewer than two experts or no rounds, or a rate or probability is out of range.

    Examples
    --------
    >>> from learners.playing.expert_sources import LossVectors
    >>> learner = ShrinkingDartboard.within(Budget(1, Fraction(1, 10**6)), LossVectors(1000), 10**4)
    >>> print(learner)
    ShrinkingDartboard over 1000 experts: eta = 0.0125, batches of 6, fake switches 0.0567, \
at most 259 switches
    >>> print(learner.bounds[0])
    expected regret <= log(N)/eta + eta*T*B/8 + T*r = 649 (proved in docs/experts.md)
    >>> from learners.coins import SeededCoins
    >>> from learners.playing.loss_adversaries import RandomLosses
    >>> from learners.playing.play import play
    >>> play(learner, RandomLosses(1000), 10**4, SeededCoins(1)).switches
    87
    """

    experts: ExpertSource
    _: KW_ONLY
    rounds: int = 0
    rate: Annotated[Fraction, Option("rate", above=0)]
    batch: Batch
    fake: Annotated[Fraction, Option("chance of a fake switch", above=0, below=1)]
    switches: Annotated[int, Option("number of switches", minimum=1)]
    delta: Delta | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_fields(self)
        if self.batch > self.rounds:
            raise InvalidInput(
                f"A batch has at most as many rounds as there are, {self.rounds}. Got {self.batch}."
            )

    @classmethod
    @check_arguments
    def within(
        cls,
        budget: Budget,
        experts: ExpertSource,
        rounds: int,
        *,
        batch: Batch | None = None,
        composition: str = "best",
    ) -> ShrinkingDartboard:
        """Return the (epsilon, delta)-DP learner with the least regret bound that a search finds.

        The search tries batch lengths, and shares of epsilon for the decisions whether to keep an
        expert, on a grid. For each pair of a length and a share, the search uses the largest rate
        that the budget allows. The number K of switches is the least number for which the
        probability r of more than K switches is at most 1/T.

        Parameters
        ----------
        budget, experts, rounds
            Privacy budget, experts and number T of rounds, as for `DPHedge.within`.
        batch : int, optional
            Number B of rounds per batch. By default, the search selects B.
        composition : "best" or "zcdp"
            Accountants that calibrate the rate: all accountants for "best", only zCDP for "zcdp".

        Raises
        ------
        InvalidInput
            If `ShrinkingDartboard` rejects an argument, or the composition has another name.
        """
        require_composition(composition)
        rounds, epsilon, delta = checked_budgeted(experts, rounds, budget)
        search = _Search(experts, rounds, epsilon, delta)
        share, learner = search.best(batch)
        return search.calibrated(share, learner) if composition == "best" else learner

    @cached_property
    def decisions(self) -> int:
        """The number of decisions whether to keep the expert: after each batch except the last."""
        return -(-self.rounds // self.batch) - 1

    @cached_property
    def keep_epsilon(self) -> Fraction:
        """A bound on the privacy cost of one decision whether to keep the expert, rounded up."""
        with ctx.workprec(PRECISION):
            fake, lost = ball(self.fake), -(-ball(self.rate)).expm1()
            # The logarithm of (p + (1 - p)(1 - exp(-eta)))/p.
            return max(self.rate, round_up(((1 - fake) * lost / fake).log1p()))

    @cached_property
    def privacy(self) -> Event:
        """The privacy cost of a whole game.

        The losses of one round affect one decision whether to keep the expert, and later draws.
        """
        if not self.decisions:
            return SelfComposed(PureDP(self.keep_epsilon, scope=Scope.adaptive("replace_one")), 0)
        draw = BoundedRange(
            2 * self.rate, name="draw of an expert", scope=Scope.adaptive("replace_one")
        )
        return Sequential(
            (
                PureDP(
                    self.keep_epsilon,
                    name="whether the expert is kept",
                    scope=Scope.adaptive("replace_one"),
                ),
                SelfComposed(draw, min(self.switches, self.decisions)),
            )
        )

    @cached_property
    def overrun(self) -> Fraction:
        """An upper bound r on the probability that more than K switches would be made."""
        if self.switches >= self.decisions:
            return Fraction(0)
        with ctx.workprec(PRECISION):
            return min(Fraction(1), round_up(_overrun(self.decisions, self._chance, self.switches)))

    @property
    def _chance(self) -> arb:
        """An upper bound q on the probability of a switch."""
        fake = ball(self.fake)
        return fake - (1 - fake) * (-ball(self.rate) * self.batch).expm1()

    @cached_property
    def bounds(self) -> tuple[Bound, ...]:
        """The proved bound on the expected regret, and the bound of [LWY25] for fixed streams."""
        N, T, eta = self.experts.size, self.rounds, ball(self.rate)
        with ctx.workprec(PRECISION):
            regret = round_up(log(N) / eta + eta * T * self.batch / 8)
        expected = Bound(
            __name__,
            "expected regret",
            "log(N)/eta + eta*T*B/8 + T*r",
            regret + T * self.overrun,
            T,
            hypotheses=(OBLIVIOUS,),
        )
        return expected, quoted("oblivious")

    def _begin(self, coins: Coins) -> DartboardState:
        return DartboardState(self.experts.begin())

    def _choose(self, state: DartboardState, coins: Coins) -> DartboardState:
        if not state.played:
            return replace(state, expert=self._drawn(state, coins))
        if state.played % self.batch:
            return state
        if state.drawn >= self.switches or self._keeps(state.lost, coins):
            return replace(state, lost=0)
        return replace(state, expert=self._drawn(state, coins), lost=0, drawn=state.drawn + 1)

    def _keeps(self, lost: int, coins: Coins) -> bool:
        """Draw whether an expert with this loss in a batch is kept."""
        return coins.flip(1 - self.fake) and coins.decays(units(self.rate, self.experts) * lost)

    def _drawn(self, state: DartboardState, coins: Coins) -> Expert:
        return state.tally.draw(units(self.rate, self.experts), coins)

    def _listen(self, state: DartboardState, item: Revealed, coins: Coins) -> DartboardState:
        lost = state.lost + self.experts.loss(state.expert, item)
        expert = self.experts.followed(state.expert, item, coins)
        return replace(state.after(item), lost=lost, expert=expert)

    def _kept_to_json(self, inner: LossState) -> dict[str, Any]:
        assert isinstance(inner, DartboardState)
        return {**self._common_to_json(inner), "lost": inner.lost}

    def _kept_from_json(self, data: Any) -> DartboardState:
        return DartboardState(*self._common_from_json(data), data["lost"])

    def __str__(self) -> str:
        return (
            f"ShrinkingDartboard over {self.experts}: eta = {format_number(self.rate, 3)}, batches "
            "of "
            f"{self.batch}, fake switches {format_number(self.fake, 3)}, at most {self.switches} "
            "switches"
        )


def _regret(learner: ShrinkingDartboard) -> Fraction:
    """Return the bound on the expected regret."""
    return Fraction(learner.bounds[0].value or 0)


def _overrun(decisions: int, chance: arb, switches: int) -> arb:
    """P[Bin(decisions, chance) > switches], for fewer switches than decisions."""
    # P[Bin(n, q) >= k] is the regularized incomplete beta function I_q(k, n - k + 1).
    return chance.beta_lower(switches + 1, decisions - switches, True)


@dataclass(frozen=True)
class _Search:
    """A search for the parameters of a budget, in floating point first, then exactly."""

    experts: ExpertSource
    rounds: int
    epsilon: Fraction
    delta: Fraction

    def best(self, batch: int | None) -> tuple[int, ShrinkingDartboard]:
        """Return the share of epsilon for the decisions, and the learner, by zCDP."""
        batches = self._batches() if batch is None else (batch,)
        rough = sorted(
            (self._rough_regret(B, self._rough_rate(B, share)), B, share)
            for B in batches
            for share in range(1, SHARES)
        )
        finalists = [(share, self._solved(B, share)) for _, B, share in rough[:FINALISTS]]
        return min(finalists, key=lambda found: _regret(found[1]))

    def calibrated(self, share: int, learner: ShrinkingDartboard) -> ShrinkingDartboard:
        """Return the learner with the least bound, whose rate all accountants calibrate."""
        if not (self.delta and learner.decisions):
            return learner
        # A decision costs less next to draws than by zCDP, so the next share may be better.
        shares = {share, min(share + 1, SHARES - 1)}
        return min(
            learner,
            *(self._widened(self._solved(learner.batch, part), part) for part in sorted(shares)),
            key=_regret,
        )

    def _batches(self) -> Iterator[int]:
        """The batch lengths to try: all short ones, and longer ones that grow by a quarter."""
        batch = 1
        while batch <= min(self.rounds, LONGEST_BATCH):
            yield batch
            batch += max(1, batch // 4)

    # ---- roughly

    def _rough_regret(self, batch: int, rate: float) -> float:
        return math.log(self.experts.size) / rate + rate * self.rounds * batch / 8

    def _rough_rate(self, batch: int, share: int) -> float:
        """Return the largest rate, approximately, by bisection of its logarithm."""
        keep = float(self.epsilon * share / SHARES)
        rest = self.epsilon * (SHARES - share) / SHARES
        budget = float(zcdp_rho(rest, self.delta)) if self.delta else 0.0
        decisions = -(-self.rounds // batch) - 1

        def affordable(rate: float) -> bool:
            if rate >= keep:
                return False
            lost = -math.expm1(-rate)
            fake = lost / (math.expm1(min(keep, 700.0)) + lost)
            mean = decisions * (fake - (1 - fake) * math.expm1(-rate * batch))
            extra = math.log(self.rounds + 1)
            draws = min(decisions, mean + math.sqrt(2 * mean * extra) + extra)
            if budget and draws * rate**2 / 2 <= budget:
                return True
            return 2 * rate * draws <= float(rest)

        low, high = 1e-120, float(best_rate(self.experts.size, self.rounds)) / math.sqrt(batch)
        if affordable(high):
            return high
        for _ in range(60):
            middle = math.sqrt(low) * math.sqrt(high)
            low, high = (middle, high) if affordable(middle) else (low, middle)
        return low

    # ---- exactly

    def _solved(self, batch: int, share: int) -> ShrinkingDartboard:
        """Return the learner with the largest rate within the budget, to three digits."""
        keep = self.epsilon * share / SHARES
        high = self._largest_rate(batch, keep)
        learner = self._at(high, batch, keep)
        if self._within(learner):
            return learner
        low = learner.rate
        while not self._within(learner):
            low, high = low / 2, low
            learner = self._at(low, batch, keep)
        while high > low * Fraction(1001, 1000):
            middle = (low + high) / 2
            tried = self._at(middle, batch, keep)
            if self._within(tried):
                learner, low = tried, middle
            else:
                high = middle
        return learner

    def _at(self, rate: Fraction, batch: int, keep: Fraction) -> ShrinkingDartboard:
        """The learner with this rate and this cost of decisions, and as many draws as they need."""
        with ctx.workprec(PRECISION):
            rate = round_down(ball(rate))
            lost = -(-ball(rate)).expm1()
            fake = round_up(lost / (ball(keep).expm1() + lost), 32)
        once = ShrinkingDartboard(
            self.experts, rounds=self.rounds, rate=rate, batch=batch, fake=fake, switches=1
        )

        def suffice(switches: int) -> bool:
            return replace(once, switches=switches).overrun * self.rounds <= 1

        few, enough = 0, max(1, once.decisions)
        mean, extra = once.decisions * float(once._chance), math.log(self.rounds + 1)
        likely = int(mean + math.sqrt(2 * mean * extra) + extra) + 1
        if likely < enough:
            few, enough = (few, likely) if suffice(likely) else (likely, enough)
        return replace(once, switches=least_integer(suffice, few, enough), delta=self.delta or None)

    def _widened(self, learner: ShrinkingDartboard, share: int) -> ShrinkingDartboard:
        """Return the learner with a nearly largest rate by all accountants."""
        keep = self.epsilon * share / SHARES
        high = self._largest_rate(learner.batch, keep)

        def made(rate: Fraction) -> ShrinkingDartboard:
            return self._at(rate, learner.batch, keep)

        def rounded(rate: Fraction) -> Fraction:
            with ctx.workprec(PRECISION):
                return round_down(ball(min(rate, high)))

        rate = largest_parameter(
            lambda tried: made(tried).privacy,
            learner.rate,
            self.epsilon,
            self.delta,
            rounded=rounded,
        )
        return made(rate)

    def _largest_rate(self, batch: int, keep: Fraction) -> Fraction:
        """The largest rate that has a use: no decision costs more, and the bound is least."""
        return min(best_rate(self.experts.size, self.rounds * batch), keep)

    def _within(self, learner: ShrinkingDartboard) -> bool:
        event = learner.privacy
        spent = zcdp(event, self.delta)[0] if self.delta else basic(event)[0]
        return spent <= self.epsilon


# ---- by name


def _dartboard(
    source: Source,
    rounds: int,
    *,
    budget: Spending,
    batch: Annotated[Batch | None, "The default is the number with the least regret bound"] = None,
) -> ShrinkingDartboard:
    return ShrinkingDartboard.within(
        budget,
        experts_of(class_of(source)),
        rounds,
        batch=batch,
    )


LEARNERS = (
    OnlineEntry(
        "dartboard",
        "a private learner that draws a concept by exponential weights and seldom replaces it",
        _dartboard,
        details=(
            "Exponential weights draw a concept with e errors with probability proportional to "
            "exp(-eta e), for a rate eta. After each batch of rounds, the learner keeps its "
            "concept or draws another concept. The regret bound holds for streams that are fixed "
            "in advance."
        ),
    ),
)
