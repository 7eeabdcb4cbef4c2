"""The definitions of privacy, transcribed: all adversaries, event by event, against the audits.

This module implements the games a second time, as loops that follow the papers. Adversaries are
decision trees, which are all enumerated. The delta is the largest value of P(E) - e^epsilon P'(E)
over all events E, one by one. The audits must find the same numbers.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import product, starmap
from typing import TypedDict

from flint import arb

from learners.audit import audit, audit_game, neighbouring_pairs
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.coins import Coins
from learners.exact import exact_distribution
from learners.games import (
    HIDDEN,
    AdaptiveInputs,
    AdaptiveQueries,
    AdaptiveStream,
    Ask,
    Challenge,
    ChallengeATGame,
    Datasets,
    Game,
    GeneralGame,
    Move,
    OnlineGame,
    View,
    are_neighbours,
)
from learners.general_checks import joint_privacy, streams_of_users
from learners.general_checks.plans import (
    AdversaryPlan,
    Rules,
    both,
    challenges_allowed,
    hidden,
    plans,
    worst_delta,
    worst_event,
)
from learners.general_checks.streams_of_users import EPSILON, BiasedTally
from lsclasses.errors import InvalidInput
from lsclasses.table import Table

TOPIC = "games"

TINY = Fraction(1, 10**12)

EVENTS = Claim(
    "largest gap between delta by all events and by the audit",
    "10^-12",
    source="the definitions of differential privacy",
    statements=(
        "BLM20 Def 9",
        "GL21 Def 2.1",
        "KMMNS23 Def 2.1",
        "LWY25 Def 2.3",
        "BF25 Def 3.1",
    ),
    falsified="over single outcomes only",
    incorrect_object=True,
)
RELATION = Claim(
    "pairs of data sets on which the neighbour relations differ from the definitions",
    "0",
    "==",
    source="[KMMNS23, section 2], [LWY25, section 2.2]",
    statements=("KMMNS23 Def 2.1", "LWY25 Def 2.3", "BLM20 Def 9"),
    falsified="with two replaced entries allowed",
)
SENSITIVITY = Claim(
    "functions whose sensitivity is classified wrongly",
    "0",
    "==",
    source="[LWY25, Def A.21]",
    falsified="with twice the sensitivity",
)
GROWN = replace(
    SENSITIVITY,
    quantity=f"{SENSITIVITY.quantity}, for data sets with one item more",
    source="[KMMNS23, Def 2.3]",
    statements=("KMMNS23 Def 2.3",),
)


def _transcribed(name: str, falsified: str, *statements: str) -> Claim:
    return Claim(
        f"gap between the game {name}, transcribed, and its audit",
        "10^-12",
        source=statements[0],
        statements=statements,
        falsified=falsified,
        incorrect_object=True,
    )


INPUTS = _transcribed("AdaptiveInput", "with two challenges", "KMMNS23 Alg 3", "KMMNS23 Def 2.9")
STREAM = _transcribed("of adaptive streams", "with two challenges", "LWY25 Def 2.4")
QUERIES = _transcribed(
    "AdaptiveQuery", "with a query in two versions", "KMMNS23 Alg 2", "KMMNS23 Def 2.7"
)
CHALLENGED = _transcribed("ChallengeAT-Game", "with every answer shown", "KMMNS23 Alg 9")
ONLINE = _transcribed(
    "OnlineGame", "with every prediction shown", "KMMNS23 Alg 4", "KMMNS23 Def 3.1"
)
GENERAL = _transcribed("GeneralGame", "with every view shown", "KMMNS23 Alg 8", "KMMNS23 Def A.1")


# ---- definitions


def _gap(*values: arb) -> Fraction:
    """Return the largest possible distance between two balls."""
    zero, one = values
    return Fraction(float(abs(zero - one).upper()))


@recomputes(EVENTS)
def events(epsilon: Fraction) -> Iterator[Outcome]:
    """Check the delta of the audit against the maximum over all events.

    Check a random channel from data sets of up to two bits to four outcomes.
    """
    data = [each for size in range(3) for each in product((0, 1), repeat=size)]
    # Ten coins, with the number of coins that give each outcome.
    shares = [(4, 4, 1, 1), (1, 1, 4, 4), (2, 1, 4, 3), (3, 2, 1, 4), (4, 2, 3, 1), (1, 4, 2, 3)]
    channel = dict(zip(data, [*shares, (0, 2, 3, 5)], strict=True))

    def run(given: tuple[int, ...], coins: Coins) -> int:
        drawn = coins.below(10)
        return next(i for i in range(4) if drawn < sum(channel[given][: i + 1]))

    laws = {given: exact_distribution(partial(run, given)) for given in data}
    gap = twin = Fraction(0)
    pairs = {each: neighbouring_pairs(laws, each) for each in ("replace_one", "add_remove")}
    for pair in pairs.values():
        found = audit(run, pair, (epsilon, 0)).measured
        worst = [worst_event(laws[zero], laws[one], epsilon) for zero, one in pair]
        every, single = (
            max((each[i] for each in worst), key=lambda delta: float(delta.mid())) for i in (0, 1)
        )
        gap, twin = max(gap, _gap(every, found)), max(twin, _gap(single, found))
    yield compare(
        EVENTS,
        f"data of up to two bits, epsilon={epsilon}",
        computed=gap,
        stated=TINY,
        twin=twin,
        privacy=(epsilon, 0),
        hypotheses={
            **dict.fromkeys(REPLACED, all(are_neighbours(*each) for each in pairs["replace_one"])),
            "added": all(are_neighbours(*each, "add_remove") for each in pairs["add_remove"]),
        },
    )


REPLACED = (
    "replaced",
    "the data sets have the same length and differ in one example",
    "the samples have the same length and differ in one example",
)
"""Names of the papers for the hypothesis that one item is replaced."""


@recomputes(RELATION)
def relation(size: int) -> Iterator[Outcome]:
    """Compare `are_neighbours` with its definition on all data sets of at most `size` items."""
    data = [each for n in range(size + 1) for each in product("xy", repeat=n)]

    def replaced(zero: Sequence[str], one: Sequence[str], most: int) -> bool:
        return len(zero) == len(one) and sum(a != b for a, b in zip(zero, one, strict=True)) <= most

    def added(zero: Sequence[str], one: Sequence[str]) -> bool:
        return zero == one or any(
            (*one[:i], item, *one[i:]) == zero or (*zero[:i], item, *zero[i:]) == one
            for item in "xy"
            for i in range(len(data))
        )

    wrong = twin = 0
    for zero, one in product(data, repeat=2):
        found = are_neighbours(zero, one)
        wrong += found != replaced(zero, one, 1)
        twin += found != replaced(zero, one, 2)
        wrong += are_neighbours(zero, one, "add_remove") != added(zero, one)
    where = f"up to {size} items of two types"
    yield compare(RELATION, where, computed=wrong, stated=0, twin=twin, changed=(1, 2))


@recomputes(SENSITIVITY, GROWN)
def sensitivity(allowed: int) -> Iterator[Outcome]:
    """Check that functions with too large a sensitivity are refused.

    Check all functions to 0, 1, 2, 3 from two bits, and from up to one bit.
    """
    two = list(product((0, 1), repeat=2))
    replaced, added = neighbouring_pairs(two), neighbouring_pairs([(), (0,), (1,)], "add_remove")
    for claim, relation, pairs, met in (
        (
            SENSITIVITY,
            "replace_one",
            replaced,
            {"replaced": all(starmap(are_neighbours, replaced))},
        ),
        (GROWN, "add_remove", added, {"added": _added(added)}),
    ):
        wrong, twin = _misjudged(allowed, relation, pairs)
        yield compare(
            claim,
            f"Delta={allowed}, {relation}",
            computed=wrong,
            stated=0,
            twin=twin,
            changed=(allowed, 2 * allowed),
            hypotheses=met,
        )


def _misjudged(
    allowed: int, relation: str, pairs: Sequence[tuple[tuple[int, ...], tuple[int, ...]]]
) -> tuple[int, int]:
    """Return the numbers of wrong decisions, for the sensitivity and for twice the sensitivity."""
    data = list(dict.fromkeys(each for pair in pairs for each in pair))

    def refused(game: AdaptiveQueries, values: dict[tuple[int, ...], int]) -> bool:
        for zero, one in pairs:
            view = View(moves=(Datasets(zero, one),), answers=(None,))
            try:
                game.check(view, Ask(values.__getitem__))
            except InvalidInput:
                return True
        return False

    wrong = twin = 0
    for row in product(range(4), repeat=len(data)):
        values = dict(zip(data, row, strict=True))
        most = max(abs(values[zero] - values[one]) for zero, one in pairs)
        for reach, is_twin in ((allowed, False), (2 * allowed, True)):
            game = AdaptiveQueries(Table, 1, Fraction(reach), relation)  # type: ignore[arg-type]
            judged = refused(game, values) != (most > allowed)
            wrong, twin = wrong + (judged and not is_twin), twin + (judged and is_twin)
    return wrong, twin


def _added(pairs: Iterable[tuple[tuple[int, ...], tuple[int, ...]]]) -> bool:
    """Return whether one data set of every pair has one item more."""
    return all(
        abs(len(zero) - len(one)) == 1 and are_neighbours(zero, one, "add_remove")
        for zero, one in pairs
    )


# ---- the games, as loops


class _Gaps(TypedDict):
    computed: Fraction
    twin: Fraction


def _gaps(
    game: Game, moves: Sequence[Move], *transcribed: tuple[Rules, Iterator[AdversaryPlan]]
) -> _Gaps:
    """Return the differences of the transcribed game, and of a false variant, from the audit."""
    found = audit_game(game, moves, (EPSILON, 0)).measured
    right, wrong = (_gap(worst_delta(*each, EPSILON), found) for each in transcribed)
    return {"computed": right, "twin": wrong}


FLIP = Challenge(0, 1)
BITS: tuple[Move, ...] = (Ask(0), Ask(1), FLIP)


@recomputes(INPUTS)
def adaptive_inputs(rounds: int) -> Iterator[Outcome]:
    """Check `AdaptiveInputs` against [KMMNS23, Alg 3], transcribed line by line."""

    def rules(plan: AdversaryPlan | None, bit: int, coins: Coins) -> Hashable:
        mechanism, state, view = BiasedTally(), BiasedTally().start(coins), []
        while plan is not None:
            state, answer = mechanism.answer(state, plan.move.input(bit), coins)
            view.append(answer)
            plan = plan.next(answer)
        return tuple(view)

    one, two = (plans(rounds, BITS, both, most) for most in (1, 2))
    game = AdaptiveInputs(BiasedTally(), rounds)
    yield compare(
        INPUTS,
        f"bits, T={rounds}, epsilon={EPSILON}",
        stated=TINY,
        privacy=(EPSILON, 0),
        hypotheses={"one": challenges_allowed(game, FLIP) == 1},
        **_gaps(
            game,
            BITS,
            (rules, one),
            (rules, two),
        ),
    )


@recomputes(STREAM)
def adaptive_stream(rounds: int) -> Iterator[Outcome]:
    """Check `AdaptiveStream` against the game of [LWY25, Def 2.4], transcribed."""

    def rules(plan: AdversaryPlan | None, bit: int, coins: Coins) -> Hashable:
        learner, state = BiasedTally(), BiasedTally().start(coins)
        state, shown = learner.publish(state, coins)
        view = [shown]
        while plan is not None:
            state = learner.receive(state, plan.move.input(bit), coins)
            state, shown = learner.publish(state, coins)
            view.append(shown)
            plan = plan.next(shown)
        return tuple(view)

    one, two = (plans(rounds - 1, BITS, both, most) for most in (1, 2))
    yield compare(
        STREAM,
        f"bits, T={rounds}, epsilon={EPSILON}",
        stated=TINY,
        privacy=(EPSILON, 0),
        **_gaps(
            AdaptiveStream(BiasedTally(), rounds),
            BITS,
            (rules, one),
            (rules, two),
        ),
    )


@dataclass(frozen=True)
class Shifted:
    """A query about a data set of bits: a constant plus or minus the sum of the bits."""

    number: int
    sign: int = 0

    def __call__(self, data: tuple[int, ...]) -> int:
        """Return the answer before noise."""
        return self.number + self.sign * sum(data)


@dataclass(frozen=True)
class Tired:
    """A mechanism whose P[answer 1] grows with the query's value and with earlier queries."""

    def start(self, dataset: tuple[int, ...], coins: Coins) -> tuple[tuple[int, ...], int]:
        """Return the state before the first query."""
        return dataset, 0

    def answer(
        self, state: tuple[tuple[int, ...], int], query: Shifted, coins: Coins
    ) -> tuple[tuple[tuple[int, ...], int], int]:
        """Return the next state and a random answer to the query."""
        data, asked = state
        return (data, asked + 1), int(coins.flip(Fraction(query(data) + asked, 8)))


