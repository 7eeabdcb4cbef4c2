"""What the rules forbid, what a game compares, and who is a neighbour."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import FrozenInstanceError, dataclass
from fractions import Fraction
from typing import Any

import pytest

from learners.accounting import NEIGHBOURS, ApproximateDP, PureDP
from learners.audit import audit_game
from learners.coins import Coins, SeededCoins
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
    Datasets,
    Game,
    GeneralGame,
    Move,
    Oblivious,
    OnlineGame,
    Unmerged,
    View,
    are_neighbours,
    draw_view,
    view_law,
)
from lsclasses.errors import InvalidInput
from tests.learners.games.players import (
    Curious,
    Echo,
    EchoResponder,
    Kind,
    LastItem,
    NoisySum,
    Pupil,
    SetQueries,
)

AN_EXAMPLE = Ask(("a", 0))
CHALLENGE = Challenge(("a", 0), ("b", 1))


@pytest.mark.parametrize(
    ("game", "moves", "message"),
    [
        (AdaptiveInputs(NoisySum(), 3), [Challenge(0, 1), Challenge(0, 1)], "one too many"),
        (AdaptiveInputs(NoisySum(), 3), [Challenge(0, 1), Challenge(0, 0)], "one too many"),
        (AdaptiveInputs(NoisySum(), 3), [0], "must be Ask"),
        (AdaptiveInputs(NoisySum(), 3), [Datasets("a", "b")], "must be Ask"),
        (AdaptiveStream(LastItem(), 4), [Challenge(0, 1), Challenge(0, 1)], "At most 1 challenge "),
        (OnlineGame(Echo(), 3), [CHALLENGE, CHALLENGE], "At most 1 challenge "),
        (OnlineGame(Echo(), 4, group=2), [CHALLENGE] * 3, "At most 2 challenges "),
        (OnlineGame(Echo(), 3), [Ask(1)], "a pair"),
        (OnlineGame(Echo(), 3), [Challenge(("a", 0), "b")], "a pair"),
        (OnlineGame(Echo(), 3), [Challenge("b", ("a", 0))], "a pair"),
        (OnlineGame(Echo(), 3), [Ask(("a", 0, 1))], "a pair"),
        (GeneralGame(EchoResponder(Echo()), 3), [Challenge(Pupil("a", 0), Pupil("b", 0))] * 2, "1"),
        (CompositionGame(2, 1), [Ask(3)], r"Ask\(\(game, adversary\)\)"),
        (CompositionGame(2, 1), [Ask((OnlineGame(Echo(), 2),))], r"Ask\(\(game, adversary\)\)"),
        (CompositionGame(2, 1), [Challenge(1, 2)], r"Ask\(\(game, adversary\)\)"),
        (CompositionGame(2, 1), [Ask((3, Curious()))], "OnlineGame and an Adversary"),
        (CompositionGame(2, 1), [Ask((OnlineGame(Echo(), 2, 2), Curious()))], "one challenge each"),
        (CompositionGame(2, 1), [Ask((OnlineGame(Echo(PureDP(2)), 2), Curious()))], "states"),
        (
            CompositionGame(2, 1),
            [Ask((OnlineGame(Echo(ApproximateDP(1, Fraction(1, 9))), 2), Curious()))],
            "states",
        ),
        (AdaptiveQueries(SetQueries(), 3), [Ask(len)], "first move must be Datasets"),
        (AdaptiveQueries(SetQueries(), 3), [Datasets("ab", "cd")], "must be neighbours"),
        (AdaptiveQueries(SetQueries(), 3), [Datasets("ab", "a")], "must be neighbours"),
        (
            AdaptiveQueries(SetQueries(), 3),
            [Datasets("ab", "aa"), Ask(lambda data: 2 * data.count("a"))],
            "differs by 2",
        ),
        (AdaptiveQueries(SetQueries(), 3), [Datasets("b", "a"), Challenge(len, len)], "Ask"),
        (AdaptiveQueries(SetQueries(), 3), [Datasets("b", "a"), Datasets("b", "a")], "Ask"),
        (
            ChallengeATGame(SetQueries(), 3),
            [Datasets("ab", "aa"), Challenge(len, lambda data: 2 * data.count("a"))],
            "differs by 2",
        ),
        (
            ChallengeATGame(SetQueries(), 3),
            [Datasets("ab", "aa"), Challenge(lambda data: 2 * data.count("a"), len)],
            "differs by 2",
        ),
        (
            ChallengeATGame(SetQueries(), 3),
            [Datasets("ab", "aa"), Challenge("no query", lambda data: 2 * data.count("a"))],
            "differs by 2",
        ),
        (
            ChallengeATGame(SetQueries(), 3),
            [Datasets("ab", "aa"), Challenge(len, len), Challenge(len, len)],
            "one too many",
        ),
    ],
)
def test_the_rules_are_enforced(game: Game, moves: list[Any], message: str) -> None:
    for legal in range(len(moves)):
        draw_view(game, Kind(*moves[:legal]), 0, SeededCoins(1))
    with pytest.raises(InvalidInput, match=message):
        draw_view(game, Kind(*moves), 0, SeededCoins(1))
    with pytest.raises(InvalidInput, match=message):
        view_law(game, Kind(*moves), 1)


def test_a_user_may_send_as_many_messages_as_the_game_says() -> None:
    @dataclass(frozen=True)
    class Sending:
        messages: int

        def draw(self, coins: Coins) -> Hashable:
            return None

        def speak(self, randomness: Hashable, heard: tuple[Hashable, ...]) -> Any | None:
            return 0 if len(heard) < self.messages else None

    for game, most in (
        (GeneralGame(NoisySum(), 1, messages=1), 1),
        (GeneralGame(NoisySum(), 1), 64),
    ):
        view = draw_view(game, Kind(Ask(Sending(most))), 0, SeededCoins(1))
        assert len(view.answers[0][1]) == most
        with pytest.raises(InvalidInput, match=f"at most {most} messages"):
            draw_view(game, Kind(Ask(Sending(most + 1))), 0, SeededCoins(1))


def test_a_long_game_ends_after_its_rounds() -> None:
    class Endless(Adversary):
        def move(self, view: View) -> Move | None:
            return Ask(0)

    for rounds in (1, 300):
        game = AdaptiveInputs(NoisySum(rounds + 9), rounds)
        assert len(draw_view(game, Endless(), 0, SeededCoins(1)).answers) == rounds


def nothing_to_compare() -> list[tuple[Game, list[Move]]]:
    return [
        (AdaptiveInputs(NoisySum(), 2), [Ask(0), Challenge(1, 1)]),
        (AdaptiveStream(LastItem(), 2), [Ask(0), Challenge(1, 1)]),
        (OnlineGame(Echo(), 2), [AN_EXAMPLE, Challenge(("a", 0), ("a", 0))]),
        (GeneralGame(EchoResponder(Echo()), 2), [Ask(Pupil("a", 0))]),
        (AdaptiveQueries(SetQueries(), 1), [Datasets("a", "a"), Ask(len)]),
        (ChallengeATGame(SetQueries(), 1), [Datasets("a", "a"), Challenge(len, len)]),
    ]


@pytest.mark.parametrize(("game", "moves"), nothing_to_compare())
def test_moves_that_do_not_depend_on_the_bit_are_no_audit(game: Game, moves: list[Move]) -> None:
    with pytest.raises(InvalidInput, match="no move depends on the secret bit"):
        audit_game(game, moves, (1, 0))


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


@pytest.mark.parametrize(
    "make",
    [
        lambda: AdaptiveInputs(NoisySum(), 3),
        lambda: AdaptiveStream(NoisySum(), 3),
        lambda: OnlineGame(NoisySum(), 3),
        lambda: GeneralGame(NoisySum(), 3),
        lambda: CompositionGame(2, 1),
        lambda: AdaptiveQueries(NoisySum(), 3),
        lambda: ChallengeATGame(NoisySum(), 3),
        lambda: Unmerged(AdaptiveInputs(NoisySum(), 3)),
    ],
)
def test_games_are_values(make: Callable[[], Game]) -> None:
    one = make()
    assert one == make() and hash(one) == hash(make())
    with pytest.raises(FrozenInstanceError):
        one.turns = 9  # type: ignore[misc]


def test_challenges_of_large_groups_are_counted() -> None:
    game = OnlineGame(Echo(), 400, group=300)
    game.check(View(moves=(CHALLENGE,) * 299), CHALLENGE)
    with pytest.raises(InvalidInput, match="At most 300 challenges"):
        game.check(View(moves=(CHALLENGE,) * 300), CHALLENGE)


def test_a_group_may_be_challenged() -> None:
    view = draw_view(
        OnlineGame(Echo(), 4, group=2), Kind(CHALLENGE, CHALLENGE, AN_EXAMPLE), 0, SeededCoins(1)
    )
    assert view.answers[:2] == (HIDDEN, HIDDEN) and view.challenges == 2


@pytest.mark.parametrize(
    "make",
    [
        lambda: AdaptiveInputs(NoisySum(), 0),
        lambda: AdaptiveInputs(NoisySum(), 1.5),
        lambda: AdaptiveStream(LastItem(), 0),
        lambda: OnlineGame(Echo(), 0),
        lambda: OnlineGame(Echo(), 1, group=0),
        lambda: GeneralGame(NoisySum(), 0),
        lambda: GeneralGame(NoisySum(), 1, messages=0),
        lambda: CompositionGame(0, 1),
        lambda: CompositionGame(1, 0.5),
        lambda: AdaptiveQueries(SetQueries(), 0),
        lambda: AdaptiveQueries(SetQueries(), 1, neighbours="user"),
        lambda: AdaptiveQueries(SetQueries(), 1, sensitivity=0.5),
        lambda: are_neighbours("a", "b", "user"),
        lambda: Oblivious.of("ab", "a"),
        lambda: draw_view(AdaptiveInputs(NoisySum(), 1), Curious(), 2, SeededCoins(1)),
        lambda: view_law(AdaptiveInputs(NoisySum(), 1), Curious(), 2),
    ],
)
def test_bad_input(make: Any) -> None:
    with pytest.raises(InvalidInput):
        make()
