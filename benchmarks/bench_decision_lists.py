"""What learning a decision list costs, privately and not, on tables of up to a million rows.

Times are wall time of one run on two cores that do other things too; memory is the largest that the
process has held so far. All choices are drawn with `SecureCoins`.
"""

from __future__ import annotations

import resource
import time
import warnings
from collections.abc import Callable
from fractions import Fraction
from typing import TypeVar

import numpy as np

from learners.coins import SecureCoins
from learners.rules import DecisionList, FewRows, GreedyCover, PackedFeatures, greedy_list, rivest

Made = TypeVar("Made")

LEARNER = GreedyCover(Fraction(1), Fraction(1, 10**6))


def timed(job: Callable[[], Made]) -> tuple[Made, str]:
    before = time.perf_counter()
    made = job()
    return made, f"{time.perf_counter() - before:.2f} s"


def table(rows: int, features: int, density: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Independent features, and the labels of a list of twenty rules with 1% of them flipped."""
    rng = np.random.default_rng(seed)
    matrix = np.empty((rows, features), dtype=bool)
    for start in range(0, rows, 50_000):
        block = matrix[start : start + 50_000]
        block[:] = rng.random(block.shape, dtype=np.float32) < density
    target = DecisionList(
        zip(
            rng.permutation(features)[:20].tolist(), rng.integers(2, size=20).tolist(), strict=True
        ),
        0,
        [f"x{j}" for j in range(features)],
    )
    labels = target.labels(PackedFeatures.from_matrix(matrix))
    return matrix, labels ^ (rng.random(rows) < 0.01)


def peak() -> str:
    return f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.1f} GB"


def lists() -> None:
    print("| rows | columns | true in | k | features | packing | private list | rules | ", end="")
    print("errors | greedy list | errors | Rivest | memory |")
    print("|" + "---|" * 13)
    for rows, columns, density, k in (
        (10**6, 500, 0.5, 1),
        (10**6, 500, 0.05, 1),
        (10**6, 500, 0.001, 1),
        (10**6, 50, 0.5, 2),
        (10**5, 100, 0.5, 2),
    ):
        matrix, labels = table(rows, columns, density, seed=columns)
        plain, packing = timed(lambda matrix=matrix: PackedFeatures.from_matrix(matrix))
        packed = plain if k == 1 else plain.conjunctions(k)
        found, private = timed(
            lambda packed=packed, labels=labels: LEARNER.fit(packed, labels, SecureCoins())
        )
        greedy, open_ = timed(lambda packed=packed, labels=labels: greedy_list(packed, labels))
        _, consistent = timed(lambda packed=packed, labels=labels: rivest(packed, labels))
        cells = (
            rows,
            columns,
            f"{density:.1%}",
            k,
            packed.count,
            packing,
            private,
            len(found.rules),
            found.errors(packed, labels),
            open_,
            greedy.errors(packed, labels),
            consistent,
            peak(),
        )
        print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def picks() -> None:
    print("\n| candidates | scores | one pick |")
    print("|---|---|---|")
    rng, coins = np.random.default_rng(0), SecureCoins()
    for count in (1000, 100_000):
        for name, scores in (
            ("one far ahead", [10**6] + [0] * (count - 1)),
            ("spread over 10^4", rng.integers(10**4, size=count).tolist()),
            ("all equal", [0] * count),
        ):
            times = 10**6 // count

            def job(scores: list[int] = scores, times: int = times) -> None:
                for _ in range(times):
                    coins.pick(scores, unit=Fraction(17, 200))

            before = time.process_time()
            job()
            each = (time.process_time() - before) / times
            print(f"| {count} | {name} | {1000 * each:.2f} ms |")


def main() -> None:
    warnings.simplefilter("ignore", FewRows)
    lists()
    picks()


if __name__ == "__main__":
    main()
