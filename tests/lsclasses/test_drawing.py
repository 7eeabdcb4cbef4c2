"""Drawings: everything of the graph is there, nothing overlaps, and the formats are well formed."""

from __future__ import annotations

import itertools
import re
from xml.etree import ElementTree

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsclasses import TooLarge
from lsclasses.drawing import LABEL_LIMIT, SVG_LIMIT, WIDE, to_dot, to_svg, to_tex, to_text

labels = st.text(max_size=40) | st.sampled_from(["x", "<&>", '"', "\\", "a\nb", "\x00", "漢字", ""])
EDGES = ["0", "1", "", "x=0, y=1, ...", "<&>" * 20]
SVG = "{http://www.w3.org/2000/svg}"


@st.composite
def graphs(draw: st.DrawFn, trees: bool = False) -> nx.DiGraph:
    """Layered acyclic graphs with one root, in which every other node has a parent."""
    graph = nx.DiGraph()
    layers = draw(st.lists(st.integers(1, 5), max_size=4))
    above: list[tuple[int, int]] = [(0, 0)]
    everything = list(above)
    graph.add_node((0, 0), label=draw(labels), layer=0, kind="point")
    for layer, size in enumerate(layers, start=1):
        current = [(layer, i) for i in range(size)]
        for node in current:
            kind = draw(st.sampled_from(["point", "concept", "entry"]))
            graph.add_node(node, label=draw(labels), layer=layer, kind=kind)
            most = 1 if trees else 3
            parents = draw(
                st.lists(st.sampled_from(everything), min_size=1, max_size=most, unique=True)
            )
            for parent in parents:
                graph.add_edge(parent, node, label=draw(st.sampled_from(EDGES)))
        everything += current
    return graph


