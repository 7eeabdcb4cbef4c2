"""Audits against their definitions: all events, all adversaries, all pairs; samples with care."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from learners.accounting import PureDP, SelfComposed, UnderChallenge
from learners.audit import (
    CONSISTENT,
    HOLDS,
    RESOLUTION,
    UNDECIDED,
    VIOLATED,
    ExploredGame,
    PrivacyLoss,
    audit,
    audit_game,
    audit_samples,
    clopper_pearson,
    neighbouring_pairs,
    view_loss,
)
from learners.coins import Coins
from learners.exact import Law, exact_law
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
    MechanismResponder,
    Move,
    Oblivious,
    OnlineGame,
    View,
)
from learners.mechanisms.sparse_vector import AboveThreshold
from lsclasses.errors import InvalidInput, TooLarge

HALF = Fraction(1, 2)
weights = st.lists(st.integers(0, 6), min_size=4, max_size=4).filter(any)
epsilons = st.fractions(0, 2, max_denominator=20)


def rational_law(parts: list[int]) -> Law[int]:
    """The law that gives outcome i the share parts[i]."""
    slots = [i for i, part in enumerate(parts) for _ in range(part)]
    return exact_law(lambda coins: slots[coins.below(len(slots))])


def exponential(epsilon: Fraction) -> arb:
    return arb(fmpq(epsilon.numerator, epsilon.denominator)).exp()


def close(ball: arb, value: float) -> bool:
    return abs(float(ball.mid()) - value) < 1e-9 and float(ball.rad()) < 1e-9


# ---- hockey sticks


@settings(deadline=None, max_examples=60)
@given(weights, weights, epsilons)
def test_delta_is_the_maximum_over_all_events(
    p: list[int], q: list[int], epsilon: Fraction
) -> None:
    loss = PrivacyLoss(rational_law(p), rational_law(q))
    factor = math.exp(epsilon)
    for direction, (mine, other) in enumerate(((p, q), (q, p))):
        best = max(
            sum(mine[i] for i in event) / sum(mine)
            - factor * sum(other[i] for i in event) / sum(other)
            for size in range(5)
            for event in itertools.combinations(range(4), size)
        )
        assert close(loss.delta(epsilon, direction), best)
    assert loss.delta(epsilon).overlaps(loss.delta(epsilon, 0).max(loss.delta(epsilon, 1)))


@settings(deadline=None, max_examples=60)
@given(weights, weights, epsilons)
def test_the_event_attains_delta(p: list[int], q: list[int], epsilon: Fraction) -> None:
    loss = PrivacyLoss(rational_law(p), rational_law(q))
    direction, event = loss.event(epsilon)
    mine, other = ((p, q), (q, p))[direction]
    gained = sum(mine[i] for i in event) / sum(mine)
    gained -= math.exp(epsilon) * sum(other[i] for i in event) / sum(other)
    assert close(loss.delta(epsilon), gained)


@settings(deadline=None, max_examples=60)
@given(weights, weights)
def test_the_loss_is_where_delta_vanishes(p: list[int], q: list[int]) -> None:
    loss = PrivacyLoss(rational_law(p), rational_law(q))
    bound, witness = loss.loss()
    if any((a == 0) != (b == 0) for a, b in zip(p, q, strict=True)):
        assert bound == arb.pos_inf() and (p[witness] == 0) != (q[witness] == 0)
        return
    ratios = [abs(math.log(a * sum(q) / (b * sum(p)))) for a, b in zip(p, q, strict=True) if a]
    assert close(bound, max(ratios))
    above = Fraction(float(bound)) + Fraction(1, 10**6)
    assert float(loss.delta(above).upper()) < 1e-30
    if max(ratios) > 1e-5:
        assert loss.delta(max(Fraction(0), above - Fraction(1, 10**5))) > 0


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 8), st.integers(1, 4), epsilons)
def test_laplace_noise_in_closed_form(numerator: int, denominator: int, epsilon: Fraction) -> None:
    scale = Fraction(numerator, denominator)
    laws = [exact_law(lambda coins, n=n: n + coins.laplace(scale)) for n in (0, 1)]
    loss = PrivacyLoss(*laws)
    q = math.exp(-1 / scale)
    assert close(loss.delta(epsilon), max(0.0, (1 - q * math.exp(epsilon)) / (1 + q)))
    assert 1 / scale - 1e-9 < float(loss.loss()[0]) <= 1 / scale


@pytest.mark.parametrize("tail", [Fraction(1, 4), Fraction(1, 100), Fraction(1, 10**6)])
@pytest.mark.parametrize("epsilon", [Fraction(0), HALF, Fraction(3)])
def test_whatever_is_cut_stays_inside_the_ball(tail: Fraction, epsilon: Fraction) -> None:
    def run(n: int) -> Any:
        return lambda coins: (n + coins.laplace(2), coins.laplace(2) > n)

    coarse, fine = (
        PrivacyLoss(*(exact_law(run(n), tail=cut) for n in (0, 1)))
        for cut in (tail, Fraction(1, 2**50))
    )
    assert coarse.delta(epsilon).contains(fine.delta(epsilon).mid())
    assert coarse.loss()[0] <= 2 + 1e-12
    assert coarse.cut >= fine.cut


@settings(deadline=None, max_examples=30)
@given(weights, weights, st.fractions(0, 1, max_denominator=30))
def test_the_least_epsilon_of_a_delta(p: list[int], q: list[int], delta: Fraction) -> None:
    loss = PrivacyLoss(rational_law(p), rational_law(q))
    found = loss.epsilon(delta)
    if not found.is_finite():
        assert loss.delta(50) > fmpq(delta.numerator, delta.denominator)
        return
    value = Fraction(float(found))
    allowed = float(delta) + 1e-9
    assert float(loss.delta(value + Fraction(1, 10**9)).lower()) <= allowed
    if value > Fraction(1, 10**6):
        assert float(loss.delta(value - Fraction(1, 10**6)).upper()) > float(delta) - 1e-9


def biased(chance: Fraction) -> Law[bool]:
    return exact_law(lambda coins: coins.flip(chance))


@pytest.mark.parametrize("flipped", [False, True])
def test_large_losses_are_found(flipped: bool) -> None:
    """delta(epsilon) = 1/2 - e^epsilon 10^-40, which is 1/4 at ln(10^40/4)."""
    laws = [biased(HALF), biased(Fraction(1, 10**40))]
    loss = PrivacyLoss(*laws[:: -1 if flipped else 1])
    expected = math.log(10**40 / 4)
    assert close(loss.epsilon(Fraction(1, 4)), expected)
    assert close(loss.enough(Fraction(1, 4)), expected)


def test_losses_beyond_the_search_are_bounded_from_below() -> None:
    loss = PrivacyLoss(biased(HALF), biased(Fraction(1, 2**100_000)))
    truth = 100_000 * math.log(2)
    assert 2**15 < float(loss.epsilon(Fraction(1, 4))) < truth
    assert loss.enough(Fraction(1, 4)) == arb.pos_inf()


@pytest.mark.parametrize("flipped", [False, True])
def test_what_was_cut_of_the_other_law_may_hide_an_outcome(flipped: bool) -> None:
    """Only one of the laws is cut: an outcome that it does not list may yet be one of its own."""

    def pair(width: int) -> PrivacyLoss[int]:
        laws = [
            exact_law(lambda coins: coins.below(2 * width + 1) - width),
            exact_law(lambda coins: coins.laplace(2), tail=Fraction(1, 20)),
        ]
        assert laws[0].tail.is_zero() and laws[1].tail > 0
        return PrivacyLoss(*laws[:: -1 if flipped else 1])

    assert pair(50).epsilon(Fraction(1, 4)).is_finite()
    assert pair(1).epsilon(Fraction(1, 4)) == arb.pos_inf()


# ---- pairs


def test_all_pairs_and_the_worst_of_them() -> None:
    def run(data: tuple[int, ...], coins: Coins) -> int:
        # Ones at the end weigh more: the sensitivity is 3, not 1.
        return sum(x * weight for x, weight in zip(data, (1, 2, 3), strict=True)) + coins.laplace(2)

    pairs = neighbouring_pairs(itertools.product((0, 1), repeat=3))
    assert len(pairs) == 12
    found = audit(run, pairs, (HALF, 0))
    assert found.verdict == VIOLATED
    assert found.pair[0][:2] == found.pair[1][:2] and found.pair[0][2] != found.pair[1][2]
    assert close(found.least_epsilon, 1.5)
    assert found.pairs == 12 and len(found.event) > 1
    assert audit(run, pairs, (Fraction(3, 2), 0)).verdict == HOLDS
    assert audit(run, pairs, SelfComposed(PureDP(HALF), 3)).verdict == HOLDS


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.text("ab", max_size=3), unique=True), st.sampled_from(["replace_one", "add_remove"])
)
def test_pairs_are_all_neighbours_once(inputs: list[str], relation: str) -> None:
    from learners.games import are_neighbours

    expected = {
        frozenset((x, y))
        for x in inputs
        for y in inputs
        if x != y and are_neighbours(x, y, relation)
    }
    found = neighbouring_pairs(inputs, relation)
    assert {frozenset(pair) for pair in found} == expected and len(found) == len(expected)


def test_a_cut_that_is_too_coarse_leaves_it_undecided() -> None:
    def run(n: int, coins: Coins) -> int:
        return n + coins.laplace(2)

    assert audit(run, [(0, 1)], (HALF, 0), tail=Fraction(1, 100)).verdict == UNDECIDED
    assert audit(run, [(0, 1)], (HALF, 0)).verdict == HOLDS
    assert audit(run, [(0, 1)], (Fraction(1, 10), 0), tail=Fraction(1, 100)).verdict == VIOLATED


def test_a_delta_of_the_claim_is_used() -> None:
    def run(bit: int, coins: Coins) -> int:
        return bit if coins.flip(Fraction(1, 10)) else 2

    assert audit(run, [(0, 1)], (0, Fraction(1, 10))).verdict == HOLDS
    found = audit(run, [(0, 1)], (5, Fraction(99, 1000)))
    assert found.verdict == VIOLATED and found.least_epsilon == arb.pos_inf()


# ---- games


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


MOVES: list[Move] = [Ask(0), Ask(1), Challenge(0, 1), Challenge(1, 0)]


@pytest.mark.parametrize("epsilon", [Fraction(0), HALF, Fraction(1)])
@pytest.mark.parametrize(
    ("game", "moves"),
    [
        (AdaptiveInputs(Sticky(), 2), MOVES),
        (AdaptiveStream(Publishing(), 2), MOVES),
        (AdaptiveInputs(Sticky(), 1), MOVES),
    ],
)
def test_backward_induction_is_the_maximum_over_all_adversaries(
    game: Game, moves: list[Move], epsilon: Fraction
) -> None:
    adversaries = all_adversaries(game, moves, [0, 1])
    assert len(adversaries) > 3
    best = max(float(view_loss(game, each).delta(epsilon).mid()) for each in adversaries)
    found = audit_game(game, moves, (epsilon, 0))
    assert close(found.measured, best)
    attained = view_loss(game, found.adversary).delta(epsilon)
    assert close(attained, best), "the adversary that is named attains it"


@pytest.mark.parametrize("leaky", [0, 1])
def test_a_game_is_searched_in_both_directions(leaky: int) -> None:
    """A tenth of the time one of the items is shown: the reverse direction needs no more than 1."""

    class Leaking:
        def start(self, coins: Coins) -> Any:
            return ()

        def answer(self, state: Any, item: int, coins: Coins) -> tuple[Any, Hashable]:
            return state, item == leaky and coins.flip(Fraction(1, 10))

    found = audit_game(AdaptiveInputs(Leaking(), 1), [Challenge(0, 1)], (1, 0))
    assert found.verdict == VIOLATED and found.direction == leaky
    assert close(found.measured, 0.1)


@pytest.mark.parametrize("rounds", [2, 3, 4, 5])
def test_a_halt_with_the_last_hypothesis_is_not_seen(rounds: int) -> None:
    class Leaving:
        """Halts with its last hypothesis if it has read a 1."""

        def __init__(self, lasts: int) -> None:
            self.lasts = lasts

        def start(self, coins: Coins) -> Any:
            return 0, 0

        def publish(self, state: Any, coins: Coins) -> tuple[Any, Hashable]:
            published, read = state[0] + 1, state[1]
            return (None if published == self.lasts and read else (published, read)), "same"

        def receive(self, state: Any, item: int, coins: Coins) -> Any:
            return state[0], state[1] | item

    moves: list[Move] = [Ask(0), Challenge(0, 1)]
    assert audit_game(AdaptiveStream(Leaving(rounds), rounds), moves, (0, 0)).verdict == HOLDS
    longer = AdaptiveStream(Leaving(rounds), rounds + 1)
    assert audit_game(longer, moves, (0, 0)).verdict == VIOLATED


def test_games_within_a_game_are_played_with_its_secret_bit() -> None:
    stream = Oblivious((Challenge((0, 0), (0, 1)), Ask((0, 0))))
    move = Ask((OnlineGame(Remembering(), 2), stream))
    game = CompositionGame(2, 1)
    expected = view_loss(game, Oblivious((move, move))).delta(Fraction(0))
    assert close(audit_game(game, [move], (0, 0)).measured, float(expected.mid()))
    assert float(expected.mid()) > 0.1


def test_hidden_predictions_do_not_count() -> None:
    moves: list[Move] = [
        Ask(("x", 0)),
        Ask(("x", 1)),
        Challenge(("x", 0), ("x", 1)),
    ]
    game = OnlineGame(Remembering(), 3)
    found = audit_game(game, moves, (HALF, 0))
    assert close(view_loss(game, found.adversary).delta(HALF), float(found.measured.mid()))
    # Nothing is learned in the last round, so with one round there is nothing to see at all.
    assert float(audit_game(OnlineGame(Remembering(), 1), moves, (0, 0)).measured.upper()) < 1e-30


def test_adapting_to_answers_gains() -> None:
    @dataclass(frozen=True)
    class Trapdoor:
        """The first answer is a password at random; who repeats it is told the next item."""

        def start(self, coins: Coins) -> Any:
            return "new"

        def answer(self, state: Any, item: int, coins: Coins) -> tuple[Any, Hashable]:
            if state == "new":
                password = coins.below(3)
                return password, password
            if state == "open":
                return state, item
            return ("open" if item == state else "shut"), "?"

    moves: list[Move] = [Ask(0), Ask(1), Ask(2), Challenge(0, 1)]
    game = AdaptiveInputs(Trapdoor(), 3)
    found = audit_game(game, moves, (1, 0))
    assert close(found.measured, 1.0)
    fixed = [
        view_loss(
            game,
            Planned(
                tuple(((None, *h), m) for h, m in zip(((), (a,), (a, "?")), plan, strict=True))
            ),
        ).delta(1)
        for a in range(3)
        for plan in itertools.product(moves[:3], moves[:3], moves[3:])
    ]
    assert max(float(ball) for ball in fixed) < 0.34, "no fixed sequence opens more than a third"


def test_infinite_noise_in_a_game_is_enclosed() -> None:
    game = AdaptiveInputs(MechanismResponder(AboveThreshold(1, 1)), 3)
    fine = audit_game(game, MOVES, (0, 0), tail=Fraction(1, 2**40))
    coarse = audit_game(game, MOVES, (0, 0), tail=Fraction(1, 2**8))
    assert coarse.measured.contains(fine.measured.mid())
    assert float(coarse.measured.rad()) > float(fine.measured.rad())
    assert audit_game(game, MOVES, (1, 0), tail=Fraction(1, 2**44)).verdict == HOLDS


def test_games_that_are_too_large() -> None:
    with pytest.raises(TooLarge, match="8 turns with 4 moves"):
        audit_game(AdaptiveInputs(Sticky(), 8), MOVES, (1, 0), max_nodes=1000)
    # Each direction may visit so many positions.
    game = AdaptiveInputs(Sticky(), 4)
    found = audit_game(game, MOVES, (1, 0))
    most = found.nodes // 2
    assert most > 256 and audit_game(game, MOVES, (1, 0), max_nodes=most).nodes == found.nodes
    with pytest.raises(TooLarge):
        audit_game(game, MOVES, (1, 0), max_nodes=most - 1)


def test_the_adversary_that_is_named_wins_where_others_tie() -> None:
    """Another first move can do as well; its second moves must not get into the table."""

    class Blurting:
        """Answers at random and tells the largest item at its end, by whether it halts."""

        def start(self, coins: Coins) -> int:
            return 0

        def answer(self, state: int, item: int, coins: Coins) -> tuple[Any, Hashable]:
            return (None if max(state, item) == 1 else item), coins.below(2)

    moves: list[Move] = [Ask(0), Challenge(0, 1), Challenge(1, 0)]
    for order in itertools.permutations(moves):
        game = AdaptiveInputs(Blurting(), 2)
        found = audit_game(game, order, (0, 0))
        assert close(found.measured, 1.0)
        assert close(view_loss(game, found.adversary).delta(0), 1.0)


# ---- mechanisms that an audit could be taken in by


class Stateless:
    """A `Responder` that shows a function of the item."""

    def __init__(self, shows: Any) -> None:
        self.shows = shows

    def start(self, coins: Coins) -> Any:
        return ()

    def answer(self, state: Any, item: Any, coins: Coins) -> tuple[Any, Hashable]:
        return state, self.shows(item)


EQUAL = [
    (1, True),
    (1, 1.0),
    (1, Fraction(1)),
    (0.0, -0.0),
    ((1, "a"), (True, "a")),
    (frozenset([1]), frozenset([True])),
    (Ask(1), Ask(True)),
    (Decimal("1.0"), Decimal("1.00")),
]


@pytest.mark.parametrize(("zero", "one"), EQUAL, ids=repr)
def test_answers_that_equal_each_other_and_look_different(zero: Any, one: Any) -> None:
    """Python takes them for one key; who reads the answer does not."""
    assert zero == one and hash(zero) == hash(one)

    def shows(item: Any) -> Any:
        return one if item else zero

    game = AdaptiveInputs(Stateless(shows), 1)
    for refused in (
        lambda: audit_game(game, [Challenge(0, 1)], (1, 0)),
        lambda: audit(lambda item, coins: shows(item), [(0, 1)], (1, 0)),
        lambda: exact_law(lambda coins: shows(coins.below(2))),
        lambda: exact_law(lambda coins: coins.below(2)).map(shows),
        lambda: exact_law(lambda coins: coins.below(2)).then(lambda item, coins: shows(item)),
    ):
        with pytest.raises(InvalidInput, match="equal, but can be told apart"):
            refused()


@pytest.mark.parametrize(("zero", "one"), EQUAL, ids=repr)
def test_items_that_equal_each_other_are_asked_about_both(zero: Any, one: Any) -> None:
    game = AdaptiveInputs(Stateless(repr), 1)
    assert audit_game(game, [Challenge(zero, one)], (1, 0)).verdict == VIOLATED
    assert audit(lambda item, coins: repr(item), [(zero, one)], (1, 0)).verdict == VIOLATED


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
    class Casting:
        """Keeps 1 or True, and says which in the next turn."""

        def start(self, coins: Coins) -> Any:
            return 0

        def answer(self, state: Any, item: Any, coins: Coins) -> tuple[Any, Hashable]:
            return (True if item else 1), repr(state)

    with pytest.raises(InvalidInput, match="types are int and bool"):
        audit_game(AdaptiveInputs(Casting(), 2), [Ask(0), Challenge(0, 1)], (1, 0))


def test_what_is_kept_outside_of_states_is_noticed() -> None:
    class Keeping:
        """Answers with the item before, which it keeps in itself."""

        last = 0

        def start(self, coins: Coins) -> Any:
            return ()

        def answer(self, state: Any, item: int, coins: Coins) -> tuple[Any, Hashable]:
            before, self.last = self.last, item
            return state, before

    moves: list[Move] = [Ask(0), Challenge(0, 1)]
    for turns in (2, 3):
        with pytest.raises(InvalidInput, match=r"does not repeat itself.*PickledObject"):
            audit_game(AdaptiveInputs(Keeping(), turns), moves, (1, 0))

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

    for responder in (Sticky(), Stateless(watched)):
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
            assert replace(again, measured=alone.measured) == alone


def test_what_did_not_repeat_itself_is_refused_for_every_claim() -> None:
    class Fading:
        """Answers truly when it is asked something for the first time."""

        told: ClassVar[set[int]] = set()

        def start(self, coins: Coins) -> Any:
            return ()

        def answer(self, state: Any, item: int, coins: Coins) -> tuple[Any, Hashable]:
            known = item in self.told
            self.told.add(item)
            return state, None if known else item

    explored = ExploredGame(AdaptiveInputs(Fading(), 1), [Challenge(0, 1)])
    for epsilon in (1, 2):
        with pytest.raises(InvalidInput, match="does not repeat itself"):
            explored.against((epsilon, 0))


def test_equal_states_are_tried_in_place_of_each_other() -> None:
    """Of states that come from different moves, one is gone on from, and another one is tried."""

    @dataclass(frozen=True)
    class Last:
        kept: int = field(compare=False)

    class Delayed:
        def start(self, coins: Coins) -> Any:
            return Last(0)

        def answer(self, state: Any, item: int, coins: Coins) -> tuple[Any, Hashable]:
            return Last(item), state.kept

    with pytest.raises(InvalidInput, match="states that are equal must behave alike"):
        audit_game(AdaptiveInputs(Delayed(), 2), [Ask(0), Challenge(0, 1)], (1, 0))


def test_a_game_that_reads_the_bit_and_denies_it() -> None:
    class Telling(AdaptiveInputs):
        """Shows the secret bit with every answer; `reads_bit` is inherited, and false."""

        def respond(self, hidden: Any, move: Any, bit: int, coins: Coins) -> tuple[Any, Hashable]:
            state, answer = super().respond(hidden, move, bit, coins)
            return state, (answer, bit)

    game = Telling(Stateless(lambda item: 0), 1)
    with pytest.raises(InvalidInput, match="says that it does not read the secret bit"):
        audit_game(game, [Ask(0), Challenge(0, 1)], (1, 0))
    Telling.reads_bit = True
    assert audit_game(game, [Ask(0), Challenge(0, 1)], (1, 0)).verdict == VIOLATED


def test_rules_that_leave_nothing_to_compare() -> None:
    class Telling:
        """Tells every user the user's own example."""

        def start(self, coins: Coins) -> Any:
            return ()

        def predict(self, state: Any, point: Any, coins: Coins) -> tuple[Any, Hashable]:
            return state, point

        def learn(self, state: Any, point: Any, label: Any, coins: Coins) -> Any:
            return state

    game = OnlineGame(Telling(), 2)
    legal: list[Move] = [Ask(("a", 0)), Challenge(("a", 0), ("b", 1))]
    assert audit_game(game, legal, (0, 0)).verdict == HOLDS
    for moves, message in (
        ([*legal, Challenge("a", "b")], "never allow .*must be a pair"),
        ([*legal, Datasets("a", "b")], "never allow"),
        ([Ask(("a", 0))], "no move depends on the secret bit"),
        ([Ask(("a", 0)), Challenge(("a", 0), ("a", 0))], "no move depends on the secret bit"),
        ([*legal, 3], "A move is"),
    ):
        with pytest.raises(InvalidInput, match=message):
            audit_game(game, moves, (1, 0))
    # A guarantee of all that is shown is not refuted where the challenge's answer is hidden.
    with pytest.raises(InvalidInput, match="replace_one, which this game does not compare"):
        audit_game(game, legal, PureDP(1))
    for claim in (PureDP(1, neighbours="challenge"), UnderChallenge(PureDP(1))):
        assert audit_game(game, legal, claim).verdict == HOLDS
    queries = AdaptiveQueries(Asking(), 1, neighbours="add_remove")
    asked: list[Move] = [Datasets("ab", "a"), Ask(len)]
    assert audit_game(queries, asked, PureDP(1, neighbours="add_remove")).verdict == VIOLATED
    with pytest.raises(InvalidInput, match="does not compare"):
        audit_game(queries, asked, PureDP(1))


