"""Drawings of certificates: as text for a terminal, in DOT, and as SVG, without other programs.

A drawing is made of a directed acyclic graph whose nodes carry `label` (what is written in them),
`layer` (0 at the top) and `kind` (``point``, ``concept`` or ``entry``), and whose edges carry
`label` (``0``, ``1`` or nothing). `Certificate.to_networkx` makes such graphs.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from lsclasses.errors import TooLarge

if TYPE_CHECKING:
    import networkx

__all__ = ["SVG_LIMIT", "to_dot", "to_svg", "to_text"]

SVG_LIMIT = 4000
"""The largest number of nodes that is laid out; what is larger nobody can read."""

LABEL_LIMIT = 28
"""The longest label, in characters, that an SVG writes out; its tooltip has all of it."""

Node = Hashable


def to_text(graph: networkx.DiGraph) -> str:
    """The graph as an indented tree, one node a line.

    A node with branches that is reached in several ways is drawn once, with a number by which
    it is referred to after that.

    Parameters
    ----------
    graph : networkx.DiGraph
        Acyclic, with the attributes that the module describes.

    Examples
    --------
    >>> import networkx as nx
    >>> tree = nx.DiGraph()
    >>> tree.add_node("root", label="x = 1", layer=0, kind="point")
    >>> for y, name in enumerate(["none", "all"]):
    ...     tree.add_node(name, label=name, layer=1, kind="concept")
    ...     tree.add_edge("root", name, label=str(y))
    >>> print(to_text(tree))
    x = 1
    ├─0─ none
    └─1─ all
    """
    number: dict[Node, int] = {}
    lines: list[str] = []
    stack = [(root, "", "") for root in reversed(_roots(graph))]
    while stack:
        node, head, indent = stack.pop()
        text = head + _label(graph, node)
        if node in number:
            lines.append(f"{text} (see [{number[node]}])")
            continue
        if graph.in_degree(node) > 1 and graph.out_degree(node):
            number[node] = len(number) + 1
            text += f" [{number[node]}]"
        lines.append(text.rstrip())
        children = list(_children(graph, node))
        for i, (child, edge) in reversed(list(enumerate(children))):
            last = i == len(children) - 1
            branch = f"{'└' if last else '├'}─{edge}─ "
            below = (" " if last else "│") + " " * (len(branch) - 1)
            stack.append((child, indent + branch, indent + below))
    return "\n".join(lines)


def to_dot(graph: networkx.DiGraph) -> str:
    """The graph in the DOT language of Graphviz.

    Parameters
    ----------
    graph : networkx.DiGraph
        With the attributes that the module describes.

    Examples
    --------
    >>> import networkx as nx
    >>> point = nx.DiGraph()
    >>> point.add_node("a", label="x = 1", layer=0, kind="point")
    >>> print(to_dot(point), end="")
    digraph certificate {
      node [fontname="monospace"];
      edge [fontname="monospace"];
      n0 [label="x = 1", shape=ellipse];
    }
    """
    shapes = {"point": "ellipse", "concept": "box", "entry": "box, style=rounded"}
    number = {node: i for i, node in enumerate(graph)}
    lines = ["digraph certificate {"]
    lines += [f'  {kind} [fontname="monospace"];' for kind in ("node", "edge")]
    for node, i in number.items():
        shape = shapes[graph.nodes[node]["kind"]]
        lines.append(f"  n{i} [label={_quoted(_label(graph, node))}, shape={shape}];")
    for parent, child, edge in graph.edges(data="label"):
        label = f" [label={_quoted(_printable(edge))}]" if edge else ""
        lines.append(f"  n{number[parent]} -> n{number[child]}{label};")
    return "\n".join([*lines, "}", ""])


FONT_SIZE = 14
ADVANCE = 0.61 * FONT_SIZE
"""The width of one character: the font is monospaced, so that labels fit their frames."""
NODE_HEIGHT = 26
PADDING = 10
GAP = 14
LAYER_HEIGHT = 74
MARGIN = 16

# Inside a web page the rules of a style sheet reach every picture, so all are for this class only.
STYLE = f"""\
.lsclasses text {{ font: {FONT_SIZE}px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace;
  text-anchor: middle; fill: #1a1a1a; }}
.lsclasses .edge {{ stroke: #808080; stroke-width: 1.4; fill: none; }}
.lsclasses .e0 {{ stroke: #0072b2; }}
.lsclasses .e1 {{ stroke: #d55e00; }}
.lsclasses .again {{ stroke-width: 0.8; stroke-opacity: 0.7; }}
.lsclasses text.edge {{ stroke: #ffffff; stroke-width: 5; paint-order: stroke; font-weight: bold;
  fill: #606060; }}
.lsclasses text.e0 {{ fill: #0072b2; }}
.lsclasses text.e1 {{ fill: #d55e00; }}
.lsclasses .point {{ fill: #ffffff; stroke: #1a1a1a; stroke-width: 1.4; }}
.lsclasses .concept {{ fill: #f0f0f0; stroke: #b0b0b0; }}
.lsclasses .entry {{ fill: #fdf6e3; stroke: #808080; }}"""


def to_svg(graph: networkx.DiGraph, *, title: str = "") -> str:
    """The graph as an SVG picture, layer below layer.

    Every node stands above the nodes that it leads to first; further edges into a node, which
    only a graph that is no tree has, are drawn thinner, with their labels as tooltips.

    Parameters
    ----------
    graph : networkx.DiGraph
        Acyclic, with the attributes that the module describes.
    title : str
        What the picture shows, for screen readers and tooltips.

    Raises
    ------
    TooLarge
        If there are more than `SVG_LIMIT` nodes.
    """
    if len(graph) > SVG_LIMIT:
        raise TooLarge(
            f"A drawing of {len(graph)} nodes could not be read; the limit for SVG is {SVG_LIMIT}. "
            "Export DOT for Graphviz or JSON instead.",
            estimate=len(graph),
            limit=SVG_LIMIT,
        )
    width, centres = _layout(graph)
    layers = [graph.nodes[node]["layer"] for node in graph]
    height = 2 * MARGIN + NODE_HEIGHT + LAYER_HEIGHT * max(layers, default=0)
    positions = {
        node: (centre, MARGIN + NODE_HEIGHT / 2 + LAYER_HEIGHT * graph.nodes[node]["layer"])
        for node, centre in centres.items()
    }
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="lsclasses" role="img" '
        f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}">',
        *([f"<title>{escape(_printable(title))}</title>"] if title else []),
        f"<style>{STYLE}</style>",
        '<rect width="100%" height="100%" fill="#ffffff"/>',
    ]
    first = _spanning_tree(graph)
    texts: list[str] = []
    for parent in graph:
        for child, edge in _children(graph, parent):
            kind = f"edge e{edge}" if edge in ("0", "1") else "edge"
            (x0, y0), (x1, y1) = positions[parent], positions[child]
            y0, y1 = y0 + NODE_HEIGHT / 2, y1 - NODE_HEIGHT / 2
            if child in first[parent]:
                parts.append(
                    f'<line class="{kind}" x1="{x0:.1f}" y1="{y0:.1f}" '
                    f'x2="{x1:.1f}" y2="{y1:.1f}"/>'
                )
            else:
                bend = (y0 + y1) / 2
                parts.append(
                    f'<path class="{kind} again" d="M{x0:.1f} {y0:.1f} '
                    f'C{x0:.1f} {bend:.1f} {x1:.1f} {bend:.1f} {x1:.1f} {y1:.1f}">'
                    f"<title>{escape(edge)}</title></path>"
                )
                continue
            if edge:
                # A long label keeps clear of its neighbours close to the node it leads to.
                along = 0.5 if len(edge) == 1 else 0.8
                x, y = x0 + along * (x1 - x0), y0 + along * (y1 - y0) + FONT_SIZE / 3
                texts.append(
                    f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(_short(edge))}'
                    f"<title>{escape(edge)}</title></text>"
                )
    parts += texts
    for node, (x, y) in positions.items():
        label = _label(graph, node)
        box = _box(label)
        kind = graph.nodes[node]["kind"]
        radius = 4 if kind == "concept" else NODE_HEIGHT / 2
        parts.append(
            f'<g><rect class="{kind}" x="{x - box / 2:.1f}" y="{y - NODE_HEIGHT / 2:.1f}" '
            f'width="{box:.1f}" height="{NODE_HEIGHT}" rx="{radius:g}"/>'
            f'<text x="{x:.1f}" y="{y + FONT_SIZE / 3:.1f}">{escape(_short(label))}</text>'
            + (f"<title>{escape(label)}</title></g>" if _short(label) != label else "</g>")
        )
    return "\n".join([*parts, "</svg>", ""])


# ---- layout


def _layout(graph: networkx.DiGraph) -> tuple[float, dict[Node, float]]:
    """The width of the picture and the horizontal centre of every node.

    Each subtree of the spanning tree gets a strip of its own, as wide as its root and its
    children's strips need, so nothing overlaps whatever the layers are.
    """
    tree = _spanning_tree(graph)
    order = [node for root in _roots(graph) for node in _preorder(tree, root)]
    edges = {
        child: edge
        for node in graph
        for child, edge in _children(graph, node)
        if child in tree[node]
    }
    strips: dict[Node, float] = {}
    for node in reversed(order):
        own = max(_box(_label(graph, node)), _box(edges.get(node, ""))) + GAP
        strips[node] = max(own, sum(strips[child] for child in tree[node]))
    left: dict[Node, float] = {}
    offset = MARGIN - GAP / 2
    for root in _roots(graph):
        left[root] = offset
        offset += strips[root]
    for node in order:
        inner = left[node] + (strips[node] - sum(strips[child] for child in tree[node])) / 2
        for child in tree[node]:
            left[child] = inner
            inner += strips[child]
    centres: dict[Node, float] = {}
    for node in reversed(order):
        middle = left[node] + strips[node] / 2
        if tree[node]:
            middle = (centres[tree[node][0]] + centres[tree[node][-1]]) / 2
        room = (strips[node] - GAP - _box(_label(graph, node))) / 2
        centre = left[node] + strips[node] / 2
        centres[node] = min(max(middle, centre - room), centre + room)
    return offset + MARGIN - GAP / 2, {node: centres[node] for node in graph}


def _spanning_tree(graph: networkx.DiGraph) -> dict[Node, list[Node]]:
    """For every node the children that are drawn below it: those that no earlier node claimed."""
    children: dict[Node, list[Node]] = {node: [] for node in graph}
    claimed: set[Node] = set(_roots(graph))
    stack = list(reversed(_roots(graph)))
    while stack:
        node = stack.pop()
        for child, _ in _children(graph, node):
            if child not in claimed:
                claimed.add(child)
                children[node].append(child)
        stack.extend(reversed(children[node]))
    return children


def _preorder(tree: dict[Node, list[Node]], root: Node) -> Iterator[Node]:
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(tree[node]))


# ---- what all drawings share


def _roots(graph: networkx.DiGraph) -> list[Node]:
    return [node for node, degree in graph.in_degree() if degree == 0]


def _children(graph: networkx.DiGraph, node: Node) -> Iterator[tuple[Node, str]]:
    """The nodes one below with the labels of their edges, 0 before 1."""
    edges = [
        (child, _printable(str(data.get("label", "")))) for child, data in graph.adj[node].items()
    ]
    yield from sorted(edges, key=lambda edge: edge[1])


def _label(graph: networkx.DiGraph, node: Any) -> str:
    return _printable(str(graph.nodes[node]["label"]))


def _printable(text: str) -> str:
    """The text with control characters written as escapes: XML and terminals forbid them."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def _short(label: str) -> str:
    return label if len(label) <= LABEL_LIMIT else label[: LABEL_LIMIT - 1] + "…"


def _box(label: str) -> float:
    """The width of a node's frame."""
    columns = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in _short(label))
    return max(columns * ADVANCE + 2 * PADDING, NODE_HEIGHT)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
