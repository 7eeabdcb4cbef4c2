"""The coin flipping game of [KMMNS23, App. E], solved, with bounds for copies of a learner.

An adversary chooses biases and collects rewards until its budget is spent. [KMMNS23, Thm E.1]
bounds the rewards. This module computes the best adversary, so the bound can be compared with the
exact value. The game models k copies of a learner, of which a random copy learns the label of each
round. A round counts if more than k/5 copies err. If the chosen copy errs in such a round, the
adversary spends one unit of budget. Otherwise the adversary gains a reward.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import comb
from typing import Annotated

from flint import arb

from learners import checked
from learners.balls import ball, ceiling, log, rational_above
from learners.checked import Failure
from learners.coins import Coins
from learners.concentration import least_trials
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.numbers import integer, rational
from lsclasses.options import Option, check_arguments, check_fields

__all__ = [
    "Choice",
    "CoinGame",
    "BAD_SHARE",
    "VERTICES",
    "bad_rounds",
    "bad_rounds_closed_form",
    "bad_rounds_printed",
    "stuck",
    "theorem_tail",
]

Choice = tuple[Fraction, Fraction]
"""The adversary's move in a round, with the probabilities p of a reward and q of a loss."""

VERTICES: tuple[Choice, ...] = (
    (Fraction(0), Fraction(0)),
    (Fraction(0), Fraction(1)),
    (Fraction(5, 6), Fraction(1, 6)),
)
"""The corners of the triangle 0 <= p <= 5/6, p/5 <= q <= 1 - p of all choices."""

BAD_SHARE = Fraction(1, 5)
"""Share of erring copies above which a round is bad [KMMNS23, proof of Thm 5.3]."""

LARGEST = 10**6
"""Largest number of states of the dynamic program."""

DENOMINATOR = 1 << 64


