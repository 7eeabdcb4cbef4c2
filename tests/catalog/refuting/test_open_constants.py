"""Least constants: allowed on all classes, and not below."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

import catalog
from catalog import atlas
from catalog.refuting.open_constants import OpenStatement, least_constants
from lsclasses.errors import InvalidInput
from tests.lsclasses.commands.test_cli import run
from tests.oracles import ldim, star_number, vcdim

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


@pytest.mark.parametrize(
    ("text", "classes"),
    [
        ("size <= c*vcdim", 1),
        # Upper bounds of c: size - 2, vcdim - 1 and size - 3 are negative on some classes.
        ("ldim <= vcdim + c*(size - 2)", 2),
        ("ldim <= vcdim + c*(vcdim - 1) when vcdim != 1", 2),
        ("ldim <= c*(size - 3) + 1 when size != 3", 2),
        ("1 <= (c - d)*(2*vcdim - 3) when vcdim >= 1 and vcdim <= 2", 2),
        # 2 >= c + d, c >= 1 + d/2 and d >= 1 + c/2 for sizes 1, 2 and 3: any two are consistent.
        (
            "c*(-(size - 2)*(size - 3)/2 - (size - 1)*(size - 3) - (size - 1)*(size - 2)/4)"
            " + d*(-(size - 2)*(size - 3)/2 + (size - 1)*(size - 3)/2 + (size - 1)*(size - 2)/2)"
            " >= -(size - 2)*(size - 3) - (size - 1)*(size - 3) + (size - 1)*(size - 2)/2"
            " when points <= 2 and size <= 3",
            3,
        ),
    ],
)
def test_no_constants_satisfy_contradicting_classes(text: str, classes: int) -> None:
    found = least_constants(OpenStatement(text), seconds=0)
    assert found.corners == () and len(found.impossible) == classes
    assert found.bounding is None


def test_corners_are_least_and_larger_constants_can_be_false() -> None:
    text = "ldim <= c*(vcdim - 2) + d*(3 - vcdim)"
    found = least_constants(OpenStatement(text), seconds=0)
    assert [corner.values for corner in found.corners] == [(Fraction(7, 2), 3)]
    assert found.bounding is not None and min(found.bounding.weights) < 0
    one = least_constants(OpenStatement("ldim <= 2*vcdim + 2 - c*(size - 3)"), seconds=0)
    (corner,) = one.corners
    assert corner.values == (0,) and one.bounding is not None
    assert one.bounding.weights[0] < 0


@pytest.mark.parametrize(
    "text",
    [
        "2*ldim <= 2*vcdim + 3*floor(c)",
        "ldim <= ceil(c)",
        "ldim <= max(c, d)",
        "ldim <= min(c)",
        "ldim <= c**2",
        "ldim <= 2**c",
        "ldim <= c*d",
        "ldim <= size/c",
        "ldim <= growth_function[c]",
        "ldim <= c[1]",
        "ldim <= sauer(c, 2)",
        "ldim <= c*log2(size)",
        "ldim <= c when vcdim <= c",
        "ldim <= c when vcdim <= 2 and size <= c",
    ],
)
def test_only_rational_linear_functions_of_constants_are_accepted(text: str) -> None:
    with pytest.raises(InvalidInput, match=r"Least constants cannot|Constants are open only"):
        least_constants(OpenStatement(text), seconds=0)


@pytest.mark.parametrize("text", ["ldim <= c + 1/0", "ldim <= c when points >= 9"])
def test_a_statement_that_no_class_decides_has_no_constants(text: str) -> None:
    found = least_constants(OpenStatement(text), seconds=0)
    assert found.met == 0 and found.classes + found.undecided == 429
    assert "not decided on any class" in run("refute", text, "--seconds", 0).stdout
    found = least_constants(OpenStatement("ldim <= c/vcdim"), seconds=0)
    assert (found.met, found.classes, found.undecided) == (425, 425, 4)


def test_larger_classes_raise_the_least_constant(monkeypatch: pytest.MonkeyPatch) -> None:
    warmuth = catalog.build("warmuth").to_table()
    monkeypatch.setattr(
        "catalog.refuting.open_constants.candidates", lambda **_: iter([("warmuth", warmuth)])
    )
    asked = OpenStatement("recursive_teaching_dim <= c*vcdim")
    found = least_constants(asked, seconds=60)
    assert [corner.values for corner in found.corners] == [(Fraction(3, 2),)]
    assert [each.name for each in found.corners[0].because] in (["warmuth"], ["5:3586428"])
