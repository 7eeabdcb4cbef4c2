"""Reads evidence off a search.

Here alone, in this folder, a search is asked why. What is written down is checked by
`Certificate.verify`, which asks nothing of it.
"""

from __future__ import annotations

import numpy as np

from lsclasses.certificates.entries import Entry, Factor, Match, Step
from lsclasses.dimensions.vc import shattered_set
from lsclasses.errors import TooLarge
from lsclasses.limits import Limit, Meter, Progress
from lsclasses.points import Label, Point
from lsclasses.searching.products import factors
from lsclasses.searching.version_space import Arrangement, VersionSpace, normal_form
from lsclasses.table import Table

__all__ = ["failure_entries", "largest_shattered_set", "missing_labellings"]

MISSING_LIMIT = 1 << 18
"""How many missing labellings a certificate may list."""


def failure_entries(
    table: Table, limit: Limit | None = None, progress: Progress | None = None
) -> tuple[Entry, ...]:
    """Why a table shatters no tree deeper than its dimension.

    Raises
    ------
    TooLarge
        If the time of the limit is up.
    """
    return _Extraction(table).entries(table.ldim() + 1, Meter(limit), progress)


_Origin = tuple[int, int | None, tuple[tuple[Point, Label], ...]]
"""The depth, the parent and the restrictions of an entry."""


class _Extraction:
    """Collects the entries of a failure DAG, breadth first."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._search = table._search
        self._spaces: list[VersionSpace] = []
        self._arranged: list[Arrangement] = []
        self._origins: list[_Origin] = []
        self._known: dict[tuple[tuple[object, ...], int], int] = {}

    def entries(self, depth: int, meter: Meter, progress: Progress | None) -> tuple[Entry, ...]:
        """All entries, beginning with the whole table at the given depth.

        Progress is how many are written down, of how many that are known to be needed.
        """
        whole = self._table._space
        self._add(whole, normal_form(whole), (depth, None, ()))
        found: list[Entry] = []
        while len(found) < len(self._spaces):
            i = len(found)
            meter.tick(every=1)
            if progress is not None:
                progress(i, len(self._spaces))
            found.append(self._entry(i))
        return tuple(found)

    def _entry(self, i: int) -> Entry:
        """Counting comes first, then products; a reason for every column comes last."""
        space, origin = self._spaces[i], self._origins[i]
        if self._search.counted_out(space, origin[0]):
            return Entry(*origin)
        if parts := factors(space):
            return Entry(*origin, factors=tuple(self._factor(i, part) for part in parts))
        return Entry(*origin, steps=self._steps(i))

    def _add(self, space: VersionSpace, arranged: Arrangement, origin: _Origin) -> int:
        self._spaces.append(space)
        self._arranged.append(arranged)
        self._origins.append(origin)
        self._known[arranged.key, origin[0]] = len(self._spaces) - 1
        return len(self._spaces) - 1

    def _steps(self, i: int) -> tuple[Step, ...]:
        space, depth = self._spaces[i], self._origins[i][0] - 1
        return tuple(self._step(i, space, j, depth) for j in range(len(space.words)))

    def _step(self, i: int, space: VersionSpace, j: int, depth: int) -> Step:
        point, flip = self._table.points[int(space.source[j])], int(space.flipped[j])
        sides = [space.side(j, side) for side in (0, 1)]
        for side in (0, 1):
            if self._search.counted_out(sides[side], depth):
                return Step(point, side ^ flip)
        arranged: list[Arrangement] = []
        for side in (0, 1):
            arranged.append(normal_form(sides[side]))
            known = self._known.get((arranged[side].key, depth))
            if known is not None:
                matching = self._matching(sides[side], arranged[side], known)
                return Step(point, side ^ flip, known, matching)
        side = min((0, 1), key=lambda side: sides[side].concepts)
        if self._search.at_least(sides[side], depth):
            side = 1 - side
        added = self._add(sides[side], arranged[side], (depth, i, ((point, side ^ flip),)))
        return Step(point, side ^ flip, added)

    def _factor(self, i: int, part: VersionSpace) -> Factor:
        """The concepts that agree with the first one outside a group fail one depth too much."""
        depth, arranged = self._search.dimension(part) + 1, normal_form(part)
        known = self._known.get((arranged.key, depth))
        if known is None:
            known = self._add(part, arranged, (depth, i, self._outside(i, part)))
        return Factor(known, self._matching(part, arranged, known))

    def _outside(self, i: int, part: VersionSpace) -> tuple[tuple[Point, Label], ...]:
        """Labels of the first concept that leave only those that agree with it outside a group."""
        space = self._spaces[i]
        given: list[tuple[Point, Label]] = []
        left = np.ones(space.concepts, dtype=bool)
        for j in np.flatnonzero(~np.isin(space.source, part.source)).tolist():
            column = space.columns[j].view(np.bool_)
            if (left & column).any():
                left &= ~column
                given.append((self._table.points[int(space.source[j])], int(space.flipped[j])))
        return tuple(given)

    def _matching(self, side: VersionSpace, arranged: Arrangement, known: int) -> tuple[Match, ...]:
        space, target = self._spaces[known], self._arranged[known]
        points = self._table.points
        return tuple(
            (
                points[int(side.source[a])],
                points[int(space.source[b])],
                int(side.flipped[a] ^ space.flipped[b] ^ flip_a ^ flip_b),
            )
            for a, b, flip_a, flip_b in zip(
                arranged.order, target.order, arranged.flip, target.flip, strict=True
            )
        )


def largest_shattered_set(table: Table, limit: Limit | None) -> tuple[Point, ...]:
    """As many points as the class shatters; see `lsclasses.dimensions.vc.shattered_set`."""
    return shattered_set(table, limit=limit)


def missing_labellings(
    table: Table, size: int, limit: Limit | None, progress: Progress | None = None
) -> tuple[tuple[tuple[Point, Label], ...], ...]:
    """A missing labelling for a beginning of every `size` points in the order of the domain.

    No set of that size is shattered. Progress is how many are found, of how many there may be.

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
                    f"{MISSING_LIMIT} missing labellings; only the shattered set is certified.",
                    limit=MISSING_LIMIT,
                )
    return tuple(sorted(found, key=lambda labelling: [table.domain.index(x) for x, _ in labelling]))
