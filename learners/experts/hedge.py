r"""Exponential weights: `Hedge`, its private form `DPHedge`, and `FollowTheLeader`.

Before every round an expert is drawn afresh, expert i with probability proportional to
exp(-eta L_i), where L_i is the loss of i so far.

**Regret.** Consider adaptive losses in [0, 1], where the losses of a round are chosen before its
draw is visible. The draws' expected losses given the past add up to at most
min_i L_i + ln(N)/eta + eta T/8. (An adversary that observes the draw can give a loss to exactly the
drawn expert.)

*Proof.* Let W_t = sum_i exp(-eta L_i) after t rounds, W_0 = N. Let p be the distribution of the
draw of round t and l its losses. Then W_t/W_(t-1) = E_p[exp(-eta l)] <= exp(-eta E_p[l] + eta^2/8)
by Hoeffding's lemma. So ln(W_T/N) <= -eta sum_t E_p[l_t] + eta^2 T/8, and
W_T >= exp(-eta min_i L_i). QED

The actual loss of the learner exceeds these expectations by a martingale whose steps lie in
intervals of length 1. An adversary who observes all past draws influences the expectations freely.
The excess is more than sqrt(T ln(1/beta)/2) with probability at most beta (Hoeffding, Azuma). So

    regret <= ln(N)/eta + eta T/8 + sqrt(T ln(1/beta)/2)   except with probability beta,

against adaptive adversaries.

**Privacy.** Changing the losses of one round changes the vector L by some u with entries in
[-1, 1]. A draw in proportion to exp(-eta L_i) then has bounded range eta (max u - min u) <= 2 eta
(`learners.accounting.BoundedRange`). The first draw reads no loss, so at most T - 1 of T draws
read the change. By adaptive composition, all draws together are (T - 1) eta^2/2 - zCDP, for every
choice of an adversary who observes them. The adversary chooses each range after it observed all
earlier draws, so every total of adaptive choices of bounded range is valid
(`learners.accounting.bounded_ranges`, `learners.accounting.gaussians`). With a budget, eta is a
nearly largest rate within the budget by all accountants, unless a smaller rate has a smaller bound.

References
----------
Littlestone, Warmuth 1994 and Freund, Schapire 1997 for Hedge; Dwork, Naor, Pitassi, Rothblum 2010
and Jain, Thakurta 2014 for private forms; Durfee, Rogers 2019 for bounded range.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

from flint import ctx

from learners import checked
from learners.accounting import (
    BoundedRange,
    Event,
    Scope,
    SelfComposed,
    largest_parameter,
    zcdp_rho,
)
from learners.accounting.calibration import require_composition
from learners.balls import ball, log, round_down, round_up
from learners.bounds import OBLIVIOUS, UNSEEN, Bound
from learners.budget import Budget
from learners.checked import Delta, Failure
from learners.coins import Coins
from learners.concentration import FAILURE
from learners.number_arguments import PRECISION
from learners.playing.entries import OnlineEntry, Source, class_of
from learners.playing.expert_sources import ExpertSource, Revealed, experts_of
from learners.playing.loss_learner import LossLearner, LossState, checked_budgeted, units
from learners.playing.private_options import Spending
from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields
from lsclasses.numbers import format_number
from lsclasses.options import check_arguments, check_fields

__all__ = ["LEARNERS", "DPHedge", "FollowTheLeader", "Hedge", "best_rate", "quoted"]


def best_rate(experts: int, rounds: int) -> Fraction:
    """Return the rate sqrt(8 ln(N)/T), rounded down, which minimizes ln(N)/eta + eta T/8.

    Examples
    --------
    >>> float(best_rate(17, 10**4))
    0.047608...
    """
    with ctx.workprec(PRECISION):
        return round_down((8 * log(experts) / rounds).sqrt())


def quoted(adversary: str = "adaptive") -> Bound:
    """Return the bound on a regret that [LWY25] quotes from another paper without constants.

    Parameters
    ----------
    adversary : "adaptive" or "oblivious"
        Theorem E.11 (Jain, Thakurta 2014) or Theorem E.12 (Asi, Koren, Liu, Talwar 2024).

    Examples
    --------
    >>> print(quoted())
    expected regret <= sqrt(T*log(1/delta))*log(N)/epsilon [LWY25, Thm E.11], quoted from \
