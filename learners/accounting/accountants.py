"""Accountants: advanced composition, and the smallest total of all accountants."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Annotated

from flint import arb, ctx

from learners.accounting.compositions import (
    SelfComposed,
    Sequential,
    _alternatives,
    _profile,
    scope,
)
from learners.accounting.conversions import zcdp
from learners.accounting.events import BoundedRange, Event
from learners.accounting.gaussians import gaussian
from learners.accounting.loss_distributions import LATTICE, pld
from learners.accounting.privacy import Privacy
from learners.accounting.profiles import _merged
from learners.balls import ball, round_up
from learners.checked import DeltaOrZero
from learners.number_arguments import OVERFLOW, PRECISION, _shown
from lsclasses.errors import InvalidInput
from lsclasses.html import html_table
from lsclasses.options import Option, check_arguments

DeltaSlack = Annotated[Fraction, Option("delta slack", minimum=0, below=1)]


@check_arguments
def advanced(event: Event, delta_slack: DeltaSlack) -> tuple[Fraction, Fraction]:
    """Return epsilon and delta by advanced composition [KMMNS23, Thm 3.3].

    (Dwork, Rothblum, Vadhan 2010.) For losses of at most epsilon_i, the epsilon is
    sqrt(2 ln(1/delta_slack) sum epsilon_i^2) + sum epsilon_i (e^epsilon_i - 1), with
    delta = sum delta_i + delta_slack. (A loss in [-epsilon_i, epsilon_i] has mean at most
    epsilon_i (e^epsilon_i - 1). Azuma's inequality then applies, also to different epsilons.) Each
    mechanism may depend on earlier results, but its epsilon and delta must be fixed in advance. For
    challenge-DP the statement is about games against the same secret bit that are played one after
    the other, each with a learner and an adversary chosen after the games before
    (`CompositionGame`).

    Parameters
    ----------
    event : Event
        Releases whose total is computed.
    delta_slack : Fraction
        The part of delta for the composition, strictly between 0 and 1.

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
    >>> from learners.accounting import PureDP, SelfComposed, Scope
    >>> data = Scope.adaptive("replace_one")
    >>> looks = SelfComposed(PureDP(Fraction(1, 10), scope=data), 1000)
    >>> epsilon, delta = advanced(looks, Fraction(1, 10**6))
    >>> round(float(epsilon), 2), delta
    (27.14, Fraction(1, 1000000))
    """
    profile = _profile(event)
    if not delta_slack:
        raise InvalidInput("The delta slack must be positive, as its logarithm is used. Got 0.")
    if profile.unbounded:
        raise InvalidInput(
            "A zCDP event or a Gaussian event has no separate epsilon. Use zcdp or total."
        )
    # A mechanism of bounded range eta is eta-DP, so its range counts as a loss.
    entries = _merged((profile.losses, profile.ranges))
    if entries and entries[0][0] > OVERFLOW:
        # Basic composition is valid for every profile, so it replaces the formula for huge losses.
        return profile.pathwise, profile.delta + delta_slack
    squares, drift = Fraction(0), arb(0)
    with ctx.workprec(PRECISION):
        for value, often in entries:
            squares += value * value * often
            drift += ball(value) * often * ball(value).expm1()
        epsilon = (-2 * ball(delta_slack).log() * ball(squares)).sqrt() + drift
        return round_up(epsilon) if squares else Fraction(0), profile.delta + delta_slack


@dataclass(frozen=True)
class Total:
    """Smallest known total privacy of an event, with the accountant that found it.

    Attributes
    ----------
    privacy : Privacy
        Total (epsilon, delta), with neighbour relation, adversary model and unit.
    method : str
        ``basic``, ``advanced``, ``zcdp``, ``gaussian``, ``pld`` or ``split``.
    others : tuple of (str, Fraction)
        The epsilons of all methods that apply, by name.
    """

    privacy: Privacy
    method: str
    others: tuple[tuple[str, Fraction], ...] = field(compare=False, repr=False)

    @property
    def epsilon(self) -> Fraction:
        """Epsilon of the total privacy."""
        return self.privacy.epsilon

    @property
    def delta(self) -> Fraction:
        """Delta of the total privacy."""
        return self.privacy.delta

    def _repr_html_(self) -> str:
        """Return the result of every accountant, for notebooks."""
        rows = [(name, _shown(epsilon)) for name, epsilon in self.others]
        title = f"{self.privacy.summary} by {self.method}"
        return html_table(title, rows, head=("accountant", "epsilon"))


@check_arguments
def total(event: Event, delta: DeltaOrZero = Fraction(0)) -> Total:
    """Return the smallest epsilon at a given delta, over all accountants that apply.

    Parameters
    ----------
    event : Event
        Releases whose total is computed.
    delta : Fraction
        Total delta. If it equals the sum of the mechanisms' deltas, only basic composition applies.

    Raises
    ------
    InvalidInput
        If no accountant applies, because delta is less than the sum of the mechanisms' deltas, or a
        zCDP event comes without a delta.

    Examples
    --------
    >>> from learners.accounting import PureDP, SelfComposed, Scope
    >>> data = Scope.adaptive("replace_one")
    >>> total(SelfComposed(PureDP(Fraction(1, 10), scope=data), 3)).method
    'basic'
    >>> best = total(SelfComposed(PureDP(Fraction(1, 10), scope=data), 1000), Fraction(1, 10**6))
    >>> best.method, [(name, round(float(epsilon), 1)) for name, epsilon in best.others[1:]]
    ('pld', [('advanced', 27.1), ('zcdp', 20.6), ('gaussian', 21.4), ('pld', 19.3)])
    """
    if others := _alternatives(event):
        most = max((total(each, delta) for each in others), key=lambda each: each.epsilon)
        # The whole event may have a weaker scope than its costliest part.
        return replace(most, privacy=replace(most.privacy, scope=scope(event)))
    profile = _profile(event)
    if profile.delta > delta:
        raise InvalidInput(
            f"The delta must be at least the mechanisms' deltas, {_shown(profile.delta)} in total. "
            f"Got {_shown(delta)}."
        )
    found: dict[str, Fraction] = {}
    if not profile.unbounded:
        found["basic"] = profile.pathwise
    if profile.delta < delta:
        if not profile.unbounded:
            found["advanced"] = advanced(event, delta - profile.delta)[0]
        found["zcdp"] = zcdp(event, delta)[0]
        if not profile.rho:
            found["gaussian"] = gaussian(event, delta)[0]
        # These conditions repeat the conditions under which `pld` raises an error.
        composed = sum(often for _, often in profile.losses + profile.ranges)
        if not profile.unbounded and composed <= LATTICE:
            found["pld"] = pld(event, delta)[0]
        pure = sum((value * often for value, often in profile.losses), Fraction(0))
        # A split costs at least the pure losses, so it is computed only if it can be smaller.
        if pure and profile.ranges and not profile.unbounded and pure < min(found.values()):
            found["split"] = pure + _choices_total(event, delta)
    if not found:
        raise InvalidInput(
            "A zCDP event or a Gaussian event has an epsilon only with a positive delta."
        )
    # `min` returns the first of equal entries, so the simplest accountant wins a tie.
    method = min(found, key=lambda name: found[name])
    stated = scope(event)
    # An event without leaves releases no data, so its delta is 0.
    privacy = Privacy(found[method], Fraction(0) if stated is None else delta, stated)
    return Total(privacy, method, tuple(found.items()))


def _choices_total(event: Event, delta: Fraction) -> Fraction:
    """Return the smallest total of all choices of bounded range, without the pure mechanisms.

    Together with the sum of the pure losses, this total covers the whole event. *Proof.* Let e be
    the sum of the pure losses and let the choices without the pure mechanisms be (e', d)-DP. Let P
    and Q be the distributions of the views of two neighbouring inputs. Let R be the distribution in
    which the choices read the second input and the pure mechanisms read the first input. Given the
    view so far, the answers of the pure mechanisms have equal distributions in P and R, so they are
    coins of the adversary. Hence P(O) <= exp(e') R(O) + d for every event O. On every view, the
    pure mechanisms change the probability by a factor of at most exp(e), so R(O) <= exp(e) Q(O).
    QED The choices may be interleaved with the pure mechanisms.
    """
    profile, stated = _profile(event), scope(event)
    assert stated is not None
    choices = Sequential(
        tuple(
            SelfComposed(BoundedRange(value, scope=stated), often)
            for value, often in profile.ranges
        )
    )
    return total(choices, delta - profile.delta).epsilon
