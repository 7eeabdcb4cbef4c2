"""Drawings of certificates as text, in DOT, in TeX and as SVG, without other programs.

A drawing represents a directed acyclic graph. Each node has a `label` (its text), a `layer` (0 at
the top) and a `kind` (``point``, ``concept`` or ``entry``). Each edge has a `label` (``0``, ``1``,
both, or empty). `Certificate.to_networkx` makes such graphs.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from lsclasses.errors import TooLarge

if TYPE_CHECKING:
    import networkx

SVG_LIMIT = 4000
"""The largest number of nodes of a drawing, because larger drawings are not readable."""

WIDE = 1600
"""The width in pixels above which a graph is drawn from left to right.

Pages scroll downwards, so a tall drawing is easier to read than a wide drawing.
"""

LABEL_LIMIT = 28
"""The largest number of characters of a label in an SVG. The tooltip has the full label."""

SHOWN_DEPTH = 6
"""The default number of levels of a tree in the terminal, which fill 127 lines."""

Node = Hashable
Positions = dict[Node, tuple[float, float]]


def to_text(graph: networkx.DiGraph) -> str:
    """Return a graph as an indented tree with one node per line.

    If several paths lead to a node with branches, its branches are drawn only once. The node gets a
    number, which replaces it at later places.

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
    """Return a graph in the DOT language of Graphviz.

    Parameters
    ----------
    graph : networkx.DiGraph
        Graph with the attributes that the module describes.

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
        label = f" [label={_quoted(printable(edge))}]" if edge else ""
        lines.append(f"  n{number[parent]} -> n{number[child]}{label};")
    return "\n".join([*lines, "}", ""])


def to_tex(graph: networkx.DiGraph) -> str:
    r"""Return a LaTeX document that draws a graph with the package ``forest`` of TikZ.

    If several paths lead to a node with branches, its branches are drawn only once. The node gets a
    number in brackets, which replaces it at later places.

    Examples
    --------
    >>> import networkx as nx
    >>> tree = nx.DiGraph()
    >>> tree.add_node("root", label="x_1", layer=0, kind="point")
    >>> tree.add_node("all", label="{1, 2}", layer=1, kind="concept")
    >>> tree.add_edge("root", "all", label="1")
    >>> print(*to_tex(tree).splitlines()[-6:], sep="\n")
    \begin{forest}
      [{x\_1}, point
        [{\{1, 2\}}, concept, label edge={1}]
      ]
    \end{forest}
    \end{document}
    """
    return "\n".join([TEX_HEAD, *tex_forests(graph), "\\end{document}", ""])


def tex_forests(graph: networkx.DiGraph) -> list[str]:
    """Return lines of LaTeX that draw a graph, one ``forest`` environment per root.

    The document needs the lines of `FOREST_STYLE` in its preamble.
    """
    lines: list[str] = []
    number: dict[Node, int] = {}
    # A string in the stack is the line that closes a node.
    stack: list[tuple[Node, str, int] | str] = [(root, "", 1) for root in reversed(_roots(graph))]
    while stack:
        top = stack.pop()
        if isinstance(top, str):
            lines.append(top)
            continue
        node, edge, depth = top
        if depth == 1:
            lines.append("\\begin{forest}")
        text, again = _label(graph, node), node in number
        if again:
            text += f" (see [{number[node]}])"
        elif graph.in_degree(node) > 1 and graph.out_degree(node):
            number[node] = len(number) + 1
            text += f" [{number[node]}]"
        options = f", label edge={{{tex_text(edge)}}}" if edge else ""
        opened = f"{'  ' * depth}[{{{tex_text(text)}}}, {graph.nodes[node]['kind']}{options}"
        children = [] if again else list(_children(graph, node))
        closed = "\n\\end{forest}" if depth == 1 else ""
        if not children:
            lines.append(f"{opened}]{closed}")
            continue
        lines.append(opened)
        stack.append(f"{'  ' * depth}]{closed}")
        stack += [(child, edge, depth + 1) for child, edge in reversed(children)]
    return lines


def tex_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    r"""Return a LaTeX table with a horizontal line below its headings.

    Only the first column is aligned to the left.

    Examples
    --------
    >>> print(tex_table(["", "x_1"], [["f", "0"]]))
    \begin{tabular}{lc}
       & x\_1 \\
      \hline
      f & 0 \\
    \end{tabular}
    """
    lines = [f"  {' & '.join(map(tex_text, cells))} \\\\" for cells in (head, *rows)]
    columns = "l" + "c" * (len(head) - 1)
    table = [f"\\begin{{tabular}}{{{columns}}}", lines[0], "  \\hline", *lines[1:]]
    return "\n".join([*table, "\\end{tabular}"])


FOREST_STYLE = r"""\usepackage{iftex}
\iftutex % LuaLaTeX and XeLaTeX print names in all alphabets that the font has.
  \usepackage{fontspec}
  \IfFontExistsTF{DejaVu Sans}{\setmainfont{DejaVu Sans}\setmonofont{DejaVu Sans Mono}}{}
