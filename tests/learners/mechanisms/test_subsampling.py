"""Secret samples: exact laws of a mechanism on them, and of the samples."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import exp, expm1, log1p

import pytest

from learners.coins import Coins
from learners.exact import OutputDistribution, exact_distribution
from learners.mechanisms.randomized_response import RandomizedResponse
from learners.mechanisms.subsampling import epsilon_on_sample, poisson_sample, uniform_sample
from tests.learners.privacy_checks import assert_private, delta

EPSILON = Fraction(1)


def asked(
    rows: tuple[int, ...], sampled: str, size: int, share: Fraction
) -> OutputDistribution[int]:
    """Whether a sample has a 1, told as truthfully as the epsilon on a sample allows."""
    mechanism = RandomizedResponse(epsilon_on_sample(EPSILON, share))

    def run(coins: Coins) -> int:
        if sampled == "uniform":
            chosen = uniform_sample(len(rows), size, coins)
        else:
            chosen = poisson_sample(len(rows), share, coins)
        return mechanism.release(int(any(rows[i] for i in chosen)), coins)

    return exact_distribution(run)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_replaced_rows_are_hidden_by_uniform_samples(size: int) -> None:
    laws = {
        rows: asked(rows, "uniform", size, Fraction(size, 3)) for rows in product((0, 1), repeat=3)
    }
    for rows, p in laws.items():
        for at in range(3):
            assert_private(p, laws[(*rows[:at], 1 - rows[at], *rows[at + 1 :])], EPSILON)
    # A one among zeros costs all of epsilon.
    assert delta(laws[1, 0, 0], laws[0, 0, 0], EPSILON * Fraction(99, 100)) > 1e-4


@pytest.mark.parametrize("share", [Fraction(1, 10), Fraction(1, 2), Fraction(1)])
def test_added_rows_are_hidden_by_poisson_samples(share: Fraction) -> None:
    for rows in product((0, 1), repeat=2):
        for more in (0, 1):
            p, q = (asked(each, "poisson", 0, share) for each in (rows, (*rows, more)))
            assert_private(p, q, EPSILON)
    p, q = (asked(each, "poisson", 0, share) for each in ((0, 1), (0,)))
    assert delta(p, q, EPSILON * Fraction(99, 100)) > 1e-4


def test_samples_have_their_laws() -> None:
    law = exact_distribution(lambda coins: tuple(uniform_sample(4, 2, coins).tolist()))
    assert {rows: law.rational(rows) for rows in law} == dict.fromkeys(
        combinations(range(4), 2), Fraction(1, 6)
    )
    law = exact_distribution(lambda coins: tuple(poisson_sample(3, Fraction(1, 3), coins).tolist()))
    for size in range(4):
        for rows in combinations(range(3), size):
            assert law.rational(rows) == Fraction(2 ** (3 - size), 27)


def test_the_epsilon_on_a_sample_is_rounded_down_and_hardly() -> None:
    for epsilon, share in product((Fraction(1, 100), Fraction(1), Fraction(9)), (1, 2, 1000)):
        found = epsilon_on_sample(epsilon, Fraction(1, share))
        exact = log1p(expm1(epsilon) * share)
        assert exact - 1e-9 < found < exact + 1e-14
        assert log1p(expm1(found) / share) == pytest.approx(float(epsilon))
    assert exp(epsilon_on_sample(EPSILON, Fraction(1, 2))) == pytest.approx(2 * exp(1) - 1)
