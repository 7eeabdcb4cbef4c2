from __future__ import annotations

import math
from fractions import Fraction

import pytest

from learners.accounting import basic
from learners.exact import exact_distribution
from learners.mechanisms.randomized_response import RandomizedResponse
from tests.learners.privacy_checks import assert_private, delta, loss


@pytest.mark.parametrize("epsilon", [Fraction(1, 2), 1])
@pytest.mark.parametrize("answers", [2, 3, 5])
def test_the_loss_is_exactly_epsilon(epsilon, answers):
    mechanism = RandomizedResponse(epsilon, answers)
    p, q = (exact_distribution(lambda coins, a=a: mechanism.release(a, coins)) for a in (0, 1))
    assert_private(p, q, epsilon)
    assert float(loss(p, q, 0)) == pytest.approx(float(epsilon))
    assert delta(p, q, epsilon - Fraction(1, 100)) > 1e-4
    truth = math.exp(epsilon) / (math.exp(epsilon) + answers - 1)
    assert float(p[0]) == pytest.approx(truth)
    assert p.tail.is_zero()
    assert basic(mechanism.privacy) == (epsilon, 0)
    assert len({mechanism, RandomizedResponse(epsilon, answers)}) == 1
