"""Discrete Gaussian noise: its delta at an epsilon, and the least noise for (epsilon, delta).

Independent discrete Gaussian noise of parameter s (z in proportion to exp(-z^2/(2 s))) is added to
integers. One changed item shifts the integers by a vector v. With T = sum v_i X_i and D = sum
v_i^2, the loss is (D + 2 T)/(2 s), so

    delta(epsilon) = P[T > epsilon s - D/2] - e^epsilon P[T > epsilon s + D/2].            (1)

For one integer, (1) is Theorem 7 of Canonne, Kamath, Steinke 2020. The noise is symmetric, so both
orders of the two worlds have the same delta.

**m changes by 1** (`summed_delta`). More changed integers have a larger delta, because the output
may omit one of them. So let v have m entries +-1. Let c(t) be the sum of exp(-abs(y)^2/(2 s)) over
the vectors y of sum 0 for which y + (t/m, ..., t/m) is an integer vector. Let q = exp(-2 pi^2 s).
Then P[T = t] is proportional to c(t) exp(-t^2/(2 s m)). Poisson summation over the dual lattice A*
(the projection of Z^m along (1, ..., 1)) gives

    (2 - H)/H <= c(t)/c(0) <= 1,   H = sum over A* of q^(abs(y)^2).

Let R be the reciprocal of the mean of c(t)/c(0). Then (1) is at most R times the delta of one
integer with the parameter s m and the change m. Also H = sqrt(2 pi s m) times the integral over w
from -1/2 to 1/2 of (sum over k of q^((k - w)^2))^m. This yields the upper bound of `_dual_sum` on H
and on R.

**All changes** (`normal_parameter`). Draw a normal x of variance s - r, and then the integer k with
probability proportional to exp(-(k - x)^2/(2 r)). Let a = 2 sum_(j >= 1) exp(-2 pi^2 r j^2). By
Poisson summation, the probability of k is the normal density of variance s at k, up to a factor
between 1/(1 + a) and 1/(1 - a). The map commutes with integer shifts. So discrete Gaussian noise
is, except with a probability eta of about a for each changed integer, an image of normal noise of
variance s - r. Hence it is mu-GDP up to the probability eta, with mu^2 = D/(s - r), for all v of
this length. For m changes by 1, the map is applied to T only, which has the parameter s m
and changes by m. So mu^2 = m/(s - r/m).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from flint import arb, ctx

from learners.accounting.conversions import zcdp_rho
from learners.accounting.gaussians import BITS, WIDEST, gaussian_mu_squared
from learners.balls import at_most, ball
from learners.number_arguments import PRECISION, log_in_floats

SPARE = Fraction(1, 1000)
"""Part of delta that pays for the distance between discrete Gaussian and rounded normal noise."""

LARGEST_SUM = 10**5
"""Largest parameter s m of a sum of noises whose probabilities are added one by one."""

SEGMENTS = 64
"""Number of segments of the upper sum in `_dual_sum`."""


def _theta(parameter: arb) -> arb:
    """Return the sum of exp(-k^2/(2 s)) over all integers k, divided by sqrt(2 pi s)."""
    return 1 + 2 * _powers((-2 * arb.pi() ** 2 * parameter).exp())


def _powers(q: arb) -> arb:
    """Return q + q^4 + q^9 + ..., for q < 1."""
    total, k = arb(0), 1
    while True:
        term = q ** (k * k)
        if (k > 1 and term < arb(2) ** (-2 * PRECISION)) or k > 64:
            # Each term is at most q^3 times the term before it.
            return total + arb(0).union(term / (1 - q))
        total, k = total + term, k + 1


def _tail(parameter: arb, least: int) -> arb:
    """Return the sum of exp(-t^2/(2 s)) over all integers t >= least."""
    if least < 0:
        return _theta(parameter) * (2 * arb.pi() * parameter).sqrt() - _tail(parameter, 1 - least)
    decay = (-1 / parameter).exp()
    weight = (-(arb(least) ** 2) / (2 * parameter)).exp()
    ratio = (-arb(2 * least + 1) / (2 * parameter)).exp()
    total, negligible = arb(0), arb(2) ** -PRECISION
    while True:
        total = total + weight
        weight = weight * ratio
        if weight < negligible * total:
            # The ratios of neighbouring terms decrease.
            return total + arb(0).union(weight / (1 - ratio))
        ratio = ratio * decay


def _dual_sum(parameter: Fraction, changes: int) -> arb:
    """Return an upper bound of H of the module's docstring, as a ball.

    The integrand of H is q^(m w^2) (1 + g(w))^m, where g(w) = sum over k != 0 of q^(k^2 - 2 k w).
    The integral of the first factor over all w is 1/sqrt(2 pi s m). An upper sum bounds the rest:
    each power of q is largest at one end of a segment of [0, 1/2].
    """
    if changes == 1:
        return arb(1)
    s, rest, end = ball(parameter), arb(0), Fraction(1, 2 * SEGMENTS)
    rate = -2 * arb.pi() ** 2 * s
    # For abs(k) >= 2 and w <= 1/2, k^2 - 2 abs(k) w is at least k^2 - abs(k) >= 2 abs(k) - 2.
    others = 2 * (2 * rate).exp() / (1 - (2 * rate).exp())
    for i in range(SEGMENTS):
        low, high = ball(i * end), ball((i + 1) * end)
        g = (rate * (1 - 2 * high)).exp() + (rate * (1 + 2 * low)).exp() + others
        grown = (changes * g.log1p()).expm1()
        rest += (rate * changes * low * low).exp() * grown * ball(end)
    return 1 + 2 * rest * (2 * arb.pi() * s * changes).sqrt()


def summed_delta(parameter: Fraction, changes: int, epsilon: Fraction) -> arb:
    """Return an upper bound of the delta of m integers that change by 1, as a ball.

    For m = 1, the result is the exact delta.

    Parameters
    ----------
    parameter : Fraction
        Parameter s of the noise.
    changes : int
        Number m of integers that one item changes by 1.
    epsilon : Fraction
        Epsilon at which delta is computed.

    Examples
    --------
    >>> print(summed_delta(Fraction(18), 1, Fraction(1)).str(4, radius=False))
    9.565e-7
    """
    with ctx.workprec(2 * PRECISION):
        summed = ball(parameter * changes)
        least = math.floor(epsilon * parameter - Fraction(changes, 2)) + 1
        excess = _tail(summed, least) - ball(epsilon).exp() * _tail(summed, least + changes)
        mean = _theta(summed)
        ratio = mean * _dual_sum(parameter, changes)
        if changes == 1:
            ratio = arb(1)
        return ratio * excess / (mean * (2 * arb.pi() * summed).sqrt())


def vector_delta(parameter: Fraction, change: int, epsilon: Fraction) -> arb:
    """Return the delta of one integer that changes by a given number, as a ball.

    This is Theorem 7 of Canonne, Kamath, Steinke 2020.
    """
    with ctx.workprec(2 * PRECISION):
        s = ball(parameter)
        least = math.floor(epsilon * parameter / change - Fraction(change, 2)) + 1
        excess = _tail(s, least) - ball(epsilon).exp() * _tail(s, least + change)
        return excess / (_theta(s) * (2 * arb.pi() * s).sqrt())


def _rough_delta(parameter: float, changes: int, epsilon: float) -> float:
    """Return the logarithm of `summed_delta` without its factor R, in floating point."""
    summed = parameter * changes
    least = math.floor(epsilon * parameter - changes / 2) + 1
    reach = max(0, least) + int(40 * math.sqrt(summed)) + 2
    t = np.arange(least, reach, dtype=np.float64)
    weights = -(t**2) / (2 * summed)
    peak = float(weights.max())
    excess = -np.expm1(np.minimum(epsilon - (changes + 2 * t) / (2 * parameter), 0.0))
    total = float((np.exp(weights - peak) * excess).sum())
    return math.log(total) + peak - math.log(2 * math.pi * summed) / 2 if total else -math.inf


def _rounded(value: Fraction) -> Fraction:
    """Return the value rounded up to `BITS` significant bits."""
    shift = value.numerator.bit_length() - value.denominator.bit_length() - BITS
    unit = Fraction(2) ** shift
    return math.ceil(value / unit) * unit


def _distance(parameter: Fraction, rounding: Fraction) -> arb:
    """Return a bound on the eta of one integer, for normal noise that is rounded with r."""
    lost = 2 * _powers((-2 * arb.pi() ** 2 * ball(rounding)).exp())
    return 1 - (1 - lost) / _theta(ball(parameter))


@lru_cache(maxsize=256)
def normal_parameter(
    budget: Fraction, failure: Fraction, squares: int, integers: int, unit: bool
) -> Fraction:
    """Return the parameter s of discrete Gaussian noise that is mu-GDP except with a probability.

    Parameters
    ----------
    budget : Fraction
        Square of mu.
    failure : Fraction
        Largest probability eta.
    squares : int
        Largest sum of squares of the changes that one item causes.
    integers : int
        Largest number of integers that one item changes.
    unit : bool
        Whether each integer changes by at most 1.
    """
    # Twice the number of integers times 2 exp(-2 pi^2 r) is at most the probability.
    rounding = Fraction(log_in_floats(4 * integers / failure) / (2 * math.pi**2) + 0.01)
    rounding = _rounded(max(rounding, Fraction(1, 2)))
    digits = max(0, int(-log_in_floats(failure) / math.log(2)))
    with ctx.workprec(2 * PRECISION + digits):
        if unit:
            s = _rounded(squares / budget + rounding / squares)
            dual = _dual_sum(s, squares)
            left = (2 - dual) / dual * (1 - _distance(s * squares, rounding))
            if at_most(1 - left, failure):
                return s
        s = _rounded(squares / budget + rounding)
        left = (1 - _distance(s, rounding)) ** integers
        if not at_most(1 - left, failure):
            raise ArithmeticError(f"The rounding {rounding} is too small for {failure}.")
        return s


@dataclass(frozen=True)
class GaussianBudget:
    """A Gaussian budget that implies (epsilon, delta)-DP: mu^2, and a probability of failure."""

    epsilon: Fraction
    delta: Fraction

    @property
    def failure(self) -> Fraction:
        """Part of delta for the distance of discrete Gaussian noise from rounded normal noise."""
        return self.delta * SPARE

    @property
    def mu_squared(self) -> Fraction:
        """Largest mu^2 whose delta at `epsilon` is at most `delta` minus `failure`."""
        return gaussian_mu_squared(self.epsilon, self.delta - self.failure)


@lru_cache(maxsize=256)
def least_parameter(
    epsilon: Fraction, delta: Fraction, squares: int, integers: int, unit: bool
) -> Fraction:
    """Return the parameter s of the least discrete Gaussian noise for one (epsilon, delta) release.

    Three bounds allow a parameter, and the result is the least of them. The bounds are zCDP,
    rounded normal noise, and for changes by 1 the sum of the probabilities. Balls prove each bound.

    Parameters
    ----------
    epsilon, delta : Fraction
        Epsilon and delta of the release, both positive.
    squares : int
        Largest sum of squares of the changes that one item causes.
    integers : int
        Largest number of integers that one item changes.
    unit : bool
        Whether each integer changes by at most 1.

    Examples
    --------
    >>> delta = Fraction(1, 10**6)
    >>> s = least_parameter(Fraction(1), delta, 1, 1, True)
    >>> round(float(s), 3), round(1 / (2 * float(zcdp_rho(Fraction(1), delta))), 3)
    (17.899, 20.529)
    """
    best = squares / (2 * zcdp_rho(epsilon, delta))
    if not 1 / WIDEST < delta < 1 - 1 / WIDEST or not 1 / WIDEST < best < WIDEST:
        return best
    budget = GaussianBudget(epsilon, delta)
    normal = normal_parameter(budget.mu_squared, budget.failure, squares, integers, unit)
    best = min(best, normal)
    # An integer vector whose squares add up to at most 3 has entries of at most 1.
    if (unit or squares <= 3) and best * squares <= LARGEST_SUM and best > Fraction(1, 100):
        best = min(best, _summed_parameter(epsilon, delta, squares, best))
    return best


def _summed_parameter(epsilon: Fraction, delta: Fraction, changes: int, best: Fraction) -> Fraction:
    """Return a parameter for which `summed_delta` proves delta, or `best` if it finds none."""
    target, high = log_in_floats(delta), float(best)
    low = high / 4
    for _ in range(40):
        middle = (low + high) / 2
        if _rough_delta(middle, changes, float(epsilon)) <= target:
            high = middle
        else:
            low = middle
    # Floating point finds a candidate, and balls decide. The factor R needs a little more noise.
    for excess in (Fraction(0), *(Fraction(1, 2**k) for k in range(30, 3, -2))):
        candidate = _rounded(Fraction(high) * (1 + excess))
        if candidate >= best:
            return best
        if at_most(summed_delta(candidate, changes, epsilon), delta):
            return candidate
    return best
