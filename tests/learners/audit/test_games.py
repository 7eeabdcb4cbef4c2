"""Audits of games against all adversaries, and what an audit could be taken in by."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from flint import arb

from learners.accounting import PureDP, Scope, UnderChallenge
from learners.audit import ExploredGame, audit, audit_game, view_loss
from learners.coins import Coins
from learners.exact import Stepwise, exact_distribution
from learners.games import (
    AdaptiveInputs,
    AdaptiveQueries,
    AdaptiveStream,
    Adversary,
    Ask,
    Challenge,
    CompositionGame,
    Datasets,
    Game,
    Move,
    Oblivious,
    OnlineGame,
    View,
)
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.verdicts import Verdict
from tests.learners.audit.laws import HALF, Program, close


@dataclass(frozen=True)
class Sticky:
    """A `Responder` whose hidden bit decides how loud it answers, and moves with what it reads."""

    def start(self, coins: Coins) -> int:
        return int(coins.flip(Fraction(1, 3)))

    def answer(self, state: int, item: int, coins: Coins) -> tuple[Any, Hashable]:
        shown = item ^ coins.flip(Fraction(1 + state, 4))
        halts = item == 1 and state == 1 and coins.flip(Fraction(1, 5))
        return (None if halts else state ^ (item & coins.flip(HALF))), int(shown)


@dataclass(frozen=True)
class Publishing(Sticky):
    """The same as a `Publisher`."""

    def publish(self, state: Any, coins: Coins) -> tuple[Any, Hashable]:
        return state, int(coins.flip(Fraction(1 + state, 5)))

    def receive(self, state: Any, item: int, coins: Coins) -> Any:
        return state ^ (item & coins.flip(Fraction(1, 3)))


@dataclass(frozen=True)
class Remembering:
    """A `Learner` that answers with the last label, flipped."""

    def start(self, coins: Coins) -> int:
        return 0

    def predict(self, state: int, point: Any, coins: Coins) -> tuple[int, Hashable]:
        return state, int(state ^ coins.flip(Fraction(1, 3)))

    def learn(self, state: int, point: Any, label: int, coins: Coins) -> int:
        return state ^ label if coins.flip(Fraction(1, 4)) else label


@dataclass(frozen=True)
class Planned(Adversary):
    """Every deterministic adversary is a table from answers to moves."""

    table: tuple[tuple[tuple[Hashable, ...], Move], ...]

    def move(self, view: View) -> Move | None:
        return dict(self.table).get((view.opening, *view.answers))


def all_adversaries(game: Game, moves: list[Move], answers: list[Any]) -> list[Planned]:
    """All tables over all histories, with illegal ones left out."""
    openings = [None] if not isinstance(game, AdaptiveStream) else [0, 1]
    histories = [
        (opening, *history)
        for opening in openings
        for turn in range(game.turns)
        for history in itertools.product(answers, repeat=turn)
    ]
    found = []
    for choice in itertools.product(moves, repeat=len(histories)):
        table = dict(zip(histories, choice, strict=True))
        legal = all(
            sum(isinstance(table[history[: k + 1]], Challenge) for k in range(len(history))) <= 1
            for history in histories
        )
        if legal:
            found.append(Planned(tuple(table.items())))
    return found


TENTH = Fraction(1, 10)
MOVES: list[Move] = [Ask(0), Ask(1), Challenge(0, 1), Challenge(1, 0)]


@pytest.mark.parametrize("epsilon", [Fraction(0), HALF])
@pytest.mark.parametrize("game", [AdaptiveInputs(Sticky(), 2), AdaptiveStream(Publishing(), 2)])
def test_backward_induction_is_the_maximum_over_all_adversaries(
    game: Game, epsilon: Fraction
) -> None:
    adversaries = all_adversaries(game, MOVES, [0, 1])
    best = max(float(view_loss(game, each).delta(epsilon).mid()) for each in adversaries)
    found = audit_game(game, MOVES, (epsilon, 0))
    assert close(found.measured, best)
    attained = view_loss(game, found.adversary).delta(epsilon)
    assert close(attained, best), "the adversary that is named attains it"


@pytest.mark.parametrize("leaky", [0, 1])
def test_a_game_is_searched_in_both_directions(leaky: int) -> None:
    """A tenth of the time one of the items is shown: the reverse direction needs no more than 1."""

    leaking = Program(lambda state, item, coins: (state, item == leaky and coins.flip(TENTH)))
    found = audit_game(AdaptiveInputs(leaking, 1), [Challenge(0, 1)], (1, 0))
    assert found.verdict == Verdict.VIOLATED
    # The likelier bit is the one for which the worst adversary presents this item.
    assert found.adversary.moves[None, ()].input(found.direction) == leaky
    assert close(found.measured, 0.1)


def test_games_within_a_game_are_played_with_its_secret_bit() -> None:
    stream = Oblivious((Challenge((0, 0), (0, 1)), Ask((0, 0))))
    move = Ask((OnlineGame(Remembering(), 2), stream))
    game = CompositionGame(2, 1)
    expected = view_loss(game, Oblivious((move, move))).delta(Fraction(0))
    assert close(audit_game(game, [move], (0, 0)).measured, float(expected.mid()))
    assert float(expected.mid()) > 0.1


def test_hidden_predictions_do_not_count() -> None:
    moves: list[Move] = [Ask(("x", 0)), Ask(("x", 1)), Challenge(("x", 0), ("x", 1))]
    game = OnlineGame(Remembering(), 3)
    found = audit_game(game, moves, (HALF, 0))
    assert close(view_loss(game, found.adversary).delta(HALF), float(found.measured.mid()))
    # Nothing is learned in the last round, so with one round there is nothing to see at all.
    assert float(audit_game(OnlineGame(Remembering(), 1), moves, (0, 0)).measured.upper()) < 1e-30


@pytest.mark.parametrize("epsilon", [Fraction(0), HALF])
def test_what_every_answer_leaves_out_is_enclosed(epsilon: Fraction) -> None:
    """Noise for each answer, cut each time: the answers add up what they leave out."""
    noisy = Program(lambda state, item, coins: (state, item + coins.laplace(1)))
    for turns in (1, 2):
        game, moves = AdaptiveInputs(noisy, turns), [Ask(0), Challenge(0, 1)]
        fine = audit_game(game, moves, (epsilon, 0), tail=Fraction(1, 2**20)).measured
        coarse = audit_game(game, moves, (epsilon, 0), tail=Fraction(1, 4)).measured
        # One of the answers is about the challenge, and the others tell nothing.
        q = math.exp(-1)
        exact = (1 - q * math.exp(epsilon)) / (1 + q)
        assert abs(float(fine.mid()) - exact) <= float(fine.rad()) + 1e-12
        assert coarse.contains(fine.mid())
        assert 0.01 < float(coarse.rad()) < 1


def test_positions_are_counted_and_each_direction_may_visit_so_many() -> None:
    """One position for the start, and one for each answer of each move that may follow."""
    one, two = (audit_game(AdaptiveInputs(Sticky(), turns), MOVES, (1, 0)) for turns in (1, 2))
    # Two answers each; both directions; a challenge comes once.
    assert (one.nodes, two.nodes) == (2, 2 * (1 + 4 * 2))
    game, moves = AdaptiveInputs(Sticky(), 4), MOVES[:3]
    found = audit_game(game, moves, (1, 0))
    most = found.nodes // 2
    assert most > 3**4 and audit_game(game, moves, (1, 0), max_nodes=most).nodes == found.nodes
    with pytest.raises(TooLarge):
        audit_game(game, moves, (1, 0), max_nodes=most - 1)


def test_the_adversary_that_is_named_wins_where_others_tie() -> None:
    """Another first move can do as well; its second moves must not get into the table."""

    def blurting(state: int, item: int, coins: Coins) -> tuple[Any, Hashable]:
        """Answers at random and tells the largest item at its end, by whether it halts."""
        return (None if max(state, item) == 1 else item), coins.below(2)

    moves: list[Move] = [Ask(0), Challenge(0, 1), Challenge(1, 0)]
    for order in (moves, moves[::-1]):
        game = AdaptiveInputs(Program(blurting), 2)
        found = audit_game(game, order, (0, 0))
        assert close(found.measured, 1.0)
        assert close(view_loss(game, found.adversary).delta(0), 1.0)


# ---- mechanisms that an audit could be taken in by


def stateless(shows: Callable[[Any], Hashable]) -> Program:
    """Shows a function of the item."""
    return Program(lambda state, item, coins: (state, shows(item)))


EQUAL = [
    (1, True),
    (0.0, -0.0),
    (frozenset([1]), frozenset([True])),
    (Ask((1, "a")), Ask((True, "a"))),
    (Decimal("1.0"), Decimal("1.00")),
]


@pytest.mark.parametrize(("zero", "one"), EQUAL, ids=repr)
def test_answers_that_equal_each_other_and_look_different(zero: Any, one: Any) -> None:
    """Python takes them for one key; who reads the answer does not."""
    assert zero == one and hash(zero) == hash(one)

    def shows(item: Any) -> Any:
        return one if item else zero

    game = AdaptiveInputs(stateless(shows), 1)
    for refused in (
        lambda: audit_game(game, [Challenge(0, 1)], (1, 0)),
        lambda: exact_distribution(lambda coins: coins.below(2)).then(
            lambda item, coins: shows(item)
        ),
    ):
        with pytest.raises(InvalidInput, match="distinguish"):
            refused()


@pytest.mark.parametrize(("zero", "one"), EQUAL, ids=repr)
def test_items_that_equal_each_other_are_asked_about_both(zero: Any, one: Any) -> None:
    game = AdaptiveInputs(stateless(repr), 1)
    assert audit_game(game, [Challenge(zero, one)], (1, 0)).verdict == Verdict.VIOLATED
    assert audit(lambda item, coins: repr(item), [(zero, one)], (1, 0)).verdict == Verdict.VIOLATED


def test_openings_that_equal_each_other_and_look_different() -> None:
    class Keyed:
        """Opens with 1 or True; only who knows which can read its answer."""

        def start(self, coins: Coins) -> Any:
            return coins.below(2)

        def publish(self, state: Any, coins: Coins) -> tuple[Any, Hashable]:
            return state, (1, True)[state]

        def receive(self, state: Any, item: int, coins: Coins) -> Any:
            return state ^ item

    game = AdaptiveStream(Keyed(), 2)
    with pytest.raises(InvalidInput, match="types are int and bool"):
        audit_game(game, [Ask(0), Challenge(0, 1)], (1, 0))


def test_states_that_equal_each_other_and_are_different() -> None:
    """It keeps 1 or True, and says which in the next turn."""
    casting = Program(lambda state, item, coins: (True if item else 1, repr(state)))
    with pytest.raises(InvalidInput, match="types are int and bool"):
        audit_game(AdaptiveInputs(casting, 2), [Ask(0), Challenge(0, 1)], (1, 0))


def test_what_is_kept_outside_of_states_is_noticed() -> None:
    items = [0]

    def keeping(state: Any, item: int, coins: Coins) -> tuple[Any, Hashable]:
        """Answers with the item before, which is in no state."""
        items.append(item)
        return state, items[-2]

    moves: list[Move] = [Ask(0), Challenge(0, 1)]
    explored = ExploredGame(AdaptiveInputs(Program(keeping), 2), moves)
    for epsilon in (1, 2):
        with pytest.raises(InvalidInput, match="PickledObject"):
            explored.against((epsilon, 0))

    seen = []

    def counting(data: int, coins: Coins) -> bool:
        seen.append(data)
        return len(seen) > 2

    with pytest.raises(InvalidInput, match="does not repeat itself"):
        audit(counting, [(0, 1)], (1, 0))


def test_a_game_is_explored_once_for_all_claims() -> None:
    asked = []

    def watched(item: int) -> int:
        asked.append(item)
        return item

    for responder in (Sticky(), stateless(watched)):
        game = AdaptiveInputs(responder, 2)
        explored = ExploredGame(game, MOVES)
        explored.against((2, 0))
        many = len(asked)
        for epsilon in (0, HALF, 1, 2):
            again = explored.against((epsilon, 0))
            assert len(asked) == many
            alone = audit_game(game, MOVES, (epsilon, 0))
            many = len(asked)
            assert again.measured.overlaps(alone.measured)
            # Since Python 3.13, a ball of positive radius makes findings unequal.
            assert replace(again, measured=arb(0)) == replace(alone, measured=arb(0))


def test_a_game_that_reads_the_bit_and_denies_it() -> None:
    class Telling(AdaptiveInputs):
        """Shows the secret bit with every answer; `reads_bit` is inherited, and false."""

        def respond(self, hidden: Any, move: Any, bit: int, coins: Coins) -> tuple[Any, Hashable]:
            state, answer = super().respond(hidden, move, bit, coins)
            return state, (answer, bit == 1)

    game = Telling(stateless(lambda item: 0), 1)
    with pytest.raises(InvalidInput, match="declares that it does not read the secret bit"):
        audit_game(game, [Ask(0), Challenge(0, 1)], (1, 0))
    Telling.reads_bit = True
    assert audit_game(game, [Ask(0), Challenge(0, 1)], (1, 0)).verdict == Verdict.VIOLATED


def test_what_users_are_told_of_their_own_is_hidden() -> None:
    class Telling:
        """Tells every user the user's own example."""

        def start(self, coins: Coins) -> Any:
            return ()

        def predict(self, state: Any, point: Any, coins: Coins) -> tuple[Any, Hashable]:
            return state, point

        def learn(self, state: Any, point: Any, label: Any, coins: Coins) -> Any:
            return state

    game, moves = OnlineGame(Telling(), 2), [Ask(("a", 0)), Challenge(("a", 0), ("b", 1))]
    for claim in (
        (0, 0),
        PureDP(1, scope=Scope.adaptive("challenge")),
        UnderChallenge(PureDP(1, scope=Scope.adaptive("replace_one"))),
    ):
        assert audit_game(game, moves, claim).verdict == Verdict.HOLDS


