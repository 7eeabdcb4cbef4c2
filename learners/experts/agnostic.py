r"""Agnostic private online learning from constructed experts [LWY25, section 4.2 and App. E].

The chain has three parts. The points of the stream are sanitized, interval by interval
(`learners.sanitizers.interval_sanitizer`). Experts are built from the synthetic points so that some
expert follows each concept (`learners.experts.constructed`). A private algorithm for prediction
from experts chooses among them: `learners.experts.hedge`, or `learners.experts.dartboard` if the
stream was fixed in advance.

**Privacy** holds against adaptive adversaries. Replacing an example (x, y) of round t changes one
point that the sanitizer reads, and the losses of round t. Given the released points, the experts
are the same in both worlds, because their switches read only these points. So the loss of an expert
changes in round t only, by at most 1. The choice costs as much as for given experts. Releases of
points and draws of experts alternate. Each is a function of the examples so far and of the earlier
outputs. So this is plain adaptive composition (`Sequential`), and no theorem on concurrent
composition is needed.

**Regret.** Let the sanitizer detect every function that is 1 on K points of an interval, and let
the base learner, which every expert runs, err at most M times. Then for all adaptive losses, if the
losses of a round are chosen before its draw is visible,

    expected regret against the best concept <= R + M K,

where R is the regret of the choosing algorithm on N = sum over k <= M of C(T + k, 2k) experts. The
bound with a failure probability is analogous. *Proof.* Some expert differs from the best concept on
at most M K points, so its loss exceeds the loss of the best concept by at most M K. QED (A
sanitizer that fails with probability f adds f T.)

For R from `DPHedge`, this is [LWY25, Thm 4.4] with its constants. The paper's second term
T^(1/3)/epsilon^(2/3) is M K for a sanitizer with alpha(n) of order n^(-2/3). With histograms of
released points M K is of order M s ln(T)^2 ln(1/delta)/epsilon, which hardly grows with T. The
remaining term is sqrt(T). With M = d up to constants, [LWY25, Cor. E.13] follows. The paper's
Theorem E.10 prints d^4 where its proof, and E.13, have d^5 = (d^6)^(2/3) d.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Annotated

import numpy as np

from learners.accounting import Event, Sequential
from learners.bounds import EXPECTED, OBLIVIOUS, Bound
from learners.budget import Budget
from learners.checked import Rounds
from learners.coins import Coins
from learners.experts.constructed import ConstructedExpert, ConstructedExperts, SanitizedExample
from learners.experts.dartboard import ShrinkingDartboard
from learners.experts.hedge import DPHedge
from learners.number_arguments import require_size
from learners.playing.base.proper_soa import proper_soa
from learners.playing.entries import BASES, OnlineEntry, Source, base_state, class_of
from learners.playing.expert_sources import ExpertSource, experts_of
from learners.playing.learner import PublishingLearner
from learners.playing.loss_learner import LossLearner, LossState
from learners.playing.private_options import Spending
from learners.sanitizers.interval_sanitizer import IntervalRun, IntervalSanitizer
from learners.states import require_own
from lsclasses.concept_class import ConceptClass
from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.numbers import format_number
from lsclasses.online import MistakeBounded
from lsclasses.options import Option, check_arguments
from lsclasses.packing import BYTE_LIMIT
from lsclasses.point_names import Label, Point
from lsclasses.soa import ConservativeSOA

__all__ = [
    "LEARNERS",
    "AgnosticExperts",
    "ConstructedState",
    "Chain",
    "agnostic_experts",
    "differences",
    "quoted_regret",
]

SHARES = 16
"""Number of equal parts of epsilon. A search chooses the number of parts for the sanitizer."""

FOLLOWED = "experts may switch as often as the base may err"
"""The hypothesis on the experts that the regret bounds need, in addition to the hypotheses of the
algorithm that chooses an expert."""
SUPPORTED = (
    "rules of the base differ from concepts on at most the number of points set in the sanitizer"
)
"""The hypothesis on the number of points at which a rule and a concept differ. The function
`differences` proves its default. A number that the user gives is not checked."""


@dataclass(frozen=True)
class ConstructedState:
    """The state of `AgnosticExperts` between rounds.

    Attributes
    ----------
    run : IntervalRun
        State of the sanitizer.
    chosen : LossState
        State of the learner that chooses among the experts.
    """

    run: IntervalRun
    chosen: LossState


@dataclass(frozen=True)
class Chain:
    """The chain of bounds in the proof of the regret bound, from the sanitizer to the regret.

    Attributes
    ----------
    rounds : int
        Number T of rounds.
    lengths : int
        Number of different lengths of the intervals whose points are sanitized.
    missed : int
        Largest number of points of such an interval on which a function can be 1 although it is 0
        on all synthetic points.
    seen : int
        Number K such that a function that is 1 on K points of an interval is 1 on a synthetic point
        of the interval.
    switches : int
        Largest number M of switches of an expert.
    experts : int
        Number N of experts.
    excess : int
        M K, an upper bound on the loss of the best expert beyond the loss of the best concept.
    choosing : Fraction or None
        Upper bound R on the expected regret against the best expert.
    """

    rounds: int
    lengths: int
    missed: int
    seen: int
    switches: int
    experts: int
    excess: int
    choosing: Fraction | int | None

    def __str__(self) -> str:
        lengths = f"{self.lengths} length{'s' * (self.lengths != 1)}"
        missed, experts = _brief(self.missed), _brief(self.experts)
        links = [
            ("sanitizer", f"misses at most {missed}, at {lengths}", self.missed),
            (
                "intervals",
                f"K = {self.seen}: sets of K points with label 1 are detected",
                self.seen,
            ),
            ("experts", f"N = {experts}, one within M K = {self.excess}", self.excess),
            ("choosing", f"expected regret <= {_rounded(self.choosing)}", self.choosing),
        ]
        lines = [f"  {name:10} {text}{self._vacuous(value)}" for name, text, value in links]
        return "\n".join([f"the chain, T = {self.rounds} rounds", *lines])

    def _vacuous(self, value: Fraction | int | None) -> str:
        return " (vacuous: T or more)" if value is not None and value >= self.rounds else ""


def _brief(number: int) -> str:
    return str(number) if number < 10**12 else format_number(number, 3, up=True)


def _rounded(value: Fraction | int | None) -> str:
    return "?" if value is None else format_number(value, 3, up=True)


@dataclass(frozen=True)
class AgnosticExperts(PublishingLearner):
    """A private agnostic online learner that chooses among experts built from synthetic points.

    A sanitizer releases private synthetic points in place of the points of the examples. Each
    expert is a copy of a base learner that learns some of the synthetic points, with labels that it
    did not predict. A private algorithm for prediction from experts chooses an expert in every
    round. The module `learners.experts.agnostic` contains the algorithm and the proofs. The
    function `agnostic_experts` returns the learner for a privacy budget.

    Parameters
    ----------
    concept_class : ConceptClass
        Class whose best concept defines the regret.
    sanitizer : IntervalSanitizer
        Mechanism that releases synthetic points, one interval of rounds after another.
    chooser : LossLearner
        Private learner that chooses among the experts. The field ``experts`` of this learner is a
        `ConstructedExperts`, and its number of rounds equals the number of rounds of the sanitizer.
    delta : Fraction, optional
        Delta of the stated total privacy. The default is the delta of basic composition.

    Raises
    ------
    InvalidInput
        If the parts have different numbers of rounds, or the experts of the chooser are not a
        `ConstructedExperts`.

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> from learners.playing.play import play
    >>> C = catalog.build("at-most:n=8,k=1")
    >>> learner = agnostic_experts(C, 2000, Budget(Fraction(8), Fraction(1, 10**6)))
    >>> print(learner.parameters)
    the chain, T = 2000 rounds
      sanitizer  misses at most 120, at 3 lengths
      intervals  K = 991: sets of K points with label 1 are detected
      experts    N = 2001001, one within M K = 991
      choosing   expected regret <= 695
    >>> game = play(learner, [(5, 1)] * 2000, 2000, SeededCoins(1))
    >>> print(game.privacy.summary, game.regret)
    (7.806, 1e-06)-DP 491
    """

    concept_class: ConceptClass
    sanitizer: IntervalSanitizer
    chooser: LossLearner
    delta: Fraction | None = None

    def __post_init__(self) -> None:
        experts = self.chooser.experts
        if not isinstance(experts, ConstructedExperts):
            raise InvalidInput(
                f"The experts to choose from are a ConstructedExperts. Got {experts!r}."
            )
        rounds = {experts.rounds, self.sanitizer.horizon, self.chooser.rounds}
        if len(rounds) > 1:
            raise InvalidInput(
                "Sanitizer, experts and the choosing algorithm must have the same number of "
                f"rounds. Got {self.sanitizer.horizon}, {experts.rounds}, {self.chooser.rounds}."
            )

    @property
    def experts(self) -> ConstructedExperts:
        """The experts, built from synthetic points, among which the learner chooses."""
        experts = self.chooser.experts
        assert isinstance(experts, ConstructedExperts)
        return experts

    @property
    def rounds(self) -> int:
        """The number T of rounds of a game."""
        return self.sanitizer.horizon

    @property
    def domain(self) -> Domain:
        """The points that the learner labels."""
        return self.experts.domain

    @cached_property
    def comparators(self) -> ExpertSource | None:
        """The concepts of the class, if they can be counted."""
        try:
            return experts_of(self.concept_class)
        except (TooLarge, InvalidInput):
            return None

    @cached_property
    def privacy(self) -> Event | None:
        """The privacy cost of a whole game, from synthetic points and draws of experts."""
        parts = self.sanitizer.privacy, self.chooser.privacy
        return None if None in parts else Sequential(tuple(part for part in parts if part))

    @property
    def excess(self) -> int:
        """An upper bound M K on the loss of the best expert minus the loss of the best concept.

        M is the largest number of changes of an expert's rule. If a rule and a concept differ at K
        points of an interval, they also differ at a synthetic point of the interval, unless the
        sanitizer fails. So some expert differs from the best concept at no more than M K points.
        """
        return self.experts.switches * self.sanitizer.seen

    @cached_property
    def parameters(self) -> Chain:
        """The chain from the sanitizer to the regret."""
        paid = [each.missed for each in self.sanitizer.replacers if each is not None]
        return Chain(
            self.rounds,
            len(paid),
            max(paid, default=0),
            self.sanitizer.seen,
            self.experts.switches,
            self.experts.size,
            self.excess,
            next((b.value for b in self.chooser.bounds if b.quantity == "expected regret"), None),
        )

    @cached_property
    def bounds(self) -> tuple[Bound, ...]:
        """The proved regret bounds, and the regret bound that [LWY25] states.

        Each proved bound is the bound of the algorithm that chooses an expert plus `excess`,
        because some expert has at most this additional loss, unless the sanitizer fails. The
        probability f of this failure adds f T to an expected regret over T rounds, and f to the
        failure probability of any other bound.
        """
        followed = self.experts.switches >= (self.experts.base.mistake_bound or 0)
        failure, found = self.sanitizer.failure, []
        for bound in self.chooser.bounds:
            if bound.value is None or bound.failure + failure >= 1:
                continue
            lost = failure * self.rounds if bound.quantity.startswith(EXPECTED) else 0
            found.append(
                replace(
                    bound,
                    source=__name__,
                    formula=f"{bound.formula} + M*K{' + f*T' * bool(lost)}",
                    value=bound.value + self.excess + lost,
                    failure=bound.failure + (0 if lost else failure),
                    hypotheses=(*bound.hypotheses, FOLLOWED, SUPPORTED),
                    unmet=(*bound.unmet, *(() if followed else (FOLLOWED,))),
                )
            )
        oblivious = isinstance(self.chooser, ShrinkingDartboard)
        return (*found, quoted_regret("oblivious" if oblivious else "adaptive"))

    def _begin(self, coins: Coins) -> ConstructedState:
        return ConstructedState(self.sanitizer.start(coins), self.chooser._begin(coins))

    def _publish(self, state: ConstructedState, coins: Coins) -> tuple[ConstructedState, Hashable]:
        chosen, expert = self.chooser._publish(state.chosen, coins)  # [LWY25, Alg 7 line 7]
        assert isinstance(expert, ConstructedExpert)
        return replace(state, chosen=chosen), expert.hypothesis

    def _receive(
        self, state: ConstructedState, point: Point, label: Label, coins: Coins
    ) -> ConstructedState:
        # [LWY25, Alg 7 line 5]: first the synthetic points, with which experts switch.
        _, run = require_own(self.sanitizer, state.run).ask(point, coins)
        item = SanitizedExample(point, label, run.synthetic)
        return ConstructedState(run, self.chooser._read(state.chosen, item, coins))

    def __str__(self) -> str:
        return f"{self.chooser}"


def quoted_regret(adversary: str = "adaptive") -> Bound:
    """Return the regret bound of [LWY25, Cor. E.13], in which constants are unspecified.

    Parameters
    ----------
    adversary : "adaptive" or "oblivious"
        Adversary that the bound covers.

    Examples
    --------
    >>> print(quoted_regret().formula)
    sqrt(T*log(1/delta))*d*log(T)/epsilon + \
