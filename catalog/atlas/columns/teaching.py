"""Dimensions of teaching, and no-clash teaching for classes on at most four points.

The no-clash teaching dimension has no recursion over subcubes. For most classes, a lower bound from
the one-inclusion graph and an upper bound from teaching plans are equal. A search decides the
remaining classes one by one, with only one class of each orbit.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from catalog.atlas.columns.batch import (
    FREE,
    Batch,
    column,
    largest,
    parameter_values,
    projections,
    searched,
    shared,
    subsets,
    within,
)
from catalog.atlas.columns.graph import density, maximum_positive_degree, parts_of_one
from lsclasses.searching.bitsets import members, of_members

# ---- teaching


Taught = Callable[[Batch, np.ndarray, int], np.ndarray]
"""Function that returns the concepts that teaching sets of at most a given size teach.

The arguments are the batch, the present concepts and the size.
"""


def taught(batch: Batch, present: np.ndarray, size: int) -> np.ndarray:
    """Return the concepts with a teaching set of at most `size` points.

    The labels at the points of a teaching set distinguish its concept from all other present
    concepts.
    """
    alone = batch.counts(present) == 1
    found = np.zeros(present.shape, dtype=bool).reshape((2,) * batch.points + (-1,))
    for fixed in subsets(batch.points):
        if sum(fixed) == size:
            # A pattern that only one concept shows teaches this concept.
            found |= alone[within(fixed)]
    together: np.ndarray = found.reshape(present.shape) & present
    return together


def every_size(batch: Batch, lessons: Taught, sizes: int) -> np.ndarray:
    """Return the least size of teaching sets that suffices for every concept, for each class.

    `lessons` with a size returns the concepts that have teaching sets of at most this size. The
    result is `sizes` if no smaller size suffices.
    """
    found = np.zeros(batch.classes, dtype=np.int8)
    for size in range(sizes):
        untaught = (batch.present & ~lessons(batch, batch.present, size)).any(axis=0)
        found[untaught] = size + 1
    return found


def plan_order(batch: Batch, lessons: Taught) -> np.ndarray:
    """Return the order of the canonical teaching plan of each class.

    The order is the least k for which repeated removal of all taught concepts empties the class.
    `lessons` with size k returns the taught concepts. At most k points distinguish a taught concept
    from all other remaining concepts.
    """
    left = batch.present.copy()
    found = np.zeros(batch.classes, dtype=np.int8)
    for size in range(batch.points):
        while (gone := lessons(batch, left, size)).any():
            left &= ~gone
        found[left.any(axis=0)] = size + 1
    return found


@column()
def teaching_dim(batch: Batch) -> np.ndarray:
    """Return the teaching dimension of each class."""
    return every_size(batch, taught, batch.points)


@column()
def recursive_teaching_dim(batch: Batch) -> np.ndarray:
    """Return the recursive teaching dimension of each class.

    It is the order of the canonical teaching plan.
    """
    return plan_order(batch, taught)


@column()
def minimum_teaching_set_size(batch: Batch) -> np.ndarray:
    """Return the size of the smallest teaching set of any concept, for each class."""
    found = np.full(batch.classes, batch.points, dtype=np.int8)
    for size in reversed(range(batch.points)):
        found[taught(batch, batch.present, size).any(axis=0)] = size
    return found


@column(denominator=parts_of_one, most_points=4)
def average_teaching_dim(batch: Batch) -> np.ndarray:
    """Return the average, over all concepts, of the size of a smallest teaching set.

    The average is computed for each class. It is the sum, over sizes k = 0, 1, ..., of the share of
    concepts that have no teaching set of at most k points.
    """
    untaught = sum(
        (batch.present & ~taught(batch, batch.present, size)).sum(axis=0, dtype=np.int64)
        for size in range(batch.points)
    )
    total: np.ndarray = untaught * (parts_of_one(batch.points) // batch.present.sum(axis=0))
    return total


@column()
def projected_minimum_teaching_set_size(batch: Batch) -> np.ndarray:
    """Return the largest minimum teaching set size of a projection of each class."""
    return largest(minimum_teaching_set_size(each) for each in projections(batch))


@column()
def projected_recursive_teaching_dim(batch: Batch) -> np.ndarray:
    """Return the largest recursive teaching dimension of a projection of each class."""
    return largest(recursive_teaching_dim(each) for each in projections(batch))


def taught_by_ones(batch: Batch, present: np.ndarray, size: int) -> np.ndarray:
    """Return the concepts with a teaching set of at most `size` points that all have label 1."""
    alone = batch.counts(present) == 1
    found = np.zeros((2,) * batch.points + (batch.classes,), dtype=bool)
    for fixed in subsets(batch.points):
        if sum(fixed) <= size:
            ones = tuple(1 if here else FREE for here in fixed)
            found[tuple(1 if here else slice(None) for here in fixed)] |= alone[ones]
    together: np.ndarray = found.reshape(present.shape) & present
    return together


@column()
def positive_teaching_dim(batch: Batch) -> np.ndarray:
    """Return the positive teaching dimension of each class.

    Teaching sets have only points with label 1. The result is points + 1 if some concept has no
    such teaching set.
    """
    return every_size(batch, taught_by_ones, batch.points + 1)


@column()
def positive_recursive_teaching_dim(batch: Batch) -> np.ndarray:
    """Return the positive recursive teaching dimension of each class.

    It is the order of the canonical teaching plan that uses only examples with label 1.
    """
    return plan_order(batch, taught_by_ones)


@column()
def hitting_size(batch: Batch) -> np.ndarray:
    """Return the hitting size of each class.

    It is the least number of points that meet each non-empty concept.
    """
    counts = batch.counts(batch.present)
    found = np.full(batch.classes, batch.points, dtype=np.int8)
    for fixed in reversed(subsets(batch.points)):
        zeros = tuple(0 if here else FREE for here in fixed)
        found[counts[zeros] == batch.present[0]] = sum(fixed)
    return found


@column()
def extended_teaching_dim(batch: Batch) -> np.ndarray:
    """Return the extended teaching dimension of each class.

    It is the least k such that each labelling has k points for which at most one concept agrees
    with the labelling at all of them.
    """
    few = batch.counts(batch.present) <= 1
    open_ = np.ones((2,) * batch.points + (batch.classes,), dtype=bool)
    found = np.zeros(batch.classes, dtype=np.int8)
    for fixed in subsets(batch.points):
        # A set of this size may only be examined after all smaller sets.
        found[open_.reshape(-1, batch.classes).any(axis=0)] = sum(fixed)
        open_ &= ~few[within(fixed)]
    return found


# ---- cooperative teaching


@column(most_points=4)
def balbach_teaching_dim(batch: Batch) -> np.ndarray:
    """Return the Balbach teaching dimension of each class, by a search for each orbit."""
    return parameter_values(batch, "balbach_teaching_dim")


@column(most_points=4)
def subset_teaching_dim(batch: Batch) -> np.ndarray:
    """Return the subset teaching dimension of each class, by a search for each orbit."""
    return parameter_values(batch, "subset_teaching_dim")


# ---- no clash


@shared
def _least(batch: Batch) -> np.ndarray:
    lower = -(-density(batch) // parts_of_one(batch.points))
    return _between(batch, lower, recursive_teaching_dim(batch), positive=False)


@column(most_points=4)
def no_clash_teaching_dim(batch: Batch) -> np.ndarray:
    """Return the no-clash teaching dimension of each class.

    It lies between the density of the one-inclusion graph, rounded up, and the recursive teaching
    dimension. A search decides the classes whose bounds differ.
    """
    return _least(batch)


@column(most_points=4)
def positive_no_clash_teaching_dim(batch: Batch) -> np.ndarray:
    """Return the positive no-clash teaching dimension of each class.

    It lies between the maximum positive degree and the positive recursive teaching dimension.

    If two neighbours differ at a point, the teaching set of the neighbour with label 0 cannot
    contain the point, so the other teaching set must contain it.
    """
    lower = np.maximum(_least(batch), maximum_positive_degree(batch))
    return _between(batch, lower, positive_recursive_teaching_dim(batch), positive=True)


def _between(batch: Batch, lower: np.ndarray, upper: np.ndarray, *, positive: bool) -> np.ndarray:
    """Return the dimension, where a search decides between two different bounds."""

    def search(mask: int, place: int) -> int:
        rows = list(members(mask))
        within = rows if positive else [2**batch.points - 1] * len(rows)
        sizes = range(int(lower[place]), int(upper[place]))
        fitting = (size for size in sizes if _can_be_taught(rows, within, size))
        return next(fitting, int(upper[place]))

    found = upper.astype(np.int8)
    open_ = np.flatnonzero(lower < upper)
    found[open_] = searched(batch, open_, search, flips=not positive)
    return found


def _can_be_taught(rows: list[int], within: list[int], size: int) -> bool:
    """Return whether teaching sets of at most `size` allowed points exist that do not clash."""
    return _assignable(
        {
            row: [
                of_members(points)
                for points in itertools.combinations(
                    members(allowed), min(size, allowed.bit_count())
                )
            ]
            for row, allowed in zip(rows, within, strict=True)
        }
    )


def _assignable(possible: dict[int, list[int]]) -> bool:
    """Return whether concepts can be assigned possible teaching sets that do not clash."""
    if not possible:
        return True
    first = min(possible, key=lambda row: len(possible[row]))
    choices = []
    for lesson in possible[first]:
        left, loss = {}, 0.0
        for row, lessons in possible.items():
            if row == first:
                continue
            left[row] = lessons
            if not lesson & (row ^ first):
                # It does not distinguish this concept from the first, so the other set has to.
                left[row] = [other for other in lessons if other & (row ^ first)]
                if not left[row]:
                    break
                loss += (len(lessons) - len(left[row])) / len(left[row])
        else:
            choices.append((loss, left))
    # The choice that removes the smallest share of the other options is tried first.
    return any(_assignable(left) for _, left in sorted(choices, key=lambda choice: choice[0]))


@column(most_points=4)
def projected_no_clash_teaching_dim(batch: Batch) -> np.ndarray:
    """Return the projected no-clash teaching dimension, by a search for each orbit."""
    return parameter_values(batch, "projected_no_clash_teaching_dim")
