"""The search for classes C and D that refute a statement about constructions from C and D.

All classes, or all pairs of classes, on few points are tried first, up to permutations of the
points. They are ordered by the number of points, and then by the number of concepts. For a pair,
the numbers of C and D are added.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from catalog.atlas import POINTS, table
from catalog.atlas.orbits import class_count
from catalog.refuting.candidates import candidates
from catalog.refuting.hunt import PATIENCE, random_table
from catalog.refuting.joint import Joint, JointTrial
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.isomorphism import class_of_mask
from lsclasses.table import Table

PAIR_POINTS = 3
"""Largest number of points of C and of D for which all pairs of classes are tried."""


@dataclass(frozen=True)
class JointRefutation:
    """The outcome of a search for classes that refute a statement about constructed classes.

    Attributes
    ----------
    statement : Joint
    counterexample : JointTrial or None
        Classes that refute the statement, or None if the search found none.
    smallest : bool
        Whether the exhaustive part of the search found the counterexample.
    points : int
        Largest number of points of a class in the exhaustive part.
    tried, undecided : int
        Numbers of classes, or pairs, of the exhaustive part on which the statement was and was not
        decided.
    others, undecided_others : int
        Numbers of the remaining classes, or pairs, on which the statement was and was not decided.
    """

    statement: Joint
    counterexample: JointTrial | None
    smallest: bool
    points: int
    tried: int
    undecided: int
    others: int
    undecided_others: int


def refute_joint(
    statement: Joint,
    *,
    seconds: float = 10,
    seed: int = 0,
    show: Callable[[str], None] = lambda text: None,
) -> JointRefutation:
    """Search for classes C and D that refute a statement about classes made of them.

    Parameters
    ----------
    statement : Joint
    seconds : float
        Time for the search after the exhaustive part.
    seed : int
        Seed of the random tables.
    show : callable
        Function that is called with a description of the current step.

    Examples
    --------
    >>> found = refute_joint(Joint("ldim(union(C, D)) <= ldim(C) + ldim(D)"))
    >>> found.counterexample.C.labels.tolist(), found.counterexample.D.labels.tolist()
    ([[0]], [[1]])
    """
    tried = undecided = most = 0
    for C, D in smallest_first(statement):
        points = max(len(each.points) for each in (C, D) if each is not None)
        if points > most:
            most = points
            show(f"all on {points} points ...")
        found = _tried(statement, C, D, PATIENCE)
        tried += found is not None
        undecided += found is None
        if found is not None and found.fails:
            return JointRefutation(statement, found, True, most, tried, undecided, 0, 0)
    others = undecided_others = 0
    end = time.monotonic() + seconds
    for C, D in _others(statement, seed) if seconds else ():
        if time.monotonic() >= end:
            break
        if not (others + undecided_others) % 64:
            show(f"{others} others ...")
        found = _tried(statement, C, D, min(PATIENCE, max(end - time.monotonic(), 0.01)))
        others += found is not None
        undecided_others += found is None
        if found is not None and found.fails:
            small = _shrunk(statement, found)
            return JointRefutation(
                statement, small, False, most, tried, undecided, others, undecided_others
            )
    return JointRefutation(statement, None, False, most, tried, undecided, others, undecided_others)


def _tried(statement: Joint, C: Table, D: Table | None, seconds: float) -> JointTrial | None:
    """Return the trial, or None if it is undecided."""
    try:
        return statement.trial(C, D, seconds=seconds)
    except (InvalidInput, TooLarge):
        return None


def smallest_first(statement: Joint) -> Iterator[tuple[Table, Table | None]]:
    """Yield all classes, or all pairs of classes, on few points, the smallest first.

    One class represents each orbit under permutations of the points. If C and D have the same
    points, C is one of these representatives and D is every class.

    Examples
    --------
    >>> pairs = smallest_first(Joint("points(product(C, D)) <= 2*points(C)"))
    >>> sizes = [(len(C.points), len(C), len(D.points), len(D)) for C, D in pairs]
    >>> sizes[0], sizes[4], len(sizes)
    ((1, 1, 1, 1), (1, 1, 1, 2), 8649)
    """
    most = PAIR_POINTS if statement.pairs else POINTS[-1]
    firsts = {points: _by_size(points, every=False) for points in range(1, most + 1)}
    if not statement.pairs:
        for by_size in firsts.values():
            for _, classes in sorted(by_size.items()):
                yield from ((C, None) for C in classes)
        return
    seconds = firsts
    if statement.shared:
        seconds = {points: _by_size(points, every=True) for points in firsts}
    shapes = [(a, b) for a in firsts for b in firsts if a == b or not statement.shared]
    sizes = [
        (a + b, size + other, a, size, b, other)
        for a, b in shapes
        for size, other in itertools.product(firsts[a], seconds[b])
    ]
    for _, _, a, size, b, other in sorted(sizes):
        yield from itertools.product(firsts[a][size], seconds[b][other])


def _by_size(points: int, *, every: bool) -> dict[int, list[Table]]:
    """Return classes on some points by size: every class, or one of each orbit."""
    masks = range(1, class_count(points) + 1) if every else table(points, flips=False)["mask"]
    found: dict[int, list[Table]] = {}
    for mask in masks:
        made = class_of_mask(points, int(mask))
        found.setdefault(len(made), []).append(made)
    return found


def _others(statement: Joint, seed: int) -> Iterator[tuple[Table, Table | None]]:
    """Yield larger classes: of the catalog and made of it, then random ones, without end."""
    rng = np.random.default_rng(seed)
    if not statement.pairs:
        yield from ((C, None) for _, C in candidates(flips=False))
    known = (C for _, C in candidates(flips=False) if len(C) <= 16 and len(C.points) <= 6)
    some = list(itertools.islice(known, 60)) if statement.pairs else []
    for C, D in itertools.product(some, repeat=2):
        if not statement.shared or len(C.points) == len(D.points):
            yield C, D
    while True:
        C = random_table(rng)
        if not statement.pairs:
            yield C, None
            continue
        D = random_table(rng)
        points = min(len(C.points), len(D.points))
        if statement.shared:
            C, D = (Table(np.unique(T.labels[:, :points], axis=0)) for T in (C, D))
        yield C, D


def _shrunk(statement: Joint, found: JointTrial) -> JointTrial:
    """Return classes without a concept or a point that could be left out."""
    changed = True
    while changed:
        changed = False
        for C, D in _smaller(found.C, found.D, shared=statement.shared):
            smaller = _tried(statement, C, D, PATIENCE)
            if smaller is not None and smaller.fails:
                found, changed = smaller, True
                break
    return found


def _smaller(C: Table, D: Table | None, *, shared: bool) -> Iterator[tuple[Table, Table | None]]:
    for x in range(len(C.points)) if len(C.points) > 1 else ():
        yield _without(C, x, 1), _without(D, x, 1) if D is not None and shared else D
    if D is not None and not shared:
        for x in range(len(D.points)) if len(D.points) > 1 else ():
            yield C, _without(D, x, 1)
    for i in range(len(C)) if len(C) > 1 else ():
        yield _without(C, i, 0), D
    if D is not None:
        for i in range(len(D)) if len(D) > 1 else ():
            yield C, _without(D, i, 0)


def _without(table: Table, index: int, axis: int) -> Table:
    return Table(np.unique(np.delete(table.labels, index, axis=axis), axis=0))
