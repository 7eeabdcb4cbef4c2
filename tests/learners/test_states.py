"""States go on with what started them only: an attack on every place that takes one."""

from __future__ import annotations

import importlib
import pickle
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from inspect import isabstract
from typing import Any

import numpy as np
import pytest

import learners
from learners.coins import SeededCoins
from learners.estimators.online_classifier import OnlineClassifier
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
    Sparse,
    TreeCounter,
)
from learners.mechanisms.challenge_at import ChallengeATRun
from learners.mechanisms.counter import CounterRun
from learners.mechanisms.fresh_noise import FreshNoiseRun
from learners.mechanisms.hist_sparse import HistSparseRun
from learners.mechanisms.sparse_vector import AboveThresholdRun, CumulativeRun, SparseRun
from learners.online.agnostic_experts import AgnosticExperts
from learners.online.agnostic_pop import (
    AgnosticPOP,
    AgnosticState,
    MistakesState,
    POPUntilMistakes,
)
from learners.online.confident_winnow import ConfidentWinnow
from learners.online.constructed_experts import ConstructedExperts
from learners.online.copies import Copies
from learners.online.doubling import Doubling, DoublingState
from learners.online.dp_winnow import DPWinnow, WinnowState
from learners.online.features import Literals, ShortConjunctions
from learners.online.hedge import DPHedge
from learners.online.learner import PublishedState, PublishingLearner
from learners.online.pop import POP, POPState
from learners.online.pop_parameters import POPParameters
from learners.online.winnow import Winnow
from learners.sanitizers.intervals import IntervalRun, IntervalSanitizer, KeptPoints
from learners.states import State, require_own
from lsclasses import InvalidInput, Table
from lsclasses.soa import SOA, ConservativeSOA

TINY = Fraction(1, 10**6)
CUBE = Table([[0, 0], [0, 1], [1, 0], [1, 1]])
POINT = (0, 1)
X, Y = np.array([POINT] * 3), np.array([0, 1, 0])


def coins() -> SeededCoins:
    return SeededCoins(1)


# ---- everything that starts states, and others that differ from it in one parameter

WINNOW = DPWinnow(Literals(2), Fraction(1, 1000), 5, 3, 1, Fraction(1), 2)
WINNOWS = [
    replace(WINNOW, **changed)
    for changed in (
        {"features": ShortConjunctions(2, 1)},
        {"rate": Fraction(1)},
        {"updates": 6},
        {"draws": 4},
        {"threshold": 2},
        {"threshold_epsilon": Fraction(1000)},
        {"batch": 1},
        {"bias": False},
        {"balanced": False},
        {"delta": TINY},
    )
]

PARAMETERS = POPParameters(
    *(20, 1000, 9, Fraction(9), 0, Fraction(1), 0, 0), halting="cumulative", raise_delta=True
)
PARAMETERS_TOO = [
    replace(PARAMETERS, **changed)
    for changed in (
        {"copies": 21},
        {"reports": 2},
        {"rounds": 10},
        {"epsilon": 18},
        {"halting_epsilon": 11},
        {"halting": "tree"},
    )
]
PREDICTOR = POP(SOA(CUBE), PARAMETERS)
PREDICTORS = [
    *(replace(PREDICTOR, parameters=each) for each in PARAMETERS_TOO),
    replace(PREDICTOR, base=ConservativeSOA(CUBE)),
    replace(PREDICTOR, failure=TINY),
]
COUNTING = POPUntilMistakes(PREDICTOR, 5, Fraction(1))
COUNTERS = [
    *(replace(COUNTING, pop=each) for each in PREDICTORS),
    replace(COUNTING, mistakes=6),
    replace(COUNTING, epsilon=Fraction(100)),
]
AGNOSTIC = AgnosticPOP(COUNTING, 2)
AGNOSTICS = [*(replace(AGNOSTIC, run=each) for each in COUNTERS), replace(AGNOSTIC, phases=3)]


@dataclass(frozen=True)
class Saying(PublishingLearner):
    """Publishes the same concept again and again."""

    concept: int

    def _begin(self, coins: Any) -> int:
        return 0

    def _publish(self, kept: int, coins: Any) -> Any:
        return kept, CUBE[self.concept]

    def _receive(self, kept: int, point: Any, label: int, coins: Any) -> int:
        return kept + 1


SAYING, SAYINGS = Saying(0), [Saying(1)]


@dataclass(frozen=True)
class SayingFor:
    """Makes the same learner for every number of rounds."""

    concept: int

    def __call__(self, rounds: int) -> Saying:
        return Saying(self.concept)