Jain, Thakurta 2014, constants unspecified
    """
    if adversary == "adaptive":
        return Bound(
            "[LWY25, Thm E.11], quoted from Jain, Thakurta 2014",
            "expected regret",
            "sqrt(T*log(1/delta))*log(N)/epsilon",
        )
    if adversary == "oblivious":
        return Bound(
            "[LWY25, Thm E.12], quoted from Asi et al. 2024",
            "expected regret",
            "sqrt(T*log(N)) + T**(1/3)*log(N)*log(T/delta)/epsilon**(2/3)",
            hypotheses=(OBLIVIOUS,),
        )
    raise InvalidInput(f"The adversary is adaptive or oblivious. Got {adversary!r}.")


@dataclass(frozen=True)
class Hedge(LossLearner):
    """Hedge draws an expert in every round with exponential weights. It is not private.

    The module `learners.experts.hedge` contains the algorithm and the proof of the regret bound.

    Parameters
    ----------
    experts : ExpertSource
        At least two experts.
    rounds : int
        Largest number T of rounds.
    rate : Fraction, optional
        Rate eta of the exponential weights. The default is the rate that minimizes the bound on the
        expected regret (`best_rate`).

    Raises
    ------
    InvalidInput
        If there are fewer than two experts, or the number of rounds or the rate is not positive.

    Examples
    --------
    >>> from learners.playing.expert_sources import LossVectors
    >>> from learners.coins import SeededCoins
    >>> from learners.playing.play import play
    >>> losses = [(1, 0, 1)] * 50 + [(0, 1, 1)] * 40
    >>> print(play(Hedge(LossVectors(3), 90), losses, 90, SeededCoins(1)))
    Hedge over 3 experts: eta = 0.312 against fixed losses: 90 of 90 rounds
      loss      ...
      regret    ...
      switches  ...
      regret <= log(N)/eta + eta*T/8 + sqrt(T*log(1/beta)/2) = 18.6 (proved in docs/experts.md), \
except with probability 1/20: consistent
      expected regret <= log(N)/eta + eta*T/8 = 7.03 (proved in docs/experts.md): of the mean, \
which single games do not show
    """

    experts: ExpertSource
    rounds: int = 0
    rate: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        super().__post_init__()
        rate = self.rate or best_rate(self.experts.size, self.rounds)
        set_frozen_fields(self, rate=checked.positive_fraction(rate, "rate"))

    def _choose(self, state: LossState, coins: Coins) -> LossState:
        expert = state.tally.draw(units(self.rate, self.experts), coins)
        return LossState(state.tally, state.played, expert)

    def _listen(self, state: LossState, item: Revealed, coins: Coins) -> LossState:
        return state.after(item)

    @check_arguments
    def regret(self, failure: Failure = FAILURE) -> tuple[Bound, Bound]:
        """Return a bound on the regret and a bound on the expected regret, for adaptive losses.

        The first bound holds with probability at least 1 - `failure`. The adversary observes all
        earlier rounds, but fixes the losses of a round before it observes the expert drawn in this
        round. In the expected regret, the loss of each round is replaced by its expectation over
        the draw of this round, conditioned on the earlier rounds.
        """
        N, T = self.experts.size, self.rounds
        with ctx.workprec(PRECISION):
            expected = log(N) / ball(self.rate) + ball(self.rate) * T / 8
            likely = expected + (-T * log(failure) / 2).sqrt()
            values = round_up(likely), round_up(expected)
        usual = "log(N)/eta + eta*T/8"
        return (
            Bound(
                __name__,
                "regret",
                f"{usual} + sqrt(T*log(1/beta)/2)",
                values[0],
                T,
                failure,
                (UNSEEN,),
            ),
            Bound(__name__, "expected regret", usual, values[1], T, hypotheses=(UNSEEN,)),
        )

    @cached_property
    def bounds(self) -> tuple[Bound, ...]:
        """The two bounds of `regret`, at failure 1/20."""
        return self.regret()

    def __str__(self) -> str:
        return f"{type(self).__name__} over {self.experts}: eta = {format_number(self.rate, 3)}"


@dataclass(frozen=True)
class DPHedge(Hedge):
    """Private Hedge: a proper learner that draws experts with exponential weights of a small rate.

    The learner is proper because it publishes one of the given experts, drawn afresh in every
    round. The module `learners.experts.hedge` contains the proofs of privacy and regret. Both hold
    against adversaries that observe all experts published so far.

    Parameters
    ----------
    experts, rounds
        Experts and largest number T of rounds, as for `Hedge`.
    rate : Fraction
        Rate eta of the exponential weights, a positive number. The privacy cost grows with eta.
    delta : Fraction, optional
        Delta of the stated total privacy. The default is the delta of basic composition.

    Raises
    ------
    InvalidInput
        If `Hedge` rejects the experts, rounds or rate, or delta is not between 0 and 1.

    Examples
    --------
    >>> from learners.playing.expert_sources import LossVectors
    >>> learner = DPHedge.within(Budget(1, Fraction(1, 10**6)), LossVectors(17), 10**4)
    >>> print(learner, learner.bounds[1], sep="; ")
    DPHedge over 17 experts: eta = 0.00231; expected regret <= log(N)/eta + eta*T/8 = 1.23e+03 \
