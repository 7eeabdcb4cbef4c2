"""Parameters of the private Winnow: their conditions, their budget, what is printed."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners.accounting import total
from learners.budget import Budget
from learners.winnow.algorithm import DPWinnow
from learners.winnow.halfspace_margins import Indicators
from learners.winnow.plan import WinnowParameters
from learners.winnow.winnow_costs import rate_for, winnow_cost

TINY = Fraction(1, 10**6)


def test_the_numbers_of_an_example():
    given_ = Budget(1, TINY), 100, Fraction(1, 2), 10**6
    # At failure 1/20 as in the paper's beta, so twice that in all.
    printed = WinnowParameters.from_theorem(*given_, failure=Fraction(1, 10), rule="printed")
    assert printed.printed["mistakes"] == pytest.approx(7e16, rel=0.1)
    assert printed.printed["updates"] == pytest.approx(3.5e8, rel=0.02)
    assert printed.printed["threshold"] < printed.printed["error of the threshold"]
    spent = 128 * printed.draws * printed.updates * math.log(2 / TINY)
    assert float(printed.rate) == pytest.approx(1 / math.sqrt(spent), rel=1e-6)
    single = WinnowParameters.from_theorem(*given_, batch=1)
    best = WinnowParameters.from_theorem(*given_)
    assert best.mistakes < 150_000 < 10**10 < single.mistakes < printed.mistakes
    assert printed.vacuous and single.vacuous and not best.vacuous


@settings(max_examples=10)
@given(
    st.tuples(
        st.integers(2, 10**5),
        st.fractions(Fraction(1, 20), 1, max_denominator=20),
        st.integers(1, 10**7),
        st.fractions(Fraction(1, 10), 5, max_denominator=10),
        st.sampled_from([Fraction(1, 10**9), TINY, Fraction(1, 100)]),
        st.sampled_from(
            [("printed", None), ("recommended", 1), ("recommended", 7), ("recommended", None)]
        ),
        st.sampled_from([None, Fraction(1, 4), Fraction(9, 10)]),
    )
)
def test_all_conditions_hold_and_the_budget_is_kept(drawn):
    experts, margin, rounds, epsilon, delta, (name, batch), confidence = drawn
    chosen = WinnowParameters.from_theorem(
        Budget(epsilon, delta),
        experts,
        margin,
        rounds,
        rule=name,
        batch=batch,
        confidence=confidence,
    )
    assert chosen.unmet == ()
    assert chosen.needed <= chosen.updates
    # The printed, weaker form of the update bound; K solves its circular definition.
    eta, c, rho = float(chosen.rate * chosen.batch), float(chosen.confidence), float(margin)
    denominator = (1 - c) * eta * rho - eta**2 / 2
    assert 0 < eta < 2 * (1 - c) * rho
    assert math.log(experts) / denominator <= chosen.updates * (1 + 1e-5) + 1
    mechanism = DPWinnow(
        Indicators(experts),
        chosen.rate,
        chosen.updates,
        chosen.draws,
        chosen.threshold,
        chosen.threshold_epsilon,
        chosen.batch,
        bias=False,
        balanced=False,
    )
    spent = total(mechanism.privacy, delta)
    assert spent.epsilon <= epsilon
    for bound in chosen.bounds:
        assert bound.applies and bound.printed
    assert chosen.vacuous == (chosen.mistakes >= rounds) == chosen.bounds[0].vacuous
    assert str(chosen)


@pytest.mark.parametrize("rounds", [1, 1000])
def test_the_printed_error_is_that_of_a_union_over_rounds(rounds: int) -> None:
    """Threshold 8 ln(2T/beta)/epsilon', error 8 ln(2T^2/beta)/epsilon', twice for each update.

    The paper's beta is half of the failure here.
    """
    failure = Fraction(9, 10)
    found = WinnowParameters.from_theorem(
        Budget(Fraction(2), TINY), 12, Fraction(1, 2), rounds, failure=failure
    ).printed
    beta = float(failure) / 2
    assert found["error of the threshold"] / found["threshold"] == pytest.approx(
        math.log(2 * rounds**2 / beta) / math.log(2 * rounds / beta), rel=1e-12
    )
    assert found["mistakes"] == 2 * found["updates"] * found["error of the threshold"]


@pytest.mark.parametrize(
    ("margin", "epsilon", "share"),
    [
        (Fraction(1, 3), Fraction(5), Fraction(1, 3)),
        (Fraction(1), Fraction(1, 5), Fraction(9, 10)),
        (Fraction(1, 5), Fraction(3), Fraction(1, 10)),
    ],
)
def test_the_batch_is_about_the_best(margin: Fraction, epsilon: Fraction, share: Fraction) -> None:
    """None from a tenth to ten times of it makes the bound two hundredths smaller."""
    given = Budget(epsilon, TINY), 100, margin, 10**6
    third = Fraction(1, 3)
    best = WinnowParameters.from_theorem(*given, share=share)
    for tenths in (1, 5, 9, 11, 17, 100):
        batch = max(2, best.batch * tenths // 10)
        other = WinnowParameters.from_theorem(*given, share=share, batch=batch, confidence=third)
        assert best.mistakes < other.mistakes * Fraction(51, 50)


@pytest.mark.parametrize(
    ("given_", "gain"),
    [
        ((Budget(1, TINY), 202, Fraction(1, 2), 10**6), Fraction(6, 100)),
        ((Budget(4, TINY), 96, Fraction(1), 40_000), Fraction(2, 100)),
        ((Budget(1, Fraction(1, 100)), 202, Fraction(1, 5), 10**8), Fraction(20, 100)),
    ],
)
def test_the_bound_of_all_accountants_is_smaller_than_by_zcdp(given_, gain):
    best = WinnowParameters.from_theorem(*given_)
    zcdp = WinnowParameters.from_theorem(*given_, composition="zcdp")
    assert best.mistakes < (1 - gain) * zcdp.mistakes
    assert best.rate > rate_for(best.epsilon * 2 / 3, best.delta, best.updates * best.draws)
    spent = total(
        winnow_cost(best.rate, best.threshold_epsilon, best.updates, best.draws), best.delta
    )
    assert spent.epsilon <= best.epsilon and spent.method != "zcdp"
    # The printed rule keeps the budget of the paper.
    assert WinnowParameters.from_theorem(*given_, rule="printed").rule == "printed"


def test_the_printed_parameters_are_next_to_the_proved_parameters():
    best = WinnowParameters.from_theorem(Budget(1, TINY), 202, Fraction(1, 2), 10**6)
    last = str(best).splitlines()[-1]
    for name in ("updates", "draws", "eta", "threshold", "mistakes"):
        assert f"{best.printed[name]:.3g}" in last
