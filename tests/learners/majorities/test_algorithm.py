"""Majorities of concepts of the class as online learners, and the certificates of their states."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import catalog
from learners.checks import check_learner
from learners.majorities.algorithm import SparseMajority
from learners.majorities.certificates import HalvingCertificate, LeafEvidence, MajorityCertificate
from learners.majorities.evidence import reachable, reserves
from lsclasses import BadCertificate, Table
from tests.learners.playing.online_checks import check_stream
from tests.oracles import ldim_recursive
from tests.strategies import plain, tables


@settings(max_examples=8)
@given(tables(max_concepts=6, max_points=3), st.booleans())
def test_all_states_are_proved_and_promise_what_is_proved(table, exact):
    for state in reachable(SparseMajority(table, exact=exact), table):
        proof = state.certificate()
        proof.verify(table)
        assert proof.bound == state.mistake_bound


def test_it_is_a_learner():
    C = catalog.build("warmuth").to_table()
    check_learner(SparseMajority(C), "warmuth", rounds=8)
    check_stream(SparseMajority(C), C.sample_stream(40, rng=3))


@pytest.mark.parametrize(
    ("seed", "exact"), [pytest.param(None, False, marks=pytest.mark.slow), (0, True)]
)
def test_a_mistake_takes_what_the_proof_says_of_many_leaves(seed, exact):
    C = catalog.build("decision-lists:n=3").to_table()
    if seed is not None:
        C = Table(np.random.default_rng(seed).random((60, 16)) < 3 / 10)
    proof = SparseMajority(C, exact=exact).certificate()
    factor = Fraction(1, 2) + proof.tolerance + proof.share
    most = 0
    for i in range(0, len(C), len(C) // 10):
        state = SparseMajority(C, exact=exact)
        while (x := state.hypothesis.disagreement(C[i])) is not None:
            after = state.observe(x, C[i](x))
            before, now = (reserves(each.certificate()) for each in (state, after))
            assert all(part * factor >= before[c] for c, part in now.items())
            state, most = after, max(most, len(after.leaves))
    assert most >= 10


def test_fewer_votes_would_not_do():
    state = SparseMajority(catalog.build("points:n=20"))
    assert state.votes == 3 and state.hypothesis.to_concept().support == ()
    # One drawn concept is 1 somewhere, where only 1/20 of the mixture is.
    assert max(state.mixture.values()) * 10 <= sum(state.mixture.values())
    turned = SparseMajority(catalog.build("points:n=20").to_table().complement())
    assert turned.votes == 3 and len(turned.hypothesis.to_concept().support) == 20


def test_labels_that_may_be_either_are_checked_as_well():
    # Members that stand for the forced labels do not agree at the other points here.
    C = Table(np.random.default_rng(15).random((80, 18)) < 1 / 4)
    SparseMajority(C).certificate().verify(C)


def test_voters_are_drawn_by_their_weight_in_the_mixture():
    """Here the majority of a draw in which all are equally likely is none of the mixture."""
    C = Table(np.random.default_rng(1).random((20, 8)) < 3 / 10)
    SparseMajority(C).certificate().verify(C)


def test_exact_mixtures_are_other_states():
    C = catalog.build("points:n=4")
    assert SparseMajority(C) != SparseMajority(C, exact=True)


# ---- certificates


def passes(proof, C):
    try:
        proof.verify(C)
    except BadCertificate:
        return False
    return True


def mistakes_after(proof, C):
    """How often even the best learner errs that begins with this rule, on concepts in leaves."""
    left = C._subclass(np.array(sorted({i for leaf in proof.leaves for i in leaf.members})))
    most = 0
    for x in C.points:
        ones = sum(n for i, n in proof.voters if C[i](x))
        label = int(2 * ones >= sum(n for _, n in proof.voters))
        wrong = left.restrict(x, 1 - label)
        if not wrong.is_empty:
            most = max(most, 1 + ldim_recursive(plain(wrong)))
    return most


def sets(n):
    """All sets of positions below n that are not empty, increasing."""
    return [c for k in range(1, n + 1) for c in itertools.combinations(range(n), k)]


SHARES = [
    (Fraction(3, 20), Fraction(1501, 10000), Fraction(0)),
    (Fraction(1, 10), Fraction(1001, 10000), Fraction(1, 10)),
    (Fraction(2, 5), Fraction(2, 5), Fraction(0)),
]


CLASSES = [["00", "01", "11"], ["01", "10", "00"], ["00", "01"]]


@pytest.mark.parametrize(
    ("rows", "shares"),
    [
        pytest.param(rows, shares, marks=[pytest.mark.slow] * (len(rows) > 2))
        for rows, shares in zip(CLASSES, SHARES, strict=True)
    ],
)
def test_no_small_object_proves_what_is_false(rows, shares):
    """All certificates with one leaf, and all with two leaves of those that pass as one."""
    C = Table([list(map(int, row)) for row in rows])
    voters = [tuple((i, n) for i in chosen) for chosen in sets(len(C)) for n in (1,)]
    voters += [((0, 2), (1, 1)), ((0, 1), (1, 2))]
    tried = accepted = 0
    fine = []
    for members, dimension, labels, votes in itertools.product(
        sets(len(C)), range(3), itertools.product((0, 1), repeat=2), voters
    ):
        leaf = LeafEvidence(members, 1, dimension, labels, votes)
        for said in voters:
            proof = MajorityCertificate(*shares, (leaf,), said, 99)
            tried += 1
            if not passes(proof, C):
                continue
            if len(votes) == 1 and leaf not in fine:
                fine.append(leaf)
            for bound in range(3):
                smaller = replace(proof, bound=bound)
                if passes(smaller, C):
                    accepted += 1
                    assert mistakes_after(smaller, C) <= bound, smaller
    for one, other in itertools.combinations(fine, 2):
        for weight, said, bound in itertools.product((1, 9), voters, range(4)):
            pair = (one, replace(other, weight=weight))
            proof = MajorityCertificate(*shares, pair, said, bound)
            tried += 1
            if passes(proof, C):
                accepted += 1
                assert mistakes_after(proof, C) <= bound, proof
    assert tried > 300 and accepted > 0


@pytest.mark.parametrize("spec", ["thresholds:n=7", "cube:n=5"])
def test_a_claim_is_about_the_concepts_in_the_leaves(spec: str) -> None:
    """One leaf with one concept passes for a class of dimension 3 or 5, and says no more than it
    shows: the concept itself is never wrong about the streams that it fits."""
    C = catalog.build(spec).to_table()
    keep, tolerance = Fraction(1, 10), Fraction(1, 10)
    for position, labels in enumerate(C.labels.tolist()):
        leaf = LeafEvidence((position,), 1, 0, tuple(labels), ((position, 1),))
        proof = MajorityCertificate(keep, keep, tolerance, (leaf,), ((position, 1),), 0)
        halving = HalvingCertificate(tolerance, (position,), ((position, 1),), 0)
        for each in (proof, halving):
            each.verify(C)
            assert (
                each.claim == "at most 0 more mistakes if its only concept agrees with all examples"
            )
            assert set(each.members) == {position}
    state = SparseMajority(C).certificate()
    assert state.members == frozenset(range(len(C)))
    assert f"if one of its {len(C)} concepts agrees" in state.claim
