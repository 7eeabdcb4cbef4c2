"""Reports and counts of streams: exact distributions of many rounds, by independent code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.stats import nbinom

from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.mechanisms.counter import TreeCounter
from learners.mechanisms.fresh_noise import FreshNoiseThreshold
from learners.number_arguments import least_integer

REPORTED = Claim(
    "delta(epsilon) of r reports on one repeated number",
    "delta",
    source="learners.mechanisms.fresh_noise, for [KMMNS23, Thm 2.8]",
    statements=("KMMNS23 Thm 2.8", "KMMNS23 Alg 1"),
    falsified="with the noise of half as many reports",
)
COUNTED = Claim(
    "least error of all T counts that is exceeded with probability at most failure",
    "the error of the sum of l noises, at failure/(2T)",
    source="learners.mechanisms.counter, for [KMMNS23, Thm 2.10]",
    falsified="half of this error",
)
"""The claim about the error bound of `TreeCounter`."""

FAR = 1e-13
"""The tail probability at which an infinite distribution is cut."""


@recomputes(REPORTED)
def reported(epsilon: Fraction, delta: Fraction, reports: int) -> Iterator[Outcome]:
    """Check the privacy of r reports of `FreshNoiseThreshold` on a repeated number.

    Compare the numbers of zeros before the reports, which are independent, for all streams.
    """

    def worst(scale: Fraction) -> float:
        q, found = float(np.exp(-1 / float(scale))), 0.0
        for distance in range(1, int(3 * scale) + 1):
            tails = [q**m / (1 + q) for m in (distance, distance - 1)]
            for p, other in (tails, tails[::-1]):
                last = int(nbinom.isf(FAR, reports, p))
                zeros = np.arange(last + 1)
                loss = zeros * np.log((1 - p) / (1 - other)) + reports * np.log(p / other)
                gained = np.maximum(0, -np.expm1(float(epsilon) - loss))
                found = max(found, float((nbinom.pmf(zeros, reports, p) * gained).sum()))
        return found

    def mechanism(count: int) -> FreshNoiseThreshold:
        return FreshNoiseThreshold(epsilon, delta, count, 0, calibrated=True)

    built = mechanism(reports)
    yield compare(
        REPORTED,
        f"r={reports}, scale {float(built.scale):.3g}",
        computed=Fraction(worst(built.scale)),
        stated=delta,
        twin=Fraction(worst(mechanism(max(1, reports // 2)).scale)),
        changed=(reports, max(1, reports // 2)),
        privacy=built.privacy,
    )


def _noise(q: float, reach: int) -> NDArray[np.float64]:
    """Discrete Laplace noise between -reach and reach."""
    law: NDArray[np.float64] = (1 - q) / (1 + q) * q ** np.abs(np.arange(-reach, reach + 1))
    return law


def _inside(levels: int, q: float, most: int) -> float:
    """Return the probability that no count of 2^levels times is off by more than `most`.

    `inside[v]` is the probability for the times before the last time of a block of 2^i, if the
    blocks before it are off by v together. The first half of the block ends with a separate noise.
    All times of its second half are off by this noise in addition.
    """
    inside = np.ones(2 * most + 1)
    offsets = np.arange(-most, most + 1)
    kernel = (1 - q) / (1 + q) * q ** np.abs(offsets[:, None] - offsets[None, :])
    for _ in range(levels):
        inside = inside * (kernel @ inside)
    return float(inside[most] * _noise(q, most).sum())


@recomputes(COUNTED)
def counted(levels: int, epsilon: Fraction, failure: Fraction) -> Iterator[Outcome]:
    """Check the error bound of all counts of the tree counter.

    Check the error of the counter for 2^levels times.
    """
    mechanism = TreeCounter(epsilon, 1 << levels)
    q = float(np.exp(-1 / float(mechanism.scale)))
    stated = mechanism.error(failure)
    computed = least_integer(
        lambda most: 1 - _inside(levels, q, most) <= float(failure), 0, 2 * stated
    )
    yield compare(
        COUNTED,
        f"T={1 << levels}, failure={failure}",
        computed=computed,
        stated=stated,
        false=Fraction(stated, 2),
        privacy=mechanism.privacy,
        trivial=1 << levels,
    )


def checks(topic: str) -> Sequence[ClaimCheck]:
    """Return the checks, in floating point because rounding decides no comparison."""
    tiny = Fraction(1, 10**6)
    return [
        *(ClaimCheck(topic, reported, (Fraction(1), tiny, r)) for r in (8, 4, 16)),
        ClaimCheck(topic, counted, (9, Fraction(1), Fraction(1, 20))),
        ClaimCheck(topic, counted, (8, Fraction(2), Fraction(1, 20))),
    ]
