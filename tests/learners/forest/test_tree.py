"""Trees of a forest: the law of the paper, invariants, equality."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog
from learners.coins import Coins, SeededCoins
from learners.exact import exact_distribution
from learners.forest.tree import Pair, Pertinent, Tree, checked_leaves
from lsclasses.soa import SOA, ConservativeSOA
from lsclasses.table import Table
from tests.learners.privacy_checks import assert_same
from tests.strategies import tables

SMALL = Table([[0, 0], [0, 1], [1, 1]])
STREAMS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 1)), max_size=30)


# ---- [GL21, Alg 1] line by line, on one tree


@dataclass
class Naive:
    """Vertices are numbered from the root, 1, to the leaves; sequences as in the paper."""

    base: SOA
    leaves: int
    sequences: dict[int, Any] = field(default_factory=dict)
    pertinent: set[int] = field(default_factory=set)
    shown: Any = None

    def __post_init__(self) -> None:
        for leaf in range(self.leaves, 2 * self.leaves):
            self.sequences[leaf] = ()
            self.pertinent.add(leaf)
        self.shown = self.learned(())

    def learned(self, sequence: Any) -> Any:
        """A(S)."""
        state = self.base
        for x, y in sequence:
            state = state.observe(x, y)
        return state.hypothesis

    def receive(self, x: Any, y: int, coins: Coins) -> None:
        leaf = self.leaves + coins.below(self.leaves)
        if not self.pertinent:  # the tree shows nothing any more
            return
        v = leaf
        while v not in self.pertinent:
            v //= 2
        if v == 1:
            return
        self.sequences[v] = (*self.sequences[v], (x, y))
        merged = False
        while v != 1:
            sibling = v ^ 1
            if sibling not in self.pertinent:
                break
            f, g = self.learned(self.sequences[v]), self.learned(self.sequences[sibling])
            if f == g:
                break
            point = min(p for p in self.base.domain if f(p) != g(p))
            guess = coins.below(2)
            loser = v if f(point) != guess else sibling
            self.sequences[v // 2] = (*self.sequences[loser], (point, guess))
            self.pertinent -= {v, sibling}
            v //= 2
            self.pertinent.add(v)
            merged = True
        if not merged:
            return
        pairs = [v for v in self.pertinent if v % 2 == 0 and v + 1 in self.pertinent]
        if pairs:
            chosen = sorted(pairs)[coins.below(len(pairs))]
            self.shown = self.learned(self.sequences[chosen])
        else:
            self.shown, self.pertinent = None, set()

    def said(self) -> tuple[Any, int]:
        return self.shown and self.shown.canonical(), len(self.pertinent)


@pytest.mark.parametrize(
    ("base", "leaves"),
    [
        (SOA(SMALL), 2),
        (ConservativeSOA(SMALL), 2),
        (ConservativeSOA(SMALL), 4),
        (SOA(Table([[0], [1]])), 2),
        pytest.param(SOA(SMALL), 4, marks=pytest.mark.slow),
    ],
)
def test_a_tree_has_the_law_of_the_paper(base, leaves):
    last = (0, 1) if base.domain.size == 1 else (1, 0)
    for stream in ([(0, 1)] * 3, [(0, 1), last, (0, 1)], [(0, 0), last, (0, 1)]):

        def naive(coins, stream=stream):
            tree = Naive(base, leaves)
            for x, y in stream:
                tree.receive(x, y, coins)
            return tree.said()

        def built(coins, stream=stream):
            tree = Tree.of(base, leaves)
            for x, y in stream:
                tree = tree.after(x, y, coins)
            return tree.shown, tree.pertinent

        assert_same(exact_distribution(naive), exact_distribution(built))


# ---- what is always true


def heights(tree: Tree, leaves: int) -> list[tuple[int, Pertinent]]:
    return [(leaves.bit_length() - 1 - depth, vertex) for depth, vertex in tree.vertices()]


@dataclass(frozen=True)
class Tallying(SOA):
    """The SOA with a tally of its mistakes."""

    tally: int = 0

    def _observe(self, x, y):
        after = SOA(self.version_space, self.patches, self.realizable)._observe(x, y)
        tally = self.tally + (self._predict(x) != y)
        return Tallying(after.version_space, after.patches, after.realizable, tally=tally)


@given(tables(max_points=5), st.sampled_from([2, 4, 8]), STREAMS, st.integers(0, 99))
def test_invariants_of_a_tree(C, leaves, stream, seed):
    tree, coins = Tree.of(Tallying(C), leaves), SeededCoins(seed)
    for x, y in stream:
        if x not in C.domain:
            continue
        before, tree = tree, tree.after(x, y, coins)
        assert tree.pertinent <= before.pertinent
        if tree.root is None:
            assert tree.shown is None
            assert tree.after(x, y, coins) is tree
            break
        found = heights(tree, leaves)
        # Every leaf is below exactly one of them.
        assert sum(1 << height for height, _ in found) == leaves
        # Who stands at height j was made to err j times.
        assert all(vertex.state.tally >= height for height, vertex in found)
        if tree.pertinent == before.pertinent:
            assert tree.shown == before.shown
        pairs = list(colliding(tree.root))
        assert pairs
        for pair in pairs:
            one, other = (child.state.hypothesis for child in pair.children)
            assert one == other
        assert tree.shown in [pair.children[0].state.hypothesis for pair in pairs]


def colliding(vertex):
    if isinstance(vertex, Pair):
        if vertex.collides:
            yield vertex
        for child in vertex.children:
            yield from colliding(child)


# ---- when two are one, and what changes nothing


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


def test_trees_that_differ_in_the_order_of_children_are_equal() -> None:
    left, right = Pair(Pair(ONE, OTHER), OTHER), Pair(OTHER, Pair(OTHER, ONE))
    assert left == right and hash(left) == hash(right)
    assert left != Pair(Pair(ONE, ONE), OTHER)
    assert Tree(left, None) == Tree(right, None)


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
    for leaves in (2, 4, 2**16):
        assert checked_leaves(leaves) == leaves
