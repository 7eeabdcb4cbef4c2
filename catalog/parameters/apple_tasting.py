"""Numbers of mistakes of online learners that receive a label only after the prediction 1."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from catalog.parameters.base import PROJECTED, Named, Parts, evidence, searched
from lsclasses.apple_tasting import AppleTastingGame, State
from lsclasses.dimensions.definitions import Labels, Problem
from lsclasses.limits import Limit
from lsclasses.point_names import Point, name_text
from lsclasses.table import Table

KINDS = ("zero", "one")
"""Names of the nodes of a strategy, by the label after a prediction of 1."""


@searched(
    "apple tasting mistakes",
    "AT",
    PROJECTED,
    reference="Raman, Subedi, Raman and Tewari 2024; Chase and Mehalel 2024",
    sequence=True,
    flips_change=True,
)
def apple_tasting_mistakes(table: Table, limit: Limit | None) -> tuple[int, ...]:
    """For n = 0, 1, ... up to the number of points, the number of mistakes that an adversary forces
    against every deterministic learner in n rounds of apple tasting. In each round, the adversary
    presents a point and the learner predicts its label. The learner receives the label only if the
    prediction is 1. In the end, some concept must agree with all labels.

    `lsclasses.apple_tasting.apple_tasting_mistakes` computes the number for more rounds.
    """
    game = AppleTastingGame(table, limit)
    return tuple(game.mistakes(game.start, n) for n in range(len(table.points) + 1))


def find_adversary(C: Named, value: int) -> Parts:
    """Return a strategy of the adversary in the least number of rounds that forces the mistakes."""
    game = AppleTastingGame(C.table, C.limit)
    names = {ones: C.table.points[j] for j, ones in enumerate(C.table.column_bits)}

    def tree(state: State, rounds: int, count: int) -> tuple[Any, ...]:
        if count <= game.settled(state):
            return ()
        move = game.move(state, rounds, count)
        assert move is not None
        column, label = move
        settled, after = game.after_one(state, column, label)
        return (
            KINDS[label],
            names[game.columns[column]],
            tree(game.after_zero(state, column), rounds - 1, count),
            tree(after, rounds - 1, count - settled),
        )

    rounds = next(n for n in range(C.n + 1) if game.forces(game.start, n, value))
    return {"nested_tree": tree(game.start, rounds, value)}


def check_adversary(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in an adversary's strategy in apple tasting, or ""."""
    tree, problems = parts["nested_tree"], []

    def least(node: Any, errors: dict[Point, int]) -> int:
        """Return the least number of mistakes, from the mistakes if each concept is true."""
        if not node:
            return max(errors.values())
        kind, x, after_zero, after_one = node
        if kind not in KINDS:
            problems.append("a node is called 'zero' or 'one'")
            return 0
        y = KINDS.index(kind)
        told = {c: count + 1 - y for c, count in errors.items() if labels.label(c, x) == y}
        if not told:
            problems.append(f"no remaining concept has the label {y} at {name_text(x)}")
            return 0
        silent = {c: count + labels.label(c, x) for c, count in errors.items()}
        return min(least(after_zero, silent), least(after_one, told))

    if problem := labels.missing(points=list(_points_of(tree))):
        return problem
    found = least(tree, dict.fromkeys(labels.concepts, 0))
    if problems:
        return problems[0]
    return f"a learner makes at most {found} mistakes" if found < value else ""


def _points_of(node: Any) -> Iterator[Point]:
    if node:
        yield node[1]
        for subtree in node[2:]:
            yield from _points_of(subtree)


evidence(
    "apple_tasting_mistakes",
    "a tree of k rounds of an adversary that forces at least n mistakes in apple tasting (n is "
    "entry k)",
    find_adversary,
    check_adversary,
)
