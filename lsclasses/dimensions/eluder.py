"""The eluder dimension: the longest sequence of points not determined by earlier labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from lsclasses.dimensions import definitions
from lsclasses.dimensions.base import Evidence, dimension
from lsclasses.errors import InvalidInput
from lsclasses.limits import Limit, Meter, Progress
from lsclasses.point_names import Point
from lsclasses.searching.bitsets import members
from lsclasses.searching.search_bounds import Bounds

if TYPE_CHECKING:
    from lsclasses.table import Table

ENTRY_BYTES = 150
"""Approximate number of bytes of a stored dimension, without its version space."""


class EluderSequence(NamedTuple):
    """An eluder sequence: points, a target, and a concept for each point.

    Attributes
    ----------
    points : tuple of points x_1, ..., x_m
    target : concept name
    concepts : tuple of concept names
        Names of the concepts. The i-th concept differs from the target at x_i and at no earlier
        point. Concepts without names are given by their positions in the table.
    """

    points: tuple[Point, ...]
    target: Point
    concepts: tuple[Point, ...]


def evidence(table: Table, limit: Limit | None) -> tuple[int, dict[str, Any]]:
    """Return the eluder dimension of a table with a witness of the lower bound."""
    found = eluder_sequence(table, limit=limit)
    return len(found.points), found._asdict()


@dimension(
    "eluder dimension",
    symbol="Edim",
    definition="The largest m for which points x_1, ..., x_m, a concept h and concepts h_1, ..., "
    "h_m exist such that h_i differs from h at x_i, but not at x_1, ..., x_{i-1}.",
    reference="[RV13]; Li, Kamath, Foster and Srebro 2022",
    of_empty=-1,
    meaning="How often the next label can surprise a learner that has observed the labels of "
    "earlier points. It bounds the regret of bandits. This is the combinatorial form for labels.",
    evidence=Evidence(
        evidence,
        "points, a target and concepts, the i-th of which differs from the target at the i-th "
        "point and at no earlier point",
        definitions.eluding,
    ),
)
def eluder_dim(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The largest length m of an eluder sequence: points x_i, a target h and concepts h_i.

    For i = 1, ..., m, the concept h_i differs from h at x_i and agrees with h at x_1, ..., x_{i-1}.
    The value is -1 for the empty class, which has no target.

    Examples
    --------
    >>> import catalog
    >>> eluder_dim(catalog.build("thresholds:n=7").to_table())
    7
    """
    return -1 if table.is_empty else len(_Search(table, Meter(limit)).run(progress).points)


def eluder_sequence(table: Table, *, limit: Limit | None = None) -> EluderSequence:
    """Return a longest eluder sequence of a non-empty class: the witness of `eluder_dim`.

    Raises
    ------
    InvalidInput
        If the class is empty.

    Examples
    --------
    >>> from lsclasses import Table
    >>> eluder_sequence(Table([[0, 0], [0, 1], [1, 1]], domain="ab"))
    EluderSequence(points=('a', 'b'), target=1, concepts=(2, 0))
    """
    if table.is_empty:
        raise InvalidInput("The empty class has no eluder sequence, because it has no target.")
    return _Search(table, Meter(limit)).run(None)


class _Search:
    """The longest chain of version spaces that lose a concept with every label.

    The target is any concept of the last version space, so the rest of the chain does not depend on
    the target. The chain from a version space is 1 longer than the chain from one of the two sides
    of a point that splits the space.
    """

    def __init__(self, table: Table, meter: Meter) -> None:
        self._table = table
        self._columns = table.column_bits
        self._meter = meter
        self._known: dict[int, int] = {}

    def run(self, progress: Progress | None) -> EluderSequence:
        table = self._table
        space = (1 << len(table)) - 1
        upper = min(len(table) - 1, len(self._splitting(space, range(len(self._columns)))))
        with Bounds("the eluder dimension", 0, upper, progress) as self._bounds:
            length = self._longest(space, range(len(self._columns)), 0)
            self._bounds.at_least(length)
            self._bounds.at_most(length)
        points, others = [], []
        while length:
            j, space, other = next(
                (j, side, space ^ side)
                for j, side in self._sides(space, range(len(self._columns)))
                if self._longest(side, range(len(self._columns)), 0) == length - 1
            )
            points.append(table.points[j])
            others.append(table.concept_name(next(members(other))))
            length -= 1
        target = table.concept_name(next(members(space)))
        return EluderSequence(tuple(points), target, tuple(others))

    def _splitting(self, space: int, candidates: Sequence[int]) -> list[int]:
        return [j for j in candidates if 0 != space & self._columns[j] != space]

    def _sides(self, space: int, candidates: Sequence[int]) -> list[tuple[int, int]]:
        """Return both sides of each point that splits a space, largest first."""
        sides = []
        for j in self._splitting(space, candidates):
            self._meter.tick()
            sides += [(j, space & self._columns[j]), (j, space & ~self._columns[j])]
        return sorted(sides, key=lambda pair: -pair[1].bit_count())

    def _longest(self, space: int, candidates: Sequence[int], depth: int) -> int:
        if space in self._known:
            return self._known[space]
        self._meter.tick()
        self._bounds.at_least(depth)
        best = 0
        sides = self._sides(space, candidates)
        splitting = sorted({j for j, _ in sides})
        for _, side in sides:
            if best >= min(len(splitting), side.bit_count()):
                break
            best = max(best, 1 + self._longest(side, splitting, depth + 1))
        self._meter.charge(ENTRY_BYTES + space.bit_length() // 8)
        self._known[space] = best
        return best
