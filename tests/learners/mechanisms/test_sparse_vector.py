from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.accounting import basic, zcdp
from learners.coins import SeededCoins
from learners.exact import exact_law
from learners.mechanisms.sparse_vector import (
    AboveThreshold,
    CumulativeAboveThreshold,
    Sparse,
)
from tests.learners.privacy_checks import assert_private, delta, least_bound


def law_of(mechanism, values, **options):
    return exact_law(lambda coins: mechanism.answers(values, coins), **options)


def stepwise(mechanism, values, **options):
    """The same law, step by step, merging equal states of the run."""

    def step(state, coins, value):
        run, given = state
        if run.halted:
            return state
        answer, run = run.ask(value, coins)
        return run, (*given, answer)

    law = exact_law(lambda coins: (mechanism.start(coins), ()), **options)
    for value in values:
        law = law.then(lambda state, coins, value=value: step(state, coins, value), **options)
    return law.map(lambda state: state[1])


PAIRS = [
    ((0, 0, 0, 0), (1, 1, 1, 1)),
    ((0, 0, 0, 0), (-1, -1, -1, 1)),
    ((2, 1, 0, 3), (1, 2, 1, 2)),
    ((-3, -3, -3, 5), (-2, -4, -2, 4)),
    ((0, 1, 0, 1), (0, 1, 1, 1)),
]


@pytest.mark.parametrize("pair", PAIRS)
def test_above_threshold_is_private(pair):
    mechanism = AboveThreshold(1, threshold=1)
    p, q = (law_of(mechanism, values) for values in pair)
    assert_private(p, q, 1)
    assert basic(mechanism.privacy) == (1, 0)


def test_above_threshold_scales_with_the_sensitivity():
    mechanism = AboveThreshold(1, threshold=1, sensitivity=2)
    assert_private(*(law_of(mechanism, v) for v in ((0, 0, 0, 0), (2, 2, 2, -2))), 1)


def test_cumulative_sums_are_private_on_all_neighbouring_streams():
    mechanism = CumulativeAboveThreshold(1, threshold=2)
    laws = {bits: law_of(mechanism, bits) for bits in itertools.product((0, 1), repeat=3)}
    worst = 0.0
    for bits, p in laws.items():
        for at in range(3):
            q = laws[(*bits[:at], 1 - bits[at], *bits[at + 1 :])]
            assert_private(p, q, 1)
            worst = max(worst, float(delta(p, q, Fraction(4, 5)).mid()))
    assert worst > 1e-4  # the constant cannot be much better
    assert basic(mechanism.privacy) == (1, 0)


def test_cumulative_sums_agree_with_the_sums_themselves():
    mechanism = CumulativeAboveThreshold(1, threshold=2)
    bits = (1, 0, 1, 1)

    def plain(coins):
        threshold = 2 + coins.laplace(1)
        given = []
        for total in itertools.accumulate(bits):
            given.append(total + coins.laplace(1) >= threshold)
            if given[-1]:
                break
        return tuple(given)

    law = law_of(mechanism, bits)
    literal = exact_law(plain, tail=Fraction(1, 10**5))
    for answers in law:
        enclosure = literal.probability(lambda found, answers=answers: found == answers)
        assert enclosure.overlaps(law[answers])


@pytest.mark.parametrize("reports", [1, 2])
def test_sparse_is_private(reports):
    mechanism = Sparse.for_budget(2 * reports, reports, threshold=1)
    assert basic(mechanism.privacy) == (2 * reports, 0)
    tail = Fraction(1, 10**8)
    p, q = (stepwise(mechanism, values, tail=tail) for values in ((0, 0, 0), (1, -1, 1)))
    assert_private(p, q, 2 * reports)
    assert max(map(sum, p)) == reports


def test_every_report_is_followed_by_a_fresh_threshold():
    once = law_of(AboveThreshold(1, threshold=2), (1,))
    twice = law_of(Sparse(1, reports=2, threshold=2), (1, 1), tail=Fraction(1, 10**9))
    assert abs(twice[True, True] - once[(True,)] ** 2) < 1e-6
    assert abs(twice[True, False] - once[(True,)] * once[(False,)]) < 1e-6


def test_scales_are_those_of_the_proof():
    mechanism = AboveThreshold(Fraction(1, 2), 0, sensitivity=3)
    assert (mechanism.threshold_scale, mechanism.query_scale) == (12, 24)
    assert CumulativeAboveThreshold(Fraction(1, 2), 0).scale == 2
    once = Sparse.for_budget(1, 4, 0).once
    assert (once.threshold_scale, once.query_scale) == (8, 16)


def test_budgets_with_delta_are_kept():
    small = Fraction(1, 10**6)
    for reports, epsilon in itertools.product((1, 10, 1000), (Fraction(1, 10), 1, 3)):
        mechanism = Sparse.for_budget(epsilon, reports, 0, delta=small)
        pure, concentrated = basic(mechanism.privacy)[0], zcdp(mechanism.privacy, small)[0]
        assert min(pure, concentrated) <= epsilon * (1 + Fraction(1, 10**9))
        assert mechanism.epsilon >= Fraction(epsilon) / reports
    assert Sparse.for_budget(1, 1000, 0, delta=small).epsilon > Fraction(1, 200)


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


def test_a_seed_gives_one_transcript():
    coins = SeededCoins(5)
    values = [0, 3, 8, 2, 12, 30, 1, 25, 40, 11]
    bits = [1, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1]
    assert len(AboveThreshold(1, 10).answers(values, coins)) == 3
    assert len(CumulativeAboveThreshold(1, 8).answers(bits, coins)) == 11
    sparse = Sparse(1, 3, 15).answers(values, coins)
    assert [int(answer) for answer in sparse] == [0, 0, 0, 0, 0, 1, 0, 1, 1]


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
