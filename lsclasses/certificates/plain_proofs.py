"""Proofs of Ldim and VCdim without matchings, for files that Lean or Coq evaluates.

The certificates of `lsclasses.certificates` are short, because they use matchings, symmetries and
factors. A checker of these rules is long. A plain proof uses only restriction, counting and
inclusion of version spaces, so its checker and the proof of its soundness fit on four pages.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from lsclasses.certificates.shattered import ShatteredSet, ShatteredTree
from lsclasses.certificates.subject_class import SubjectClass
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.limits import Limit, Meter
from lsclasses.packed_labels import PackedLabels
from lsclasses.point_names import Label, to_json

CONCEPTS_LIMIT = 256
"""Largest number of concepts of a table that is exported."""
POINTS_LIMIT = 16
"""Largest number of points of a table that is exported."""
STEPS_LIMIT = 1 << 16
"""Largest number of steps of an exported failure DAG."""
CELLS_LIMIT = 1 << 16
"""Largest number of cells of concepts that the checker of an exported VC dimension counts."""
NAME_LENGTH = 200
"""Longest name of a point, a concept or the class in a comment."""

Given = tuple[tuple[int, Label], ...]
"""Pairs (position of a point, label) that define a version space."""


class PlainStep(NamedTuple):
    """A side of a point, and the reason why it shatters no tree of its entry's depth.

    Attributes
    ----------
    side : int
        Label of the side.
    entry : int or None
        Number of a later entry whose version space contains the side, or None if counting suffices.
    """

    side: Label
    entry: int | None = None


class PlainEntry(NamedTuple):
    """A version space with a depth such that the version space shatters no tree of this depth.

    Attributes
    ----------
    given : tuple of pairs
        Labels that define the version space.
    fails : int
        The version space shatters no tree of depth ``fails + 1``.
    steps : tuple of PlainStep
        A side of each point that shatters no tree of depth ``fails``.
    """

    given: Given
    fails: int
    steps: tuple[PlainStep, ...]


class PlainProof(NamedTuple):
    """The evidence for the values of the two dimensions of a table.

    All points are positions in the domain.

    Attributes
    ----------
    depth : int
        The Littlestone dimension.
    tree : tuple of int
        Shattered tree of this depth, breadth first: the children of node i are 2 i + 1 (label 0)
        and 2 i + 2 (label 1).
    entries : tuple of PlainEntry
        Failure DAG, a proof that the table shatters no tree of depth + 1. The first entry is about
        the whole table and depth + 1. A table with fewer than 2^(depth + 1) concepts needs no
        entries.
    shattered : tuple of int
        Largest shattered set. Its size is the VC dimension.
    """

    depth: int
    tree: tuple[int, ...]
    entries: tuple[PlainEntry, ...]
    shattered: tuple[int, ...]

    @property
    def claim(self) -> str:
        """The values of Ldim and VCdim that the proof shows, as a formula."""
        return f"Ldim = {self.depth} and VCdim = {len(self.shattered)}"

    @classmethod
    def of(cls, C: SubjectClass, *, limit: Limit | None = None) -> PlainProof:
        """Return the proof of Ldim and VCdim of a small class.

        Raises
        ------
        InvalidInput
            If the class is empty.
        TooLarge
            If the class or its proof is too large for a proof assistant, or the limit is reached.

        Examples
        --------
        >>> import catalog
        >>> proof = PlainProof.of(catalog.build("thresholds:n=4").to_table())
        >>> proof.depth, proof.tree, proof.shattered
        (2, (1, 2, 0), (0,))
        >>> proof.entries                   # five concepts are fewer than 2^3
        ()
        """
        table = C.to_table()
        require_small(table)
        tree = ShatteredTree.of(C, limit=limit)
        shattered = ShatteredSet.of(C, limit=limit)
        entries = _PlainExtraction(table, limit).entries(tree.depth)
        _require_few_cells(table, len(shattered.points) + 1)
        place = table.domain.index
        return cls(
            tree.depth,
            tuple(map(place, tree.points)),
            entries,
            tuple(sorted(map(place, shattered.points))),
        )


def comment_text(value: object) -> str:
    """Return a name for a comment, without characters that end a comment or begin a string.

    Examples
    --------
    >>> comment_text("thresholds:n=3"), comment_text('*) "x'), comment_text((0, "a"))
    ('thresholds:n=3', '_) _x', "(0, 'a')")
    """
    return re.sub(r"[^ -~]|[\"*\\]", "_", str(value))[:NAME_LENGTH]


def concept_names(table: PackedLabels) -> tuple[str, ...]:
    """Return the names of all concepts, or their positions, for comments."""
    names = range(len(table)) if table.concept_names is None else table.concept_names
    return tuple(map(comment_text, names))


def point_names(table: PackedLabels) -> tuple[str, ...]:
    """Return the names of all points for comments."""
    return tuple(comment_text(to_json(point)) for point in table.points)


def require_small(table: PackedLabels) -> None:
    """Check that a table is not empty and small enough for a proof assistant.

    Raises
    ------
    InvalidInput
        If the table is empty.
    TooLarge
        If the table has too many concepts or points.
    """
    concepts, points = len(table), len(table.points)
    if concepts == 0:
        raise InvalidInput(
            "A file for a proof assistant needs a class with at least one concept. Got 0 concepts."
        )
    if concepts > CONCEPTS_LIMIT or points > POINTS_LIMIT:
        raise TooLarge(
            f"A file for a proof assistant supports at most {CONCEPTS_LIMIT} concepts and "
            f"{POINTS_LIMIT} points. Got {concepts} concepts and {points} points.",
            estimate=max(concepts, points),
            limit=CONCEPTS_LIMIT if concepts > CONCEPTS_LIMIT else POINTS_LIMIT,
        )


class _PlainExtraction:
    """Collector of the entries of a plain failure DAG. A version space is a mask of concepts."""

    def __init__(self, table: PackedLabels, limit: Limit | None) -> None:
        self._columns = table.column_bits
        self._everything = (1 << len(table)) - 1
        self._search = table._search
        self._whole = table._space
        self._meter = Meter(limit)
        self._shatters: dict[tuple[int, int], bool] = {}

    def entries(self, depth: int) -> tuple[PlainEntry, ...]:
        """Return the entries that exclude depth + 1, by decreasing depth."""
        if self._counted_out(self._everything, depth + 1):
            return ()
        found: list[PlainEntry] = []
        level: list[Given] = [()]
        for fails in range(depth, 0, -1):
            first = len(found) + len(level)
            below: list[tuple[Given, int]] = []
            for given in level:
                found.append(PlainEntry(given, fails, self._steps(given, fails, first, below)))
                if len(found) * len(self._columns) > STEPS_LIMIT:
                    raise TooLarge(
                        "The failure DAG of a file for a proof assistant may have at most "
                        f"{STEPS_LIMIT} steps. The failure DAG of this class needs more.",
                        limit=STEPS_LIMIT,
                    )
            level = [given for given, _ in below]
        return tuple(found)

    def _steps(
        self, given: Given, fails: int, first: int, below: list[tuple[Given, int]]
    ) -> tuple[PlainStep, ...]:
        """Return the steps of an entry, and add the entries of the next level that they need."""
        steps = []
        for x in range(len(self._columns)):
            self._meter.tick()
            side, needed = self._step(given, x, fails, below)
            steps.append(PlainStep(side, None if needed is None else first + needed))
        return tuple(steps)

    def _step(
        self, given: Given, x: int, fails: int, below: list[tuple[Given, int]]
    ) -> tuple[Label, int | None]:
        """Return the side of a point, and the number of its entry on the next level, if needed."""
        sides = [self._space((*given, (x, y))) for y in (0, 1)]
        for y in (0, 1):
            if self._counted_out(sides[y], fails):
                return y, None
        for y in (0, 1):
            for number, (_, larger) in enumerate(below):
                if not sides[y] & ~larger:
                    return y, number
        # Prefer the smaller side, because its refutation is usually shorter.
        smaller: Label = int(sides[1].bit_count() < sides[0].bit_count())
        y = 1 - smaller if self._at_least(sides[smaller], fails) else smaller
        generalized = self._generalize((*given, (x, y)), fails)
        below.append((generalized, self._space(generalized)))
        return y, len(below) - 1

    def _generalize(self, given: Given, depth: int) -> Given:
        """Drop labels that are not needed, so that more steps can refer to the entry."""
        for example in given:
            fewer = tuple(other for other in given if other != example)
            if not self._at_least(self._space(fewer), depth):
                given = fewer
        return given

    def _space(self, given: Given) -> int:
        space = self._everything
        for x, y in given:
            space &= self._columns[x] if y else ~self._columns[x]
        return space

    def _counted_out(self, space: int, depth: int) -> bool:
        return space.bit_count() < 1 << depth

    def _at_least(self, space: int, depth: int) -> bool:
        """Return whether a version space shatters a tree of a depth."""
        if self._counted_out(space, depth):
            return False
        key = space, depth
        if key not in self._shatters:
            rows = np.array([i for i in range(self._whole.concepts) if space >> i & 1])
            self._shatters[key] = self._search.at_least(self._whole.part(rows), depth)
        return self._shatters[key]


def _require_few_cells(table: PackedLabels, size: int) -> None:
    """Check that the checker of the VC dimension terminates soon.

    The checker goes through the points in order. It splits every cell of concepts at a point or
    skips the point, until some cell has too few concepts for the remaining number of points.
    """
    columns, cells_seen = table.column_bits, 0
    stack: list[tuple[int, int, list[int]]] = [(0, size, [(1 << len(table)) - 1])]
    while stack:
        x, left, cells = stack.pop()
        cells_seen += len(cells)
        if cells_seen > CELLS_LIMIT:
            raise TooLarge(
                "The proof of the VC dimension in a file for a proof assistant may count concepts "
                f"in at most {CELLS_LIMIT} cells. The proof for this class needs more.",
                limit=CELLS_LIMIT,
            )
        if min(map(int.bit_count, cells)) < 1 << left or x == len(columns):
            continue
        parts = [part for cell in cells for part in (cell & ~columns[x], cell & columns[x])]
        stack += [(x + 1, left, cells), (x + 1, left - 1, parts)]
