"""Unions of at most k intervals on a range of integers of any size.

A union is the set of the *places* where its label changes, an even number of at most 2k places. The
place x is between the points x - 1 and x, and the last place is after the last point. The examples
cut the places into gaps. A union has t places in a gap of g places in C(g, t) ways, and the parity
of the places before a point is the label of the point. So a recursion over the gaps counts the
unions, and the unions with each number of errors.
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from catalog.closed_forms.by_formula import ByFormula, require_searchable, stated_value
from catalog.closed_forms.thresholds import Steps, point_near_change
from lsclasses.domain import IntegerRange, OnDomain
from lsclasses.error_histograms import ErrorHistogram, Weights, label_weights, weighted_place
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.hypothesis import Hypothesis
from lsclasses.packing import require_memory
from lsclasses.point_names import Label, Point
from lsclasses.random_integers import uniform_below
from lsclasses.table import Table

MOST_STEPS = 1 << 23
"""Largest value of (number of rows) * (2k + 1)^2 for which a histogram of errors is computed."""

SHOWN = 16
"""Largest number of examples that the representation of a class shows."""

Examples = tuple[tuple[int, Label], ...]


class IntervalUnions(OnDomain[IntegerRange], ByFormula):
    """The unions of at most k intervals of a finite range of integers.

    Parameters
    ----------
    domain : IntegerRange
        Finite range of integers.
    most : int
        Largest number k of intervals, at least 2.
    empty : bool
        Whether the empty set is a concept.

    Raises
    ------
    InvalidInput
        If the domain is infinite, or k is less than 2.

    Notes
    -----
    A sample of labels is consistent with a union if and only if it reads 0, ..., 1, ..., 0 with at
    most 2k changes, where the labels before the first and after the last point are 0. If it has
    exactly 2k changes, each change of a consistent union lies between two examples with different
    labels. Otherwise, flipping the label of one example leaves a consistent sample, so no example
    follows from the others.

    No formula gives the Littlestone dimension. A search in a table computes the dimension.

    Examples
    --------
    >>> C = IntervalUnions(IntegerRange(0, 2**64), 2)
    >>> C.size == 1 + math.comb(2**64 + 1, 2) + math.comb(2**64 + 1, 4)
    True
    >>> C.given([(3, 1), (5, 0), (9, 1), (11, 0)]).size  # each end has two or four places
    64
    """

    __slots__ = ("_domain", "_empty", "_examples", "_most")

    def __init__(self, domain: IntegerRange, most: int, *, empty: bool = True) -> None:
        if domain.stop is None or most < 2:
            raise InvalidInput(
                "Unions of intervals need a finite range of integers and k >= 2. "
                f"Got {domain!r} and k={most}."
            )
        self._domain, self._most, self._empty = domain, most, empty
        self._examples: Examples = ()

    def _with(self, examples: Examples) -> IntervalUnions:
        other = IntervalUnions(self._domain, self._most, empty=self._empty)
        other._examples = examples
        return other

    @property
    def _ends(self) -> tuple[int, int]:
        start, stop = self._domain.start, self._domain.stop
        assert stop is not None
        return start, stop

    def _changes(self) -> int:
        """Return the least number of changes of a labelling with these examples."""
        labels = [0, *(y for _, y in self._examples), 0]
        return sum(a != b for a, b in itertools.pairwise(labels))

    def _is_empty(self) -> bool:
        changes, (start, stop) = self._changes(), self._ends
        only_zeros = not self._empty and not changes and len(self._examples) == stop - start
        return changes > 2 * self._most or only_zeros

    def _restrict(self, x: Point, y: Label) -> IntervalUnions:
        assert isinstance(x, int)
        place = bisect_left(self._examples, (x, 0))
        if place < len(self._examples) and self._examples[place][0] == x:
            if self._examples[place][1] == y:
                return self
            return self._nothing()
        left = self._with((*self._examples[:place], (x, y), *self._examples[place:]))
        return self._nothing() if left._is_empty() else left

    def _nothing(self) -> IntervalUnions:
        """Return the empty class, whose examples have too many changes or are all 0."""
        start, stop = self._ends
        labels = itertools.cycle((1, 0)) if stop - start > 2 * self._most else itertools.repeat(0)
        points = range(start, min(stop, start + 2 * self._most + 1))
        nothing = self._with(tuple(zip(points, labels, strict=False)))
        nothing._empty = self._empty and stop - start > 2 * self._most
        return nothing

    def _leaving(self) -> Iterator[tuple[Point, Label]]:
        return iter(self._examples)

    @property
    def _state(self) -> tuple[Examples, Examples, bool] | None:
        """The places of all changes, if examples enclose each, or the examples; None if empty."""
        if self._is_empty():
            return None
        start, stop = self._ends
        if self._changes() == 2 * self._most:
            ends = [(start - 1, 0), *self._examples, (stop, 0)]
            enclosed = [(a, b) for (a, y), (b, z) in itertools.pairwise(ends) if y != z]
            return tuple(enclosed), (), True
        examples = self._examples
        if not self._empty and not self._changes() and len(examples) == stop - start - 1:
            # Only the set of the one remaining point is left.
            (missing,) = set(range(start, stop)) - {x for x, _ in examples}
            examples = tuple(sorted((*examples, (missing, 1))))
        return (), examples, self._empty or any(y for _, y in examples)

    def __repr__(self) -> str:
        start, stop = self._ends
        text = f"<Unions of at most {self._most} intervals on {stop - start} points"
        if start:
            text += f" from {start} on"
        state = self._state
        if state is None:
            return text + ": none left>"
        changes, examples, empty = state
        if changes:
            shown = ", ".join(f"{a + 1}..{b}" for a, b in changes)
            return f"{text}, changing at {shown}>"
        text += "" if empty else ", not empty"
        if len(examples) > SHOWN:
            return f"{text}, {len(examples)} examples, hash {hash(examples):x}>"
        return (
            text + (", given " + ", ".join(f"{x}:{y}" for x, y in examples)) * bool(examples) + ">"
        )

    # ---- counting

    @property
    def _gaps(self) -> list[int]:
        """The numbers of places before the first example, between examples, and after the last."""
        start, stop = self._ends
        cuts = [start - 1, *(x for x, _ in self._examples), stop]
        return [b - a for a, b in itertools.pairwise(cuts)]

    def _ways(self) -> list[list[int]]:
        """Return the number of choices of places in the first gaps, by gap and number of places."""
        most = 2 * self._most
        ways = [[1] + [0] * most]
        labels = [*(y for _, y in self._examples), 0]
        for gap, label in zip(self._gaps, labels, strict=True):
            before = ways[-1]
            ways.append(
                [
                    sum(before[s] * math.comb(gap, t - s) for s in range(t + 1) if before[s])
                    if t % 2 == label
                    else 0
                    for t in range(most + 1)
                ]
            )
        return ways

    def _contains_zero(self) -> bool:
        return self._empty and not any(y for _, y in self._examples)

    def _size(self) -> int:
        if self._is_empty():
            return 0
        excluded = not self._empty and not any(y for _, y in self._examples)
        return sum(self._ways()[-1]) - excluded

    def _formula(self, dimension: str) -> int | Fraction | None:
        stated = None
        if not self._examples:
            start, stop = self._ends
            stated = stated_value(
                "intervals", dimension, n=stop - start, k=self._most, empty=int(self._empty)
            )
        if stated is None and dimension == "ldim":
            require_searchable(self)
        return stated

    # ---- errors on a sample

    def _error_histogram(self, weights: Weights, rows: int) -> ErrorHistogram:
        states = 2 * self._most + 1
        if (steps := rows * states * states) > MOST_STEPS:
            raise TooLarge(
                f"Counting the concepts of {self!r} by their errors on {rows} rows takes about "
                f"{steps} steps. The limit is {MOST_STEPS}. Take fewer rows or fewer intervals.",
                estimate=steps,
                limit=MOST_STEPS,
            )
        return UnionErrors(self._domain, self._most, self._empty, self._examples, weights)

    # ---- enumeration and sampling

    def _to_table(self) -> Table:
        start, stop = self._ends
        size = self._size()
        require_memory(max(size, 1), stop - start, repr(self))
        concepts = list(self._concepts())
        labels = np.zeros((len(concepts), stop - start + 1), dtype=bool)
        for row, places in zip(labels, concepts, strict=True):
            row[[place - start for place in places]] = True
        labels = np.logical_xor.accumulate(labels, axis=1)[:, :-1]
        names = [
            tuple((a, b - 1) for a, b in zip(places[::2], places[1::2], strict=True))
            for places in concepts
        ]
        return Table(labels, domain=range(start, stop), concepts=names)

    def _concepts(self) -> Iterator[tuple[int, ...]]:
        """Yield the places of all unions, fewer intervals first."""
        start, stop = self._ends
        if self._is_empty():
            return
        for intervals in range(self._most + 1):
            for places in itertools.combinations(range(start, stop + 1), 2 * intervals):
                h = Steps(self._domain, 0, places)
                if (places or self._empty) and all(h._label(x) == y for x, y in self._examples):
                    yield places

    def _sample(self, rng: np.random.Generator) -> Steps:
        ways = self._ways()
        while True:
            total = weighted_place(ways[-1], rng)
            places: list[int] = []
            cut = self._ends[1]
            for before, gap in zip(ways[-2::-1], self._gaps[::-1], strict=True):
                numbers = [
                    before[s] * math.comb(gap, total - s) if total - s >= 0 else 0
                    for s in range(len(before))
                ]
                rest = weighted_place(numbers, rng)
                places += places_in(range(cut - gap + 1, cut + 1), total - rest, rng)
                total, cut = rest, cut - gap
            if places or self._empty:
                return Steps(self._domain, 0, places)

    def _sample_point(self, rng: np.random.Generator, target: Hypothesis) -> int:
        return point_near_change(self._domain, rng, target)


def places_in(places: range, number: int, rng: np.random.Generator) -> list[int]:
    """Return a uniformly random set of `number` places from a range of places.

    Examples
    --------
    >>> sorted(places_in(range(10, 14), 4, np.random.default_rng(0)))
    [10, 11, 12, 13]
    """
    size, chosen = places.stop - places.start, set[int]()
    # Floyd's algorithm draws one number for each place, and never rejects one.
    for last in range(size - number, size):
        drawn = uniform_below(rng, last + 1)
        chosen.add(last if drawn in chosen else drawn)
    return [places.start + i for i in chosen]


@dataclass(frozen=True)
class GapChoices:
    """A part of the gaps between examples, with the choices of places in these gaps.

    Each gap belongs to the example after it.

    Attributes
    ----------
    start, stop : int
        Positions of the gaps.
    counts : tuple of tuple of fmpz_poly
        The coefficient of x^e in ``counts[parity][t]`` is the number of choices of t places in
        these gaps with e errors, if the number of places before them has this parity.
    parts : tuple of GapChoices
        Two halves, or none for one gap.
    """

    start: int
    stop: int
    counts: tuple[tuple[Any, ...], ...]
    parts: tuple[GapChoices, ...] = ()


class UnionErrors(ErrorHistogram):
    """The histogram of the number of errors on a sample, over unions of at most k intervals.

    It is computed by divide and conquer over the sorted sample.

    Parameters
    ----------
    domain : IntegerRange
    most : int
        Largest number k of intervals.
    empty : bool
        Whether the empty set is a concept.
    examples : sequence of (int, int)
        Points with the labels that all counted concepts have there.
    weights : mapping of (point, label) to int
        Number of rows that equal each example.
    """

    def __init__(
        self,
        domain: IntegerRange,
        most: int,
        empty: bool,
        examples: Examples,
        weights: Weights,
    ) -> None:
        assert domain.stop is not None
        self._domain, self._most, self._empty = domain, 2 * most, empty
        fixed = dict(examples)
        rows = label_weights(weights)
        points = sorted({*fixed, *(x for x in rows if isinstance(x, int))})
        cuts = [domain.start - 1, *points, domain.stop]
        self._gaps = [range(a + 1, b + 1) for a, b in itertools.pairwise(cuts)]
        # The errors of the labels 0 and 1 at the point after each gap, None if they are excluded.
        # All labellings make the smaller number of errors, which is added in the end.
        self._least = sum(min(counts) for counts in rows.values())
        self._errors: list[tuple[int | None, int | None]] = []
        for x in points:
            zeros, ones = rows.get(x, (0, 0))
            both, label = min(zeros, ones), fixed.get(x)
            self._errors.append(
                (None if label == 1 else ones - both, None if label == 0 else zeros - both)
            )
        self._errors.append((0, None))
        self._tree = self._segment(0, len(self._gaps))
        counts = sum(self._tree.counts[0][1:], self._tree.counts[0][0])
        found = {self._least + e: int(n) for e, n in enumerate(counts.coeffs()) if n}
        if not empty and 1 not in fixed.values():
            found[sum(ones for _, ones in rows.values())] -= 1
        self.counts = {errors: number for errors, number in sorted(found.items()) if number}

    def _segment(self, start: int, stop: int) -> GapChoices:
        from flint import fmpz_poly

        if stop - start == 1:
            gap, errors = self._gaps[start], self._errors[start]
            ways = [math.comb(gap.stop - gap.start, t) for t in range(self._most + 1)]
            counts = []
            for parity in (0, 1):
                by_places = []
                for t, number in enumerate(ways):
                    wrong = errors[(parity + t) % 2]
                    by_places.append(fmpz_poly([] if wrong is None else [0] * wrong + [number]))
                counts.append(tuple(by_places))
            return GapChoices(start, stop, tuple(counts))
        middle = (start + stop) // 2
        one, other = self._segment(start, middle), self._segment(middle, stop)
        return GapChoices(
            start, stop, tuple(self._joined(one, other, parity) for parity in (0, 1)), (one, other)
        )

    def _joined(self, one: GapChoices, other: GapChoices, parity: int) -> tuple[Any, ...]:
        joined: list[Any] = [0 * one.counts[parity][0]] * (self._most + 1)
        for s, first in enumerate(one.counts[parity]):
            if first:
                for t, second in enumerate(other.counts[(parity + s) % 2][: self._most + 1 - s]):
                    if second:
                        joined[s + t] += first * second
        return tuple(joined)

    def _sample(self, errors: int, rng: np.random.Generator) -> Steps:
        errors -= self._least
        numbers = [int(counts[errors]) for counts in self._tree.counts[0]]
        while True:
            total = weighted_place(numbers, rng)
            places = self._places(self._tree, 0, total, errors, rng)
            if places or self._empty:
                return Steps(self._domain, 0, places)

    def _places(
        self, segment: GapChoices, parity: int, total: int, errors: int, rng: np.random.Generator
    ) -> Sequence[int]:
        """Return a random choice of places in a segment with a number of places and errors."""
        if not segment.parts:
            return places_in(self._gaps[segment.start], total, rng)
        one, other = segment.parts
        splits, numbers = [], []
        for s, first in enumerate(one.counts[parity][: total + 1]):
            second = other.counts[(parity + s) % 2][total - s]
            for e, number in enumerate(first.coeffs()[: errors + 1]):
                if ways := int(number * second[errors - e]):
                    splits.append((s, e))
                    numbers.append(ways)
        s, e = splits[weighted_place(numbers, rng)]
        return [
            *self._places(one, parity, s, e, rng),
            *self._places(other, (parity + s) % 2, total - s, errors - e, rng),
        ]
