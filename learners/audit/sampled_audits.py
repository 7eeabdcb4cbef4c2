"""Audits from samples, for mechanisms that cannot be enumerated."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

import numpy as np
from flint import ctx

from learners.audit.blind_spots import NEIGHBOURS, BlindSpots, sampled_blind_spots
from learners.audit.certified_events import CertifiedEvent
from learners.audit.claims import Claim, Finding, checked_claim
from learners.audit.enclosures import float_below
from learners.balls import ball
from learners.coins import Coins, SeededCoins
from learners.exact import require_same
from lsclasses.options import Option, check_arguments
from lsclasses.verdicts import Verdict


@dataclass(frozen=True)
class SampledFinding(Finding):
    """The result of an audit by samples.

    Attributes
    ----------
    confidence : Fraction
        A true claim gets the verdict `VIOLATED` with probability at most 1 - confidence.
    bound : float
        Lower bound on delta(epsilon) that holds with this confidence. A bound of 0 or less is
        vacuous.
    least_epsilon : float
        Lower bound on the least epsilon at the claimed delta, with this confidence.
    event : tuple
        The outcomes of the event that the first half of the samples selected.
    counts : tuple of int
        Occurrences of the event in the second half of the samples, first for the input that makes
        the event likelier, then for the second input.
    samples : int
        Number of draws for each input in each half.
    """

    confidence: Fraction
    bound: float
    least_epsilon: float
    event: tuple[object, ...]
    counts: tuple[int, int]
    samples: int

    @property
    def blind_spots(self) -> BlindSpots:
        """The parts of the claim that the audit does not test."""
        return sampled_blind_spots(self.samples, (1 - self.confidence) / 2, NEIGHBOURS)


@check_arguments
def audit_samples(
    zero: Callable[[Coins], Hashable],
    one: Callable[[Coins], Hashable],
    claim: Claim,
    *,
    samples: Annotated[int, Option("number of samples", minimum=1)] = 50_000,
    confidence: Annotated[Fraction, Option("confidence", above=0, below=1)] = 1
    - Fraction(1, 10**6),
    rng: int | np.random.Generator | np.random.SeedSequence | None = None,
) -> SampledFinding:
    """Search samples of the outputs on two neighbouring inputs for an event that refutes a claim.

    One half of the samples selects the event and the direction of the comparison. The other half
    certifies the event by Clopper-Pearson bounds, which hold simultaneously with the given
    confidence. A failed search does not prove the claim, because only sampled outcomes were
    searched.

    Parameters
    ----------
    zero, one : callable
        Functions such that ``zero(coins)`` and ``one(coins)`` return the release for two
        neighbouring inputs.
    claim : Event or (epsilon, delta)
        Claimed privacy.
    samples : int
        Number of draws for each input in each half.
    confidence : Fraction
        Confidence level of the Clopper-Pearson bounds.
    rng : int, numpy.random.Generator, numpy.random.SeedSequence or None
        Seed, as for `numpy.random.default_rng`.

    Returns
    -------
    SampledFinding

    Raises
    ------
    InvalidInput
        If a parameter is out of range, or two outcomes compare as equal although a program could
        distinguish them, for example 1 and True (`learners.exact.require_same`).

    Examples
    --------
    >>> noisy = [lambda coins, n=n: n + coins.laplace(1) for n in (0, 1)]
    >>> audit_samples(*noisy, (Fraction(1, 2), 0), samples=1000, rng=1).verdict
    'violated'
    >>> audit_samples(*noisy, (1, 0), samples=1000, rng=1).verdict
    'consistent'
    """
    epsilon, delta = checked_claim(claim)
    coins = SeededCoins(rng)
    known: dict[Hashable, Hashable] = {}
    halves = [[_counted(run, samples, coins, known) for run in (zero, one)] for _ in "ab"]
    (chooser, certifier), factor = halves, math.exp(min(epsilon, Fraction(700)))
    direction, gain = 0, -1.0
    event: tuple[Hashable, ...] = ()
    for side in (0, 1):
        mine, other = chooser[side], chooser[1 - side]
        candidate = tuple(
            outcome for outcome, count in mine.items() if count > factor * other[outcome]
        )
        worth = sum(mine[outcome] - factor * other[outcome] for outcome in candidate)
        if worth > gain:
            direction, event, gain = side, candidate, worth
    hits = sum(certifier[direction][outcome] for outcome in event)
    misses = sum(certifier[1 - direction][outcome] for outcome in event)
    certified = CertifiedEvent(hits, samples, misses, samples, (1 - confidence) / 2)
    with ctx.workprec(64):
        bound, least = certified.excess(epsilon), certified.least_epsilon(delta)
        verdict = Verdict.VIOLATED if bound > ball(delta) else Verdict.CONSISTENT
    return SampledFinding(
        epsilon,
        delta,
        verdict,
        direction,
        confidence,
        float_below(bound),
        max(0.0, float_below(least)),
        event,
        (hits, misses),
        samples,
    )


def _counted(
    run: Callable[[Coins], Hashable],
    samples: int,
    coins: Coins,
    known: dict[Hashable, Hashable],
) -> Counter[Hashable]:
    """Return the number of draws of each outcome, where `known` has the outcomes of all runs."""
    counts: Counter[Hashable] = Counter()
    for _ in range(samples):
        outcome = run(coins)
        if (first := known.setdefault(outcome, outcome)) is not outcome:
            require_same(first, outcome)
        counts[outcome] += 1
    return counts
