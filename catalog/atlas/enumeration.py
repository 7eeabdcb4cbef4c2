"""The least masks of all classes on n points, from those on n - 1 points.

The mask of a class on n points is ``top << 2^(n-1) | bottom``, where *top* and *bottom* are the
masks of the classes that it shows on the first n - 1 points where the last one is labelled 1 and
where it is labelled 0. A symmetry puts one of the 2 n *facets* of the cube of concepts, a point
and a label, on top, and then moves both halves by the same symmetry of n - 1 points. Masks are
compared by their top first. So, for a class of least mask,

* its top T is the least mask on n - 1 points, and no facet of the class has a smaller one;
* its bottom is the least that the symmetries which leave T as it is make of it;
* of all facets that can be brought to T, none leaves a smaller bottom.

The last two points say what is to be compared, and everything in them is known from tables over the
2^2^(n-1) classes on n - 1 points: 65,536 for n = 5, where the orbits of all 2^32 masks under 3,840
symmetries are found without looking at most of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np

from catalog.atlas.orbits import images, orbit_count, symmetries
from lsclasses.errors import LsclassesError


class Representatives(NamedTuple):
    """Classes on n points, one of each orbit under permutations and flips.

    Attributes
    ----------
    masks : array of uint64
        The least masks of the orbits, increasing.
    labelled : array of int64
        How many classes are in each orbit.
    """

    masks: np.ndarray
    labelled: np.ndarray


def representatives(points: int) -> Representatives:
    """Representatives of all non-empty classes on a number of points, up to symmetry.

    Parameters
    ----------
    points : int
        1, 2, 3, 4 or 5.

    Raises
    ------
    LsclassesError
        If there are not as many as Burnside's lemma counts, or their orbits do not have all classes
        between them, which would be a mistake here.

    Examples
    --------
    >>> found = representatives(2)
    >>> found.masks.tolist(), found.labelled.tolist()
    ([1, 3, 6, 7, 15], [4, 4, 2, 4, 1])
    """
    found = _Facets(points).representatives()
    expected, classes = orbit_count(points, flips=True), 2**2**points - 1
    if len(found.masks) != expected or found.labelled.sum() != classes:
        raise LsclassesError(
            f"On {points} points {len(found.masks)} orbits were found, of {found.labelled.sum()} "
            f"classes. There are {expected}, of {classes}."
        )
    return found


class _Facets:
    """What is known of all classes on one point less, the halves of those that are looked for."""

    def __init__(self, points: int) -> None:
        self._points = points
        self._half = 2 ** (points - 1)
        self._group = symmetries(points - 1, flips=True)
        everything = np.arange(2**self._half, dtype=np.uint64)
        # Row g: what the symmetry g makes of each class.
        self._moved = np.array(
            [images(everything, permutation) for permutation in self._group], dtype=np.uint16
        )
        self._least = self._moved.min(axis=0)
        # A symmetry that takes a class to the least mask of its orbit.
        self._to_least = self._moved.argmin(axis=0)

    def representatives(self) -> Representatives:
        """All orbits, by increasing tops."""
        masks, labelled = [], []
        for top in np.unique(self._least).tolist():
            found, sizes = self._below(top)
            masks.append(np.uint64(top << self._half) | found.astype(np.uint64))
            labelled.append(sizes)
        keep = slice(1, None)  # the empty class comes first
        return Representatives(np.concatenate(masks)[keep], np.concatenate(labelled)[keep])

    def _below(self, top: int) -> tuple[np.ndarray, np.ndarray]:
        """The bottoms of the least masks with that top, and the sizes of the orbits."""
        fixing = self._moved[self._moved[:, top] == top]
        least_bottom = fixing.min(axis=0)
        sharing = np.bincount(least_bottom, minlength=len(least_bottom))
        bottoms = np.flatnonzero(
            (least_bottom == np.arange(len(least_bottom))) & (self._least >= top)
        )
        # Facets that can be brought to the top, as can the top itself.
        ways = np.ones(len(bottoms), dtype=np.int64)
        for facet, opposite in self._other_facets(top):
            keep = self._least[facet[bottoms]] >= top
            bottoms, ways = bottoms[keep], ways[keep]
            ties = np.flatnonzero(self._least[facet[bottoms]] == top)
            tied = bottoms[ties]
            brought = least_bottom[self._moved[self._to_least[facet[tied]], opposite[tied]]]
            ways[ties[brought == tied]] += 1
            smaller = np.zeros(len(bottoms), dtype=bool)
            smaller[ties[brought < tied]] = True
            bottoms, ways = bottoms[~smaller], ways[~smaller]
        # The symmetries that leave the class as it is: for each way those that leave both halves.
        leaving = ways * len(fixing) // sharing[bottoms]
        return bottoms, 2 * self._points * len(self._group) // leaving

    def _other_facets(self, top: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """The facets but the top, each with the opposite one, as masks for every bottom."""
        everything = np.arange(len(self._least))
        yield everything, np.full_like(everything, top)
        for sides in self._restrictions:
            zeros, ones = (side[top] << self._half // 2 | side for side in sides)
            yield zeros, ones
            yield ones, zeros

    @cached_property
    def _restrictions(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """For each of n - 1 points, what classes show on the others beside the labels 0 and 1."""
        numbers = np.arange(self._half)
        masks = np.arange(len(self._least))
        found = []
        for point in range(self._points - 1):
            sides = []
            for label in (0, 1):
                concepts = numbers[numbers >> point & 1 == label]
                parts = ((masks >> c & 1) << i for i, c in enumerate(concepts.tolist()))
                sides.append(sum(parts, start=np.zeros_like(masks)))
            found.append((sides[0], sides[1]))
        return found
