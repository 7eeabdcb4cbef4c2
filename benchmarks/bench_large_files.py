"""A table of 2 * 10^7 concepts on 64 points in an NPY file: reading it, bounds on its dimensions.

The file, 1.28 GB of one byte a label, is made, measured and deleted; about two minutes. Every
measurement has a process of its own; times are processor time of one thread, memory is the most
that the process held. ``python -m benchmarks large_files`` prints the table of docs/records.md.
"""

from __future__ import annotations

import resource
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np

from benchmarks.bench_search import measure
from lsclasses import Limit, Table
from lsclasses.dimensions import DIMENSIONS
from lsclasses.errors import TooLarge

CONCEPTS, POINTS = 20_000_000, 64
SECONDS = 20
"""The limit of each search."""


def make(path: str, answer: Connection) -> None:
    """Random labels, in parts; in a process of its own, whose memory is not counted."""
    rng = np.random.default_rng(0)
    labels = np.lib.format.open_memmap(path, "w+", np.uint8, (CONCEPTS, POINTS))
    step = 1 << 18
    for start in range(0, CONCEPTS, step):
        packed = rng.integers(0, 256, (min(step, CONCEPTS - start), POINTS // 8), dtype=np.uint8)
        labels[start : start + step] = np.unpackbits(packed, axis=1)
    labels.flush()
    answer.send(None)


def read(path: str, answer: Connection) -> None:
    start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    before = time.process_time()
    table = Table.load(path)
    told = f"{len(table)} x {len(table.points)}, {table.packed.nbytes / 1e9:.2f} GB packed"
    answer.send((told, time.process_time() - before, start / 2**20, peak()))


def search(path: str, name: str, answer: Connection) -> None:
    table = Table.load(path)
    start, before = peak(), time.process_time()
    try:
        told = str(DIMENSIONS[name](table, limit=Limit(seconds=SECONDS, memory=2**32)))
    except TooLarge as stopped:
        told = f"from {stopped.lower} to {stopped.upper}, stopped after {SECONDS} s"
    answer.send((told, time.process_time() - before, start, peak()))


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="lsclasses-") as folder:
        path = str(Path(folder) / "large.npy")
        measure(make, path)
        print("| question | answer | processor time | memory before | most memory |")
        print("|---|---|---|---|---|")
        jobs = [("reading the file", measure(read, path))]
        jobs += [(name, measure(search, path, name)) for name in ("ldim", "vcdim")]
        for what, (told, seconds, start, most) in jobs:
            print(f"| {what} | {told} | {seconds:.1f} s | {start:.2f} GB | {most:.2f} GB |")


if __name__ == "__main__":
    main()
