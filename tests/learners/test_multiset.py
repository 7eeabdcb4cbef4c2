from __future__ import annotations

import pickle
from collections import Counter
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from learners.coins import SeededCoins
from learners.exact import exact_distribution
from learners.multiset import Multiset, total

COUNTS = st.dictionaries(st.integers(0, 40), st.integers(0, 2**180), max_size=40)
STEPS = st.lists(st.tuples(st.integers(0, 2**190), st.integers(0, 60)), max_size=60)


@given(COUNTS, STEPS)
def test_it_is_a_counter_whose_versions_stay(counts, steps):
    known = Counter({state: count for state, count in counts.items() if count})
    multiset = Multiset(counts)
    versions = [(multiset, dict(known))]
    for number, new in steps:
        if not known:
            break
        old = multiset.chosen(number % multiset.total)
        assert known[old]
        multiset = multiset.exchanged(old, new)
        known[old] -= 1
        known[new] += 1
        known += Counter()  # drops zeros
        versions.append((multiset, dict(known)))
    for version, expected in versions:
        assert dict(version) == expected
        assert (len(version), version.total) == (len(expected), sum(expected.values()))
        again = Multiset(expected)
        assert version == again
        assert hash(version) == hash(again)
        assert pickle.loads(pickle.dumps(version)) == version
    different = {frozenset(expected.items()) for _, expected in versions}
    assert len({version for version, _ in versions}) == len(different)


@given(COUNTS)
def test_things_are_numbered_one_state_after_the_other(counts):
    multiset = Multiset(counts)
    start = 0
    for state, count in multiset.items():
        assert multiset.chosen(start) == multiset.chosen(start + count - 1) == state
        start += count
    assert start == multiset.total == total(multiset) == total(counts)


def test_a_uniform_thing_is_drawn():
    counts = {"a": 1, "b": 3, "c": 2}
    law = exact_distribution(Multiset(counts).draw)
    assert {state: law.rational(state) for state in law} == {
        state: Fraction(count, 6) for state, count in counts.items()
    }


def test_it_holds_more_things_than_words_count():
    trees = Multiset({("new",): 2**298})
    coins = SeededCoins(3)
    for number in range(3000):
        trees = trees.exchanged(trees.draw(coins), number)
    assert trees.total == 2**298
    assert len(trees) == 3001
    assert trees[("new",)] == 2**298 - 3000


def test_states_that_nothing_is_in_are_left_behind():
    multiset = Multiset({0: 3})
    for number in range(1, 5000):
        multiset = multiset.exchanged(multiset.chosen(0), number)
        assert len(multiset._pool.states) <= 2 * len(multiset) + 1025
    assert multiset.total == 3


def test_exchanging_a_state_for_itself_changes_nothing():
    multiset = Multiset({"a": 2})
    assert multiset.exchanged("a", "a") is multiset
    assert multiset != {"a": 2}
