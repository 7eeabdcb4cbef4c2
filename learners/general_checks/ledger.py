"""The ledger against exact games: groups of challenges, composition, the view of the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import pairwise

from flint import arb, ctx

from learners.accounting import (
    ApproximateDP,
    Event,
    PureDP,
    Scope,
    SelfComposed,
    advanced,
    basic,
    group,
)
from learners.audit import ExploredGame, audit_game
from learners.balls import ball, log, rational_above
from learners.claim_checks import (
    WEAKER,
    Claim,
    ClaimCheck,
    Outcome,
    audit_outcome,
    compare,
    recomputes,
)
from learners.coins import Coins
from learners.exact import PRECISION, exact_distribution
from learners.games import (
    Ask,
    Challenge,
    CompositionGame,
    Move,
    Oblivious,
    OnlineGame,
    are_neighbours,
)
from learners.general_checks import composed_games
from learners.general_checks.plans import (
    AdversaryPlan,
    Rules,
    both,
    challenges_allowed,
    plans,
    worst_delta,
)
from learners.mechanisms.randomized_response import RandomizedResponse
from lsclasses.verdicts import Verdict

Seen = tuple[int, int]
"""The number of rounds so far, and the number of labels 1 among them."""

GROUP = Claim(
    "delta at g epsilon, of g challenges",
    "delta (1 + e^epsilon + ... + e^((g-1) epsilon))",
    source="[KMMNS23, Thm 3.4], sharpened",
    statements=("KMMNS23 Thm 3.4", "KMMNS23 Alg 4"),
    falsified="g delta",
)
BASIC = Claim(
    "loss of m games with one bit",
    "(m epsilon, m delta)",
    source="basic composition",
    falsified="(3/4 m epsilon, m delta)",
)
ADAPTIVE = Claim(
    "delta at T epsilon, of the worst adversary who picks a mechanism and two data sets T times",
    "T delta",
    source="basic composition, for the game of GL21, Def 2.2",
    falsified="at (T - 1) epsilon",
)
COMPOSED = Claim(
    "gap between the delta of T-fold adaptive composition, transcribed, and by its likelihoods",
    "10^-12",
    source="[GL21, Def 2.2]",
    falsified="with the bit 0 in the second step",
    incorrect_object=True,
)

CLOSED = Claim(
    "epsilon of T mechanisms with one bit, divided by the epsilon they are chosen for",
    "1",
    source="[GL21, Lemma 5.4], for epsilon <= 1 and delta <= 1/2",
    falsified="with twice the epsilon of each",
)

FLIP = Challenge(("x", 0), ("x", 1))
EXAMPLES: tuple[Move, ...] = (Ask(("x", 0)), Ask(("x", 1)), FLIP)

CHALLENGED = Oblivious((Challenge(("x", 0), ("x", 1)), Ask(("x", 0))))
"""The adversary that changes the first of two labels."""

MANY = 1 << 40
"""Denominator 2^40 of epsilons that are rounded to fractions."""

E_HALF = Fraction(16487, 10000)
"""A fraction just below e^(1/2)."""


@dataclass(frozen=True)
class Ladder:
    """A learner whose last prediction is a coin with a bias that depends on the number of ones.

    Parameters
    ----------
    chances : tuple of Fraction
        Probability of heads after 0, 1, ... ones, one for each round.
    privacy : Event, optional
        The stated privacy.
    """

    chances: tuple[Fraction, ...]
    privacy: Event | None = None

    @classmethod
    def steep(cls, delta: Fraction, size: int) -> Ladder:
        """Return the learner with chances 0, delta, delta + delta e^(1/2), ..., which is tight."""
        chances = [Fraction(0)]
        for _ in range(size):
            chances.append(E_HALF * chances[-1] + delta)
        return cls(tuple(chances))

    def start(self, coins: Coins) -> Seen:
        """Return the state before the first round."""
        return 0, 0

    def predict(self, state: Seen, point: object, coins: Coins) -> tuple[Seen, int]:
        """Predict by the coin in the last round, and 0 in earlier rounds."""
        turn, ones = state
        last = turn + 1 == len(self.chances)
        return state, int(coins.flip(self.chances[ones])) if last else 0

    def learn(self, state: Seen, point: object, label: int, coins: Coins) -> tuple[int, int]:
        """Return the state with one more example and its label added to the number of ones."""
        turn, ones = state
        return turn + 1, ones + label


@recomputes(GROUP)
def groups(size: int) -> Iterator[Outcome]:
    """Check group privacy for challenges against all adversaries.

    Check a learner that attains the bound against all adversaries with `size` challenges.
    """
    epsilon, delta = Fraction(1, 2), Fraction(1, 600)
    learner = Ladder.steep(delta, size)
    game = OnlineGame(learner, size + 1, group=size)
    single = audit_game(OnlineGame(learner, size + 1), EXAMPLES, (epsilon, delta))
    explored = ExploredGame(game, EXAMPLES)
    finding = explored.against(group(epsilon, delta, size))
    false = explored.against((size * epsilon, size * delta))
    yield audit_outcome(
        GROUP,
        f"g={size}, epsilon={epsilon}, delta={delta}",
        finding,
        false=false,
        hypotheses={
            "the learner is (epsilon, delta)-challenge-private": single.verdict == Verdict.HOLDS,
            "at most g challenges are posed": challenges_allowed(game, FLIP) == size,
        },
    )


@recomputes(BASIC)
def composition(games: int) -> Iterator[Outcome]:
    """Check basic composition of games of two learners.

    Check two learners, one of which the adversary chooses for each game.
    """
    tenth = PureDP(Fraction(1, 10), scope=Scope.adaptive("challenge"))
    # All ratios of chances, of heads and of tails, are just below e^(1/10).
    learners = (
        Ladder((Fraction(4751, 10000), Fraction(5249, 10000)), tenth),
        Ladder((Fraction(11, 20), Fraction(101, 200)), tenth),
    )
    moves = [Ask((OnlineGame(learner, 2), CHALLENGED)) for learner in learners]
    explored = ExploredGame(CompositionGame(games, Fraction(1, 10)), moves)
    composed = SelfComposed(tenth, games)
    epsilon, delta = basic(composed)
    yield audit_outcome(
        BASIC,
        f"m={games}, epsilon=1/10, delta=0",
        explored.against((epsilon, delta)),
        false=explored.against((WEAKER * epsilon, delta)),
        hypotheses={
            "every learner states at most (epsilon, delta)": all(
                learner.privacy == tenth for learner in learners
            )
        },
    )


def mechanisms_of(epsilon: Fraction, delta: Fraction, size: int) -> list[Callable[..., int]]:
    """Return randomized response, and coins that are as far apart as (epsilon, delta) allows."""
    steep = Ladder.steep(delta, size).chances

    def coin(chances: tuple[Fraction, Fraction]) -> Callable[..., int]:
        return lambda bit, coins: int(coins.flip(chances[bit]))

    return [RandomizedResponse(epsilon).release, *map(coin, pairwise(steep))]


def delta_by_likelihoods(
    mechanisms: Sequence[Callable[..., int]], rounds: int, epsilon: Fraction
) -> arb:
    """Return the delta of the worst adversary, by dynamic programming.

    The state consists of the probabilities of the answers under both bits, because later moves
    depend only on these probabilities. In each step, the adversary chooses a mechanism, and which
    of the data sets 0 and 1 belongs to which bit.
    """
    pairs = []
    for mechanism in mechanisms:
        laws = [exact_distribution(partial(mechanism, bit)) for bit in (0, 1)]
        one, other = ([law.probability(answer.__eq__) for answer in (0, 1)] for law in laws)
        pairs += [list(zip(one, other, strict=True)), list(zip(other, one, strict=True))]
    factor = ball(epsilon).exp()

    def reached(left: arb, right: arb, rounds: int) -> arb:
        if not rounds:
            return (left - factor * right).max(0)
        worst = arb(0)
        for pair in pairs:
            total = arb(0)
            for p, q in pair:
                total += reached(left * p, right * q, rounds - 1)
            worst = worst.max(total)
        return worst

    return reached(arb(1), arb(1), rounds)


@recomputes(ADAPTIVE)
def adaptive(rounds: int) -> Iterator[Outcome]:
    """Check basic composition against adversaries that choose mechanisms and data sets.

    Check adversaries that choose adaptively after all answers.
    """
    epsilon, delta = Fraction(1, 2), Fraction(1, 300)
    mechanisms = mechanisms_of(epsilon, delta, rounds)
    with ctx.workprec(PRECISION):
        yield compare(
            ADAPTIVE,
            f"T={rounds}, epsilon={epsilon}, delta={delta}",
            computed=delta_by_likelihoods(mechanisms, rounds, rounds * epsilon),
            stated=rounds * delta,
            twin=delta_by_likelihoods(mechanisms, rounds, (rounds - 1) * epsilon),
            changed=(rounds, rounds - 1),
            privacy=(rounds * epsilon, rounds * delta),
            hypotheses={
                "in each step the two data sets are neighbours": are_neighbours((0,), (1,))
            },
        )


@recomputes(COMPOSED)
def composed(epsilon: Fraction, delta: Fraction) -> Iterator[Outcome]:
    """Check T-fold adaptive composition against its transcription [GL21, Def 2.2].

    Check [GL21, Def 2.2], transcribed, for two steps and all adversaries, one by one.
    """
    rounds, inputs = 2, ((0,), (1,))
    mechanisms = mechanisms_of(epsilon, delta, rounds)
    moves: list[Move] = [
        Ask((mechanism, data)) for mechanism in mechanisms for data in ((0, 1), (1, 0))
    ]

    def rules(bits: Callable[[int], tuple[int, ...]]) -> Rules:
        def played(plan: AdversaryPlan | None, bit: int, coins: Coins) -> tuple[int, ...]:
            answers: tuple[int, ...] = ()
            for used in bits(bit):
                assert plan is not None
                mechanism, data = plan.move.input(bit)
                answers = (*answers, mechanism(data[used], coins))
                plan = plan.next(answers[-1])
            return answers

        return played

    with ctx.workprec(PRECISION):
        found = delta_by_likelihoods(mechanisms, rounds, epsilon)
        right, wrong = (
            abs(worst_delta(rules(bits), plans(rounds, moves, both, 0), epsilon) - found).upper()
            for bits in (lambda bit: (bit, bit), lambda bit: (bit, 0))
        )
    yield compare(
        COMPOSED,
        f"T={rounds}, mechanisms of epsilon={epsilon}, delta={delta}",
        computed=right,
        stated=Fraction(1, 10**12),
        twin=wrong,
        privacy=(rounds * epsilon, rounds * delta),
        hypotheses={"in each step the two data sets are neighbours": are_neighbours(*inputs)},
    )


@recomputes(CLOSED)
def closed_form(rounds: int, delta: Fraction) -> Iterator[Outcome]:
    """Compare the rule for T mechanisms with the better one of two composition theorems.

    Half of delta is the sum of the mechanisms' deltas, and the other half is slack.
    """

    def spent(epsilon: Fraction) -> Fraction:
        each = ApproximateDP(epsilon, delta / (2 * rounds), scope=Scope.adaptive("challenge"))
        composed = SelfComposed(each, rounds)
        found = [basic(composed), advanced(composed, delta / 2)]
        return min(total for total, lost in found if lost <= delta)

    worst = twin = Fraction(0)
    share = rational_above(lambda: 1 / (2 * (-2 * rounds * log(delta)).sqrt()), MANY)
    totals = [Fraction(tenths, 10) for tenths in (1, 5, 10)]
    for total in totals:
        each = share * total
        worst = max(worst, spent(each) / total)
        twin = max(twin, spent(2 * each) / total)
    yield compare(
        CLOSED,
        f"T={rounds}, delta={delta}",
        computed=worst,
        stated=1,
        twin=twin,
        changed=(1, 2),
        privacy=(max(totals), delta),
        hypotheses={"epsilon <= 1": max(totals) <= 1, "delta <= 1/2": delta <= Fraction(1, 2)},
    )


@recomputes(BASIC)
def leaks(games: int) -> Iterator[Outcome]:
    """Check the delta of basic composition, for learners that reveal with probability delta."""
    epsilon, delta = Fraction(1, 2), Fraction(1, 20)
    each = ApproximateDP(epsilon, delta, scope=Scope.adaptive("challenge"))
    move = Ask((OnlineGame(Ladder((Fraction(0), delta), each), 2), CHALLENGED))
    explored = ExploredGame(CompositionGame(games, epsilon, delta), [move])
    yield audit_outcome(
        BASIC,
        f"m={games}, epsilon={epsilon}, delta={delta}",
        explored.against(SelfComposed(each, games)),
        false=explored.against((games * epsilon, WEAKER * games * delta)),
    )


def checks() -> list[ClaimCheck]:
    """Return the checks: groups of up to three challenges, and up to five games."""
    return [
        *(ClaimCheck("ledger", groups, (size,)) for size in (2, 1, 3)),
        *(ClaimCheck("ledger", composition, (games,)) for games in (5, 1)),
        *composed_games.checks("ledger"),
        ClaimCheck("ledger", leaks, (3,)),
        *(ClaimCheck("ledger", adaptive, (rounds,)) for rounds in (2, 3)),
        ClaimCheck("ledger", composed, (Fraction(1, 2), Fraction(1, 300))),
        *(
            ClaimCheck("ledger", closed_form, (rounds, delta))
            for rounds in (100, 1, 10**6)
            for delta in (Fraction(1, 2), Fraction(1, 10), Fraction(1, 10**9))
        ),
    ]
