"""Construction of the atlas file: every class once, with dimensions computed in batches."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from catalog.atlas.columns import COLUMNS, column_names, compute
from catalog.atlas.orbits import class_count, least_masks, orbit_count
from lsclasses.errors import LsclassesError

POINTS = (1, 2, 3, 4)
"""Numbers of points for which the atlas contains all classes."""
HEAD = ("points", "mask", "flipped", "labelled", *column_names(POINTS[-1], flips=False))
"""The columns of the atlas file.

A row describes an orbit of classes under permutations of the points. It contains the number of
points, the least mask of the orbit, the least mask up to permutations and flips, the number of
classes on named points in the orbit, and all quantities.
"""


def atlas_text() -> str:
    """Return the content of the atlas file: CSV, in increasing order of points and masks.

    Raises
    ------
    LsclassesError
        If the number of orbits differs from Burnside's lemma, which would be an internal error.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEAD)
    for points in POINTS:
        writer.writerows(_rows(points))
    return text.getvalue()


def _rows(points: int) -> Iterator[list[str]]:
    """Yield a row for each orbit of classes on a number of points."""
    everything = np.arange(1, class_count(points) + 1, dtype=np.uint64)
    least = least_masks(everything, points, flips=False)
    masks, labelled = np.unique(least, return_counts=True)
    flipped = least_masks(masks, points, flips=True)
    for found, flips in ((masks, False), (np.unique(flipped), True)):
        expected = orbit_count(points, flips=flips)
        if len(found) != expected:
            raise LsclassesError(
                f"On {points} points {len(found)} orbits of classes were found. Burnside's lemma "
                f"counts {expected}."
            )
    columns = compute(masks, points)
    for i, numbers in enumerate(zip(masks, flipped, labelled, strict=True)):
        values = (_written(name, columns[name][i], points) for name in columns)
        yield [str(points), *(str(number) for number in numbers), *values]


def _written(name: str, value: np.ndarray, points: int) -> str:
    if COLUMNS[name].denominator is not None:
        return str(Fraction(int(value), COLUMNS[name].unit(points)))
    return " ".join(str(number) for number in np.atleast_1d(value).tolist())
