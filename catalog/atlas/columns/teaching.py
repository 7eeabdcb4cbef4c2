"""Dimensions of teaching."""

from __future__ import annotations

import numpy as np

from catalog.atlas.columns.batch import FREE, Batch, column, subsets


def taught(batch: Batch, present: np.ndarray, size: int) -> np.ndarray:
    """The concepts that some `size` or fewer points distinguish from all other present ones."""
    alone = batch.counts(present) == 1
    found = np.zeros(present.shape, dtype=bool).reshape((2,) * batch.points + (-1,))
    for fixed in subsets(batch.points):
        if sum(fixed) == size:
            # A pattern that one concept shows teaches it, wherever it lies in the subcube.
            found |= alone[tuple(slice(0, 2) if here else slice(FREE, FREE + 1) for here in fixed)]
    together: np.ndarray = found.reshape(present.shape) & present
    return together


@column()
def teaching_dim(batch: Batch) -> np.ndarray:
    """The teaching dimension: the least size at which every concept is taught."""
    found = np.zeros(batch.classes, dtype=np.int8)
    for size in range(batch.points):
        untaught = (batch.present & ~taught(batch, batch.present, size)).any(axis=0)
        found[untaught] = size + 1
    return found


@column()
def recursive_teaching_dim(batch: Batch) -> np.ndarray:
    """The least size at which removing all concepts that are taught, repeatedly, removes all."""
    left = batch.present.copy()
    found = np.zeros(batch.classes, dtype=np.int8)
    for size in range(batch.points):
        while (gone := taught(batch, left, size)).any():
            left &= ~gone
        found[left.any(axis=0)] = size + 1
    return found


@column()
def extended_teaching_dim(batch: Batch) -> np.ndarray:
    """The least size at which every labelling has a pattern that at most one concept shares."""
    few = batch.counts(batch.present) <= 1
    open_ = np.ones((2,) * batch.points + (batch.classes,), dtype=bool)
    found = np.zeros(batch.classes, dtype=np.int8)
    for fixed in subsets(batch.points):
        # Sets of this size may only be looked at when all smaller ones have been.
        found[open_.reshape(-1, batch.classes).any(axis=0)] = sum(fixed)
        open_ &= ~few[tuple(slice(0, 2) if here else slice(FREE, FREE + 1) for here in fixed)]
    return found
