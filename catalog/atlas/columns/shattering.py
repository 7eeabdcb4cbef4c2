"""Distances of concepts, patterns of labels on sets of points, chains and shattered sets."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from catalog.atlas.columns.batch import (
    FREE,
    Batch,
    column,
    largest,
    parameter_values,
    patterns,
    shared,
    subsets,
    with_,
    within,
)
from catalog.parameters.extensions import extension_vcdims

# ---- distances


def moving(batch: Batch) -> np.ndarray:
    """Return an array: for each point and each class, whether some two concepts differ there.

    The result has the shape (points, classes).
    """
    whole = (FREE,) * batch.points
    return np.stack(
        [
            batch.shown[with_(whole, axis, 0)] & batch.shown[with_(whole, axis, 1)]
            for axis in range(batch.points)
        ]
    )


@column()
def effective_range(batch: Batch) -> np.ndarray:
    """Return the effective range of each class, the number of points at which concepts differ."""
    found: np.ndarray = moving(batch).sum(axis=0, dtype=np.int8)
    return found


@column()
def diameter(batch: Batch) -> np.ndarray:
    """Return the diameter of each class, the largest Hamming distance of two concepts."""
    found = np.zeros(batch.classes, dtype=np.int8)
    numbers = np.arange(2**batch.points)
    for apart in sorted(range(1, 2**batch.points), key=int.bit_count):
        found[(batch.present & batch.present[numbers ^ apart]).any(axis=0)] = apart.bit_count()
    return found


@column()
def oriented_diameter(batch: Batch) -> np.ndarray:
    """Return the oriented diameter of each class.

    It is the size of the largest set of points on which one concept is 0 and another is 1.
    """
    found = np.zeros(batch.classes, dtype=np.int8)
    for fixed in subsets(batch.points):
        zeros, ones = (tuple(y if here else FREE for here in fixed) for y in (0, 1))
        found[batch.shown[zeros] & batch.shown[ones]] = sum(fixed)
    return found


@column()
def hamming_radius(batch: Batch) -> np.ndarray:
    """Return the Hamming radius of each class.

    For a labelling as the centre, take the distance of the farthest concept. The radius is the
    least such distance over all centres.
    """
    numbers = range(2**batch.points)
    found = np.full(batch.classes, batch.points, dtype=np.int8)
    for centre in numbers:
        far = np.array([(centre ^ c).bit_count() for c in numbers], dtype=np.int8)
        np.minimum(found, (batch.present * far[:, None]).max(axis=0), out=found)
    return found


@column()
def distinguishing_range(batch: Batch) -> np.ndarray:
    """Return the distinguishing range of each class.

    It is the least size of a set of points on which every two concepts have different labels.
    """
    counts = batch.counts(batch.present)
    found = np.full(batch.classes, batch.points, dtype=np.int8)
    for fixed in reversed(subsets(batch.points)):
        most = counts[within(fixed)].reshape(-1, batch.classes).max(axis=0)
        found[most <= 1] = sum(fixed)
    return found


# ---- patterns


@column()
def size(batch: Batch) -> np.ndarray:
    """Return the number of concepts of each class, at most 32 on five points."""
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
    """Return the VC dimension of each class.

    It is computed as the number of k >= 1 such that some set of k points is shattered.
    """
    full: np.ndarray = (_growth(batch) == 1 << np.arange(batch.points + 1)).sum(axis=1) - 1
    return full


@shared
def _stars(batch: Batch) -> tuple[np.ndarray, np.ndarray]:
    """Return the sizes of the largest stars and hollow stars."""
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
    """Return the star number of each class.

    It is the size of the largest set of points with a star. A star is a pattern of labels on the
    set that some concept realizes. For each pattern that differs from the star at one point, some
    concept must also realize this pattern.
    """
    return _stars(batch)[0]


@column()
def hollow_star_number(batch: Batch) -> np.ndarray:
    """Return the hollow star number of each class.

    It is the size of the largest set of points with a hollow star. A hollow star is a pattern of
    labels on the set that no concept realizes. For each pattern that differs from the hollow star
    at one point, some concept must realize this pattern.
    """
    return _stars(batch)[1]


@column()
def threshold_dim(batch: Batch) -> np.ndarray:
    """Return the threshold dimension of each class.

    It is the length of the longest chain of realized patterns on a set of points. The first pattern
    has only labels 1, and each further pattern has one label 1 less.
    """
    longest = np.zeros(batch.classes, dtype=np.int8)
    # Whether concepts h_1, ..., h_i show 1...1, then one more 0 each, up to this pattern.
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
    """Return the growth function of each class.

    Entry k is the largest number of patterns that concepts realize on a set of k points.
    """
    return _growth(batch)


@column()
def min_star_number(batch: Batch) -> np.ndarray:
    """Return the minimum star number of each class.

    For a labelling as the centre, take the size of the largest star. The result is the least such
    size over all labellings.
    """
    largest = np.zeros((2,) * batch.points + (batch.classes,), dtype=np.int8)
    for fixed in subsets(batch.points):
        star = batch.shown[within(fixed)].copy()
        for axis, here in enumerate(fixed):
            if here:
                star &= np.flip(batch.shown[within(fixed)], axis)
        # At free points, the axis has length 1, because a star does not depend on their labels.
        np.maximum(largest, star * np.int8(sum(fixed)), out=largest)
    least: np.ndarray = largest.reshape(-1, batch.classes).min(axis=0)
    return least


@column()
def antipodal_shattering_dim(batch: Batch) -> np.ndarray:
    """Return the antipodal shattering dimension of each class.

    It is the size of the largest set of points such that, for each pattern on the set, some concept
    realizes the pattern or its complement.
    """
    found = np.zeros(batch.classes, dtype=np.int8)
    for fixed in subsets(batch.points):
        shown = batch.shown[within(fixed)]
        either = shown | np.flip(shown, tuple(range(batch.points)))
        found[either.reshape(-1, batch.classes).all(axis=0)] = sum(fixed)
    return found


# ---- shattering


@column()
def chain_dimension(batch: Batch) -> np.ndarray:
    """Return the chain dimension of each class.

    It is the size of the largest set of points with a chain. A chain consists of realized patterns
    from all labels 0 to all labels 1, and each step changes one label.
    """
    return _longest_chain(batch, (0,) * batch.points)


@column()
def path_dimension(batch: Batch) -> np.ndarray:
    """Return the path dimension of each class.

    It is the largest chain dimension over all flips of labels at points. The function computes the
    length of the longest chain from any labelling to its complement, which is equal.
    """
    starts = itertools.product((0, 1), repeat=batch.points)
    return largest(_longest_chain(batch, start) for start in starts)


def _longest_chain(batch: Batch, start: tuple[int, ...]) -> np.ndarray:
    """Return the largest set on which patterns lead from a labelling to its complement."""
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
    """Return whether each set of `subsets` is shattered."""
    shown = (batch.shown[within(fixed)] for fixed in subsets(batch.points))
    return [np.asarray(each.reshape(-1, batch.classes).all(axis=0)) for each in shown]


@column()
def shattered_sets(batch: Batch) -> np.ndarray:
    """Return the number of sets that each class shatters, including the empty set."""
    found: np.ndarray = np.stack(_shattered(batch)).sum(axis=0, dtype=np.int8)
    return found


@column()
def effective_vc_radius(batch: Batch) -> np.ndarray:
    """Return the effective VC radius of each class.

    It is the largest k such that every set of k points at which concepts differ is shattered.
    """
    moves = moving(batch)
    found: np.ndarray = moves.sum(axis=0, dtype=np.int8)
    for fixed, shattered in zip(subsets(batch.points), _shattered(batch), strict=True):
        counted = moves[np.array(fixed, dtype=bool)].all(axis=0)
        found = np.where(counted & ~shattered, np.minimum(found, sum(fixed) - 1), found)
    return found


@column()
def projected_vc_radius(batch: Batch) -> np.ndarray:
    """Return the projected effective VC radius of each class, which is its VC dimension.

    The projection to a largest shattered set has this radius, and no projection has a larger
    radius.
    """
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
    """Return the size of the largest strongly shattered set of each class.

    It is the largest dimension of a subcube that the class contains.
    """
    return _strongly(batch)


@column()
def projected_strongly_shattered(batch: Batch) -> np.ndarray:
    """Return the largest strongly shattered set of a projection, for each class: its VC dimension.

    A shattered set is a cube in the projection to it. Conversely, the free points of a subcube of a
    projection are shattered.
    """
    return vcdim(batch)


@shared
def _in_orders(batch: Batch) -> np.ndarray:
    """Return the least size, over all orders, of the largest set that is order-shattered.

    Shift the concepts down at one point after the other. If two concepts differ only at this point,
    the upper concept stays. A single concept moves down. The results are the sets that the order
    shatters.
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
    """Yield the classes shifted down at the remaining points, in every order of these points."""
    if not left:
        yield masks
    for x in sorted(left):
        by = np.uint64(1 << x)
        low = np.uint64(sum(1 << c for c in range(2**points) if not c >> x & 1))
        zeros, ones = masks & low, masks >> by & low
        yield from _shifted(zeros | ones | (zeros & ones) << by, left - {x}, points)


@column()
def least_order_shattered(batch: Batch) -> np.ndarray:
    """Return the least size, over all orders of the points, of the largest order-shattered set.

    The size is computed for each class.
    """
    return _in_orders(batch)


@column(most_points=4)
def dual_antipodal_shattering_dim(batch: Batch) -> np.ndarray:
    """Return the dual antipodal shattering dimension of each class, by a search for each orbit."""
    return parameter_values(batch, "dual_antipodal_shattering_dim")


@column(most_points=4)
def extremal_extension_vcdim(batch: Batch) -> np.ndarray:
    """Return, for each class, the least VC dimension of an extremal class that contains it."""
    return extension_vcdims(batch.points)[batch.masks.astype(np.int64)]


@column(most_points=4)
def intersection_radon_number(batch: Batch) -> np.ndarray:
    """Return the Radon number of the intersections of each class, by a search for each orbit."""
    return parameter_values(batch, "intersection_radon_number")
