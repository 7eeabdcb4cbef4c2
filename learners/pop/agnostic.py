"""Private prediction on streams that contradict every concept: POP in phases [KMMNS23, App. F].

`POPUntilMistakes` is POP that also halts after about a given number of mistakes. When it halts,
with high probability the best concept has erred more often than the base learner allows. Then
`AgnosticPOP` starts a new POP.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any

from learners.accounting import Event, StreamParallel, basic
from learners.bounds import Bound, few_errors
from learners.budget import Budget
from learners.checked import Failure, Rounds
from learners.coins import Coins
from learners.concentration import FAILURE
from learners.mechanisms.sparse_vector import CumulativeAboveThreshold
from learners.playing.base.soa_experts import SOAExperts, experts_bound
from learners.playing.base.state import Prediction
from learners.playing.entries import OnlineEntry, Source, class_of
from learners.playing.learner import OnlineLearner
from learners.playing.private_options import Beta, Spending
from learners.pop.algorithm import POP
from learners.pop.plan import Disagreements, POPParameters
from learners.pop.until_mistakes import MistakesState, PhaseMistakes, POPUntilMistakes
from learners.states import State, require_own, require_rounds_left
from lsclasses.concept_class import ConceptClass
from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput
from lsclasses.numbers import format_number, integer
from lsclasses.options import Option, check_arguments, check_fields
from lsclasses.point_names import Label, Point

__all__ = ["AgnosticPOP", "AgnosticState"]

COUNTING_SHARE = Fraction(1, 16)
"""The default part of epsilon for counting mistakes."""


@dataclass(frozen=True)
class AgnosticState(State["AgnosticPOP"]):
    """The state of `AgnosticPOP` between rounds, in which `run` is secret.

    Attributes
    ----------
    run : MistakesState or None
        The current phase, or None if the last prediction ended it.
    phase : int
        Number of the phase, from 1 on.
    played : int
        Number of rounds so far.
    """

    run: MistakesState | None
    phase: int = 1
    played: int = 0

    def __post_init__(self) -> None:
        if self.run is not None:
            require_own(self.mechanism.run, self.run)


Phases = Annotated[int, Option("largest number of phases", minimum=1, noun="number of phases")]
CountingShare = Annotated[Fraction, Option("share of counting", above=0, below=1)]


@dataclass(frozen=True)
class AgnosticPOP(OnlineLearner):
    """Agnostic private prediction: a learner that restarts POP when POP halts [KMMNS23, Thm F.4].

    POP predicts by a noisy majority of k copies of a base learner, and halts after too many reports
    or mistakes. A report is a prediction by a fair coin, made if the copies noisily disagree.

    **Guarantee.** A *phase* is the part of the game between two restarts. If each phase is
    (epsilon, delta)-challenge-DP, the whole game is (epsilon, `phases` * delta)-challenge-DP, as
    `privacy` states. An example is read in only one phase, and every later phase starts with fresh
    copies. So the epsilons of the phases do not add up. But the deltas add up (`StreamParallel`),
    once for each phase that may be started. [KMMNS23] does not mention that the deltas add up.

    **Mistakes.** The mistake bound of the base learner holds on sequences on which some concept
    errs at most M times. On such phases, R is an upper bound on the number of rounds with a mistake
    or a report (`POPParameters.costly`). A noisy test of the number of mistakes halts a phase after
    at least u and at most w mistakes (`POPUntilMistakes`). The numbers R, u and w are for the
    failure probability beta/phases. Assume that u > R and that POP halts only after more than R
    reports. Then with probability 1 - beta, every concept errs more than M times in each phase that
    halts. *Reason:* if some concept errs at most M times, the base learner's bound holds for all
    copies, so at most R rounds have a mistake or a report, and the phase does not halt. So if some
    concept errs at most OPT times in the game, at most OPT/(M + 1) phases halt, and there are at
    most

        (floor(OPT/(M + 1)) + 1) w

    mistakes in the game, provided that `phases` is larger than OPT/(M + 1).

    *Differences from the paper.* Let d be the mistake bound of the base learner. The proof in the
    paper bounds the number of rounds in which 1/5 of the copies err by k d. But the one copy that
    learns the label of such a round errs only with probability 1/5. So R is at most about 5 k d,
    not k d (8 k d for the parameters of `POPParameters.from_theorem`). Second, the noisy test may
    halt POP before the nominal number r of reports, but not before r minus a noise term. So only
    this difference must exceed R. Third, the number k of copies grows with d/epsilon^2, up to
    logarithms, not with d^2/epsilon as in Lemma F.3 of the paper. The reason is that R is
    proportional to k d, the noise to sqrt(R)/epsilon, and k to the noise. Theorem F.4 of the paper
    uses the growth d^2/epsilon for M = d ln(T). In this library, the mistake bound of the base
    learner does not depend on ln T.

    Parameters
    ----------
    run : POPUntilMistakes
        Learner of one phase: POP with a private count of mistakes.
    phases : int
        Largest number of phases. After the last phase the learner halts.
    failure : Fraction
        Failure probability beta of the mistake bound.

    Raises
    ------
    InvalidInput
        If the number of phases is not positive, or the delta of the whole game would be 1 or more.

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> from learners.playing.play import play
    >>> C = catalog.build("points:n=50")
    >>> tiny = Fraction(1, 10**6)
    >>> learner = AgnosticPOP.within(Budget(16, tiny), C, 0, 3_000, mistakes=1_500, phases=2)
    >>> basic(learner.privacy)
    (Fraction(16, 1), Fraction(1, 1000000))
    >>> stream = [(7, int(i % 100 > 0)) for i in range(3_000)]  # one label in a hundred is wrong
    >>> transcript = play(learner, stream, 3_000, SeededCoins(1))
    >>> learner.run.pop.parameters.copies, transcript.mistakes, transcript.halted
    (2083, 2102, False)
    >>> learner.bound(100).vacuous
    True
    """

    run: POPUntilMistakes
    phases: Phases
    failure: Failure = FAILURE

    def __post_init__(self) -> None:
        check_fields(self)
        _, delta = basic(self.privacy)
        if delta >= 1:
            raise InvalidInput(
                f"These parameters give no privacy. Delta adds up over {self.phases} phases to "
                f"{format_number(delta, 3)}, and with delta = 1 any output may be released."
            )

    @classmethod
    @check_arguments
    def within(
        cls,
        budget: Budget,
        concept_class: ConceptClass,
        errors: int,
        rounds: int,
        *,
        mistakes: int,
        phases: Phases = 1,
        reports: int | None = None,
        share: CountingShare = COUNTING_SHARE,
    ) -> AgnosticPOP:
        """Return a learner that is (epsilon, delta)-challenge-DP in total, without a mistake bound.

        Parameters
        ----------
        concept_class : ConceptClass
            Class whose best concept the learner competes with.
        errors : int
            Largest number M of errors of the best concept in one phase.
        rounds : int
            Number T of rounds of the whole game.
        budget : Budget
            Privacy budget of the whole game.
        mistakes : int
            Approximate number v of mistakes after which a phase ends.
        phases : int
            Largest number of phases.
        reports : int, optional
            Approximate number of reports (predictions by a coin) after which a phase ends. By
            default, reports do not end a phase.
        share : Fraction
            Share of epsilon that is spent on counting mistakes.
        """
        epsilon, delta = Budget.require(budget)
        counting, answers = _split(epsilon, share)
        parameters = POPParameters.within(
            replace(budget, epsilon=answers, delta=delta / phases), rounds, reports
        )
        pop = POP(SOAExperts(concept_class, errors), parameters)
        return cls(POPUntilMistakes(pop, mistakes, counting), phases)

    @classmethod
    @check_arguments
    def from_theorem(
        cls,
        budget: Budget,
        concept_class: ConceptClass,
        rounds: Rounds,
        failure: Failure,
        *,
        errors: int | None = None,
        phases: Phases | None = None,
        share: CountingShare = COUNTING_SHARE,
        calibrated: bool = False,
    ) -> AgnosticPOP:
        """Return the learner for which `AgnosticPOP.bound` proves a mistake bound.

        A phase is the part of the game between two restarts of POP. `POPParameters.from_theorem`
        gives the number of copies and the number of reports (predictions by a coin) after which a
        phase ends. A phase also ends after about v mistakes. Here v is R + 1 plus the number of
        mistakes by which the noisy test may be early, where R bounds the number of rounds with a
        mistake or a report (`POPParameters.costly`).

        Parameters
        ----------
        concept_class : ConceptClass
            Class of Littlestone dimension d.
        rounds : int
            Number T of rounds of the whole game.
        budget : Budget
            Budget of the whole game.
        failure : Fraction
            Failure probability beta of the mistake bound.
        errors : int, optional
            Number M: a phase does not halt if the best concept errs at most M times in the phase,
            except with the failure probability. The default is max(d, 1).
        phases : int, optional
            Largest number of phases. The default is floor(T/(M + 1)) + 1, which suffices for every
            stream.
        share : Fraction
            Share of epsilon that is spent on counting mistakes.
        calibrated : bool
            Whether to use the numerically computed scale of the noise, which is smaller than the
            scale of the theorem.

        Examples
        --------
        >>> import catalog
        >>> C = catalog.build("points:n=2^64")
        >>> learner = AgnosticPOP.from_theorem(
        ...     Budget(1, Fraction(1, 10**6)), C, 10**6, Fraction(1, 20)
        ... )
        >>> learner.run.pop.parameters.copies, learner.phases
        (1782272, 500001)
        >>> print(learner.bound(10))
        mistakes <= (floor(OPT/(M + 1)) + 1)*w = 417789630 [KMMNS23, Thm F.4], explicit, except \
