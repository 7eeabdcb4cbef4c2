"""Columns computed from the patterns of labels on sets of points."""

from __future__ import annotations

import numpy as np

from catalog.atlas.columns.batch import (
    FREE,
    Batch,
    column,
    patterns,
    shared,
    subsets,
    with_,
    within,
)


@column()
def size(batch: Batch) -> np.ndarray:
    """The number of concepts, at most 32."""
    concepts: np.ndarray = batch.present.sum(axis=0, dtype=np.int8)
    return concepts


@shared
def _growth(batch: Batch) -> np.ndarray:
    growth = np.zeros((batch.classes, batch.points + 1), dtype=np.int8)
    for fixed in subsets(batch.points):
        shown = sum(batch.shown[cube].astype(np.int8) for cube in patterns(fixed))
        size = sum(fixed)
        np.maximum(growth[:, size], shown, out=growth[:, size])
    return growth


@column()
def vcdim(batch: Batch) -> np.ndarray:
    """The VC dimension: the number of sizes of shattered sets, without the empty set."""
    full: np.ndarray = (_growth(batch) == 1 << np.arange(batch.points + 1)).sum(axis=1) - 1
    return full


@shared
def _stars(batch: Batch) -> tuple[np.ndarray, np.ndarray]:
    """The sizes of the largest stars and hollow stars."""
    stars, hollow = np.zeros((2, batch.classes), dtype=np.int8)
    for fixed in subsets(batch.points):
        size = sum(fixed)
        for cube in patterns(fixed):
            shown = batch.shown[cube]
            rays = np.ones(batch.classes, dtype=bool)
            for axis, y in enumerate(cube):
                if y != FREE:
                    rays &= batch.shown[with_(cube, axis, 1 - y)]
            stars[shown & rays] = size
            hollow[~shown & rays] = size
    return stars, hollow


@column()
def star_number(batch: Batch) -> np.ndarray:
    """The largest set with a pattern that is realized, as are all its neighbours."""
    return _stars(batch)[0]


@column()
def hollow_star_number(batch: Batch) -> np.ndarray:
    """The largest set with a pattern that is not realized, while all its neighbours are."""
    return _stars(batch)[1]


@column()
def threshold_dim(batch: Batch) -> np.ndarray:
    """The longest chain of realized patterns that begins with 1...1 and loses one 1 a step."""
    longest = np.zeros(batch.classes, dtype=np.int8)
    # Whether concepts h_1, ..., h_i show 1...1, then one 0 more each, up to this pattern.
    line = np.zeros(batch.shown.shape, dtype=bool)
    for fixed in subsets(batch.points):
        for cube in sorted(patterns(fixed), key=lambda cube: cube.count(0)):
            before = np.full(batch.classes, 0 not in cube)
            for axis, y in enumerate(cube):
                if y == 0:
                    before |= line[with_(cube, axis, 1)]
            line[cube] = batch.shown[cube] & before
            if cube.count(1) == 1:
                longest[line[cube]] = sum(fixed)
    return longest


@column(sequence=True)
def growth_function(batch: Batch) -> np.ndarray:
    """The largest number of realized patterns on a set, for each size of sets."""
    return _growth(batch)


@column()
def min_star_number(batch: Batch) -> np.ndarray:
    """The minimum star number: the least size, over all labellings, of their largest star."""
    largest = np.zeros((2,) * batch.points + (batch.classes,), dtype=np.int8)
    for fixed in subsets(batch.points):
        star = batch.shown[within(fixed)].copy()
        for axis, here in enumerate(fixed):
            if here:
                star &= np.flip(batch.shown[within(fixed)], axis)
        # Where points are free, the axis has length 1: the star is one whatever their labels are.
        np.maximum(largest, star * np.int8(sum(fixed)), out=largest)
    least: np.ndarray = largest.reshape(-1, batch.classes).min(axis=0)
    return least


@column()
def antipodal_shattering_dim(batch: Batch) -> np.ndarray:
    """The largest set on which each pattern or its complement is realized."""
    found = np.zeros(batch.classes, dtype=np.int8)
    for fixed in subsets(batch.points):
        shown = batch.shown[within(fixed)]
        either = shown | np.flip(shown, tuple(range(batch.points)))
        found[either.reshape(-1, batch.classes).all(axis=0)] = sum(fixed)
    return found
