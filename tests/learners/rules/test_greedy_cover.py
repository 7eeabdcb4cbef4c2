from __future__ import annotations

import itertools
import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.accounting import basic
from learners.coins import SeededCoins
from learners.exact import exact_distribution
from learners.pac import Sample
from learners.pac.base import FewRows
from learners.playing.features import ShortConjunctions
from learners.rules.algorithm import DecisionListLearner
from learners.rules.decision_list import DecisionList, Rule
from learners.rules.greedy_cover import GreedyCover, greedy_list, rivest
from learners.rules.packed import PackedFeatures
from learners.rules.sample_sizes import sample_size

ROWS = {d: [(*x, y) for x in itertools.product((0, 1), repeat=d) for y in (0, 1)] for d in (1, 2)}


def table(data, d):
    """The features and the labels of rows (x_1, ..., x_d, y)."""
    matrix = np.array([row[:d] for row in data], dtype=bool).reshape(len(data), d)
    return PackedFeatures.from_matrix(matrix), np.array([row[d] for row in data], dtype=int)


def learned(learner, d):
    def run(data, coins):
        found = learner.fit(*table(data, d), coins, accuracy=None)
        return found.rules, found.default

    return run


# ---- the algorithm


def by_the_book(data, d, rate, coins):
    """[BF25, Alg 3.1] for |F| + 1 rounds, transcribed: lists of rows, one weight a pair."""
    features = [*range(d), "T"]
    rows, chosen = list(data), []

    def holds(f, row):
        return f == "T" or row[f] == 1

    for _ in range(d + 1):
        candidates = [(f, b) for f in features for b in (0, 1)]
        scores = [-sum(holds(f, row) and row[d] == 1 - b for row in rows) for f, b in candidates]
        f, b = candidates[coins.pick(scores, unit=rate)]
        chosen.append((f, b))
        rows = [row for row in rows if not holds(f, row)]
        features.remove(f)
    end = next(i for i, (f, _) in enumerate(chosen) if f == "T")
    return tuple(Rule(f, b) for f, b in chosen[:end]), chosen[end][1]


@pytest.mark.parametrize("data", [(), ((1, 0, 1), (0, 1, 0)), tuple(ROWS[2]), ((1, 1, 0),) * 3])
def test_the_law_is_that_of_the_algorithm_cut_at_the_constant_feature(data):
    learner = GreedyCover(Fraction(3), Fraction(1, 10))
    rate = learner.choice_epsilon(2) / 2
    fast = exact_distribution(lambda coins: learned(learner, 2)(data, coins))
    slow = exact_distribution(lambda coins: by_the_book(data, 2, rate, coins))
    assert set(fast) == set(slow)
    for outcome in fast:
        assert abs(fast[outcome] - slow[outcome]) < 1e-25


# ---- privacy


def test_the_cost_has_a_limit_as_the_rounds_become_more():
    learner = GreedyCover(Fraction(1), Fraction(1, 10**6))
    assert basic(learner.privacy) == (1, Fraction(1, 10**6))
    assert learner.choice_epsilon(10**6) >= learner.epsilon_0
    assert 500 * learner.epsilon_0 > 80  # what composition would add up
    assert 5.1 < learner.epsilon_0 / learner.printed_epsilon_0 < 5.3


# ---- the lists


@st.composite
def labelled_tables(draw, realizable):
    d, rows = draw(st.integers(1, 5)), draw(st.integers(0, 60))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    packed = PackedFeatures.from_matrix(rng.random((rows, d)) < 0.5).literals()
    if not realizable:
        return packed, rng.integers(2, size=rows)
    rules = zip(rng.permutation(2 * d).tolist(), rng.integers(2, size=2 * d).tolist(), strict=True)
    target = DecisionList(rules, 0, packed.names)
    return packed, target.labels(packed)


@given(labelled_tables(realizable=True))
def test_realizable_labels_are_learned_without_privacy(case):
    packed, labels = case
    found = rivest(packed, labels)
    assert found is not None
    assert found.errors(packed, labels) == 0
    assert greedy_list(packed, labels).errors(packed, labels) == 0


@given(labelled_tables(realizable=False))
def test_rivest_and_the_greedy_list_agree_on_what_is_realizable(case):
    packed, labels = case
    consistent = rivest(packed, labels)
    errors = greedy_list(packed, labels).errors(packed, labels)
    assert (consistent is None) == (errors > 0)
    if consistent is not None:
        assert consistent.errors(packed, labels) == 0
    assert 2 * errors <= packed.rows


