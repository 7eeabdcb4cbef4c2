"""Majorities of concepts of the class as online learners, and the certificates of their states."""

from __future__ import annotations

import itertools
import pickle
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog
from learners.checks import check_learner
from learners.claims.sparse_majority import reachable, reserves
from learners.online import leaves
from learners.online.majority_certificates import (
    HalvingCertificate,
    LeafEvidence,
    MajorityCertificate,
)
from learners.online.sparse_majority import SparseMajority, mistakes_at_most
from lsclasses import BadCertificate, Table
from lsclasses.naive import ldim_recursive
from tests.learners.online.online_checks import check_stream, most_mistakes
from tests.strategies import plain, tables


@given(tables(max_concepts=9, max_points=5), st.booleans())
def test_no_adversary_exceeds_a_bound_that_was_promised(table, exact):
    learner = SparseMajority(table, exact=exact)
    d = ldim_recursive(plain(table))
    bound = learner.mistake_bound
    assert bound <= mistakes_at_most(d, exact=exact) <= (4.41 if exact else 6.46) * d
    assert d <= most_mistakes(learner, table) <= bound


@given(tables(max_concepts=9, max_points=5), st.booleans())
def test_rules_follow_the_mixture_and_states_are_proved(table, exact):
    for state in reachable(SparseMajority(table, exact=exact), table):
        voters = [table[i] for i, n in state.voters.items() for _ in range(0 if exact else n)]
        total = sum(state.mixture.values())
        for x in table.points:
            ones = sum(n for i, n in state.mixture.items() if table[i](x))
            if exact:
                assert state.predict(x) == (2 * ones >= total)
                continue
            assert state.predict(x) == (2 * sum(c(x) for c in voters) > len(voters))
            assert (ones if state.predict(x) else total - ones) >= Fraction(2, 5) * total
        assert exact or (len(voters) == state.votes and state.votes % 2)
        proof = state.certificate()
        proof.verify(table)
        assert proof.bound == state.mistake_bound


@given(tables(max_concepts=9, max_points=5), st.booleans())
def test_every_mistake_takes_what_the_proof_says(table, exact):
    """Steps 1 to 3: a mistake multiplies a concept's reserve, as a share of all weight."""
    states = reachable(SparseMajority(table, exact=exact), table)
    first = next(reversed(states))
    proof, d = first.certificate(), ldim_recursive(plain(table))
    assert all(part >= proof.keep**d for part in reserves(first).values())
    factor = Fraction(1, 2) + proof.tolerance + proof.share
    for state in states:
        before = reserves(state)
        for x in table.points:
            after = state.observe(x, 1 - state.predict(x))
            if after.realizable:
                assert all(part * factor >= before[c] for c, part in reserves(after).items())


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("seed", [None, 0])
def test_the_same_with_many_leaves(seed, exact):
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
            before = reserves(state)
            assert all(part * factor >= before[c] for c, part in reserves(after).items())
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


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("spec", ["points:n=6", "affine:q=2,n=2,k=1", "warmuth", "subsets:n=5,k=2"])
def test_it_is_a_learner(spec, exact):
    check_learner(SparseMajority(catalog.build(spec), exact=exact), spec)
    C = catalog.build(spec).to_table()
    check_stream(SparseMajority(C, exact=exact), C.sample_stream(40, rng=3))


def test_states_are_equal_by_their_leaves():
    C = catalog.build("affine:q=2,n=3,k=1").to_table()
    one = SparseMajority(C).observe(C.points[0], 1)
    assert one == SparseMajority(C).observe(C.points[0], 1) != SparseMajority(C)
    assert pickle.loads(pickle.dumps(one)) == one
    assert pickle.loads(pickle.dumps(one)).hypothesis == one.hypothesis
    assert hash(one) == hash(pickle.loads(pickle.dumps(one)))
    assert SparseMajority(C) != SparseMajority(C, exact=True)
    # A table in another order is the same class, but positions mean other concepts.
    other = Table(C.labels[::-1], C.domain)
    assert other == C and SparseMajority(other) != SparseMajority(C)


def test_a_stream_that_no_concept_fits():
    state = SparseMajority(Table([[0, 0], [0, 1]])).observe(0, 1)
    assert not state.realizable and state.mistake_bound is None and state.mistakes == 1
    assert state.observe(1, 1 - state.predict(1)).mistake_bound is None


