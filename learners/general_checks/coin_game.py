"""The coin game of [KMMNS23, App. E]: its best adversary, and rounds where many copies err."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import count, product

from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.coin_game import (
    Choice,
    CoinGame,
    bad_rounds,
    bad_rounds_closed_form,
    bad_rounds_printed,
    theorem_tail,
)

SOURCE = "learners.coin_game"

GREEDY = Claim(
    "best P[reward > x]",
    "P[x + 1 heads of bias 5/6 before the last tail]",
    "==",
    SOURCE,
    statements=("KMMNS23 Alg 12",),
    falsified="P[x + 2 heads of bias 5/6 before the last tail]",
)
EXPECTED = Claim(
    "best expected reward",
    "5 budget",
    "<=",
    SOURCE,
    statements=("KMMNS23 Alg 12",),
    falsified="3 budget",
)
THEOREM = Claim(
    "best P[reward > x]",
    "exp(-x/6 + 3 (budget + 1))",
    "<=",
    "[KMMNS23, Thm E.1]",
    statements=("KMMNS23 Thm E.1",),
    falsified="exp(-x/3 + 3 (budget + 1))",
    drops="a factor 2 of the divisor 6",
)
BINOMIAL = Claim(
    "(1 - failure)-quantile of the bad rounds",
    "least N with P[Bin(N, m/k) <= M k - m] <= failure, for M = 1 or m = 1",
    "==",
    SOURCE,
    statements=("KMMNS23 Thm 5.1", "KMMNS23 Thm 5.3", "KMMNS23 Rem 1.2"),
    falsified="least N + 1",
)
CLOSED = Claim(
    BINOMIAL.quantity,
    "5 (M k + L + sqrt(L^2 + 2 M k L)), L = ln(1/failure)",
    "<=",
    SOURCE,
    statements=BINOMIAL.statements,
    falsified="2 M k",
)
PRINTED = Claim(
    BINOMIAL.quantity + ", ln(1/failure) <= 0.93 M k",
    "18 M k + 18 + ln(1/failure)",
    "<=",
    SOURCE + ", for [KMMNS23, proof of Theorem 5.3]",
    statements=BINOMIAL.statements,
    falsified="2 M k",
)


def twelfths() -> list[Choice]:
    """Return all moves (p, q) of the adversary in multiples of 1/12, which include the corners."""
    return [
        (Fraction(p, 12), Fraction(q, 12))
        for p, q in product(range(11), range(13))
        if p <= 5 * q and p + q <= 12
    ]


@recomputes(GREEDY, EXPECTED)
def best_adversary(budget: int, rounds: int) -> Iterator[Outcome]:
    """Check the closed form of the best reward by dynamic programming over a grid of moves."""
    game, grid = CoinGame(budget, rounds), twelfths()
    for reward in (1, rounds // 2, rounds - 1):
        found = game.value(lambda r, reward=reward: Fraction(r > reward), grid)  # type: ignore[misc]
        instance = f"budget={budget}, rounds={rounds}, x={reward}"
        yield compare(
            GREEDY,
            instance,
            computed=found,
            stated=game.exceeds(reward),
            false=game.exceeds(reward + 1),
        )
    found = game.value(Fraction, grid)
    yield compare(
        EXPECTED,
        f"budget={budget}, rounds={rounds}",
        computed=found,
        stated=5 * budget,
        false=3 * budget,
    )


@recomputes(THEOREM)
def theorem(budget: int) -> Iterator[Outcome]:
    """Check [KMMNS23, Thm E.1] where it is not vacuous: P[reward > x] for x > 18 (budget + 1).

    The best adversary's probability decreases faster with x than the bound. So larger x attain a
    smaller share of the bound.
    """
    for beyond in (1, 10):
        reward = 18 * (budget + 1) + beyond
        found = CoinGame(budget, reward + 2 * budget + 2).value(
            lambda r, reward=reward: Fraction(r > reward)  # type: ignore[misc]
        )
        yield compare(
            THEOREM,
            f"budget={budget}, x={reward}",
            computed=found,
            stated=theorem_tail(budget, reward),
            false=theorem_tail(budget, 2 * reward),
        )


def most_bad_rounds(copies: int, mistakes: int, failure: Fraction) -> int:
    """Return the least N such that more than N rounds are bad with probability at most `failure`.

    The bound holds for every adversary. Each of k copies of a learner may make `mistakes` mistakes.
    In each round, the adversary chooses the copies that err, among the copies that may still make a
    mistake. The round is *bad* if more than k/5 copies err. Then one of the k copies is drawn
    uniformly and learns the label, so it uses up one of its mistakes if it errs. The dynamic
    program over all adversaries needs only the number of copies with each number of remaining
    mistakes.

    Parameters
    ----------
    copies : int
        Number k of copies.
    mistakes : int
        Largest number of mistakes of each copy.
    failure : Fraction
        Largest probability of more than N bad rounds.
    """
    least = copies // 5 + 1
    chances: dict[tuple[tuple[int, ...], int], Fraction] = {}

    def chance(left: tuple[int, ...], wanted: int) -> Fraction:
        if wanted == 0:
            return Fraction(1)
        if (left, wanted) not in chances:
            best = Fraction(0)
            for erring in product(*(range(n + 1 if m else 1) for m, n in enumerate(left))):
                if sum(erring) < least:
                    continue
                worth = Fraction(0)
                if sum(erring) < copies:
                    stay = Fraction(copies - sum(erring), copies)
                    worth = stay * chance(left, wanted - 1)
                for m, n in enumerate(erring):
                    if n:
                        after = list(left)
                        after[m - 1] += 1
                        after[m] -= 1
                        worth += Fraction(n, copies) * chance(tuple(after), wanted - 1)
                best = max(best, worth)
            chances[left, wanted] = best
        return chances[left, wanted]

    start = (*[0] * mistakes, copies)
    return next(n for n in count() if chance(start, n + 1) <= failure)


@recomputes(BINOMIAL, CLOSED)
def copies_of_a_learner(copies: int, mistakes: int, exponent: int) -> Iterator[Outcome]:
    """Check the bounds on the number of bad rounds against all adversaries."""
    failure = Fraction(1, 10**exponent)
    found = most_bad_rounds(copies, mistakes, failure)
    instance = f"k={copies}, M={mistakes}, failure=10^-{exponent}"
    exact = bad_rounds(copies, mistakes, failure)
    yield compare(BINOMIAL, instance, computed=found, stated=exact, false=exact + 1)
    yield compare(
        CLOSED,
        instance,
        computed=found,
        stated=bad_rounds_closed_form(copies, mistakes, failure),
        false=2 * mistakes * copies,
    )


@recomputes(PRINTED)
def where_it_is_used(copies: int, mistakes: int, exponent: int) -> Iterator[Outcome]:
    """Check the paper's printed bound on the number of bad rounds against all adversaries."""
    assert exponent * Fraction(7, 10) <= Fraction(93, 100) * copies * mistakes  # ln(2) < 7/10
    failure = Fraction(1, 2**exponent)
    yield compare(
        PRINTED,
        f"k={copies}, M={mistakes}, failure=2^-{exponent}",
        computed=most_bad_rounds(copies, mistakes, failure),
        stated=bad_rounds_printed(copies, mistakes, failure),
        false=2 * mistakes * copies,
    )


def checks() -> list[ClaimCheck]:
    """Return all checks: small games, and copies up to tiny failure probabilities."""
    return [
        *(
            ClaimCheck("coin-game", best_adversary, size)
            for size in ((1, 6), (0, 4), (2, 8), (3, 10))
        ),
        *(ClaimCheck("coin-game", theorem, (budget,)) for budget in (1, 0, 2)),
        ClaimCheck("coin-game", best_adversary, (3, 14), slow=True),
        *(ClaimCheck("coin-game", theorem, (budget,), slow=True) for budget in (3, 4)),
        *(
            ClaimCheck("coin-game", copies_of_a_learner, size)
            for size in ((3, 2, 2), (4, 1, 2), (4, 1, 16), (5, 1, 3), (8, 1, 6))
        ),
        *(
            ClaimCheck("coin-game", where_it_is_used, size)
            for size in ((5, 1, 6), (3, 2, 7), (8, 1, 10))
        ),
    ]