(proved in docs/experts.md)
    >>> from learners.accounting import Privacy
    >>> print(Privacy.of(learner.privacy, learner.delta))
    (1, 1e-06)-DP, one item replaced, against an adaptive adversary that observes every released \
value
    """

    delta: Delta | None = None

    def __post_init__(self) -> None:
        if not self.rate:
            raise InvalidInput("A rate is required. DPHedge.within computes it from a budget.")
        super().__post_init__()
        check_fields(self)

    @classmethod
    def within(
        cls, budget: Budget, experts: ExpertSource, rounds: int, *, composition: str = "best"
    ) -> DPHedge:
        """Return the (epsilon, delta)-DP Hedge with the least regret bound for a privacy budget.

        Parameters
        ----------
        experts, rounds
            Experts and largest number T of rounds, as for `Hedge`.
        budget : Budget
            Privacy budget of the whole game. With delta = 0, the costs of the draws add up.
        composition : "best" or "zcdp"
            Accountants that calibrate the rate: all accountants for "best", only zCDP for "zcdp".

        Raises
        ------
        InvalidInput
            If `DPHedge` rejects an argument, or the composition has another name.
        """
        require_composition(composition)
        rounds, epsilon, delta = checked_budgeted(experts, rounds, budget)
        rate = best_rate(experts.size, rounds)
        if rounds > 1 and (least := rate_for(epsilon, delta, rounds - 1)) < rate:
            if delta and composition == "best":
                least = calibrated_rate(epsilon, delta, rounds - 1)
            rate = min(rate, least)
        return cls(experts, rounds, rate, delta or None)

    @cached_property
    def privacy(self) -> Event:
        """The privacy cost of a whole game: the draws of all rounds except the first."""
        return _draws(self.rate, self.rounds - 1)

    @cached_property
    def bounds(self) -> tuple[Bound, ...]:
        """The two bounds of `DPHedge.regret` at failure probability 1/20, and a bound of [LWY25].

        The bound of the paper is for adaptive adversaries. The paper does not specify its
        constants.
        """
        return (*self.regret(), quoted("adaptive"))


def rate_for(epsilon: Fraction, delta: Fraction, draws: int) -> Fraction:
    """Return the largest rate at which `draws` draws of range 2 rate are (epsilon, delta)-DP.

    The rate comes from zCDP or from basic composition, whichever allows more, and is rounded down.

    Examples
    --------
    >>> [round(float(rate_for(Fraction(1), Fraction(1, 10**6), draws)), 4) for draws in (1, 10**4)]
    [0.5, 0.0022]
    """
    added = epsilon / (2 * draws)
    if not delta:
        return added
    with ctx.workprec(PRECISION):
        return max(added, round_down((2 * ball(zcdp_rho(epsilon, delta)) / draws).sqrt()))


@lru_cache(maxsize=256)
def calibrated_rate(epsilon: Fraction, delta: Fraction, draws: int) -> Fraction:
    """Return a nearly largest rate at which `draws` draws of range 2 rate are (epsilon, delta)-DP.

    The rate is at least `rate_for`. If the rate is larger, `learners.accounting.total` of the draws
    is at most epsilon.

    Examples
    --------
    >>> budget = Fraction(1), Fraction(1, 10**6)
    >>> [round(float(calibrated_rate(*budget, n) / rate_for(*budget, n)), 3) for n in (10, 10**6)]
    [1.099, 1.07]
    """

    def rounded(rate: Fraction) -> Fraction:
        with ctx.workprec(PRECISION):
            return round_down(ball(rate))

    start = rate_for(epsilon, delta, draws)
    return largest_parameter(
        lambda rate: _draws(rate, draws), start, epsilon, delta, rounded=rounded
    )


def _draws(rate: Fraction, draws: int) -> Event:
    """Return the privacy cost of draws in proportion to exp(-rate L)."""
    draw = BoundedRange(2 * rate, name="draw of an expert", scope=Scope.adaptive("replace_one"))
    return SelfComposed(draw, draws)


@dataclass(frozen=True)
class FollowTheLeader(LossLearner):
    """A deterministic, not private learner that publishes the first expert with the least loss.

    The loss of an expert is its total loss so far. The regret can grow linearly with the number of
    rounds, because an adversary can always give a loss to the expert with the least loss. Use the
    learner only for comparisons.

    Parameters
    ----------
    experts : ExpertSource
        At least two experts.

    Raises
    ------
    InvalidInput
        If there are fewer than two experts.

    Examples
    --------
    >>> from learners.playing.expert_sources import LossVectors
    >>> from learners.coins import SeededCoins
    >>> from learners.playing.play import play
    >>> losses = [(1, 0), (0, 1)] * 20
    >>> play(FollowTheLeader(LossVectors(2)), losses, 40, SeededCoins(1)).regret
    20
    """

    experts: ExpertSource

    def _choose(self, state: LossState, coins: Coins) -> LossState:
        return LossState(state.tally, state.played, state.tally.best)

    def _listen(self, state: LossState, item: Revealed, coins: Coins) -> LossState:
        return state.after(item)

    def __str__(self) -> str:
        return f"FollowTheLeader over {self.experts}"


# ---- by name


def _hedge(source: Source, rounds: int) -> Hedge:
    return Hedge(experts_of(class_of(source)), rounds)


def _follow_the_leader(source: Source, rounds: int) -> FollowTheLeader:
    return FollowTheLeader(experts_of(class_of(source)))


def _dp_hedge(
    source: Source,
    rounds: int,
    *,
    budget: Spending,
) -> DPHedge:
    experts = experts_of(class_of(source))
    return DPHedge.within(budget, experts, rounds)


LEARNERS = (
    OnlineEntry(
        "dp-hedge",
        "a private learner that draws a concept by exponential weights in every round",
        _dp_hedge,
        details=(
            "Exponential weights draw a concept with e errors with probability proportional to "
            "exp(-eta e). The rate eta is so small that all draws together satisfy the privacy "
            "guarantee."
        ),
    ),
    OnlineEntry(
        "hedge",
        "Hedge (exponential weights) over the concepts, without privacy",
        _hedge,
        details=(
            "In every round, Hedge draws a concept with e errors with probability proportional to "
            "exp(-eta e). The learning rate eta minimizes the proved bound on the regret."
        ),
    ),
    OnlineEntry(
        "follow-the-leader",
        "the first concept with the fewest errors so far, without privacy",
        _follow_the_leader,
    ),
)