def greedy_by_the_book(data, d):
    """What the docstring of `greedy_list` says, one list of rows after another."""
    rows, rules, left = list(data), [], list(range(d))
    while True:
        # The feature d is the constant one.
        held = {f: [row for row in rows if f == d or row[f]] for f in (d, *left)}
        pairs = [(f, b) for f in held for b in (0, 1) if held[f] or f == d]
        wrong = {(f, b): sum(row[d] != b for row in held[f]) for f, b in pairs}
        right = {(f, b): len(held[f]) - wrong[f, b] for f, b in pairs}
        fewest = [pair for pair in pairs if wrong[pair] == min(wrong.values())]
        most = [pair for pair in fewest if right[pair] == max(right[p] for p in fewest)]
        feature, label = most[0]
        if feature == d:
            return tuple(rules), label
        rules.append(Rule(feature, label))
        rows = [row for row in rows if not row[feature]]
        left.remove(feature)


@pytest.mark.parametrize("d", [1, 2, 3, 4])
def test_the_greedy_list_is_that_of_its_description(d):
    rng = np.random.default_rng(d)
    for _ in range(60):
        shape = rng.integers(0, 6), d + 1
        data = (rng.random(shape) < rng.choice([0.3, 0.5, 0.7])).astype(int).tolist()
        found = greedy_list(*table(data, d))
        assert (found.rules, found.default) == greedy_by_the_book(data, d)


@given(st.lists(st.sampled_from(ROWS[2]), max_size=6))
def test_the_greedy_list_is_the_limit_of_private_lists(data):
    packed, labels = table(data, 2)
    learner = GreedyCover(Fraction(10**4), Fraction(1, 2))
    law = exact_distribution(lambda coins: learner.fit(packed, labels, coins, accuracy=None))
    likely = {tuple(found.labels(packed).tolist()): True for found in law if law[found] > 1e-3}
    assert tuple(greedy_list(packed, labels).labels(packed).tolist()) in likely
    if rivest(packed, labels) is not None:
        assert set(likely) == {tuple(labels.tolist())}


# ---- accuracy


def test_the_batch_learner_is_the_mechanism():
    """On the same rows and coins; rows of points are packed in their order."""
    features = ShortConjunctions(2, 2)
    rows = [((0, 1), 1), ((1, 1), 0), ((0, 1), 1), ((0, 0), 1), ((1, 0), 0)] * 3
    mechanism = GreedyCover(Fraction(3), Fraction(1, 100))
    learner = DecisionListLearner(features, mechanism)
    packed = PackedFeatures.from_matrix([features.values(x) for x, _ in rows])
    for seed in range(8):
        found = mechanism.fit(packed, [y for _, y in rows], SeededCoins(seed), accuracy=None)
        with pytest.warns(FewRows, match=rf"needs {learner.rows} rows, but there are 15\."):
            h = learner.fit(Sample(features.domain, rows), SeededCoins(seed))
        assert h == found.hypothesis(features)


def test_few_rows_are_warned_of_with_the_number_that_is_needed():
    packed = PackedFeatures.from_matrix(np.eye(4, dtype=bool))
    learner = GreedyCover(Fraction(1), Fraction(1, 10**6))
    needed = sample_size(4, 1, Fraction(1, 10**6), Fraction(1, 10), Fraction(1, 20)).rows
    message = rf"needs {needed} rows with 4 features.*there are 4\."
    with pytest.warns(FewRows, match=message) as caught:
        learner.fit(packed, [0, 1, 0, 1], SeededCoins(0))
    assert caught[0].filename == __file__  # where the list was asked for
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        learner.fit(packed, [0, 1, 0, 1], SeededCoins(0), accuracy=None)


@pytest.mark.parametrize("data", [(), ((1, 0, 1), (0, 1, 0)), ((1, 1, 0),) * 3])
def test_a_list_has_half_of_the_features_in_expectation(data):
    """The reason why greedy covering of large classes is refused."""
    for epsilon in (1, 9):
        run = learned(GreedyCover(Fraction(epsilon), Fraction(1, 10)), 2)
        law = exact_distribution(lambda coins, run=run: run(data, coins))
        assert float(sum(law[rules, default] * len(rules) for rules, default in law)) > 1 - 1e-9
