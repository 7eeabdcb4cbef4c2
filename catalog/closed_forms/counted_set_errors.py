"""Histograms of the errors of sets with a bounded number of points on a sample.

A point with w_0 rows labelled 0 and w_1 rows labelled 1 changes the errors of a set by its *gain*
w_0 - w_1 if the set contains it. Points with equal gains are interchangeable, so a set is a choice
of the number t_g of its points with each gain g, in C(m_g, t_g) ways for m_g such points. A sample
of n rows has at most 2 sqrt(n) + 1 gains. Sets of a node of a binary tree over the gains are
counted by their number of points and their total gain.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lsclasses.error_histograms import ErrorHistogram, SumNode, convolved, weighted_place
from lsclasses.errors import TooLarge
from lsclasses.hypothesis import Hypothesis
from lsclasses.point_names import Point
from lsclasses.random_integers import uniform_below

MOST_STEPS = 1 << 27
"""Largest product of the squared number of chosen points and the number of rows."""

Gains = Mapping[int, Sequence[Point]]
"""The points of a sample by their gain.

The gain of a point is the change of the number of errors of a set if the point is added to it.
"""


Member = Callable[[Sequence[Point], int, int, np.random.Generator], Hypothesis]
"""Function that returns a random set with given points of the sample."""


@dataclass(frozen=True)
class ChoiceNode:
    """Choices of points with given gains, counted by the number of points and the total gain.

    The gain of a point is the change of the number of errors of a set if the point is added to it.

    Attributes
    ----------
    gains : tuple of int
        The given gains.
    counts : tuple of mapping of int to int
        For each number of chosen points, the number of choices by total gain.
    parts : tuple of ChoiceNode
        Two nodes for the first and the second half of the gains, or none for a single gain.
    """

    gains: tuple[int, ...]
    counts: tuple[Mapping[int, int], ...]
    parts: tuple[ChoiceNode, ...] = ()


class CountedSetErrors(ErrorHistogram):
    """The histogram of the number of errors on a sample, over sets of few free points.

    A point is free if the concepts of the class can have either label at the point. The number of
    free points of a set is bounded. The domain is finite. The gain of a point is the change of the
    number of errors of a set if the point is added to it.

    Parameters
    ----------
    errors : int
        Errors of the set that contains no free point.
    gains : mapping of int to sequence of points
        Free points of the sample by their gain, which is not 0.
    others : int
        Number of the other free points, whose gain is 0.
    sizes : range
        Possible numbers of free points of a set.
    member : callable
        ``member(points, least, most, rng)`` returns a uniformly random set that contains the given
        points, none of the other points in `gains`, and from `least` to `most` other free points.
    """

    def __init__(
        self,
        errors: int,
        gains: Gains,
        others: int,
        sizes: range,
        member: Member,
    ) -> None:
        self._errors, self._gains, self._others = errors, gains, others
        self._sizes, self._member = sizes, member
        chosen = min(sizes[-1], sum(map(len, gains.values())))
        self._tree = self._node(tuple(sorted(gains)), chosen)
        # Number of sets by the number of points with a gain, and by the gain.
        self._ways = [
            sum(math.comb(others, t) for t in self._more(k)) for k in range(len(self._tree.counts))
        ]
        found: dict[int, int] = {}
        for ways, counts in zip(self._ways, self._tree.counts, strict=True):
            for gain, number in counts.items():
                if ways:
                    found[errors + gain] = found.get(errors + gain, 0) + number * ways
        self.counts = dict(sorted(found.items()))

    def _node(self, gains: tuple[int, ...], most: int) -> ChoiceNode:
        if not gains:
            return ChoiceNode(gains, ({0: 1},))
        if len(gains) == 1:
            (gain,) = gains
            size = len(self._gains[gain])
            ways = [{gain * t: math.comb(size, t)} for t in range(min(size, most) + 1)]
            return ChoiceNode(gains, tuple(ways))
        half = len(gains) // 2
        one, other = self._node(gains[:half], most), self._node(gains[half:], most)
        counts: list[dict[int, int]] = [
            {} for _ in range(min(most, len(one.counts) + len(other.counts) - 2) + 1)
        ]
        for s, first in enumerate(one.counts):
            for t, second in enumerate(other.counts[: len(counts) - s]):
                total = counts[s + t]
                for gain, number in convolved(first, second).items():
                    total[gain] = total.get(gain, 0) + number
        return ChoiceNode(gains, tuple(counts), (one, other))

    def _sample(self, errors: int, rng: np.random.Generator) -> Hypothesis:
        gain = errors - self._errors
        numbers = [
            ways * counts.get(gain, 0)
            for ways, counts in zip(self._ways, self._tree.counts, strict=True)
        ]
        k = weighted_place(numbers, rng)
        points = self._chosen(self._tree, k, gain, rng)
        more = self._more(k)
        number = more[weighted_place([math.comb(self._others, t) for t in more], rng)]
        return self._member(points, number, number, rng)

    def _more(self, chosen: int) -> range:
        """Return the possible numbers of points without a gain, next to some chosen points."""
        least = max(self._sizes[0] - chosen, 0)
        return range(least, min(self._sizes[-1] - chosen, self._others) + 1)

    def _chosen(
        self, node: ChoiceNode, size: int, gain: int, rng: np.random.Generator
    ) -> list[Point]:
        """Return a uniformly random choice of points with a given number and total gain."""
        if not size:
            return []
        if not node.parts:
            return chosen_points(self._gains[node.gains[0]], size, rng)
        one, other = node.parts
        splits, numbers = [], []
        for s, first in enumerate(one.counts[: size + 1]):
            if size - s < len(other.counts):
                second = other.counts[size - s]
                for d, number in first.items():
                    if gain - d in second:
                        splits.append((s, d))
                        numbers.append(number * second[gain - d])
        s, d = splits[weighted_place(numbers, rng)]
        return [
            *self._chosen(one, s, d, rng),
            *self._chosen(other, size - s, gain - d, rng),
        ]


class ChosenPoints(ErrorHistogram):
    """The histogram of all subsets of some points with equal gains, by their total gain.

    Parameters
    ----------
    gain : int
        Change of the errors by each point.
    points : sequence of point
    """

    def __init__(self, gain: int, points: Sequence[Point]) -> None:
        self._gain, self._points = gain, points
        size = len(points)
        found = {gain * t: math.comb(size, t) for t in range(size + 1)}
        self.counts = dict(sorted(found.items()))

    def _sample(self, errors: int, rng: np.random.Generator) -> list[Point]:
        return chosen_points(self._points, errors // self._gain, rng)


def errors_of_all_sets(errors: int, gains: Gains, others: int, member: Member) -> ErrorHistogram:
    """Return the histogram of the number of errors on a sample, over all sets of free points.

    The labels of free points are independent of each other.

    Parameters
    ----------
    errors, gains, others, member
        Parameters of `CountedSetErrors`.
    """
    parts = [ChosenPoints(gain, points) for gain, points in gains.items()]

    def join(chosen: Sequence[Point], rng: np.random.Generator) -> Hypothesis:
        return member(chosen, 0, others, rng)

    return IndependentPoints(errors, 1 << others, parts, join)


class IndependentPoints(ErrorHistogram):
    """The histogram of the number of errors on a sample, over all sets of free points.

    Parameters
    ----------
    errors : int
        Errors of the set that contains no free point.
    multiple : int
        Number of sets with the same points of the sample.
    parts : sequence of ChosenPoints
        Free points of the sample, by their gain.
    member : callable
        ``member(points, rng)`` returns a uniformly random set with these points of the sample.
    """

    def __init__(
        self,
        errors: int,
        multiple: int,
        parts: Sequence[ChosenPoints],
        member: Callable[[Sequence[Point], np.random.Generator], Hypothesis],
    ) -> None:
        self._errors, self._member = errors, member
        self._tree = SumNode.of(parts or [ChosenPoints(1, ())])
        self.counts = {errors + g: number * multiple for g, number in self._tree.counts.items()}

    def _sample(self, errors: int, rng: np.random.Generator) -> Hypothesis:
        chosen = self._tree.sample(errors - self._errors, rng)
        return self._member(list(itertools.chain.from_iterable(chosen)), rng)


def chosen_points(points: Sequence[Point], size: int, rng: np.random.Generator) -> list[Point]:
    """Return a uniformly random choice of some of the points, in random order."""
    order = list(points)
    for i in range(size):
        j = i + uniform_below(rng, len(order) - i)
        order[i], order[j] = order[j], order[i]
    return order[:size]


def require_few_steps(rows: int, most: int, name: str) -> None:
    """Raise `TooLarge` if counting sets of at most `most` points by their errors takes too long.

    Raises
    ------
    TooLarge
        If the estimate exceeds `MOST_STEPS`. It depends only on the class and the number of rows.
    """
    chosen = min(most, rows)
    if (steps := chosen * chosen * rows) > MOST_STEPS:
        raise TooLarge(
            f"Counting the concepts of {name} by their errors on {rows} rows takes about {steps} "
            f"steps. The limit is {MOST_STEPS}. Take fewer rows or smaller sets.",
            estimate=steps,
            limit=MOST_STEPS,
        )
