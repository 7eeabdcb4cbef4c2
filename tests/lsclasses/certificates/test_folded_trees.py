"""Folded trees prove what they claim, node by node, and none that anybody can write proves more."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsclasses import BadCertificate, InvalidInput, Limit, Table, TooLarge
from lsclasses.certificates import FoldedTree, Node, Subject, Subtree, extraction
from tests import oracles
from tests.lsclasses.certificates.forging import SINGLES, SUBJECT, proves, table_of
from tests.lsclasses.small_classes import ALL_UP_TO_TWO, ldim
from tests.strategies import plain, tables

CUBE = Table([[i >> x & 1 for x in range(3)] for i in range(8)], domain=range(3))
TURNED = Table(1 - SINGLES.labels, domain=range(3))
"""The class `SINGLES` with its labels exchanged."""
EMPTY = Subtree()
"""No point: a concept."""


def tree(table: Table, depth: int, *nodes: Node) -> FoldedTree:
    return FoldedTree(Subject.of(table), depth, nodes)


@pytest.fixture
def without_sets(monkeypatch):
    """So that proofs of small classes have the nodes and matchings that those of large ones have.

    Where a tree ends, the empty set of points is still named.
    """
    monkeypatch.setattr(extraction, "SETS_UP_TO", 0)


@pytest.mark.usefixtures("without_sets")
@pytest.mark.parametrize("points", [3, 4])
def test_isomorphic_version_spaces_share_a_node(points):
    """A cube folds to a node a level."""
    cube = Table([[i >> x & 1 for x in range(points)] for i in range(2**points)])
    folded = FoldedTree.of(cube)
    folded.verify(cube)
    assert len(folded.nodes) == points and len({folded, FoldedTree.of(cube)}) == 1
    assert all(node.subtrees[1].matching is not None for node in folded.nodes[:-1])


def unfolded(tree: FoldedTree, table: Table) -> int:
    """How deep a tree is shattered, read off by following the nodes: without the checker's rules.

    A node stands for the point at the root of a subtree, renamed on the way down.
    """

    def depth(
        i: int, concepts: frozenset[tuple[int, ...]], names: dict[Any, tuple[Any, int]]
    ) -> int:
        node = tree.nodes[i]
        if node.root not in names:
            return -1
        x, flip = names[node.root]
        below = []
        for y, subtree in enumerate(node.subtrees):
            side = frozenset(c for c in concepts if c[table.domain.index(x)] ^ flip == y)
            if subtree.node is None:
                points = [names[z] for z in subtree.points]
                seen = {tuple(c[table.domain.index(z)] for z, _ in points) for c in side}
                below.append(len(points) if len(seen) == 2 ** len(points) else -1)
            elif subtree.matching is None:
                below.append(depth(subtree.node, side, names))
            else:
                renamed = {z: (names[w][0], names[w][1] ^ flip) for w, z, flip in subtree.matching}
                below.append(depth(subtree.node, side, renamed))
        return 1 + min(below)

    if not tree.nodes:
        return 0
    return depth(0, plain(table), {x: (x, 0) for x in table.points})


@given(tables(max_concepts=24, max_points=6), st.booleans())
def test_the_tree_that_is_folded_is_shattered_and_as_deep_as_the_dimension(table, usual):
    """Unfolded through the matchings, concept by concept, it ends in as many concepts as leaves."""
    with pytest.MonkeyPatch.context() as patch:
        if not usual:
            patch.setattr(extraction, "SETS_UP_TO", 0)
        tree = FoldedTree.of(table)
    tree.verify(table)
    assert unfolded(tree, table) == tree.depth == oracles.ldim_recursive(plain(table))


def test_the_empty_class_and_limits():
    with pytest.raises(InvalidInput, match="shatters no tree"):
        FoldedTree.of(Table([], domain="ab"))
    one = Table([[0, 1]])
    assert FoldedTree.of(one).nodes == ()
    FoldedTree.of(one).verify(one)
    table = Table(np.random.default_rng(0).integers(0, 2, (300, 12)))
    table.ldim()
    seen: list[tuple[int, int]] = []
    FoldedTree.of(table, progress=lambda done, known: seen.append((done, known)))
    assert seen[0] == (0, 1)
    assert len(seen) == seen[-1][1]
    with pytest.raises(TooLarge):
        FoldedTree.of(table, limit=Limit(seconds=1e-9))


# ---- enumerations


@cache
def all_subtrees(n: int, nodes: int) -> list[Subtree]:
    """Sets of up to two points, and nodes, with a matching of up to one pair or none."""
    sets = [Subtree(points=points) for k in range(3) for points in product(range(n), repeat=k)]
    pairs = list(product(range(n), range(n), (0, 1)))
    matchings = [None, (), *((pair,) for pair in pairs)]
    return sets + [Subtree(j, matching) for j in range(nodes) for matching in matchings]


def test_no_tree_of_one_node_is_false_and_each_class_has_a_true_one():
    for n, V in ALL_UP_TO_TWO:
        table, truth = table_of(n, V), ldim(n, V)
        nodes = [
            Node(None, None, x, below)
            for x, below in product(range(n), product(all_subtrees(n, 1), repeat=2))
        ]
        assert proves(FoldedTree(SUBJECT, 0, ()), table) == (truth >= 0)
        for depth in range(1, 4):
            accepted = any(proves(FoldedTree(SUBJECT, depth, (node,)), table) for node in nodes)
            assert accepted == (depth <= truth)


def test_no_tree_of_two_nodes_is_false():
    """A sample of all with at most one pair in a matching; the depth is Ldim or one more."""
    rng = np.random.default_rng(3)
    below = all_subtrees(2, 2)
    for V in range(16):
        table, truth = table_of(2, V), ldim(2, V)
        for numbers in rng.integers([len(below)] * 4 + [2, 2, 2], size=(200, 7)).tolist():
            first, second, third, fourth = (below[i] for i in numbers[:4])
            x, y, z = numbers[4:]
            nodes = (Node(None, None, x, (first, second)), Node(0, y, z, (third, fourth)))
            for depth in {2, max(truth, 1) + 1} - {truth}:
                assert not proves(FoldedTree(SUBJECT, depth, nodes), table)


# ---- node by node


@pytest.mark.parametrize(("table", "weak"), [(SINGLES, 1), (TURNED, 0)], ids=["ones", "zeros"])
def test_one_side_is_not_enough(table, weak):
    """The other side shatters a point, or a node, as it is said to; the whole is no tree."""
    split = Subtree(points=(1,))
    with pytest.raises(BadCertificate, match=f"Node 0, side {weak} needs a set of size 1"):
        tree(table, 2, Node(None, None, 0, (split, split))).verify(table)
    # By a node: the one that lies on the other side.
    for false in (Subtree(1), Subtree(1, ()), Subtree(1, ((1, 1, 0), (2, 2, 0)))):
        both = (false, Subtree(1)) if weak == 0 else (Subtree(1), false)
        below = Node(0, 1 - weak, 1, (EMPTY, EMPTY))
        with pytest.raises(BadCertificate, match=f"Node 0, side {weak}"):
            tree(table, 2, Node(None, None, 0, both), below).verify(table)
    # What shatters one level of it is a proof of one level.
    tree(table, 1, Node(None, None, 0, (EMPTY, EMPTY))).verify(table)


def test_every_node_is_looked_at():
    """The false side of the last one is all that is false."""
    point = Subtree(points=(2,))
    true = [
        Node(None, None, 0, (Subtree(1), Subtree(2))),
        Node(0, 0, 1, (point, point)),
        Node(0, 1, 1, (point, point)),
    ]
    tree(CUBE, 3, *true).verify(CUBE)
    for i, side in ((1, 0), (1, 1), (2, 0), (2, 1)):
        for false in (EMPTY, Subtree(points=(1,)), Subtree(points=(2, 2))):
            nodes = list(true)
            below = (false, point) if side == 0 else (point, false)
            nodes[i] = Node(0, i - 1, 1, below)
            with pytest.raises(
                BadCertificate, match=f"Node {i}, side {side} needs a set of size 1"
            ):
                tree(CUBE, 3, *nodes).verify(CUBE)


def test_nodes_are_drawn_below_their_parents_with_their_sides():
    drawn = tree(
        SINGLES,
        4,
        Node(None, None, 0, (Subtree(1), Subtree(2))),
        Node(0, 0, 1, (Subtree(3), Subtree(3, ()))),
        Node(0, 1, 1, (Subtree(3, ()), EMPTY)),
        Node(1, 0, 2, (EMPTY, Subtree(4))),
        Node(3, 1, 2, (EMPTY, EMPTY)),
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
        Node(0, 1, 1, (EMPTY, EMPTY)),
        Node(0, 0, 1, (EMPTY, EMPTY)),
    ).to_networkx()
    assert {(i, j): label for i, j, label in back.edges(data="label")} == {(0, 1): "1", (0, 2): "0"}


def test_one_edge_leads_to_a_node_that_both_sides_name_whatever_its_number():
    """Equal numbers beyond the small ones that Python keeps are different objects."""
    count = 300
    below = [(Subtree(int(str(i + 1))), Subtree(int(str(i + 1)), ())) for i in range(count - 1)]
    nodes = [
        Node(i - 1 if i else None, 0 if i else None, 0, both)
        for i, both in enumerate([*below, (EMPTY, EMPTY)])
    ]
    drawn = tree(SINGLES, count, *nodes).to_networkx()
    assert {label for _, _, label in drawn.edges(data="label")} == {"0, 1"}
