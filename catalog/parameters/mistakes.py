"""Numbers of mistakes of online learners that know the points, or if the best concept errs."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

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
from lsclasses.mistake_budgets import (
    Budgets,
    MistakeBudgetGame,
    budgeted_ldim,
    budgeted_randomized_ldim,
)
from lsclasses.point_names import Point, name_text
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


# ---- one mistake of the best concept


@searched(
    "1-mistake Littlestone dimension",
    "L_1",
    reference="Filmus, Hanneke, Mehalel and Moran 2023",
)
def one_mistake_ldim(table: Table, limit: Limit | None) -> int:
    """The largest depth of a complete binary tree of points such that, for every branch, some
    concept disagrees with at most one label on the branch. Points may repeat on a branch.

    It is the number of mistakes of an optimal deterministic learner if some concept errs at most
    once. `lsclasses.mistake_budgets.budgeted_ldim` computes it for every number of errors.
    """
    return budgeted_ldim(table, 1, limit=limit)


@searched(
    "2-mistake Littlestone dimension",
    "L_2",
    PROJECTED,
    reference="Filmus, Hanneke, Mehalel and Moran 2023",
)
def two_mistake_ldim(table: Table, limit: Limit | None) -> int:
    """The largest depth of a complete binary tree of points such that, for every branch, some
    concept disagrees with at most two labels on the branch. Points may repeat on a branch.
    """
    return budgeted_ldim(table, 2, limit=limit)


@searched(
    "3-mistake Littlestone dimension",
    "L_3",
    PROJECTED,
    reference="Filmus, Hanneke, Mehalel and Moran 2023",
)
def three_mistake_ldim(table: Table, limit: Limit | None) -> int:
    """The largest depth of a complete binary tree of points such that, for every branch, some
    concept disagrees with at most three labels on the branch. Points may repeat on a branch.
    """
    return budgeted_ldim(table, 3, limit=limit)


@searched(
    "1-mistake randomized Littlestone dimension",
    "RL_1",
    reference="Filmus, Hanneke, Mehalel and Moran 2023",
    whole=False,
)
def one_mistake_randomized_ldim(table: Table, limit: Limit | None) -> Fraction:
    """Half the largest expected branch length of a binary tree of points such that, for every
    branch, some concept disagrees with at most one label on the branch. A branch takes each label
    with probability 1/2. Points may repeat on a branch, and trees may be infinite.

    It is the expected number of mistakes of an optimal learner with random coins if some concept
    errs at most once. `lsclasses.mistake_budgets.budgeted_randomized_ldim` computes it for every
    number of errors.
    """
    return budgeted_randomized_ldim(table, 1, limit=limit)


# ---- searches for witnesses


def forced_in_order(numbers: Numbers, order: Sequence[int]) -> int:
    """Return the number of mistakes that an adversary forces if the order of points is known."""
    if not numbers or not order:
        return 0 if numbers else -1
    tick()
    ones = frozenset(c for c in numbers if c >> order[0] & 1)
    return paid(*(forced_in_order(side, order[1:]) for side in (numbers - ones, ones)))


def find_order(C: Named, value: int) -> Parts:
    """Return a shortest sequence of points that forces `value` mistakes, as evidence.

    `value` is the last entry of `transductive_mistakes`, and the learner knows the sequence.
    """
    for n in range(C.n + 1):
        for order in itertools.permutations(range(C.n), n):
            if forced_in_order(C.numbers, order) == value:
                return {"points": tuple(C.table.points[j] for j in order)}
    raise AssertionError("the last entry is forced on all points in some order")


Together = Callable[[Any, Any], Any]
"""Function that returns the value of a tree from the values of both subtrees of its root.

