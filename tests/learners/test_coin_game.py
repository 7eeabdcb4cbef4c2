"""The coin game: the best adversary by definition, bounds on it, and copies of a learner."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.coin_game import (
    VERTICES,
    CoinGame,
    bad_rounds,
    bad_rounds_closed_form,
    bad_rounds_printed,
    stuck,
    theorem_tail,
)
from learners.exact import exact_distribution
from tests.learners.privacy_checks import at_most

FIFTH = Fraction(1, 5)

GRID = [
    (Fraction(p, 12), Fraction(q, 12))
    for p in range(11)
    for q in range(13)
    if p <= 5 * q and p + q <= 12
]
"""All allowed choices in twelfths, the corners among them."""


def naive(budget, rounds, payoff, choices, reward=0):
    """The best expected payoff, by the definition of the game."""
    if rounds == 0:
        return payoff(reward)

    def after(budget, reward):
        return naive(budget, rounds - 1, payoff, choices, reward)

    return max(
        p * after(budget, reward + (budget > 0))
        + q * after(budget - 1, reward)
        + (1 - p - q) * after(budget, reward)
        for p, q in choices
    )


payoffs = st.lists(st.fractions(-3, 3, max_denominator=4), min_size=4, max_size=4)


@given(st.integers(0, 3), st.integers(0, 3), payoffs)
def test_the_corners_are_as_good_as_a_grid_for_every_payoff(budget, rounds, payoff):
    value = CoinGame(budget, rounds).value(payoff.__getitem__)
    assert value == CoinGame(budget, rounds).value(payoff.__getitem__, GRID)
    assert value == naive(budget, rounds, payoff.__getitem__, VERTICES)


@given(st.integers(0, 5), st.integers(0, 10), st.fractions(-1, 11, max_denominator=3))
def test_the_greedy_adversary_is_best(budget, rounds, reward):
    game = CoinGame(budget, rounds)
    assert game.exceeds(reward) == game.value(lambda found: Fraction(found > reward))
    assert game.expected == game.value(Fraction) <= 5 * budget


def greedy(outcomes):
    return VERTICES[2]


def careful(outcomes):
    return (Fraction(1, 2), Fraction(1, 10)) if 2 in outcomes else (Fraction(1, 2), Fraction(1, 2))


@pytest.mark.parametrize("budget", [0, 2])
def test_the_game_that_is_played(budget):
    game = CoinGame(budget, 4)
    law = exact_distribution(lambda coins: game.play(greedy, coins))
    for reward in range(-1, 5):
        assert sum(law.rational(r) for r in law if r > reward) == game.exceeds(reward)
    law = exact_distribution(lambda coins: game.play(careful, coins))
    assert sum(r * law.rational(r) for r in law) <= game.expected
    expected = Fraction(0)
    for outcomes in itertools.product((0, 1, 2), repeat=4):
        chance, left, reward = Fraction(1), budget, 0
        for turn, outcome in enumerate(outcomes):
            p, q = careful(outcomes[:turn])
            chance *= (1 - p - q, p, q)[outcome]
            reward += outcome == 1 and left > 0
            left -= outcome == 2
        expected += chance * reward
    assert sum(r * law.rational(r) for r in law) == expected


@given(st.integers(0, 6), st.integers(0, 300), st.integers(0, 300))
def test_theorem_e1(budget, rounds, reward):
    assert CoinGame(budget, rounds).exceeds(reward) <= theorem_tail(budget, reward)


def test_the_constant_in_the_proof_of_theorem_e1():
    assert -math.log(6 - 5 * math.exp(1 / 6)) < 2.38


def test_the_theorem_is_a_formula():
    assert float(theorem_tail(2, 60)) == pytest.approx(math.exp(-1))
    assert theorem_tail(0, 18) > 1 - Fraction(1, 10**9)
    assert bad_rounds_printed(10, 2, Fraction(1, 100)) == 18 * 20 + 18 + 4
    assert bad_rounds_printed(10, 2, Fraction(1, 2)) == 18 * 20 + 18


# ---- copies of a learner


@pytest.mark.parametrize("failure", [Fraction(49, 100), Fraction(1, 10**6)])
@pytest.mark.parametrize(("copies", "mistakes"), [(1, 3), (4, 2), (7, 1), (10, 3)])
def test_the_binomial_bound_is_the_least(copies, mistakes, failure):
    found = bad_rounds(copies, mistakes, failure)
    least = copies // 5 + 1
    chance, most = Fraction(least, copies), mistakes * copies - least
    assert at_most(found, chance, most) <= failure < at_most(found - 1, chance, most)
    # The plain bound, with a rate of 1/5 and all mistakes allowed for, is weaker.
    plain = next(n for n in itertools.count() if at_most(n, FIFTH, mistakes * copies) <= failure)
    assert found <= plain <= bad_rounds_closed_form(copies, mistakes, failure)


def test_copies_that_never_err():
    assert bad_rounds(5, 0, Fraction(1, 2)) == 0


def test_a_stream_that_repeats_one_example():
    def naive_stuck(copies, rounds):
        least = copies // 5 + 1
        hits = sum(
            copies - len(set(drawn)) >= least
            for drawn in itertools.product(range(copies), repeat=rounds)
        )
        return Fraction(hits, copies**rounds)

    for copies, rounds in [(1, 0), (1, 2), (2, 4), (3, 5), (5, 4), (6, 4)]:
        assert stuck(copies, rounds) == naive_stuck(copies, rounds)


def test_the_bound_of_the_paper_does_not_extend_to_tiny_failure_probabilities():
    failure = Fraction(1, 10**16)
    assert stuck(4, bad_rounds_printed(4, 1, failure)) > failure
    assert stuck(4, bad_rounds(4, 1, failure)) <= failure
    # In the coin game itself it fails earlier: 36 + ln(10^4) rewards from a budget of 1.
    assert CoinGame(1, 10**3).exceeds(36 + Fraction(922, 100)) > Fraction(1, 10**4)


@given(st.integers(1, 60), st.integers(1, 4), st.fractions(Fraction(1, 50), Fraction(93, 100)))
def test_the_bound_of_the_paper_is_true_where_it_is_used(copies, mistakes, share):
    # ln(1/failure) = share * 0.93 M k at most.
    exponent = int(math.log2(math.e) * 0.93 * float(share) * mistakes * copies)
    failure = Fraction(1, 2**exponent) if exponent else Fraction(99, 100)
    assert bad_rounds(copies, mistakes, failure) <= bad_rounds_printed(copies, mistakes, failure)
