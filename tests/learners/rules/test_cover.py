from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st

from learners.accounting import basic
from learners.audit import PrivacyLoss, audit
from learners.balls import ball
from learners.coins import SeededCoins
from learners.exact import exact_distribution
from learners.rules.cover import (
    EMCover,
    cover_epsilon,
    cover_rate,
    printed_cover_epsilon,
    worst_cover_divergence,
    worst_uncovered_tail,
)
from lsclasses.verdicts import Verdict

RELATIONS = [(True, "replace_one"), (True, "add_remove"), (False, "add_remove")]

rates = st.fractions(Fraction(1, 1000), 3)
deltas = st.fractions(Fraction(1, 10**9), Fraction(9, 10))


def proved_delta(rate, epsilon, relation, rounds=None):
    """What the docstring of `learners.rules.cover` says."""
    monotone, neighbours = relation
    theta = ball(rate)
    if rounds is None:
        shift = 0 if neighbours == "replace_one" else (theta if monotone else -theta)
        return (1 - (-theta).exp()) * (-(ball(epsilon) + shift) / (theta.exp() - 1)).exp()
    r = ball(epsilon) - (theta if neighbours == "replace_one" else 0)
    w = (rounds * theta - r) / (rounds + 1)
    if not w > 0:
        return arb(0)
    return (1 - (-w).exp()) ** (rounds + 1) / (1 - (-theta).exp()) ** rounds


some_rounds = st.one_of(st.none(), st.integers(1, 3), st.integers(4, 2000))


# ---- the calculators


@given(rates, deltas, st.sampled_from(RELATIONS), some_rounds)
def test_epsilon_is_what_is_proved_rounded_up(rate, delta, relation, rounds):
    monotone, neighbours = relation
    epsilon = cover_epsilon(rate, delta, monotone=monotone, neighbours=neighbours, rounds=rounds)
    finite = rounds if monotone else None
    with ctx.workprec(256):
        assert proved_delta(rate, epsilon, relation, finite) <= ball(delta)
        if epsilon > (rate if neighbours == "add_remove" else 0) + Fraction(1, 1 << 38):
            below = epsilon - Fraction(1, 1 << 38)
            assert proved_delta(rate, below, relation, finite) > ball(delta)
    assert neighbours == "replace_one" or epsilon >= rate


@given(st.fractions(Fraction(1, 10**4), 20), deltas, st.sampled_from(RELATIONS), some_rounds)
def test_the_rate_fits_the_budget_and_hardly_more_does(epsilon, delta, relation, rounds):
    arguments = {"monotone": relation[0], "neighbours": relation[1], "rounds": rounds}
    rate = cover_rate(epsilon, delta, **arguments)
    slack = Fraction(1, 1 << 39)
    assert cover_epsilon(rate, delta, **arguments) <= epsilon + slack
    more = rate * (1 + Fraction(1, 1 << 22))
    assert cover_epsilon(more, delta, **arguments) > epsilon - slack


@given(st.fractions(Fraction(1, 100), 8), deltas, st.sampled_from(RELATIONS[:2]))
def test_more_rounds_allow_less_down_to_a_limit(epsilon, delta, relation):
    arguments = {"monotone": True, "neighbours": relation[1]}
    found = [cover_rate(epsilon, delta, rounds=R, **arguments) for R in (1, 2, 5, 30, 10**5)]
    limit = cover_rate(epsilon, delta, **arguments)
    assert found == sorted(found, reverse=True)
    assert found[-1] >= limit
    assert float(cover_rate(epsilon, delta, rounds=10**9, **arguments) / limit) < 1.001


@pytest.mark.parametrize("rounds", [1, 4])
def test_without_delta_to_speak_of_covering_is_composition(rounds):
    """In R rounds a rate of epsilon/(R + 1) is purely private: R rounds for one row, one choice."""
    tiny = Fraction(1, 10**300)
    assert cover_epsilon(Fraction(2, rounds + 1), tiny, rounds=rounds) <= 2 + Fraction(1, 10**9)
    assert 0.999 < cover_rate(2, tiny, rounds=rounds) * (rounds + 1) / 2 < 1.01


@pytest.mark.parametrize("rounds", [None, 1, 3])
def test_with_much_delta_a_round_may_cost_nothing(rounds):
    """The chance of any covering choice changes by less than delta; not by less than nothing."""
    assert cover_epsilon(Fraction(1, 100), Fraction(1, 2), rounds=rounds) == 0
    for monotone in (True, False):
        arguments = {"monotone": monotone, "neighbours": "add_remove", "rounds": rounds}
        # For added and removed items the rate is at most epsilon, and may be epsilon.
        assert cover_rate(1, Fraction(99, 100), **arguments) == 1


@given(st.fractions(Fraction(1, 100), 4), st.fractions(Fraction(1, 10**9), Fraction(1, 10)))
def test_the_simpler_bounds_ask_for_more(epsilon, delta):
    rate = cover_rate(epsilon, delta)
    theta, least = float(rate), 1 - 1e-9
    logarithm = math.log(1 / delta)
    # With A = c (ln(1/delta) + 1) from the martingale argument, and e^rate for the removed item.
    assert math.expm1(theta) * (logarithm + 1) + theta >= float(epsilon) * least


