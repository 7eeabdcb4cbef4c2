"""Two finite distributions in floating point, with a bound on the relative error of every number.

The formulas are in `learners.audit.exact_pairs`. All sums are sums of nonnegative numbers, so their
relative errors are small multiples of the rounding error: a sum of n numbers in blocks of b numbers
needs at most b + n/b additions on the way of each number [Higham 2002, Lemma 3.1]. Bounds are
multiplied by a factor that exceeds all errors.

Positive probabilities are at least 2^-1000 (`of_distributions` refuses smaller ones), so products,
quotients and sums neither underflow nor overflow.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from flint import ctx
from numpy.typing import NDArray

from learners.audit.cumulants import (
    FUNCTION_ERROR,
    ROUNDING,
    Cumulant,
    FloatCumulant,
    Floats,
    grouped_cumulant,
)
from learners.audit.enclosures import Enclosure, float_above, float_below
from learners.balls import ball


def prefix_sums(values: Floats) -> tuple[Floats, float]:
    """Return the sums of the first k numbers for k = 0, ..., n, and their relative error.

    Examples
    --------
    >>> prefix_sums(np.array([1.0, 2.0, 4.0]))[0].tolist()
    [0.0, 1.0, 3.0, 7.0]
    """
    count = len(values)
    width = max(1, math.isqrt(count))
    height = -(-count // width)
    padded = np.zeros(width * height)
    padded[:count] = values
    blocks = np.cumsum(padded.reshape(height, width), axis=1)
    before = np.concatenate(([0.0], np.cumsum(blocks[:-1, -1])))
    sums = (blocks + before[:, None]).reshape(-1)[:count]
    # Each number takes part in at most width + height additions.
    return np.concatenate(([0.0], sums)), 2 * (width + height + 1) * ROUNDING


@dataclass
class _FloatOrder:
    """The events E_k of one direction, in increasing order, with their probabilities."""

    order: NDArray[np.intp]
    reached: Floats
    missed: Floats
    error: float
    """Relative error of the sums, with the error of the probabilities."""


@dataclass
class FloatPair:
    """Two distributions P and Q, with probabilities in floating point.

    Parameters
    ----------
    outcomes : sequence of hashable
        The outcomes.
    p, q : array
        The probabilities, by outcome, at least one of which is positive.
    error : float
        Bound on the relative error of every probability.
    """

    outcomes: Sequence[Hashable]
    p: Floats
    q: Floats
    error: float
    is_exact: bool = False
    _orders: dict[int, _FloatOrder] = field(default_factory=dict)
    _sorted: NDArray[np.intp] | None = None

    def _ordered(self, direction: int) -> _FloatOrder:
        if direction not in self._orders:
            if self._sorted is None:
                # Outcomes of probability 0 under both distributions can be at any place.
                with np.errstate(divide="ignore", invalid="ignore"):
                    self._sorted = np.argsort(self.q / self.p)
            order = self._sorted[::-1] if direction else self._sorted
            mine, other = (self.q, self.p) if direction else (self.p, self.q)
            reached, error = prefix_sums(mine[order])
            missed, _ = prefix_sums(other[order])
            # Ratios that differ by less than two roundings may be in the wrong order. The sums are
            # multiplied by bounds on their errors, which rounds them once more.
            error = (error + self.error + 8 * ROUNDING) * (1 + 2.0**-20)
            self._orders[direction] = _FloatOrder(order, reached, missed, error)
        return self._orders[direction]

    def delta(self, epsilon: Fraction, direction: int) -> Enclosure:
        """Return bounds on delta(epsilon) in one direction."""
        side = self._ordered(direction)
        with ctx.workprec(64):
            factor = Enclosure.of(ball(epsilon).exp())
        up, down = 1 + side.error, 1 - side.error
        if math.isinf(factor.upper * up):
            return Enclosure(0.0, 1.0)
        lower = float((side.reached * down - side.missed * (factor.upper * up)).max())
        upper = float((side.reached * up - side.missed * (factor.lower * down)).max())
        # The best event has e^epsilon Q(E) <= P(E) <= 1, so the roundings of its products and of
        # their difference are small.
        slack = 8 * ROUNDING
        return Enclosure(max(0.0, lower - slack), min(1.0, max(0.0, upper) + slack))

    def least_epsilon(self, delta: Fraction, direction: int) -> Enclosure:
        """Return bounds on the least epsilon at this delta."""
        side = self._ordered(direction)
        up, down = 1 + side.error, 1 - side.error
        found = []
        for mine, other, allowed in (
            (side.reached * down, side.missed * up, float_above(delta)),
            (side.reached * up, side.missed * down, float_below(delta)),
        ):
            excess = mine - allowed
            with np.errstate(divide="ignore", invalid="ignore"):
                ratios = np.where(excess > 0, excess / other, 0.0)
            found.append(float(ratios.max()))
        # A ratio is infinite only if its denominator is 0, because no quotient overflows.
        lower, upper = (max(1.0, each) for each in found)
        slack = 16 * ROUNDING
        low = max(0.0, math.log(lower) * (1 - slack) - slack) if lower < math.inf else math.inf
        return Enclosure(low, math.log(upper) * (1 + slack) + slack)

    def event(self, epsilon: Fraction, direction: int) -> tuple[Hashable, ...]:
        """Return the outcomes of an event that attains delta(epsilon), up to rounding."""
        side = self._ordered(direction)
        factor = math.exp(min(epsilon, Fraction(700)))
        end = int((side.reached - factor * side.missed).argmax())
        return self._listed(side, end, direction)

    def loss_event(self, delta: Fraction, direction: int) -> tuple[Hashable, ...]:
        """Return the outcomes of an event that attains the least epsilon at this delta."""
        side = self._ordered(direction)
        excess = side.reached - float(delta)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = np.where(excess > 0, excess / side.missed, 0.0)
        end = int(ratios.argmax())
        return self._listed(side, end if ratios[end] > 1 else 0, direction)

    def _listed(self, side: _FloatOrder, end: int, direction: int) -> tuple[Hashable, ...]:
        """Return the first outcomes of an order, likelier outcomes first."""
        event = side.order[:end]
        event = event[np.argsort(-(self.q if direction else self.p)[event], kind="stable")]
        if isinstance(self.outcomes, range):
            return tuple(event.tolist())
        return tuple(self.outcomes[i] for i in event.tolist())

    def probability(self, side: int, event: frozenset[Hashable]) -> Enclosure:
        """Return bounds on the probability of an event, for P (0) or Q (1)."""
        values = (self.p, self.q)[side]
        total = math.fsum(
            value
            for outcome, value in zip(self.outcomes, values.tolist(), strict=True)
            if outcome in event
        )
        slack = self.error + 4 * ROUNDING
        return Enclosure(total * (1 - slack), min(1.0, total * (1 + slack)))

    def tradeoff(self, *, upper: bool) -> Floats:
        """Return the vertices of the trade-off curve, as error pairs of the test of P against Q."""
        side = self._ordered(1)
        sign = 1 if upper else -1
        first = side.missed * (1 + sign * side.error)
        second = 1 - side.reached * (1 - sign * side.error) + sign * 2 * ROUNDING
        return np.clip(np.column_stack((first, second)), 0.0, 1.0)

    # ---- Renyi divergences

    def cumulant(self, direction: int) -> Cumulant:
        """Return the function psi of `learners.audit.cumulants` for one direction."""
        side = self._ordered(direction)
        mine, other = (self.q, self.p) if direction else (self.p, self.q)
        p, q = mine[side.order], other[side.order]
        if bool(((p > 0) & (q == 0)).any()):
            return FloatCumulant.infinite()
        inside = p > 0
        p, q = p[inside], q[inside]
        log_p, log_q = np.log(p), np.log(q)
        losses = log_p - log_q
        most = float(losses.max())
        size = float((np.abs(log_p) + np.abs(log_q)).max())
        # The logarithms of (1 + error)/(1 - error) and of its inverse are at most twice the error,
        # up to its third power.
        slack = 2 * self.error * (1 + self.error) + 2 * FUNCTION_ERROR * (size + 1)
        largest = Enclosure(max(0.0, most - slack), max(0.0, most + slack))
        return grouped_cumulant(log_p, log_q, self.error, largest)


def one_rounding(*given: Mapping[Any, Any] | Iterable[Any]) -> Fraction:
    """Return the largest relative error of one rounding to the number types of the given arrays.

    Examples
    --------
    >>> one_rounding([0.5]) == Fraction(1, 2**53), one_rounding([np.float32(0.5)]) * 2**24
    (True, Fraction(1, 1))
    """
    kinds = set()
    for each in given:
        if isinstance(each, np.ndarray):
            kinds.add(each.dtype.type)
        else:
            kinds |= set(map(type, each.values() if isinstance(each, Mapping) else each))
    errors = [np.finfo(each).eps for each in kinds if issubclass(each, np.floating)]
    return max([Fraction(ROUNDING), *(Fraction(float(each)) / 2 for each in errors)])
