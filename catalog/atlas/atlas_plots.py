"""Plots of the atlas: joint distributions of two quantities, and the order of the quantities.

Needs matplotlib: ``pip install 'lsclasses[plots]'``.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Mapping, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
from scipy.optimize import linprog

from catalog.atlas.atlas_table import AtlasTable
from catalog.atlas.columns import COLUMNS
from catalog.parameters import described
from lsclasses.dimensions import Value
from lsclasses.errors import InvalidInput
from lsclasses.figures import MARGIN, WIDTH, figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.path import Path

Place = tuple[float, float]
LINE = 9
"""Width of the gap between two nodes for a line that passes them, in points (1/72 inch)."""
LINE_HEIGHT, NODE_GAP, LEVEL_GAP, TITLE = 12, 14, 26, 36
"""Height of a line of text in a node, gaps next to and above a node, and height of the title.

All are in points.
"""
STRAIGHT = (8, 2, 1)
"""Weights of the horizontal deviations of line segments, by the number of ends at nodes."""
LETTERS, NODE_SIZE = 13, 9
"""Largest number of letters per line of a node, and their font size in points."""
SWEEPS = 12
"""Number of passes that reorder all levels."""
WRITTEN = 100
"""Largest number of pairs of values for which each box shows its number of classes."""
LARGEST, SMALL = 58, 5.5
"""Largest width of a box with a number, and side of a square without a number, in points."""
ACROSS, UP = 270, 200
"""Total width of all boxes of a row and total height of all boxes of a column, in points."""
DIGIT = 0.66
"""Width of a digit, as a share of the size of its font."""


def pairs(tables: Sequence[AtlasTable], x: str, y: str) -> dict[tuple[Value, Value], int]:
    """Return the number of classes for each pair of values of two quantities.

    Raises
    ------
    InvalidInput
        If a column does not exist, or its values are sequences.

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
    """Draw the number of classes for each pair of values of two quantities.

    A square is darker, on a logarithmic scale, if more classes have the pair of values.

    Parameters
    ----------
    tables : sequence of AtlasTable
        Tables whose classes are counted.
    x, y : str
        Columns whose values are not sequences.
    ax : matplotlib Axes, optional
        Axes to draw on. By default, a new figure.

    Raises
    ------
    InvalidInput
        If a column does not exist, or its values are sequences.
    """
    counts = {
        (float(value), float(other)): count  # type: ignore[arg-type]
        for (value, other), count in pairs(tables, x, y).items()
    }
    return squares(counts, x, y, max(T.points for T in tables), ax)


