"""No-clash teaching, for classes on at most four points.

No recursion over subcubes gives it. A bound from the one-inclusion graph below and one from
teaching plans above meet for most classes; the others are searched one by one, and of those that
symmetries take to each other only one.
"""

from __future__ import annotations

import itertools

import numpy as np

from catalog.atlas.columns.batch import FREE, Batch, column, shared, subsets
from catalog.atlas.columns.graph import density, parts_of_one
from catalog.atlas.columns.teaching import recursive_teaching_dim
from catalog.atlas.orbits import least_masks
from lsclasses.searching.bitsets import members, of_members


@shared
def _least(batch: Batch) -> np.ndarray:
    lower = -(-density(batch) // parts_of_one(batch.points))
    return _between(batch, lower, recursive_teaching_dim(batch), positive=False)


@column(most_points=4)
def no_clash_teaching_dim(batch: Batch) -> np.ndarray:
    """The dimension, between the density, rounded up, and the recursive teaching dimension."""
    return _least(batch)


@column(most_points=4)
def positive_no_clash_teaching_dim(batch: Batch) -> np.ndarray:
    """The dimension, between counts of a concept's neighbours below it and positive plans.

    A neighbour without the label 1 where it differs cannot have the point in its lesson.
    """
    numbers = np.arange(2**batch.points)
    lower = _least(batch).copy()
    for concept in numbers:
        below = [concept ^ 1 << j for j in range(batch.points) if concept >> j & 1]
        neighbours = batch.present[below].sum(axis=0)
        np.maximum(lower, np.where(batch.present[concept], neighbours, 0), out=lower)
    return _between(batch, lower, _positive_plan(batch), positive=True)


def _positive_plan(batch: Batch) -> np.ndarray:
    """The least size at which all concepts go when those taught by labels 1 are taken away."""
    left = batch.present.copy()
    found = np.zeros(batch.classes, dtype=np.int8)
    for size in range(batch.points + 1):
        while (gone := _taught_by_ones(batch, left, size)).any():
            left &= ~gone
        found[left.any(axis=0)] = size + 1
    return found


def _taught_by_ones(batch: Batch, present: np.ndarray, size: int) -> np.ndarray:
    """The concepts that at most `size` points with label 1 distinguish from all present ones."""
    alone = batch.counts(present) == 1
    found = np.zeros((2,) * batch.points + (batch.classes,), dtype=bool)
    for fixed in subsets(batch.points):
        if sum(fixed) <= size:
            ones = tuple(1 if here else FREE for here in fixed)
            found[tuple(1 if here else slice(None) for here in fixed)] |= alone[ones]
    together: np.ndarray = found.reshape(present.shape) & present
    return together


def _between(batch: Batch, lower: np.ndarray, upper: np.ndarray, *, positive: bool) -> np.ndarray:
    """The dimension, where two bounds on it leave it open by search."""
    found = upper.astype(np.int8)
    open_ = np.flatnonzero(lower < upper)
    least = least_masks(batch.masks[open_], batch.points, flips=not positive)
    masks, first, which = np.unique(least, return_index=True, return_inverse=True)
    values = []
    for mask, i in zip(masks.tolist(), open_[first].tolist(), strict=True):
        rows = list(members(mask))
        within = rows if positive else [2**batch.points - 1] * len(rows)
        sizes = range(int(lower[i]), int(upper[i]))
        fitting = (size for size in sizes if _can_be_taught(rows, within, size))
        values.append(next(fitting, int(upper[i])))
    found[open_] = np.array(values, dtype=np.int8)[which]
    return found


def _can_be_taught(rows: list[int], within: list[int], size: int) -> bool:
    """Whether there are lessons of at most `size` of the points allowed that do not clash."""
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
    """Whether concepts can be given lessons that do not clash, each out of the possible ones."""
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
                # It does not tell this concept from the first: the other lesson has to.
                left[row] = [other for other in lessons if other & (row ^ first)]
                if not left[row]:
                    break
                loss += (len(lessons) - len(left[row])) / len(left[row])
        else:
            choices.append((loss, left))
    # What takes least away from the others is tried first.
    return any(_assignable(left) for _, left in sorted(choices, key=lambda choice: choice[0]))
