"""Zero-concentrated differential privacy (zCDP): accounting and conversions to (epsilon, delta)."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from flint import arb, ctx

from learners.accounting.compositions import _alternatives, _profile, _slack
from learners.accounting.events import Event
from learners.balls import ball, round_up
from learners.checked import DeltaOrZero, EpsilonOrZero, Rho
from learners.number_arguments import PRECISION, _shown, log_in_floats
from lsclasses.errors import InvalidInput
from lsclasses.options import check_arguments

# ---- conversions


TINIEST = Fraction(1, 10**150)
"""Least loss in a search by floating point. The inverse is the greatest loss in the search."""


# The float 0.5 equals Fraction(1, 2) and has an equal hash. `typed` separates their entries, so
# that the check still refuses the float.
@lru_cache(maxsize=256, typed=True)
@check_arguments
def zcdp_epsilon(rho: Rho, delta: DeltaOrZero) -> Fraction:
    r"""Return an epsilon for which every rho-zCDP release is (epsilon, delta)-DP, rounded up.

    The epsilon is the least value, over k > 0, of

        (k + 1) rho + (ln(1/delta) + k ln k - (k + 1) ln(k + 1))/k

    (Canonne, Kamath, Steinke 2020). *Proof.* For a loss L, delta = E[(1 - e^(epsilon - L))_+]
    suffices, and (1 - e^-x)_+ <= c e^(k x) for c = k^k/(k + 1)^(k + 1), the largest value of
    (1 - e^-x) e^(-k x). As the Rényi divergence of order k + 1 is at most (k + 1) rho,
    E[e^(k L)] <= e^(k (k + 1) rho). So delta <= c e^(k (k + 1) rho - k epsilon). Without c this is
    the bound rho + 2 sqrt(rho ln(1/delta)) of Bun, Steinke 2016. Every k is valid. A search in
    floating point finds a good k, and balls compute the bound.

    Parameters
    ----------
    rho : Fraction
        Budget of zero-concentrated privacy, at least 0.
    delta : Fraction
        Delta of the result, strictly between 0 and 1.

    Raises
    ------
    InvalidInput
        If rho is negative, delta is out of range, or one of them is a float.

    Examples
    --------
    >>> round(float(zcdp_epsilon(Fraction(1, 2), Fraction(1, 10**6))), 3)  # the other bound: 5.756
    5.222
    """
    _require_positive(delta)
    if not rho:
        return Fraction(0)
    rough, log = _rough(rho), -log_in_floats(delta)

    def bound(k: float) -> float:
        return (k + 1) * rough + _conversion(k, log) / k

    k = Fraction(_least(bound, rho, delta))
    with ctx.workprec(PRECISION):
        # The formula may be negative for a large delta. The bound 0 then holds as well.
        return max(round_up(ball(rho) * ball(k + 1) + _sure_conversion(k, delta)), Fraction(0))


@lru_cache(maxsize=256, typed=True)
@check_arguments
def zcdp_rho(epsilon: EpsilonOrZero, delta: DeltaOrZero) -> Fraction:
    """Return the largest rho with `zcdp_epsilon` at most epsilon, rounded down to 32 bits.

    A mechanism that makes its whole release rho-zCDP with this rho stays within epsilon and delta.

    Parameters
    ----------
    epsilon : Fraction
        Epsilon of the guarantee, positive.
    delta : Fraction
        Delta of the guarantee, strictly between 0 and 1.

    Raises
    ------
    InvalidInput
        If a parameter is out of range or a float, or both are so small that the search in floating
        point does not find a positive rho.

    Examples
    --------
    >>> rho = zcdp_rho(Fraction(1), Fraction(1, 10**6))
    >>> round(float(rho), 5), zcdp_epsilon(rho, Fraction(1, 10**6)) <= 1
    (0.02436, True)
    """
    _require_positive(delta)
    if not epsilon:
        raise InvalidInput("Only rho = 0 is within epsilon = 0. Give a positive epsilon.")
    log = -log_in_floats(delta)
    # The start solves rho + 2 sqrt(rho L) = epsilon for rho, where L = ln(1/delta). It is
    # (sqrt(epsilon + L) - sqrt(L))^2, without cancellation.
    rough = _rough(epsilon)
    start = Fraction(rough / (math.sqrt(rough + log) + math.sqrt(log))) ** 2

    def loss(k: float) -> float:
        # For this rho, the bound of order k is epsilon. The largest rho is sought, hence the sign.
        return -(rough - _conversion(k, log) / k) / (k + 1)

    k = Fraction(_least(loss, start, delta))
    with ctx.workprec(PRECISION):
        enclosure = (ball(epsilon) - _sure_conversion(k, delta)) / ball(k + 1)
        mantissa, exponent = (int(part) for part in enclosure.lower().man_exp())
    if mantissa <= 0:
        raise InvalidInput(
            f"No rho was found within epsilon = {_shown(epsilon)} at delta = {_shown(delta)}. "
            "The best order is beyond floating point. Give a larger epsilon or a larger delta."
        )
    # The shift rounds down. A smaller rho means less privacy loss, so rounding down is safe.
    spare = max(0, mantissa.bit_length() - 32)
    return Fraction(mantissa >> spare) * Fraction(2) ** (exponent + spare)


def _require_positive(delta: Fraction) -> None:
    if not delta:
        raise InvalidInput("The delta must be positive, as its logarithm is used. Got 0.")


def _rough(value: Fraction) -> float:
    """Return the value in floating point, because the search ends validly from every start."""
    return float(min(max(value, TINIEST), 1 / TINIEST))


def _conversion(k: float, log: float) -> float:
    """Return the number log + k ln k - (k + 1) ln(k + 1), where log is ln(1/delta)."""
    # The difference of k ln k and (k + 1) ln(k + 1) loses digits for large k. This form avoids the
    # difference.
    return log - math.log(k) - (k + 1) * math.log1p(1 / k)


def _sure_conversion(k: Fraction, delta: Fraction) -> arb:
    """Return the conversion divided by k, as a ball."""
    order = ball(k)
    return (-ball(delta).log() - order.log() - (order + 1) * (1 / order).log1p()) / order


def _least(function: Callable[[float], float], rho: Fraction, delta: Fraction) -> float:
    """Return an approximate minimizer k of a function that falls, then rises.

    (Its numerator, a multiple of k or less, is convex in k.) The simpler bound is least at
    k = sqrt(ln(1/delta)/rho), this one not much beyond.
    """
    # The logarithm of a delta near 1 rounds to 0, so a small positive number replaces it.
    middle = (math.log(max(-log_in_floats(delta), 1e-30)) - log_in_floats(rho)) / 2
    # Beyond e^300, products of floats overflow. Every k is valid.
    low, high = -20.0, min(max(middle, -14.0) + 6, 300.0)
    # 90 steps shrink the interval by (2/3)^90, less than the relative precision of a float.
    for _ in range(90):
        one, two = low + (high - low) / 3, high - (high - low) / 3
        if function(math.exp(one)) <= function(math.exp(two)):
            high = two
        else:
            low = one
    return math.exp((low + high) / 2)


# ---- concentrated


@check_arguments
def zcdp(event: Event, delta: DeltaOrZero) -> tuple[Fraction, Fraction]:
    """Return epsilon at a given delta by zero-concentrated DP (zCDP; Bun, Steinke 2016).

    An epsilon-DP mechanism is (epsilon^2/2)-zCDP. A mechanism of bounded range eta is
    (eta^2/8)-zCDP. The values rho add up, and `zcdp_epsilon` converts the sum into an epsilon.
    Large losses are cheaper without conversion: if the epsilons of some mechanisms add up to
    epsilon_1 and the rest is rho-zCDP, the total epsilon is epsilon_1 + zcdp_epsilon(rho, delta),
    also if each mechanism depends on earlier results. The function finds the best set of converted
    mechanisms. This set contains exactly the mechanisms with losses below a threshold, because the
    bound is a minimum of linear functions of the converted part, hence concave.

    Parameters
    ----------
    event : Event
        Releases whose total is computed.
    delta : Fraction
        Total delta, which includes the deltas of the mechanisms.

    Returns
    -------
    epsilon, delta : Fraction
        Epsilon at this delta, rounded up.

    Raises
    ------
    InvalidInput
        If delta does not exceed the sum of the deltas of all mechanisms.

    Examples
    --------
    >>> from learners.accounting import BoundedRange, SelfComposed, Scope
    >>> data = Scope.adaptive("replace_one")
    >>> choices = SelfComposed(BoundedRange(Fraction(1, 10), scope=data), 1000)
    >>> epsilon, _ = zcdp(choices, Fraction(1, 10**6))
    >>> round(float(epsilon), 2)
    8.85
    """
    if others := _alternatives(event):
        return max(zcdp(each, delta) for each in others)
    profile = _profile(event)
    slack = _slack(profile, delta)
    # An entry starts with the rho that its conversion costs per unit of loss. The cheapest
    # conversions come first.
    entries = sorted(
        [(value / 2, value, value * value / 2, often) for value, often in profile.losses]
        + [(value / 8, value, value * value / 8, often) for value, often in profile.ranges]
    )
    kept, rho = profile.pathwise, profile.rho + profile.mu_squared / 2
    best = kept + zcdp_epsilon(rho, slack)
    for threshold, value, concentrated, often in entries:
        if threshold >= 1:  # a rho adds at least itself, so larger thresholds do not help
            break
        # Invariant: `kept` is the sum of the unconverted losses, and `rho` includes all converted
        # losses.
        kept -= value * often
        rho += concentrated * often
        best = min(best, kept + zcdp_epsilon(rho, slack))
    return best, delta