@dataclass(frozen=True)
class CoinGame:
    r"""The game of [KMMNS23, Alg 12] with a budget and `rounds` rounds, and its best adversary.

    In a round the adversary chooses 0 <= p <= 5/6 and p/5 <= q <= 1 - p. With probability p the
    adversary gains a reward, if budget remains. With probability q the adversary loses one unit of
    budget.

    *Three choices suffice.* The rest of the game depends on the remaining rounds, the budget b and
    the reward r. If V is the best expected payoff after this round, the choice (p, q) is worth
    p V(b, r + 1) + q V(b - 1, r) + (1 - p - q) V(b, r), which is linear in (p, q). The value is
    largest at a corner of the triangle of allowed choices: (0, 0), (0, 1) or (5/6, 1/6).

    *The choice (5/6, 1/6) is best.* Let F_n(b, j) be the probability that n coins of bias 5/6 show
    j heads before the b-th tail. It increases with n and with b. By induction no adversary collects
    j rewards with more than this probability. Playing (5/6, 1/6) gives 5/6 F_(n-1)(b, j - 1) + 1/6
    F_(n-1)(b - 1, j) = F_n(b, j), and passing gives F_(n-1)(b, j) <= F_n(b, j). Spending budget
    without a reward gives F_(n-1)(b - 1, j), which is even less. So the greedy adversary maximises
    every P[reward > x] at once, and the expectation of every increasing payoff.

    Parameters
    ----------
    budget : int
        Budget of the adversary, at least 0.
    rounds : int
        Number of rounds, at least 0.

    Raises
    ------
    InvalidInput
        If a number is negative.

    Examples
    --------
    >>> game = CoinGame(budget=1, rounds=3)
    >>> [str(game.exceeds(reward)) for reward in range(4)]
    ['5/6', '25/36', '125/216', '0']
    >>> game.expected == game.value(Fraction) == Fraction(455, 216)
    True
    """

    budget: Annotated[int, Option("budget", minimum=0)]
    rounds: Annotated[int, Option("rounds", minimum=0)]

    def __post_init__(self) -> None:
        check_fields(self)

    def exceeds(self, reward: Fraction | int) -> Fraction:
        """Return the largest probability, over adversaries, of a reward of more than `reward`."""
        return _heads(self.budget, int(rational(reward, "reward") // 1) + 1, self.rounds)

    @property
    def expected(self) -> Fraction:
        """The largest expected reward over adversaries, at most 5 budget."""
        return sum((self.exceeds(reward) for reward in range(self.rounds)), Fraction(0))

    def value(
        self, payoff: Callable[[int], Fraction], choices: Iterable[Choice] = VERTICES
    ) -> Fraction:
        """Return the largest expected payoff over adversaries, by dynamic programming.

        Parameters
        ----------
        payoff : callable
            Function ``payoff(reward)`` of the reward at the end of the game.
        choices : iterable of (Fraction, Fraction)
            Choices of the adversary in every round.

        Raises
        ------
        InvalidInput
            If `choices` is empty, or the game does not allow a choice.
        TooLarge
            If the program has more than a million states.

        Examples
        --------
        >>> CoinGame(2, 6).value(lambda reward: Fraction(reward > 3)) == CoinGame(2, 6).exceeds(3)
        True
        """
        allowed = [_checked(choice) for choice in choices]
        if not allowed:
            raise InvalidInput("The adversary must have a choice. Got none.")
        states = self.budget * self.rounds**2
        if states > LARGEST:
            raise TooLarge(
                f"The game has {states} states of rounds, budget and reward. The limit is "
                f"{LARGEST}. Choose fewer rounds.",
                estimate=float(states),
                limit=LARGEST,
            )
        ends = [rational(payoff(reward), "payoff") for reward in range(self.rounds + 1)]
        # values[b][r] is the value before the current round. A spent budget earns no more rewards.
        values = [list(ends) for _ in range(self.budget + 1)]
        for turn in reversed(range(self.rounds)):
            values = [values[0]] + [
                [
                    max(
                        p * same[reward + 1] + q * less[reward] + (1 - p - q) * same[reward]
                        for p, q in allowed
                    )
                    for reward in range(turn + 1)
                ]
                for less, same in pairwise(values)
            ]
        return values[self.budget][0]

    def play(self, adversary: Callable[[tuple[int, ...]], Choice], coins: Coins) -> int:
        """Play the game once [KMMNS23, Alg 12].

        Parameters
        ----------
        adversary : callable
            Function ``adversary(outcomes)`` that returns (p, q) after the outcomes so far. An
            outcome is 1 for a reward, 2 for a loss, and 0 otherwise.
        coins : Coins
            Source of the random outcomes.

        Returns
        -------
        int
            The reward.

        Raises
        ------
        InvalidInput
            If the game does not allow a choice.

        Examples
        --------
        >>> from learners.coins import SeededCoins
        >>> CoinGame(3, 1000).play(lambda outcomes: VERTICES[2], SeededCoins(1))
        8
        """
        budget, reward = self.budget, 0  # [KMMNS23, Alg 12 step 1]
        outcomes: tuple[int, ...] = ()
        for _ in range(self.rounds):
            p, q = _checked(adversary(outcomes))  # [KMMNS23, Alg 12 step 2a]
            if coins.flip(p):  # [KMMNS23, Alg 12 step 2b]
                outcomes = (*outcomes, 1)  # [KMMNS23, Alg 12 step 2c]
                reward += budget > 0  # [KMMNS23, Alg 12 step 2d]
            elif coins.flip(q / (1 - p)):
                outcomes = (*outcomes, 2)
                budget -= 1  # [KMMNS23, Alg 12 step 2e]
            else:
                outcomes = (*outcomes, 0)
        return reward  # [KMMNS23, Alg 12 step 3]


def _checked(choice: Choice) -> Choice:
    p, q = rational(choice[0], "chance of a reward"), rational(choice[1], "chance of a loss")
    if not (0 <= p <= Fraction(5, 6) and p / 5 <= q <= 1 - p):
        raise InvalidInput(
            f"A choice must satisfy 0 <= p <= 5/6 and p/5 <= q <= 1 - p. Got p = {p}, q = {q}."
        )
    return p, q


@cache
def _heads(budget: int, heads: int, rounds: int) -> Fraction:
    """P[coins of bias 5/6 show `heads` heads in time and before the last tail]."""
    if heads <= 0:
        return Fraction(1)
    # The last head comes after i tails, i < budget, and not after the last round.
    ways = sum(
        comb(heads - 1 + tails, tails) * 6 ** (budget - 1 - tails)
        for tails in range(min(budget, rounds - heads + 1))
    )
    return Fraction(ways * 5**heads, 6 ** (heads + budget - 1)) if ways else Fraction(0)


def theorem_tail(budget: int, reward: Fraction | int) -> Fraction:
    """Return exp(-reward/6 + 3 (budget + 1)), the bound of [KMMNS23, Thm E.1] on the reward.

    The theorem bounds P[more than `reward`]. The bound is not tight. The reward of the best
    adversary in endless rounds is a sum of `budget` independent geometric variables. So
    E exp(reward/6) = (1/(6 - 5 e^(1/6)))^budget, which is less than e^(2.38 budget), and Markov's
    inequality gives exp(-reward/6 + 2.38 budget).

    Returns
    -------
    Fraction
        The bound, rounded up to a multiple of 2^-64. It may exceed 1.

    Examples
    --------
    >>> game = CoinGame(budget=1, rounds=100)
    >>> [round(float(bound), 5) for bound in (game.exceeds(50), theorem_tail(1, 50))]
    [9e-05, 0.09697]
    """
    exponent = 3 * (integer(budget, "budget") + 1) - rational(reward, "reward") / 6
    return rational_above(lambda: ball(exponent).exp(), DENOMINATOR)


@check_arguments
def bad_rounds(copies: int, mistakes: int, failure: Failure, share: Fraction = BAD_SHARE) -> int:
    """Return a bound on the number of rounds in which more than a share of the copies err.

    In every round a uniformly random one of k copies learns the label, and each copy makes at most
    M mistakes on its examples. Call a round bad if more than `share` times k copies would err, that
    is, at least m = floor(share k) + 1 of them. The bound is a binomial tail. The result is the
    least N for which P[Bin(N, m/k) <= M k - m] is surely at most `failure`. (If they are equal, the
    result is one more.) For all adaptive adversaries, the probability of more than N bad rounds is
    at most `failure`.

    *Proof.* Let there be an (N+1)-st bad round. Then m copies still err in it, so each of them made
    at most M - 1 mistakes before, and all copies together made at most M k - m. But in each of the
    first N bad rounds the chosen copy errs with probability at least m/k given the past, since the
    copy is drawn afresh. So the number of mistakes of the chosen copies in these rounds is
    stochastically at least Bin(N, m/k).

    For M = 1 or m = 1 the bound is optimal for an adversary who decides which copies err. The
    optimal adversary lets exactly m copies with remaining mistakes err, until fewer than m remain.

    Parameters
    ----------
    copies : int
        Number k of copies.
    mistakes : int
        Mistake bound M of one copy, at least 0.
    failure : Fraction
        Failure probability of the bound, strictly between 0 and 1.
    share : Fraction
        Largest share of erring copies in a good round, in [0, 1).

    Raises
    ------
    InvalidInput
        If there is no copy, mistakes are negative, or a probability is out of range or a float.

    Examples
    --------
    >>> bad_rounds(1000, 1, Fraction(1, 100))
    4279
    >>> [bound(1000, 1, Fraction(1, 100)) for bound in (bad_rounds_closed_form, bad_rounds_printed)]
    [5504, 18022]
    """
    k, advances, least = _advances(copies, mistakes, share)
    if advances < 0:
        return 0
    return least_trials(advances, Fraction(least, k), failure)


def _advances(copies: int, mistakes: int, share: Fraction) -> tuple[int, int, int]:
    """Return k, the most mistakes before a bad round, and the fewest copies that err in it."""
    k, mistakes = checked.positive(copies, "number of copies"), integer(mistakes, "mistake bound")
    share = rational(share, "share")
    if mistakes < 0 or not 0 <= share < 1:
        raise InvalidInput(
            "The mistake bound must be at least 0 and the share at least 0 and less than 1. "
            f"Got {mistakes} and {share}."
        )
    least = int(share * k // 1) + 1
    return k, mistakes * k - least, least


@check_arguments
def bad_rounds_closed_form(copies: int, mistakes: int, failure: Failure) -> int:
    """Return an upper bound on `bad_rounds` in closed form, for the share 1/5.

    In a *bad round*, more than k/5 of the copies err. Except with probability `failure`, at most
    5 (M k + L + sqrt(L^2 + 2 M k L)) rounds are bad, for k = `copies`, M = `mistakes` and L =
    ln(1/failure). The function returns this number, rounded up.

    **Proof.** In each bad round, the drawn copy errs with probability above 1/5. All copies
    together err in at most c = M k draws. So N bad rounds have probability at most P[Bin(N, 1/5) <=
    c], which is at most exp(-(N/5 - c)^2 / (2 N/5)) by Chernoff's bound. This number is at most
    exp(-L) if N/5 >= c + L + sqrt(L^2 + 2 c L).
    """
    k, _, _ = _advances(copies, mistakes, BAD_SHARE)
    most = mistakes * k

    def bound() -> arb:
        exponent = -log(failure)
        return 5 * (most + exponent + (exponent * exponent + 2 * most * exponent).sqrt())

    return ceiling(bound)


@check_arguments
def bad_rounds_printed(copies: int, mistakes: int, failure: Failure) -> int:
    """Return 18 M k + 18 + ln(1/failure), rounded down, as printed in the proof of Theorem 5.3.

    [KMMNS23, proof of Thm 5.3] prints this bound on the number of bad rounds. The bound is valid if
    ln(1/failure) <= 0.93 M k, by Chernoff's bound for N = 18 M k: exp(-(3.6 - 1)^2 / 7.2 M k) <
    exp(-0.93 M k). The parameters of Theorem 5.3 meet this condition, and the bound is then about
    three times too large. The bound does not follow from [KMMNS23, Thm E.1]. This theorem gives
    18 M k + 18 + 6 ln(1/failure) rewards (bad rounds without a mistake of the chosen copy), and M k
    more rounds for the mistakes. For failure probabilities far below the probabilities of Theorem
    5.3, `stuck` computes an instance with more bad rounds.
    """
    k, _, _ = _advances(copies, mistakes, BAD_SHARE)
    return 18 * mistakes * k + 18 + ceiling(lambda: -log(failure)) - 1


@check_arguments
def stuck(copies: int, rounds: Annotated[int, Option("number of rounds", minimum=0)]) -> Fraction:
    """Return P[more than `rounds` rounds are bad], for M = 1 and one repeated example.

    All copies err on the example until they learn its label. So the round after `rounds` rounds is
    bad if and only if at least m = floor(k/5) + 1 of the copies have not been drawn yet. By
    inclusion and exclusion this event has probability sum_(i >= m) (-1)^(i - m) C(i-1, m-1) C(k, i)
    (1 - i/k)^rounds.

    Examples
    --------
    The number of copies in the example is too small for its failure probability, 10^-16, so the
    hypotheses of [KMMNS23, Thm 5.3] are not met. The printed bound of 126 bad rounds then fails,
    because more than 126 rounds are bad with probability 7e-16.

    >>> failure = Fraction(1, 10**16)
    >>> bad_rounds_printed(4, 1, failure), stuck(4, 126) > failure
    (126, True)
    >>> bad_rounds(4, 1, failure), bad_rounds_closed_form(4, 1, failure)
    (164, 408)
    """
    k, _, least = _advances(copies, 1, BAD_SHARE)
    ways = sum(
        (-1) ** (i - least) * comb(i - 1, least - 1) * comb(k, i) * (k - i) ** rounds
        for i in range(least, k + 1)
    )
    return Fraction(ways, k**rounds)
