"""POP that also halts after about a given number of mistakes [KMMNS23, Def. F.2]."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any

from learners.accounting import CHALLENGE, ApproximateDP, Event, Scope, basic
from learners.checked import Epsilon
from learners.coins import Coins
from learners.mechanisms.sparse_vector import CumulativeAboveThreshold, CumulativeRun
from learners.playing.base.state import Prediction
from learners.playing.learner import OnlineLearner
from learners.pop.algorithm import POP, POPState
from learners.states import State, require_own
from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput
from lsclasses.options import Option, check_fields
from lsclasses.point_names import Label, Point


@dataclass(frozen=True)
class MistakesState(State["POPUntilMistakes"]):
    """The state of `POPUntilMistakes` between rounds, which is entirely secret.

    Attributes
    ----------
    pop : POPState
        State of POP.
    counter : CumulativeRun
        The test on the number of mistakes.
    shown : int or None
        The prediction of the round that is being played.
    """

    pop: POPState
    counter: CumulativeRun
    shown: int | None = None

    def __post_init__(self) -> None:
        require_own(self.mechanism.pop, self.pop)
        require_own(self.mechanism.test, self.counter)


PhaseMistakes = Annotated[
    int,
    Option(
        "approximate number of mistakes after which a phase of the learner ends",
        minimum=1,
        noun="number of mistakes",
    ),
]


@dataclass(frozen=True)
class POPUntilMistakes(OnlineLearner):
    """POP that halts after about v mistakes: POP[u,w] [KMMNS23, Def. F.2].

    After every round `CumulativeAboveThreshold` reads whether the prediction was wrong. The
    learner halts once this test reports that v mistakes were made. So it halts after between u =
    `least` and w = `most` mistakes, except for a failure. It may halt before, as POP does.

    **Guarantee.** `privacy` is (epsilon(POP) + c, delta(POP))-challenge-DP, where c = `epsilon` is
    the cost of the test when one bit of its stream is changed.

    **Proof.** The mistake bits of all rounds but the challenge's round are public, because the
    adversary observes the predictions and chose the labels. Two bits depend on a prediction that
    only the user observes: the mistake bit of the challenge, and the bit of POP's own halting test,
    which is whether POP reported in that round. Take both bits together as one item s of a stream
    that both halting tests read. The two tests are (c' + c)-DP, c' being the epsilon of POP's test,
    when one item is changed. With this s, `ChallengeAT` proves its guarantee without changes. Fix
    the choices of the copies, which are independent of everything else. Then, given the view before
    the challenge, s depends on noise and coins of that round only. Let P_b be the distribution of
    the view for the secret bit b. Let G_b^s be the distribution of the view in the game in which
    the tests are always fed s in the challenge's round. Then P_b(v) = sum_s w_b^s(v) G_b^s(v), with
    weights that sum up to 1 and depend on the view before the challenge. G_0^s and G_1^s, with s
    drawn with weights w_0 and shown, differ by (e, delta(POP)), e = epsilon(POP) - c', since they
    use no answer to the challenge. Moreover,
    G_b^s(v) <= exp(c' + c) G_b^s'(v). As in `ChallengeAT`, the convexity of max(0, x) gives

        sum_v max(0, P_0(v) - exp(e + c' + c) P_1(v))
            <= sum_(v,s) w_0^s(v) max(0, G_0^s(v) - exp(e) G_1^s(v)) <= delta(POP).

    Parameters
    ----------
    pop : POP
        Learner whose mistakes are counted.
    mistakes : int
        Number v of mistakes, at least 1.
    epsilon : Fraction or int
        Cost of counting mistakes.

    Raises
    ------
    InvalidInput
        If `mistakes` or epsilon is not positive, or epsilon is a float.

    Examples
    --------
    >>> import catalog
    >>> from learners.budget import Budget
    >>> from learners.pop.plan import POPParameters
    >>> from lsclasses.soa import ConservativeSOA
    >>> C = catalog.build("points:n=2^20")
    >>> pop = POP(ConservativeSOA(C), POPParameters.within(Budget(2, Fraction(1, 10**6)), 1000))
    >>> learner = POPUntilMistakes(pop, mistakes=100, epsilon=Fraction(1, 4))
    >>> basic(learner.privacy)
    (Fraction(9, 4), Fraction(1, 1000000))
    >>> learner.least(Fraction(1, 20)), learner.most(Fraction(1, 20))
    (48, 113)
    """

    pop: POP
    mistakes: PhaseMistakes
    epsilon: Epsilon

    def __post_init__(self) -> None:
        check_fields(self)

    @cached_property
    def test(self) -> CumulativeAboveThreshold:
        """The private test whether the number of mistakes is too large."""
        return CumulativeAboveThreshold(self.epsilon, self.mistakes)

    @cached_property
    def privacy(self) -> Event:
        """The privacy cost of a whole game, under challenge-DP."""
        epsilon, delta = basic(self.pop.privacy)
        return ApproximateDP(
            epsilon + self.epsilon,
            delta,
            name="POP until mistakes",
            scope=Scope.adaptive(CHALLENGE),
        )

    @property
    def rounds(self) -> int:
        """The largest number of rounds of a game."""
        return self.pop.parameters.rounds

    @property
    def domain(self) -> Domain:
        """The points that the learner labels."""
        return self.pop.domain

    def least(self, failure: Fraction) -> int:
        """Return u: the test halts before u mistakes with probability at most `failure`."""
        return self.mistakes - self.test.early(self.rounds, failure)

    def most(self, failure: Fraction) -> int:
        """Return the mistake bound w, which fails with probability at most `failure`."""
        return self.mistakes + self.test.late(failure)

    def start(self, coins: Coins) -> MistakesState:
        """Return the state before the first round, with new runs of POP and of the test."""
        return MistakesState(self, self.pop.start(coins), self.test.start(coins))

    def _predict(
        self, state: MistakesState, point: Point, coins: Coins
    ) -> tuple[MistakesState | None, Prediction]:
        require_own(self, state)
        after, prediction = self.pop._predict(state.pop, point, coins)
        if after is None:
            return None, prediction
        return replace(state, pop=after, shown=prediction.label), prediction

    def _learn(
        self, state: MistakesState, point: Point, label: Label, coins: Coins
    ) -> MistakesState | None:
        require_own(self, state)
        if state.shown is None:
            raise InvalidInput("A label was given before its prediction. Predict first.")
        wrong = int(state.shown != label)
        halted, counter = state.counter.ask(wrong, coins)
        if halted:
            return None
        return MistakesState(self, self.pop._learn(state.pop, point, label, coins), counter)

    def state_to_json(self, state: MistakesState) -> dict[str, Any]:
        """Return the state of POP and the state of the test."""
        require_own(self, state)
        return {"pop": self.pop.state_to_json(state.pop), "counter": state.counter.to_json()}

    def state_from_json(self, data: Any) -> MistakesState:
        """Return the state that `state_to_json` wrote."""
        counter = CumulativeRun.from_json(self.test, data["counter"])
        return MistakesState(self, self.pop.state_from_json(data["pop"]), counter)

    def inspect(self, state: MistakesState) -> Mapping[str, float]:
        """Return secret diagnostics: the diagnostics of POP, and the mistakes so far."""
        require_own(self, state)
        return {**self.pop.inspect(state.pop), "mistakes": float(state.counter.total)}
