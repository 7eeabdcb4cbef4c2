from __future__ import annotations

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
