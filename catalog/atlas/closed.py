"""Intersection-closed classes: the intersection of two concepts belongs to the class.

A concept is the set of the points with label 1. The last point x splits a class into the *bottom*,
the concepts without x, and the *top*, the concepts with x. Both are classes on the other points.
The intersection of two concepts of the top belongs to the top, and the intersection of two concepts
of the bottom belongs to the bottom. The intersection of a concept of the top and a concept of the
bottom belongs to the bottom. So a class is intersection-closed if and only if top and bottom are
intersection-closed and a & b is in the bottom for every a of the top and every b of the bottom. For
a fixed bottom, the sets a with this property for all of its b are closed under intersection,
because (a & a') & b is a & (a' & b).

So the classes on n + 1 points are the pairs of a top and a bottom that is closed under meets
(intersections) with each concept of the top. The program counts pairs by one bit for each bottom,
and counts tops up to permutations. The empty class is among the tops and bottoms, but is not
counted as a class. On six points the count agrees with Habib and Nourine 2005 and with Brinkmann
and Deklerck 2018.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from catalog.atlas.bitmasks import exchanged, least, without
from catalog.atlas.orbits import Representatives


def closed_classes(points: int) -> np.ndarray:
    """Return all non-empty intersection-closed classes on named points, in increasing order.

    Parameters
    ----------
    points : int
        Number of points, at most 5.

    Examples
    --------
    >>> [len(closed_classes(n)) for n in (1, 2, 3, 4)]
    [3, 13, 121, 4959]
    """
    if points == 0:
        return np.ones(1, dtype=np.uint64)
    pairs = ClosedPairs(points - 1)
    found = []
    for top in pairs.classes:
        bottoms = pairs.classes[np.unpackbits(pairs.allowed(top), count=len(pairs.classes)) == 1]
        found.append(top << np.uint64(1 << points - 1) | bottoms)
    return np.concatenate(found)[1:]


def closed_up_to_flips(points: int) -> Representatives:
    """Return the orbits, under permutations and flips, that contain an intersection-closed class.

    Parameters
    ----------
    points : int
        Number of points, at most 5.

    Examples
    --------
    >>> [len(closed_up_to_flips(n).masks) for n in (1, 2, 3)]
    [2, 5, 18]
    """
    unflipped = np.unique(least(closed_classes(points), points, flips=False)[0])
    masks, labelled = least(unflipped, points)
    masks, first = np.unique(masks, return_index=True)
    return Representatives(masks, labelled[first])


class ClosedPairs:
    """The intersection-closed classes on n + 1 points as pairs of a top and a bottom.

    The top contains the concepts with label 1 at the last point, and the bottom contains the
    concepts with label 0. Both are classes on the first n points.

    Parameters
    ----------
    points : int
        Number n, at most 5.

    Attributes
    ----------
    classes : array of uint64
        The intersection-closed classes on n points, the empty one first.
    tops : array of uint64
        Least mask of each orbit of `classes` under permutations.
    orbits : array of int64
        Number of classes in the orbit of each entry of `tops`.
    """

    def __init__(self, points: int) -> None:
        self._points = points
        self.classes = np.concatenate([np.zeros(1, dtype=np.uint64), closed_classes(points)])
        unflipped, orbits = least(self.classes, points, flips=False)
        self.tops, first = np.unique(unflipped, return_index=True)
        self.orbits = orbits[first]
        self._closed = np.array([self._meeting(a) for a in range(1 << points)])

    def _meeting(self, concept: int) -> np.ndarray:
        """Return bits of the classes that are closed under meets with a concept, 8 per byte."""
        meets = self.classes
        for j in range(self._points):
            if not concept >> j & 1:
                meets = (meets | meets >> np.uint64(1 << j)) & without(j, self._points)
        return np.packbits((meets & ~self.classes) == 0)

    def allowed(self, top: np.uint64) -> np.ndarray:
        """Return a bit for each entry of `classes`: 1 if the entry can be the bottom of `top`."""
        concepts = [c for c in range(1 << self._points) if int(top) >> c & 1]
        found = np.packbits(np.ones(len(self.classes), dtype=bool))
        for each in concepts:
            if not _is_meet(each, concepts):
                found &= self._closed[each]
        return found

    @cached_property
    def bottoms(self) -> np.ndarray:
        """Number of possible bottoms for each entry of `tops`."""
        return np.array([int(np.bitwise_count(self.allowed(top)).sum()) for top in self.tops])

    def count(self) -> int:
        """Return the number of non-empty intersection-closed classes on n + 1 named points.

        >>> [ClosedPairs(n).count() for n in (0, 1, 2, 3)]
        [3, 13, 121, 4959]
        """
        return int(self.orbits @ self.bottoms) - 1

    def count_with_all_points(self) -> int:
        """Return how many intersection-closed classes contain the concept with all labels 1.

        This number is half of the result of `count`, rounded up.

        The concept with all labels 1 is not the intersection of other concepts, so a class stays
        intersection-closed without this concept. Adding this concept creates no other
        intersections. The class that has only this concept corresponds to the empty class.

        >>> [ClosedPairs(n).count_with_all_points() for n in (0, 1, 2, 3)]
        [2, 7, 61, 2480]
        """
        last = np.uint64((1 << self._points) - 1)
        having = (self.tops >> last & np.uint64(1)) == 1
        return int(self.orbits[having] @ self.bottoms[having])

    def sample(self, number: int, rng: np.random.Generator) -> np.ndarray:
        """Return random non-empty classes on n + 1 named points, uniformly distributed.

        An orbit of tops is drawn with probability proportional to its number of pairs. Then a
        bottom is drawn uniformly for the least top of this orbit. A random permutation of the first
        n points, applied to top and bottom, makes the top uniform within its orbit.
        """
        weights = np.cumsum(self.orbits * self.bottoms)
        # The empty class is the pair of the first top and the first bottom, whose orbit has size 1.
        drawn = rng.integers(1, weights[-1], number)
        place = np.searchsorted(weights, drawn, side="right")
        found = np.zeros(number, dtype=np.uint64)
        for top in np.unique(place).tolist():
            chosen = np.flatnonzero(place == top)
            before = weights[top] - self.orbits[top] * self.bottoms[top]
            ranks = (drawn[chosen] - before) % self.bottoms[top]
            bottoms = np.flatnonzero(
                np.unpackbits(self.allowed(self.tops[top]), count=len(self.classes))
            )
            high = self.tops[top] << np.uint64(1 << self._points)
            found[chosen] = high | self.classes[bottoms[ranks]]
        return _permuted(found, self._points, rng)


def _is_meet(concept: int, concepts: list[int]) -> bool:
    """Return whether a concept is the intersection of all other concepts that contain it."""
    meet = -1
    for each in concepts:
        if each & concept == concept and each != concept:
            meet &= each
    return meet == concept


def _permuted(words: np.ndarray, points: int, rng: np.random.Generator) -> np.ndarray:
    """Return classes whose first points are permuted at random, independently for each class."""
    for last in range(points - 1, 0, -1):
        other = rng.integers(0, last + 1, len(words))
        for j in range(last):
            moved = other == j
            words[moved] = exchanged(words[moved], j, last, points + 1)
    return words
