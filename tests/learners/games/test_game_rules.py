"""What the rules forbid, what a game compares, and who is a neighbour."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from learners.accounting import NEIGHBOURS
from learners.coins import SeededCoins
from learners.games import (
    HIDDEN,
    AdaptiveInputs,
    AdaptiveQueries,
    AdaptiveStream,
    Adversary,
    Ask,
    Challenge,
    ChallengeATGame,
    CompositionGame,
    Game,
    GeneralGame,
    Move,
    OnlineGame,
    View,
    draw_view,
)
from learners.games.game_rules import check_challenges, one_challenge
from lsclasses.errors import InvalidInput
from tests.learners.games.players import (
    Echo,
    EchoResponder,
    Kind,
    LastItem,
    NoisySum,
    Saying,
    SetQueries,
)

AN_EXAMPLE = Ask(("a", 0))
CHALLENGE = Challenge(("a", 0), ("b", 1))


def test_a_user_may_send_as_many_messages_as_the_game_says() -> None:
    for game, most in (
        (GeneralGame(NoisySum(), 1, messages=1), 1),
        (GeneralGame(NoisySum(), 1), 64),
    ):
        view = draw_view(game, Kind(Ask(Saying(0, most))), 0, SeededCoins(1))
        assert len(view.answers[0][1]) == most
        with pytest.raises(InvalidInput, match=f"{most}"):
            draw_view(game, Kind(Ask(Saying(0, most + 1))), 0, SeededCoins(1))


def test_a_long_game_ends_after_its_rounds() -> None:
    class Endless(Adversary):
        def move(self, view: View) -> Move | None:
            return Ask(0)

    for rounds in (1, 300):
        game = AdaptiveInputs(NoisySum(rounds + 9), rounds)
        assert len(draw_view(game, Endless(), 0, SeededCoins(1)).answers) == rounds


@pytest.mark.parametrize(
    ("game", "relations"),
    [
        (AdaptiveInputs(NoisySum(), 2), NEIGHBOURS),
        (AdaptiveStream(LastItem(), 2), NEIGHBOURS),
        (OnlineGame(Echo(), 2), ["challenge"]),
        (GeneralGame(EchoResponder(Echo()), 2), ["challenge"]),
        (CompositionGame(2, 1), ["challenge"]),
        (AdaptiveQueries(SetQueries(), 1), ["replace_one"]),
        (ChallengeATGame(SetQueries(), 1, neighbours="add_remove"), ["add_remove"]),
    ],
)
def test_a_game_that_hides_answers_refutes_no_guarantee_of_them(
    game: Game, relations: Sequence[str]
) -> None:
    """Where the challenged user's answer is hidden, only challenge-DP is about what is seen."""
    assert [each for each in NEIGHBOURS if game.compares(each)] == list(relations)


def test_a_group_may_be_challenged() -> None:
    view = draw_view(
        OnlineGame(Echo(), 4, group=2), Kind(CHALLENGE, CHALLENGE, AN_EXAMPLE), 0, SeededCoins(1)
    )
    assert view.answers[:2] == (HIDDEN, HIDDEN) and view.challenges == 2
    large, many = OnlineGame(Echo(), 400, group=300), (CHALLENGE,) * 300
    large.check(View(moves=many[1:]), CHALLENGE)
    with pytest.raises(InvalidInput, match="300"):
        large.check(View(moves=many), CHALLENGE)


@pytest.mark.parametrize("allowed", [1, 2])
def test_one_challenge_holds_for_games_that_refuse_a_second_challenge(allowed: int) -> None:
    class Counted(AdaptiveInputs):
        def check(self, view: View, move: Move) -> None:
            check_challenges(view, move, allowed)

    assert one_challenge(Counted(NoisySum(), 2), CHALLENGE) == (allowed == 1)