class Asking:
    """A `Querier` that answers what it is asked."""

    def start(self, dataset: Any, coins: Coins) -> Any:
        return dataset

    def answer(self, state: Any, query: Any, coins: Coins) -> tuple[Any, Hashable]:
        return state, query(state)


# ---- samples


def binomial_tail(trials: int, p: Fraction, least: int) -> Fraction:
    return sum(
        (math.comb(trials, k) * p**k * (1 - p) ** (trials - k) for k in range(least, trials + 1)),
        Fraction(0),
    )


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 40), st.data(), st.sampled_from([Fraction(1, 20), Fraction(1, 10**6)]))
def test_clopper_pearson_by_the_binomial(trials: int, data: Any, error: Fraction) -> None:
    successes = data.draw(st.integers(0, trials))
    lower, upper = clopper_pearson(successes, trials, error)
    nudge = Fraction(1, 10**6)
    if successes:
        assert binomial_tail(trials, lower, successes) <= error
        assert binomial_tail(trials, lower + nudge, successes) > error
    else:
        assert lower == 0
    if successes < trials:
        missed = trials - successes
        assert binomial_tail(trials, 1 - upper, missed) <= error
        assert binomial_tail(trials, 1 - upper + nudge, missed) > error
    else:
        assert upper == 1


def test_a_true_claim_is_hardly_ever_violated() -> None:
    """At confidence 3/4, at most a quarter of audits may err."""
    noisy = [lambda coins, n=n: n + coins.laplace(1) for n in (0, 1)]
    wrong = sum(
        audit_samples(*noisy, (1, 0), samples=200, confidence=Fraction(3, 4), rng=seed).verdict
        == VIOLATED
        for seed in range(24)
    )
    # P[Bin(24, 1/4) >= 18] < 10^-6.
    assert wrong < 18


