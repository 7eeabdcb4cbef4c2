from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners.accounting import basic
from learners.audit.audit_registry import AUDITABLE
from learners.coins import SeededCoins
from learners.mechanisms.hist_sparse import HistSparse
from learners.mechanisms.histograms import StableHistogram
from learners.multiset import Multiset
from tests.learners.privacy_checks import least_bound
from tests.strategies import lookalikes

HALF = Fraction(1, 2)
SMALL = Fraction(1, 10)


def mechanism_of(epsilon, histograms, size, **more):
    return HistSparse(epsilon, SMALL, frequency=HALF, histograms=histograms, size=size, **more)


def test_the_rule_of_the_paper_ends_with_its_last_histogram():
    """[GL21, Alg 2]: the counter starts at 1, and the run ends as soon as it is c."""
    one = mechanism_of(8, 1, 4, paper_constants=True)
    assert (one.tests, mechanism_of(8, 1, 4).tests) == (0, 1)
    assert one.start(SeededCoins(0)).ask({"a": 4}, SeededCoins(0))[1].halted
    three = mechanism_of(400, 3, 400, paper_constants=True)
    coins = SeededCoins(0)
    _, run = three.start(coins).ask({"a": 400}, coins)
    for name, over in (("b", False), ("c", True)):
        assert not run.halted
        answer, run = run.ask({name: 400}, coins)
        assert (answer, run.name, run.halted, run.test) == (name, name, over, None)
    assert run.ask({"d": 400}, coins) == ("c", run)


@pytest.mark.parametrize("histograms", [1, 2, 3, 7])
def test_the_rule_of_the_paper_is_within_epsilon_for_two_histograms(histograms):
    """What its composition gives, counted test by test: (3/2 - 1/c) epsilon."""
    mechanism = mechanism_of(6, histograms, 100, paper_constants=True)
    spent = 6 * (Fraction(3, 2) - Fraction(1, histograms))
    assert basic(mechanism.privacy) == (spent, SMALL)
    assert (spent <= 6) == (histograms <= 2)


@pytest.mark.parametrize("paper_constants", [False, True])
def test_the_tests_noise_is_twice_that_of_the_paper(paper_constants):
    mechanism = mechanism_of(1, 5, 1000, paper_constants=paper_constants)
    factor = 1 if paper_constants else 2
    assert mechanism.test.threshold_scale == factor * 2 * 5
    assert mechanism.test.query_scale == factor * 4 * 5
    assert mechanism.test.threshold == 954  # 1000 (1 - 3/64), rounded up
    assert mechanism.histogram.epsilon == Fraction(1, 10)
    assert mechanism.histogram.delta == SMALL / 5


def test_a_halted_run_keeps_its_last_name():
    mechanism = mechanism_of(40, 2, 400)
    lists = [{name: 400} for name in "ababc"]
    assert mechanism.answers(lists, SeededCoins(0)) == ("a", "b", "b", "b", "b")
    coins = SeededCoins(0)
    _, run = mechanism.start(coins=coins).ask(counts=lists[0], coins=coins)
    _, run = run.ask(lists[1], coins)
    assert run.remaining == 0 and not run.halted
    _, run = run.ask(lists[2], coins)
    assert run.halted
    assert run.ask(lists[3], coins) == ("b", run)
    assert run.test is None, "nothing secret is kept"


@given(st.lists(st.lists(st.sampled_from(["a", "b", None]), min_size=6, max_size=6), min_size=1))
def test_a_multiset_is_read_like_any_counts(lists):
    mechanism = mechanism_of(9, 2, 6)
    seen = [Multiset(Counter(items)) for items in lists]
    plain = [Counter(items) for items in lists]
    named = mechanism.answers(seen, SeededCoins(1), key=str)
    assert named == mechanism.answers(plain, SeededCoins(1), key=str)


def test_lists_may_be_longer_than_words_count():
    size = 2**166
    mechanism = mechanism_of(1, 2**79, size)
    first = Multiset({"a": size})
    later = first.exchanged("a", "b")
    assert mechanism.answers([first, later, later], SeededCoins(0)) == ("a", "a", "a")


def test_nothing_is_named_by_none():
    mechanism = mechanism_of(40, 3, 100)
    lists = [{None: 100}, {None: 90, "a": 10}, {"a": 100}]
    names = mechanism.answers(lists=lists, coins=SeededCoins(0))
    assert names == (None, None, "a")


@pytest.mark.parametrize(
    ("delta", "failure", "by_noise"),
    [
        (Fraction(1, 10**3), Fraction(1, 10**9), True),
        (Fraction(1, 10**900), Fraction(1, 20), False),
    ],
)
def test_lists_are_as_long_as_noise_and_histograms_need(delta, failure, by_noise):
    c, epsilon, eta, rounds = 3, Fraction(5, 2), Fraction(2, 7), 50
    size = HistSparse.size_needed(
        epsilon, delta, frequency=eta, histograms=c, rounds=rounds, failure=failure
    )
    threshold = least_bound(4 * c / epsilon, failure / (2 * c))
    number = least_bound(8 * c / epsilon, failure / (2 * rounds))
    for_noise = math.ceil(32 * (threshold + number) / eta)
    for_histograms = StableHistogram.size_needed(
        epsilon / 6, delta / 3, frequency=eta, failure=failure / 3
    )
    assert (for_noise > for_histograms) == by_noise
    assert size == max(for_noise, for_histograms)


@pytest.mark.parametrize("size", [5, 6])
def test_audited_lists_differ_in_one_item_and_both_ways(size: int) -> None:
    built = AUDITABLE["hist_sparse"].instance(size=size, lists=4)
    rare = min(built.mechanism.test.threshold, size)
    assert len(set(built.pairs)) == 12
    assert {(other, one) for one, other in built.pairs} == set(built.pairs)
    for one, other in built.pairs:
        for zero, changed in zip(one, other, strict=True):
            assert len(zero) == len(changed) == size
            assert (Counter(zero) - Counter(changed)).total() == 1
        # The item that is named is just rare enough, or just not, until the last list.
        *kept, last = (items.count(None) for items in one[1:])
        assert {*kept, last} == {rare - 1, rare} and last not in kept
    half = size // 2
    assert {frozenset("".join(map(str, stream[0])) for stream in pair) for pair in built.pairs} == {
        frozenset({"a" * size, "a" * (size - 1) + "None"}),
        frozenset({"a" * size, "a" * (size - 1) + "b"}),
        frozenset("a" * k + "b" * (size - k) for k in (half, half - 1)),
    }


@settings(max_examples=10)
@given(st.lists(lookalikes, min_size=3, max_size=3))
def test_which_of_equal_items_stands_in_a_list_does_not_show(pairs):
    mechanism = mechanism_of(8, 2, 60)
    one, other = (
        mechanism.answers([Counter({pair[side]: 60}) for pair in pairs], SeededCoins(1), key=repr)
        for side in (0, 1)
    )
    assert repr(one) == repr(other)
