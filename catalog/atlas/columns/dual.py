"""Dimensions of the dual class, whose version spaces are sets of points."""

from __future__ import annotations

import itertools

import numpy as np

from catalog.atlas.columns.batch import Batch, column


@column()
def dual_ldim(batch: Batch) -> np.ndarray:
    """The Littlestone dimension over sets of points, which concepts split."""
    found = np.zeros((2**batch.points, batch.classes), dtype=np.int8)
    for points in sorted(range(1, 2**batch.points), key=int.bit_count):
        for concept in range(2**batch.points):
            ones = points & concept
            if ones in (0, points):
                continue
            deeper = 1 + np.minimum(found[ones], found[points ^ ones])
            deeper[~batch.present[concept]] = 0
            np.maximum(found[points], deeper, out=found[points])
    everything: np.ndarray = found[-1]
    return everything


@column()
def dual_vcdim(batch: Batch) -> np.ndarray:
    """The largest number of concepts that the points label in every way: at most 2."""
    found = np.zeros(batch.classes, dtype=np.int8)
    everywhere = 2**batch.points - 1
    for concept in range(1, everywhere):
        found[batch.present[concept]] = 1
    for c, d in itertools.combinations(range(2**batch.points), 2):
        if c & d and c & ~d and d & ~c and everywhere & ~(c | d):
            found[batch.present[c] & batch.present[d]] = 2
    return found
