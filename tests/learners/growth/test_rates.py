"""Rates of proved bounds: growth as products, records of all theorems, and claims that can fail."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import isclose, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.growth_runs import RUNS
from learners.balls import ball
from learners.budget import Budget
from learners.claim_checks import compare
from learners.growth import evidence, lwy25
from learners.growth.all_rates import PAPERS, RATES
from learners.growth.factors import ONE, correction, exponential, logarithm, power
from learners.growth.rates import DELTA
from learners.papers.coverage import recomputed

ABOUT = {
    *("LWY25 Thm 1.1", "LWY25 Thm 3.1", "LWY25 Lemma B.3", "LWY25 Thm 4.4", "LWY25 Thm E.10"),
    *("LWY25 Thm E.5", "LWY25 Lemma E.9", "KMMNS23 Thm 5.1", "KMMNS23 Thm 5.3"),
    *("KMMNS23 Rem 4.1", "KMMNS23 Lemma F.3", "GL21 Thm 4.1", "GL21 Thm 4.2", "BF25 Thm 4.5"),
    *("BF25 Thm 4.11", "BF25 Thm 4.12", "BF25 Cor A.8", "BLM20 Thm 1", "BLM20 Cor 2"),
}
"""The statements about rates."""


@given(st.integers(2, 1000), st.fractions(0, 4, max_denominator=4))
def test_factors_grow_by_their_formula(u, e):
    """Against floating point."""
    for growth, expected in (
        (power(e), 2 ** float(e)),
        (power(e, 3), ((2 * u + 3) / (u + 3)) ** float(e)),
        (logarithm(e, 5, 2), (log(5 * 4 * u * u) / log(5 * u * u)) ** float(e)),
        (correction("-1/2", e), ((1 - 1 / (4 * u)) / (1 - 1 / (2 * u))) ** float(e)),
        (exponential(e / 100), 2 ** float(e * u / 100)),
    ):
        assert isclose(float(growth.ratio(u)), expected, rel_tol=1e-9)
        assert isclose(float((growth * power(1)).ratio(u)), 2 * expected, rel_tol=1e-9)
    assert ONE.ratio(u) == 1


def test_corrections_and_logarithms_vanish():
    for growth in (correction("-1/8", 2), logarithm(3, 10**6, 4), power(2, 17)):
        ratios = [float(growth.ratio(1 << i)) for i in range(0, 60, 10)]
        power_only = float(power(growth.exponents()[1]).ratio(1))
        distances = [abs(each - power_only) for each in ratios]
        assert sorted(distances, reverse=True) == distances


def test_every_theorem_about_a_rate_has_records():
    assert {name for rate in RATES.values() for name in rate.statements} == ABOUT
    assert len(RATES) == sum(map(len, PAPERS.values()))
    for name in ABOUT:
        assert any(words.startswith("growth: ") for words in recomputed()[name])


def test_every_rate_is_measured_or_has_a_reason():
    assert RUNS.keys() <= RATES.keys()
    for rate in RATES.values():
        assert (rate.name in RUNS) != bool(rate.unmeasured), rate.name
        assert rate.doublings >= 3
    assert all(len(runs.places) >= 5 for runs in RUNS.values())


def test_claims_about_rates_have_different_words():
    words = [(claim.quantity, claim.formula) for claim in evidence.CLAIMS.values()]
    assert len(set(words)) == len(words)


@pytest.mark.parametrize("name", RATES)
def test_a_false_variant_changes_one_exponent_by_at_most_two_or_drops_a_logarithm(name):
    rate = RATES[name]
    pairs = list(zip(rate.growth.exponents(), rate.false.exponents(), strict=True))
    changed = [(right, wrong) for right, wrong in pairs if right != wrong]
    ((right, wrong),) = changed
    assert wrong < right
    assert wrong >= right / 2 or (wrong == 0 and (right, wrong) == pairs[2])


@pytest.mark.parametrize("name", [name for name, rate in RATES.items() if rate.proved is not None])
def test_a_proved_growth_differs_from_the_stated_growth_in_the_numbers(name):
    """A faster bound exceeds the stated growth, and a slower bound does not."""
    rate = RATES[name]
    stated = rate.stated * rate.correction
    places = rate.places() if rate.comparison == "faster" else rate.places(every=False)
    exceeds = [ball(rate.ratio(u)) > stated.ratio(u) for u in places]
    assert rate.note
    assert any(exceeds) if rate.comparison == "faster" else not any(exceeds)


def squared(u):
    return 5 * u**2 + 1


def test_a_bound_that_grows_faster_violates_the_claim():
    rate = replace(RATES["examples-alpha"], bound=squared)
    claim = evidence.claim_of(rate)

    def verdict(u):
        return compare(claim, "", computed=rate.ratio(u), stated=rate.allowed.ratio(u)).verdict

    assert {verdict(u) for u in rate.places()} == {"violated"}


def test_a_sanitizer_has_enough_points_for_its_error_only():
    """The size is enough for the error of `least_error`, and not for a smaller error."""
    epsilon, size = Fraction(1, 4), 1 << 34
    alpha = lwy25.least_error(size, epsilon)
    assert Fraction(1, 1 << 10) < alpha < Fraction(1, 4)

    def enough(error):
        rounds = lwy25.sketch_rounds(error, 1, 1)
        budget = Budget(epsilon, DELTA / lwy25.LENGTHS)
        return lwy25.discriminator(size, error, budget, rounds).enough

    assert enough(alpha) and not enough(alpha * Fraction(31, 32))
    assert lwy25.least_error(1 << 10, epsilon) == 1


def test_the_replacer_of_a_bound_replaces_no_points():
    replacer = lwy25.BoundedReplacer(7)
    assert replacer.missed == 7 and replacer.cost is None
    with pytest.raises(NotImplementedError):
        replacer.replaced("ab", None)


def test_shorter_intervals_count_their_length():
    """K is at least twice the lengths that are not replaced, and grows with T."""
    values = [lwy25.excess(Fraction(1), 1 << i) for i in (40, 41)]
    assert values[0] < values[1] and values[0] > 2 * (1 << 41 - lwy25.LENGTHS)
