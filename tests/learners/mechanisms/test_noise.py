from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.accounting import basic
from learners.coins import SeededCoins
from learners.exact import exact_law
from learners.mechanisms.noise import (
    AUDITS,
    DiscreteLaplace,
    difference_bound,
    noise_bound,
    tail,
)
from lsclasses.errors import InvalidInput
from tests.learners.privacy_checks import assert_private, delta, loss, smallest_instances


@pytest.mark.parametrize("epsilon", [Fraction(1, 2), 1])
@pytest.mark.parametrize("sensitivity", [1, 2])
def test_the_loss_is_exactly_epsilon(epsilon, sensitivity):
    mechanism = DiscreteLaplace(epsilon, sensitivity)
    p, q = (exact_law(lambda coins, c=c: mechanism.release(c, coins)) for c in (5, 5 + sensitivity))
    assert_private(p, q, epsilon)
    assert delta(p, q, epsilon * Fraction(99, 100)) > 1e-4
    assert float(loss(p, q, 0)) == pytest.approx(float(epsilon), abs=1e-12)
    assert basic(mechanism.privacy) == (epsilon, 0)
    assert mechanism.privacy.neighbours == "replace_one"


def test_half_the_noise_is_noticed():
    weak = DiscreteLaplace(2)
    p, q = (exact_law(lambda coins, c=c: weak.release(c, coins)) for c in (0, 1))
    assert delta(p, q, 1) > 0.1


@given(
    st.fractions(Fraction(1, 5), 50, max_denominator=20),
    st.fractions(Fraction(1, 10**9), Fraction(9, 10)),
)
def test_noise_bounds_are_the_least(scale, failure):
    m = noise_bound(scale, failure)
    q = math.exp(-1 / scale)

    def beyond(m):
        return 2 * q ** (m + 1) / (1 + q)

    assert beyond(m) <= float(failure) * (1 + 1e-9)
    assert m == 0 or beyond(m - 1) > float(failure) * (1 - 1e-9)


def test_noise_bounds_hold_in_the_exact_law():
    mechanism = DiscreteLaplace(Fraction(1, 3))
    law = exact_law(lambda coins: mechanism.release(0, coins))
    m = mechanism.error(Fraction(1, 50))
    assert law.probability(lambda z: abs(z) > m) <= 0.02
    assert law.probability(lambda z: abs(z) > m - 1) > 0.02


@pytest.mark.parametrize("epsilon", [0, -1, 0.5, math.inf, True, "one", None])
def test_bad_epsilon_is_refused(epsilon):
    with pytest.raises(InvalidInput, match="epsilon must be"):
        DiscreteLaplace(epsilon)


def test_bad_input_is_refused():
    with pytest.raises(InvalidInput, match="sensitivity must be at least 1"):
        DiscreteLaplace(1, 0)
    with pytest.raises(InvalidInput, match="sensitivity must be an integer"):
        DiscreteLaplace(1, 1.0)
    with pytest.raises(InvalidInput, match="related by one of"):
        DiscreteLaplace(1, neighbours="replace")
    with pytest.raises(InvalidInput, match="count must be an integer"):
        DiscreteLaplace(1).release(2.5, SeededCoins(0))
    with pytest.raises(InvalidInput, match="must be positive"):
        noise_bound(0, Fraction(1, 2))
    with pytest.raises(InvalidInput, match="strictly between"):
        noise_bound(1, 1)
    assert DiscreteLaplace(1).release(np.int64(3), SeededCoins(0)) == DiscreteLaplace(1).release(
        3, SeededCoins(0)
    )


@given(st.fractions(Fraction(1, 5), 9, max_denominator=9), st.integers(-8, 8))
def test_tails_are_sums_of_probabilities(scale, least):
    law = exact_law(lambda coins: coins.laplace(scale))
    assert law.probability(lambda z: z >= least).overlaps(tail(scale, least))


@pytest.mark.parametrize("scale", [Fraction(1, 2), 1, Fraction(5, 2)])
@pytest.mark.parametrize("failure", [Fraction(1, 2), Fraction(1, 10), Fraction(1, 1000)])
def test_differences_of_two_noises_exceed_their_bound_no_more_often_than_promised(scale, failure):
    law = exact_law(
        lambda coins: coins.laplace(scale) - coins.laplace(scale), tail=Fraction(1, 2**24)
    )
    bound = difference_bound(scale, failure)
    exceeding = law.probability(lambda z: z > bound)
    assert exceeding.upper() <= float(failure) + 1e-5
    if bound:
        assert law.probability(lambda z: z > bound - 1) > float(failure) - 1e-5


@pytest.mark.parametrize("scale", [Fraction(1, 3), Fraction(1, 2), 1, 2, 5])
def test_differences_of_two_noises_have_the_least_bound(scale):
    reach = 400
    q = math.exp(-1 / scale)
    noise = (1 - q) / (1 + q) * q ** np.abs(np.arange(-reach, reach + 1))
    difference = np.convolve(noise, noise)[2 * reach :]  # the probabilities of 0, 1, 2, ...
    for failure in (Fraction(2, 5), Fraction(1, 7), Fraction(1, 100), Fraction(1, 10**6)):
        beyond = [difference[m + 1 :].sum() for m in range(200)]
        least = next(m for m, rest in enumerate(beyond) if rest <= failure)
        assert difference_bound(scale, failure) == least


def test_a_change_by_one_is_the_least_to_audit():
    assert smallest_instances(AUDITS, sensitivity=1)["discrete_laplace"].pairs == ((0, 1),)
