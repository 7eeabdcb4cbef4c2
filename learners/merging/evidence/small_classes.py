"""All classes on a few points, with their trees, by definition.

The module recomputes lemmas of `docs/merging.md`. It shares no function with
`lsclasses.dimensions.decompositions`. A class on n points is a bit mask of the 2^n labellings. A
labelling is an integer from 0 to 2^n - 1 whose bit x is the label at x.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

Rule = int
"""A function from the points to labels, as a labelling."""


class AllClasses:
    """The classes on n points as bit masks of labellings.

    Parameters
    ----------
    points : int
        Number n of points, at most 4.

    Examples
    --------
    >>> classes = AllClasses(2)
    >>> classes.whole, classes.ldim(0b0111), classes.depth(0b1111, 0), classes.soa(0b1000)
    (15, 1, 2, 3)
    """

    def __init__(self, points: int) -> None:
        self.points, self.whole = range(points), (1 << (1 << points)) - 1
        self._ones = [sum(1 << h for h in range(1 << points) if h >> x & 1) for x in self.points]
        # Each instance stores its values.
        self.ldim = cache(self._ldim)
        self.soa = cache(self._soa)
        self.depth = cache(self._depth)
        self.lists = cache(self._lists)

    def side(self, V: int, x: int, y: int) -> int:
        """Return the labellings of V with label y at x."""
        return V & self._ones[x] if y else V & ~self._ones[x]

    def sides(self, V: int) -> Iterator[tuple[int, int]]:
        """Yield both sides of every point."""
        for x in self.points:
            yield self.side(V, x, 0), self.side(V, x, 1)

    def _ldim(self, V: int) -> int:
        if not V:
            return -1
        split = (min(map(self.ldim, pair)) for pair in self.sides(V) if all(pair))
        return 1 + max(split, default=-1)

    def _soa(self, V: int) -> Rule:
        return sum(
            1 << x
            for x, (zero, one) in enumerate(self.sides(V))
            if self.ldim(one) > self.ldim(zero)
        )

    def _depth(self, V: int, t: int) -> int:
        """Return f(V, t), for t >= 0 or an empty class."""
        if self.ldim(V) <= t:
            return 0
        split = (max(self.depth(side, t) for side in pair) for pair in self.sides(V) if all(pair))
        return 1 + min(split)

    def trees(self, V: int, depth: int) -> Iterator[tuple[int, ...]]:
        """Yield the leaves of every tree over V of at most a depth."""
        yield (V,)
        if depth:
            for zero, one in self.sides(V):
                for leaves in self.trees(zero, depth - 1):
                    for others in self.trees(one, depth - 1):
                        yield leaves + others

    def _lists(self, V: int, t: int, depth: int) -> frozenset[frozenset[Rule]]:
        """Return the sets of SOAs at t-leaves, over all trees of a depth with leaves Ldim <= t."""
        if self.ldim(V) <= t:
            found = {frozenset({self.soa(V)} if self.ldim(V) == t else ())}
        else:
            found = set()
        if depth:
            for zero, one in self.sides(V):
                for rules in self.lists(zero, t, depth - 1):
                    found |= {rules | others for others in self.lists(one, t, depth - 1)}
        return frozenset(found)

    def irreducible(self, V: int, m: int) -> bool:
        """Return whether a nonempty class is m-irreducible."""
        return all(self.ldim(left) == self.ldim(V) for left in self.along(V, self.soa(V), m))

    def along(self, V: int, rule: Rule, m: int) -> set[int]:
        """Return the classes that labels of a rule at any m points leave."""
        found = {V}
        for _ in range(m):
            found = {self.side(each, x, rule >> x & 1) for each in found for x in self.points}
        return found

    def refuted(self, W: int) -> frozenset[Rule]:
        """Return the rules phi such that, for some point x, h(x) != phi(x) for all h in W."""
        return frozenset(
            rule
            for rule in range(1 << len(self.points))
            if any(not self.side(W, x, rule >> x & 1) for x in self.points)
        )

    def subclasses(self, V: int) -> Iterator[int]:
        """Yield the nonempty subclasses."""
        W = V
        while W:
            yield W
            W = (W - 1) & V
