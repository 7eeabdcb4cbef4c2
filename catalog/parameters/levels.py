"""Littlestone trees in which all nodes of some levels have equal points, and their witnesses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from catalog.parameters.base import Named, Parts, evidence, searched
from lsclasses.dimensions.definitions import Labels, Problem
from lsclasses.level_trees import LevelTrees, block_ldim, prefix_ldim
from lsclasses.limits import Limit
from lsclasses.point_names import Point, name_text
from lsclasses.table import Table

REFERENCE = "database Combinatorial Parameters"

# ---- parameters


@searched("prefix-2 Littlestone dimension", "PL_2", reference=REFERENCE)
def two_prefix_ldim(table: Table, limit: Limit | None) -> int:
    """The largest depth of a complete binary tree of points with two properties. For every branch,
    some concept agrees with all labels on the branch. Both children of the root have equal points.

    `lsclasses.level_trees.prefix_ldim` computes PL_k for each number k of levels with one point.
    """
    return prefix_ldim(table, 2, limit=limit)


@searched("prefix-3 Littlestone dimension", "PL_3", reference=REFERENCE)
def three_prefix_ldim(table: Table, limit: Limit | None) -> int:
    """The largest depth of a complete binary tree of points with two properties. For every branch,
    some concept agrees with all labels on the branch. On each of the first three levels, all nodes
    have equal points.
    """
    return prefix_ldim(table, 3, limit=limit)


@searched("2-block Littlestone dimension", "B_2", reference=REFERENCE)
def two_block_ldim(table: Table, limit: Limit | None) -> int:
    """The largest depth of a complete binary tree of points with two properties. For every branch,
    some concept agrees with all labels on the branch. For each node of level 0, 2, 4, ..., both of
    its children have equal points. Level 0 contains the root.

    `lsclasses.level_trees.block_ldim` computes B_k for each length k of blocks.
    """
    return block_ldim(table, 2, limit=limit)


@searched("3-block Littlestone dimension", "B_3", reference=REFERENCE)
def three_block_ldim(table: Table, limit: Limit | None) -> int:
    """The largest depth of a complete binary tree of points with two properties. For every branch,
    some concept agrees with all labels on the branch. For each node of level 0, 3, 6, ..., both of
    its children have equal points, and its four grandchildren have equal points. Level 0 contains
    the root.
    """
    return block_ldim(table, 3, limit=limit)


# ---- searches for witnesses


def find_level_tree(C: Named, value: int, *, levels: int, block: int) -> Parts:
    """Return a shattered tree of depth `value`.

    The first `levels` levels have one point each. Blocks of `block` levels follow.
    """
    trees = LevelTrees(C.table, C.limit)
    points = [
        next(
            (x, ones)
            for x, ones in zip(C.table.points, C.table.column_bits, strict=True)
            if column in (ones, trees.everything ^ ones)
        )
        for column in trees.columns
    ]

    def tree(space: int, depth: int, count: int) -> tuple[Any, ...]:
        if not depth:
            return ()
        size = min(count, depth)
        chosen = next(
            chosen
            for chosen, parts in trees.shattered(space, size)
            if len(chosen) == size
            and all(size + trees.block_depth(part, block) >= depth for part in parts)
        )
        return level(space, [points[i] for i in chosen], depth - size)

    def level(space: int, rest: Sequence[tuple[Point, int]], depth: int) -> tuple[Any, ...]:
        if not rest:
            return tree(space, depth, block)
        (x, ones), *others = rest
        sides = (space & ~ones, space & ones)
        return ("point", x, *(level(side, others, depth) for side in sides))

    return {"nested_tree": tree(trees.everything, value, levels)}


# ---- checks of witnesses


def check_level_tree(
    labels: Labels, parts: Parts, value: int, *, starts: Callable[[int], bool]
) -> Problem:
    """Return the error in a tree with prescribed levels, or "".

    `starts` returns whether the points on a level and below may depend on the branch. From such a
    level to the next one, all nodes of a level have equal points.
    """

    def problem_of(
        node: Any, level: int, concepts: Sequence[Point], shared: dict[int, Point]
    ) -> Problem:
        if not concepts:
            return "no concept agrees with all labels on a branch"
        if not node:
            return f"a branch has {level} points" if level < value else ""
        kind, x, *subtrees = node
        if kind != "point" or len(subtrees) != 2:
            return "a node is a point with two subtrees"
        if problem := labels.missing(points=[x]):
            return problem
        common = {} if starts(level) else shared
        if common.setdefault(level, x) != x:
            return f"level {level} has the points {name_text(common[level])} and {name_text(x)}"
        sides = ([c for c in concepts if labels.label(c, x) == y] for y in (0, 1))
        found = (
            problem_of(subtree, level + 1, side, common)
            for subtree, side in zip(subtrees, sides, strict=True)
        )
        return next(filter(None, found), "")

    return problem_of(parts["nested_tree"], 0, list(labels.concepts), {})


def _starts_after_prefix(level: int, *, levels: int) -> bool:
    return level == 0 or level >= levels


def _starts_block(level: int, *, block: int) -> bool:
    return level % block == 0


# ---- the parts of witnesses


for _levels, _name in ((2, "two"), (3, "three")):
    evidence(
        f"{_name}_prefix_ldim",
        "a tree with at least n points on each branch such that, for every branch, some concept "
        f"agrees with all labels, and each of the first {_name} levels has one point (n is the "
        "value)",
        partial(find_level_tree, levels=_levels, block=1),
        partial(check_level_tree, starts=partial(_starts_after_prefix, levels=_levels)),
    )
    evidence(
        f"{_name}_block_ldim",
        "a tree with at least n points on each branch such that, for every branch, some concept "
        f"agrees with all labels, and in each block of {_name} levels, nodes of a level below one "
        "node have equal points (n is the value)",
        partial(find_level_tree, levels=_levels, block=_levels),
        partial(check_level_tree, starts=partial(_starts_block, block=_levels)),
    )
