"""Halving by the votes of few, its certificates, and what it has in common with leaves."""

from __future__ import annotations

import pickle
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

import catalog
from learners.checks import check_learner
from learners.majorities.algorithm import SparseMajority, mistakes_at_most, sparse_majority
from learners.majorities.certificates import HalvingCertificate
from learners.majorities.sparse_halving import SparseHalving, few_votes, halvings_at_most
from learners.playing.base.halving import Halving
from lsclasses import Table
from lsclasses.errors import TooLarge
from lsclasses.soa import ConservativeSOA
from tests.learners.playing.online_checks import check_stream
from tests.oracles import ldim_recursive
from tests.strategies import plain, tables


def test_votes_are_drawn_by_weight_and_no_fewer_than_needed():
    rows = np.array([[0, 1], [1, 0], [1, 1]], np.uint8)
    # Nearly all of the weight decides; weights of more than 64 bits count as they are.
    for total in (1, 1 << 80):
        assert few_votes(rows, {0: 1 * total, 2: 99 * total}, Fraction(1, 10)) == {2: 1}
    C = catalog.build("points:n=20").to_table()
    state = SparseHalving(C)
    # One drawn concept would be 1 somewhere, where only 1/20 of all are.
    assert state.votes == 3 and state.hypothesis.to_concept().support == ()


@given(tables(max_concepts=40, max_points=6))
def test_the_learner_that_promises_less_is_taken(table):
    d = ldim_recursive(plain(table))
    few = sparse_majority(table)
    assert few.mistake_bound <= min(halvings_at_most(len(table)), mistakes_at_most(d))
    every = sparse_majority(table, exact=True)
    assert every.mistake_bound <= min(len(table).bit_length() - 1, mistakes_at_most(d, exact=True))


@pytest.mark.parametrize(("small", "large"), [("thresholds:n=40", "thresholds:n=2^64")])
def test_large_classes_vote_by_formula_as_their_tables(small, large):
    C = catalog.build(small)
    by_formula, by_table = Halving(C), Halving(C.to_table())
    for x, y in [(31, 1), (5, 0), (20, 1), (9, 0)]:
        assert [by_formula.predict(z) for z in range(40)] == [
            by_table.predict(z) for z in range(40)
        ]
        by_formula, by_table = by_formula.observe(x, y), by_table.observe(x, y)
    every = sparse_majority(catalog.build(large), exact=True)
    assert isinstance(every, Halving) and every.mistake_bound == 64
    target, mistakes = 3**40, 0
    low, high = 0, 2**64 - 1
    while low < high:  # the adversary bisects the domain for the start of the ones
        middle = (low + high) // 2
        label = int(middle >= target)
        mistakes += every.predict(middle) != label
        every = every.observe(middle, label)
        low, high = (low, middle) if label else (middle + 1, high)
    assert mistakes <= 64 and every.predict(target) == 1 and every.predict(target - 1) == 0


def test_refusals_of_large_classes():
    intervals = catalog.build("intervals:n=2^64")
    with pytest.raises(TooLarge, match="weighs every concept at every point"):
        sparse_majority(intervals)
    with pytest.raises(TooLarge, match="NP-hard to compute"):
        sparse_majority(catalog.build("decision-lists:n=200"), exact=True)
    with pytest.raises(TooLarge, match="infinite"):
        sparse_majority(catalog.build("points:n=inf"), exact=True)


def test_one_concept_votes_where_a_formula_shows_that_the_soa_is_proper():
    small = catalog.build("thresholds:n=9")
    state = sparse_majority(catalog.build("thresholds:n=2^64"))
    assert state.mistake_bound == 64
    # The same learner on nine points publishes only concepts, for every mistake.
    assert small._has_proper_soa()
    waiting, concepts = [ConservativeSOA(small)], {c.to_concept() for c in small.to_table()}
    for each in waiting:
        assert each.hypothesis.to_concept() in concepts
        after = [each.observe(x, 1 - each.predict(x)) for x in range(9)]
        waiting += [more for more in after if more.mistake_bound is not None]
    assert len(waiting) > 9


def test_it_is_a_learner():
    C = catalog.build("warmuth").to_table()
    check_learner(SparseHalving(C), "warmuth", rounds=8)
    check_stream(SparseHalving(C), C.sample_stream(40, rng=3))


def test_dense_tables_without_structure():
    """Here leaves are many, and promise four times as many mistakes."""
    C = catalog.build("random:m=1000,n=64").to_table()
    for target in range(0, 1000, 300):
        state, mistakes = sparse_majority(C), 0
        assert isinstance(state, SparseHalving) and state.mistake_bound == 13
        while (x := state.hypothesis.disagreement(C[target])) is not None:
            state, mistakes = state.observe(x, C[target](x)), mistakes + 1
        assert 1 <= mistakes <= 13


@pytest.mark.parametrize("learner", [SparseHalving, SparseMajority])
def test_states_are_values_and_know_where_no_concept_fits(learner):
    C = catalog.build("affine:q=2,n=2,k=1").to_table()
    one = learner(C).observe(C.points[0], 1)
    again = pickle.loads(pickle.dumps(one))
    assert again == one == learner(C).observe(C.points[0], 1) != learner(C)
    assert hash(again) == hash(one) and again.hypothesis == one.hypothesis
    # A table in another order is the same class, but positions mean other concepts.
    other = Table(C.labels[::-1], C.domain)
    assert other == C and learner(other) != learner(C)
    lost = learner(Table([[0, 0], [0, 1]])).observe(0, 1)
    assert not lost.realizable and lost.mistake_bound is None and lost.mistakes == 1
    assert lost.observe(1, 1 - lost.predict(1)).mistake_bound is None


@pytest.mark.parametrize(("learner", "bound"), [(SparseHalving, 4), (SparseMajority, 5)])
def test_a_certificate_that_promises_less_than_it_proves_passes(learner, bound):
    C = catalog.build("points:n=8").to_table()
    proof = learner(C).certificate()
    assert proof.bound == bound
    replace(proof, bound=bound + 1).verify(C)
    if isinstance(proof, HalvingCertificate):
        # A smaller tolerance promises less mistakes; the rule keeps to it on this class.
        replace(proof, tolerance=Fraction(0), bound=3).verify(C)
    claim = "at most 1 more mistake if one of its 8 concepts agrees with all examples"
    assert replace(proof, bound=1).claim == claim
