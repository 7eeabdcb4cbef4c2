"""Hypergraphs in the Hypergraph Interchange Format (HIF), in JSON.

XGI and HyperNetX write this format. The object has the list ``incidences`` of pairs of an edge and
a node, and perhaps the lists ``nodes`` and ``edges``. The concepts are the edges, and the points
are the nodes. Weights and attributes are omitted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from lsclasses.errors import InvalidInput
from lsclasses.files.incidences import table_of_incidences
from lsclasses.files.set_systems import concept_names, member_positions
from lsclasses.packed_labels import PackedLabels
from lsclasses.point_names import Point

TYPES = ("undirected", "directed", "asc")
NOTES = {
    "directed": "The hypergraph is directed. A concept is the union of head and tail of an edge.",
    "asc": "The hypergraph is a simplicial complex. Only listed simplices are concepts.",
}


def is_hypergraph_json(data: Any) -> bool:
    """Return whether a JSON document has the keys of HIF."""
    return isinstance(data, dict) and "format" not in data and "incidences" in data


def labels_from_hif(data: dict[str, Any], name: str = "the hypergraph") -> PackedLabels:
    """Return the table of a hypergraph in HIF.

    Raises
    ------
    InvalidInput
        If the document does not have the form of HIF.
    TooLarge
        If the table exceeds `lsclasses.packing.BYTE_LIMIT`.

    Examples
    --------
    >>> pairs = [{"edge": "e", "node": 1}, {"edge": "f", "node": 2}, {"edge": "f", "node": 1}]
    >>> table = labels_from_hif({"incidences": pairs})
    >>> table.points, table.concept_names, table.labels.tolist()
    ((1, 2), ('e', 'f'), [[1, 0], [1, 1]])
    """
    kind = data.get("network-type", "undirected")
    if kind not in TYPES:
        raise InvalidInput(f'"network-type" must be one of {", ".join(TYPES)}. Got {kind!r:.80}.')
    nodes = {name: i for i, name in enumerate(_listed(data, "nodes", "node"))}
    edges = {name: i for i, name in enumerate(_listed(data, "edges", "edge"))}
    pairs = _entries(data, "incidences")
    rows, columns = np.empty(len(pairs), dtype=np.intp), np.empty(len(pairs), dtype=np.intp)
    for i, pair in enumerate(pairs):
        try:
            edge, node = pair["edge"], pair["node"]
            if not (type(edge) in (str, int) and type(node) in (str, int)):
                raise TypeError
        except (KeyError, TypeError):
            raise InvalidInput(
                f'entry {i} of "incidences" must have an "edge" and a "node", each a string or an '
                f"integer. Got {pair!r:.80}."
            ) from None
        rows[i] = edges.setdefault(edge, len(edges))
        columns[i] = nodes.setdefault(node, len(nodes))
    table = table_of_incidences(rows, columns, list(nodes), concepts=list(edges), name=name)
    table.notes = (NOTES[kind],) if kind in NOTES else ()
    listed = (*pairs, *_entries(data, "nodes"), *_entries(data, "edges"))
    if any(isinstance(each, dict) and _has_attributes(each) for each in listed):
        table.notes += ("The file has weights or attributes, which the table omits.",)
    return table


def _has_attributes(entry: dict[str, Any]) -> bool:
    """Return whether an entry has attributes, or a weight other than 1, which is the default."""
    return entry.get("weight", 1) != 1 or bool(entry.get("attrs"))


def _entries(data: dict[str, Any], key: str) -> list[Any]:
    found = data.get(key, [])
    if not isinstance(found, list):
        raise InvalidInput(f'"{key}" must be a list. Got {found!r:.80}.')
    return found


def _listed(data: dict[str, Any], key: str, part: str) -> list[Point]:
    """Return the names of the nodes or of the edges that a document lists."""
    found: dict[Point, int] = {}
    for i, entry in enumerate(_entries(data, key)):
        name = entry.get(part) if isinstance(entry, dict) else None
        if type(name) not in (str, int):
            raise InvalidInput(
                f'entry {i} of "{key}" must have the key "{part}", a string or an integer. '
                f"Got {entry!r:.80}."
            )
        if name in found:
            raise InvalidInput(
                f'entry {i} of "{key}" repeats the {part} {name!r:.80} of entry {found[name]}.'
            )
        found[name] = i
    return list(found)


def hif_lines(table: PackedLabels) -> Iterator[bytes]:
    """Yield a table as a hypergraph in HIF.

    Raises
    ------
    InvalidInput
        If a name is not a string or an integer.
    """
    concepts = concept_names(table)
    for name in (*concepts, *table.points):
        if type(name) not in (str, int):
            raise InvalidInput(
                f"Names in HIF must be strings or integers. Got {name!r:.80}. Rename it, or write "
                ".csv."
            )
    nodes, edges = list(map(json.dumps, table.points)), list(map(json.dumps, concepts))
    yield b'{"network-type": "undirected",\n "incidences": ['
    separator = "\n  "
    for edge, members in zip(edges, member_positions(table), strict=True):
        if members:
            pairs = [f'{{"edge": {edge}, "node": {nodes[j]}}}' for j in members]
            yield (separator + ",\n  ".join(pairs)).encode()
            separator = ",\n  "
    listed = ",\n  ".join(f'{{"node": {node}}}' for node in nodes)
    yield f'],\n "nodes": [\n  {listed}],\n'.encode()
    listed = ",\n  ".join(f'{{"edge": {edge}}}' for edge in edges)
    yield f' "edges": [\n  {listed}]}}\n'.encode()
