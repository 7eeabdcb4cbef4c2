"""Mistakes in many orders of the points at once, for the search for counterexamples.

`lsclasses.dimensions.orders` computes the mistakes in the best and in the worst order. A local
search needs a finer measure, because the worst order changes only after every order that forces
many mistakes has disappeared. So this module computes the mistakes in every order, or in a sample
of the orders. Classes are arrays of truth values as in `catalog.refuting.structured`.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

MOST_POINTS = 10
"""Largest number of points on which all orders are compared."""
EXACT_POINTS = 8
"""Up to this number of points, a sample contains every order."""
SAMPLE = 1536
"""Largest number of orders in a sample that does not contain all orders."""


def _paid(zeros: np.ndarray, ones: np.ndarray) -> np.ndarray:
    """Return the mistakes before a label is known, as `lsclasses.dimensions.orders.paid` does."""
    cost: np.ndarray = np.maximum(zeros, ones)
    cost += (zeros == ones) & (zeros >= 0)
    return cost


def all_order_costs(members: np.ndarray) -> np.ndarray:
    """Return the mistakes in every order of the points, in the sequence of `all_orders`.

    Orders that end in the same points share the computation for these points.

    Parameters
    ----------
    members : numpy.ndarray
        Truth value of each of the 2**n concepts on n points.

    Examples
    --------
    On three points, the thresholds cost 1 mistake in the best order and 2 in the worst order.

    >>> members = np.isin(np.arange(8), [0b000, 0b001, 0b011, 0b111])
    >>> all_order_costs(members).tolist()
    [1, 1, 2, 2, 1, 1]
    """
    costs = np.where(members, 0, -1).astype(np.int8)[None]
    for points in range(len(members).bit_length() - 1, 0, -1):
        longer = []
        for place in range(points):
            halves = costs.reshape(len(costs), -1, 2, 1 << place)
            cost = _paid(halves[:, :, 0], halves[:, :, 1])
            longer.append(cost.reshape(len(costs), -1))
        costs = np.concatenate(longer)
    return costs[:, 0]


@cache
def all_orders(points: int) -> np.ndarray:
    """Return all orders of the points, one in each row.

    Examples
    --------
    >>> all_orders(3).tolist()
    [[2, 1, 0], [2, 0, 1], [1, 0, 2], [1, 2, 0], [0, 2, 1], [0, 1, 2]]
    """
    last = np.zeros((1, 0), dtype=np.int8)
    rest = np.arange(points, dtype=np.int8)[None]
    for count in range(points, 0, -1):
        last = np.concatenate([np.hstack([rest[:, [i]], last]) for i in range(count)])
        rest = np.concatenate([np.delete(rest, i, axis=1) for i in range(count)])
    return last


class OrderSample:
    """Sample of the orders of the points, with weights.

    Parameters
    ----------
    points : int
        Number of points. All orders belong to the sample if there are at most `EXACT_POINTS`.
    rng : numpy.random.Generator
        Source of random orders.
    exact : bool
        Whether to take all orders in any case.

    Attributes
    ----------
    exact : bool
        Whether the sample contains all orders.
    version : int
        Number of samples that were drawn.

    Examples
    --------
    >>> sample = OrderSample(3, np.random.default_rng(0))
    >>> members = np.isin(np.arange(8), [0b000, 0b001, 0b011, 0b111])
    >>> sample.exact, sample.costs(members).tolist()
    (True, [1, 1, 2, 2, 1, 1])
    """

    def __init__(self, points: int, rng: np.random.Generator, *, exact: bool = False) -> None:
        self.points, self._rng, self.version = points, rng, 0
        self.exact = exact or points <= EXACT_POINTS
        self._weights = np.ones(math.factorial(points))
        if not self.exact:
            self._take(rng.integers(len(self._weights), size=SAMPLE), np.ones(SAMPLE))

    def costs(self, members: np.ndarray) -> np.ndarray:
        """Return the mistakes in each order of the sample."""
        if self.exact:
            return all_order_costs(members)
        costs = np.where(members, 0, -1).astype(np.int8)[self._words]
        while costs.shape[1] > 1:
            costs = _paid(costs[:, 0::2], costs[:, 1::2])
        return costs[:, 0]

    def share(self, extreme: np.ndarray) -> float:
        """Return the estimated share of all orders with a property.

        Parameters
        ----------
        extreme : numpy.ndarray
            Whether each order of the sample has the property.
        """
        return float(self._weights[extreme].sum() / self._weights.sum())

    def draw(self, extreme: np.ndarray) -> None:
        """Draw a new sample, half of it from the extreme orders of a class.

        Parameters
        ----------
        extreme : numpy.ndarray
            Whether each order is extreme, in the sequence of `all_orders`.
        """
        parts, weights = [], []
        for part in (np.flatnonzero(extreme), np.flatnonzero(~extreme)):
            chosen = self._rng.permutation(part)[: SAMPLE // 2]
            parts.append(chosen)
            weights.append(np.full(len(chosen), len(part) / max(1, len(chosen))))
        self._take(np.concatenate(parts), np.concatenate(weights))

    def _take(self, chosen: np.ndarray, weights: np.ndarray) -> None:
        """Take the orders of these numbers as the sample."""
        orders = all_orders(self.points)[chosen]
        places = np.arange(1 << self.points)
        words = np.zeros((len(orders), len(places)), dtype=np.int64)
        for j in range(self.points):
            # The label of the first point decides the half of the words, and so on.
            bit = places >> (self.points - 1 - j) & 1
            words |= bit << orders[:, j, None].astype(np.int64)
        self._words, self._weights = words, weights
        self.version += 1
