"""Any mistake-bounded learner as a private predictor: POP [KMMNS23, Alg 7]."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated, Any

from learners.bounds import Bound
from learners.checked import Failure
from learners.coins import Coins
from learners.concentration import FAILURE
from learners.mechanisms.challenge_at import ChallengeATRun
from learners.playing.base.state import Prediction
from learners.playing.copies import Copies
from learners.playing.entries import OnlineEntry, Source, base_state
from learners.playing.private_options import Base, Beta, Spending
from learners.playing.reduction import Reduction
from learners.pop.plan import CopyCount, Disagreements, POPParameters
from learners.states import State, require_own, require_rounds_left
from lsclasses.errors import InvalidInput
from lsclasses.numbers import plural
from lsclasses.online import MistakeBounded
from lsclasses.options import Option, check_fields
from lsclasses.point_names import Label, Point

__all__ = ["POP", "POPState"]


@dataclass(frozen=True)
class POPState(State["POP"]):
    """The state of `POP` between rounds, which is entirely secret.

    Attributes
    ----------
    copies : Copies
        The k copies of the base learner.
    run : ChallengeATRun
        The threshold test, with the number of rounds played.
    ones : int or None
        Number of copies that predicted 1 in the last round. It does not affect equality.
    """

    copies: Copies[MistakeBounded]
    run: ChallengeATRun
    ones: int | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        require_own(self.mechanism.parameters.mechanism, self.run)
        if self.copies.count != self.mechanism.parameters.copies:
            raise InvalidInput(
                f"The noise is for {self.mechanism.parameters.copies} copies. Got "
                f"{self.copies.count}."
            )


@dataclass(frozen=True)
class POP(Reduction):
    """Private prediction by a noisy majority of k copies of an online learner (POP).

    In a round with the point x, let c of the k copies predict 1. A noisy threshold test,
    `ChallengeAT`, decides whether the minority of min(c, k - c) copies noisily has at least k/4
    copies. If so, the prediction is a fair coin, which is called a *report*. If not, the prediction
    is the label of the majority (0 for a tie). Then one uniformly random copy learns the example
    (x, y). The learner reveals which predictions are coins (`Prediction.coin`). The proof covers
    this information, so it has no additional privacy cost. When `ChallengeAT` halts, for example
    after too many reports, the learner halts after this prediction.

    **Guarantee.** For all parameters, base learners and streams, `privacy` is (epsilon,
    delta)-challenge-DP [KMMNS23, Def. 3.1], with the numbers of `POPParameters`. Each round serves
    one user. The guarantee bounds the information that the predictions for all other users reveal
    about one user's example. The prediction for this user depends on the user's point with almost
    no noise.

    **Proof.** Let B be the adversary. In one round, the challenge, B chooses two examples, and a
    secret bit selects the example that is played. Play both games at once, one for each value of
    the secret bit. Use the same choices of learning copies and the same coins in both games. After
    B's challenge, only the copy of the learner that learned the challenge differs between the two
    games, because each copy learns only its examples. So in the later rounds, the sizes of the
    minority differ by at most 1 between the two games. So these sizes are queries of sensitivity 1
    to a data set that consists only of the secret bit. In the round of the challenge, the two games
    may have different points, so the two sizes may differ by any amount. `ChallengeAT` allows one
    such query with two arbitrary versions. The view of B can be computed from the answers of
    `ChallengeAT` and from the majorities of either game, except in one case: a majority is the
    prediction in a later round in which the majorities of the two games differ.

    This case is an event of the view. A second event is that there are more reports than the noise
    of `ChallengeAT` covers. Outside these two events, the guarantee of `ChallengeAT` applies. For
    each value of the secret bit, one of the two events happens with probability at most
    halting_failure + majority_failure, which is added to delta. The reason is a bound on the rounds
    in which majorities can differ before there are too many reports (see `POPParameters`).

    **Mistakes.** `bounds` hold for realizable streams, even if the adversary chooses each label
    after it observes the prediction, because the copy that learns is drawn later. The docstring of
    `POPParameters.costly` contains the proof. The bounds are vacuous except for the largest numbers
    of rounds.

    **Queries.** The paper tests whether -abs(k/2 - c) >= -k/4. The left side is not an integer if k
    is odd. Since min(c, k - c) = k/2 - abs(k/2 - c), the paper's test is equivalent to the test
    above.

    Parameters
    ----------
    base : MistakeBounded
        Starting state of a deterministic learner with a mistake bound, such as ``SOA(C)``,
        ``ConservativeSOA(C)`` (fastest), `Halving` or `Winnow`. The base learner must accept
        examples that contradict every concept, as the named learners do, because an error that it
        raises is not private. Wrap it in `learners.playing.bound_guard.BoundGuard` to find streams
        on which it errs more often than its bound allows. The guarantee covers only the examples of
        the game, not examples that the starting state has learned before.
    parameters : POPParameters
        Number of copies, parameters of the threshold test, and privacy costs.
    failure : Fraction
        Largest probability beta that `bounds` fail.

    Raises
    ------
    InvalidInput
        If the base learner is not a `MistakeBounded` state, or the failure is out of range.
    TooLarge
        If the number of copies is too large.

    References
    ----------
    [KMMNS23, Alg 7, Thm 5.1 to 5.3], with the constants of `docs/private-prediction.md`.

    Examples
    --------
    >>> import catalog
    >>> from fractions import Fraction
    >>> from learners.budget import Budget
    >>> from learners.coins import SeededCoins
    >>> from learners.playing.adversaries import RandomConcept
    >>> from learners.playing.play import play
    >>> from lsclasses.soa import ConservativeSOA
    >>> C = catalog.build("thresholds:n=2^20")
    >>> parameters = POPParameters.within(Budget(8, Fraction(1, 10**6)), 10**4)
    >>> learner = POP(ConservativeSOA(C), parameters)
    >>> learner.privacy.epsilon, float(learner.privacy.delta), learner.privacy.neighbours
    (Fraction(8, 1), 1e-06, 'challenge')
    >>> transcript = play(learner, RandomConcept(C), 10**4, SeededCoins(1))
    >>> transcript.mistakes, transcript.reports, transcript.halted
    (3568, 2634, False)
    """

    base: MistakeBounded
    parameters: POPParameters
    failure: Failure = FAILURE

    def __post_init__(self) -> None:
        super().__post_init__()
        check_fields(self)
        self._copies()  # refuses too many

    @cached_property
    def bounds(self) -> tuple[Bound, ...]:
        """The proved bounds, which are empty if the base learner has no mistake bound."""
        bound = self.base_bound
        return () if bound is None else self.parameters.bounds(bound, self.failure)

    def _copies(self) -> Copies[MistakeBounded]:
        return Copies.of(self.base, self.parameters.copies)

    def start(self, coins: Coins) -> POPState:
        """Return the state before the first round, in which all copies are in the base state."""
        copies = self._copies()  # [KMMNS23, Alg 7 step 1]
        run = self.parameters.mechanism.start(coins)  # [KMMNS23, Alg 7 step 2]
        return POPState(self, copies, run)

    def _predict(
        self, state: POPState, point: Point, coins: Coins
    ) -> tuple[POPState | None, Prediction]:
        require_own(self, state)
        require_rounds_left(state.run.asked, self.rounds, "predictor")
        # [KMMNS23, Alg 7 step 3a], [KMMNS23, Alg 7 step 3b], [KMMNS23, Alg 7 step 3d]
        ones, copies = state.copies._ones(point), self.parameters.copies
        # [KMMNS23, Alg 7 step 3e]
        noisy, run = state.run.ask(min(ones, copies - ones), coins)
        # [KMMNS23, Alg 7 step 3f]
        label = coins.below(2) if noisy else int(2 * ones > copies)
        after = None if run.halted else replace(state, run=run, ones=ones)
        return after, Prediction(label, noisy)

    def _learn(self, state: POPState, point: Point, label: Label, coins: Coins) -> POPState:
        require_own(self, state)
        # [KMMNS23, Alg 7 step 3c]: no earlier step depends on the chosen copy.
        chosen = coins.below(self.parameters.copies)
        # [KMMNS23, Alg 7 step 3g], [KMMNS23, Alg 7 step 3h]
        return replace(state, copies=state.copies._advanced(chosen, point, label))

    def state_to_json(self, state: POPState) -> dict[str, Any]:
        """Return a state as JSON values.

        The values are the states of the copies of the base learner, the number of copies in each
        state, and the state of the noisy test.
        """
        require_own(self, state)
        copies = [[each.to_json(self.base), count] for each, count in state.copies.items()]
        return {"copies": copies, "run": state.run.to_json()}

    def state_from_json(self, data: Any) -> POPState:
        """Return the state that `POP.state_to_json` wrote."""
        copies = Copies((self.base.from_json(each), count) for each, count in data["copies"])
        run = ChallengeATRun.from_json(self.parameters.mechanism, data["run"])
        return POPState(self, copies, run)

    def inspect(self, state: POPState) -> Mapping[str, float]:
        """Return secret diagnostics of a state, for simulations only and never for a release.

        Returns
        -------
        mapping
            ``states`` is the number of different states of the copies. ``contradicted`` is the
            share of copies that have learned examples that contradict every concept. The base
            learner's bound does not hold for these copies. ``ones`` is the share of copies that
            predicted 1 in the last round, if there was a round.

        Raises
        ------
        InvalidInput
            If another learner started the state.
        """
        require_own(self, state)
        copies = self.parameters.copies
        stray = sum(count for base, count in state.copies.items() if base.mistake_bound is None)
        found = {"states": float(state.copies.distinct), "contradicted": stray / copies}
        if state.ones is not None:
            found["ones"] = state.ones / copies
        return found

    def __str__(self) -> str:
        copies = plural(self.parameters.copies, "copy", "copies")
        return f"POP of {copies} of {type(self.base).__name__}"


# ---- by name


def _pop(
    source: Source,
    rounds: int,
    *,
    budget: Spending,
    reports: Annotated[
        Disagreements | None,
        "By default, or if a limit on the reports does not reduce the noise, the learner never "
        "halts",
    ] = None,
    copies: Annotated[
        CopyCount | None, "The default is the least number that privacy allows"
    ] = None,
    base: Base,
    theorem: Annotated[
        bool,
        Option(
            "choose the numbers of copies and reports such that a mistake bound is proved. This "
            "option cannot be combined with --copies or --reports"
        ),
    ] = False,
    beta: Beta = None,
) -> POP:
    state = base_state(base, source)
    if not theorem:
        if beta is not None:
            raise InvalidInput("The option --beta is about the theorem's bound. Add --theorem.")
        parameters = POPParameters.within(budget, rounds, reports)
        if copies is not None:
            if copies < parameters.copies:
                raise InvalidInput(
                    f"With this budget, privacy needs at least {parameters.copies} copies. "
                    f"Got {copies}."
                )
            parameters = replace(parameters, copies=copies)
        return POP(state, parameters)
    if reports is not None or copies is not None:
        raise InvalidInput(
            "With --theorem, the numbers of reports and copies follow from the other parameters. "
            "Drop --reports and --copies, or --theorem."
        )
    bound, failure = state.mistake_bound, FAILURE if beta is None else beta
    assert bound is not None
    parameters = POPParameters.from_theorem(budget, bound, rounds, failure)
    return POP(state, parameters, failure)


LEARNERS = (
    OnlineEntry(
        "pop",
        "private predictions by many copies of a base learner [KMMNS23, Alg 7]",
        _pop,
        details=(
            "In each round, the learner predicts the label that most copies predict. If the "
            "number of copies with the other label, plus noise, exceeds a quarter of all copies, "
            "the learner predicts a fair coin instead. One random copy then receives the example. "
            "The privacy guarantee for one user covers the predictions for all other users, but "
            "not the prediction for this user."
        ),
    ),
)