QUESTIONS: tuple[Move, ...] = (Ask(Shifted(2, 1)), Ask(Shifted(3, -1)))
OPPOSITES = Challenge(Shifted(0), Shifted(5))


@recomputes(QUERIES, CHALLENGED)
def adaptive_queries(queries: int) -> Iterator[Outcome]:
    """Check the games of queries against [KMMNS23, Alg 2 and 9], transcribed line by line."""

    def rules(hide: bool) -> Rules:
        def played(plan: AdversaryPlan | None, bit: int, coins: Coins) -> Hashable:
            mechanism, view = Tired(), []
            state = mechanism.start((1,) * bit, coins)
            while plan is not None:
                state, answer = mechanism.answer(state, plan.move.input(bit), coins)
                secret = hide and isinstance(plan.move, Challenge)
                view.append(HIDDEN if secret else answer)
                plan = plan.next(view[-1])
            return tuple(view)

        return played

    datasets, versions = Datasets((), (1,)), (*QUESTIONS, OPPOSITES)
    near = {"the two data sets are neighbours": _added([((), (1,))])}
    game = ChallengeATGame(Tired(), queries, neighbours="add_remove")
    yield compare(
        QUERIES,
        f"no bit or one bit, {queries} queries, epsilon={EPSILON}",
        stated=TINY,
        privacy=(EPSILON, 0),
        hypotheses=near,
        **_gaps(
            AdaptiveQueries(Tired(), queries, neighbours="add_remove"),
            (datasets, *QUESTIONS),
            (rules(False), plans(queries, QUESTIONS, both, 0)),
            (rules(False), plans(queries, versions, both, 1)),
        ),
    )
    yield compare(
        CHALLENGED,
        f"no bit or one bit, {queries} queries, epsilon={EPSILON}",
        stated=TINY,
        privacy=(EPSILON, 0),
        hypotheses={**near, "one": challenges_allowed(game, OPPOSITES, datasets) == 1},
        **_gaps(
            game,
            (datasets, *versions),
            (rules(True), plans(queries, versions, hidden, 1)),
            (rules(False), plans(queries, versions, both, 1)),
        ),
    )


