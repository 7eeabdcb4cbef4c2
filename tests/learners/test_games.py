"""The games are the papers': who sees what, which moves are allowed, when a game ends."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import FrozenInstanceError, dataclass, field
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners.accounting import NEIGHBOURS, ApproximateDP, Event, PureDP
from learners.audit import HOLDS, VIOLATED, audit_game, view_loss
from learners.coins import Coins, SeededCoins
from learners.exact import exact_law
from learners.games import (
    HIDDEN,
    NOTHING,
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
    MechanismQuerier,
    MechanismResponder,
    Move,
    Oblivious,
    OnlineGame,
    PickledObject,
    Unmerged,
    View,
    are_neighbours,
    draw_view,
    view_law,
)
from learners.mechanisms.sparse_vector import AboveThreshold
from lsclasses.errors import InvalidInput

# ---- small mechanisms, one a protocol


@dataclass(frozen=True)
class NoisySum:
    """A `Responder`: the parity of the bits so far, flipped with probability 1/5."""

    halts_after: int = 99

    def start(self, coins: Coins) -> tuple[int, int]:
        return 0, 0

    def answer(self, state: Any, item: int, coins: Coins) -> tuple[Any, Hashable]:
        parity, count = state[0] ^ item, state[1] + 1
        seen = parity ^ coins.flip(Fraction(1, 5))
        return (None if count >= self.halts_after else (parity, count)), int(seen)


@dataclass(frozen=True)
class Echo:
    """A `Learner`: predicts the last label that it was told, sometimes the other one."""

    privacy: Event | None = None

    def start(self, coins: Coins) -> int:
        return int(coins.flip(Fraction(1, 3)))

    def predict(self, state: int, point: Any, coins: Coins) -> tuple[int, Hashable]:
        return state, (point, state ^ coins.flip(Fraction(1, 4)))

    def learn(self, state: int, point: Any, label: int, coins: Coins) -> int:
        return label


@dataclass(frozen=True)
class EchoResponder:
    """The same learner as a `Responder` to the messages (point) and then (label)."""

    learner: Echo

    def start(self, coins: Coins) -> Any:
        return self.learner.start(coins), None

    def answer(self, state: Any, message: Any, coins: Coins) -> tuple[Any, Hashable]:
        inner, point = state
        if point is None:
            inner, predicted = self.learner.predict(inner, message[0], coins)
            return (inner, message), predicted
        return (self.learner.learn(inner, point[0], message[0], coins), None), None


@dataclass(frozen=True)
class Pupil:
    """A `User` of `GeneralGame` that brings an example."""

    point: str
    label: int

    def draw(self, coins: Coins) -> Hashable:
        return None

    def speak(self, randomness: Hashable, heard: tuple[Hashable, ...]) -> Any | None:
        return [(self.point,), (self.label,), None][len(heard)]


@dataclass(frozen=True)
class LastItem:
    """A `Publisher`: the hypothesis is the item read last, "nothing" at first."""

    def start(self, coins: Coins) -> Any:
        return "nothing"

    def publish(self, state: Any, coins: Coins) -> tuple[Any, Hashable]:
        return state, state

    def receive(self, state: Any, item: Any, coins: Coins) -> Any:
        return item


@dataclass(frozen=True)
class SetQueries:
    """A `Querier`: the query's value, noisy."""

    def start(self, dataset: Any, coins: Coins) -> Any:
        return dataset

    def answer(self, state: Any, query: Any, coins: Coins) -> tuple[Any, Hashable]:
        return state, query(state) + coins.below(2)


class Curious(Adversary):
    """Asks for what it saw last, after a first move that it draws; challenges once."""

    def draw(self, coins: Coins) -> Hashable:
        return coins.below(2)

    def move(self, view: View) -> Move | None:
        if not view.answers:
            assert isinstance(view.randomness, int)
            return Ask(view.randomness)
        if len(view.answers) == 1:
            return Challenge(0, 1)
        last = view.answers[-1]
        return Ask(last) if last in (0, 1) else None


class Kind(Adversary):
    """Plays what it is told, without a check."""

    def __init__(self, *moves: Any) -> None:
        self.moves = moves

    def move(self, view: View) -> Move | None:
        return self.moves[len(view.moves)] if len(view.moves) < len(self.moves) else None


# ---- what is seen


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