GROWING = Doubling(SayingFor(0), 3)
GROWINGS = [Doubling(SayingFor(1), 3), Doubling(SayingFor(0), 4)]
ABOVE = AboveThreshold(1, 5)
ABOVES = [
    replace(ABOVE, epsilon=1000),
    replace(ABOVE, threshold=6),
    replace(ABOVE, sensitivity=2),
    replace(ABOVE, neighbours="add_remove"),
]
CUMULATIVE = CumulativeAboveThreshold(1, 5)
CUMULATIVES = [replace(CUMULATIVE, epsilon=1000), replace(CUMULATIVE, threshold=6)]
TREE = TreeCounter(1, 9)
TREES = [replace(TREE, epsilon=1000), replace(TREE, horizon=8)]
FRESH = FreshNoiseThreshold(1, TINY, 2, 5)
SPARSE = Sparse(1, 2, 5)
SPARSES = [replace(SPARSE, epsilon=1000), replace(SPARSE, reports=3), replace(SPARSE, threshold=6)]
CHALLENGE = ChallengeAT(1, 0, 1, 5, 1, 0, 9)
CHALLENGES = [
    replace(CHALLENGE, epsilon=1000),
    replace(CHALLENGE, reports=2),
    replace(CHALLENGE, halting_epsilon=1000),
    replace(CHALLENGE, horizon=8),
    replace(CHALLENGE, halting="tree"),
]
INTERVALS = IntervalSanitizer(3, (KeptPoints(), None))
NAMING = HistSparse(4, TINY, frequency=Fraction(1, 2), histograms=2, size=10)


class Doubling:
    """What `PickledObject` keeps."""

    def answer(self, item: int, coins: Any) -> int:
        return 2 * item


def doubling(coins: Any) -> Doubling:
    return Doubling()


def doubling_too(coins: Any) -> Doubling:
    return Doubling()


@dataclass(frozen=True)
class Talking:
    """A `User` that says one thing."""

    said: int

    def draw(self, coins: Any) -> None:
        return None

    def speak(self, randomness: Any, heard: tuple[Any, ...]) -> int | None:
        return None if heard else self.said


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
    return replace(state, kept=replace(state.kept, run=run))


Attack = tuple[Any, list[Any], Callable[[Any], Any], Callable[[Any, Any], Any]]


def begun(mechanism: Any) -> Any:
    return mechanism.start(coins())


def asked(mechanism: Any) -> Any:
    return begun(MechanismResponder(mechanism))


def learned(learner: Any) -> Any:
    """The state after a prediction, where a label can be told."""
    return learner.predict(begun(learner), 1, coins())[0]


