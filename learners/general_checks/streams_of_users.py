"""Fixed streams and users who submit one example, transcribed with the games of online learners."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

from flint import arb

from learners.audit import audit_game, view_loss
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.coins import Coins
from learners.exact import exact_distribution
from learners.games import (
    AdaptiveStream,
    Ask,
    Challenge,
    GeneralGame,
    Move,
    Oblivious,
    OnlineGame,
    are_neighbours,
)
from learners.general_checks.plans import worst_event

HYPOTHESES = Claim(
    "gap between the delta of sequences of hypotheses on fixed streams, by all events, and of "
    "oblivious adversaries",
    "10^-12",
    source="[BF25, Def 4.1]",
    falsified="with the last hypothesis only",
    incorrect_object=True,
)
USERS = Claim(
    "gap between the audits of OnlineGame, and of GeneralGame with users who submit a point, get "
    "the prediction and submit a label",
    "10^-12",
    source="[KMMNS23, Rem 3.2]",
    falsified="with users who leave before they submit a label",
    incorrect_object=True,
)


EPSILON, TINY = Fraction(1, 3), Fraction(1, 10**12)


@dataclass(frozen=True)
class BiasedTally:
    """A mechanism that answers 1 with a probability that grows with the number of ones so far."""

    def _said(self, ones: int, coins: Coins) -> int:
        return int(coins.flip(Fraction(1 + min(ones, 3), 5)))

    def start(self, coins: Coins) -> int:
        """Return the state with no bit."""
        return 0

    def answer(self, state: int, item: int, coins: Coins) -> tuple[int, int]:
        """Return the state after the bit is counted, and the answer."""
        return state + item, self._said(state + item, coins)

    def publish(self, state: int, coins: Coins) -> tuple[int, int]:
        """Return the state and the hypothesis, before the next bit is read."""
        return state, self._said(state, coins)

    def receive(self, state: int, item: int, coins: Coins) -> int:
        """Return the state after a bit is counted."""
        return state + item

    def predict(self, state: int, point: object, coins: Coins) -> tuple[int, int]:
        """Predict before the label is revealed. The prediction depends on the point."""
        return state, self._said(state + (point == "y"), coins)

    def learn(self, state: int, point: object, label: int, coins: Coins) -> int:
        """Return the state after the label is counted."""
        return state + label


@recomputes(HYPOTHESES)
def hypotheses(rounds: int) -> Iterator[Outcome]:
    """Check that fixed streams and oblivious adversaries give equal deltas [BF25, Def 4.1].

    No hypothesis depends on the last example.
    """

    def run(labels: tuple[int, ...], coins: Coins) -> tuple[int, ...]:
        learner, state = BiasedTally(), BiasedTally().start(coins)
        given = []
        for label in labels:
            state, h = learner.publish(state, coins)
            given.append(h)
            state = learner.receive(state, label, coins)
        return tuple(given)

    gap = twin = arb(0)
    streams, near = list(product((0, 1), repeat=rounds)), True
    game = AdaptiveStream(BiasedTally(), rounds)
    for zero, place in product(streams, range(rounds - 1)):
        one = (*zero[:place], 1 - zero[place], *zero[place + 1 :])
        near &= are_neighbours(zero, one)
        laws = [exact_distribution(partial(run, labels)) for labels in (zero, one)]
        moves: list[Move] = [Ask(label) for label in zero[:-1]]
        moves[place] = Challenge(zero[place], one[place])
        found = view_loss(game, Oblivious(tuple(moves))).delta(EPSILON)
        every, _ = worst_event(laws[0], laws[1], EPSILON)
        zeros, ones = (law.map(lambda seen: seen[-1:]) for law in laws)
        last, _ = worst_event(zeros, ones, EPSILON)
        gap, twin = gap.max(abs(every - found)), twin.max(abs(last - found))
    yield compare(
        HYPOTHESES,
        f"labels, T={rounds}, epsilon={EPSILON}",
        computed=gap.upper(),
        stated=TINY,
        twin=twin,
        privacy=(EPSILON, 0),
        hypotheses={"replaced": near},
    )


@dataclass(frozen=True)
class Talking:
    """The learner of the games as a mechanism that answers messages: points and labels."""

    def start(self, coins: Coins) -> Any:
        """Return the state with no bit."""
        return BiasedTally().start(coins), None

    def answer(self, state: Any, message: tuple[str, Any], coins: Coins) -> tuple[Any, Hashable]:
        """Return the next state and the answer: a prediction for a point, None for a label."""
        inner, point = state
        kind, value = message
        if kind == "label":
            return (BiasedTally().learn(inner, point, value, coins), None), None
        inner, predicted = BiasedTally().predict(inner, value, coins)
        return (inner, value), predicted


@dataclass(frozen=True)
class Submitting:
    """A user who submits a point, and the label after the prediction unless the user leaves."""

    point: str
    label: int
    leaves: bool = False

    def draw(self, coins: Coins) -> Hashable:
        """Return a constant without a draw."""
        return None

    def speak(self, randomness: Hashable, heard: tuple[Hashable, ...]) -> tuple[str, Any] | None:
        """Return the user's next message: the point, then the label, then None."""
        messages = [("point", self.point), ("label", self.label)][: 2 - self.leaves]
        return messages[len(heard)] if len(heard) < len(messages) else None


@recomputes(USERS)
def users(rounds: int) -> Iterator[Outcome]:
    """Check that `OnlineGame` and `GeneralGame` have equal audits [KMMNS23, Rem 3.2]."""
    asked, changed = (("x", 0), ("x", 1)), (("x", 0), ("y", 1))

    def moves(*leaves: bool) -> list[Move]:
        def user(example: tuple[str, int]) -> Any:
            return Submitting(*example, *leaves) if leaves else example

        return [*(Ask(user(each)) for each in asked), Challenge(*map(user, changed))]

    claim = EPSILON, Fraction(0)
    found = audit_game(OnlineGame(BiasedTally(), rounds), moves(), claim).measured
    general, leaving = (
        audit_game(GeneralGame(Talking(), rounds), moves(leaves), claim).measured
        for leaves in (False, True)
    )
    yield compare(
        USERS,
        f"labels, T={rounds}, epsilon={EPSILON}",
        computed=abs(general - found).upper(),
        stated=TINY,
        twin=abs(leaving - found),
        privacy=claim,
    )


def checks(topic: str) -> list[ClaimCheck]:
    """Return the checks, under the name of a topic."""
    return [ClaimCheck(topic, hypotheses, (3,)), ClaimCheck(topic, users, (3,))]