def test_users_that_talk_too_long_are_stopped() -> None:
    @dataclass(frozen=True)
    class Chatty:
        def draw(self, coins: Coins) -> Hashable:
            return None

        def speak(self, randomness: Hashable, heard: tuple[Hashable, ...]) -> Any | None:
            return 0

    with pytest.raises(InvalidInput, match="at most 5 messages"):
        draw_view(GeneralGame(NoisySum(), 1, messages=5), Kind(Ask(Chatty())), 0, SeededCoins(1))
    # A mechanism that halts ends the conversation and the game.
    view = draw_view(
        GeneralGame(NoisySum(halts_after=3), 2), Kind(Ask(Chatty())), 0, SeededCoins(1)
    )
    assert len(view.answers) == 1 and len(view.answers[0][1]) == 3


def test_composition_plays_whole_games_with_the_same_bit() -> None:
    game = OnlineGame(Echo(PureDP(2)), 2)
    stream = Oblivious((Challenge(("a", 0), ("a", 1)), Ask(("a", 0))))
    both = CompositionGame(2, 2)
    once = view_law(game, stream, 1)
    law = view_law(both, Kind(Ask((game, stream)), Ask((game, stream))), 1)
    for view in law:
        first, second = view.answers
        assert law.rational(view) == once.rational(first) * once.rational(second)


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


def test_adversaries_see_their_randomness_and_choose_by_answers() -> None:
    game = AdaptiveInputs(NoisySum(), 4)
    law = view_law(game, Curious(), 1)
    for view in law:
        assert view.moves[0] == Ask(view.randomness)
        assert view.moves[1] == Challenge(0, 1)
        assert view.moves[2:] == tuple(map(Ask, view.answers[1:3]))
    assert {view.randomness for view in law} == {0, 1}


# ---- halting


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


@dataclass(frozen=True)
class Saying:
    """A `User` of one message."""

    message: int

    def draw(self, coins: Coins) -> Hashable:
        return None

    def speak(self, randomness: Hashable, heard: tuple[Hashable, ...]) -> Any | None:
        return None if heard else self.message


def first(data: Any) -> int:
    return int(data[0])


def zero(data: Any) -> int:
    return 0


def one(data: Any) -> int:
    return 1


