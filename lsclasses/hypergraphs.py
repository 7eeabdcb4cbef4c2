"""Concept classes of hypergraphs: the nodes are the points, and the hyperedges are the concepts."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from lsclasses.errors import InvalidInput
from lsclasses.files.hypergraph_json import is_hypergraph_json, labels_from_hif
from lsclasses.packing import is_hypergraph
from lsclasses.point_names import Point, plain
from lsclasses.table import Table


def hyperedges(hypergraph: Any) -> Table:
    """Return the class whose concepts are the hyperedges of a hypergraph.

    The points are the nodes of the hypergraph, and a concept has the name of its hyperedge. In a
    directed hypergraph of the library XGI, a hyperedge has a head and a tail, and the concept is
    the union of both sets.

    Parameters
    ----------
    hypergraph : Hypergraph of XGI or HyperNetX, dict, or mapping
        A hypergraph of the library XGI or HyperNetX, a JSON object in the Hypergraph Interchange
        Format (HIF), or a mapping from the name of each hyperedge to its nodes. For a mapping, the
        points are the nodes that occur in some hyperedge.

    Raises
    ------
    InvalidInput
        If the argument is not a hypergraph, or the nodes of a hyperedge are not a collection.
    TooLarge
        If the table exceeds `lsclasses.packing.BYTE_LIMIT`.

    Examples
    --------
    >>> C = hyperedges({"e": ["a", "b"], "f": ["b", "c"]})
    >>> C.points, C.concept_names, C.vcdim()
    (('a', 'b', 'c'), ('e', 'f'), 1)
    >>> hyperedges({"incidences": [{"edge": "e", "node": 1}]})
    <Table: 1 concept on 1 point>
    """
    if is_hypergraph_json(hypergraph):
        return Table._of(labels_from_hif(hypergraph))
    if isinstance(hypergraph, Mapping):
        sets = {edge: _members(edge, nodes) for edge, nodes in hypergraph.items()}
        return Table.from_sets(dict.fromkeys(x for nodes in sets.values() for x in nodes), sets)
    if not is_hypergraph(hypergraph):
        raise InvalidInput(
            "A class of hyperedges needs a hypergraph of XGI or HyperNetX, an object in HIF, or a "
            f"mapping of names to sets. Got {hypergraph!r:.200}."
        )
    members = getattr(hypergraph, "incidence_dict", None)
    if members is None:
        members = hypergraph.edges.members(dtype=dict)
    return Table.from_sets(list(hypergraph.nodes), dict(members))


def _members(edge: Hashable, nodes: Any) -> list[Point]:
    """Return the nodes of a hyperedge in a mapping."""
    if isinstance(nodes, (str, bytes)) or not isinstance(nodes, Iterable):
        raise InvalidInput(
            f"The nodes of the hyperedge {edge!r:.80} must be a collection, such as ['a', 'b']. "
            f"Got {nodes!r:.80}."
        )
    return [plain(node) for node in nodes]
