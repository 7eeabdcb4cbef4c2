"""Exact Littlestone dimension: the search against the naive memoised recursion.

Every class is measured in processes of its own: building its table (not counted), the search, and
`lsclasses.naive.ldim_recursive` for at most 60 seconds. All times are processor time of one thread,
so that other work on the machine matters little. ``python -m benchmarks search`` prints the table
of the README.
"""

from __future__ import annotations

import multiprocessing
import resource
import sys
import time
from multiprocessing.connection import Connection

import catalog
from lsclasses import Table, naive

NAIVE_SECONDS = 60

SPECS = (
    "thresholds:n=255",
    "points:n=300",
    "cube:n=8",
    "subsets:n=10,k=4",
    "conjunctions:n=8",
    "decision-lists:n=3",
    "decision-lists:n=4",
    "decision-lists:n=5",
    "decision-lists:n=4,k=2",
    "ltf:n=4",
    "ltf:n=5",
    "monotone:n=5",
    "affine:q=3,n=4,k=2",
)


def build(spec: str) -> Table:
    family, given = catalog.parse(spec)
    return family.table(**given)


def search(spec: str, answer: Connection) -> None:
    table = build(spec)
    Table([[0, 1], [1, 0]] * 3).ldim()  # imports are not what is measured
    before = time.process_time()
    value = table.ldim()
    seconds = time.process_time() - before
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    answer.send((len(table), len(table.domain), value, seconds, peak))


def recursion(spec: str, answer: Connection) -> None:
    sys.setrecursionlimit(10_000)
    plain = frozenset(tuple(row) for row in build(spec).labels.tolist())
    before = time.process_time()
    limit = int(before) + NAIVE_SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    value = naive.ldim_recursive(plain)
    answer.send((value, time.process_time() - before))


def measure(job, spec: str):
    """What `job` sends from a process of its own; None if it is killed before."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=job, args=(spec, sender))
    process.start()
    sender.close()
    try:
        return receiver.recv()
    except EOFError:
        return None
    finally:
        process.join()


def main() -> None:
    print("| class | concepts x points | Ldim | search | peak memory | naive recursion | ratio |")
    print("|---|---|---|---|---|---|---|")
    for spec in SPECS:
        concepts, points, value, seconds, peak = measure(search, spec)
        slow = measure(recursion, spec)
        if slow is None:
            baseline, ratio = f"> {NAIVE_SECONDS} s", f"> {NAIVE_SECONDS / seconds:.0f}"
        else:
            assert slow[0] == value, (spec, slow[0], value)
            baseline, ratio = f"{slow[1]:.3g} s", f"{slow[1] / seconds:.0f}"
        print(
            f"| `{spec}` | {concepts} x {points} | {value} | {seconds:.3g} s | {peak} MB "
            f"| {baseline} | {ratio} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
