r"""Experts of whom one never loses: phases that end by a noisy threshold; private.

A phase draws an expert with probability proportional to exp(-eta L_i), where L_i is what i has lost
so far, and keeps it until its losses in the phase noisily reach a threshold
(`learners.mechanisms.sparse_vector.CumulativeAboveThreshold`). There are at most K phases; after
the last one its expert stays.

**Loss.** Let losses be 0 or 1, fixed beforehand, and let some expert lose nothing. Write a for what
the thresholds of K phases may be early by, b for what each may be late by (each but for a failure
beta/4 in all), and G for the largest g with N (3/4)^g >= 1. If

    threshold >= a + ln(2)/eta    and    P[Bin(K, 1/2) <= G] <= beta/2,

then the learner loses at most K (threshold + b), except with probability beta.

*Proof.* Let W = sum_i exp(-eta L_i); W = N in the beginning and W >= 1 always, because of the
expert that loses nothing. Look at a phase, with weights p at its start. For each expert let tau be
the round in which its losses in this phase reach threshold - a, if ever, and let s be the least
round with p(tau <= s) >= 1/2 (infinity if there is none). Then p(tau < s) < 1/2, so with
probability at least 1/2 the expert that is drawn has tau >= s: call such a phase *good*. No
threshold is early, so a good phase, if it ends, ends in round s or later. By then experts of at
least half of the weight have each lost threshold - a >= ln(2)/eta: their weight has at least
halved, and W has shrunk by the factor 3/4. So at most G good phases end. Losses are fixed, and
draws are fresh; so each phase is good with probability at least 1/2 whatever happened before, and K
phases that end have at most G good ones with probability at most beta/2. Otherwise fewer than K
phases end, the K-th or an earlier one lasts to the end of the game, and no phase costs more than
threshold + b. QED

How late a threshold is does not depend on the number of rounds: b has no ln T
(`CumulativeAboveThreshold.late`).

**Why oblivious.** An adversary who sees the experts lets the one in force lose, and no other: the
weight of everybody else stays, and no phase is good.

**Privacy**, against adaptive adversaries. Let the losses of one round change. One threshold reads
them, as one bit that changes: all thresholds together are as private as one
(`learners.accounting.StreamParallel`; this needs that each is private without any delta). Draws
read L, which changes by some u in [-1, 1], so each of K - 1 has bounded range 2 eta; the first draw
reads nothing. A threshold has halted before the next draw, so this is plain adaptive composition.

References
----------
Asi, Feldman, Koren, Talwar 2023, for the rate ln(N)^(3/2)/epsilon; the algorithm and the constants
are this project's.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import comb

from learners import checked
from learners.accounting import BoundedRange, Event, SelfComposed, Sequential, StreamParallel
from learners.balls import ball, ceiling, certainly_le, log
from learners.bounds import OBLIVIOUS, REALIZABLE, Bound
from learners.budget import Budget
from learners.coins import Coins
from learners.concentration import FAILURE
from learners.experts.hedge import rate_for
from learners.mechanisms.sparse_vector import CumulativeAboveThreshold, CumulativeRun
from learners.numbers import integer, least_integer, optional
from learners.playing.entries import Beta, OnlineEntry, Source, Spending, class_of
from learners.playing.expert_sources import ExpertSource, Revealed, experts_of
from learners.playing.loss_learner import LossLearner, LossState, checked_budgeted
from lsclasses.errors import InvalidInput
from lsclasses.frozen import settle
from lsclasses.numbers import shown

__all__ = ["LEARNERS", "PhaseState", "SparseVectorExperts", "good_phases", "phases_for"]

SHARES = 16
"""Into how many parts epsilon is cut, to see how many of them the thresholds should get."""


def good_phases(experts: int) -> int:
    """G: the largest g with N (3/4)^g >= 1.

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
    return least_integer(lambda phases: _enough(phases, good, failure), good)


def _enough(phases: int, good: int, failure: Fraction) -> bool:
    few = sum(comb(phases, i) for i in range(good + 1))
    return 2 * few * failure.denominator <= failure.numerator << phases


@dataclass(frozen=True)
class PhaseState(LossState):
    """What a `SparseVectorExperts` keeps.

    Attributes
    ----------
    drawn : int
        How many experts were drawn, one a phase.
    run : CumulativeRun or None
        The threshold of the phase; None before the first and after the last one.
    """

    run: CumulativeRun | None = None


