"""The one-inclusion graph: concepts are neighbours if they differ at one point.

The density of the graph, as a whole or of its densest part, decides how well the one-inclusion
algorithm predicts (Haussler, Littlestone and Warmuth 1994). All numbers in this module are computed
in polynomial time. The empty class has a graph without vertices, and each number is -1.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from lsclasses.dimensions import definitions
from lsclasses.dimensions.base import Evidence, dimension
from lsclasses.errors import TooLarge
from lsclasses.limits import Limit, Meter, Progress

if TYPE_CHECKING:
    from lsclasses.table import Table

HLW = "Haussler, Littlestone and Warmuth 1994"

LARGEST_FLOW = 2**31 - 1
"""The largest flow that fits into 32 bits."""

AT_ONCE = 1 << 16
"""Number of concepts that are numbered between two checks of the time limit."""


class _Graph:
    """The neighbours of each concept."""

    def __init__(self, table: Table, meter: Meter) -> None:
        self.table = table
        self.meter = meter
        points = len(table.points)
        rows = table.row_bits
        number: dict[int, int] = {}
        for start in range(0, len(rows), AT_ONCE):
            meter.tick()
            some = rows[start : start + AT_ONCE]
            number.update(zip(some, range(start, start + len(some)), strict=True))
        self.neighbours: list[list[int]] = []
        for row in rows:
            self.meter.tick()
            found = (number.get(row ^ 1 << j) for j in range(points))
            self.neighbours.append([i for i in found if i is not None])

    @property
    def degrees(self) -> list[int]:
        return [len(found) for found in self.neighbours]

    def names(self, concepts: list[int]) -> tuple[Any, ...]:
        return tuple(self.table.concept_name(i) for i in sorted(concepts))

    def peeled(self) -> tuple[int, list[int], Fraction, list[int]]:
        """Remove a vertex of least degree repeatedly, and return the extreme values.

        The result has the largest of these least degrees, with the vertices that remained at that
        step. It also has the largest ratio of edges to vertices among the remaining graphs, with
        the vertices of that graph.
        """
        left = set(range(len(self.neighbours)))
        degree = self.degrees
        buckets: list[set[int]] = [set() for _ in range(max(degree, default=0) + 1)]
        for i, d in enumerate(degree):
            buckets[d].add(i)
        edges = sum(degree) // 2
        order: list[int] = []
        most, most_left = 0, len(left)
        densest, densest_left = Fraction(edges, len(left)), len(left)
        least = 0
        while left:
            self.meter.tick()
            least = max(0, least - 1)
            while not buckets[least]:
                least += 1
            if least > most:
                most, most_left = least, len(left)
            if edges > densest * len(left):
                densest, densest_left = Fraction(edges, len(left)), len(left)
            i = buckets[least].pop()
            left.remove(i)
            order.append(i)
            edges -= least
            for j in self.neighbours[i]:
                if j in left:
                    buckets[degree[j]].remove(j)
                    degree[j] -= 1
                    buckets[degree[j]].add(j)
        taken = len(order)
        return most, order[taken - most_left :], densest, order[taken - densest_left :]

    def densest(self) -> tuple[Fraction, list[int]]:
        """Return the largest ratio of edges to vertices in a subgraph, and such a subgraph.

        If some part has more than a / b edges per vertex, a largest closure finds the part. Every
        edge yields b and needs its two ends, and each end costs a.
        """
        _, _, value, part = self.peeled()
        edges = [(i, j) for i, found in enumerate(self.neighbours) for j in found if i < j]
        while edges:
            self.meter.tick()
            better = self._closure(edges, value)
            if not better:
                break
            inside = set(better)
            count = sum(i in inside and j in inside for i, j in edges)
            value, part = Fraction(count, len(better)), better
        return value, part

    def _closure(self, edges: list[tuple[int, int]], value: Fraction) -> list[int]:
        """Return the vertices of a part with more edges to a vertex than `value`, or none."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import breadth_first_order, maximum_flow

        cost, gain = value.as_integer_ratio()
        vertices, total = len(self.neighbours), gain * len(edges)
        if total > LARGEST_FLOW:
            raise TooLarge(
                f"The densest part of a graph with {len(edges)} edges needs flows of {total}. The "
                f"limit is {LARGEST_FLOW}.",
                estimate=total,
                limit=LARGEST_FLOW,
            )
        # The nodes are vertices, then edges, then the source and the sink.
        source, sink = vertices + len(edges), vertices + len(edges) + 1
        middle = np.arange(vertices, source)
        ends = np.array(edges)
        tails = np.concatenate([np.full(len(edges), source), middle, middle, np.arange(vertices)])
        heads = np.concatenate([middle, ends[:, 0], ends[:, 1], np.full(vertices, sink)])
        capacities = np.repeat([gain, total, total, cost], [len(edges)] * 3 + [vertices])
        shape = (sink + 1, sink + 1)
        network = csr_array((capacities.astype(np.int32), (tails, heads)), shape=shape)
        found = maximum_flow(network, source, sink)
        if found.flow_value == total:
            return []
        left = network - found.flow
        left.eliminate_zeros()
        reached = breadth_first_order(left, source, return_predecessors=False)
        return [int(i) for i in reached if i < vertices]


def _of_vertices(table: Table, limit: Limit | None) -> list[int]:
    return _Graph(table, Meter(limit)).degrees


