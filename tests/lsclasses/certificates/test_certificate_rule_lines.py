"""Each line of a rule of certificates decides one of these small instances."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from lsclasses.certificates.rows import Rows
from lsclasses.certificates.rules import (
    refuted_by_counting,
    refuted_by_entry,
    refuted_by_factors,
    shattered_by_entry,
    shattered_by_set,
)

EMPTY = Rows.of_labels(np.zeros((0, 2), dtype=np.uint8))
ONE = Rows.of_labels(np.array([[0, 1]]))
SINGLES = Rows.of_labels(np.eye(4, dtype=np.uint8))
"""Four concepts; its Littlestone dimension is 1."""


def counted(rows: list[tuple[int, ...]], k: int, levels: int) -> bool:
    """The lines C1 to C4 of docs/certificates.md, on lists of concepts."""
    if k < 0:
        return False
    if len(rows) < 2**k:
        return True
    if k == 0 or levels == 0:
        return False

    def sides(x: int) -> list[list[tuple[int, ...]]]:
        return [[row for row in rows if row[x] == y] for y in (0, 1)]

    points = range(len(rows[0]))
    alive = [x for x in points if min(map(len, sides(x))) >= 2 ** (k - 1)]
    if levels >= 2 and k >= 2:
        alive = [x for x in alive if not any(counted(side, k - 1, 1) for side in sides(x))]
    if levels >= 3 and k >= 3:
        alive = [x for x in alive if not any(counted(side, k - 1, levels - 1) for side in sides(x))]
    return not alive


def test_counting_refutes_what_its_lines_say_and_nothing_else():
    """Random classes near the sizes at which counting begins to refute, and unions of cubes."""
    rng = np.random.default_rng(12)
    answers = {(levels, answer): 0 for levels in range(4) for answer in (False, True)}
    deeper = 0
    for _ in range(150):
        n, k = int(rng.integers(4, 8)), int(rng.integers(1, 6))
        labels = rng.random((int(rng.integers(2**k, 3 * 2**k)), n)) < rng.choice([0.2, 0.4, 0.5])
        labels[: len(labels) // 2, : n // 2] &= rng.random() < 0.5
        rows = np.unique(labels.astype(np.uint8), axis=0)
        concepts = [tuple(row) for row in rows.tolist()]
        found = [refuted_by_counting(Rows.of_labels(rows), k, levels) for levels in range(4)]
        assert found == [counted(concepts, k, levels) for levels in range(4)], (concepts, k)
        deeper += found[3] > found[2]
        for levels, answer in enumerate(found):
            answers[levels, answer] += 1
    assert min(answers.values()) > 15
    assert deeper > 2


@pytest.mark.parametrize("k", [3, 5])
def test_both_sides_of_a_root_need_a_column_that_splits_them_well_enough(k):
    """One point is balanced; on each of its sides every column has one label so many times."""
    least, size = 2 ** (k - 2), 2 ** (k - 1) + 1
    turns = (np.arange(size)[:, None] + np.arange(size)) % size
    for weights in product((least - 1, least), repeat=2):
        sides = [np.insert(turns < weight, 0, y, axis=1) for y, weight in enumerate(weights)]
        rows = np.concatenate(sides).astype(np.uint8)
        concepts = [tuple(row) for row in rows.tolist()]
        assert len(set(concepts)) == 2 * size
        found = [refuted_by_counting(Rows.of_labels(rows), k, levels) for levels in range(4)]
        assert found == [counted(concepts, k, levels) for levels in range(4)]
        assert found[:3] == [False, False, min(weights) < least]


def test_one_concept_shatters_depth_zero_and_none_shatters_nothing():
    for levels in range(4):
        assert not refuted_by_counting(ONE, 0, levels)
        assert refuted_by_counting(ONE, 1, levels)
        assert refuted_by_counting(EMPTY, 0, levels)
        assert not refuted_by_counting(EMPTY, -1, levels)


@pytest.mark.parametrize("depth", [1, 2, 300])
def test_what_refers_to_its_own_depth_would_prove_itself(depth):
    """References must lead to smaller depths, or two entries prove each other."""
    same, matching = int(str(depth)), [(x, x, 0) for x in range(4)]
    assert not refuted_by_factors(SINGLES, depth, [(SINGLES, same, matching)])
    assert not refuted_by_factors(SINGLES, depth, [(SINGLES, same + 1, matching)])
    lower = refuted_by_factors(SINGLES, depth, [(SINGLES, depth - 1, matching)])
    assert lower
    # A step may: the depth of the side is one less than that of its entry.
    assert refuted_by_entry(SINGLES, depth, SINGLES, same)
    assert not refuted_by_entry(SINGLES, depth, SINGLES, same + 1)


def test_a_group_without_a_labelling_leaves_none():
    """Such a factor fails depth 0, and with it every depth fails."""
    matching = [(0, 0, 0), (1, 1, 0)]
    assert refuted_by_factors(EMPTY, 1, [(EMPTY, 0, matching)])
    assert not refuted_by_factors(ONE, 1, [(EMPTY, 0, matching)])


def test_as_many_labellings_on_more_points_are_no_shattered_set():
    """Four subsets of four points with one element each are as many labellings as two points have.

    They shatter depth 1 only.
    """
    assert not shattered_by_set(SINGLES, 2, [0, 1, 2, 3])
    assert not shattered_by_set(SINGLES, 2, [0, 1])
    assert not shattered_by_set(SINGLES, 1, [0, 0])
    assert shattered_by_set(SINGLES, 1, [3])


def test_the_tree_of_an_entry_is_as_deep_as_it_is_asked_to_be():
    for k, j in ((1, 0), (1, 2), (0, 1), (-1, -1)):
        assert not shattered_by_entry(SINGLES, k, SINGLES, j, [(x, x, 0) for x in range(4)])
    for k in (0, 1):
        assert shattered_by_entry(SINGLES, k, SINGLES, k, [(x, x, 0) for x in range(4)])
