"""The privacy loss of two given distributions: of fractions, floats with errors, or counts."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

from learners.audit.blind_spots import CHANNELS, NEIGHBOURS, PROGRAM, SIZES, BlindSpots, cut_mass
from learners.audit.claims import (
    RESOLUTION,
    Claim,
    Finding,
    Number,
    checked_claim,
    checked_delta,
    checked_epsilon,
    checked_resolution,
    checked_share,
)
from learners.audit.count_pairs import CountPair, require_used
from learners.audit.cumulants import (
    LARGEST_ORDER,
    Cumulant,
    ZCDPBound,
    least_zcdp,
    renyi_divergence,
)
from learners.audit.enclosures import Enclosure, float_above, float_below
from learners.audit.exact_measures import LEAST_FLOAT, ExactMeasure
from learners.audit.exact_pairs import Bounds, ExactPair
from learners.audit.float_pairs import FloatPair, one_rounding
from learners.audit.pairs import fraction
from learners.exact import PRECISION, OutputDistribution, require_same
from lsclasses.errors import InvalidInput
from lsclasses.numbers import as_printed, format_number, integer, parse_number, rational
from lsclasses.verdicts import Verdict

Probabilities = Mapping[Any, Any] | Sequence[Any] | NDArray[Any]
"""The probabilities or counts of a distribution: by outcome, or as an array."""

CONFIDENCE = 1 - Fraction(1, 10**6)
ONE_ROUNDING = Fraction(1, 1 << 53)
LARGEST_ERROR = Fraction(1, 1000)
"""Largest relative error of floats."""


class _Pair(Protocol):
    """The methods that `ExactPair`, `FloatPair` and `CountPair` share."""

    outcomes: Sequence[Hashable]

    @property
    def is_exact(self) -> bool: ...

    def delta(self, epsilon: Fraction, direction: int) -> Enclosure: ...

    def least_epsilon(self, delta: Fraction, direction: int) -> Enclosure: ...

    def event(self, epsilon: Fraction, direction: int) -> tuple[Hashable, ...]: ...

    def loss_event(self, delta: Fraction, direction: int) -> tuple[Hashable, ...]: ...

    def probability(self, side: int, event: frozenset[Hashable]) -> tuple[Any, Any]: ...

    def cumulant(self, direction: int) -> Cumulant: ...

    def tradeoff(self, *, upper: bool) -> NDArray[Any]: ...


@dataclass(frozen=True)
class WitnessEvent:
    """An event that distinguishes two distributions.

    Attributes
    ----------
    direction : int
        0 if the event is likelier under P, 1 if it is likelier under Q.
    outcomes : tuple
        The outcomes of the event, likelier outcomes first.
    probabilities : tuple
        The probabilities of the event under P and under Q: fractions if they are exact, otherwise
        an `Enclosure` of each.
    """

    direction: int
    outcomes: tuple[Hashable, ...]
    probabilities: tuple[Any, Any]


@dataclass(frozen=True)
class TradeoffCurve:
    """The trade-off curve of f-differential privacy [Dong, Roth, Su 2022, Definition 2.1].

    The curve T(P, Q) maps alpha to the least error of the second kind among all tests of P against
    Q whose error of the first kind is at most alpha. The curve is convex, and linear between its
    vertices. Exchanging the two errors gives the curve T(Q, P).

    Attributes
    ----------
    lower, upper : array of shape (number of vertices, 2)
        Vertices (first error, second error) of a curve below and of a curve above the true curve.
        For exact distributions, the two arrays are equal and contain fractions.
    """

    lower: NDArray[Any]
    upper: NDArray[Any]

    @property
    def vertices(self) -> list[tuple[Any, Any]]:
        """The vertices of the lower curve."""
        return [(first, second) for first, second in self.lower.tolist()]

    def at(self, alpha: Fraction | float) -> Enclosure:
        """Return bounds on the least error of the second kind, given the error of the first kind.

        Examples
        --------
        >>> curve = of_distributions(["1/2", "1/2"], ["1/4", "3/4"]).tradeoff()
        >>> curve.at(Fraction(1, 4))
        Enclosure(lower=0.625, upper=0.625)
        """
        first = Fraction(alpha)
        return Enclosure(
            max(0.0, float_below(_interpolated(self.lower, first))),
            min(1.0, float_above(_interpolated(self.upper, first))),
        )


def _interpolated(vertices: NDArray[Any], first: Fraction) -> Fraction:
    """Return the least second coordinate at a first coordinate, in exact arithmetic."""
    known = vertices[:, 0]
    # Vertices with the same first coordinate are a vertical line, of which the last one is lowest.
    after = bisect_right(known, first, key=Fraction)
    if after == 0 or after == len(known) or Fraction(known[after - 1]) == first:
        return Fraction(vertices[max(0, after - 1), 1])
    (x, y), (other_x, other_y) = (
        (Fraction(a), Fraction(b)) for a, b in vertices[after - 1 : after + 1].tolist()
    )
    return y + (other_y - y) * (first - x) / (other_x - x)


@dataclass(frozen=True)
class DistributionFinding(Finding):
    """The result of an audit of two distributions for a claim.

    Attributes
    ----------
    measured : Enclosure
        Bounds on delta(epsilon) at the claimed epsilon, the larger value of both directions.
    least_epsilon : Enclosure
        Bounds on the least epsilon at the claimed delta.
    event : WitnessEvent
        Event that attains delta(epsilon) or, if the claim holds, the least epsilon.
    blind_spots : BlindSpots
        The parts of the claim that the audit does not test.
    """

    measured: Enclosure
    least_epsilon: Enclosure
    event: WitnessEvent
    blind_spots: BlindSpots


class DistributionAudit:
    """The privacy loss of two distributions P and Q, the outputs on two neighbouring inputs.

    The function `of_distributions` makes the object. All methods take ``direction``: 0 for the loss
    of P against Q, 1 for the loss of Q against P, and None (the default) for the larger loss.

    Parameters
    ----------
    pair : ExactPair, FloatPair or CountPair
        The two distributions.
    blind_spots : BlindSpots
        The parts of the claim that the audit does not test.
    """

    def __init__(self, pair: _Pair, blind_spots: BlindSpots) -> None:
        self._pair = pair
        self.blind_spots = blind_spots
        self._cumulants: dict[int, Cumulant] = {}
        self._zcdp: ZCDPBound | None = None

    def __repr__(self) -> str:
        return f"DistributionAudit({len(self._pair.outcomes)} outcomes)"

    @property
    def is_exact(self) -> bool:
        """Whether the probabilities are exact fractions."""
        return self._pair.is_exact

    @property
    def is_sampled(self) -> bool:
        """Whether the distributions are given by counts of samples. Then only lower bounds hold."""
        return isinstance(self._pair, CountPair)

    def delta(self, epsilon: Number = 0, direction: int | None = None) -> Enclosure:
        """Return bounds on the least delta at an epsilon.

        The least delta is max_E P(E) - e^epsilon Q(E), the hockey-stick divergence.
        """
        exact = checked_epsilon(epsilon)
        return _largest(direction, lambda side: self._pair.delta(exact, side))

    def epsilon(self, delta: Number = 0, direction: int | None = None) -> Enclosure:
        """Return bounds on the least epsilon at a delta.

        The least e^epsilon is the largest (P(E_k) - delta)/Q(E_k), where E_k contains the k
        outcomes o with the largest ratios P(o)/Q(o). It is infinite if the outcomes that are
        possible under only one distribution have a total probability above delta.
        """
        allowed = checked_delta(delta)
        return _largest(direction, lambda side: self._pair.least_epsilon(allowed, side))

    def ratio(self, delta: Number = 0, direction: int | None = None) -> Fraction | float:
        """Return e^epsilon for the least epsilon at a delta, as an exact fraction or infinity.

        Raises
        ------
        InvalidInput
            If the probabilities are not exact fractions.
        """
        if not (isinstance(self._pair, ExactPair) and self._pair.is_exact):
            raise InvalidInput(
                "The ratio e^epsilon is a fraction only for probabilities that are fractions. Use "
                "epsilon(delta), which returns bounds."
            )
        pair, allowed = self._pair, checked_delta(delta)
        sides = (0, 1) if direction is None else (direction,)
        return max(pair.ratios(allowed, side)[0] for side in sides)

    def renyi(self, order: Fraction | float | int, direction: int | None = None) -> Enclosure:
        """Return bounds on the Renyi divergence of an order from 1 to infinity.

        The order is rounded to a float. Order 1 is the Kullback-Leibler divergence. For orders
        above 2^40, the lower bound is for order 2^40 and the upper bound for order infinity.

        Raises
        ------
        InvalidInput
            If the order is less than 1.
        """
        if not order >= 1:
            raise InvalidInput(f"The order must be at least 1. Got {order}.")
        # All finite orders above the largest order have the same bounds.
        value = float(order) if order in (1, math.inf) else float(min(order, 2 * LARGEST_ORDER))
        return _largest(direction, lambda side: renyi_divergence(self._cumulant(side), value))

    def zcdp(self) -> ZCDPBound:
        """Return bounds on the least rho with Renyi divergences of at most rho a for every order a.

        The bounds cover all orders a > 1 and both directions (`learners.audit.cumulants`).
        """
        if self._zcdp is None:
            self._zcdp = least_zcdp([self._cumulant(side) for side in (0, 1)])
        return self._zcdp

    def tradeoff(self) -> TradeoffCurve:
        """Return the trade-off curve of f-differential privacy.

        For counts of samples, the upper curve comes from events, each certified with the stated
        confidence. The lower curve is then 0.
        """
        upper = self._pair.tradeoff(upper=True)
        return TradeoffCurve(upper if self.is_exact else self._pair.tradeoff(upper=False), upper)

    def event(self, epsilon: Number | None = None, delta: Number = 0) -> WitnessEvent:
        """Return an event that attains the privacy loss of the distributions.

        Parameters
        ----------
        epsilon : Fraction, float or str, optional
            Epsilon at which the event attains delta(epsilon). Without this argument, the event
            attains the least epsilon at `delta`.
        delta : Fraction, float or str
            Delta of the least epsilon.
        """
        if epsilon is None:
            allowed = checked_delta(delta)
            losses = [self._pair.least_epsilon(allowed, side).lower for side in (0, 1)]
            direction = int(losses[1] > losses[0])
            outcomes = self._pair.loss_event(allowed, direction)
        else:
            exact = checked_epsilon(epsilon)
            deltas = [self._pair.delta(exact, side).lower for side in (0, 1)]
            direction = int(deltas[1] > deltas[0])
            outcomes = self._pair.event(exact, direction)
        found = [self._pair.probability(side, frozenset(outcomes)) for side in (0, 1)]
        probabilities = tuple(
            low
            if isinstance(low, Fraction) and low == high
            else Enclosure(float_below(low), float_above(high))
            for low, high in found
        )
        return WitnessEvent(direction, outcomes, (probabilities[0], probabilities[1]))

    def against(self, claim: Claim, *, resolution: Number = RESOLUTION) -> DistributionFinding:
        """Compare the privacy loss of the distributions with a privacy claim.

        Parameters
        ----------
        claim : Event or (epsilon, delta)
            Claimed privacy.
        resolution : Fraction
            Tolerance. The verdict is "holds" if the upper bound on delta(epsilon) is at most the
            claimed delta plus the tolerance. Counts of samples never lead to this verdict.
        """
        epsilon, delta = checked_claim(claim)
        measured, least = self.delta(epsilon), self.epsilon(delta)
        if Fraction(measured.lower) > delta:
            verdict = Verdict.VIOLATED
        elif self.is_sampled:
            verdict = Verdict.CONSISTENT
        elif Fraction(measured.upper) <= delta + checked_resolution(resolution):
            verdict = Verdict.HOLDS
        else:
            verdict = Verdict.UNDECIDED
        violated = verdict == Verdict.VIOLATED
        event = self.event(epsilon) if violated else self.event(delta=delta)
        return DistributionFinding(
            epsilon, delta, verdict, event.direction, measured, least, event, self.blind_spots
        )

    def _cumulant(self, side: int) -> Cumulant:
        if side not in self._cumulants:
            self._cumulants[side] = self._pair.cumulant(side)
        return self._cumulants[side]


def _largest(direction: int | None, measure: Any) -> Enclosure:
    found: Enclosure
    if direction is not None:
        if direction not in (0, 1):
            raise InvalidInput(f"The direction must be 0, 1 or None. Got {direction!r}.")
        found = measure(direction)
        return found
    found = measure(0)
    return found.largest(measure(1))


def of_distributions(
    P: Probabilities | OutputDistribution[Any],
    Q: Probabilities | OutputDistribution[Any],
    *,
    counts: bool = False,
    error: Number | None = None,
    confidence: Number | None = None,
    rng: int | np.random.Generator | np.random.SeedSequence | None = 0,
) -> DistributionAudit:
    """Return an audit of two finite distributions, with bounds on their privacy loss.

    Parameters
    ----------
    P, Q : mapping of outcome to number, array, or OutputDistribution
        The output distributions of a mechanism on two neighbouring inputs. Two arrays have entries
        for the same outcomes in one order. The numbers are one of the following:

        * Fractions, integers or strings such as "1/3". They must sum to exactly 1. Ratios, events
          and trade-off curves are exact. Bounds on delta and epsilon come from ball arithmetic, and
          bounds on Renyi divergences of more than 256 outcomes from floating point.
        * Floats. Each float may differ from the true probability by a factor of 1 + error or
          1 - error. The true probabilities must be able to sum to 1. A positive float must be at
          least 2^-1000, because smaller floats may have larger errors. If some numbers are floats,
          all numbers are rounded to floats.
        * Counts of independent draws, with ``counts=True``. The audit then computes only lower
          bounds on the loss, each of which holds with the given confidence.

        All bounds are rounded to the safe side. Bounds from floating point assume that exponentials
        and logarithms of NumPy have at most eight roundings.
    counts : bool
        Whether the numbers are counts.
    error : Fraction, float or str, optional
        Relative error of floats. The default is one rounding of their type: 2^-53, or 2^-24 for
        ``numpy.float32``.
    confidence : Fraction, float or str, optional
        Probability with which each bound from counts holds, 1 - 10^-6 by default.
    rng : int, numpy.random.Generator, numpy.random.SeedSequence or None
        Seed that divides the draws at random into a half that chooses events and a half that
        certifies them.

    Returns
    -------
    DistributionAudit

    Raises
    ------
    InvalidInput
        If a number is negative or not a number, probabilities do not sum to 1, no outcome has a
        positive probability, or a positive float is less than 2^-1000. Also if a confidence is
        given without counts, or an error with counts.

    Examples
    --------
    Randomized response, which keeps a bit with probability 3/4:

    >>> loss = of_distributions({0: "3/4", 1: "1/4"}, {0: "1/4", 1: "3/4"})
    >>> loss.ratio(), loss.ratio(delta="1/10")
    (Fraction(3, 1), Fraction(13, 5))
    >>> loss.delta(1).upper < 0.0705
    True
    >>> loss.tradeoff().vertices[1], loss.event().outcomes
    ((Fraction(1, 4), Fraction(1, 4)), (0,))

    Different supports need an infinite epsilon at delta 0:

    >>> of_distributions([0.5, 0.5, 0.0], [0.0, 0.5, 0.5]).epsilon()
    Enclosure(lower=inf, upper=inf)

    Counts of 1000 draws for each input give lower bounds:

    >>> loss = of_distributions({"yes": 750, "no": 250}, {"yes": 250, "no": 750}, counts=True)
    >>> 0.5 < loss.epsilon().lower < 1.0987
    True
    """
    if isinstance(P, OutputDistribution) or isinstance(Q, OutputDistribution):
        if not (isinstance(P, OutputDistribution) and isinstance(Q, OutputDistribution)):
            raise InvalidInput("Both distributions must be output distributions. Got only one.")
        require_used(counts, error, confidence, of_outputs=True)
        return _of_outputs(P, Q)
    require_used(counts, error, confidence)
    outcomes, p, q = _aligned(P, Q)
    where = f"{len(outcomes)} outcomes"
    unseen = (SIZES, NEIGHBOURS, CHANNELS, PROGRAM)
    if counts:
        level = checked_share(CONFIDENCE if confidence is None else confidence, "confidence")
        drawn = _checked_counts(p, "P"), _checked_counts(q, "Q")
        pair: _Pair = CountPair(outcomes, *drawn, level, np.random.default_rng(rng))
        sizes = f"{int(drawn[0].sum())} draws of P and {int(drawn[1].sum())} draws of Q"
        rare = "outcomes that were not drawn, and events that are rarer than about 30 draws in all"
        spots = BlindSpots(
            f"{where} in {sizes}", "unknown, because only draws are known", (rare, *unseen), True
        )
        return DistributionAudit(pair, spots)
    if error is None and not _has_floats(p) and not _has_floats(q):
        pair = ExactPair(outcomes, _checked_exact(p, "P"), _checked_exact(q, "Q"))
        return DistributionAudit(pair, BlindSpots(where, cut_mass(0), unseen))
    relative = one_rounding(P, Q) if error is None else _checked_error(error)
    floats = (_checked_floats(p, "P", relative), _checked_floats(q, "Q", relative))
    pair = FloatPair(outcomes, *floats, float_above(relative))
    precise = f"{where}, with probabilities up to a relative error of {float(relative):.3g}"
    return DistributionAudit(pair, BlindSpots(precise, cut_mass(0), unseen))


# ---- checks of the input


def _aligned(P: Any, Q: Any) -> tuple[Sequence[Hashable], Sequence[Any], Sequence[Any]]:
    """Return the outcomes and the numbers of both distributions in one order."""
    if isinstance(P, Mapping) != isinstance(Q, Mapping):
        raise InvalidInput("P and Q must both be mappings or both be arrays. Got one of each.")
    if isinstance(P, Mapping):
        keys = {outcome: outcome for outcome in P}
        for outcome in Q:
            require_same(keys.setdefault(outcome, outcome), outcome)
        found: tuple[Sequence[Hashable], Any, Any] = (
            list(keys),
            [P.get(outcome, 0) for outcome in keys],
            [Q.get(outcome, 0) for outcome in keys],
        )
    else:
        if np.ndim(P) != 1 or np.ndim(Q) != 1 or len(P) != len(Q):
            raise InvalidInput(
                "P and Q must be arrays of one dimension with one entry for each outcome. Got the "
                f"shapes {np.shape(P)} and {np.shape(Q)}."
            )
        found = range(len(P)), P, Q
    if not len(found[0]):
        raise InvalidInput("A distribution needs at least one outcome. Got none.")
    return found


def _has_floats(values: Sequence[Any]) -> bool:
    if isinstance(values, np.ndarray) and values.dtype != object:
        return bool(np.issubdtype(values.dtype, np.floating))
    return any(isinstance(value, (float, np.floating)) for value in values)


def _checked_exact(values: Sequence[Any], name: str) -> tuple[ExactMeasure, ExactMeasure]:
    described = f"probability in {name}"
    measure = ExactMeasure.of([rational(value, described) for value in values])
    if min(measure.numerators) < 0:
        raise InvalidInput(f"The probabilities of {name} must be at least 0. Got {min(measure)}.")
    if (total := measure.total()) != 1:
        raise InvalidInput(f"The probabilities of {name} must sum to exactly 1. Got {total}.")
    return measure, measure


def _checked_error(error: Number) -> Fraction:
    relative = as_printed(error, "error")
    if not 0 <= relative <= LARGEST_ERROR:
        raise InvalidInput(f"The error must be from 0 to 1/1000. Got {error}.")
    return max(relative, ONE_ROUNDING)


def _checked_floats(values: Sequence[Any], name: str, error: Fraction) -> NDArray[np.float64]:
    try:
        given = (
            values
            if isinstance(values, np.ndarray)
            else np.array([_number(each, name) for each in values])
        )
        array = given.astype(float)
    except (TypeError, ValueError, OverflowError):
        raise InvalidInput(f"The probabilities of {name} must be numbers.") from None
    refused = array[~(np.isfinite(array) & (array >= 0))]
    if len(refused):
        raise InvalidInput(
            f"The probabilities of {name} must be finite and at least 0. Got {float(refused[0])}."
        )
    if ((array < LEAST_FLOAT) & (given != 0)).any():
        least = given[(array < LEAST_FLOAT) & (given != 0)].min()
        raise InvalidInput(
            f"The positive probabilities of {name} must be at least 2^-1000 if a probability is a "
            f"float, because smaller floats may have large errors. Got {_printed(least)}. Use "
            "fractions or strings for all probabilities, or 0 for an impossible outcome."
        )
    total = Fraction(math.fsum(array.tolist()))
    off = abs(total - 1)
    # The exactly rounded sum has one more rounding.
    if off > error * total + 2 * ONE_ROUNDING:
        needed = Fraction(101, 100) * off
        remedy = ""
        if needed <= LARGEST_ERROR:
            remedy = (
                " If the numbers have larger rounding errors, pass "
                f"error={float(needed):.2g} or more."
            )
        raise InvalidInput(
            f"The probabilities of {name} must sum to 1, up to their relative error "
            f"{float(error):.3g}. They sum to 1 {'+' if total > 1 else '-'} {float(off):.3g}."
            f"{remedy}"
        )
    return array


def _printed(value: Any) -> str:
    return format_number(Fraction(value)) if isinstance(value, (int, Fraction)) else f"{value}"


def _number(value: Any, name: str) -> Any:
    """Return a number, and a string as an exact fraction."""
    return parse_number(value, f"probability in {name}") if isinstance(value, str) else value


def _checked_counts(values: Sequence[Any], name: str) -> NDArray[np.int64]:
    if isinstance(values, np.ndarray) and np.issubdtype(values.dtype, np.integer):
        array = values.astype(np.int64)
    else:
        array = np.array([integer(value, f"count in {name}") for value in values], np.int64)
    if array.min() < 0:
        raise InvalidInput(f"The counts of {name} must be at least 0. Got {int(array.min())}.")
    if array.sum() < 4:
        raise InvalidInput(f"The counts of {name} must sum to at least 4. Got {int(array.sum())}.")
    return array


# ---- output distributions of programs


def of_interval(enclosure: arb) -> tuple[Fraction, Fraction]:
    """Return the ends of a ball around a probability as fractions."""
    low, high = fraction(enclosure.lower()), fraction(enclosure.upper())
    return max(Fraction(0), low), min(Fraction(1), high)


def _of_outputs(P: OutputDistribution[Any], Q: OutputDistribution[Any]) -> DistributionAudit:
    keys = {outcome: outcome for outcome in P}
    for outcome in Q:
        require_same(keys.setdefault(outcome, outcome), outcome)
    sides: list[Bounds] = []
    cuts = []
    for law in (P, Q):
        side = []
        for outcome in keys:
            weight = law.weights.get(outcome)
            if weight is None:
                side.append((Fraction(0), Fraction(0)))
            elif weight.ball.is_zero():
                exact = Fraction(int(weight.exact.p), int(weight.exact.q))
                side.append((exact, exact))
            else:
                with ctx.workprec(PRECISION):
                    side.append(of_interval(weight.enclosure))
        lower = ExactMeasure.of([low for low, _ in side])
        known = all(low == high for low, high in side)
        sides.append((lower, lower if known else ExactMeasure.of([high for _, high in side])))
        cuts.append(of_interval(law.tail)[1])
    pair = ExactPair(list(keys), sides[0], sides[1], (cuts[0], cuts[1]))
    branches = P.branches + Q.branches
    enumerated = f"{len(keys)} outcomes in {branches} branches"
    unseen = (SIZES, NEIGHBOURS, CHANNELS, PROGRAM)
    return DistributionAudit(pair, BlindSpots(enumerated, cut_mass(float_above(max(cuts))), unseen))
