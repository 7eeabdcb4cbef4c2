"""Certificates of the randomized Littlestone dimension from the search.

The search computes only expected depths. So a proof does not depend on the engine, or on the
results that the engine remembers.
"""

from __future__ import annotations

import heapq
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

import numpy as np

from lsclasses.certificates.base import Subject
from lsclasses.certificates.depth_rules import BALANCED_UP_TO, ONE, PLACES, counted_sides
from lsclasses.certificates.depths import (
    MOST_NUMBERS,
    DepthBound,
    DepthNode,
    Numbers,
    RandomizedLdimCertificate,
)
from lsclasses.dimensions.littlestone import balanced_depth
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.limits import Limit, Meter, Progress, within
from lsclasses.searching.version_space import VersionSpace, normal_form

if TYPE_CHECKING:
    from lsclasses.table import Table

ENTRY_BYTES = 600
"""Approximate number of bytes of an entry, without its version space and its steps."""
Written = TypeVar("Written")


def randomized_ldim_certificate(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> RandomizedLdimCertificate:
    """Return a proof of the exact randomized Littlestone dimension of a table.

    The checker of the proof does not search.

    Parameters
    ----------
    table : Table
    limit : Limit, optional
        Time and memory for the search and for writing the proof.
    progress : callable, optional
        Called with the number of written entries and the number of known entries.

    Raises
    ------
    InvalidInput
        If the class is empty.
    TooLarge
        If the limit is reached, or the proof has more than 2^26 numbers.

    Examples
    --------
    >>> import catalog
    >>> proof = randomized_ldim_certificate(catalog.build("thresholds:n=4").to_table())
    >>> proof.claim, len(proof.bounds), len(proof.nodes)
    ('randomized_ldim = 9/8', 1, 1)
    """
    if table.is_empty:
        raise InvalidInput(
            "The empty class shatters no tree, so its randomized Littlestone "
            "dimension has no proof."
        )
    with within(limit):
        depths = _Depths(table, Meter(limit))
        bounds = _BoundsWriter(depths).written(progress)
        nodes = _TreeWriter(depths).written(progress)
    places = max(each.bound.denominator.bit_length() - 1 for each, _ in bounds)
    return RandomizedLdimCertificate(
        Subject.of(table),
        places,
        int(bounds[0][0].bound * (1 << places)),
        tuple(
            DepthBound(each.origin, int(each.bound * (1 << places)), _references(steps))
            for each, steps in bounds
        ),
        tuple(_node(each, root, below) for each, (root, below) in nodes),
    )


@dataclass(eq=False, slots=True)
class _Asked:
    """A version space about which an entry or a node is written.

    Attributes
    ----------
    space : VersionSpace or None
        The version space, forgotten after it is written.
    literals : array of int
        Twice the number of each column, plus 1 if it is complemented, in the normal form.
    above : _Asked or None
        The version space that has this version space as a side.
    code : int
        Number of the side, 2 x + y.
    bound : Fraction
        The requested bound.
    number : int
        Number of the written entry.
    """

    space: VersionSpace | None
    literals: np.ndarray
    above: _Asked | None
    code: int
    bound: Fraction
    number: int = -1

    @property
    def origin(self) -> Numbers:
        return () if self.above is None else (self.above.number, self.code)


_Step = tuple[Numbers, _Asked, Numbers]
"""A requested version space, with the numbers before and after its entry number."""


def _references(steps: list[_Step]) -> tuple[Numbers, ...]:
    return tuple((*before, asked.number, *after) for before, asked, after in steps)


def _node(each: _Asked, root: int, below: list[list[_Step]]) -> DepthNode:
    zero, one = (_references(side)[0] if side else () for side in below)
    return DepthNode(each.origin, root, (zero, one))


class _Side(NamedTuple):
    """A version space with its place in the normal form, which a digest names."""

    space: VersionSpace
    literals: np.ndarray
    digest: bytes


class _Depths:
    """Exact expected depths of version spaces, each computed once by the search."""

    def __init__(self, table: Table, meter: Meter) -> None:
        self.meter = meter
        self.whole = table._space
        self._search = table._depths
        self._known: dict[bytes, Fraction] = {}

    def arranged(self, space: VersionSpace) -> _Side:
        """Return a version space brought into normal form."""
        self.meter.tick()
        (*size, rows), order, flip = normal_form(space)
        key = repr(size).encode() + (rows if isinstance(rows, bytes) else b"")
        literals = 2 * space.source[order] + (space.flipped[order] ^ flip)
        return _Side(space, literals.astype(np.int32), sha256(key).digest())

    def of(self, side: _Side) -> Fraction:
        """Return the expected depth."""
        if side.space.concepts <= BALANCED_UP_TO:
            return balanced_depth(side.space.concepts)
        if side.digest not in self._known:
            self.meter.charge(ENTRY_BYTES)
            self._known[side.digest] = self._search.depth(side.space, self.meter.rest)
        return self._known[side.digest]


class _Writer(ABC, Generic[Written]):
    """Writer of entries in the order of their sizes, largest version spaces first.

    So all requests for a version space are known when it is written.
    """

    def __init__(self, depths: _Depths) -> None:
        self._depths = depths
        self._asked: dict[bytes, _Asked] = {}
        self._waiting: list[tuple[int, int, _Asked]] = []
        self._numbers = 0

    def written(self, progress: Progress | None) -> list[tuple[_Asked, Written]]:
        """Return all requested entries, beginning with the whole class."""
        whole = self._depths.arranged(self._depths.whole)
        found: list[tuple[_Asked, Written]] = []
        if self._begins(whole):
            self._ask(whole, None, 0, self._depths.of(whole))
        while self._waiting:
            asked = heapq.heappop(self._waiting)[-1]
            asked.number = len(found)
            if progress is not None:
                progress(len(found), len(self._asked))
            assert asked.space is not None
            found.append((asked, self._write(asked, asked.space)))
            asked.space = None
        return found

    @abstractmethod
    def _begins(self, whole: _Side) -> bool:
        """Return whether the writer has an entry for the class."""

    @abstractmethod
    def _write(self, asked: _Asked, space: VersionSpace) -> Written:
        """Return the entry of a version space."""

    def _ask(self, side: _Side, above: _Asked | None, code: int, bound: Fraction) -> _Step:
        """Request a side, and return the step that refers to it."""
        known = self._asked.get(side.digest)
        if known is None:
            self._depths.meter.charge(side.space.packed_size + ENTRY_BYTES)
            known = _Asked(side.space, side.literals, above, code, bound)
            self._asked[side.digest] = known
            heapq.heappush(self._waiting, (-side.space.concepts, len(self._asked), known))
            return (code,), known, ()
        known.bound = min(bound, known.bound)
        if known.above is above and known.code == code:
            return (code,), known, ()
        order = np.argsort(known.literals)
        matching = side.literals[order] ^ (known.literals[order] & 1)
        self._numbers += len(matching)
        self._depths.meter.charge(8 * len(matching) + 100)
        if self._numbers > MOST_NUMBERS // 2:
            raise TooLarge(
                f"The proof has more than {MOST_NUMBERS // 2} numbers in its matchings.",
                limit=MOST_NUMBERS // 2,
            )
        return (code,), known, tuple(matching.tolist())

    def _counted(self, space: VersionSpace) -> np.ndarray:
        """Return the counts of a version space, as the checker computes them."""
        ones, both = space.ones.astype(np.int64), space.both.astype(np.int64)
        return counted_sides(space.concepts, ones, both)

    def _code(self, space: VersionSpace, j: int, side: int) -> int:
        """Return the number of a side of an oriented column, by the label of the point."""
        return 2 * int(space.source[j]) + (side ^ int(space.flipped[j]))


class _BoundsWriter(_Writer[list[_Step]]):
    """Steps for all columns that counting does not exclude."""

    def _begins(self, whole: _Side) -> bool:
        return True

    def _write(self, asked: _Asked, space: VersionSpace) -> list[_Step]:
        together = 2 * (asked.bound - 1)
        counted = self._counted(space)
        left = counted.sum(axis=1) > (together.numerator << PLACES) // together.denominator
        steps: list[_Step] = []
        for j in np.flatnonzero(left).tolist():
            sides = [self._depths.arranged(space.side(j, y)) for y in (0, 1)]
            counts = [Fraction(depth, ONE) for depth in counted[j].tolist()]
            for y, bound in self._needed(sides, counts, together):
                if bound < counts[y]:
                    steps.append(self._ask(sides[y], asked, self._code(space, j, y), bound))
        return steps

    def _needed(
        self, sides: list[_Side], counts: list[Fraction], together: Fraction
    ) -> list[tuple[int, Fraction]]:
        """Return sufficient bounds on sides, on one side if possible, preferably the smaller side.

        The bounds are as loose as possible, except the bound on the smaller side if both are
        needed.
        """
        small = int(sides[1].space.concepts < sides[0].space.concepts)
        for y in (small, 1 - small):
            if self._depths.of(sides[y]) + counts[1 - y] <= together:
                return [(y, together - counts[1 - y])]
        exact = self._depths.of(sides[small])
        return [(small, exact), (1 - small, together - exact)]


class _TreeWriter(_Writer[tuple[int, list[list[_Step]]]]):
    """The first column that attains the depth, ordered by the bounds from counting."""

    def _begins(self, whole: _Side) -> bool:
        return whole.space.concepts > BALANCED_UP_TO

    def _write(self, asked: _Asked, space: VersionSpace) -> tuple[int, list[list[_Step]]]:
        together = 2 * (asked.bound - 1)
        counted = self._counted(space)
        for j in np.argsort(-counted.sum(axis=1), kind="stable").tolist():
            sides = [self._depths.arranged(space.side(j, y)) for y in (0, 1)]
            small = int(sides[1].space.concepts < sides[0].space.concepts)
            lacking = together - self._depths.of(sides[small])
            if Fraction(int(counted[j, 1 - small]), ONE) < lacking:
                continue
            if self._depths.of(sides[1 - small]) == lacking:
                break
        flip = int(space.flipped[j])
        below: list[list[_Step]] = []
        for y in (flip, 1 - flip):
            few = sides[y].space.concepts <= BALANCED_UP_TO
            code, bound = self._code(space, j, y), self._depths.of(sides[y])
            below.append([] if few else [self._below(sides[y], asked, code, bound)])
        return int(space.source[j]), below

    def _below(self, side: _Side, asked: _Asked, code: int, bound: Fraction) -> _Step:
        _, known, matching = self._ask(side, asked, code, bound)
        return (), known, matching