@recomputes(ONLINE)
def online(rounds: int) -> Iterator[Outcome]:
    """Check `OnlineGame` against [KMMNS23, Alg 4], transcribed, with one challenge."""
    challenge = Challenge(("x", 0), ("y", 1))
    moves: tuple[Move, ...] = (Ask(("x", 0)), Ask(("x", 1)), challenge)

    def rules(hide: bool) -> Rules:
        def played(plan: AdversaryPlan | None, bit: int, coins: Coins) -> Hashable:
            learner, state, view = BiasedTally(), BiasedTally().start(coins), []
            while plan is not None:
                point, label = plan.move.input(bit)
                state, predicted = learner.predict(state, point, coins)
                state = learner.learn(state, point, label, coins)
                view.append(HIDDEN if hide and isinstance(plan.move, Challenge) else predicted)
                plan = plan.next(view[-1])
            return tuple(view)

        return played

    game = OnlineGame(BiasedTally(), rounds)
    allowed = challenges_allowed(game, challenge)
    yield compare(
        ONLINE,
        f"labels, T={rounds}, epsilon={EPSILON}",
        stated=TINY,
        privacy=(EPSILON, 0),
        hypotheses={"one": allowed == 1, "at most g challenges are posed": allowed == 1},
        **_gaps(
            game,
            moves,
            (rules(True), plans(rounds, moves, hidden, 1)),
            (rules(False), plans(rounds, moves, both, 1)),
        ),
    )


