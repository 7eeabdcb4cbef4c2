"""Concept classes of graphs, with nodes as points and sets of nodes as concepts.

The graphs are networkx graphs, and the name of a node is the name of its point. Every 0/1 table is
the class of neighbourhoods of a bipartite graph, so every finite class is a class of a graph.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from lsclasses.errors import InvalidInput
from lsclasses.packing import require_memory
from lsclasses.table import Table

if TYPE_CHECKING:
    import networkx as nx


def neighbourhoods(graph: nx.Graph, *, closed: bool = False) -> Table:
    """Return the class whose concepts are the sets of neighbours of the nodes of a graph.

    In a directed graph, the neighbours of a node are its successors.

    Parameters
    ----------
    graph : networkx.Graph
        Graph, whose nodes are the points of the class.
    closed : bool
        Whether a node counts as a neighbour of itself.

    Raises
    ------
    InvalidInput
        If the argument is not a graph, or has no nodes.

    Examples
    --------
    >>> import networkx as nx
    >>> C = neighbourhoods(nx.cycle_graph(6))
    >>> C, C.vcdim(), C.ldim()
    (<Table: 6 concepts on 6 points>, 2, 2)
    """
    nodes = _nodes(graph)
    return Table.from_sets(nodes, [{*graph.adj[x], *([x] if closed else [])} for x in nodes])


def cliques(graph: nx.Graph) -> Table:
    """Return the class of the cliques of a graph: sets of pairwise adjacent nodes.

    The empty set and single nodes are cliques. The points of the class are the nodes.

    Raises
    ------
    InvalidInput
        If the argument is not an undirected graph, or has no nodes.
    TooLarge
        If the number of cliques is too large for a table.

    Examples
    --------
    >>> import networkx as nx
    >>> len(cliques(nx.complete_graph(4))), len(cliques(nx.cycle_graph(5)))
    (16, 11)
    """
    import networkx as nx

    nodes = _nodes(graph, directed=False)
    return _table(nodes, itertools.chain([()], nx.enumerate_all_cliques(_simple(graph))), "cliques")


def independent_sets(graph: nx.Graph) -> Table:
    """Return the class of the independent sets of a graph: sets of pairwise non-adjacent nodes.

    The empty set and single nodes are independent sets. They are the `cliques` of the complement.
    The points of the class are the nodes.

    Examples
    --------
    >>> import networkx as nx
    >>> C = independent_sets(nx.path_graph(4))
    >>> len(C), C.vcdim()
    (8, 2)
    """
    import networkx as nx

    nodes = _nodes(graph, directed=False)
    found = nx.enumerate_all_cliques(nx.complement(_simple(graph)))
    return _table(nodes, itertools.chain([()], found), "independent sets")


def paths(graph: nx.Graph) -> Table:
    """Return the class of the node sets of the simple paths of a graph, including single nodes.

    Raises
    ------
    InvalidInput
        If the argument is not a graph, or has no nodes.
    TooLarge
        If the number of node sets is too large for a table.

    Examples
    --------
    >>> import networkx as nx
    >>> C = paths(nx.path_graph(5))              # intervals
    >>> len(C), C.vcdim(), C.ldim()
    (15, 2, 3)
    """
    import networkx as nx

    nodes = _nodes(graph)
    pairs = (
        itertools.permutations(nodes, 2)
        if graph.is_directed()
        else itertools.combinations(nodes, 2)
    )
    found = (path for pair in pairs for path in nx.all_simple_paths(graph, *pair))
    return _table(nodes, itertools.chain(([x] for x in nodes), found), "paths")


def _nodes(graph: Any, *, directed: bool = True) -> list[Any]:
    import networkx as nx

    if not isinstance(graph, nx.Graph):
        raise InvalidInput(f"A class of a graph needs a networkx graph. Got {graph!r:.200}.")
    if graph.is_directed() and not directed:
        raise InvalidInput(
            "The graph must be undirected. graph.to_undirected() returns an undirected graph."
        )
    return list(graph)


def _simple(graph: nx.Graph) -> nx.Graph:
    """Return the graph without loops and parallel edges."""
    import networkx as nx

    simple = nx.Graph()
    simple.add_nodes_from(graph)
    simple.add_edges_from((u, v) for u, v in graph.edges() if u != v)
    return simple


def _table(nodes: list[Any], sets: Iterable[Iterable[Any]], what: str) -> Table:
    """Return the table of many sets. Refuse it as soon as there are too many."""

    def counted() -> Iterator[Iterable[Any]]:
        for count, each in enumerate(sets, start=1):
            require_memory(count, len(nodes), f"The {what} of the graph")
            yield each

    return Table.from_sets(nodes, counted())
