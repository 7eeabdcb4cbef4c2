"""Decision trees of small depth, over variables or over any conditions.

A tree of depth 0 is a label. A tree of depth at most d is a label, or it tests a condition and then
continues with one of two trees of depth at most d - 1. A private learner that chooses a tree is the
generic learner of [BLM20, Lemma 16] with a prior (docs/rules.md).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from catalog.cube import as_words, cube_points, cube_vectors, distinct, require_cube, table_of
from catalog.facts import known
from catalog.family import Family
from lsclasses.errors import InvalidInput
from lsclasses.packing import require_memory
from lsclasses.specifications import Parameter
from lsclasses.table import Table

CHUNK = 1 << 20
"""Approximate number of trees that are stored before trees with equal labels are merged."""


def decision_trees(conditions: Table | ArrayLike, depth: int) -> Table:
    """Return the class of all decision trees of at most this depth over the given conditions.

    Parameters
    ----------
    conditions : Table, or array-like of 0/1 of shape (conditions, points)
        Conditions as functions of the points, one per row. A condition and its negation give equal
        trees.
    depth : int
        Largest number of conditions that are tested for a point.

    Raises
    ------
    InvalidInput
        If the conditions are not a 0/1 table or the depth is negative.
    TooLarge
        If there are more functions than a table may hold.

    Examples
    --------
    Two conditions that share the middle one of three points:

    >>> [len(decision_trees([[1, 1, 0], [0, 1, 1]], depth)) for depth in range(3)]
    [2, 6, 8]
    """
    table = conditions if isinstance(conditions, Table) else Table(conditions)
    if not isinstance(depth, (int, np.integer)) or depth < 0:
        raise InvalidInput(f"The depth of decision trees must be an int >= 0. Got {depth!r}.")
    points = len(table.points)
    asked = as_words(table.labels)
    trees = as_words(np.array([[0] * points, [1] * points], dtype=np.uint8))
    for _ in range(depth):
        more = _asking(asked, trees, points)
        if len(more) == len(trees):
            break
        trees = more
    return table_of(trees, table.domain)


def _asking(asked: np.ndarray, trees: np.ndarray, points: int) -> np.ndarray:
    """Return all trees, and all trees that test one condition first."""
    found = distinct(trees)
    for condition in asked:
        yes, no = distinct(trees & condition), distinct(trees & ~condition)
        step = max(1, CHUNK // len(no))
        for start in range(0, len(yes), step):
            both = yes[start : start + step, None, :] | no[None]
            found = distinct(np.concatenate([found, both.reshape(-1, both.shape[-1])]))
            require_memory(len(found), points, "The class of decision trees", packed=True)
    return found


class DecisionTrees(Family):
    """Decision trees of a depth over n variables.

    Examples
    --------
    >>> C = DecisionTrees().table(n=3, depth=2)
    >>> len(C), C.ldim(), C.vcdim()
    (62, 4, 4)
    """

    name = "decision-trees"
    packed = True
    title = "Functions of n variables with decision trees of bounded depth"
    definition = (
        "Points {0,1}^n. The concepts are the functions of decision trees that test at most "
        "'depth' variables on each path. The leaves are 0 or 1."
    )
    reference = "learned privately by the exponential mechanism, [BLM20, Lemma 16]"
    parameters = (
        Parameter("n", "number of variables", minimum=1, maximum=12),
        Parameter(
            "depth",
            "largest number of variables that a tree tests on a point",
            default=2,
            minimum=0,
        ),
    )
    facts = known(__file__, "decision-trees")

    def _shape(self, *, n: int, depth: int) -> tuple[int, int]:
        require_cube(n, "Decision trees")
        bound = 2
        for level in range(1, min(depth, n) + 1):
            # A variable that was tested before is not tested again.
            bound = 2 + (n - min(depth, n) + level) * bound**2
        return min(bound, 2 ** (2**n)), 2**n

    def _table(self, *, n: int, depth: int) -> Table:
        return decision_trees(Table(cube_vectors(n).T, cube_points(n)), min(depth, n))

    def instances(self) -> Iterator[dict[str, int]]:
        for n in range(1, 6):
            for depth in range(3):
                yield {"n": n, "depth": depth}
        yield {"n": 3, "depth": 3}
