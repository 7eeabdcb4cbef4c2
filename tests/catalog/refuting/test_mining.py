"""What is mined: true on the atlas, not among what is known, and none is missed for being known."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from catalog.refuting import Statement, mining, survey
from catalog.refuting.conjecture_file import read
from catalog.refuting.mining import LinearInequality, follows, mined
from lsclasses.dimensions.inequalities import INEQUALITIES


def linear(text: str) -> LinearInequality:
    """Of ``2*ldim <= vcdim + points - 1``."""
    left, right = (
        [
            re.fullmatch(r"(?:(\d)\*)?([a-z]\w*(?:\(\w+\))?|\d)", part).groups()
            for part in side.split(" + ")
        ]  # type: ignore[union-attr]
        for side in text.replace(" - 1", " + 1").split(" <= ")
    )
    constant = (-1 if " - 1" in text else 1) if right[-1][1] == "1" else 0
    terms = [
        tuple((int(c or 1), name) for c, name in side if name != "1") for side in (left, right)
    ]
    return LinearInequality(terms[0], terms[1], constant)


def test_texts_are_read_back() -> None:
    for text in (
        "2*ldim <= vcdim + points - 1",
        "ldim + vcdim <= 2*floor_log2(size) + 1",
        "a <= b",
    ):
        assert str(linear(text)) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("vcdim <= points", True),  # vcdim <= ldim <= points
        ("vcdim <= star_number", True),
        ("vcdim <= star_number + 1", True),
        ("vcdim <= star_number - 1", False),
        ("vcdim <= star_number + teaching_dim", True),  # none is negative
        ("vcdim + recursive_teaching_dim <= 2*floor_log2(size)", True),
        ("ldim <= 2*randomized_ldim", True),  # ldim/2 <= randomized_ldim
        ("2*ldim <= randomized_ldim", False),
        ("star_number + ldim <= 2*points", True),
        ("ldim <= vcdim", False),
        ("hollow_star_number <= star_number", False),
        ("recursive_teaching_dim <= ldim - 1", False),
    ],
)
def test_what_follows(text: str, expected: bool) -> None:
    assert follows(linear(text)) is expected


def test_two_together_give_a_third() -> None:
    goal = linear("teaching_dim <= ldim + 1")
    assert not follows(goal)
    assert follows(goal, [linear("star_number <= ldim + 1")])
    assert not follows(goal, [linear("vcdim <= teaching_dim")])


@pytest.mark.slow
def test_each_holds_is_tight_and_new(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mining, "_others", lambda names: ())
    found = mined()
    assert len(found) > 5
    assert [each.equal for each in found] == sorted((each.equal for each in found), reverse=True)
    for each in found:
        surveys = list(survey(Statement(str(each.inequality))))
        assert not any(one.count("fails") for one in surveys), each
        assert sum(one.equal for one in surveys) == each.equal
        assert each.tightness == Fraction(each.equal, sum(len(one.values) for one in surveys))
        # With the constant less by 1 it would be false, and it follows from no other.
        less = LinearInequality(
            each.inequality.left, each.inequality.right, each.inequality.constant - 1
        )
        assert any(one.count("fails") for one in survey(Statement(str(less))))
        others = [other.inequality for other in found if other is not each]
        assert not follows(each.inequality, others)
    listed = {str(each) for each in INEQUALITIES}
    assert not listed & {str(each.inequality) for each in found}


def test_other_classes_refute() -> None:
    singletons = {"star_number": 7, "floor_log2(points)": 3}
    inequality = linear("star_number <= 2*floor_log2(points)")
    assert not inequality.holds_on([singletons])
    assert inequality.holds_on([{"star_number": 7}, {"star_number": 6, "floor_log2(points)": 3}])


def test_what_is_known_from_the_conjectures_is_used() -> None:
    known = [each.statement for each in read() if each.status == "known"]
    assert len(known) > 5
    for text in known:
        assert follows(linear(text)), text
    assert follows(linear("degeneracy <= min_star_number"))  # through the recursive teaching dim.
    for each in read():
        if each.status == "false":
            assert not follows(linear(each.statement)), each.statement
