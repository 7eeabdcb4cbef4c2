"""Epsilons of an event by all accountants, and the sharper epsilons of calibrated mechanisms."""

from __future__ import annotations

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
from learners.accounting.conversions import zcdp, zcdp_epsilon
from learners.accounting.events import BoundedRange, Event
from learners.accounting.gaussians import gaussian
from learners.accounting.loss_distributions import LATTICE, LONGEST_SEARCH, _spent, pld
from learners.accounting.profiles import Profile, _merged
from learners.balls import ball, round_up
from learners.number_arguments import OVERFLOW, PRECISION, _shown
from lsclasses.errors import InvalidInput
from lsclasses.options import Option, check_arguments

DeltaSlack = Annotated[Fraction, Option("delta slack", minimum=0, below=1)]


@check_arguments
def advanced(event: Event, delta_slack: DeltaSlack) -> tuple[Fraction, Fraction]:
    """Return epsilon and delta by advanced composition [KMMNS23, Thm 3.3].

    (Dwork, Rothblum, Vadhan 2010.) For mechanisms that are (epsilon_i, delta_i)-DP, the epsilon is
    sqrt(2 ln(1/delta_slack) sum epsilon_i^2) + sum epsilon_i (e^epsilon_i - 1), with delta = sum
    delta_i + delta_slack. (A loss in [-epsilon_i, epsilon_i] has mean at most epsilon_i
    (e^epsilon_i - 1). Azuma's inequality then applies, also to different epsilons.) Each mechanism
    may depend on earlier results, but its epsilon and delta must be fixed in advance. For
    challenge-DP, the statement is about several games with the same secret bit that are played one
    after another. The learner and the adversary of each game may be chosen after the earlier games
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
        Epsilon, rounded up, and the total delta.

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


def epsilons(event: Event, delta: Fraction) -> dict[str, Fraction]:
    """Return the epsilon of an event by each accountant that applies, at a given delta.

    The event must not consist of alternatives, of which a changed example meets only one.

    Parameters
    ----------
    event : Event
        Releases whose total is computed.
    delta : Fraction
        Total delta.

    Raises
    ------
    InvalidInput
        If no accountant applies.

    Examples
    --------
    >>> from learners.accounting import PureDP, Scope
    >>> look = PureDP(Fraction(1, 10), scope=Scope.adaptive("replace_one"))
    >>> epsilons(SelfComposed(look, 3), Fraction(0))
    {'basic': Fraction(3, 10)}
    """
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
    return found


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
    return min(epsilons(choices, delta - profile.delta).values())


def repeated_epsilon(event: Event, delta: Fraction, epsilon: Fraction) -> Fraction:
    """Return an epsilon of an event that repeats one mechanism, at most the given one.

    An event of several different losses keeps the given epsilon.

    Parameters
    ----------
    event : Event
        Releases whose total is computed.
    delta : Fraction
        Total delta of the event, more than the sum of the mechanisms' deltas.
    epsilon : Fraction
        Epsilon that holds at this delta, for example by zCDP.

    Examples
    --------
    >>> from learners.accounting import PureDP, SelfComposed, Scope
    >>> answers = SelfComposed(PureDP(Fraction(1, 10), scope=Scope.adaptive("replace_one")), 1000)
    >>> round(float(repeated_epsilon(answers, Fraction(1, 10**6), Fraction(20))), 1)
    19.3
    """
    profile = _profile(event)
    if profile.unbounded or profile.ranges or len(profile.losses) != 1:
        return epsilon
    ((_, often),) = profile.losses
    return min(epsilon, pld(event, delta)[0]) if often <= LATTICE else epsilon


def choices_epsilon(event: Event, delta: Fraction, epsilon: Fraction) -> Fraction:
    """Return an epsilon of an event whose costliest alternative decides, at most the given one.

    Alternatives with choices get the total of all accountants. Alternatives that repeat one
    mechanism get the bound of `repeated_epsilon`. Other alternatives keep the given epsilon, which
    holds for all of them.

    Parameters
    ----------
    event : Event
        Releases whose total is computed.
    delta : Fraction
        Delta of the event, positive.
    epsilon : Fraction
        Epsilon that another accountant proves.
    """
    alternatives = _alternatives(event)
    # A game of several buckets is an alternative that consists of alternatives.
    nested = [each for each in alternatives if _alternatives(each)]
    simple = [each for each in alternatives if not _alternatives(each)]
    most = max((choices_epsilon(each, delta, epsilon) for each in nested), default=Fraction(0))
    quick = [(_choices_epsilon(_profile(each), delta, epsilon), each) for each in simple]
    for best, each in sorted(quick, key=lambda pair: pair[0], reverse=True):
        # The other accountants only lower the bound of an alternative.
        if best > most:
            most = max(most, _lowest_epsilon(each, delta, best))
    return most if alternatives else epsilon


def _lowest_epsilon(event: Event, delta: Fraction, best: Fraction) -> Fraction:
    """Return the least epsilon of one alternative by all accountants, at most the given one."""
    if delta <= event.profile().delta:
        # Only the delta that the mechanisms leave can be spent on their composition.
        return best
    if _has_choices(_profile(event)):
        best = min(best, *epsilons(event, delta).values())
    return repeated_epsilon(event, delta, best)


def _has_choices(profile: Profile) -> bool:
    """Return whether choices of bounded range are composed with pure mechanisms only."""
    return bool(profile.ranges) and not profile.unbounded


def _choices_epsilon(profile: Profile, delta: Fraction, epsilon: Fraction) -> Fraction:
    best = min(epsilon, profile.pathwise) if not (profile.delta or profile.unbounded) else epsilon
    pure = [loss for loss, often in profile.losses for _ in range(min(often, 2))]
    if profile.delta or profile.unbounded or len(profile.ranges) != 1 or len(pure) > 1:
        return best
    ((eta, count),) = profile.ranges
    loss = sum(pure, Fraction(0))
    best = min(best, loss + zcdp_epsilon(eta**2 * count / 8, delta))
    if count == 1 or count > LONGEST_SEARCH:
        return best
    spent = _spent(epsilon, delta, count, loss, eta)
    return best if spent is None else min(best, Fraction(spent))
