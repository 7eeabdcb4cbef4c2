"""Dimensions of the one-inclusion graph, a subgraph of the cube of all concepts."""

from __future__ import annotations

import math

import numpy as np

from catalog.atlas.columns.batch import Batch, column, largest, projections, shared

SWEEPS = 10
"""Number of sweeps over the edges after which bounds on densities are compared."""


def parts_of_one(points: int) -> int:
    """Return the least common multiple of all possible numbers of concepts, 1 to 2^points.

    So every fraction with such a denominator is an integer divided by the result.
    """
    return math.lcm(*range(1, 2**points + 1))


def degrees(present: np.ndarray) -> np.ndarray:
    """Return, for each labelling, the number of present concepts at Hamming distance 1 from it."""
    found = np.zeros(present.shape, dtype=np.int8)
    numbers = np.arange(len(present))
    for j in range(len(present).bit_length() - 1):
        found += present[numbers ^ (1 << j)]
    return found


@shared
def _degrees(batch: Batch) -> np.ndarray:
    return degrees(batch.present)


@column()
def min_degree(batch: Batch) -> np.ndarray:
    """Return the minimum degree of the one-inclusion graph of each class."""
    least: np.ndarray = np.where(batch.present, _degrees(batch), np.int8(100)).min(axis=0)
    return least


@column()
def max_degree(batch: Batch) -> np.ndarray:
    """Return the maximum degree of the one-inclusion graph of each class."""
    most: np.ndarray = np.where(batch.present, _degrees(batch), np.int8(-1)).max(axis=0)
    return most


@column()
def maximum_positive_degree(batch: Batch) -> np.ndarray:
    """Return the maximum positive degree of each class.

    It is the largest number, over all concepts of the class, of neighbours that are subsets of the
    concept.
    """
    found = np.zeros(batch.classes, dtype=np.int8)
    for concept, present in enumerate(batch.present):
        below = [concept ^ 1 << j for j in range(batch.points) if concept >> j & 1]
        neighbours = batch.present[below].sum(axis=0, dtype=np.int8)
        np.maximum(found, neighbours, out=found, where=present)
    return found


@column(denominator=parts_of_one)
def average_degree(batch: Batch) -> np.ndarray:
    """Return the average degree of the one-inclusion graph of each class."""
    total = np.where(batch.present, _degrees(batch), np.int8(0)).sum(axis=0, dtype=np.int64)
    average: np.ndarray = total * (parts_of_one(batch.points) // batch.present.sum(axis=0))
    return average


@column()
def projected_maximum_degree(batch: Batch) -> np.ndarray:
    """Return, for each class, the largest degree in the one-inclusion graph of a projection."""
    return largest(max_degree(each) for each in projections(batch))


@column()
def projected_minimum_degree(batch: Batch) -> np.ndarray:
    """Return, for each class, the largest minimum degree of the graph of a projection."""
    return largest(min_degree(each) for each in projections(batch))


@column(denominator=parts_of_one)
def projected_average_degree(batch: Batch) -> np.ndarray:
    """Return the largest average degree of a projection of each class.

    The results are integers in units of 1/`parts_of_one` for the number of points of the batch.
    """
    unit = parts_of_one(batch.points)
    return largest(
        average_degree(each) * (unit // parts_of_one(each.points)) for each in projections(batch)
    )


@column()
def degeneracy(batch: Batch) -> np.ndarray:
    """Return the degeneracy of the one-inclusion graph of each class.

    The degeneracy is the largest k such that some non-empty subgraph has minimum degree k.
    """
    left = batch.present.copy()
    found = np.zeros(batch.classes, dtype=np.int8)
    for k in range(1, batch.points + 1):
        while (gone := left & (degrees(left) < k)).any():
            left &= ~gone
        found[left.any(axis=0)] = k
    return found


@column(denominator=parts_of_one)
def density(batch: Batch) -> np.ndarray:
    """Return the density of the one-inclusion graph of each class, between two bounds.

    Subgraphs give lower bounds, and loads give upper bounds.

    Every edge is divided between its ends, and the load of a vertex is the sum of its shares. The
    largest load is at least the density, because the vertices of any subgraph carry all its edges.
    Balancing the loads of the ends, edge by edge, reduces the largest load to the density. The
    subgraphs consist of the vertices with the largest loads. As soon as no other fraction with so
    small a denominator lies between the two bounds, the lower bound is the density.
    """
    concepts, unit = 2**batch.points, parts_of_one(batch.points)
    ends = [(c, c | 1 << j) for j in range(batch.points) for c in range(concepts) if ~c >> j & 1]
    tails, heads = np.array(ends).T
    found = np.zeros(batch.classes, dtype=np.int64)
    open_, present = np.arange(batch.classes), batch.present
    edges = (present[tails] & present[heads]).astype(np.float32)
    share = edges / 2
    while len(open_):
        load = _loads(tails, heads, share, edges)
        for _ in range(SWEEPS):
            for e, (a, b) in enumerate(ends):
                moved = np.clip(share[e] + (load[b] - load[a]) / 2, 0, edges[e]) - share[e]
                share[e] += moved
                load[a] += moved
                load[b] -= moved
        inside, size = _densest(_loads(tails, heads, share, edges), present, tails, heads)
        largest = _loads(tails, heads, share.astype(np.float64), edges).max(axis=0)
        decided = _no_fraction_between(inside, size, largest, concepts)
        found[open_[decided]] = (inside * (unit // size))[decided]
        open_ = open_[~decided]
        present, edges, share = (array[:, ~decided] for array in (present, edges, share))
    return found


def _no_fraction_between(
    inside: np.ndarray, size: np.ndarray, largest: np.ndarray, most: int
) -> np.ndarray:
    """Return whether no fraction of denominator up to `most` lies in (inside/size, largest].

    Two different such fractions differ by at least 1/(most (most - 1)). The result may be False
    although no fraction lies between.
    """
    decided: np.ndarray = largest < inside / size + 1 / most**2
    return decided


def _loads(
    tails: np.ndarray, heads: np.ndarray, share: np.ndarray, edges: np.ndarray
) -> np.ndarray:
    """Return the load of every vertex: a share of each edge for its tail, the rest for its head."""
    load = np.zeros((int(heads.max()) + 1, share.shape[1]), dtype=share.dtype)
    for e in range(len(share)):
        load[tails[e]] += share[e]
        load[heads[e]] += edges[e] - share[e]
    return load


def _densest(
    load: np.ndarray, present: np.ndarray, tails: np.ndarray, heads: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers of edges and vertices of the densest subgraph among largest loads."""
    order = np.argsort(-np.where(present, load, -1), axis=0, kind="stable")
    place = np.argsort(order, axis=0)
    # An edge belongs to a subgraph if its later end belongs to the subgraph.
    later = np.maximum(place[tails], place[heads])
    later[~(present[tails] & present[heads])] = len(load)
    sizes = np.arange(1, len(load) + 1)
    inside = np.stack([(later < size).sum(axis=0) for size in sizes])
    densities = np.where(sizes[:, None] <= present.sum(axis=0), inside / sizes[:, None], -1)
    best = densities.argmax(axis=0)
    return np.take_along_axis(inside, best[None], axis=0)[0], sizes[best]
