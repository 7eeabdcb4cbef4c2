"""What shows the values of parameters: sets, orders, plans and strategies, found by search.

Each function takes a class and the value of the parameter, and gives the parts of its evidence by
names of points and concepts. Sets of points and concepts are masks here; the checks in
`catalog.parameters.definitions` read the labels instead.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from catalog.parameters.base import Numbers, numbers_in_order, projections, subsets
from catalog.parameters.compression import orders
from catalog.parameters.distances import effective_points
from catalog.parameters.queries import ProperWithMembership, WithMembership
from catalog.parameters.shattering import order_shattered_size
from catalog.parameters.teaching import Size, positive_size, teaching_size
from lsclasses.dimensions.compression import compression_scheme
from lsclasses.limits import Limit, Meter
from lsclasses.points import Point
from lsclasses.searching.bitsets import members
from lsclasses.table import Table

Parts = Mapping[str, Any]


class Named:
    """A class by the numbers of its concepts, with the names of what is found.

    Parameters
    ----------
    table : Table
    limit : Limit or None
        What searches may use.
    """

    def __init__(self, table: Table, limit: Limit | None) -> None:
        self.table, self.limit = table, limit
        self.rows = numbers_in_order(table)
        self.numbers: Numbers = frozenset(self.rows)
        self.n = len(table.points)

    def points(self, mask: int) -> tuple[Point, ...]:
        return tuple(self.table.points[j] for j in members(mask))

    def concept(self, number: int) -> Point:
        return self.table.concept_name(self.rows.index(number))

    def concepts(self, numbers: Iterator[int] | list[int]) -> tuple[Point, ...]:
        return tuple(map(self.concept, numbers))

    def sample(self, mask: int, labels: int) -> tuple[tuple[Point, int], ...]:
        return tuple((self.table.points[j], labels >> j & 1) for j in members(mask))

    def sets(self, good: Callable[[int], bool]) -> Iterator[int]:
        """The sets of points for which something holds."""
        return (s for s in subsets(self.n) if good(s))

    def shown(self, s: int) -> frozenset[int]:
        return frozenset(c & s for c in self.numbers)

    def concept_with(self, s: int, pattern: int) -> int:
        """A concept that has a pattern on a set of points."""
        return next(c for c in self.rows if c & s == pattern)

    def parts(self) -> Iterator[tuple[int, Numbers, int]]:
        """The sets of points, with the projection to each and its number of points."""
        masks = (
            sum(1 << j for j in chosen)
            for size in range(self.n + 1)
            for chosen in itertools.combinations(range(self.n), size)
        )
        for s, (numbers, points) in zip(masks, projections(self.numbers, self.n), strict=True):
            yield s, numbers, points

    def lifted(self, s: int, number: int) -> int:
        """A concept whose projection to a set of points has that number."""
        spread = sum(1 << j for i, j in enumerate(members(s)) if number >> i & 1)
        return self.concept_with(s, spread)


# ---- distances


def differing(C: Named, value: int) -> Parts:
    moving = list(members(effective_points(C.numbers)))
    zeros, ones = (
        C.concepts([next(c for c in C.rows if c >> j & 1 == y) for j in moving]) for y in (0, 1)
    )
    return {"points": tuple(C.table.points[j] for j in moving), "zeros": zeros, "ones": ones}


def far_apart(C: Named, value: int, *, oriented: bool = False) -> Parts:
    for pair in itertools.product(C.rows, repeat=2):
        apart = ~pair[0] & pair[1] if oriented else pair[0] ^ pair[1]
        if apart.bit_count() == value:
            return {"points": C.points(apart), "concepts": C.concepts(list(pair))}
    raise AssertionError("two concepts are that far apart")


def ball(C: Named, value: int) -> Parts:
    centre = next(s for s in subsets(C.n) if all((c ^ s).bit_count() <= value for c in C.rows))
    return {"sample": C.sample(2**C.n - 1, centre)}


def _least(C: Named, value: int, good: Callable[[int], bool]) -> Parts:
    return {"points": C.points(next(C.sets(lambda s: s.bit_count() == value and good(s))))}


def telling_apart(C: Named, value: int) -> Parts:
    return _least(C, value, lambda s: len(C.shown(s)) == len(C.rows))


# ---- chains and shattering


def unflipped_chain(C: Named, value: int) -> Parts:
    found = chain(C, value, flips=(0,))
    return {name: found[name] for name in ("points", "concepts")}


def chain(C: Named, value: int, flips: tuple[int, ...] | None = None) -> Parts:
    for flip in subsets(C.n) if flips is None else flips:
        for s in C.sets(lambda s: s.bit_count() == value):
            shown = {c & s for c in (c ^ flip for c in C.rows)}
            order = _order(shown, s, 0)
            if 0 in shown and order is not None:
                steps = [sum(1 << j for j in order[:k]) ^ flip & s for k in range(value + 1)]
                return {
                    "points": tuple(C.table.points[j] for j in order),
                    "concepts": C.concepts([C.concept_with(s, step) for step in steps]),
                    "flipped": C.points(flip & s),
                }
    raise AssertionError("there is a chain of that length")


def _order(shown: set[int], s: int, reached: int) -> tuple[int, ...] | None:
    """An order in which points are added one by one, each time to a pattern that is shown."""
    if reached == s:
        return ()
    for j in members(s & ~reached):
        if reached | 1 << j in shown:
            rest = _order(shown, s, reached | 1 << j)
            if rest is not None:
                return (j, *rest)
    return None


def _is_shattered(C: Named, s: int) -> bool:
    return len(C.shown(s)) == 1 << s.bit_count()


def shattered(C: Named, value: int) -> Parts:
    return _least(C, value, partial(_is_shattered, C))


def shattered_sets(C: Named, value: int) -> Parts:
    return {"sets": tuple(map(C.points, C.sets(partial(_is_shattered, C))))}


def not_shattered(C: Named, value: int) -> Parts:
    moving = effective_points(C.numbers)
    for s in C.sets(lambda s: s.bit_count() == value + 1 and not s & ~moving):
        shown = C.shown(s)
        if not _is_shattered(C, s):
            missing = next(p for p in subsets(C.n) if not p & ~s and p not in shown)
            return {"sample": C.sample(s, missing)}
    return {"sample": ()}


def subcube(C: Named, value: int) -> Parts:
    for s in C.sets(lambda s: s.bit_count() == value):
        inside = [t for t in subsets(C.n) if not t & ~s]
        for c in C.rows:
            if all(c ^ t in C.numbers for t in inside):
                return {"points": C.points(s), "concept": C.concept(c)}
    raise AssertionError("there is a subcube of that dimension")


def order_shattered(C: Named, value: int) -> Parts:
    for order in itertools.permutations(range(C.n)):
        if order_shattered_size(C.numbers, order) == value:
            return {"points": tuple(C.table.points[j] for j in order)}
    raise AssertionError("an order has that value")


# ---- degrees


def positive_neighbours(C: Named, value: int) -> Parts:
    for c in C.rows:
        below = [c ^ 1 << j for j in members(c) if c ^ 1 << j in C.numbers]
        if len(below) == value:
            return {"concept": C.concept(c), "concepts": C.concepts(below)}
    raise AssertionError("a concept has that many neighbours below")


def _neighbours(numbers: Numbers, points: int, c: int) -> list[int]:
    return [c ^ 1 << j for j in range(points) if c ^ 1 << j in numbers]


def projected_neighbours(C: Named, value: int) -> Parts:
    for s, numbers, points in C.parts():
        for c in sorted(numbers):
            around = _neighbours(numbers, points, c)
            if len(around) == value:
                return {
                    "points": C.points(s),
                    "concept": C.concept(C.lifted(s, c)),
                    "concepts": C.concepts([C.lifted(s, d) for d in around]),
                }
    raise AssertionError("a projection has that degree")


def _projection(C: Named, good: Callable[[Numbers, int], bool]) -> Parts:
    return {"points": C.points(next(s for s, numbers, n in C.parts() if good(numbers, n)))}


def projected_degrees(C: Named, value: int) -> Parts:
    return _projection(
        C, lambda numbers, n: min(len(_neighbours(numbers, n, c)) for c in numbers) == value
    )


def projected_edges(C: Named, value: Fraction) -> Parts:
    def good(numbers: Numbers, n: int) -> bool:
        return sum(len(_neighbours(numbers, n, c)) for c in numbers) == value * len(numbers)

    return _projection(C, good)


# ---- teaching


def taught(C: Named, value: int) -> Parts:
    for c in C.rows:
        for s in C.sets(lambda s: s.bit_count() == value):
            if all((c ^ d) & s for d in C.rows if d != c):
                return {"concept": C.concept(c), "points": C.points(s)}
    raise AssertionError("a concept is taught by that many points")


def projected_untaught(C: Named, value: int) -> Parts:
    return _projection(
        C, lambda numbers, n: min(teaching_size(c, numbers, n) for c in numbers) == value
    )


def _core(size: Size, numbers: Numbers, points: int, value: int) -> Numbers:
    """The concepts that are left if those that take fewer than `value` points go, repeatedly."""
    left = numbers
    while gone := {c for c in left if size(c, left, points) < value}:
        left = left - gone
    return left


def projected_core(C: Named, value: int) -> Parts:
    for s, numbers, points in C.parts():
        if core := _core(teaching_size, numbers, points, value):
            concepts = [C.lifted(s, c) for c in sorted(core)]
            return {"points": C.points(s), "concepts": C.concepts(concepts)}
    raise AssertionError("a projection has that dimension")


def positive_core(C: Named, value: int) -> Parts:
    core = _core(positive_size, C.numbers, C.n, value)
    return {"concepts": C.concepts([c for c in C.rows if c in core])}


def positive_teaching(C: Named, value: int) -> Parts:
    return {
        "concept": C.concept(next(c for c in C.rows if positive_size(c, C.numbers, C.n) == value))
    }


def hitting(C: Named, value: int) -> Parts:
    return _least(C, value, lambda s: all(c & s for c in C.rows if c))


# ---- queries


def strategy(C: Named, value: int, *, proper: bool = False) -> Parts:
    """A strategy as a tree: what is asked or proposed, and how it goes on after each answer.

    A question about a point has two strategies after it; a proposal has one for each point that may
    be a counterexample. A leaf is the name of the concept that is left.
    """
    game = (ProperWithMembership if proper else WithMembership)(C.table, Meter(C.limit))
    columns = C.table.column_bits

    def plan(space: int, price: int) -> tuple[Any, ...]:
        if not space & (space - 1):
            return ("concept", *(C.table.concept_name(i) for i in members(space)))
        sides = [(space & ~column, space & column) for column in columns]
        solved = [[game.is_solved(side, price - 1) for side in both] for both in sides]
        for x, both, is_solved in zip(C.table.points, sides, solved, strict=True):
            if all(both) and all(is_solved):
                return ("ask", x, *(plan(side, price - 1) for side in both))
        # A label may be proposed where what is left, if it is denied, is solved.
        proposals: list[tuple[Any, list[int]]] = (
            [(C.table.concept_name(i), [c >> i & 1 for c in columns]) for i in members(space)]
            if proper
            else [(tuple(labels := [int(denied) for denied, _ in solved]), labels)]
        )
        for what, labels in proposals:
            left = [both[1 - y] for y, both in zip(labels, sides, strict=True)]
            if all(game.is_solved(side, price - 1) for side in left):
                named = zip(C.table.points, left, strict=True)
                return ("propose", what, tuple((x, plan(p, price - 1)) for x, p in named if p))
        raise AssertionError("a version space that is solved has a query")

    return {"strategy": plan((1 << len(C.rows)) - 1, value)}


def projected_queries(C: Named, value: int) -> Parts:
    for s in C.sets(bool):
        if C.table.project(C.points(s)).membership_queries() == value:
            return {"points": C.points(s)}
    return {"points": ()}


def majorities(C: Named, value: int) -> Parts:
    def longest(left: Numbers, length: int) -> list[tuple[int, int]] | None:
        if not length:
            return []
        for j, y in itertools.product(range(C.n), (0, 1)):
            side = frozenset(c for c in left if c >> j & 1 == y)
            if side and 2 * len(side) <= len(left):
                rest = longest(side, length - 1)
                if rest is not None:
                    return [(j, y), *rest]
        return None

    found = longest(C.numbers, value)
    assert found is not None
    return {"sample": tuple((C.table.points[j], y) for j, y in found)}


# ---- sample compression


def scheme(labelled: bool, proper: bool, stable: bool) -> Callable[..., Parts]:
    """What finds a scheme of a kind."""

    def find(C: Named, value: int) -> Parts:
        found = compression_scheme(
            C.table, labelled=labelled, proper=proper, stable=stable, limit=C.limit
        )
        place = {x: j for j, x in enumerate(C.table.points)}

        def sort(kept: Any) -> tuple[Any, ...]:
            if labelled:
                return tuple(sorted(kept, key=lambda each: place[each[0]]))
            return tuple(sorted(kept, key=place.__getitem__))

        def sample(each: Any) -> tuple[Any, ...]:
            return tuple(sorted(each, key=lambda example: place[example[0]]))

        pairs = sorted(
            ((sample(s), sort(kept)) for s, kept in found.compressed.items()),
            key=lambda pair: (len(pair[0]), [(place[x], y) for x, y in pair[0]]),
        )
        return {
            "compressed": tuple(pairs),
            "rebuilt": tuple((sort(kept), labels) for kept, labels in found.rebuilt.items()),
        }

    return find


def order(C: Named, value: int) -> Parts:
    found = _order_for(C, value, proper=False)
    return {"labellings": tuple(tuple(h >> j & 1 for j in range(C.n)) for h in found)}


def order_of_concepts(C: Named, value: int) -> Parts:
    return {"concepts": C.concepts(list(_order_for(C, value, proper=True)))}


def _order_for(C: Named, value: int, *, proper: bool) -> tuple[int, ...]:
    found = orders(C.table, C.limit, proper=proper).order(value)
    assert found is not None
    return found
