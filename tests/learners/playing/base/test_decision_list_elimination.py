"""Elimination by levels for decision lists."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog
from catalog.closed_forms.list_rules import LiteralList
from catalog.decision_lists import decision_lists, short_conjunctions
from learners.playing.base.base_learner_names import base_learner
from learners.playing.base.decision_list_elimination import DecisionListElimination
from learners.playing.features import ShortConjunctions
from lsclasses import Table, TooLarge
from tests.learners.playing.online_checks import most_mistakes
from tests.strategies import GivenFeatures, tables

FAMILY = catalog.family("decision-lists")


@pytest.mark.parametrize(
    ("n", "k", "monotone", "alternations"),
    [(1, 1, 1, 0), (2, 1, 0, 1), (2, 1, 0, 0), (2, 2, 0, 1), (3, 1, 1, 1)],
)
def test_no_adversary_exceeds_the_bound(n: int, k: int, monotone: int, alternations: int) -> None:
    table = FAMILY.table(n=n, k=k, monotone=monotone, alternations=alternations)
    features = ShortConjunctions(n, k, monotone=bool(monotone))
    blocks = (alternations or features.count) + 1
    learner = DecisionListElimination(features, blocks)
    worst = most_mistakes(learner, table)
    assert table.ldim() <= worst <= learner.mistake_bound  # type: ignore[operator]


@given(tables(max_concepts=3, max_points=4), st.integers(1, 3))
def test_no_adversary_exceeds_the_bound_over_any_features(table: Table, blocks: int) -> None:
    lists = decision_lists(table, alternations=blocks - 1)
    learner = DecisionListElimination(GivenFeatures(table), blocks)
    assert lists.ldim() <= most_mistakes(learner, lists) <= learner.mistake_bound  # type: ignore[operator]


def test_the_first_level_decides() -> None:
    features = ShortConjunctions(2, 1)
    state = DecisionListElimination(features, 3)
    assert all(state.predict(x) == 0 for x in features.domain)
    state = state.observe((1, 0), 1)
    # x1, not x2 and the constant went down; x2 and not x1 still say 0.
    assert state.levels.array.tolist() == [2, 1, 1, 2, 2]
    assert [state.predict(x) for x in itertools.product((0, 1), repeat=2)] == [0, 0, 1, 0]
    assert state.observe((1, 0), 1) is state


def test_a_stream_that_no_list_fits_is_noticed() -> None:
    features = ShortConjunctions(2, 1)
    state = DecisionListElimination(features, 2)
    rng = np.random.default_rng(0)
    while state.mistake_bound is not None:
        x = features.domain.sample(rng)
        state = state.observe(x, 1 - state.predict(x))
    assert state.mistakes <= 3 * 5


def test_states_and_hypotheses() -> None:
    features = ShortConjunctions(2, 1)
    start = DecisionListElimination(features, 3)
    one = start.observe((1, 0), 1).observe((0, 1), 1)
    other = start.observe((0, 1), 1).observe((1, 0), 1)
    assert one == other
    assert hash(one) == hash(other)
    assert one.hypothesis == other.hypothesis
    assert start.hypothesis != one.hypothesis
    assert start.hypothesis.disagreement(one.hypothesis) is not None
    # By extension: other levels, the same labels.
    assert start.hypothesis == DecisionListElimination(features, 5).hypothesis
    large = DecisionListElimination(ShortConjunctions(30, 1), 2)
    assert large.hypothesis == DecisionListElimination(ShortConjunctions(30, 1), 2).hypothesis
    assert large.hypothesis != large.observe((0,) * 30, 1).hypothesis
    assert len(short_conjunctions(2, 1)) == features.count


def test_elimination_publishes_lists_in_a_canonical_form():
    C = catalog.build("decision-lists:n=60")
    state = base_learner(C).state
    target = C.sample(1)
    for x, y in C.sample_stream(200, 2, target=target):
        state = state.observe(x, y)
    published = state.hypothesis.canonical()
    assert isinstance(published, LiteralList)
    assert published.distance(state.hypothesis) == 0
    x = state.hypothesis.disagreement(target)
    assert state.hypothesis(x) != target(x)
    assert 0 < state.hypothesis.distance(target) < 2**60


def test_whether_lists_of_conjunctions_are_compared_depends_on_the_features_only():
    state = base_learner("decision-lists:n=60,k=2").state
    x = (1,) * 60
    for each in (state, state.observe(x, 1 - state.predict(x))):
        with pytest.raises(TooLarge, match="must be enumerated"):
            each.hypothesis.canonical()
