"""The exponential mechanism on classes in closed form, as a ratio to its time on a table.

A row draws one concept from a sample. The baseline of a row with a small class is the learner of
its table. The baseline of a row with a large class is one pass that counts the different rows.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable

import numpy as np

import catalog
from learners.coins import SeededCoins
from learners.mechanisms.selection import ExponentialMechanism
from learners.pac.generic import GenericLearner, draw_by_errors
from learners.pac.samples import Sample
from lsclasses import ConceptClass
from lsclasses.error_histograms import error_histogram

SMALL = (("thresholds:n=4000", 100_000), ("intervals:n=400", 100_000), ("points:n=4000", 100_000))
LARGE = (
    ("thresholds:n=2^64", 100_000),
    ("intervals:n=2^64", 100_000),
    ("points:n=2^64", 100_000),
    ("at-most:n=2^64,k=3", 100_000),
    ("cube:n=64", 100_000),
    ("intervals:n=2^64,k=2", 100_000),
    ("rectangles:a=40,b=40", 100_000),
    ("rectangles:a=2^30,b=2^30", 100),
    ("conjunctions:n=12", 100_000),
    ("parities:n=16", 100_000),
    ("affine:q=2,n=64,k=1", 100_000),
    ("affine:q=3,n=64,k=1", 100),
    ("linear:q=3,n=64,k=1", 100_000),
    ("decision-lists:n=200,length=3", 100_000),
    ("decision-lists:n=200,k=2,length=2", 100_000),
)
NOISE = 0.1
"""Share of the labels that are flipped."""


def noisy_sample(C: ConceptClass, rows: int) -> Sample:
    """Return rows near a random target, with flipped labels."""
    rng = np.random.default_rng(0)
    flips = rng.random(rows) < NOISE
    stream = C.sample_stream(rows, rng)
    return Sample(
        C.domain, [(x, y ^ int(flip)) for (x, y), flip in zip(stream, flips, strict=True)]
    )


def seconds(work: Callable[[], object]) -> float:
    """Return the least processor time of three runs."""
    times = []
    for _ in range(3):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    mechanism = ExponentialMechanism(1)
    print("| class | rows | baseline | seconds of the baseline | seconds | ratio |")
    print("|---|---|---|---|---|---|")
    for spec, rows in (*SMALL, *LARGE):
        C = catalog.build(spec)
        sample = noisy_sample(C, rows)

        def closed(C: ConceptClass = C, sample: Sample = sample) -> object:
            histogram = error_histogram(C, Counter(sample))
            return draw_by_errors(histogram, mechanism, SeededCoins(1))

        if (spec, rows) in SMALL:
            listed = GenericLearner(C.to_table(), 1)
            name = "the table"
            base = seconds(
                lambda: listed.fit(Sample(sample.domain, sample), SeededCoins(1))  # noqa: B023
            )
        else:
            name = "counting the rows"
            base = seconds(lambda: Counter(sample))  # noqa: B023
        spent = seconds(closed)
        print(f"| `{spec}` | {rows} | {name} | {base:.3f} | {spent:.3f} | {spent / base:.2f} |")
