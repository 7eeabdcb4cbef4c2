from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from learners.accounting import basic
from learners.audit import HOLDS, VIOLATED, PrivacyLoss, audit
from learners.coins import SeededCoins
from learners.exact import PRECISION, exact_law
from learners.mechanisms.rounding import log, real
from learners.pac import EMCover
from learners.pac.cover import (
    cover_epsilon,
    cover_rate,
    printed_cover_epsilon,
    worst_cover_divergence,
    worst_uncovered_tail,
)
from lsclasses.errors import InvalidInput

RELATIONS = [(True, "replace_one"), (True, "add_remove"), (False, "add_remove")]

rates = st.fractions(Fraction(1, 1000), 3)
deltas = st.fractions(Fraction(1, 10**9), Fraction(9, 10))


def proved_delta(rate, epsilon, monotone, neighbours):
    """(1 - e^-rate) exp(-(epsilon + shift)/c), as in the docstring of `learners.pac.cover`."""
    theta = real(rate)
    shift = 0 if neighbours == "replace_one" else (theta if monotone else -theta)
    return (1 - (-theta).exp()) * (-(real(epsilon) + shift) / (theta.exp() - 1)).exp()


# ---- the calculators


@settings(max_examples=80, deadline=None)
@given(rates, deltas, st.sampled_from(RELATIONS))
def test_epsilon_is_what_is_proved_rounded_up(rate, delta, relation):
    monotone, neighbours = relation
    epsilon = cover_epsilon(rate, delta, monotone=monotone, neighbours=neighbours)
    with ctx.workprec(256):
        assert proved_delta(rate, epsilon, monotone, neighbours) <= real(delta)
        if epsilon > (rate if neighbours == "add_remove" else 0):
            below = epsilon - Fraction(1, 1 << 39)
            assert proved_delta(rate, below, monotone, neighbours) > real(delta)
    assert neighbours == "replace_one" or epsilon >= rate


@settings(max_examples=80, deadline=None)
@given(st.fractions(Fraction(1, 10**4), 20), deltas, st.sampled_from(RELATIONS))
def test_the_rate_fits_the_budget_and_hardly_more_does(epsilon, delta, relation):
    monotone, neighbours = relation
    rate = cover_rate(epsilon, delta, monotone=monotone, neighbours=neighbours)
    slack = Fraction(1, 1 << 40)
    spent = cover_epsilon(rate, delta, monotone=monotone, neighbours=neighbours)
    assert spent <= epsilon + slack
    more = rate * (1 + Fraction(1, 1 << 22))
    assert cover_epsilon(more, delta, monotone=monotone, neighbours=neighbours) > epsilon


@settings(max_examples=60, deadline=None)
@given(st.fractions(Fraction(1, 100), 4), st.fractions(Fraction(1, 10**9), Fraction(1, 10)))
def test_the_simpler_bounds_ask_for_more(epsilon, delta):
    rate = cover_rate(epsilon, delta)
    theta, least = float(rate), 1 - 1e-9
    logarithm = math.log(1 / delta)
    # With A = c (ln(1/delta) + 1) from the martingale argument, and e^rate for the removed item.
    assert math.expm1(theta) * (logarithm + 1) + theta >= float(epsilon) * least
    # Printed: 2 e (ln(1/delta) + 3/2) with rate e/2, wherever 1 + (exp(e) - 1) x <= exp(2 e x).
    if 2 * theta <= 1.256:
        assert float(printed_cover_epsilon(2 * rate, delta)) >= float(epsilon) * least


def test_the_printed_inequality_needs_a_small_epsilon():
    def holds(e, x):
        return 1 + math.expm1(e) * x <= math.exp(2 * e * x)

    assert not holds(1.3, 1 / 100)
    assert all(holds(1.256, x / 1000) for x in range(1001))
    assert all(holds(e / 10, x / 1000) for e in range(1, 13) for x in range(1001))


def test_rates_of_a_common_budget():
    million = Fraction(1, 10**6)
    printed = 1 / (2 * math.log(10**6) + 3) / 2
    ratio = float(cover_rate(1, million)) / printed
    assert 5.19 < ratio < 5.20


# ---- the martingale lemma, by dynamic programming


@pytest.mark.parametrize(("rounds", "grid"), [(1, 7), (3, 12), (6, 10), (12, 12), (24, 30)])
def test_no_adversary_exceeds_the_martingale_lemma(rounds, grid):
    for eighths in range(0, 25):
        level = Fraction(eighths, 8)
        worst = worst_uncovered_tail(rounds, level, grid)
        with ctx.workprec(PRECISION):
            assert real(worst) <= (-real(level)).exp()
        # With unlimited precision the best is to name equal chances.
        assert worst <= max(0, 1 - level / rounds) ** rounds


