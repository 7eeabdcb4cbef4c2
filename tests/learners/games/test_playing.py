"""What is seen of a mechanism that halts, and states that are not to be trusted."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import pytest

from learners.audit import audit_game, view_loss
from learners.coins import Coins, SeededCoins
from learners.games import (
    NOTHING,
    AdaptiveInputs,
    AdaptiveQueries,
    AdaptiveStream,
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
    draw_view,
    view_law,
)
from lsclasses.errors import InvalidInput
from lsclasses.verdicts import Verdict
from tests.learners.audit.laws import Program
from tests.learners.games.players import Kind, Saying


@dataclass(frozen=True)
class Halting:
    """Says nothing and halts when it is given a 1: with its answer, or with the label told after.

    It is a `Responder`, a `Querier` and a `Learner`.
    """

    def start(self, *given: Any) -> Hashable:
        return given[0] if len(given) > 1 else "on"

    def answer(self, state: Any, item: Any, coins: Coins) -> tuple[Any, Hashable]:
        given = item(state) if callable(item) else item
        return (None if given == 1 else state), "nothing"

    def predict(self, state: Any, point: Any, coins: Coins) -> tuple[Any, Hashable]:
        return (None if point == 1 else state), "nothing"

    def learn(self, state: Any, point: Any, label: Any, coins: Coins) -> Any:
        return None if label == 1 else state


def first(data: Any) -> int:
    return int(data[0])


def zero(data: Any) -> int:
    return 0


def one(data: Any) -> int:
    return 1


ZERO, ONE, HALTS = (0, 0), (0, 1), Halting()
ANSWERED: dict[str, tuple[Callable[[int], Game], list[Move]]] = {
    "inputs": (lambda turns: AdaptiveInputs(HALTS, turns), [Ask(0), Challenge(0, 1)]),
    "predictions": (lambda turns: OnlineGame(HALTS, turns), [Ask(ZERO), Challenge(ZERO, (1, 0))]),
    "labels": (lambda turns: OnlineGame(HALTS, turns), [Ask(ZERO), Challenge(ZERO, ONE)]),
    "users": (
        lambda turns: GeneralGame(HALTS, turns),
        [Ask(Saying(0)), Challenge(Saying(0), Saying(1))],
    ),
    "queries": (
        lambda turns: AdaptiveQueries(HALTS, turns),
        [Datasets((0,), (1,)), Ask(zero), Ask(first)],
    ),
    "one query": (
        lambda turns: ChallengeATGame(HALTS, turns),
        [Datasets((0,), (0,)), Ask(zero), Challenge(zero, one)],
    ),
    "games of one turn": (
        lambda turns: CompositionGame(turns, 1),
        [Ask((OnlineGame(HALTS, 1), Oblivious((Challenge(ZERO, ONE),))))],
    ),
    "games that the adversary leaves": (
        lambda turns: CompositionGame(turns, 1),
        [Ask((OnlineGame(HALTS, 2), Oblivious((Challenge(ZERO, ONE),))))],
    ),
}
"""Every game whose moves are answered, with the moves that make the learner halt or go on."""


@pytest.mark.parametrize("turns", [1, 3])
@pytest.mark.parametrize("game", ANSWERED.values(), ids=ANSWERED)
def test_a_halt_is_seen_after_every_move(
    game: tuple[Callable[[int], Game], list[Move]], turns: int
) -> None:
    """A learner that tells the challenge by halting gets away in none of the turns."""
    made, moves = game[0](turns), game[1]
    found = audit_game(made, moves, (1, 0))
    assert found.verdict == Verdict.VIOLATED and float(found.measured) > 0.99
    assert float(view_loss(made, found.adversary).delta(1)) > 0.99
    # Also if there is nothing to see before the last turn.
    waiting = [move for move in moves if isinstance(move, Ask)][:1] * (turns - 1)
    opening = [move for move in moves if isinstance(move, Datasets)]
    leaving = Kind(*opening, *waiting, moves[-1])
    for bit in (0, 1):
        (view,) = view_law(made, leaving, bit)
        assert view == draw_view(made, leaving, bit, SeededCoins(1))
        if not isinstance(made, CompositionGame):
            assert view.halted == bool(bit) and len(view.answers) == len(opening) + turns


def test_a_halt_is_seen_if_the_adversary_stops() -> None:
    stops = Oblivious((Challenge(0, 1),))
    views = [draw_view(AdaptiveInputs(HALTS, 3), stops, bit, SeededCoins(1)) for bit in (0, 1)]
    assert [view.halted for view in views] == [False, True]
    assert views[0].answers == views[1].answers == ("nothing",)


def test_a_halt_in_the_middle_of_a_talk_is_seen_by_its_user_only() -> None:
    @dataclass(frozen=True)
    class Chatty(Saying):
        def speak(self, randomness: Hashable, heard: tuple[Hashable, ...]) -> Any | None:
            return int(len(heard) == self.message)

    game = GeneralGame(HALTS, 2)
    zero, one = Chatty(1), Chatty(3)
    hidden = [draw_view(game, Kind(Challenge(zero, one)), bit, SeededCoins(1)) for bit in (0, 1)]
    assert hidden[0] == hidden[1] and hidden[0].halted
    shown = [draw_view(game, Kind(Ask(user)), 0, SeededCoins(1)) for user in (zero, one)]
    assert [len(view.answers[0][1]) for view in shown] == [2, 4]


@dataclass(frozen=True)
class Leaving:
    """A `Publisher` of nothing that halts with its n-th hypothesis, or reads a 1 and halts."""

    with_hypothesis: int = 0
    by_reading: bool = False

    def start(self, coins: Coins) -> Any:
        return 0, 0

    def publish(self, state: Any, coins: Coins) -> tuple[Any, Hashable]:
        published, read = state[0] + 1, state[1]
        halts = published == self.with_hypothesis and read
        return (None if halts else (published, read)), "hypothesis"

    def receive(self, state: Any, item: int, coins: Coins) -> Any:
        return None if item and self.by_reading else (state[0], state[1] | item)


def test_who_stops_at_once_sees_that_nothing_has_halted() -> None:
    game = AdaptiveInputs(Halting(), 3)
    for bit in (0, 1):
        assert draw_view(game, Oblivious(()), bit, SeededCoins(1)) == View()
        assert list(view_law(game, Oblivious(()), bit)) == [View()]


def test_nothing_follows_the_last_hypothesis() -> None:
    """[LWY25, Def. 2.4]: the view is h_1, ..., h_T."""
    moves: list[Move] = [Ask(0), Challenge(0, 1)]
    for rounds, halts, verdict in (
        (3, 3, Verdict.HOLDS),
        (4, 3, Verdict.VIOLATED),
        (3, 2, Verdict.VIOLATED),
    ):
        game = AdaptiveStream(Leaving(halts), rounds)
        assert audit_game(game, moves, (1, 0)).verdict == verdict, (rounds, halts)
    game = AdaptiveStream(Leaving(2), 2)
    views = [draw_view(game, Oblivious.of([0], [1]), bit, SeededCoins(1)) for bit in (0, 1)]
    assert views[0].answers == views[1].answers == ("hypothesis",)
    assert not views[1].halted


def test_a_hypothesis_that_is_missing_is_seen() -> None:
    moves: list[Move] = [Ask(0), Challenge(0, 1)]
    for rounds in (2, 3):
        game = AdaptiveStream(Leaving(by_reading=True), rounds)
        assert audit_game(game, moves, (1, 0)).verdict == Verdict.VIOLATED
        view = draw_view(game, Oblivious.of([0], [1]), 1, SeededCoins(1))
        assert view.answers == (NOTHING,) and view.halted == (rounds == 3)


def test_a_learner_that_halts_at_its_start_has_said_nothing() -> None:
    @dataclass(frozen=True)
    class Once:
        def start(self, coins: Coins) -> Any:
            return "new"

        def publish(self, state: Any, coins: Coins) -> tuple[Any, Hashable]:
            return (state if coins.flip(Fraction(1, 2)) else None), "hypothesis"

        def receive(self, state: Any, item: int, coins: Coins) -> Any:
            return state

    game, stream = AdaptiveStream(Once(), 2), Oblivious.of([0], [1])
    law = view_law(game, stream, 1)
    assert {(view.halted, len(view.moves)): law.rational(view) for view in law} == {
        (True, 0): Fraction(1, 2),
        (False, 1): Fraction(1, 2),
    }
    assert audit_game(game, [Challenge(0, 1)], (0, 0)).verdict == Verdict.HOLDS


@pytest.mark.parametrize("name", [name for name in ANSWERED if "games" not in name])
def test_a_state_of_none_is_no_beginning(name: str) -> None:
    """A mechanism without a state that returns None would play no game, and look private."""

    class Stateless(Halting):
        def start(self, *given: Any) -> Any:
            return None

    game, moves = type(ANSWERED[name][0](2))(Stateless(), 2), ANSWERED[name][1]
    for refused in (
        lambda: audit_game(game, moves, (1, 0)),
        lambda: view_law(game, Kind(*moves), 0),
        lambda: draw_view(game, Kind(*moves), 0, SeededCoins(1)),
    ):
        with pytest.raises(InvalidInput, match="not begun"):
            refused()


@dataclass(frozen=True)
class Forgetful:
    """A state whose equality leaves out what the next answer is."""

    last: int = field(compare=False)


def test_equality_of_states_need_not_be_trusted() -> None:
    moves: list[Move] = [Ask(0), Challenge(0, 1)]
    # It answers with the item before.
    delayed = Program(
        lambda state, item, coins: (Forgetful(item), state.last), lambda coins: Forgetful(0)
    )
    game = AdaptiveInputs(delayed, 2)
    with pytest.raises(InvalidInput, match="must behave equally"):
        audit_game(game, moves, (1, 0))
    assert audit_game(Unmerged(game), moves, (1, 0)).verdict == Verdict.VIOLATED
    laws = [view_law(Unmerged(game), Oblivious.of([0, 0], [1, 0]), bit) for bit in (0, 1)]
    assert [view.answers for law in laws for view in law] == [(0, 0), (0, 1)]


@pytest.mark.parametrize("game", ANSWERED.values(), ids=ANSWERED)
def test_unmerged_games_are_the_games(game: tuple[Callable[[int], Game], list[Move]]) -> None:
    plain = game[0](2)
    apart = Unmerged(plain)
    assert apart.turns == plain.turns and apart in {Unmerged(plain)}
    assert audit_game(apart, game[1], (1, 0)).verdict == Verdict.VIOLATED
    for relation in ("replace_one", "challenge"):
        assert apart.compares(relation) == plain.compares(relation)
    stream = Unmerged(AdaptiveStream(Leaving(3), 3))
    assert audit_game(stream, [Ask(0), Challenge(0, 1)], (1, 0)).verdict == Verdict.HOLDS
