"""Columns computed by recursion over version spaces."""

from __future__ import annotations

import numpy as np

from catalog.atlas.columns.batch import Batch, column


@column()
def ldim(batch: Batch) -> np.ndarray:
    """Ldim = max over x of 1 + min of both sides; 0 if no x splits, -1 if empty."""
    found = batch.shown.astype(np.int8) - 1
    for cube in batch.subcubes:
        for zeros, ones in batch.sides(cube):
            # An empty side gives 1 + (-1) = 0, what a version space without a split has.
            deeper = np.where(batch.shown[cube], 1 + np.minimum(found[zeros], found[ones]), -1)
            np.maximum(found[cube], deeper, out=found[cube])
    return batch.of_whole(found)


@column(denominator=lambda points: 2 ** (points + 1))
def randomized_ldim(batch: Batch) -> np.ndarray:
    """RL = max over splitting x of 1/2 + (RL + RL) / 2."""
    # Twice RL is an expected depth; of a subcube with f free points it is a multiple of
    # 2^-(f - 1), so halving the sum of two sides is exact in units of 2^-points.
    depth = np.zeros(batch.shown.shape, dtype=np.int16)
    for cube in batch.subcubes:
        for zeros, ones in batch.sides(cube):
            deeper = (1 << batch.points) + (depth[zeros] + depth[ones]) // 2
            splits = batch.shown[zeros] & batch.shown[ones]
            np.maximum(depth[cube], np.where(splits, deeper, 0), out=depth[cube])
    return batch.of_whole(depth)


@column(sequence=True)
def zero_cover_number(batch: Batch) -> np.ndarray:
    """N(H, n) = max over x of N(H_0, n - 1) + N(H_1, n - 1); N(H, 0) is 1 unless H is empty."""
    found = batch.shown.astype(np.int8)
    of_whole = [batch.of_whole(found)]
    for _ in range(batch.points):
        # A point that is asked for again leaves one side as it was, and the other one empty.
        deeper = found.copy()
        for cube in batch.subcubes:
            for zeros, ones in batch.sides(cube):
                np.maximum(deeper[cube], found[zeros] + found[ones], out=deeper[cube])
        found = deeper
        of_whole.append(batch.of_whole(found))
    return np.stack(of_whole, axis=1)


@column()
def eluder_dim(batch: Batch) -> np.ndarray:
    """Edim = max over splitting x of 1 + max of both sides."""
    found = batch.shown.astype(np.int8) - 1
    for cube in batch.subcubes:
        for zeros, ones in batch.sides(cube):
            splits = batch.shown[zeros] & batch.shown[ones]
            longer = np.maximum(found[zeros], found[ones]) + splits
            np.maximum(found[cube], longer, out=found[cube])
    return batch.of_whole(found)
