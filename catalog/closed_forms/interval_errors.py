"""Histograms of the errors of intervals on a sample.

The points x_1 < ... < x_n of a sample cut the line. An interval that contains exactly the points
x_(i+1), ..., x_j errs F(j) - F(i) times more often than the empty set, where F adds up the rows
labelled 0 minus the rows labelled 1. The number of such intervals is u_i v_j, for u_i possible
first points and v_j possible last points. So the histogram counts pairs i < j by F(j) - F(i). It is
a sum of products of polynomials, by divide and conquer over the positions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise

import numpy as np

from catalog.closed_forms.thresholds import Steps, threshold_cells, uniform_in
from lsclasses.domain import IntegerRange
from lsclasses.error_histograms import (
    CellHistogram,
    ErrorHistogram,
    SumHistogram,
    UnionHistogram,
    Weights,
    convolved,
    identity,
    label_weights,
    weighted_place,
)
from lsclasses.random_integers import uniform_below

SMALL = 32
"""Largest number of positions for which all pairs are counted one by one."""


class IntervalErrors(ErrorHistogram):
    """The histogram of the number of errors on a sample, over the intervals between two cuts.

    Parameters
    ----------
    domain : IntegerRange
        Domain of the concepts.
    before, after : int
        Cuts. Intervals contain only points between them.
    empty : bool
        Whether the empty set is a concept.
    weights : mapping of (point, label) to int
        Number of rows that equal each example.
    """

    def __init__(
        self, domain: IntegerRange, before: int, after: int, *, empty: bool, weights: Weights
    ) -> None:
        self._domain, self._empty = domain, empty
        inside = sorted(
            (x, zeros - ones)
            for x, (zeros, ones) in label_weights(weights).items()
            if isinstance(x, int) and before < x < after
        )
        cuts = [before, *(x for x, _ in inside), after]
        self._none = sum(count for (_, y), count in weights.items() if y)
        self._excess = list(accumulate((gain for _, gain in inside), initial=0))
        self._cuts = cuts
        # After the i-th cut, up to and including the next cut.
        self._firsts = [b - a for a, b in pairwise(cuts)]
        # From the j-th cut on, before the next cut. No interval ends before its first point.
        self._lasts = [0, *(b - a for a, b in pairwise(cuts[1:]))]
        # Intervals between neighbouring cuts contain no point of the sample.
        gaps = [b - a - 1 for a, b in pairwise(cuts)]
        self._between = [gap * (gap + 1) // 2 for gap in gaps]
        pairs = self._pairs(0, len(self._excess))
        pairs[0] = pairs.get(0, 0) + sum(self._between) + empty
        self.counts = {self._none + d: pairs[d] for d in sorted(pairs) if pairs[d]}

    def _pairs(self, start: int, stop: int) -> dict[int, int]:
        """Return the number of intervals from position i to position j by their difference."""
        found: dict[int, int] = {}
        if stop - start <= SMALL:
            for i in range(start, stop):
                for j in range(i + 1, stop):
                    d = self._excess[j] - self._excess[i]
                    found[d] = found.get(d, 0) + self._firsts[i] * self._lasts[j]
            return found
        middle = (start + stop) // 2
        firsts: dict[int, int] = {}
        for i in range(start, middle):
            firsts[-self._excess[i]] = firsts.get(-self._excess[i], 0) + self._firsts[i]
        lasts: dict[int, int] = {}
        for j in range(middle, stop):
            lasts[self._excess[j]] = lasts.get(self._excess[j], 0) + self._lasts[j]
        for part in (
            self._pairs(start, middle),
            self._pairs(middle, stop),
            convolved(firsts, lasts),
        ):
            for d, number in part.items():
                found[d] = found.get(d, 0) + number
        return found

    def _sample(self, errors: int, rng: np.random.Generator) -> Steps:
        difference = errors - self._none
        if difference == 0:
            # Intervals without a point of the sample, and intervals whose errors cancel.
            none = sum(self._between) + self._empty
            drawn = uniform_below(rng, self.counts[errors])
            if drawn < self._empty:
                return Steps(self._domain, 0, ())
            if drawn < none:
                return self._between_cuts(rng)
        j, i = self._ends(difference, rng)
        first = self._cuts[i] + 1 + uniform_below(rng, self._firsts[i])
        last = self._cuts[j] + uniform_below(rng, self._lasts[j])
        return Steps(self._domain, 0, (first, last + 1))

    def _between_cuts(self, rng: np.random.Generator) -> Steps:
        """Return a random interval that contains no point of the sample."""
        i = weighted_place(self._between, rng)
        length = self._cuts[i + 1] - self._cuts[i]
        # Two different places of `length` places are the start and the end, which is excluded.
        first, second = uniform_below(rng, length), uniform_below(rng, length - 1)
        second += second >= first
        start = self._cuts[i] + 1
        return Steps(self._domain, 0, (start + first, start + second))

    def _ends(self, difference: int, rng: np.random.Generator) -> tuple[int, int]:
        """Return the positions (j, i) of a random interval that contains sample points."""
        before: dict[int, int] = {}
        numbers = []
        for excess, firsts, lasts in self._positions():
            numbers.append(lasts * before.get(excess - difference, 0))
            before[excess] = before.get(excess, 0) + firsts
        j = weighted_place(numbers, rng)
        wanted = self._excess[j] - difference
        starts = [i for i in range(j) if self._excess[i] == wanted]
        return j, starts[weighted_place([self._firsts[i] for i in starts], rng)]

    def _positions(self) -> Sequence[tuple[int, int, int]]:
        return list(zip(self._excess, self._firsts, self._lasts, strict=True))


def errors_of_ends(
    domain: IntegerRange, firsts: range, lasts: range, weights: Weights
) -> ErrorHistogram:
    """Return the histogram of the number of errors, over the intervals with ends in two ranges.

    Parameters
    ----------
    domain : IntegerRange
    firsts, lasts : range
        Possible first points and possible last points. No first point exceeds a last point.
    weights : mapping of (point, label) to int
        Number of rows of the sample that equal each example.
    """
    points = sorted(label_weights(weights).items())
    # The last of the possible first points belongs to every interval.
    middle = firsts.stop - 1
    before = [(x, counts) for x, counts in points if isinstance(x, int) and x < middle]
    # Seen from the right end, the last point is a first point.
    after = [(-x, counts) for x, counts in reversed(points) if isinstance(x, int) and x >= middle]
    mirrored = range(1 - lasts.stop, 1 - lasts.start)

    def join(ends: Sequence[int]) -> Steps:
        first, last = ends
        return Steps(domain, 0, (first, 1 - last))

    histograms = [
        CellHistogram(threshold_cells(before, firsts), uniform_in),
        CellHistogram(threshold_cells(after, mirrored), uniform_in),
    ]
    return SumHistogram(histograms, join)


def errors_in_gaps(
    domain: IntegerRange, cuts: Iterable[int], weights: Weights, *, empty: bool
) -> ErrorHistogram:
    """Return the histogram of the number of errors, over all intervals that contain no cut.

    Parameters
    ----------
    domain : IntegerRange
    cuts : iterable of int
        Cuts in increasing order.
    weights : mapping of (point, label) to int
        Number of rows of the sample that equal each example.
    empty : bool
        Whether the empty set is a concept.
    """
    gaps = [
        IntervalErrors(domain, before, after, empty=empty and not i, weights=weights)
        for i, (before, after) in enumerate(pairwise(cuts))
    ]
    return UnionHistogram([(gap, 0, identity) for gap in gaps])