with probability 1/20, vacuous: at most 1000000 anyway
        >>> fewer = AgnosticPOP.from_theorem(
        ...     Budget(4, Fraction(1, 10**6)), C, 10**12, Fraction(1, 20), phases=100
        ... )
        >>> fewer.bound(10).vacuous, f"{float(fewer.bound(10).value):.3g}"
        (False, '1.99e+10')
        """
        epsilon, delta = Budget.require(budget)
        dimension = concept_class.ldim()
        most = max(dimension, 1) if errors is None else integer(errors, "number of errors")
        allowed = rounds // (most + 1) + 1 if phases is None else phases
        counting, answers = _split(epsilon, share)
        base, each = SOAExperts(concept_class, most), failure / allowed
        parameters = POPParameters.from_theorem(
            replace(budget, epsilon=answers, delta=delta / allowed),
            max(1, experts_bound(dimension, most)),
            rounds,
            each / 2,
            calibrated=calibrated,
        )
        early = CumulativeAboveThreshold(counting, 1).early(rounds, each / 4)
        bound = base.mistake_bound
        assert bound is not None
        costly = parameters.costly(bound, each / 2)
        assert costly is not None
        run = POPUntilMistakes(POP(base, parameters), costly + early + 1, counting)
        return cls(run, allowed, failure)

    @cached_property
    def privacy(self) -> Event:
        """The privacy cost of a whole game, under challenge-DP."""
        return StreamParallel(self.run.privacy, self.phases)

    @property
    def parameters(self) -> POPParameters:
        """The parameters of POP that each phase uses."""
        return self.run.pop.parameters

    @property
    def rounds(self) -> int:
        """The largest number of rounds of a game."""
        return self.run.rounds

    @property
    def domain(self) -> Domain:
        """The points that the learner labels."""
        return self.run.domain

    @property
    def bounds(self) -> tuple[Bound, ...]:
        """The bounds for realizable streams (`AgnosticPOP.bound`)."""
        return () if self.run.pop.base.mistake_bound is None else (self.bound(0),)

    @check_arguments
    def bound(self, errors: int, failure: Failure | None = None) -> Bound:
        """Return the mistake bound for streams on which some concept errs at most `errors` times.

        The adversary may choose the stream adaptively.

        Parameters
        ----------
        errors : int
            Largest number OPT of errors of the best concept.
        failure : Fraction, optional
            Failure probability beta of the bound. The default is the field `failure`.

        Raises
        ------
        InvalidInput
            If a parameter is out of range, or the base learner has no mistake bound.
        """
        failure = self.failure if failure is None else failure
        optimum = integer(errors, "number of errors")
        base, parameters = self.run.pop.base, self.run.pop.parameters
        limit, most = base.mistake_bound, getattr(base, "errors", 0)
        if optimum < 0 or limit is None:
            raise InvalidInput(
                "The number of errors must be at least 0, and the base learner must state a "
                f"mistake bound. Got {optimum} and {limit}."
            )
        each = failure / self.phases
        costly = parameters.costly(limit, each / 2)
        quiet, spare = "all noise stays below k/4", "no phase halts by R mistakes or reports"
        few = "phases > OPT/(M + 1)"
        fits = few_errors(optimum)
        unmet = [] if costly is not None else [quiet, spare]
        if costly is not None and not self._patient(costly, each):
            unmet.append(spare)
        halting = optimum // (most + 1)
        if self.phases <= halting:
            unmet.append(few)
        return Bound(
            "[KMMNS23, Thm F.4], explicit",
            "mistakes",
            "(floor(OPT/(M + 1)) + 1)*w",
            (halting + 1) * self.run.most(each / 4),
            self.rounds,
            failure,
            (fits, quiet, spare, few),
            tuple(unmet),
        )

    def _patient(self, costly: int, failure: Fraction) -> bool:
        """Return whether neither test halts a phase with these numbers of mistakes and reports."""
        parameters = self.run.pop.parameters
        mechanism = parameters.mechanism
        early = mechanism.early(self.rounds, failure / 6)
        reports = mechanism.test is None or parameters.reports > costly + early
        return reports and self.run.least(failure / 4) > costly

    def start(self, coins: Coins) -> AgnosticState:
        """Return the state before the first round, which begins the first phase."""
        return AgnosticState(self, self.run.start(coins))

    def _predict(
        self, state: AgnosticState, point: Point, coins: Coins
    ) -> tuple[AgnosticState, Prediction]:
        require_own(self, state)
        require_rounds_left(state.played, self.rounds, "predictor")
        if state.run is None:
            raise InvalidInput(
                "The last prediction ended a phase. Learn its label to start another phase."
            )
        after, prediction = self.run._predict(state.run, point, coins)
        return replace(state, run=after, played=state.played + 1), prediction

    def _learn(
        self, state: AgnosticState, point: Point, label: Label, coins: Coins
    ) -> AgnosticState | None:
        require_own(self, state)
        run = state.run
        if run is not None:
            run = self.run._learn(run, point, label, coins)
        if run is not None:
            return replace(state, run=run)
        if state.phase >= self.phases:
            return None
        return AgnosticState(self, self.run.start(coins), state.phase + 1, state.played)

    def state_to_json(self, state: AgnosticState) -> dict[str, Any]:
        """Return a state as JSON values: the state of POP, and the number of the phase."""
        require_own(self, state)
        run = None if state.run is None else self.run.state_to_json(state.run)
        return {"run": run, "phase": state.phase, "played": state.played}

    def state_from_json(self, data: Any) -> AgnosticState:
        """Return the state that `AgnosticPOP.state_to_json` wrote."""
        run = None if data["run"] is None else self.run.state_from_json(data["run"])
        return AgnosticState(self, run, data["phase"], data["played"])

    def __str__(self) -> str:
        phases = f"{self.phases} phase{'s' * (self.phases > 1)}"
        return f"{self.run.pop}, in at most {phases} of about {self.run.mistakes} mistakes"

    def inspect(self, state: AgnosticState) -> Mapping[str, float]:
        """Return secret diagnostics: the values of `POP.inspect` and the number of the phase."""
        require_own(self, state)
        found = {} if state.run is None else dict(self.run.inspect(state.run))
        return {**found, "phase": float(state.phase)}


def _split(epsilon: Fraction, share: Fraction) -> tuple[Fraction, Fraction]:
    """Return the epsilon for counting mistakes, and the epsilon for POP."""
    return share * epsilon, (1 - share) * epsilon


# ---- by name


def _agnostic_pop(
    source: Source,
    rounds: int,
    *,
    budget: Spending,
    reports: Annotated[Disagreements | None, "By default, the learner never halts"] = None,
    errors: Annotated[
        int | None,
        Option(
            "largest number of errors of the best concept in one phase. The default is 0, or "
            "max(d, 1) with --theorem, where d is the Littlestone dimension",
            minimum=0,
        ),
    ] = None,
    mistakes: Annotated[
        PhaseMistakes | None, "By default, a single phase lasts until the game ends"
    ] = None,
    phases: Annotated[
        Phases | None,
        "The default is 1, or with --theorem a number that suffices for every stream",
    ] = None,
    theorem: Annotated[
        bool,
        Option(
            "choose the numbers of copies, reports and mistakes such that a mistake bound is "
            "proved. This option cannot be combined with --reports or --mistakes"
        ),
    ] = False,
    beta: Beta = None,
) -> AgnosticPOP:
    C = class_of(source)
    if theorem:
        if reports is not None or mistakes is not None:
            raise InvalidInput(
                "With --theorem, the numbers of reports and mistakes follow from the other "
                "parameters. Drop --reports and --mistakes, or --theorem."
            )
        failure = FAILURE if beta is None else beta
        return AgnosticPOP.from_theorem(budget, C, rounds, failure, errors=errors, phases=phases)
    if beta is not None:
        raise InvalidInput("The option --beta is about the theorem's bound. Add --theorem.")
    return AgnosticPOP.within(
        budget,
        C,
        0 if errors is None else errors,
        rounds,
        mistakes=rounds if mistakes is None else mistakes,
        phases=1 if phases is None else phases,
        reports=reports,
    )


LEARNERS = (
    OnlineEntry(
        "agnostic-pop",
        "private predictions in phases, for streams without a consistent concept [KMMNS23, Thm "
        "F.4]",
        _agnostic_pop,
        details=(
            "In each round, the learner predicts the label that most copies of a base learner "
            "predict, or a fair coin if many copies disagree. One random copy then receives the "
            "example. The base learner makes few mistakes while the best concept makes at most "
            "--errors errors. After too many mistakes or coins, a new phase starts with new "
            "copies. The privacy guarantee for one user covers the predictions for all other "
            "users."
        ),
    ),
)
