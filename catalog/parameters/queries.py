"""Membership queries together with equivalence queries, and the learner that proposes majorities.

Queries are counted as in `lsclasses.dimensions.queries`: confirming the last concept is free.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cache, partial
from itertools import combinations
from typing import Any

from catalog.parameters.base import (
    PAIRS,
    PROJECTED,
    Named,
    Numbers,
    Parts,
    Pattern,
    evidence,
    not_a_label,
    parameter,
    pattern_on,
    patterns_on,
    searched,
    unknown_names,
)
from lsclasses.dimensions.definitions import Labels, Problem, listed
from lsclasses.dimensions.queries import QueryGame
from lsclasses.limits import Limit, Meter, tick
from lsclasses.point_names import Point, name_text
from lsclasses.searching.bitsets import members
from lsclasses.table import Table


class WithMembership(QueryGame):
    """The game of membership queries and equivalence queries with any labelling."""

    what = "the number of membership and equivalence queries"

    def _is_solved(self, space: int, price: int) -> bool:
        # The denial of a proposed label leaves the space of the other label. So a hypothesis may
        # propose at this point if the space of one label is solved. A query needs both.
        safe = True
        for zeros, ones in self.splits(space):
            denied = self.is_solved(zeros, price - 1)
            if denied and self.is_solved(ones, price - 1):
                return True
            safe = safe and (denied or self.is_solved(ones, price - 1))
        return safe


@searched("membership and equivalence query complexity", "Q_meq", PAIRS, reference="Angluin 1988")
def membership_equivalence_queries(table: Table, limit: Limit | None) -> int:
    """The least number of queries that identify every concept, if each query may be a membership
    query or an equivalence query with any labelling of all points. A query that only confirms the
    last remaining concept is not counted.
    """
    return WithMembership(table, Meter(limit)).value(None)


class ProperWithMembership(QueryGame):
    """The game of membership queries and equivalence queries with concepts."""

    what = "the number of membership and proper equivalence queries"

    def _is_solved(self, space: int, price: int) -> bool:
        # Proposing concepts outside the version space is useless: answers may repeat known facts.
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
    """The least number of queries that identify every concept, if each query may be a membership
    query or an equivalence query with a concept of the class. A query that only confirms the last
    remaining concept is not counted.
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
    """The largest number of counterexamples to a learner that proposes, at each point, the label
    that most concepts of the version space have. If both labels are equally frequent, the learner
    may propose either label.

    After a counterexample, the version space is a side: its concepts with one label at one point,
    at most half of them. So this number is the length of the longest sequence in which each set is
    such a side of the set before. It is at most log2 of the number of concepts.
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


# ---- searches for witnesses


def find_strategy(C: Named, value: int, *, proper: bool = False) -> Parts:
    """Return a strategy as a tree of queries and proposals, with a subtree for each answer.

    A query at a point has two subtrees. A proposal has one subtree for each point that may be a
    counterexample. A leaf is the name of the remaining concept.
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
        # A label may be proposed if its denial leaves a solved version space.
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


def find_projected_queries(C: Named, value: int) -> Parts:
    """Return points whose projection needs many membership queries, as evidence."""
    for s in C.sets(bool):
        if C.table.project(C.points(s)).membership_queries() == value:
            return {"points": C.points(s)}
    return {"points": ()}


def find_majorities(C: Named, value: int) -> Parts:
    """Return counterexamples to the learner that proposes majorities, as evidence."""

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


# ---- checks of witnesses


def check_strategy(labels: Labels, parts: Parts, value: int, *, proper: bool = False) -> Problem:
    """Return the error in a strategy of queries that identifies every concept, or ""."""
    return _identifies(labels, parts["strategy"], labels.concepts, value, proper)


def _identifies(
    labels: Labels, node: Any, left: Sequence[Point], queries: int, proper: bool
) -> Problem:
    """Check that a strategy identifies every remaining concept with some number of queries."""
    if len(left) <= 1:
        return ""
    if not queries:
        return f"no query is left to tell {listed([name_text(c) for c in left])} apart"

    def side(x: Point, y: int) -> list[Point]:
        return [c for c in left if labels.label(c, x) == y]

    what, about, *answers = node
    if what == "ask":
        parts = [(side(about, y), answers[y]) for y in (0, 1)]
    elif what == "propose":
        if problem := labels.missing([about]) if proper else not_a_label(about):
            return problem
        proposed = pattern_on(labels, about, labels.points) if proper else about
        known = dict(answers[0])
        # After the counterexample x, the concepts with the other label at x remain.
        wrong = [(x, side(x, 1 - y)) for x, y in zip(labels.points, proposed, strict=True)]
        parts = [(part, known[x] if part else ()) for x, part in wrong]
    else:
        return f"a query is called 'ask' or 'propose'. Got {what!r:.60}"
    return next(
        filter(None, (_identifies(labels, then, c, queries - 1, proper) for c, then in parts)), ""
    )


def check_projected_queries(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in points whose projection needs many membership queries, or ""."""
    points = parts["points"]
    if problem := unknown_names(labels, points):
        return problem
    if value and _asked(frozenset(patterns_on(labels, points)), value - 1, {}):
        return f"{value - 1} membership queries suffice on these points"
    return ""


def _asked(left: frozenset[Pattern], queries: int, known: dict[Any, bool]) -> bool:
    """Return whether some number of membership queries leaves one pattern, by trying them."""
    if len(left) <= 1 or not queries:
        return len(left) <= 1
    if (left, queries) not in known:
        sides = (
            [frozenset(p for p in left if p[i] == y) for y in (0, 1)]
            for i in range(len(next(iter(left))))
        )
        known[left, queries] = any(
            all(_asked(side, queries - 1, known) for side in both) for both in sides if all(both)
        )
    return known[left, queries]


def check_majorities(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in counterexamples to the learner that proposes majorities, or ""."""
    sample = parts["sample"]
    if len(sample) != value:
        return f"{value} counterexamples are needed, and these are {len(sample)}"
    if problem := labels.missing(points=[x for x, _ in sample]):
        return problem
    left: Sequence[Point] = labels.concepts
    for x, y in sample:
        agreeing = [c for c in left if labels.label(c, x) == y]
        if not agreeing or 2 * len(agreeing) > len(left):
            return f"{len(agreeing)} of {len(left)} concepts have the label {y} at {x!r}"
        left = agreeing
    return ""


# ---- the parts of witnesses


evidence(
    "projected_membership_queries",
    "points such that fewer than n membership queries do not identify every concept of the "
    "projection to them (n is the value)",
    find_projected_queries,
    check_projected_queries,
)
evidence(
    "majority_queries",
    "counterexamples, each of which leaves at most half of the version space",
    find_majorities,
    check_majorities,
)
evidence(
    "membership_equivalence_queries",
    "a strategy of at most n queries (n is the value)",
    find_strategy,
    check_strategy,
    at_most=True,
)
evidence(
    "membership_proper_equivalence_queries",
    "a strategy of at most n queries that proposes only concepts (n is the value)",
    partial(find_strategy, proper=True),
    partial(check_strategy, proper=True),
    at_most=True,
)
