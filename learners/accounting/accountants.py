"""Accountants: advanced composition, zCDP, and the smallest total of all."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from flint import arb, ctx

from learners.accounting.compositions import _alternatives, _profile
from learners.accounting.conversions import zcdp_epsilon
from learners.accounting.events import Event
from learners.accounting.loss_distributions import FLOATING, LATTICE, _slack, pld
from learners.accounting.numbers import OVERFLOW, PRECISION, _failure, _shown
from learners.accounting.profiles import _merged
from learners.balls import ball, round_up
from learners.numbers import rational
from lsclasses.errors import InvalidInput
from lsclasses.html import html_table


def advanced(event: Event, delta_slack: Fraction) -> tuple[Fraction, Fraction]:
    """Epsilon and delta by advanced composition [KMMNS23, Thm 3.3] (Dwork, Rothblum, Vadhan 2010).

    For losses of at most epsilon_i: sqrt(2 ln(1/delta_slack) sum epsilon_i^2) + sum epsilon_i
    (e^epsilon_i - 1), with delta = sum delta_i + delta_slack. (A loss in [-epsilon_i, epsilon_i]
    has mean at most epsilon_i (e^epsilon_i - 1); Azuma's inequality does the rest, whether or not
    the epsilons are equal.) The mechanisms may be chosen along the way, their parameters may not.
    For challenge-DP this is about games played one after the other against the same secret bit,
    each with a learner and an adversary chosen after the games before (`CompositionGame`).

    Parameters
    ----------
    event : Event
    delta_slack : Fraction
        Strictly between 0 and 1.

    Returns
    -------
    epsilon, delta : Fraction
        Epsilon rounded up.

    Raises
    ------
    InvalidInput
        If an event is known to be zCDP only, or the slack is out of range.

    Examples
    --------
    >>> from learners.accounting import PureDP, SelfComposed
    >>> epsilon, delta = advanced(SelfComposed(PureDP(Fraction(1, 10)), 1000), Fraction(1, 10**6))
    >>> round(float(epsilon), 2), delta
    (27.14, Fraction(1, 1000000))
    """
    profile = _profile(event)
    slack = _failure(delta_slack, "delta slack")
    if not slack:
        raise InvalidInput("The delta slack must be positive: its logarithm enters. Got 0.")
    if profile.rho:
        raise InvalidInput("A zCDP event has no epsilon of its own; use zcdp or total.")
    entries = _merged((profile.losses, profile.ranges))
    if entries and entries[0][0] > OVERFLOW:
        return profile.pathwise, profile.delta + slack
    squares, drift = Fraction(0), arb(0)
    with ctx.workprec(PRECISION):
        for value, often in entries:
            squares += value * value * often
            drift += ball(value) * often * ball(value).expm1()
        epsilon = (-2 * ball(slack).log() * ball(squares)).sqrt() + drift
        return round_up(epsilon) if squares else Fraction(0), profile.delta + slack


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
    >>> from learners.accounting import BoundedRange, SelfComposed
    >>> epsilon, _ = zcdp(SelfComposed(BoundedRange(Fraction(1, 10)), 1000), Fraction(1, 10**6))
    >>> round(float(epsilon), 2)
    8.85
    """
    if others := _alternatives(event):
        return max(zcdp(each, delta) for each in others)
    profile = _profile(event)
    delta = rational(delta, "delta")
    slack = _slack(profile, delta)
    entries = sorted(
        [(value / 2, value, value * value / 2, often) for value, often in profile.losses]
        + [(value / 8, value, value * value / 8, often) for value, often in profile.ranges]
    )
    kept, rho = profile.pathwise, profile.rho
    best = kept + zcdp_epsilon(rho, slack)
    for threshold, value, concentrated, often in entries:
        if threshold >= 1:  # a rho adds itself at least, so nothing is gained from here on
            break
        kept -= value * often
        rho += concentrated * often
        best = min(best, kept + zcdp_epsilon(rho, slack))
    return best, delta


@dataclass(frozen=True)
class Total:
    """The smallest (epsilon, delta) known for an event, and the accountant that found it.

    Attributes
    ----------
    epsilon, delta : Fraction
    method : str
        ``basic``, ``advanced``, ``zcdp`` or ``pld``.
    others : tuple of (str, Fraction)
        The epsilons of all methods that apply, by name.
    """

    epsilon: Fraction
    delta: Fraction
    method: str
    others: tuple[tuple[str, Fraction], ...] = field(compare=False, repr=False)

    def _repr_html_(self) -> str:
        """The result of every accountant, for notebooks."""
        rows = [(name, _shown(epsilon)) for name, epsilon in self.others]
        title = f"({_shown(self.epsilon)}, {_shown(self.delta)})-DP by {self.method}"
        return html_table(title, rows, head=("accountant", "epsilon"))


def total(event: Event, delta: Fraction = Fraction(0)) -> Total:
    """The smallest epsilon at a given delta, over all accountants that apply.

    Parameters
    ----------
    event : Event
    delta : Fraction
        In all. With 0, or with no more than the mechanisms' own, only basic composition applies.

    Raises
    ------
    InvalidInput
        If no accountant applies: delta is less than the mechanisms' own, or a zCDP event comes
        without a delta.

    Examples
    --------
    >>> from learners.accounting import PureDP, SelfComposed
    >>> total(SelfComposed(PureDP(Fraction(1, 10)), 3)).method
    'basic'
    >>> best = total(SelfComposed(PureDP(Fraction(1, 10)), 1000), Fraction(1, 10**6))
    >>> best.method, [(name, round(float(epsilon), 1)) for name, epsilon in best.others]
    ('pld', [('basic', 100.0), ('advanced', 27.1), ('zcdp', 20.6), ('pld', 19.3)])
    """
    if others := _alternatives(event):
        return max((total(each, delta) for each in others), key=lambda each: each.epsilon)
    profile = _profile(event)
    delta = _failure(delta)
    if profile.delta > delta:
        raise InvalidInput(
            f"The delta must be at least the mechanisms' own, {_shown(profile.delta)}. "
            f"Got {_shown(delta)}."
        )
    found: dict[str, Fraction] = {}
    if not profile.rho:
        found["basic"] = profile.pathwise
    if profile.delta < delta:
        if not profile.rho:
            found["advanced"] = advanced(event, delta - profile.delta)[0]
        found["zcdp"] = zcdp(event, delta)[0]
        composed = sum(often for _, often in profile.losses + profile.ranges)
        if not profile.rho and composed <= LATTICE and delta - profile.delta > FLOATING:
            found["pld"] = pld(event, delta)[0]
    if not found:
        raise InvalidInput("A zCDP event has an epsilon only together with a positive delta.")
    method = min(found, key=lambda name: found[name])
    return Total(found[method], delta, method, tuple(found.items()))
