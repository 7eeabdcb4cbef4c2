"""Audits from samples, for mechanisms that cannot be enumerated."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

import numpy as np
from flint import arb, ctx

from learners.audit.claims import Claim, Finding, checked_claim
from learners.balls import ball
from learners.coins import Coins, SeededCoins
from learners.exact import require_same
from lsclasses.errors import InvalidInput
from lsclasses.numbers import integer
from lsclasses.options import Option, check_arguments
from lsclasses.verdicts import Verdict


@check_arguments
def clopper_pearson(
    successes: int, trials: int, error: Annotated[Fraction, Option("error")]
) -> tuple[Fraction, Fraction]:
    """Return bounds on a probability, each of which is wrong with probability at most `error`.

    Parameters
    ----------
    successes, trials : int
        Number of trials with the event, and number of trials.
    error : Fraction
        Largest probability that a bound is wrong, strictly between 0 and 1.

    Returns
    -------
    lower, upper : Fraction
        Rounded outwards.

    Raises
    ------
    InvalidInput
        If the numbers are inconsistent.

    References
    ----------
    Clopper, Pearson 1934.

    Examples
    --------
    >>> [round(float(bound), 4) for bound in clopper_pearson(0, 100, Fraction(1, 20))]
    [0.0, 0.0295]
    """
    successes, trials = (
        integer(successes, "number of successes"),
        integer(trials, "number of trials"),
    )
    if not 0 <= successes <= trials or trials < 1 or not 0 < error < 1:
        raise InvalidInput(
            "Clopper-Pearson needs 0 <= successes <= trials, trials >= 1 and 0 < error < 1. "
            f"Got {successes} of {trials} with error {error}."
        )
    lower = Fraction(0) if successes == 0 else _tail_root(successes, trials, error)
    upper = (
        Fraction(1) if successes == trials else 1 - _tail_root(trials - successes, trials, error)
    )
    return lower, upper


def _tail_root(least: int, trials: int, error: Fraction) -> Fraction:
    """Return a p, close to the largest, with P[Bin(trials, p) >= least] <= error."""
    low, high = Fraction(0), Fraction(least, trials)
    with ctx.workprec(64):
        allowed = ball(error)
        for _ in range(40):
            middle = (low + high) / 2
            # P[Bin(n, p) >= k] is the regularized incomplete beta function I_p(k, n - k + 1).
            reached = ball(middle).beta_lower(least, trials - least + 1, True)
            if reached <= allowed:
                low = middle
            else:
                high = middle
    return low


@dataclass(frozen=True)
class SampledFinding(Finding):
    """The result of an audit by samples.

    Attributes
    ----------
    confidence : Fraction
        The probability that a true claim is `VIOLATED` is at most 1 - confidence.
    bound : float
        Lower bound on delta(epsilon) with this confidence. A bound of 0 or less is vacuous.
    least_epsilon : float
        Lower bound on epsilon at the claimed delta, with this confidence.
    event : tuple
        The outcomes of the event that was chosen on the first half.
    counts : tuple of int
        Occurrences of the event on the second half, for the likelier and for the other input.
    samples : int
        Number of draws for each input and half.
    """

    confidence: Fraction
    bound: float
    least_epsilon: float
    event: tuple[object, ...]
    counts: tuple[int, int]
    samples: int


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
        If a parameter is out of range, or two equal outcomes are distinguishable by a program
        (`learners.exact.require_same`).

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
    (chooser, certifier), factor = halves, math.exp(float(epsilon))
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
    error = (1 - confidence) / 2
    low = clopper_pearson(hits, samples, error)[0]
    high = clopper_pearson(misses, samples, error)[1]
    with ctx.workprec(64):
        bound = ball(low) - ball(epsilon).exp() * ball(high)
        least = arb(0)
        if low - delta > high:
            least = (ball(low - delta) / ball(high)).log()
        verdict = Verdict.VIOLATED if bound > ball(delta) else Verdict.CONSISTENT
    return SampledFinding(
        epsilon,
        delta,
        verdict,
        direction,
        confidence,
        float(bound.lower()),
        max(0.0, float(least.lower())),
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
