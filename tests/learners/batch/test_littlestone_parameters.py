from __future__ import annotations

from dataclasses import FrozenInstanceError
from fractions import Fraction
from math import ceil, comb, exp, log

import pytest

from learners.accounting import basic
from learners.batch.littlestone_parameters import (
    RULES,
    LittlestoneParameters,
    sample_complexity,
)
from learners.batch.tournaments import costs_within, least_frequency, mean_costs
from learners.mechanisms.histograms import StableHistogram
from learners.mechanisms.noise import upper_bound
from learners.online.pop_parameters import least_trials
from lsclasses import InvalidInput

TENTH, TWENTIETH, MILLIONTH = Fraction(1, 10), Fraction(1, 20), Fraction(1, 10**6)


def below(trials, chance, successes):
    """P[Bin(trials, chance) < successes], by the definition."""
    return sum(comb(trials, i) * chance**i * (1 - chance) ** (trials - i) for i in range(successes))


def test_the_table_of_sizes():
    found = {
        (d, rule): LittlestoneParameters.for_error(d, TENTH, 1, MILLIONTH, rule=rule)
        for d in (1, 2, 3, 4)
        for rule in RULES
    }
    assert [found[d, "tight"].batch for d in (1, 2, 3, 4)] == [1300, 20520, 245820, 2621520]
    assert [found[d, "printed"].batches for d in (1, 2, 3, 4)] == [4193, 12578, 33541, 83853]
    assert [found[d, "tight"].batches for d in (1, 2, 3, 4)] == [407, 1238, 3315, 8300]
    printed = [float(found[d, "printed"].rows) for d in (1, 2, 3, 4)]
    assert printed == pytest.approx([5.5e6, 2.6e8, 8.2e9, 2.2e11], rel=0.02)
    tight = [float(found[d, "tight"].rows) for d in (1, 2, 3, 4)]
    assert tight == pytest.approx([5.4e5, 2.5e7, 8.1e8, 2.2e10], rel=0.02)
    for d in (1, 2, 3, 4):
        assert found[d, "sharp"].rows < found[d, "tight"].rows / 10


@pytest.mark.parametrize("rule", ["tight", "sharp"])
@pytest.mark.parametrize("epsilon", [Fraction(1), Fraction(5)])
def test_failures_add_up_to_less_than_beta(rule, epsilon):
    """The three events of the proof, with exact binomials and the law of the noise."""
    delta, beta = Fraction(1, 1000), TENTH
    parameters = LittlestoneParameters.for_error(
        1, Fraction(2, 5), epsilon, delta, beta=beta, rule=rule
    )
    k, eta, tau = parameters.batches, parameters.eta, parameters.histogram.threshold
    q = exp(-float(epsilon) / 2)

    def above(least):
        return q**least / (1 + q) if least >= 1 else 1 - q ** (1 - least) / (1 + q)

    # The good hypothesis is not listed: its copies and noise stay below the threshold.
    missed = sum(
        float(comb(k, i) * eta**i * (1 - eta) ** (k - i)) * (1 - above(tau - i))
        for i in range(k + 1)
    )
    assert missed <= float(beta) / 3
    # k is the least number for which the copies are surely enough.
    z = next(z for z in range(1000) if above(z + 1) <= float(beta) / 6)
    assert below(k, eta, tau + z) <= beta / 6
    assert below(k - 1, eta, tau + z) > beta / 6
    # More entries than reckoned with: some noise of at most k is larger than t.
    t = next(t for t in range(1000) if above(t + 1) <= float(beta) / (6 * k))
    entries = k // max(1, tau - t)
    needed = max(
        72 / 0.4 * log(12 * entries / 0.1), 12 / (0.4 * float(epsilon)) * log(6 * entries / 0.1)
    )
    assert parameters.fresh == pytest.approx(needed, abs=1)
    assert basic(parameters.privacy) == (epsilon, delta)


