from __future__ import annotations

import itertools
import math
import pickle
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from learners.coins import SeededCoins
from learners.exact import PRECISION, distinct, exact_law, require_same
from lsclasses.errors import InvalidInput, TooLarge


@pytest.fixture(autouse=True)
def precision():
    with ctx.workprec(PRECISION):
        yield


def close(ball, value):
    return abs(float(ball.mid()) - value) < 1e-13 and float(ball.rad()) < 1e-30


@settings(max_examples=30)
@given(st.lists(st.integers(1, 5), max_size=4))
def test_finite_laws_are_the_products_of_the_draws(sizes):
    law = exact_law(lambda coins: sum(coins.below(n) for n in sizes))
    counts = Counter(map(sum, itertools.product(*map(range, sizes))))
    total = math.prod(sizes)
    assert {s: law.rational(s) for s in law} == {s: Fraction(c, total) for s, c in counts.items()}
    assert law.tail.is_zero()
    assert law.branches == total


@pytest.mark.parametrize("scale", [Fraction(1, 2), 1, Fraction(7, 3), 10])
def test_noise_has_the_two_sided_geometric_law(scale):
    law = exact_law(lambda coins: coins.laplace(scale))
    q = math.exp(-1 / scale)
    for z in range(-5, 6):
        assert close(law[z], (1 - q) / (1 + q) * q ** abs(z))
    assert max(law) == -min(law)
    assert 0 < law.tail < arb(2) ** -60
    total = sum((law[z] for z in law), law.tail)
    assert total.overlaps(arb(1))
    assert total.rad() < 1e-30


@pytest.mark.parametrize("margin", range(-4, 5))
def test_comparisons_agree_with_the_noise_they_hide(margin):
    shown = exact_law(lambda coins: coins.laplace(2) >= margin)
    hidden = exact_law(lambda coins: coins.at_least(10, 2, 10 + margin))
    assert shown.probability(bool).contains(hidden[True])
    assert shown.probability(bool).rad() < 1e-18
    assert (hidden[True] + hidden[False]).overlaps(arb(1))
    assert hidden.branches == 2


def test_weighted_choices_and_exponential_coins():
    law = exact_law(lambda coins: (coins.pick([0, 1, Fraction(-3, 2)]), coins.decays(2)))
    weights = [1, math.e, math.exp(-1.5)]
    for i, weight in enumerate(weights):
        assert close(law[i, True], weight / sum(weights) * math.exp(-2))
        assert close(law[i, False], weight / sum(weights) * (1 - math.exp(-2)))
    with pytest.raises(InvalidInput, match="a ball, not as a fraction"):
        law.rational((0, True))
    assert exact_law(lambda coins: coins.pick([7, 7])).rational(1) == Fraction(1, 2)


def test_units_multiply_weights():
    weights, unit = [3, Fraction(-1, 2), 0], Fraction(-2, 3)
    scaled = exact_law(lambda coins: coins.pick(weights, unit=unit))
    plain = exact_law(lambda coins: coins.pick([unit * weight for weight in weights]))
    assert all(abs(scaled[i] - plain[i]) < 1e-30 for i in range(3))


def test_sure_draws_do_not_branch():
    law = exact_law(
        lambda coins: (
            coins.below(1),
            coins.flip(1),
            coins.flip(0),
            coins.pick([3]),
            coins.decays(0),
        )
    )
    assert law.branches == 1
    assert law.rational((0, True, False, 0, True)) == 1


def test_nested_noise_is_cut_along_a_diamond():
    law = exact_law(lambda coins: (coins.laplace(1), coins.laplace(1)), tail=Fraction(1, 10**6))
    reach = max(x for x, _ in law)
    assert law.branches < 0.6 * (2 * reach + 1) ** 2
    total = sum((law[pair] for pair in law), law.tail)
    assert total.overlaps(arb(1))
    q = math.exp(-1)
    for x, y in law:
        assert close(law[x, y], ((1 - q) / (1 + q)) ** 2 * q ** (abs(x) + abs(y)))


def test_endless_loops_end_in_the_tail():
    def first_success(coins):
        tries = 1
        while not coins.flip(Fraction(1, 3)):
            tries += 1
        return tries

    law = exact_law(first_success)
    for k in range(1, 20):
        assert close(law[k], (2 / 3) ** (k - 1) / 3)
    assert 0 < law.tail < Fraction(1, 2**60).__float__()
    short = exact_law(first_success, depth=0, tail=Fraction(1, 1000))
    assert short.branches < 20 < law.branches


def test_events_are_enclosed_with_what_was_cut():
    law = exact_law(lambda coins: coins.laplace(3), tail=Fraction(1, 100))
    even = law.probability(lambda z: z % 2 == 0)
    q = math.exp(-1 / 3)
    truth = (1 - q) / (1 + q) * (2 / (1 - q * q) - 1)
    assert even.contains(arb(truth))
    assert float(even.rad()) > 1e-4