def test_the_martingale_lemma_is_nearly_attained():
    level = Fraction(1)
    worst = worst_uncovered_tail(60, level, 59)
    assert 0.97 * math.exp(-1) < worst < math.exp(-1)


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


# ---- the privacy bound, by dynamic programming


@pytest.mark.parametrize("monotone", [True, False])
@pytest.mark.parametrize("growth", [Fraction(1, 10), Fraction(1, 2), Fraction(1), Fraction(3)])
def test_no_way_in_which_chances_come_exceeds_the_bound(monotone, growth):
    # factor = e^epsilon, growth = e^rate - 1
    for quarters in range(2, 25, 2):
        factor = Fraction(quarters, 4)
        if not monotone and factor < 1 + growth:
            continue
        worst = worst_cover_divergence(5, growth, factor, 5, monotone=monotone)
        with ctx.workprec(PRECISION):
            shift = log(1 + growth) if monotone else -log(1 + growth)
            bound = real(growth / (1 + growth)) * (-(log(factor) + shift) / real(growth)).exp()
            if factor * (1 + growth) < 1:
                bound = 1 - real(factor)
            assert real(worst) <= bound * (1 + arb(2) ** -60)


def test_the_bound_is_the_best_possible_for_many_rounds():
    rate, epsilon = 0.1, 0.5
    c = math.expm1(rate)
    bound = (1 - math.exp(-rate)) * math.exp(-(epsilon + rate) / c)
    rounds = 10**6
    p = math.expm1((epsilon + rate) / rounds) / c
    # Equal chances until the ratio is e^(epsilon + rate), then a harmless cover.
    attained = (1 - p) ** rounds * (1 - math.exp(-rate))
    assert 0.9999 * bound < attained < bound


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
@pytest.mark.parametrize("rate", [Fraction(1, 4), Fraction(1), Fraction(2)])
def test_lemma_a1_holds_exactly(rate, monotone, neighbours):
    alphabet = "abc" if monotone else "abcABC"
    longest = 4 if monotone else 2
    pairs = (one_more if neighbours == "add_remove" else one_replaced)(alphabet, longest)
    for delta in (Fraction(1, 100), Fraction(1, 5)):
        cover = mechanism(rate, delta, monotone, neighbours)
        found = audit(cover.release, pairs, cover.privacy)
        assert found.verdict == HOLDS
        # Both readings of the printed lemma: weights exp(e q) and exp(e q/2).
        for hat in (rate, 2 * rate):
            if neighbours == "add_remove" and hat <= Fraction(1256, 1000):
                printed = printed_cover_epsilon(hat, delta), delta
                assert audit(cover.release, pairs, printed).verdict == HOLDS


def test_removing_an_item_is_pure_for_monotone_scores():
    rate = Fraction(3, 2)
    cover = mechanism(rate, Fraction(1, 10), True, "add_remove")
    for data, larger in one_more("abc", 3):
        laws = [exact_law(lambda coins, d=d: cover.release(d, coins)) for d in (data, larger)]
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
    assert audit(thrice.release, pairs, claim).verdict == VIOLATED


def test_what_is_covered_is_gone_and_rounds_end():
    cover = mechanism(Fraction(10), Fraction(1, 100), True, "replace_one")
    assert cover.release("ccccc", SeededCoins(0))[0] == "ab"
    assert set(cover.release("abc", SeededCoins(1))) == set(SETS)
    assert basic(cover.privacy)[1] == Fraction(1, 100)


def test_bad_input_is_refused():
    with pytest.raises(InvalidInput, match="rate of the weights must be positive"):
        cover_epsilon(0, Fraction(1, 2))
    with pytest.raises(InvalidInput, match="strictly between"):
        cover_rate(1, 0)
    with pytest.raises(InvalidInput, match="epsilon must be positive"):
        cover_rate(0, Fraction(1, 2))
    with pytest.raises(InvalidInput, match="add_remove"):
        cover_rate(1, Fraction(1, 2), monotone=False)
    with pytest.raises(InvalidInput, match="related by"):
        cover_epsilon(1, Fraction(1, 2), neighbours="none")
    with pytest.raises(InvalidInput, match="number of rounds"):
        worst_uncovered_tail(0, Fraction(1), 3)
    with pytest.raises(InvalidInput, match="add_remove"):
        mechanism(Fraction(1), Fraction(1, 2), False, "replace_one")
