"""The harness: order of events, halting, interruptions, bounds, errors."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import catalog
from learners.accounting import ApproximateDP, Event, Scope
from learners.bounds import MARGIN, OBLIVIOUS, REALIZABLE, Bound
from learners.coins import Coins, SecureCoins, SeededCoins
from learners.exact import exact_distribution
from learners.playing.adversaries import (
    AdversaryRun,
    FixedStream,
    Noisy,
    Optimal,
    RandomConcept,
    Repeating,
    StreamAdversary,
)
from learners.playing.base.state import Prediction
from learners.playing.learner import OnlineLearner
from learners.playing.play import play, replay
from learners.playing.transcript import verdicts
from learners.pop.algorithm import POP
from learners.pop.plan import POPParameters
from lsclasses import InvalidInput, Table
from lsclasses.online import OnlineState
from lsclasses.randomized_soa import RandomizedSOA
from lsclasses.soa import SOA, ConservativeSOA
from lsclasses.verdicts import Verdict
from tests.strategies import tables


@dataclass(frozen=True)
class Toy(OnlineLearner):
    """Tosses coins until it is told a 1, then predicts 1, and halts after so many mistakes."""

    halt_after: int = 10**9
    rounds: int = 10**9
    domain: Any = None

    @property
    def privacy(self) -> Event:
        return ApproximateDP(
            Fraction(1, 2), Fraction(1, 10**7), scope=Scope.adaptive("replace_one")
        )

    @property
    def bounds(self) -> tuple[Bound, ...]:
        return (
            Bound("[a paper]", "mistakes", "R", 4, trivial=100, hypotheses=(REALIZABLE,)),
            Bound("[a paper]", "reports", "r", 10**9, trivial=10**9),
            Bound("[a paper]", "depth of thought", "x", 3),
        )

    def start(self, coins: Coins) -> tuple[int, int]:
        return (0, 0)

    def _predict(self, state: Any, point: Any, coins: Coins) -> tuple[Any, Any]:
        told, mistakes = state
        answer = Prediction(1) if told else Prediction(coins.below(2), coin=True)
        return ((told, mistakes), answer) if mistakes < self.halt_after else (None, answer)

    def _learn(self, state: Any, point: Any, label: int, coins: Coins) -> Any:
        return max(state[0], label), state[1] + 1

    def inspect(self, state: Any) -> dict[str, float]:
        return {"told": state[0], "examples": state[1]}


class Scripted(StreamAdversary, AdversaryRun):
    """Writes down what it is asked and told."""

    def __init__(self, sees: str, open_labels: bool) -> None:
        self.sees = sees
        self.open_labels = open_labels
        self.log: list[Any] = []

    def begin(self, coins: Coins) -> AdversaryRun:
        return self

    def pose(self) -> tuple[int, int | None]:
        self.log.append("pose")
        return 5, None if self.open_labels else 1

    def reveal(self, label: int, coin: bool) -> int:
        self.log.append(("reveal", label, coin))
        return 1 - label

    def hear(self, label: int, coin: bool) -> None:
        self.log.append(("hear", label, coin))


class Answers(OnlineLearner):
    """A learner that answers what it is made with."""

    def __init__(self, *answers: Any) -> None:
        self.answers = answers

    def start(self, coins: Coins) -> int:
        return 0

    def _predict(self, state: int, point: Any, coins: Coins) -> Any:
        return self.answers[state]

    def _learn(self, state: int, point: Any, label: Any, coins: Coins) -> int:
        return state


# ---- what is recorded


@settings(max_examples=10)
@given(tables(), st.integers(0, 2**32))
def test_a_deterministic_game_is_what_replay_says(table: Table, seed: int) -> None:
    stream = list(table.sample_stream(20, seed))
    for state in (SOA(table), ConservativeSOA(table)):
        rounds = list(replay(state, stream))
        transcript = play(state, stream, 20, SeededCoins(1))
        assert transcript.examples == tuple(stream)
        assert list(transcript.predictions) == [each.prediction for each in rounds]
        assert transcript.curve("mistakes").tolist() == [each.mistakes for each in rounds]
        states = [state, *(each.state for each in rounds)]
        changes = [a != b for a, b in pairwise(states)]
        assert transcript.switches == sum(changes)
        assert transcript.curve("switches")[-1] == sum(changes)
        assert transcript.reports == 0 and transcript.privacy is None


@pytest.mark.parametrize("sees", ["nothing", "earlier predictions"])
def test_labels_wait_for_predictions_only_if_that_is_declared(sees: str) -> None:
    """Or bounds for adversaries that do not adapt would be held against one that does."""
    scripted = Scripted(sees, open_labels=True)
    with pytest.raises(InvalidInput, match=r"Round 1: .* must choose the label with the point"):
        play(Answers((0, 1)), scripted, 2, SeededCoins(1))
    assert scripted.log == ["pose"]


def test_the_order_of_events() -> None:
    for sees, open_labels, expected in (
        ("nothing", False, ["pose", "pose"]),
        ("earlier predictions", False, ["pose", ("hear", 1, True), "pose", ("hear", 0, False)]),
        (
            "this prediction",
            True,
            [
                *("pose", ("reveal", 1, True), ("hear", 1, True)),
                *("pose", ("reveal", 0, False), ("hear", 0, False)),
            ],
        ),
    ):
        scripted = Scripted(sees, open_labels)

        class Two(Answers):
            def _learn(self, state: int, point: Any, label: Any, coins: Coins) -> int:
                return state + 1

        learner = Two((0, Prediction(1, coin=True)), (1, Prediction(0)))
        transcript = play(learner, scripted, 2, SeededCoins(1))
        assert scripted.log == expected
        assert transcript.points == (5, 5)
        assert transcript.coins == bytes([1, 0]) and transcript.reports == 1
        assert list(transcript.labels) == ([0, 1] if open_labels else [1, 1])


def test_points_and_diagnostics_are_kept_when_asked_for() -> None:
    stream = [(0, 0), (0, 1), (0, 1)]
    transcript = play(Toy(), stream, 3, SeededCoins(1), diagnostics=1, keep_points=False)
    assert transcript.secret == {"examples": (1.0, 2.0, 3.0), "told": (0.0, 1.0, 1.0)}
    rarely = play(Toy(), stream * 3, 9, SeededCoins(1), diagnostics=4)
    assert rarely.secret["examples"] == (4.0, 8.0) and rarely.secret_every == 4
    assert transcript.points is None
    assert play(Toy(), stream, 3, SeededCoins(1)).secret == {}
    assert play(Toy(), stream, 3, SeededCoins(1)).examples == tuple(stream)


def test_an_oblivious_iterator_is_drawn_only_as_far_as_needed() -> None:
    C = catalog.build("thresholds:n=7")
    stream = C.sample_stream(50, 1)
    assert play(SOA(C), stream, 20, SeededCoins(1)).played == 20
    assert len(list(stream)) == 30


def test_the_same_coins_give_the_same_game() -> None:
    C = catalog.build("points:n=50")
    games = [play(Toy(), Noisy(RandomConcept(C), Fraction(1, 3)), 60, SeededCoins(4)) for _ in "ab"]
    assert games[0] == games[1] and hash(games[0]) == hash(games[1])
    assert "simulation" in games[0].randomness
    secure = play(Toy(), [(0, 1)], 1, SecureCoins(), note="release 7")
    assert secure.randomness == "the operating system's coins, release 7"


def test_the_exact_law_of_a_game() -> None:
    """The harness runs under all three readings of the coins."""
    C = catalog.build("points:n=4")
    law = exact_distribution(lambda coins: play(Toy(), Repeating(C), 2, coins).mistakes)
    # The label is the opposite of the first coin. If it is 1, the second prediction is 1 and right.
    assert {k: law.rational(k) for k in law} == {1: Fraction(3, 4), 2: Fraction(1, 4)}


@pytest.mark.parametrize("halting", ["never", "cumulative"])
def test_the_harness_draws_nothing_and_changes_nothing(halting: str) -> None:
    """A private learner, played by hand with the same coins, predicts the same."""
    C = catalog.build("points:n=5")
    parameters = POPParameters(
        *(20, 3, 60, 120, 0), *((0, 0) if halting == "never" else (6, 0)), 0,
        halting=halting, raise_delta=True,
    )  # fmt: skip
    learner = POP(ConservativeSOA(C), parameters)
    stream = [(i % 5, int(i % 5 == 2)) for i in range(60)]
    for seed in range(8):
        coins, expected = SeededCoins(seed), []
        state: Any = learner.start(coins)
        for x, y in stream:
            state, shown = learner.predict(state, x, coins)
            expected.append((shown.label, shown.coin))
            if state is None:
                break
            state = learner.learn(state, x, y, coins)
        transcript = play(learner, stream, 60, SeededCoins(seed), diagnostics=7)
        assert list(zip(transcript.predictions, transcript.coins, strict=True)) == expected
        assert transcript.halted_at == (None if state is not None else len(expected))
        assert transcript.reports == sum(coin for _, coin in expected)


# ---- halting and interruptions


@pytest.mark.parametrize(("played", "stream", "rounds"), [(3, [(0, 1)] * 3, 8), (0, [(0, 1)], 0)])
def test_a_game_ends_with_its_stream_or_its_rounds(played: int, stream: Any, rounds: int) -> None:
    transcript = play(Toy(), stream, rounds, SeededCoins(1))
    assert (transcript.played, transcript.rounds, transcript.halted) == (played, rounds, False)
    assert transcript.curve("mistakes").shape == (played,)
    assert f"{played} of {rounds} rounds" in str(transcript)


class HaltsWhenTold(Answers):
    def _learn(self, state: int, point: Any, label: Any, coins: Coins) -> Any:
        return None


class NeverStarts(Answers):
    def start(self, coins: Coins) -> Any:
        return None


@pytest.mark.parametrize(
    ("learner", "halted_at", "played"),
    [
        (NeverStarts(), 0, 0),
        (Answers((None, None)), 1, 0),
        (Answers((None, 0)), 1, 1),
        (HaltsWhenTold((0, 1)), 1, 1),
        (Toy(halt_after=4), 5, 5),
    ],
)
def test_a_learner_halts_before_or_after_its_last_prediction_or_its_label(
    learner: OnlineLearner, halted_at: int, played: int
) -> None:
    transcript = play(learner, [(0, 1)] * 9, 9, SeededCoins(1), diagnostics=1)
    assert (transcript.halted_at, transcript.played) == (halted_at, played)
    assert f"halted in round {halted_at}" in str(transcript) or not halted_at
    # A round in which it halts has no state to look at.
    assert all(len(column) == played - 1 for column in transcript.secret.values())


def test_an_interruption_loses_nothing() -> None:
    class Interrupted(Toy):
        def _learn(self, state: Any, point: Any, label: int, coins: Coins) -> Any:
            if state[1] == 3:
                raise KeyboardInterrupt
            return super()._learn(state, point, label, coins)

    transcript = play(Interrupted(), [(0, 1)] * 9, 9, SeededCoins(1), diagnostics=1)
    assert transcript.interrupted and not transcript.halted
    assert transcript.played == len(transcript.examples) == 3
    assert len(transcript.labels) == len(transcript.secret["told"]) == 3
    assert "interrupted" in str(transcript)


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    transcript = play(
        Answers((0, 0)), [(0, 1)] * 1000, 1000, SeededCoins(1), progress=lambda *n: told.append(n)
    )
    assert told[-1] == (1000, 1000) == (transcript.played, transcript.mistakes)
    assert len(told) > 2


# ---- privacy and bounds


def test_bounds_of_realizable_streams_apply_only_where_somebody_vouches() -> None:
    C = catalog.build("points:n=50")
    vouched = play(Toy(), RandomConcept(C), 3, SeededCoins(1))
    unknown = play(Toy(), vouched.examples, 3, SeededCoins(1))
    known = play(Toy(), FixedStream(vouched.examples, C), 3, SeededCoins(1))
    assert [verdict for _, verdict in verdicts([vouched])] == ["consistent", "vacuous"]
    assert [verdict for _, verdict in verdicts([unknown])] == ["does not apply", "vacuous"]
    assert verdicts([known]) == verdicts([vouched])


def test_bounds_for_oblivious_streams_do_not_apply_to_adaptive_ones() -> None:
    C = catalog.build("points:n=50")

    class Careful(Toy):
        @property
        def bounds(self) -> tuple[Bound, ...]:
            return (
                Bound("[a]", "mistakes", "R", 60, hypotheses=(OBLIVIOUS,)),
                Bound("[b]", "mistakes", "R", 60, hypotheses=("T is small", MARGIN, OBLIVIOUS)),
            )

    def unmet(adversary: StreamAdversary) -> list[tuple[str, ...]]:
        return [bound.unmet for bound in play(Careful(), adversary, 3, SeededCoins(1)).bounds]

    assert unmet(RandomConcept(C)) == [(), ()]
    assert unmet(Noisy(RandomConcept(C), Fraction(1, 9))) == [(), (MARGIN,)]
    assert unmet(Repeating(C)) == [(OBLIVIOUS,), (OBLIVIOUS,)]
    assert unmet(Noisy(Repeating(C), Fraction(1, 9))) == [(OBLIVIOUS,), (MARGIN, OBLIVIOUS)]


def test_verdicts_over_seeds() -> None:
    class Unsure(Toy):
        @property
        def bounds(self) -> tuple[Bound, ...]:
            return (Bound("[a paper]", "mistakes", "R", 1, failure=Fraction(1, 100)),)

    def games(count: int) -> list[Any]:
        return [play(Unsure(), [(0, 0)] * 12, 12, SeededCoins(seed)) for seed in range(count)]

    # Twelve fair coins are wrong at most once with probability 13/4096.
    assert [verdict for _, verdict in verdicts(games(1))] == [Verdict.EXCEEDED]
    assert [verdict for _, verdict in verdicts(games(8))] == ["violated"]


def test_a_violated_mistake_bound_is_reported_with_its_stream() -> None:
    C = catalog.build("thresholds:n=15")

    @dataclass(frozen=True)
    class Boasting(OnlineState):
        state: SOA

        @property
        def mistake_bound(self) -> int:
            return 2

        def _predict(self, x: Any) -> int:
            return self.state._predict(x)

        def _observe(self, x: Any, y: int) -> Boasting:
            return Boasting(self.state._observe(x, y))

    transcript = play(Boasting(SOA(C)), Optimal(C), 9, SeededCoins(1))
    (violation,) = transcript.violations
    assert (violation.round, violation.bound.value) == (3, 2)
    assert violation.examples == transcript.examples[:3]
    assert not C.given(violation.examples).is_empty
    assert "round 3 exceeds mistakes <= M = 2" in str(transcript)
    assert str(violation.examples[0][0]) in str(violation)
    # Nobody vouches: nothing is violated.
    assert play(Boasting(SOA(C)), transcript.examples, 9, SeededCoins(1)).violations == ()
    unkept = play(Boasting(SOA(C)), Optimal(C), 9, SeededCoins(1), keep_points=False)
    assert unkept.violations[0].examples == () and "not kept" in str(unkept)


# ---- adapters


@settings(max_examples=10)
@given(tables(max_concepts=5), st.integers(0, 99))
def test_the_randomized_soa_has_its_expected_mistakes(table: Table, seed: int) -> None:
    stream = list(table.sample_stream(4, seed))
    state = RandomizedSOA(table)
    law = exact_distribution(lambda coins: play(state, stream, 4, coins).mistakes)
    expected = sum(law.rational(mistakes) * mistakes for mistakes in law)
    assert expected == state.expected_mistakes(stream)


# ---- errors
