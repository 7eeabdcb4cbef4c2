"""Degrees of polynomials, resolutions of monomial ideals, and ranks of signs.

Bounds meet for most classes. What they leave open is decided by arrays where that is possible, and
otherwise by a search in one class of each orbit.
"""

from __future__ import annotations

from functools import cache
from math import comb

import numpy as np

from catalog.atlas.columns.batch import Batch, column, largest, parameter_values, searched
from catalog.atlas.columns.shattering import largest_strongly_shattered_set, least_order_shattered
from catalog.atlas.columns.teaching import recursive_teaching_dim
from catalog.parameters.algebra import top_homology
from lsclasses.searching.bitsets import members

# ---- interpolation

PRIMES = 67_108_859, 67_108_837
"""Two primes whose product exceeds every minor of a matrix of 32 columns of zeros and ones.

By Hadamard's bound a minor of size n is at most (n + 1)^((n + 1)/2) / 2^n, for n = 32 less than
2^52. One that is not 0 is then no multiple of both primes: the larger of the two ranks is the rank.
"""


@column()
def interpolation_degree(batch: Batch) -> np.ndarray:
    """The degree, between bounds: subcubes and numbers of monomials below, what is order-shattered
    and teaching plans above.

    Where these differ, it is the least degree up to which the rank of the monomials is the number
    of concepts.
    """
    concepts = batch.present.sum(axis=0)
    monomials = np.cumsum([comb(batch.points, degree) for degree in range(batch.points + 1)])
    lower: np.ndarray = np.maximum(
        largest_strongly_shattered_set(batch), np.searchsorted(monomials, concepts)
    )
    found: np.ndarray = np.minimum(least_order_shattered(batch), recursive_teaching_dim(batch))
    for degree in reversed(range(batch.points)):
        open_ = np.flatnonzero((lower <= degree) & (found == degree + 1))
        fits = _rank(batch.present[:, open_], degree) == concepts[open_]
        found[open_[fits]] = degree
    return found


def _rank(present: np.ndarray, degree: int) -> np.ndarray:
    """Return the ranks of the monomials up to a degree on the concepts of classes."""
    numbers = np.arange(len(present))
    chosen = [s for s in numbers.tolist() if s.bit_count() <= degree]
    values = np.array([numbers & s == s for s in chosen])
    matrices = (values[:, :, None] & present).astype(np.int64)
    return largest(_rank_modulo(matrices.copy(), p) for p in PRIMES)


def _rank_modulo(rows: np.ndarray, p: int) -> np.ndarray:
    """The ranks modulo a prime of matrices, in the shape (rows, columns, matrices), in place."""
    rank = np.zeros(rows.shape[2], dtype=np.int64)
    for i, row in enumerate(rows):
        pivot = (row != 0).argmax(axis=0)[None]
        at_pivot = np.take_along_axis(row, pivot, axis=0)[0]
        rank += at_pivot != 0
        # Rows keep their rank if they are multiplied by what is not 0.
        factor = np.where(at_pivot, at_pivot, 1)
        rest = rows[i + 1 :]
        below = np.take_along_axis(rest, pivot[None], axis=1)
        rest *= factor
        rest -= below * row
        rest %= p
    return rank


# ---- the resolution of the ideal of a class


@column()
def yang_dimension(batch: Batch) -> np.ndarray:
    """The dimension, of the parts in the faces of the cube, or more by the homology of the class.

    The complex of a class lies in the sphere whose facets are all concepts. By Alexander's duality
    its homology in the degree i - 1 is the cohomology in the degree points - i - 1 of the complex
    of the subcubes without a concept: for i = points it does not vanish if there are none, and for
    i = points - 1 if the concepts that are missing fall apart. What is below is searched.
    """
    points, found = batch.points, np.zeros(batch.classes, dtype=np.int8)
    for axis in range(points) if points > 1 else ():
        halves = batch.present.reshape((2,) * points + (batch.classes,))
        for y in (0, 1):
            np.maximum(found, _yang_of_all(points - 1)[_masks(halves.take(y, axis))], out=found)
    missing = ~batch.masks & np.uint64(2**2**points - 1)
    found[_fall_apart(missing, points)] = points - 1
    found[missing == 0] = points

    def search(mask: int, place: int) -> int:
        bound = int(found[place])
        return max(bound, top_homology(list(members(mask)), 2**points - 1, points, bound))

    open_ = np.flatnonzero(found < points - 2)
    found[open_] = searched(batch, open_, search, flips=True)
    return found


@cache
def _yang_of_all(points: int) -> np.ndarray:
    """The dimensions of all classes on a number of points by their masks, 0 of the empty one."""
    masks = np.arange(1, 2**2**points, dtype=np.uint64)
    return np.concatenate([[0], yang_dimension(Batch(masks, points))]).astype(np.int8)


def _masks(present: np.ndarray) -> np.ndarray:
    rows = present.reshape(-1, present.shape[-1])
    masks: np.ndarray = (1 << np.arange(len(rows))) @ rows
    return masks


def _fall_apart(masks: np.ndarray, points: int) -> np.ndarray:
    """Return whether the concepts of a class are no connected part of the cube."""
    reached = masks & (~masks + np.uint64(1))
    while True:
        grown = reached.copy()
        for j in range(points):
            by = np.uint64(1 << j)
            low = np.uint64(sum(1 << c for c in range(2**points) if not c >> j & 1))
            grown |= (reached & low) << by | reached >> by & low
        grown &= masks
        if np.array_equal(grown, reached):
            apart: np.ndarray = reached != masks
            return apart
        reached = grown


# ---- ranks of signs


@column(most_points=4)
def sign_rank(batch: Batch) -> np.ndarray:
    """Return the sign rank: bounds meet if there are at most four points."""
    return parameter_values(batch, "sign_rank")
