"""What an entry of a failure DAG may look like; whether it is true is another question."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from lsclasses import BadCertificate
from lsclasses.certificates import Entry, Factor, Step
from lsclasses.certificates.entries import require_matching

PAIR = ((0, 1, 0),)
"""A matching."""
NO_MATCHINGS: list[tuple[Any, str]] = [
    ([(0, 1, 0)], "A matching must be a tuple"),
    (([0, 1, 0],), "A match must be a tuple"),
    (((0, 1),), r"A match is \(point, point, 0 or 1\)"),
    (((0, 1, 0, 0),), r"A match is \(point, point, 0 or 1\)"),
    (((0, 1, 2),), "from 0 to 1"),
    (((0, 1, -1),), "from 0 to 1"),
    (((0, 1, True),), "from 0 to 1"),
    ((*PAIR, (0, 1, None)), "from 0 to 1"),
]


def test_forms_that_have_a_meaning_are_accepted():
    require_matching(())
    require_matching((*PAIR, ("a", (0, 1), 1)))
    for side in (0, 1):
        Step(0, side)
        Step("a", side, 0)
        Step(0, side, 7, ())
        Step(0, side, 7, PAIR)
    Factor(0, ())
    Factor(3, PAIR)
    Entry(0)
    Entry(0, 0)
    Entry(2, 1, (("a", 0), ("b", 1)), steps=())
    Entry(2, steps=(Step(0, 1),), symmetries=((), PAIR))
    Entry(2, steps=(), symmetries=(PAIR,))
    Entry(2, factors=())
    Entry(2, 0, (), factors=(Factor(1, PAIR), Factor(2, PAIR)))


@pytest.mark.parametrize(("matching", "why"), NO_MATCHINGS)
def test_what_is_no_matching_is_refused_wherever_it_stands(matching, why):
    for made in (
        lambda: require_matching(matching),
        lambda: Step(0, 0, 1, matching),
        lambda: Factor(1, matching),
        lambda: Entry(1, steps=(), symmetries=(PAIR, matching)),
    ):
        with pytest.raises(BadCertificate, match=why):
            made()


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (lambda: Step(0, 2), "from 0 to 1"),
        (lambda: Step(0, -1), "from 0 to 1"),
        (lambda: Step(0, True), "from 0 to 1"),
        (lambda: Step(0, 0, -1), ">= 0"),
        (lambda: Step(0, 0, True), ">= 0"),
        (lambda: Step(0, 0, 1.0), ">= 0"),
        (lambda: Step(0, 0, None, PAIR), "justified by counting, not by a matching"),
        (lambda: Step(0, 0, None, ()), "justified by counting, not by a matching"),
        (lambda: Factor(-1, PAIR), ">= 0"),
        (lambda: Factor(None, PAIR), ">= 0"),
        (lambda: Factor(1, None), "A matching must be a tuple"),
        (lambda: Entry(-1), ">= 0"),
        (lambda: Entry(True), ">= 0"),
        (lambda: Entry(1, -1), ">= 0"),
        (lambda: Entry(1, False), ">= 0"),
        (lambda: Entry(1, 0, [(0, 0)]), "The restrictions of an entry must be a tuple"),
        (lambda: Entry(1, 0, ([0, 0],)), "A restriction must be a tuple"),
        (lambda: Entry(1, 0, ((0,),)), r"A restriction is \(point, 0 or 1\)"),
        (lambda: Entry(1, 0, ((0, 0, 0),)), r"A restriction is \(point, 0 or 1\)"),
        (lambda: Entry(1, 0, ((0, 2),)), "from 0 to 1"),
        (lambda: Entry(1, 0, ((0, 0), (1, -1))), "from 0 to 1"),
        (lambda: Entry(1, None, ((0, 0),)), "without a parent is about the whole class"),
        (lambda: Entry(1, steps=(), factors=()), "steps or factors, not both"),
        (lambda: Entry(1, symmetries=(PAIR,)), "Got none to carry"),
        (lambda: Entry(1, factors=(), symmetries=(PAIR,)), "Got none to carry"),
        (lambda: Entry(1, steps=(), symmetries=[PAIR]), "symmetries of an entry must be a tuple"),
        (lambda: Entry(1, steps=[Step(0, 0)]), "The steps of an entry must be a tuple"),
        (lambda: Entry(1, factors=[Factor(0, ())]), "The factors of an entry must be a tuple"),
        (lambda: Entry(1, steps=(Step(0, 0), Factor(0, ()))), "The steps .* of another kind"),
        (lambda: Entry(1, factors=(Factor(0, ()), Step(0, 0))), "The factors .* of another kind"),
        (lambda: Entry(1, steps=(0,)), "of another kind. Got 0"),
    ],
)
def test_other_forms_are_refused_for_what_they_are(made, why):
    with pytest.raises(BadCertificate, match=why):
        made()


def test_they_do_not_change_and_can_be_members_of_sets():
    for made, name in (
        (lambda: Step(0, 1, 2, PAIR), "side"),
        (lambda: Factor(1, PAIR), "entry"),
        (lambda: Entry(1, 0, ((0, 0),), steps=(Step(0, 1),)), "depth"),
    ):
        assert len({made(), made()}) == 1
        with pytest.raises(FrozenInstanceError):
            setattr(made(), name, 0)
