"""The halving algorithm."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import catalog
from learners.playing.base.halving import Halving, MajorityVote
from lsclasses import PatchedHypothesis, Table
from tests.learners.playing.online_checks import check_stream, most_mistakes
from tests.strategies import tables


@given(tables(max_concepts=10, max_points=5))
def test_no_adversary_exceeds_the_bound(table: Table) -> None:
    learner = Halving(table)
    assert learner.mistake_bound == len(table).bit_length() - 1
    assert most_mistakes(learner, table) <= len(table).bit_length() - 1
    assert most_mistakes(learner, table) >= table.ldim()


@given(tables(), st.data())
def test_predictions_are_those_of_most_concepts(table: Table, data: st.DataObject) -> None:
    x = data.draw(st.sampled_from(table.points))
    y = data.draw(st.integers(0, 1))
    state = Halving(table)
    ones = int(table.column(x).sum())
    assert state.predict(x) == state.hypothesis(x) == int(ones > len(table) - ones)
    after = state.observe(x, y)
    left = table.restrict(x, y)
    assert after.realizable == (not left.is_empty)
    assert after.version_space == (table if left.is_empty else left)
    assert (after.mistake_bound is None) == left.is_empty
    for z in table.points:
        patched = PatchedHypothesis(state.hypothesis, {z: y})
        assert patched.to_concept() == patched


def test_a_class_in_closed_form_that_can_count() -> None:
    C = catalog.build("affine:q=2,n=16,k=1")
    learner = Halving(C)
    assert C.size is not None
    assert learner.mistake_bound == C.size.bit_length() - 1
    rng = np.random.default_rng(0)
    state = check_stream(learner, C.sample_stream(60, rng))
    assert state.version_space == C.given([]) or state.version_space.size < C.size


def test_states_are_equal_whatever_they_cost() -> None:
    C = Table([[0, 0], [0, 1], [1, 1]])
    cheap, dear = Halving(C).observe(0, 0), Halving(C).observe(0, 0)
    assert cheap == dear
    mistaken = Halving(C.restrict(0, 1)).observe(0, 1)
    assert mistaken == Halving(C).observe(0, 1)
    assert hash(mistaken) == hash(Halving(C).observe(0, 1))
    assert (mistaken.mistakes, Halving(C).observe(0, 1).mistakes) == (0, 1)
    assert MajorityVote(C) == MajorityVote(Table([[0, 0], [0, 1], [1, 1]]))
