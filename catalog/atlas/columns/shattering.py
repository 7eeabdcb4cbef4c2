"""Chains, shattered sets, and sets that are shattered in an order or strongly."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from catalog.atlas.columns.batch import FREE, Batch, column, largest, shared, subsets, with_, within
from catalog.atlas.columns.distances import moving
from catalog.atlas.columns.patterns import vcdim


@column()
def chain_dimension(batch: Batch) -> np.ndarray:
    """The largest set on which patterns lead from that of zeros to that of ones, a 1 a step."""
    return _longest_chain(batch, (0,) * batch.points)


@column()
def path_dimension(batch: Batch) -> np.ndarray:
    """The longest chain over all flips; those of the pattern of zeros stand for all."""
    starts = itertools.product((0, 1), repeat=batch.points)
    return largest(_longest_chain(batch, start) for start in starts)


def _longest_chain(batch: Batch, start: tuple[int, ...]) -> np.ndarray:
    """The largest set on which patterns lead from that of a labelling to its complement."""
    longest = np.zeros(batch.classes, dtype=np.int8)
    reached = np.zeros(batch.shown.shape, dtype=bool)
    for fixed in subsets(batch.points):
        on = [axis for axis, here in enumerate(fixed) if here]
        for changed in subsets(len(on)):
            cube = tuple(y if here else FREE for y, here in zip(start, fixed, strict=True))
            before = np.full(batch.classes, not any(changed))
            moved = [axis for axis, change in zip(on, changed, strict=True) if change]
            for axis in moved:
                cube = with_(cube, axis, 1 - start[axis])
            for axis in moved:
                before |= reached[with_(cube, axis, start[axis])]
            reached[cube] = batch.shown[cube] & before
        longest[reached[cube]] = len(on)
    return longest


@shared
def _shattered(batch: Batch) -> list[np.ndarray]:
    """Whether each set of `subsets` is shattered."""
    shown = (batch.shown[within(fixed)] for fixed in subsets(batch.points))
    return [np.asarray(each.reshape(-1, batch.classes).all(axis=0)) for each in shown]


@column()
def shattered_sets(batch: Batch) -> np.ndarray:
    """The number of sets that are shattered, the empty one included."""
    found: np.ndarray = np.stack(_shattered(batch)).sum(axis=0, dtype=np.int8)
    return found


@column()
def effective_vc_radius(batch: Batch) -> np.ndarray:
    """The largest k for which all sets of k points at which two concepts differ are shattered."""
    moves = moving(batch)
    found: np.ndarray = moves.sum(axis=0, dtype=np.int8)
    for fixed, shattered in zip(subsets(batch.points), _shattered(batch), strict=True):
        counted = moves[np.array(fixed, dtype=bool)].all(axis=0)
        found = np.where(counted & ~shattered, np.minimum(found, sum(fixed) - 1), found)
    return found


@column()
def projected_vc_radius(batch: Batch) -> np.ndarray:
    """The VC dimension: on a largest shattered set it is the radius, and no radius exceeds it."""
    return vcdim(batch)


@shared
def _strongly(batch: Batch) -> np.ndarray:
    counts = batch.counts(batch.present)
    found = np.zeros(batch.classes, dtype=np.int8)
    for cube in batch.subcubes:
        free = cube.count(FREE)
        found[counts[cube] == 1 << free] = free
    return found


@column()
def largest_strongly_shattered_set(batch: Batch) -> np.ndarray:
    """The largest dimension of a subcube that has as many concepts as it can have."""
    return _strongly(batch)


@column()
def projected_strongly_shattered(batch: Batch) -> np.ndarray:
    """The VC dimension: a shattered set is a cube if all other points are forgotten, and the free
    points of a subcube of a projection are shattered.
    """
    return vcdim(batch)


@shared
def _in_orders(batch: Batch) -> np.ndarray:
    """The least size, over all orders of the points, of the largest set that is order-shattered.

    The sets that an order shatters are what the concepts become if they are shifted down at one
    point after the other: of two that differ there the upper one stays, a single one goes down.
    """
    layers = [
        np.uint64(sum(1 << c for c in range(2**batch.points) if c.bit_count() == size))
        for size in range(batch.points + 1)
    ]
    found = np.full(batch.classes, batch.points, dtype=np.int8)
    for masks in _shifted(batch.masks, frozenset(range(batch.points)), batch.points):
        most = np.zeros(batch.classes, dtype=np.int8)
        for size, layer in enumerate(layers):
            most[masks & layer != 0] = size
        np.minimum(found, most, out=found)
    return found


def _shifted(masks: np.ndarray, left: frozenset[int], points: int) -> Iterator[np.ndarray]:
    """The classes shifted down at the points that are left, in every order of them."""
    if not left:
        yield masks
    for x in sorted(left):
        by = np.uint64(1 << x)
        low = np.uint64(sum(1 << c for c in range(2**points) if not c >> x & 1))
        zeros, ones = masks & low, masks >> by & low
        yield from _shifted(zeros | ones | (zeros & ones) << by, left - {x}, points)


@column()
def least_order_shattered(batch: Batch) -> np.ndarray:
    """The least size, over all orders, of the largest set that is order-shattered."""
    return _in_orders(batch)
