"""Small classes and their version spaces, for the tests of searches."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Sequence
from fractions import Fraction
from functools import cache

import numpy as np

from lsclasses.searching.version_space import VersionSpace
from tests import oracles

__all__ = [
    "HEXAGON",
    "balls",
    "bytes_of",
    "cube",
    "first_shattered_set",
    "is_shattered",
    "ldim_of",
    "rows",
    "space_of",
    "true_depth",
    "true_ldim",
]


HEXAGON = np.array([[i in (j, (j + 1) % 6) for i in range(6)] for j in range(6)], dtype=np.uint8)
"""The edges of a hexagon, as sets of their ends."""


def rows(seed: int, concepts: int, points: int, density: float = 0.5) -> np.ndarray:
    """The different ones among random rows, in order."""
    drawn = np.random.default_rng(seed).random((concepts, points)) < density
    return np.unique(drawn.astype(np.uint8), axis=0)


def space_of(labels: np.ndarray) -> VersionSpace:
    """The version space of a table of zeros and ones, whatever their type."""
    return VersionSpace.of_labels(np.asarray(labels, dtype=np.uint8))


def cube(k: int) -> np.ndarray:
    """All labellings of k points."""
    return np.arange(1 << k)[:, None] >> np.arange(k) & 1


def balls(count: int, points: int) -> np.ndarray:
    """Hamming balls of radius 2 around random centres, one after the other."""
    centres = np.random.default_rng(0).integers(0, 2, (count, points), dtype=np.uint8)
    pairs = list(itertools.combinations_with_replacement(range(points), 2))
    ball = np.zeros((len(pairs) + 1, points), dtype=np.uint8)
    for i, places in enumerate(pairs):
        ball[i, list(places)] = 1
    return np.concatenate([ball ^ centre for centre in centres])


# ---- what is true of them, by definition


def true_ldim(labels: np.ndarray) -> int:
    """The Littlestone dimension of a table of zeros and ones, by its recursion."""
    return _ldim(frozenset(map(tuple, labels.tolist())))


def ldim_of(space: VersionSpace) -> int:
    """The Littlestone dimension of a version space, by the recursion."""
    return true_ldim(space.columns.T)


def true_depth(labels: np.ndarray) -> Fraction:
    """Twice the randomized Littlestone dimension, by its recursion."""
    return 2 * _randomized_ldim(frozenset(map(tuple, labels.tolist())))


_ldim, _randomized_ldim = cache(oracles.ldim_recursive), cache(oracles.randomized_ldim_recursive)
"""Kept, since several engines are asked about one and the same class."""


def is_shattered(space: VersionSpace, columns: Sequence[int]) -> bool:
    """Whether the concepts label these columns in all ways."""
    labellings = set(map(tuple, space.columns[list(columns)].T.tolist()))
    return len(labellings) == 1 << len(columns) if space.concepts else False


def first_shattered_set(
    space: VersionSpace, order: Sequence[int], size: int, fixed: int = 0
) -> tuple[int, ...] | None:
    """The first shattered set of columns in the lexicographic order of their places in `order`.

    It begins with the first `fixed` columns.
    """
    for rest in itertools.combinations(order[fixed:], size - fixed):
        columns = (*order[:fixed], *rest)
        if is_shattered(space, columns):
            return columns
    return None


def bytes_of(key: object) -> int:
    """The memory of a key: of tuples, sets of columns, columns and numbers."""
    parts = key if isinstance(key, tuple | frozenset) else ()
    return sys.getsizeof(key) + sum(map(bytes_of, parts))
