"""All classes on a few points and the truth about them: the judge of what certificates claim.

A class on n points is written as a number: bit c says whether the labelling c belongs to it, and
bit j of c is the label of point j. The dimensions are transcribed from their definitions for such
numbers and share no code with the library.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np

__all__ = ["ALL_UP_TO_TWO", "labels_of", "ldim", "orbits", "side_of", "vcdim"]

ALL_UP_TO_TWO = [(n, V) for n in (1, 2) for V in range(1 << (1 << n))]
"""Every class on one or two points, the empty ones too, as (points, class)."""


@cache
def side_of(n: int, x: int, y: int) -> int:
    """All labellings of n points that give point x the label y."""
    return sum(1 << c for c in range(1 << n) if c >> x & 1 == y)


@cache
def ldim(n: int, V: int) -> int:
    """The Littlestone dimension: -1 for the empty class, else by its recursion."""
    best = 0 if V else -1
    for x in range(n):
        zeros, ones = V & side_of(n, x, 0), V & side_of(n, x, 1)
        if zeros and ones:
            best = max(best, 1 + min(ldim(n, zeros), ldim(n, ones)))
    return best


@cache
def vcdim(n: int, V: int) -> int:
    """The VC dimension: the largest number of points on which V induces every labelling."""
    concepts = [c for c in range(1 << n) if V >> c & 1]
    return max(
        (
            d
            for d in range(n + 1)
            for points in combinations(range(n), d)
            if len({tuple(c >> x & 1 for x in points) for c in concepts}) == 2**d
        ),
        default=-1,
    )


def labels_of(n: int, V: int) -> np.ndarray:
    """The class as an array, shape (concepts, points)."""
    concepts = [c for c in range(1 << n) if V >> c & 1]
    rows = [[c >> x & 1 for x in range(n)] for c in concepts]
    return np.array(rows, dtype=np.uint8).reshape(len(rows), n)


def orbits(n: int) -> list[int]:
    """One class on n points for each orbit under renaming points and complementing columns."""
    least = np.arange(1 << (1 << n), dtype=np.int64)
    moves = [[c ^ 1 for c in range(1 << n)]]
    for x, y in combinations(range(n), 2):
        swapped = [c ^ (c >> x & 1 ^ c >> y & 1) * (1 << x | 1 << y) for c in range(1 << n)]
        moves.append(swapped)
    images = [sum((least >> c & 1) << moved for c, moved in enumerate(move)) for move in moves]
    before = None
    while before is None or not np.array_equal(before, least):
        before = least.copy()
        for image in images:
            least = np.minimum(least, least[image])
    return np.unique(least).tolist()
