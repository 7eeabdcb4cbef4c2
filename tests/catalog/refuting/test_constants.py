"""Least constants: allowed on all classes, and not below."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

import catalog
from catalog import atlas
from catalog.refuting.constants import OpenStatement, least_constants
from lsclasses.naive import ldim, star_number, vcdim

SMALL = [
    [tuple(row) for row in each.table.labels.tolist()]
    for points in (1, 2, 3)
    for each in atlas.classes(points)
]
VALUES = [(len(C), ldim(C), vcdim(C), star_number(C)) for C in SMALL]
ASKED = {
    "ldim <= c*vcdim + d when points <= 3": (
        lambda size, ldim, vcdim, star, c, d: ldim <= c * vcdim + d,
        [(0, 3), (1, 1), (2, 0)],
    ),
    "star_number + 1 <= c*size + d*vcdim when points <= 3": (
        lambda size, ldim, vcdim, star, c, d: star + 1 <= c * size + d * vcdim,
        None,
    ),
}


@pytest.mark.parametrize("text", ASKED)
def test_corners_are_allowed_and_minimal(text: str) -> None:
    holds, expected = ASKED[text]
    found = least_constants(OpenStatement(text), seconds=0)
    corners = [corner.values for corner in found.corners]
    if expected is not None:
        assert corners[0] == expected[0] and corners[-1] == expected[-1]
    for corner in corners:
        assert all(holds(*values, *corner) for values in VALUES)
        for i, value in enumerate(corner):
            if value:
                less = [v - Fraction(j == i, 1000) for j, v in enumerate(corner)]
                assert not all(holds(*values, *less) for values in VALUES)
    # What is allowed on a grid is what lies above the line through two neighbouring corners.
    for a in range(13):
        for b in range(13):
            c, d = Fraction(a, 4), Fraction(b, 4)
            above = c >= corners[0][0] and d >= corners[-1][1]
            for (c0, d0), (c1, d1) in itertools.pairwise(corners):
                above &= (d - d0) * (c1 - c0) >= (c - c0) * (d1 - d0)
            assert above == all(holds(*values, c, d) for values in VALUES)


def test_no_constants_will_do() -> None:
    found = least_constants(OpenStatement("size <= c*vcdim"), seconds=0)
    assert found.corners == () and found.impossible is not None
    assert len(found.impossible.table) == 1


def test_larger_classes_raise_the_least_constant(monkeypatch: pytest.MonkeyPatch) -> None:
    warmuth = catalog.build("warmuth").to_table()
    monkeypatch.setattr(
        "catalog.refuting.constants.candidates", lambda flips: iter([("warmuth", warmuth)])
    )
    asked = OpenStatement("recursive_teaching_dim <= c*vcdim")
    found = least_constants(asked, seconds=60)
    assert [corner.values for corner in found.corners] == [(Fraction(3, 2),)]
    assert [each.name for each in found.corners[0].because] in (["warmuth"], ["5:3586428"])
