"""Gaussian differential privacy: exact conversions to (epsilon, delta), and back.

Consider two normal distributions of variance 1 whose means differ by mu. A release is mu-Gaussian
differentially private (mu-GDP) if one randomized map produces its output distributions on
neighbouring inputs from these two distributions (Dong, Roth, Su 2022).

**Composition.** Releases that are mu_i-GDP for every choice of the earlier releases are mu-GDP
together, for mu^2 = sum mu_i^2. *Proof.* Draw two normal values instead of the two releases. If
the second pair has a smaller difference m of means, then it is a randomized map of the pair with
difference mu_2: multiply by m/mu_2 and add noise. So the pair of the second release may depend on
the first release. The two normal values have means that differ by a vector of length mu. Rotate
this vector to the first axis. The other coordinate has the same distribution in both worlds. QED

**Conversion.** The loss between normal distributions is normal, so a mu-GDP release is
(epsilon, delta)-DP if and only if

    delta >= Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu)

(Balle, Wang 2018). The same release is zCDP with rho = mu^2/2. The epsilon of zCDP is larger,
because rho bounds the moments of the loss and not its distribution.

**Bounded losses in Brownian motion** (`embedded`). This bound is for any number of releases with
bounded losses and bounded ranges, in any order, each of which may depend on earlier releases. Let
W be a Brownian motion. The loss W_s + s/2 at a fixed time s is the loss of mu-GDP with mu^2 = s.
By the convexity of max(0, 1 - u e^-L) in e^-L, the worst loss of a step has two values, a >= 0 and
a - w, where w is the range (`learners.accounting.bounded_ranges`). For an e-DP release, a = e and
w = 2 e. The motion W_s + s/2 has these values, with their probabilities, when it leaves the
interval [a - w, a]. So the total loss is the value of the motion after a sum S of exit times. Let
T > 0. The process e^-(W_s + s/2) is a martingale. So its convex function max(0, 1 - u e^-(...)) is
a submartingale, and the event S <= T contributes at most the delta of mu-GDP with mu^2 = T.
The event S > T contributes at most its probability. For every number x > 1/8 with c w < pi, where
c = sqrt(2 x - 1/4), an exit time of the interval [-(w/2 + y), w/2 - y] has

    E[e^(x time)] = e^(-y/2) (cosh(w/4) cos(c y)/cos(c w/2) + sinh(w/4) sin(c y)/sin(c w/2)),

because e^(-z/2) cos(c z - const) e^(x s) is a martingale for the motion z. So
P[S > T] <= e^(-x T) times the product of the largest values over y. With c w < pi, the largest
value is where tan(c y - f) = -1/(2 c), for tan(f) = tanh(w/4) cot(c w/2). An e-DP release has y =
0 and w = 2 e, so its factor is cosh(e/2)/cos(c e).

**Few pure releases next to many choices** (`embedded`). The worst loss of an e-DP release is e with
probability p = 1/(1 + exp(-e)) and -e otherwise, independently of all other losses. So only the
choices need the motion. Let R be the sum of the independent losses of the pure releases. Draw them
before the motion starts. Given R, the intervals of the choices may depend on these draws, and the
motion is still a Brownian motion. So the bound above holds for the function max(0, 1 - u e^-R
e^-(...)). For u = e^epsilon, the sum of P[R = r] delta(epsilon - r) over r bounds the event S <= T,
where delta(.) is the delta of mu-GDP with mu^2 = T. The bound on P[S > T] has the factors of the
choices only. QED
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import AbstractContextManager
from fractions import Fraction
from functools import lru_cache

from flint import arb, ctx

from learners.accounting.compositions import _alternatives, _profile, _slack
from learners.accounting.conversions import zcdp_epsilon, zcdp_rho
from learners.accounting.events import Event
from learners.accounting.profiles import Profile, Runs
from learners.balls import at_most, ball, round_up
from learners.checked import DeltaOrZero, EpsilonOrZero, MuSquared
from learners.number_arguments import PRECISION, _shown, log_in_floats
from lsclasses.errors import InvalidInput
from lsclasses.options import check_arguments

BITS = 32
"""Significant bits of a calibrated parameter."""

NEWTON_STEPS = 12
"""Largest number of steps of Newton's method for an epsilon. Bisection follows if it fails."""

