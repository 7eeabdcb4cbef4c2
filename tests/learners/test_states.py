"""States go on with what started them only: an attack on every place that takes one."""

from __future__ import annotations

import importlib
import pickle
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction
from functools import cache
from inspect import isabstract, isclass
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator

import learners
from learners.audit.count_pairs import CountPair
from learners.audit.cumulants import BallCumulant, FloatCumulant
from learners.audit.exact_pairs import ExactPair
from learners.audit.float_pairs import FloatPair
from learners.coins import SeededCoins
from learners.exact.branches import ExactCoins
from learners.exact.output_distributions import Weight
from learners.exact.stepwise import StepLaws
from learners.experts.agnostic import AgnosticExperts
from learners.experts.constructed import ConstructedExperts
from learners.experts.evidence.private_claims import _Sleeper, _SleeperRun
from learners.experts.hedge import DPHedge
from learners.games import (
    AdaptiveInputs,
    AdaptiveQueries,
    AdaptiveStream,
    Ask,
    GeneralGame,
    MechanismQuerier,
    MechanismResponder,
    MechanismState,
    OnlineGame,
    PickledObject,
    PickledState,
)
from learners.mechanisms import (
    AboveThreshold,
    ChallengeAT,
    CumulativeAboveThreshold,
    FreshNoiseThreshold,
    HistSparse,
    OneSidedThreshold,
    Sparse,
    TreeCounter,
)
from learners.mechanisms.challenge_at import ChallengeATRun
from learners.mechanisms.counter import CounterRun
from learners.mechanisms.fresh_noise import FreshNoiseRun
from learners.mechanisms.hist_sparse import HistSparseRun
from learners.mechanisms.sparse_vector import (
    AboveThresholdRun,
    CumulativeRun,
    OneSidedRun,
    SparseRun,
)
from learners.mechanisms.voting_counters import VotingCounters, VotingRun
from learners.merging.evidence.games import ExactRun, ExactThreshold
from learners.optimal.linear import LinearProgram
from learners.optimal.predictor import AnswersState
from learners.playing.base.winnow import Winnow
from learners.playing.doubling import Doubling, DoublingState
from learners.playing.entries import ONLINE_LEARNERS
from learners.playing.features import Literals
from learners.playing.learner import PublishedState, PublishingLearner
from learners.playing.state_files import Segment
from learners.pop.agnostic import AgnosticPOP, AgnosticState
from learners.pop.algorithm import POP, POPState
from learners.pop.plan import POPParameters
from learners.pop.until_mistakes import MistakesState, POPUntilMistakes
from learners.sanitizers.interval_sanitizer import IntervalRun, IntervalSanitizer, KeptPoints
from learners.states import State, require_own
from learners.tables.online_classifier import OnlineClassifier
from learners.voting.evidence.firing_times import FiringTimes
from learners.winnow.algorithm import DPWinnow, WinnowState
from learners.winnow.confident import ConfidentWinnow
from lsclasses import InvalidInput, Table
from lsclasses.soa import SOA, ConservativeSOA
from tests.learners.games import players

TINY = Fraction(1, 10**6)
CUBE = Table([[0, 0], [0, 1], [1, 0], [1, 1]])
POINT = (0, 1)
X, Y = np.array([POINT] * 3), np.array([0, 1, 0])


def coins() -> SeededCoins:
    return SeededCoins(1)


# ---- everything that starts states, and another that differs from it in one parameter

WINNOW = DPWinnow(Literals(2), Fraction(1, 1000), 5, 3, 1, Fraction(1), 2)
PARAMETERS = POPParameters(
    *(20, 1000, 9, Fraction(9), 0, Fraction(1), 0, 0), halting="cumulative", raise_delta=True
)
PREDICTOR = POP(SOA(CUBE), PARAMETERS)
PREDICTOR_TOO = replace(PREDICTOR, parameters=replace(PARAMETERS, epsilon=18))
COUNTING = POPUntilMistakes(PREDICTOR, 5, Fraction(1))
COUNTING_TOO = replace(COUNTING, pop=PREDICTOR_TOO)
AGNOSTIC = AgnosticPOP(COUNTING, 2)


