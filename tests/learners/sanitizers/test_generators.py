"""Generators of fooling games: forecasts by definition, and rounds that are counted."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb, exp, log, sqrt

import pytest

from learners.coins import SeededCoins
from learners.sanitizers.generators import DualGenerator, DualProposal, HedgeGenerator
from learners.sanitizers.point_samples import PointSample
from lsclasses.soa import ConservativeSOA
from tests.learners.sanitizers.small_classes import table


def test_the_rounds_of_hedge_are_those_of_the_divergence():
    for spec, alpha in (("thresholds:n=16", Fraction(1, 5)), ("intervals:n=9", Fraction(1, 10))):
        C = table(spec)
        rounds = 2 * log(len(C.domain)) / float(alpha) ** 2
        assert rounds < HedgeGenerator(C, alpha).rounds < 1.01 * rounds + 1


class Short(DualGenerator):
    rounds = 6


def expert(D, dimension, own, examples):
    """What an expert of `DualGenerator` predicts on all examples, or None if it was dropped."""
    state, said = ConservativeSOA(D), []
    for t, (h, _) in enumerate(examples):
        label = state.predict(h)
        if t in own:
            label = 1 - label
            state = state.observe(h, label)
            if not state.realizable:
                return None
        said.append(label)
    return said


def test_forecasts_are_those_of_all_experts_one_by_one():
    # With seed 1 an expert is right that does not say what the SOA says.
    C, coins = table("thresholds:n=4"), SeededCoins(1)
    generator = Short(C, Fraction(1, 2))
    D, d = generator.dual, generator.dimension
    N = sum(comb(6, i) for i in range(d + 1))
    assert generator.rate == pytest.approx(sqrt(8 * log(N) / 6))
    state, told = generator.start(coins), []
    # The start may have drawn examples, which nobody sees: go on from before them.
    state = type(state)(generator, {(ConservativeSOA(D), 0): 1.0})
    for _ in range(5):
        ones = everything = 0.0
        forecast = []
        for h in D.domain:
            ones = everything = 0.0
            for size in range(d + 1):
                for own in combinations(range(6), size):
                    said = expert(D, d, own, [*told, (h, 0)])
                    if said is None:
                        continue
                    losses = sum(s != y for s, (_, y) in zip(said, told, strict=False))
                    weight = exp(-generator.rate * losses)
                    ones += weight * said[-1]
                    everything += weight
            forecast.append(ones / everything)
        assert state.forecast.tolist() == pytest.approx(forecast)
        example = (coins.below(len(C)), coins.below(2))
        told.append((D.domain[example[0]], example[1]))
        state = type(state)(generator, state._reweighted(example).groups, asked=len(told))


def test_a_dual_proposal_fits_its_forecast_or_an_example_is_drawn_that_costs_it():
    C = table("points:n=4")
    generator = DualGenerator(C, Fraction(2, 5))
    coins = SeededCoins(1)
    state = generator.start(coins)
    assert state.drawn > 0
    points = PointSample.at(C.domain, [0, 0, 1, 3])
    for _ in range(2):
        shares = [Fraction(w, sum(state.weights)) for w in state.weights]
        forecast = state.forecast
        assert max(abs(float(s) - q) for s, q in zip(shares, forecast, strict=True)) < 0.1 + 1e-6
        state = state.after((points[0], 1), coins)
    # Before any example all experts say what the SOA says at first, which no point does.
    fresh = type(state)(generator, {(ConservativeSOA(generator.dual), 0): 1.0})
    _, off = fresh._nearest()
    examples, counts = fresh._witness()
    gains = [
        sum(
            count * (fresh.forecast[h] - x(h)) * (1 - 2 * y)
            for (h, y), count in zip(examples, counts, strict=True)
        )
        / sum(counts)
        for x in generator.dual
    ]
    assert off > 0.1
    assert min(gains) == pytest.approx(off, abs=1e-6)


def test_rounds_are_counted_until_none_is_left():
    """Answers and drawn examples are rounds; when no round follows, a proposal is made anyhow."""
    generator, coins = Short(table("points:n=4"), Fraction(1, 2)), SeededCoins(1)
    state = generator.start(coins)
    assert state.asked == 0 and state.remaining == 5 - state.drawn
    for told in range(1, 9):
        drawn = state.drawn
        state = state.after((told % 4, told % 2), coins)
        assert state.asked == told and state.drawn >= drawn
        assert state.remaining == max(0, 5 - told - state.drawn)
        assert sum(state.weights) == pytest.approx(2**40, rel=1e-6)
        assert min(state.weights) >= 0
    assert state.remaining == 0


def test_experts_of_a_group_go_on_in_as_many_ways_as_they_have_rounds_to_choose():
    generator = Short(table("thresholds:n=8"), Fraction(1, 2))
    assert generator.dimension == 3
    soa = ConservativeSOA(generator.dual)
    state = DualProposal(generator, {(soa, 0): 1.0}, asked=1)
    assert state.remaining == 4
    for made in range(4):
        ways = [
            sum(1 for size in range(most + 1) for _ in combinations(range(4), size))
            for most in (3 - made, 2 - made)
        ]
        # All that say something else than the SOA have one round less left.
        assert state._ways(soa, made, 4, soa.predict(generator.dual.domain[4]), 0.5) == (
            ways[0] / 2,
            ways[1] / 2,
        )