def test_samples_find_what_is_there_and_not_more() -> None:
    noisy = [lambda coins, n=n: n + coins.laplace(1) for n in (0, 1)]
    exact = PrivacyLoss(*(exact_law(run) for run in noisy))
    found = audit_samples(*noisy, (HALF, 0), samples=20_000, rng=7)
    assert found.verdict == VIOLATED
    assert 0.2 < found.bound <= float(exact.delta(HALF))
    assert 0.85 < found.least_epsilon <= 1
    honest = audit_samples(*noisy, (1, 0), samples=20_000, rng=7)
    assert honest.verdict == CONSISTENT and honest.least_epsilon <= 1
    assert found == audit_samples(*noisy, (HALF, 0), samples=20_000, rng=7), "a seed repeats it"


def test_samples_respect_delta() -> None:
    leaky = [lambda coins, n=n: n if coins.flip(Fraction(1, 20)) else 2 for n in (0, 1)]
    assert audit_samples(*leaky, (1, Fraction(1, 20)), samples=20_000, rng=1).verdict == CONSISTENT
    found = audit_samples(*leaky, (1, Fraction(1, 50)), samples=20_000, rng=1)
    assert found.verdict == VIOLATED and found.event in ((0,), (1,)) and found.counts[1] == 0


@pytest.mark.parametrize("leaky", [0, 1])
def test_samples_choose_the_direction_that_gains_more(leaky: int) -> None:
    """30 % of one law are outcomes that the other one lacks; the reverse direction gains 8 %."""

    def leaks(coins: Coins) -> str:
        return "zzzbcccccc"[coins.below(10)]

    def hides(coins: Coins) -> str:
        return "b" if coins.flip(Fraction(35, 100)) else "c"

    runs = (hides, leaks) if leaky else (leaks, hides)
    found = audit_samples(*runs, (1, Fraction(1, 10)), samples=1000, rng=5)
    assert found.verdict == VIOLATED and found.direction == leaky and found.event == ("z",)
    assert found.counts[1] == 0


