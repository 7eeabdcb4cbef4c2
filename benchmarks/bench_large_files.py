"""Large tables in files: reading them, and searches in them.

One of 2 * 10^7 concepts on 64 points, in an NPY file of 1.28 GB, one byte a label: the searches end
with bounds. One of 10^5 concepts on 64 points, in CSV: reading should take no longer than the
search. The files are made, measured and deleted; about two minutes. Every measurement has a process
of its own; times are processor time of one thread, memory is the most that the process held.
``python -m benchmarks large_files`` prints the table of docs/records.md.
"""

from __future__ import annotations

import resource
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.own_process import in_own_process
from lsclasses import Limit, Table
from lsclasses.dimensions import DIMENSIONS
from lsclasses.errors import TooLarge

CONCEPTS, POINTS = 20_000_000, 64
ROWS = 100_000
"""The concepts of the table in CSV."""
SECONDS = 20
"""The limit of each search."""
Measured = tuple[str, float, float, float]
"""An answer, processor time, and the memory before and at most."""


def make(path: str) -> None:
    """Random labels, in parts; in a process of its own, whose memory is not counted."""
    rng = np.random.default_rng(0)
    labels = np.lib.format.open_memmap(path, "w+", np.uint8, (CONCEPTS, POINTS))
    step = 1 << 18
    for start in range(0, CONCEPTS, step):
        packed = rng.integers(0, 256, (min(step, CONCEPTS - start), POINTS // 8), dtype=np.uint8)
        labels[start : start + step] = np.unpackbits(packed, axis=1)
    labels.flush()


def make_csv(path: str) -> None:
    labels = np.random.default_rng(0).integers(0, 2, (ROWS, POINTS), dtype=np.uint8)
    Table(labels, concepts=[f"c{i}" for i in range(ROWS)]).save(path)


def read(path: str) -> Measured:
    start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    before = time.process_time()
    table = Table.load(path)
    told = f"{len(table)} x {len(table.points)}, {table.packed.nbytes / 1e9:.2f} GB packed"
    return told, time.process_time() - before, start / 2**20, peak()


def search(path: str, name: str) -> Measured:
    table = Table.load(path)
    start, before = peak(), time.process_time()
    try:
        told = str(DIMENSIONS[name](table, limit=Limit(seconds=SECONDS, memory=2**32)))
    except TooLarge as stopped:
        told = f"from {stopped.lower} to {stopped.upper}, stopped after {SECONDS} s"
    return told, time.process_time() - before, start, peak()


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="lsclasses-") as folder:
        path = str(Path(folder) / "large.npy")
        in_own_process(make, path)
        print("| question | answer | processor time | memory before | most memory |")
        print("|---|---|---|---|---|")
        jobs = [("reading the file", in_own_process(read, path))]
        jobs += [(name, in_own_process(search, path, name)) for name in ("ldim", "vcdim")]
        path = str(Path(folder) / "table.csv")
        in_own_process(make_csv, path)
        jobs += [("reading the CSV file", in_own_process(read, path))]
        jobs += [("ldim of its table", in_own_process(search, path, "ldim"))]
        for what, (told, seconds, start, most) in jobs:
            print(f"| {what} | {told} | {seconds:.1f} s | {start:.2f} GB | {most:.2f} GB |")


if __name__ == "__main__":
    main()
