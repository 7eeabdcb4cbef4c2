"""Exact Littlestone dimension: the compiled engine, the NumPy engine, the naive memoised recursion.

Every class is measured in processes of its own: building its table (not counted), then one of the
searches for at most 60 seconds, or the naive recursion for at most 5 (`bench_peers` waits longer,
for smaller classes). All times are processor time of one thread, so that other work on the machine
matters little. ``python -m benchmarks search`` prints the table of docs/search.md.

``python -m benchmarks search --threads 2`` holds two threads of the kernel against one, in turns,
with fresh tables. The ratio of times on the wall is what a user sees on a machine without other
work; in processor time, the time of one thread is held against that of the busiest of several.
``python -m benchmarks.bench_search --threads=2 SPEC ...`` measures other classes.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

import catalog
from benchmarks.own_process import in_own_process
from lsclasses import Limit, Table
from tests import oracles

SECONDS = {"native": 60, "numpy": 60, "naive": 5}
"""When each is given up."""
LONG_ENOUGH = 0.2
"""Seconds; a search that takes less is repeated, on fresh tables."""
RESOLUTION = 0.01
"""Seconds; clocks of processor time may not tell less apart."""

SPECS = (
    "thresholds:n=255",
    "points:n=300",
    "cube:n=8",
    "subsets:n=10,k=4",
    "conjunctions:n=8",
    "decision-lists:n=4",
    "decision-lists:n=5",
    "decision-lists:n=6",
    "decision-lists:n=4,k=2",
    "ltf:n=4",
    "ltf:n=5",
    "monotone:n=5",
    "affine:q=3,n=4,k=2",
    "hamming-balls:n=24,r=3,count=6",
    "hamming-balls:n=20,r=2,count=40",
    "random:m=5000,n=60",
    "product of two random 60 x 10",
    "product of three random 60 x 10",
)


def build(spec: str) -> Table:
    if spec.startswith("product"):
        rng = np.random.default_rng(0)
        C = Table(rng.integers(0, 2, (60, 10)))
        for start in (10, 20) if "three" in spec else (10,):
            D = Table(rng.integers(0, 2, (60, 10)))
            C = C.product(D.rename(range(start, start + 10)))
        return C
    family, given = catalog.parse(spec)
    return family.table(**given)


def limit_time(seconds: int) -> None:
    limit = int(time.process_time()) + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))


def search(engine: str, spec: str) -> tuple[int, float, int, int, int]:
    os.environ["LSCLASSES_ENGINE"] = engine
    table = build(spec)
    Table([[0, 1], [1, 0]] * 3).ldim()  # imports are not what is measured
    limit_time(SECONDS[engine])
    runs, before = 0, time.process_time()
    while not runs or time.process_time() - before < LONG_ENOUGH:
        fresh = Table._of_distinct(table.domain, table.packed)
        value = fresh.ldim()
        runs += 1
    seconds = (time.process_time() - before) / runs
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return value, seconds, len(table), len(table.domain), peak


def recursion(spec: str, most: int) -> tuple[int, float]:
    sys.setrecursionlimit(10_000)
    plain = frozenset(tuple(row) for row in build(spec).labels.tolist())
    limit_time(most)
    before = time.process_time()
    value = oracles.ldim_recursive(plain)
    return value, time.process_time() - before


def against(found, other, most: int) -> str:
    """The time of another search, and how many times that of the one it is held against."""
    if other is None:
        return f"> {most} s (> {most / found[1]:.0f})"
    assert other[0] == found[0], (found, other)
    if other[1] < RESOLUTION:
        return f"< {RESOLUTION} s"
    return f"{other[1]:.3g} s ({other[1] / found[1]:.0f})"


THREADED = (
    "ltf:n=5",
    "decision-lists:n=6",
    "hamming-balls:n=24,r=3,count=6",
    "hamming-balls:n=20,r=2,count=40",
    "random:m=5000,n=60",
    "conjunctions:n=8",
    "decision-lists:n=5",
)
TURNS = 3


class Run(NamedTuple):
    """One search; times in seconds."""

    value: int
    wall: float
    all: float
    """Processor time of all threads."""
    busiest: float
    """Of the caller's thread or, if that is more, of the others on average."""


def threaded(spec: str, threads: int, turns: int) -> tuple[Run, Run]:
    """The fastest searches by one thread and by several."""
    os.environ["LSCLASSES_ENGINE"] = "native"
    table = build(spec)
    Table([[0, 1], [1, 0]] * 3).ldim()  # imports are not what is measured
    runs: dict[int, list[Run]] = {1: [], threads: []}
    for _ in range(turns):
        for number, found in runs.items():
            fresh = Table._of_distinct(table.domain, table.packed)
            wall, every, own = time.perf_counter(), time.process_time(), time.thread_time()
            value = fresh.ldim(limit=Limit(threads=number))
            own = time.thread_time() - own
            every = time.process_time() - every
            others = (every - own) / max(1, number - 1)
            found.append(Run(value, time.perf_counter() - wall, every, max(own, others)))
    fastest = [min(found, key=lambda run: run.busiest) for found in runs.values()]
    return fastest[0], fastest[1]


def compare_threads(threads: int, specs: Sequence[str], turns: int) -> None:
    print(
        f"| class | Ldim | one thread | {threads} threads, busiest | all | ratio by processor time "
        "| ratio on the wall |"
    )
    print("|---|---|---|---|---|---|---|")
    for spec in specs:
        found = in_own_process(threaded, spec, threads, turns)
        assert found is not None
        one, several = found
        assert one.value == several.value
        print(
            f"| `{spec}` | {one.value} | {one.all:.3g} s | {several.busiest:.3g} s "
            f"| {several.all:.3g} s | {one.all / several.busiest:.2f} "
            f"| {one.wall / several.wall:.2f} |",
            flush=True,
        )


def main(*given: str) -> None:
    if given and given[0].startswith("--threads="):
        threads = int(given[0].partition("=")[2])
        compare_threads(threads, given[1:] or THREADED, 1 if given[1:] else TURNS)
    else:
        compare_engines()


def compare_engines() -> None:
    print(
        "| class | concepts x points | Ldim | kernel | peak memory "
        "| NumPy (ratio) | naive (ratio) |"
    )
    print("|---|---|---|---|---|---|---|")
    for spec in SPECS:
        found = in_own_process(search, "native", spec)
        value, seconds, concepts, points, peak = found
        numpy = against(found, in_own_process(search, "numpy", spec), SECONDS["numpy"])
        slow = against(found, in_own_process(recursion, spec, SECONDS["naive"]), SECONDS["naive"])
        print(
            f"| `{spec}` | {concepts} x {points} | {value} | {1000 * seconds:.4g} ms | {peak} MB "
            f"| {numpy} | {slow} |",
            flush=True,
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