@dimension(
    "least degree",
    symbol="d_min",
    definition="The least degree in the one-inclusion graph, in which concepts are neighbours if "
    "they differ at exactly one point.",
    reference=HLW,
    of_empty=-1,
    meaning="The least number of points that can be relabelled one by one in every concept.",
)
def min_degree(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The least degree in the one-inclusion graph.

    Examples
    --------
    >>> import catalog
    >>> min_degree(catalog.build("cube:n=3").to_table())
    3
    """
    return min(_of_vertices(table, limit), default=-1)


def max_degree_evidence(table: Table, limit: Limit | None) -> tuple[int, dict[str, Any]]:
    """Return the maximum degree with a witness of the lower bound."""
    graph = _Graph(table, Meter(limit))
    i = max(range(len(table)), key=lambda i: len(graph.neighbours[i]))
    found = graph.neighbours[i]
    return len(found), {"concept": table.concept_name(i), "concepts": graph.names(found)}


@dimension(
    "largest degree",
    symbol="d_max",
    definition="The largest degree in the one-inclusion graph, in which concepts are neighbours "
    "if they differ at exactly one point.",
    reference=HLW,
    of_empty=-1,
    meaning="The size of the largest star that consists of whole concepts.",
    evidence=Evidence(
        max_degree_evidence,
        "a concept, and as many concepts that differ from it at exactly one point",
        definitions.neighbours,
    ),
)
def max_degree(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The largest degree in the one-inclusion graph.

    Examples
    --------
    >>> import catalog
    >>> max_degree(catalog.build("points:n=5,empty=1").to_table())
    5
    """
    return max(_of_vertices(table, limit), default=-1)


@dimension(
    "average degree",
    symbol="2|E|/|V|",
    definition="The average degree in the one-inclusion graph, in which concepts are neighbours "
    "if they differ at exactly one point.",
    reference=HLW,
    of_empty=Fraction(-1),
    meaning="The average number of points of a random concept that can be relabelled one by one.",
)
def average_degree(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> Fraction:
    """The average degree in the one-inclusion graph, twice the ratio of edges to vertices.

    Examples
    --------
    >>> import catalog
    >>> average_degree(catalog.build("points:n=5,empty=1").to_table())
    Fraction(5, 3)
    """
    degrees = _of_vertices(table, limit)
    return Fraction(sum(degrees), len(degrees)) if degrees else Fraction(-1)


def degeneracy_evidence(table: Table, limit: Limit | None) -> tuple[int, dict[str, Any]]:
    """Return the degeneracy with a witness of the lower bound."""
    graph = _Graph(table, Meter(limit))
    value, part, _, _ = graph.peeled()
    return value, {"concepts": graph.names(part)}


@dimension(
    "degeneracy",
    symbol="d*_min",
    definition="The largest minimum degree of a subgraph of the one-inclusion graph, in which "
    "concepts are neighbours if they differ at exactly one point.",
    reference=HLW,
    of_empty=-1,
    meaning="In some order of the concepts, every concept has at most this number of later "
    "neighbours.",
    evidence=Evidence(
        degeneracy_evidence,
        "concepts, each of which has at least as many neighbours among them",
        definitions.degenerate,
    ),
)
def degeneracy(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The degeneracy of the one-inclusion graph.

    It is the largest minimum degree of a subgraph. In some order, every vertex has at most this
    number of later neighbours. Removing a vertex of least degree repeatedly finds the order.

    Examples
    --------
    >>> import catalog
    >>> degeneracy(catalog.build("points:n=5,empty=1").to_table())
    1
    """
    return -1 if table.is_empty else _Graph(table, Meter(limit)).peeled()[0]


def density_evidence(table: Table, limit: Limit | None) -> tuple[Fraction, dict[str, Any]]:
    """Return the density with a witness of the lower bound."""
    graph = _Graph(table, Meter(limit))
    value, part = graph.densest()
    return value, {"concepts": graph.names(part)}


@dimension(
    "one-inclusion density",
    symbol="dens",
    definition="The largest ratio of edges to vertices in a subgraph of the one-inclusion graph, "
    "in which concepts are neighbours if they differ at exactly one point.",
    reference=HLW,
    of_empty=Fraction(-1),
    meaning="The one-inclusion algorithm directs the edges so that few edges leave a concept. "
    "For every direction, even of fractions of edges, some concept has at least this number of "
    "outgoing edges. The error probability of the algorithm is this number divided by the number "
    "of examples.",
    evidence=Evidence(
        density_evidence,
        "concepts, with at least as many pairs of neighbours for each concept",
        definitions.dense,
    ),
)
def density(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> Fraction:
    """The density of the one-inclusion graph: the largest ratio of edges to vertices of a subgraph.

    It is the least k for which the edges can be directed so that every vertex has at most k
    outgoing edges. Fractions of an edge may have different directions. Maximum flows find k.

    Examples
    --------
    >>> import catalog
    >>> density(catalog.build("cube:n=3").to_table())
    Fraction(3, 2)
    """
    return Fraction(-1) if table.is_empty else _Graph(table, Meter(limit)).densest()[0]


def peeled_density(table: Table, meter: Meter) -> Fraction:
    """Return the density of a dense subgraph, which is at least half of the largest density.

    Peeling removes a vertex of least degree again and again. The subgraph is the densest of the
    graphs that remain after the removals.
    """
    return _Graph(table, meter).peeled()[2]


def densest_edges(table: Table, meter: Meter) -> list[tuple[int, int]]:
    """Return the edges of the subgraph of `peeled_density`, as pairs of positions of concepts."""
    graph = _Graph(table, meter)
    part = set(graph.peeled()[3])
    return [(i, j) for i in sorted(part) for j in graph.neighbours[i] if i < j and j in part]
