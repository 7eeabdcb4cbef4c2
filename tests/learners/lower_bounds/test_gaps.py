"""Comparison families against their definition."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import exp, log, sqrt, tanh

import pytest

from learners.lower_bounds.gaps import (
    ComparisonFamily,
    copies,
    gap_bound,
    gap_bound_of_levels,
    largest_gap,
    least_total_depth,
)
from lsclasses.errors import InvalidInput, TooLarge

NONE, SMALL = Fraction(0), Fraction(1, 100)


def deepest(leaves):
    """The least total depth by trying all splits."""
    if leaves == 1:
        return 0
    return leaves + min(deepest(k) + deepest(leaves - k) for k in range(1, leaves))


def test_least_total_depth():
    """The formula agrees with the recursion over all splits."""
    assert [least_total_depth(k) for k in range(1, 12)] == [deepest(k) for k in range(1, 12)]


@pytest.mark.parametrize("delta", [NONE, SMALL])
@pytest.mark.parametrize("positions", [3, 4, 5, 6])
def test_families_by_definition(positions, delta):
    """The gap and the indistinguishability of the best family, from its weights."""
    epsilon = Fraction(1)
    found = largest_gap(positions, epsilon, delta)
    outcomes = list(product((0, 1), repeat=positions - 2))
    weights = found.family.weights
    totals = [sum(row) for row in weights]
    assert len(set(totals)) == 1 and min(map(min, weights)) >= 0

    def one(i, j):
        return Fraction(
            sum(w for w, v in zip(weights[i], outcomes, strict=True) if v[j - 1]), totals[0]
        )

    inner = range(1, positions - 1)
    below = max(one(i, j) for j in inner for i in range(positions) if j < i)
    above = min(one(i, j) for j in inner for i in range(positions) if j > i)
    assert above - below == found.lower
    for p, q in product(weights, repeat=2):
        excess = sum(max(x - exp(1) * y, 0) for x, y in zip(p, q, strict=True)) / totals[0]
        assert excess <= float(delta) + 1e-9
    assert 0 <= found.upper - found.lower < Fraction(1, 10**6)
    assert found.lower <= float(gap_bound(positions, epsilon, delta)) + 1e-9


@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(1), Fraction(2)])
def test_three_positions_attain_the_bound(epsilon):
    """For three positions, the bound is tanh(epsilon/2), and randomized response attains it."""
    found = largest_gap(3, epsilon)
    assert abs(float(found.lower) - tanh(float(epsilon) / 2)) < 1e-8
    assert abs(float(gap_bound(3, epsilon, NONE)) - tanh(float(epsilon) / 2)) < 1e-12


def test_an_even_position_adds_nothing():
    """The optima of 2k - 1 and 2k positions agree, and further positions are harder."""
    values = [float(largest_gap(n, 1).lower) for n in range(3, 9)]
    assert all(abs(values[i] - values[i + 1]) < 1e-6 for i in (0, 2, 4))
    assert values[1] > values[2] + 0.05 and values[3] > values[4] + 0.05


def test_many_copies():
    """The bound for 2^(d+1) - 1 positions holds by the exact inequality of the proof."""
    for levels, epsilon, delta in (
        (300, Fraction(1), NONE),
        (1000, Fraction(1, 10), Fraction(1, 10**4)),
    ):
        k, gap = copies(levels, epsilon, delta), float(gap_bound_of_levels(levels, epsilon, delta))
        assert k * epsilon <= levels * Fraction(7, 10) and k * delta <= Fraction(1, 2)
        wrong, leaves = exp(-k * gap**2 / 2), 2.0**levels if levels < 1000 else None
        if leaves:
            needed = (leaves - 1) * (1 - k * float(delta)) / (leaves - 1 + exp(k * float(epsilon)))
            assert levels * wrong <= needed / 2 + 1e-9
        assert gap == pytest.approx(sqrt(2 * log(6 * levels) / k))
    assert gap_bound_of_levels(5, Fraction(1, 10), Fraction(3, 4)) == 1


def test_majorities_of_a_family_are_no_better():
    """A product of a family is indistinguishable for a multiple of epsilon only."""
    found = largest_gap(3, Fraction(1, 2))
    weights = found.family.weights
    squares = tuple(tuple(x * y for x in row for y in row) for row in weights)
    single = ComparisonFamily(3, weights)
    ratio = Fraction(exp(0.5)).limit_denominator(10**6)
    assert single.divergence(ratio) < Fraction(1, 1000)
    excess = max(
        sum(max(x - ratio * y, 0) for x, y in zip(p, q, strict=True)) / Fraction(sum(p))
        for p, q in product(squares, repeat=2)
    )
    assert excess > Fraction(1, 20)


def test_refusals():
    """Two positions have no gap, and eleven need too long."""
    with pytest.raises(InvalidInput, match="at least 3"):
        largest_gap(2, 1)
    with pytest.raises(InvalidInput, match="at least 3"):
        gap_bound(2, Fraction(1), NONE)
    with pytest.raises(TooLarge, match="at most 9"):
        largest_gap(11, 1)
