"""Trees of a forest: when two are one, what changes nothing, and how large they may be."""

from __future__ import annotations

import catalog
from learners.coins import SeededCoins
from learners.online.forest_tree import Pair, Pertinent, Tree, checked_leaves
from lsclasses.soa import ConservativeSOA

BASE = ConservativeSOA(catalog.build("points:n=4"))
LATER = BASE.observe(0, 1)
ONE, OTHER = Pertinent(BASE), Pertinent(LATER)


def test_trees_are_equal_if_vertices_and_what_is_shown_are_even_if_hashes_collide() -> None:
    first, later = BASE.hypothesis, LATER.hypothesis
    trees = [
        Tree(root, shown)
        for root in (Pair(ONE, ONE), Pair(ONE, OTHER), None)
        for shown in (first, later, None)
    ]
    again = [Tree(tree.root, tree.shown) for tree in trees]
    for collide in (False, True):
        for tree in (*trees, *again):
            tree._hash = 0 if collide else hash((tree.root, tree.shown))
        for i, tree in enumerate(trees):
            assert [tree == other for other in again] == [i == j for j in range(len(again))]


def test_vertices_are_equal_if_states_are_whatever_their_hashes_are() -> None:
    """Hashes that are one object, or equal and not one, or those of other states."""
    for number in (0, ONE._hash):
        one, again, later = Pertinent(BASE), Pertinent(BASE), Pertinent(LATER)
        one._hash = again._hash = later._hash = number
        assert one == again and one != later
    assert ONE == Pertinent(BASE) != OTHER


def test_an_example_that_teaches_nobody_changes_nothing_that_is_shown() -> None:
    """The pair that is shown is drawn after a merge, and not again before the next one."""
    root = Pair(Pair(ONE, ONE), Pair(OTHER, OTHER))
    for shown in (BASE.hypothesis, LATER.hypothesis):
        tree = Tree(root, shown.canonical())
        for seed in range(10):
            # All of them say 0 at the point 3.
            assert tree.after(3, 0, SeededCoins(seed)) is tree


def test_a_tree_has_from_2_to_65536_leaves() -> None:
    for bits in range(1, 17):
        assert checked_leaves(2**bits) == 2**bits
