"""Mechanisms of the literature that an audit must pass or flag, as ordinary Python functions.

Each control claims epsilon = 1. The sparse vector algorithms are the algorithms of Lyu, Su, Li
2017, with discrete Laplace noise and sensitivity 1. Their input is a tuple of query answers.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from learners.coins import Coins

EPSILON = 1


@dataclass(frozen=True)
class Control:
    """A mechanism, two neighbouring inputs, and whether its claim is true."""

    name: str
    run: Callable[[Any, Any], Any]
    pair: tuple[Any, Any]
    private: bool
    source: str = "coins"


@dataclass(frozen=True)
class SparseVectorAlgorithm:
    """An algorithm of Lyu, Su, Li 2017, figure 1."""

    threshold_scale: Fraction | int
    query_scale: Fraction | int
    cutoff: int | None = 1
    redraws: bool = False
    releases: str = "comparison"
    value_scale: Fraction | int = 0

    def __call__(self, answers: tuple[int, ...], coins: Coins) -> tuple[Any, ...]:
        threshold, reports, output = coins.laplace(self.threshold_scale), 0, []
        for answer in answers:
            if self.releases == "noisy":
                noisy = answer + coins.laplace(self.query_scale)
                above = noisy >= threshold
            else:
                noisy = answer
                above = (
                    coins.at_least(answer, self.query_scale, threshold)
                    if self.query_scale
                    else answer >= threshold
                )
            if not above:
                output.append("below")
                continue
            reports += 1
            if self.releases == "fresh":
                noisy = answer + coins.laplace(self.value_scale)
            output.append("above" if self.releases == "comparison" else noisy)
            if reports == self.cutoff:
                break
            if self.redraws:
                threshold = coins.laplace(self.threshold_scale)
        return tuple(output)


ALGORITHMS = {
    1: SparseVectorAlgorithm(2, 8, cutoff=2),
    2: SparseVectorAlgorithm(4, 8, cutoff=2, redraws=True),
    3: SparseVectorAlgorithm(2, 2, releases="noisy"),
    4: SparseVectorAlgorithm(4, Fraction(4, 3)),
    5: SparseVectorAlgorithm(2, 0, cutoff=None),
    6: SparseVectorAlgorithm(2, 2, cutoff=None),
    7: SparseVectorAlgorithm(3, 6, releases="fresh", value_scale=3),
}
"""At epsilon = 1. Algorithms 1 and 2 have the cutoff 2, and algorithm 7 spends thirds."""


def answers(lower: int, higher: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Answers of which the first ones are larger on the second data set, and the others smaller."""
    return (0,) * lower + (1,) * higher, (1,) * lower + (0,) * higher


QUERIES = {1: (3, 2), 2: (2, 2), 3: (2, 1), 4: (8, 1), 5: (1, 1), 6: (4, 4), 7: (1, 1)}


def float_laplace(value: float, rng: random.Random) -> float:
    """Laplace noise by inversion in floating point, from 10 random bits."""
    u = (rng.getrandbits(10) + 0.5) / 1024 - 0.5
    return value - math.copysign(math.log(1 - 2 * abs(u)), u)


def discrete_laplace(value: int, rng: random.Random) -> int:
    """Discrete Laplace noise of scale 1 as the difference of two geometric numbers."""
    stop = 1 - math.exp(-1)
    counts = [0, 0]
    for side in (0, 1):
        while rng.random() >= stop:
            counts[side] += 1
    return value + counts[0] - counts[1]


def reused_noise(counts: tuple[int, int], coins: Coins) -> tuple[int, int]:
    noise = coins.laplace(1)
    return counts[0] + noise, counts[1] + noise


def fresh_noise(counts: tuple[int, int], coins: Coins) -> tuple[int, int]:
    return counts[0] + coins.laplace(1), counts[1] + coins.laplace(1)


def unclamped_sum(rows: tuple[int, ...], coins: Coins) -> int:
    return sum(rows) + coins.laplace(1)


def clamped_sum(rows: tuple[int, ...], coins: Coins) -> int:
    return sum(min(max(row, 0), 1) for row in rows) + coins.laplace(1)


def mean_with_public_size(rows: tuple[int, ...], coins: Coins) -> Fraction:
    return Fraction(sum(rows) + coins.laplace(1), len(rows))


def noisy_max(scores: tuple[int, ...], coins: Coins) -> int:
    noisy = [score + coins.laplace(2) for score in scores]
    return noisy.index(max(noisy))


def noisy_max_with_value(scores: tuple[int, ...], coins: Coins) -> int:
    return max(score + coins.laplace(2) for score in scores)


CONTROLS = [
    *(
        Control(
            f"sparse vector, algorithm {number}",
            run,
            answers(*QUERIES[number]),
            number in (1, 2, 7),
        )
        for number, run in ALGORITHMS.items()
    ),
    Control("Laplace noise in floating point", float_laplace, (0.0, 1.0), False, "random"),
    Control("discrete Laplace noise by loops", discrete_laplace, (0, 1), True, "random"),
    Control("one noise for two counts", reused_noise, ((0, 0), (1, 0)), False),
    Control("a noise for each count", fresh_noise, ((0, 0), (1, 0)), True),
    Control("noise for sensitivity 1, rows to 2", unclamped_sum, ((0, 1), (2, 1)), False),
    Control("sum without clamping", unclamped_sum, ((0, 1), (5, 1)), False),
    Control("sum with clamping", clamped_sum, ((0, 1), (5, 1)), True),
    Control("mean, rows added or removed", mean_with_public_size, ((0, 1), (0, 1, 0)), False),
    Control("report noisy max with its value", noisy_max_with_value, ((0, 0, 0), (1, 1, 1)), False),
    Control("report noisy max", noisy_max, ((0, 1), (1, 0)), True),
]