@dataclass(frozen=True)
class Saying(PublishingLearner):
    """Publishes the same concept again and again."""

    concept: int

    def _begin(self, coins: Any) -> int:
        return 0

    def _publish(self, played: int, coins: Any) -> Any:
        return played, CUBE[self.concept]

    def _receive(self, played: int, point: Any, label: int, coins: Any) -> int:
        return played + 1


@dataclass(frozen=True)
class SayingFor:
    """Makes the same learner for every number of rounds."""

    concept: int

    def __call__(self, rounds: int) -> Saying:
        return Saying(self.concept)


GROWING = Doubling(SayingFor(0), 3)
ABOVE, ABOVE_TOO = AboveThreshold(1, 5), AboveThreshold(1000, 5)
CUMULATIVE = CumulativeAboveThreshold(1, 5)
ONE_SIDED = OneSidedThreshold(1, 5)
TREE = TreeCounter(1, 9)
FRESH = FreshNoiseThreshold(1, TINY, 2, 5)
SPARSE = Sparse(1, 2, 5)
CHALLENGE = ChallengeAT(1, 0, 1, 5, 1, 0, 9)
INTERVALS = IntervalSanitizer(3, (KeptPoints(), None))
NAMING = HistSparse(4, TINY, frequency=Fraction(1, 2), histograms=2, size=10)


class Twice:
    """What `PickledObject` keeps."""

    def answer(self, item: int, coins: Any) -> int:
        return 2 * item


def twice(coins: Any) -> Twice:
    return Twice()


def twice_too(coins: Any) -> Twice:
    return Twice()


@dataclass(frozen=True)
class Answering:
    """Any answer of a learner, as a `Responder`."""

    learner: Any

    def start(self, coins: Any) -> Any:
        return self.learner.start(coins)

    def answer(self, state: Any, item: Any, coins: Any) -> Any:
        return self.learner.predict(state, item, coins)


def labelled_online(mine: Any, state: Any) -> None:
    model = OnlineClassifier(mine, coins())
    model.state = state
    model.predict_one(1)


def respond(game: Any, move: Any) -> Callable[[Any], Any]:
    return lambda state: game.respond(state, move, 0, coins())


CONSTRUCTED = AgnosticExperts(
    CUBE,
    INTERVALS,
    DPHedge(ConstructedExperts(ConservativeSOA(CUBE), 3), 3, Fraction(1)),
)


def _with_run(run: IntervalRun) -> Any:
    """A state of the learner with another sanitizer's run in it."""
    state = CONSTRUCTED.start(coins())
    return replace(state, inner=replace(state.inner, run=run))


Attack = tuple[Any, Any, Callable[[Any], Any], Callable[[Any, Any], Any]]
"""What may go on with a state, what may not, how a state is started, and what goes on with it."""


def begun(mechanism: Any) -> Any:
    return mechanism.start(coins())


def point(learner: Any) -> Any:
    """One of its domain."""
    return POINT if isinstance(learner, DPWinnow) else 1


def learned(learner: Any) -> Any:
    """The state after a prediction, where a label can be told."""
    return learner.predict(begun(learner), point(learner), coins())[0]


CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "predict": lambda m, s: m.predict(s, point(m), coins()),
    "learn": lambda m, s: m.learn(s, point(m), 0, coins()),
    "publish": lambda m, s: m.publish(s, coins()),
    "receive": lambda m, s: m.receive(s, (point(m), 0), coins()),
    "inspect": lambda m, s: m.inspect(s),
    "hypothesis": lambda m, s: m.hypothesis(s),
    "run": lambda m, s: m.run(X, Y, coins(), state=s),
    "answer": lambda m, s: m.answer(s, 3, coins()),
    "answer about data": lambda m, s: m.answer(s, len, coins()),
    "online game": lambda m, s: respond(OnlineGame(m, 3), Ask((point(m), 0)))(s),
    "stream": lambda m, s: respond(AdaptiveStream(m, 3), Ask((point(m), 0)))(s),
    "inputs": lambda m, s: respond(AdaptiveInputs(Answering(m), 3), Ask(point(m)))(s),
    "queries": lambda m, s: respond(AdaptiveQueries(m, 3), Ask(len))(s),
    "users": lambda m, s: respond(GeneralGame(Answering(m), 3), Ask(players.Saying(point(m))))(s),
    "one by one": labelled_online,
}
STARTED: list[tuple[Any, Any, Callable[[Any], Any], tuple[str, ...]]] = [
    (
        WINNOW,
        replace(WINNOW, rate=Fraction(1)),
        begun,
        ("predict", "learn", "publish", "receive", "hypothesis", "inspect", "run", "stream"),
    ),
    (Saying(0), Saying(1), begun, ("predict", "learn", "publish", "receive")),
    (
        PREDICTOR,
        PREDICTOR_TOO,
        begun,
        ("predict", "inspect", "online game", "inputs", "users", "one by one"),
    ),
    (PREDICTOR, PREDICTOR_TOO, learned, ("learn",)),
    (COUNTING, COUNTING_TOO, begun, ("predict", "inspect")),
    (COUNTING, COUNTING_TOO, learned, ("learn",)),
    (AGNOSTIC, replace(AGNOSTIC, run=COUNTING_TOO), begun, ("predict", "inspect")),
    (AGNOSTIC, replace(AGNOSTIC, phases=3), learned, ("learn",)),
    (GROWING, Doubling(SayingFor(1), 3), begun, ("predict", "publish")),
    (GROWING, Doubling(SayingFor(0), 4), learned, ("learn",)),
    (MechanismResponder(ABOVE), MechanismResponder(ABOVE_TOO), begun, ("answer",)),
    (
        MechanismQuerier(ABOVE),
        MechanismQuerier(ABOVE_TOO),
        lambda m: m.start((0,), coins()),
        ("answer about data", "queries"),
    ),
    (PickledObject(twice), PickledObject(twice_too), begun, ("answer",)),
]
ATTACKS: dict[str, Attack] = {
    f"{type(mine).__name__}, {name}": (mine, other, start, CALLS[name])
    for mine, other, start, names in STARTED
    for name in names
}
INNER: dict[str, Attack] = {
    "test of sparse": (SPARSE.once, ABOVE_TOO, begun, lambda m, s: SparseRun(SPARSE, s, 2)),
    "test of names": (NAMING.test, ABOVE, begun, lambda m, s: HistSparseRun(NAMING, "a", s, 1)),
    "test of halting": (
        CHALLENGE.test,
        replace(CHALLENGE, halting_epsilon=1000).test,
        begun,
        lambda m, s: ChallengeATRun(CHALLENGE, s),
    ),
    "tree of halting": (
        replace(CHALLENGE, halting="tree").test,
        replace(TREE, horizon=8),
        begun,
        lambda m, s: ChallengeATRun(replace(CHALLENGE, halting="tree"), s),
    ),
    "test of phases": (
        WINNOW.counter,
        CUMULATIVE,
        begun,
        lambda m, s: replace(begun(WINNOW), waiting=s),
    ),
    "test of mistakes": (
        COUNTING.test,
        replace(CUMULATIVE, threshold=6),
        begun,
        lambda m, s: replace(begun(COUNTING), counter=s),
    ),
    "test of copies": (
        PARAMETERS.mechanism,
        CHALLENGE,
        begun,
        lambda m, s: replace(begun(PREDICTOR), run=s),
    ),
    "predictor of a phase": (
        PREDICTOR,
        PREDICTOR_TOO,
        begun,
        lambda m, s: replace(begun(COUNTING), pop=s),
    ),
    "phase of points": (
        INTERVALS,
        replace(INTERVALS, horizon=2),
        begun,
        lambda m, s: CONSTRUCTED.receive(_with_run(s), (0, 1), coins()),
    ),
    "phase": (COUNTING, COUNTING_TOO, begun, lambda m, s: replace(begun(AGNOSTIC), run=s)),
}
"""Where the state stands in another one, which is its own."""


def anew(mechanism: Any) -> Any:
    """An equal mechanism that shares nothing with it."""
    return pickle.loads(pickle.dumps(mechanism))


