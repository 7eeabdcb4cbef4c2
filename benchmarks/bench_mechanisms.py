"""What a draw costs in each reading of the coins, and what an exact law costs.

Draws are measured against NumPy's difference of two geometric numbers, in floating point. Times
are processor time of the best of several repetitions, so that other work on the machine counts
as little as possible.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from learners.coins import Coins, SecureCoins, SeededCoins
from learners.exact import exact_distribution
from learners.mechanisms import AboveThreshold, BoundedHistogram, Sparse, StableHistogram

SCALES = (1, 2, Fraction(5, 2), 20, Fraction(1000, 3), 10**6)
REPETITIONS = 7


def best(job: Callable[[], object], times: int) -> float:
    """Processor seconds of one of `times` things that the job does, in the best repetition."""
    job()
    seconds = []
    for _ in range(REPETITIONS):
        before = time.process_time()
        job()
        seconds.append(time.process_time() - before)
    return min(seconds) / times


def single(coins: Coins, scale: Fraction | int, times: int) -> Callable[[], object]:
    def job() -> None:
        laplace = coins.laplace
        for _ in range(times):
            laplace(scale)

    return job


def numpy_together(scale: Fraction | int, times: int) -> Callable[[], object]:
    rng, p = np.random.default_rng(0), -math.expm1(-1 / scale)
    return lambda: (rng.geometric(p, times) - rng.geometric(p, times)).tolist()


def draws() -> None:
    print("| scale | SecureCoins.laplace | SeededCoins.laplace | SeededCoins.laplaces | NumPy |")
    print("|---|---|---|---|---|")
    few, many = 10_000, 500_000
    for scale in SCALES:
        row = [
            best(single(SecureCoins(), scale, few), few),
            best(single(SeededCoins(0), scale, few), few),
            best(lambda scale=scale: SeededCoins(0).laplaces(scale, many), many),
            best(numpy_together(scale, many), many),
        ]
        print(f"| {scale} | " + " | ".join(f"{1e6 * cost:.3f} us" for cost in row) + " |")


def stepwise(mechanism: Sparse, values: tuple[int, ...], tail: Fraction) -> object:
    law = exact_distribution(lambda coins: (mechanism.start(coins), ()), tail=tail)
    for value in values:

        def step(state, coins, value=value):
            run, answers = state
            if run.halted:
                return state
            answer, run = run.ask(value, coins)
            return run, (*answers, answer)

        law = law.then(step, tail=tail)
    return law.map(lambda state: state[1])


def laws() -> None:
    above, sparse = AboveThreshold(1, threshold=2), Sparse(1, reports=2, threshold=2)
    stable = StableHistogram(1, Fraction(1, 100))
    bounded = BoundedHistogram(1, Fraction(1, 100))
    tail = Fraction(1, 10**9)
    jobs: dict[str, Callable[[], object]] = {
        "AboveThreshold, 6 queries": lambda: exact_distribution(
            lambda coins: above.answers([0, 1, 2, 1, 0, 2], coins)
        ),
        "Sparse with 2 reports, 6 queries, step by step": lambda: stepwise(
            sparse, (0, 1, 2, 1, 0, 2), tail
        ),
        "stable histogram of 2 items": lambda: exact_distribution(
            lambda coins: stable.release("xxxyy", coins, key=str), tail=tail
        ),
        "bounded histogram of 2 items": lambda: exact_distribution(
            lambda coins: bounded.release("xxxyy", coins, key=str)
        ),
    }
    print("\n| exact law of | branches | outcomes | time |")
    print("|---|---|---|---|")
    for name, job in jobs.items():
        law = job()
        print(f"| {name} | {law.branches} | {len(law)} | {best(job, 1):.3f} s |")
    before = time.process_time()
    streams = list(itertools.product((0, 1), repeat=6))
    for values in streams:
        exact_distribution(lambda coins, values=values: above.answers(values, coins))
    print(
        f"| AboveThreshold, all {len(streams)} streams of 6 bits | | | "
        f"{time.process_time() - before:.3f} s |"
    )


def main() -> None:
    draws()
    laws()


if __name__ == "__main__":
    main()
