"""Hockey sticks against their definition, closed forms, and what is cut."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from learners.audit import PrivacyLoss
from learners.exact import OutputDistribution, exact_distribution
from tests.learners.audit.laws import HALF, close, epsilons, rational_law, weights


@given(weights, weights, epsilons)
def test_delta_is_the_maximum_over_all_events(
    p: list[int], q: list[int], epsilon: Fraction
) -> None:
    loss = PrivacyLoss(rational_law(p), rational_law(q))
    factor = math.exp(epsilon)
    for direction, (mine, other) in enumerate(((p, q), (q, p))):
        best = max(
            sum(mine[i] for i in event) / sum(mine)
            - factor * sum(other[i] for i in event) / sum(other)
            for size in range(5)
            for event in itertools.combinations(range(4), size)
        )
        assert close(loss.delta(epsilon, direction), best)
    assert loss.delta(epsilon).overlaps(loss.delta(epsilon, 0).max(loss.delta(epsilon, 1)))


@given(weights, weights, epsilons)
def test_the_event_attains_delta(p: list[int], q: list[int], epsilon: Fraction) -> None:
    loss = PrivacyLoss(rational_law(p), rational_law(q))
    direction, event = loss.event(epsilon)
    mine, other = ((p, q), (q, p))[direction]
    gained = sum(mine[i] for i in event) / sum(mine)
    gained -= math.exp(epsilon) * sum(other[i] for i in event) / sum(other)
    assert close(loss.delta(epsilon), gained)


@given(weights, weights)
def test_the_loss_is_where_delta_vanishes(p: list[int], q: list[int]) -> None:
    loss = PrivacyLoss(rational_law(p), rational_law(q))
    bound, witness = loss.loss()
    if any((a == 0) != (b == 0) for a, b in zip(p, q, strict=True)):
        assert bound == arb.pos_inf() and (p[witness] == 0) != (q[witness] == 0)
        return
    ratios = [abs(math.log(a * sum(q) / (b * sum(p)))) for a, b in zip(p, q, strict=True) if a]
    assert close(bound, max(ratios))
    above = Fraction(float(bound)) + Fraction(1, 10**6)
    assert float(loss.delta(above).upper()) < 1e-30
    if max(ratios) > 1e-5:
        assert loss.delta(max(Fraction(0), above - Fraction(1, 10**5))) > 0


@given(st.integers(1, 8), st.integers(1, 4), epsilons)
def test_laplace_noise_in_closed_form(numerator: int, denominator: int, epsilon: Fraction) -> None:
    scale = Fraction(numerator, denominator)
    laws = [exact_distribution(lambda coins, n=n: n + coins.laplace(scale)) for n in (0, 1)]
    loss = PrivacyLoss(*laws)
    q = math.exp(-1 / scale)
    assert close(loss.delta(epsilon), max(0.0, (1 - q * math.exp(epsilon)) / (1 + q)))
    assert 1 / scale - 1e-9 < float(loss.loss()[0]) <= float(1 / scale)


@pytest.mark.parametrize("tail", [Fraction(1, 4), Fraction(1, 10**4)])
@pytest.mark.parametrize("epsilon", [Fraction(0), Fraction(3)])
def test_whatever_is_cut_stays_inside_the_ball(tail: Fraction, epsilon: Fraction) -> None:
    def run(n: int) -> Any:
        return lambda coins: (n + coins.laplace(2), coins.laplace(2) > n)

    coarse, fine = (
        PrivacyLoss(*(exact_distribution(run(n), tail=cut) for n in (0, 1)))
        for cut in (tail, Fraction(1, 2**24))
    )
    assert coarse.delta(epsilon).contains(fine.delta(epsilon).mid())
    assert coarse.loss()[0] <= 2 + 1e-12
    assert coarse.cut >= fine.cut


@given(weights, weights, st.fractions(0, 1, max_denominator=30))
def test_the_least_epsilon_of_a_delta(p: list[int], q: list[int], delta: Fraction) -> None:
    loss = PrivacyLoss(rational_law(p), rational_law(q))
    found = loss.epsilon(delta)
    if not found.is_finite():
        assert loss.delta(50) > fmpq(delta.numerator, delta.denominator)
        return
    value = Fraction(float(found))
    allowed = float(delta) + 1e-9
    assert float(loss.delta(value + Fraction(1, 10**9)).lower()) <= allowed
    if value > Fraction(1, 10**6):
        assert float(loss.delta(value - Fraction(1, 10**6)).upper()) > float(delta) - 1e-9


def biased(chance: Fraction) -> OutputDistribution[bool]:
    return exact_distribution(lambda coins: coins.flip(chance))


@pytest.mark.parametrize("doublings", [30_000, 60_000])
def test_losses_up_to_65536_are_found(doublings: int) -> None:
    """delta(epsilon) = 1/2 - e^epsilon/2^n is 1/4 at ln(2^n/4), 20793 and 41587."""
    loss = PrivacyLoss(biased(HALF), biased(Fraction(1, 2**doublings)))
    expected = (doublings - 2) * math.log(2)
    for bound in (loss.epsilon(Fraction(1, 4)), loss.enough(Fraction(1, 4))):
        assert float(bound) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("least", [0, HALF, 3, 60_000])
def test_from_wherever_the_search_begins_it_goes_up_to_65536(least: Fraction | int) -> None:
    loss = PrivacyLoss(biased(HALF), biased(Fraction(1, 2**90_000)))
    found = loss.enough(Fraction(1, 4), least=least)
    assert float(found) == pytest.approx((90_000 - 2) * math.log(2), rel=1e-12)


def test_a_lower_bound_stays_where_delta_is_flat() -> None:
    """delta(epsilon) falls until ln(4/3) and then stays at 1/8, the outcome of one law only."""
    loss = PrivacyLoss(rational_law([1, 4, 3]), rational_law([0, 3, 5]))
    least = Fraction(math.log(4 / 3))
    for bound in (loss.epsilon(Fraction(1, 8)), loss.enough(Fraction(9, 64))):
        assert bound <= arb(math.log(4 / 3) + 1e-15)
    found = Fraction(float(loss.epsilon(Fraction(1, 8))))
    assert least - Fraction(1, 10**12) < found <= least + Fraction(1, 10**15)


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("epsilon", [Fraction(0), HALF])
def test_what_one_law_lacks_counts_for_that_law(flipped: bool, epsilon: Fraction) -> None:
    def loss(tail: Fraction) -> PrivacyLoss[int]:
        laws = [
            exact_distribution(lambda coins: coins.below(9) - 4),
            exact_distribution(lambda coins: coins.laplace(3), tail=tail),
        ]
        return PrivacyLoss(*laws[:: -1 if flipped else 1])

    coarse, fine = loss(Fraction(1, 10)), loss(Fraction(1, 2**50))
    assert coarse.cut > 0.01 and fine.cut < 1e-14
    assert coarse.branches < fine.branches
    for direction in (0, 1, None):
        wide, narrow = (each.delta(epsilon, direction) for each in (coarse, fine))
        assert wide.contains(narrow.mid())
        assert wide.rad() <= coarse.cut * arb(2)


def test_losses_beyond_the_search_are_bounded_from_below() -> None:
    loss = PrivacyLoss(biased(HALF), biased(Fraction(1, 2**100_000)))
    truth = 100_000 * math.log(2)
    assert 2**15 < float(loss.epsilon(Fraction(1, 4))) < truth
    assert loss.enough(Fraction(1, 4)) == arb.pos_inf()


@pytest.mark.parametrize("flipped", [False, True])
def test_what_was_cut_of_the_other_law_may_hide_an_outcome(flipped: bool) -> None:
    """Only one of the laws is cut: an outcome that it does not list may yet be one of its own."""

    def pair(width: int) -> PrivacyLoss[int]:
        laws = [
            exact_distribution(lambda coins: coins.below(2 * width + 1) - width),
            exact_distribution(lambda coins: coins.laplace(2), tail=Fraction(1, 20)),
        ]
        assert laws[0].tail.is_zero() and laws[1].tail > 0
        return PrivacyLoss(*laws[:: -1 if flipped else 1])

    assert pair(50).epsilon(Fraction(1, 4)).is_finite()
    assert pair(1).epsilon(Fraction(1, 4)) == arb.pos_inf()


@pytest.mark.parametrize("cut", [Fraction(1, 2**6), Fraction(1, 2**10)])
def test_no_delta_is_more_than_1_whatever_was_cut(cut):
    """Laws on different outcomes: all that was found is lost, and all that was cut may be, too."""
    laws = [
        exact_distribution(lambda coins, n=n: (n, coins.laplace(3), coins.laplace(3)), tail=cut)
        for n in (0, 1)
    ]
    loss, slack = PrivacyLoss(*laws), arb(1e-8)  # a ball has its radius in 30 bits, rounded up
    assert 0 < float(loss.cut) < 1
    for epsilon in (0, 1, 40):
        for direction in (0, 1, None):
            found = loss.delta(epsilon, direction)
            assert found.upper() < 1 + slack and found.lower() >= -slack
