"""Arrays of classes on at most six points, with each class as a 64-bit word.

Bit c of a word is 1 if the concept with the number c belongs to the class, as in
`catalog.atlas.orbits`. Six points have 64 concepts, so that the mask of a class is exactly a word.
All functions of this module shift whole arrays of words.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache
from math import factorial

import numpy as np

CHUNK = 1 << 12
"""Number of classes whose images under symmetries are computed together, to limit the memory."""


@cache
def without(point: int, points: int) -> np.uint64:
    """Return the mask of the class of all concepts with label 0 at a point.

    >>> [int(without(j, 2)) for j in (0, 1)]    # 00 and 01, written with point 0 last; 00 and 10
    [5, 3]
    """
    concepts = np.arange(1 << points, dtype=np.uint64)
    chosen = concepts[concepts >> np.uint64(point) & np.uint64(1) == 0]
    return np.uint64(sum(1 << int(c) for c in chosen))


def full(points: int) -> np.uint64:
    """Return the mask of the class of all concepts on a number of points."""
    return np.uint64((1 << (1 << points)) - 1)


def sizes(words: np.ndarray) -> np.ndarray:
    """Return the number of concepts of each class."""
    found: np.ndarray = np.bitwise_count(words).astype(np.int64)
    return found


def flipped(words: np.ndarray, point: int, points: int) -> np.ndarray:
    """Return the classes with all labels at a point flipped."""
    shift, zero = np.uint64(1 << point), without(point, points)
    found: np.ndarray = (words & zero) << shift | words >> shift & zero
    return found


def exchanged(words: np.ndarray, first: int, second: int, points: int) -> np.ndarray:
    """Return the classes with two points interchanged, ``first < second``."""
    # Concepts that have the label 1 at the first point and 0 at the second move upwards.
    upwards = ~without(first, points) & without(second, points)
    shift = np.uint64((1 << second) - (1 << first))
    moving: np.ndarray = (words ^ words >> shift) & upwards
    found: np.ndarray = words ^ moving ^ moving << shift
    return found


def shatters(words: np.ndarray, points: int) -> Iterator[tuple[int, np.ndarray]]:
    """Yield each set of points, with the classes that shatter it.

    Yields
    ------
    int, array of bool
        Set of points as a number, with bit j for the point j, and whether each class shatters it.
    """
    for chosen in range(1 << points):
        shown = words.copy()
        for j in range(points):
            if not chosen >> j & 1:
                shown = (shown | shown >> np.uint64(1 << j)) & without(j, points)
        yield chosen, np.bitwise_count(shown) == 1 << chosen.bit_count()


def vcdims(words: np.ndarray, points: int) -> np.ndarray:
    """Return the VC dimension of each class. The classes must not be empty.

    >>> vcdims(np.array([0b0111, 0b1111], dtype=np.uint64), 2).tolist()
    [1, 2]
    """
    found = np.zeros(len(words), dtype=np.int64)
    for chosen, shattered in shatters(words, points):
        np.maximum(found, shattered * chosen.bit_count(), out=found)
    return found


def shattered_sets(words: np.ndarray, points: int) -> np.ndarray:
    """Return the number of sets of points that each class shatters.

    >>> shattered_sets(np.array([0b0111, 0b1001], dtype=np.uint64), 2).tolist()
    [3, 3]
    """
    found = np.zeros(len(words), dtype=np.int64)
    for _, shattered in shatters(words, points):
        found += shattered
    return found


def components(words: np.ndarray, points: int) -> Iterator[np.ndarray]:
    """Yield the connected components of the one-inclusion graph of each class, one per round.

    Yields
    ------
    array of uint64
        Component of the least remaining concept of each class, or 0 if no concept remains.
    """
    left = words.copy()
    while left.any():
        found = left & (~left + np.uint64(1))
        grown = np.zeros_like(found)
        while not np.array_equal(grown, found):
            grown = found.copy()
            for j in range(points):
                found |= flipped(grown, j, points)
            found &= left
        yield found
        left &= ~found


def component_counts(words: np.ndarray, points: int) -> np.ndarray:
    """Return the number of connected components of the one-inclusion graph of each class.

    >>> component_counts(np.array([0b0111, 0b1001, 0], dtype=np.uint64), 2).tolist()
    [1, 2, 0]
    """
    found = np.zeros(len(words), dtype=np.int64)
    for each in components(words, points):
        found += each != 0
    return found


def faces(free: tuple[int, ...], points: int) -> np.ndarray:
    """Return the masks of all subcubes in which exactly the given points are free.

    Each labelling of the remaining points gives one subcube.

    >>> faces((0,), 2).tolist()
    [3, 12]
    """
    fixed = [j for j in range(points) if j not in free]
    base = sum(1 << sum(1 << j for j in chosen) for chosen in _subsets(free))
    return np.array([base << sum(1 << j for j in chosen) for chosen in _subsets(fixed)], np.uint64)


def faces_within(words: np.ndarray, free: tuple[int, ...], points: int) -> np.ndarray:
    """Return the subcubes that each class contains and in which exactly the given points are free.

    A bit of the result represents a subcube by its concept with label 0 at all free points.

    >>> faces_within(np.array([0b1101, 0b1111], dtype=np.uint64), (0,), 2).tolist()  # 10, 11; all
    [4, 5]
    """
    for j in free:
        words = words & words >> np.uint64(1 << j) & without(j, points)
    return words


def _subsets(of: tuple[int, ...] | list[int]) -> Iterator[tuple[int, ...]]:
    for size in range(len(of) + 1):
        yield from itertools.combinations(of, size)


def least(
    words: np.ndarray,
    points: int,
    *,
    flips: bool = True,
    blocks: tuple[int, ...] | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the least mask in the orbit of each class, and the size of its orbit.

    A symmetry puts some concept v at the last place, 2^n - 1, some point x_0 at 0, x_1 at 1, and so
    on. Its first k points determine the 2^k concepts at the last 2^k places, which are the highest
    bits of the image. The symmetries are therefore extended point by point. Among the symmetries
    with k chosen points, only those with the least 2^k highest bits are extended. In the end, the
    symmetries that lead to the least mask remain. Their number is the number of symmetries that
    leave the class unchanged. The size of the orbit is the number of all symmetries divided by this
    number.

    Parameters
    ----------
    words : array of uint64
        Masks of the classes.
    points : int
        Number of points, at most 6.
    flips : bool
        Whether labels may be flipped at points.
    blocks : tuple of int, optional
        An entry for each point. Only points with equal entries may be permuted. By default, all
        points may be permuted.

    Returns
    -------
    least : array of uint64
        Least mask in the orbit of each class.
    orbit : array of int64
        Number of classes in the orbit of each class.

    Examples
    --------
    >>> found = least(np.array([0b0110, 0b1000, 0b1011], dtype=np.uint64), 2)
    >>> [each.tolist() for each in found]
    [[6, 1, 7], [2, 4, 4]]
    """
    chosen = (0,) * points if blocks is None else blocks
    parts = [
        _least(words[start : start + CHUNK], points, flips, chosen)
        for start in range(0, max(len(words), 1), CHUNK)
    ]
    return np.concatenate([each[0] for each in parts]), np.concatenate([each[1] for each in parts])