The value is 1 + the minimum or 1 + the mean.
"""


def complete(zeros: int, ones: int) -> int:
    """Return the largest depth of a complete tree, from the largest depths of both subtrees."""
    return 1 + min(zeros, ones)


def random_branch(zeros: Fraction, ones: Fraction) -> Fraction:
    """Return half the expected branch length of a tree from the values of both subtrees."""
    return (1 + Fraction(zeros) + ones) / 2


def find_tree(C: Named, value: Any, *, together: Together, mistakes: int = 1) -> Parts:
    """Return a tree such that, for every branch, some concept makes at most `mistakes` mistakes.

    The root has two subtrees if concepts disagree at its point. Otherwise, its point repeats until
    the label is wrong for all concepts.
    """
    game = MistakeBudgetGame(C.table, C.limit)
    of: Callable[[Budgets], Any] = game.depth if together is complete else game.expected

    def tree(state: Budgets) -> tuple[Any, ...]:
        best = of(state)
        for j, x in enumerate(C.table.points if best else ()):
            column = C.table.column_bits[j]
            sides = [game.after(state, j, label) for label in (0, 1)]
            if state[0] & column and state[0] & ~column:
                if together(*map(of, sides)) == best:
                    return ("point", x, *map(tree, sides))
            elif (wrong := sides[not state[0] & column]) and 1 + of(wrong) == best:
                return ("repeat", x, tree(wrong))
        return ()

    return {"nested_tree": tree(game.start(mistakes))}


# ---- checks of witnesses


def check_order(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in a sequence of points that forces mistakes, or ""."""
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


def check_tree(
    labels: Labels, parts: Parts, value: Any, *, together: Together, mistakes: int = 1
) -> Problem:
    """Return the error in a tree whose branches are realizable with the mistakes, or ""."""
    tree, problems = parts["nested_tree"], []

    def value_of(node: Any, errors: dict[Point, int]) -> Any:
        """Return the value of a subtree, from the errors of concepts that err rarely enough."""
        if not errors:
            labels_text = ("two", "three", "four")[mistakes - 1]
            problems.append(f"every concept disagrees with {labels_text} labels on a branch")
        if not errors or not node:
            return 0
        kind, x, *subtrees = node
        after = [
            {
                c: count + (labels.label(c, x) != y)
                for c, count in errors.items()
                if count + (labels.label(c, x) != y) <= mistakes
            }
            for y in (0, 1)
        ]
        shown = {labels.label(c, x) for c in errors}
        if kind == "point":
            return together(*map(value_of, subtrees, after))
        if kind != "repeat" or len(shown) > 1:
            problems.append(f"{name_text(x)} is not a point where all remaining concepts agree")
            return 0
        (then,) = subtrees
        return 1 + value_of(then, after[1 - shown.pop()])

    if problem := labels.missing(points=list(_points_of(tree))):
        return problem
    found = value_of(tree, dict.fromkeys(labels.concepts, 0))
    if problems:
        return problems[0]
    return f"the value of the tree is {found}" if found < value else ""


def _points_of(node: Any) -> Iterator[Point]:
    if node:
        yield node[1]
        for subtree in node[2:]:
            yield from _points_of(subtree)


# ---- the parts of witnesses


evidence(
    "one_mistake_ldim",
    "a tree with at least n points on each branch such that, for every branch, some concept "
    "disagrees with at most one label on the branch (n is the value)",
    partial(find_tree, together=complete),
    partial(check_tree, together=complete),
)
for _mistakes, _name in ((2, "two"), (3, "three")):
    evidence(
        f"{_name}_mistake_ldim",
        "a tree with at least n points on each branch such that, for every branch, some concept "
        f"disagrees with at most {_name} labels on the branch (n is the value)",
        partial(find_tree, together=complete, mistakes=_mistakes),
        partial(check_tree, together=complete, mistakes=_mistakes),
    )
evidence(
    "transductive_mistakes",
    "a sequence of k points on which an adversary forces at least n mistakes, although the learner "
    "knows the sequence in advance (n is entry k)",
    find_order,
    check_order,
)
evidence(
    "one_mistake_randomized_ldim",
    "a tree with at least 2n points on a random branch, in expectation, such that, for every "
    "branch, some concept disagrees with at most one label on the branch (n is the value)",
    partial(find_tree, together=random_branch),
    partial(check_tree, together=random_branch),
)
