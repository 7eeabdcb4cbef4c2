"""Shattered trees and sets of classes in closed form, level by level; and how they are drawn."""

from __future__ import annotations

from dataclasses import replace

import pytest

import catalog
from lsclasses import BadCertificate, InfiniteDimension, ProductClass, Table
from lsclasses.certificates import ShatteredSet, ShatteredTree, Subject

CHAIN = catalog.build("thresholds:n=7")
"""In closed form; its Littlestone dimension is 3."""
TREE = ShatteredTree.of(CHAIN)


def test_every_node_of_a_tree_in_closed_form_lies_on_a_path():
    """The tree without names is a proof; with another point at any one node it is none."""
    assert not isinstance(CHAIN, Table)
    nameless = replace(TREE, leaves=(None,) * 8)
    nameless.verify(CHAIN)
    for node, x in enumerate(TREE.points):
        for other in CHAIN.domain:
            if other != x:
                points = (*TREE.points[:node], other, *TREE.points[node + 1 :])
                with pytest.raises(BadCertificate, match="No concept agrees with the path"):
                    replace(nameless, points=points).verify(CHAIN)


def test_the_path_that_nobody_follows_is_told():
    same = replace(TREE, points=(3,) * 7, leaves=(None,) * 8)
    with pytest.raises(BadCertificate, match=r"No concept agrees with the path 001\."):
        same.verify(CHAIN)


def test_names_of_concepts_are_checked_in_a_class_in_closed_form_too():
    names = TREE.leaves
    assert None not in names
    TREE.verify(CHAIN)
    for i in range(8):
        for name, why in ((names[i - 1], "agrees with the path"), (None, "is not a concept")):
            leaves = (*names[:i], name, *names[i + 1 :])
            with pytest.raises(BadCertificate, match=why):
                replace(TREE, leaves=leaves).verify(CHAIN)


def test_trees_with_more_nodes_than_small_numbers_are_proofs():
    cube = catalog.build("cube:n=9").to_table()
    tree = ShatteredTree.of(cube)
    assert (len(tree.points), len(tree.leaves)) == (511, 512)
    tree.verify(cube)
    for shorter in (replace(tree, points=tree.points[:-1]), replace(tree, leaves=tree.leaves[1:])):
        with pytest.raises(BadCertificate, match="has 511 points and 512 leaves"):
            shorter.verify(cube)


def test_the_first_levels_are_a_tree_of_their_own():
    for depth in range(4):
        first = TREE.first(depth)
        first.verify(CHAIN)
        assert (first.depth, first.points) == (depth, TREE.points[: 2**depth - 1])
        assert first.leaves == tuple(TREE.leaves[i] for i in range(0, 8, 2 ** (3 - depth)))


def test_concepts_too_many_to_list_have_no_names():
    huge = catalog.build("thresholds:n=2^30")
    for depth in (0, 1, 3):
        tree = ShatteredTree.of(huge, depth)
        assert (len(tree.points), tree.leaves) == (2**depth - 1, (None,) * 2**depth)
        tree.verify(huge)


def test_a_set_is_drawn_as_the_tree_that_asks_its_points():
    square = Table([[0, 0], [0, 1], [1, 0], [1, 1]], domain="ab")
    drawn = ShatteredSet(Subject.of(square), ("a", "b")).to_networkx()
    nodes = [tuple(drawn.nodes[i].values()) for i in sorted(drawn)]
    assert nodes == [
        ("a", 0, "point"), ("b", 1, "point"), ("b", 1, "point"),
        *((labels, 2, "concept") for labels in ("00", "01", "10", "11")),
    ]  # fmt: skip
    edges = {(i, j): label for i, j, label in drawn.edges(data="label")}
    assert edges == {(0, 1): "0", (0, 2): "1", (1, 3): "0", (1, 4): "1", (2, 5): "0", (2, 6): "1"}
    alone = ShatteredSet(Subject.of(square), ()).to_networkx()
    assert dict(alone.nodes(data=True)) == {0: {"label": "", "layer": 0, "kind": "concept"}}


@pytest.mark.parametrize(
    "C",
    [
        catalog.build("thresholds:n=inf"),
        catalog.build("thresholds:n=inf").restrict(4, 0),
        ProductClass(catalog.build("points:n=3"), catalog.build("thresholds:n=inf")),
    ],
    ids=repr,
)
def test_an_infinite_dimension_has_trees_of_every_depth(C):
    """Each is a proof, and none without one of its points."""
    for depth in range(6):
        tree = C.shattered_tree(depth)
        assert (tree.depth, len(tree.points)) == (depth, 2**depth - 1)
        tree.verify(C)
    with pytest.raises(BadCertificate):
        replace(tree, points=(tree.points[0],) * 31).verify(C)
    with pytest.raises(InfiniteDimension, match="Choose a depth of at most 20"):
        C.shattered_tree()