@pytest.mark.parametrize("name", ATTACKS | INNER)
def test_only_what_started_a_state_goes_on_with_it(name: str) -> None:
    mine, other, start, use = (ATTACKS | INNER)[name]
    use(mine, start(mine))
    use(mine, start(anew(mine)))
    with pytest.raises(InvalidInput, match="was started"):
        use(mine, start(other))
    if name in ATTACKS:
        with pytest.raises(InvalidInput, match="was started"):
            use(other, start(mine))
        with pytest.raises(InvalidInput, match="Got an int"):
            use(mine, 7)


@cache
def classes() -> list[type]:
    """All classes of the library."""
    modules = pkgutil.walk_packages(learners.__path__, "learners.")
    return [
        thing
        for module in [importlib.import_module(each.name) for each in modules]
        for thing in vars(module).values()
        if isclass(thing) and thing.__module__ == module.__name__
    ]


WORKING = {
    *(ExactCoins, Weight, StepLaws, LinearProgram, Segment),
    *(BallCumulant, FloatCumulant, CountPair, ExactPair, FloatPair, FiringTimes),
}
"""Public dataclasses that change while they work, except commands and estimators."""


def test_descriptions_cannot_be_changed_after_they_were_checked() -> None:
    changing = {
        each
        for each in classes()
        if is_dataclass(each) and not each.__dataclass_params__.frozen  # type: ignore[attr-defined]
    }
    assert {
        each
        for each in changing
        if not each.__name__.startswith("_")
        and not each.__module__.startswith("learners.commands")
        and not issubclass(each, BaseEstimator)
    } == WORKING


def states() -> set[type]:
    """All kinds of states in the library; the base of some of them is none."""
    assert classes()
    found, left = set(), [State]
    while left:
        more = left.pop().__subclasses__()
        left += more
        found |= {e for e in more if e.__module__.startswith("learners.") and not isabstract(e)}
    return found


RUNS: dict[type, Any] = {
    AboveThresholdRun: begun(ABOVE),
    CumulativeRun: begun(CUMULATIVE),
    OneSidedRun: begun(ONE_SIDED),
    _SleeperRun: begun(_Sleeper(Fraction(1, 2))),
    SparseRun: begun(SPARSE),
    CounterRun: begun(TREE),
    FreshNoiseRun: begun(FRESH),
    ChallengeATRun: begun(CHALLENGE),
    HistSparseRun: NAMING.start(coins()).ask({"a": 10}, coins())[1],
    WinnowState: begun(WINNOW),
    POPState: begun(PREDICTOR),
    MistakesState: begun(COUNTING),
    AgnosticState: begun(AGNOSTIC),
    MechanismState: begun(MechanismResponder(ABOVE)),
    PickledState: begun(PickledObject(twice)),
    PublishedState: begun(Saying(0)),
    DoublingState: begun(GROWING),
    IntervalRun: begun(INTERVALS),
    VotingRun: begun(VotingCounters(1, TINY, 5)),
    ExactRun: begun(ExactThreshold(1, 5)),
    AnswersState: begun(ONLINE_LEARNERS["optimal-predictor"].learner("points:n=2", 2)),
}


def test_every_kind_of_state_is_tried_here() -> None:
    assert states() == set(RUNS)


@pytest.mark.parametrize("kind", RUNS, ids=lambda kind: kind.__name__)
def test_states_are_compared_with_all_that_started_them_and_kept_with_it(kind: type) -> None:
    state = RUNS[kind]
    assert type(state) is kind
    assert fields(kind)[0].name == "mechanism" and fields(kind)[0].compare
    assert all(each.compare for each in fields(state.mechanism))
    again = pickle.loads(pickle.dumps(state))
    assert again == state and hash(again) == hash(state)
    assert require_own(state.mechanism, again) is again


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda n: ConfidentWinnow(Literals(n), Fraction(1, 3)), "scores"),
        (lambda n: Winnow(Literals(n), Fraction(1, 3)), "agreements"),
    ],
)
def test_progress_with_other_features_is_refused(make: Any, name: str) -> None:
    """States without randomness carry all of their parameters; only their vectors can misfit."""
    state = make(3)
    vector = getattr(state.observe((0, 0, 1), 1 - state.predict((0, 0, 1))), name)
    assert getattr(replace(state, **{name: vector}), name) == vector
    with pytest.raises(InvalidInput, match="4"):
        replace(make(4), **{name: vector})
