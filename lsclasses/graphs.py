"""Concept classes of graphs, with nodes as points and sets of nodes as concepts.

The graphs are networkx graphs, and the name of a node is the name of its point. Every 0/1 table is
the class of neighbourhoods of a bipartite graph, so every finite class is a class of a graph.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from lsclasses.concept_class import iterated
from lsclasses.errors import InvalidInput
from lsclasses.packing import require_memory
from lsclasses.table import Table

if TYPE_CHECKING:
    import networkx as nx


def neighbourhoods(graph: nx.Graph, *, closed: bool = False, side: Any = None) -> Table:
    """Return the class whose concepts are the neighbourhoods of the nodes of a graph.

    Without `side`, the points are all nodes. Each node x is the name of a concept, its open
    neighbourhood N(x), which is the set of its neighbours. With ``closed=True``, the concept is the
    closed neighbourhood, which consists of N(x) and x. A node with a loop is a neighbour of itself.
    In a directed graph, the neighbours of a node are its successors. The class of a graph without
    nodes has no concepts and no points.

    With `side`, the graph is bipartite. The concepts are the open neighbourhoods of the nodes of
    this side, and the points are the nodes of the other side. For example, the hyperedges of a
    hypergraph are the neighbourhoods of one side of its incidence graph.

    Nodes with equal neighbourhoods give one concept.

    Parameters
    ----------
    graph : networkx.Graph
    closed : bool
        Whether a node belongs to its neighbourhood. This cannot be combined with `side`.
    side : int, str or iterable of nodes, optional
        One side of a bipartite graph: an iterable of the nodes on this side, or the value of their
        attribute ``bipartite``. This value is 0 or 1 by the convention of networkx.

    Raises
    ------
    InvalidInput
        If the argument is not a graph, or an edge joins two nodes of one side.
    TooLarge
        If the table exceeds `lsclasses.packing.BYTE_LIMIT`.

    Examples
    --------
    >>> import networkx as nx
    >>> C = neighbourhoods(nx.cycle_graph(6))
    >>> C, C.vcdim(), C.ldim()
    (<Table: 6 concepts on 6 points>, 2, 2)
    >>> B = nx.Graph([("e", "a"), ("f", "b"), ("g", "a"), ("g", "b")])      # {a}, {b}, {a, b}
    >>> H = neighbourhoods(B, side=["e", "f", "g"])
    >>> H.points, H.concept_names, H.vcdim(), H.ldim()
    (('a', 'b'), ('e', 'f', 'g'), 1, 1)
    """
    nodes = _nodes(graph)
    concepts, points = (nodes, nodes) if side is None else _sides(graph, nodes, side)
    if closed and side is not None:
        raise InvalidInput(
            "A closed neighbourhood contains its node, which is not a point of the other side. "
            "Give either closed=True or side. Got both."
        )
    require_memory(len(concepts), len(points), "The neighbourhoods", packed=True)
    own = [[x] for x in concepts] if closed else [[]] * len(concepts)
    return Table.from_sets(
        points,
        {x: itertools.chain(graph.adj[x], more) for x, more in zip(concepts, own, strict=True)},
    )


def _sides(graph: nx.Graph, nodes: list[Any], side: Any) -> tuple[list[Any], list[Any]]:
    """Return the nodes of the given side and the remaining nodes of a bipartite graph."""
    if isinstance(side, (int, str)):
        chosen = {x for x in nodes if graph.nodes[x].get("bipartite") == side}
        if not chosen:
            raise InvalidInput(
                "A side is a list of nodes, or the value of their attribute 'bipartite'. Got "
                f"{side!r:.80}, which is not the attribute of any node."
            )
    else:
        chosen = set(iterated(side, "nodes of a side"))
        for x in chosen:
            if x not in graph:
                raise InvalidInput(
                    f"A side is a list of nodes. Got {x!r:.80}, which is not a node."
                )
    for x, y in graph.edges():
        if (x in chosen) == (y in chosen):
            place = "in" if x in chosen else "outside"
            raise InvalidInput(
                "Each edge must join a node of the side to a node of the other side. Got the edge "
                f"from {x!r:.80} to {y!r:.80}, both {place} the side."
            )
    return [x for x in nodes if x in chosen], [x for x in nodes if x not in chosen]


def cliques(graph: nx.Graph) -> Table:
    """Return the class of the cliques of a graph: sets of pairwise adjacent nodes.

    The empty set and single nodes are cliques. The points of the class are the nodes.

    Raises
    ------
    InvalidInput
        If the argument is not an undirected graph.
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

    The empty set and single nodes are independent sets. The independent sets of a graph are the
    `cliques` of its complement. The points of the class are the nodes.

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
    """Return the class of the simple paths of a graph: the concepts are the node sets of paths.

    Single nodes are paths. The points of the class are the nodes.

    Raises
    ------
    InvalidInput
        If the argument is not a graph.
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
