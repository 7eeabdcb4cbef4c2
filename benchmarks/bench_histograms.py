"""Histograms beside sanitizers: the error of the worst range of ages, at one budget.

``python -m benchmarks histograms`` draws ages from 17 to 90 from the public law of
`benchmarks.bench_sanitizers`, and releases them by every sanitizer of all ranges, and by
`PrivateHistogram`, from the same rows. Histograms are pure; the others have delta = 10^-6.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate
from statistics import median

import numpy as np
from numpy.typing import NDArray

import catalog
from benchmarks.bench_sanitizers import ages
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.sanitizers import IndependentAnswers, MWEMSanitizer, PointSample, sanitization_error
from learners.tables.histogram_releases import PrivateHistogram
from lsclasses.errors import InvalidInput
from lsclasses.table import Table

FIRST, LAST = 17, 90
BUDGET, PURE = Budget(1, Fraction(1, 10**6)), Budget(1)
ROWS = (1000, 10_000, 39_000, 1_000_000)
SEEDS = 9


def drawn(rows: int, seed: int) -> NDArray[np.int64]:
    """The number of rows of each age."""
    counts = ages()
    law = np.array([counts.get(x, 0) for x in range(FIRST, LAST + 1)], dtype=np.float64)
    return np.random.default_rng([rows, seed]).multinomial(rows, law / law.sum())


def worst_range(true: NDArray[np.int64], estimates: list[Fraction]) -> float:
    """The largest error of a range, as a share of the rows."""
    off = [float(x) - int(y) for x, y in zip(estimates, true, strict=True)]
    sums = list(accumulate(off, initial=0.0))
    return (max(sums) - min(sums)) / int(true.sum())


def of_histogram(ranges: bool, true: NDArray[np.int64], seed: int) -> float:
    made = PrivateHistogram.within(PURE, "age", f"{FIRST}..{LAST}", ranges=ranges)
    rows = [{"age": age} for age in np.repeat(np.arange(FIRST, LAST + 1), true).tolist()]
    released = made.release(rows, SeededCoins(seed))
    return worst_range(true, list(released.estimates[:-1]))


def of_sanitizer(
    C: Table,
    made: Callable[[int], MWEMSanitizer | IndependentAnswers],
    true: NDArray[np.int64],
    seed: int,
) -> float:
    sample = PointSample.at(C.domain, np.repeat(np.arange(len(true)), true))
    data = made(len(sample)).release(sample, SeededCoins(seed))
    return float(sanitization_error(data, C, sample))


def main() -> None:
    C = catalog.build(f"intervals:n={LAST - FIRST + 1}").to_table()
    releases: dict[str, Callable[[NDArray[np.int64], int], float]] = {
        "histogram": lambda true, seed: of_histogram(False, true, seed),
        "histogram, for ranges": lambda true, seed: of_histogram(True, true, seed),
        "sanitize (MWEM)": lambda true, seed: of_sanitizer(
            C, lambda rows: MWEMSanitizer.within(BUDGET, C, rows), true, seed
        ),
        "independent answers": lambda true, seed: of_sanitizer(
            C, lambda rows: IndependentAnswers.within(BUDGET, C), true, seed
        ),
    }
    print("| rows | " + " | ".join(releases) + " |\n|" + "---|" * (len(releases) + 1))
    for rows in ROWS:
        row = []
        for release in releases.values():
            before = time.process_time()
            try:
                found = [release(drawn(rows, seed), seed) for seed in range(SEEDS)]
            except InvalidInput:
                row.append("refused: no error below 1")
                continue
            took = (time.process_time() - before) / SEEDS
            row.append(f"{median(found):.2g} ({took:.2f} s)")
        print(f"| {rows} | " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
