"""What a mistake costs a learner by sparse majorities, beside the SOA on the same mistakes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import catalog
from learners.online.sparse_majority import SparseMajority
from lsclasses.soa import ConservativeSOA

SPECS = (
    "points:n=64",
    "intervals:n=44",
    "rectangles:a=8,b=8",
    "random:m=1000,n=64,density=1/20",
    "random:m=1000,n=64,density=1/10",
    "subsets:n=20,k=3",
)
TARGETS = 3


def seconds(begin: Callable[[Any], Any], C: Any, target: Any) -> list[float]:
    """Of the start and every mistake, each with the rule that comes of it written out."""
    spent: list[float] = []
    state, wrong = None, None
    while True:
        start = time.process_time()
        state = begin(C) if state is None else state.observe(wrong, target(wrong))
        rule = state.hypothesis.to_concept()
        spent.append(time.process_time() - start)
        wrong = rule.disagreement(target)
        if wrong is None:
            return spent


def main() -> None:
    print("Processor seconds of the start and of each mistake, the rule included: mean (most).\n")
    print("| class | concepts | points | Ldim | sparse majority | SOA |\n|---|---|---|---|---|---|")
    for spec in SPECS:
        cells = []
        for start in (SparseMajority, ConservativeSOA):
            # Of the memory of searches, each learner has its own.
            C = catalog.build(spec).to_table()
            C.ldim()
            spent: list[float] = []
            for position in range(TARGETS):
                spent += seconds(start, C, C[position * (len(C) // TARGETS)])
            cells.append(f"{sum(spent) / len(spent):.3f} ({max(spent):.3f})")
        print(f"| {spec} | {len(C)} | {len(C.points)} | {C.ldim()} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
