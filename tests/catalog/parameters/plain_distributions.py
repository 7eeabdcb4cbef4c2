"""Dimensions of the realizable distributions by other transcriptions of their definitions."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import cache

import numpy as np

from tests.catalog.parameters.plain import (
    Concept,
    Plain,
    points_of,
    sets_of_points,
    shown,
    sign_rank,
)


def spherical_dim(C: Plain) -> int:
    """The largest n whose power of the class of the double cover is not a coboundary.

    Cochains give a sample and its complement the same value. The ranks are over the field with two
    elements.
    """

    def cells(size: int) -> list[tuple[tuple[int, ...], Concept]]:
        return [
            (points, row)
            for points in itertools.combinations(points_of(C), size)
            for row in sorted(shown(C, points))
            if row[:1] == (0,) and tuple(1 - y for y in row) in shown(C, points)
        ]

    def rank(rows: np.ndarray) -> int:
        rows, found = rows.copy() % 2, 0
        for column in range(rows.shape[1]):
            pivots = [i for i in range(found, len(rows)) if rows[i, column]]
            if pivots:
                rows[[found, pivots[0]]] = rows[[pivots[0], found]]
                for i in range(len(rows)):
                    if i != found and rows[i, column]:
                        rows[i] ^= rows[found]
                found += 1
        return found

    best = -1
    for n in points_of(C):
        here, below = cells(n + 1), cells(n)
        matrix = np.zeros((len(here), len(below) + 1), dtype=np.int64)
        for i, (points, row) in enumerate(here):
            for k in range(n + 1):
                rest, labels = points[:k] + points[k + 1 :], row[:k] + row[k + 1 :]
                if rest:
                    flipped = tuple(y ^ labels[0] for y in labels)
                    matrix[i, below.index((rest, flipped))] ^= 1
            matrix[i, -1] = all(a != b for a, b in itertools.pairwise(row))
        if rank(matrix) > rank(matrix[:, :-1]):
            best = n
    return best


def sco_dim(C: Plain) -> int:
    return sign_rank(frozenset((*c, 1) for c in C)) - 1


def list_replicability_lower(C: Plain) -> int:
    best = 1
    for x in points_of(C):
        for y in (0, 1):
            here = frozenset(c for c in C if c[x] == y)
            for s in sets_of_points(C):
                if here and len(shown(here, s)) == 2 ** len(s):
                    best = max(best, 1 + len(s))
    return best


Cube = tuple[int | None, ...]


def collapses(rows: Plain) -> bool:
    """Whether the subcubes of labellings collapse to a point: free faces are removed in pairs."""

    def within(small: Cube, large: Cube) -> bool:
        return all(b is None or a == b for a, b in zip(small, large, strict=True))

    every = itertools.product((0, 1, None), repeat=len(next(iter(rows))))
    cubes = {
        cube
        for cube in every
        if all(
            corner in rows
            for corner in itertools.product(*((0, 1) if y is None else (y,) for y in cube))
        )
    }
    while len(cubes) > 1:
        free = next(
            (
                (small, above[0])
                for small in cubes
                if len(above := [c for c in cubes if c != small and within(small, c)]) == 1
            ),
            None,
        )
        if free is None:
            return False
        cubes -= set(free)
    return True


def list_replicability_upper(C: Plain) -> int:
    """Over all sets of labellings, whose complexes must collapse."""
    points = len(points_of(C))
    samples = [(s, row) for s in sets_of_points(C) if s for row in sorted(shown(C, s))]
    return min(
        max(sum(c[x] == y for c in C) for x in points_of(C) for y in (0, 1)),
        *(
            1 + largest
            for rows in every_set_of_labellings(points)
            if all(
                (inside := frozenset(r for r in rows if tuple(r[x] for x in s) == row))
                and collapses_once(inside)
                for s, row in samples
            )
            for largest in [dimension_of_guide(rows)]
        ),
    )


collapses_once = cache(collapses)


@cache
def every_set_of_labellings(points: int) -> list[Plain]:
    every = sorted(itertools.product((0, 1), repeat=points))
    return [
        frozenset(some)
        for k in range(1, len(every) + 1)
        for some in itertools.combinations(every, k)
    ]


@cache
def dimension_of_guide(rows: Plain) -> int:
    """The largest dimension of a subcube that does not have all points free."""
    points = len(next(iter(rows)))
    return max(
        sum(y is None for y in cube)
        for cube in itertools.product((0, 1, None), repeat=points)
        if any(y is not None for y in cube)
        and all(
            corner in rows
            for corner in itertools.product(*((0, 1) if y is None else (y,) for y in cube))
        )
    )


NEW: dict[str, Callable[[Plain], int]] = {
    each.__name__: each
    for each in (spherical_dim, sco_dim, list_replicability_lower, list_replicability_upper)
}
