"""Classes of hypergraphs, bipartite graphs and sparse matrices in memory."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from lsclasses import InvalidInput, Table, TooLarge, hyperedges, neighbourhoods
from lsclasses.files.tables import load_labels

SETS = {"e": ["a", 1], "f": ["b"], "g": ["b"], "h": []}
NODES = ["a", "b", 1, "c"]


def concepts(C: Table) -> dict[Any, set[Any]]:
    return {concept.name: {*concept.support} for concept in C}


class _Edges(list):  # type: ignore[type-arg]
    """The view of edges of XGI."""

    def members(self, dtype: type = list) -> Any:
        found = {edge: {*nodes} for edge, nodes in SETS.items()}
        return found if dtype is dict else list(found.values())


XGI = SimpleNamespace(nodes=NODES, edges=_Edges(SETS))
HYPERNETX = SimpleNamespace(nodes=NODES, edges=list(SETS), incidence_dict=SETS)


@pytest.mark.parametrize("hypergraph", [XGI, HYPERNETX])
def test_hypergraphs_are_read_by_their_attributes(hypergraph: Any) -> None:
    C = hyperedges(hypergraph)
    assert C.points == tuple(NODES) and C.merged_names == (("g", "f"),)
    assert concepts(C) == {"e": {"a", 1}, "f": {"b"}, "h": set()}
    with pytest.raises(InvalidInput, match=r"hyperedges.hypergraph. returns"):
        Table(hypergraph)


@pytest.mark.parametrize("package", ["xgi", "hypernetx"])
def test_hypergraphs_of_the_packages(package: str) -> None:
    module = pytest.importorskip(package)
    C = hyperedges(module.Hypergraph({"e": ["a", "b"], "f": ["b"]}))
    assert concepts(C) == {"e": {"a", "b"}, "f": {"b"}}


def test_objects_of_hif_and_mappings() -> None:
    pairs = [{"edge": edge, "node": node} for edge, nodes in SETS.items() for node in nodes]
    C = hyperedges({"incidences": pairs, "edges": [{"edge": edge} for edge in SETS]})
    assert concepts(C) == concepts(hyperedges(SETS)) == {"e": {"a", 1}, "f": {"b"}, "h": set()}


# ---- neighbourhoods


def test_a_side_of_a_bipartite_graph_is_a_hypergraph() -> None:
    graph = nx.Graph([("e", "a"), ("f", "b"), ("g", "a"), ("g", "b")])
    nx.set_node_attributes(graph, {x: x in ("e", "f", "g") for x in graph}, "bipartite")
    for side in (["e", "f", "g"], iter("efg"), 1, True):
        C = neighbourhoods(graph, side=side)
        assert concepts(C) == {"e": {"a"}, "f": {"b"}, "g": {"a", "b"}}
        assert (C.points, C.vcdim(), C.ldim()) == (("a", "b"), 1, 1)
    assert concepts(neighbourhoods(graph, side=0)) == {"a": {"e", "g"}, "b": {"f", "g"}}
    assert neighbourhoods(graph).vcdim() == 2


def test_neighbourhoods_have_the_names_of_their_nodes() -> None:
    graph = nx.path_graph(4)
    C = neighbourhoods(graph)
    assert concepts(C) == {x: {*graph[x]} for x in graph}
    closed = neighbourhoods(graph, closed=True)
    assert concepts(closed) == {x: {x, *graph[x]} for x in graph}
    twins = neighbourhoods(nx.star_graph(2))
    assert twins.merged_names == ((2, 1),)


def test_a_graph_without_nodes_has_the_empty_class() -> None:
    C = neighbourhoods(nx.Graph())
    assert C.is_empty and C.points == () and C.ldim() == -1


def test_a_side_is_the_biadjacency_matrix() -> None:
    graph = nx.davis_southern_women_graph()
    women = graph.graph["top"]
    C = neighbourhoods(graph, side=women)
    assert Table(nx.bipartite.biadjacency_matrix(graph, women, C.points), C.points) == C
    assert neighbourhoods(graph, side=0) == C


# ---- sparse matrices and sets


@given(
    st.integers(0, 5).flatmap(
        lambda n: st.lists(st.lists(st.booleans(), min_size=n, max_size=n), min_size=1, max_size=6)
    ),
    st.sampled_from(["csr", "csc", "coo", "lil", "dok"]),
    st.sampled_from([bool, np.int8, float]),
)
def test_sparse_matrices(rows: list[list[bool]], form: str, dtype: type) -> None:
    dense = np.array(rows, dtype=dtype).reshape(len(rows), -1)
    if not dense.shape[1]:
        return
    for make in (scipy.sparse.coo_array, scipy.sparse.coo_matrix):
        matrix = make(dense).asformat(form)
        names = [f"c{i}" for i in range(len(rows))]
        C = Table(matrix, concepts=names)
        assert Table(dense) == C and C.merged_names == Table(dense, concepts=names).merged_names


def test_entries_of_sparse_matrices_add_up() -> None:
    repeated = scipy.sparse.coo_array(([1, 0, 1, -1], ([0, 0, 1, 1], [1, 1, 0, 0])), shape=(2, 2))
    assert Table(repeated).labels.tolist() == [[0, 1], [0, 0]]
    assert repeated.nnz == 4
    with pytest.raises(InvalidInput, match=r"Got 2 in row 0, column 1"):
        Table(scipy.sparse.coo_array(([1, 1], ([0, 0], [1, 1])), shape=(2, 2)))
    with pytest.raises(InvalidInput, match=r"Got nan in row 0"):
        Table(scipy.sparse.csr_array([[np.nan]]))


def test_too_many_sets_are_refused_before_memory_is_used() -> None:
    start = time.perf_counter()
    with pytest.raises(TooLarge) as stopped:
        Table.from_sets(range(120_000), [[i] for i in range(120_000)])
    assert stopped.value.limit is not None and stopped.value.estimate is not None
    assert stopped.value.estimate > stopped.value.limit
    assert time.perf_counter() - start < 5
    assert len(Table.from_sets(range(20_000), [[i] for i in range(20_000)])) == 20_000


def test_labels_of_a_file_have_no_notes_by_default(tmp_path: Any) -> None:
    Table([[0, 1], [1, 1]]).save(tmp_path / "class.json")
    assert load_labels(tmp_path / "class.json").notes == ()


def test_sums_of_small_numbers_do_not_wrap() -> None:
    entries = np.array([255, 2], dtype=np.uint8)
    with pytest.raises(InvalidInput, match=r"Got 257 in row 0, column 1"):
        Table(scipy.sparse.coo_matrix((entries, ([0, 0], [1, 1])), shape=(2, 2)))


@pytest.mark.parametrize("nodes", [5, "ab", b"ab", None])
def test_nodes_of_a_mapping_are_collections(nodes: Any) -> None:
    with pytest.raises(InvalidInput, match=r"The nodes of the hyperedge 'e' must be a collection"):
        hyperedges({"e": nodes})
    assert hyperedges({"e": [["a", 1]]}).points == (("a", 1),)
