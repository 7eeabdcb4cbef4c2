"""Bins for sampled outputs, chosen from draws that the later estimates do not use.

Outputs that hardly ever repeat, such as floats, give no information as single outcomes. A function
of the output is post-processing, so the loss of its value is a lower bound on the loss.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import Any

import numpy as np

BINS = 64
"""Number of bins of numerical outputs."""
REPEATED = 20
"""Number of draws of an outcome that make the outcome common, so that it has its own bin."""


@dataclass(frozen=True, order=True)
class NumberBin:
    """An interval of numbers, which is the label of all outputs inside it.

    Attributes
    ----------
    first, last : int
        Numbers of the first and of the last merged bin.
    low, high : float
        Ends of the interval, which contains `low` but not `high`.
    name : str
        Name of the numbers in messages.

    Examples
    --------
    >>> NumberBin(0, 0, -math.inf, 0.5, "number"), NumberBin(1, 3, 0.5, 2, "number")
    (number below 0.5, number from 0.5 to 2)
    """

    first: int
    last: int
    low: float
    high: float
    name: str

    def __repr__(self) -> str:
        if self.low == -math.inf:
            return (
                f"any {self.name}"
                if self.high == math.inf
                else f"{self.name} below {self.high:.6g}"
            )
        if self.high == math.inf:
            return f"{self.name} of at least {self.low:.6g}"
        return f"{self.name} from {self.low:.6g} to {self.high:.6g}"


def merged_bins(outcomes: Iterable[Hashable]) -> tuple[Hashable, ...]:
    """Return the outcomes of an event, with sorted intervals and adjacent intervals merged.

    Examples
    --------
    >>> bins = [NumberBin(k, k, k / 2, (k + 1) / 2, "number") for k in (4, 1, 2)]
    >>> merged_bins(["a", *bins])
    ('a', number from 0.5 to 1.5, number from 2 to 2.5)
    """
    listed = list(outcomes)
    found = [each for each in listed if not isinstance(each, NumberBin)]
    intervals: list[NumberBin] = []
    for each in sorted(each for each in listed if isinstance(each, NumberBin)):
        if intervals and intervals[-1].last + 1 == each.first:
            intervals[-1] = replace(intervals[-1], last=each.last, high=each.high)
        else:
            intervals.append(each)
    return (*found, *intervals)


@dataclass(frozen=True)
class OutcomeBins:
    """A function that gives each output of a program a label, such as an interval.

    Attributes
    ----------
    common : frozenset
        Outputs with their own label.
    edges : tuple of float
        Edges of the bins of numbers, or empty if all outputs are their own labels.
    direction : tuple of float
        Coefficients of the linear function that maps vectors to numbers, or empty.
    """

    common: frozenset[Hashable] = frozenset()
    edges: tuple[float, ...] = ()
    direction: tuple[float, ...] = field(default=())

    @property
    def exact(self) -> bool:
        """Whether every output is its own label."""
        return not self.edges

    @classmethod
    def chosen(cls, zero: Sequence[Hashable], one: Sequence[Hashable]) -> OutcomeBins:
        """Return bins chosen from sampled outputs of a program on two inputs.

        Outputs remain as they are if most of them repeat or if they are not numerical. Vectors are
        mapped to numbers in the direction of the difference of the means.

        Examples
        --------
        >>> OutcomeBins.chosen([0, 1] * 50, [1, 1] * 50).exact
        True
        >>> bins = OutcomeBins.chosen([i / 100 for i in range(100)], [0.5] * 100)
        >>> bins.label(0.5), bins.label(-3.0), len(bins.edges)
        (0.5, another number below 0.0153125, 63)
        """
        both = [*zero, *one]
        counted = Counter(both)
        common = frozenset(each for each, count in counted.items() if count >= REPEATED)
        rare = [each for each in both if each not in common]
        if len(rare) * 10 <= len(both):
            return cls()
        vectors = [_vector(each) for each in rare]
        lengths = {None if each is None else len(each) for each in vectors}
        if len(lengths) != 1 or None in lengths or not vectors[0]:
            return cls()
        direction = _direction(zero, one, len(vectors[0]), common)
        values = np.sort(np.array(vectors, float) @ direction)
        edges = np.unique(np.quantile(values, np.arange(1, BINS) / BINS))
        return cls(common, tuple(edges.tolist()), tuple(direction.tolist()))

    def label(self, outcome: Hashable) -> Hashable:
        """Return the label of an output."""
        if self.exact or outcome in self.common:
            return outcome
        vector = _vector(outcome)
        if vector is None or len(vector) != len(self.direction):
            return "another type of output"
        value = float(np.dot(self.direction, vector))
        place = bisect_right(self.edges, value)
        return NumberBin(
            place,
            place,
            self.edges[place - 1] if place else -math.inf,
            self.edges[place] if place < len(self.edges) else math.inf,
            ("another " if self.common else "")
            + ("number" if self.direction == (1.0,) else "projection"),
        )


def _vector(value: Any) -> tuple[float, ...] | None:
    """Return the numbers in an output, or None if it is not numerical."""
    if isinstance(value, Real):
        number = float(value)
        return (number,) if np.isfinite(number) else None
    if isinstance(value, tuple):
        found: list[float] = []
        for each in value:
            part = _vector(each)
            if part is None:
                return None
            found += part
        return tuple(found)
    return None


def _direction(
    zero: Sequence[Hashable], one: Sequence[Hashable], length: int, common: frozenset[Hashable]
) -> np.ndarray:
    """Return the difference of the means of two samples, relative to their spread."""
    if length == 1:
        return np.ones(1)
    samples = []
    for side in (zero, one):
        listed = [v for each in side if each not in common and (v := _vector(each)) is not None]
        samples.append(np.array([v for v in listed if len(v) == length] or [(0.0,) * length]))
    spread = np.concatenate(samples).var(axis=0) + 1e-300
    found: np.ndarray = (samples[1].mean(axis=0) - samples[0].mean(axis=0)) / spread
    return found if found.any() else np.ones(length)
