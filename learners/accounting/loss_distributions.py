"""Privacy loss distributions on a lattice, the accountant of package ``dp-accounting``."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import ceil, exp, gcd, isfinite, lcm

from learners.accounting.compositions import _profile
from learners.accounting.events import Event
from learners.accounting.profiles import Profile, _merged
from learners.checked import DeltaOrZero
from learners.number_arguments import OVERFLOW, _shown
from lsclasses.errors import InvalidInput
from lsclasses.numbers import format_number
from lsclasses.options import check_arguments

LATTICE = 1 << 18
"""Points a privacy loss distribution may have, and losses it may be composed of."""

FLOATING = Fraction(1, 10**12)
"""The part of delta that pays for floating point in privacy loss distributions. It is three orders
of magnitude above the largest observed error (tests compare the results with balls)."""


def _slack(profile: Profile, delta: Fraction) -> Fraction:
    """Return the part of delta that the mechanisms leave for the accountant."""
    slack = delta - profile.delta
    if slack <= 0:
        raise InvalidInput(
            f"The delta must exceed the mechanisms' deltas, {_shown(profile.delta)} in total. "
            f"Got {_shown(delta)}."
        )
    return slack


@check_arguments
def pld(event: Event, delta: DeltaOrZero) -> tuple[Fraction, Fraction]:
    """Return epsilon at a given delta by privacy loss distributions (package ``dp-accounting``).

    This is the best bound that holds for every composition of mechanisms with these epsilons
    (Kairouz, Oh, Viswanath 2015). It holds for parameters that are fixed in advance, not for
    budgets that are chosen along the way. Losses are rounded up to a lattice, on which they lie
    exactly if possible. The package computes in floating point, so 10^-12 of delta is reserved.

    Parameters
    ----------
    event : Event
    delta : Fraction
        Total delta of the event, which includes the deltas of the mechanisms.

    Returns
    -------
    epsilon, delta : Fraction

    Raises
    ------
    InvalidInput
        If an event is known to be zCDP only, if delta does not exceed the sum of the mechanisms'
        deltas by more than 10^-12, or if more losses are composed than fit a lattice.

    Examples
    --------
    >>> from learners.accounting import PureDP, SelfComposed, Scope
    >>> data = Scope.adaptive("replace_one")
    >>> looks = SelfComposed(PureDP(Fraction(1, 10), scope=data), 1000)
    >>> epsilon, _ = pld(looks, Fraction(1, 10**6))
    >>> round(float(epsilon), 1)
    19.3
    """
    profile = _profile(event)
    slack = _slack(profile, delta)
    if profile.rho:
        raise InvalidInput("A zCDP event has no privacy loss distribution that dominates it.")
    if slack <= FLOATING:
        raise InvalidInput(
            f"Floating point needs {format_number(FLOATING)} of delta beyond the mechanisms' "
            f"deltas. Got {format_number(slack)}. Use zcdp."
        )
    entries = _merged((profile.losses, profile.ranges))
    if not entries:
        return Fraction(0), delta
    composed = sum(often for _, often in entries)
    if composed > LATTICE:
        raise InvalidInput(
            f"A privacy loss distribution can compose at most {LATTICE} losses. "
            f"Got {composed}. Use zcdp."
        )
    if max(value for value, _ in entries) > OVERFLOW:
        return profile.pathwise, delta
    # The greatest common divisor of the losses is the largest step whose lattice contains all
    # losses.
    scale = lcm(*(value.denominator for value, _ in entries))
    step = Fraction(gcd(*(int(value * scale) for value, _ in entries)), scale)
    # The sum of all losses then covers at most `LATTICE` steps, so the distribution fits into
    # memory.
    step = max(step, profile.pathwise / LATTICE)
    found = _epsilon_on_lattice(entries, step, float(slack - FLOATING))
    if not isfinite(found):
        return profile.pathwise, delta
    # Losses are rounded up, so basic composition may give a smaller epsilon.
    return min(max(Fraction(found), Fraction(0)), profile.pathwise), delta


@lru_cache(maxsize=256)
def _epsilon_on_lattice(
    entries: tuple[tuple[Fraction, int], ...], step: Fraction, delta: float
) -> float:
    """Epsilon at a given delta of losses, each composed with itself, rounded up to a lattice.

    Kept, since a model is fitted and read again with the same ledger, in cross-validation many
    times.
    """
    from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution

    parts = []
    for value, often in entries:
        # Randomized response has the worst loss distribution of all mechanisms with this epsilon
        # (Kairouz, Oh, Viswanath 2015).
        # This repeats the package's `from_privacy_parameters`, with places on the lattice by exact
        # fractions. A quotient of floating-point numbers would round 0.14/0.02 up to 8.
        likely = 1 / (1 + exp(-float(value)))
        places = {ceil(value / step): likely, ceil(-value / step): 1 - likely}
        part = PrivacyLossDistribution.create_from_rounded_probability(places, 0.0, float(step))
        parts.append(part.self_compose(often))
    whole_loss = parts[0]
    for part in parts[1:]:
        whole_loss = whole_loss.compose(part)
    return float(whole_loss.get_epsilon_for_delta(delta))