# ---- what holds on every history


def test_a_claim_on_every_history_says_when_some_were_not_looked_at() -> None:
    """With a small probability, the game says that it will reveal all items."""
    rare = Fraction(1, 10**6)
    announcing = Program(
        lambda state, item, coins: (state, (state, item * state)),
        lambda coins: int(coins.flip(rare)),
    )
    game = ExploredGame(AdaptiveInputs(announcing, 2), [Ask(0), Challenge(0, 1)])
    assert game.against((1, rare)).verdict == Verdict.HOLDS
    assert game.on_every_history((1, rare)).verdict == Verdict.VIOLATED
    assert game.on_every_history((1, rare), least=HALF).verdict == Verdict.UNDECIDED


def test_histories_end_where_two_versions_are_given_whatever_the_move_is() -> None:
    showing = Program(lambda data, query, coins: (data, data), lambda data, coins: data)
    game = ExploredGame(AdaptiveQueries(showing, 1), [Datasets((0,), (1,)), Ask("q")])
    assert game.on_every_history((0, 0)).verdict == Verdict.VIOLATED


def test_the_adversary_of_a_history_goes_there_however_rare_it_is() -> None:
    """A challenge is told half of the time; after a risk always or never, rarely the former."""

    def answer(share: Fraction, item: Any, coins: Coins) -> tuple[Fraction, Any]:
        if item == "risk":
            came_true = coins.flip(Fraction(1, 100))
            return Fraction(came_true), came_true
        return share, item if coins.flip(share) else None

    risk = Ask("risk")
    game = ExploredGame(
        AdaptiveInputs(Program(answer, lambda coins: HALF), 2), [risk, Challenge(0, 1)]
    )
    assert game.against((0, 0)).adversary.move(View()) == Challenge(0, 1)
    assert game.on_every_history((0, 0)).adversary.move(View()) == risk