ATTACKS: dict[str, Attack] = {
    "winnow, predict": (WINNOW, WINNOWS, begun, lambda m, s: m.predict(s, POINT, coins())),
    "winnow, learn": (WINNOW, WINNOWS, begun, lambda m, s: m.learn(s, POINT, 0, coins())),
    "winnow, publish": (WINNOW, WINNOWS, begun, lambda m, s: m.publish(s, coins())),
    "winnow, receive": (WINNOW, WINNOWS, begun, lambda m, s: m.receive(s, (POINT, 0), coins())),
    "winnow, hypothesis": (WINNOW, WINNOWS, begun, lambda m, s: m.hypothesis(s)),
    "winnow, inspect": (WINNOW, WINNOWS, begun, lambda m, s: m.inspect(s)),
    "winnow, run": (WINNOW, WINNOWS, begun, lambda m, s: m.run(X, Y, coins(), state=s)),
    "winnow, stream": (
        WINNOW,
        WINNOWS,
        begun,
        lambda m, s: respond(AdaptiveStream(m, 3), Ask((POINT, 0)))(s),
    ),
    "published": (SAYING, SAYINGS, begun, lambda m, s: m.predict(s, 1, coins())),
    "published, learn": (SAYING, SAYINGS, begun, lambda m, s: m.learn(s, 1, 0, coins())),
    "published, publish": (SAYING, SAYINGS, begun, lambda m, s: m.publish(s, coins())),
    "published, receive": (SAYING, SAYINGS, begun, lambda m, s: m.receive(s, (1, 0), coins())),
    "pop, predict": (PREDICTOR, PREDICTORS, begun, lambda m, s: m.predict(s, 1, coins())),
    "pop, learn": (PREDICTOR, PREDICTORS, learned, lambda m, s: m.learn(s, 1, 0, coins())),
    "pop, inspect": (PREDICTOR, PREDICTORS, begun, lambda m, s: m.inspect(s)),
    "pop, online game": (
        PREDICTOR,
        PREDICTORS,
        begun,
        lambda m, s: respond(OnlineGame(m, 3), Ask((1, 0)))(s),
    ),
    "pop, inputs": (
        PREDICTOR,
        PREDICTORS,
        begun,
        lambda m, s: respond(AdaptiveInputs(Answering(m), 3), Ask(1))(s),
    ),
    "pop, users": (
        PREDICTOR,
        PREDICTORS,
        begun,
        lambda m, s: respond(GeneralGame(Answering(m), 3), Ask(Talking(1)))(s),
    ),
    "pop, one by one": (PREDICTOR, PREDICTORS, begun, labelled_online),
    "counting, predict": (COUNTING, COUNTERS, begun, lambda m, s: m.predict(s, 1, coins())),
    "counting, learn": (COUNTING, COUNTERS, learned, lambda m, s: m.learn(s, 1, 0, coins())),
    "counting, inspect": (COUNTING, COUNTERS, begun, lambda m, s: m.inspect(s)),
    "agnostic, predict": (AGNOSTIC, AGNOSTICS, begun, lambda m, s: m.predict(s, 1, coins())),
    "agnostic, learn": (AGNOSTIC, AGNOSTICS, learned, lambda m, s: m.learn(s, 1, 0, coins())),
    "agnostic, inspect": (AGNOSTIC, AGNOSTICS, begun, lambda m, s: m.inspect(s)),
    "doubling, predict": (GROWING, GROWINGS, begun, lambda m, s: m.predict(s, 1, coins())),
    "doubling, publish": (GROWING, GROWINGS, begun, lambda m, s: m.publish(s, coins())),
    "doubling, learn": (GROWING, GROWINGS, learned, lambda m, s: m.learn(s, 1, 0, coins())),
    "asked": (
        MechanismResponder(ABOVE),
        [MechanismResponder(each) for each in ABOVES],
        begun,
        lambda m, s: m.answer(s, 3, coins()),
    ),
    "asked about": (
        MechanismQuerier(ABOVE),
        [MechanismQuerier(each) for each in ABOVES],
        lambda m: m.start((0,), coins()),
        lambda m, s: m.answer(s, len, coins()),
    ),
    "asked about, in its game": (
        MechanismQuerier(ABOVE),
        [MechanismQuerier(each) for each in ABOVES],
        lambda m: m.start((0,), coins()),
        lambda m, s: respond(AdaptiveQueries(m, 3), Ask(len))(s),
    ),
    "kept": (
        PickledObject(doubling),
        [PickledObject(doubling_too)],
        begun,
        lambda m, s: m.answer(s, 3, coins()),
    ),
    # Parts of runs, too.
    "test of sparse": (SPARSE.once, ABOVES, begun, lambda m, s: SparseRun(SPARSE, s, 2)),
    "test of names": (
        NAMING.test,
        [replace(NAMING.test, epsilon=1000), *ABOVES],
        begun,
        lambda m, s: HistSparseRun(NAMING, "a", s, 1),
    ),
    "test of halting": (
        CHALLENGE.test,
        [each.test for each in CHALLENGES if each.test != CHALLENGE.test],
        begun,
        lambda m, s: ChallengeATRun(CHALLENGE, s),
    ),
    "tree of halting": (
        replace(CHALLENGE, halting="tree").test,
        TREES,
        begun,
        lambda m, s: ChallengeATRun(replace(CHALLENGE, halting="tree"), s),
    ),
    "test of phases": (
        WINNOW.counter,
        CUMULATIVES,
        begun,
        lambda m, s: replace(begun(WINNOW), waiting=s),
    ),
    "test of mistakes": (
        COUNTING.test,
        CUMULATIVES,
        begun,
        lambda m, s: replace(begun(COUNTING), counter=s),
    ),
    "test of copies": (
        PARAMETERS.mechanism,
        CHALLENGES,
        begun,
        lambda m, s: replace(begun(PREDICTOR), run=s),
    ),
    "predictor of a phase": (
        PREDICTOR,
        PREDICTORS,
        begun,
        lambda m, s: replace(begun(COUNTING), pop=s),
    ),
    "phase of points": (
        INTERVALS,
        [replace(INTERVALS, horizon=2), replace(INTERVALS, replacers=(None, None))],
        begun,
        lambda m, s: CONSTRUCTED.receive(_with_run(s), (0, 1), coins()),
    ),
    "phase": (COUNTING, COUNTERS, begun, lambda m, s: replace(begun(AGNOSTIC), run=s)),
}
INNER = ("test of", "tree of", "predictor of", "phase")
"""Where the state stands in another one, which is its own."""


def anew(mechanism: Any) -> Any:
    """An equal mechanism that shares nothing with it."""
    return pickle.loads(pickle.dumps(mechanism))


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_only_what_started_a_state_goes_on_with_it(attack: Attack) -> None:
    mine, others, start, use = attack
    use(mine, start(mine))
    use(mine, start(anew(mine)))
    assert others
    for other in others:
        with pytest.raises(InvalidInput, match=r"was started .*costs its budget again"):
            use(mine, start(other))