# ---- bad input


def noise(n: int, coins: Coins) -> int:
    return n + coins.laplace(1)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: audit(noise, [], (1, 0)), "no pair"),
        (lambda: audit(noise, [(0, 0), (1, 1)], (1, 0)), "no pair .* that differ"),
        (lambda: audit(noise, [([0], [1])], (1, 0)), "must be hashable"),
        (
            lambda: audit_game(AdaptiveInputs(Sticky(), 1), [Challenge([0], [1])], (1, 0)),
            "must be hashable",
        ),
        (lambda: audit(noise, [(0, 1)], (-1, 0)), "at least 0"),
        (lambda: audit(noise, [(0, 1)], (0.5, 0)), r"Fraction\(1, 2\)"),
        (lambda: audit(noise, [(0, 1)], (1, 1)), "less than 1"),
        (lambda: audit_game(AdaptiveInputs(Sticky(), 1), [], (1, 0)), "no move"),
        (lambda: audit(noise, [(0, 1)], (1, 0), resolution=1), "resolution must be at least 0"),
        (
            lambda: audit_game(
                AdaptiveInputs(Sticky(), 1), MOVES, (1, 0), resolution=Fraction(-1, 9)
            ),
            "resolution must be at least 0",
        ),
        (lambda: audit_samples(*[lambda coins: 0] * 2, (1, 0), samples=0), "at least 1"),
        (lambda: audit_samples(*[lambda coins: 0] * 2, (1, 0), confidence=1), "between 0 and 1"),
        (lambda: clopper_pearson(3, 2, HALF), "successes <= trials"),
        (lambda: clopper_pearson(0, 0, HALF), "trials >= 1"),
        (lambda: clopper_pearson(1, 2, 1), "error < 1"),
        (lambda: PrivacyLoss(*[exact_law(lambda coins: 0)] * 2).delta(-1), "at least 0"),
        (lambda: neighbouring_pairs("ab", "user"), "replace_one"),
    ],
)
def test_bad_input(make: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        make()


def test_too_many_branches() -> None:
    with pytest.raises(TooLarge):
        audit(noise, [(0, 1)], (1, 0), max_branches=10)


def test_the_resolution_is_what_verdicts_use() -> None:
    def run(bit: int, coins: Coins) -> int:
        return bit if coins.flip(RESOLUTION / 2) else 2

    # More than claimed is violated, however little; the resolution only ever excuses balls.
    assert audit(run, [(0, 1)], (1, 0)).verdict == VIOLATED
    with ctx.workprec(128):
        assert audit(run, [(0, 1)], (1, RESOLUTION / 2)).verdict == HOLDS


@pytest.mark.parametrize("cut", [Fraction(1, 2**6), Fraction(1, 2**10)])
def test_no_delta_is_more_than_1_whatever_was_cut(cut):
    """Laws on different outcomes: all that was found is lost, and all that was cut may be, too."""
    laws = [
        exact_law(lambda coins, n=n: (n, coins.laplace(3), coins.laplace(3)), tail=cut)
        for n in (0, 1)
    ]
    loss, slack = PrivacyLoss(*laws), arb(1e-8)  # a ball has its radius in 30 bits, rounded up
    assert 0 < float(loss.cut) < 1
    for epsilon in (0, 1, 40):
        for direction in (0, 1, None):
            found = loss.delta(epsilon, direction)
            assert found.upper() < 1 + slack and found.lower() >= -slack
