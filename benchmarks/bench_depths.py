"""Proofs of randomized Littlestone dimensions: their size, making and checking them.

``python -m benchmarks depths`` prints the table of docs/certificates.md. Each proof is made in a
process of its own, with the search for the value, and checked in another one, which knows nothing
but the class and the file. Times are processor time of one thread. The last one takes minutes.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from benchmarks.bench_proofs import check, peak
from benchmarks.bench_search import build
from benchmarks.own_process import in_own_process
from lsclasses.dimensions.depth_proofs import randomized_ldim_certificate

SPECS = ("conjunctions:n=4", "ltf:n=4", "decision-lists:n=4", "conjunctions:n=5", "ltf:n=5")


def make(spec: str, path: str) -> tuple[str, int, int, int, int, float, float]:
    table = build(spec)
    start = time.process_time()
    proof = randomized_ldim_certificate(table)
    seconds, memory = time.process_time() - start, peak()
    proof.save(path)
    steps = sum(len(entry.steps) for entry in proof.bounds)
    sizes = len(proof.bounds), steps, len(proof.nodes)
    return proof.claim, len(table), *sizes, seconds, memory


def main() -> None:
    print(
        "| proof of | concepts | entries | steps | nodes | bytes, gzipped | made in | memory "
        "| checked in | memory |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for spec in SPECS:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "proof.json.gz"
            claim, *sizes, made, memory = in_own_process(make, spec, str(path))
            checked, needed = in_own_process(check, spec, str(path))
            print(
                f"| {claim}, `{spec}` | {' | '.join(map(str, sizes))} | {path.stat().st_size} "
                f"| {made:.3g} s | {memory:.2g} GB | {checked:.3g} s | {needed:.2g} GB |",
                flush=True,
            )


if __name__ == "__main__":
    main()