def _least(
    words: np.ndarray, points: int, flips: bool, blocks: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray]:
    images, owner = words, np.arange(len(words))
    for j in range(points if flips else 0):
        images = np.concatenate([images, flipped(images, j, points)])
        owner = np.concatenate([owner, owner])
    images, owner = _lowest(images, owner, points, 0)
    for place in range(points):
        candidates = [
            exchanged(images, place, j, points) if j > place else images
            for j in range(place, points)
            if blocks[j] == blocks[place]
        ]
        owner = np.tile(owner, len(candidates))
        images, owner = _lowest(np.concatenate(candidates), owner, points, place + 1)
    group = (1 << points if flips else 1) * np.prod([factorial(blocks.count(b)) for b in {*blocks}])
    found = np.zeros_like(words)
    found[owner] = images
    return found, group // np.bincount(owner, minlength=len(words))


def _lowest(
    images: np.ndarray, owner: np.ndarray, points: int, place: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the images whose 2^place highest bits are the least among images of their owner."""
    high = images >> np.uint64((1 << points) - (1 << place))
    lowest = np.full(int(owner.max(initial=-1)) + 1, np.iinfo(np.uint64).max, dtype=np.uint64)
    np.minimum.at(lowest, owner, high)
    keep = high == lowest[owner]
    return images[keep], owner[keep]