def test_the_printed_rule_is_the_proof_of_the_paper():
    for d, epsilon in ((1, Fraction(1)), (2, Fraction(1, 10)), (1, Fraction(1, 100))):
        found = LittlestoneParameters.for_error(d, TENTH, epsilon, MILLIONTH, rule="printed")
        k, eta = found.batches, found.eta
        assert eta == Fraction(1, (d + 1) * 2 ** (d + 1))
        assert found.budget == 8 ** (d + 1)
        assert k >= 128 * log(60) / eta
        # Noises of at most k items stay within eta k/8, and the cut is the histogram's at least.
        assert found.histogram.accuracy(k, TWENTIETH / 3) <= eta * k / 8
        assert found.least == found.histogram.threshold >= 3 * eta * k / 4 > found.least - 1
        assert basic(found.privacy) == (epsilon / 2, MILLIONTH)


def test_the_printed_rule_takes_the_fewest_batches_that_the_proof_allows():
    """Each of the three conditions is the one that counts somewhere."""
    counted = set()
    for d in (1, 2):
        for epsilon, delta in (
            (Fraction(1), MILLIONTH),
            (TENTH, MILLIONTH),
            (Fraction(1), Fraction(1, 10**200)),
        ):
            found = LittlestoneParameters.for_error(d, TENTH, epsilon, delta, rule="printed")
            eta, own = found.eta, StableHistogram(found.epsilon, found.delta)

            def conditions(k, eta=eta, own=own):
                return (
                    k >= 128 * log(60) / eta,
                    3 * eta * k / 4 >= own.threshold,
                    eta * k / 8 >= own.accuracy(k, TWENTIETH / 3),
                )

            assert all(conditions(found.batches))
            unmet = [i for i, met in enumerate(conditions(found.batches - 1)) if not met]
            assert unmet
            counted.update(unmet)
    assert counted == {0, 1, 2}


def test_the_sharp_rule_takes_the_budget_with_the_fewest_rows():
    """Of larger ones, too: at d = 7 that is the second, if costs are counted in steps of 16."""
    alpha, epsilon, delta = Fraction(2, 5), Fraction(10), TWENTIETH
    asked = {"alpha": alpha, "beta": alpha, "epsilon": epsilon, "delta": delta}
    for d, step, tried in ((1, 2, 9), (2, 2, 9), (3, 2, 12), (7, 16, 4)):
        found = LittlestoneParameters.for_error(d, **asked)
        frequencies = {
            (2 << d) - 2 + step * i: least_frequency(d, (2 << d) - 2 + step * i)
            for i in range(tried)
        }
        assert found.eta == frequencies[found.budget]
        z = upper_bound(found.histogram.scale, alpha / 6)
        least = {
            budget: least_trials(found.histogram.threshold + z - 1, eta, alpha / 6)
            * (budget + 1)
            * found.auxiliary
            for budget, eta in frequencies.items()
        }
        assert least[found.budget] == found.batches * found.batch
        # The fresh rows depend on the number of batches by a logarithm only.
        assert found.batches * found.batch <= min(least.values()) + found.fresh


def test_beyond_the_laws_that_are_computed_budgets_begin_at_four_times_the_mean():
    found = LittlestoneParameters.for_error(11, Fraction(2, 5), 4, Fraction(1, 1000))
    assert found.budget >= 4 * mean_costs(11)[-1]
    assert found.eta >= Fraction(3, 4) * Fraction(1, 12 << 11)


def test_bounds_apply_from_the_rows_on_that_they_are_made_for():
    found = LittlestoneParameters.for_error(1, TENTH, 1, MILLIONTH)
    for rows, unmet in (
        (found.rows - 1, (f"at least {found.rows} rows",)),
        (found.rows, ()),
        (found.rows + 1, ()),
    ):
        (bound,) = found.bounds(rows)
        assert bound.unmet == unmet


