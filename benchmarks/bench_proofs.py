"""Proofs of the Littlestone dimensions of large classes: their size, making and checking them.

``python -m benchmarks proofs`` prints the table of docs/records.md. Each proof is made in a process
of its own, which searches before, and checked in another one, which knows nothing but the class and
the file. Times are processor time of one thread.
"""

from __future__ import annotations

import gzip
import os
import resource
import tempfile
import time
from pathlib import Path

from benchmarks.bench_search import build
from benchmarks.own_process import in_own_process
from lsclasses.certificates import LdimCertificate, load_certificate

SPECS = (
    "ltf:n=4",
    "decision-lists:n=5",
    "ltf:n=5",
    "decision-lists:n=6",
    "monotone:n=6",
    "ltf:n=6",
)


def peak() -> float:
    """In GB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def make(spec: str, path: str) -> tuple[int, int, int, float, float, float]:
    os.environ["LSCLASSES_ENGINE"] = "native"
    table = build(spec)
    start = time.process_time()
    value = table.ldim()
    searched = time.process_time() - start
    start = time.process_time()
    proof = LdimCertificate.of(table)
    seconds = time.process_time() - start
    proof.save(path)
    nodes = len(getattr(proof.tree, "nodes", ()))
    return value, nodes, len(proof.dag.entries), searched, seconds, peak()


def check(spec: str, path: str) -> tuple[float, float]:
    table = build(spec)
    start = time.process_time()
    load_certificate(path).verify(table)
    return time.process_time() - start, peak()


def main() -> None:
    print(
        "| proof of | nodes of the folded tree, entries of the DAG | bytes, gzipped bytes "
        "| time of the search | time to make the proof | memory for search and proof "
        "| time of the check | memory of the check |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for spec in SPECS:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "proof.json"
            value, nodes, entries, searched, made, memory = in_own_process(make, spec, str(path))
            packed = len(gzip.compress(path.read_bytes()))
            checked, needed = in_own_process(check, spec, str(path))
            size = path.stat().st_size
        print(
            f"| Ldim = {value}, `{spec}` | {nodes}, {entries} | {size}, {packed} "
            f"| {searched:.3g} s | {made:.3g} s | {memory:.2g} GB "
            f"| {checked:.3g} s | {needed:.2g} GB |",
            flush=True,
        )


if __name__ == "__main__":
    main()
