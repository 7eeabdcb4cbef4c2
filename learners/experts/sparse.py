r"""Private prediction from experts, one of which has no loss, in phases with noisy thresholds.

Phases are grouped into blocks. A phase draws an expert with probability proportional to exp(-A(i)).
A(i) is the loss of i in the block of the phase before, weighted by phase and draw
(`learners.experts.phases.Phases`). The phase keeps the expert until its losses in the phase noisily
reach the phase's threshold (`learners.mechanisms.sparse_vector.OneSidedThreshold`), or until a
fixed number of rounds has passed. There are at most K phases, and after the last phase its expert
stays.

**Loss.** Let losses be 0 or 1, fixed in advance, and let some expert have no losses. Let m be the
mean number of early rounds, so a round is early with probability m/T. Let b be such that the
thresholds are raised by more than b in total with probability at most beta/8. Assume P[all K phases
end] <= 7 beta/8, as `learners.experts.phases.chance_that_all_end` proves. For each phase, let T_k
>= 1 be its threshold with all its rises, or its limit of rounds if the limit is less. Then the
learner loses at most sum_k T_k + b, except with probability beta.

*Proof.* Except with probability beta the K-th phase, if there is one, lasts to the end of the game,
and thresholds are raised by at most b in all. A phase is over with the loss that reaches its
raised threshold, and loses at most one per round, so it costs no more than that. QED

The number of rounds enters only by the number a of `OneSidedThreshold.early`, which is
ln(T/m)/epsilon. Thresholds may have different epsilons. Each threshold then has a separate a, at
the same probability.

**Why oblivious.** An adversary who observes the experts lets only the current expert lose. Then the
weights of all other experts stay.

**Privacy** holds against adaptive adversaries. They observe experts and ends of phases, and use
them to choose when to challenge. So they choose the phase j whose losses change. Let h be the view
before the changed round. The phase j is a function of h, and h is the same in both worlds. Given h,
the later view depends on the change in two ways. The threshold of phase j reads one bit that
changes. The draws k > j that read its block change, because A_k changes by rate_k weight_j u for
some u in [-1, 1]. Each such draw has bounded range 2 rate_k weight_j, conditionally on the earlier
view. Other thresholds read other rounds. The limits of rounds and the rises of thresholds are
public. The change of a kept expert (`ExpertSource.followed`) may depend only on the public part of
a round, such as synthetic points, and the release of this part pays for it. So given h, the view is
an adaptive composition of this threshold and these draws, and its parameters are fixed by j. This
holds for every h. The draws of a phase have one range, so `learners.accounting.widest_range`
computes the composition. Hence, as in the proof of `learners.accounting.OneAtATime`, P(O)
- e^epsilon Q(O) <= sum_h P(h) delta(j(h)) <= max_j delta(j) for every set O of views, at the same
epsilon. So the game costs as much as its most expensive phase. (A threshold with a delta would not
suffice, see `learners.accounting.StreamParallel`.)

References
----------
Asi, Feldman, Koren, Talwar 2023, for the rate ln(N)^(3/2)/epsilon; the algorithm and the constants
are this project's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from typing import Annotated, Any, Literal

from flint import arb, ctx

from learners import checked
from learners.accounting import BoundedRange, Event, OneAtATime, Scope, SelfComposed, Sequential
from learners.balls import ball
from learners.bounds import OBLIVIOUS, REALIZABLE, Bound
from learners.budget import Budget
from learners.checked import Delta, Failure
from learners.coins import Coins
from learners.concentration import FAILURE
from learners.experts.phases import (
    EXPECTED_EARLY,
    FAILURE_PARTS,
    Phases,
    Plan,
    cautious_phases,
    chance_that_all_end,
    expected_early,
    sharp_phases,
)
from learners.mechanisms.sparse_vector import OneSidedRun, OneSidedThreshold
from learners.number_arguments import PRECISION
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
    """The state of `SparseVectorExperts`, in which losses are weighted by phase.

    Attributes
    ----------
    run : OneSidedRun or None
        Threshold of the phase, or None in phases without a threshold, before the first phase and
        after the last phase.
    length : int
        Number of rounds of the phase so far if the phase has a limit, and otherwise 0.
    """

    run: OneSidedRun | None = None
    length: int = 0


ThresholdShare = Annotated[Fraction, Option("share of the thresholds", above=0, below=1)]


@dataclass(frozen=True)
class SparseVectorExperts(LossLearner):
    """Private prediction from experts, one of which has no loss, in phases with noisy thresholds.

    The learner plays at most K phases. At the start of a phase it draws an expert, and it follows
    this expert until the phase ends. Experts with smaller losses in earlier phases have larger
    probabilities. A phase ends when the loss of its expert noisily reaches a threshold, or after a
    fixed number of rounds. After the last phase its expert stays. The module
    `learners.experts.sparse` contains the algorithm and the proofs.

    Parameters
    ----------
    experts : ExpertSource
        At least two experts, whose losses are 0 or 1.
    rounds : int
        Largest number T of rounds.
    phases : Phases
        Threshold of each phase, and the weights and rates with which the losses of earlier phases
        determine the probabilities of a draw.
    counting : Fraction or sequence of Fraction
        Epsilon of each threshold, the privacy cost of counting losses in the phase. A single number
        is the epsilon of every threshold. The epsilon is 0 for a phase that ends after a fixed
        number of rounds and has no threshold.
    delta : Fraction, optional
        Delta of the stated total privacy. The default is the delta of basic composition.

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
    SparseVectorExperts over 17 experts: at most 16 phases of about 5 to 15 losses, watched at \
