"""The threshold dimension: the length of the longest line of thresholds in a class.

Finite Littlestone dimension and finite threshold dimension are equivalent (Shelah 1978,
Hodges 1997). With d = Ldim and k thresholds, ``floor(log2 k) <= d`` and
``k >= floor(log2(d + 1))``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from lsclasses.dimensions import definitions
from lsclasses.dimensions.base import Evidence, dimension
from lsclasses.limits import Limit, Meter, Progress
from lsclasses.point_names import Point
from lsclasses.searching.bitsets import maximal, members, of_members
from lsclasses.searching.search_bounds import Bounds

if TYPE_CHECKING:
    from lsclasses.table import Table

ENTRY_BYTES = 300
"""Approximate number of bytes of a stored pair of sets, without the sets themselves."""


class EmbeddedThresholds(NamedTuple):
    """Points x_1, ..., x_k and concepts h_1, ..., h_k such that h_i(x_j) = 1 iff i <= j.

    Attributes
    ----------
    points : tuple of points
    concepts : tuple of concept names
        Names of concepts, or positions in the table if concepts have no names.
    """

    points: tuple[Point, ...]
    concepts: tuple[Point, ...]


def evidence(table: Table, limit: Limit | None) -> tuple[int, dict[str, Any]]:
    """Return the threshold dimension of a table with a witness of the lower bound."""
    found = thresholds(table, limit=limit)
    return len(found.points), found._asdict()


@dimension(
    "threshold dimension",
    symbol="tdim",
    definition="The largest k with points x_1, ..., x_k and concepts h_1, ..., h_k such that "
    "h_i(x_j) = 1 if and only if i <= j.",
    reference="Shelah 1978; Hodges 1997; Alon, Livni, Malliaris and Moran 2019",
    of_empty=0,
    meaning="The length of the longest line of thresholds in the class. It is finite if and only "
    "if the Littlestone dimension is finite. The proof that private learning needs a finite "
    "Littlestone dimension uses this fact.",
    flips_change=True,
    evidence=Evidence(
        evidence,
        "points x_1, x_2, ... and concepts h_1, h_2, ... with h_i(x_j) = 1 iff i <= j",
        definitions.thresholds,
    ),
)
def threshold_dim(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The largest k with points x_1..x_k and concepts h_1..h_k such that h_i(x_j) = 1 iff i <= j.

    The value is 0 if no concept has a label 1, in particular for the empty class.

    Examples
    --------
    >>> from lsclasses import Table
    >>> threshold_dim(Table([[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]]))
    3
    """
    return len(_longest(table, limit, progress))


def thresholds(table: Table, *, limit: Limit | None = None) -> EmbeddedThresholds:
    """Return points and concepts that embed the most thresholds, the witness of `threshold_dim`.

    Examples
    --------
    >>> from lsclasses import Table
    >>> thresholds(Table([[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]], domain="abc"))
    EmbeddedThresholds(points=('a', 'b', 'c'), concepts=(3, 2, 1))
    """
    pairs = _longest(table, limit, None)
    return EmbeddedThresholds(
        tuple(table.points[x] for x, _ in pairs), tuple(table.concept_name(h) for _, h in pairs)
    )


def _longest(table: Table, limit: Limit | None, progress: Progress | None) -> list[tuple[int, int]]:
    """Return the positions (x_i, h_i) of a longest line of thresholds."""
    search = _ThresholdSearch(table, Meter(limit))
    whole = (1 << len(table.points)) - 1, (1 << len(table)) - 1
    found = search.greedy(*whole)
    upper = search.upper(*search.reduced(*whole))
    with Bounds("the threshold dimension", len(found), upper, progress) as bounds:
        while not bounds.decided:
            if search.at_least(*whole, bounds.lower + 1):
                found = search.extract(*whole, bounds.lower + 1)
                bounds.at_least(len(found))
            else:
                bounds.at_most(bounds.lower)
    return found


