from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.accounting import total
from learners.coins import SeededCoins
from learners.exact import exact_distribution
from learners.experts.sparse import raised
from learners.mechanisms.sparse_vector import (
    AboveThreshold,
    CumulativeAboveThreshold,
    OneSidedThreshold,
    Sparse,
)
from tests.learners.privacy_checks import at_most, least_bound


def law_of(mechanism, values, **options):
    return exact_distribution(lambda coins: mechanism.answers(values, coins), **options)


def test_cumulative_sums_agree_with_the_sums_themselves():
    mechanism = CumulativeAboveThreshold(1, threshold=2)
    bits = (1, 0, 1, 1)

    def plain(coins):
        threshold = 2 + coins.laplace(1)
        given = []
        for reached in itertools.accumulate(bits):
            given.append(reached + coins.laplace(1) >= threshold)
            if given[-1]:
                break
        return tuple(given)

    law = law_of(mechanism, bits)
    literal = exact_distribution(plain, tail=Fraction(1, 10**5))
    for answers in law:
        enclosure = literal.probability(lambda found, answers=answers: found == answers)
        assert enclosure.overlaps(law[answers])


@pytest.mark.parametrize("threshold", [-1, 0, 2])
def test_the_law_of_a_one_sided_threshold(threshold):
    """Halting times by the formulas: geometric r, and "reached" with probability x^(r - S)."""
    bits, x = (0, 1, 1, 0, 1), math.exp(-0.5)
    law = law_of(OneSidedThreshold(Fraction(1, 2), threshold), bits, tail=Fraction(1, 10**7))
    for n in range(1, len(bits) + 1):
        expected = 0.0
        for g in range(200):
            chances = [min(1, x ** (threshold + g - s)) for s in itertools.accumulate(bits[:n])]
            before = math.prod(1 - chance for chance in chances[:-1])
            expected += (1 - x) * x**g * before * chances[-1]
        found = law.probability(lambda answers, n=n: answers == (False,) * (n - 1) + (True,))
        assert abs(float(found.mid()) - expected) < 1e-6


@pytest.mark.parametrize("epsilons", [[3], [3] * 7, [3, 3, 3, 3, 1, 1, 2]])
@pytest.mark.parametrize("failure", [Fraction(1, 10), Fraction(1, 10**6)])
def test_how_much_thresholds_are_raised_by(epsilons, failure):
    """The convolution of geometric laws whose epsilons are one over each of these numbers."""
    thresholds = [OneSidedThreshold(Fraction(1, each), 5) for each in epsilons]
    bound, law = raised(thresholds, failure), np.array([1.0])
    for each in epsilons:
        x = math.exp(-1 / each)
        law = np.convolve(law, (1 - x) * x ** np.arange(400))[:400]
    exceeded = [1 - law[: m + 1].sum() for m in (bound, bound - 1)]
    assert exceeded[0] <= failure < exceeded[1]
    if len(set(epsilons)) == 1:
        assert thresholds[0].late(failure, len(epsilons)) == bound


@pytest.mark.parametrize("expected", [Fraction(1, 100), Fraction(1, 4)])
def test_early_rounds_are_rare(expected):
    """The least a with T exp(-a/4) <= m, and then e of T rounds are early at most m^e/e! often."""
    rounds, mechanism = 1000, OneSidedThreshold(Fraction(1, 4), 5)
    a = mechanism.early(rounds, expected)
    chance = math.exp(-a / 4)
    assert rounds * chance <= expected < rounds * math.exp(-(a - 1) / 4)
    for e in (1, 2, 3):
        several = 1 - at_most(rounds, chance, e - 1)
        assert several <= (rounds * chance) ** e / math.factorial(e) * (1 + 1e-9)


