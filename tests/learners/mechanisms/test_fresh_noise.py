from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from learners.audit.audit_registry import AUDITABLE
from learners.balls import ball
from learners.exact import exact_distribution
from learners.mechanisms.fresh_noise import (
    FreshNoiseThreshold,
    _potential,
    _sure_potential,
    calibrated_scale,
    closed_scale,
)
from tests.learners.privacy_checks import reach, smallest_instances


def law_of(mechanism, values):
    return exact_distribution(lambda coins: mechanism.answers(values, coins))


CASES = [
    (1, Fraction(1, 10**6), 1),
    (Fraction(1, 2), Fraction(1, 10**4), 8),
]


def test_law_is_a_product_of_fresh_answers():
    mechanism = FreshNoiseThreshold(1, Fraction(1, 10), 1, 3)
    high = reach(mechanism.scale, 3)
    law = law_of(mechanism, (0, 0, 0))
    assert float(law[False, False, True]) == pytest.approx((1 - high) ** 2 * high)
    assert law.branches == 4
    assert law.tail.is_zero()


@pytest.mark.parametrize("epsilon", [Fraction(1, 20), 1])
@pytest.mark.parametrize("delta", [Fraction(1, 100), Fraction(1, 10**12)])
@pytest.mark.parametrize("reports", [1, 2000])
def test_closed_scales_are_the_formula(epsilon, delta, reports):
    size = math.log(1 / delta)
    formula = max(8 * size, 4.4 * math.sqrt(reports * size)) / epsilon
    closed = closed_scale(epsilon, delta, reports)
    assert formula <= closed <= formula + 1 / 16 + 1e-9
    # The shape of [KMMNS23, Alg 1], with its constant.
    assert closed <= 8 * math.sqrt(reports) * math.log(reports / delta) / epsilon + 1 / 8


@pytest.mark.parametrize(("epsilon", "delta", "reports"), CASES)
def test_calibrated_scales_satisfy_the_inequality(epsilon, delta, reports):
    scale = calibrated_scale(Fraction(epsilon), delta, reports)
    size = math.log(1 / delta)
    assert scale <= closed_scale(Fraction(epsilon), delta, reports)
    assert scale <= 2.6 * max(size, math.sqrt(reports * size)) / epsilon + 1
    best = min(
        reports * s_transcribed(order, 1 / float(scale))
        - order * float(epsilon)
        + order * math.log(order)
        - (1 + order) * math.log1p(order)
        for order in [0.69 * float(scale) * i / 60 for i in range(1, 60)]
    )
    assert best <= math.log(delta) + 0.2  # the grid of orders is coarse


def s_transcribed(order, a):
    """s(order, a) over integer thresholds, from the definition."""
    worst = -math.inf
    for m in range(-int(15 / a), int(15 / a) + 1):
        for shift in (1, -1):
            p, other = reach(1 / a, m), reach(1 / a, m + shift)
            rest = (1 - p) ** (1 + order) * (1 - other) ** -order
            if rest >= 1:
                return math.inf
            worst = max(worst, math.log(p ** (1 + order) * other**-order / (1 - rest)))
    return worst


@settings(max_examples=10)
@given(st.integers(4, 30), st.integers(1, 20))
def test_three_ways_to_compute_the_potential_agree(scale, twentieths):
    order = twentieths / 20 * scale / 4
    plain = s_transcribed(order, 1 / scale)
    thresholds = np.arange(-12.0 * scale, 12 * scale + 1)
    assert _potential(order, 1 / scale, thresholds) == pytest.approx(plain, rel=1e-6, abs=1e-9)
    with ctx.workprec(64):
        sure = _sure_potential(Fraction(scale), ball(Fraction(order)))
        assert float(sure.mid()) == pytest.approx(plain, rel=1e-6, abs=1e-9)
        assert sure.rad() < 1e-9
        a = 1 / scale
        assert sure <= 3.12 * order * (order + 1) * a * a


def test_the_noise_is_as_many_times_as_large_as_the_sensitivity():
    single, double = (
        FreshNoiseThreshold(1, Fraction(1, 10), 1, 0, sensitivity=each) for each in (1, 2)
    )
    assert double.scale == 2 * single.scale


def test_numbers_are_audited_up_to_two_scales_below_the_threshold():
    entries = [AUDITABLE["fresh_noise_threshold"]]
    built = smallest_instances(entries, reports=1, queries=1)["fresh_noise_threshold"]
    far = math.floor(2 * built.mechanism.scale)
    assert built.pairs == tuple(((-below,), (1 - below,)) for below in range(1, far + 1))
