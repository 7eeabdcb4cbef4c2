from __future__ import annotations

import itertools
import math
import pickle
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st

from learners.audit import audit
from learners.coins.hooks import gaussian_candidate
from learners.exact import (
    PRECISION,
    OutputDistribution,
    Stepwise,
    distinct,
    exact_distribution,
    require_same,
)
from learners.exact.identity import better_twin, looks_apart
from learners.exact.stepwise import AGAIN
from lsclasses.errors import InvalidInput, TooLarge
from tests.learners.audit.laws import HALF, Program
from tests.learners.privacy_checks import mass, reach


@pytest.fixture(autouse=True)
def precision():
    with ctx.workprec(PRECISION):
        yield


def close(ball, value):
    return abs(float(ball.mid()) - value) < 1e-13 and float(ball.rad()) < 1e-30


@given(st.lists(st.integers(1, 5), max_size=4))
def test_finite_laws_are_the_products_of_the_draws(sizes):
    law = exact_distribution(lambda coins: sum(coins.below(n) for n in sizes))
    counts = Counter(map(sum, itertools.product(*map(range, sizes))))
    total = math.prod(sizes)
    assert {s: law.rational(s) for s in law} == {s: Fraction(c, total) for s, c in counts.items()}
    assert law.tail.is_zero()
    assert law.branches == total


@pytest.mark.parametrize("margin", [-3, 0, 1, 4])
def test_comparisons_agree_with_the_noise_they_hide(margin):
    shown = exact_distribution(lambda coins: coins.laplace(2) >= margin)
    hidden = exact_distribution(lambda coins: coins.at_least(10, 2, 10 + margin))
    assert shown.probability(bool).contains(hidden[True])
    assert shown.probability(bool).rad() < 1e-18
    assert (hidden[True] + hidden[False]).overlaps(arb(1))
    assert hidden.branches == 2


def test_weighted_choices_and_exponential_coins():
    law = exact_distribution(
        lambda coins: (coins.pick([0, -2, 3], unit=Fraction(-1, 2)), coins.decays(2))
    )
    weights = [1, math.e, math.exp(-1.5)]
    for i, weight in enumerate(weights):
        assert close(law[i, True], weight / sum(weights) * math.exp(-2))
        assert close(law[i, False], weight / sum(weights) * (1 - math.exp(-2)))
    assert exact_distribution(lambda coins: coins.pick([7, 7])).rational(1) == Fraction(1, 2)


