"""What a newcomer writes in Python: classes from functions and graphs, wrong arguments."""

from __future__ import annotations

import itertools
from decimal import Decimal
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog
from learners.mechanisms.histograms import StableHistogram
from learners.pac.entries import BATCH_LEARNERS
from lsclasses import Table, TooLarge, graphs
from lsclasses.dimensions import DIMENSIONS
from tests import oracles
from tests.strategies import plain

T = catalog.build("thresholds:n=7").to_table()


def test_functions_are_concepts():
    parity = {"even": lambda x: x % 2 == 0, "odd": lambda x: np.uint8(x % 2), "none": lambda x: 0}
    D = Table.from_functions(range(4), parity)
    assert D.concept_names == ("even", "odd", "none")
    assert D.labels.tolist() == [[1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 0, 0]]


@st.composite
def small_graphs(draw):
    n = draw(st.integers(1, 5))
    pairs = list(itertools.combinations(range(n), 2))
    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else [])
    return graph


def sets_of(table):
    return {frozenset(concept.support) for concept in table}


@given(small_graphs())
def test_classes_of_graphs_are_their_definitions(graph):
    subsets = [
        frozenset(chosen)
        for size in range(len(graph) + 1)
        for chosen in itertools.combinations(graph, size)
    ]

    def all_pairs(nodes, joined):
        return all(graph.has_edge(a, b) == joined for a, b in itertools.combinations(nodes, 2))

    assert sets_of(graphs.neighbourhoods(graph)) == {frozenset(graph[x]) for x in graph}
    closed = {frozenset({x, *graph[x]}) for x in graph}
    assert sets_of(graphs.neighbourhoods(graph, closed=True)) == closed
    assert sets_of(graphs.cliques(graph)) == {s for s in subsets if all_pairs(s, True)}
    assert sets_of(graphs.independent_sets(graph)) == {s for s in subsets if all_pairs(s, False)}
    orders = itertools.chain.from_iterable(itertools.permutations(s) for s in subsets if s)
    walks = {
        frozenset(order)
        for order in orders
        if all(graph.has_edge(a, b) for a, b in itertools.pairwise(order))
    }
    assert sets_of(graphs.paths(graph)) == walks


def test_too_many_sets_are_refused_before_they_are_kept(monkeypatch):
    monkeypatch.setattr("lsclasses.packing.BYTE_LIMIT", 100)
    with pytest.raises(TooLarge, match="cliques"):
        graphs.cliques(nx.complete_graph(30))


def test_on_no_points_there_is_one_function():
    one, none = Table([[]]), Table([], domain=[])
    assert (
        (one.ldim(), none.ldim())
        == (oracles.ldim(plain(one)), oracles.ldim(plain(none)))
        == (0, -1)
    )
    assert len(Table([[], []])) == 1 and one != none and hash(one) == hash(Table([[]]))
    for name, entry in DIMENSIONS.items():
        if name not in ("growth_function", "dual_ldim", "dual_vcdim"):
            assert entry(one) == oracles.definition(name)(plain(one)), name
    assert one | one == one & one == one ^ one == T.project([]) == one
    assert one.product(T) == T and one.shatters([]) and not none.shatters([])
    one.ldim_certificate().verify(one)
    one.vcdim_certificate().verify(one)


def test_a_class_is_built_from_keywords():
    assert catalog.build("affine", q=2, n=3, k=1) == catalog.build("affine:q=2,n=3,k=1")
    assert catalog.build("affine:q=2", n=3, k=1) == catalog.build("affine", q=2, n=3, k=1)


def test_decimals_are_exact_and_never_binary():
    for delta in ("1e-6", "1/1000000", Decimal("0.000001"), Fraction(1, 10**6)):
        assert StableHistogram(1, delta).delta == Fraction(1, 10**6)
    named = BATCH_LEARNERS["generic"]
    assert named.values(alpha=0.1)["alpha"] == named.values(alpha="0.1")["alpha"] == Fraction(1, 10)
