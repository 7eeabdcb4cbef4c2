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
"""Function of a batch, the present concepts and a size that returns the taught concepts."""


def taught(batch: Batch, present: np.ndarray, size: int) -> np.ndarray:
    """Return the present concepts that at most `size` points distinguish from all others."""
    alone = batch.counts(present) == 1
    found = np.zeros(present.shape, dtype=bool).reshape((2,) * batch.points + (-1,))
    for fixed in subsets(batch.points):
        if sum(fixed) == size:
            # A pattern that only one concept shows teaches this concept.
            found |= alone[within(fixed)]
    together: np.ndarray = found.reshape(present.shape) & present
    return together


def every_size(batch: Batch, lessons: Taught, sizes: int) -> np.ndarray:
    """Return the least size at which every concept is taught, or `sizes` if no size suffices."""
    found = np.zeros(batch.classes, dtype=np.int8)
    for size in range(sizes):
        untaught = (batch.present & ~lessons(batch, batch.present, size)).any(axis=0)
        found[untaught] = size + 1
    return found


def plan_order(batch: Batch, lessons: Taught) -> np.ndarray:
    """Return the least k such that repeated removal of all taught concepts empties the class.

    `lessons` with size k returns the taught concepts: at most k points distinguish a taught concept
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
    """Return the teaching dimension, the least size at which every concept is taught."""
    return every_size(batch, taught, batch.points)


@column()
def recursive_teaching_dim(batch: Batch) -> np.ndarray:
    """Return the order of the canonical teaching plan."""
    return plan_order(batch, taught)


@column()
def minimum_teaching_set_size(batch: Batch) -> np.ndarray:
    """Return the least size at which some concept is taught."""
    found = np.full(batch.classes, batch.points, dtype=np.int8)
    for size in reversed(range(batch.points)):
        found[taught(batch, batch.present, size).any(axis=0)] = size
    return found


@column(denominator=parts_of_one, most_points=4)
def average_teaching_dim(batch: Batch) -> np.ndarray:
    """Return the average size of a least teaching set, the sum of the shares that are untaught."""
    untaught = sum(
        (batch.present & ~taught(batch, batch.present, size)).sum(axis=0, dtype=np.int64)
        for size in range(batch.points)
    )
    total: np.ndarray = untaught * (parts_of_one(batch.points) // batch.present.sum(axis=0))
    return total


@column()
def projected_minimum_teaching_set_size(batch: Batch) -> np.ndarray:
    """Return the maximum over projections of the least size at which some concept is taught."""
    return largest(minimum_teaching_set_size(each) for each in projections(batch))


@column()
def projected_recursive_teaching_dim(batch: Batch) -> np.ndarray:
    """Return the largest recursive teaching dimension over all projections."""
    return largest(recursive_teaching_dim(each) for each in projections(batch))


def taught_by_ones(batch: Batch, present: np.ndarray, size: int) -> np.ndarray:
    """Return the concepts that at most `size` points with label 1 distinguish from the others."""
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
    """Return the least size at which labels 1 teach every concept, or points + 1 if none does."""
    return every_size(batch, taught_by_ones, batch.points + 1)


@column()
def positive_recursive_teaching_dim(batch: Batch) -> np.ndarray:
    """Return the order of the canonical teaching plan that teaches by examples with label 1."""
    return plan_order(batch, taught_by_ones)


@column()
def hitting_size(batch: Batch) -> np.ndarray:
    """Return the least size of a set on which only the empty concept has only labels 0."""
    counts = batch.counts(batch.present)
    found = np.full(batch.classes, batch.points, dtype=np.int8)
    for fixed in reversed(subsets(batch.points)):
        zeros = tuple(0 if here else FREE for here in fixed)
        found[counts[zeros] == batch.present[0]] = sum(fixed)
    return found


@column()
def extended_teaching_dim(batch: Batch) -> np.ndarray:
    """Return the least k such that each labelling has k labels that at most one concept has."""
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
    """Return the dimension, by a search in one class of each orbit."""
    return parameter_values(batch, "balbach_teaching_dim")


@column(most_points=4)
def subset_teaching_dim(batch: Batch) -> np.ndarray:
    """Return the dimension, by a search in one class of each orbit."""
    return parameter_values(batch, "subset_teaching_dim")


# ---- no clash


@shared
def _least(batch: Batch) -> np.ndarray:
    lower = -(-density(batch) // parts_of_one(batch.points))
    return _between(batch, lower, recursive_teaching_dim(batch), positive=False)


@column(most_points=4)
def no_clash_teaching_dim(batch: Batch) -> np.ndarray:
    """Return the dimension, between the rounded up density and the recursive teaching dimension."""
    return _least(batch)


@column(most_points=4)
def positive_no_clash_teaching_dim(batch: Batch) -> np.ndarray:
    """Return the dimension, from a number of neighbours up to the positive recursive dimension.

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
