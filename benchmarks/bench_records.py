"""The largest classes with exact Littlestone and VC dimensions: time and memory.

``python -m benchmarks records`` prints the table of docs/records.md; 4 GB, about three minutes and
the time that the VC dimension of the threshold functions is given. Each question has a process of
its own; times are processor time of one thread.
"""

from __future__ import annotations

import os
import resource
import time

from benchmarks.bench_search import build
from benchmarks.own_process import in_own_process
from lsclasses import Limit
from lsclasses.dimensions import DIMENSIONS
from lsclasses.errors import TooLarge

SPECS = ("decision-lists:n=6", "monotone:n=6", "ltf:n=6")


NAMES = ("ldim", "vcdim")
SECONDS = 600
"""The limit of each search; bounds are told where it is reached."""


def record(spec: str, name: str) -> tuple[str, str, float, float, float]:
    os.environ["LSCLASSES_ENGINE"] = "native"
    before = time.process_time()
    table = build(spec)
    built = time.process_time() - before
    try:
        told = str(DIMENSIONS[name](table, limit=Limit(seconds=SECONDS)))
    except TooLarge as stopped:
        told = f"{stopped.lower} to {stopped.upper}"
    seconds = time.process_time() - before - built
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return f"{len(table)} x {len(table.domain)}", told, built, seconds, peak


def main() -> None:
    print(
        "| class | concepts x points | time to build the table | dimension "
        "| time of the search | peak memory |"
    )
    print("|---|---|---|---|---|---|")
    for spec in SPECS:
        for name in NAMES:
            size, told, built, seconds, peak = in_own_process(record, spec, name)
            print(
                f"| `{spec}` | {size} | {built:.3g} s | {name} {told} | {seconds:.3g} s "
                f"| {peak:.2g} GB |",
                flush=True,
            )


if __name__ == "__main__":
    main()