def test_whatever_the_solver_says_the_bounds_hold(monkeypatch):
    rng = np.random.default_rng(1)

    def nonsense(errors):
        points, members = errors.shape
        return leaves._rounded(rng.random(members) ** 9), leaves._rounded(rng.random(points) ** 9)

    monkeypatch.setattr(leaves, "_minimax", nonsense)
    for spec in ("points:n=7", "affine:q=2,n=2,k=1", "decision-lists:n=2", "subsets:n=5,k=2"):
        C = catalog.build(spec).to_table()
        for exact in (False, True):
            learner = SparseMajority(C, exact=exact)
            assert most_mistakes(learner, C) <= learner.mistake_bound
            learner.certificate().verify(C)


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


@pytest.mark.parametrize(("rows", "shares"), [*zip(CLASSES, SHARES, strict=True)])
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


def test_what_is_no_certificate():
    C = catalog.build("points:n=11").to_table()
    proof = SparseMajority(C).certificate()
    (leaf,) = proof.leaves
    with_leaf = lambda **changed: {"leaves": (replace(leaf, **changed),)}  # noqa: E731
    for changed, message in (
        ({"keep": 0.1}, "keep must be a Fraction"),
        ({"keep": Fraction(0)}, "0 < keep"),
        ({"keep": Fraction(1, 5)}, "keep <= share"),
        ({"share": Fraction(2, 5)}, "< 1/2"),
        ({"share": Fraction(3, 5)}, "< 1/2"),
        ({"tolerance": Fraction(-1, 10)}, "tolerance >= 0"),
        ({"leaves": ()}, "at least one leaf"),
        ({"leaves": iter(proof.leaves)}, "tuple of at least one leaf"),
        ({"leaves": (tuple(leaf.members),)}, "must be a LeafEvidence"),
        (with_leaf(members=()), "no members"),
        (with_leaf(members=(0, 0)), "increasing"),
        (with_leaf(members=(-1, 0)), "increasing positions below 11"),
        (with_leaf(members=(0, 11)), "below 11"),
        # Every member would count twice, and seem to have twice the weight that it is left with.
        ({**with_leaf(members=2 * leaf.members), "bound": 5}, "increasing"),
        (with_leaf(members=(False, 1)), "0|no member"),
        (with_leaf(weight=0), "at least 1"),
        (with_leaf(weight=Fraction(1)), "must be an integer"),
        (with_leaf(dimension=0), "its dimension is 1"),
        (with_leaf(dimension=2), "its dimension is 1"),
        (with_leaf(labels=leaf.labels[1:]), "one label"),
        (with_leaf(labels=(*leaf.labels, 0)), "one label"),
        (with_leaf(labels=(True, *leaf.labels[1:])), "one label"),
        (with_leaf(labels=(1, *leaf.labels[1:])), "not less than 1"),
        (with_leaf(votes=((0, 1),)), "1 of 1 votes contradict"),
        (with_leaf(votes=()), "at least one concept"),
        (with_leaf(votes=((0, 0), *leaf.votes[1:])), "at least 1"),
        (with_leaf(members=leaf.members[1:]), "is no member"),
        (with_leaf(votes=(*leaf.votes, leaf.votes[-1])), "increasing"),
        ({"voters": ((0, 1),)}, "the rule says 1"),
        ({"voters": ()}, "at least one concept"),
        ({"voters": ((0,),)}, "tuple of pairs"),
        ({"voters": ((0, 1, 1),)}, "tuple of pairs"),
        ({"voters": ((0, True),)}, "at least 1. Got True"),
        ({"bound": 5}, "allow for 6 mistakes"),
        ({"bound": -1}, "bound must be an integer, at least 0"),
        ({"bound": True}, "bound must be an integer"),
    ):
        with pytest.raises(BadCertificate, match=message):
            replace(proof, **changed).verify(C)
    with pytest.raises(BadCertificate):
        proof.verify(catalog.build("thresholds:n=10").to_table())
    replace(proof, bound=7).verify(C)
    assert replace(proof, bound=1).claim == (
        "at most 1 more mistake if one of its 11 concepts fits all examples"
    )


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
            assert each.claim == "at most 0 more mistakes if its only concept fits all examples"
            assert set(each.members) == {position}
    state = SparseMajority(C).certificate()
    assert state.members == frozenset(range(len(C)))
    assert f"if one of its {len(C)} concepts fits" in state.claim