class _ThresholdSearch:
    """The search for a line of thresholds in a set X of points and a set H of concepts.

    The first threshold h_1 is 1 on all points of the line, and all later concepts are 0 at the
    first point x_1. So the rest of the line lies among the points where h_1 is 1 and the concepts
    that are 0 at x_1. The search tries only concepts with an inclusion-maximal set of 1s, and with
    each concept only points with an inclusion-maximal set of concepts that are 0 at the point.
    """

    def __init__(self, table: Table, meter: Meter) -> None:
        self._rows = table.row_bits
        self._columns = table.column_bits
        self._meter = meter
        self._bounds: dict[tuple[int, int], tuple[int, int]] = {}
        self._reduced: dict[tuple[int, int], tuple[int, int]] = {}

    def _reduced_once(self, X: int, H: int) -> tuple[int, int]:
        """Return `reduced`, remembered because searches for longer lines meet equal sets again."""
        found = self._reduced.get((X, H))
        if found is None:
            found = self._reduced[X, H] = self.reduced(X, H)
            self._meter.charge(ENTRY_BYTES + (X.bit_length() + H.bit_length()) // 8)
        return found

    def reduced(self, X: int, H: int) -> tuple[int, int]:
        """Return X and H without zero concepts and points, and without indistinguishable copies.

        All concepts of a line differ on X, and all points of a line differ on H.
        """
        while True:
            kinds: dict[int, int] = {}
            for h in members(H):
                kinds.setdefault(self._rows[h] & X, h)
            kinds.pop(0, None)
            fewer_concepts = of_members(kinds.values())
            kinds = {}
            for x in members(X):
                kinds.setdefault(self._columns[x] & fewer_concepts, x)
            kinds.pop(0, None)
            fewer_points = of_members(kinds.values())
            if (fewer_points, fewer_concepts) == (X, H):
                return X, H
            X, H = fewer_points, fewer_concepts

    def upper(self, X: int, H: int) -> int:
        """Return an upper bound by counting: in a line of length k, h_i has k - i + 1 ones, ..."""
        in_row = [(self._rows[h] & X).bit_count() for h in members(H)]
        in_column = [(self._columns[x] & H).bit_count() for x in members(X)]
        zeros_and_itself = [H.bit_count() - ones + 1 for ones in in_column]
        return min(_staircase(in_row), _staircase(in_column), _staircase(zeros_and_itself))

    def steps(self, X: int, H: int, k: int) -> Iterator[tuple[int, int]]:
        """Yield the points and the concepts that may remain after a first of k thresholds."""
        for ones in maximal(self._rows[h] & X for h in members(H)):
            if ones.bit_count() < k:
                return
            for zeros in maximal(H & ~self._columns[x] for x in members(ones)):
                if zeros.bit_count() < k - 1:
                    break
                yield ones, zeros

    def at_least(self, X: int, H: int, k: int) -> bool:
        """Return whether a line of k thresholds exists."""
        if k <= 0:
            return True
        if min(X.bit_count(), H.bit_count()) < k:
            return False
        X, H = self._reduced_once(X, H)
        if k == 1 or not X:
            return X != 0
        self._meter.tick()
        if (X, H) in self._bounds:
            lower, upper = self._bounds[X, H]
        else:
            lower, upper = 1, self.upper(X, H)
            self._meter.charge(ENTRY_BYTES + (X.bit_length() + H.bit_length()) // 8)
        if lower < k <= upper:
            if any(self.at_least(*left, k - 1) for left in self.steps(X, H, k)):
                lower = k
            else:
                upper = k - 1
        self._bounds[X, H] = lower, upper
        return k <= lower

    def extract(self, X: int, H: int, k: int) -> list[tuple[int, int]]:
        """Return the positions (x_i, h_i) of a line of k thresholds, which must exist."""
        pairs: list[tuple[int, int]] = []
        for needed in range(k, 0, -1):
            X, H = self.reduced(X, H)
            ones, zeros = next(
                left for left in self.steps(X, H, needed) if self.at_least(*left, needed - 1)
            )
            pairs.append(self._first_pair(X, H, ones, zeros))
            X, H = ones, zeros
        return pairs

    def greedy(self, X: int, H: int) -> list[tuple[int, int]]:
        """Return a line that keeps the most points, then the most concepts, at every step."""
        pairs: list[tuple[int, int]] = []
        while H:
            self._meter.tick()
            h = max(members(H), key=lambda h: (self._rows[h] & X).bit_count())
            X &= self._rows[h]
            if not X:
                break
            x = max(members(X), key=lambda x: (H & ~self._columns[x]).bit_count())
            H &= ~self._columns[x]
            pairs.append((x, h))
        return pairs

    def _first_pair(self, X: int, H: int, ones: int, zeros: int) -> tuple[int, int]:
        return (
            next(x for x in members(ones) if H & ~self._columns[x] == zeros),
            next(h for h in members(H) if self._rows[h] & X == ones),
        )


def _staircase(sizes: list[int]) -> int:
    """Return the largest k for which some k sizes are at least k, k - 1, ..., 1, respectively."""
    k, least = 0, len(sizes)
    for size in sorted(sizes, reverse=True):
        least = min(least, size + k)
        if least <= k:
            break
        k += 1
    return k
