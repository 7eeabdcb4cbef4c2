from __future__ import annotations

from lsclasses import Table
from lsclasses.dimensions.stars import largest_star


def test_a_star_around_a_concept_that_is_not_the_first() -> None:
    # Around 0000 there are stars of three points; around 0111, of four.
    rows = ["0000", "0111", "1111", "0011", "0101", "0110"]
    C = Table([[int(y) for y in row] for row in rows], domain="abcd", concepts=rows)
    star = largest_star(C)
    assert star.centre == "0111"
    assert set(star.points) == set("abcd")
