"""Lower bounds on mistakes against brute force, exact optima and each other."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

import catalog
from learners.lower_bounds.point_bounds import (
    best_prior,
    factor_above,
    halving_bound,
    mistakes_at_least,
    payoff,
    prior_bound,
    successive,
    window_bound,
)
from learners.optimal.mistakes import optimal_mistakes
from lsclasses.errors import InvalidInput

HALF, SMALL = Fraction(1, 2), Fraction(1, 100)


def mean_payoff(prior, ratio, delta, f):
    """The mean of the right side of (2) in docs/lower-bounds.md, term by term."""
    mean = Fraction(0)
    for events, weight in prior.items():
        for t, event in enumerate(events):
            a = sum(events[:t])
            group = delta * sum((ratio**k for k in range(a)), Fraction(0))
            mean += weight * (1 - ratio**a * f[t] - group if event else (f[t] - group) / ratio**a)
    return mean / sum(prior.values())


@pytest.mark.parametrize("delta", [Fraction(0), SMALL])
@pytest.mark.parametrize("ratio", [Fraction(11, 10), Fraction(3)])
def test_a_prior_against_all_corners(ratio, delta):
    """The minimum over f is at a corner of the cube, and all corners are tried."""
    streams = list(product((0, 1), repeat=3))
    prior = {each: Fraction(i % 4, 7) for i, each in enumerate(streams)}
    corners = product((Fraction(0), Fraction(1)), repeat=3)
    least = min(mean_payoff(prior, ratio, delta, f) for f in corners)
    assert prior_bound(prior, ratio, delta) == least


@pytest.mark.parametrize("rounds", [1, 2, 5])
@pytest.mark.parametrize("ratio", [Fraction(11, 10), Fraction(2)])
def test_windows_follow_from_their_prior(rounds, ratio):
    """The prior of the proof of Theorem 2 proves at least the bound of the formula."""
    for n in range(1, rounds + 1):
        starts = rounds - n + 1
        growth = sum((ratio**k for k in range(n)), Fraction(0))
        prior = {(0,) * rounds: growth / starts}
        for events in successive(rounds, n):
            if sum(events) == n:
                prior[events] = Fraction(1, starts)
        assert prior_bound(prior, ratio, Fraction(0)) >= n / (1 + growth / starts)
    best = window_bound(rounds, ratio, Fraction(0)).value
    assert prior_bound(best_prior(rounds, ratio, Fraction(0)), ratio, Fraction(0)) >= best - SMALL


@pytest.mark.parametrize(
    ("points", "rounds", "epsilon", "delta"),
    [
        (2, 1, HALF, Fraction(0)),
        (2, 4, Fraction(1), Fraction(0)),
        (3, 2, Fraction(2), SMALL),
        (3, 3, HALF, Fraction(0)),
        (4, 2, Fraction(1, 10), Fraction(0)),
    ],
)
def test_no_private_learner_is_below(points, rounds, epsilon, delta):
    """The optimum over all private learners is at least the bound."""
    optimum = optimal_mistakes(catalog.build(f"points:n={points}"), rounds, epsilon, delta)
    assert mistakes_at_least(points, rounds, epsilon, delta).value <= optimum.upper


def test_monotone():
    """The bounds of windows and halving grow with T, and shrink with delta and epsilon."""
    for bound in (window_bound, halving_bound):
        values = [bound(rounds, Fraction(3, 2), SMALL).value for rounds in range(1, 200, 7)]
        assert values == sorted(values) and values[0] < values[-1]
        shrinking = [bound(99, Fraction(3, 2), Fraction(k, 100)).value for k in range(5)]
        assert shrinking == sorted(shrinking, reverse=True)
        tighter = [bound(99, 1 + Fraction(k, 10), SMALL).value for k in range(1, 9)]
        assert tighter == sorted(tighter, reverse=True)


def test_halving_needs_a_small_epsilon():
    """The bound is 0 for e^epsilon >= 2, and grows with log T at delta = 1/log T otherwise."""
    assert halving_bound(10**6, Fraction(2), Fraction(0)).value == 0
    values = [halving_bound(2**k, factor_above(HALF), Fraction(1, 14 * k)).value for k in (64, 128)]
    assert values[1] > Fraction(19, 10) * values[0]
    windows = [window_bound(2**k, factor_above(HALF), Fraction(1, 14 * k)).value for k in (64, 128)]
    assert windows[1] < windows[0] + 2


def test_few_points_limit_the_rounds():
    """With N points, only N - 1 rounds count."""
    assert mistakes_at_least(5, 10**6, 1) == mistakes_at_least(5, 4, 1)
    assert mistakes_at_least(10**6, 4, 1) == mistakes_at_least(5, 4, 1)


def test_payoff_counts_group_privacy():
    """An event after a events costs r^a f and delta g_a."""
    base, slopes = payoff((1, 1, 0, 1), Fraction(3), SMALL)
    assert slopes == (-1, -3, Fraction(1, 9), -9)
    assert base == 3 - SMALL * (0 + 1 + 4) - SMALL * 4 / 9


def test_refusals():
    """Numbers out of range are refused."""
    with pytest.raises(InvalidInput, match="at least 2 points"):
        mistakes_at_least(1, 3, 1)
    with pytest.raises(InvalidInput, match="at most 64 rounds"):
        best_prior(65, Fraction(2), Fraction(0))
    with pytest.raises(InvalidInput, match="positive sum"):
        prior_bound({(0, 1): 0}, Fraction(2), Fraction(0))
    with pytest.raises(InvalidInput, match="Epsilon"):
        mistakes_at_least(3, 3, 0)


@pytest.mark.parametrize(("rounds", "epsilon"), [(20, 3), (10, 5), (7, 8)])
def test_a_failed_linear_program_leaves_a_proved_bound(rounds, epsilon):
    found = mistakes_at_least(rounds + 1, rounds, epsilon)
    assert 0 < found.value <= rounds
