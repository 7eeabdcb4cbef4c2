"""What is seen in each game; playing and enumerating agree."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from learners.accounting import PureDP, Scope
from learners.coins import Coins, SeededCoins
from learners.exact import exact_distribution
from learners.games import (
    HIDDEN,
    AdaptiveInputs,
    AdaptiveStream,
    Ask,
    Challenge,
    CompositionGame,
    GeneralGame,
    MechanismResponder,
    Oblivious,
    OnlineGame,
    draw_view,
    view_law,
)
from learners.mechanisms.sparse_vector import AboveThreshold
from tests.learners.games.players import (
    Curious,
    Echo,
    EchoResponder,
    Kind,
    LastItem,
    NoisySum,
    Pupil,
)


def test_all_answers_are_seen_of_adaptive_inputs() -> None:
    game = AdaptiveInputs(NoisySum(), 3)
    law = view_law(game=game, adversary=Oblivious.of([0, 0, 1], [0, 1, 1]), bit=0)
    assert {len(view.answers) for view in law} == {3}
    assert len(law) == 8
    true = {view.answers: law.rational(view) for view in law}
    assert true[0, 0, 1] == Fraction(4, 5) ** 3
    other = view_law(game, Oblivious.of([0, 0, 1], [0, 1, 1]), 1)
    assert {view.answers: other.rational(view) for view in other}[0, 1, 0] == Fraction(4, 5) ** 3


def test_challenge_predictions_are_hidden() -> None:
    stream = Oblivious((Ask(("a", 1)), Challenge(("b", 0), ("c", 1)), Ask(("a", 1))))
    for bit, label in ((0, 0), (1, 1)):
        law = view_law(OnlineGame(Echo(), 3), stream, bit)
        assert all(view.answers[1] is HIDDEN for view in law)
        assert {view.answers[0] for view in law} == {("a", 0), ("a", 1)}
        # The label that was told in the challenge round is what counts in the next one.
        right = sum(law.rational(view) for view in law if view.answers[2] == ("a", label))
        assert right == Fraction(3, 4)


def test_labels_come_after_predictions() -> None:
    class Peeking(Echo):
        def predict(self, state: int, point: Any, coins: Coins) -> tuple[int, Hashable]:
            return state, state

    law = view_law(OnlineGame(Peeking(), 1), Oblivious((Ask(("a", 1)),)), 0)
    chance = {view.answers[0]: law.rational(view) for view in law}
    assert chance == {0: Fraction(2, 3), 1: Fraction(1, 3)}


def test_hypotheses_are_published_before_items() -> None:
    game = AdaptiveStream(LastItem(), 3)
    views = [draw_view(game, Oblivious.of("abc", "xbc"), bit, SeededCoins(1)) for bit in (0, 1)]
    assert [(view.opening, view.answers) for view in views] == [
        ("nothing", ("a", "b")),
        ("nothing", ("x", "b")),
    ]


def test_general_game_contains_the_online_game() -> None:
    examples = [("a", 0), ("b", 1), ("a", 1)]
    other = [("a", 0), ("c", 0), ("a", 1)]
    for bit in (0, 1):
        online = view_law(OnlineGame(Echo(), 3), Oblivious.of(examples, other), bit)
        general = view_law(
            GeneralGame(EchoResponder(Echo()), 3),
            Oblivious.of([Pupil(*e) for e in examples], [Pupil(*e) for e in other]),
            bit,
        )
        shown = general.map(lambda view: tuple(a if a is HIDDEN else a[1][0] for a in view.answers))
        assert {view.answers: online.rational(view) for view in online} == {
            answers: shown.rational(answers) for answers in shown
        }


def test_composition_plays_whole_games_with_the_same_bit() -> None:
    game = OnlineGame(Echo(PureDP(2, scope=Scope.adaptive("replace_one"))), 2)
    stream = Oblivious((Challenge(("a", 0), ("a", 1)), Ask(("a", 0))))
    both = CompositionGame(2, 2)
    once = view_law(game, stream, 1)
    law = view_law(both, Kind(Ask((game, stream)), Ask((game, stream))), 1)
    for view in law:
        first, second = view.answers
        assert law.rational(view) == once.rational(first) * once.rational(second)


def test_adversaries_see_their_randomness_and_choose_by_answers() -> None:
    game = AdaptiveInputs(NoisySum(), 4)
    law = view_law(game, Curious(), 1)
    for view in law:
        assert view.moves[0] == Ask(view.randomness)
        assert view.moves[1] == Challenge(0, 1)
        assert view.moves[2:] == tuple(map(Ask, view.answers[1:3]))
    assert {view.randomness for view in law} == {0, 1}


@given(
    st.lists(st.integers(0, 1), min_size=1, max_size=4),
    st.integers(0, 3),
    st.integers(0, 1),
    st.integers(1, 5),
)
def test_the_law_of_a_view_is_the_law_of_playing(
    zero: list[int], changed: int, bit: int, halts: int
) -> None:
    one = [x ^ (i == changed) for i, x in enumerate(zero)]
    game = AdaptiveInputs(NoisySum(halts), len(zero))
    for adversary in (Oblivious.of(zero, one), Curious()):
        stepwise = view_law(game, adversary, bit)
        whole = exact_distribution(lambda coins: draw_view(game, adversary, bit, coins))  # noqa: B023
        assert set(stepwise) == set(whole)
        assert all(stepwise.rational(view) == whole.rational(view) for view in whole)
        assert all(len(view.answers) <= halts for view in whole)


def test_equal_hidden_states_are_merged() -> None:
    stream = Oblivious.of([0] * 8, [0] * 7 + [1])
    law = view_law(AdaptiveInputs(MechanismResponder(AboveThreshold(1, 2)), 8), stream, 0)
    assert len(law) == 9 and law.branches < 10**4
