"""POP's parameters: the hidden condition, the fixed point, and what is said about them."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.accounting import basic
from learners.bounds import REALIZABLE
from learners.budget import Budget
from learners.concentration import chernoff_trials, least_trials
from learners.exact import exact_distribution
from learners.mechanisms.noise import noise_bound, tail
from learners.pop import plan as pop_parameters
from learners.pop.plan import POPParameters
from lsclasses.errors import InvalidInput
from tests.learners.privacy_checks import at_most

TINY = Fraction(1, 10**6)
BETA = Fraction(1, 20)


def own(copies=40, reports=3, rounds=20, **given):
    """Parameters with noise for all rounds, of scale 1 if nothing else is said."""
    chosen = {
        "epsilon": rounds,
        "delta": 0,
        "halting_epsilon": 1,
        "halting_failure": 0,
        "majority_failure": Fraction(1, 2),
        **given,
    }
    return POPParameters(copies, reports, rounds, **chosen)


# ---- privacy


@given(st.integers(1, 60), st.fractions(Fraction(1, 4), 6, max_denominator=4))
def test_a_deciding_copy_is_shown_as_rarely_as_stated(copies, scale):
    # All votes that one copy can turn, from the definition of the majority.
    threshold = -(-copies // 4)
    majority = [int(2 * ones > copies) for ones in range(copies + 1)]
    deciding = [
        ones
        for ones in range(copies + 1)
        for other in (ones - 1, ones + 1)
        if 0 <= other <= copies and majority[ones] != majority[other]
    ]
    shown = [
        1 - exact_distribution(lambda coins, m=m: coins.at_least(m, scale, threshold))[True]
        for m in {min(ones, copies - ones) for ones in deciding}
    ]
    worst = max(float(p.mid()) for p in shown)
    assert worst == pytest.approx(float(tail(scale, (copies + 1) // 4).mid()), abs=1e-15)


@given(st.integers(1, 300), st.integers(2, 50), st.integers(1, 9), st.integers(1, 6))
def test_too_few_copies_are_refused_or_paid_for(copies, rounds, scale, digits):
    failure = Fraction(1, 10**digits)
    given = {"rounds": rounds, "epsilon": Fraction(rounds, scale), "majority_failure": failure}
    needed = (rounds - 1) * float(tail(scale, (copies + 1) // 4).mid())
    if needed <= failure:
        parameters = own(copies, **given)
        assert basic(parameters.privacy)[1] == failure
        return
    with pytest.raises(InvalidInput, match=r"one copy can decide .* Take at least \d+") as refused:
        own(copies, **given)
    assert float(str(refused.value).split("up to ")[1].split(". ")[0]) <= 1  # a probability
    least = int(str(refused.value).split("Take at least ")[1].split()[0])
    assert own(least, **given).majority_failure == failure
    with pytest.raises(InvalidInput, match="Take at least"):
        own(least - 1, **given)
    if needed < 0.9:
        raised = own(copies, raise_delta=True, **given)
        assert needed <= float(basic(raised.privacy)[1]) <= needed * 1.001
        assert raised.privacy.delta > failure
    elif needed > 1:
        with pytest.raises(InvalidInput, match="give no privacy"):
            own(copies, raise_delta=True, **given)


def test_the_printed_condition_on_k_is_implied_in_shape():
    # k >= 4 + 4 gamma ln(T/(2 delta_m)) is enough; what is enforced is a little less.
    for rounds, reports in ((200, 5), (10**5, None)):
        parameters = POPParameters.within(Budget(1, TINY), rounds, reports, calibrated=False)
        size = math.log(rounds / (2 * float(parameters.majority_failure)))
        enough = 4 + 4 * float(parameters.scale) * size
        assert 0.7 * enough < parameters.copies <= enough


@pytest.mark.parametrize(
    ("reports", "halting"), [(50, "cumulative"), (3000, "tree"), (50, "never"), (None, "tree")]
)
def test_practical_parameters_spend_their_budget(reports, halting):
    parameters = POPParameters.within(
        Budget(2, TINY), 10**5, reports, calibrated=False, halting=halting
    )
    assert basic(parameters.privacy) == (2, TINY)
    assert parameters.privacy.neighbours == "challenge"
    assert (parameters.halting == "never") == (reports is None or halting == "never")
    with pytest.raises(InvalidInput, match="Take at least"):
        replace(parameters, copies=parameters.copies - 1)


@pytest.mark.parametrize("halting", ["cumulative", "tree"])
@pytest.mark.parametrize("rounds", [20, 100, 150, 500, 2000])
def test_the_choice_of_halting_has_the_fewest_copies(rounds, halting):
    budget = Budget(4, TINY)
    chosen = POPParameters.within(budget, rounds, 1, halting=halting)
    always = POPParameters.within(budget, rounds)
    assert chosen.copies <= always.copies
    assert basic(chosen.privacy) == (4, TINY)
    if chosen.halting == "never":
        assert chosen == replace(always, reports=chosen.reports)


def test_halting_is_chosen_for_fewer_copies_despite_larger_noise():
    chosen = POPParameters.within(Budget(4, TINY), 150, 1)
    always = POPParameters.within(Budget(4, TINY), 150)
    assert (chosen.halting, always.halting) == ("cumulative", "never")
    assert chosen.scale > always.scale
    assert chosen.copies < 0.95 * always.copies


# ---- mistakes


@given(
    st.integers(0, 12),
    st.sampled_from([Fraction(1, 8), Fraction(1, 5), Fraction(1, 2), Fraction(7, 8), Fraction(1)]),
    st.sampled_from([Fraction(1, 3), Fraction(1, 60), Fraction(1, 10**6)]),
)
def test_trials_are_the_least_that_the_binomial_allows(errors, share, failure):
    found = least_trials(errors, share, failure)
    assert at_most(found, share, errors) <= failure
    assert at_most(found - 1, share, errors) > failure
    size = math.log(1 / failure)
    formula = (errors + size + math.sqrt(size**2 + 2 * errors * size)) / share
    assert found <= math.ceil(formula)


@given(
    st.integers(0, 12),
    st.sampled_from([Fraction(1, 2), Fraction(1, 5), Fraction(1, 20), Fraction(9, 10)]),
    st.sampled_from([Fraction(1, 3), Fraction(1, 60), Fraction(1, 10**6)]),
)
def test_as_many_trials_as_chernoff_says_are_enough_and_no_fewer_satisfy_its_bound(
    successes, chance, failure
):
    """By the exact binomial law; and the bound exp(-(mu - n)^2/(2 mu)) is used up to one trial."""
    trials = chernoff_trials(successes, chance, failure)
    assert at_most(trials, chance, successes) <= failure

    def bound(size):
        mu = float(size * chance)
        return math.exp(-((mu - successes) ** 2) / (2 * mu)) if mu > successes else 1.0

    assert bound(trials) <= float(failure) * (1 + 1e-9)
    assert bound(trials - 1) > float(failure) * (1 - 1e-9)


def printed_analysis(d, rounds, epsilon, delta, beta):
    """The fixed point of the paper's analysis, with all constants filled in; k and R.

    Halting costs 2 epsilon/4 and its error is that of the cumulative test over all rounds, noise
    below k/20, a fifth of the copies errs, the closed form of the noise.
    """
    halting, answers = epsilon / 4, epsilon / 2
    late = 3 / delta * 4
    error = (math.log(rounds) + 2 * math.log(late)) / halting
    k, fifth = 1.0, math.log(3 / beta)
    for _ in range(200):
        costly = 5 * (d * k + fifth + math.sqrt(fifth**2 + 2 * d * k * fifth))
        reports = costly + 2 * error + 2
        size = math.log(4 / delta)
        scale = max(8 * size, 4.4 * math.sqrt(reports * size)) / answers
        k = max(
            20 * scale * math.log(3 * rounds / beta),
            4 + 4 * scale * math.log(rounds * 4 / (2 * delta)),
        )
    return k, costly


@pytest.mark.parametrize("calibrated", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_the_theorem_asks_for_less_than_the_printed_analysis(calibrated):
    k, costly = printed_analysis(1, 10**4, 1, 1e-6, 0.05)
    assert k == pytest.approx(4.5e8, rel=0.1)
    assert costly == pytest.approx(2.2e9, rel=0.1)
    parameters = POPParameters.from_theorem(Budget(1, TINY), 1, 10**4, BETA, calibrated=calibrated)
    assert parameters.copies < k / 5000
    assert parameters.costly(1, BETA) < costly / 4000
    bound = parameters.bounds(1, BETA)[0]
    assert bound.vacuous
    assert bound.applies


@pytest.mark.parametrize(
    ("d", "rounds", "epsilon", "margin", "vacuous"),
    [
        (1, 10**7, 1, Fraction(1, 20), True),
        (3, 10**10, 1, Fraction(1, 8), False),
        (2, 10**3, 20, Fraction(1, 8), True),
        (0, 10**2, 20, Fraction(1, 8), False),
    ],
)
def test_theorems_parameters_satisfy_their_hypotheses(d, rounds, epsilon, margin, vacuous):
    parameters = POPParameters.from_theorem(Budget(epsilon, TINY), d, rounds, BETA, margin=margin)
    assert basic(parameters.privacy) == (epsilon, TINY)
    noise = noise_bound(parameters.scale, 2 * BETA / (3 * rounds))
    assert noise <= margin * parameters.copies
    bounds = parameters.bounds(d, BETA)
    assert all(bound.applies for bound in bounds)
    assert bounds[0].vacuous == vacuous
    # The least solution: a tenth less does not satisfy the theorem's hypotheses.
    fewer = parameters.copies * 9 // 10
    short = replace(parameters, copies=fewer, raise_delta=True)
    assert (
        noise > margin * fewer
        or short.privacy.delta > TINY
        or not all(bound.applies for bound in short.bounds(d, BETA))
    )


@pytest.mark.parametrize(
    ("d", "rounds", "epsilon", "margin"),
    [(1, 10**10, 1, Fraction(1, 8)), (2, 10**9, 20, Fraction(1, 5))],
)
def test_reports_are_one_more_than_costly_rounds_and_early_halting_can_use_up(
    d, rounds, epsilon, margin
):
    """A share 1/4 - margin of the copies errs in a costly round; all of them d times at most."""
    parameters = POPParameters.from_theorem(Budget(epsilon, TINY), d, rounds, BETA, margin=margin)
    assert parameters.halting == "cumulative"
    share, copies = Fraction(1, 4) - margin, parameters.copies
    costly = chernoff_trials(d * copies - math.ceil(share * copies), share, BETA / 3)
    assert parameters.reports == costly + parameters.mechanism.early(rounds, BETA / 3) + 1


def test_calibrated_noise_needs_fewer_copies_and_the_bounds_hold() -> None:
    parameters, plain = (
        POPParameters.from_theorem(Budget(20, TINY), 0, 100, BETA, calibrated=calibrated)
        for calibrated in (True, False)
    )
    assert parameters.halting == "cumulative" and parameters.calibrated
    assert parameters.copies < plain.copies * Fraction(9, 10)


def test_bounds_say_what_they_rest_on_and_whether_it_is_met():
    loud = own(copies=40, rounds=20)
    mistakes, reports, halts = loud.bounds(1, BETA)
    assert [b.quantity for b in (mistakes, reports, halts)] == ["mistakes", "reports", "halts"]
    assert REALIZABLE in mistakes.hypotheses
    assert not halts.applies  # three reports are fewer than R
    quiet = own(copies=4, epsilon=20 * 16, reports=100)
    assert all(bound.applies for bound in quiet.bounds(1, BETA))
    noisy = own(copies=12, rounds=2, epsilon=1, majority_failure=Fraction(9, 10))
    assert noisy.costly(1, BETA) is None
    assert not noisy.bounds(1, BETA)[0].applies
    counted = POPParameters.within(Budget(1, TINY), 10**4, 50, calibrated=False)
    last = counted.bounds(1, BETA)[-1]
    assert (last.quantity, last.value) == ("reports", counted.mechanism.most_reports)


def test_the_smallest_budgets_are_computed():
    small = Fraction(1, 10**100)
    for epsilon, delta, reports in product((1, small), (TINY, small), (None, 3)):
        parameters = POPParameters.within(Budget(epsilon, delta), 1000, reports, calibrated=False)
        assert basic(parameters.privacy) == (epsilon, delta)


# ---- at the limits


def quiet(reports=100):
    """Next to no noise, and a halting test that may be early."""
    given = {"epsilon": 320, "halting_epsilon": Fraction(1, 8), "halting": "cumulative"}
    return own(4, reports, raise_delta=True, **given)


def test_it_does_not_halt_from_the_first_number_of_reports_that_early_halting_spares() -> None:
    """Noise, learning copies and the halting test may each fail with probability beta/3."""
    costly, early = quiet().costly(1, BETA), quiet().mechanism.early(20, BETA / 3)
    assert costly is not None
    assert early > quiet().mechanism.early(20, BETA / 2)
    for reports, applies in ((costly + early, False), (costly + early + 1, True)):
        (halts,) = (b for b in quiet(reports).bounds(1, BETA) if b.quantity == "halts")
        assert (halts.applies, halts.failure) == (applies, BETA)


def test_one_copy_is_enough_where_so_much_may_fail() -> None:
    ties = Fraction(9, 10)
    alone = POPParameters(1, 1, 2, 2, 0, 1, 0, ties)
    assert alone.majority_failure == ties
    assert "needs k >= 1" in str(alone)


@pytest.mark.parametrize("failure", [Fraction(1, 20), Fraction(9, 10)])
def test_who_never_errs_makes_no_mistakes_however_likely_a_failure_is(failure: Fraction) -> None:
    parameters = POPParameters.from_theorem(Budget(20, TINY), 0, 100, failure)
    assert parameters.costly(0, failure) == 0
    assert all(bound.applies for bound in parameters.bounds(0, failure))


@pytest.mark.parametrize(
    ("mistakes", "rounds", "epsilon", "best"), [(0, 10**6, 1, 2), (1, 10**8, 10, 10)]
)
def test_halting_gets_the_best_part_of_epsilon_from_a_quarter_to_a_1024th(
    monkeypatch: pytest.MonkeyPatch, mistakes: int, rounds: int, epsilon: int, best: int
) -> None:
    found = POPParameters.from_theorem(Budget(epsilon, TINY), mistakes, rounds, BETA)
    copies = {}
    for bits in range(2, 11):
        monkeypatch.setattr(pop_parameters, "SHARES", (Fraction(1, 2**bits),))
        alone = POPParameters.from_theorem(Budget(epsilon, TINY), mistakes, rounds, BETA)
        copies[bits] = alone.copies
    assert found.copies == min(copies.values()) == copies[best]
