"""Claims about the composition of many games [KMMNS23, Thm 3.3], by exact privacy profiles.

The learner reveals the challenge's label by randomized response. By a theorem of Kairouz, Oh and
Viswanath (2015), m games with this learner have the largest delta(epsilon) of all adversaries and
(epsilon, 0)-private learners. The m views of the meta-adversary are independent, and only the
number of ones among them matters.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from flint import arb, ctx

from learners.accounting import ApproximateDP, Event, PureDP, Scope, SelfComposed, advanced, basic
from learners.audit import audit_game
from learners.balls import ball, log
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.coins import Coins
from learners.exact import PRECISION, exact_distribution
from learners.games import (
    HIDDEN,
    Ask,
    Challenge,
    CompositionGame,
    Move,
    Oblivious,
    OnlineGame,
    draw_view,
)
from learners.general_checks.plans import AdversaryPlan, Rules, plans, worst_delta
from learners.mechanisms.randomized_response import RandomizedResponse
from lsclasses.errors import InvalidInput
from lsclasses.numbers import format_number
from lsclasses.verdicts import Verdict

ROOT = Claim(
    "least epsilon of m games with one bit at delta = d, each game (epsilon, 0)-private",
    "sqrt(2 m ln(1/d)) epsilon + m epsilon (e^epsilon - 1)",
    source="[KMMNS23, Thm 3.3]",
    statements=("KMMNS23 Thm 3.3", "KMMNS23 Alg 5"),
    falsified="sqrt(m ln(1/d)) epsilon + m epsilon (e^epsilon - 1)",
)
DRIFT = Claim(
    f"{ROOT.quantity}, m epsilon^2 > 2 ln(1/d)",
    ROOT.formula,
    source=ROOT.source,
    statements=ROOT.statements,
    falsified="sqrt(2 m ln(1/d)) epsilon",
)
ADDED = Claim(
    "delta of m games with one bit at epsilon' = sqrt(2 m ln(1/d)) epsilon + m epsilon "
    "(e^epsilon - 1), each game (epsilon, delta)-private",
    "m delta + d",
    source=ROOT.source,
    statements=ROOT.statements,
    falsified="m delta/2 + d",
)

TRANSCRIBED = Claim(
    "gap between the game CompositionGame, transcribed, and its audit",
    "10^-12",
    source="KMMNS23 Alg 5",
    statements=("KMMNS23 Alg 5",),
    falsified="with the bit 0 in the second game",
    incorrect_object=True,
)

CHALLENGED = Oblivious((Challenge(("x", 0), ("x", 1)), Ask(("x", 0))))
"""The adversary that challenges in the first round, where the label is the secret bit."""

LABELS: tuple[Move, ...] = (Ask(("x", 0)), Ask(("x", 1)), Challenge(("x", 0), ("x", 1)))
"""The moves that adversaries may choose in one game: two examples and a challenge."""

BELOW_BASIC = Fraction(1, 2)
"""Share of the epsilon of basic composition. Checks require a smaller stated epsilon."""


@dataclass(frozen=True)
class Respondent:
    """A learner that predicts a noisy copy of the first label, or reveals the label."""

    epsilon: Fraction
    delta: Fraction

    @property
    def privacy(self) -> Event:
        """The privacy cost of a game, under the relation ``challenge``."""
        scope = Scope.adaptive("challenge")
        if self.delta:
            return ApproximateDP(self.epsilon, self.delta, scope=scope)
        return PureDP(self.epsilon, scope=scope)

    def start(self, coins: Coins) -> tuple[int, ...]:
        """Return the state before the first round."""
        return ()

    def predict(
        self, state: tuple[int, ...], point: object, coins: Coins
    ) -> tuple[tuple[int, ...], int]:
        """Predict 0 in the first round, and then a noisy copy of the first label.

        The predictions 2 and 3 reveal the first label 0 or 1 without noise.
        """
        if not state:
            return state, 0
        if self.delta and coins.flip(self.delta):
            return state, 2 + state[0]
        return state, RandomizedResponse(self.epsilon).release(state[0], coins)

    def learn(
        self, state: tuple[int, ...], point: object, label: int, coins: Coins
    ) -> tuple[int, ...]:
        """Return the state after the label: the labels of all rounds so far."""
        return (*state, label)


def chances(learner: Respondent) -> tuple[arb, arb]:
    """Return the probability of the views 0 and 1 of one game with the bit 0."""
    game = OnlineGame(learner, 2)
    law = exact_distribution(lambda coins: draw_view(game, CHALLENGED, 0, coins).answers[-1])
    return law[0], law[1]


def events(learner: Respondent, games: int) -> list[tuple[arb, arb]]:
    """Return P[at least k views are 1] for the bits 1 and 0, for k = games, games - 1, ..., 0.

    The views of 0 and 1 have exchanged probabilities under the other bit. These events have the
    largest ratios, so that delta(epsilon) is the largest P[event] - e^epsilon P'[event].
    """
    less, more = sorted(chances(learner), key=float)
    terms = more**games, less**games
    totals, found = (arb(0), arb(0)), []
    for ones in range(games, -1, -1):
        totals = totals[0] + terms[0], totals[1] + terms[1]
        found.append(totals)
        share = ball(Fraction(ones, games - ones + 1))
        terms = terms[0] * share * less / more, terms[1] * share * more / less
    return found


def least_epsilon(learner: Respondent, games: int, delta: Fraction) -> arb:
    """Return the least epsilon with delta(epsilon) <= delta, for a learner that never reveals."""
    found = arb(0)
    for one, zero in events(learner, games):
        if one > ball(delta):
            found = found.max(((one - ball(delta)) / zero).log())
    return found


def delta_at(learner: Respondent, games: int, epsilon: Fraction) -> arb:
    """Return delta(epsilon) of some games. Views that reveal the bit occur under one bit only."""
    hidden = ball(1 - learner.delta) ** games
    apart = (one - ball(epsilon).exp() * zero for one, zero in events(learner, games))
    return 1 - hidden + max(apart, key=float).max(0)


def learner_hypotheses(learner: Respondent) -> dict[str, bool]:
    """Return the hypotheses on the learners of a composition, by an audit of one game."""
    stated = learner.epsilon, learner.delta
    found = audit_game(OnlineGame(learner, 2), LABELS, stated)
    return {
        "every learner is (epsilon, delta)-challenge-private": found.verdict == Verdict.HOLDS,
        "every learner states at most (epsilon, delta)": basic(learner.privacy) == stated,
    }


def require_advanced(stated: Fraction, games: int, epsilon: Fraction) -> None:
    """Require that basic composition does not imply the stated epsilon."""
    if stated >= BELOW_BASIC * games * epsilon:
        raise InvalidInput(
            f"The stated epsilon must be less than {BELOW_BASIC} of {games * epsilon}, the epsilon "
            f"of basic composition. Got {float(stated):.3g}."
        )


def _composed(
    claim: Claim, games: int, epsilon: Fraction, slack: Fraction, *, root: int, drift: int
) -> Outcome:
    """Compare the exact least epsilon with the theorem and with a variant of the theorem."""
    learner = Respondent(epsilon, Fraction(0))
    stated, _ = advanced(SelfComposed(learner.privacy, games), slack)
    require_advanced(stated, games, epsilon)
    with ctx.workprec(PRECISION):
        false = (-root * games * log(slack)).sqrt() * ball(epsilon)
        return compare(
            claim,
            f"m={games}, epsilon={epsilon}, d={format_number(slack)}, m epsilon={games * epsilon}",
            computed=least_epsilon(learner, games, slack),
            stated=stated,
            false=false + drift * games * ball(epsilon) * ball(epsilon).expm1(),
            privacy=(stated, slack),
            hypotheses=learner_hypotheses(learner),
        )


@recomputes(ROOT)
def root(games: int, epsilon: Fraction, slack: Fraction) -> Iterator[Outcome]:
    """Check advanced composition where the term with the root dominates, for a tiny delta."""
    yield _composed(ROOT, games, epsilon, slack, root=1, drift=1)


@recomputes(DRIFT)
def drift(games: int, epsilon: Fraction, slack: Fraction) -> Iterator[Outcome]:
    """Check advanced composition where the mean loss dominates, for many games."""
    yield _composed(DRIFT, games, epsilon, slack, root=2, drift=0)


@recomputes(ADDED)
def added(games: int, epsilon: Fraction, delta: Fraction, slack: Fraction) -> Iterator[Outcome]:
    """Check the delta of advanced composition, for learners that reveal the bit sometimes."""
    learner = Respondent(epsilon, delta)
    stated, _ = advanced(SelfComposed(learner.privacy, games), slack)
    require_advanced(stated, games, epsilon)
    with ctx.workprec(PRECISION):
        yield compare(
            ADDED,
            f"m={games}, epsilon={epsilon}, delta={format_number(delta)}, d={format_number(slack)}",
            computed=delta_at(learner, games, stated),
            stated=games * delta + slack,
            false=games * delta / 2 + slack,
            privacy=(stated, games * delta + slack),
            hypotheses=learner_hypotheses(learner),
        )


def transcribed_game(learner: Respondent, moves: Sequence[Move], bit: int, coins: Coins) -> View:
    """Return the view of an adversary with fixed moves [KMMNS23, Alg 4]."""
    state, view = learner.start(coins), []
    for move in moves:
        point, label = move.input(bit)
        state, predicted = learner.predict(state, point, coins)
        state = learner.learn(state, point, label, coins)
        view.append(HIDDEN if isinstance(move, Challenge) else predicted)
    return tuple(view)


View = tuple[Hashable, ...]
"""The predictions of one game, without the prediction at the challenge."""


@recomputes(TRANSCRIBED)
def transcribed(epsilon: Fraction) -> Iterator[Outcome]:
    """Check [KMMNS23, Alg 5], transcribed, for all meta-adversaries with two games.

    In each game, the meta-adversary chooses a learner, an adversary and a number of rounds. The
    choice of the second game depends on the view of the first game.
    """
    challenge, ask = LABELS[-1], LABELS[0]
    chosen = [
        (Respondent(epsilon, Fraction(0)), (challenge, ask)),
        (Respondent(epsilon / 2, Fraction(0)), (challenge, ask, ask)),
        (Respondent(epsilon, Fraction(0)), (ask, challenge, ask)),
    ]
    games = [Ask((OnlineGame(of, len(moves)), Oblivious(moves))) for of, moves in chosen]

    def rules(second: Callable[[int], int]) -> Rules:
        def played(plan: AdversaryPlan | None, bit: int, coins: Coins) -> Hashable:
            views: list[View] = []
            while plan is not None:
                learner, moves = plan.move.input(bit)
                used = second(bit) if views else bit
                views.append(transcribed_game(learner, moves, used, coins))
                plan = plan.next(views[-1])
            return tuple(views)

        return played

    def views(move: Move) -> Sequence[Hashable]:
        learner, moves = move.input(0)
        laws = (
            exact_distribution(partial(transcribed_game, learner, moves, bit)) for bit in (0, 1)
        )
        return list(dict.fromkeys(view for law in laws for view in law))

    meta: list[Move] = [Ask(each) for each in chosen]
    found = audit_game(CompositionGame(2, epsilon), games, (epsilon, 0)).measured
    right, wrong = (
        abs(worst_delta(rules(second), plans(2, meta, views, 0), epsilon) - found).upper()
        for second in (lambda bit: bit, lambda bit: 0)
    )
    yield compare(
        TRANSCRIBED,
        f"m=2, three learners with adversaries, epsilon={epsilon}",
        computed=right,
        stated=Fraction(1, 10**12),
        twin=wrong,
        privacy=(2 * epsilon, 0),
        hypotheses={
            "every learner states at most (epsilon, delta)": all(
                learner.epsilon <= epsilon and learner.delta == 0 for learner, _ in chosen
            )
        },
    )


def checks(topic: str) -> list[ClaimCheck]:
    """Return checks of compositions whose stated epsilon is far below basic composition."""
    thousandth = Fraction(1, 1000)
    return [
        ClaimCheck(topic, transcribed, (Fraction(1, 2),)),
        *(
            ClaimCheck(topic, root, (10**4, thousandth, Fraction(1, 10**digits)))
            for digits in (30, 60)
        ),
        ClaimCheck(topic, drift, (10**4, Fraction(1, 10), Fraction(1, 10**6))),
        ClaimCheck(topic, added, (10**4, thousandth, Fraction(1, 2 * 10**6), thousandth)),
        ClaimCheck(topic, added, (1000, Fraction(1, 20), Fraction(1, 10**9), Fraction(1, 10**7))),
    ]
