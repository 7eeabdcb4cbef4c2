r"""Optimal compositions of mechanisms of bounded range, such as the exponential mechanism.

Let V_k(u) be the largest value of E[max(0, 1 - u e^-L)] over all compositions of k mechanisms,
where L is the total loss. It is delta at epsilon = ln u.

**One step.** Let the loss take values in an interval [t - eta, t], where 0 <= t <= eta, and let F
be convex. Then E[F(e^-L)] is at most the value for the two losses t and t - eta with the
probabilities p = (e^eta - e^t)/(e^eta - 1) and 1 - p. *Proof.* E[e^-L] = 1, since e^-L is the
ratio of the two densities. Replace F by its chord between e^-t and e^(eta - t). QED

**Adaptive composition** (`adaptive`). The mechanism and its interval may depend on earlier
releases [DDR20]. Hence, by induction,

    V_k(u) = max over t of p V_(k-1)(u e^-t) + (1 - p) V_(k-1)(u e^(eta - t)).              (1)

V_k is convex in u. So a chord between two points of a grid is an upper bound of V_k, also if the
values at these points are only upper bounds. On each segment of the grid, the maximum over t of (1)
with chords has a closed form, as the value is a + b w + c/w for w = e^-t. An exchange of the two
worlds gives V_k(1/u) = 1 - 1/u + V_k(u)/u, so the grid has only ln u >= 0.

The order of pure mechanisms and choices matters (Cesar, Rogers 2021). The worst case of pure
mechanisms is randomized response (Kairouz, Oh, Viswanath 2015). In the worst order, pure mechanisms
come before all choices. If a choice and the next pure mechanism are exchanged, then the choice has
more information.

**Composition that is fixed in advance** (`fixed_in_advance`). The numbers t_1, ..., t_k are fixed.
Let B count the losses t_i - eta, and let epsilon >= 0. Delta is the maximum over l of

    F_l = P[B <= l] - e^epsilon Q[B <= l],

because the losses with a positive excess are the losses with the smallest B. For equal ranges, the
worst numbers are equal [DDR20]. *Proof.* Consider a maximum over t_1, ..., t_k with delta > 0.
(a) If t_i is 0 or eta, then the loss of choice i is 0, and t_i = 0 without loss of generality. Let
b be the loss of the other choices with B = l. Then dF_l/dt_i has the sign of epsilon + eta - b. Let
l be the largest number with b >= epsilon. Then the sign is positive, since the next loss b - eta is
less than epsilon. So t_i = 0 is not at a maximum. (b) Fix the product of x = e^t_i and y = e^t_j.
P[B <= l] is linear in x and in y, and Q[B <= l] is linear in 1/x and in 1/y. Both numbers are
symmetric in x and y, so F_l is linear in x + y. Its maximum is at x = y, or where one of them is at
an end, or everywhere. By (a), no maximum is at an end, so x = y. QED

For equal numbers t, dF_l/dt is a positive multiple of e^(epsilon + (l + 1) eta - (k + 1) t) - 1. So
the maximum of F_l is at t = (epsilon + (l + 1) eta)/(k + 1), or at an end of [0, eta].

Adaptive composition has a larger delta (Dong, Durfee, Rogers 2020), so `fixed_in_advance` is not
valid for it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

from learners.balls import at_most, ball
from learners.number_arguments import OVERFLOW, PRECISION

Floats = NDArray[np.float64]

SAFETY = 2.0**-44
"""Relative amount by which each computed value is increased, so that rounding errors cannot make it
too small. A step has fewer than 100 operations, of relative error 2^-53 each, on sums of positive
terms."""

SEGMENTS = (128, 96, 64, 48, 32, 24, 16, 12, 8)
"""Candidates for the number of grid steps per range of a choice. More steps give a smaller
total."""

WORK = 4 * 10**6
"""Largest product of grid points, grid steps per range and releases. This product takes about 0.3
seconds. On the coarsest grid, four times `WORK` and four times `STEP` are allowed."""

STEP = 10**5
"""Largest product of grid points and grid steps per range, about a millisecond per release."""

OVERHEAD = 2000
"""Fixed time of one release on any grid, in the unit of `STEP`."""

LONGEST = 1 << 15
"""Largest number of points of a grid of ln u."""

LEAST = 1e-200
"""Smallest delta that the grids in floating point may have."""

MOST_FIXED = 300
"""Largest number of choices fixed in advance whose optimum is computed."""


@lru_cache(maxsize=64)
def _odds(segments: int, step: float) -> tuple[Floats, Floats, float]:
    """Return the weights of the two values for a loss of 0, 1, ... segments, and e^range - 1."""
    c, all_odds = np.arange(segments + 1)[:, None], math.expm1(segments * step)
    likely = np.exp(c * step) * np.expm1((segments - c) * step) / all_odds
    return likely, np.expm1(c * step) / all_odds, all_odds


@lru_cache(maxsize=64)
def _mirrored(points: int, step: float) -> tuple[Floats, Floats]:
    """Return 1 - 1/u and 1/u at ln u = points steps, ..., 2 steps, 1 step."""
    x = np.arange(points, 0, -1) * step
    return -np.expm1(-x), np.exp(-x)


@lru_cache(maxsize=64)
def _growths(segments: int, step: float) -> Floats:
    """Return e^(c step) for c = 0, 1, ... segments - 1."""
    grown: Floats = np.exp(np.arange(segments) * step)
    return grown


@dataclass(frozen=True)
class Values:
    """Upper bounds of V(u), the delta of a composition at epsilon = ln u, on a grid of ln u.

    The step of the grid is h.
    """

    step: float
    values: Floats

    def extended(self, below: int, above: int) -> Floats:
        """Return the values on a grid with `below` and `above` further points at its ends.

        V decreases, so the last value bounds V beyond the grid.
        """
        last = self.values[-1]
        held = self.values[below:0:-1]
        if len(held) < below:
            held = np.concatenate([np.full(below - len(held), last), held])
        rest, share = _mirrored(below, self.step)
        left = (rest + share * held) * (1 + SAFETY)
        return np.concatenate([left, self.values, np.full(above, last)])

    def shifted(self, loss: Fraction) -> Floats:
        """Return upper bounds of V at the points ln u - loss, by chords."""
        whole = loss / Fraction(self.step)
        down = math.ceil(whole)
        # The point lies between the grid's points number -down and 1 - down from its place.
        share = math.expm1(float(down - whole) * self.step) / math.expm1(self.step)
        share *= 1 - SAFETY
        size = len(self.values)
        around = self.extended(max(down, 0), max(1 - down, 0) + 1)
        start = max(down, 0) - down
        left, right = around[start : start + size], around[start + 1 : start + 1 + size]
        return left + share * (right - left)

    def after_response(self, losses: Iterable[tuple[Fraction, float]], rest: float) -> Values:
        """Return the bounds on V before one more randomized response with the given losses."""
        total = np.full(len(self.values), rest)
        for loss, probability in losses:
            total += probability * self.shifted(loss)
            total *= 1 + SAFETY
        return Values(self.step, total)

    def after_choice(self, segments: int) -> Values:
        """Return the bounds before a choice whose range is `segments` steps of the grid."""
        m, size, h = segments, len(self.values), self.step
        around, z0 = self.extended(m, m), -math.expm1(-h)
        likely, unlikely, all_odds = _odds(m, h)
        # Row c has the values at ln u - c steps, and at ln u + (m - c) steps. Segment c has t from
        # c to c + 1 steps.
        views: Floats = np.ndarray((2 * m + 1, size), buffer=around, strides=(8, 8))[::-1]
        ends = likely * views[m:]
        ends += unlikely * views[: m + 1]
        best = ends.max(0)
        # Let z = 1 - e^-(t - c h). The chord at u e^-t is less[c] - z/z0 (less[c] - less[c + 1]).
        # The value is a + b w + e/w for w = 1 - z, with b = `growth` and e = -`factor constant`.
        # Rows are shifts of one array, and so are `growth` and `constant`. Entry `place` belongs to
        # the values of row c at ln u plus `place` + c - m + 1 steps.
        steps = (around[1:] - around[:-1]) / z0
        rise, slope = steps[m:], steps[:-m] - steps[m:]
        constant = around[1 : size + m] - around[m + 1 :] - slope
        growth = rise + (1 + 1 / all_odds) * slope
        (place,) = np.nonzero((growth < 0) & (constant > 0))
        # Elsewhere, and if w is outside of its range from e^-h to 1, the maximum is at an end of
        # the segment, which is in `best`. The factor grows by e^h from row to row, so w is inside
        # for at most two rows. At an end of this range, a rounded row hardly changes the maximum.
        square = -constant[place] / growth[place]
        with np.errstate(divide="ignore"):
            first = np.ceil(-2 - np.log(square / all_odds) / h)
        row = np.concatenate([first, first + 1])
        place, square = np.concatenate([place, place]), np.concatenate([square, square])
        column = place + row - m + 1
        inside = (row >= 0) & (row < m) & (column >= 0) & (column < size)
        row, column, square = row[inside].astype(int), column[inside].astype(int), square[inside]
        # A rounded z is also a valid place, and it changes the maximum in second order only.
        z = 1 - np.sqrt(_growths(m, h)[row] / all_odds * square)
        np.minimum(np.maximum(z, 0, out=z), z0, out=z)
        beyond = -np.log1p(-z)
        t, left = row * h + beyond, np.maximum((m - row) * h - beyond, 0)
        less, more = around[column + m - row], around[column + 2 * m - row]
        less -= z / z0 * (less - around[column + m - row - 1])
        more -= z / z0 * (more - around[column + 2 * m - row - 1])
        value = np.exp(t) * np.expm1(left) / all_odds * less + np.expm1(t) / all_odds * more
        np.maximum.at(best, column, value)
        # More choices never make V smaller.
        return Values(h, np.maximum(best * (1 + SAFETY), self.values))

    def epsilon(self, delta: float) -> float | None:
        """Return an epsilon at which the chords are at most delta, or None beyond the grid."""
        enough = self.values <= delta
        if not enough.any():
            return None
        i = int(enough.argmax())
        if not i:
            return 0.0
        above, below = float(self.values[i - 1]), float(self.values[i])
        share = (above - delta) / (above - below)
        inside = (i - 1) * self.step + math.log1p(share * math.expm1(self.step))
        return min(inside, i * self.step) * (1 + SAFETY)


def segments_of(eta: Fraction, count: int, reach: float) -> int | None:
    """Return the number of grid steps per range for a grid up to `reach`, or None if too large."""
    for segments in SEGMENTS:
        points = reach * segments / float(eta)
        patience = 4 if segments == SEGMENTS[-1] else 1
        each = points * segments
        if max(points / LONGEST, each / (STEP * patience)) > 1:
            continue
        if (each + OVERHEAD) * count <= WORK * patience:
            return segments
    return None


@lru_cache(maxsize=64)
def after_choices(eta: Fraction, count: int, segments: int, points: int) -> Values:
    """Return upper bounds on V_k(u), the delta of k adaptive choices at epsilon = ln u.

    Parameters
    ----------
    eta : Fraction
        Range of each choice.
    count : int
        Number k of choices.
    segments : int
        Number of steps of the grid per range.
    points : int
        Number of points of the grid.

    Examples
    --------
    >>> values = after_choices(Fraction(1, 10), 100, 16, 1024)
    >>> round(values.epsilon(1e-6), 2)
    2.25
    """
    # A step that is rounded up makes the range larger, which is safe.
    found = Values(float(eta / segments) * (1 + SAFETY), np.zeros(points))
    for _ in range(count):
        found = found.after_choice(segments)
    return found


# ---- compositions fixed in advance


def _chances(eta: Fraction, count: int, epsilon: Fraction, losses: int) -> tuple[arb, arb]:
    """Return 1 - p and 1 - q for the maximum of F_l."""
    t = min(max((epsilon + (losses + 1) * eta) / (count + 1), Fraction(0)), eta)
    whole = ball(eta).expm1()
    return ball(t).expm1() / whole, 1 - ball(eta - t).expm1() / whole


def _at_most(successes: int, chance: arb, count: int) -> arb:
    """Return P[B <= l], where B counts successes of this probability, less than 1."""
    log_ways = arb(count + 1).lgamma() - arb(successes + 1).lgamma()
    log_ways -= arb(count - successes + 1).lgamma()
    term = log_ways.exp() * chance**successes * (1 - chance) ** (count - successes)
    total, negligible = arb(0), arb(2) ** -PRECISION
    if not chance > 0:
        return arb(1)
    odds = (1 - chance) / chance
    for i in range(successes, -1, -1):
        total += term
        ratio = odds * i / (count - i + 1)
        term *= ratio
        if ratio < 1 and term < negligible * total:
            # The ratios decrease with i.
            return total + arb(0).union(term / (1 - ratio))
    return total


def fixed_delta(eta: Fraction, count: int, epsilon: Fraction) -> arb:
    """Return delta of choices of one range that are fixed in advance, as a ball.

    Parameters
    ----------
    eta : Fraction
        Range of each choice.
    count : int
        Number of choices.
    epsilon : Fraction
        Epsilon at which delta is computed.

    Examples
    --------
    >>> print(fixed_delta(Fraction(1), 1, Fraction(1, 2)).str(6, radius=False))
    0.0774047
    """
    largest = arb(0)
    with ctx.workprec(2 * PRECISION):
        grown = ball(epsilon).exp()
        for losses in range(count):
            near, far = _chances(eta, count, epsilon, losses)
            if not near < 1:
                continue  # t = eta, so the loss is 0 and the two worlds are equal
            excess = _at_most(losses, near, count) - grown * _at_most(losses, far, count)
            largest = largest.max(excess)
    return largest


def _rough_fixed_delta(eta: float, count: int, epsilon: float) -> float:
    """Return `fixed_delta` in floating point."""
    losses = np.arange(count)
    t = np.clip((epsilon + (losses + 1) * eta) / (count + 1), 0, eta * (1 - 1e-12))[:, None]
    near = np.maximum(np.expm1(t) / math.expm1(eta), 1e-300)
    far = np.minimum(near * np.exp(eta - t), 1 - 1e-16)
    ways = [
        math.lgamma(count + 1) - math.lgamma(i + 1) - math.lgamma(count - i + 1) for i in losses
    ]
    found = []
    for chance in (near, far):
        logs = np.array(ways) + losses * np.log(chance) + (count - losses) * np.log1p(-chance)
        found.append(np.tril(np.exp(logs)).sum(1))
    return float((found[0] - math.exp(epsilon) * found[1]).max())


@lru_cache(maxsize=256)
def fixed_in_advance(eta: Fraction, count: int, delta: Fraction) -> Fraction | None:
    """Return the optimal epsilon of choices that are fixed in advance, rounded up.

    The result is None if the number of choices is too large, or if the search in floating point
    does not find an epsilon that balls confirm.

    Parameters
    ----------
    eta, delta : Fraction
        Range of each choice, and delta of all choices together, both positive.
    count : int
        Number of choices.

    Examples
    --------
    >>> round(float(fixed_in_advance(Fraction(1, 10), 100, Fraction(1, 10**6))), 4)
    2.246
    """
    whole, target = eta * count, float(delta)
    if count > MOST_FIXED or whole > OVERFLOW / 2 or target < LEAST:
        return None
    low, high = 0.0, float(whole)
    for _ in range(60):
        middle = (low + high) / 2
        if _rough_fixed_delta(float(eta), count, middle) <= target:
            high = middle
        else:
            low = middle
    for excess in (12, 10, 8, 6):
        epsilon = Fraction(high) * (1 + Fraction(1, 10**excess))
        if at_most(fixed_delta(eta, count, epsilon), delta):
            return min(epsilon, whole)
    return None
