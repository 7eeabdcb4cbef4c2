"""Folded trees node by node: each side of each must hold; and how they are drawn."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from lsclasses import BadCertificate, Table
from lsclasses.certificates import FoldedTree, Node, Subject, Subtree

ROWS = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
SINGLES = Table(ROWS, domain=range(3))
"""Its Littlestone dimension is 1: of the sides of a point the one with the label 1 is a concept."""
TURNED = Table([[1 - y for y in row] for row in ROWS], domain=range(3))
"""The same with the labels exchanged."""


def tree(table: Table, depth: int, *nodes: Node) -> FoldedTree:
    return FoldedTree(Subject.of(table), depth, nodes)


@pytest.mark.parametrize(("table", "weak"), [(SINGLES, 1), (TURNED, 0)], ids=["ones", "zeros"])
def test_one_side_is_not_enough(table, weak):
    """The other side shatters a point, or a node, as it is said to; the whole is no tree."""
    split = Subtree(points=(1,))
    with pytest.raises(BadCertificate, match=f"Node 0, side {weak} needs 1 points"):
        tree(table, 2, Node(None, None, 0, (split, split))).verify(table)
    # By a node: the one that lies on the other side.
    for false in (Subtree(1), Subtree(1, ()), Subtree(1, ((1, 1, 0), (2, 2, 0)))):
        both = (false, Subtree(1)) if weak == 0 else (Subtree(1), false)
        below = Node(0, 1 - weak, 1, (Subtree(), Subtree()))
        with pytest.raises(BadCertificate, match=f"Node 0, side {weak}"):
            tree(table, 2, Node(None, None, 0, both), below).verify(table)
    # What shatters one level of it is a proof of one level.
    tree(table, 1, Node(None, None, 0, (Subtree(), Subtree()))).verify(table)


def test_every_node_is_looked_at():
    """The false side of the last one is all that is false."""
    cube = Table([[i >> x & 1 for x in range(3)] for i in range(8)], domain=range(3))
    point = Subtree(points=(2,))
    true = [
        Node(None, None, 0, (Subtree(1), Subtree(2))),
        Node(0, 0, 1, (point, point)),
        Node(0, 1, 1, (point, point)),
    ]
    tree(cube, 3, *true).verify(cube)
    for i, side in ((1, 0), (1, 1), (2, 0), (2, 1)):
        for false in (
            Subtree(),
            Subtree(points=(1,)),
            Subtree(points=(0,)),
            Subtree(points=(2, 2)),
        ):
            nodes = list(true)
            below = (false, point) if side == 0 else (point, false)
            nodes[i] = Node(0, i - 1, 1, below)
            with pytest.raises(BadCertificate, match=f"Node {i}, side {side} needs 1 points"):
                tree(cube, 3, *nodes).verify(cube)


def test_proofs_do_not_change_and_show_their_claim():
    proof = tree(SINGLES, 1, Node(None, None, 0, (Subtree(), Subtree())))
    assert repr(proof) == "<folded-tree certificate: Ldim >= 1>"
    with pytest.raises(FrozenInstanceError):
        proof.depth = 2  # type: ignore[misc]


def test_nodes_are_drawn_below_their_parents_with_their_sides():
    set_ = Subtree(points=())
    drawn = tree(
        SINGLES,
        4,
        Node(None, None, 0, (Subtree(1), Subtree(2))),
        Node(0, 0, 1, (Subtree(3), Subtree(3, ()))),
        Node(0, 1, 1, (Subtree(3, ()), set_)),
        Node(1, 0, 2, (set_, Subtree(4))),
        Node(3, 1, 2, (set_, set_)),
    ).to_networkx()
    edges = {(i, j): label for i, j, label in drawn.edges(data="label")}
    assert edges == {(0, 1): "0", (0, 2): "1", (1, 3): "0, 1", (2, 3): "0", (3, 4): "1"}
    assert [drawn.nodes[i]["layer"] for i in range(5)] == [0, 1, 1, 2, 3]
    assert [drawn.nodes[i]["label"] for i in range(5)] == ["0", "1", "1", "2", "2"]
    # A tree of depth 0 is a concept.
    alone = tree(SINGLES, 0).to_networkx()
    assert dict(alone.nodes(data=True)) == {0: {"label": "", "layer": 0, "kind": "concept"}}
    # What a later node refers to may stand before it.
    back = tree(
        SINGLES,
        2,
        Node(None, None, 0, (Subtree(2, ()), Subtree(1))),
        Node(0, 1, 1, (set_, set_)),
        Node(0, 0, 1, (set_, set_)),
    ).to_networkx()
    assert {(i, j): label for i, j, label in back.edges(data="label")} == {(0, 1): "1", (0, 2): "0"}


def test_one_edge_leads_to_a_node_that_both_sides_name_whatever_its_number():
    """Equal numbers beyond the small ones that Python keeps are different objects."""
    count = 300
    nodes = [Node(None, None, 0, (Subtree(1), Subtree(1, ())))]
    for i in range(1, count):
        both = (Subtree(int(str(i + 1))), Subtree(int(str(i + 1)), ()))
        nodes.append(Node(i - 1, 0, 0, both if i < count - 1 else (Subtree(), Subtree())))
    drawn = tree(SINGLES, count, *nodes).to_networkx()
    edges = {(i, j): label for i, j, label in drawn.edges(data="label")}
    assert edges == {(i, i + 1): "0, 1" for i in range(count - 1)}