@given(st.fractions(Fraction(1, 1000), Fraction(467, 200)), deltas)
def test_the_printed_epsilon_is_safe_with_half_the_rate_up_to_four_and_two_thirds(rate, delta):
    for neighbours in ("replace_one", "add_remove"):
        assert printed_cover_epsilon(2 * rate, delta) >= cover_epsilon(
            rate, delta, neighbours=neighbours
        )


# ---- the martingale lemma, by dynamic programming


def test_the_game_of_the_lemma_is_that_of_the_lemma():
    # Against all adversaries that react to nothing, in two rounds, from the definition.
    grid, level = 6, Fraction(1, 2)
    best = Fraction(0)
    for first, second in itertools.product(range(grid + 1), repeat=2):
        p, q = Fraction(first, grid), Fraction(second, grid)
        tail = Fraction(0)
        for heads in itertools.product((0, 1), repeat=2):
            chance = (p if heads[0] else 1 - p) * (q if heads[1] else 1 - q)
            y = p * (not heads[0]) + q * (not any(heads))
            tail += chance * (y > level)
        best = max(best, tail)
    assert worst_uncovered_tail(2, level, grid) == best


# ---- exact audits of the framework

SETS = ("ab", "bc", "c")


def scores_of_covered(items, letters, chosen):
    return -sum(item in letters for item in items)


def signed_scores(items, letters, chosen):
    """Capital letters count for a set, small ones against it: changes go both ways."""
    return sum((1 if item.isupper() else -1) for item in items if item.lower() in letters)


def letters_cover(letters, item):
    return item.lower() in letters


def unused(chosen):
    return [letters for letters in SETS if letters not in chosen]


def words(alphabet, longest):
    return [
        w for n in range(longest + 1) for w in itertools.combinations_with_replacement(alphabet, n)
    ]


def one_more(alphabet, longest):
    return [(w, tuple(sorted((*w, z)))) for w in words(alphabet, longest - 1) for z in alphabet]


def one_replaced(alphabet, length):
    return sorted(
        {
            tuple(sorted(tuple(sorted((*rest, z))) for z in pair))
            for rest in itertools.combinations_with_replacement(alphabet, length - 1)
            for pair in itertools.combinations(alphabet, 2)
        }
    )


def mechanism(rate, delta, monotone, neighbours):
    return EMCover(
        rate,
        delta,
        rounds=3,
        score=scores_of_covered if monotone else signed_scores,
        covers=letters_cover,
        available=unused,
        monotone=monotone,
        neighbours=neighbours,
    )


@pytest.mark.parametrize(("monotone", "neighbours"), RELATIONS)
@pytest.mark.parametrize("rate", [Fraction(1, 4), Fraction(2)])
def test_lemma_a1_holds_exactly(rate, monotone, neighbours):
    alphabet = "abc" if monotone else "abcABC"
    pairs = (one_more if neighbours == "add_remove" else one_replaced)(alphabet, 2)
    for delta in (Fraction(1, 100), Fraction(1, 5)):
        cover = mechanism(rate, delta, monotone, neighbours)
        assert audit(cover.release, pairs, cover.privacy).verdict == Verdict.HOLDS
        # Both readings of the printed lemma: weights exp(e q) and exp(e q/2).
        for hat in (rate, 2 * rate):
            if neighbours == "add_remove" and hat <= Fraction(1256, 1000):
                printed = printed_cover_epsilon(hat, delta), delta
                assert audit(cover.release, pairs, printed).verdict == Verdict.HOLDS


def test_removing_an_item_is_pure_for_monotone_scores():
    rate = Fraction(3, 2)
    cover = mechanism(rate, Fraction(1, 10), True, "add_remove")
    for data, larger in one_more("abc", 3):
        laws = [
            exact_distribution(lambda coins, d=d: cover.release(d, coins)) for d in (data, larger)
        ]
        assert PrivacyLoss(*laws).delta(rate, 0) <= 1e-30


def test_scores_that_break_the_rules_are_noticed():
    # Every item counts three times.
    thrice = EMCover(
        Fraction(1),
        Fraction(1, 100),
        rounds=2,
        score=lambda items, letters, chosen: 3 * scores_of_covered(items, letters, chosen),
        covers=letters_cover,
        available=unused,
    )
    pairs = one_replaced("abc", 2)
    claim = cover_epsilon(1, Fraction(1, 5)), Fraction(1, 5)
    assert audit(thrice.release, pairs, claim).verdict == Verdict.VIOLATED


def test_what_is_covered_is_gone_and_rounds_end():
    cover = mechanism(Fraction(10), Fraction(1, 100), True, "replace_one")
    assert cover.release("ccccc", SeededCoins(0))[0] == "ab"
    assert set(cover.release("abc", SeededCoins(1))) == set(SETS)
    assert basic(cover.privacy)[1] == Fraction(1, 100)


def test_one_round_of_the_worst_case_by_hand():
    # A round of chance 1/2 multiplies the ratio by 3/2; an adverse cover halves it again.
    factor = Fraction(9, 8)
    best = Fraction(1, 2) * (1 - factor * Fraction(2, 3))
    found = worst_cover_divergence(rounds=1, growth=Fraction(1), factor=factor, grid=2)
    assert found == best == Fraction(1, 8)
