"""Membership queries together with equivalence queries, and the learner that asks majorities.

Counted as in `lsclasses.dimensions.queries`: no query is spent on confirming the last concept.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

from catalog.parameters.base import PAIRS, PROJECTED, Numbers, parameter, searched
from lsclasses.dimensions.queries import QueryGame
from lsclasses.limits import Limit, Meter, tick
from lsclasses.table import Table


class WithMembership(QueryGame):
    """The game of membership queries and equivalence queries with any labelling."""

    what = "the number of membership and equivalence queries"

    def _is_solved(self, space: int, price: int) -> bool:
        # A proposed label is denied by the answer that leaves the other one. So a point is no
        # danger to a hypothesis if the space of one label is solved, and worth asking if both are.
        safe = True
        for zeros, ones in self.splits(space):
            denied = self.is_solved(zeros, price - 1)
            if denied and self.is_solved(ones, price - 1):
                return True
            safe = safe and (denied or self.is_solved(ones, price - 1))
        return safe


@searched("membership and equivalence query complexity", "Q_meq", PAIRS, reference="Angluin 1988")
def membership_equivalence_queries(table: Table, limit: Limit | None) -> int:
    """The least number of queries that identify every concept, if each may be a membership query
    or an equivalence query with any labelling of all points; none has to confirm the last concept.
    """
    return WithMembership(table, Meter(limit)).value(None)


class ProperWithMembership(QueryGame):
    """The game of membership queries and equivalence queries with concepts."""

    what = "the number of membership and proper equivalence queries"

    def _is_solved(self, space: int, price: int) -> bool:
        # Concepts that are not left are worth no proposal: an answer may say what is known.
        good = space
        for zeros, ones in self.splits(space):
            denied = self.is_solved(zeros, price - 1), self.is_solved(ones, price - 1)
            if all(denied):
                return True
            good &= ones if denied[0] else zeros if denied[1] else 0
        return bool(good)


@searched(
    "membership and proper equivalence query complexity", "Q_mpeq", PAIRS, reference="Angluin 1988"
)
def membership_proper_equivalence_queries(table: Table, limit: Limit | None) -> int:
    """The least number of queries that identify every concept, if each may be a membership query
    or an equivalence query with a concept of the class; none has to confirm the last concept.
    """
    return ProperWithMembership(table, Meter(limit)).value(None)


@searched("projected membership query complexity", "Q_m^p", PROJECTED)
def projected_membership_queries(table: Table, limit: Limit | None) -> int:
    """The largest number of membership queries over all projections to sets of points."""
    points = table.points
    sets = (chosen for k in range(1, len(points) + 1) for chosen in combinations(points, k))
    return max((table.project(each).membership_queries(limit=limit) for each in sets), default=0)


@parameter("majority complexity", "Maj", PROJECTED, reference="Angluin 1988; Littlestone 1988")
def majority_queries(numbers: Numbers, points: int) -> int:
    """The largest number of counterexamples to the learner that proposes at each point the label
    of most concepts that are left; where both labels have as many, either may be proposed.

    A counterexample leaves a side of at most half of the concepts, so that this is the length of
    the longest chain of such sides, and at most log2 of the number of concepts.
    """

    @cache
    def longest(left: Numbers) -> int:
        tick()
        best = 0
        for j in range(points):
            ones = frozenset(c for c in left if c >> j & 1)
            for side in (ones, left - ones):
                if side and 2 * len(side) <= len(left):
                    best = max(best, 1 + longest(side))
        return best

    return longest(numbers)
