"""Graphs in files, read as the class of the neighbourhoods of their nodes.

The points are the nodes. The concept of a node is its open neighbourhood, the set of its
neighbours, and has the name of the node. A node with a loop is a neighbour of itself.

Lists of edges (``.edgelist``, ``.edges``)
    A line has the two nodes of an undirected edge, separated by blanks or a comma. Attributes, such
    as ``{'weight': 2}`` or one or two numbers on each line, are omitted. Lines that begin with
    ``#`` or ``%`` are comments.
DIMACS (``.col``, ``.dimacs``)
    The line ``p edge NODES EDGES`` declares the nodes 1 to NODES. A line ``e u v`` is an undirected
    edge. Lines that begin with ``c`` are comments, and lines that begin with ``n`` are values of
    nodes, which are omitted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

import numpy as np

from lsclasses.errors import InvalidInput
from lsclasses.files.incidences import Words, name_positions, table_of_incidences, whole_numbers
from lsclasses.files.text_content import numbered_lines
from lsclasses.numbers import plural
from lsclasses.packed_labels import PackedLabels
from lsclasses.packing import require_memory
from lsclasses.point_names import Point

NUMBER = re.compile(r"[-+]?[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?")


def read_edge_list(data: bytes, name: str) -> PackedLabels:
    """Return the table of the neighbourhoods of the graph in a file with a list of edges."""
    lines: list[Words] = []
    width, attributes = 0, False
    for number, text in numbered_lines(data, ".edgelist"):
        if not text.strip() or text.lstrip().startswith(("#", "%")):
            continue
        plain, _, attribute = text.partition("{")
        attributes = attributes or attribute.strip() not in ("", "}")
        words = plain.replace(",", " ").split()
        width = width or len(words)
        numbers = width == 2 or all(map(NUMBER.fullmatch, words[2:]))
        if len(words) != width or not (2 <= width <= 4 and numbers):
            expected = (
                f"{width} entries, as the lines before"
                if lines and len(words) != width
                else "two nodes, and perhaps one or two numbers or attributes in braces"
            )
            raise InvalidInput(
                f"line {number} must have {expected}. Got {text.strip()!r:.80}. A list of "
                "hyperedges has the suffix .hyperedges or .dat."
            )
        lines.append((number, words[:2]))
    if not lines:
        raise InvalidInput("the file has only comments. Expected a line with two nodes per edge.")
    points, ends = name_positions(list(chain.from_iterable(words for _, words in lines)))
    table = _neighbourhoods(ends.reshape(-1, 2), points, name)
    if width > 2:
        table.notes = (
            f"Each line has {plural(width - 2, 'number')} after its two nodes, which the table "
            "omits. Use the suffix .hyperedges if each line is a set of nodes.",
        )
    elif attributes:
        table.notes = ("The file has attributes of edges, which the table omits.",)
    return table


def _neighbourhoods(ends: np.ndarray, nodes: Sequence[Point], name: str) -> PackedLabels:
    """Return the table of the neighbourhoods, from the positions of the ends of each edge."""
    rows = np.concatenate([ends[:, 0], ends[:, 1]])
    columns = np.concatenate([ends[:, 1], ends[:, 0]])
    return table_of_incidences(rows, columns, nodes, concepts=nodes, name=name)


# ---- DIMACS


DECLARED = ("edge", "edges", "col")
"""Names that the line ``p`` of a DIMACS file may give the format."""


def read_dimacs(data: bytes, name: str) -> PackedLabels:
    """Return the table of the neighbourhoods of a graph in a DIMACS file."""
    declared: Words | None = None
    edges: list[Words] = []
    labelled = False
    for number, text in numbered_lines(data, ".col"):
        letter, *words = text.split() or ["c"]
        if letter == "n" or letter.startswith("c"):
            labelled = labelled or letter == "n"
            continue
        if letter == "p":
            if declared is not None:
                raise InvalidInput(f"line {number} is a second line p, after line {declared[0]}.")
            if len(words) != 3 or words[0] not in DECLARED:
                raise InvalidInput(
                    f"line {number} must have the form 'p edge NODES EDGES'. Got {text!r:.80}."
                )
            declared = (number, words[1:])
        elif letter != "e":
            raise InvalidInput(f"line {number} must begin with c, p, e or n. Got {letter!r:.80}.")
        elif declared is None:
            raise InvalidInput(f"line {number} is an edge before the line 'p edge NODES EDGES'.")
        elif len(words) != 2:
            raise InvalidInput(f"line {number} must have the form 'e NODE NODE'. Got {text!r:.80}.")
        else:
            edges.append((number, words))
    if declared is None:
        raise InvalidInput("the file has no line 'p edge NODES EDGES'.")
    nodes, count = whole_numbers([declared]).tolist()
    require_memory(nodes, nodes, name, packed=True)
    ends = whole_numbers(edges, 1, nodes).reshape(-1, 2) - 1
    _require_count(declared[0], count, ends)
    table = _neighbourhoods(ends, list(range(1, nodes + 1)), name)
    if labelled:
        table.notes = ("The lines n have values of nodes, which the table omits.",)
    return table


def _require_count(line: int, declared: int, ends: np.ndarray) -> None:
    """Refuse a wrong number of edges. Many files count or list each edge in both directions."""
    distinct = len(np.unique(np.sort(ends, axis=1), axis=0))
    if declared not in (len(ends), distinct, 2 * distinct):
        raise InvalidInput(
            f"line {line} declares {plural(declared, 'edge')}. The file has "
            f"{plural(len(ends), 'line')} with edges."
        )
