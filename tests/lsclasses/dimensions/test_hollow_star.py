from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given

from lsclasses import Table
from lsclasses.dimensions import stars
from lsclasses.dimensions.stars import hollow_star_number, largest_hollow_star
from tests import oracles
from tests.strategies import plain, tables


@given(tables(max_concepts=20, max_points=5, min_concepts=0))
def test_the_witness_is_minimal_and_none_is_larger(table: Table) -> None:
    sample = largest_hollow_star(table)
    assert (
        hollow_star_number(table) == len(sample or ()) == oracles.hollow_star_number(plain(table))
    )
    if sample is None:
        assert len(table) == 2 ** len(table.points)
        return
    assert table.given(sample).is_empty
    for i, (x, y) in enumerate(sample):
        flipped = (*sample[:i], (x, 1 - y), *sample[i + 1 :])
        assert not table.given(flipped).is_empty


@pytest.mark.parametrize("shape", [(12, 4), (40, 6), (90, 7), (15, 40)])
def test_examples_are_counted_one_by_one_or_all_at_once(monkeypatch, shape) -> None:
    """Also those of more than 32 points, which take several words."""
    for seed in range(4):
        drawn = np.random.default_rng(seed).integers(0, 2, shape)
        table = Table(np.unique(drawn, axis=0))
        found = []
        for one_by_one in (0, 1000):
            monkeypatch.setattr(stars, "ONE_BY_ONE", one_by_one)
            found.append(largest_hollow_star(table))
        if shape[1] < 7:
            assert len(found[0] or ()) == oracles.hollow_star_number(plain(table))
        assert found[0] == found[1] is not None


def consistency_dimension(rows: list[tuple[int, ...]]) -> int:
    """The labelled points that rule out a labelling of the whole domain, at most."""
    points = range(len(rows[0]))
    return max(
        next(
            size
            for size in range(len(f) + 1)
            for S in combinations(points, size)
            if not any(all(row[x] == f[x] for x in S) for row in rows)
        )
        for f in product((0, 1), repeat=len(points))
        if f not in rows
    )


@pytest.mark.parametrize("points", [1, 2, 3])
def test_the_consistency_dimension_is_the_same_on_few_points(points: int) -> None:
    labellings = list(product((0, 1), repeat=points))
    for mask in range(1, 2 ** len(labellings) - 1):
        rows = [row for i, row in enumerate(labellings) if mask >> i & 1]
        assert consistency_dimension(rows) == hollow_star_number(Table(rows))


def test_the_consistency_dimension_can_be_smaller() -> None:
    """That a, b, c and d are 0 contradicts two clauses with e, and no three of them do alone."""
    rows = [
        (a, b, c, d, e)
        for a, b, c, d, e in product((0, 1), repeat=5)
        if (a or b or e) and (c or d or not e)
    ]
    assert (consistency_dimension(rows), hollow_star_number(Table(rows))) == (3, 4)
