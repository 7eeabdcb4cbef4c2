"""Decision lists against the evaluation of every list, literally."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.decision_lists import DecisionLists, decision_lists, short_conjunctions
from lsclasses import Table, TooLarge, packing
from tests.strategies import plain


def cube(n):
    return list(itertools.product((0, 1), repeat=n))


def evaluate(rules, default, x):
    return next((bit for feature, bit in rules if feature[x]), default)


def literally(features, points, length, alternations=None):
    """The labellings computed by all decision lists of at most that length."""
    found = set()
    for rules in range(length):
        for chosen in itertools.product(features, repeat=rules):
            for bits in itertools.product((0, 1), repeat=rules + 1):
                changes = sum(b != c for b, c in itertools.pairwise(bits))
                if alternations is None or changes <= alternations:
                    pairs = list(zip(chosen, bits, strict=False))
                    found.add(tuple(evaluate(pairs, bits[-1], x) for x in range(points)))
    return found


@st.composite
def features(draw):
    points = draw(st.integers(1, 5))
    bits = st.lists(st.integers(0, 1), min_size=points, max_size=points)
    return draw(st.lists(bits, min_size=1, max_size=3))


@given(features(), st.integers(1, 4), st.none() | st.integers(0, 3))
def test_bounded_lists_over_any_features(rows, length, alternations):
    found = decision_lists(rows, length=length, alternations=alternations)
    assert plain(found) == literally(rows, len(rows[0]), length, alternations)


@given(features(), st.none() | st.integers(0, 3))
def test_no_list_needs_to_test_a_feature_twice(rows, alternations):
    found = decision_lists(rows, alternations=alternations)
    assert plain(found) == literally(rows, len(rows[0]), len(rows) + 1, alternations)


def conjunctions_literally(n, k, monotone):
    literals = [(i, 1) for i in range(n)] + ([] if monotone else [(i, 0) for i in range(n)])
    return {
        tuple(int(all(x[i] == value for i, value in chosen)) for x in cube(n))
        for size in range(1, k + 1)
        for chosen in itertools.combinations(literals, size)
    }


@pytest.mark.parametrize("monotone", [False, True])
@pytest.mark.parametrize(("n", "k"), [(1, 1), (2, 1), (2, 2), (3, 1), (3, 2), (3, 3), (4, 2)])
def test_features_are_the_short_conjunctions(n, k, monotone):
    # Contradictory conjunctions are never true: a rule with such a condition does nothing.
    expected = conjunctions_literally(n, k, monotone) - {(0,) * 2**n}
    found = short_conjunctions(n, k, monotone=monotone)
    assert plain(found) == expected
    assert found.merged == 0
    assert found.points == tuple(cube(n))


@pytest.mark.parametrize("monotone", [0, 1])
@pytest.mark.parametrize(("n", "k", "longest"), [(1, 1, 3), (2, 1, 4), (2, 2, 3), (3, 1, 4)])
def test_family_against_all_lists(n, k, longest, monotone):
    rows = sorted(conjunctions_literally(n, k, monotone))
    for length in range(1, longest + 1):
        for alternations in (None, 1, 2):
            found = DecisionLists().table(
                n=n, k=k, length=length, alternations=alternations or 0, monotone=monotone
            )
            assert plain(found) == literally(rows, 2**n, length, alternations)
            assert found.points == tuple(cube(n))


def test_counts_that_are_known():
    # Sasao and Kinoshita 1979, on unate cascades: 2, 8, 64, 736, 10624 functions depend on all
    # of n variables; decision lists are these, on any of the variables, and the constants.
    cascades = [0, 2, 8, 64, 736, 10624]
    for n in range(1, 6):
        on_some = sum(math.comb(n, j) * cascades[j] for j in range(1, n + 1))
        assert DecisionLists().table(n=n).size == 2 + on_some
    assert DecisionLists().table(n=4, k=2).size == 54622


def test_long_enough_lists_have_no_bounds():
    unbounded = DecisionLists().table(n=3)
    assert DecisionLists().table(n=3, length=4) == unbounded
    assert DecisionLists().table(n=3, alternations=3) == unbounded
    assert DecisionLists().table(n=3, length=3) != unbounded
    assert DecisionLists().table(n=3, alternations=1) != unbounded
    assert DecisionLists().table(n=2, k=7) == DecisionLists().table(n=2, k=2)


def test_features_on_more_points_than_a_word_has():
    rng = np.random.default_rng(5)
    rows = rng.integers(0, 2, (4, 100))
    narrow = decision_lists(rows[:, :3], length=3)
    wide = decision_lists(rows, length=3)
    assert wide.project(range(3)) == narrow
    assert plain(wide) == literally(rows.tolist(), 100, 3)


def test_features_keep_the_names_of_their_points():
    lists = decision_lists(Table([[1, 0]], domain=["a", "b"]))
    assert lists.points == ("a", "b")
    assert lists.size == 4


def test_a_table_without_features_leaves_the_constants():
    assert plain(decision_lists(Table([], domain=range(3)))) == {(0, 0, 0), (1, 1, 1)}


def test_lists_over_own_features_stop_at_the_limit(monkeypatch):
    monkeypatch.setattr(packing, "BYTE_LIMIT", 200)
    with pytest.raises(TooLarge, match="The class of decision lists"):
        decision_lists(short_conjunctions(3, 2))