@settings(max_examples=25)
@given(st.lists(st.sampled_from(["flip", "below", "pick"]), min_size=1, max_size=5))
def test_steps_give_the_law_of_the_whole(steps):
    def step(state, coins, kind):
        if kind == "flip":
            return state + coins.flip(Fraction(1, 3))
        if kind == "below":
            return (state * 2 + coins.below(3)) % 5
        return state + coins.pick([0, state % 2, Fraction(1, 2)])

    def whole(coins):
        state = 0
        for kind in steps:
            state = step(state, coins, kind)
        return state

    law = exact_law(lambda coins: 0)
    for kind in steps:
        law = law.then(lambda state, coins, kind=kind: step(state, coins, kind))
    direct = exact_law(whole)
    assert set(law) == set(direct)
    for state in law:
        assert abs(law[state] - direct[state]) < 1e-30


def test_steps_carry_the_tail_along():
    law = exact_law(lambda coins: coins.laplace(1)).then(lambda z, coins: z + coins.laplace(1))
    direct = exact_law(lambda coins: coins.laplace(1) + coins.laplace(1))
    assert law.tail > 0
    for z in range(-10, 11):
        assert law.probability(lambda w, z=z: w == z).overlaps(
            direct.probability(lambda w, z=z: w == z)
        )
    assert sum((law[z] for z in law), law.tail).overlaps(arb(1))


def test_functions_of_the_outcome_merge():
    law = exact_law(lambda coins: coins.below(10)).map(lambda x: x // 5)
    assert dict(law).keys() == {0, 1}
    assert law.rational(0) == law.rational(1) == Fraction(1, 2)
    assert law.rational("never") == 0


def test_too_many_branches_are_refused_with_an_estimate():
    with pytest.raises(TooLarge) as raised:
        exact_law(lambda coins: [coins.below(4) for _ in range(10)] and 0, max_branches=1000)
    assert raised.value.limit == 1000
    assert raised.value.estimate == pytest.approx(4**10)
    with pytest.raises(TooLarge, match=r"about 1\.84e"):
        exact_law(lambda coins: coins.below(2**64))
    with pytest.raises(TooLarge):
        exact_law(lambda coins: coins.laplace(10**9))
    with pytest.raises(TooLarge, match="more than 5000 branches"):
        exact_law(lambda coins: coins.below(100)).then(
            lambda x, coins: coins.below(100), max_branches=5000
        )
    assert exact_law(lambda coins: coins.below(50)).then(
        lambda x, coins: coins.below(100), max_branches=5000
    ).rational(7) == Fraction(1, 100)


def test_runs_must_repeat_themselves():
    other = SeededCoins(1)
    with pytest.raises(InvalidInput, match="does not repeat itself"):
        exact_law(lambda coins: coins.below(2 + other.below(7)) + coins.below(3))
    with pytest.raises(InvalidInput, match="hashable"):
        exact_law(lambda coins: [coins.below(2)])
    for tail in (0, 1, -1):
        with pytest.raises(InvalidInput, match="between 0 and 1"):
            exact_law(lambda coins: 0, tail=tail)
    with pytest.raises(InvalidInput, match=r"Fraction\(1, 10\)"):
        exact_law(lambda coins: 0, tail=0.1)


def test_runs_that_come_to_an_end_early_the_second_time():
    draws = iter([2, 1])
    with pytest.raises(InvalidInput, match=r"it drew \('below', 2\) and then nothing"):
        exact_law(lambda coins: sum(coins.below(2) for _ in range(next(draws))))


def test_runs_that_cannot_be_cut():
    def run(coins):
        try:
            return coins.laplace(1) + coins.laplace(1)
        except BaseException:
            return 0

    with pytest.raises(InvalidInput, match="where its branch was cut"):
        exact_law(run, tail=Fraction(1, 8))


def test_another_object_that_equals_an_outcome_is_known():
    class Same:
        def __init__(self, seen):
            self.seen = seen

        def __eq__(self, other):
            return isinstance(other, Same)

        def __hash__(self):
            return 0

    law = exact_law(lambda coins: Same(min(coins.below(4), 2)))
    (outcome,) = law
    assert law.rational(outcome) == 1
    assert law.listed(Same(9)).seen == 0 and law.twin(Same(9)).seen == 1
    arrays = exact_law(lambda coins: (Same(np.arange(coins.below(4))),))
    assert len(arrays) == 1
    plain = exact_law(lambda coins: coins.below(4) // 2)
    assert plain.listed(1) == plain.twin(1) == 1


def test_keys_of_what_no_program_tells_apart():
    assert distinct((1, ("a", None))) == distinct((1, ("a", None)))
    values = [1, True, 1.0, Fraction(1), "1", (1,), (True,), ((1,),), None]
    assert len({distinct(value) for value in values}) == len(values)
    one, other = object(), object()
    assert distinct(one) == distinct(one) != distinct(other)


@settings(max_examples=30)
@given(st.recursive(st.integers() | st.text() | st.booleans(), lambda x: st.tuples(x, x)))
def test_the_same_is_the_same(value):
    again = pickle.loads(pickle.dumps(value))
    require_same(value, again)
    assert distinct(value) == distinct(again)


def test_errors_of_the_run_pass_through():
    def run(coins):
        if coins.flip(Fraction(1, 2)):
            return 0
        raise ValueError("of the run")

    with pytest.raises(ValueError, match="of the run"):
        exact_law(run)
