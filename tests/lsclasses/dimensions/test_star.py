from __future__ import annotations

from hypothesis import given

from lsclasses import Table, naive
from lsclasses.dimensions.star import largest_star, star_number
from tests.strategies import plain, tables


@given(tables(max_concepts=14, max_points=6))
def test_the_witness_is_a_star_and_none_is_larger(table: Table) -> None:
    star = largest_star(table)
    assert len(star.points) == naive.star_number(plain(table)) == star_number(table)
    assert len(set(star.points)) == len(star.points) == len(star.concepts)
    centre = table[star.centre]
    for ray, x in zip(star.concepts, star.points, strict=True):
        assert [z for z in star.points if table[ray](z) != centre(z)] == [x]


def test_a_star_around_a_concept_that_is_not_the_first() -> None:
    # Around 0000 there are stars of three points; around 0111, of four.
    rows = ["0000", "0111", "1111", "0011", "0101", "0110"]
    C = Table([[int(y) for y in row] for row in rows], domain="abcd", concepts=rows)
    star = largest_star(C)
    assert star.centre == "0111"
    assert set(star.points) == set("abcd")
