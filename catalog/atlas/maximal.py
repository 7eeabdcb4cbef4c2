"""Maximal classes of VC dimension d, whose VC dimension each further concept increases.

A class does not shatter a set S if and only if, for some pattern on S, it lacks all concepts with
this pattern. These concepts form a *subcube of S*: a subcube in which exactly the points outside S
are free. So a class has a VC dimension of at most d if and only if its complement contains, for
each set S of d + 1 points, a subcube of S. The class is maximal if and only if its complement is
minimal with this property. (Its VC dimension is then exactly d, if there are d points, because one
more concept raises the VC dimension by at most 1.)

The sets that are minimal for the first k + 1 sets of points S come from the sets that are minimal
for the first k sets of points. Let D be minimal for the first k + 1 sets. D contains some D' that
is minimal for the first k sets, and a subcube F of the last set of points. The union of D' and F
contains all required subcubes, so it is D. If D' contains a subcube of the last set, then D is D'
itself.

Different subcubes of the same S have no concept in common. So D is minimal if and only if each
concept of D is in a subcube that is the only subcube of its S in D. If D without a concept still
contains a subcube of each S, the concept is in no such subcube. If a concept is in no such subcube,
D without the concept still contains a subcube of each S.

Let G be the group of the symmetries that flip labels and permute interchangeable points. Points are
interchangeable if interchanging them does not change the family of the first k sets. From each
orbit of sets D' under G, one set is kept. Let S be the last set of points, and let g in G take D'
to the kept set. Then g F is a subcube of another set of points T = g S. Any h in G that takes T
back to S turns g D' into a set whose union with a subcube of S is h g D, which is D up to symmetry.
So each kept set is moved by one such h for every set of points T to which G takes S. Symmetries
that permute the first k + 1 sets may take S to another of these sets, and D to other sets. It is
enough to keep the sets D with most subcubes of S and, among these, with most edges at the points of
S, because h g leaves S unchanged.

**Counting.** Let q be the number of sets within D that are minimal for the first k sets of points.
For each of these sets, D is its union with any subcube of S that is in D. So the number of all D is
the sum of 1/q over all pairs of a D' and a D that comes from D', each counted once. For a D'
without a subcube of S, two subcubes of S give different D. Otherwise the part of the union outside
D' would be in both subcubes, which have no concept in common. A g of G takes the pairs of D' and S
to the pairs of g D' and g S, and each T occurs equally often. So it is enough to consider one D' of
each orbit, moved to each T, with the size of the orbit divided by the number of the T as weight.
This needs no symmetry between the D. If D is minimal for the first k, then q is 1. If not, D has
one subcube F of S, and the sets D' lack concepts of F only, because the union of each with F is D.
These sets D' are tried.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import comb

import numpy as np

from catalog.atlas.bitmasks import (
    CHUNK,
    exchanged,
    faces,
    faces_within,
    flipped,
    full,
    least,
    sizes,
    without,
)
from catalog.atlas.extensions import maximum_count
from catalog.atlas.orbits import Representatives

Progress = Callable[[int, int], None]


def maximal(points: int, vcdim: int, *, progress: Progress | None = None) -> Representatives:
    """Return the maximal classes of a VC dimension, one of each orbit under permutations and flips.

    Parameters
    ----------
    points : int
        Number of points, at most 6. On 6 points, VC dimension 3 takes seven minutes and 2.4 GB.
    vcdim : int
        VC dimension, at most `points`.
    progress : callable, optional
        Function that is called with the numbers of finished sets of points and of all sets.

    Examples
    --------
    Two of the classes of VC dimension 2 on four points are maximal but not maximum, because they
    have 10 concepts, not 11.

    >>> found = maximal(4, 2)
    >>> [int(mask).bit_count() for mask in found.masks], found.labelled.tolist()
    ([10, 11, 11, 11, 10], [64, 16, 192, 192, 48])
    """
    complements = _minimal(points, _free(points, vcdim), progress).masks
    masks, labelled = least(complements ^ full(points), points)
    order = np.argsort(masks)
    return Representatives(masks[order], labelled[order])


def maximal_counts(points: int, vcdim: int) -> dict[int, int]:
    """Return the numbers of maximal classes on named points by size, counted in a second way.

    Parameters
    ----------
    points : int
        Number of points, at most 6. On 6 points, VC dimension 3 takes six minutes.
    vcdim : int
        VC dimension, at most `points`. For VC dimension 0 and 1, maximal classes are maximum and
        are counted as maximum classes.

    Examples
    --------
    >>> [maximal_counts(4, d) for d in range(5)]
    [{1: 16}, {5: 400}, {10: 112, 11: 400}, {15: 16}, {16: 1}]
    """
    if vcdim < 2 or vcdim == points:
        return {sum(comb(points, k) for k in range(vcdim + 1)): maximum_count(points, vcdim)}
    *free, last = _free(points, vcdim)
    found = _minimal(points, free)
    counts, places = dict[int, Fraction](), list(_moved(found.masks, points, free, last))
    for words in places:
        for start in range(0, len(words), CHUNK):
            for larger, owner in _larger(words[start : start + CHUNK], points, free, last):
                orbits = found.labelled[start + owner]
                kinds = sizes(~larger & full(points)) << 32
                kinds |= _minimal_within(larger, points, free, last)
                for kind in np.unique(kinds).tolist():
                    size, q = kind >> 32, kind & 0xFFFFFFFF
                    share = Fraction(int(orbits[kinds == kind].sum()), q * len(places))
                    counts[size] = counts.get(size, Fraction(0)) + share
    return {size: int(count) for size, count in sorted(counts.items())}


def _free(points: int, vcdim: int) -> list[tuple[int, ...]]:
    """Return the complement of each set of d + 1 points, in processing order."""
    free = itertools.combinations(range(points), points - vcdim - 1) if vcdim < points else ()
    return sorted(free, key=lambda each: each[::-1])


def _minimal(
    points: int, free: list[tuple[int, ...]], progress: Progress | None = None
) -> Representatives:
    """Return the minimal sets that contain a subcube of each, one of each orbit."""
    found = Representatives(np.zeros(1, dtype=np.uint64), np.ones(1, dtype=np.int64))
    for done, last in enumerate(free, start=1):
        before = free[: done - 1]
        words = np.unique(np.concatenate(list(_moved(found.masks, points, before, last))))
        parts = [np.zeros(0, dtype=np.uint64)]
        for start in range(0, len(words), CHUNK):
            for larger, _ in _larger(words[start : start + CHUNK], points, before, last):
                parts.append(larger[_most_at_last(larger, points, before, last)])
        found = _representatives(np.unique(np.concatenate(parts)), points, free[:done])
        if progress is not None:
            progress(done, len(free))
    return found


def _larger(
    words: np.ndarray, points: int, free: list[tuple[int, ...]], last: tuple[int, ...]
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the minimal sets that come from minimal sets of `free`, and indices of the latter."""
    enough = faces_within(words, last, points) != 0
    yield words[enough], np.flatnonzero(enough)
    added = faces(last, points)
    larger = (words[~enough][:, None] | added).ravel()
    owner = np.repeat(np.flatnonzero(~enough), len(added))
    keep = _needed(larger, points, [*free, last]) == larger
    yield larger[keep], owner[keep]