NEAR = Fraction(1, 2**36)
"""Relative distance of two bounds around an epsilon from Newton's method."""

WIDEST = Fraction(2) ** 4096
"""Numbers beyond this bound, or below its inverse, are too extreme for normal tails in balls."""


WIDEST_LOSS = 300
"""Largest bounded loss that is compared with Brownian motion."""


GOLDEN, GOLDEN_STEPS = (math.sqrt(5) - 1) / 2, 34
"""Factor of the golden section search for an exit time, and its number of steps."""

SMALLEST_LOG = -20.0
"""Least logarithm of c in the search for an exit time."""


FEW_SUMS = 16
"""Largest number of sums of pure losses that are not embedded in Brownian motion."""


def gaussian_delta(mu_squared: Fraction, epsilon: Fraction) -> arb:
    """Return a ball around the least delta of mu-GDP at an epsilon.

    Parameters
    ----------
    mu_squared : Fraction
        Square of mu, positive.
    epsilon : Fraction
        Epsilon at which delta is computed.

    Examples
    --------
    >>> print(gaussian_delta(Fraction(1), Fraction(1)).str(6, radius=False))
    0.126937
    """
    with _workprec(mu_squared):
        mu = ball(mu_squared).sqrt()
        return _tails(mu, ball(epsilon))[0]


def _workprec(mu_squared: Fraction) -> AbstractContextManager[object]:
    """Return the precision of the tails of mu-GDP.

    The two tails differ by a factor of about 1 + mu^2, so a small mu cancels leading bits.
    """
    small = mu_squared.denominator.bit_length() - mu_squared.numerator.bit_length()
    precision: AbstractContextManager[object] = ctx.workprec(PRECISION + max(0, small))
    return precision


def _tails(mu: arb, epsilon: arb) -> tuple[arb, arb]:
    """Return the delta of mu-GDP at an epsilon, and the negative slope of delta."""
    shift, half, root = epsilon / mu, mu / 2, arb(2).sqrt()
    far = epsilon.exp() * ((shift + half) / root).erfc()
    return (((shift - half) / root).erfc() - far) / 2, far / 2


def largest(valid: Callable[[Fraction], bool], low: Fraction) -> Fraction:
    """Return a valid number of `BITS` bits such that the search found no larger valid number.

    The search assumes that `low` is valid. It returns only numbers that it has checked, or `low`.
    """
    high = 2 * low
    while valid(high):
        low, high = high, 2 * high
    step = (high - low) / 2
    while step * Fraction(2) ** BITS > high:
        if valid(low + step):
            low += step
        step /= 2
    return low


# The float 0.5 equals Fraction(1, 2) and has an equal hash. `typed` separates their entries.
@lru_cache(maxsize=256, typed=True)
@check_arguments
def gaussian_mu_squared(epsilon: EpsilonOrZero, delta: DeltaOrZero) -> Fraction:
    """Return the largest mu^2 for which mu-GDP implies (epsilon, delta)-DP, rounded down.

    Parameters
    ----------
    epsilon : Fraction
        Epsilon of the guarantee, at least 0.
    delta : Fraction
        Delta of the guarantee, strictly between 0 and 1.

    Raises
    ------
    InvalidInput
        If a parameter is out of range or a float.

    Examples
    --------
    >>> found = gaussian_mu_squared(Fraction(1), Fraction(1, 10**6))
    >>> round(float(found), 5), round(2 * float(zcdp_rho(Fraction(1), Fraction(1, 10**6))), 5)
    (0.05603, 0.04871)
    """
    if not delta:
        raise InvalidInput("The delta must be positive. Got 0.")
    # For epsilon = 0, delta is 2 Phi(mu/2) - 1 < mu, so mu = delta is valid.
    low = 2 * zcdp_rho(epsilon, delta) if epsilon else delta**2
    if not 1 / WIDEST < low < WIDEST or not 1 / WIDEST < delta < 1 - 1 / WIDEST:
        return low
    return largest(lambda mu_squared: at_most(gaussian_delta(mu_squared, epsilon), delta), low)


