"""Disjoint unions of domains, whose points are pairs ``(i, x)``: the point x of the i-th part."""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import numpy as np

from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput
from lsclasses.points import Point
from lsclasses.sampling import uniform_below


class TaggedUnion(Domain):
    """The disjoint union of domains: points ``(i, x)``, where x is a point of the i-th part.

    Finite parts come first in the order of points, infinite ones take turns after them.

    Parameters
    ----------
    *parts : Domain
        One or more, in the order of their numbers.

    Raises
    ------
    InvalidInput
        If there is no part.

    Examples
    --------
    >>> from lsclasses import FiniteDomain, IntegerRange
    >>> X = TaggedUnion(IntegerRange(0, 2), FiniteDomain("a"))
    >>> list(X), (1, "a") in X, (0, "a") in X
    ([(0, 0), (0, 1), (1, 'a')], True, False)
    """

    __slots__ = ("parts",)

    def __init__(self, *parts: Domain) -> None:
        if not parts:
            raise InvalidInput("A union of domains needs at least one part. Got none.")
        self.parts = parts

    @property
    def size(self) -> int | None:
        """The number of points; None when there are infinitely many."""
        sizes = [part.size for part in self.parts]
        return None if None in sizes else sum(size for size in sizes if size is not None)

    def __contains__(self, x: object) -> bool:
        if not (isinstance(x, tuple) and len(x) == 2 and isinstance(x[0], (int, np.integer))):
            return False
        i = int(x[0])
        return 0 <= i < len(self.parts) and x[1] in self.parts[i]

    def __iter__(self) -> Iterator[Point]:
        tagged = [zip(itertools.repeat(i), part) for i, part in enumerate(self.parts)]
        infinite = self._turns()
        for i, points in enumerate(tagged):
            if i not in infinite:
                yield from points
        while infinite:
            for i in infinite:
                yield next(tagged[i])

    def require(self, x: Any) -> Point:
        """The point that equals `x`; see `Domain.require`."""
        if type(x) is tuple and len(x) == 2 and type(x[0]) is int and 0 <= x[0] < len(self.parts):
            return x[0], self.parts[x[0]].require(x[1])
        i, point = part_and_point(self._member(x))
        return int(i), self.parts[int(i)].require(point)

    def _starts(self) -> list[int]:
        """The positions where finite parts begin; for infinite ones, where their turns begin."""
        finite = [part.size or 0 for part in self.parts]
        return list(itertools.accumulate(finite, initial=0))

    def _turns(self) -> list[int]:
        """The infinite parts, which take turns."""
        return [i for i, part in enumerate(self.parts) if part.size is None]

    def _position(self, x: Point) -> int:
        i, point = part_and_point(x)
        starts, turns = self._starts(), self._turns()
        if i not in turns:
            return starts[i] + self.parts[i]._position(point)
        return starts[-1] + len(turns) * self.parts[i]._position(point) + turns.index(i)

    def _at(self, i: int) -> Point:
        starts, turns = self._starts(), self._turns()
        if i >= starts[-1]:
            later, turn = divmod(i - starts[-1], len(turns))
            return turns[turn], self.parts[turns[turn]]._at(later)
        part = bisect_right(starts, i) - 1
        return part, self.parts[part]._at(i - starts[part])

    def _key(self) -> Hashable:
        return self.parts

    def _sample(self, rng: np.random.Generator) -> Point:
        i = chosen_by_size(rng, [part.size or 0 for part in self.parts])
        return i, self.parts[i].sample(rng)

    def __repr__(self) -> str:
        return f"TaggedUnion({', '.join(map(repr, self.parts))})"


def chosen_by_size(rng: np.random.Generator, sizes: Sequence[int]) -> int:
    """A random position, with probability proportional to the sizes."""
    ends = list(itertools.accumulate(sizes))
    return bisect_right(ends, uniform_below(rng, ends[-1]))


def part_and_point(x: Point) -> tuple[int, Point]:
    """A point of a union: the number of its part, and the point there."""
    assert isinstance(x, tuple)
    return x[0], x[1]