ZERO, ONE, HALTS = (0, 0), (0, 1), Halting()
ANSWERED: dict[str, tuple[Callable[[int], Game], list[Move]]] = {
    "inputs": (lambda turns: AdaptiveInputs(HALTS, turns), [Ask(0), Challenge(0, 1)]),
    "predictions": (
        lambda turns: OnlineGame(HALTS, turns),
        [Ask(ZERO), Challenge(ZERO, (1, 0))],
    ),
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


@pytest.mark.parametrize("turns", [1, 2, 3])
@pytest.mark.parametrize("game", ANSWERED.values(), ids=ANSWERED)
def test_a_halt_is_seen_after_every_move(
    game: tuple[Callable[[int], Game], list[Move]], turns: int
) -> None:
    """A learner that tells the challenge by halting gets away in none of the turns."""
    made, moves = game[0](turns), game[1]
    found = audit_game(made, moves, (1, 0))
    assert found.verdict == VIOLATED and float(found.measured) > 0.99
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


def test_nothing_follows_the_last_hypothesis() -> None:
    """[LWY25, Def. 2.4]: the view is h_1, ..., h_T."""
    moves: list[Move] = [Ask(0), Challenge(0, 1)]
    for rounds, halts, verdict in ((3, 3, HOLDS), (4, 3, VIOLATED), (3, 2, VIOLATED)):
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
        assert audit_game(game, moves, (1, 0)).verdict == VIOLATED
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
    assert audit_game(game, [Challenge(0, 1)], (0, 0)).verdict == HOLDS


@pytest.mark.parametrize("name", [name for name in ANSWERED if "games" not in name])
def test_a_state_of_none_is_no_beginning(name: str) -> None:
    """Whoever has nothing to keep and says None would play no game, and look private."""

    class Stateless(Halting):
        def start(self, *given: Any) -> Any:
            return None

    kinds: dict[str, Callable[[Any], Game]] = {
        "inputs": lambda each: AdaptiveInputs(each, 2),
        "predictions": lambda each: OnlineGame(each, 2),
        "labels": lambda each: OnlineGame(each, 2),
        "users": lambda each: GeneralGame(each, 2),
        "queries": lambda each: AdaptiveQueries(each, 2),
        "one query": lambda each: ChallengeATGame(each, 2),
    }
    game, moves = kinds[name](Stateless()), ANSWERED[name][1]
    for refused in (
        lambda: audit_game(game, moves, (1, 0)),
        lambda: view_law(game, Kind(*moves), 0),
        lambda: draw_view(game, Kind(*moves), 0, SeededCoins(1)),
    ):
        with pytest.raises(InvalidInput, match=r"it has not begun yet.*can be \(\)"):
            refused()


# ---- states that are not to be trusted


@dataclass(frozen=True)
class Forgetful:
    """A state whose equality leaves out what the next answer is."""

    last: int = field(compare=False)


class Delayed:
    """A `Responder` that answers with the item before."""

    def start(self, coins: Coins) -> Any:
        return Forgetful(0)

    def answer(self, state: Any, item: int, coins: Coins) -> tuple[Any, Hashable]:
        return Forgetful(item), state.last


def test_equality_of_states_need_not_be_trusted() -> None:
    moves: list[Move] = [Ask(0), Challenge(0, 1)]
    game = AdaptiveInputs(Delayed(), 2)
    with pytest.raises(InvalidInput, match="states that are equal must behave alike"):
        audit_game(game, moves, (1, 0))
    assert audit_game(Unmerged(game), moves, (1, 0)).verdict == VIOLATED
    laws = [view_law(Unmerged(game), Oblivious.of([0, 0], [1, 0]), bit) for bit in (0, 1)]
    assert [view.answers for law in laws for view in law] == [(0, 0), (0, 1)]


@pytest.mark.parametrize("game", ANSWERED.values(), ids=ANSWERED)
def test_unmerged_games_are_the_games(game: tuple[Callable[[int], Game], list[Move]]) -> None:
    plain = game[0](2)
    apart = Unmerged(plain)
    assert apart.turns == plain.turns
    assert audit_game(apart, game[1], (1, 0)).verdict == VIOLATED
    with pytest.raises(InvalidInput):
        apart.check(View(), 3)
    for relation in ("replace_one", "challenge"):
        assert apart.compares(relation) == plain.compares(relation)
    stream = Unmerged(AdaptiveStream(Leaving(3), 3))
    assert audit_game(stream, [Ask(0), Challenge(0, 1)], (1, 0)).verdict == HOLDS


# ---- playing and enumerating agree


@settings(deadline=None, max_examples=25)
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
        whole = exact_law(lambda coins: draw_view(game, adversary, bit, coins))  # noqa: B023
        assert set(stepwise) == set(whole)
        assert all(stepwise.rational(view) == whole.rational(view) for view in whole)
        assert all(len(view.answers) <= halts for view in whole)


class Memory:
    """A mutable object that answers; `PickledObject` turns it into a `Responder`."""

    def __init__(self) -> None:
        self.parity, self.halted, self.left = 0, False, 2

    def answer(self, item: int, coins: Coins) -> int:
        self.parity ^= item
        self.left -= 1
        self.halted = not self.left
        return int(self.parity ^ coins.flip(Fraction(1, 5)))


def test_objects_that_change_are_kept() -> None:
    stream = Oblivious.of([0, 1, 1], [1, 1, 1])
    for bit in (0, 1):
        kept = view_law(AdaptiveInputs(PickledObject(lambda coins: Memory()), 3), stream, bit)
        plain = view_law(AdaptiveInputs(NoisySum(halts_after=2), 3), stream, bit)
        assert {view: kept.rational(view) for view in kept} == {
            view: plain.rational(view) for view in plain
        }


def test_equal_hidden_states_are_merged() -> None:
    stream = Oblivious.of([0] * 8, [0] * 7 + [1])
    law = view_law(AdaptiveInputs(MechanismResponder(AboveThreshold(1, 2)), 8), stream, 0)
    assert len(law) == 9 and law.branches < 10**4


# ---- rules

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


def test_mechanisms_that_play_are_values() -> None:
    """Equal ones count as one in an enumeration, so they must hash alike and never change."""
    for make in (
        lambda: MechanismQuerier(AboveThreshold(1, 2)),
        lambda: MechanismResponder(AboveThreshold(1, 2)),
        lambda: PickledObject(Memory),
    ):
        one = make()
        assert one == make() and hash(one) == hash(make())
        with pytest.raises(FrozenInstanceError):
            one.mechanism = None  # type: ignore[union-attr]


def test_a_group_may_be_challenged() -> None:
    view = draw_view(
        OnlineGame(Echo(), 4, group=2), Kind(CHALLENGE, CHALLENGE, AN_EXAMPLE), 0, SeededCoins(1)
    )
    assert view.answers[:2] == (HIDDEN, HIDDEN) and view.challenges == 2


def test_adding_and_removing() -> None:
    game = AdaptiveQueries(SetQueries(), 1, neighbours="add_remove")
    view = draw_view(game, Kind(Datasets("ab", "a"), Ask(len)), 1, SeededCoins(1))
    assert view.answers[1] in (1, 2)
    with pytest.raises(InvalidInput, match="must be neighbours"):
        draw_view(game, Kind(Datasets("ab", "aa")), 0, SeededCoins(1))


@settings(deadline=None, max_examples=80)
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
