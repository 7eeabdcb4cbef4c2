"""Pictures of the atlas: how two quantities are distributed, and which never exceeds which.

Needs matplotlib: ``pip install 'lsclasses[plots]'``.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

import networkx as nx
import numpy as np

from catalog.atlas.atlas_table import AtlasTable
from catalog.atlas.columns import COLUMNS
from lsclasses.dimensions import Value
from lsclasses.errors import InvalidInput
from lsclasses.figures import figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Place = tuple[float, float]
NODE, LINE = 1.0, 0.3
"""How much room a node and a line that passes take on a level."""
SWEEPS = 12
"""How often all levels are put in order."""
WRITTEN = 100
"""With at most so many combinations, each says how many classes have it."""


def pairs(tables: Sequence[AtlasTable], x: str, y: str) -> dict[tuple[Value, Value], int]:
    """How many classes have which values of two quantities together.

    Raises
    ------
    InvalidInput
        If there is no such column, or it is one of sequences.

    Examples
    --------
    >>> from catalog import atlas
    >>> pairs([atlas.table(2)], "vcdim", "ldim")
    {(0, 0): 1, (1, 1): 3, (2, 2): 1}
    """
    counts: dict[tuple[Value, Value], int] = {}
    for T in tables:
        for name in (x, y):
            if name in COLUMNS and COLUMNS[name].sequence:
                raise InvalidInput(f"{name} is a sequence, which has no place on an axis.")
        found = T.distinct([x, y])
        for values, count in zip(found.values, found.count.tolist(), strict=True):
            key = values[x], values[y]
            counts[key] = counts.get(key, 0) + count
    return counts


def distribution(tables: Sequence[AtlasTable], x: str, y: str, ax: Axes | None = None) -> Axes:
    """How many classes have which values of two quantities together.

    A square is the darker, on a logarithmic scale, the more classes have that combination.

    Parameters
    ----------
    tables : sequence of AtlasTable
    x, y : str
        Columns that are no sequences.
    ax : matplotlib Axes, optional
        Where to draw; a figure of its own unless given.

    Raises
    ------
    InvalidInput
        If a column is missing, or one of sequences.
    """
    counts = {
        (float(value), float(other)): count  # type: ignore[arg-type]
        for (value, other), count in pairs(tables, x, y).items()
    }
    ax = figure(1, 5)[1][0] if ax is None else ax
    at = np.array(list(counts))
    shades = np.log10(list(counts.values()))
    few = len(counts) <= WRITTEN
    ax.scatter(
        at[:, 0],
        at[:, 1],
        c=shades,
        cmap="Blues",
        vmin=-1,
        vmax=max(1.0, float(shades.max())) * 1.4,
        marker="s",
        s=900 if few else 30,
    )
    if few:
        for (at_x, at_y), count in counts.items():
            ax.annotate(f"{count:,}", (at_x, at_y), ha="center", va="center", fontsize=7)
    for axis, name, places in ((ax.xaxis, x, at[:, 0]), (ax.yaxis, y, at[:, 1])):
        axis.set_label_text(name)
        if (places == places.round()).all():
            axis.set_ticks(sorted(set(places.tolist())))
    ax.margins(0.15)
    total = sum(counts.values())
    most = max(T.points for T in tables)
    ax.set_title(f"{total:,} classes on at most {most} points", fontsize=10)
    return ax


def never_exceeds(tables: Sequence[AtlasTable], names: Sequence[str]) -> nx.DiGraph:
    """Which quantity is at most which other one on every class: an edge from the smaller.

    Parameters
    ----------
    tables : sequence of AtlasTable
    names : sequence of str
        Columns that are no sequences. Those that agree on every class are one node, whose name
        joins theirs by `` = ``.

    Returns
    -------
    networkx.DiGraph
        Edges that follow from others are left out.

    Examples
    --------
    >>> from catalog import atlas
    >>> found = never_exceeds([atlas.table(4)], ["ldim", "vcdim", "star_number", "teaching_dim"])
    >>> sorted(found.edges)
    [('teaching_dim', 'star_number'), ('vcdim', 'ldim'), ('vcdim', 'teaching_dim')]
    """
    below = {(p, q): at_most(tables, p, q) for p in names for q in names if p != q}
    alike: dict[str, list[str]] = {}
    for p in names:
        first = next((q for q in alike if below[p, q] and below[q, p]), p)
        alike.setdefault(first, []).append(p)
    title = {p: " = ".join(group) for p, group in alike.items()}
    graph = nx.DiGraph()
    graph.add_nodes_from(title.values())
    graph.add_edges_from(
        (title[p], title[q]) for p in alike for q in alike if p != q and below[p, q]
    )
    return nx.transitive_reduction(graph)


def at_most(tables: Sequence[AtlasTable], p: str, q: str) -> bool:
    """Whether one column never exceeds another one, on any class of some tables."""

    def holds(T: AtlasTable) -> bool:
        (small, one), (large, other) = T.exact(p), T.exact(q)
        common = math.gcd(one, other)
        factors = other // common, one // common
        if (
            max(int(np.abs(x).max()) * f for x, f in zip((small, large), factors, strict=True))
            < 2**63
        ):
            return bool((small * factors[0] <= large * factors[1]).all())
        pairs = T.distinct([p, q]).values
        return all(each[p] <= each[q] for each in pairs)  # type: ignore[operator]

    return all(map(holds, tables))


def lattice(tables: Sequence[AtlasTable], names: Sequence[str], ax: Axes | None = None) -> Axes:
    """The picture of `never_exceeds`: a line leads up to what is never smaller.

    Parameters
    ----------
    tables : sequence of AtlasTable
    names : sequence of str
    ax : matplotlib Axes, optional
        Where to draw; a figure of its own unless given.
    """
    graph = never_exceeds(tables, names)
    place, lines = _placed(graph)
    ax = figure(1, 6)[1][0] if ax is None else ax
    for line in lines:
        ax.plot(*zip(*line, strict=True), color="0.6", linewidth=1, zorder=1)
    for node, at in place.items():
        text = node.replace(" = ", " =\n").replace("_", " ")
        box = {"boxstyle": "round", "facecolor": "white", "edgecolor": "0.6"}
        ax.annotate(text, at, ha="center", va="center", fontsize=7, bbox=box, zorder=2)
    ax.margins(0.1)
    ax.set_axis_off()
    total, most = sum(map(len, tables)), max(T.points for T in tables)
    ax.set_title(f"What never exceeds what, on {total:,} classes on at most {most} points", size=10)
    return ax


def _placed(graph: nx.DiGraph) -> tuple[dict[str, Place], list[list[Place]]]:
    """Where nodes stand, in levels from below, and through which places the lines go.

    A line that passes a level has a place there, as nodes do, so that it runs behind none; things
    on a level stand in the order of what they are joined with on the others.
    """
    level = {node: i for i, row in enumerate(nx.topological_generations(graph)) for node in row}
    routes = []
    joined = nx.Graph()
    for p, q in graph.edges:
        route = [p, *((p, q, i) for i in range(level[p] + 1, level[q])), q]
        routes.append(route)
        nx.add_path(joined, route)
    joined.add_nodes_from(level)
    rows: list[list[Hashable]] = [[] for _ in range(max(level.values()) + 1)]
    for thing in joined:
        rows[level[thing] if thing in level else thing[2]].append(thing)
    place: dict[Hashable, Place] = {}

    def spread(height: int) -> None:
        widths = [NODE if thing in level else LINE for thing in rows[height]]
        ends = np.cumsum(widths) - sum(widths) / 2
        for thing, end, width in zip(rows[height], ends.tolist(), widths, strict=True):
            place[thing] = end - width / 2, float(height)

    def middle(thing: Hashable) -> float:
        near = [place[each][0] for each in joined[thing]]
        return sum(near) / len(near) if near else place[thing][0]

    for height in range(len(rows)):
        spread(height)
    for _ in range(SWEEPS):
        for height in (*range(len(rows)), *reversed(range(len(rows)))):
            rows[height].sort(key=middle)
            spread(height)
    return {node: place[node] for node in level}, [[place[each] for each in r] for r in routes]