@dataclass(frozen=True)
class Chatter:
    """A user of `GeneralGame` who sends a bit, and repeats it if the answer differs."""

    bit: int

    def draw(self, coins: Coins) -> Hashable:
        """Return a constant without a draw."""
        return None

    def speak(self, randomness: Hashable, heard: tuple[Hashable, ...]) -> int | None:
        """Return the bit as the message, once or twice, or None to leave."""
        if len(heard) == 2 or (heard and heard[0] == self.bit):
            return None
        return self.bit


@recomputes(GENERAL)
def general(phases: int) -> Iterator[Outcome]:
    """Check `GeneralGame` against [KMMNS23, Alg 8]. Answers determine the number of messages."""
    zero, one = Chatter(0), Chatter(1)
    challenge = Challenge(zero, one)
    users: tuple[Move, ...] = (Ask(zero), Ask(one), challenge)
    game = GeneralGame(BiasedTally(), phases)
    views: dict[int, list[Hashable]] = {
        bit: [(None, (bit,)), (None, (1 - bit, 0)), (None, (1 - bit, 1))] for bit in (0, 1)
    }

    def rules(hide: bool) -> Rules:
        def played(plan: AdversaryPlan | None, bit: int, coins: Coins) -> Hashable:
            mechanism, state, view = BiasedTally(), BiasedTally().start(coins), []
            while plan is not None:
                user, heard = plan.move.input(bit), []
                said = user.bit
                state, reply = mechanism.answer(state, said, coins)
                heard.append(reply)
                if reply != said:
                    state, reply = mechanism.answer(state, said, coins)
                    heard.append(reply)
                seen = (None, tuple(heard))
                view.append(HIDDEN if hide and isinstance(plan.move, Challenge) else seen)
                plan = plan.next(view[-1])
            return tuple(view)

        return played

    def shown(hide: bool, move: Move) -> Sequence[Hashable]:
        if isinstance(move, Challenge):
            return (HIDDEN,) if hide else list(dict.fromkeys(views[0] + views[1]))
        return views[move.input(0).bit]

    yield compare(
        GENERAL,
        f"users who talk once or twice, T={phases}, epsilon={EPSILON}",
        stated=TINY,
        privacy=(EPSILON, 0),
        hypotheses={"one": challenges_allowed(game, challenge) == 1},
        **_gaps(
            game,
            users,
            (rules(True), plans(phases, users, partial(shown, True), 1)),
            (rules(False), plans(phases, users, partial(shown, False), 1)),
        ),
    )


def checks() -> list[ClaimCheck]:
    """Return the checks of two or three rounds, where all adversaries can be enumerated."""
    return [
        *(ClaimCheck(TOPIC, events, (epsilon,)) for epsilon in (Fraction(0), Fraction(1, 2))),
        ClaimCheck(TOPIC, relation, (3,)),
        *(ClaimCheck(TOPIC, sensitivity, (allowed,)) for allowed in (1, 2)),
        *(ClaimCheck(TOPIC, adaptive_inputs, (rounds,), slow=rounds > 2) for rounds in (2, 3)),
        *(ClaimCheck(TOPIC, adaptive_stream, (rounds,), slow=rounds > 3) for rounds in (3, 4)),
        *(ClaimCheck(TOPIC, adaptive_queries, (queries,), slow=queries > 2) for queries in (2, 3)),
        *(ClaimCheck(TOPIC, online, (rounds,), slow=rounds > 2) for rounds in (2, 3)),
        ClaimCheck(TOPIC, general, (2,)),
        *joint_privacy.checks(TOPIC),
        *streams_of_users.checks(TOPIC),
    ]