def test_frequencies_are_lower_bounds_for_all_tournaments_that_are_defined():
    for d in (1, 2, 3):
        least = 1 - Fraction(1, 2**d)
        for thetas in ([least] * d, [1 - Fraction(1, 100)] * d, [least, 1, least][:d]):
            for budget in (2, 6, 14, 30):
                exact = costs_within([Fraction(theta) for theta in thetas], budget)[-1]
                frequency = least_frequency(d, budget) * (d + 1) * 2**d
                assert frequency <= float(exact.upper()) + 1e-9
                for k, within in enumerate(costs_within([least] * d, budget)):
                    assert within > float(frequency) - 1e-9, k
    # However large the budget is, and beyond the dimensions whose law is computed: Markov.
    for d in (1, 2, 3, 4, 11):
        # More than [BLM20, Thm 10] says for this budget.
        assert least_frequency(d, 8 ** (d + 1)) > Fraction(3, 2) / ((d + 1) << (d + 1))
    for d in (5, 11):
        assert Fraction(99, 100) < least_frequency(d, 8 ** (d + 1)) * (d + 1) * 2**d < 1
        assert least_frequency(d, 10) == 0
    assert least_frequency(10, 2**12) > Fraction(999, 1000) / (11 * 2**10)
    for d in range(1, 12):
        theta = 1 - Fraction(1, 2**d)
        assert mean_costs(d)[-1] <= (2 ** (d + 1) - 2) / theta**d < 4 * 2**d
        # [BLM20, Lemma 14]
        assert all(mean <= 4 ** (k + 1) for k, mean in enumerate(mean_costs(d)))


def test_the_means_of_what_is_read():
    found = LittlestoneParameters.for_error(2, TENTH, 1, MILLIONTH, rule="tight")
    least, mean, most = found.read
    n, k = 40, found.batches
    assert least == ceil(k * n * (1 + Fraction(0 + 2 + 6, 3))) + found.fresh
    assert mean == pytest.approx(k * n * (1 + (8 / 3 + 88 / 9) / 3) + found.fresh, abs=1)
    assert most == found.rows
    single = LittlestoneParameters.for_error(1, TENTH, 1, MILLIONTH, rule="tight")
    n, k = 20, single.batches
    assert single.read[0] == ceil(k * n * (1 + Fraction(0 + 2, 2))) + single.fresh
    assert single.read[1] == ceil(k * n * (1 + Fraction(0 + 4, 2))) + single.fresh


def test_sample_complexity_compares():
    found = sample_complexity(2, TENTH, 1, MILLIONTH, concepts=500)
    assert set(found.parameters) == set(RULES)
    assert found.finite < found.finite_agnostic < found.parameters["sharp"].rows
    assert "500 concepts" in found.sentence
    assert "is proper" in found.sentence
    huge = sample_complexity(1, TENTH, 1, MILLIONTH, concepts=2**1000)
    assert huge.finite > huge.parameters["sharp"].rows
    assert "fewer than" in huge.sentence
    with pytest.raises(FrozenInstanceError):
        huge.concepts = 500
    unknown = sample_complexity(4, TENTH, 1, MILLIONTH)
    assert (unknown.finite, unknown.finite_agnostic, unknown.without_privacy) == (None, None, None)
    assert unknown.sentence == "This needs 1.7 * 10^7 rows, whatever the size of the class."


def test_bad_input_is_refused():
    def asked(d=1, alpha=TENTH, epsilon=1, delta=MILLIONTH, **more):
        return LittlestoneParameters.for_error(d, alpha, epsilon, delta, **more)

    for arguments, message in (
        ({"d": 0}, "has one concept"),
        ({"d": -1}, r"at least 1. Got -1"),
        ({"d": Fraction(3, 2)}, "integer"),
        ({"alpha": Fraction(1, 2)}, "coin"),
        ({"alpha": 0.1}, "float"),
        ({"epsilon": 0}, "positive"),
        ({"delta": 1}, "strictly between"),
        ({"beta": Fraction(2)}, "failure"),
        ({"rule": "best"}, r"printed, tight, sharp. Got 'best'"),
    ):
        with pytest.raises(InvalidInput, match=message):
            asked(**arguments)
    with pytest.raises(InvalidInput, match=r"at least 4 concepts. Got 3"):
        sample_complexity(2, TENTH, 1, MILLIONTH, concepts=3)
    with pytest.raises(InvalidInput, match="number of batches"):
        LittlestoneParameters(1, 1, 1, 0, 1, Fraction(1), TENTH, Fraction(1))
    own = LittlestoneParameters(1, 1, 2, 4, 1, Fraction(1), TENTH, Fraction(2))
    assert own.bounds(10**6) == ()
    assert (own.rule, own.rows, basic(own.privacy)) == ("own", 13, (2, TENTH))