\fi
\usepackage{forest}
\forestset{
  default preamble={for tree={font=\ttfamily, inner sep=3pt, l sep=9mm, s sep=2mm}},
  point/.style={draw, rounded corners=6pt},
  concept/.style={draw=gray, fill=gray!12},
  entry/.style={draw=gray, rounded corners=3pt},
  label edge/.style={edge label={node[midway, fill=white, inner sep=1pt, font=\scriptsize]{#1}}},
}"""
"""Lines of a LaTeX preamble that define the fonts and the look of points, concepts and edges."""

TEX_HEAD = rf"""% lsclasses: a drawing of a certificate
\documentclass[border=4pt]{{standalone}}
{FOREST_STYLE}
\begin{{document}}"""

TEX_WRITTEN = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    **{c: "\\" + c for c in "{}$&#_%"},
}


def tex_text(text: str) -> str:
    r"""Return a string with all special characters escaped for LaTeX.

    Examples
    --------
    >>> print(tex_text("x_1 & {a}"))
    x\_1 \& \{a\}
    """
    return "".join(TEX_WRITTEN.get(c, c) for c in text)


FONT_SIZE = 14
ADVANCE = 0.61 * FONT_SIZE
"""The width of one character of a label in pixels. The font is monospaced."""
NODE_HEIGHT = 26
PADDING = 10
GAP = 14
LAYER_HEIGHT = 74
ROW_HEIGHT = 20
ROW_GAP = 2
COLUMN_GAP = 46
MARGIN = 16
SANS = 0.56 * 13
"""The mean width of a letter of the heading and of the legend, in pixels."""
LINE_HEIGHT = 20
NARROWEST = 358
"""The least width of a drawing with a heading or a legend, in pixels."""

# Inside a web page the rules of a style sheet reach every picture, so all are for this class only.
STYLE = f"""\
.lsclasses text {{ font: {FONT_SIZE}px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace;
  fill: #1a1a1a; }}
.lsclasses text.heading, .lsclasses text.legend {{
  font-family: Verdana, 'DejaVu Sans', sans-serif; font-size: 13px; }}
.lsclasses text.heading {{ font-weight: bold; }}
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
PLAIN = {
    "edge": 'class="edge" fill="none" stroke="#808080"',
    "edge e0": 'class="edge e0" fill="none" stroke="#0072b2"',
    "edge e1": 'class="edge e1" fill="none" stroke="#d55e00"',
    "point": 'class="point" fill="#ffffff" stroke="#1a1a1a"',
    "concept": 'class="concept" fill="#f0f0f0" stroke="#b0b0b0"',
    "entry": 'class="entry" fill="#fdf6e3" stroke="#808080"',
}
"""SVG attributes of each type of element, for viewers and pages without style sheets."""


def to_svg(
    graph: networkx.DiGraph, *, title: str = "", heading: str = "", legend: Sequence[str] = ()
) -> str:
    """Return an SVG picture of a graph, with each layer below the previous layer.

    A graph that would be wider than `WIDE` is drawn from left to right instead, unless labels of
    its edges are long. If the graph is not a tree, some nodes have several incoming edges. All
    incoming edges of a node except the first are thinner, and their labels are tooltips.

    Parameters
    ----------
    graph : networkx.DiGraph
        Acyclic, with the attributes that the module describes.
    title : str
        Name of the picture, for screen readers and tooltips.
    heading : str
        Line above the drawing.
    legend : sequence of str
        Lines below the drawing, which are wrapped to its width.

    Raises
    ------
    TooLarge
        If there are more than `SVG_LIMIT` nodes.
    """
    if len(graph) > SVG_LIMIT:
        raise TooLarge(
            f"A drawing of {len(graph)} nodes is not readable. The limit for SVG is {SVG_LIMIT} "
            "nodes. Export DOT for Graphviz or JSON instead.",
            estimate=len(graph),
            limit=SVG_LIMIT,
        )
    width, height, positions = _layout(graph)
    sideways = width > WIDE and _has_short_labels(graph)
    node_height = NODE_HEIGHT
    if sideways:
        width, height, positions = _layout_sideways(graph)
        node_height = ROW_HEIGHT - ROW_GAP
    left, top = 0.0, 0.0
    written: list[str] = []
    if heading or legend:
        wide = max(width, NARROWEST)
        left, width = (wide - width) / 2, wide
        written, top, height = _written(heading, legend, width, height, left)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="lsclasses" role="img" '
        f'width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="{-left:.0f} {-top:.0f} {width:.0f} {height:.0f}" '
        f'font-family="monospace" font-size="{FONT_SIZE}" text-anchor="middle">',
        *([f"<title>{escape(printable(title))}</title>"] if title else []),
        f"<style>{STYLE}</style>",
        f'<rect x="{-left:.0f}" y="{-top:.0f}" width="100%" height="100%" fill="#ffffff"/>',
        *written,
        *(_elbows(graph, positions) if sideways else _edges(graph, positions)),
    ]
    for node, (x, y) in positions.items():
        label = _label(graph, node)
        box = _box(label)
        kind = graph.nodes[node]["kind"]
        radius = 4 if kind == "concept" else node_height / 2
        parts.append(
            f'<g><rect {PLAIN[kind]} x="{x - box / 2:.1f}" y="{y - node_height / 2:.1f}" '
            f'width="{box:.1f}" height="{node_height}" rx="{radius:g}"/>'
            f'<text x="{x:.1f}" y="{y + FONT_SIZE / 3:.1f}">{escape(_short(label))}</text>'
            f"{_tooltip(label)}</g>"
        )
    return "\n".join([*parts, "</svg>", ""])


def _written(
    heading: str, legend: Sequence[str], width: float, height: float, left: float
) -> tuple[list[str], float, float]:
    """Return the heading and the legend, the room above the drawing, and the new height."""
    room = int((width - 2 * MARGIN) / SANS)
    above = textwrap.wrap(printable(heading), room)
    below = [line for each in legend for line in textwrap.wrap(printable(each), room)]
    middle = width / 2 - left
    top = len(above) * LINE_HEIGHT + (GAP if above else 0)
    parts = []
    starts = ("heading", above, MARGIN + LINE_HEIGHT / 2 - top), ("legend", below, height + GAP / 2)
    for kind, lines, start in starts:
        for number, line in enumerate(lines):
            parts.append(
                f'<text class="{kind}" font-family="sans-serif" '
                f'x="{middle:.1f}" y="{start + number * LINE_HEIGHT:.1f}">{escape(line)}</text>'
            )
    return parts, top, top + height + len(below) * LINE_HEIGHT + (GAP if below else 0)


# ---- edges


def _edges(graph: networkx.DiGraph, positions: Positions) -> list[str]:
    """Return straight lines downwards, and curves into nodes that were drawn before."""
    parts: list[str] = []
    texts: list[str] = []
    first = _spanning_tree(graph)
    for parent in graph:
        for child, edge in _children(graph, parent):
            kind = _kind(edge)
            (x0, y0), (x1, y1) = positions[parent], positions[child]
            y0, y1 = y0 + NODE_HEIGHT / 2, y1 - NODE_HEIGHT / 2
            if child in first[parent]:
                parts.append(
                    f'<line {PLAIN[kind]} x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}"/>'
                )
            else:
                bend = (y0 + y1) / 2
                parts.append(
                    f'<path {_again(kind)} d="M{x0:.1f} {y0:.1f} '
                    f'C{x0:.1f} {bend:.1f} {x1:.1f} {bend:.1f} {x1:.1f} {y1:.1f}">'
                    f"<title>{escape(edge)}</title></path>"
                )
                continue
            if edge:
                # A long label keeps clear of its neighbours close to the node it leads to.
                along = 0.5 if len(edge) == 1 else 0.8
                texts.append(_on_edge(edge, x0 + along * (x1 - x0), y0 + along * (y1 - y0)))
    return parts + texts


def _elbows(graph: networkx.DiGraph, positions: Positions) -> list[str]:
    """Return lines to the right, upright before the children, and curves as in `_edges`."""
    parts: list[str] = []
    texts: list[str] = []
    first = _spanning_tree(graph)
    for parent in graph:
        for child, edge in _children(graph, parent):
            (x0, y0), (x1, y1) = positions[parent], positions[child]
            x0, x1 = x0 + _box(_label(graph, parent)) / 2, x1 - _box(_label(graph, child)) / 2
            if child not in first[parent]:
                bend = (x0 + x1) / 2
                parts.append(
                    f'<path {_again(_kind(edge))} d="M{x0:.1f} {y0:.1f} '
                    f'C{bend:.1f} {y0:.1f} {bend:.1f} {y1:.1f} {x1:.1f} {y1:.1f}">'
                    f"<title>{escape(edge)}</title></path>"
                )
                continue
            bend = x1 - 0.6 * COLUMN_GAP
            parts.append(
                f'<path {PLAIN[_kind(edge)]} d="M{x0:.1f} {y0:.1f}H{bend:.1f}V{y1:.1f}H{x1:.1f}"/>'
            )
            if edge:
                texts.append(_on_edge(edge, (bend + x1) / 2, y1))
    return parts + texts


def _again(kind: str) -> str:
    return PLAIN[kind].replace('" ', ' again" stroke-width="0.8" ', 1)


def _kind(edge: str) -> str:
    return f"edge e{edge}" if edge in ("0", "1") else "edge"


def _on_edge(edge: str, x: float, y: float) -> str:
    return (
        f'<text class="{_kind(edge)}" x="{x:.1f}" y="{y + FONT_SIZE / 3:.1f}">'
        f"{escape(_short(edge))}{_tooltip(edge)}</text>"
    )


def _tooltip(label: str) -> str:
    """Return a tooltip with the full label if the drawing truncates it, else an empty string."""
    return "" if _short(label) == label else f"<title>{escape(label)}</title>"


# ---- layout


def _has_short_labels(graph: networkx.DiGraph) -> bool:
    """Return whether the labels of edges fit between two columns."""
    return all(len(edge) <= 4 for node in graph for _, edge in _children(graph, node))


def _layout(graph: networkx.DiGraph) -> tuple[float, float, Positions]:
    """Return the size of the picture, and the centre of every node, layer below layer."""
    width, centres = _spread(
        graph, lambda node, edge: max(_box(_label(graph, node)), _box(edge)), GAP
    )
    layers = {node: graph.nodes[node]["layer"] for node in graph}
    height = 2 * MARGIN + NODE_HEIGHT + LAYER_HEIGHT * max(layers.values(), default=0)
    top = MARGIN + NODE_HEIGHT / 2
    return (
        width,
        height,
        {node: (centre, top + LAYER_HEIGHT * layers[node]) for node, centre in centres.items()},
    )


def _layout_sideways(graph: networkx.DiGraph) -> tuple[float, float, Positions]:
    """Return the layout with layers from left to right. Nodes of a layer begin in one column."""
    height, centres = _spread(graph, lambda node, edge: ROW_HEIGHT - ROW_GAP, ROW_GAP)
    columns: dict[int, float] = {}
    for node in graph:
        layer = graph.nodes[node]["layer"]
        columns[layer] = max(columns.get(layer, 0), _box(_label(graph, node)))
    start: dict[int, float] = {}
    width: float = MARGIN - COLUMN_GAP
    for layer in sorted(columns):
        start[layer] = width + COLUMN_GAP
        width = start[layer] + columns[layer]
    positions = {
        node: (start[graph.nodes[node]["layer"]] + _box(_label(graph, node)) / 2, centre)
        for node, centre in centres.items()
    }
    return width + MARGIN, height, positions


def _spread(
    graph: networkx.DiGraph, extent: Callable[[Node, str], float], gap: float
) -> tuple[float, dict[Node, float]]:
    """Return the room that all nodes need across the layers, and the centre of each node.

    Each subtree of the spanning tree has a separate strip, as wide as its root and the strips of
    its children need. So nodes never overlap. The extent of a node includes the label of the edge
    above it.
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
        own = extent(node, edges.get(node, "")) + gap
        strips[node] = max(own, sum(strips[child] for child in tree[node]))
    left: dict[Node, float] = {}
    offset = MARGIN - gap / 2
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
        room = (strips[node] - gap - extent(node, "")) / 2
        centre = left[node] + strips[node] / 2
        centres[node] = min(max(middle, centre - room), centre + room)
    return offset + MARGIN - gap / 2, {node: centres[node] for node in graph}


def _spanning_tree(graph: networkx.DiGraph) -> dict[Node, list[Node]]:
    """Return the children that are drawn below every node, except children of earlier nodes."""
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


# ---- shared parts of all drawings


def _roots(graph: networkx.DiGraph) -> list[Node]:
    return [node for node, degree in graph.in_degree() if degree == 0]


def _children(graph: networkx.DiGraph, node: Node) -> Iterator[tuple[Node, str]]:
    """Yield the child nodes with the labels of their edges, 0 before 1."""
    edges = [
        (child, printable(str(data.get("label", "")))) for child, data in graph.adj[node].items()
    ]
    yield from sorted(edges, key=lambda edge: edge[1])


def _label(graph: networkx.DiGraph, node: Any) -> str:
    return printable(str(graph.nodes[node]["label"]))


def printable(text: str) -> str:
    """Return a string in which control characters are escaped, for XML and terminals."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def _short(label: str) -> str:
    return label if len(label) <= LABEL_LIMIT else label[: LABEL_LIMIT - 1] + "…"


def _box(label: str) -> float:
    """Return the width of a node's frame."""
    columns = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in _short(label))
    return max(columns * ADVANCE + 2 * PADDING, NODE_HEIGHT)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