def squares(
    counts: Mapping[tuple[float, float], int],
    x: str,
    y: str,
    most: int,
    ax: Axes | None = None,
) -> Axes:
    """Draw one square for each pair of values of two quantities, darker for more classes.

    If there are few pairs of values, each square is a box that shows its number of classes.

    Parameters
    ----------
    counts : mapping from pair of float to int
        Number of classes for each pair of values.
    x, y : str
        Names of the two quantities.
    most : int
        The largest number of points of a class.
    ax : matplotlib Axes, optional
        Axes to draw on. By default, a new figure.
    """
    ax = figure(1, 4.4)[1][0] if ax is None else ax
    at = np.array(list(counts))
    shades = np.log10(list(counts.values()))
    darkest = max(1.0, float(shades.max()))
    few = len(counts) <= WRITTEN
    across, up = (len(set(places.tolist())) for places in at.T)
    wide = min(LARGEST, ACROSS / across) if few else SMALL
    high = min(wide, UP / up)
    box = [(i * wide, j * high) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    # Lighter colours only, so that black numbers are readable on all of them.
    shading: dict[str, Any] = {
        "c": shades,
        "cmap": "Blues",
        "vmin": -darkest / 5,
        "vmax": 2 * darkest,
    }
    ax.scatter(at[:, 0], at[:, 1], marker=box, s=wide**2, **shading)
    if few:
        size = min(10, 0.9 * high, wide / (DIGIT * len(f"{max(counts.values()):,}")))
        for place, count in counts.items():
            ax.annotate(f"{count:,}", place, ha="center", va="center", fontsize=size)
    for axis, name, places in ((ax.xaxis, x, at[:, 0]), (ax.yaxis, y, at[:, 1])):
        axis.set_label_text(title_of(name))
        if (places == places.round()).all():
            axis.set_ticks(sorted(set(places.tolist())))
    ax.margins(0.12)
    total = sum(counts.values())
    ax.set_title(
        f"Number of classes with each pair of dimensions\n"
        f"({total:,} classes on at most {most} points)"
        if {x, y} <= {"ldim", "vcdim"}
        else f"{total:,} classes on at most {most} points",
        fontsize="medium",
    )
    return ax


def title_of(name: str) -> str:
    """Return the title of a quantity, such as "Littlestone dimension" for ``ldim``.

    Examples
    --------
    >>> title_of("ldim"), title_of("zero_cover_number")
    ('Littlestone dimension', 'zero cover number')
    """
    entry = described(name)
    return name.replace("_", " ") if entry is None else entry.title


def never_exceeds(tables: Sequence[AtlasTable], names: Sequence[str]) -> nx.DiGraph:
    """Return a graph with an edge from p to q if p never exceeds q on the classes of some tables.

    The nodes p and q are quantities.

    Parameters
    ----------
    tables : sequence of AtlasTable
        Tables of the classes on which quantities are compared.
    names : sequence of str
        Columns whose values are not sequences. Columns that agree on every class form one node. An
        equals sign joins their names.

    Returns
    -------
    networkx.DiGraph
        Graph without the edges that follow from other edges by transitivity.

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
    """Return whether column `p` never exceeds column `q` on the classes of some tables."""

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
    """Draw the partial order that `never_exceeds` returns for the classes of some tables.

    Each line leads up to the larger quantity.

    Parameters
    ----------
    tables : sequence of AtlasTable
        Tables of the classes on which quantities are compared.
    names : sequence of str
        Columns whose values are not sequences.
    ax : matplotlib Axes, optional
        Axes to draw on. By default, a new figure.
    """
    most = max(T.points for T in tables)
    return order(never_exceeds(tables, names), sum(map(len, tables)), most, ax)


def order(graph: nx.DiGraph, total: int, most: int, ax: Axes | None = None) -> Axes:
    """Draw a partial order of quantities, given as a graph.

    Parameters
    ----------
    graph : networkx.DiGraph
        Graph that `never_exceeds` returned.
    total, most : int
        Number of classes on which the order holds, and the largest number of points of such a
        class.
    ax : matplotlib Axes, optional
        Axes to draw on. By default, a new figure.
    """
    text = {
        node: " =\n".join(fill(title_of(name), LETTERS) for name in node.split(" = "))
        for node in graph
    }
    room = {node: _room(each) for node, each in text.items()}
    place, lines = _placed(graph, room)
    corners = np.array([np.add(at, np.divide(room[node], 2)) for node, at in place.items()])
    others = np.array([np.subtract(at, np.divide(room[node], 2)) for node, at in place.items()])
    (right, top), (left, bottom) = corners.max(axis=0), others.min(axis=0)
    passed = [x for line in lines for x, _ in line]
    left, right = min(left, *passed) - LINE, max(right, *passed) + LINE
    # The height of the axes, in points, is the height of the drawing, so that boxes fit.
    ax = figure(1, (top - bottom + TITLE) / 72)[1][0] if ax is None else ax
    from matplotlib.patches import PathPatch

    for line in lines:
        ax.add_patch(PathPatch(_smooth(line), fill=False, color="0.55", zorder=1))
    box = {"boxstyle": "round", "facecolor": "white", "edgecolor": "0.55", "pad": 0.2}
    form: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": NODE_SIZE}
    for node, at in place.items():
        ax.annotate(text[node], at, bbox=box, zorder=2, **form)
    ax.set(xlim=(left, right), ylim=(bottom, top))
    ax.set_axis_off()
    title = (
        "A line leads up to the parameter that is never smaller\n"
        f"({total:,} classes on at most {most} points)"
    )
    ax.set_title(title, fontsize="medium")
    return ax


def _room(text: str) -> Place:
    """Return the width and the height that a node takes, in points."""
    lines = text.splitlines()
    return 0.6 * NODE_SIZE * max(map(len, lines)) + NODE_GAP, LINE_HEIGHT * len(lines) + LEVEL_GAP


def _smooth(line: Sequence[Place]) -> Path:
    """Return a curve without kinks, which goes upwards through all places."""
    from matplotlib.path import Path

    vertices, codes = [line[0]], [Path.MOVETO]
    for (x, y), (above, top) in itertools.pairwise(line):
        middle = (y + top) / 2
        vertices += [(x, middle), (above, middle), (above, top)]
        codes += [Path.CURVE4] * 3
    return Path(vertices, codes)


def _placed(
    graph: nx.DiGraph, room: Mapping[Hashable, Place]
) -> tuple[dict[str, Place], list[list[Place]]]:
    """Return the positions of nodes, in levels from below, and the places that the lines pass.

    A line that passes a level has a place on it, as nodes do, so that no line runs behind a node.
    The order on a level follows the order of the neighbours on the other levels.
    """
    level = {node: i for i, row in enumerate(nx.topological_generations(graph)) for node in row}
    routes = []
    joined = nx.Graph()
    for p, q in sorted(graph.edges):
        route = [p, *((p, q, i) for i in range(level[p] + 1, level[q])), q]
        routes.append(route)
        nx.add_path(joined, route)
    joined.add_nodes_from(level)
    rows: list[list[Hashable]] = [[] for _ in range(max(level.values()) + 1)]
    for thing in joined:
        rows[level[thing] if thing in level else thing[2]].append(thing)
    heights = [max(room[thing][1] for thing in row if thing in level) for row in rows]
    tops = np.cumsum(heights).tolist()
    width = {thing: room[thing][0] if thing in level else LINE for thing in joined}
    place: dict[Hashable, Place] = {}

    def spread(height: int) -> None:
        widths = [width[thing] for thing in rows[height]]
        ends = np.cumsum(widths) - sum(widths) / 2
        for thing, end in zip(rows[height], ends.tolist(), strict=True):
            place[thing] = end - width[thing] / 2, tops[height] - heights[height] / 2

    def middle(thing: Hashable) -> float:
        near = [place[each][0] for each in joined[thing]]
        return sum(near) / len(near) if near else place[thing][0]

    for height in range(len(rows)):
        spread(height)
    for _ in range(SWEEPS):
        for height in (*range(len(rows)), *reversed(range(len(rows)))):
            rows[height].sort(key=middle)
            spread(height)
    for thing, x in _across(joined, rows, width, set(level)).items():
        place[thing] = x, place[thing][1]
    return {node: place[node] for node in level}, [[place[each] for each in r] for r in routes]


def _across(
    joined: nx.Graph,
    rows: Sequence[Sequence[Hashable]],
    width: Mapping[Hashable, float],
    nodes: set[Hashable],
) -> dict[Hashable, float]:
    """Return the positions on their levels, in this order, with lines as upright as can be.

    A linear program minimizes the sum of |x_p - x_q| over the segments of lines. Segments between
    levels that a line only passes have the largest weight. All places are within the page, unless
    a level is wider.
    """
    number = {thing: i for i, thing in enumerate(joined)}
    count, parts = len(number), list(joined.edges)
    goal, above, below = np.zeros(count + len(parts)), [], []

    def row(places: dict[int, float], least: float) -> None:
        line = np.zeros(count + len(parts))
        for place, slope in places.items():
            line[place] = -slope
        above.append(line)
        below.append(-least)

    for i, (p, q) in enumerate(parts, count):
        goal[i] = STRAIGHT[(p in nodes) + (q in nodes)]
        for sign in (1, -1):
            row({i: 1, number[p]: sign, number[q]: -sign}, 0)
    for things in rows:
        for left, right in itertools.pairwise(things):
            row({number[right]: 1, number[left]: -1}, (width[left] + width[right]) / 2)
    page = max(
        72 * (WIDTH - 2 * MARGIN) - 2 * LINE,
        *(sum(width[thing] for thing in things) for things in rows),
    )
    inside = [(width[thing] / 2, page - width[thing] / 2) for thing in number]
    bounds = [*inside, *[(0, None)] * len(parts)]
    solved = linprog(goal, np.array(above), below, bounds=bounds, method="highs")
    return {thing: float(solved.x[i]) for thing, i in number.items()}
