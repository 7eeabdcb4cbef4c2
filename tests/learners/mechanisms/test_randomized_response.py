from __future__ import annotations

import math
from dataclasses import FrozenInstanceError
from fractions import Fraction

import pytest

from learners.accounting import basic
from learners.coins import SeededCoins
from learners.exact import exact_law
from learners.mechanisms.randomized_response import AUDITS, RandomizedResponse
from lsclasses.errors import InvalidInput
from tests.learners.privacy_checks import assert_private, delta, loss, smallest_instances


@pytest.mark.parametrize("epsilon", [Fraction(1, 2), 1])
@pytest.mark.parametrize("answers", [2, 3, 5])
def test_the_loss_is_exactly_epsilon(epsilon, answers):
    mechanism = RandomizedResponse(epsilon, answers)
    p, q = (exact_law(lambda coins, a=a: mechanism.report(a, coins)) for a in (0, 1))
    assert_private(p, q, epsilon)
    assert float(loss(p, q, 0)) == pytest.approx(float(epsilon))
    assert delta(p, q, epsilon - Fraction(1, 100)) > 1e-4
    truth = math.exp(epsilon) / (math.exp(epsilon) + answers - 1)
    assert float(p[0]) == pytest.approx(truth)
    assert p.tail.is_zero()
    assert basic(mechanism.privacy) == (epsilon, 0)


def test_bad_input_is_refused():
    with pytest.raises(InvalidInput, match="at least 2 answers"):
        RandomizedResponse(1, 1)
    with pytest.raises(InvalidInput, match="between 0 and 1"):
        RandomizedResponse(1).report(2, SeededCoins(0))
    for answer in (-1, 3, 4, 10**30):
        with pytest.raises(InvalidInput, match=f"between 0 and 2. Got {answer}"):
            RandomizedResponse(1, 3).report(answer, SeededCoins(0))
    with pytest.raises(InvalidInput, match="epsilon must be"):
        RandomizedResponse(-1)


def test_a_mechanism_stays_as_it_was_checked():
    mechanism = RandomizedResponse(1, 3)
    with pytest.raises(FrozenInstanceError):
        mechanism.epsilon = Fraction(100)
    assert {mechanism: 1}[RandomizedResponse(1, 3)] == 1


def test_two_answers_are_the_fewest_to_audit():
    assert smallest_instances(AUDITS, answers=2)["randomized_response"].pairs == ((0, 1),)
