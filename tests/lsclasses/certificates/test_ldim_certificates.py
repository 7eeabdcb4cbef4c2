"""A proof of the exact Littlestone dimension is as good as the worse of its halves."""

from __future__ import annotations

from dataclasses import replace

import pytest

import catalog
from lsclasses import BadCertificate, Table
from lsclasses.certificates import (
    Certificate,
    FailureDAG,
    FailureEntry,
    FailureStep,
    FoldedTree,
    LdimCertificate,
    Node,
    ShatteredTree,
    Subtree,
)
from lsclasses.certificates import values as ldim_module
from tests.lsclasses.certificates.forging import passes

CHAIN = Table([[1, 1, 1], [0, 1, 1], [0, 0, 1], [0, 0, 0]], domain=range(3))
"""Its Littlestone dimension is 2."""


def test_either_half_alone_proves_nothing():
    """With what is true of one half, the other one claims as much as it would take."""
    proof = LdimCertificate.of(CHAIN)
    assert proof.claim == "Ldim = 2"
    proof.verify(CHAIN)
    # A tree that is shattered, and a bound below the truth.
    low = FailureDAG(proof.subject, 1, (FailureEntry(2),))
    with pytest.raises(BadCertificate, match="counting does not exclude depth 2"):
        LdimCertificate(proof.subject, proof.tree.first(1), low).verify(CHAIN)
    # A bound that holds, and a tree that is too deep.
    high = FailureDAG(proof.subject, 3, (FailureEntry(4),))
    high.verify(CHAIN)
    leaf = Subtree(points=(0, 0))
    for deep in (
        FoldedTree(proof.subject, 3, (Node(None, None, 1, (leaf, leaf)),)),
        ShatteredTree(proof.subject, 3, (1, 2, 0, 0, 0, 0, 0), (0,) * 8),
    ):
        assert not passes(LdimCertificate(proof.subject, deep, high).verify, CHAIN)


def test_halves_that_do_not_meet_are_refused_though_both_are_true():
    proof = LdimCertificate.of(CHAIN)
    high = FailureDAG(proof.subject, 3, (FailureEntry(4),))
    low = proof.tree.first(1)
    for tree, dag in ((low, proof.dag), (proof.tree, high), (low, high)):
        tree.verify(CHAIN)
        dag.verify(CHAIN)
        with pytest.raises(BadCertificate, match=f"do not meet: {tree.claim}, but {dag.claim}"):
            replace(proof, tree=tree, dag=dag).verify(CHAIN)


def test_trees_up_to_a_depth_are_written_out_and_deeper_ones_are_folded(monkeypatch):
    for limit, kind in ((1, FoldedTree), (2, ShatteredTree), (3, ShatteredTree)):
        monkeypatch.setattr(ldim_module, "UNFOLDED_UP_TO", limit)
        proof = LdimCertificate.of(CHAIN)
        assert type(proof.tree) is kind
        proof.verify(CHAIN)
        assert Certificate.from_json(proof.to_json()) == proof
        assert proof.to_networkx().nodes.keys() == proof.tree.to_networkx().nodes.keys()


@pytest.mark.parametrize(("depth", "kind"), [(10, ShatteredTree), (11, FoldedTree)])
def test_a_tree_of_depth_ten_is_written_out(depth, kind):
    cube = catalog.build(f"cube:n={depth}").to_table()
    proof = LdimCertificate.of(cube)
    assert type(proof.tree) is kind
    assert proof.claim == f"Ldim = {depth}"


def test_the_version_is_that_of_the_half_that_needs_more():
    proof = LdimCertificate.of(CHAIN)
    plain = replace(proof, dag=FailureDAG(proof.subject, 2, (FailureEntry(3),)))
    same = tuple((x, x, 0) for x in range(3))
    steps = tuple(FailureStep(x, 0) for x in range(3))
    turned = FailureDAG(proof.subject, 2, (FailureEntry(3, steps=steps, symmetries=(same,)),))
    assert (plain.tree.version, plain.dag.version, turned.version) == (1, 1, 2)
    assert plain.version == plain.to_json()["version"] == 1
    assert replace(plain, dag=turned).version == 2
    assert replace(plain, tree=FoldedTree.of(CHAIN)).version == 2
