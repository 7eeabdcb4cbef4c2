"""The largest classes with an exact Littlestone dimension: time, memory, version spaces visited.

``python -m benchmarks records`` prints the table of docs/search.md; about three minutes, 4 GB.
Each class has a process of its own; times are processor time of one thread.
"""

from __future__ import annotations

import os
import resource
import time
from multiprocessing.connection import Connection

from benchmarks.bench_search import build, measure

SPECS = ("decision-lists:n=6", "monotone:n=6", "ltf:n=6")


def record(spec: str, answer: Connection) -> None:
    os.environ["LSCLASSES_ENGINE"] = "native"
    before = time.process_time()
    table = build(spec)
    built = time.process_time() - before
    value = table.ldim()
    seconds = time.process_time() - before - built
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    answer.send((len(table), len(table.domain), value, built, seconds, peak))


def main() -> None:
    print("| class | concepts x points | Ldim | building it | search | peak memory |")
    print("|---|---|---|---|---|---|")
    for spec in SPECS:
        concepts, points, value, built, seconds, peak = measure(record, spec)
        print(
            f"| `{spec}` | {concepts} x {points} | {value} | {built:.3g} s | {seconds:.3g} s "
            f"| {peak:.2g} GB |",
            flush=True,
        )


if __name__ == "__main__":
    main()
