"""Certificates prove what they claim, and nothing that was tampered with passes."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog
from lsclasses import BadCertificate, Table
from lsclasses.certificates import (
    Certificate,
    FailureDAG,
    FoldedTree,
    LdimCertificate,
    ShatteredTree,
    VCCertificate,
    load_certificate,
)
from lsclasses.searching import littlestone_search
from tests import oracles
from tests.lsclasses.certificates.forging import believed, holds, mended, mutations
from tests.lsclasses.searching.spaces import balls
from tests.strategies import disguised_product, plain, tables

KINDS = {
    "tree": ShatteredTree.of,
    "folded": FoldedTree.of,
    "dag": FailureDAG.of,
    "ldim": LdimCertificate.of,
    "vcdim": VCCertificate.of,
    "set": lambda table: VCCertificate.of(table).shattered,
}


@pytest.fixture
def many_entries(monkeypatch):
    """Without counting columns the proofs recurse on small tables as they else do on large ones."""

    def too_few_concepts(self, space, k):
        return space.concepts < 2**k

    def fewer_concepts(self, space, k):
        return (2 * space.ones < space.concepts).astype(int), np.zeros(len(space.words), dtype=bool)

    monkeypatch.setattr(littlestone_search.LittlestoneSearch, "counted_out", too_few_concepts)
    monkeypatch.setattr(littlestone_search.LittlestoneSearch, "weaker_sides", fewer_concepts)


def medium(seed: int) -> Table:
    """Two Hamming balls: unstructured, with many more concepts than the dimension needs."""
    return Table(np.random.default_rng(seed).permutation(balls(2, 8)))


def product_table(seed: int) -> Table:
    """A product of a chain and two times none or one of three, points and concepts permuted."""
    rng = np.random.default_rng(seed)
    chain = np.tri(4, 3, -1, dtype=np.uint8)
    star = np.eye(4, 3, -1, dtype=np.uint8)
    return disguised_product([star, chain, star ^ rng.integers(0, 2, 3, dtype=np.uint8)], rng)


@given(tables(max_concepts=12))
def test_both_bounds_meet_at_the_definition(table):
    proof = LdimCertificate.of(table)
    proof.verify(table)
    assert proof.claim == f"Ldim = {oracles.ldim_recursive(plain(table))}"
    assert oracles.shatters(plain(table), proof.tree.points, proof.tree.depth)


def test_proofs_that_refer_to_other_version_spaces(many_entries):
    table = medium(0)
    dag = FailureDAG.of(table)
    dag.verify(table)
    assert dag.dimension == oracles.ldim_recursive(plain(table))
    assert len(dag.entries) > 1


def test_the_proof_of_a_product_is_one_of_its_factors(many_entries):
    """Two of them are isomorphic, so one entry stands for both."""
    table = product_table(0)
    dag = FailureDAG.of(table)
    dag.verify(table)
    assert dag.dimension == oracles.ldim_recursive(plain(table)) == 4
    assert dag.version == 2
    parts = dag.entries[0].factors
    assert parts is not None
    assert [len(part.matching) for part in parts] == [3, 3, 3]
    assert len({part.entry for part in parts}) == 2


def test_a_product_within_a_proof_is_recognised(many_entries):
    """On one side of a point the class is a product, on the other one concept."""
    rng = np.random.default_rng(3)
    inner = product_table(0).labels
    rows = np.concatenate([inner, rng.integers(0, 2, (1, inner.shape[1]))])
    table = Table(np.concatenate([rows, np.arange(len(rows))[:, None] == len(inner)], axis=1))
    proof = LdimCertificate.of(table)
    proof.verify(table)
    assert proof.tree.depth == oracles.ldim_recursive(plain(table))


def test_a_proof_uses_isomorphisms(many_entries):
    """Entries are shared by matchings, and symmetries take points to points.

    Without them there is a reason for fewer points.
    """
    table = catalog.build("decision-lists:n=3").to_table()
    dag = FailureDAG.of(table)
    dag.verify(table)
    assert dag.version == 2
    assert any(step.matching for entry in dag.entries for step in entry.steps or ())
    turned = [i for i, entry in enumerate(dag.entries) if entry.symmetries]
    assert len(turned) > 3
    for i in turned:
        entry = replace(dag.entries[i], symmetries=())
        changed = (*dag.entries[:i], entry, *dag.entries[i + 1 :])
        with pytest.raises(BadCertificate, match=f"Entry {i} gives no reason why"):
            FailureDAG(dag.subject, dag.dimension, changed).verify(table)
        (x, z, flip), *rest = dag.entries[i].symmetries[0]
        entry = replace(entry, symmetries=(((x, z, 1 - flip), *rest),))
        changed = (*dag.entries[:i], entry, *dag.entries[i + 1 :])
        with pytest.raises(BadCertificate, match=f"Entry {i}: symmetry 0 does not map"):
            FailureDAG(dag.subject, dag.dimension, changed).verify(table)


@given(tables(max_concepts=12))
def test_vc_bounds_meet_at_the_definition(table):
    proof = VCCertificate.of(table)
    proof.verify(table)
    assert proof.claim == f"VCdim = {oracles.vcdim(plain(table))}"


@pytest.mark.parametrize("kind", KINDS)
@given(table=tables(max_concepts=10))
def test_files_give_back_the_same_certificate(kind, table, tmp_path_factory):
    certificate = KINDS[kind](table)
    assert repr(certificate) == f"<{certificate.kind} certificate: {certificate.claim}>"
    path = tmp_path_factory.mktemp("certificates") / "proof.json"
    certificate.save(path)
    loaded = load_certificate(path)
    assert loaded == certificate
    loaded.verify(table)


def claims_the_truth(certificate: Certificate, table: Table) -> bool:
    """Whether what a certificate claims holds by definition."""
    definitions = {"Ldim": oracles.ldim_recursive, "VCdim": oracles.vcdim}
    return holds(certificate.claim, lambda name: definitions[name](plain(table)))


@pytest.mark.parametrize("kind", KINDS)
@given(table=tables(max_concepts=10), data=st.data())
def test_what_is_changed_is_rejected_and_with_a_mended_digest_proves_nothing_false(
    kind, table, data
):
    """With digest and claim recomputed, a mutant is rejected or proves something true."""
    mutant = data.draw(mutations(KINDS[kind](table).to_json()))
    assert believed(mutant, table) is None
    for claim in [mutant.get("claim")] + [f"Ldim <= {d}" for d in range(-1, 4)]:
        certificate = believed(mended({**mutant, "claim": claim}), table)
        assert certificate is None or claims_the_truth(certificate, table)


@pytest.mark.parametrize("make", [medium, product_table])
def test_a_forged_proof_with_entries_proves_nothing_false(make, many_entries):
    table = make(1)
    honest = FailureDAG.of(table).to_json()
    rejected = 0

    @given(st.data())
    def check(data):
        nonlocal rejected
        certificate = believed(mended(data.draw(mutations(honest))), table)
        rejected += certificate is None
        assert certificate is None or claims_the_truth(certificate, table)

    check()
    assert rejected


@given(tables(max_concepts=12), st.integers(0, 4))
def test_the_first_levels_are_a_tree_of_their_own(table, depth):
    whole = table.shattered_tree()
    for tree in (whole.first(depth), table.shattered_tree(depth)):
        assert tree.depth == min(depth, whole.depth)
        tree.verify(table)


def unfolded(graph, node):
    """The tree that a folded graph stands for."""
    below = {}
    for child, label in graph.adj[node].items():
        for y in label["label"].split(", "):
            below[y] = unfolded(graph, child)
    return graph.nodes[node]["label"], below


@given(tables(max_concepts=16))
def test_a_folded_tree_has_each_subtree_once_and_none_is_lost(table):
    tree = table.shattered_tree()
    folded = tree.to_networkx(fold=True)
    if not tree.depth:
        return
    whole = tree.to_networkx()
    whole.remove_nodes_from([n for n, kind in whole.nodes(data="kind") if kind == "concept"])
    assert unfolded(folded, 0) == unfolded(whole, 0)
    subtrees = {json.dumps(unfolded(folded, node), sort_keys=True) for node in folded}
    assert len(subtrees) == len(folded)


@given(tables(max_concepts=12))
def test_drawings_lie_in_layers_from_the_top(table):
    """A tree's layers are its levels; an entry of a failure DAG stands where its depth says."""
    tree, dag = table.shattered_tree(), table.failure_dag()
    graphs = [tree.to_networkx(), tree.to_networkx(fold=True), dag.to_networkx()]
    for graph in graphs:
        layer = dict(graph.nodes(data="layer"))
        assert layer[0] == 0 and min(layer.values()) == 0
        assert all(layer[below] > layer[above] for above, below in graph.edges)
    for graph in graphs[:2]:
        layer = dict(graph.nodes(data="layer"))
        assert all(layer[below] == layer[above] + 1 for above, below in graph.edges)
    assert max(dict(graphs[0].nodes(data="layer")).values()) == tree.depth
    for i, entry in enumerate(dag.entries):
        assert graphs[2].nodes[i]["layer"] + entry.depth == table.ldim() + 1


class NoSearch:
    """Stands where a table keeps its search."""

    def __getattr__(self, name: str) -> None:
        raise AssertionError(f"the search was asked for {name}")


def test_certificates_are_checked_without_a_search():
    labels = [[i >> j & 1 for j in range(4)] for i in range(16) if i.bit_count() <= 2]
    proofs = [Table(labels).ldim_certificate(), Table(labels).vcdim_certificate()]
    silent = Table(labels)
    silent._shared_search = NoSearch()
    for proof in proofs:
        proof.verify(silent)
    with pytest.raises(AssertionError, match="the search was asked"):
        silent.ldim()


def test_the_empty_class_has_an_upper_bound():
    table = Table([], domain="ab")
    table.failure_dag().verify(table)
    assert table.failure_dag().claim == "Ldim <= -1"


def test_of_a_deep_tree_the_first_levels_are_printed():
    tree = catalog.build("thresholds:n=255").shattered_tree()
    first, *drawn = str(tree).splitlines()
    assert first == "Ldim >= 8, the first 6 of 8 levels"
    assert drawn == tree.first(6).to_text().splitlines()
