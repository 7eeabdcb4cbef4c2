"""Two finite distributions that are known by counts of independent draws.

A random half of the counts chooses an event. The other half certifies the event by Clopper-Pearson
bounds (`learners.audit.certified_events`). So all numbers are lower bounds on the loss. The
choosing half is a uniformly random set of draws of a fixed size, so the draws of the other half
remain independent of the chosen event.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from learners.audit.certified_events import CertifiedEvent, clopper_pearson
from learners.audit.cumulants import BallCumulant, Floats
from learners.audit.enclosures import Enclosure, float_above, float_below
from lsclasses.errors import InvalidInput

CANDIDATES = 256
"""Largest number of candidate events of which one is chosen."""

Counts = NDArray[np.int64]


@dataclass
class _Lower:
    """The function psi of an event, as a lower bound."""

    event: BallCumulant

    def psi(self, order: float) -> Enclosure:
        return Enclosure(self.event.psi(order).lower, math.inf)

    def relative_entropy(self) -> Enclosure:
        return Enclosure(self.event.relative_entropy().lower, math.inf)

    def largest_loss(self) -> Enclosure:
        return Enclosure(self.event.largest_loss().lower, math.inf)


@dataclass
class CountPair:
    """Two distributions P and Q, known only by counts of their random draws.

    Parameters
    ----------
    outcomes : sequence of hashable
        The outcomes.
    p, q : array of int
        Number of draws of each outcome, for P and for Q.
    confidence : Fraction
        Confidence of every number that a method returns.
    rng : numpy.random.Generator
        Generator that chooses the halves.
    """

    outcomes: Sequence[Hashable]
    p: Counts
    q: Counts
    confidence: Fraction
    rng: np.random.Generator
    is_exact: bool = False
    _choosers: tuple[Counts, Counts] = field(init=False)
    _certifiers: tuple[Counts, Counts] = field(init=False)
    _events: dict[tuple[int, float, float], tuple[NDArray[np.intp], CertifiedEvent]] = field(
        init=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        halves = [random_half(each, self.rng) for each in (self.p, self.q)]
        self._choosers = halves[0], halves[1]
        self._certifiers = self.p - halves[0], self.q - halves[1]

    def _candidates(self, direction: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the outcomes by decreasing ratio of their counts, and the ends of some events."""
        mine, other = self._choosers[direction], self._choosers[1 - direction]
        ratios = (mine + 0.5) / (other + 0.5)
        order = np.argsort(-ratios, kind="stable")
        useful = int((mine > 0).sum())
        ends = np.unique(np.linspace(1, max(1, useful), CANDIDATES).astype(np.intp))
        powers = np.unique(np.geomspace(1, max(1, len(order)), CANDIDATES).astype(np.intp))
        return order, np.union1d(ends, powers)

    def _chosen(self, direction: int, factor: float, delta: float) -> CertifiedEvent:
        """Return the event for a claim, which the first half of the counts chooses.

        With an infinite factor, the event has the largest lower bound on epsilon at this delta.
        Otherwise, it has the largest lower bound on P(E) - factor Q(E).
        """
        return self._event(direction, factor, delta)[1]

    def _event(
        self, direction: int, factor: float, delta: float
    ) -> tuple[NDArray[np.intp], CertifiedEvent]:
        key = direction, factor, delta
        if key in self._events:
            return self._events[key]
        from scipy.special import betaincinv

        order, ends = self._candidates(direction)
        mine, other = self._choosers[direction], self._choosers[1 - direction]
        hits = np.cumsum(mine[order])[ends - 1]
        misses = np.cumsum(other[order])[ends - 1]
        n, m = int(mine.sum()), int(other.sum())
        # Four bounds share the error: two directions with two probabilities each.
        error = (1 - self.confidence) / 4
        low = np.where(hits > 0, betaincinv(np.maximum(hits, 1), n - hits + 1, float(error)), 0.0)
        rest = np.maximum(m - misses, 1)
        high = np.where(misses < m, 1 - betaincinv(rest, misses + 1, float(error)), 1.0)
        worth: Floats = low - factor * high
        if factor == math.inf:
            worth = (low - delta) / high
        end = ends[int(worth.argmax())]
        event = order[:end]
        counts = (self._certifiers[direction], self._certifiers[1 - direction])
        certified = CertifiedEvent(
            int(counts[0][event].sum()),
            int(counts[0].sum()),
            int(counts[1][event].sum()),
            int(counts[1].sum()),
            error,
        )
        self._events[key] = event, certified
        return self._events[key]

    def delta(self, epsilon: Fraction, direction: int) -> Enclosure:
        """Return a lower bound on delta(epsilon) in one direction, and the upper bound 1."""
        event = self._chosen(direction, math.exp(min(epsilon, Fraction(700))), 0.0)
        return Enclosure(max(0.0, float_below(event.excess(epsilon))), 1.0)

    def least_epsilon(self, delta: Fraction, direction: int) -> Enclosure:
        """Return a lower bound on the least epsilon at this delta, and the upper bound infinity."""
        event = self._chosen(direction, math.inf, float(delta))
        return Enclosure(max(0.0, float_below(event.least_epsilon(delta))), math.inf)

    def event(self, epsilon: Fraction, direction: int) -> tuple[Hashable, ...]:
        """Return the outcomes of the event that bounds delta(epsilon)."""
        chosen = self._event(direction, math.exp(min(epsilon, Fraction(700))), 0.0)[0]
        return self._listed(chosen, direction)

    def loss_event(self, delta: Fraction, direction: int) -> tuple[Hashable, ...]:
        """Return the outcomes of the event that bounds the least epsilon at this delta."""
        chosen = self._event(direction, math.inf, float(delta))[0]
        return self._listed(chosen, direction)

    def _listed(self, event: NDArray[np.intp], direction: int) -> tuple[Hashable, ...]:
        """Return the outcomes of an event, likelier outcomes first."""
        counts = (self.q if direction else self.p)[event]
        return tuple(self.outcomes[i] for i in event[np.argsort(-counts, kind="stable")].tolist())

    def probability(self, side: int, event: frozenset[Hashable]) -> tuple[Fraction, Fraction]:
        """Return Clopper-Pearson bounds on the probability of an event, for P (0) or Q (1)."""
        counts = self._certifiers[side]
        inside = np.fromiter((each in event for each in self.outcomes), bool, len(counts))
        hits, trials = int(counts[inside].sum()), int(counts.sum())
        return clopper_pearson(hits, trials, (1 - self.confidence) / 4)

    def cumulant(self, direction: int) -> _Lower:
        """Return the function psi (see `Cumulant`) of the event with the largest bound on epsilon.

        The bound is the lower bound on the least epsilon.

        The divergence of P from Q is at least the divergence of the event and its complement, which
        increases in P(E) and decreases in Q(E) if P(E) > Q(E).
        """
        event = self._chosen(direction, 1.0, 0.0)
        low, high = event.low, event.high
        low = max(high, low)
        atoms = [(low, high), (1 - low, 1 - high)]
        return _Lower(BallCumulant(atoms, atoms))

    def tradeoff(self, *, upper: bool) -> Floats:
        """Return points above the trade-off curve if `upper`, or the trivial lower bound 0."""
        if not upper:
            return np.array([[0.0, 0.0], [1.0, 0.0]])
        points = [(0.0, 1.0), (1.0, 0.0)]
        for factor in (0.5, 1.0, 2.0, 4.0, 16.0):
            event = self._chosen(1, factor, 0.0)
            points.append((float_above(event.high), float_above(1 - event.low)))
        return lower_hull(points)


