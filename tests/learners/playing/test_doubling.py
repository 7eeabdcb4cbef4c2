"""Fresh learners for 1, 2, 4, ... rounds: what they see, what they cost, what they promise."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

import catalog
from learners.accounting import ApproximateDP, Event, PureDP, Scope, basic
from learners.audit import ExploredGame
from learners.audit.audit_registry import instance
from learners.balls import ball
from learners.bounds import Bound
from learners.budget import Budget
from learners.checks import check_learner
from learners.coins import SeededCoins
from learners.forest.evidence.instances import FirstMistake, FixedCoinsForest
from learners.forest.plan import ForestParameters
from learners.forest.rerun import RerunForest, RerunParameters
from learners.games import AdaptiveStream, Ask, Challenge, Move
from learners.layers.algorithm import LayeredSOA
from learners.layers.evidence.instances import FixedCoinsLayers
from learners.layers.plan import LayeredParameters
from learners.mechanisms.randomized_response import RandomizedResponse
from learners.playing.adversaries import RandomConcept
from learners.playing.doubling import Doubling
from learners.playing.learner import Deterministic, PublishingLearner
from learners.playing.play import play
from learners.pop.algorithm import POP
from learners.pop.plan import POPParameters
from lsclasses.domain import FiniteDomain
from lsclasses.soa import SOA, ConservativeSOA
from lsclasses.table import Table
from lsclasses.verdicts import Verdict
from tests.learners.playing.incorrect_variants import Announcing

TINY = Fraction(1, 10**6)
C = catalog.build("points:n=9")


@cache
def layers(rounds: int, failure: Fraction = Fraction(1, 500)) -> LayeredSOA:
    parameters = LayeredParameters.from_theorem(Budget(8, TINY), 1, rounds, failure)
    return LayeredSOA(SOA(C), parameters)


def pop(rounds: int) -> POP:
    return POP(ConservativeSOA(C), POPParameters.within(Budget(16, TINY), rounds))


@pytest.mark.parametrize("made", [layers, pop])
def test_any_learner_can_be_doubled(made: Any) -> None:
    learner = Doubling(made, buckets=4)
    assert learner.rounds == 15 and learner.domain == C.domain
    check_learner(learner, C, rounds=8)
    game = play(learner, RandomConcept(C), 15, SeededCoins(1))
    assert game.played == 15 and not game.violations


def test_every_bucket_starts_anew_at_a_fixed_time() -> None:
    started: list[int] = []

    def noted(rounds: int) -> LayeredSOA:
        started.append(rounds)
        return layers(rounds)

    learner, coins = Doubling(noted, buckets=4), SeededCoins(1)
    state = learner.start(coins)
    buckets = []
    for _ in range(15):
        assert state is not None
        buckets.append(state.bucket)
        state = learner.learn(state, 3, 1, coins)
    assert state is None, "there are no more rounds"
    assert (learner.comparators, learner.counts_switches) == (None, True)
    assert buckets == [0, 1, 1, *[2] * 4, *[3] * 8] and started == [1, 2, 4, 8]


def test_delta_is_paid_once_by_learners_that_hold_on_every_history() -> None:
    layered = Doubling(layers, buckets=20)
    assert layered.privacy.on_every_history and basic(layered.privacy) == (8, TINY)
    # POP halts visibly: its deltas add up.
    several = Doubling(pop, buckets=6)
    epsilon, delta = basic(several.privacy)
    assert epsilon <= 16 and several.delta is None
    assert delta == sum(basic(several.learner(k).privacy)[1] for k in range(6)) > TINY
    assert Doubling(lambda rounds: SOA(C), buckets=3).privacy is None


@dataclass(frozen=True)
class Unsure(Announcing):
    """The same, and does not say that its guarantee holds on every history."""

    @property
    def privacy(self) -> Event:
        return ApproximateDP(
            self.response.epsilon, self.revealed, scope=Scope.adaptive("replace_one")
        )


@pytest.mark.parametrize("rounds", [3, 4])
def test_a_learner_that_announces_a_leak_is_waited_for(rounds: int) -> None:
    """With delta = 1/10 in 2 and 3 buckets: 1/10 and 19/100 in all.

    The only example of the first bucket is read by nobody.
    """
    built = instance(f"doubling:rounds={rounds}")
    learner = Announcing(RandomizedResponse(Fraction(1)), Fraction(1, 10))
    alone = ExploredGame(AdaptiveStream(learner, 3), built.moves)
    assert alone.against(learner.privacy).verdict == Verdict.HOLDS
    assert alone.on_every_history(learner.privacy).verdict == Verdict.VIOLATED
    buckets = rounds.bit_length()
    leaked = 1 - Fraction(9, 10) ** (buckets - 1)
    found = built.audit(twin=Doubling(lambda _: learner, buckets))
    assert found.verdict == (Verdict.VIOLATED if buckets > 2 else Verdict.HOLDS)
    assert abs(found.measured - ball(leaked)) < 1e-12
    # What is not known to hold on every history pays each delta.
    honest = Doubling(lambda _: Unsure(learner.response, learner.revealed), buckets)
    assert basic(honest.privacy) == (1, Fraction(buckets, 10))
    assert built.audit(honest.privacy, twin=honest).verdict == Verdict.HOLDS


def layers_with_history() -> FixedCoinsLayers:
    parameters = LayeredParameters(1, 4, 3, (1, 1), 4, 4, Fraction(1, 50), (1,))
    return FixedCoinsLayers(SOA(Table([[0, 0], [1, 0], [0, 1]])), parameters, history=((0, 1),))


def forest_with_history() -> FixedCoinsForest:
    parameters = ForestParameters(4, 2, Fraction(1, 2), 2, 8, Fraction(1, 9))
    return FixedCoinsForest(FirstMistake(FiniteDomain(range(2))), parameters, history=((0, 1),))


def grown_anew() -> RerunForest:
    parameters = RerunParameters(4, 1, Fraction(1, 2), 3, 2, Fraction(1, 50), Fraction(1, 10))
    return RerunForest(FirstMistake(FiniteDomain(range(2))), parameters)


@pytest.mark.parametrize(
    ("made", "rounds", "share"),
    [
        pytest.param(layers_with_history, 3, Fraction(4, 5), marks=pytest.mark.slow),
        pytest.param(forest_with_history, 2, Fraction(1, 4), marks=pytest.mark.slow),
        (grown_anew, 3, Fraction(1, 20)),
    ],
)
def test_learners_that_reveal_by_fresh_noise_hold_on_every_history(
    made: Any, rounds: int, share: Fraction
) -> None:
    """And less than a share of their delta does not, which is what the instance measures."""
    learner = made()
    moves: list[Move] = [Ask((0, 1)), Challenge((0, 1), (0, 0))]
    cut = {"tail": Fraction(1, 2**22), "resolution": Fraction(1, 500)}
    game = ExploredGame(AdaptiveStream(learner, rounds), moves, **cut)
    epsilon, delta = basic(learner.privacy)
    assert delta > 0 and learner.privacy.on_every_history
    # Laws are cut, so that it does not say of all histories that the claim holds.
    likely = {"least": Fraction(1, 1000)}
    found = game.on_every_history(learner.privacy, **likely)
    assert found.verdict == Verdict.UNDECIDED and found.measured <= ball(delta + game.resolution)
    assert game.on_every_history((epsilon, share * delta), **likely).verdict == Verdict.VIOLATED


@dataclass(frozen=True)
class HaltingLast(PublishingLearner):
    """Halts on the label 1 of its last example, which no game of its own shows."""

    last: int

    @property
    def privacy(self) -> Event:
        return PureDP(0, scope=Scope.adaptive("replace_one"))

    def _begin(self, coins: Any) -> Any:
        return 1

    def _publish(self, state: Any, coins: Any) -> Any:
        return state, "constant"

    def _receive(self, state: Any, point: Any, label: Any, coins: Any) -> Any:
        return None if label and state == self.last else state + 1


def test_whether_a_learner_halts_on_its_last_example_is_not_seen() -> None:
    moves: list[Move] = [Ask((0, 0)), Challenge((0, 0), (0, 1))]
    alone = ExploredGame(AdaptiveStream(HaltingLast(2), 2), moves)
    assert alone.against((0, 0)).verdict == Verdict.HOLDS
    doubled = ExploredGame(AdaptiveStream(Doubling(HaltingLast, 2), 3), moves)
    assert doubled.against((0, 0)).verdict == Verdict.HOLDS


def test_bounds_add_up_and_grow_like_the_square_of_the_logarithm() -> None:
    learner = Doubling(layers, buckets=21)
    totals = []
    for exponent in (10, 15, 20):
        bound = learner.within(2**exponent - 1)
        assert bound is not None and bound.value is not None
        # Only bounds that say something can fail: those of buckets with more rounds than that.
        assert Fraction(1, 500) <= bound.failure <= Fraction(exponent - 6, 500)
        totals.append(bound.value)
    assert totals[2] - totals[1] < 1.2 * (totals[1] - totals[0]) + 100
    assert learner.bounds[0].value == learner.within(2**21 - 1).value  # type: ignore[union-attr]
    # Failures that add up to more than 1 promise nothing.
    unsure = Doubling(lambda rounds: layers(rounds, Fraction(1, 10)), buckets=30)
    assert unsure.within(2**28) is None and unsure.bounds == ()


@dataclass(frozen=True)
class Promising(Deterministic):
    """States these bounds, whatever is true."""

    stated: tuple[Bound, ...] = ()

    @property
    def bounds(self) -> tuple[Bound, ...]:
        return self.stated


def test_every_round_counts_in_its_bucket() -> None:
    """A bound counts if it applies and says less than that each round of the bucket is wrong."""

    def made(rounds: int) -> Promising:
        def bound(value: int, quantity: str = "mistakes", unmet: tuple[str, ...] = ()) -> Bound:
            failure = Fraction(value, 1000)
            return Bound("here", quantity, "M", value, rounds, failure, ("given",), unmet)

        others = bound(1, "errors"), bound(2, "reports"), bound(3, unmet=("given",))
        return Promising(SOA(C), (bound(7), bound(5), *others))

    learner = Doubling(made, buckets=7)
    for rounds in (1, 31, 32, 33, 127):
        lengths = Counter(turn.bit_length() for turn in range(1, rounds + 1))
        found = learner.within(rounds)
        counted = [length > 5 for length in lengths.values()]
        if not any(counted):
            assert found is None
            continue
        assert found is not None
        assert found.value == sum(min(5, length) for length in lengths.values())
        assert found.failure == Fraction(5, 1000) * sum(counted)


def test_what_a_learner_says_of_a_state_is_said_of_it() -> None:
    """Switches are those of the hypotheses that are seen, over all learners; and diagnostics."""

    @dataclass(frozen=True)
    class Last(PublishingLearner):
        """Publishes the label that it saw last, and 0 at first."""

        def _begin(self, coins: Any) -> Any:
            return 0

        def _publish(self, state: Any, coins: Any) -> Any:
            return state, ((0).__mul__, (1).__mul__)[state]

        def _receive(self, state: Any, point: Any, label: Any, coins: Any) -> Any:
            return label

        def published(self, state: Any) -> Any:
            return state.hypothesis(1)

    learner = Doubling(lambda rounds: Last(), buckets=3)
    # Rounds 1 | 2 3 | 4 5 6 7: fresh learners say 0 again, which changes round 4 only.
    shown = [0, 0, 1, 0, 1, 1, 0]
    game = play(learner, [(1, y) for y in (0, 1, 1, 1, 1, 0, 1)], 7, SeededCoins(1))
    assert list(game.predictions) == shown
    assert game.switches == sum(a != b for a, b in pairwise(shown))
    assert play(Doubling(pop, buckets=3), [(1, 0)] * 7, 7, SeededCoins(1)).switches is None
    # A fresh learner that does not publish is taken for another one, even if none has erred yet.
    silent = Doubling(lambda rounds: ConservativeSOA(C), buckets=3)
    assert play(silent, [(1, 0)] * 7, 7, SeededCoins(1)).switches == 2
    layered = Doubling(layers, buckets=4)
    state = layered.start(SeededCoins(1))
    assert state is not None
    assert layered.inspect(state)["bucket"] == 0 == layered.inspect(state)["layer"]


def test_the_longest_game_bounds_what_is_said_of_it() -> None:
    learner = Doubling(layers, 11, longest=1500)
    assert learner.rounds == 1500
    assert learner.bounds == (Doubling(layers, 11).within(1500),)
