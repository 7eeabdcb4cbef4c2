"""Numbers of mistakes of online learners that know the points in advance."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from catalog.parameters.base import (
    PROJECTED,
    Named,
    Numbers,
    Parts,
    Pattern,
    evidence,
    patterns_on,
    searched,
    unknown_names,
)
from lsclasses.dimensions.definitions import Labels, Problem
from lsclasses.dimensions.queries import paid
from lsclasses.limits import Limit, tick
from lsclasses.table import Table

# ---- known sequences of points


@searched(
    "transductive mistakes",
    "M",
    PROJECTED,
    reference="Hanneke, Moran and Shafer 2023; Ben-David, Kushilevitz and Mansour 1997",
    sequence=True,
)
def transductive_mistakes(table: Table, limit: Limit | None) -> tuple[int, ...]:
    """For n = 0, 1, ... up to the number of points, the number of mistakes that an adversary forces
    in n rounds if the learner knows the points of all rounds in advance. The adversary chooses the
    n points and then, after each prediction, a label such that some concept agrees with all labels.

    Points may repeat. A repeated point causes no mistake, because its label is known. So the worst
    sequence of n points consists of different points, and more rounds than points cause no more
    mistakes. The last entry is `worst_order_mistakes`.
    """
    points = table.points
    last, curve = table.worst_order_mistakes(limit=limit), [0]
    while len(curve) <= len(points):
        if curve[-1] < last:
            sets = itertools.combinations(points, len(curve))
            parts = (table.project(chosen) for chosen in sets)
            curve.append(max(part.worst_order_mistakes(limit=limit) for part in parts))
        else:
            curve.append(last)
    return tuple(curve)


# ---- searches for witnesses


def forced_in_order(numbers: Numbers, order: Sequence[int]) -> int:
    """Return the mistakes that labels force if the points come in a known order."""
    if not numbers or not order:
        return 0 if numbers else -1
    tick()
    ones = frozenset(c for c in numbers if c >> order[0] & 1)
    return paid(*(forced_in_order(side, order[1:]) for side in (numbers - ones, ones)))


def find_order(C: Named, value: int) -> Parts:
    """Return a shortest sequence of points on which the last entry is forced."""
    for n in range(C.n + 1):
        for order in itertools.permutations(range(C.n), n):
            if forced_in_order(C.numbers, order) == value:
                return {"points": tuple(C.table.points[j] for j in order)}
    raise AssertionError("the last entry is forced on all points in some order")


# ---- checks of witnesses


def check_order(labels: Labels, parts: Parts, value: int) -> Problem:
    points = parts["points"]
    if problem := unknown_names(labels, points):
        return problem
    most = _most_mistakes(patterns_on(labels, points))
    return f"a learner makes at most {most} mistakes on these points" if most < value else ""


def _most_mistakes(patterns: set[Pattern]) -> int:
    """Return the mistakes of a learner that tries both predictions of the first label."""
    if not any(patterns):
        return 0
    rest = {y: {p[1:] for p in patterns if p[0] == y} for y in (0, 1)}
    costs = {y: _most_mistakes(rest[y]) for y in (0, 1) if rest[y]}
    return min(max(cost + (y != guess) for y, cost in costs.items()) for guess in (0, 1))


# ---- the parts of witnesses


evidence(
    "transductive_mistakes",
    "a sequence of k points on which an adversary forces at least n mistakes, although the learner "
    "knows the sequence in advance (n is entry k)",
    find_order,
    check_order,
)
