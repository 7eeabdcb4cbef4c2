"""What adversaries promise: realizable streams, labels fixed in time, mistakes forced."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog
from learners.coins import SeededCoins
from learners.playing.adversaries import (
    ADVERSARIES,
    Drifting,
    FixedStream,
    Noisy,
    Optimal,
    RandomConcept,
    Repeating,
    Seeking,
    StreamAdversary,
    adversary,
)
from learners.playing.learner import OnlineLearner
from learners.playing.play import play
from lsclasses import ConceptClass, Table
from lsclasses.soa import SOA, ConservativeSOA
from tests.strategies import tables

HUGE = ["points:n=2^64", "intervals:n=2^32", "affine:q=2,n=32,k=5", "subsets:n=2^64,k=6"]
REALIZABLE = ["random", "random:points=balanced", "seeking", "optimal", "repeating:patience=2"]


class Guessing(OnlineLearner):
    """Predicts by coins: every path of an adaptive adversary can happen."""

    def start(self, coins: Any) -> int:
        return 0

    def _predict(self, state: int, point: Any, coins: Any) -> tuple[int, int]:
        return state, coins.below(2)

    def _learn(self, state: int, point: Any, label: int, coins: Any) -> int:
        return state


def fits(C: ConceptClass, stream: Any) -> bool:
    return not C.given(stream).is_empty


@given(tables(min_concepts=1), st.sampled_from(REALIZABLE), st.integers(0, 2**32))
def test_who_vouches_is_realizable_on_tables(table: Table, name: str, seed: int) -> None:
    adversary_ = adversary(name, table)
    assert adversary_.realizable
    assert fits(table, play(Guessing(), adversary_, 25, SeededCoins(seed)).examples)


@pytest.mark.parametrize("name", REALIZABLE)
@pytest.mark.parametrize("spec", HUGE)
def test_who_vouches_is_realizable_on_huge_classes(spec: str, name: str) -> None:
    C = catalog.build(spec)
    for learner in (Guessing(), ConservativeSOA(C)):
        transcript = play(learner, adversary(name, C), 60, SeededCoins(7))
        assert transcript.played == 60
        assert transcript.realizable and fits(C, transcript.examples)
        assert not transcript.violations


@pytest.mark.parametrize("name", REALIZABLE)
def test_the_concept_at_the_end_labels_all_examples(name: str) -> None:
    C = catalog.build("thresholds:n=1000")
    coins = SeededCoins(3)
    for rounds in (1, 4, 40):
        opponent = adversary(name, C).begin(coins)
        stream = []
        for _ in range(rounds):
            posed = opponent.pose()
            assert posed is not None
            x, y = posed
            shown = coins.below(2)
            if y is None:
                y = opponent.reveal(shown, coin=False)
            stream.append((x, y))
            opponent.hear(shown, coin=False)
        concept = opponent.concept
        assert concept is not None
        assert all(concept(x) == y for x, y in stream)


@given(tables(min_concepts=1), st.integers(0, 99))
def test_the_optimal_adversary_forces_the_littlestone_dimension(table: Table, seed: int) -> None:
    depth = table.ldim()
    for learner in (SOA(table), ConservativeSOA(table)):
        transcript = play(learner, Optimal(table), depth + 12, SeededCoins(seed))
        assert transcript.mistakes == depth
        assert transcript.curve("mistakes")[:depth].tolist() == list(range(1, depth + 1))


@pytest.mark.parametrize("spec", HUGE)
def test_the_optimal_adversary_needs_no_tree(spec: str) -> None:
    C = catalog.build(spec)
    assert play(SOA(C), Optimal(C), C.ldim() + 20, SeededCoins(1)).mistakes == C.ldim()
    assert play(SOA(C), Repeating(C), 2 * C.ldim() + 20, SeededCoins(1)).mistakes == C.ldim()


class Slow(OnlineLearner):
    """Predicts a label at a point only after it was told so three times."""

    def start(self, coins: Any) -> tuple[Any, ...]:
        return ()

    def _predict(self, state: tuple[Any, ...], point: Any, coins: Any) -> tuple[Any, int]:
        return state, int(state.count((point, 1)) >= 3)

    def _learn(self, state: tuple[Any, ...], point: Any, label: int, coins: Any) -> Any:
        return (*state, (point, label))


@pytest.mark.parametrize("patience", [1, 2])
def test_it_stays_until_it_is_predicted_right(patience: int) -> None:
    C = catalog.build("thresholds:n=15")
    transcript = play(Slow(), Repeating(C, patience), 4 * (3 + patience), SeededCoins(1))
    # The first points get label 1 and are predicted 0 three times before they are right.
    asked = [x for x, _ in transcript.examples]
    assert asked == [x for x in (7, 3, 1, 0) for _ in range(3 + patience)]
    assert transcript.mistakes == 12


def test_coins_that_come_out_right_do_not_count() -> None:
    opponent = Repeating(catalog.build("thresholds:n=15")).begin(SeededCoins(1))
    assert opponent.pose() == (7, None)
    assert opponent.reveal(0, coin=True) == 1
    opponent.hear(0, coin=True)
    assert opponent.pose() == (7, 1)
    opponent.hear(1, coin=True)
    assert opponent.pose() == (7, 1)
    opponent.hear(1, coin=False)
    assert opponent.pose() == (3, None)


@pytest.mark.parametrize("name", ["random", "drifting", "noisy", "random:points=uniform"])
def test_oblivious_adversaries_pose_the_same_stream_to_everybody(name: str) -> None:
    C = catalog.build("intervals:n=1000")
    oblivious = adversary(name, C)
    assert oblivious.sees == "nothing"
    streams = [play(learner, oblivious, 200, SeededCoins(5)).points for learner in (SOA(C), Slow())]
    assert streams[0] == streams[1]
    assert play(SOA(C), oblivious, 200, SeededCoins(6)).points != streams[0]


def test_what_an_adversary_sees() -> None:
    C = catalog.build("thresholds:n=7")
    assert adversary("noisy:of=repeating", C).sees == "this prediction"
    assert Optimal(C).sees == Repeating(C).sees == "this prediction"
    assert Seeking(C).sees == Noisy(Seeking(C), Fraction(1, 2)).sees == "earlier predictions"
    assert FixedStream([]).sees == RandomConcept(C).sees == "nothing"


@given(tables(min_concepts=1), st.integers(0, 2**32))
def test_balanced_points_have_both_labels_where_the_concept_has(table: Table, seed: int) -> None:
    concept = table.sample(seed)
    opponent = RandomConcept(table, concept, points="balanced").begin(SeededCoins(seed))
    drawn = [opponent.pose() for _ in range(60)]
    seen = {y for _, y in filter(None, drawn)}
    # With both labels present, one of them is missed with probability 2^-59.
    assert seen == set(concept.to_concept().labels.tolist())


def test_balanced_points_on_huge_domains() -> None:
    for spec in HUGE[:2]:
        opponent = RandomConcept(catalog.build(spec), points="balanced").begin(SeededCoins(11))
        ones = sum((opponent.pose() or (0, 0))[1] or 0 for _ in range(100))
        # 100 fair coins leave 20..80 with probability below 1e-8.
        assert 20 < ones < 80, spec


def test_drifting_and_noisy_streams_are_not_vouched_for() -> None:
    C = catalog.build("thresholds:n=500")
    assert not Drifting(C, 30).realizable
    for inner in (RandomConcept(C), Optimal(C), Repeating(C)):
        noisy = Noisy(inner, Fraction(1, 4))
        assert not noisy.realizable
        flipped = play(Slow(), noisy, 60, SeededCoins(2))
        assert not fits(C, flipped.examples)
    assert fits(C, play(Slow(), Noisy(Optimal(C), Fraction(0)), 50, SeededCoins(2)).examples)


def test_fixed_streams(tmp_path: Path) -> None:
    C = catalog.build("thresholds:n=7")
    (tmp_path / "s.csv").write_text("point,label\n3,1\n1,0\n")
    assert FixedStream.load(tmp_path / "s.csv", C) == FixedStream([(3, 1), (1, 0)], C)
    assert adversary(f"stream:{tmp_path / 's.csv'}", C).realizable
    assert not FixedStream([(3, 1), (1, 0)]).realizable
    assert not FixedStream([(3, 1), (4, 0)], C).realizable


def test_all_named_adversaries_play_on_an_infinite_domain() -> None:
    C = catalog.build("points:n=inf")
    for entry in ADVERSARIES:
        built: StreamAdversary = adversary(entry.usage(), C)
        assert str(built)
        assert play(SOA(C), built, 20, SeededCoins(1)).played == 20
