"""The import graph of the library, and the picture of its floors in docs/architecture.md.

``python -m tests.floors`` draws docs/floors.svg anew.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from xml.sax.saxutils import escape

import networkx as nx

from lsclasses.files.writing import atomic_write

ROOT = Path(__file__).parents[1]
PACKAGES = ("lsclasses", "catalog", "learners")
PICTURE = ROOT / "docs" / "floors.svg"
MARGIN, GAP, SIZE, LINE = 32, 12, 15, 20
COLUMNS = {"lsclasses": 192, "catalog": 136, "learners": 182}
"""The width of the column of each package."""
TITLE = "Floors: each folder or module imports only lower floors"
STYLE = f"text {{ font: {SIZE}px monospace; fill: #222 }} .room {{ fill: #f4f4ef; stroke: #888 }}"
NAMED = re.compile(r"^\| `([a-z_.]+)` -> `([a-z_.]+)` \|", re.MULTILINE)
"""How docs/architecture.md names an import that points up."""


def named_circles() -> set[tuple[str, str]]:
    """The imports that close circles, as docs/architecture.md names them."""
    return set(NAMED.findall((ROOT / "docs" / "architecture.md").read_text()))


@cache
def import_graph() -> nx.DiGraph:
    """The imports of this checkout."""
    return imports_of(ROOT)


def imports_of(root: Path) -> nx.DiGraph:
    """An edge from every module to those it imports, whether at once, deferred or for types."""
    files = {_name(path, root): path for top in PACKAGES for path in (root / top).rglob("*.py")}
    graph: nx.DiGraph = nx.DiGraph()
    graph.add_nodes_from(files)
    for module, path in files.items():
        for target in _imported(ast.parse(path.read_text())):
            found = target if target in files else target.rpartition(".")[0]
            if found in files and found != module:
                graph.add_edge(module, found)
    return nx.freeze(graph)


def room(module: str) -> str:
    """The folder that a module lies in, or the module itself where it stands beside the folders.

    The evidence of all learners is one room: nothing but commands imports it.
    """
    top, *below = module.split(".")
    if "evidence" in below and top == "learners":
        return "learners.evidence"
    if not below or top == "catalog":
        return top if len(below) < 2 else f"{top}.{below[0]}"
    return f"{top}.{below[0]}"


def floors() -> dict[str, int]:
    """The floor of every room: right above the highest room that it imports.

    Imports that close circles are left out; rooms that import each other share a floor.
    """
    graph = import_graph().copy()
    graph.remove_edges_from(named_circles())
    between: nx.DiGraph = nx.DiGraph()
    between.add_nodes_from(map(room, graph))
    between.add_edges_from((room(a), room(b)) for a, b in graph.edges if room(a) != room(b))
    blocks = nx.condensation(between)
    height: dict[int, int] = {}
    for block in reversed(list(nx.topological_sort(blocks))):
        height[block] = max((height[below] + 1 for below in blocks.successors(block)), default=0)
    return {name: height[block] for name, block in blocks.graph["mapping"].items()}


def picture() -> str:
    """The floors as SVG, the ground at the bottom, a column for each package."""
    found = floors()
    top = max(found.values())
    columns, width = {}, MARGIN
    for name, column in COLUMNS.items():
        columns[name] = width
        width += column + GAP
    parts, y = [], 4 * LINE
    for floor in range(top, -1, -1):
        cells = {name: [] for name in PACKAGES}
        for each in sorted(each for each in found if found[each] == floor):
            cells[each.partition(".")[0]].append(each.partition(".")[2] or "families")
        lines = {
            name: textwrap.wrap(", ".join(cell), characters(name)) for name, cell in cells.items()
        }
        height = LINE * max(map(len, lines.values())) + GAP
        parts.append(_text(4, y + LINE, str(floor)))
        for name, x in columns.items():
            if lines[name]:
                size = f'width="{COLUMNS[name]}" height="{height}"'
                parts.append(f'<rect class="room" x="{x}" y="{y}" {size} rx="4"/>')
            parts += [_text(x + 8, y + LINE * (i + 1), line) for i, line in enumerate(lines[name])]
        y += height + GAP // 2
    heads = [_text(GAP, 1.5 * LINE, TITLE)]
    heads += [_text(x, 3 * LINE, name) for name, x in columns.items()]
    y += GAP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {y}" '
        f'width="{width}">\n'
        f'<style>{STYLE}</style>\n<rect width="100%" height="100%" fill="#ffffff"/>\n'
        + "\n".join([*heads, *parts])
        + "\n</svg>\n"
    )


def characters(package: str) -> int:
    """The number of letters in a line of a column, for every monospaced font of a reader."""
    return int((COLUMNS[package] - 16) / (0.61 * SIZE))


def _text(x: float, y: float, text: str) -> str:
    return f'<text x="{x}" y="{y}">{escape(text)}</text>'


def _name(path: Path, root: Path) -> str:
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(tree: ast.Module) -> Iterator[str]:
    statements: list[ast.AST] = [tree]
    for node in statements:
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{each.name}" for each in node.names)
        elif isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            statements.extend(getattr(node, part, ()))


if __name__ == "__main__":
    atomic_write(PICTURE, picture())
