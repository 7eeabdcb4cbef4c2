"""Extraction of certificates from a search.

Only this module of the package uses the results of a search. `Certificate.verify` checks the
certificates without these results.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import partial
from hashlib import sha256
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from lsclasses.certificates.certificate_entries import (
    Factor,
    FailureEntry,
    FailureStep,
    Match,
    Node,
    Subtree,
)
from lsclasses.errors import TooLarge
from lsclasses.limits import Limit, Meter, Progress
from lsclasses.packed_labels import PackedLabels
from lsclasses.point_names import Label, Point
from lsclasses.searching.products import factors, split
from lsclasses.searching.symmetry import moved_columns
from lsclasses.searching.vc_search import balanced_columns, largest_shattered, shattered_columns
from lsclasses.searching.version_space import Arrangement, VersionSpace, normal_form

SETS_UP_TO = 5
"""The largest depth of subtrees that are proved by shattered sets, if such sets exist.

For deeper subtrees, only the most balanced columns of large version spaces are tried.
"""
KEPT_BYTES = 1 << 29
"""Largest number of bytes of stored labels of large version spaces that wait for their entries."""
Written = TypeVar("Written")

MISSING_LIMIT = 1 << 18
"""Largest number of missing labellings in a certificate."""


def failure_entries(
    table: PackedLabels, dimension: int, limit: Limit | None, progress: Progress | None
) -> tuple[FailureEntry, ...]:
    """Return entries that prove that a table shatters no tree deeper than its dimension.

    Raises
    ------
    TooLarge
        If the time of the limit is up.
    """
    return _FailureExtraction(table, limit).entries(dimension + 1, progress)


def folded_nodes(
    table: PackedLabels, dimension: int, limit: Limit | None, progress: Progress | None
) -> tuple[Node, ...]:
    """Return the nodes of a folded tree as deep as a table's Littlestone dimension, at least 0.

    Raises
    ------
    TooLarge
        If the time of the limit is up.
    """
    return _TreeExtraction(table, limit).entries(dimension, progress) if dimension else ()


class _Origin(NamedTuple):
    """The depth of an entry, and its restriction of another entry."""

    depth: int
    parent: int | None
    given: tuple[tuple[Point, Label], ...]


class _Place(NamedTuple):
    """The positions of a version space's columns in its normal form, and their complements."""

    columns: np.ndarray
    flips: np.ndarray

    @classmethod
    def of(cls, space: VersionSpace, arranged: Arrangement) -> _Place:
        order = arranged.order
        return cls(space.source[order], space.flipped[order] ^ arranged.flip)


class _Extraction(ABC, Generic[Written]):
    """Collector of entries, breadth first. Equal normal forms of one depth share an entry."""

    def __init__(self, table: PackedLabels, limit: Limit | None) -> None:
        self._points = table.points
        self._search = table._search
        self._whole = table._space
        self._meter = Meter(limit)
        self._origins: list[_Origin] = []
        self._columns = {self._points[j]: i for i, j in enumerate(self._whole.source.tolist())}
        self._waiting: dict[int, VersionSpace] = {}
        self._kept = 0
        self._places: dict[int, _Place] = {}
        self._known: dict[tuple[bytes, int], int] = {}

    def entries(self, depth: int, progress: Progress | None) -> tuple[Written, ...]:
        """Return all entries, beginning with the whole table at the given depth.

        Progress reports the numbers of written entries and of entries that are known to be needed.
        """
        self._add(self._whole, None, _Origin(depth, None, ()))
        found: list[Written] = []
        while len(found) < len(self._origins):
            i = len(found)
            self._meter.tick()
            if progress is not None:
                progress(i, len(self._origins))
            found.append(self._entry(i, self._space(i)))
        return tuple(found)

    @abstractmethod
    def _entry(self, i: int, space: VersionSpace) -> Written:
        """Return the entry with a number, about a version space."""

    def _add(self, space: VersionSpace, arranged: Arrangement | None, origin: _Origin) -> int:
        """Return a new entry. Only an entry with an arrangement can be referred to."""
        i = len(self._origins)
        self._origins.append(origin)
        if not space.large or self._kept + space.packed_size <= KEPT_BYTES:
            self._waiting[i] = space
            self._kept += space.packed_size
        if arranged is not None:
            self._places[i] = _Place.of(space, arranged)
            self._known[_digest(arranged), origin.depth] = i
        return i

    def _space(self, i: int) -> VersionSpace:
        """Return the version space of an entry. A large version space may be recomputed."""
        if i in self._waiting:
            self._kept -= self._waiting[i].packed_size
            return self._waiting.pop(i)
        whole, origin = self._whole, self._origins[i]
        left = np.full(whole.packed.shape[1], -1, dtype=np.int64).view(np.uint64)
        while origin.parent is not None:
            for x, y in origin.given:
                column = whole.packed[self._columns[x]]
                left &= column if y ^ whole.flipped[self._columns[x]] else ~column
            origin = self._origins[origin.parent]
        bits = np.unpackbits(left.view(np.uint8), count=whole.concepts, bitorder="little")
        return whole.part(np.flatnonzero(bits))

    def _find(self, arranged: Arrangement, depth: int) -> int | None:
        """Return the entry about the same normal form and depth."""
        return self._known.get((_digest(arranged), depth))

    def _matching(self, side: VersionSpace, arranged: Arrangement, known: int) -> tuple[Match, ...]:
        return self._pairs(_Place.of(side, arranged), self._places[known])

    def _pairs(self, here: _Place, there: _Place) -> tuple[Match, ...]:
        return tuple(
            (self._points[x], self._points[z], flip)
            for x, z, flip in zip(
                here.columns.tolist(),
                there.columns.tolist(),
                (here.flips ^ there.flips).tolist(),
                strict=True,
            )
        )

    def _column(self, space: VersionSpace, j: int) -> tuple[Point, int]:
        """Return the point of a column, and whether its labels are complemented."""
        return self._points[int(space.source[j])], int(space.flipped[j])