@lru_cache(maxsize=256, typed=True)
@check_arguments
def gaussian_epsilon(mu_squared: MuSquared, delta: DeltaOrZero) -> Fraction:
    """Return the least epsilon for which mu-GDP implies (epsilon, delta)-DP, rounded up.

    Parameters
    ----------
    mu_squared : Fraction
        Square of mu, at least 0.
    delta : Fraction
        Delta of the guarantee, strictly between 0 and 1.

    Raises
    ------
    InvalidInput
        If a parameter is out of range or a float.

    Examples
    --------
    >>> epsilon = gaussian_epsilon(Fraction(1), Fraction(1, 10**6))
    >>> round(float(epsilon), 4), round(float(zcdp_epsilon(Fraction(1, 2), Fraction(1, 10**6))), 4)
    (4.8866, 5.2215)
    """
    if not delta:
        raise InvalidInput("The delta must be positive. Got 0.")
    if not mu_squared:
        return Fraction(0)
    high = zcdp_epsilon(mu_squared / 2, delta)
    if not 1 / WIDEST < mu_squared < WIDEST or not 1 / WIDEST < delta < 1 - 1 / WIDEST:
        return high
    if at_most(gaussian_delta(mu_squared, Fraction(0)), delta):
        return Fraction(0)
    # Invariant: `high` is valid, as a value of zCDP or because the tails in balls prove it.
    step = high / 2
    near = _by_newton(mu_squared, delta, high)
    if near is not None and at_most(gaussian_delta(mu_squared, near), delta):
        high, step = near, near / Fraction(2) ** (2 * BITS - 3)
    while step * Fraction(2) ** (2 * BITS) > high:
        below = high - step
        if below > 0 and at_most(gaussian_delta(mu_squared, below), delta):
            high = below
        step /= 2
    return round_up(ball(high))


def _by_newton(mu_squared: Fraction, delta: Fraction, high: Fraction) -> Fraction | None:
    """Return about the epsilon at which mu-GDP has this delta, or None if the search fails.

    The logarithm of delta decreases with epsilon, and its graph is nearly a parabola. So Newton's
    method from above needs few steps.
    """
    epsilon = high
    for _ in range(NEWTON_STEPS):
        with _workprec(mu_squared):
            found, slope = _tails(ball(mu_squared).sqrt(), ball(epsilon))
            if not found > 0 or not slope > 0:
                return None
            step = found * (found / ball(delta)).log() / slope
            if not step.is_finite():
                return None
            later = round_up((ball(epsilon) + step).mid())
        if not 0 < later <= high:
            return None
        if abs(later - epsilon) * Fraction(2) ** (2 * BITS + 2) < epsilon:
            return later
        epsilon = later
    return None


def _log_growth(width: arb, c: arb) -> arb:
    """Return the logarithm of the largest E[e^(x time)] over all intervals of a width."""
    half, quarter = c * width / 2, width / 4
    along, across = quarter.cosh() / half.cos(), quarter.sinh() / half.sin()
    lag, angle = (1 / (2 * c)).atan(), (across / along).atan()
    size = (along * along + across * across).log() / 2
    return size - (1 + 1 / (4 * c * c)).log() / 2 - (angle - lag) / (2 * c)


Balls = tuple[tuple[arb, int], ...]
"""Numbers as balls, and how often each occurs."""


def _log_moment(losses: Balls, ranges: Balls, c: arb) -> arb:
    """Return an upper bound of the logarithm of E[e^(x S)] for c = sqrt(2 x - 1/4), as a ball."""
    total = arb(0)
    for eta, count in ranges:
        total += count * _log_growth(eta, c)
    for loss, count in losses:
        total += count * ((loss / 2).cosh().log() - (loss * c).cos().log())
    return total


