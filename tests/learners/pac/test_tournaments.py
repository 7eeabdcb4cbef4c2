"""The laws of tournaments against a transcription of [BLM20, section 4.2] that lists all pairs."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

import catalog
from learners.pac.distributions import FiniteDistribution
from learners.pac.tournaments import costs_within, least_frequency, tournaments
from lsclasses import Table, TooLarge
from lsclasses.soa import SOA

laws = settings(max_examples=10)

Law = dict[Any, Fraction]
"""Outcomes with their probabilities."""


def surrounds(ball: arb, value: Fraction) -> bool:
    with ctx.workprec(256):
        return bool(ball.contains(arb(fmpq(value.numerator, value.denominator))))


def learned(states: Law, D: FiniteDistribution, n: int) -> Law:
    """States after n examples; keys are (state, cost) or any (state, ...)."""
    for _ in range(n):
        after: Law = {}
        for (state, *rest), p in states.items():
            for (x, y), weight in D.weights.items():
                key = (state.observe(x, y), *rest)
                after[key] = after.get(key, Fraction(0)) + p * weight
        states = after
    return states


def losers(states: Law) -> Law:
    """[BLM20, D_k steps (i) to (v)], pair by pair."""
    said = {state: tuple(state.hypothesis.to_concept().labels) for state, *_ in states}
    found: Law = {}
    for ((one, *_), p), ((other, *_), q) in product(states.items(), repeat=2):
        f, g = said[one], said[other]
        for x in [x for x in range(3) if f[x] != g[x]][:1]:
            for y in (0, 1):
                key = ((one if f[x] != y else other).observe(x, y),)
                found[key] = found.get(key, Fraction(0)) + p * q / 2
    theta = sum(found.values())
    return {key: p / theta for key, p in found.items()}


def rules(states: Law) -> Law:
    found: Law = {}
    for (state, *_), p in states.items():
        h = state.hypothesis.to_concept()
        found[h] = found.get(h, Fraction(0)) + p
    return found


@st.composite
def instances(draw):
    """A class on three points, a target, and a distribution on some of the points."""
    rows = draw(st.lists(st.integers(0, 7), min_size=2, max_size=5, unique=True))
    C = Table([[row >> j & 1 for j in range(3)] for row in rows])
    counts = draw(st.lists(st.integers(0, 3), min_size=3, max_size=3).filter(any))
    target = C[draw(st.integers(0, len(C) - 1))]
    weights = {x: Fraction(n, sum(counts)) for x, n in enumerate(counts) if n}
    return C, FiniteDistribution.labelled(target, weights)


@laws
@given(instances(), st.integers(1, 2), st.booleans())
def test_laws_are_those_of_all_pairs(instance, n, noise):
    C, D = instance
    if noise:
        D = FiniteDistribution(
            C.domain,
            {
                (x, label): weight * (Fraction(3, 4) if label == y else Fraction(1, 4))
                for (x, y), weight in D.weights.items()
                for label in (0, 1)
            },
        )
    found = tournaments(SOA(C), D, n, beyond=True, most=1)
    states: Law = {(SOA(C),): Fraction(1)}
    defined = True
    expected = Fraction(0)
    for k in range(min(2, C.ldim() + 1)):
        states = learned(losers(states) if k else states, D, n)
        level, law = found.levels[k], rules(states)
        assert {h: level.law.rational(h) for h in level.law} == law
        assert level.largest == level.probability(level.mode) == max(law.values())
        assert level.defined == defined
        assert level.expected == expected
        theta = 1 - sum(p * p for p in law.values())
        assert level.differ == theta
        if not theta:
            assert len(found.levels) == k + 1
            break
        if defined and level.largest >= Fraction(1, 2 ** C.ldim()):
            assert found.frequent == level
        defined = defined and level.largest < Fraction(1, 2 ** C.ldim())
        expected = 2 * (expected + n) / theta


@laws
@given(instances())
def test_costs_are_independent_of_what_tournaments_yield(instance):
    """The joint law of states and costs, cut off at a budget, is a product."""
    C, D = instance
    budget = 8

    def attempts(states: Law) -> Law:
        """One more tournament: (state, cost) of its losers, up to the budget."""
        pairs: Law = {}
        equal: Law = {}
        for ((one, c), p), ((other, e), q) in product(states.items(), repeat=2):
            cost = c + e
            if cost > budget:
                continue
            f, g = one.hypothesis.to_concept(), other.hypothesis.to_concept()
            if f == g:
                equal[cost] = equal.get(cost, Fraction(0)) + p * q
                continue
            x = next(x for x in f.domain if f(x) != g(x))
            for y in (0, 1):
                key = ((one if f(x) != y else other).observe(x, y), cost)
                pairs[key] = pairs.get(key, Fraction(0)) + p * q / 2
        total: Law = {}
        again = {0: Fraction(1)}
        while again:
            for (state, cost), p in pairs.items():
                for before, q in again.items():
                    if before + cost <= budget:
                        key = state, before + cost
                        total[key] = total.get(key, Fraction(0)) + p * q
            more: Law = {}
            for (before, q), (cost, p) in product(again.items(), equal.items()):
                if before + cost <= budget:
                    more[before + cost] = more.get(before + cost, Fraction(0)) + p * q
            again = more
        return total

    found = tournaments(SOA(C), D, 1, beyond=True)
    states: Law = {(SOA(C), 0): Fraction(1)}
    for level in found.levels[:2]:
        states = {(state, cost + 1): p for (state, cost), p in learned(states, D, 1).items()}
        states = attempts(states)
        if level.k + 1 >= len(found.levels):
            break
        costs: Law = {}
        for (_, cost), p in states.items():
            costs[cost] = costs.get(cost, Fraction(0)) + p
        within = sum(costs.values())
        assert surrounds(found.within(level.k + 1, budget), within)
        for cost, chance in costs.items():
            alone = rules({key: p / chance for key, p in states.items() if key[1] == cost})
            together = rules({key: p / within for key, p in states.items()})
            assert alone == together


def test_an_instance_on_which_one_tournament_is_needed():
    C = catalog.build("affine:q=7,n=2,k=1")
    line = [(0, i) for i in range(7)]
    target = C.given([(line[0], 1), (line[1], 1)]).soa()
    weights = {x: Fraction(13, 25) / 7 for x in line} | {(3, 3): Fraction(12, 25)}
    found = tournaments(SOA(C), FiniteDistribution.labelled(target, weights), 2)
    first, second = found.levels
    law = {h.support: first.law.rational(h) for h in first.law}
    assert law.pop(()) == Fraction(144, 625)
    assert law.pop(tuple(line)) == first.largest == Fraction(13, 25) ** 2 * Fraction(6, 7)
    assert set(law) == {(x,) for x in line}
    assert found.threshold == Fraction(1, 4) > first.largest
    assert second.defined
    assert found.frequent == second
    assert second.expected == 4 / first.differ <= 32
    assert (round(float(first.differ), 4), round(float(second.largest), 5)) == (0.8519, 0.46595)


@pytest.fixture(scope="module")
def seven():
    C = catalog.build("thresholds:n=7")
    return SOA(C), FiniteDistribution.labelled(C.given([(3, 1), (2, 0)]).soa())


def test_a_law_may_have_as_many_states_as_are_allowed_and_no_more(seven):
    """What the first states lead to would tell more, since the others lead to the same."""
    (level,) = tournaments(*seven, 2, most=0).levels
    (same,) = tournaments(*seven, 2, most=0, max_states=level.states).levels
    assert (same.mode, same.largest, same.states) == (level.mode, level.largest, level.states)
    with pytest.raises(TooLarge, match=f"The limit is {level.states - 1} states"):
        tournaments(*seven, 2, most=0, max_states=level.states - 1)


def test_costs_of_one_tournament_are_geometric():
    third = Fraction(1, 3)
    for budget in (0, 1, 2, 3, 10):
        exact = 1 - (1 - third) ** (budget // 2)
        always, one, never = costs_within([third, Fraction(0)], budget)
        assert always == 1
        assert surrounds(one, exact)
        assert one.rad() < 1e-30
        assert never.is_zero()
    # Beyond the terms that are computed first, slow and quick ones.
    for theta in (Fraction(1, 1000), Fraction(9, 10)):
        one = costs_within([theta], 4000)[1]
        assert surrounds(one, 1 - (1 - theta) ** 2000)
        assert one.rad() < 1e-15


def test_how_often_something_good_is_output_at_least():
    """At d = 1 attempts end like tosses of a coin: each decides with probability 1/2."""
    rounding = Fraction(1, 2**40)
    for budget in (1, 2, 3, 4, 13, 40, 10**4):
        exact = (1 - Fraction(1, 2 ** (budget // 2))) / 4
        assert exact - rounding <= least_frequency(1, budget) <= exact
    for dimension in (2, 3):
        most = Fraction(1, (dimension + 1) * 2**dimension)
        assert Fraction(999, 1000) * most < least_frequency(dimension, 10**4) < most


def test_budgets_that_are_hardly_ever_used_up_are_no_work():
    # All terms would take far too long.
    found = costs_within([Fraction(9, 10)] * 3, 1 << 19)
    assert len(found) == 4 and all(1 - arb("1e-12") < p and p.contains(1) for p in found)
