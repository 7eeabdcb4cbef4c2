"""Numbers of points at which concepts differ."""

from __future__ import annotations

import numpy as np

from catalog.atlas.columns.batch import FREE, Batch, column, subsets, with_, within


def moving(batch: Batch) -> np.ndarray:
    """Whether two concepts of a class differ at a point, shape (points, classes), by axes."""
    whole = (FREE,) * batch.points
    return np.stack(
        [
            batch.shown[with_(whole, axis, 0)] & batch.shown[with_(whole, axis, 1)]
            for axis in range(batch.points)
        ]
    )


@column()
def effective_range(batch: Batch) -> np.ndarray:
    """The number of points at which two concepts differ."""
    found: np.ndarray = moving(batch).sum(axis=0, dtype=np.int8)
    return found


@column()
def diameter(batch: Batch) -> np.ndarray:
    """The largest size of a set of points that takes some concept to another one if flipped."""
    found = np.zeros(batch.classes, dtype=np.int8)
    numbers = np.arange(2**batch.points)
    for apart in sorted(range(1, 2**batch.points), key=int.bit_count):
        found[(batch.present & batch.present[numbers ^ apart]).any(axis=0)] = apart.bit_count()
    return found


@column()
def oriented_diameter(batch: Batch) -> np.ndarray:
    """The largest set of points that shows the pattern of zeros and that of ones."""
    found = np.zeros(batch.classes, dtype=np.int8)
    for fixed in subsets(batch.points):
        zeros, ones = (tuple(y if here else FREE for here in fixed) for y in (0, 1))
        found[batch.shown[zeros] & batch.shown[ones]] = sum(fixed)
    return found


@column()
def hamming_radius(batch: Batch) -> np.ndarray:
    """The least distance, over all centres, of the concept that is farthest from the centre."""
    numbers = range(2**batch.points)
    found = np.full(batch.classes, batch.points, dtype=np.int8)
    for centre in numbers:
        far = np.array([(centre ^ c).bit_count() for c in numbers], dtype=np.int8)
        np.minimum(found, (batch.present * far[:, None]).max(axis=0), out=found)
    return found


@column()
def distinguishing_range(batch: Batch) -> np.ndarray:
    """The least size of a set of points no pattern of which is shown by two concepts."""
    counts = batch.counts(batch.present)
    found = np.full(batch.classes, batch.points, dtype=np.int8)
    for fixed in reversed(subsets(batch.points)):
        most = counts[within(fixed)].reshape(-1, batch.classes).max(axis=0)
        found[most <= 1] = sum(fixed)
    return found
