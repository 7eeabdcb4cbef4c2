"""Splits among many columns, and whichever columns the two sides have."""

from __future__ import annotations

import numpy as np
import pytest

from lsclasses.searching import splits
from lsclasses.searching.splits import Side, split
from lsclasses.searching.version_space import VersionSpace


def hidden(points: int, x: int, z: int, rng: np.random.Generator) -> np.ndarray:
    """A class that nothing but x = 0 and z = 0 splits: the one leaves B alone, the other A.

    Two classes of 14 concepts, each 0 wherever its column x or z is 0: with the others at 0, or
    both of them not, in sixty concepts.
    """
    half = points // 2
    A, B = (rng.integers(0, 2, (14, n), dtype=np.uint8) for n in (half, points - half))
    for rows in (A, B):
        rows[0], rows[1:, 0] = 0, 1
    together = [(i, 0) for i in range(14)] + [(0, i) for i in range(1, 14)]
    pairs = [(i, j) for i in range(1, 14) for j in range(1, 14)]
    together += rng.permutation(pairs)[:60].tolist()
    labels = np.array([[*A[i], *B[j]] for i, j in together], dtype=np.uint8)
    others = iter(rng.permutation([j for j in range(points) if j not in (0, half)]).tolist())
    order = [0 if j == x else half if j == z else next(others) for j in range(points)]
    return labels[:, order]


@pytest.mark.parametrize(
    ("points", "x", "z"),
    [
        (20, 3, 4),
        (20, 19, 0),
        (63, 61, 62),
        (64, 63, 0),
        (65, 64, 63),
        (66, 65, 64),
        (128, 70, 127),
    ],
)
def test_the_only_split_is_found(points, x, z):
    space = VersionSpace.of_labels(hidden(points, x, z, np.random.default_rng(points)))
    assert space.source.tolist() == list(range(points))
    assert split(space) == tuple(sorted([Side(x, 0), Side(z, 0)]))


def test_among_too_many_columns_none_is_sought(monkeypatch):
    labels = hidden(30, 3, 9, np.random.default_rng(1))
    for most, sought in ((29, False), (30, True)):
        monkeypatch.setattr(splits, "COLUMNS", most)
        assert (split(VersionSpace.of_labels(labels)) is not None) == sought
