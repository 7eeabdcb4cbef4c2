"""Columns that stand for others: symmetries lead from each column to one that is kept."""

from __future__ import annotations

import numpy as np
import pytest

from lsclasses.limits import Meter
from lsclasses.searching.symmetry import moved_columns
from lsclasses.searching.version_space import VersionSpace


def rotations(patterns: list[str]) -> np.ndarray:
    rows = [np.roll([int(y) for y in p], i) for p in patterns for i in range(len(p))]
    return np.unique(np.array(rows, dtype=np.uint8), axis=0)


def product(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    return np.array([[*a, *b] for a in A for b in B], dtype=np.uint8)


CLASSES = {
    "a circle": rotations(["1101000", "1000000"]),
    "two circles": product(rotations(["110100"]), rotations(["11010"])),
    "a circle and a chain": product(rotations(["110100"]), np.tri(4, 3, -1)),
    "points": np.eye(7),
}


@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize("order", ["as they are", "turned", "drawn"])
def test_every_column_is_kept_or_reached_from_one_that_is(name, order):
    space = VersionSpace.of_labels(CLASSES[name].astype(np.uint8))
    columns = list(range(len(space.words)))
    if order == "turned":
        columns = columns[::-1]
    elif order == "drawn":
        columns = np.random.default_rng(1).permutation(columns).tolist()
    kept, symmetries = moved_columns(space, columns, Meter(None))
    reached = set(kept)
    for _ in columns:
        for before, after in symmetries:
            ends = zip(before.order.tolist(), after.order.tolist(), strict=True)
            reached |= {b if a in reached else a for a, b in ends if {a, b} & reached}
    assert reached == set(columns) >= set(kept)
    assert len(kept) < len(columns) or name == "a circle"