epsilon = 0.6 to 2
    >>> print(learner.bounds[0])
    regret <= L + b = 189 (proved in docs/experts.md), except with probability 1/20
    >>> from learners.coins import SeededCoins
    >>> from learners.playing.loss_adversaries import RandomLosses
    >>> from learners.playing.play import play
    >>> play(learner, RandomLosses(17, best=0), 10**4, SeededCoins(1)).loss
    8
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
        for epsilon, limit in zip(each, self.phases.limits, strict=True):
            if not epsilon and not limit:
                raise InvalidInput(
                    "A phase without a limit of rounds needs a threshold of positive epsilon. "
                    "Got 0."
                )
        set_frozen_fields(
            self, counting=tuple(epsilon and checked.epsilon(epsilon) for epsilon in each)
        )
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
            Part of epsilon that the threshold of a phase spends. By default, `rule` determines this
            part.
        rule : {"sharp", "cautious"}
            Rule that sets the losses after which each phase ends, and the weight of each phase's
            losses in later draws: `sharp_phases` or `cautious_phases` of `learners.experts.phases`.
        """
        rounds, epsilon, delta = checked_budgeted(experts, rounds, budget, failure)
        if rule not in PHASES_BY_RULE:
            raise InvalidInput(f"The rule is one of {', '.join(PHASES_BY_RULE)}. Got {rule!r}.")
        make = PHASES_BY_RULE[rule]
        phases, counting = make(experts.size, rounds, (epsilon, delta), failure, share)
        return cls(experts, rounds=rounds, phases=phases, counting=counting, delta=delta or None)

    @cached_property
    def mechanisms(self) -> tuple[OneSidedThreshold | None, ...]:
        """The noisy threshold that ends each phase, or None for a phase without a threshold."""
        assert isinstance(self.counting, tuple)
        phases = zip(self.counting, self.phases.thresholds, self.phases.rises, strict=True)
        return tuple(
            OneSidedThreshold(epsilon, threshold, rise=rise) if epsilon else None
            for epsilon, threshold, rise in phases
        )

    @cached_property
    def privacy(self) -> Event:
        """The privacy cost of a game, which is the cost of its most expensive phase.

        The cost of a phase is the cost of its noisy threshold plus the cost of all later draws of
        experts that read its losses.
        """
        phases, mechanisms = self.phases, self.mechanisms
        assert isinstance(self.counting, tuple)
        counting = self.counting
        # No draw reads the last phase.
        weights = (*phases.weights, 0)

        def cheaper(j: int) -> bool:
            """Return whether fewer draws read at most as much, with no larger threshold epsilon."""
            return (
                j not in phases.starts
                and counting[j] <= counting[j - 1]
                and weights[j] <= weights[j - 1]
            )

        return OneAtATime(
            tuple(
                Sequential(
                    (
                        *((each.privacy,) if each else ()),
                        *_draws(weights[j], phases.readers(j)),
                    )
                )
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
        enough = "P[all K phases end] <= 7*beta/8"

        def all_end(expected: Fraction) -> Fraction:
            early = [
                each.early(self.rounds, expected) if each else None for each in self.mechanisms
            ]
            return chance_that_all_end(self.phases, self.experts.size, early, expected)

        # The planned mean is the first that is tried, because it mostly suffices.
        means = dict.fromkeys((expected_early(failure), *EXPECTED_EARLY, few))
        met = any(all_end(expected) <= failure - few for expected in means)
        return Bound(
            __name__,
            "regret",
            "L + b",
            self._largest_losses + raised([each for each in self.mechanisms if each], few),
            self.rounds,
            failure,
            (REALIZABLE, OBLIVIOUS, enough),
            () if met else (enough,),
        )

    @property
    def _largest_losses(self) -> int:
        """Largest sum of the losses of all phases, without the noise of the thresholds."""
        total, phases = (
            0,
            zip(self.mechanisms, self.phases.thresholds, self.phases.limits, strict=True),
        )
        for mechanism, threshold, limit in phases:
            highest = max(1, threshold) + (mechanism.rises(self.rounds) if mechanism else 0)
            total += min(highest, limit) if limit else highest
        return total

    def _begin(self, coins: Coins) -> PhaseState:
        return PhaseState(self.experts.begin())

    def _is_over(self, state: PhaseState) -> bool:
        """Return whether the phase has ended, by its threshold or at its limit of rounds."""
        if not state.drawn or (state.run is not None and state.run.halted):
            return True
        limit = self.phases.limits[state.drawn - 1]
        return bool(limit) and state.length >= limit

    def _choose(self, state: PhaseState, coins: Coins) -> PhaseState:
        if not self._is_over(state):
            return state
        k = state.drawn
        if k >= len(self.mechanisms):
            return replace(state, run=None)
        # The first draw reads no losses, so any rate works.
        rate = self.phases.rates[k - 1] if k else Fraction(1)
        expert, mechanism = state.tally.draw(rate, coins), self.mechanisms[k]
        run = None if mechanism is None else mechanism.start(coins)
        tally = state.tally.cleared() if k in self.phases.starts else state.tally
        return replace(state, tally=tally, expert=expert, drawn=k + 1, run=run, length=0)

    def _listen(self, state: PhaseState, item: Revealed, coins: Coins) -> PhaseState:
        expert = self.experts.followed(state.expert, item, coins)
        phase = state.drawn - 1
        # No draw reads the last phase.
        weight = (*self.phases.weights, 1)[phase]
        # States that differ in an unused number of rounds would be different outcomes of audits.
        length = state.length + 1 if self.phases.limits[phase] else 0
        after = replace(state.after(item, weight), expert=expert, length=length)
        mechanism = self.mechanisms[phase]
        if state.run is None or mechanism is None:
            return after
        watched = require_own(mechanism, state.run)
        _, run = watched.ask(self.experts.loss(state.expert, item), coins)
        return replace(after, run=run)

    def _kept_to_json(self, inner: LossState) -> dict[str, Any]:
        assert isinstance(inner, PhaseState)
        run = None if inner.run is None else inner.run.to_json()
        return {**self._common_to_json(inner), "run": run, "length": inner.length}

    def _kept_from_json(self, data: Any) -> PhaseState:
        tally, played, expert, drawn = self._common_from_json(data)
        run, mechanism = data["run"], self.mechanisms[drawn - 1] if drawn else None
        if run is not None:
            run = OneSidedRun.from_json(mechanism, run)
        length = checked.nonnegative(data["length"], "number of rounds of a phase")
        return PhaseState(tally, played, expert, drawn, run, length)

    def __str__(self) -> str:
        phases = [each for each in self.mechanisms if each]
        if not phases:
            return f"SparseVectorExperts over {self.experts}: {len(self.mechanisms)} phases"
        losses = _between(sorted(each.threshold for each in phases))
        watched = _between([format_number(e, 3) for e in sorted(each.epsilon for each in phases)])
        return (
            f"SparseVectorExperts over {self.experts}: at most {len(self.mechanisms)} phases of "
            f"about {losses} losses, watched at epsilon = {watched}"
        )


def _between(values: Sequence[object]) -> str:
    """Return the first and the last value in words."""
    first, last = values[0], values[-1]
    return f"{first}" if first == last else f"{first} to {last}"


@check_arguments
def raised(mechanisms: Sequence[OneSidedThreshold], failure: Failure) -> int:
    """Return a bound on the sum of raises of thresholds, except with probability `failure`.

    The raise of a threshold is the number that a run adds to it. The result is the least m >= 0
    such that the raises of all thresholds add up to more than m with probability at most `failure`.
    The thresholds may have different epsilons. Let x = exp(-epsilon) for one threshold. Let F be
    the sum of the other raises, and let F' be the sum of all raises. Then
    P[F' <= m] = x P[F' <= m - 1] + (1 - x) P[F <= m].

    Examples
    --------
    >>> raised([OneSidedThreshold(1, 50)] * 9 + [OneSidedThreshold(2, 50)], Fraction(1, 1000))
    17
    """
    each = Counter(mechanism.epsilon for mechanism in mechanisms)
    kinds = {mechanism.epsilon: mechanism for mechanism in mechanisms}
    if len(each) == 1:
        (once,) = kinds.values()
        return once.late(failure, len(mechanisms))
    most = sum(kinds[e].late(failure / len(each), runs) for e, runs in each.items())
    with ctx.workprec(PRECISION):
        at_most = [arb(1)] * (most + 1)
        for mechanism in mechanisms:
            x = (-ball(mechanism.epsilon)).exp()
            below = arb(0)
            for m, before in enumerate(at_most):
                below = x * below + (1 - x) * before
                at_most[m] = below
        return next(m for m, p in enumerate(at_most) if m == most or p >= 1 - ball(failure))


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
        Option(
            "rule for the lengths of phases: sharp (short phases first) or cautious (equal "
            "phases). A phase is the time between two draws of a concept"
        ),
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
        "a private learner that keeps a concept until it errs too often, for streams "
        "consistent with some concept",
        _sparse_experts,
        details=(
            "At the start of each phase, the learner draws a concept. Concepts with fewer errors "
            "in earlier phases have larger probabilities. A phase ends when the number of errors "
            "of its concept, plus noise, reaches a threshold."
        ),
    ),
)