def test_sure_draws_do_not_branch():
    law = exact_distribution(
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
    law = exact_distribution(
        lambda coins: (coins.laplace(1), coins.laplace(1)), tail=Fraction(1, 10**6)
    )
    reach = max(x for x, _ in law)
    assert law.branches < 0.6 * (2 * reach + 1) ** 2
    total = sum((law[pair] for pair in law), law.tail)
    assert total.overlaps(arb(1))
    assert all(close(law[x, y], mass(1, x) * mass(1, y)) for x, y in law)


def test_endless_loops_end_in_the_tail():
    def first_success(coins):
        tries = 1
        while not coins.flip(Fraction(1, 3)):
            tries += 1
        return tries

    law = exact_distribution(first_success)
    for k in range(1, 20):
        assert close(law[k], (2 / 3) ** (k - 1) / 3)
    assert 0 < law.tail < Fraction(1, 2**60).__float__()
    short = exact_distribution(first_success, depth=0, tail=Fraction(1, 1000))
    assert short.branches < 20 < law.branches


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

    law = exact_distribution(lambda coins: 0)
    for kind in steps:
        law = law.then(lambda state, coins, kind=kind: step(state, coins, kind))
    direct = exact_distribution(whole)
    assert set(law) == set(direct)
    for state in law:
        assert abs(law[state] - direct[state]) < 1e-30


def test_a_law_that_was_computed_otherwise_has_a_branch_for_each_outcome_unless_it_is_told():
    half = dict.fromkeys("ab", HALF)
    assert (
        OutputDistribution.of(half).branches == 2
        and OutputDistribution.of(half, branches=7).branches == 7
    )
    assert [OutputDistribution.of(half).rational(each) for each in "bc"] == [HALF, 0]


def test_steps_carry_the_tail_along():
    law = exact_distribution(lambda coins: coins.laplace(1)).then(
        lambda z, coins: z + coins.laplace(1)
    )
    direct = exact_distribution(lambda coins: coins.laplace(1) + coins.laplace(1))
    assert law.tail > 0
    for z in range(-10, 11):
        assert law.probability(lambda w, z=z: w == z).overlaps(
            direct.probability(lambda w, z=z: w == z)
        )
    assert sum((law[z] for z in law), law.tail).overlaps(arb(1))


def test_too_many_branches_are_refused_with_an_estimate():
    with pytest.raises(TooLarge) as raised:
        exact_distribution(
            lambda coins: [coins.below(4) for _ in range(10)] and 0, max_branches=1000
        )
    assert raised.value.limit == 1000
    assert raised.value.estimate == pytest.approx(4**10)
    assert exact_distribution(lambda coins: coins.below(50)).then(
        lambda x, coins: coins.below(100), max_branches=5000
    ).rational(7) == Fraction(1, 100)
    # What is explored after three outcomes is counted together.
    law = exact_distribution(lambda coins: coins.below(3))
    assert law.then(lambda x, coins: coins.below(2), max_branches=6).branches == 3 + 6
    with pytest.raises(TooLarge):
        law.then(lambda x, coins: coins.below(2), max_branches=5)


def test_another_object_that_equals_an_outcome_is_known():
    class Same:
        def __init__(self, seen):
            self.seen = seen

        def __eq__(self, other):
            return isinstance(other, Same)

        def __hash__(self):
            return 0

    law = exact_distribution(lambda coins: Same(min(coins.below(4), 2)))
    (outcome,) = law
    assert law.rational(outcome) == 1
    known = law.weights[Same(9)]
    assert known.first.seen == 0 and known.twin.seen == 1
    arrays = exact_distribution(lambda coins: (Same(np.arange(coins.below(4))),))
    assert len(arrays) == 1
    plain = exact_distribution(lambda coins: coins.below(4) // 2)
    assert plain.weights[1].first == plain.weights[1].twin == 1


def test_keys_of_what_no_program_tells_apart():
    assert distinct((1, ("a", None))) == distinct((1, ("a", None)))
    values = [1, True, 1.0, Fraction(1), "1", (1,), (True,), ((1,),), None]
    assert len({distinct(value) for value in values}) == len(values)
    one, other = object(), object()
    assert distinct(one) == distinct(one) != distinct(other)


@given(
    st.recursive(
        st.integers() | st.text("ab") | st.booleans(), lambda x: st.tuples(x, x), max_leaves=4
    )
)
def test_the_same_is_the_same(value):
    again = pickle.loads(pickle.dumps(value))
    require_same(value, again)
    assert distinct(value) == distinct(again)


# ---- laws that are put together from steps


class Machine:
    """A random finite automaton: from state s at item x it draws one of a few (next, answer)."""

    def __init__(self, table, halts):
        self.table, self.halts = table, halts

    def start(self, coins):
        return coins.below(2)

    def answer(self, state, item, coins):
        options = self.table[state, item]
        after, answer = options[coins.below(len(options))]
        return None if coins.flip(self.halts) else after, answer


machines = st.builds(
    Machine,
    st.fixed_dictionaries(
        {
            (state, item): st.lists(
                st.tuples(st.integers(0, 2), st.sampled_from("ab")), min_size=1, max_size=3
            )
            for state in range(3)
            for item in range(2)
        }
    ),
    st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(1)]),
)


@given(machines, st.lists(st.lists(st.integers(0, 1), max_size=4), min_size=1, max_size=3))
def test_laws_from_steps_are_those_of_whole_runs(machine, streams):
    run = Stepwise(machine)
    laws = run.laws()
    for stream in streams:
        law = laws(stream)
        whole = exact_distribution(lambda coins, stream=stream: run(stream, coins))
        assert set(law) == set(whole)
        assert all(law.rational(answers) == whole.rational(answers) for answers in whole)
    assert laws.repeats()


def test_steps_cut_noise_and_say_how_much():
    def added(total, item, coins):
        total += item + coins.laplace(1)
        return total, max(-1, min(total, 1))

    run, tail = Stepwise(Program(added)), Fraction(1, 2**20)
    law, whole = (
        run.laws(tail=tail)((1, 0)),
        exact_distribution(lambda coins: run((1, 0), coins), tail=tail),
    )
    assert 0 < law.tail < 1e-5
    for answers in whole:
        event = lambda each, answers=answers: each == answers  # noqa: E731
        assert law.probability(event).overlaps(whole.probability(event))


