"""Games about data sets: who is a neighbour, and what is asked."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from learners.coins import SeededCoins
from learners.games import (
    HIDDEN,
    AdaptiveQueries,
    Ask,
    Challenge,
    ChallengeATGame,
    Datasets,
    MechanismQuerier,
    are_neighbours,
    draw_view,
    view_law,
)
from learners.mechanisms.sparse_vector import AboveThreshold
from tests.learners.games.players import Kind, SetQueries


@given(st.text("ab", max_size=4), st.text("ab", max_size=4))
def test_neighbours(zero: str, one: str) -> None:
    replaced = any(zero[:i] + x + zero[i + 1 :] == one for i in range(len(zero)) for x in "ab")
    assert are_neighbours(zero, one) == (replaced or zero == one)
    removed = one in {zero[:i] + zero[i + 1 :] for i in range(len(zero))}
    added = zero in {one[:i] + one[i + 1 :] for i in range(len(one))}
    assert are_neighbours(zero, one, "add_remove") == (removed or added or zero == one)


def test_long_data_sets_have_neighbours() -> None:
    data = (0,) * 300
    assert are_neighbours(data, (*data[1:], 1)) and not are_neighbours(data, (*data[2:], 1, 1))
    assert are_neighbours(data, data[1:], "add_remove")
    assert not are_neighbours(data, data[2:], "add_remove")


def test_queries_are_about_the_chosen_data() -> None:
    game = AdaptiveQueries(SetQueries(), 2)
    moves = Datasets("aab", "aac"), Ask(len), Ask(lambda data: data.count("b"))
    for bit, count in ((0, 1), (1, 0)):
        law = view_law(game, Kind(*moves), bit)
        assert {view.answers for view in law} == {
            (None, length, count + more) for length in (3, 4) for more in (0, 1)
        }


def test_one_query_may_be_a_challenge_and_its_answer_is_hidden() -> None:
    game = ChallengeATGame(SetQueries(), 3)
    one = Challenge(lambda data: 0, lambda data: 10**6)
    view = draw_view(game, Kind(Datasets("ab", "ac"), Ask(len), one, Ask(len)), 1, SeededCoins(1))
    assert view.answers[2] is HIDDEN and view.answers[1] is not HIDDEN
    halting = ChallengeATGame(MechanismQuerier(AboveThreshold(1, 0)), 3)
    view = draw_view(halting, Kind(Datasets("ab", "ac"), one, Ask(len)), 1, SeededCoins(1))
    assert view.answers == (None, HIDDEN), "the halt is seen, the answer is not"
