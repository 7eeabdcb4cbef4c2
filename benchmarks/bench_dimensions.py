"""Every dimension of the decision lists on five variables, 15036 x 32: the time, or bounds in 10 s.

Each has a process of its own. ``python -m benchmarks dimensions`` prints the table of
docs/records.md; times are processor time of one thread, the limit is wall-clock time.
"""

from __future__ import annotations

import time

from benchmarks.bench_search import build
from benchmarks.own_process import in_own_process
from lsclasses import Limit, Table
from lsclasses.dimensions import DIMENSIONS
from lsclasses.errors import TooLarge

SPEC = "decision-lists:n=5"
SECONDS = 10


def ask(name: str) -> tuple[str, float]:
    table = build(SPEC)
    DIMENSIONS[name].search(Table([[0, 1], [1, 0]] * 3))  # imports are not what is measured
    before, start = time.process_time(), time.monotonic()
    try:
        told = str(DIMENSIONS[name].search(table, limit=Limit(seconds=SECONDS)))
    except TooLarge as stopped:
        known = stopped.lower is not None
        told = f"from {stopped.lower} to {stopped.upper}" if known else "no bounds"
        ended = time.monotonic() - start >= SECONDS
        told += f", stopped after {SECONDS} s" if ended else ", too large to go on"
    return told, time.process_time() - before


def main() -> None:
    print(f"`{SPEC}`\n\n| dimension | value | processor time |")
    print("|---|---|---|")
    for name in DIMENSIONS:
        told, seconds = in_own_process(ask, name)
        print(f"| {name} | {told} | {seconds:.2f} s |", flush=True)


if __name__ == "__main__":
    main()