def random_half(counts: Counts, rng: np.random.Generator) -> Counts:
    """Return the counts of a uniformly random half (rounded down) of the draws.

    Parameters
    ----------
    counts : array of int
        Number of draws of each outcome.
    rng : numpy.random.Generator
        Source of the random half.

    Examples
    --------
    >>> half = random_half(np.array([5, 0, 4]), np.random.default_rng(0))
    >>> int(half.sum()), bool((half <= [5, 0, 4]).all())
    (4, True)
    """
    # Each draw joins the half with probability 1/2. Then random draws join or leave the half until
    # it has its size. Given the number of draws that joined, all sets of this size are equally
    # likely, and this remains true.
    half = rng.binomial(counts, 0.5)
    surplus = int(half.sum()) - int(counts.sum()) // 2
    movable = half if surplus > 0 else counts - half
    moved = rng.choice(int(movable.sum()), abs(surplus), replace=False, shuffle=False)
    owners = np.searchsorted(np.cumsum(movable), moved, side="right")
    found: Counts = half - int(np.sign(surplus)) * np.bincount(owners, minlength=len(counts))
    return found


def lower_hull(points: list[tuple[float, float]]) -> Floats:
    """Return the vertices of the greatest convex decreasing curve below some points.

    Examples
    --------
    >>> lower_hull([(0.0, 1.0), (0.5, 0.25), (0.5, 0.5), (0.25, 0.9), (1.0, 0.0)]).tolist()
    [[0.0, 1.0], [0.5, 0.25], [1.0, 0.0]]
    """
    hull: list[tuple[float, float]] = []
    for x, y in sorted(set(points)):
        while len(hull) > 1 and (hull[-1][1] - hull[-2][1]) * (x - hull[-2][0]) >= (
            y - hull[-2][1]
        ) * (hull[-1][0] - hull[-2][0]):
            hull.pop()
        if not hull or x > hull[-1][0]:
            hull.append((x, y))
    return np.array(hull)


def require_used(
    counts: bool, error: object, confidence: object, *, of_outputs: bool = False
) -> None:
    """Refuse arguments that would have no effect on counts or on probabilities."""
    if of_outputs and (counts or error is not None):
        raise InvalidInput(
            "Output distributions have exact probabilities or balls, so they have no counts and no "
            "error."
        )
    if counts and error is not None:
        raise InvalidInput(f"Counts are exact, so they have no error. Got error={error!s:.80}.")
    if confidence is not None and not counts:
        raise InvalidInput(
            "Only bounds from counts have a confidence. For counts, pass counts=True. Got "
            f"confidence={confidence!s:.80}."
        )
