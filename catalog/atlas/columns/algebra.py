"""Degrees of polynomials, resolutions of monomial ideals, and ranks of signs.

For most classes, lower and upper bounds meet. Where the bounds differ, the value is computed with
arrays if possible, and otherwise by a search in one class of each orbit.
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

By Hadamard's bound, a minor of size n is at most (n + 1)^((n + 1)/2) / 2^n, which is less than 2^52
for n = 32. A minor other than 0 is therefore not a multiple of both primes. So the larger of the
two ranks is the rank.
"""


@column()
def interpolation_degree(batch: Batch) -> np.ndarray:
    """Return the interpolation degree of each class, by a search between lower and upper bounds.

    Lower bounds come from subcubes and numbers of monomials, upper bounds from order-shattered sets
    and teaching plans. Where the bounds differ, the degree is the least degree up to which the rank
    of the monomials is the number of concepts.
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
    """Return the ranks modulo a prime of matrices of shape (rows, columns, matrices), in place."""
    rank = np.zeros(rows.shape[2], dtype=np.int64)
    for i, row in enumerate(rows):
        pivot = (row != 0).argmax(axis=0)[None]
        at_pivot = np.take_along_axis(row, pivot, axis=0)[0]
        rank += at_pivot != 0
        # Multiplying a row by a number other than 0 keeps the rank.
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
    """Return the Yang dimension of each class.

    The dimension is the largest i, over all subcubes, for which the complex of the subcube has
    homology in the degree i - 1 (`catalog.parameters.algebra.yang_dimension`). The values of proper
    subcubes come from classes on fewer points. The rest of this text is about the whole cube.

    The complex of a class lies in the sphere whose facets are all labellings. By Alexander's
    duality, its homology in the degree i - 1 is the cohomology in the degree points - i - 1 of the
    complex of the subcubes without a concept. For i = points, it is not zero if there are no such
    subcubes. For i = points - 1, it is not zero if the missing concepts are disconnected. Smaller
    degrees are searched.
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


@column(most_points=4)
def ternary_yang_dimension(batch: Batch) -> np.ndarray:
    """Return the Yang dimension of characteristic 3 of each class."""
    return parameter_values(batch, "ternary_yang_dimension")


@column(most_points=4)
def rational_yang_dimension(batch: Batch) -> np.ndarray:
    """Return the Yang dimension of characteristic 0 of each class."""
    return parameter_values(batch, "rational_yang_dimension")


@cache
def _yang_of_all(points: int) -> np.ndarray:
    """Return the dimensions of all classes by their masks, with 0 for the empty class."""
    masks = np.arange(1, 2**2**points, dtype=np.uint64)
    return np.concatenate([[0], yang_dimension(Batch(masks, points))]).astype(np.int8)


def _masks(present: np.ndarray) -> np.ndarray:
    rows = present.reshape(-1, present.shape[-1])
    masks: np.ndarray = (1 << np.arange(len(rows))) @ rows
    return masks


def _fall_apart(masks: np.ndarray, points: int) -> np.ndarray:
    """Return whether the concepts of a class are a disconnected part of the cube."""
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
    """Return the sign rank of each class on at most four points.

    The lower and the upper bound of `catalog.parameters.algebra.sign_rank_bounds` are equal for
    these classes.
    """
    return parameter_values(batch, "sign_rank")
