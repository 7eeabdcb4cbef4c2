"""What the checks of the forest rest on, held against runs."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

import catalog
from learners.balls import ball
from learners.coins import SeededCoins
from learners.forest.evidence.instances import lucky_trees, rarest, too_few
from learners.forest.tree import Tree
from lsclasses.soa import ConservativeSOA

POINTS = catalog.build("points:n=3").to_table()


@pytest.mark.parametrize("leaves", [2, 4])
def test_lucky_trees_are_those_that_runs_reach(leaves):
    """Games of which every guess was right reach no other state, and most of them."""
    target = next(iter(POINTS))
    listed = {
        tuple(sorted((d, tuple(map(v.state.hypothesis, POINTS.domain))) for d, v in t.vertices()))
        for t in lucky_trees(ConservativeSOA(POINTS), target, leaves)
    }
    reached = set()
    for seed in range(200):
        coins = SeededCoins(seed)
        tree = Tree.of(ConservativeSOA(POINTS), leaves)
        for _ in range(12):
            x = coins.below(3)
            tree = tree.after(x, target(x), coins)
            found = list(tree.vertices())
            if any(not v.state.realizable or target not in v.state.version_space for _, v in found):
                break
            if tree.root is None:
                # Whether the last guess was right is not seen; with 2 leaves both end it.
                break
            reached.add(
                tuple(sorted((d, tuple(map(v.state.hypothesis, POINTS.domain))) for d, v in found))
            )
    assert reached <= listed
    assert len(reached) >= 0.8 * len(listed - {()})


def test_every_lucky_tree_of_enough_leaves_shows_something():
    assert rarest("points:n=3", 4) == Fraction(1, 2)
    assert rarest("points:n=3", 2) == 0
    # Two mistakes need eight leaves.
    assert rarest("thresholds:n=3", 4) == 0 < rarest("thresholds:n=2", 4)


def test_tails_are_no_less_than_those_of_the_law():
    chance, share = Fraction(1, 3), Fraction(1, 4)
    exact = sum(Fraction(comb(400, j) * 2 ** (400 - j), 3**400) for j in range(100))
    assert ball(exact) <= too_few(400, chance, share) < 50 * ball(exact)
    assert too_few(1, chance, share).overlaps(ball(Fraction(2, 3)))
    assert too_few(9, share, chance) == 1
