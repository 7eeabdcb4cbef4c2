"""Ranges of choices after a pure mechanism, against the exact loss of mechanisms that exist."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from learners.accounting import (
    BoundedRange,
    Parallel,
    PureDP,
    Scope,
    SelfComposed,
    Sequential,
    total,
    widest_range,
)
from learners.accounting.bounded_ranges import Values
from learners.accounting.epsilons import choices_epsilon, epsilons
from learners.accounting.loss_distributions import LONGEST_SEARCH
from lsclasses.errors import InvalidInput

DELTA = Fraction(1, 10**6)
PURE = Fraction(1, 2)


def exact_delta(eta: float, count: int, pure: float, epsilon: float, t: float) -> float:
    """Delta of a randomized response and `count` choices with losses t and t - eta, by sums.

    A choice has the loss t with probability (e^eta - e^t)/(e^eta - 1) in the first world.
    """
    likely = (math.exp(eta) - math.exp(t)) / math.expm1(eta)
    response = {pure: 1 / (1 + math.exp(-pure)), -pure: 1 / (1 + math.exp(pure))}
    found = 0.0
    for first, chance in response.items():
        for fewer in range(count + 1):
            loss = first + count * t - fewer * eta
            ways = math.comb(count, fewer) * likely ** (count - fewer) * (1 - likely) ** fewer
            found += chance * ways * max(0.0, -math.expm1(epsilon - loss))
    return found


def worst_delta(eta: float, count: int, epsilon: float) -> float:
    return max(exact_delta(eta, count, 0.5, epsilon, eta * i / 200) for i in range(1, 200))


@pytest.mark.parametrize("count", [1, 2, 5, 20, 50])
def test_choices_that_exist_are_private_and_a_wider_range_is_not(count: int) -> None:
    eta = float(widest_range(Fraction(1), DELTA, count, PURE))
    assert worst_delta(eta, count, 1.0) <= DELTA
    # Adaptive choices lose a little more than choices fixed in advance.
    assert worst_delta(eta * 1.04, count, 1.0) > DELTA


@pytest.mark.parametrize("epsilon", [Fraction(1, 4), Fraction(4)])
@pytest.mark.parametrize("count", [3, 30])
def test_the_accountants_confirm_the_range(epsilon: Fraction, count: int) -> None:
    pure, scope = epsilon / 5, Scope.adaptive("replace_one")

    def spent(eta: Fraction) -> Fraction:
        draws = SelfComposed(BoundedRange(eta, scope=scope), count)
        return total(Sequential((PureDP(pure, scope=scope), draws)), DELTA).epsilon

    eta = widest_range(epsilon, DELTA, count, pure)
    assert epsilon * Fraction(99, 100) < spent(eta) <= epsilon < spent(eta * Fraction(103, 100))


def test_longer_compositions_use_zcdp() -> None:
    """The range falls with the number of choices, also where the search ends."""
    counts = (1, 2, LONGEST_SEARCH, LONGEST_SEARCH + 1, 500)
    ranges = [widest_range(Fraction(1), DELTA, count, PURE) for count in counts]
    assert ranges == sorted(ranges, reverse=True)
    assert ranges[0] == PURE
    assert [widest_range(Fraction(1), Fraction(0), count) for count in (1, 4)] == [1, PURE / 2]


def test_the_pure_mechanism_leaves_a_part() -> None:
    with pytest.raises(InvalidInput, match="must leave a positive epsilon"):
        widest_range(Fraction(1), DELTA, 3, Fraction(1))


@pytest.mark.parametrize(("step", "segments"), [(0.01, 8), (0.125, 3), (0.3, 24), (1.5, 2)])
def test_a_step_is_the_maximum_over_all_losses_of_a_choice(step: float, segments: int) -> None:
    """The maximum of (1) in `bounded_ranges` with chords, by 400 losses per step of the grid."""
    rng = np.random.default_rng(segments)
    # Convex and decreasing in u, from random slopes, with flat and steep parts.
    grid = np.exp(step * np.arange(40))
    slopes = np.sort(rng.random(39) ** 8)[::-1]
    drops = np.append(np.cumsum((slopes * np.diff(grid))[::-1])[::-1], 0)
    values = Values(step, drops / max(drops[0], 1e-300) * rng.random())
    points = values.extended(segments, segments)
    at = np.exp(step * np.arange(-segments, 40 + segments))
    eta = step * segments
    t = np.linspace(0, eta, 400 * segments + 1)
    likely = (math.exp(eta) - np.exp(t)) / math.expm1(eta)
    found = values.after_choice(segments).values
    for u, new, old in zip(grid, found, values.values, strict=True):
        chords = np.interp(u * np.exp(-t), at, points), np.interp(u * np.exp(eta - t), at, points)
        most = (likely * chords[0] + (1 - likely) * chords[1]).max()
        assert max(most, old) * (1 - 1e-12) <= new <= max(most, old) * (1 + 1e-5) + 1e-15


def test_the_costliest_alternative_decides_by_the_best_accountant_of_each() -> None:
    """Alternatives that cannot be the costliest are skipped, and the total stays equal."""
    data = Scope.adaptive("replace_one")
    alternatives = tuple(
        Sequential(
            (
                PureDP(Fraction(pure, 10), scope=data),
                SelfComposed(BoundedRange(Fraction(1, 10), scope=data), count),
            )
        )
        for pure, count in ((1, 40), (5, 30), (9, 10), (2, 38))
    )
    least = [min(epsilons(each, DELTA).values()) for each in alternatives]
    for order in (alternatives, alternatives[::-1]):
        found = choices_epsilon(Parallel(order), DELTA, Fraction(50))
        assert found <= max(least)
        alone = [choices_epsilon(Parallel((each,)), DELTA, Fraction(50)) for each in order]
        assert found == max(alone)
    assert choices_epsilon(Parallel(alternatives), DELTA, Fraction(1, 100)) == Fraction(1, 100)


def test_a_cheap_bound_of_one_alternative_does_not_replace_a_costlier_one() -> None:
    """The sum of the epsilons of both alternatives exceeds the sharp total of the first one."""
    releases = PureDP(Fraction(1, 10), scope=Scope.adaptive("replace_one"))
    many, few = SelfComposed(releases, 100), SelfComposed(releases, 90)
    totals = [choices_epsilon(Parallel((each,)), DELTA, Fraction(50)) for each in (many, few)]
    assert totals[1] < totals[0] < Fraction(90, 10)
    for order in ((many, few), (few, many)):
        assert choices_epsilon(Parallel(order), DELTA, Fraction(50)) == totals[0]
