from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.accounting import basic, zcdp
from learners.coins import SeededCoins
from learners.exact import exact_law
from learners.mechanisms.sparse_vector import (
    AUDITS,
    AboveThreshold,
    CumulativeAboveThreshold,
    Sparse,
)
from lsclasses.errors import InvalidInput
from tests.learners.privacy_checks import assert_private, delta, least_bound, smallest_instances


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


@pytest.mark.parametrize("epsilon", [Fraction(1, 2), 1])
@pytest.mark.parametrize("pair", PAIRS)
def test_above_threshold_is_private(epsilon, pair):
    mechanism = AboveThreshold(epsilon, threshold=1)
    p, q = (law_of(mechanism, values) for values in pair)
    assert_private(p, q, epsilon)
    assert basic(mechanism.privacy) == (epsilon, 0)


def test_above_threshold_scales_with_the_sensitivity():
    mechanism = AboveThreshold(1, threshold=1, sensitivity=2)
    values = (0, 0, 0, 0), (2, 2, 2, -2)
    assert_private(*(law_of(mechanism, v) for v in values), 1)
    unscaled = AboveThreshold(1, threshold=1)
    assert delta(*(law_of(unscaled, v) for v in values), 1) > 0.02


def test_two_ways_to_compute_a_law_agree():
    mechanism = AboveThreshold(1, threshold=1)
    direct, steps = (how(mechanism, (0, 2, 1, 1)) for how in (law_of, stepwise))
    assert set(direct) == set(steps)
    for answers in direct:
        assert abs(direct[answers] - steps[answers]) < 1e-15


@pytest.mark.parametrize("epsilon", [Fraction(1, 2), 1])
def test_cumulative_sums_are_private_on_all_neighbouring_streams(epsilon):
    mechanism = CumulativeAboveThreshold(epsilon, threshold=2)
    laws = {bits: law_of(mechanism, bits) for bits in itertools.product((0, 1), repeat=4)}
    worst = 0.0
    for bits, p in laws.items():
        for at in range(4):
            other = (*bits[:at], 1 - bits[at], *bits[at + 1 :])
            assert_private(p, laws[other], epsilon)
            worst = max(worst, float(delta(p, laws[other], epsilon * Fraction(4, 5)).mid()))
    assert worst > 1e-4  # the constant cannot be much better
    assert basic(mechanism.privacy) == (epsilon, 0)


def test_the_noise_for_sums_does_not_do_for_arbitrary_numbers():
    # Scale 1/epsilon for the threshold and for each number, where all numbers may move.
    def answers(values, coins):
        threshold = 1 + coins.laplace(1)
        given = []
        for value in values:
            given.append(coins.at_least(value, 1, threshold))
            if given[-1]:
                break
        return tuple(given)

    p, q = (exact_law(lambda coins, v=v: answers(v, coins)) for v in ((1, 1, 0), (0, 0, 1)))
    assert max(float(delta(p, q, 1).mid()), float(delta(q, p, 1).mid())) > 0.01


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


@pytest.mark.parametrize("reports", [1, 2, 3])
def test_sparse_is_private(reports):
    mechanism = Sparse.for_budget(2 * reports, reports, threshold=1)
    assert basic(mechanism.privacy) == (2 * reports, 0)
    tail = Fraction(1, 10**8)
    p, q = (stepwise(mechanism, values, tail=tail) for values in ((0, 0, 0, 0), (1, 1, -1, 1)))
    assert_private(p, q, 2 * reports)
    assert max(map(sum, p)) == reports
    assert all(sum(answers) <= reports for answers in p)


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


@pytest.mark.parametrize(
    "mechanism",
    [
        AboveThreshold(2, threshold=3),
        CumulativeAboveThreshold(2, threshold=3),
        Sparse(2, reports=2, threshold=3),
    ],
)
def test_wrong_answers_are_as_rare_as_promised(mechanism):
    failure = Fraction(1, 4)
    a = mechanism.accuracy(4, failure)
    cumulative = isinstance(mechanism, CumulativeAboveThreshold)
    for values in [(0, 0, 0, 0), (1, 1, 1, 1), (3 + a, 0, 0, 0), (3 - a - 1,) * 4, (3 + a,) * 4]:
        if cumulative and set(values) - {0, 1}:
            continue
        seen = tuple(itertools.accumulate(values)) if cumulative else values

        def wrong(answers, seen=seen):
            return any(
                (value < 3 - a) if answer else (value >= 3 + a)
                for value, answer in zip(seen, answers, strict=False)
            )

        law = stepwise(mechanism, values, tail=Fraction(1, 10**8))
        assert law.probability(wrong) <= 0.25


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


