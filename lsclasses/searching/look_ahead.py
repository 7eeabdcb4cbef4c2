"""The columns of a version space that counting allows as roots of shattered trees.

One matrix product counts all pairs of columns. At depth k, both sides of a root must have 2^(k-1)
concepts, and a column that leaves 2^(k-2) of them on either side. If this is cheap, a second
product counts triples and examines one more level. Pairs decide depths 1 to 3, and triples decide
depth 4.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from lsclasses.limits import Meter
from lsclasses.searching.bit_matrix import common_ones, counting_type
from lsclasses.searching.engines import engine_name
from lsclasses.searching.version_space import VersionSpace

NORMAL_UP_TO_POINTS = 128
"""Largest number of distinct columns for which the counts of all pairs are stored."""
TRIPLES_WORK = 1 << 25
"""Largest number of multiplications for which triples of columns are counted.

For more multiplications, it is faster to examine the sides of columns one by one.
"""
PAIRS_AT_ONCE = 1 << 22
"""Number of pairs of columns that are counted at a time, because large tables have too many."""


class Candidates(NamedTuple):
    """The columns that may be the root of a shattered tree of depth k.

    Attributes
    ----------
    columns : list of int
        Numbers of the columns, the most balanced column first.
    first : list of 0 or 1
        Side of each column that seems less likely to shatter depth k - 1.
    enough : bool
        Whether counting proves that each column is the root of a shattered tree.
    ones, both : array or None
        Numbers of concepts that label a column, and both columns of a pair, with 1. None if they
        have not been counted.
    """

    columns: list[int]
    first: list[int]
    enough: bool
    ones: np.ndarray | None = None
    both: np.ndarray | None = None


def candidates(space: VersionSpace, k: int, meter: Meter) -> Candidates:
    """Return the columns to try at depth k >= 1, or none if counting excludes this depth."""
    points, concepts = len(space.words), space.concepts
    if concepts < 1 << k:
        return Candidates([], [], enough=False)
    if engine_name() == "native" and points <= NORMAL_UP_TO_POINTS:
        from lsclasses.searching import native_spaces

        work = 0 if space.large else TRIPLES_WORK
        return Candidates(*native_spaces.look_ahead(space.joined, concepts, space.both, k, work))
    ones = space.ones
    smaller = np.minimum(ones, concepts - ones)
    tried = np.flatnonzero(smaller >= 1 << (k - 1))
    # Equally balanced columns keep their order, so that both engines try all columns in one order.
    tried = tried[np.argsort(-smaller[tried], kind="stable")]
    # For k = 2, each side has two concepts. Distinct concepts differ at some column, so each side
    # shatters depth 1.
    if k <= 2 or not len(tried):
        return Candidates(tried.tolist(), [0] * len(tried), enough=True)
    factor = space.columns.astype(counting_type(concepts)) if not space.large else None
    kept = points <= NORMAL_UP_TO_POINTS
    both = space.both if space.large and kept else None
    promising: list[int] = []
    first: list[int] = []
    for start in range(0, len(tried), max(1, PAIRS_AT_ONCE // points)):
        block = tried[start : start + max(1, PAIRS_AT_ONCE // points)]
        if both is not None:
            pairs = both[block]
        elif factor is not None:
            pairs = np.matmul(factor[block], factor.T).astype(np.int32)
        else:
            pairs = common_ones(space.packed, block)
        good, weaker = _promising(pairs, ones[block], ones, concepts, 1 << (k - 2))
        promising += block[good].tolist()
        first += weaker[good].tolist()
        # Pairs decide depth 3, and all callers need only the first column in the order of balance.
        if k == 3 and promising:
            break
        if start:
            meter.tick()
    enough = k == 3
    if factor is not None and kept and promising and k > 3:
        both = np.matmul(factor, factor.T).astype(np.int32)
        if len(promising) * points**2 * concepts <= TRIPLES_WORK:
            passed = _both_sides_promising(factor, both, ones, promising, k - 1)
            promising = [j for j, good in zip(promising, passed, strict=True) if good]
            first = [side for side, good in zip(first, passed, strict=True) if good]
            enough = k == 4
    return Candidates(promising, first, enough, ones, both)


def weaker_sides(space: VersionSpace, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Return, for each column, its weaker side, and whether counting pairs refutes the side.

    The weaker side is the side that seems less likely to shatter depth k - 1.

    Parameters
    ----------
    space : VersionSpace
    k : int
        Depth k >= 1 of the tree, so the sides must shatter depth k - 1.

    Returns
    -------
    two arrays, shape (points,)
        Side, 0 or 1, of each column, and whether counting excludes depth k - 1 on this side.

    Examples
    --------
    >>> chain = VersionSpace.of_labels(np.tri(4, 3, -1, dtype=np.uint8))
    >>> [found.tolist() for found in weaker_sides(chain, 2)]
    [[0, 1, 1], [True, False, True]]
    """
    ones, concepts = space.ones, space.concepts
    weaker = (2 * ones < concepts).astype(np.int8)
    refuted = np.minimum(ones, concepts - ones) < 1 << (k - 1)
    if k >= 2 and len(ones) <= NORMAL_UP_TO_POINTS and not refuted.all():
        tried = np.flatnonzero(~refuted)
        # A column that fails has a side of strength 0, which is then the weaker side.
        good, weaker[tried] = _promising(
            space.both[tried], ones[tried], ones, concepts, 1 << (k - 2)
        )
        refuted[tried] = ~good
    return weaker, refuted


