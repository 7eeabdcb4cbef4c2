"""Histograms of the errors of boxes of a grid on a sample.

The coordinates of the sample points cut every axis. The ends of a box on an axis lie between
neighbouring cuts, so each axis has an *option* for every pair of a first and a last cut inside the
box, and one option for all ranges without a cut. Boxes with equal options contain equal sample
points. For m cuts on each of d axes, there are about (m^2/2)^d choices of options. The last axis is
counted with arrays.

For d as a part of the input, no polynomial algorithm is known, because a box of {0,1}^d is a
conjunction, and a conjunction with the fewest errors is NP-hard to find (Angluin and Laird 1988).
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catalog.closed_forms.box_indicators import Box, BoxIndicator
from lsclasses.domain import IntegerGrid
from lsclasses.error_histograms import (
    MACHINE,
    ErrorHistogram,
    Weights,
    label_weights,
    weighted_place,
)
from lsclasses.errors import TooLarge
from lsclasses.random_integers import uniform_below

MOST_STEPS = 1 << 28
"""Largest number of choices of one option (`AxisOptions`) on every axis."""

LIMB = 30
"""Number of bits of each part into which a large number of boxes is cut.

The parts are added as floats without rounding.
"""


def require_few_options(sides: Sequence[int], rows: int, fixed: int, name: str) -> None:
    """Raise `TooLarge` if a grid has too many choices of one option on every axis.

    An option is a group of ranges on an axis, as `AxisOptions` describes.

    The decision depends on the public number of rows, not on the rows.

    Parameters
    ----------
    sides : sequence of int
        Number of values on each axis of the grid.
    rows : int
        Public number of rows.
    fixed : int
        Number of cuts of an axis that do not come from the rows.
    name : str
        Name of the class, for the error message.

    Raises
    ------
    TooLarge
        If the number of choices exceeds `MOST_STEPS`.
    """
    steps = 1
    for side in sides:
        cuts = min(side, rows + fixed)
        steps *= cuts * (cuts + 1) // 2 + 1
    if steps > MOST_STEPS:
        power = 2 * len(sides)
        raise TooLarge(
            f"Counting the concepts of {name} by their errors on {rows} rows takes about {steps} "
            f"steps. The limit is {MOST_STEPS}. The steps grow as the power {power} of the number "
            "of different coordinates on an axis. Take fewer rows or a smaller grid.",
            estimate=steps,
            limit=MOST_STEPS,
        )


class AxisOptions:
    """The ranges of a box on one axis, in groups (options) of ranges that contain the same cuts.

    Parameters
    ----------
    side : int
        Number of values on the axis.
    cuts : sequence of int
        Values of the sample points on the axis, in increasing order.
    within : (int, int) or None
        Cuts that every range contains, the first and the last, or None for all ranges.

    Attributes
    ----------
    pairs : array of int, shape (options, 2)
        Positions of the first and the last cut of each option, without the option that contains no
        cut.
    numbers : list of int
        Number of ranges of each option in `pairs`.
    empty : int
        Number of ranges that contain no cut.
    """

    def __init__(self, side: int, cuts: Sequence[int], within: tuple[int, int] | None) -> None:
        self._ends = [-1, *cuts, side]
        self.cuts = cuts
        count = len(cuts)
        low, high = (count - 1, 0) if within is None else map(cuts.index, within)
        self.pairs = np.array(
            [(i, j) for i in range(low + 1) for j in range(max(i, high), count)], dtype=np.int64
        ).reshape(-1, 2)
        self._firsts = [b - a for a, b in itertools.pairwise(self._ends[:-1])]
        self._lasts = [b - a for a, b in itertools.pairwise(self._ends[1:])]
        self.numbers = [self._firsts[i] * self._lasts[j] for i, j in self.pairs.tolist()]
        gaps = [b - a - 1 for a, b in itertools.pairwise(self._ends)]
        self._in_gaps = [0 if within else gap * (gap + 1) // 2 for gap in gaps]
        self.empty = sum(self._in_gaps)

    def sample(self, option: int | None, rng: np.random.Generator) -> tuple[int, int]:
        """Return the ends of a random range of an option.

        The option None contains all ranges without a cut.
        """
        if option is not None:
            i, j = self.pairs[option].tolist()
            first = self._ends[i] + 1 + uniform_below(rng, self._firsts[i])
            return first, self._ends[j + 1] + uniform_below(rng, self._lasts[j])
        gap = weighted_place(self._in_gaps, rng)
        length = self._ends[gap + 1] - self._ends[gap]
        # Two different places of `length` places are the first value and one more than the last.
        one, other = uniform_below(rng, length), uniform_below(rng, length - 1)
        other += other >= one
        first = self._ends[gap] + 1
        return first + min(one, other), first + max(one, other) - 1


@dataclass(frozen=True)
class Slab:
    """A choice of one option (group of ranges) on every axis except the last axis.

    Attributes
    ----------
    number : int
        Number of choices of one range of each chosen option.
    options : tuple of int or None
        Option of each axis, None for ranges without a cut.
    gains : array of int, shape (cuts,)
        Sums of the gains of the sample points in these ranges, by their cut on the last axis. The
        gain of a point is its number of rows with label 0 minus its number of rows with label 1.
    excluded : tuple of int
        Excluded boxes that these ranges contain on these axes.
    """

    number: int
    options: tuple[int | None, ...]
    gains: NDArray[Any]
    excluded: tuple[int, ...]


class BoxErrors(ErrorHistogram):
    """The histogram of the number of errors on a sample, over all boxes that contain a given box.

    The counted boxes contain no excluded box.

    Parameters
    ----------
    domain : IntegerGrid
    box : Box or None
        Box that all concepts contain. None if all boxes and the empty set are concepts.
    excluded : collection of Box
        Boxes that contain `box`.
    weights : mapping of (point, label) to int
        Number of rows that equal each example.
    """

    def __init__(
        self, domain: IntegerGrid, box: Box | None, excluded: Collection[Box], weights: Weights
    ) -> None:
        self._domain, self._box, self._excluded = domain, box, tuple(excluded)
        rows: dict[Any, list[int]] = dict(label_weights(weights))
        self._none = sum(ones for _, ones in rows.values())
        corners = [corner for each in (box, *self._excluded) if each for corner in each]
        self._axes = []
        for axis, side in enumerate(domain.sides):
            cuts = sorted({x[axis] for x in (*rows, *corners)})
            within = None if box is None else (box.first[axis], box.last[axis])
            self._axes.append(AxisOptions(side, cuts, within))
        total = sum(zeros + ones for zeros, ones in rows.values())
        shape = [len(axis.cuts) for axis in self._axes]
        self._gains = np.zeros(shape, np.int64 if total < MACHINE else object)
        for x, (zeros, ones) in rows.items():
            place = tuple(bisect_left(a.cuts, e) for a, e in zip(self._axes, x, strict=True))
            self._gains[place] += zeros - ones
        found = self._counted()
        if box is None:
            found[0] = found.get(0, 0) + 1
        self.counts = {self._none + gain: found[gain] for gain in sorted(found) if found[gain]}

    def _slabs(self) -> Iterator[Slab]:
        yield from self._cut(Slab(1, (), self._gains, tuple(range(len(self._excluded)))))

    def _cut(self, slab: Slab) -> Iterator[Slab]:
        """Yield the slabs with options for the remaining axes but the last."""
        axis = len(slab.options)
        if axis == len(self._axes) - 1:
            yield slab
            return
        options = self._axes[axis]
        sums = np.concatenate([0 * slab.gains[:1], np.cumsum(slab.gains, axis=0)])
        for place, ((i, j), number) in enumerate(
            zip(options.pairs.tolist(), options.numbers, strict=True)
        ):
            inside = tuple(e for e in slab.excluded if self._spans(axis, i, j, e))
            chosen = (*slab.options, place)
            yield from self._cut(Slab(slab.number * number, chosen, sums[j + 1] - sums[i], inside))
        if options.empty:
            # These ranges contain neither sample points nor excluded boxes.
            chosen = (*slab.options, None)
            none = 0 * slab.gains.sum(axis=0)
            yield from self._cut(Slab(slab.number * options.empty, chosen, none, ()))

    def _spans(self, axis: int, i: int, j: int, excluded: int) -> bool:
        """Return whether the range from one cut to another contains an excluded box's range."""
        cuts, (first, last) = self._axes[axis].cuts, self._excluded[excluded]
        return cuts[i] <= first[axis] and last[axis] <= cuts[j]

    def _of_last(self, slab: Slab) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """Return the gains of the options of the last axis, and whether they are concepts."""
        last = len(self._axes) - 1
        first_cuts, last_cuts = self._axes[last].pairs.T
        sums = np.concatenate([[0], np.cumsum(slab.gains)])
        gains = sums[last_cuts + 1] - sums[first_cuts]
        valid = np.ones(len(gains), dtype=bool)
        for e in slab.excluded:
            first, end = (bisect_left(self._axes[last].cuts, c[last]) for c in self._excluded[e])
            valid &= (first_cuts > first) | (last_cuts < end)
        return gains, valid

    def _counted(self) -> dict[int, int]:
        """Return the number of boxes by their gain."""
        options, found = self._axes[-1], dict[int, int]()
        limbs = range(0, max(options.numbers, default=1).bit_length(), LIMB)
        mask = (1 << LIMB) - 1
        parts = [
            np.array([number >> limb & mask for number in options.numbers], dtype=np.float64)
            for limb in limbs
        ]
        for slab in self._slabs():
            gains, valid = self._of_last(slab)
            if not valid.all():
                gains = gains[valid]
            if options.empty:
                found[0] = found.get(0, 0) + slab.number * options.empty
            if not len(gains):
                continue
            # An index of the sums is a gain. Sums of at most 2^23 limbs are exact.
            values, places = (
                (np.arange(gains.min(), gains.max() + 1), (gains - gains.min()).astype(np.intp))
                if gains.dtype != object and gains.max() - gains.min() < 8 * len(gains) + 64
                else np.unique(gains, return_inverse=True)
            )
            sums = [
                np.bincount(places, weights if valid.all() else weights[valid], len(values))
                for weights in parts
            ]
            numbers = sums[0].astype(np.int64).astype(object)
            for limb, more in zip(limbs[1:], sums[1:], strict=True):
                numbers = numbers + (more.astype(np.int64).astype(object) << limb)
            for gain, number in zip(values.tolist(), numbers.tolist(), strict=True):
                if number:
                    found[gain] = found.get(gain, 0) + number * slab.number
        return found

    def _sample(self, errors: int, rng: np.random.Generator) -> BoxIndicator:
        wanted, drawn = errors - self._none, uniform_below(rng, self.counts[errors])
        if self._box is None and wanted == 0:
            drawn -= 1
            if drawn < 0:
                return BoxIndicator(self._domain, None)
        options = self._axes[-1]
        for slab in self._slabs():
            gains, valid = self._of_last(slab)
            places = np.flatnonzero(valid & (gains == wanted)).tolist()
            numbers = [options.numbers[place] for place in places]
            empty = options.empty if wanted == 0 else 0
            number = slab.number * (sum(numbers) + empty)
            if drawn >= number:
                drawn -= number
                continue
            place = weighted_place([*numbers, empty], rng)
            chosen = (*slab.options, None if place == len(places) else places[place])
            ends = [a.sample(o, rng) for a, o in zip(self._axes, chosen, strict=True)]
            first, last = zip(*ends, strict=True)
            return BoxIndicator(self._domain, Box(first, last))
        raise AssertionError("The slabs contain all boxes.")
