"""The chance that all phases end, against closed forms, naive recursion, and games."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import exp, log

import numpy as np
import pytest

from learners.accounting import BoundedRange, PureDP, Scope, SelfComposed, Sequential, total
from learners.experts.phases import (
    Phases,
    chance_that_all_end,
    chances_that_all_end,
    good_phases,
    phases_for,
    sharp_phases,
)
from lsclasses.errors import InvalidInput

SMALL = Fraction(1, 10**6)


@pytest.mark.parametrize("experts", [10, 1000])
@pytest.mark.parametrize("count", [1, 4, 9])
def test_where_nobody_recovers_the_number_of_phases_is_poisson(experts: int, count: int) -> None:
    """So large a rate that X is exponential: K of them add up to ln N at most."""
    found = chances_that_all_end(Phases.equal(count, 100, Fraction(10)), experts, 0)[0]
    mean, term, poisson = log(experts), 1 / experts, 0.0
    for i in range(count):
        poisson += term
        term *= mean / (i + 1)
    assert 1 - poisson <= found <= (1 - poisson) * 1.2
    # With a phase for nothing it is larger.
    assert found < chances_that_all_end(Phases.equal(count, 100, Fraction(10)), experts, 0)[1]


def naive(phases: Phases, experts: int, early: int, rare: int, cells: int = 400) -> float:
    """The recursion of the module in floating point, V on a grid as well."""
    most, us = log(experts), (np.arange(cells) + 0.5) / cells
    grid = np.linspace(0, most, cells + 1)
    later = np.ones((rare + 1, cells + 1))
    rates = [float(rate) for rate in (*phases.rates[:1], *phases.rates)]
    for k in reversed(range(len(phases.thresholds))):
        last = k == len(phases.weights)
        ratio = 1.0 if last or k == 0 else min(1.0, rates[k + 1] / rates[k])
        weight = 1e9 if last else rates[k] * phases.weights[k]
        if k in {sum(phases.blocks[:b]) for b in range(1, len(phases.blocks))} and not last:
            ratio = weight = 0.0
        q = 1 - exp(-weight * max(0, phases.thresholds[k] - early + 1))
        drawn = grid[:, None] - np.log(1 - us * q)
        found = []
        for e in range(rare + 1):
            kept = np.where(drawn <= most, np.interp(ratio * drawn, grid, later[e]), 0)
            if e:
                kept = np.maximum(kept, np.interp(ratio * grid, grid, later[e - 1])[:, None])
            found.append(kept.mean(axis=1))
        later = np.array(found)
    return float(later[-1, 0])


@pytest.mark.parametrize(("experts", "rare"), [(8, 0), (1000, 1), (8, 2)])
def test_against_naive_recursion(experts: int, rare: int) -> None:
    """Rounding makes the chance larger, and by little; one early round less is visibly less."""
    phases, _ = sharp_phases(experts, 20_000, (Fraction(1), SMALL), Fraction(1, 20))
    early = 27
    found = chances_that_all_end(phases, experts, early)[rare]
    expected = naive(phases, experts, early, rare)
    assert expected * 0.98 <= found <= expected * 2.2
    if rare:
        assert chances_that_all_end(phases, experts, early)[rare - 1] < expected * 0.98


FALLING = Phases((5,) * 7, (3,) * 6, tuple(Fraction(1, 2 + k) for k in range(6)))


@pytest.mark.parametrize("rare", [0, 1])
@pytest.mark.parametrize("experts", [8, 1000])
def test_falling_rates_take_back_what_was_gained(experts: int, rare: int) -> None:
    found = chances_that_all_end(FALLING, experts, 1)[rare]
    expected = naive(FALLING, experts, 1, rare)
    assert expected * 0.98 <= found <= expected * 1.2
    constant = replace(FALLING, rates=FALLING.rates[:1] * 6)
    assert naive(constant, experts, 1, rare) < expected * 0.98


@pytest.mark.parametrize("bits", [20, 54, 55, 60, 61, 63, 64, 100])
def test_ratios_of_large_numbers_are_rounded_down(bits: int) -> None:
    """The ratios are so close to 1 that each phase loses one cell of the grid, and no more."""
    falling = tuple(Fraction(1, 10) * (1 - Fraction(k + 1, 2**bits)) for k in range(5))
    phases = Phases((30,) * 6, (1,) * 5, falling)
    found, constant = (
        chances_that_all_end(each, 4, 5)[0]
        for each in (phases, replace(phases, rates=falling[:1] * 5))
    )
    assert constant < found < constant * Fraction(11, 10)


def test_each_block_begins_anew() -> None:
    """What is proved of phases before a block, and of its first one, is lost with it."""
    one = Phases((5,) * 7, (3,) * 6, (Fraction(1, 2),) * 6)
    found = [
        chances_that_all_end(replace(one, blocks=blocks), 50, 1)[0]
        for blocks in ((7,), (2, 5), (1, 1, 5), (1, 1, 1, 1, 1, 1, 1))
    ]
    last_four = Phases((5,) * 4, (3,) * 3, (Fraction(1, 2),) * 3)
    most = chances_that_all_end(last_four, 50, 1)[0]
    assert 2 * found[0] < Fraction(9, 10) * most < found[1] <= found[2] <= most < found[3]
    assert one.blocks == (7,)
    for wrong in ((3,), (3, 0, 4), (4, 4)):
        with pytest.raises(InvalidInput):
            replace(one, blocks=wrong)


def test_early_rounds_by_phase() -> None:
    phases = Phases((5, 9, 5), (3, 3), (Fraction(1, 2),) * 2)
    same = replace(phases, thresholds=(5, 5, 5))
    found = chances_that_all_end(phases, 50, (1, 5, 1))[0]
    assert found == chances_that_all_end(same, 50, 1)[0] > chances_that_all_end(phases, 50, 1)[0]


@pytest.mark.parametrize("expected", [Fraction(1, 100), Fraction(1, 8), Fraction(1, 2)])
def test_the_mean_over_early_rounds(expected: Fraction) -> None:
    """At least the mean under the Poisson distribution, and larger by less than m^2 of it."""
    phases = Phases.equal(12, 30, Fraction(1, 10))
    chances = [float(each) for each in chances_that_all_end(phases, 100, 20)]
    mean, term, left = 0.0, exp(-expected), 1.0
    for e, chance in enumerate(chances, 1):
        mean, left = mean + term * chance, left - term
        term *= float(expected) / e
    mean += left
    found = chance_that_all_end(phases, 100, 20, expected)
    assert mean <= found <= mean * (1 + float(expected) * 1.1)


def test_a_limit_proves_nothing() -> None:
    """A phase that may end at its limit is like a phase with a low threshold."""
    phases = Phases((5,) * 3, (3,) * 2, (Fraction(1, 2),) * 2)
    low = replace(phases, thresholds=(5, -10, 5))
    limited = replace(phases, limits=(0, 9, 0))
    found = chances_that_all_end(limited, 50, 1)
    assert found == chances_that_all_end(low, 50, 1) != chances_that_all_end(phases, 50, 1)
    assert found == chances_that_all_end(phases, 50, (1, None, 1))
    for wrong in ((1,), (-1, 0, 0)):
        with pytest.raises(InvalidInput):
            replace(phases, limits=wrong)
        with pytest.raises(InvalidInput):
            replace(phases, rises=wrong)


@pytest.mark.parametrize("delta", [Fraction(0), SMALL])
@pytest.mark.parametrize("bits", [1, 3, pytest.param(17, marks=pytest.mark.slow)])
def test_no_phase_costs_more_than_the_budget(bits: int, delta: Fraction) -> None:
    """By the accountants, for the threshold of a phase and all draws that read the phase."""
    epsilon = Fraction(1) if delta else Fraction(100)
    phases, counting = sharp_phases(2**bits, 10**5, (epsilon, delta), Fraction(1, 20))
    scope = Scope.adaptive("replace_one")
    assert len(set(phases.rates)) == 1
    for j, weight in enumerate(phases.weights):
        # The first draw of the next block still reads the block.
        readers = len(phases.readers(j))
        draw = BoundedRange(2 * phases.rates[0] * weight, scope=scope)
        event = Sequential((PureDP(counting[j], scope=scope), SelfComposed(draw, readers)))
        assert Fraction(9, 10) * epsilon < total(event, delta).epsilon <= epsilon


def test_an_expert_that_is_never_credited() -> None:
    """Where nothing is proved of a phase, it may end; so may the last one."""
    assert chances_that_all_end(Phases.equal(5, 10, Fraction(1)), 2**10, 11)[0] == 1
    for experts in (2, 2**10):
        assert chances_that_all_end(Phases((4,), (), ()), experts, 5)[0] == 1
        assert chances_that_all_end(Phases((-100,), (), ()), experts, 5)[0] == 1
        # The drawn one has lost something, so it is not the perfect one.
        found = chances_that_all_end(Phases((5,), (), ()), experts, 5)[0]
        assert 1 - Fraction(1, experts) <= found < 1


def test_phases_of_the_cautious_rule() -> None:
    for experts in (2, 3, 5, 100, 10**6):
        assert good_phases(experts) == int(log(experts) / log(4 / 3) + 1e-9)
    assert phases_for(0, Fraction(1, 2)) == 2  # P[Bin(2, 1/2) <= 0] = 1/4