@pytest.mark.parametrize("times", [0, 1, 7])
def test_rising_thresholds(times):
    """Halting times by the formulas, with a threshold that rises in the rounds 1, 2 and 4."""
    bits, x = (1, 1, 0, 1, 1), math.exp(-0.5)
    mechanism = OneSidedThreshold(Fraction(1, 2), 1, rise=2, first=1, times=times)
    law = law_of(mechanism, bits, tail=Fraction(1, 10**7))
    rises = [2 * min(times, len([r for r in (1, 2, 4) if r <= n])) for n in range(1, 6)]
    sums = list(itertools.accumulate(bits))
    for n in range(1, len(bits) + 1):
        expected = 0.0
        for g in range(200):
            chances = [
                min(1, x ** (1 + g + rise - s)) for rise, s in zip(rises[:n], sums[:n], strict=True)
            ]
            before = math.prod(1 - chance for chance in chances[:-1])
            expected += (1 - x) * x**g * before * chances[-1]
        found = law.probability(lambda answers, n=n: answers == (False,) * (n - 1) + (True,))
        assert abs(float(found.mid()) - expected) < 1e-6


def test_every_report_is_followed_by_a_fresh_threshold():
    once = law_of(AboveThreshold(1, threshold=2), (1,))
    twice = law_of(Sparse(1, reports=2, threshold=2), (1, 1), tail=Fraction(1, 10**9))
    assert abs(twice[True, True] - once[(True,)] ** 2) < 1e-6
    assert abs(twice[True, False] - once[(True,)] * once[(False,)]) < 1e-6


def test_scales_are_those_of_the_proof():
    mechanism = AboveThreshold(Fraction(1, 2), 0, sensitivity=3)
    assert (mechanism.threshold_scale, mechanism.query_scale) == (12, 24)
    assert CumulativeAboveThreshold(Fraction(1, 2), 0).scale == 2
    once = Sparse.within(1, 4, 0).once
    assert (once.threshold_scale, once.query_scale) == (8, 16)


def test_budgets_with_delta_are_kept():
    small = Fraction(1, 10**6)
    for reports, epsilon in itertools.product((1, 10, 1000), (Fraction(1, 10), 1, 3)):
        mechanism = Sparse.within(epsilon, reports, 0, delta=small)
        spent = total(mechanism.privacy, small).epsilon
        assert Fraction(99, 100) * epsilon < spent <= epsilon
        assert mechanism.epsilon >= Fraction(epsilon) / reports
    assert Sparse.within(1, 1000, 0, delta=small).epsilon > Fraction(1, 200)


@given(
    st.lists(st.integers(-30, 30), max_size=20),
    st.integers(1, 4),
    st.integers(-10, 10),
    st.integers(0, 999),
)
def test_runs_halt_after_their_reports(values, reports, threshold, seed):
    mechanism = Sparse(1, reports, threshold)
    answers = mechanism.answers(values, SeededCoins(seed))
    assert sum(answers) <= reports
    assert len(answers) == len(values) or (sum(answers) == reports and answers[-1])


@pytest.mark.parametrize("failure", [Fraction(1, 3), Fraction(1, 50)])
@pytest.mark.parametrize("questions", [1, 7])
def test_errors_are_shared_by_the_threshold_and_the_questions(questions, failure):
    threshold, number = failure / 2, failure / (2 * questions)
    single = AboveThreshold(Fraction(3, 4), 0, sensitivity=3)
    expected = least_bound(8, threshold) + least_bound(16, number)
    assert single.accuracy(questions, failure) == expected
    cumulative = CumulativeAboveThreshold(Fraction(1, 5), 0)
    assert cumulative.accuracy(questions, failure) == least_bound(5, threshold) + least_bound(
        5, number
    )
    assert cumulative.early(questions, failure) == least_bound(5, failure) + least_bound(
        5, failure / questions
    )
    several = Sparse(Fraction(3, 4), 5, 0, sensitivity=3)
    expected = least_bound(8, threshold / 5) + least_bound(16, number)
    assert several.accuracy(questions, failure) == expected
