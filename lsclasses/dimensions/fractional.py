"""Weights of sets that show that few points cannot meet them all, by a linear program.

Points lie in lessons, each of which has room for some more. If every point of a lesson l is in
sets of total weight at most m(l), then lessons with r(l) points meet at most the sum of all
r(l) m(l). Sets of more weight are not all met. The program finds the weights in floating point;
they are rounded to multiplicities, which are to be checked exactly.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from lsclasses.limits import Meter
from lsclasses.searching.bitsets import members

DENOMINATORS = (1, 2, 3, 4, 6, 12, 24, 60, 120, 720)
"""Weights are rounded to multiples of these fractions of the largest, one after the other."""
TOLERANCE = 1e-7


def weighted(
    sets: Mapping[int, Mapping[int, int]], room: Mapping[int, int], meter: Meter
) -> Iterator[tuple[int, ...]]:
    """Lists of sets, with multiplicities, that may weigh more than what can be met.

    Parameters
    ----------
    sets : mapping
        For the number of each set its points in each lesson, as bits of integers.
    room : mapping from lessons to int
        How many points each may still be given.
    meter : Meter

    Examples
    --------
    Of the three edges of a triangle one point meets two.

    >>> triangle = {7: {0: 0b011}, 8: {0: 0b110}, 9: {0: 0b101}}
    >>> next(weighted(triangle, {0: 1}, Meter(None)))
    (7, 8, 9)
    """
    from scipy import optimize
    from scipy.sparse import coo_array

    numbers = list(sets)
    lessons = {lesson: len(numbers) + i for i, lesson in enumerate(room)}
    elements: dict[tuple[int, int], int] = {}
    rows, columns, entries = [], [], []
    for i, number in enumerate(numbers):
        meter.tick()
        for lesson, points in sets[number].items():
            for x in members(points):
                if (lesson, x) not in elements:
                    row = elements[lesson, x] = len(elements)
                    rows.append(row)
                    columns.append(lessons[lesson])
                    entries.append(-1)
                rows.append(elements[lesson, x])
                columns.append(i)
                entries.append(1)
    shape = (len(elements), len(numbers) + len(lessons))
    found = optimize.linprog(
        [-1] * len(numbers) + [room[lesson] for lesson in lessons],
        A_ub=coo_array((entries, (rows, columns)), shape=shape).tocsr() if entries else None,
        b_ub=np.zeros(len(elements)) if entries else None,
        bounds=[(0, 1)] * shape[1],
        method="highs",
        options={"time_limit": meter.rest.seconds or math.inf},
    )
    if found.x is None or found.fun > -TOLERANCE:
        return
    weights = found.x[: len(numbers)]
    weights = weights / max(weights.max(), TOLERANCE)
    for denominator in DENOMINATORS:
        times = np.rint(weights * denominator).astype(int).tolist()
        yield tuple(number for number, t in zip(numbers, times, strict=True) for _ in range(t))
