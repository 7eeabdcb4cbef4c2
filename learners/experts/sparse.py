r"""Private prediction from experts of whom one is perfect, in phases ended by a noisy threshold.

Phases are grouped into blocks. A phase draws an expert with probability proportional to exp(-A(i)).
A(i) is the loss of i in the block of the phase before, weighted by phase and draw
(`learners.experts.phases.Phases`). The phase keeps the expert until its losses in the phase noisily
reach the phase's threshold (`learners.mechanisms.sparse_vector.OneSidedThreshold`). There are at
most K phases, and after the last phase its expert stays.

**Loss.** Let losses be 0 or 1, fixed in advance, and let some expert have no losses. For e = 0, 1
or 2 let a be such that more than e rounds are early by a with probability at most beta/8. Let b be
such that K thresholds are raised by more than b in total with probability at most beta/8. Assume
P[all K phases end, at most e rounds being early by a] <= 3 beta/4, as
`learners.experts.phases.chance_that_all_end` proves. Then the learner loses at most sum_k T_k + b,
except with probability beta, for thresholds T_k >= 1.

*Proof.* Except with probability beta the K-th phase, if there is one, lasts to the end of the game,
and thresholds are raised by at most b in all. A phase is over with the loss that reaches its
raised threshold, so it costs no more than that. QED

The number of rounds enters only by a, which is ln T/epsilon. Thresholds may have different
epsilons. Each threshold then has a separate a, at the same probability.

**Why oblivious.** An adversary who observes the experts lets only the current expert lose. Then the
weights of all other experts stay.

**Privacy** holds against adaptive adversaries. They observe experts and ends of phases, and use
them to choose when to challenge. So they choose the phase j whose losses change. Let h be the view
before the changed round. The phase j is a function of h, and h is the same in both worlds. Given h,
the later view depends on the change in two ways. The threshold of phase j reads one bit that
changes. The draws k > j that read its block change, because A_k changes by rate_k weight_j u for
some u in [-1, 1]. Each such draw has bounded range 2 rate_k weight_j, conditionally on the earlier
view. Other thresholds read other rounds. The change of a kept expert (`ExpertSource.followed`) may
depend only on the public part of a round, such as synthetic points, and the release of this part
pays for it. So given h, the view is an adaptive composition of this threshold and these draws, and
its parameters are fixed by j. This holds for every h. Hence, as in the proof of
`learners.accounting.OneAtATime`, P(O) - e^epsilon Q(O) <= sum_h P(h) delta(j(h)) <= max_j delta(j)
for every set O of views, at the same epsilon. So the game costs as much as its most expensive
phase. (A threshold with a delta would not suffice, see `learners.accounting.StreamParallel`.)

References
----------
Asi, Feldman, Koren, Talwar 2023, for the rate ln(N)^(3/2)/epsilon; the algorithm and the constants
are this project's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from typing import Annotated, Any, Literal

from learners import checked
from learners.accounting import BoundedRange, Event, OneAtATime, Scope, SelfComposed, Sequential
from learners.bounds import OBLIVIOUS, REALIZABLE, Bound
from learners.budget import Budget
from learners.checked import Delta, Failure
from learners.coins import Coins
from learners.concentration import FAILURE
from learners.experts.phases import (
    EARLY_ROUNDS,
    FAILURE_PARTS,
    Phases,
    Plan,
    cautious_phases,
    chance_that_all_end,
    sharp_phases,
)
from learners.mechanisms.sparse_vector import OneSidedRun, OneSidedThreshold, raised
from learners.playing.entries import OnlineEntry, Source, class_of
from learners.playing.expert_sources import ExpertSource, Revealed, experts_of
from learners.playing.loss_learner import LossLearner, LossState, checked_budgeted
from learners.playing.private_options import Beta, Spending
from learners.states import require_own
from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields
from lsclasses.numbers import format_number
from lsclasses.options import Option, check_arguments, check_fields

__all__ = ["LEARNERS", "PhaseState", "Rule", "SparseVectorExperts"]

Rule = Literal["sharp", "cautious"]
"""The rule for phases: `sharp_phases` or `cautious_phases` of `learners.experts.phases`."""

PHASES_BY_RULE: dict[Rule, Callable[..., Plan]] = {
    "sharp": sharp_phases,
    "cautious": cautious_phases,
}


@dataclass(frozen=True)
class PhaseState(LossState):
    """The state of `SparseVectorExperts`, with a tally weighted by phase.

    Attributes
    ----------
    run : OneSidedRun or None
        Threshold of the phase, or None before the first phase and after the last phase.
    """

    run: OneSidedRun | None = None


ThresholdShare = Annotated[Fraction, Option("share of the thresholds", above=0, below=1)]


@dataclass(frozen=True)
class SparseVectorExperts(LossLearner):
    """Private prediction from experts, one of which has no loss, in phases with noisy thresholds.

    The learner plays at most K phases. At the start of a phase it draws an expert, and it follows
    this expert until the phase ends. Experts with smaller losses in earlier phases have larger
    probabilities. A noisy threshold on the losses of the expert ends the phase. The module
    `learners.experts.sparse` contains the algorithm and the proofs.

    Parameters
    ----------
    experts : ExpertSource
        At least two experts, whose losses are 0 or 1.
    rounds : int
        Largest number T of rounds.
    phases : Phases
        Thresholds of the phases, weights of the losses of each phase, and rates of the draws.
    counting : Fraction or sequence of Fraction
        Epsilon of each threshold, which is the cost of counting the losses. One number is the
        epsilon of every threshold.
    delta : Fraction, optional
        Delta at which the privacy is stated. The default is the total by basic composition.

    Raises
    ------
    InvalidInput
        If there are fewer than two experts, the experts may have losses other than 0 and 1, or a
        number is out of range.

    Examples
    --------
    >>> from learners.playing.expert_sources import LossVectors
    >>> learner = SparseVectorExperts.within(Budget(4, Fraction(1, 10**6)), LossVectors(17), 10**5)
    >>> print(learner)
    SparseVectorExperts over 17 experts: at most 20 phases of about 7 to 17 losses, watched at \