@pytest.mark.parametrize("lie", [Fraction(1, 4), Fraction(2, 5)])
def test_an_epsilon_that_is_enough_is_found_where_a_claim_fails(lie: Fraction) -> None:
    response = Program(lambda state, bit, coins: (state, bit ^ coins.flip(lie)))
    game = ExploredGame(AdaptiveInputs(response, 2), [Ask(0), Challenge(0, 1)])
    found = game.finding((Fraction(1, 3), 0))
    assert found.verdict == Verdict.VIOLATED
    assert abs(float(found.enough_epsilon.mid()) - math.log((1 - lie) / lie)) < 1e-6
    assert found.least_epsilon < found.enough_epsilon


def test_what_tells_nothing_needs_no_epsilon() -> None:
    silent = AdaptiveInputs(Program(lambda state, bit, coins: (state, None)), 1)
    game = ExploredGame(silent, [Ask(0), Challenge(0, 1)], resolution=Fraction(0))
    assert game.finding((1, 0)).enough_epsilon == 0


class Drifting:
    """Answers with a coin whose chance is another one whenever it is computed anew."""

    def __init__(self) -> None:
        self.runs = 0

    def start(self, coins: Coins) -> int:
        return 0

    def answer(self, state: int, item: int, coins: Coins) -> tuple[int, bool]:
        self.runs += 1
        # A law takes two runs, one for each side of the coin.
        return state, coins.flip(Fraction(1, 2 + (self.runs + 1) // 2))


def test_other_chances_of_the_same_answers_are_noticed() -> None:
    with pytest.raises(InvalidInput, match=r"does not repeat itself\. Repeated"):
        audit_game(AdaptiveInputs(Drifting(), 1), [Ask(0), Challenge(0, 1)], (1, 0))
    with pytest.raises(InvalidInput, match=r"does not repeat itself\. Repeated"):
        audit(Stepwise(Drifting()), [((0,), (1,))], (1, 0))


class Forgetful:
    """Keeps the last item on itself instead of in its state, and tells it after one history."""

    def __init__(self, history: tuple[int, ...]) -> None:
        self.history, self.last = history, 0

    def start(self, coins: Coins) -> tuple[int, ...]:
        return ()

    def answer(
        self, state: tuple[int, ...], item: int, coins: Coins
    ) -> tuple[tuple[int, ...], int]:
        told = self.last // 3 if state == self.history else 0
        self.last = item
        return (*state, item % 3), told


@pytest.mark.parametrize("history", list(itertools.product(range(3), repeat=3)))
def test_what_is_kept_beside_the_state_is_noticed_after_any_history(
    history: tuple[int, ...],
) -> None:
    """So every step of a game is asked again: a part of them would miss most of these."""
    moves = [*map(Ask, range(3)), Challenge(0, 3)]
    with pytest.raises(InvalidInput, match="does not repeat itself"):
        audit_game(AdaptiveInputs(Forgetful(history), 4), moves, (0, 0))


class LeakOfADifference:
    """Tells later users the difference of the first two labels at a point."""

    def start(self, coins):
        return ()

    def predict(self, state, point, coins):
        difference = state[0] - state[1] if len(state) == 2 and point == "q" else 0
        return state, difference

    def learn(self, state, point, label, coins):
        return (*state, label) if point == "p" and len(state) < 2 else state


@pytest.mark.parametrize("delta", [0, Fraction(1, 10**9)])
def test_the_order_of_two_challenges_is_chosen_for_each(delta) -> None:
    """Both orders are tried, although the moves list one."""
    moves = [Ask(("q", 0)), Challenge(("p", 0), ("p", 1))]
    game = OnlineGame(LeakOfADifference(), 3, group=2)
    found = audit_game(game, moves, (1, delta))
    assert found.verdict == Verdict.VIOLATED
    assert float(found.measured.mid()) == pytest.approx(1)