def test_steps_tell_items_apart_that_are_equal_and_not_the_same():
    echo = Program(lambda state, item, coins: (state, type(item).__name__))
    laws = Stepwise(echo).laws()
    assert list(laws((1, True))) == [("int", "bool")]
    assert list(laws((True, 1))) == [("bool", "int")]


def test_steps_refuse_answers_that_are_equal_and_not_the_same():
    mixed = Program(lambda state, item, coins: (state + 1, state == 1 if state else 0))
    with pytest.raises(InvalidInput, match="can distinguish"):
        Stepwise(mixed).laws()((0, 0, 0))


@dataclass(frozen=True)
class Marked(float):
    """A number with a mark that is not written."""

    mark: object = field(repr=False)

    def __new__(cls, mark):
        return super().__new__(cls, 0)


def test_numbers_with_fields_that_are_not_written_are_told_apart_by_these():
    require_same(Marked(1), Marked(1))
    with pytest.raises(InvalidInput, match="the types are bool and int"):
        require_same(Marked(True), Marked(1))


@dataclass(frozen=True)
class Forgetful:
    count: int
    last: int = field(compare=False)


def forgotten(coins):
    return Forgetful(0, 0)


def test_equality_that_leaves_out_what_matters_is_noticed():
    def delayed(state, item, coins):
        return Forgetful(state.count + 1, item), state.last

    run = Stepwise(Program(delayed, forgotten))
    laws = run.laws()
    laws((0, 0))
    assert laws.repeats()
    laws((1, 0))
    assert not laws.repeats()
    with pytest.raises(InvalidInput, match="does not repeat itself"):
        audit(run, [((0, 0), (1, 0))], (1, 0))


class Holder:
    """Equal to all others."""

    def __init__(self, inside):
        self.inside = inside

    def __eq__(self, other):
        return isinstance(other, Holder)

    def __hash__(self):
        return 0


@pytest.mark.parametrize(
    "hide",
    [
        lambda hidden: hidden,
        lambda hidden: (1, (hidden, 2)),
        lambda hidden: frozenset([hidden]),
        lambda hidden: Holder(hidden.last),
        lambda hidden: Holder([1, {"a": hidden}]),
        lambda hidden: Holder(Holder(hidden)),
    ],
)
def test_what_equality_leaves_out_is_seen_at_any_depth(hide):
    first, again, other = (hide(Forgetful(0, last)) for last in (0, 0, 1))
    assert first == again == other
    assert not looks_apart(first, again) and looks_apart(first, other)
    assert better_twin(first, again, other) is better_twin(first, other, again) is other


def test_first_states_that_are_equal_and_look_different_are_one_state_and_compared():
    def started(tells):
        return Program(
            lambda state, item, coins: (state, tells and state.last),
            lambda coins: Forgetful(0, coins.below(2)),
        )

    laws = Stepwise(started(tells=False)).laws()
    assert {answers: laws((0,)).rational(answers) for answers in laws((0,))} == {(False,): 1}
    assert laws.repeats()
    telling = Stepwise(started(tells=True)).laws()
    telling((0,))
    assert not telling.repeats()


def test_programs_must_not_keep_anything():
    asked = itertools.count()
    counting = Program(lambda state, item, coins: (0, next(asked)))
    with pytest.raises(InvalidInput, match="does not repeat itself"):
        audit(Stepwise(counting), [((0,), (1,))], (1, 0))


