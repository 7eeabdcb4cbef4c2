"""What a node of a folded tree may look like; whether its tree is shattered is another question."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from lsclasses import BadCertificate
from lsclasses.certificates import Node, Subtree

SETS = (Subtree(), Subtree())


def test_forms_that_have_a_meaning_are_accepted():
    Subtree(points=(0, 1))
    Subtree(0)
    Subtree(3, ())
    Subtree(3, ((0, "a", 1),))
    Node(None, None, 0, SETS)
    for side in (0, 1):
        Node(0, side, "a", SETS)
        Node(5, side, (0, 1), (Subtree(6), Subtree(points=(2,))))


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (lambda: Subtree(-1), ">= 0"),
        (lambda: Subtree(True), ">= 0"),
        (lambda: Subtree(0, [(0, 0, 0)]), "A matching must be a tuple"),
        (lambda: Subtree(0, ((0, 0),)), r"A match is \(point, point, 0 or 1\)"),
        (lambda: Subtree(0, ((0, 0, 2),)), "from 0 to 1"),
        (lambda: Subtree(points=[0]), "The points of a subtree must be a tuple"),
        (lambda: Subtree(None, ()), "a node, with or without a matching, or points"),
        (lambda: Subtree(None, (), (0,)), "a node, with or without a matching, or points"),
        (lambda: Subtree(0, None, (0,)), "a node, with or without a matching, or points"),
        (lambda: Subtree(0, (), (0,)), "a node, with or without a matching, or points"),
        (lambda: Node(-1, 0, 0, SETS), ">= 0"),
        (lambda: Node(True, 0, 0, SETS), ">= 0"),
        (lambda: Node(0, None, 0, SETS), "from 0 to 1"),
        (lambda: Node(0, 2, 0, SETS), "from 0 to 1"),
        (lambda: Node(0, -1, 0, SETS), "from 0 to 1"),
        (lambda: Node(0, True, 0, SETS), "from 0 to 1"),
        (lambda: Node(None, 0, 0, SETS), "without a parent has no side. Got 0"),
        (lambda: Node(None, 1, 0, SETS), "without a parent has no side. Got 1"),
        (lambda: Node(None, None, 0, [*SETS]), "The subtrees of a node must be a tuple"),
        (lambda: Node(None, None, 0, ()), "has two subtrees"),
        (lambda: Node(None, None, 0, SETS[:1]), "has two subtrees"),
        (lambda: Node(None, None, 0, (*SETS, Subtree())), "has two subtrees"),
        (lambda: Node(None, None, 0, (Subtree(), 1)), "has two subtrees"),
        (lambda: Node(None, None, 0, (None, Subtree())), "has two subtrees"),
    ],
)
def test_other_forms_are_refused_for_what_they_are(made, why):
    with pytest.raises(BadCertificate, match=why):
        made()


def test_they_do_not_change_and_can_be_members_of_sets():
    node = Node(None, None, 0, SETS)
    assert len({node, Node(None, None, 0, SETS)}) == len(set(SETS)) == 1
    with pytest.raises(FrozenInstanceError):
        node.root = 1  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        SETS[0].points = (0,)  # type: ignore[misc]