class _FailureExtraction(_Extraction[FailureEntry]):
    """The entries of a failure DAG."""

    def _entry(self, i: int, space: VersionSpace) -> FailureEntry:
        """Return an entry, by counting, products, splits, or a reason for every column.

        Counting pairs of columns decides many sides without considering them one by one. Several
        columns that symmetries exchange share one reason.
        """
        origin = self._origins[i]
        if self._search.counted_out(space, origin.depth):
            return FailureEntry(*origin)
        if parts := factors(space):
            given = [self._outside(space, part) for part in parts]
            return FailureEntry(*origin, factors=tuple(map(partial(self._factor, i), parts, given)))
        if sides := split(space):
            parts = [space.side(*side) for side in sides]
            if sum(map(self._search.dimension, parts)) < origin.depth:
                given = [(self._literal(space, *side),) for side in sides]
                return FailureEntry(
                    *origin, factors=tuple(map(partial(self._factor, i), parts, given))
                )
        weaker, refuted = self._search.weaker_sides(space, origin.depth)
        left = np.flatnonzero(~refuted).tolist()
        kept, symmetries = moved_columns(space, left, self._meter)
        steps = {j: self._step(i, space, j, int(weaker[j])) for j in kept}
        for j in np.flatnonzero(refuted).tolist():
            point, flip = self._column(space, j)
            steps[j] = FailureStep(point, int(weaker[j]) ^ flip)
        return FailureEntry(
            *origin,
            steps=tuple(steps[j] for j in sorted(steps)),
            symmetries=tuple(self._symmetry(space, *pair) for pair in symmetries),
        )

    def _symmetry(
        self, space: VersionSpace, before: Arrangement, after: Arrangement
    ) -> tuple[Match, ...]:
        """Return a symmetry. Both directions are symmetries, so either direction is correct."""
        return self._pairs(_Place.of(space, before), _Place.of(space, after))

    def _step(self, i: int, space: VersionSpace, j: int, weaker: int) -> FailureStep:
        """Return a step. Decide the weaker side first, because the search remembers its bound."""
        self._meter.tick()
        depth = self._origins[i].depth - 1
        point, flip = self._column(space, j)
        sides = [space.side(j, side) for side in (0, 1)]
        for side in (0, 1):
            if self._search.counted_out(sides[side], depth):
                return FailureStep(point, side ^ flip)
        arranged: list[Arrangement] = []
        for side in (0, 1):
            arranged.append(normal_form(sides[side]))
            known = self._find(arranged[side], depth)
            if known is not None:
                matching = self._matching(sides[side], arranged[side], known)
                return FailureStep(point, side ^ flip, known, matching)
        side = 1 - weaker if self._search.at_least(sides[weaker], depth) else weaker
        origin = _Origin(depth, i, ((point, side ^ flip),))
        return FailureStep(point, side ^ flip, self._add(sides[side], arranged[side], origin))

    def _factor(self, i: int, part: VersionSpace, given: tuple[tuple[Point, Label], ...]) -> Factor:
        """Return a factor, the version space of some labels, which fails one depth too much."""
        depth, arranged = self._search.dimension(part) + 1, normal_form(part)
        known = self._find(arranged, depth)
        if known is None:
            known = self._add(part, arranged, _Origin(depth, i, given))
        return Factor(known, self._matching(part, arranged, known))

    def _literal(self, space: VersionSpace, j: int, label: int) -> tuple[Point, Label]:
        """Return a point and its label, given a column and its oriented label."""
        point, flip = self._column(space, j)
        return point, label ^ flip

    def _outside(self, space: VersionSpace, part: VersionSpace) -> tuple[tuple[Point, Label], ...]:
        """Return labels of the first concept that leave one concept for each group labelling."""
        given: list[tuple[Point, Label]] = []
        left = np.ones(space.concepts, dtype=bool)
        for j in np.flatnonzero(~np.isin(space.source, part.source)).tolist():
            column = space.columns[j].view(np.bool_)
            if (left & column).any():
                left &= ~column
                given.append(self._column(space, j))
        return tuple(given)


