"""Estimates of the number of branches of a program, from random paths through its tree of draws."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from statistics import fmean
from typing import Any

from flint import ctx, fmpq

from learners.coins import Coins
from learners.exact.branches import PRECISION, ExactCoins, Probability, _Draw, _Dropped

GROUPS, PATHS = 4, 8
"""Number of independent estimates, and number of random paths in each of them."""
MOST_CHILDREN = 8
"""Largest number of outcomes of one draw from which a random path chooses."""
MOST_DRAWS = 1 << 13
"""Number of repeated draws after which a path ends early. The estimate is then too small."""


class _FirstNewDraw(ExactCoins):
    """Coins that repeat the draws of a path and end the run at the first draw after the path."""

    reached: _Draw | None = None

    def _branch(
        self,
        key: tuple[object, ...],
        options: tuple[tuple[object, Probability], ...],
        before: Probability,
        count: int | None = None,
    ) -> Any:
        super()._branch(key, options, before, count)
        self.reached = self._path.pop()
        self._drop(before)


def branch_estimate(
    run: Callable[[Coins], Any], *, tail: Fraction, max_branches: int, depth: int
) -> float:
    """Return an estimate of the number of branches of a run, which is rarely much too large.

    A branch is a sequence of outcomes of the draws of a run. The function follows random paths. At
    each draw, a path continues with a uniformly random outcome among the outcomes after which the
    run draws again. The outcomes after which the run ends are counted, multiplied by the estimated
    number of paths to this draw. So the mean of the estimate is at most the number of branches [D.
    E. Knuth, Estimating the efficiency of backtrack programs, Math. Comp. 29 (1975)]. By Markov's
    inequality, the smallest of four independent estimates exceeds c times the number of branches
    with a probability of at most c^-4. But the number of branches can be much larger than the
    estimate.

    Parameters
    ----------
    run, tail, max_branches, depth
        The arguments of `learners.exact.exact_distribution`.

    Examples
    --------
    >>> cut = {"tail": Fraction(1, 2**60), "max_branches": 1000, "depth": 512}
    >>> branch_estimate(lambda coins: [coins.below(2) for _ in range(40)], **cut) == 2.0**40
    True
    """
    tree = _Tree(run, tail, max_branches, depth)
    return min(fmean(_one_path(tree) for _ in range(PATHS)) for _ in range(GROUPS))


@dataclass
class _Tree:
    """The tree of the draws of a program, of which each place is visited once."""

    run: Callable[[Coins], Any]
    tail: Fraction
    max_branches: int
    depth: int
    random: random.Random = field(default_factory=lambda: random.Random(0))
    draws: int = 0
    _known: dict[tuple[int, ...], _Draw | None] = field(default_factory=dict)

    def after(self, path: list[_Draw]) -> _Draw | None:
        """Return the first draw after a path, or None if the run ends or is cut."""
        place = tuple(draw.chosen for draw in path)
        if place not in self._known:
            self._known[place] = self._visited(path)
        found = self._known[place]
        return None if found is None else replace(found)

    def _visited(self, path: list[_Draw]) -> _Draw | None:
        coins = _FirstNewDraw(fmpq(1), self.tail, self.max_branches, self.depth, _path=list(path))
        self.draws += len(path)
        with ctx.workprec(PRECISION), coins.explored():
            try:
                self.run(coins)
            except _Dropped:
                if not coins.is_cut:
                    raise  # the end of an exploration around this exploration
        coins.require_accepted()
        return coins.reached


def _one_path(tree: _Tree) -> float:
    """Return the estimate of one random path."""
    path: list[_Draw] = []
    draw, weight, ends = tree.after(path), 1.0, 0.0
    if draw is None:
        return 1.0
    most = tree.draws + MOST_DRAWS
    while draw is not None and tree.draws < most:
        path.append(draw)
        chosen: Iterable[int] = range(draw.count)
        if draw.count > MOST_CHILDREN:
            chosen = tree.random.sample(range(draw.count), MOST_CHILDREN)
        share = draw.count / min(draw.count, MOST_CHILDREN)
        inner = []
        for draw.chosen in chosen:
            following = tree.after(path)
            if following is None:
                ends += weight * share
            else:
                inner.append((draw.chosen, following))
        if not inner:
            break
        weight *= share * len(inner)
        path[-1].chosen, draw = tree.random.choice(inner)
    return ends
