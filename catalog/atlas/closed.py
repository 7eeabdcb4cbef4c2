"""Intersection-closed classes: with two concepts, their intersection belongs to the class.

A concept is the set of the points that it labels with 1. The last point x splits a class into the
bottom, the concepts without x, and the top, those with x, both classes on the other points. The
intersection of two concepts of the top, or of two of the bottom, is on the same side, and that of
one and the other is at the bottom. So a class is intersection-closed if and only if top and bottom
are, and a & b is in the bottom for every a of the top and b of the bottom. For a fixed bottom the
sets a with this property for all of its b are closed under intersection themselves: (a & a') & b
is a & (a' & b).

So the classes on n + 1 points are the pairs of a top and a bottom that is closed under meets with
each concept of the top. Pairs are counted by one bit for each bottom, and tops up to permutations.
The empty class is among the tops and bottoms, and is not counted as a class. On six points the
count is that of Habib and Nourine 2005 and of Brinkmann and Deklerck 2018.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from catalog.atlas.bitmasks import exchanged, least, without
from catalog.atlas.orbits import Representatives


def closed_classes(points: int) -> np.ndarray:
    """All non-empty intersection-closed classes on named points, increasing.

    Parameters
    ----------
    points : int
        At most 5.

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
    """The orbits, under permutations and flips, that have an intersection-closed class.

    Parameters
    ----------
    points : int
        At most 5.

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

    Parameters
    ----------
    points : int
        n, at most 5.

    Attributes
    ----------
    classes : array of uint64
        The intersection-closed classes on n points, the empty one first.
    tops : array of uint64
        One of them for each orbit under permutations.
    orbits : array of int64
        How many classes are in the orbit.
    """

    def __init__(self, points: int) -> None:
        self._points = points
        self.classes = np.concatenate([np.zeros(1, dtype=np.uint64), closed_classes(points)])
        unflipped, orbits = least(self.classes, points, flips=False)
        self.tops, first = np.unique(unflipped, return_index=True)
        self.orbits = orbits[first]
        self._closed = np.array([self._meeting(a) for a in range(1 << points)])

    def _meeting(self, concept: int) -> np.ndarray:
        """Which classes are closed under meets with a concept, eight to a byte."""
        meets = self.classes
        for j in range(self._points):
            if not concept >> j & 1:
                meets = (meets | meets >> np.uint64(1 << j)) & without(j, self._points)
        return np.packbits((meets & ~self.classes) == 0)

    def allowed(self, top: np.uint64) -> np.ndarray:
        """Which classes can be the bottom below a top, eight to a byte."""
        concepts = [c for c in range(1 << self._points) if int(top) >> c & 1]
        found = np.packbits(np.ones(len(self.classes), dtype=bool))
        for each in concepts:
            if not _is_meet(each, concepts):
                found &= self._closed[each]
        return found

    @cached_property
    def bottoms(self) -> np.ndarray:
        """For each of the tops the number of bottoms."""
        return np.array([int(np.bitwise_count(self.allowed(top)).sum()) for top in self.tops])

    def count(self) -> int:
        """The number of non-empty intersection-closed classes on n + 1 named points.

        >>> [ClosedPairs(n).count() for n in (0, 1, 2, 3)]
        [3, 13, 121, 4959]
        """
        return int(self.orbits @ self.bottoms) - 1

    def count_with_all_points(self) -> int:
        """How many of them have the concept that labels all points with 1: half, rounded up.

        It is not the intersection of others, so a class stays intersection-closed without it; and
        putting it in adds no other intersections. The empty class is the partner of one.

        >>> [ClosedPairs(n).count_with_all_points() for n in (0, 1, 2, 3)]
        [2, 7, 61, 2480]
        """
        last = np.uint64((1 << self._points) - 1)
        having = (self.tops >> last & np.uint64(1)) == 1
        return int(self.orbits[having] @ self.bottoms[having])

    def sample(self, number: int, rng: np.random.Generator) -> np.ndarray:
        """Random non-empty classes on n + 1 points, uniform over those on named points.

        The orbit of the top is drawn with its number of pairs, then one of the bottoms; and the n
        points of both are permuted at random, which makes the top uniform within its orbit.
        """
        weights = np.cumsum(self.orbits * self.bottoms)
        # The empty class is the pair of the first top and the first bottom, whose orbit is single.
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
    """Whether a concept is the intersection of others, of all that contain it."""
    meet = -1
    for each in concepts:
        if each & concept == concept and each != concept:
            meet &= each
    return meet == concept


def _permuted(words: np.ndarray, points: int, rng: np.random.Generator) -> np.ndarray:
    """Classes with the first points permuted, each at random."""
    for last in range(points - 1, 0, -1):
        other = rng.integers(0, last + 1, len(words))
        for j in range(last):
            moved = other == j
            words[moved] = exchanged(words[moved], j, last, points + 1)
    return words
