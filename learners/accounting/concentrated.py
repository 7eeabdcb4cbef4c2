"""Accountant for zero-concentrated differential privacy."""

from __future__ import annotations

from fractions import Fraction

from learners.accounting.compositions import _alternatives, _profile
from learners.accounting.conversions import zcdp_epsilon
from learners.accounting.events import Event
from learners.accounting.loss_distributions import _slack
from learners.numbers import rational


def zcdp(event: Event, delta: Fraction) -> tuple[Fraction, Fraction]:
    """Epsilon at a given delta by zero-concentrated differential privacy (Bun, Steinke 2016).

    An epsilon-DP event is (epsilon^2/2)-zCDP, one of bounded range eta (eta^2/8)-zCDP; rho adds
    up, and `zcdp_epsilon` turns it into an epsilon. Losses that are cheaper as they stand are added
    as they stand: an epsilon_1 that bounds part of the loss on every path and a rho-zCDP rest
    give epsilon_1 + zcdp_epsilon(rho, delta), because the supermartingale behind the rest does not
    see the other steps. Which are cheaper is decided exactly: the bound is concave in what is
    converted (a least value of linear ones), so an optimum converts those below a threshold.

    Parameters
    ----------
    event : Event
    delta : Fraction
        In all; the mechanisms' own deltas are paid out of it.

    Returns
    -------
    epsilon, delta : Fraction
        Epsilon at this delta, rounded up.

    Raises
    ------
    InvalidInput
        If delta does not exceed the mechanisms' own.

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
    delta = rational(delta, "delta")
    slack = _slack(profile, delta)
    # An entry starts with the rho that its conversion costs per unit of loss. The cheapest
    # conversions come first.
    entries = sorted(
        [(value / 2, value, value * value / 2, often) for value, often in profile.losses]
        + [(value / 8, value, value * value / 8, often) for value, often in profile.ranges]
    )
    kept, rho = profile.pathwise, profile.rho
    best = kept + zcdp_epsilon(rho, slack)
    for threshold, value, concentrated, often in entries:
        if threshold >= 1:  # a rho adds itself at least, so nothing is gained from here on
            break
        # Invariant: `kept` is the sum of the unconverted losses, and `rho` includes all converted
        # losses.
        kept -= value * often
        rho += concentrated * often
        best = min(best, kept + zcdp_epsilon(rho, slack))
    return best, delta
