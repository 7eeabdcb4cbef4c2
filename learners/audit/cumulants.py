"""Bounds on Renyi divergences and on the least zCDP parameter of two distributions.

Let psi(a) = ln sum_o P(o)^a Q(o)^(1 - a). Then the Renyi divergence of order a > 1 is
D_a(P || Q) = psi(a)/(a - 1). The function psi is convex with psi(1) = 0, and D_a does not decrease
in a. A pair of inputs satisfies rho-zCDP if and only if D_a <= rho a for all a > 1, in both
directions [Bun, Steinke 2016, Definition 1.1]. So the least rho is
sup_{a > 1} psi(a)/(a (a - 1)). `least_zcdp` encloses this supremum:

* Every order a gives the lower bound psi(a)/(a (a - 1)).
* For orders in an interval [a, b], psi is at most its chord A + B x. The chord is at most
  U x (x - 1) on [a, b] if and only if U x^2 - (U + B) x - A >= 0 there, which is a question about
  the least value of a quadratic function. It is decided in exact fractions.
* For orders in (1, b], D_x <= D_b, so D_x/x <= D_b.
* For orders beyond c, D_x <= D_infinity, so D_x/x <= D_infinity/c.

Intervals with large upper bounds are halved until the bounds are close.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Protocol

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

from learners.audit.enclosures import Enclosure, float_above, float_below
from learners.balls import ball

BITS = 128
"""Precision of the interval arithmetic (balls), in bits."""
ROUNDING = 2.0**-53
"""Relative error of one rounding in floating point."""
FUNCTION_ERROR = 8 * ROUNDING
"""Assumed relative error of an exponential or a logarithm of NumPy. NumPy's tests allow half of
it."""

LARGEST_ORDER = 2.0**40
"""Largest order at which psi is computed. Renyi divergences do not decrease in the order."""
GROUPS = 1 << 12
"""Number of groups of outcomes with similar ratios. Outcomes are merged only if there are more
outcomes than this number."""
LONGEST = 1 << 10
"""Number of outcomes of the longest group of merged outcomes."""

Floats = NDArray[np.float64]


class Cumulant(Protocol):
    """The function psi(a) = ln sum_o P(o)^a Q(o)^(1 - a) of two distributions P and Q."""

    def psi(self, order: float) -> Enclosure:
        """Return bounds on psi at a finite order of at least 1."""
        ...

    def relative_entropy(self) -> Enclosure:
        """Return bounds on D_1, the Kullback-Leibler divergence."""
        ...

    def largest_loss(self) -> Enclosure:
        """Return bounds on D_infinity, the largest value of ln P(o)/Q(o)."""
        ...


# ---- two implementations


@dataclass
class BallCumulant:
    """The function psi in ball arithmetic, for probabilities with lower and upper bounds.

    Parameters
    ----------
    lower : list of (Fraction, Fraction)
        Lower bounds on P and upper bounds on Q, by outcome.
    upper : list of (Fraction, Fraction)
        Upper bounds on P and lower bounds on Q.
    cut : Fraction
        Mass of P whose outcomes are unknown.
    other_cut : Fraction
        Mass of Q whose outcomes are unknown.
    """

    lower: Sequence[tuple[Fraction, Fraction]]
    upper: Sequence[tuple[Fraction, Fraction]]
    cut: Fraction = Fraction(0)
    other_cut: Fraction = Fraction(0)

    @cached_property
    def _logarithms(self) -> tuple[list[tuple[arb, arb]], list[tuple[arb, arb]]]:
        """Return the logarithms of the bounds, where P is positive."""
        with ctx.workprec(BITS):
            # The unknown mass of Q can be at any outcome.
            least = [(ball(p).log(), ball(q + self.other_cut).log()) for p, q in self.lower if p]
            if self.upper is self.lower and not self.other_cut:
                return least, least
            return least, [(ball(p).log(), ball(q).log()) for p, q in self.upper if p]

    def psi(self, order: float) -> Enclosure:
        """Return bounds on psi."""
        most = self.largest_loss()
        if most.lower == math.inf:
            return Enclosure(math.inf, math.inf)
        below, above = self._logarithms
        with ctx.workprec(BITS):
            a = arb(order)
            least = sum((((a * p) + (1 - a) * q).exp() for p, q in below), arb(0)).log()
            if most.upper == math.inf:
                return Enclosure(float_below(least), math.inf)
            if above is below:
                return Enclosure.of(least)
            greatest = sum((((a * p) + (1 - a) * q).exp() for p, q in above), arb(0)).log()
            return Enclosure(float_below(least), float_above(greatest))

    def relative_entropy(self) -> Enclosure:
        """Return bounds on the relative entropy D_1."""
        most = self.largest_loss()
        if most.lower == math.inf:
            return Enclosure(math.inf, math.inf)
        if self.cut or self.other_cut:
            return Enclosure(0.0, math.inf)
        total = arb(0)
        with ctx.workprec(BITS):
            for (p_low, q_high), (p_high, q_low) in zip(self.lower, self.upper, strict=True):
                if not p_high:
                    continue
                if not q_low or not p_low:
                    return Enclosure(0.0, math.inf)
                p, q = ball(p_low).union(ball(p_high)), ball(q_low).union(ball(q_high))
                total += p * (p / q).log()
            return Enclosure(max(0.0, float_below(total)), float_above(total))

    def largest_loss(self) -> Enclosure:
        """Return bounds on D_infinity, the largest privacy loss."""
        lower = max(
            (
                math.inf if not q + self.other_cut else float_below(_log(p / (q + self.other_cut)))
                for p, q in self.lower
                if p
            ),
            default=0.0,
        )
        if self.cut:
            return Enclosure(max(0.0, lower), math.inf)
        upper = max(
            (math.inf if not q else float_above(_log(p / q)) for p, q in self.upper if p),
            default=0.0,
        )
        return Enclosure(max(0.0, lower), max(0.0, upper))


def _log(value: Fraction) -> arb:
    with ctx.workprec(BITS):
        return ball(value).log()


Logarithms = tuple[Floats, Floats]
"""The logarithms of the positive probabilities under P and under Q, by outcome."""


@dataclass
class FloatCumulant:
    """The function psi in floating point with a bound on all rounding errors.

    Parameters
    ----------
    lower, upper : tuple of two arrays
        Logarithms of numbers p and q whose psi is a lower bound, or an upper bound, up to the
        errors.
    error : float
        Absolute error of every logarithm, in addition to the relative error `FUNCTION_ERROR`.
    largest : Enclosure
        Bounds on D_infinity.
    """

    lower: Logarithms
    upper: Logarithms
    error: float
    largest: Enclosure

    @classmethod
    def infinite(cls) -> FloatCumulant:
        """Return the infinite psi of distributions with an outcome possible under P only."""
        nothing = np.array([]), np.array([])
        return cls(nothing, nothing, 0.0, Enclosure(math.inf, math.inf))

    def psi(self, order: float) -> Enclosure:
        """Return bounds on psi."""
        if self.largest.lower == math.inf:
            return Enclosure(math.inf, math.inf)
        low, slack = self._log_sum(self.lower, order)
        high, other_slack = self._log_sum(self.upper, order)
        return Enclosure(low - slack, high + other_slack)

    def _log_sum(self, atoms: Logarithms, order: float) -> tuple[float, float]:
        """Return ln sum p^a q^(1 - a) and a bound on its error."""
        p, q = atoms
        exponents = p + (order - 1) * (p - q)
        top = float(exponents.max())
        total = float(np.exp(exponents - top).sum())
        spread = order * float(np.abs(p).max()) + (order - 1) * float(np.abs(q).max())
        # Each exponent has the errors of two logarithms and of four operations, and exp has one
        # more. The sum adds at most one rounding per term. The absolute errors of the logarithms
        # change an exponent by at most 2 a - 1 times the error.
        slack = (FUNCTION_ERROR + 4 * ROUNDING) * (spread + abs(top) + 2) * 2
        slack += (2 * order - 1) * 2 * self.error + 2 * len(p) * ROUNDING
        return top + math.log(total), slack

    def relative_entropy(self) -> Enclosure:
        """Return bounds on D_1, from the orders near 1."""
        if self.largest.lower == math.inf:
            return Enclosure(math.inf, math.inf)
        p, q = self.lower
        masses, sizes = np.exp(p), np.abs(p) + np.abs(q) + 2
        total = math.fsum(masses * (p - q))
        slack = 2 * (FUNCTION_ERROR + self.error) * math.fsum(masses * sizes)
        # The relative error of exp is at most the error of p, and exp may underflow.
        slack += 2 * FUNCTION_ERROR * math.fsum(masses * sizes**2) + 2.0**-1000 * math.fsum(sizes)
        least = max(0.0, total - slack)
        if self.upper is self.lower:
            # No outcomes were merged.
            return Enclosure(least, max(0.0, total + slack))
        order = 1 + 2.0**-12
        return Enclosure(least, max(0.0, float_above(self.psi(order).upper / (order - 1))))

    def largest_loss(self) -> Enclosure:
        """Return bounds on D_infinity, the largest privacy loss."""
        return self.largest


def grouped_cumulant(log_p: Floats, log_q: Floats, error: float, largest: Enclosure) -> Cumulant:
    """Return psi of outcomes whose losses do not increase, in groups of similar losses.

    Merging outcomes is post-processing, so the merged distributions give lower bounds. For an upper
    bound, each group is replaced by two outcomes with the least and the greatest ratio of the group
    and with the same masses, because r^a is at most its chord between these ratios [Doroshenko et
    al. 2022, which names this bound "connect the dots"]. All masses are logarithms, so that no
    number underflows or overflows.

    Parameters
    ----------
    log_p, log_q : array
        Logarithms of the positive probabilities, in decreasing order of their differences, up to
        rounding errors.
    error : float
        Absolute error of the logarithms, in addition to the relative error `FUNCTION_ERROR`.
    largest : Enclosure
        Bounds on D_infinity, which is finite.
    """
    if len(log_p) <= GROUPS:
        atoms = log_p, log_q
        return FloatCumulant(atoms, atoms, error, largest)
    losses = log_p - log_q
    top, bottom = float(losses[0]), float(losses[-1])
    width = max((top - bottom) / GROUPS, 2.0**-40)
    group = np.floor((top - losses) / width)
    starts = np.flatnonzero(np.concatenate(([True], group[1:] != group[:-1])))
    starts = np.union1d(starts, np.arange(0, len(losses), LONGEST))
    masses, others = _log_sums(log_p, starts), _log_sums(log_q, starts)
    high, low = np.maximum.reduceat(losses, starts), np.minimum.reduceat(losses, starts)
    # Absolute errors of the logarithms of the masses, of the ratios of the ends, and of the losses.
    lowest = float(np.abs(log_p).max() + np.abs(log_q).max())
    rounding = 2 * LONGEST * ROUNDING + 4 * FUNCTION_ERROR * (lowest + 1)
    spread = -np.expm1(low - high)
    with np.errstate(divide="ignore", invalid="ignore"):
        # The share of Q at the greatest ratio, for which the mean ratio of the group is kept.
        share = np.expm1(np.minimum(0.0, masses - others - high)) / spread + 1
        share = np.where(spread > 0, share + 8 * rounding / spread, 1.0)
        share = np.clip(share, 0.0, 1.0)
        at_high, at_low = others + np.log(share), others + np.log1p(-share)
    upper_q = np.concatenate((at_high, at_low))
    upper_p = np.concatenate((at_high + high, at_low + low))
    kept = np.isfinite(upper_q)
    return FloatCumulant(
        (masses, others), (upper_p[kept], upper_q[kept]), error + rounding, largest
    )


def _log_sums(values: Floats, starts: NDArray[np.intp]) -> Floats:
    """Return the logarithms of the sums of exponentials of groups."""
    peaks = np.maximum.reduceat(values, starts)
    lengths = np.diff(np.append(starts, len(values)))
    sums: Floats = np.add.reduceat(np.exp(values - np.repeat(peaks, lengths)), starts)
    return peaks + np.log(sums)


# ---- Renyi divergences and zCDP


def renyi_divergence(cumulant: Cumulant, order: float) -> Enclosure:
    """Return bounds on the Renyi divergence of an order from 1 to infinity."""
    if order == 1:
        return cumulant.relative_entropy()
    if math.isinf(order):
        return cumulant.largest_loss()
    at = min(order, LARGEST_ORDER)
    found, beyond = cumulant.psi(at), Fraction(at) - 1
    lower, upper = (
        each if math.isinf(each) else bound(max(Fraction(0), Fraction(each)) / beyond)
        for each, bound in zip(found, (float_below, float_above), strict=True)
    )
    # D_a is at most D_infinity.
    most = cumulant.largest_loss().upper
    return Enclosure(lower, most if at < order else min(upper, most))


@dataclass(frozen=True)
class ZCDPBound:
    """Bounds on the least rho for which two distributions P and Q satisfy rho-zCDP.

    Attributes
    ----------
    rho : Enclosure
        Bounds on the least rho.
    order : float
        Order of the Renyi divergence that attains the lower bound. The order 1 stands for orders
        close to 1.
    direction : int
        0 if the divergence of P from Q attains the lower bound, 1 for the reverse.
    """

    rho: Enclosure
    order: float
    direction: int


@dataclass(order=True)
class _Piece:
    """An interval of orders, with psi at both ends. The largest upper bound is the least piece."""

    key: float
    side: int
    low: float
    high: float
    psi_low: float
    psi_high: float


@dataclass
class _Supremum:
    """The search for sup psi(a)/(a (a - 1)) over both directions."""

    cumulants: Sequence[Cumulant]
    best: float = 0.0
    order: float = 2.0
    side: int = 0
    evaluations: int = 0

    def psi(self, side: int, order: float) -> float:
        """Return an upper bound on psi, and improve the lower bound on the supremum."""
        self.evaluations += 1
        found = self.cumulants[side].psi(order)
        if found.lower > 0:
            a = Fraction(order)
            bound = math.inf
            if found.lower < math.inf:
                bound = float_below(Fraction(found.lower) / (a * (a - 1)))
            if bound > self.best:
                self.best, self.order, self.side = bound, order, side
        return max(0.0, found.upper)

    def piece(self, side: int, low: float, high: float, psi_low: float, psi_high: float) -> _Piece:
        """Return an interval with its upper bound."""
        if low == 1:
            bound = float_above(Fraction(psi_high) / (Fraction(high) - 1))
        else:
            bound = _chord_bound(low, high, psi_low, psi_high)
        return _Piece(-bound, side, low, high, psi_low, psi_high)


def least_zcdp(
    cumulants: Sequence[Cumulant], *, tolerance: float = 1e-6, most_evaluations: int = 500
) -> ZCDPBound:
    """Return bounds on the least rho such that D_a <= rho a for all orders and directions.

    Parameters
    ----------
    cumulants : sequence of Cumulant
        The functions psi of both directions.
    tolerance : float
        Relative difference of the bounds at which the search ends.
    most_evaluations : int
        Number of values of psi after which the search ends.
    """
    search = _Supremum(cumulants)
    largest = [each.largest_loss() for each in cumulants]
    for side, most in enumerate(largest):
        if most.lower == math.inf:
            return ZCDPBound(Enclosure(math.inf, math.inf), 2.0, side)
    for side, each in enumerate(cumulants):
        # D_a decreases to D_1 as a decreases to 1.
        if (entropy := each.relative_entropy().lower) > search.best:
            search.best, search.order, search.side = entropy, 1.0, side
    grid = [1 + 2.0**k for k in range(-6, 7)]
    values = [[search.psi(side, order) for order in grid] for side in range(len(cumulants))]
    finite = [most.upper for most in largest]
    if math.inf in finite:
        return ZCDPBound(Enclosure(search.best, math.inf), search.order, search.side)
    pieces, beyond = [], 0.0
    for side, loss in enumerate(finite):
        ends, psis = [1.0, *grid], [0.0, *values[side]]
        last = 2.0 ** math.ceil(
            math.log2(max(128.0, min(LARGEST_ORDER, 2 * loss / (search.best or 1))))
        )
        while ends[-1] < last:
            ends.append(ends[-1] * 2)
            psis.append(search.psi(side, ends[-1]))
        pieces += [
            search.piece(side, *each) for each in zip(ends, ends[1:], psis, psis[1:], strict=False)
        ]
        beyond = max(beyond, float_above(Fraction(loss) / Fraction(ends[-1])))
    heapq.heapify(pieces)
    while search.evaluations < most_evaluations:
        top = pieces[0]
        if -top.key <= max(search.best * (1 + tolerance), beyond):
            break
        middle = 1 + (top.high - 1) / 4 if top.low == 1 else (top.low + top.high) / 2
        if not top.low < middle < top.high:
            break
        heapq.heappop(pieces)
        psi = search.psi(top.side, middle)
        for low, high, psi_low, psi_high in (
            (top.low, middle, top.psi_low, psi),
            (middle, top.high, psi, top.psi_high),
        ):
            heapq.heappush(pieces, search.piece(top.side, low, high, psi_low, psi_high))
    # Pure epsilon implies epsilon^2/2 [Bun, Steinke 2016, Proposition 1.4], and D_a <= D_infinity.
    pure = max(finite)
    upper = min(max(-pieces[0].key, beyond), pure, float_above(Fraction(pure) ** 2 / 2))
    return ZCDPBound(Enclosure(search.best, upper), search.order, search.side)


def _chord_bound(low: float, high: float, psi_low: float, psi_high: float) -> float:
    """Return a U with chord(x) <= U x (x - 1) for all x in [low, high], where low > 1."""
    if psi_high == math.inf:
        return math.inf
    a, b = Fraction(low), Fraction(high)
    slope = (Fraction(psi_high) - Fraction(psi_low)) / (b - a)
    start = Fraction(psi_low) - slope * a
    candidates = [psi_low / (low * (low - 1)), psi_high / (high * (high - 1))]
    if slope > 0:
        # (A + B x)/(x (x - 1)) has its critical points where B x^2 + 2 A x - A = 0.
        ratio = float(start / slope)
        root = math.sqrt(max(0.0, ratio * ratio + ratio))
        for x in (-ratio + root, -ratio - root):
            if low < x < high:
                candidates.append(float(start + slope * Fraction(x)) / (x * (x - 1)))
    bound = max(candidates)
    margin = 2.0**-48
    while not _is_above(Fraction(bound), slope, start, a, b):
        bound = bound * (1 + margin) + 5e-324
        margin *= 2
    return bound


def _is_above(
    bound: Fraction, slope: Fraction, start: Fraction, low: Fraction, high: Fraction
) -> bool:
    """Return whether U x^2 - (U + B) x - A >= 0 for all x in [low, high]."""

    def excess(x: Fraction) -> Fraction:
        return bound * x * x - (bound + slope) * x - start

    if excess(low) < 0 or excess(high) < 0:
        return False
    if bound <= 0:
        return True  # The function is concave or linear.
    lowest = (bound + slope) / (2 * bound)
    return not low < lowest < high or excess(lowest) >= 0
