"""Gaussian accounting: extreme parameters, groups, exit times and events fixed in advance."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import arb
from scipy.linalg import solve_banded

from learners.accounting import (
    ZCDP,
    AtOnce,
    BoundedRange,
    Event,
    GaussianDP,
    Grouped,
    InAdvance,
    OneAtATime,
    Parallel,
    PrivacyFilter,
    PureDP,
    Scope,
    SelfComposed,
    Sequential,
    gaussian,
    gaussian_epsilon,
    gaussian_mu_squared,
    scope,
    total,
    zcdp,
    zcdp_rho,
)
from learners.accounting.bounded_ranges import segments_of
from learners.accounting.discrete_gaussians import (
    least_parameter,
    normal_parameter,
    summed_delta,
    vector_delta,
)
from learners.accounting.gaussians import (
    _log_moment,
    _mixed_epsilon,
    _sums,
    embedded,
    gaussian_delta,
)
from learners.accounting.profiles import Profile
from learners.balls import ball
from learners.mechanisms import CountNoise
from learners.release_costs import cost_of

DATA = Scope.adaptive("replace_one")
DELTA = Fraction(1, 10**6)
SMALL = GaussianDP(Fraction(1, 100), scope=DATA)


@pytest.mark.parametrize("epsilon", [Fraction(1, 10**30), Fraction(1), Fraction(10**9)])
@pytest.mark.parametrize(
    "delta", [Fraction(1, 10**2000), Fraction(1, 10**300), Fraction(999, 1000), 1 - DELTA**5]
)
def test_extreme_budgets_have_at_most_the_noise_of_zcdp(epsilon: Fraction, delta: Fraction) -> None:
    for changes in (1, 10**6):
        noise = CountNoise(epsilon, changes, delta)
        old = CountNoise(epsilon, changes, delta, composition="zcdp")
        assert (noise.variance or 0) <= (old.variance or 2 * noise.scale**2)
        parts = CountNoise(epsilon, changes, delta, part=Fraction(1, 3)).variance
        assert parts is None or parts > 0


@pytest.mark.parametrize("loss", [Fraction(1, 10**30), Fraction(1, 3), Fraction(500)])
@pytest.mark.parametrize("count", [1, 2**18, 2**2000])
@pytest.mark.parametrize("delta", [Fraction(1, 10**2000), Fraction(999, 1000)])
def test_extreme_compositions_cost_at_most_the_sum(
    loss: Fraction, count: int, delta: Fraction
) -> None:
    for kind in (PureDP, BoundedRange):
        found = total(SelfComposed(kind(loss, scope=DATA), count), delta)
        assert 0 <= found.epsilon <= loss * count


def test_the_conversions_are_inverse() -> None:
    for epsilon in (Fraction(0), Fraction(1, 100), Fraction(1), Fraction(30)):
        mu_squared = gaussian_mu_squared(epsilon, DELTA)
        assert gaussian_epsilon(mu_squared, DELTA) <= epsilon
        assert gaussian_epsilon(mu_squared * (1 + DELTA), DELTA) > epsilon
        if epsilon:
            assert mu_squared > 2 * zcdp_rho(epsilon, DELTA)
    assert gaussian_epsilon(Fraction(0), DELTA) == 0


def test_squares_of_mu_add_up() -> None:
    together = gaussian(GaussianDP(1, scope=DATA), DELTA)
    assert gaussian(SelfComposed(SMALL, 100), DELTA) == together
    assert gaussian(Grouped(SMALL, 10), DELTA) == together
    assert gaussian(Parallel((SMALL, GaussianDP(1, scope=DATA))), DELTA) == together
    at_once = OneAtATime((AtOnce(GaussianDP(1, scope=DATA)), AtOnce(SMALL)))
    assert gaussian(at_once, DELTA) == together
    assert OneAtATime((SMALL, SMALL)).profile() == SelfComposed(SMALL, 2).profile()
    assert cost_of(SelfComposed(SMALL, 100), DELTA) == together
    failing = GaussianDP(1, DELTA / 2, scope=DATA)
    assert gaussian(failing, DELTA)[0] == gaussian(GaussianDP(1, scope=DATA), DELTA / 2)[0]


def test_gaussian_losses_are_zcdp_with_other_losses() -> None:
    mixed = Sequential((SMALL, ZCDP(Fraction(1, 200), scope=DATA)))
    assert zcdp(mixed, DELTA) == zcdp(ZCDP(Fraction(1, 100), scope=DATA), DELTA)
    assert total(mixed, DELTA).method == "zcdp"
    budget = PrivacyFilter(2, DELTA, method="zcdp")
    budget.charge(SMALL)
    assert budget.spent == PrivacyFilter.spent.fget(_charged(ZCDP(Fraction(1, 200), scope=DATA)))  # type: ignore[attr-defined]
    pure = Sequential((GaussianDP(1, scope=DATA), PureDP(Fraction(1, 5), scope=DATA)))
    assert gaussian(pure, DELTA)[0] <= Fraction(1, 5) + gaussian(pure.events[0], DELTA)[0]


def _charged(event: Event) -> PrivacyFilter:
    budget = PrivacyFilter(2, DELTA, method="zcdp")
    budget.charge(event)
    return budget


def test_only_fixed_streams_are_covered_in_advance() -> None:
    choice = BoundedRange(Fraction(1, 2), scope=DATA)
    fixed = InAdvance(choice, 20)
    assert scope(fixed) == Scope.fixed("replace_one") and scope(choice) == DATA
    assert fixed.profile() == SelfComposed(choice, 20).profile()
    adaptive = total(SelfComposed(choice, 20), DELTA).epsilon
    assert total(fixed, DELTA).epsilon < adaptive
    # As a part of another event, it costs as much as adaptive choices.
    assert total(Sequential((fixed,)), DELTA).epsilon == adaptive


def test_exit_times_of_brownian_motion() -> None:
    """E[e^(x time)] solves f''/2 + f'/2 + x f = 0. Finite differences solve it as well."""
    width, c, points = 0.6, 2.0, 2001
    x = c * c / 2 + 1 / 8
    h = width / (points - 1)
    bands, right = np.zeros((3, points)), np.ones(points)
    bands[0, 2:] = 1 / (2 * h * h) + 1 / (4 * h)
    bands[1] = x - 1 / (h * h)
    bands[2, :-2] = 1 / (2 * h * h) - 1 / (4 * h)
    bands[1, [0, -1]] = 1
    right[1:-1] = 0
    moments = solve_banded((1, 1), bands, right)
    bound = float(_log_moment((), ((ball(Fraction(3, 5)), 1),), arb(c)).mid())
    assert moments.max() <= math.exp(bound) * (1 + 1e-6)
    assert math.log(moments.max()) == pytest.approx(bound, rel=1e-3)
    pure = float(_log_moment(((ball(Fraction(3, 10)), 1),), (), arb(c)).mid())
    assert math.log(moments[points // 2]) == pytest.approx(pure, rel=1e-3)


def test_many_choices_cost_less_than_by_zcdp() -> None:
    many = Profile(ranges=((Fraction(1, 10**4), 10**7), (Fraction(1, 10**5), 10**8)))
    assert embedded(many, DELTA) is not None
    assert float(embedded(many, DELTA) or 0) < 0.95 * float(
        zcdp(ZCDP(many.concentrated, scope=DATA), DELTA)[0]
    )
    # The normal limit is a lower bound.
    assert (embedded(many, DELTA) or 0) > gaussian_epsilon(2 * many.concentrated, DELTA)
    assert embedded(Profile(mu_squared=Fraction(1)), DELTA) is None
    assert embedded(Profile(losses=((Fraction(400), 1),)), DELTA) is None


@pytest.mark.parametrize("epsilon", [Fraction(1, 10**99), Fraction(1, 10**3), Fraction(200)])
def test_extreme_counts_next_to_choices_have_a_total(epsilon: Fraction) -> None:
    mixed = Profile(losses=((epsilon, 1),), ranges=((Fraction(1, 10**7), 1000),))
    found = embedded(mixed, DELTA)
    assert found is not None and 0 <= found <= 2 * epsilon + Fraction(1, 10)


def test_long_recursions_are_left_out() -> None:
    assert segments_of(Fraction(1, 10), 100, 2.5) == 32
    assert segments_of(Fraction(1, 10), 3, 0.3) == 128
    assert segments_of(Fraction(1, 100), 10**5, 5.0) is None
    assert segments_of(Fraction(1, 10**9), 2**18, 1e-5) is None


def test_the_noise_of_a_vector_is_that_of_its_longest_part() -> None:
    """A vector of squares 9 may be one change by 3 or nine changes by 1."""
    s = least_parameter(Fraction(1), DELTA, 9, 9, False)
    with_balls = [vector_delta(s, 3, Fraction(1)), summed_delta(s, 9, Fraction(1))]
    assert all(delta <= ball(DELTA) for delta in with_balls)
    unit = normal_parameter(Fraction(1, 10), DELTA, 9, 9, True)
    assert unit < normal_parameter(Fraction(1, 10), DELTA, 9, 9, False)


@pytest.mark.parametrize("mu_squared", [Fraction(1, 100), Fraction(1), Fraction(9)])
@pytest.mark.parametrize(
    "losses", [((Fraction(1, 10), 1),), ((Fraction(1, 3), 4), (Fraction(1), 2))]
)
def test_a_gaussian_release_next_to_pure_losses_costs_no_less_than_the_truth(
    mu_squared: Fraction, losses: tuple[tuple[Fraction, int], ...]
) -> None:
    """The result is valid by the definition of delta, and no number that is a bit less is valid."""
    sums = _sums(losses)
    assert sums is not None
    for delta in (Fraction(1, 100), Fraction(1, 10**9)):
        epsilon = _mixed_epsilon(mu_squared, sums, delta)

        def spent(at: Fraction) -> arb:
            parts = [chance * gaussian_delta(mu_squared, at - loss) for loss, chance in sums]
            return sum(parts, arb(0))

        assert spent(epsilon) <= ball(delta)
        assert spent(epsilon * (1 - Fraction(1, 2**25))) > ball(delta)
