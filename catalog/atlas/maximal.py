"""The maximal classes of VC dimension d: adding any concept to one raises its VC dimension.

A class does not shatter a set S if and only if it lacks all concepts that show some pattern on S;
they form a subcube in which exactly the points outside S are free. So a class has a VC dimension of
at most d if and only if its complement contains, for each set S of d + 1 points, such a subcube of
S, and it is maximal if and only if its complement is minimal with that.

The sets that are minimal for the first k + 1 sets of points S come from those that are minimal for
the first k: let D be minimal for k + 1. It contains some D' that is minimal for k, and a subcube F
of the last set of points. The union of D' and F contains all subcubes that are needed, so it is D;
and if D' contains a subcube of the last set, it is D' itself.

D is minimal if every concept of it is needed: if for some S all subcubes of S that D contains have
it. For if D less a concept still contained a subcube of each S, no S would need that concept; and
if a smaller D' were enough, no S would need a concept of D that D' lacks.

Let G be the group of the symmetries that flip labels, and permute points that can be interchanged
without changing the first k sets S. Of the sets D' that G takes to each other one is kept. For a g
in G that takes D' to the one that is kept, g F is a subcube of another set of points T = g S, where
S is the last one; and any h in G that takes T back to S makes of g D' a set whose union with a
subcube of S is h g D, which is D up to symmetry. So each set that is kept is moved by one such h
for every set of points T to which G takes S.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from catalog.atlas.enumeration import Representatives
from catalog.atlas.words import exchanged, faces, full, least


def maximal(
    points: int, vcdim: int, *, progress: Callable[[int, int], None] | None = None
) -> Representatives:
    """The maximal classes of a VC dimension, one of each orbit under permutations and flips.

    Parameters
    ----------
    points : int
        At most 6.
    vcdim : int
        At most `points`.
    progress : callable, optional
        Called with how many sets of points are done and how many there are.

    Examples
    --------
    Two of the classes of VC dimension 2 on four points are maximal without being maximum: they have
    10 concepts, not 11.

    >>> found = maximal(4, 2)
    >>> [int(mask).bit_count() for mask in found.masks], found.labelled.tolist()
    ([10, 11, 11, 11, 10], [64, 16, 192, 192, 48])
    """
    shattered = list(itertools.combinations(range(points), vcdim + 1))
    free = sorted((_rest(each, points) for each in shattered), key=lambda each: each[::-1])
    complements, subcubes = np.zeros(1, dtype=np.uint64), []
    for done, chosen in enumerate(free, start=1):
        complements = _moved(complements, points, free[: done - 1], chosen)
        subcubes.append(faces(chosen, points))
        enough = np.zeros(len(complements), dtype=bool)
        for face in subcubes[-1]:
            enough |= (face & ~complements) == 0
        parts = [complements[enough]]
        for face in subcubes[-1]:
            larger = complements[~enough] | face
            parts.append(larger[_needed(larger, subcubes) == larger])
        complements = _representatives(np.unique(np.concatenate(parts)), points, free[:done])
        if progress is not None:
            progress(done, len(free))
    masks, labelled = least(complements ^ full(points), points)
    order = np.argsort(masks)
    return Representatives(masks[order], labelled[order])


def _rest(chosen: tuple[int, ...], points: int) -> tuple[int, ...]:
    return tuple(j for j in range(points) if j not in chosen)


def _needed(words: np.ndarray, subcubes: list[np.ndarray]) -> np.ndarray:
    """The concepts that are in all contained subcubes of some set of points."""
    found = np.zeros_like(words)
    for faces_of_one in subcubes:
        # Where none is contained, which does not happen here, all concepts would be needed.
        common = np.full_like(words, np.iinfo(np.uint64).max)
        for face in faces_of_one:
            contained = (face & ~words) == 0
            common &= np.where(contained, face, np.iinfo(np.uint64).max)
        found |= common
    return found


def _representatives(words: np.ndarray, points: int, free: list[tuple[int, ...]]) -> np.ndarray:
    """One of each orbit under the symmetries that interchange points without changing `free`."""
    # Least masks of large classes are found sooner; those of complements do as well.
    few = bool(len(words)) and np.bitwise_count(words).mean() < 1 << (points - 1)
    turned = full(points) if few else np.uint64(0)
    return np.unique(least(words ^ turned, points, blocks=_blocks(points, free))[0]) ^ turned


def _moved(
    words: np.ndarray, points: int, free: list[tuple[int, ...]], chosen: tuple[int, ...]
) -> np.ndarray:
    """The sets, moved so that each set of points that symmetries take to `chosen` is there once."""
    blocks = _blocks(points, free)
    kinds = sorted(blocks[j] for j in chosen)
    found = []
    for other in itertools.combinations(range(points), len(chosen)):
        if sorted(blocks[j] for j in other) == kinds:
            moved = words
            # Both in the order of blocks, so that points of the same block are interchanged.
            leaving, coming = (
                sorted({*these} - {*those}, key=lambda j: blocks[j])
                for these, those in ((other, chosen), (chosen, other))
            )
            for i, j in zip(leaving, coming, strict=True):
                moved = exchanged(moved, min(i, j), max(i, j), points)
            found.append(moved)
    return np.unique(np.concatenate(found))


def _blocks(points: int, free: list[tuple[int, ...]]) -> tuple[int, ...]:
    """For each point the first one that can be interchanged with it without changing `free`."""
    known = {frozenset(each) for each in free}
    return tuple(
        next(i for i in range(j + 1) if _interchangeable(i, j, known)) for j in range(points)
    )


def _interchangeable(i: int, j: int, sets: set[frozenset[int]]) -> bool:
    exchange = {i: j, j: i}
    return {frozenset(exchange.get(x, x) for x in each) for each in sets} == sets