@dataclass(frozen=True)
class SparseVectorExperts(LossLearner):
    """Keep an expert until it has noisily lost too much, K times: for experts of whom one is right.

    See the module for the algorithm and the proofs.

    Parameters
    ----------
    experts : ExpertSource
        At least two, whose losses are 0 or 1.
    rounds : int
        T, how many are played at most.
    rate : Fraction
        eta.
    phases : int
        K, at least 1.
    threshold : int
        After about how many losses a phase ends.
    counting : Fraction
        What watching losses costs: the epsilon of the thresholds.
    delta : Fraction, optional
        At which the privacy is stated; basic composition when omitted.

    Raises
    ------
    InvalidInput
        If there are fewer than two experts, losses may lie between 0 and 1, or a number is out of
        range.

    Examples
    --------
    >>> from learners.playing.expert_sources import LossVectors
    >>> learner = SparseVectorExperts.within(Budget(4, Fraction(1, 10**6)), LossVectors(17), 10**5)
    >>> print(learner)
    SparseVectorExperts over 17 experts: eta = 0.0598, at most 30 phases of about 22 losses
    >>> print(learner.bounds[0])
    regret <= K*(L + b) = 750 learners.experts.sparse, except with probability 1/20
    >>> from learners.coins import SeededCoins
    >>> from learners.playing.loss_adversaries import RandomLosses
    >>> from learners.playing.play import play
    >>> play(learner, RandomLosses(17, best=0), 10**4, SeededCoins(1)).loss
    45
    """

    experts: ExpertSource
    _: KW_ONLY
    rounds: int = 0
    rate: Fraction
    phases: int
    threshold: int
    counting: Fraction
    delta: Fraction | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.experts.scale != 1:
            raise InvalidInput(
                "The thresholds count losses of 0 and 1. These experts' losses are multiples of "
                f"1/{self.experts.scale}."
            )
        settle(self, rate=checked.positive_fraction(self.rate, "rate"))
        settle(self, phases=checked.positive(self.phases, "number of phases"))
        settle(self, threshold=integer(self.threshold, "threshold"))
        settle(self, counting=checked.epsilon(self.counting))
        settle(self, delta=optional(checked.delta, self.delta))

    @classmethod
    def within(
        cls,
        budget: Budget,
        experts: ExpertSource,
        rounds: int,
        *,
        failure: Fraction = FAILURE,
        share: Fraction | None = None,
    ) -> SparseVectorExperts:
        """The (epsilon, delta)-DP learner that meets the conditions of the bound.

        Parameters
        ----------
        budget, experts, rounds
            As for `DPHedge.within`.
        failure : Fraction
            beta.
        share : Fraction, optional
            The part of epsilon that the thresholds get; of sixteenths that which gives the least
            bound, when omitted.
        """
        failure = checked.failure(failure)
        rounds, epsilon, delta = checked_budgeted(experts, rounds, budget, failure)
        phases = phases_for(good_phases(experts.size), failure)

        shares = [Fraction(i, SHARES) for i in range(1, SHARES)]
        if share is not None:
            shares = [checked.share(share, "share of the thresholds")]

        def made(part: Fraction) -> SparseVectorExperts:
            rate = rate_for((1 - part) * epsilon, delta, phases - 1)
            early = _early(part * epsilon, rounds, phases, failure)
            return cls(
                experts,
                rounds=rounds,
                rate=rate,
                phases=phases,
                threshold=early + ceiling(lambda: log(2) / ball(rate)),
                counting=part * epsilon,
                delta=delta or None,
            )

        return min(map(made, shares), key=lambda learner: learner.bound(failure).value or 0)

    @cached_property
    def mechanism(self) -> CumulativeAboveThreshold:
        """What ends a phase."""
        return CumulativeAboveThreshold(self.counting, self.threshold)

    @cached_property
    def privacy(self) -> Event:
        """What a whole game costs: one threshold, and all draws but the first."""
        draw = BoundedRange(2 * self.rate, name="draw of an expert")
        return Sequential(
            (
                StreamParallel(self.mechanism.privacy, self.phases),
                SelfComposed(draw, self.phases - 1),
            )
        )

    @property
    def bounds(self) -> tuple[Bound, ...]:
        """`bound`, at failure 1/20."""
        return (self.bound(),)

    def bound(self, failure: Fraction = FAILURE) -> Bound:
        """The loss, which is the regret, if some expert loses nothing and losses are oblivious.

        Raises
        ------
        InvalidInput
            If the failure probability is out of range.
        """
        failure = checked.failure(failure)
        good, K = good_phases(self.experts.size), self.phases
        many = "P[Bin(K, 1/2) <= G] <= beta/2"
        patient = "L >= a + ln(2)/eta"
        early = _early(self.counting, self.rounds, K, failure)
        unmet = [] if _enough(K, good, failure) else [many]
        if not certainly_le(lambda: log(2) / ball(self.rate), self.threshold - early):
            unmet.append(patient)
        return Bound(
            __name__,
            "regret",
            "K*(L + b)",
            K * (self.threshold + self.mechanism.late(failure / (4 * K))),
            self.rounds,
            failure,
            (REALIZABLE, OBLIVIOUS, many, patient),
            tuple(unmet),
        )

    def _begin(self, coins: Coins) -> PhaseState:
        return PhaseState(self.experts.begin())

    def _choose(self, state: PhaseState, coins: Coins) -> PhaseState:
        if state.drawn and (state.run is None or not state.run.halted):
            return state
        if state.drawn >= self.phases:
            return replace(state, run=None)
        expert = state.tally.draw(self.rate, coins)
        return replace(state, expert=expert, drawn=state.drawn + 1, run=self.mechanism.start(coins))

    def _listen(self, state: PhaseState, item: Revealed, coins: Coins) -> PhaseState:
        expert = self.experts.followed(state.expert, item, coins)
        after = replace(state.after(item), expert=expert)
        if state.run is None:
            return after
        _, run = state.run.ask(self.experts.loss(state.expert, item), coins)
        return replace(after, run=run)

    def __str__(self) -> str:
        return (
            f"SparseVectorExperts over {self.experts}: eta = {shown(self.rate, 3)}, at most "
            f"{self.phases} phases of about {self.threshold} losses"
        )


def _early(counting: Fraction, rounds: int, phases: int, failure: Fraction) -> int:
    """What thresholds may be early by, in all phases together but for a quarter of the failure."""
    return CumulativeAboveThreshold(counting, 1).early(rounds, failure / (4 * phases))


# ---- by name


def _sparse_experts(
    source: Source,
    rounds: int,
    *,
    budget: Spending,
    beta: Beta = None,
) -> SparseVectorExperts:
    return SparseVectorExperts.within(
        budget,
        experts_of(class_of(source)),
        rounds,
        failure=FAILURE if beta is None else beta,
    )


LEARNERS = (
    OnlineEntry(
        "sparse-experts",
        "a concept kept until it errs too often; private, for streams that some concept fits",
        _sparse_experts,
    ),
)
