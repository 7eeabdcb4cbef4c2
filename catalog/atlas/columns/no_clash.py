"""No-clash teaching, for classes on at most four points.

No recursion over subcubes gives it. A bound from the one-inclusion graph below and one from
teaching plans above meet for most classes; the others are searched one by one, and of those that
symmetries take to each other only one.
"""

from __future__ import annotations

import itertools

import numpy as np

from catalog.atlas.columns.batch import Batch, column, shared
from catalog.atlas.columns.by_search import searched
from catalog.atlas.columns.graph import density, maximum_positive_degree, parts_of_one
from catalog.atlas.columns.teaching import positive_recursive_teaching_dim, recursive_teaching_dim
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
    lower = np.maximum(_least(batch), maximum_positive_degree(batch))
    return _between(batch, lower, positive_recursive_teaching_dim(batch), positive=True)


def _between(batch: Batch, lower: np.ndarray, upper: np.ndarray, *, positive: bool) -> np.ndarray:
    """The dimension, where two bounds on it leave it open by search."""

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