def _needed(words: np.ndarray, points: int, free: list[tuple[int, ...]]) -> np.ndarray:
    """Return the concepts that are in the only subcube of one of `free`."""
    found = np.zeros_like(words)
    for each in free:
        within = faces_within(words, each, points)
        found |= _grown(np.where(within & within - np.uint64(1), np.uint64(0), within), each)
    return found


def _grown(concepts: np.ndarray, free: tuple[int, ...]) -> np.ndarray:
    """Return the subcubes of concepts with label 0 at the points that are free."""
    grown = concepts.copy()
    for j in free:
        grown |= grown << np.uint64(1 << j)
    return grown


def _minimal_within(
    words: np.ndarray, points: int, free: list[tuple[int, ...]], last: tuple[int, ...]
) -> np.ndarray:
    """Return the number of minimal sets of `free` within each set that is minimal for all."""
    alike = _needed(words, points, free) == words
    found: np.ndarray = alike.astype(np.int64)
    only = np.where(alike, np.uint64(0), faces_within(words, last, points))
    whole = int(_grown(np.ones(1, dtype=np.uint64), last)[0])
    part = whole
    while part:  # the non-empty subsets of a subcube at the concept 0, as words
        less = words & ~(only * np.uint64(part))
        found += ~alike & (_needed(less, points, free) == less) & _enough(less, points, free)
        part = part - 1 & whole
    return found


