"""Two finite distributions with exact probabilities, or with exact bounds on probabilities.

For a direction, let P be the distribution on the left and let E_k be the set of the k outcomes with
the largest ratios P(o)/Q(o). For every number r, some E_k maximizes P(E) - r Q(E) over all events
[Neyman, Pearson 1933]. Therefore

* delta(epsilon) = max_k P(E_k) - e^epsilon Q(E_k),
* the pair is (epsilon, delta)-close in this direction if and only if e^epsilon is at least
  (P(E_k) - delta)/Q(E_k) for all k, where Q(E_k) = 0 requires P(E_k) <= delta,
* the points (P(E_k^c), Q(E_k)) are the vertices of the trade-off curve.

Probabilities may be known only up to intervals, and a part of both distributions may be unknown.
Lower bounds then use the least P and the greatest Q, and upper bounds the reverse.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

from learners.audit.cumulants import BITS, BallCumulant, Cumulant
from learners.audit.enclosures import Enclosure, float_above, float_below
from learners.audit.float_pairs import FloatPair
from learners.balls import ball

Interval = tuple[Fraction, Fraction]
"""A lower and an upper bound on a probability."""

MOST_BALLS = 256
"""Number of outcomes up to which Renyi divergences are computed in ball arithmetic."""


class _RatioOrder:
    """The events E_k of two measures, in increasing order."""

    def __init__(self, mine: Sequence[Fraction], other: Sequence[Fraction]) -> None:
        support = [i for i in range(len(mine)) if mine[i] or other[i]]
        ratios = {i: mine[i] / other[i] if other[i] else math.inf for i in support}
        order = sorted(support, key=ratios.__getitem__, reverse=True)
        self.order = order
        # Outcomes of equal ratio belong together, because they lie on one line of the curve.
        ends = [k for k in range(1, len(order)) if ratios[order[k - 1]] != ratios[order[k]]]
        self.ends = [0, *ends, len(order)] if order else [0]
        mass = list(accumulate((mine[i] for i in order), initial=Fraction(0)))
        others = list(accumulate((other[i] for i in order), initial=Fraction(0)))
        self.reached = [mass[k] for k in self.ends]
        self.missed = [others[k] for k in self.ends]

    def best(self, factor: arb) -> int:
        """Return a k that maximizes P(E_k) - factor Q(E_k), up to undecided comparisons."""
        low, high = 0, len(self.ends) - 1
        while low < high:
            middle = (low + high) // 2
            gain = self.reached[middle + 1] - self.reached[middle]
            loss = self.missed[middle + 1] - self.missed[middle]
            if ball(gain) > factor * ball(loss):
                low = middle + 1
            else:
                high = middle
        return low

    def excess(self, factor: arb) -> arb:
        """Return max_k P(E_k) - factor Q(E_k)."""
        k = self.best(factor)
        found = arb(0)
        # An undecided comparison is a class of outcomes whose contribution is close to 0.
        for i in range(k, min(k + 3, len(self.ends))):
            found = found.max(ball(self.reached[i]) - factor * ball(self.missed[i]))
        return found

    def ratio(self, delta: Fraction, more: Fraction, other_more: Fraction) -> Fraction | float:
        """Return max_k (P(E_k) + more - delta)/(Q(E_k) + other_more), at least 1, or infinity."""
        found = Fraction(1)
        for mine, other in zip(self.reached, self.missed, strict=True):
            excess = mine + more - delta
            if excess > 0:
                if not other + other_more:
                    return math.inf
                found = max(found, excess / (other + other_more))
        return found


@dataclass
class ExactPair:
    """Two distributions whose probabilities lie in given intervals.

    Parameters
    ----------
    outcomes : sequence of hashable
        The outcomes.
    p, q : sequence of (Fraction, Fraction)
        Bounds on the probabilities, by outcome. If both bounds are equal, the probability is exact.
    cuts : (Fraction, Fraction)
        Mass of P and of Q that is not listed.
    """

    outcomes: Sequence[Hashable]
    p: Sequence[Interval]
    q: Sequence[Interval]
    cuts: tuple[Fraction, Fraction] = (Fraction(0), Fraction(0))

    @cached_property
    def is_exact(self) -> bool:
        """Whether all probabilities are known exactly."""
        return not any(self.cuts) and all(low == high for low, high in (*self.p, *self.q))

    def bounds(self, direction: int, *, upper: bool) -> tuple[list[Fraction], list[Fraction]]:
        """Return the measures that bound the loss from above or from below."""
        mine, other = (self.q, self.p) if direction else (self.p, self.q)
        return [each[upper] for each in mine], [each[not upper] for each in other]

    @cached_property
    def _orders(self) -> dict[tuple[int, bool], _RatioOrder]:
        return {}

    def _ordered(self, direction: int, upper: bool) -> _RatioOrder:
        key = direction, upper and not self.is_exact
        if key not in self._orders:
            self._orders[key] = _RatioOrder(*self.bounds(direction, upper=key[1]))
        return self._orders[key]

    def delta(self, epsilon: Fraction, direction: int) -> Enclosure:
        """Return bounds on delta(epsilon) in one direction."""
        mine, other = self.cuts[direction], self.cuts[1 - direction]
        with ctx.workprec(BITS):
            factor = ball(epsilon).exp()
            lower = self._ordered(direction, False).excess(factor)
            upper = self._ordered(direction, True).excess(factor)
            lower -= factor * ball(other)
            upper += ball(mine)
            return Enclosure(max(0.0, float_below(lower)), min(1.0, float_above(upper)))

    def ratios(self, delta: Fraction, direction: int) -> tuple[Fraction | float, Fraction | float]:
        """Return bounds on the least e^epsilon at this delta, which are equal for exact pairs."""
        mine, other = self.cuts[direction], self.cuts[1 - direction]
        zero = Fraction(0)
        return (
            self._ordered(direction, False).ratio(delta, zero, other),
            self._ordered(direction, True).ratio(delta, mine, zero),
        )

    def least_epsilon(self, delta: Fraction, direction: int) -> Enclosure:
        """Return bounds on the least epsilon at this delta."""
        lower, upper = self.ratios(delta, direction)
        return Enclosure(float_below(_logarithm(lower)), float_above(_logarithm(upper)))

    def event(self, epsilon: Fraction, direction: int) -> tuple[Hashable, ...]:
        """Return the outcomes of an event that attains delta(epsilon)."""
        order = self._ordered(direction, False)
        with ctx.workprec(BITS):
            end = order.ends[order.best(ball(epsilon).exp())]
        return self._listed(order, end, direction)

    def loss_event(self, delta: Fraction, direction: int) -> tuple[Hashable, ...]:
        """Return the outcomes of an event that attains the least epsilon at this delta."""
        order, other = self._ordered(direction, False), self.cuts[1 - direction]
        best, end = Fraction(0), 0
        for k, (mine, missed) in enumerate(zip(order.reached, order.missed, strict=True)):
            if mine - delta > 0:
                if not missed + other:
                    return self._listed(order, order.ends[k], direction)
                if (mine - delta) / (missed + other) > best:
                    best, end = (mine - delta) / (missed + other), order.ends[k]
        return self._listed(order, end, direction)

    def _listed(self, order: _RatioOrder, end: int, direction: int) -> tuple[Hashable, ...]:
        """Return the first outcomes of an order, likelier outcomes first."""
        mine = (self.q if direction else self.p).__getitem__
        event = sorted(order.order[:end], key=lambda i: mine(i)[0], reverse=True)
        return tuple(self.outcomes[i] for i in event)

    def probability(self, side: int, event: frozenset[Hashable]) -> Interval:
        """Return bounds on the probability of an event, for P (0) or Q (1)."""
        listed = [
            each
            for outcome, each in zip(self.outcomes, (self.p, self.q)[side], strict=True)
            if outcome in event
        ]
        low = sum((each[0] for each in listed), Fraction(0))
        high = sum((each[1] for each in listed), Fraction(0)) + self.cuts[side]
        return low, min(Fraction(1), high)

    def cumulant(self, direction: int) -> Cumulant:
        """Return the function psi of one direction."""
        if len(self.outcomes) > MOST_BALLS and self.is_exact:
            return self._in_floats.cumulant(direction)
        lower = list(zip(*self.bounds(direction, upper=False), strict=True))
        if self.is_exact:
            return BallCumulant(lower, lower)
        upper = list(zip(*self.bounds(direction, upper=True), strict=True))
        return BallCumulant(lower, upper, self.cuts[direction], self.cuts[1 - direction])

    @cached_property
    def _in_floats(self) -> FloatPair:
        p, q = (
            np.array([float(low) for low, _ in side], dtype=np.float64) for side in (self.p, self.q)
        )
        return FloatPair(range(len(p)), p, q, 2.0**-53)

    def tradeoff(self, *, upper: bool) -> NDArray[np.object_]:
        """Return the vertices of the curve, as pairs of errors of the test of P against Q.

        The curve with `upper` is an upper bound on the errors of the best tests.
        """
        # An event E of outcomes that are likelier under Q rejects P. Then P(E) is the first error.
        order, (cut, other_cut) = self._ordered(1, not upper), self.cuts
        if upper:
            first = [min(Fraction(1), each + cut) for each in order.missed]
            second = [1 - each for each in order.reached]
        else:
            first = list(order.missed)
            second = [max(Fraction(0), 1 - each - other_cut) for each in order.reached]
        return np.array(list(zip(first, second, strict=True)), dtype=object)


def _logarithm(ratio: Fraction | float) -> arb | float:
    if ratio == math.inf:
        return math.inf
    if ratio == 1:
        return 0.0
    with ctx.workprec(BITS):
        return ball(Fraction(ratio)).log()
