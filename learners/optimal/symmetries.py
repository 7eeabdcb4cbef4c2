"""Automorphisms of a class: the permutations of its points, with flips of labels, that keep it.

An automorphism maps examples, samples and hypotheses, errors to errors, neighbours to neighbours
and distributions to distributions. Averaging a private learner over all of them leaves it private
and does not raise its worst-case error. So some best learner is invariant, and its
probabilities are constant on orbits. `generators` finds few automorphisms whose products are all
automorphisms, by a chain of stabilizers. For each point in turn, the search considers the
automorphisms that fix all earlier points. For each image of the point, with or without a flip of
its labels, the search finds one such automorphism, if one exists.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

Integers = NDArray[np.int64]
Labels = tuple[int, ...]
Symmetry = tuple[tuple[int, ...], tuple[int, ...]]
"""A symmetry: the image of each point, and whether the labels of the point are flipped."""


def image(symmetry: Symmetry, labels: Sequence[int]) -> Labels:
    """Return the image of a function under a symmetry.

    >>> image(((1, 0), (0, 1)), (1, 0))
    (1, 1)
    """
    to, flips = symmetry
    found = [0] * len(to)
    for x, y in enumerate(labels):
        found[to[x]] = y ^ flips[x]
    return tuple(found)


def generators(concepts: Sequence[Labels]) -> tuple[Symmetry, ...]:
    """Return automorphisms whose products are all automorphisms of a class.

    Parameters
    ----------
    concepts : sequence of tuple of 0 or 1
        Labels of each concept, on at least one point.

    Examples
    --------
    >>> generators([(0, 0), (1, 0), (1, 1)])
    (((1, 0), (1, 1)),)
    >>> len(generators([(1, 0, 0), (0, 1, 0), (0, 0, 1)]))
    3
    """
    wanted = frozenset(concepts)
    points = len(concepts[0])
    found = []
    for level in range(points):
        for place in range(level, points):
            for flip in (0, 1):
                if (place, flip) != (level, 0):
                    start = [(x, 0) for x in range(level)] + [(place, flip)]
                    found += [next(_extended(start, wanted, points), None)]
    return tuple(each for each in found if each is not None)


def _extended(
    start: list[tuple[int, int]], concepts: frozenset[Labels], points: int
) -> Iterator[Symmetry]:
    """Yield the automorphisms that send the first points to these places with these flips."""
    placed = len(start)
    sources = sorted(tuple(c[:placed]) for c in concepts)
    targets = sorted(tuple(c[place] ^ flip for place, flip in start) for c in concepts)
    if sources != targets:
        return
    if placed == points:
        symmetry = tuple(place for place, _ in start), tuple(flip for _, flip in start)
        if all(image(symmetry, c) in concepts for c in concepts):
            yield symmetry
        return
    used = {place for place, _ in start}
    for place in range(points):
        if place not in used:
            for flip in (0, 1):
                yield from _extended([*start, (place, flip)], concepts, points)


def orbits(count: int, images: Sequence[Integers]) -> tuple[Integers, Integers]:
    """Return the orbit of each number 0, ..., count - 1 under maps, and the first members.

    Examples
    --------
    >>> of, first = orbits(4, [np.array([1, 0, 2, 3])])
    >>> of.tolist(), first.tolist()
    ([0, 0, 1, 2], [0, 2, 3])
    """
    if not images:
        return np.arange(count), np.arange(count)
    sources = np.tile(np.arange(count), len(images))
    edges = coo_array(
        (np.ones(len(sources), dtype=np.int8), (sources, np.concatenate(images))),
        shape=(count, count),
    )
    labels = connected_components(edges, directed=False)[1]
    _, first, of = np.unique(labels, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return rank[of], first[order]