@pytest.mark.parametrize(
    "mechanism",
    [AboveThreshold(1, 0), CumulativeAboveThreshold(1, -50), Sparse(1, 1, 0)],
)
def test_a_halted_run_refuses_to_go_on(mechanism):
    coins = SeededCoins(0)
    run = mechanism.start(coins)
    value = 1 if isinstance(mechanism, CumulativeAboveThreshold) else 1000
    answer, halted = run.ask(value, coins)
    assert answer
    assert halted.halted
    assert not run.halted
    with pytest.raises(InvalidInput, match="budget is spent"):
        halted.ask(value, coins)


def test_a_seed_gives_one_transcript():
    coins = SeededCoins(5)
    values = [0, 3, 8, 2, 12, 30, 1, 25, 40, 11]
    bits = [1, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1]
    assert [
        len(AboveThreshold(1, 10).answers(values, coins)),
        len(CumulativeAboveThreshold(1, 8).answers(bits, coins)),
        [int(answer) for answer in Sparse(1, 3, 15).answers(values, coins)],
    ] == STORED


STORED = [3, 11, [0, 0, 0, 0, 0, 1, 0, 1, 1]]


def test_bad_input_is_refused():
    coins = SeededCoins(0)
    with pytest.raises(InvalidInput, match="bits 0 and 1 only"):
        CumulativeAboveThreshold(1, 3).start(coins).ask(2, coins)
    with pytest.raises(InvalidInput, match="value must be an integer"):
        AboveThreshold(1, 3).start(coins).ask(0.5, coins)
    with pytest.raises(InvalidInput, match="threshold must be an integer"):
        AboveThreshold(1, 2.5)
    with pytest.raises(InvalidInput, match="number of reports"):
        Sparse(1, 0, 3)
    with pytest.raises(InvalidInput, match="delta must lie"):
        Sparse.for_budget(1, 3, 0, delta=0)
    with pytest.raises(InvalidInput, match=r"Fraction\(1, 2\)"):
        AboveThreshold(0.5, 3)
    for mechanism in (AboveThreshold(1, 0), CumulativeAboveThreshold(1, 0), Sparse(1, 1, 0)):
        with pytest.raises(InvalidInput, match="at least 1"):
            mechanism.accuracy(0, Fraction(1, 2))
        with pytest.raises(InvalidInput, match="strictly between"):
            mechanism.accuracy(1, 1)


def test_accuracy_is_sharper_than_the_papers():
    for rounds in (10, 1000, 10**6):
        paper = 8 * (math.log(rounds) + math.log(2 * 20)) / 0.5
        assert AboveThreshold(Fraction(1, 2), 0).accuracy(rounds, Fraction(1, 20)) <= paper
        assert (
            CumulativeAboveThreshold(Fraction(1, 2), 0).accuracy(rounds, Fraction(1, 20))
            <= paper / 3
        )


def test_cumulative_sums_are_reached_early_or_late_no_more_often_than_promised():
    failure = Fraction(1, 20)
    mechanism = CumulativeAboveThreshold(2, threshold=2)
    late, early = mechanism.late(failure), mechanism.early(3, failure)
    # Ones only: who wants the sum to get far has no better stream.
    answers = exact_law(
        lambda coins: mechanism.answers((1,) * (2 + late), coins)[-1], tail=Fraction(1, 10**7)
    )
    assert answers.probability(lambda reached: not reached) <= float(failure)
    distant = CumulativeAboveThreshold(2, threshold=early + 1)
    zeros = exact_law(lambda coins: any(distant.answers((0, 0, 0), coins)))
    assert zeros[True] <= float(failure)
    assert early <= mechanism.accuracy(3, failure)


@pytest.mark.parametrize("failure", [Fraction(1, 3), Fraction(1, 50)])
@pytest.mark.parametrize("questions", [1, 2, 7, 90])
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


def test_one_number_is_the_fewest_to_audit():
    built = smallest_instances(AUDITS, queries=1, rounds=1, reports=1)
    assert {instance.pairs for instance in built.values()} == {(((0,), (1,)),)}
    for entry in AUDITS:
        for threshold in (-(10**6), 10**6):
            assert entry.instance(threshold=threshold).mechanism.threshold == threshold
