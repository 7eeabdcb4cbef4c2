"""Matrices of bits against arrays of labels, around the ends of words and of the parts that are
worked on at a time."""

from __future__ import annotations

import numpy as np
import pytest

from lsclasses.searching import bit_matrix
from lsclasses.searching.bit_matrix import (
    columns_of_rows,
    common_ones,
    rows_of_columns,
    sorted_rows,
)

SIZES = [(1, 1), (3, 5), (63, 64), (64, 63), (65, 200), (130, 65), (2, 1000), (70, 129)]
"""Points and concepts."""


def packed(labels: np.ndarray) -> np.ndarray:
    """Lines of 0s and 1s as words, the first in the lowest bit of the first one."""
    words = -(-labels.shape[1] // 64)
    found = [
        [sum(int(y) << i for i, y in enumerate(line[64 * w : 64 * w + 64])) for w in range(words)]
        for line in labels.tolist()
    ]
    return np.array(found, dtype=np.uint64).reshape(len(labels), words)


@pytest.fixture(params=[1 << 9, 1, 2], ids="{} words at a time".format, autouse=True)
def at_once(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bit_matrix, "AT_ONCE", request.param)


@pytest.mark.parametrize(("points", "concepts"), SIZES)
def test_rows_and_columns_are_turned_into_each_other(points: int, concepts: int) -> None:
    rng = np.random.default_rng(points)
    labels = rng.integers(0, 2, (points, concepts), dtype=np.uint8)
    columns, rows = packed(labels), packed(labels.T).T
    assert np.array_equal(rows_of_columns(columns, concepts), rows)
    assert np.array_equal(columns_of_rows(rows, points), columns)


@pytest.mark.parametrize(("points", "concepts"), SIZES)
def test_concepts_that_label_both_with_1_are_counted(points: int, concepts: int) -> None:
    rng = np.random.default_rng(concepts)
    labels = (rng.random((points, concepts)) < rng.random((points, 1))).astype(np.int64)
    both = labels @ labels.T
    columns = packed(labels)
    assert common_ones(columns).tolist() == both.tolist()
    for chosen in ([], [points - 1], rng.integers(points, size=points + 2).tolist()):
        found = common_ones(columns, np.array(chosen, dtype=np.intp))
        assert found.tolist() == both[chosen].tolist()
        assert found.dtype == np.int32


@pytest.mark.parametrize(("points", "concepts"), SIZES)
def test_sets_of_rows_are_in_one_order(points: int, concepts: int) -> None:
    rng = np.random.default_rng(concepts + points)
    rows = packed(rng.integers(0, 2, (concepts, points), dtype=np.uint8)).T
    found = sorted_rows(rows)
    expected = sorted(tuple(row[::-1]) for row in rows.T.tolist())
    assert [tuple(row[::-1]) for row in found.T.tolist()] == expected
    shuffled = rows[:, rng.permutation(concepts)]
    assert np.array_equal(sorted_rows(shuffled), found)