class _TreeExtraction(_Extraction[Node]):
    """The nodes of a folded tree."""

    def _entry(self, i: int, space: VersionSpace) -> Node:
        origin = self._origins[i]
        j = self._search.root_column(space, origin.depth)
        point, flip = self._column(space, j)
        zero, one = (self._subtree(i, space.side(j, y ^ flip), point, y) for y in (0, 1))
        parent, side = (None, None) if i == 0 else (origin.parent, origin.given[0][1])
        return Node(parent, side, point, (zero, one))

    def _subtree(self, i: int, side: VersionSpace, point: Point, label: Label) -> Subtree:
        """Return a subtree: a shattered set if possible, or a node with the same normal form."""
        depth = self._origins[i].depth - 1
        columns = None
        if depth <= SETS_UP_TO:
            columns = shattered_columns(side, depth, self._meter)
        elif side.large:
            columns = balanced_columns(side, depth)
        if columns is not None:
            return Subtree(points=tuple(self._points[j] for j in columns))
        arranged = normal_form(side)
        known = self._find(arranged, depth)
        if known is not None:
            return Subtree(known, self._matching(side, arranged, known))
        return Subtree(self._add(side, arranged, _Origin(depth, i, ((point, label),))))


def _digest(arranged: Arrangement) -> bytes:
    """Return a digest of the key, which is compared often and may have the size of a table."""
    *size, rows = arranged.key
    return sha256(repr(size).encode() + (rows if isinstance(rows, bytes) else b"")).digest()


def shattered_points(table: PackedLabels, limit: Limit | None) -> tuple[Point, ...]:
    """Return a largest shattered set of points of a non-empty table."""
    return tuple(table.points[j] for j in largest_shattered(table._space, limit, None))


def missing_labellings(
    table: PackedLabels, size: int, limit: Limit | None, progress: Progress | None = None
) -> tuple[tuple[tuple[Point, Label], ...], ...]:
    """Return labellings that no concept induces and that prove an upper bound on the VC dimension.

    For every set of `size` points, listed in the order of the domain, the first points of the list
    are the points of a returned labelling. So no set of `size` points is shattered. Progress is
    called with the number of found labellings and the largest possible number.

    Raises
    ------
    TooLarge
        If more than `MISSING_LIMIT` labellings would be listed, or the limit is reached.
    """
    meter = Meter(limit)
    columns, points = table.column_bits, table.points
    found: list[tuple[tuple[Point, Label], ...]] = []
    # A set of points is kept as the concepts in each of its cells, first point slowest.
    stack: list[tuple[tuple[int, ...], list[int]]] = [((), [(1 << len(table)) - 1])]
    while stack:
        chosen, cells = stack.pop()
        for j in range((chosen[-1] if chosen else -1) + 1, len(points)):
            meter.tick()
            parts = [part for cell in cells for part in (cell & ~columns[j], cell & columns[j])]
            extended = (*chosen, j)
            empty = next((c for c, part in enumerate(parts) if not part), None)
            if empty is None:
                stack.append((extended, parts))
                continue
            if len(points) - j - 1 < size - len(extended):
                continue
            labels = format(empty, f"0{len(extended)}b")
            found.append(tuple((points[i], int(y)) for i, y in zip(extended, labels, strict=True)))
            if progress is not None:
                progress(len(found), MISSING_LIMIT)
            if len(found) > MISSING_LIMIT:
                raise TooLarge(
                    "A proof that no larger set is shattered would list more than "
                    f"{MISSING_LIMIT} missing labellings. Only the shattered set has a "
                    "certificate.",
                    limit=MISSING_LIMIT,
                )
    return tuple(sorted(found, key=lambda labelling: [table.domain.index(x) for x, _ in labelling]))
