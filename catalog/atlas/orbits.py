"""Classes on n points as numbers, and their orbits under symmetries.

Bit j of the number of a concept is its label at the point j. Bit c of the *mask* of a class is 1 if
the concept with the number c belongs to the class. A symmetry permutes the points and may flip the
labels at some points. It permutes the 2^n concepts and therefore the bits of masks. The classes
that symmetries take to each other form an *orbit*. The least mask of an orbit represents it.

The enumeration finds the least masks of all classes on n points from the least masks on n - 1
points. The mask of a class on n points is ``top << 2^(n-1) | bottom``. Here, *top* is the mask of
the class on the first n - 1 points of the concepts that label the last point with 1, and *bottom*
is the mask of the class of the concepts that label it with 0. A *facet* of the cube of concepts is
a point and a label. A symmetry puts one of the 2 n facets on top, and then moves both halves by the
same symmetry of n - 1 points. Masks are compared by their top first. So, for a class of least mask,

* the top T is a least mask on n - 1 points, and no facet of the class has a smaller least mask,
* the bottom is the least of its images under the symmetries that leave T unchanged,
* no facet that can be brought to T leaves a smaller bottom.

The last two conditions determine the comparisons. They use only tables over the 2^2^(n-1) classes
on n - 1 points. For n = 5, these are 65,536 classes. The orbits of all 2^32 masks under 3,840
symmetries are found although most masks are never visited.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np

from lsclasses.errors import LsclassesError

__all__ = ["class_count", "images", "least_masks", "orbit_count", "symmetries"]


# ---- orbits


def class_count(points: int) -> int:
    """Return the number of non-empty classes on a number of points.

    Examples
    --------
    >>> [class_count(n) for n in (1, 2, 3, 4)]
    [3, 15, 255, 65535]
    """
    return (1 << (1 << points)) - 1


def symmetries(points: int, *, flips: bool) -> np.ndarray:
    """Return every symmetry as a permutation of the concepts.

    Parameters
    ----------
    points : int
    flips : bool
        Whether labels may be flipped at points. If not, points are only permuted.

    Returns
    -------
    array of int, shape (symmetries, 2^points)
        The concept c goes to the c-th entry of a row.

    Examples
    --------
    >>> symmetries(2, flips=False).tolist()
    [[0, 1, 2, 3], [0, 2, 1, 3]]
    >>> len(symmetries(3, flips=True))
    48
    """
    concepts = np.arange(2**points)
    labels = concepts[:, None] >> np.arange(points) & 1
    permuted = [
        (labels << np.array(order, dtype=np.int64)).sum(axis=1)
        for order in itertools.permutations(range(points))
    ]
    moved = np.array(permuted)
    if not flips:
        return moved
    return (moved[None, :, :] ^ concepts[:, None, None]).reshape(-1, 2**points)


def orbit_count(points: int, *, flips: bool) -> int:
    """Return the number of orbits of non-empty classes, by Burnside's lemma.

    The number of orbits is the average, over the symmetries, of the number of classes that a
    symmetry leaves unchanged. This number is 2 to the power of the number of cycles of the symmetry
    on the concepts. The count visits no class, so it is an independent check of the enumeration.

    Examples
    --------
    >>> [orbit_count(n, flips=True) for n in (1, 2, 3, 4, 5)]
    [2, 5, 21, 401, 1228157]
    >>> [orbit_count(n, flips=False) for n in (1, 2, 3, 4, 5)]
    [3, 11, 79, 3983, 37333247]
    """
    group = symmetries(points, flips=flips)
    fixed = sum(1 << _cycles(permutation.tolist()) for permutation in group)
    orbits, rest = divmod(fixed, len(group))
    assert rest == 0
    return orbits - 1


def _cycles(permutation: list[int]) -> int:
    seen: set[int] = set()
    count = 0
    for start in permutation:
        count += start not in seen
        while start not in seen:
            seen.add(start)
            start = permutation[start]  # noqa: PLW2901
    return count


def least_masks(masks: np.ndarray, points: int, *, flips: bool) -> np.ndarray:
    """Return the least mask in the orbit of each given mask.

    Parameters
    ----------
    masks : array of uint64
        Masks of the classes.
    points : int
        Number of points, at most 5.
    flips : bool
        Whether labels may be flipped at points.

    Returns
    -------
    array of uint64, of the same shape

    Examples
    --------
    >>> least_masks(np.array([0b0110, 0b1000, 0b1001], dtype=np.uint64), 2, flips=True).tolist()
    [6, 1, 6]
    """
    least = masks.copy()
    for permutation in symmetries(points, flips=flips):
        np.minimum(least, images(masks, permutation), out=least)
    return least


def images(masks: np.ndarray, permutation: np.ndarray) -> np.ndarray:
    """Return the images of classes under a permutation of all labellings of the points.

    Parameters
    ----------
    masks : array of uint64
        Classes. Bit i is 1 if the class contains labelling number i.
    permutation : array of int, shape (concepts,)
        A row of `symmetries`.

    Returns
    -------
    array of uint64, of the shape of `masks`

    Examples
    --------
    >>> exchanged = symmetries(2, flips=False)[1]
    >>> images(np.array([0b0010, 0b1010], dtype=np.uint64), exchanged).tolist()    # 0b0100, 0b1100
    [4, 12]
    """
    if masks.size < FEW:
        labels = masks[..., None] >> np.arange(len(permutation), dtype=np.uint64) & np.uint64(1)
        return labels @ (np.uint64(1) << permutation.astype(np.uint64))
    found = np.zeros_like(masks)
    for first in range(0, len(permutation), 8):
        octets = (masks >> np.uint64(first) & np.uint64(255)).astype(np.intp)
        found |= _octet_images(permutation[first : first + 8])[octets]
    return found


FEW = 100
"""Least number of classes for which images are read from a table, eight concepts at a time."""

OCTETS = (np.arange(256)[:, None] >> np.arange(8) & 1).astype(np.uint64)
"""The eight bits of each number from 0 to 255."""


def _octet_images(targets: np.ndarray) -> np.ndarray:
    """Return the image of every value of eight bits (or fewer), whose targets are given."""
    found: np.ndarray = OCTETS[:, : len(targets)] @ (np.uint64(1) << targets.astype(np.uint64))
    return found


# ---- enumeration


class Representatives(NamedTuple):
    """Classes on n points, one of each orbit under permutations and flips.

    Attributes
    ----------
    masks : array of uint64
        The least masks of the orbits, increasing.
    labelled : array of int64
        Number of classes in each orbit.
    """

    masks: np.ndarray
    labelled: np.ndarray


def representatives(points: int) -> Representatives:
    """Return representatives of all non-empty classes on a number of points, up to symmetry.

    Parameters
    ----------
    points : int
        Number of points: 1, 2, 3, 4 or 5.

    Raises
    ------
    LsclassesError
        If the number of orbits differs from Burnside's lemma, or the orbits do not contain all
        classes together. Both would be internal errors.

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
    """Tables over all classes on one point less, the halves of the enumerated classes."""

    def __init__(self, points: int) -> None:
        self._points = points
        self._half = 2 ** (points - 1)
        self._group = symmetries(points - 1, flips=True)
        everything = np.arange(2**self._half, dtype=np.uint64)
        # Row g contains the image of each class under the symmetry g.
        self._moved = np.array(
            [images(everything, permutation) for permutation in self._group], dtype=np.uint16
        )
        self._least = self._moved.min(axis=0)
        # A symmetry that takes a class to the least mask of its orbit.
        self._to_least = self._moved.argmin(axis=0)

    def representatives(self) -> Representatives:
        """Return all orbits, by increasing tops."""
        masks, labelled = [], []
        for top in np.unique(self._least).tolist():
            found, sizes = self._below(top)
            masks.append(np.uint64(top << self._half) | found.astype(np.uint64))
            labelled.append(sizes)
        keep = slice(1, None)  # the empty class comes first
        return Representatives(np.concatenate(masks)[keep], np.concatenate(labelled)[keep])

    def _below(self, top: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the bottoms of the least masks with that top, and the sizes of the orbits."""
        fixing = self._moved[self._moved[:, top] == top]
        least_bottom = fixing.min(axis=0)
        sharing = np.bincount(least_bottom, minlength=len(least_bottom))
        bottoms = np.flatnonzero(
            (least_bottom == np.arange(len(least_bottom))) & (self._least >= top)
        )
        # Number of facets that can be brought to the top, including the top itself.
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
        # The number of symmetries that leave the class unchanged: ways times those of both halves.
        leaving = ways * len(fixing) // sharing[bottoms]
        return bottoms, 2 * self._points * len(self._group) // leaving

    def _other_facets(self, top: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield the facets except the top, each with its opposite facet, as masks per bottom."""
        everything = np.arange(len(self._least))
        yield everything, np.full_like(everything, top)
        for sides in self._restrictions:
            zeros, ones = (side[top] << self._half // 2 | side for side in sides)
            yield zeros, ones
            yield ones, zeros

    @cached_property
    def _restrictions(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Restrictions of classes to the labels 0 and 1 at each of n - 1 points."""
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
