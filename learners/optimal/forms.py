"""Homogeneous polynomials (forms) on a simplex of distributions, and their maxima.

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

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import comb
from typing import Any

import numpy as np
from flint import fmpq, fmpz_mat
from numpy.typing import NDArray

from learners.optimal.sample_problems import Multisets

Coefficients = NDArray[Any]
"""Coefficients by multisets, as floats or as Python integers in an object array."""
NODES = 200_000
"""Largest number of parts of the simplex in a search."""
MOST_CORNERS = 8
"""Largest number of corners of a simplex whose faces are enumerated for an exact maximum."""
SINGULAR = 1e-14
"""Largest absolute value of a determinant that counts as 0."""


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
        """Return sources, weights and first terms of the coefficients after the middle replaces i.

        The coefficient of a multiset with k copies of the new corner is the mean over all ways to
        put i or j in their places. All weights are multiplied by 2^degree. The terms of each
        coefficient follow each other.
        """
        starts: list[int] = []
        sources: list[list[int]] = []
        weights: list[int] = []
        for row in self.multisets.members.tolist():
            k = row.count(i)
            others = [x for x in row if x != i]
            starts.append(len(sources))
            for first in range(k + 1):
                sources.append([i] * first + [j] * (k - first) + others)
                weights.append(comb(k, first) << (self.degree - k))
        members = np.array(sources, dtype=np.int64).reshape(-1, self.degree)
        return self.multisets.index(members), np.array(weights), np.array(starts)

    def bisected(self, parts: Coefficients, i: int, j: int) -> tuple[Coefficients, Coefficients]:
        """Return the coefficients on both halves of a bisected edge, times 2^degree.

        Parameters
        ----------
        parts : array, shape (parts, coefficients)
            Forms, or one form.
        """
        halves = []
        for one, other in ((i, j), (j, i)):
            sources, weights, starts = self._bisection(one, other)
            factors = weights.astype(object) if parts.dtype == object else weights
            halves.append(np.add.reduceat(parts[..., sources] * factors, starts, axis=-1))
        return halves[0], halves[1]

    def _halves(
        self, parts: Coefficients, corners: NDArray[np.float64], owner: NDArray[np.int64]
    ) -> tuple[Coefficients, NDArray[np.float64], NDArray[np.int64]]:
        """Return both halves of each part, bisected at the longest edge, times 2^degree.

        Parameters
        ----------
        parts : array, shape (parts, coefficients)
        corners : array, shape (parts, corners, coordinates)
        owner : array, shape (parts,)
            Numbers of the forms, which both halves keep.
        """
        first, second = longest_edges(corners)
        found, moved, numbers = [], [], []
        keys = first * self.corners + second
        for key in sorted(set(keys.tolist())):
            i, j = divmod(key, self.corners)
            same = keys == key
            old = corners[same]
            middle = (old[:, i] + old[:, j]) / 2
            for place, half in zip((i, j), self.bisected(parts[same], i, j), strict=True):
                at = old.copy()
                at[:, place] = middle
                found.append(half)
                moved.append(at)
                numbers.append(owner[same])
        return np.concatenate(found), np.concatenate(moved), np.concatenate(numbers)

    def on_corners(self, form: Coefficients, weights: Sequence[Sequence[int]]) -> Coefficients:
        """Return the coefficients on the simplex whose corners are combinations of the corners.

        Parameters
        ----------
        form : array
            Coefficients of the form.
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
        """Return the maximum of a form in floating point, as `maxima` does."""
        return self.maxima(form[None], tolerance, nodes)[0]

    def maxima(
        self, forms: NDArray[np.float64], tolerance: float, nodes: int = NODES
    ) -> list[Maximum]:
        """Return the maximum of each form in floating point, by branch and bound.

        All parts of one depth are bisected together. Forms of degree 2 have few critical points,
        which linear equations give.

        Parameters
        ----------
        forms : array, shape (forms, coefficients)
            Coefficients of the forms.
        tolerance : float
            Largest distance of the bounds, unless the parts are too many.
        nodes : int
            Largest mean number of parts for a form.
        """
        if self.degree == 2:
            return [self._quadratic_maximum(form) for form in forms]
        count = len(forms)
        lower, upper = np.full(count, -np.inf), np.full(count, -np.inf)
        at = np.zeros((count, self.corners))
        parts, owner = forms, np.arange(count)
        corners = np.broadcast_to(np.eye(self.corners), (count, self.corners, self.corners))
        looked = 0
        while len(parts):
            looked += len(parts)
            values = parts[:, self.at_corners]
            best = values.argmax(axis=1)
            largest = values[np.arange(len(parts)), best]
            # The last assignment to a place remains, so larger values come later.
            for part in np.argsort(largest):
                if largest[part] > lower[owner[part]]:
                    lower[owner[part]] = largest[part]
                    at[owner[part]] = corners[part, best[part]]
            bounds = parts.max(axis=1)
            left = (bounds > lower[owner] + tolerance) & (looked <= nodes * count)
            np.maximum.at(upper, owner[~left], bounds[~left])
            if not left.any():
                break
            parts, corners, owner = self._halves(parts[left], corners[left], owner[left])
            parts = parts / 2.0**self.degree
        upper = np.maximum(lower, upper)
        return [
            Maximum(float(low), float(high), tuple(point.tolist()))
            for low, high, point in zip(lower, upper, at, strict=True)
        ]

    @cached_property
    def _faces(self) -> list[NDArray[np.int64]]:
        """The sets of corners of each size, an array with a row for each set."""
        numbers = range(self.corners)
        return [
            np.array(list(itertools.combinations(numbers, size)), dtype=np.int64)
            for size in range(1, self.corners + 1)
        ]

    def _quadratic_maximum(self, form: NDArray[np.float64]) -> Maximum:
        """Return the maximum of a quadratic form, in floating point.

        The maximum over the simplex is a critical point of the form on some face. On the smallest
        such face, the critical point is unique: along a direction in which the form is constant,
        the maximum would extend to a smaller face. So on each face one system of linear equations
        gives the candidate.
        """
        matrix = np.zeros((self.corners, self.corners))
        rows, columns = self.multisets.members.T
        matrix[rows, columns] = matrix[columns, rows] = form
        lower, at = -np.inf, np.zeros(self.corners)
        for faces in self._faces:
            size = faces.shape[1]
            bordered = np.ones((len(faces), size + 1, size + 1))
            bordered[:, :size, :size] = matrix[faces[:, :, None], faces[:, None, :]]
            bordered[:, size, size] = 0
            regular = np.abs(np.linalg.det(bordered)) > SINGULAR
            if not regular.any():
                continue
            right = np.zeros((size + 1, 1))
            right[size] = 1
            points = np.linalg.solve(bordered[regular], right)[:, :size, 0]
            inside = (points >= 0).all(axis=1)
            if not inside.any():
                continue
            points, chosen = points[inside], faces[regular][inside]
            squares = matrix[chosen[:, :, None], chosen[:, None, :]]
            values = np.einsum("fi,fij,fj->f", points, squares, points)
            best = int(values.argmax())
            if values[best] > lower:
                lower, at = float(values[best]), np.zeros(self.corners)
                at[chosen[best]] = points[best]
        return Maximum(lower, lower, tuple(at.tolist()))

    def is_at_most(self, form: Coefficients, most: int, nodes: int = NODES) -> bool:
        """Return whether integers prove that a form is at most `most` on the simplex.

        A quadratic form on few corners is compared at its critical points on all faces (see
        `_quadratic_maximum`). The simplex of other forms is bisected until no coefficient of a part
        is larger.

        Parameters
        ----------
        form : array
            Coefficients as Python integers.
        most : int
            Claimed upper bound on the form.
        nodes : int
            Largest number of parts. If more parts are needed, the result is False.

        Examples
        --------
        >>> S = Simplex(2, 2)
        >>> form = np.array([0, 1 << 20, 0], dtype=object)
        >>> S.is_at_most(form, 1 << 19), S.is_at_most(form, (1 << 19) - 1)
        (True, False)
        """
        if self.degree == 2 and self.corners <= MOST_CORNERS:
            return all(value <= most for value in self._critical_values(form))
        # The corners are sums of few powers of 1/2, so floating point has no rounding errors.
        parts, corners = form[None], np.eye(self.corners)[None]
        bound, looked = int(most), 0
        while len(parts):
            looked += len(parts)
            if looked > nodes or (parts[:, self.at_corners] > bound).any():
                return False
            left = (parts > bound).any(axis=1)
            if not left.any():
                break
            parts, corners, _ = self._halves(parts[left], corners[left], np.flatnonzero(left))
            bound <<= self.degree
        return True

    def _critical_values(self, form: Coefficients) -> Iterator[fmpq]:
        """Yield the values of a quadratic form at its unique critical points on faces, exactly."""
        matrix = np.zeros((self.corners, self.corners), dtype=object)
        rows, columns = self.multisets.members.T
        matrix[rows, columns] = matrix[columns, rows] = form
        for faces in self._faces:
            size = faces.shape[1]
            right = fmpz_mat(size + 1, 1, [*[0] * size, 1])
            for face in faces:
                square = [[*row, 1] for row in matrix[np.ix_(face, face)].tolist()]
                bordered = fmpz_mat([*square, [*[1] * size, 0]])
                if bordered.det() == 0:
                    continue
                # The square times the point is the value at each corner of the face, and the
                # coordinates of the point add up to 1.
                *point, negative = bordered.solve(right).entries()
                if min(point) >= 0:
                    yield -negative


@dataclass(frozen=True)
class Maximum:
    """The maximum of a form: both bounds, and the point where the lower bound is attained."""

    lower: float
    upper: float
    at: tuple[float, ...]


def longest_edges(corners: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the two corners of each part that are farthest apart.

    Among edges of equal length, the first edge is chosen.
    """
    first, second = np.triu_indices(corners.shape[1], 1)
    distances = ((corners[:, first] - corners[:, second]) ** 2).sum(axis=2)
    longest = distances.argmax(axis=1)
    return first[longest], second[longest]
