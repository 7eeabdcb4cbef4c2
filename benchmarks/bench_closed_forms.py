"""The SOA on classes in closed form: a hundred thousand examples on huge domains.

Every row is a process of its own: a random target, a stream that it labels (not counted), and the
SOA that predicts and then learns every label. In the rows "near the target" half of the points are
close to it, so that the SOA errs and learns; in the rows "uniform" hardly a point tells the target
from other concepts, and what is learned is which points are not in it. Each class comes on a small
domain as well: the memory does not depend on the size of the domain.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator

import numpy as np

import catalog
from benchmarks.own_process import in_own_process
from lsclasses import ConceptClass
from lsclasses.hypothesis import Hypothesis
from lsclasses.soa import SOA

STEPS = 100_000
TARGET_SECONDS = 10

SPECS = (
    ("thresholds:n=2^10", "near the target"),
    ("thresholds:n=2^40", "near the target"),
    ("points:n=2^20", "near the target"),
    ("points:n=2^64", "near the target"),
    ("points:n=2^20", "uniform"),
    ("points:n=2^64", "uniform"),
    ("affine:q=2,n=16,k=8", "near the target"),
    ("affine:q=2,n=64,k=8", "near the target"),
    ("affine:q=2,n=64,k=8", "uniform"),
    ("intervals:n=2^64", "near the target"),
    ("at-most:n=2^64,k=20", "near the target"),
    ("conjunctions:n=64", "near the target"),
)


def examples(C: ConceptClass, points: str) -> Iterator[tuple[object, int]]:
    rng = np.random.default_rng(0)
    if points == "near the target":
        return C.sample_stream(STEPS, rng)
    target: Hypothesis = C.sample(rng)
    drawn = (C.domain.sample(rng) for _ in range(STEPS))
    return ((x, target(x)) for x in drawn)


def play(spec: str, points: str) -> tuple[int, int, float, float]:
    C = catalog.build(spec)
    state = SOA(C)
    stream = list(examples(C, points))
    mistakes = 0
    loaded = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    before = time.process_time()
    for x, y in stream:
        mistakes += state.predict(x) != y
        state = state.observe(x, y)
    seconds = time.process_time() - before
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - loaded
    assert mistakes <= C.ldim(), (spec, mistakes)
    return C.ldim(), mistakes, seconds, used / 1024


def main() -> None:
    print("| class | points | Ldim | mistakes | seconds | microseconds a step | memory |")
    print("|---|---|---|---|---|---|---|")
    for spec, points in SPECS:
        ldim, mistakes, seconds, used = in_own_process(play, spec, points)
        slow = f" (more than {TARGET_SECONDS}!)" if seconds > TARGET_SECONDS else ""
        print(
            f"| `{spec}` | {points} | {ldim} | {mistakes} | {seconds:.2f}{slow} "
            f"| {seconds / STEPS * 1e6:.0f} | {used:.1f} MB |",
            flush=True,
        )


if __name__ == "__main__":
    main()
