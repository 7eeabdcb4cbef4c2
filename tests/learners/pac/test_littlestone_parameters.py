from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import ceil, comb, log

import pytest

from learners.accounting import basic
from learners.budget import Budget
from learners.concentration import least_trials
from learners.mechanisms.histograms import StableHistogram
from learners.mechanisms.noise import upper_bound
from learners.pac.littlestone_parameters import RULES, LittlestoneParameters, sample_complexity
from learners.pac.tournaments import costs_within, least_frequency, mean_costs
from tests.learners.privacy_checks import at_most, reach

TENTH, TWENTIETH, MILLIONTH = Fraction(1, 10), Fraction(1, 20), Fraction(1, 10**6)


@pytest.mark.parametrize(("rule", "epsilon"), [("tight", Fraction(1)), ("sharp", Fraction(5))])
def test_failures_add_up_to_less_than_beta(rule, epsilon):
    """The three events of the proof, with exact binomials and the law of the noise."""
    delta, beta = Fraction(1, 1000), TENTH
    parameters = LittlestoneParameters.for_error(
        1, Fraction(2, 5), Budget(epsilon, delta), beta=beta, rule=rule
    )
    k, eta, tau = parameters.batches, parameters.eta, parameters.histogram.threshold
    above = partial(reach, 2 / float(epsilon))
    # The good hypothesis is not listed: its copies and noise stay below the threshold.
    missed = sum(
        float(comb(k, i) * eta**i * (1 - eta) ** (k - i)) * (1 - above(tau - i))
        for i in range(k + 1)
    )
    assert missed <= float(beta) / 3
    # k is the least number for which the copies are surely enough.
    z = next(z for z in range(1000) if above(z + 1) <= float(beta) / 6)
    assert at_most(k, eta, tau + z - 1) <= beta / 6
    assert at_most(k - 1, eta, tau + z - 1) > beta / 6
    # More entries than reckoned with: some noise of at most k is larger than t.
    t = next(t for t in range(1000) if above(t + 1) <= float(beta) / (6 * k))
    entries = k // max(1, tau - t)
    needed = max(
        72 / 0.4 * log(12 * entries / 0.1), 12 / (0.4 * float(epsilon)) * log(6 * entries / 0.1)
    )
    assert parameters.fresh == pytest.approx(needed, abs=1)
    assert basic(parameters.privacy) == (epsilon, delta)
    # A row meets the list or the choice: the larger epsilon is that of both.
    assert basic(replace(parameters, choice_epsilon=2 * epsilon).privacy) == (2 * epsilon, delta)


def test_the_printed_rule_takes_the_fewest_batches_that_the_proof_allows():
    """Each of the three conditions is the one that counts somewhere."""
    counted = set()
    for d in (1, 2):
        for epsilon, delta in (
            (Fraction(1), MILLIONTH),
            (TENTH, MILLIONTH),
            (Fraction(1), Fraction(1, 10**100)),
        ):
            found = LittlestoneParameters.for_error(
                d, TENTH, Budget(epsilon, delta), rule="printed"
            )
            eta, own = found.eta, StableHistogram(found.epsilon, found.delta)
            assert eta == Fraction(1, (d + 1) * 2 ** (d + 1))
            assert found.budget == 8 ** (d + 1)
            assert found.least == max(own.threshold, ceil(3 * eta * found.batches / 4))
            assert basic(found.privacy) == (epsilon / 2, delta)

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
    asked = {"alpha": alpha, "beta": alpha, "budget": Budget(epsilon, delta)}
    for d, step, tried in ((1, 2, 9), (3, 2, 12), (7, 16, 4)):
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
    found = LittlestoneParameters.for_error(11, Fraction(2, 5), Budget(4, Fraction(1, 1000)))
    assert found.budget >= 4 * mean_costs(11)[-1]
    assert found.eta >= Fraction(3, 4) * Fraction(1, 12 << 11)


def test_bounds_apply_from_the_rows_on_that_they_are_made_for():
    found = LittlestoneParameters.for_error(1, TENTH, Budget(1, MILLIONTH))
    for rows, unmet in ((found.rows - 1, (f"at least {found.rows} rows",)), (found.rows, ())):
        (bound,) = found.bounds(rows)
        assert bound.unmet == unmet


@pytest.mark.parametrize("d", [1, 2])
@pytest.mark.parametrize("budget", [2, 6, 14])
def test_frequencies_are_lower_bounds_for_all_tournaments_that_are_defined(d, budget):
    least = 1 - Fraction(1, 2**d)
    frequency = least_frequency(d, budget) * (d + 1) * 2**d
    for thetas in ([least] * d, [Fraction(99, 100)] * d, [least, Fraction(1)][:d]):
        assert frequency <= float(costs_within(thetas, budget)[-1].upper()) + 1e-9
    assert all(within > float(frequency) - 1e-9 for within in costs_within([least] * d, budget))


@pytest.mark.parametrize("d", [1, 2, 4, 5, 11])
def test_frequencies_are_those_of_theorem_10_and_hardly_more(d):
    """Beyond the dimensions whose law is computed, too: by Markov."""
    most = Fraction(1, (d + 1) << d)
    assert Fraction(3, 4) * most < least_frequency(d, 8 ** (d + 1)) < most
    if d >= 5:
        assert least_frequency(d, 8 ** (d + 1)) > Fraction(99, 100) * most
        assert least_frequency(d, 10) == 0
    theta = 1 - Fraction(1, 2**d)
    assert mean_costs(d)[-1] <= (2 ** (d + 1) - 2) / theta**d < 4 * 2**d
    # [BLM20, Lemma 14]
    assert all(mean <= 4 ** (k + 1) for k, mean in enumerate(mean_costs(d)))


@pytest.mark.parametrize(
    ("d", "n", "least", "mean"),
    [
        (1, 20, Fraction(0 + 2, 2), Fraction(0 + 4, 2)),
        (2, 40, Fraction(0 + 2 + 6, 3), (Fraction(8, 3) + Fraction(88, 9)) / 3),
    ],
)
def test_the_means_of_what_is_read(d, n, least, mean):
    """Costs of tournaments of the depths 0 to d, of which each is as likely."""
    found = LittlestoneParameters.for_error(d, TENTH, Budget(1, MILLIONTH), rule="tight")
    expected = [ceil(found.batches * n * (1 + each)) + found.fresh for each in (least, mean)]
    assert found.read == pytest.approx((*expected, found.rows), abs=1)


def test_sample_complexity_compares():
    found = sample_complexity(2, TENTH, 1, MILLIONTH, concepts=500)
    assert set(found.parameters) == set(RULES)
    assert found.finite < found.finite_agnostic < found.parameters["sharp"].rows
    huge = sample_complexity(1, TENTH, 1, MILLIONTH, concepts=2**1000)
    assert huge.finite > huge.parameters["sharp"].rows
    unknown = sample_complexity(4, TENTH, 1, MILLIONTH)
    assert (unknown.finite, unknown.finite_agnostic, unknown.without_privacy) == (None, None, None)
