from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given

from lsclasses import Table, naive
from lsclasses.dimensions.hollow_star import hollow_star_number, largest_hollow_star
from tests.strategies import plain, tables


@given(tables(max_concepts=20, max_points=5, min_concepts=0))
def test_the_witness_is_minimal_and_none_is_larger(table: Table) -> None:
    sample = largest_hollow_star(table)
    assert hollow_star_number(table) == len(sample or ()) == naive.hollow_star_number(plain(table))
    if sample is None:
        assert len(table) == 2 ** len(table.points)
        return
    assert table.given(sample).is_empty
    for i, (x, y) in enumerate(sample):
        flipped = (*sample[:i], (x, 1 - y), *sample[i + 1 :])
        assert not table.given(flipped).is_empty


def test_total_labellings_can_have_shorter_contradictions() -> None:
    """The consistency dimension, which asks about whole-domain labellings only, is smaller here."""
    C = Table([[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 1], [0, 0, 0, 1, 1]])
    assert hollow_star_number(C) == 4
    rows = plain(C)
    shortest = [
        next(
            k
            for k in range(6)
            for chosen in itertools.combinations(range(5), k)
            if not any(all(c[x] == f[x] for x in chosen) for c in rows)
        )
        for f in itertools.product((0, 1), repeat=5)
        if f not in rows
    ]
    assert max(shortest) == 3


def test_point_functions() -> None:
    singletons = np.eye(30, dtype=int)
    assert hollow_star_number(Table(singletons)) == 30
    with_empty = Table(np.concatenate([singletons, np.zeros((1, 30), dtype=int)]))
    assert hollow_star_number(with_empty) == 2