def complete_tree(depth: int) -> nx.DiGraph:
    graph = nx.DiGraph()
    for i in range(2 ** (depth + 1) - 1):
        layer = (i + 1).bit_length() - 1
        kind = "concept" if layer == depth else "point"
        graph.add_node(i, label=f"v{i}", layer=layer, kind=kind)
        if i:
            graph.add_edge((i - 1) // 2, i, label=str((i - 1) % 2))
    return graph


# ---- text


def test_text_of_a_tree_puts_0_first_whatever_the_order_of_the_edges() -> None:
    graph = nx.DiGraph()
    for node in "abcde":
        graph.add_node(node, label=node, layer=0, kind="point")
    graph.add_edge("a", "b", label="1")
    graph.add_edge("a", "c", label="0")
    graph.add_edges_from([("c", "d"), ("c", "e")], label="0")
    assert to_text(graph).splitlines() == [*("a", "├─0─ c", "│    ├─0─ d", "│    └─0─ e", "└─1─ b")]


def test_text_draws_a_shared_node_once() -> None:
    graph = nx.DiGraph()
    for node, layer in (("a", 0), ("b", 1), ("c", 1), ("d", 2), ("e", 3)):
        graph.add_node(node, label=node, layer=layer, kind="entry")
    graph.add_edges_from([("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("d", "e"), ("c", "e")])
    assert to_text(graph).splitlines() == [
        "a",
        "├── b",
        "│   └── d [1]",
        "│       └── e",
        "└── c",
        "    ├── d (see [1])",
        "    └── e",
    ]


@given(graphs())
def test_text_has_one_line_an_edge_and_control_characters_escaped(graph: nx.DiGraph) -> None:
    lines = to_text(graph).split("\n")
    inner = [node for node in graph if graph.out_degree(node)]
    assert len(lines) == 1 + graph.number_of_edges()
    assert all(line.isprintable() for line in lines)
    assert sum("(see [" in line for line in lines) >= sum(graph.in_degree(n) - 1 for n in inner[1:])


def test_a_long_path_is_no_problem() -> None:
    graph = nx.DiGraph()
    for i in range(1500):
        graph.add_node(i, label=f"v{i}", layer=i, kind="point")
        if i:
            graph.add_edge(i - 1, i, label="1")
    assert len(to_text(graph).splitlines()) == 1500
    ElementTree.fromstring(to_svg(graph))


# ---- DOT


@given(graphs())
def test_dot_holds_every_node_and_edge(graph: nx.DiGraph) -> None:
    quoted = r'"((?:[^"\\]|\\["\\])*)"'
    nodes: list[str] = []
    edges: list[tuple[int, int, str]] = []
    lines = to_dot(graph).splitlines()
    assert lines[0] == "digraph certificate {"
    assert lines[-1] == "}"
    for line in lines[3:-1]:
        node = re.fullmatch(rf"  n(\d+) \[label={quoted}, shape=[a-z, =]+\];", line)
        edge = re.fullmatch(rf"  n(\d+) -> n(\d+)(?: \[label={quoted}\])?;", line)
        if node:
            assert int(node[1]) == len(nodes)
            nodes.append(re.sub(r"\\(.)", r"\1", node[2]))
        else:
            assert edge
            edges.append((int(edge[1]), int(edge[2]), edge[3] or ""))
    number = {node: i for i, node in enumerate(graph)}
    assert len(nodes) == len(graph)
    for text, node in zip(nodes, graph, strict=True):
        label = graph.nodes[node]["label"]
        assert text == label or not label.isprintable()
    assert sorted(edges) == sorted(
        (number[a], number[b], label) for a, b, label in graph.edges(data="label")
    )


# ---- TeX


@given(graphs())
def test_tex_nests_as_the_text_does(graph: nx.DiGraph) -> None:
    """One line a node as in the text, brackets that match, and nothing that TeX would obey."""
    body = to_tex(graph).split("\\begin{forest}\n")[1].split("\\end{forest}")[0]
    depth, depths = 0, []
    for line in body.splitlines():
        if line.strip() == "]":
            depth -= 1
            continue
        written = re.fullmatch(
            r" *\[\{(.*)\}, (?:point|concept|entry)(?:, label edge=\{(.*)\})?(\]?)", line
        )
        assert written
        for text in (written[1], written[2] or ""):
            harmless = re.sub(r"\\text[a-z]+\{\}|\\[{}$&#_%]", "", text)
            assert not set(harmless) & set("\\{}$&#_%^~")
        depths.append(depth)
        depth += not written[3]
    assert depth == 0
    assert len(depths) == len(to_text(graph).split("\n"))
    assert max(depths) <= nx.dag_longest_path_length(graph)


# ---- SVG


def boxes(root: ElementTree.Element) -> list[dict[str, float]]:
    """The frames of the nodes, in the order of the graph."""
    frames = [group.find(f"{SVG}rect") for group in root.iter(f"{SVG}g")]
    return [
        {key: float(frame.attrib[key]) for key in ("x", "y", "width", "height")}
        for frame in frames
        if frame is not None
    ]


@given(graphs())
def test_svg_shows_everything_without_overlaps(graph: nx.DiGraph) -> None:
    root = ElementTree.fromstring(to_svg(graph, title="Ldim >= 3 & more"))
    assert root.findtext(f"{SVG}title") == "Ldim >= 3 & more"
    frames = boxes(root)
    assert len(frames) == len(graph)
    lines = list(root.iter(f"{SVG}line")) + list(root.iter(f"{SVG}path"))
    assert len(lines) == graph.number_of_edges()
    shown = {text.text for text in root.iter(f"{SVG}text")}
    tooltips = {title.text for title in root.iter(f"{SVG}title")}
    assert {edge for _, _, edge in graph.edges(data="label") if edge} <= shown | tooltips
    assert not any(
        len(text.findtext(f"{SVG}title", "x" * 99)) <= LABEL_LIMIT
        for text in root.iter(f"{SVG}text")
    )
    for frame in frames:
        assert frame["x"] >= 0
        assert frame["x"] + frame["width"] <= float(root.attrib["width"])
        assert frame["y"] >= 0
        assert frame["y"] + frame["height"] <= float(root.attrib["height"])
    by_height: dict[float, list[dict[str, float]]] = {}
    for frame in frames:
        by_height.setdefault(frame["y"], []).append(frame)
    for row in by_height.values():
        row.sort(key=lambda frame: frame["x"])
        for left, right in itertools.pairwise(row):
            assert left["x"] + left["width"] < right["x"]
    for group, node in zip(root.iter(f"{SVG}g"), graph, strict=True):
        label = graph.nodes[node]["label"]
        shown, tooltip = group.findtext(f"{SVG}text"), group.findtext(f"{SVG}title")
        assert shown is not None
        assert len(shown) <= LABEL_LIMIT
        if label.isprintable():
            assert (shown if tooltip is None else tooltip) == label


@given(graphs(trees=True))
def test_svg_puts_parents_above_their_children(graph: nx.DiGraph) -> None:
    frames = dict(zip(graph, boxes(ElementTree.fromstring(to_svg(graph))), strict=True))
    for parent in graph:
        children = [frames[child] for child in graph.successors(parent)]
        if children:
            middle = frames[parent]["x"] + frames[parent]["width"] / 2
            assert frames[parent]["y"] < min(child["y"] for child in children)
            assert min(c["x"] for c in children) - 1 <= middle
            assert middle <= max(c["x"] + c["width"] for c in children) + 1


def size(depth: int) -> tuple[float, float]:
    root = ElementTree.fromstring(to_svg(complete_tree(depth)))
    return float(root.attrib["width"]), float(root.attrib["height"])


def test_svg_grows_with_the_leaves_and_turns_where_it_would_be_wide() -> None:
    for narrow, wide in itertools.pairwise([size(depth)[0] for depth in range(2, 5)]):
        assert 1.8 < wide / narrow < 2.2
    for depth in (5, 6, 8):
        width, height = size(depth)
        assert width < WIDE and 15 < height / 2**depth < 30
    # From left to right, each layer in its column.
    root = ElementTree.fromstring(to_svg(complete_tree(8)))
    columns = sorted({frame["x"] for frame in boxes(root)})
    assert len(columns) == 9
    for i, frame in enumerate(boxes(root)):
        assert frame["x"] == columns[(i + 1).bit_length() - 1]
    upright = [frame["y"] for frame in boxes(root)[2**8 - 1 :]]
    assert all(a + 18 <= b for a, b in itertools.pairwise(upright))


def test_svg_needs_no_style_sheet() -> None:
    """Some viewers know none: without one, filled curves and frames would be black."""
    shared = nx.DiGraph()
    for i, layer in enumerate((0, 1, 1, 2)):
        shared.add_node(i, label=str(i), layer=layer, kind="point")
    shared.add_edges_from([(0, 1), (0, 2), (1, 3), (2, 3)], label="0, 1")
    for graph in (shared, complete_tree(7)):
        for part in ElementTree.fromstring(to_svg(graph)).iter():
            if part.tag in (f"{SVG}path", f"{SVG}line"):
                assert (part.attrib["fill"], "stroke" in part.attrib) == ("none", True)
            if part.tag == f"{SVG}rect":
                assert part.attrib["fill"].startswith("#f")


def test_svg_of_too_many_nodes_is_refused() -> None:
    graph = nx.path_graph(SVG_LIMIT + 1, create_using=nx.DiGraph)
    with pytest.raises(TooLarge, match="4001"):
        to_svg(graph)


def test_the_empty_graph_is_drawn_as_nothing() -> None:
    assert to_text(nx.DiGraph()) == ""
    assert boxes(ElementTree.fromstring(to_svg(nx.DiGraph()))) == []


def test_a_heading_and_a_legend_are_above_and_below_the_drawing() -> None:
    legend = ("Circle: a point.", "word " * 40)
    root = ElementTree.fromstring(to_svg(complete_tree(1), heading="Depth 1", legend=legend))
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    places = {
        kind: [float(each.attrib["y"]) for each in root.iter(f"{SVG}text") if kind in each.items()]
        for kind in (("class", "heading"), ("class", "legend"))
    }
    above, below = places.values()
    frames = boxes(root)
    assert len(above) == 1 and top < above[0] < min(frame["y"] for frame in frames)
    lowest = max(frame["y"] + frame["height"] for frame in frames)
    assert len(below) > 3 and lowest < min(below) and max(below) < top + height
    for frame in frames:
        assert left <= frame["x"] and frame["x"] + frame["width"] <= left + width