epsilon = 0.8 and 1.8
    >>> print(learner.bounds[0])
    regret <= L + b = 259 (proved in docs/experts.md), except with probability 1/20
    >>> from learners.coins import SeededCoins
    >>> from learners.playing.loss_adversaries import RandomLosses
    >>> from learners.playing.play import play
    >>> play(learner, RandomLosses(17, best=0), 10**4, SeededCoins(1)).loss
    4
    """

    experts: ExpertSource
    _: KW_ONLY
    rounds: int = 0
    phases: Phases
    counting: Fraction | Sequence[Fraction]
    delta: Delta | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.experts.scale != 1:
            raise InvalidInput(
                "The thresholds count losses of 0 and 1. These experts' losses are multiples of "
                f"1/{self.experts.scale}."
            )
        if not isinstance(self.phases, Phases):
            raise InvalidInput(f"Phases are described by a Phases. Got {self.phases!r}.")
        count, counting = len(self.phases.thresholds), self.counting
        each = tuple(counting) if isinstance(counting, Sequence) else (counting,) * count
        if len(each) != count:
            raise InvalidInput(
                f"Each threshold has an epsilon. Got {len(each)} epsilons and {count} thresholds."
            )
        set_frozen_fields(self, counting=tuple(map(checked.epsilon, each)))
        check_fields(self)

    @classmethod
    @check_arguments
    def within(
        cls,
        budget: Budget,
        experts: ExpertSource,
        rounds: int,
        *,
        failure: Failure = FAILURE,
        share: ThresholdShare | None = None,
        rule: Rule = "sharp",
    ) -> SparseVectorExperts:
        """Return an (epsilon, delta)-DP learner that meets the conditions of the regret bound.

        Parameters
        ----------
        budget, experts, rounds
            Privacy budget, experts and number T of rounds, as for `DPHedge.within`.
        failure : Fraction
            Failure probability beta of the regret bound.
        share : Fraction, optional
            Part of epsilon that each threshold spends. By default, the rule determines this part.
        rule : {"sharp", "cautious"}
            Rule for the phases: `sharp_phases` or `cautious_phases` of `learners.experts.phases`.
        """
        rounds, epsilon, delta = checked_budgeted(experts, rounds, budget, failure)
        if rule not in PHASES_BY_RULE:
            raise InvalidInput(f"The rule is one of {', '.join(PHASES_BY_RULE)}. Got {rule!r}.")
        make = PHASES_BY_RULE[rule]
        phases, counting = make(experts.size, rounds, (epsilon, delta), failure, share)
        return cls(experts, rounds=rounds, phases=phases, counting=counting, delta=delta or None)

    @cached_property
    def mechanisms(self) -> tuple[OneSidedThreshold, ...]:
        """The noisy threshold that ends each phase."""
        assert isinstance(self.counting, tuple)
        return tuple(map(OneSidedThreshold, self.counting, self.phases.thresholds))

    @cached_property
    def privacy(self) -> Event:
        """The privacy cost of a game, which is the cost of its most expensive phase.

        A phase costs its threshold and the later draws that read its losses.
        """
        phases, mechanisms = self.phases, self.mechanisms
        # No draw reads the last phase.
        weights = (*phases.weights, 0)

        def cheaper(j: int) -> bool:
            """Return whether fewer draws read at most as much, with no larger threshold epsilon."""
            return (
                j not in phases.starts
                and mechanisms[j].epsilon <= mechanisms[j - 1].epsilon
                and weights[j] <= weights[j - 1]
            )

        return OneAtATime(
            tuple(
                Sequential((each.privacy, *_draws(weights[j], phases.readers(j))))
                for j, each in enumerate(mechanisms)
                if not cheaper(j)
            )
        )

    @property
    def bounds(self) -> tuple[Bound, ...]:
        """The bound on the regret by `SparseVectorExperts.bound`, with failure probability 1/20."""
        return (self.bound(),)

    @check_arguments
    def bound(self, failure: Failure = FAILURE) -> Bound:
        """Return a bound on the regret, except with probability `failure`, for oblivious losses.

        The bound requires an expert without losses.

        Raises
        ------
        InvalidInput
            If the failure probability is out of range.
        """
        few = failure / FAILURE_PARTS
        enough = "P[all K phases end] <= 3*beta/4"

        def all_end(rare: int) -> Fraction:
            early = [each.early(self.rounds, few, rare) for each in self.mechanisms]
            return chance_that_all_end(self.phases, self.experts.size, early, rare)

        met = any(all_end(rare) <= failure - 2 * few for rare in EARLY_ROUNDS)
        return Bound(
            __name__,
            "regret",
            "L + b",
            sum(max(1, each) for each in self.phases.thresholds) + raised(self.mechanisms, few),
            self.rounds,
            failure,
            (REALIZABLE, OBLIVIOUS, enough),
            () if met else (enough,),
        )

    def _begin(self, coins: Coins) -> PhaseState:
        return PhaseState(self.experts.begin())

    def _choose(self, state: PhaseState, coins: Coins) -> PhaseState:
        if state.drawn and (state.run is None or not state.run.halted):
            return state
        k = state.drawn
        if k >= len(self.mechanisms):
            return replace(state, run=None)
        # The first draw reads no losses, so any rate works.
        rate = self.phases.rates[k - 1] if k else Fraction(1)
        expert, run = state.tally.draw(rate, coins), self.mechanisms[k].start(coins)
        tally = state.tally.cleared() if k in self.phases.starts else state.tally
        return replace(state, tally=tally, expert=expert, drawn=k + 1, run=run)

    def _listen(self, state: PhaseState, item: Revealed, coins: Coins) -> PhaseState:
        expert = self.experts.followed(state.expert, item, coins)
        # No draw reads the last phase.
        weight = (*self.phases.weights, 1)[state.drawn - 1]
        after = replace(state.after(item, weight), expert=expert)
        if state.run is None:
            return after
        watched = require_own(self.mechanisms[state.drawn - 1], state.run)
        _, run = watched.ask(self.experts.loss(state.expert, item), coins)
        return replace(after, run=run)

    def _kept_to_json(self, inner: LossState) -> dict[str, Any]:
        assert isinstance(inner, PhaseState)
        run = None if inner.run is None else inner.run.to_json()
        return {**self._common_to_json(inner), "run": run}

    def _kept_from_json(self, data: Any) -> PhaseState:
        tally, played, expert, drawn = self._common_from_json(data)
        run = data["run"]
        if run is not None:
            run = OneSidedRun.from_json(self.mechanisms[drawn - 1], run)
        return PhaseState(tally, played, expert, drawn, run)

    def __str__(self) -> str:
        thresholds = self.phases.thresholds
        least, most = min(thresholds), max(thresholds)
        losses = f"{least}" if least == most else f"{least} to {most}"
        epsilons = dict.fromkeys(each.epsilon for each in self.mechanisms)
        watched = " and ".join(format_number(each, 3) for each in epsilons)
        return (
            f"SparseVectorExperts over {self.experts}: at most {len(thresholds)} phases of about "
            f"{losses} losses, watched at epsilon = {watched}"
        )


def _draws(weight: int, rates: tuple[Fraction, ...]) -> Iterator[Event]:
    """Yield the draws that read a loss of this weight, equal ones together."""
    for rate, equal in groupby(rates):
        draw = BoundedRange(
            2 * rate * weight, name="draw of an expert", scope=Scope.adaptive("replace_one")
        )
        yield SelfComposed(draw, len(list(equal)))


# ---- by name


def _sparse_experts(
    source: Source,
    rounds: int,
    *,
    budget: Spending,
    beta: Beta = None,
    rule: Annotated[
        Rule,
        Option("rule for the phases: sharp (short phases first) or cautious (equal phases)"),
    ] = "sharp",
) -> SparseVectorExperts:
    return SparseVectorExperts.within(
        budget,
        experts_of(class_of(source)),
        rounds,
        failure=FAILURE if beta is None else beta,
        rule=rule,
    )


LEARNERS = (
    OnlineEntry(
        "sparse-experts",
        "a concept kept until it errs too often, private for streams consistent with some concept",
        _sparse_experts,
    ),
)
