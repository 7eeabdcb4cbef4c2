"""Boxes of a grid, such as axis-parallel rectangles, in any dimension and of any size."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cached_property

import numpy as np

from catalog.closed_forms.box_errors import BoxErrors, require_few_options
from catalog.closed_forms.box_indicators import Box, BoxIndicator, hull, point_box
from catalog.closed_forms.by_formula import ByFormula, require_searchable, stated_value
from lsclasses.domain import IntegerGrid, OnDomain, lattice_points
from lsclasses.error_histograms import ErrorHistogram, Weights
from lsclasses.errors import TooLarge
from lsclasses.hypothesis import Hypothesis
from lsclasses.packing import require_memory
from lsclasses.point_names import Label, Point
from lsclasses.random_integers import uniform_below
from lsclasses.table import Table

SHOWN = 8
"""Largest number of excluded boxes that the representation of a class shows."""


class Boxes(OnDomain[IntegerGrid], ByFormula):
    """The boxes of a grid and the empty set, or the boxes consistent with some examples.

    Parameters
    ----------
    domain : IntegerGrid
        Grid whose boxes are the concepts.

    Notes
    -----
    The version space consists of the boxes that contain the least box B of the points labelled 1
    and no point labelled 0. A box contains B and a point if and only if it contains their least
    common box, which is then *excluded*. Excluded boxes that contain another excluded box do not
    matter. The remaining excluded boxes are determined by the version space, as the least boxes
    that contain B and belong to no concept. So equal version spaces have equal states. Before the
    first label 1, B is empty, and the empty set is a concept.

    No formula gives the Littlestone dimension. A search in a table computes the dimension.

    Examples
    --------
    >>> C = Boxes(IntegerGrid(2**30, 2**30))
    >>> C.size == 1 + (2**30 * (2**30 + 1) // 2) ** 2
    True
    >>> C.given([((5, 5), 1), ((7, 5), 0), ((5, 9), 0), ((0, 0), 0)]).size
    280
    """

    def __init__(self, domain: IntegerGrid) -> None:
        self._domain = domain
        self._assign(None, ())

    def _assign(self, box: Box | None, excluded: Iterable[Box]) -> None:
        self._box, self._void = box, False
        least: list[Box] = []
        for each in sorted(set(excluded), key=lambda e: (e.size, e)):
            if not any(each.contains(other) for other in least):
                least.append(each)
        self._excluded = frozenset(least)

    def _with(self, box: Box | None, excluded: Iterable[Box]) -> Boxes:
        other: Boxes = Boxes(self._domain)
        other._assign(box, excluded)
        return other

    def _nothing(self) -> Boxes:
        nothing = Boxes(self._domain)
        nothing._void = True
        return nothing

    def _is_empty(self) -> bool:
        return self._void

    def _restrict(self, x: Point, y: Label) -> Boxes:
        if self._void:
            return self
        more = hull(self._box, point_box(x))
        if y:
            if any(more.contains(each) for each in self._excluded):
                return self._nothing()
            return self._with(more, (hull(more, each) for each in self._excluded))
        if more == self._box:
            return self._nothing()
        if any(more.contains(each) for each in self._excluded):
            return self
        left = Boxes(self._domain)
        left._box = self._box
        left._excluded = frozenset(
            (more, *(each for each in self._excluded if not each.contains(more)))
        )
        return left

    def _contains(self, h: Hypothesis) -> bool:
        if not isinstance(h, BoxIndicator) or h.domain != self._domain:
            return super()._contains(h)
        if self._void or (h.box is None) > (self._box is None):
            return False
        return h.box is None or (
            (self._box is None or h.box.contains(self._box))
            and not any(h.box.contains(each) for each in self._excluded)
        )

    def _leaving(self) -> Iterator[tuple[Point, Label]]:
        for corner in self._box or ():
            yield corner, 1
        for each in self._excluded:
            yield self._outside(each), 0

    def _outside(self, excluded: Box) -> Point:
        """Return a point whose least common box with B is an excluded box."""
        if self._box is None:
            return excluded.first
        ends = zip(self._box.first, excluded.first, excluded.last, strict=True)
        return tuple(low if low < first else high for first, low, high in ends)

    @property
    def _state(self) -> tuple[Box | None, frozenset[Box], bool]:
        return self._box, self._excluded, self._void

    def __repr__(self) -> str:
        text = f"<Boxes of {self._domain!r}"
        if self._void:
            return text + ": none left>"
        if self._box is not None:
            text += f", containing {self._box.first}..{self._box.last}"
        if self._excluded:
            count = len(self._excluded)
            shown = sorted(map(tuple, self._excluded))
            text += f", avoiding {shown if count <= SHOWN else f'{count} boxes {hash(self):x}'}"
        return text + ">"

    # ---- counting

    def _size(self) -> int:
        if self._void:
            return 0
        if self._box is None and not self._excluded:
            return 1 + math.prod(side * (side + 1) // 2 for side in self._domain.sides)
        return sum(self._concept_counts.counts.values())

    @cached_property
    def _concept_counts(self) -> ErrorHistogram:
        """The histogram on a sample without rows, in which every concept has 0 errors."""
        return self._error_histogram({}, 0)

    def _counts_version_spaces(self, rows: int | None = None) -> bool:
        if rows is None:
            return True
        try:
            require_few_options(self._domain.sides, rows, self._cuts, repr(self))
        except TooLarge:
            return False
        return True

    @property
    def _cuts(self) -> int:
        """The largest number of cuts of an axis by the boxes of the state."""
        return 2 * (len(self._excluded) + (self._box is not None))

    def _contains_zero(self) -> bool:
        return not self._void and self._box is None

    def _formula(self, dimension: str) -> int | Fraction | None:
        stated = None
        if self._box is None and not self._excluded and len(self._domain.sides) == 2:
            a, b = self._domain.sides
            stated = stated_value("rectangles", dimension, a=a, b=b)
        if stated is None and dimension == "ldim":
            require_searchable(self)
        return stated

    def _error_histogram(self, weights: Weights, rows: int) -> ErrorHistogram:
        require_few_options(self._domain.sides, rows, self._cuts, repr(self))
        return BoxErrors(self._domain, self._box, self._excluded, weights)

    # ---- enumeration and sampling

    def _to_table(self) -> Table:
        whole = 1 + math.prod(side * (side + 1) // 2 for side in self._domain.sides)
        require_memory(whole, self._domain.size, repr(self))
        concepts = list(self._concepts())
        points = list(self._domain)
        labels = np.array(
            [[BoxIndicator(self._domain, box)._label(x) for x in points] for box in concepts],
            dtype=np.uint8,
        ).reshape(len(concepts), len(points))
        names = [() if box is None else tuple(zip(*box, strict=True)) for box in concepts]
        return Table(labels, domain=points, concepts=names)

    def _concepts(self) -> Iterator[Box | None]:
        """Yield all boxes of the class, None for the empty set."""
        if self._void:
            return
        if self._box is None:
            yield None
        for first in lattice_points([range(side) for side in self._domain.sides]):
            sides = zip(first, self._domain.sides, strict=True)
            for last in lattice_points([range(a, side) for a, side in sides]):
                box = Box(first, last)
                if (self._box is None or box.contains(self._box)) and not any(
                    box.contains(each) for each in self._excluded
                ):
                    yield box

    def _sample(self, rng: np.random.Generator) -> Hypothesis:
        if self._box is None and not self._excluded:
            if not uniform_below(rng, self._size()):
                return BoxIndicator(self._domain, None)
            ends = [_random_range(side, rng) for side in self._domain.sides]
            first, last = zip(*ends, strict=True)
            return BoxIndicator(self._domain, Box(first, last))
        found: Hypothesis = self._concept_counts._sample(0, rng)
        return found

    def _sample_point(self, rng: np.random.Generator, target: Hypothesis) -> Point:
        """Return a uniform point of the grid, or of the target and its neighbours, half each.

        A uniform point would almost never distinguish two small boxes.
        """
        if not isinstance(target, BoxIndicator) or target.box is None or not rng.integers(2):
            return self._domain._sample(rng)
        entries = []
        for first, last, side in zip(*target.box, self._domain.sides, strict=True):
            low, high = max(first - 1, 0), min(last + 1, side - 1)
            entries.append(low + uniform_below(rng, high - low + 1))
        return tuple(entries)


def _random_range(side: int, rng: np.random.Generator) -> tuple[int, int]:
    """Return the first and the last value of a uniformly random range."""
    one, other = uniform_below(rng, side + 1), uniform_below(rng, side)
    other += other >= one
    return min(one, other), max(one, other) - 1
