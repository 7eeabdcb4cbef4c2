"""Search for counterexamples beyond the atlas, in the catalog and then in generated tables."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from catalog.refuting.candidates import candidates, isolated, product, with_complements
from catalog.refuting.statement import Sides, Statement
from lsclasses.dimensions.expressions import Quantity
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.limits import Limit
from lsclasses.parallel import in_order
from lsclasses.table import Table

FEW_CONCEPTS, FEW_POINTS = 24, 8
"""Largest numbers of concepts and points of generated tables."""
PATIENCE = 2.0
"""Largest number of seconds for one parameter of one class."""
SHARE = 1 / 50
"""Largest share of the total time for one parameter of one class."""
POOL = 24
"""Number of tables that are kept for further changes: the tables with the closest sides."""


@dataclass(frozen=True)
class EvaluatedClass:
    """A class with the values of both sides of a statement.

    Attributes
    ----------
    name : str
        Specification of the class, or of a class of which it is a part, or "" if it has no name.
    table : Table
        The class.
    values : dict
        Values of the statement's parameters.
    sides : Sides or None
        Both sides of the statement, or None if the condition is false.
    """

    name: str
    table: Table
    values: dict[str, Quantity]
    sides: Sides | None

    @property
    def fails(self) -> bool:
        """Whether the statement is false for the class."""
        return self.sides is not None and not self.sides.holds


@dataclass
class Hunt:
    """A search for a counterexample to one statement, until a deadline.

    Parameters
    ----------
    statement : Statement
    seconds : float
        Total time of the search, in seconds.
    thorough : bool
        Whether the search continues after a counterexample, for a smaller one, until the deadline.
    executor : concurrent.futures.Executor, optional
        Executor that tries the classes of the catalog and classes made of them. The outcome does
        not depend on the executor, except for classes for which the time is not enough. A generated
        table depends on the tables before it, so this process itself tries generated tables.

    Attributes
    ----------
    members, tables : int
        Numbers of classes of the catalog, or made of it (`candidates`), and of other tables on
        which both sides were compared. Classes whose size or number of points the condition
        excludes do not count.
    undecided_members, undecided_tables : int
        Numbers of classes, of both types, on which the statement is undecided: a parameter took too
        long, or a side has no value.
    complete : bool
        Whether all classes of the catalog, and all classes made of them, were tried before their
        share of the time was over.
    """

    statement: Statement
    seconds: float
    thorough: bool = False
    executor: Executor | None = None
    members: int = 0
    tables: int = 0
    undecided_members: int = 0
    undecided_tables: int = 0
    complete: bool = False
    _start: float = field(default_factory=time.monotonic)

    @property
    def remaining(self) -> float:
        """Number of seconds until the deadline of the search."""
        return self._start + self.seconds - time.monotonic()

    @property
    def undecided(self) -> int:
        """Number of classes on which the statement is undecided, which do not count as tried."""
        return self.undecided_members + self.undecided_tables

    def trial(self, table: Table) -> EvaluatedClass | None:
        """Return a generated table with both sides of the statement, or None if undecided."""
        found = trial(self.statement, table, seconds=self._patience)
        self.tables += found is not None
        self.undecided_tables += found is None
        return found

    @property
    def _patience(self) -> float:
        """Largest number of seconds for one parameter of the next class."""
        return min(PATIENCE, self.seconds * SHARE, max(self.remaining, 0.01))

    def counterexample(self, seed: int, show: Callable[[str], None]) -> EvaluatedClass | None:
        """Return the first counterexample found, minimized by removing points and concepts.

        Half of the time is for the catalog and classes made from it. The other half is for
        generated tables. A thorough search uses all of the time, and returns the smallest
        counterexample found.
        """
        best: EvaluatedClass | None = None
        for found in self._failing(seed, show):
            small = smallest(self.statement, found)
            if best is None or _measure(small) < _measure(best):
                best = small
            if not self.thorough:
                break
        return best

    def _failing(self, seed: int, show: Callable[[str], None]) -> Iterator[EvaluatedClass]:
        """Yield classes on which the statement is false, until the time is over."""
        tried = in_order(partial(_tried, self.statement), self._candidates(show), self.executor)
        with closing(tried):
            for found in tried:
                self.members += found is not None
                self.undecided_members += found is None
                if found is not None and found.fails:
                    yield found
        rng, pool = np.random.default_rng(seed), _Pool()
        while self.remaining > 0:
            if not self.tables % 64:
                show(f"{self.tables} tables ...")
            table = pool.table(rng)
            if self.statement.excludes(len(table), len(table.points)):
                continue
            found = self.trial(table)
            if found is not None and found.fails:
                yield found
            pool.add(found)

    def _candidates(self, show: Callable[[str], None]) -> Iterator[tuple[str, Table, float]]:
        """Yield classes of the catalog and made of it, each with the time for a parameter."""
        private = self.statement.has_private_values
        for name, table in candidates(flips=not self.statement.flips_change, private=private):
            if self.remaining <= self.seconds / 2:
                return
            if self.statement.excludes(len(table), len(table.points)):
                continue
            show(f"{name} ...")
            yield name, table, self._patience
        self.complete = True


def _tried(statement: Statement, candidate: tuple[str, Table, float]) -> EvaluatedClass | None:
    name, table, seconds = candidate
    return trial(statement, table, name, seconds=seconds)


def _measure(found: EvaluatedClass) -> tuple[int, int]:
    """Return the size of a class for comparisons, with points first."""
    return len(found.table.points), len(found.table)


def smallest(statement: Statement, found: EvaluatedClass) -> EvaluatedClass:
    """Return a minimal part of a counterexample on which the statement is still false.

    Its points are 0, 1, ...
    """

    def still(table: Table) -> bool:
        again = trial(statement, table)
        return again is not None and again.fails

    small = shrunk(found.table, still)
    if small is found.table:
        return found
    part = f"part of {found.name}" if found.name else ""
    again = trial(statement, Table(small.labels), part)
    assert again is not None
    return again


def trial(
    statement: Statement, table: Table, name: str = "", *, seconds: float = PATIENCE
) -> EvaluatedClass | None:
    """Return a non-empty class with both sides of a statement, or None if undecided.

    Searches compute the parameters.

    Examples
    --------
    >>> thresholds = Table([[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]])
    >>> found = trial(Statement("vcdim >= ldim"), thresholds)
    >>> found.fails, found.values
    (True, {'ldim': 2, 'vcdim': 1})
    """
    try:
        values = statement.values(table, limit=Limit(seconds=seconds))
        return EvaluatedClass(name, table, values, statement.sides(values))
    except (InvalidInput, TooLarge):
        return None


def shrunk(table: Table, keeps: Callable[[Table], bool]) -> Table:
    """Return a minimal part of a class that still has a property.

    Points and concepts are removed one by one.

    Examples
    --------
    >>> C = Table([[0, 0, 0], [1, 0, 1], [0, 1, 0], [1, 1, 1]])
    >>> shrunk(C, lambda D: D.ldim() >= 1).labels.tolist()
    [[0], [1]]
    """
    changed = True
    while changed:
        changed = False
        for x in table.points if len(table.points) > 1 else ():
            smaller = table.project([y for y in table.points if y != x])
            if keeps(smaller):
                table, changed = smaller, True
                break
        else:
            for i in range(len(table)) if len(table) > 1 else ():
                kept = np.delete(np.arange(len(table)), i)
                smaller = Table(table.labels[kept], table.points)
                if keeps(smaller):
                    table, changed = smaller, True
                    break
    return table


class _Pool:
    """The tables on which the two sides come closest, which are worth changing.

    If an inequality is nearly false on a class, changing one concept or point often gives a class
    on which it is false.
    """

    def __init__(self) -> None:
        self._kept: list[tuple[float, int, Table]] = []
        self._count = 0

    def table(self, rng: np.random.Generator) -> Table:
        """Return the next table: random, structured, or a slightly changed one of the pool."""
        if self._kept and rng.random() < 0.7:
            return _changed(self._kept[rng.integers(len(self._kept))][2], rng)
        return random_table(rng)

    def add(self, found: EvaluatedClass | None) -> None:
        """Keep a table if the sides are close on it. The latest of equally close tables stays."""
        if found is not None and found.sides is not None:
            self._count += 1
            distance = abs(float(found.sides.right - found.sides.left))
            self._kept.append((distance, -self._count, found.table))
            self._kept = sorted(self._kept, key=lambda each: each[:2])[:POOL]


def random_table(rng: np.random.Generator) -> Table:
    """Return a random table of a random type.

    The types are random labels, classes closed under an operation, balls and products.
    """
    points = int(rng.integers(3, FEW_POINTS + 1))
    concepts = int(rng.integers(2, min(FEW_CONCEPTS, 2**points) + 1))
    labels = (rng.random((concepts, points)) < rng.choice([0.15, 0.3, 0.5])).astype(np.uint8)
    kind = rng.integers(6)
    if kind == 1:
        # All labellings between two neighbours in a chain, which give classes of small dimensions.
        labels = np.maximum.accumulate(labels, axis=0)
    elif kind == 2:
        labels = np.unique(labels[:, None, :] & labels[None, :, :], axis=0).reshape(-1, points)
    elif kind == 3:
        ball = np.concatenate([np.zeros((1, points), np.uint8), np.eye(points, dtype=np.uint8)])
        labels = np.concatenate([ball ^ labels[0], labels[: concepts // 2]])
    elif kind == 4:
        at = int(rng.integers(1, points))
        few = Table(np.unique(labels[:4, :at], axis=0)), Table(np.unique(labels[-5:, at:], axis=0))
        labels = product(*few).labels
    elif kind == 5:
        labels = with_complements(Table(np.unique(labels[: FEW_CONCEPTS // 2], axis=0))).labels
    return Table(np.unique(labels.reshape(-1, points), axis=0)[:FEW_CONCEPTS])


def _changed(table: Table, rng: np.random.Generator) -> Table:
    """Return a table with one or two concepts or points removed, added, changed or repeated."""
    labels = table.labels.copy()
    for _ in range(int(rng.integers(1, 3))):
        concepts, points = labels.shape
        kind = rng.integers(7)
        if kind == 0 and concepts > 2:
            labels = np.delete(labels, rng.integers(concepts), axis=0)
        elif kind == 1 and concepts < FEW_CONCEPTS:
            flips = np.asarray(rng.random(points) < 1.5 / points, dtype=np.uint8)
            row = labels[int(rng.integers(concepts))] ^ flips
            labels = np.concatenate([labels, row[None]])
        elif kind == 2 and points > 2:
            labels = np.delete(labels, rng.integers(points), axis=1)
        elif kind == 3 and points < FEW_POINTS:
            column = np.asarray(rng.random(concepts) < 0.5, dtype=np.uint8)
            labels = np.column_stack([labels, column])
        elif kind == 5 and points < FEW_POINTS:
            labels = np.column_stack([labels, labels[:, rng.integers(points)]])
        elif kind == 6 and points < FEW_POINTS - 1 and concepts < FEW_CONCEPTS:
            labels = isolated(Table(np.unique(labels, axis=0))).labels.copy()
        else:
            labels[rng.integers(concepts), rng.integers(points)] ^= 1
    return Table(np.unique(labels, axis=0))