def _enough(words: np.ndarray, points: int, free: list[tuple[int, ...]]) -> np.ndarray:
    """Return whether each set contains a subcube of all of `free`."""
    found = np.ones(len(words), dtype=bool)
    for each in free:
        found &= faces_within(words, each, points) != 0
    return found


def _most_at_last(
    words: np.ndarray, points: int, free: list[tuple[int, ...]], last: tuple[int, ...]
) -> np.ndarray:
    """Return whether no image of the last set of points has more subcubes, or more edges."""
    edges = [sizes(words & flipped(words, j, points) & without(j, points)) for j in range(points)]

    def key(chosen: tuple[int, ...]) -> np.ndarray:
        found = sizes(faces_within(words, chosen, points)) << 8
        for j in chosen:
            found += edges[j]
        return found

    keep, own = np.ones(len(words), dtype=bool), key(last)
    for other in _places(last, _blocks(points, [*free, last])):
        keep &= own >= key(other)
    return keep


def _representatives(
    words: np.ndarray, points: int, free: list[tuple[int, ...]]
) -> Representatives:
    """Return one set of each orbit under flips and interchanges that do not change `free`."""
    # Searches for least masks are faster for large classes, so small sets are complemented.
    few = bool(len(words)) and np.bitwise_count(words).mean() < 1 << (points - 1)
    turned = full(points) if few else np.uint64(0)
    masks, orbits = least(words ^ turned, points, blocks=_blocks(points, free))
    masks, first = np.unique(masks, return_index=True)
    return Representatives(masks ^ turned, orbits[first])


def _moved(
    words: np.ndarray, points: int, free: list[tuple[int, ...]], chosen: tuple[int, ...]
) -> Iterator[np.ndarray]:
    """Yield the sets, moved once for each set of points that symmetries take to `chosen`."""
    blocks = _blocks(points, free)
    for other in _places(chosen, blocks):
        moved = words
        # Both in the order of blocks, so that points of the same block are interchanged.
        leaving, coming = (
            sorted({*these} - {*those}, key=lambda j: blocks[j])
            for these, those in ((other, chosen), (chosen, other))
        )
        for i, j in zip(leaving, coming, strict=True):
            moved = exchanged(moved, min(i, j), max(i, j), points)
        yield moved


def _places(chosen: tuple[int, ...], blocks: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the sets of points that interchanges within blocks take to `chosen`."""
    kinds = sorted(blocks[j] for j in chosen)
    return [
        other
        for other in itertools.combinations(range(len(blocks)), len(chosen))
        if sorted(blocks[j] for j in other) == kinds
    ]


def _blocks(points: int, free: list[tuple[int, ...]]) -> tuple[int, ...]:
    """Return for each point the first point that is interchangeable with it for `free`."""
    known = {frozenset(each) for each in free}
    return tuple(
        next(i for i in range(j + 1) if _interchangeable(i, j, known)) for j in range(points)
    )


def _interchangeable(i: int, j: int, sets: set[frozenset[int]]) -> bool:
    exchange = {i: j, j: i}
    return {frozenset(exchange.get(x, x) for x in each) for each in sets} == sets
