"""Classes on n points as numbers, and which of them are the same up to symmetry.

Bit j of the number of a concept is its label at the point j; bit c of the *mask* of a class tells
whether the concept with the number c belongs to it. A symmetry permutes the points and may flip the
labels at some of them. It permutes the 2^n concepts, and with them the bits of masks. The classes
that symmetries take to each other form an *orbit*; its least mask represents it.
"""

from __future__ import annotations

import itertools

import numpy as np

__all__ = ["class_count", "images", "least_masks", "orbit_count", "symmetries"]


def class_count(points: int) -> int:
    """The number of non-empty classes on a number of points.

    Examples
    --------
    >>> [class_count(n) for n in (1, 2, 3, 4)]
    [3, 15, 255, 65535]
    """
    return (1 << (1 << points)) - 1


def symmetries(points: int, *, flips: bool) -> np.ndarray:
    """Every symmetry as a permutation of the concepts.

    Parameters
    ----------
    points : int
    flips : bool
        Whether labels may be flipped at points; otherwise points are only permuted.

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
    """The number of orbits of non-empty classes, by Burnside's lemma.

    It is the average, over the symmetries, of the number of classes that a symmetry leaves as they
    are; these are 2 to the power of the number of its cycles on the concepts. No class is looked
    at, so this checks what enumerates them.

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
    """The least mask in the orbit of each of the given ones.

    Parameters
    ----------
    masks : array of uint64
    points : int
        At most 5.
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
    """The images of classes under a permutation of the concepts.

    Parameters
    ----------
    masks : array of uint64
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
"""Of fewer classes the concepts are moved one by one; of more, eight at once by a table."""

OCTETS = (np.arange(256)[:, None] >> np.arange(8) & 1).astype(np.uint64)
"""The bits of every value of eight bits."""


def _octet_images(targets: np.ndarray) -> np.ndarray:
    """The image of every value of eight bits (or fewer), whose targets are given."""
    found: np.ndarray = OCTETS[:, : len(targets)] @ (np.uint64(1) << targets.astype(np.uint64))
    return found