T**(1/3)*V_dual**(14/3)*d**5*(d_dual*V)**(1/3)/epsilon**(2/3)
    """
    first = {
        "adaptive": "sqrt(T*log(1/delta))*d*log(T)/epsilon",
        "oblivious": "sqrt(d*T*log(T))",
    }
    if adversary not in first:
        raise InvalidInput(f"The adversary is adaptive or oblivious. Got {adversary!r}.")
    second = "T**(1/3)*V_dual**(14/3)*d**5*(d_dual*V)**(1/3)/epsilon**(2/3)"
    return Bound(
        "[LWY25, Cor. E.13]",
        "expected regret",
        f"{first[adversary]} + {second}",
        hypotheses=(OBLIVIOUS,) if adversary == "oblivious" else (),
    )


# ---- for a budget


def differences(C: ConceptClass, *, proper: bool) -> int:
    """Return an upper bound on the number of points at which a rule and a concept differ.

    The bound is the number of points. If rules are concepts and the class can be enumerated as a
    table, it is at most twice the largest distance of a concept from the majority of all concepts.

    Parameters
    ----------
    C : ConceptClass
        Concept class.
    proper : bool
        Whether rules are concepts of the class.

    Raises
    ------
    InvalidInput
        If there are infinitely many points.

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("at-most:n=100,k=1")
    >>> differences(C, proper=True), differences(C, proper=False)
    (2, 100)
    """
    points = C.domain.size
    if points is None:
        raise InvalidInput(
            "The number of points at which a rule and a concept differ is unknown on an infinite "
            "domain. Set it with support."
        )
    if not proper:
        return points
    try:
        if (C.size or BYTE_LIMIT) * points > BYTE_LIMIT:
            return points
        table = C.to_table()
    except TooLarge:
        return points
    rows = np.unpackbits(table.packed, axis=1, count=points)
    majority = 2 * rows.sum(axis=0, dtype=np.int64) > len(rows)
    return min(points, max(1, 2 * int((rows != majority).sum(axis=1).max())))


Switches = Annotated[
    int,
    Option(
        "largest number of times that an expert changes its prediction rule",
        minimum=1,
        noun="number of switches",
    ),
]
Support = Annotated[
    int,
    Option(
        "largest number of points at which a prediction rule of an expert and a concept of the "
        "class can differ",
        minimum=1,
        noun="size of the support",
    ),
]
SanitizerShare = Annotated[
    Fraction,
    Option(
        "part of epsilon that the learner spends on synthetic points",
        above=0,
        below=1,
        noun="share of the sanitizer",
    ),
]


@check_arguments
def agnostic_experts(
    C: ConceptClass,
    rounds: Rounds,
    budget: Budget,
    *,
    base: MistakeBounded | None = None,
    switches: Switches | None = None,
    support: Support | None = None,
    share: SanitizerShare | None = None,
    oblivious: bool = False,
    composition: str = "best",
) -> AgnosticExperts:
    """Return the (epsilon, delta)-DP learner from constructed experts [LWY25, Thm 4.4].

    Half of delta goes to the sanitizer. Points are sanitized by histograms of released points.

    Parameters
    ----------
    C : ConceptClass
        Class whose best concept defines the regret.
    rounds : int
        Largest number T of rounds.
    budget : Budget
        Privacy budget with a positive delta.
    base : MistakeBounded, optional
        The learner that experts run. The default is the proper SOA if the class has one, and
        otherwise the SOA.
    switches : int, optional
        Largest number M of switches of an expert. The default is the mistake bound of the base.
    support : int, optional
        Largest number of points at which a rule of the base and a concept differ. The default is
        `differences`.
    share : Fraction, optional
        Part of epsilon for the sanitizer. The default is the number of sixteenths with the least
        bound by zCDP for adaptive adversaries.
    oblivious : bool
        Whether the stream is fixed in advance. The shrinking dartboard then chooses among the
        experts.
    composition : "best" or "zcdp"
        Accountants that calibrate the draws of experts: all accountants for "best", only zCDP for
        "zcdp".

    Raises
    ------
    InvalidInput
        If a number is out of range.
    TooLarge
        If the class is too large for the base learner.
    """
    epsilon, delta = Budget.require(budget)
    if not delta:
        raise InvalidInput("Histograms release points with a delta > 0 only. Got delta = 0.")
    require_size(epsilon, delta)
    proper = False
    if base is None:
        base, proper = _default_base(C)
    if support is None:
        support = differences(C, proper=proper)
    experts = ConstructedExperts(base, rounds, -1 if switches is None else switches)

    def made(
        part: Fraction, choose: Callable[..., LossLearner], accountants: str = composition
    ) -> AgnosticExperts:
        sanitizer = IntervalSanitizer.released(
            rounds, part * epsilon, delta / 2, support, base.domain
        )
        rest = replace(budget, epsilon=(1 - part) * epsilon, delta=delta / 2)
        chooser = choose(rest, experts, rounds, composition=accountants)
        return AgnosticExperts(C, sanitizer, chooser, delta)

    shares = [Fraction(i, SHARES) for i in range(1, SHARES)]
    if share is not None:
        shares = [share]
    # The search uses zCDP, because calibration by all accountants takes a second per share.
    tried = {part: made(part, DPHedge.within, "zcdp") for part in shares}
    best = min(tried, key=lambda part: tried[part].bounds[1].value or 0)
    return made(best, ShrinkingDartboard.within if oblivious else DPHedge.within)


def _default_base(C: ConceptClass) -> tuple[MistakeBounded, bool]:
    """Return a base learner with Ldim mistakes, and whether its rules are concepts."""
    try:
        return proper_soa(C), True
    except (InvalidInput, TooLarge):
        return ConservativeSOA(C), False


# ---- by name


def _constructed(
    source: Source,
    rounds: int,
    *,
    budget: Spending,
    base: Annotated[
        str | None,
        Option(
            "base learner of every expert. The default is proper-soa if it can run on the "
            "class, and otherwise soa",
            choices=tuple(BASES),
        ),
    ] = None,
    switches: Annotated[
        Switches | None, "The default is the mistake bound of the base learner"
    ] = None,
    support: Annotated[
        Support | None,
        "The default is the number of points. With --base proper-soa, a smaller default is "
        "computed from the concepts if the class can be enumerated",
    ] = None,
    share: Annotated[
        SanitizerShare | None, "The default is the part with the least regret bound"
    ] = None,
    oblivious: Annotated[
        bool,
        Option(
            "draw experts like the learner dartboard: replace the current expert only seldom. "
            "The regret bound then holds only for streams that are fixed in advance"
        ),
    ] = False,
) -> AgnosticExperts:
    C = class_of(source)
    if support is None and base == "proper-soa":
        support = differences(C, proper=True)
    return agnostic_experts(
        C,
        rounds,
        budget,
        base=None if base is None else base_state(base, C),
        switches=switches,
        support=support,
        share=share,
        oblivious=oblivious,
    )


LEARNERS = (
    OnlineEntry(
        "constructed-experts",
        "private experts built from synthetic points, for streams without a consistent concept "
        "[LWY25, Alg 7]",
        _constructed,
        details=(
            "The learner releases private synthetic points in place of the points of the stream. "
            "An expert is a copy of the base learner that learns some of these points, each with "
            "the label that the copy does not predict. Every choice of these points, and of the "
            "rounds in which the copy learns them, gives an expert. In each round, the learner "
            "draws an expert, and experts with fewer errors have larger probabilities."
        ),
    ),
)