def _promising(
    both: np.ndarray, ones: np.ndarray, others: np.ndarray, concepts: int, least: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the columns x both of whose sides some column y splits into parts of a given size.

    Parameters
    ----------
    both : array, shape (x, y)
        Number of concepts that label both x and y with 1.
    ones, others : arrays, shape (x,) and (y,)
        Number of concepts that label x, and y, with 1.
    concepts, least : int
        Number of all concepts, and least number of concepts of each part.

    Returns
    -------
    two arrays, shape (x,)
        Whether the column passes, and the side that looks weaker.
    """
    parts = _parts(both, ones[:, None], others[None, :], concepts)
    useful = [part >= least for part in parts]
    # The strength is a heuristic. It adds the smaller parts of all columns that divide the side
    # well enough. A wrong guess costs time only.
    strength = [
        np.where(mask, part, 0).sum(axis=1) for mask, part in zip(useful, parts, strict=True)
    ]
    passes: np.ndarray = np.logical_and(useful[0].any(axis=1), useful[1].any(axis=1))
    return passes, (strength[1] <= strength[0]).astype(np.int8)


def _parts(
    both: np.ndarray, ones: np.ndarray, others: np.ndarray, concepts: Any
) -> tuple[np.ndarray, np.ndarray]:
    """Return the sizes of parts of the two sides of columns x, from counts of common labels 1.

    Parameters
    ----------
    both : array, shape (..., x, y)
        Number of concepts that label both x and y with 1.
    ones, others : arrays that broadcast against it
        Number of concepts that label x, and y, with 1.
    concepts : int or array
        Number of all concepts.

    Returns
    -------
    tuple of two arrays, shape (..., x, y)
        The smaller part into which y divides the concepts that label x with 0, and with 1.
    """
    zero_one = others - both
    return (
        np.minimum(zero_one, concepts - ones - zero_one),
        np.minimum(both, ones - both),
    )


def _both_sides_promising(
    factor: np.ndarray, both: np.ndarray, ones: np.ndarray, tried: list[int], k: int
) -> np.ndarray:
    """Return whether, on both sides of each tried column, some column passes the test for k.

    For k = 3 the look-ahead is exact, so this decides depth 4.
    """
    concepts = factor.shape[1]
    triple = np.matmul(factor[tried][:, None, :] * factor[None, :, :], factor.T).astype(np.int32)
    # Two parts of 2^(k-2) concepts on both sides of y imply 2^(k-1) concepts on each side. So the
    # sides of y need no separate check.
    least = 1 << (k - 2)
    passed = np.ones(len(tried), dtype=bool)
    for side in (0, 1):
        both_here = triple if side else both[None] - triple
        ones_here = both[tried] if side else ones[None, :] - both[tried]
        size = ones[tried] if side else concepts - ones[tried]
        parts = _parts(both_here, ones_here[:, :, None], ones_here[:, None, :], size[:, None, None])
        good = (parts[0].max(axis=2) >= least) & (parts[1].max(axis=2) >= least)
        passed &= good.any(axis=1)
    return passed