def _exit_time(losses: Runs, ranges: Runs, failure: Fraction) -> Fraction:
    """Return a time T with P[S > T] at most the failure probability, rounded up."""
    width = float(max([2 * loss for loss, _ in losses] + [eta for eta, _ in ranges]))
    most, log = math.pi / width * (1 - 1e-9), -log_in_floats(failure)
    with ctx.workprec(2 * PRECISION):
        log_failure = ball(failure).log()
        pure = tuple((ball(loss), count) for loss, count in losses)
        choices = tuple((ball(eta), count) for eta, count in ranges)

        def bound(log_c: float) -> arb:
            c = arb(math.exp(log_c))
            return (_log_moment(pure, choices, c) - log_failure) / (c * c / 2 + arb(1) / 8)

        # The bound first falls and then rises, and every c is valid.
        total = sum((v * v * n for v, n in (*losses, *ranges)), Fraction(0))
        middle = (math.log(log) - log_in_floats(total)) / 2
        # For smaller c, x is 1/8 up to the precision of the balls.
        low, high = max(min(math.log(most), middle) - 5, SMALLEST_LOG), math.log(most)
        one, two = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        first, second = bound(one).mid(), bound(two).mid()
        for _ in range(GOLDEN_STEPS):
            if first <= second:
                high, two, second = two, one, first
                one = high - GOLDEN * (high - low)
                first = bound(one).mid()
            else:
                low, one, first = one, two, second
                two = low + GOLDEN * (high - low)
                second = bound(two).mid()
        return round_up(bound(low))


@lru_cache(maxsize=256)
def embedded(profile: Profile, delta: Fraction) -> Fraction | None:
    """Return epsilon at a given delta by exit times of Brownian motion, or None.

    The result is None if no bounded losses are composed, or if they are too large.

    Parameters
    ----------
    profile : Profile
        Losses, ranges and Gaussian losses of the releases. Its rho and its delta are ignored.
    delta : Fraction
        Delta of all releases together.

    Examples
    --------
    >>> choices = Profile(ranges=((Fraction(1, 1000), 10**5),))
    >>> delta = Fraction(1, 10**6)
    >>> zcdp = zcdp_epsilon(choices.concentrated, delta)
    >>> round(float(embedded(choices, delta)), 4), round(float(zcdp), 4)
    (0.6539, 0.7002)
    """
    entries = (*profile.losses, *profile.ranges)
    if not entries or not WIDEST_LOSS > max(v for v, _ in entries) > 1 / WIDEST_LOSS**4:
        return None
    if not 1 / WIDEST < delta < 1 - 1 / WIDEST:
        return None
    sums = _sums(profile.losses) if profile.ranges else None
    found = []
    for bits in (3, 5, 7, 10):
        failure = delta / 2**bits
        time = _exit_time(profile.losses, profile.ranges, failure)
        found.append(gaussian_epsilon(profile.mu_squared + time, delta - failure))
        if sums is not None:
            time = _exit_time((), profile.ranges, failure)
            found.append(_mixed_epsilon(profile.mu_squared + time, sums, delta - failure))
    return min(found)


def _sums(losses: Runs) -> tuple[tuple[Fraction, arb], ...] | None:
    """Return the sums of worst pure losses with their probabilities, or None if they are many."""
    if not losses or math.prod(count + 1 for _, count in losses) > FEW_SUMS:
        return None
    found = [(Fraction(0), arb(1))]
    with ctx.workprec(2 * PRECISION):
        for loss, count in losses:
            likely = 1 / (1 + (-ball(loss)).exp())
            found = [
                (
                    total + (2 * high - count) * loss,
                    chance
                    * math.comb(count, high)
                    * likely**high
                    * (likely * (-ball(loss)).exp()) ** (count - high),
                )
                for total, chance in found
                for high in range(count + 1)
            ]
    return tuple(found)


