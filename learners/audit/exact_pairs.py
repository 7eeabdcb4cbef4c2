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

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

from learners.audit.cumulants import BITS, BallCumulant, Cumulant, FloatCumulant, grouped_cumulant
from learners.audit.enclosures import Enclosure, float_above, float_below
from learners.audit.exact_measures import LOGARITHM_ERROR, ExactMeasure, RatioOrder
from learners.balls import ball

MOST_BALLS = 256
"""Number of outcomes up to which Renyi divergences are computed in ball arithmetic."""

Bounds = tuple[ExactMeasure, ExactMeasure]
"""Lower and upper bounds on the probabilities. The probabilities are exact if one object is both
bounds."""


@dataclass
class ExactPair:
    """Two distributions whose probabilities lie in given intervals.

    Parameters
    ----------
    outcomes : sequence of hashable
        The outcomes.
    p, q : (ExactMeasure, ExactMeasure)
        Lower and upper bounds on the probabilities, by outcome. The probabilities are exact if one
        object is both bounds.
    cuts : (Fraction, Fraction)
        Mass of P and of Q that is not listed.
    """

    outcomes: Sequence[Hashable]
    p: Bounds
    q: Bounds
    cuts: tuple[Fraction, Fraction] = (Fraction(0), Fraction(0))

    @cached_property
    def is_exact(self) -> bool:
        """Whether all probabilities are known exactly."""
        return not any(self.cuts) and all(low is high for low, high in (self.p, self.q))

    def bounds(self, direction: int, *, upper: bool) -> tuple[ExactMeasure, ExactMeasure]:
        """Return the measures that bound the loss from above or from below."""
        mine, other = (self.q, self.p) if direction else (self.p, self.q)
        return mine[upper], other[not upper]

    @cached_property
    def _orders(self) -> dict[tuple[int, bool], RatioOrder]:
        return {}

    def _ordered(self, direction: int, upper: bool) -> RatioOrder:
        key = direction, upper and not self.is_exact
        if key not in self._orders:
            self._orders[key] = RatioOrder(*self.bounds(direction, upper=key[1]))
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
        """Return bounds on the least e^epsilon for which the pair is (epsilon, delta)-close.

        Direction 0 compares P with Q, and direction 1 compares Q with P. If all probabilities are
        known exactly (`is_exact`), the two bounds are equal.
        """
        mine, other = self.cuts[direction], self.cuts[1 - direction]
        return (
            self._ordered(direction, False).steepest(delta, other)[1],
            self._ordered(direction, True).steepest(delta - mine, Fraction(0))[1],
        )

    def least_epsilon(self, delta: Fraction, direction: int) -> Enclosure:
        """Return bounds on the least epsilon at this delta."""
        lower, upper = self.ratios(delta, direction)
        return Enclosure(
            max(0.0, float_below(_logarithm(lower))), max(0.0, float_above(_logarithm(upper)))
        )

    def event(self, epsilon: Fraction, direction: int) -> tuple[Hashable, ...]:
        """Return the outcomes of an event that attains delta(epsilon)."""
        order = self._ordered(direction, False)
        with ctx.workprec(BITS):
            end = order.ends[order.best(ball(epsilon).exp())]
        return self._listed(order, end, direction)

    def loss_event(self, delta: Fraction, direction: int) -> tuple[Hashable, ...]:
        """Return the outcomes of an event that attains the least epsilon at this delta."""
        order = self._ordered(direction, False)
        best = order.steepest(delta, self.cuts[1 - direction])[0]
        return self._listed(order, order.ends[best], direction)

    def _listed(self, order: RatioOrder, end: int, direction: int) -> tuple[Hashable, ...]:
        """Return the first outcomes of an order, likelier outcomes first."""
        mine = (self.q if direction else self.p)[0].numerators.__getitem__
        event = sorted(order.order[:end], key=mine, reverse=True)
        return tuple(self.outcomes[i] for i in event)

    def probability(self, side: int, event: frozenset[Hashable]) -> tuple[Fraction, Fraction]:
        """Return bounds on the probability of an event, for P (0) or Q (1)."""
        listed = [i for i, outcome in enumerate(self.outcomes) if outcome in event]
        lower, upper = (each.total(listed) for each in (self.p, self.q)[side])
        return lower, min(Fraction(1), upper + self.cuts[side])

    def cumulant(self, direction: int) -> Cumulant:
        """Return the function psi of `learners.audit.cumulants` for one direction.

        For many outcomes, the function uses logarithms in floating point with bounds on all errors.
        """
        if len(self.outcomes) > MOST_BALLS and self.is_exact:
            return self._of_logarithms(direction)
        lower = list(zip(*self.bounds(direction, upper=False), strict=True))
        if self.is_exact:
            return BallCumulant(lower, lower)
        upper = list(zip(*self.bounds(direction, upper=True), strict=True))
        return BallCumulant(lower, upper, self.cuts[direction], self.cuts[1 - direction])

    def _of_logarithms(self, direction: int) -> Cumulant:
        mine, other = self.bounds(direction, upper=False)
        order = self._ordered(direction, False).order
        # The first outcome has the largest ratio.
        first = order[0]
        if not other.numerators[first]:
            return FloatCumulant.infinite()
        largest = Enclosure.of(_logarithm(mine[first] / other[first]))
        inside = [i for i in order if mine.numerators[i]]
        logarithms = mine.logarithms(inside), other.logarithms(inside)
        return grouped_cumulant(*logarithms, LOGARITHM_ERROR, largest)

    def tradeoff(self, *, upper: bool) -> NDArray[np.object_]:
        """Return the vertices of the trade-off curve, as error pairs of the test of P against Q.

        The curve with `upper` is an upper bound on the errors of the best tests.
        """
        # An event E of outcomes that are likelier under Q rejects P. Then P(E) is the first error.
        order, (cut, other_cut) = self._ordered(1, not upper), self.cuts
        points = [order.point(k) for k in range(len(order.ends))]
        if upper:
            vertices = [(min(Fraction(1), missed + cut), 1 - reached) for reached, missed in points]
        else:
            zero = Fraction(0)
            vertices = [(missed, max(zero, 1 - reached - other_cut)) for reached, missed in points]
        return np.array(vertices, dtype=object)


def _logarithm(ratio: Fraction | float) -> arb | float:
    """Return the logarithm of a number of at least 1, with a small relative error."""
    if ratio == math.inf:
        return math.inf
    with ctx.workprec(BITS):
        return ball(Fraction(ratio) - 1).log1p()
