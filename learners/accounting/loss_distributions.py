"""Privacy loss distributions: the optimal composition of mechanisms with bounded losses.

Randomized response has the worst loss distribution of all e-DP mechanisms (Kairouz, Oh, Viswanath
2015): the loss is e with probability e^e/(1 + e^e), and otherwise -e. So the sum of the losses of
k such mechanisms has a binomial distribution. If few values are possible, balls add up

    delta(epsilon) = sum of P[l] max(0, 1 - e^(epsilon - l)) over the losses l.

For several different losses, or together with choices of bounded range, the grid of
`learners.accounting.bounded_ranges` rounds the sum up.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

import numpy as np
from flint import arb, ctx, fmpq

from learners.accounting.bounded_ranges import (
    LEAST,
    Values,
    after_choices,
    fixed_in_advance,
    segments_of,
)
from learners.accounting.bounded_ranges import LONGEST as LONGEST_GRID
from learners.accounting.compositions import InAdvance, _profile, _slack
from learners.accounting.conversions import zcdp_epsilon, zcdp_rho
from learners.accounting.events import Event
from learners.accounting.profiles import Profile, Runs, _merged
from learners.balls import ball, round_down, round_up
from learners.checked import Choices, DeltaOrZero, EpsilonOrZero
from learners.number_arguments import OVERFLOW, PRECISION, _shown, log_in_floats
from lsclasses.errors import InvalidInput
from lsclasses.options import check_arguments

LATTICE = 1 << 18
"""Largest number of releases whose losses are added to a privacy loss distribution."""

ATOMS = 1 << 13
"""Largest number of values of a total loss that are added up one by one."""

POINTS = 1 << 13
"""Number of points of the grid for a total loss with more than `ATOMS` values."""

LONGEST_SUM = 2 * 10**7
"""Largest number of values of a loss times the number of points of the grid."""

WIDEST = Fraction(10) ** 250
"""Inverse of the smallest total loss for which a grid is computed."""

NEGLIGIBLE = Fraction(1, 10**6)
"""Part of delta that pays for the largest losses, which are left out."""

RANGE_STEPS = 4
"""Number of candidate ranges that `widest_range` tries."""

RANGE_MARGIN = 1 - 2.0**-12
"""Factor between the estimated optimum and the range that is tried, so that most tries succeed."""

LONGEST_SEARCH = 64
"""Largest number of choices for which `widest_range` searches."""

SEARCHED_STEPS = ((32, 4), (16, 2))
"""Pairs of a count and a step. Above the count, `widest_range` searches only for multiples of the
step."""

Atoms = tuple[tuple[tuple[Fraction, arb], ...], arb]
"""Losses with their probabilities, and a bound on the probability of larger losses."""


@check_arguments
def pld(event: Event, delta: DeltaOrZero) -> tuple[Fraction, Fraction]:
    """Return epsilon at a given delta by privacy loss distributions.

    For mechanisms with delta = 0 and given epsilons, the bound is the best possible (Kairouz, Oh,
    Viswanath 2015). It is also the best possible for mechanisms of bounded range if all ranges are
    equal (`learners.accounting.bounded_ranges`). Mechanisms of several different ranges count as
    epsilon-DP mechanisms. The epsilons and ranges must be fixed in advance, and must not depend on
    earlier releases. The computation is exact up to rounding for repetitions of one mechanism and
    for `InAdvance`. In all other cases, losses are rounded up to a grid, which adds less than 1 %
    in most cases.

    Parameters
    ----------
    event : Event
        Releases whose total is computed.
    delta : Fraction
        Total delta of the event, which includes the deltas of the mechanisms.

    Returns
    -------
    epsilon, delta : Fraction
        Epsilon at this delta, rounded up, and the delta.

    Raises
    ------
    InvalidInput
        If a mechanism is zCDP or Gaussian, delta does not exceed the sum of the deltas of all
        mechanisms, or the number of mechanisms is too large.

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
    if profile.unbounded:
        raise InvalidInput(
            "The accountant pld is for bounded losses. Use zcdp for a zCDP or Gaussian event."
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
    if profile.pathwise > OVERFLOW / 2 and entries[0][0] > OVERFLOW / 2:
        return profile.pathwise, delta
    found = [profile.pathwise, *_optima(profile.losses, profile.ranges, slack)]
    if isinstance(event, InAdvance) and not profile.losses and len(profile.ranges) == 1:
        ((eta, count),) = profile.ranges
        if (fixed := fixed_in_advance(eta, count, slack)) is not None:
            found.append(fixed)
    return min(found), delta


@lru_cache(maxsize=256)
def _optima(losses: Runs, ranges: Runs, delta: Fraction) -> tuple[Fraction, ...]:
    """Return upper bounds of the optimal epsilon, of those computations that are not too long.

    The results are stored, since a model is fitted and read again with the same ledger, in
    cross-validation many times.
    """
    # A mechanism of bounded range eta is eta-DP. The grid has one range, the most important one.
    if ranges:
        main = max(ranges, key=lambda entry: entry[0] ** 2 * entry[1])
        others = tuple(entry for entry in ranges if entry != main)
        if (found := _on_grid(_merged((losses, others)), (main,), delta)) is not None:
            return (found,)
    losses = _merged((losses, ranges))
    parts = [_responses(loss, count, delta * NEGLIGIBLE / len(losses)) for loss, count in losses]
    if math.prod(len(atoms) for atoms, _ in parts) <= ATOMS:
        return (_from_atoms(parts, delta),)
    return () if (found := _on_grid(losses, (), delta)) is None else (found,)


@lru_cache(maxsize=256)
def _responses(loss: Fraction, count: int, left_out: Fraction) -> Atoms:
    """Return the distribution of the total loss of randomized responses, rounded up.

    Losses whose probability is surely at most `left_out` are left out at the upper end. At the
    lower end, these losses are moved to the least listed loss, which does not decrease delta.
    """
    with ctx.workprec(2 * PRECISION):
        log_likely = -((-ball(loss)).exp()).log1p()
        log_rest = log_likely - ball(loss)
        # By Hoeffding's inequality, the number of losses -e is within this distance of its mean.
        distance = math.ceil(math.sqrt(count * -log_in_floats(left_out) / 2) * 1.001) + 2
        mean = int(count * float(log_rest.exp()))
        first, last = max(0, mean - distance), min(count, mean + distance + 1)
        atoms = []
        log_ways = arb(count + 1).lgamma() - arb(first + 1).lgamma()
        log_ways -= arb(count - first + 1).lgamma()
        term = (log_ways + log_likely * (count - first) + log_rest * first).exp()
        for i in range(first, last + 1):
            atoms.append(((count - 2 * i) * loss, term))
            term *= (-ball(loss)).exp() * (count - i) / (i + 1)
        if last < count:
            atoms[-1] = atoms[-1][0], atoms[-1][1] + ball(left_out)
        return tuple(atoms), ball(left_out) if first else arb(0)


def _from_atoms(parts: list[Atoms], delta: Fraction) -> Fraction:
    """Return the least epsilon of independent losses at a delta, rounded up.

    Let P and Q be the probabilities, in the two worlds, of the losses above a bound. Then delta is
    the largest P - e^epsilon Q. So epsilon is the largest logarithm of (P - delta)/Q.
    """
    with ctx.workprec(2 * PRECISION):
        left_out = sum((rest for _, rest in parts), arb(0))
        scale = math.lcm(*(loss.denominator for atoms, _ in parts for loss, _ in atoms))
        joint = {0: arb(1)}
        for atoms, _ in parts:
            places = [(int(loss * scale), probability) for loss, probability in atoms]
            before, joint = joint, {}
            for start, so_far in before.items():
                for place, probability in places:
                    found = so_far * probability
                    known = joint.get(start + place)
                    joint[start + place] = found if known is None else known + found
        near, far, best = left_out - ball(delta), arb(0), arb(0)
        for place in sorted(joint, reverse=True):
            near += joint[place]
            far += joint[place] * arb(fmpq(-place, scale)).exp()
            if not near < 0:
                best = best.max(near / far)
        # Below 1, the upper end of the ball also proves epsilon = 0.
        return round_up(best.upper().log()) if best.upper() > 1 else Fraction(0)


def _on_grid(losses: Runs, ranges: Runs, delta: Fraction) -> Fraction | None:
    """Return an upper bound of the optimal epsilon by a grid, or None if it is too large."""
    if float(delta) < LEAST:
        return None
    profile = Profile(losses, ranges)
    rest = delta * NEGLIGIBLE
    bound = min(zcdp_epsilon(profile.concentrated, delta / 1000), profile.pathwise)
    if not bound or not 1 / WIDEST < bound < OVERFLOW / 2:
        return None if bound else Fraction(0)
    reach = float(bound)
    values = Values(reach / POINTS, np.zeros(POINTS + 2))
    for eta, count in ranges:
        segments = segments_of(eta, count, reach)
        if segments is None:
            return None
        values = after_choices(eta, count, segments, int(reach * segments / float(eta)) + 2)
    for loss, count in losses:
        atoms, left_out = _responses(loss, count, rest / len(losses))
        if len(atoms) * len(values.values) > LONGEST_SUM:
            return None
        values = values.after_response(
            [(each, float(p.upper()) * (1 + 1e-15)) for each, p in atoms], float(left_out.upper())
        )
    found = values.epsilon(float(delta) * (1 - 1e-15))
    return None if found is None else Fraction(found)


# ---- calibration


@lru_cache(maxsize=1024, typed=True)
@check_arguments
def widest_range(
    epsilon: EpsilonOrZero, delta: DeltaOrZero, count: Choices, pure: EpsilonOrZero = Fraction(0)
) -> Fraction:
    """Return a range of choices that are private together with one pure mechanism, rounded down.

    The mechanism is `pure`-DP. It is followed by `count` choices of the returned range, such as
    draws by the exponential mechanism. Every choice may depend on all earlier releases. Together
    they are (epsilon, delta)-DP. The range is the largest of three ranges. Basic composition allows
    (epsilon - pure)/count. zCDP of the choices allows sqrt(8 rho/count) at epsilon - pure. The
    optimal adaptive composition on a coarse grid (`learners.accounting.bounded_ranges`) allows more
    for up to `LONGEST_SEARCH` choices.

    Parameters
    ----------
    epsilon, delta : Fraction
        Privacy of all releases.
    count : int
        Number of choices, at least 1.
    pure : Fraction
        Epsilon of the pure mechanism, less than `epsilon`.

    Raises
    ------
    InvalidInput
        If `pure` is not less than epsilon, or a number is out of range or a float.

    Examples
    --------
    >>> share, delta = Fraction(1, 2), Fraction(1, 10**6)
    >>> [round(float(widest_range(Fraction(1), delta, count, share)), 3) for count in (1, 4, 20)]
    [0.5, 0.142, 0.057]
    >>> from learners.accounting.conversions import zcdp_rho
    >>> round((8 * float(zcdp_rho(share, delta)) / 20) ** 0.5, 3)
    0.052
    """
    rest = epsilon - pure
    if rest <= 0:
        raise InvalidInput(
            f"The pure mechanism must leave a positive epsilon for the choices. Got {_shown(pure)} "
            f"of {_shown(epsilon)}."
        )
    found = rest / count
    if not delta:
        return found
    with ctx.workprec(PRECISION):
        found = max(found, round_down((8 * ball(zcdp_rho(rest, delta)) / count).sqrt()))
    if count == 1 or count > LONGEST_SEARCH:
        return found
    step = next((step for beyond, step in SEARCHED_STEPS if count > beyond), 1)
    if count % step:
        # Fewer choices of one range cost less.
        return max(found, widest_range(epsilon, delta, count + step - count % step, pure))
    return _widened(epsilon, delta, count, pure, found)


def _widened(
    epsilon: Fraction, delta: Fraction, count: int, pure: Fraction, found: Fraction
) -> Fraction:
    """Return the largest range that the search of `widest_range` proves, from a valid range on."""
    # The loss beyond the pure mechanism is almost proportional to the range. Every range that the
    # grid proves is valid, so the search may stop anywhere.
    tried = float(found)
    for _ in range(RANGE_STEPS):
        eta = Fraction(tried)
        spent = _spent(epsilon, delta, count, pure, eta)
        if spent is None:
            break
        if spent <= epsilon:
            found = max(found, eta)
        if not spent > pure:
            break
        tried *= float(epsilon - pure) / (spent - float(pure)) * RANGE_MARGIN
    return found


def _spent(
    epsilon: Fraction, delta: Fraction, count: int, pure: Fraction, eta: Fraction
) -> float | None:
    """Return an epsilon of a pure mechanism and choices of range eta, or None if the grid ends."""
    target = float(delta)
    if target < LEAST or not epsilon < OVERFLOW / 2:
        return None
    # Few choices need a fine grid, which is short.
    segments = 64 if count <= 4 else 32 if count <= 8 else 16
    points = int((epsilon + pure) * Fraction(3, 2) / eta * segments) + 2
    if points > LONGEST_GRID:
        return None
    values = after_choices(eta, count, segments, points)
    if pure:
        atoms, left_out = _responses(pure, 1, delta * NEGLIGIBLE)
        values = values.after_response(
            [(each, float(p.upper()) * (1 + 1e-15)) for each, p in atoms], float(left_out.upper())
        )
    return values.epsilon(target * (1 - 1e-15))