@pytest.mark.parametrize("name", [name for name in ATTACKS if not name.startswith(INNER)])
def test_nor_does_what_started_it_pass_for_another(name: str) -> None:
    mine, others, start, use = ATTACKS[name]
    for other in others:
        with pytest.raises(InvalidInput, match="was started"):
            use(other, start(mine))
    for nothing in (7, object()):
        with pytest.raises(InvalidInput, match=r"is needed\. Got "):
            use(mine, nothing)


def states() -> set[type]:
    """All kinds of states in the library; the base of some of them is none."""
    for module in pkgutil.walk_packages(learners.__path__, "learners."):
        importlib.import_module(module.name)
    found, left = set(), [State]
    while left:
        more = left.pop().__subclasses__()
        left += more
        found |= {e for e in more if e.__module__.startswith("learners.") and not isabstract(e)}
    return found


RUNS: dict[type, Any] = {
    AboveThresholdRun: begun(ABOVE),
    CumulativeRun: begun(CUMULATIVE),
    SparseRun: begun(SPARSE),
    CounterRun: begun(TREE),
    FreshNoiseRun: begun(FRESH),
    ChallengeATRun: begun(CHALLENGE),
    HistSparseRun: NAMING.start({"a": 10}, coins()),
    WinnowState: begun(WINNOW),
    POPState: begun(PREDICTOR),
    MistakesState: begun(COUNTING),
    AgnosticState: begun(AGNOSTIC),
    MechanismState: asked(ABOVE),
    PickledState: begun(PickledObject(doubling)),
    PublishedState: begun(SAYING),
    DoublingState: begun(GROWING),
    IntervalRun: begun(INTERVALS),
}


def test_every_kind_of_state_is_tried_here() -> None:
    assert states() == set(RUNS)
    for kind, state in RUNS.items():
        assert type(state) is kind
        assert require_own(state.mechanism, state) is state
        assert fields(kind)[0].name == "mechanism" and fields(kind)[0].compare


@pytest.mark.parametrize("state", RUNS.values(), ids=[kind.__name__ for kind in RUNS])
def test_states_are_kept_with_what_they_were_started_with(state: Any) -> None:
    again = pickle.loads(pickle.dumps(state))
    assert again == state and hash(again) == hash(state)
    assert require_own(state.mechanism, again) is again


def test_equal_states_have_equal_mechanisms() -> None:
    run = begun(SPARSE)
    cheap = Sparse(Fraction(1, 1000), 2, 5)
    same = SparseRun(cheap, replace(run.current, mechanism=cheap.once), run.left)
    assert run != same
    assert begun(ABOVE) == begun(anew(ABOVE))


def test_what_is_left_is_spent_at_the_price_it_was_started_at() -> None:
    """Or a learner would state a thousandth of what the run costs."""
    costly, cheap = replace(WINNOW, rate=Fraction(1000), draws=50, batch=4), WINNOW
    assert costly.spent()[0] > 1000 * cheap.spent()[0]
    state = costly.run(X, Y, coins()).state
    with pytest.raises(
        InvalidInput,
        match=r"rate was 1000 and is 1/1000 here, draws was 50 and is 3 here, batch was 4",
    ):
        cheap.run(X, Y, coins(), state=state)


def test_states_that_contradict_themselves() -> None:
    state = begun(WINNOW)
    with pytest.raises(InvalidInput, match="Got 5 updates"):  # one phase more than is paid for
        replace(state, updates=5)
    with pytest.raises(InvalidInput, match="Got 0 updates"):  # phases that nothing counts
        replace(state, waiting=None)
    with pytest.raises(InvalidInput, match=r"noise is for 20 copies\. Got 3"):
        replace(begun(PREDICTOR), copies=Copies.of(SOA(CUBE), 3))
    with pytest.raises(InvalidInput, match="Got nothing"):
        replace(begun(CHALLENGE), test=None)
    never = ChallengeAT(1, 0, 1, 5, 0, 0, 9, halting="never")
    with pytest.raises(InvalidInput, match="a CumulativeAboveThreshold, not nothing"):
        ChallengeATRun(never, begun(CHALLENGE).test)


def test_messages_name_what_differs() -> None:
    with pytest.raises(InvalidInput, match="another kind of mechanism: an AboveThreshold, not a"):
        require_own(CUMULATIVE, begun(ABOVE))
    with pytest.raises(InvalidInput, match="epsilon was 18 and is 9 here"):
        PREDICTOR.inspect(begun(PREDICTORS[3]))
    with pytest.raises(InvalidInput, match=r"and is 6 here, sens.*, \.\.\.\. Go on"):
        require_own(AboveThreshold(2, 6, 3, "add_remove"), begun(ABOVE))
    with pytest.raises(InvalidInput, match=r"that a POP has returned is needed\. Got an int"):
        PREDICTOR.predict(3, 1, coins())  # type: ignore[arg-type]


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
    with pytest.raises(InvalidInput, match=r"each of 4 features\. Got 3"):
        replace(make(4), **{name: vector})