def test_of_many_steps_a_part_is_explored_again():
    asked = []

    def counted(state, item, coins):
        asked.append(state)
        return state + 1, 0

    laws = Stepwise(Program(counted)).laws()
    laws((0,) * 200)
    assert len(asked) == 200
    assert laws.repeats() and asked[200:] == list(range(0, 200, 200 // AGAIN))


def test_too_many_branches_of_steps_are_refused():
    wide = Program(lambda state, item, coins: (coins.below(100), 0))
    laws = Stepwise(wide).laws(max_branches=2000)
    assert laws((0,)).branches == 1 + 100
    with pytest.raises(TooLarge, match="2000"):
        laws((0, 0))


@pytest.mark.parametrize("ways", [1, 3])
def test_estimates_count_all_ways_to_the_draw_that_is_too_wide(ways):
    with pytest.raises(TooLarge) as raised:
        exact_distribution(lambda coins: (coins.below(ways), coins.below(10**9)))
    assert raised.value.estimate == ways * 10**9
    with pytest.raises(TooLarge) as raised:
        exact_distribution(
            lambda coins: (coins.below(ways), coins.laplace(10**9)), tail=Fraction(1, 2**20)
        )
    # Noise within m on either side: what is left beyond is a 2^-20 of the branch's share.
    wide = Fraction(raised.value.estimate, ways)
    assert wide.denominator == 1 and wide % 2 == 1
    assert int(wide) // 2 == pytest.approx(10**9 * math.log(2 * 2**20 / ways), rel=1e-6)


def test_noise_has_its_law_and_is_followed_no_further_than_the_tail_asks_for():
    for scale, tail in itertools.product(
        (Fraction(1, 3), 1, Fraction(7, 3)), (Fraction(1, 9), Fraction(1, 999))
    ):
        law = exact_distribution(lambda coins, scale=scale: coins.laplace(scale), tail=tail)
        far = max(law)
        assert sorted(law) == list(range(-far, far + 1)) and law.branches == 2 * far + 1
        # 2 exp(-m/scale) bounds what lies beyond m.
        assert 2 * math.exp(-far / scale) <= tail < 2 * math.exp(-(far - 1) / scale)
        assert close(law.tail, 2 * reach(scale, far + 1))
        assert all(close(law[z], mass(scale, z)) for z in law)
        total = sum((law[z] for z in law), law.tail)
        assert total.overlaps(arb(1)) and total.rad() < 1e-30


def test_what_was_explored_is_not_explored_again():
    spread = Program(
        lambda state, item, coins: (state, coins.below(item)), lambda coins: coins.below(7)
    )
    laws = Stepwise(spread).laws()
    assert laws((2,)).branches == 7 + 7 * 2
    assert laws((3,)).branches == 7 * 3
    assert laws((2, 3)).branches == 0
    assert laws(()).branches == 0
    assert laws((5, 2)).branches == 7 * 5


def test_a_state_whose_equal_says_more_is_noticed():
    def wider(state, item, coins):
        return Forgetful(1, item), "said" if coins.flip(HALF) else state.last * item

    laws = Stepwise(Program(wider, forgotten)).laws()
    laws((0, 0))
    laws((1, 0))
    assert laws.repeats()  # multiplied by 0, what is left out does not matter
    laws((0, 1))
    assert not laws.repeats()
    # One answer of two is missing, whichever of the equal states was met first.
    for items in ((0, 1), (1, 0)):

        def either(state, item, coins, items=items):
            more = state.last == 1 and coins.flip(HALF)
            return Forgetful(1, items[item]), "more" if more else "said"

        laws = Stepwise(Program(either, forgotten)).laws()
        laws((0, 0))
        laws((1, 0))
        assert not laws.repeats()


@pytest.mark.parametrize("variance", [Fraction(1, 7), Fraction(3, 2), Fraction(20)])
def test_discrete_gaussian_noise_has_the_probabilities_of_its_definition(
    variance: Fraction,
) -> None:
    law = exact_distribution(lambda coins: coins.gaussians(variance, 1)[0])
    weights = {z: math.exp(-z * z / (2 * variance)) for z in range(-60, 61)}
    total = sum(weights.values())
    assert all(abs(float(law[z]) - weights[z] / total) < 1e-12 for z in law)
    assert sum(float(p) for p in law.values()) > 1 - 1e-12
    # What is cut is enclosed by the tail.
    rare = exact_distribution(lambda coins: coins.gaussians(variance, 1)[0], tail=Fraction(1, 2**8))
    outside = 1 - sum(weights[z] for z in rare) / total
    assert rare.tail.lower() <= outside + 1e-12 and outside <= float(rare.tail.upper()) + 1e-12
    for bound in (1, 2, 5):
        ends = exact_distribution(
            lambda coins, r=bound: coins._gaussian(*variance.as_integer_ratio(), r)
        )
        assert ends.tail == 0 and set(ends) == set(range(-bound, bound + 1))
        for z in ends:
            beyond = [w for w in weights if (w == z if abs(z) < bound else w * z >= z * z)]
            assert abs(float(ends[z]) - sum(weights[w] for w in beyond) / total) < 1e-12


@pytest.mark.parametrize("variance", [Fraction(1, 7), Fraction(3, 2), Fraction(20)])
def test_accepted_candidates_have_the_discrete_gaussian_distribution(variance: Fraction) -> None:
    """So the sampler of the coins that draw numbers has the distribution of the exact coins."""
    law = exact_distribution(lambda coins: gaussian_candidate(variance, coins))
    for z in range(-6, 7):
        ratio = float(law[z] / law[0])
        assert math.isclose(ratio, math.exp(-z * z / (2 * variance)), rel_tol=1e-12)
