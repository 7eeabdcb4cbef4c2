"""The growth function (shatter function): the number of labellings on n points."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lsclasses.dimensions.base import dimension
from lsclasses.errors import InvalidInput
from lsclasses.limits import Limit, Meter, Progress

if TYPE_CHECKING:
    from lsclasses.table import Table

__all__ = ["growth_function", "sauer_bound"]

LABELS = 1 << 20
"""Number of labels that are counted between two checks of the time limit."""
BATCH = 1 << 20
"""Largest number of pairs (candidate set, concept) that are compared at once."""


def sauer_bound(n: int, d: int) -> int:
    """Return the sum of the binomials C(n, i) over i = 0, ..., d, which is 0 for d = -1.

    A class of VC dimension d induces at most this number of labellings on n points (Sauer 1972;
    Shelah 1972; Vapnik and Chervonenkis 1971). With d = Ldim it bounds the 0-covering number of
    any tree of depth n [LWY25, Lemma A.16].

    Raises
    ------
    InvalidInput
        If n is negative or d less than -1.

    Examples
    --------
    >>> [sauer_bound(n, 2) for n in range(6)]
    [1, 2, 4, 7, 11, 16]
    """
    if n < 0 or d < -1:
        raise InvalidInput(f"The Sauer bound needs n >= 0 and d >= -1. Got n={n!r}, d={d!r}.")
    if d < 0:
        return 0
    # A product for each term is much faster than a binomial for each term.
    total = term = 1
    for i in range(min(n, d)):
        term = term * (n - i) // (i + 1)
        total += term
    return total


@dimension(
    "growth function",
    symbol="Pi",
    definition="For n = 0, 1, ... up to the number of points, the largest number of labellings "
    "that the class induces on n points.",
    reference="Vapnik and Chervonenkis 1971",
    of_empty=None,
    meaning="The number of behaviours of the class on n points. It is 2^n up to the VC dimension "
    "and grows polynomially above it.",
    bounded_by="vcdim",
)
def growth_function(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> tuple[int, ...]:
    """The largest number of labellings that the class induces on n points, for n = 0, 1, ...

    Entry n is the maximum, over the sets of n points, of the number of labellings that concepts
    induce on the set. The entry is 2^n up to the VC dimension d, and at most `sauer_bound` (n, d)
    beyond d. The last entry is the number of concepts. All entries are 0 for the empty class.

    Parameters
    ----------
    table, limit
        Table and limit of the search, as in `lsclasses.dimensions.base.Search`.
    progress : callable, optional
        Called with (n, number of points) before entry n is computed. The numbers are not bounds.

    Examples
    --------
    >>> from lsclasses import Table
    >>> growth_function(Table([[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]]))
    (1, 2, 3, 4)
    """
    points = len(table.points)
    if table.is_empty:
        return (0,) * (points + 1)
    search = _GrowthSearch(table, Meter(limit))
    values = [1]
    for n in range(1, points + 1):
        if progress is not None:
            progress(n, points)
        values.append(search.next_value(values))
    return tuple(values)


class _GrowthSearch:
    """Branch and bound over sets of points, in increasing size.

    The chosen points divide the concepts into cells. Every further point splits some cells. With r
    points to come, a cell of s concepts becomes at most min(s, Pi(r)) cells, where Pi(r) is already
    known.
    """

    def __init__(self, table: Table, meter: Meter) -> None:
        # One of several equal or complementary columns suffices, and constant columns add nothing.
        chosen = table._space.source.tolist()
        self._labels = np.empty((len(table), len(chosen)), dtype=np.uint8, order="F")
        for i, j in enumerate(chosen):
            meter.tick()
            self._labels[:, i] = table._column(j)
        self._everything = _Cells(np.arange(len(table)), np.zeros(1, dtype=np.intp))
        self._meter = meter
        self._known: list[int] = []
        self._best = self._enough = 0
        self._greedy = self._greedy_values()

    def next_value(self, known: list[int]) -> int:
        """Return Pi(n), given the list of Pi(0), ..., Pi(n-1)."""
        n = len(known)
        concepts, points = len(self._labels), self._labels.shape[1]
        if n > points or known[-1] == concepts:
            return concepts
        self._known = known
        self._best = self._greedy[n]
        self._enough = min([concepts, 2**n, *(known[i] * known[n - i] for i in range(1, n))])
        dimension = max(i for i, value in enumerate(known) if value == 2**i)
        if dimension < n - 1:
            self._enough = min(self._enough, sauer_bound(n, dimension))
        self._extend(self._everything, np.arange(points), n)
        return self._best

    def _greedy_values(self) -> list[int]:
        """Return the numbers of cells when the point that splits most is added repeatedly."""
        cells, values = self._everything, [1]
        while len(values) <= self._labels.shape[1]:
            ones, zeros = self._sides(cells, np.arange(self._labels.shape[1]))
            best = int(np.count_nonzero((ones > 0) & (zeros > 0), axis=0).argmax())
            cells = cells.split(self._labels[cells.concepts, best])
            values.append(len(cells.starts))
        return values

    def _extend(self, cells: _Cells, candidates: np.ndarray, needed: int) -> None:
        """Add `needed` of the candidate points in every way that may improve on the best."""
        if self._best >= self._enough:
            return
        ones, zeros = self._sides(cells, candidates)
        splits = np.count_nonzero((ones > 0) & (zeros > 0), axis=0)
        if needed == 1:
            self._best = max(self._best, len(cells.starts) + int(splits.max()))
            return
        most = self._known[needed - 1]
        bound = (np.minimum(ones, most) + np.minimum(zeros, most)).sum(axis=0)
        order = np.argsort(-splits, kind="stable")
        order = order[bound[order] > self._best]
        sets = math.comb(len(order), needed)
        small = sets * len(cells.concepts) <= BATCH
        if small and len(order) + len(cells.starts).bit_length() <= 64:
            if sets:
                labels = self._labels[np.ix_(cells.concepts, candidates[order])]
                self._best = max(self._best, cells.most(labels, needed))
            return
        for i, j in enumerate(order[: len(order) - needed + 1].tolist()):
            if bound[j] > self._best:
                rest = candidates[order[i + 1 :]]
                label = self._labels[cells.concepts, candidates[j]]
                self._extend(cells.split(label), rest, needed - 1)

    def _sides(self, cells: _Cells, candidates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the numbers of labels 1 and of labels 0 of each candidate in each cell."""
        ones = np.empty((len(cells.starts), len(candidates)), dtype=np.int64)
        zeros = np.empty_like(ones)
        step = max(1, LABELS // len(cells.concepts))
        for start in range(0, len(candidates), step):
            self._meter.tick()
            some = slice(start, start + step)
            labels = self._labels[np.ix_(cells.concepts, candidates[some])]
            ones[:, some], zeros[:, some] = cells.sides(labels)
        return ones, zeros


class _Cells(NamedTuple):
    """The concepts, ordered by cell, and the start of each cell."""

    concepts: np.ndarray
    starts: np.ndarray

    def numbers(self) -> np.ndarray:
        """Return the number of the cell of each of `concepts`."""
        sizes = np.diff(self.starts, append=len(self.concepts))
        return np.repeat(np.arange(len(sizes)), sizes)

    def sides(self, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the numbers of labels 1 and of labels 0 of each point in each cell."""
        ones = np.add.reduceat(labels, self.starts, axis=0, dtype=np.int64)
        return ones, np.diff(self.starts, append=len(self.concepts))[:, None] - ones

    def split(self, label: np.ndarray) -> _Cells:
        """Return the cells after one more point."""
        # NumPy sorts numbers of 16 bits many times faster.
        few = len(self.starts) < 1 << 15
        part = (2 * self.numbers() + label).astype(np.uint16 if few else np.int64)
        by_part = np.argsort(part, kind="stable")
        ordered = part[by_part]
        starts = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
        starts = np.concatenate([np.zeros(1, dtype=np.intp), starts])
        return _Cells(self.concepts[by_part], starts)

    def most(self, labels: np.ndarray, needed: int) -> int:
        """Return an upper bound on the number of cells after `needed` columns of `labels`."""
        points = labels.shape[1]
        bits = points + len(self.starts).bit_length()
        word = np.uint16 if bits <= 16 else np.uint32 if bits <= 32 else np.uint64
        place = np.array([1 << j for j in range(points)], dtype=word)
        sets = np.array(
            [place[list(c)].sum() for c in itertools.combinations(range(points), needed)],
            dtype=word,
        )
        codes = np.matmul(labels.astype(word), place)
        cells = np.left_shift(self.numbers().astype(word), word(points))
        traces = np.bitwise_or(np.bitwise_and(codes[None, :], sets[:, None]), cells)
        traces.sort(axis=1)
        return 1 + int(np.count_nonzero(traces[:, 1:] != traces[:, :-1], axis=1).max())
