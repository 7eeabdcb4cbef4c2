"""Small classes and their version spaces, for the tests of searches."""

from __future__ import annotations

import itertools

import numpy as np

from lsclasses.searching.version_space import VersionSpace

__all__ = ["balls", "cube", "rows", "space_of"]


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
