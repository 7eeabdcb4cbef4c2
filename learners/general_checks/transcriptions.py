"""Algorithms that report numbers, transcribed with the noise of the papers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from math import ceil, exp, log, sqrt
from typing import Any

import numpy as np

from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.exact import exact_distribution
from learners.mechanisms.fresh_noise import FreshNoiseThreshold
from learners.mechanisms.runs import StreamMechanism
from learners.mechanisms.sparse_vector import Sparse

FRESH = Claim(
    "distance between the answers of fresh_noise_threshold and of its transcription",
    "10^-9",
    source="[KMMNS23, Alg 1]",
    falsified="with a halt after one report less",
)
ABOVE = Claim(
    "distance between the answers of sparse and of its transcription",
    "10^-5",
    source="[GL21, Alg 3]",
    falsified="with one noise of the threshold for all reports",
    incorrect_object=True,
)

Answers = tuple[bool, ...]
FAR = 10**6
"""A number so large that threshold mechanisms almost surely report it."""


def reached(least: int, scale: float) -> float:
    """Return P[Z >= least] for discrete Laplace noise Z."""
    q = exp(-1 / scale)
    return q**least / (1 + q) if least > 0 else 1 - q ** (1 - least) / (1 + q)


def distance(
    mechanism: StreamMechanism[bool, Any],
    transcribed: Callable[[Sequence[int]], dict[Answers, float]],
    streams: Sequence[Sequence[int]],
    bits: int = 40,
) -> Fraction:
    """Return the largest distance of the answers' distributions, cut at 2^-bits."""
    largest = 0.0
    for values in streams:
        law = exact_distribution(partial(mechanism.answers, values), tail=Fraction(1, 2**bits))
        other = transcribed(values)
        gaps = (
            abs((float(law[each].mid()) if each in law else 0) - other.get(each, 0))
            for each in {*law, *other}
        )
        largest = max(largest, sum(gaps) / 2)
    return Fraction(largest)


@recomputes(FRESH)
def fresh(reports: int) -> Iterator[Outcome]:
    """Compare `FreshNoiseThreshold` with a transcription of [KMMNS23, Alg 1].

    Check numbers at the threshold 0, below it and far above it.
    """
    epsilon, delta = 1.0, 0.01
    mechanism = FreshNoiseThreshold(Fraction(1), Fraction(1, 100), reports, 0)

    def transcribed(values: Sequence[int], most: int) -> dict[Answers, float]:
        # [KMMNS23, Alg 1 step 1], with the constants of this project
        least = max(8 * log(1 / delta), 4.4 * sqrt(reports * log(1 / delta))) / epsilon
        gamma, found = ceil(16 * least) / 16, {}

        def play(given: Answers, weight: float) -> None:
            # [KMMNS23, Alg 1 step 2d]
            if len(given) == len(values) or sum(given) >= most:
                found[given] = weight
                return
            # [KMMNS23, Alg 1 step 2a], [KMMNS23, Alg 1 step 2b], [KMMNS23, Alg 1 step 2c]
            one = reached(-values[len(given)], gamma)
            play((*given, True), weight * one)
            play((*given, False), weight * (1 - one))

        play((), 1.0)
        return found

    streams = [(0, FAR, -20, FAR), (FAR, -20, FAR, 0), (-20, 0, 20, 0)]
    right, early = (
        distance(mechanism, partial(transcribed, most=most), streams)
        for most in (reports, reports - 1)
    )
    yield compare(
        FRESH,
        f"r={reports}, numbers 0, 20, -20 and {FAR}",
        computed=right,
        stated=Fraction(1, 10**9),
        twin=early,
        changed=(reports, reports - 1),
        privacy=mechanism.privacy,
        hypotheses={"queries have sensitivity Delta": mechanism.sensitivity == 1},
    )


@recomputes(ABOVE)
def above(reports: int) -> Iterator[Outcome]:
    """Compare `Sparse` with a transcription of [GL21, Alg 3].

    Check numbers around the threshold 0, for lists of length k = 1.
    """
    epsilon = 2.0
    mechanism = Sparse(Fraction(2, reports), reports, 0)
    sigma = 2 * reports / epsilon
    noises = np.arange(-ceil(40 * sigma), ceil(40 * sigma) + 1)
    start = np.array([reached(z, sigma) - reached(z + 1, sigma) for z in noises.tolist()])

    def transcribed(values: Sequence[int], redraw: bool) -> dict[Answers, float]:
        found: dict[Answers, float] = {}

        def play(given: Answers, weights: np.ndarray) -> None:
            if len(given) == len(values) or sum(given) >= reports:
                found[given] = float(weights.sum())
                return
            value = values[len(given)]
            one = np.array([reached(z - value, 2 * sigma) for z in noises.tolist()])
            top = weights * one
            # [GL21, Alg 3 line 11]: a new noise of the threshold after each answer "above"
            play((*given, True), top.sum() * start if redraw else top)
            play((*given, False), weights * (1 - one))

        play((), start)
        return found

    streams = [(0, 2, -1), (3, -3, 0)]
    right, kept = (
        distance(mechanism, partial(transcribed, redraw=redraw), streams, bits=22)
        for redraw in (True, False)
    )
    yield compare(
        ABOVE,
        f"c={reports}, epsilon=2, T=3",
        computed=right,
        stated=Fraction(1, 10**5),
        twin=kept,
        privacy=(mechanism.reports * mechanism.epsilon, 0),
        hypotheses={"queries have sensitivity 1/k": mechanism.sensitivity == 1},
    )


def checks(topic: str) -> list[ClaimCheck]:
    """Return the checks, under the name of a topic."""
    return [ClaimCheck(topic, fresh, (2,)), ClaimCheck(topic, above, (2,))]
