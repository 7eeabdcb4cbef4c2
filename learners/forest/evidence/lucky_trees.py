"""Lucky trees: those that guess every label as the target says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import comb

from flint import arb

import catalog
from learners.balls import ball, log
from learners.coins import Coins
from learners.exact import exact_distribution
from learners.forest.tree import Tree
from lsclasses.hypothesis import Hypothesis
from lsclasses.online import MistakeBounded
from lsclasses.points import Label, Point
from lsclasses.soa import ConservativeSOA


class _Unlucky(Exception):
    """The error of a wrong guess."""


@dataclass(frozen=True)
class _Guarded(MistakeBounded):
    """A base learner that accepts the target's labels only: a wrong guess is an error."""

    state: MistakeBounded
    target: Hypothesis

    @property
    def hypothesis(self) -> Hypothesis:
        return self.state.hypothesis

    @property
    def mistake_bound(self) -> int | None:
        return self.state.mistake_bound

    def _observe(self, x: Point, y: Label) -> _Guarded:
        if y != self.target(x):
            raise _Unlucky
        return replace(self, state=self.state._observe(x, y))


def lucky_trees(base: MistakeBounded, target: Hypothesis, leaves: int) -> list[Tree]:
    """All states of a lucky tree, over all streams of the target's examples."""
    first = Tree.of(_Guarded(base, target), leaves)
    seen, found = {first}, [first]

    def learned(tree: Tree, x: Point, coins: Coins) -> Tree | None:
        try:
            return tree.after(x, target(x), coins)
        except _Unlucky:
            return None

    for tree in found:
        for x in base.domain:
            for after in exact_distribution(partial(learned, tree, x)):
                if after is not None and after not in seen:
                    seen.add(after)
                    found.append(after)
    return found


def too_few(trees: int, chance: Fraction, share: Fraction) -> arb:
    """An upper bound on P[less than this share of k_2 trees], if each has this probability."""
    if share >= chance:
        return arb(1)
    if trees <= 200:
        below = -(-trees * share.numerator // share.denominator)
        return ball(
            sum(
                (comb(trees, j) * chance**j * (1 - chance) ** (trees - j) for j in range(below)),
                Fraction(0),
            )
        )
    # Chernoff
    rest = 1 - share
    apart = ball(share) * log(share / chance) + ball(rest) * log(rest / (1 - chance))
    return (-trees * apart).exp()


def seen_in(spec: str, leaves: int) -> Iterator[list[Tree]]:
    """The lucky trees of every target of a class, with the conservative SOA as base."""
    C = catalog.build(spec).to_table()
    for target in C:
        yield lucky_trees(ConservativeSOA(C), target, leaves)


def rarest(spec: str, leaves: int) -> Fraction:
    """A lower bound on the share of lucky trees that show one hypothesis, for the worst target.

    All lucky trees show one of these, so the share is at least one over their number; and nothing
    is known if some show none.
    """
    names = [{tree.shown for tree in trees} for trees in seen_in(spec, leaves)]
    return min(Fraction(0) if None in shown else Fraction(1, len(shown)) for shown in names)
