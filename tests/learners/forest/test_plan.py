"""What the parameters of a forest are said to be, at the borders of each condition."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
import sympy
from scipy.stats import binom

from learners.budget import Budget
from learners.forest.plan import (
    DEEP,
    ENOUGH_NAMES,
    MANY,
    RARE,
    ForestParameters,
    frequency_shown,
    trees_for_frequency,
)
from learners.mechanisms.hist_sparse import HistSparse

TINY = Fraction(1, 10**6)


def few(**changed: Any) -> ForestParameters:
    given: dict[str, Any] = {
        "leaves": 4, "trees": 3, "frequency": Fraction(1, 2), "histograms": 3,
        "epsilon": Fraction(60), "delta": Fraction(1, 2), "rounds": 10**6,
    }  # fmt: skip
    return ForestParameters(**{**given, **changed})


@pytest.mark.parametrize("leaves", [2, 4, 16])
@pytest.mark.parametrize("trees", [1, 3, 50])
def test_bounds_are_what_their_formulas_say(leaves: int, trees: int) -> None:
    beta, eta = Fraction(1, 10), Fraction(1, 3)
    parameters = few(leaves=leaves, trees=trees, frequency=eta)
    likely, mean, switches = parameters.bounds(1, corrects=True, failure=beta)
    # All merges that there can be: every one makes one of k_1 k_2 vertices less, of which k_2 stay.
    merges = leaves * trees - trees
    values = {
        "k_1": leaves, "k_2": trees, "eta": sympy.Rational(1, 3), "R": merges, "L": sympy.log(40),
    }  # fmt: skip
    for bound in (likely, mean):
        symbols = {sympy.Symbol(name): value for name, value in values.items()}
        exact = sympy.sympify(bound.formula).subs(symbols)
        assert bound.value == sympy.ceiling(exact) if bound is likely else bound.value == exact
    assert switches.value == parameters.histograms - 1
    # More mistakes than that would be as many trials of chance p with at most R successes.
    chance = float(eta / (16 * leaves))
    assert likely.value is not None
    assert binom.cdf(merges, int(likely.value) + 1, chance) <= beta / 4
    # Chernoff's bound asks for up to this much too many.
    assert binom.cdf(merges, int(likely.value) * 2 // 5, chance) > beta / 4
    assert mean.value is not None and mean.value >= merges / (eta / (16 * leaves)) + 3


def test_each_condition_is_met_from_its_border_on() -> None:
    right = ForestParameters.from_theorem(Budget(1, TINY), 1, 1000)
    border = right.frequency
    for parameters, unmet in [
        (right, set()),
        (replace(right, trees=right.trees + 1), set()),
        (replace(right, trees=right.trees - 1), {MANY}),
        (replace(right, histograms=right.histograms + 1, trees=2 * right.trees), set()),
        (replace(right, histograms=right.histograms - 1), {ENOUGH_NAMES, MANY}),
        # Rarer names need more histograms and trees; more frequent ones are not always there.
        (
            replace(right, frequency=border / 2, histograms=2**28, trees=64 * right.trees),
            set(),
        ),
        (replace(right, frequency=border * 2), {RARE, MANY}),
    ]:
        assert set(parameters.bounds(1, corrects=True)[0].unmet) == unmet
    # Deeper trees than needed do no harm, shallower ones do.
    assert right.bounds(0, corrects=True)[0].unmet == ()
    assert right.bounds(2, corrects=True)[0].unmet == (DEEP, MANY)


def test_nothing_is_said_of_mistakes_without_a_mistake_bound_or_a_number_of_rounds() -> None:
    for bounds in (few(rounds=None).bounds(1, True), few().bounds(None, True)):
        assert [bound.quantity for bound in bounds] == ["switches"]


@pytest.mark.parametrize(("rounds", "failure"), [(2, Fraction(1, 100)), (10**6, Fraction(1, 2))])
def test_failures_add_up_to_what_is_stated(rounds: int, failure: Fraction) -> None:
    """Names are inaccurate or rare with at most failure/4 each, and in less than one round in T."""
    parameters = few(rounds=rounds)

    def needed(bad: Fraction) -> int:
        return max(
            trees_for_frequency(4, rounds, bad),
            HistSparse.size_needed(
                parameters.epsilon, parameters.delta, frequency=parameters.frequency,
                histograms=parameters.histograms, rounds=rounds, failure=bad,
            ),
        )  # fmt: skip

    found = parameters.trees_needed(failure)
    assert found >= needed(failure / 4) and found >= needed(Fraction(1, rounds))
    assert found in (needed(failure / 4), needed(Fraction(1, rounds)))


@pytest.mark.parametrize(("leaves", "rounds"), [(2, 7), (4, 1000)])
def test_trees_for_a_frequency_are_the_least_number_of_the_formula(
    leaves: int, rounds: int
) -> None:
    """[GL21, (6)]: k_2 >= 2^(8 k_1 + 6) k_1^2 ln(5 T log2(k_1)/failure)."""
    size = 2 ** (8 * leaves + 6) * leaves**2
    exact = size * sympy.log(5 * rounds * int(math.log2(leaves)) * 100)
    assert trees_for_frequency(leaves, rounds, Fraction(1, 100)) == sympy.ceiling(exact)


def test_printed_parameters_are_those_in_print() -> None:
    """[GL21, proof of Theorem 4.1]: eta = 2^(-4 k_1)/(4 k_1), c = 4 k_1/eta, k_2 by (4) and (6)."""
    printed = ForestParameters.from_theorem(Budget(1, TINY), 1, 1000, printed=True)
    k_1, c, T = printed.leaves, printed.histograms, 1000
    eta = Fraction(1, 4 * k_1 * 2 ** (4 * k_1))
    assert k_1 == 32 and printed.frequency == eta and c == 4 * k_1 / eta
    alpha = eta / 32
    tests = 8 * c / alpha * (math.log(T) + math.log(2 * c * T))
    assert printed.trees == pytest.approx(float(tests), rel=1e-12)
    assert printed.trees >= trees_for_frequency(k_1, T, Fraction(1, T))


def test_larger_trees_may_be_asked_for_within_what_is_computed() -> None:
    assert ForestParameters.from_theorem(Budget(1, TINY), 1, 1000, leaves=8).leaves == 8
    assert ForestParameters.from_theorem(Budget(1, TINY), 5, 1000, leaves=64).leaves == 64
    assert frequency_shown(2) == Fraction(1, 16 * 2 * 2**8)
