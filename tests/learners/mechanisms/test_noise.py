from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.exact import exact_distribution
from learners.mechanisms.noise import difference_bound, noise_bound, tail
from tests.learners.privacy_checks import mass, reach


@given(
    st.fractions(Fraction(1, 5), 50, max_denominator=20),
    st.fractions(Fraction(1, 10**9), Fraction(9, 10)),
)
def test_noise_bounds_are_the_least(scale, failure):
    m = noise_bound(scale, failure)
    assert 2 * reach(scale, m + 1) <= float(failure) * (1 + 1e-9)
    assert m == 0 or 2 * reach(scale, m) > float(failure) * (1 - 1e-9)


@given(st.fractions(Fraction(1, 5), 9, max_denominator=9), st.integers(-8, 8))
def test_tails_are_sums_of_probabilities(scale, least):
    law = exact_distribution(lambda coins: coins.laplace(scale))
    assert law.probability(lambda z: z >= least).overlaps(tail(scale, least))


@pytest.mark.parametrize("scale", [Fraction(1, 3), Fraction(1, 2), 1, 2, 5])
def test_differences_of_two_noises_have_the_least_bound(scale):
    noise = [mass(scale, z) for z in range(-400, 401)]
    difference = np.convolve(noise, noise)[800:]  # the probabilities of 0, 1, 2, ...
    for failure in (Fraction(2, 5), Fraction(1, 7), Fraction(1, 100), Fraction(1, 10**6)):
        beyond = [difference[m + 1 :].sum() for m in range(200)]
        least = next(m for m, rest in enumerate(beyond) if rest <= failure)
        assert difference_bound(scale, failure) == least
