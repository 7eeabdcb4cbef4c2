"""Queries and mistakes: games between a learner and an oracle, as they are defined.

A learner knows the examples so far, and so which concepts are left; every game is played
out from there. Each class of concepts that can be left is looked at once.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import cache

from tests.oracles.dimensions import PlainClass, PlainConcept, points_of, restrict

Left = frozenset[PlainConcept]
PlainQuery = tuple[int | None, ...]
"""The label that is claimed at each point; None where nothing is claimed."""


def membership_queries(C: PlainClass) -> int:
    """The least number of points whose labels are asked until one concept is left (Angluin 1988).

    A point where all concepts agree is never worth asking. -1 for the empty class.

    Examples
    --------
    >>> membership_queries([(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)])
    2
    """

    @cache
    def needed(V: Left) -> int:
        if len(V) <= 1:
            return len(V) - 1
        return min(
            1 + max(needed(side) for side in sides)
            for x in points_of(V)
            if all(sides := [restrict(V, x, 0), restrict(V, x, 1)])
        )

    return needed(frozenset(C))


def queries_of(C: PlainClass, allowed: Callable[[Left], list[PlainQuery]]) -> int:
    """The least number of queries that claim labels, until one concept is left.

    The oracle says yes if all claims are right, else it names a point where the claim is wrong; any
    such point, so the worst one counts. A query that every answer leaves useless for some concept
    is never made.

    Parameters
    ----------
    C : collection of tuples
    allowed : callable
        The queries that a learner may make when it knows that the target is among the given ones.
    """

    @cache
    def needed(V: Left) -> int:
        if len(V) <= 1:
            return len(V) - 1
        costs = []
        for query in allowed(V):
            claimed = [x for x, y in enumerate(query) if y is not None]
            right = frozenset(c for c in V if all(c[x] == query[x] for x in claimed))
            wrong = [frozenset(c for c in V if c[x] != query[x]) for x in claimed]
            answers = [left for left in (right, *wrong) if left]
            if V not in answers:
                costs.append(1 + max(map(needed, answers)))
        return min(costs)

    return needed(frozenset(C))


def equivalence_queries(C: PlainClass) -> int:
    """The least number of equivalence queries, with any labelling of all points (Angluin 1988).

    Examples
    --------
    >>> equivalence_queries([(1, 0, 0), (0, 1, 0), (0, 0, 1)])
    1
    """
    every: list[PlainQuery] = list(itertools.product((0, 1), repeat=len(points_of(C))))
    return queries_of(C, lambda V: every)


def proper_equivalence_queries(C: PlainClass) -> int:
    """The least number of equivalence queries whose hypotheses are concepts of the class.

    Examples
    --------
    >>> proper_equivalence_queries([(1, 0, 0), (0, 1, 0), (0, 0, 1)])
    2
    """
    every: list[PlainQuery] = list(C)
    return queries_of(C, lambda V: every)


def partial_equivalence_queries(C: PlainClass) -> int:
    """The least number of queries that claim labels at some points (Maass and Turán 1992).

    Examples
    --------
    >>> partial_equivalence_queries([(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)])
    2
    """
    every = list(itertools.product((None, 0, 1), repeat=len(points_of(C))))
    return queries_of(C, lambda V: every)


# ---- mistakes


def self_directed_mistakes(C: PlainClass) -> int:
    """The least number of mistakes of a learner that chooses the points (Goldman and Sloan 1994).

    -1 for the empty class.

    Examples
    --------
    >>> self_directed_mistakes([(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)])
    1
    """

    @cache
    def mistakes(V: Left, unseen: frozenset[int]) -> int:
        if not V:
            return -1
        return min(
            (
                max((y != predicted) + mistakes(left, unseen - {x}) for y, left in answers(V, x))
                for x in unseen
                for predicted in (0, 1)
            ),
            default=0,
        )

    return mistakes(frozenset(C), frozenset(points_of(C)))


def answers(V: Left, x: int) -> list[tuple[int, Left]]:
    """The labels that a point can have, with what each leaves."""
    return [(y, left) for y in (0, 1) if (left := restrict(V, x, y))]


def mistakes_in_orders(C: PlainClass) -> list[int]:
    """The least numbers of mistakes of a learner that knows the order, for all orders of points."""

    @cache
    def mistakes(V: Left, order: tuple[int, ...]) -> int:
        if not V or not order:
            return 0 if V else -1
        return min(
            max((y != predicted) + mistakes(left, order[1:]) for y, left in answers(V, order[0]))
            for predicted in (0, 1)
        )

    return [mistakes(frozenset(C), order) for order in itertools.permutations(points_of(C))]


def best_order_mistakes(C: PlainClass) -> int:
    """The mistakes in the best order (Ben-David, Kushilevitz and Mansour 1997).

    -1 for the empty class.

    Examples
    --------
    >>> best_order_mistakes([(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)])
    1
    """
    return min(mistakes_in_orders(C))


def worst_order_mistakes(C: PlainClass) -> int:
    """The mistakes in the worst order (Ben-David, Kushilevitz and Mansour 1997).

    -1 for the empty class.

    Examples
    --------
    >>> worst_order_mistakes([(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)])
    2
    """
    return max(mistakes_in_orders(C))