def _mixed_epsilon(
    mu_squared: Fraction, sums: tuple[tuple[Fraction, arb], ...], delta: Fraction
) -> Fraction:
    """Return the least epsilon of a mu-GDP release next to independent losses, rounded up."""
    with _workprec(mu_squared):
        mu = ball(mu_squared).sqrt()

    def spent(epsilon: Fraction) -> tuple[arb, arb]:
        with _workprec(mu_squared):
            tails = [_tails(mu, ball(epsilon - loss)) for loss, _ in sums]
        with ctx.workprec(2 * PRECISION):
            found, slope = arb(0), arb(0)
            for (tail, fall), (_, chance) in zip(tails, sums, strict=True):
                found += chance * tail
                slope += chance * fall
        return found, slope

    def valid(epsilon: Fraction) -> bool:
        return at_most(spent(epsilon)[0], delta)

    if valid(Fraction(0)):
        return Fraction(0)
    high = max(loss for loss, _ in sums) + gaussian_epsilon(mu_squared, delta)
    above, below = _around(spent, delta, high)
    step = high / 2
    while step * Fraction(2) ** BITS > high:
        lower = high - step
        # Delta decreases with epsilon, so it is known outside of the interval.
        if lower >= above or (lower > below and valid(lower)):
            high = lower
        step /= 2
    return round_up(ball(high))


def _around(
    spent: Callable[[Fraction], tuple[arb, arb]], delta: Fraction, high: Fraction
) -> tuple[Fraction, Fraction]:
    """Return an epsilon with at most this delta, and a smaller epsilon with more.

    The two numbers are close to each other if Newton's method converges from `high`, as in
    `_by_newton`. Otherwise they are `high` and 0.
    """
    epsilon = high
    for _ in range(NEWTON_STEPS):
        found, slope = spent(epsilon)
        if not found > 0 or not slope > 0:
            break
        step = float((found * (found / ball(delta)).log() / slope).mid())
        if not abs(step) < epsilon:
            break
        epsilon += Fraction(step)
        if abs(step) < 1e-12 * epsilon:
            above, below = epsilon * (1 + NEAR), epsilon * (1 - NEAR)
            if above < high and at_most(spent(above)[0], delta) and spent(below)[0] > ball(delta):
                return above, below
            break
    return high, Fraction(0)


@check_arguments
def gaussian(event: Event, delta: DeltaOrZero) -> tuple[Fraction, Fraction]:
    """Return epsilon at a given delta by Gaussian differential privacy.

    The result is exact if all mechanisms are Gaussian. Otherwise it is the smaller of two bounds,
    both of which hold for releases that depend on earlier releases. The first bound adds the
    epsilons of the remaining mechanisms to the epsilon of the Gaussian mechanisms. *Proof.* Let the
    Gaussian mechanisms together be (e, delta)-DP, and let the privacy losses of the remaining
    mechanisms add up to at most r. Let P and Q be the distributions of all outputs on two
    neighbouring inputs. Let Q' be Q with the conditional distributions of the remaining mechanisms
    replaced by those under P. Then P and Q' differ only in the Gaussian mechanisms, so P[O] <=
    e^e Q'[O] + delta, and Q'[O] <= e^r Q[O]. QED The function `embedded` computes the second bound.

    Parameters
    ----------
    event : Event
        Releases whose total is computed.
    delta : Fraction
        Total delta, which includes the deltas of the mechanisms.

    Raises
    ------
    InvalidInput
        If a mechanism is only known to be zCDP, or delta does not exceed the deltas of the
        mechanisms.

    Examples
    --------
    >>> from learners.accounting import GaussianDP, Scope, SelfComposed
    >>> data = Scope.adaptive("replace_one")
    >>> counts = SelfComposed(GaussianDP(Fraction(1, 100), scope=data), 100)
    >>> round(float(gaussian(counts, Fraction(1, 10**6))[0]), 4)
    4.8866
    """
    if others := _alternatives(event):
        return max(gaussian(each, delta) for each in others)
    profile = _profile(event)
    slack = _slack(profile, delta)
    if profile.rho:
        raise InvalidInput(
            f"A zCDP event has no Gaussian loss. Use zcdp. Got rho = {_shown(profile.rho)}."
        )
    best = profile.pathwise + gaussian_epsilon(profile.mu_squared, slack)
    if (other := embedded(profile, slack)) is not None:
        best = min(best, other)
    return best, delta
