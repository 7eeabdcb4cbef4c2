"""What a mistake costs a learner by sparse majorities, beside the SOA.

``SparseMajority`` by leaves is measured as well where `sparse_majority` takes halving, as far as it
has at most 2^14 leaves.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import catalog
from learners.majorities.algorithm import SparseMajority, sparse_majority
from lsclasses.errors import TooLarge
from lsclasses.soa import ConservativeSOA

SPECS = (
    "points:n=64",
    "subsets:n=44,k=2",
    "affine:q=2,n=6,k=1",
    "intervals:n=44",
    "rectangles:a=8,b=8",
    "random:m=1000,n=64,density=1/20",
    "random:m=1000,n=64,density=1/10",
    "random:m=1000,n=64,density=1/2",
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


def cell(spec: str, begin: Callable[[Any], Any], *, searched: bool) -> str:
    """Mean and largest seconds, or that there are too many leaves."""
    # Of the memory of searches, each learner has its own.
    C = catalog.build(spec).to_table()
    if searched:
        C.ldim()
    spent: list[float] = []
    try:
        for position in range(TARGETS):
            spent += seconds(begin, C, C[position * (len(C) // TARGETS)])
    except TooLarge:
        return "too many leaves"
    return f"{sum(spent) / len(spent):.4f} ({max(spent):.4f})"


def main() -> None:
    print("Processor seconds of the start and of each mistake, the rule included: mean (most).\n")
    print("| class | concepts | points | Ldim | learner, bound | seconds | leaves | SOA |")
    print("|---|---|---|---|---|---|---|---|")
    for spec in SPECS:
        C = catalog.build(spec).to_table()
        taken = sparse_majority(C)
        cells = [
            spec,
            *map(str, (len(C), len(C.points), C.ldim())),
            f"{type(taken).__name__}, {taken.mistake_bound}",
            cell(spec, sparse_majority, searched=False),
            cell(spec, SparseMajority, searched=True),
            cell(spec, ConservativeSOA, searched=True),
        ]
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
