"""The error of a learner as a form in the distribution, and its maximum over all distributions.

Fix a learner p and a concept c. Draw m independent rows of a distribution D that c labels, and one
more point x of D to test the hypothesis. Then the expected error is a form of degree m + 1 in the
probabilities D(z). By exchangeability of the m + 1 points, the expected error is the mean, over
multisets T of m + 1 points drawn from D, of the leave-one-out error b_T: choose one point of T at
random, train on the others, test on it. So the b_T are the Bernstein coefficients of the form on
the simplex of all distributions. A form is at most its largest coefficient, and at the corners it
equals the coefficients. Bisecting the simplex (de Casteljau) brings the coefficients to the values
of the form. So branch and bound finds the maximum, in floating point, or in integers as a proof.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.optimal.sample_problems import Multisets

Coefficients = NDArray[Any]
"""Coefficients by multisets, as floats or as Python integers in an object array."""
NODES = 20_000
"""Largest number of parts of the simplex in a search."""


class Simplex:
    """The homogeneous polynomials of a given degree on a simplex with a given number of corners.

    The Bernstein coefficients, one for each multiset of `degree` corners, represent a polynomial
    (form).

    Parameters
    ----------
    corners : int
        Number of corners of the simplex.
    degree : int
        Degree of the polynomials.

    Examples
    --------
    The form 2 D(0) D(1) has its maximum 1/2 in the middle:

    >>> S = Simplex(2, 2)
    >>> S.multisets.members.tolist()
    [[0, 0], [0, 1], [1, 1]]
    >>> found = S.maximum(np.array([0.0, 1.0, 0.0]), 1e-9)
    >>> round(found.upper, 6), found.at
    (0.5, (0.5, 0.5))
    """

    def __init__(self, corners: int, degree: int) -> None:
        self.corners, self.degree = corners, degree
        self.multisets = Multisets(corners, degree)

    @cached_property
    def at_corners(self) -> list[int]:
        """The coefficient at each corner, which is the value of the form at the corner."""
        rows = np.repeat(np.arange(self.corners)[:, None], self.degree, axis=1)
        return [int(i) for i in self.multisets.index(rows)]

    @cache  # noqa: B019
    def _bisection(self, i: int, j: int) -> tuple[Any, Any, Any]:
        """Return indices and weights of the coefficients after the middle of i and j replaces i.

        The coefficient of a multiset with k copies of the new corner is the mean over all ways to
        put i or j in their places. All weights are multiplied by 2^degree.
        """
        targets, sources, weights = [], [], []
        for index, row in enumerate(self.multisets.members.tolist()):
            k = row.count(i)
            others = [x for x in row if x != i]
            for first in range(k + 1):
                targets.append(index)
                sources.append([i] * first + [j] * (k - first) + others)
                weights.append(comb(k, first) << (self.degree - k))
        members = np.array(sources, dtype=np.int64).reshape(-1, self.degree)
        return np.array(targets), self.multisets.index(members), np.array(weights)

    def bisected(self, form: Coefficients, i: int, j: int) -> tuple[Coefficients, Coefficients]:
        """Return the coefficients on both halves, times 2^degree: the middle for i, and for j."""
        halves = []
        for one, other in ((i, j), (j, i)):
            targets, sources, weights = self._bisection(one, other)
            half = np.zeros(len(form), dtype=form.dtype)
            terms = form[sources] * (weights.astype(object) if form.dtype == object else weights)
            np.add.at(half, targets, terms)
            halves.append(half)
        return halves[0], halves[1]

    def on_corners(self, form: Coefficients, weights: Sequence[Sequence[int]]) -> Coefficients:
        """Return the coefficients on the simplex whose corners are combinations of the corners.

        Parameters
        ----------
        form : array
        weights : sequence of sequence of int
            Weights of the old corners for each new corner. Results are multiplied by the product of
            the sums of the weights, for each of the `degree` places.
        """
        known: dict[tuple[int, ...], dict[tuple[int, ...], Any]] = {
            (): dict(zip(map(tuple, self.multisets.members.tolist()), form.tolist(), strict=True))
        }
        for size in range(1, self.degree + 1):
            for chosen in itertools.combinations_with_replacement(range(self.corners), size):
                before = known[chosen[:-1]]
                row = [(x, w) for x, w in enumerate(weights[chosen[-1]]) if w]
                known[chosen] = {
                    rest: sum(w * before[tuple(sorted((*rest, x)))] for x, w in row)
                    for rest in itertools.combinations_with_replacement(
                        range(self.corners), self.degree - size
                    )
                }
            known = {key: value for key, value in known.items() if len(key) == size}
        values = [known[tuple(row)][()] for row in self.multisets.members.tolist()]
        return np.array(values, dtype=form.dtype)

    def maximum(self, form: NDArray[np.float64], tolerance: float, nodes: int = NODES) -> Maximum:
        """Return the maximum of a form in floating point, by branch and bound."""
        lower, at = -np.inf, np.zeros(self.corners)
        start = np.eye(self.corners)
        queue: list[tuple[float, int, Coefficients, NDArray[np.float64]]] = []
        count = itertools.count()
        heapq.heappush(queue, (-float(form.max()), next(count), form, start))
        seen: list[tuple[float, NDArray[np.float64]]] = []
        for _ in range(nodes):
            bound, _, part, corners = queue[0]
            values = part[self.at_corners]
            best = int(values.argmax())
            if values[best] > lower:
                lower, at = float(values[best]), corners[best]
                seen.append((lower, at))
            if -bound <= lower + tolerance:
                break
            heapq.heappop(queue)
            i, j = longest_edge(corners)
            middle = (corners[i] + corners[j]) / 2
            for place, half in zip((i, j), self.bisected(part, i, j), strict=True):
                moved = corners.copy()
                moved[place] = middle
                scaled = half / 2.0**self.degree
                heapq.heappush(queue, (-float(scaled.max()), next(count), scaled, moved))
        return Maximum(lower, max(-queue[0][0], lower), tuple(at.tolist()))

    def least_bound(self, form: Coefficients, most: int, nodes: int = NODES) -> int | None:
        """Return the number of parts that prove, in integers, that a form is at most `most`.

        Returns
        -------
        int or None
            None if some value is larger, or more than `nodes` parts are needed.

        Examples
        --------
        >>> S = Simplex(2, 2)
        >>> form = np.array([0, 1 << 20, 0], dtype=object)
        >>> S.least_bound(form, 1 << 19), S.least_bound(form, (1 << 19) - 1)
        (3, None)
        """
        stack: list[tuple[Coefficients, int, tuple[tuple[int, ...], ...]]] = [
            (form, most, tuple(map(tuple, np.eye(self.corners, dtype=int).tolist())))
        ]
        looked = 0
        while stack:
            part, bound, corners = stack.pop()
            looked += 1
            if looked > nodes or any(part[i] > bound for i in self.at_corners):
                return None
            if max(part) <= bound:
                continue
            i, j = longest_edge(np.array(corners, dtype=float))
            # Corners are stored times a power of two that all corners share.
            doubled = [tuple(2 * w for w in corner) for corner in corners]
            middle = tuple(a + b for a, b in zip(corners[i], corners[j], strict=True))
            for place, half in zip((i, j), self.bisected(part, i, j), strict=True):
                moved = (*doubled[:place], middle, *doubled[place + 1 :])
                stack.append((half, bound << self.degree, moved))
        return looked


@dataclass(frozen=True)
class Maximum:
    """The maximum of a form: both bounds, and the point where the lower bound is attained."""

    lower: float
    upper: float
    at: tuple[float, ...]


def longest_edge(corners: NDArray[np.float64]) -> tuple[int, int]:
    """Return the two corners that are farthest apart, or the first of equally long edges."""
    distances = ((corners[:, None, :] - corners[None, :, :]) ** 2).sum(axis=2)
    i, j = divmod(int(distances.argmax()), len(corners))
    return min(i, j), max(i, j)
