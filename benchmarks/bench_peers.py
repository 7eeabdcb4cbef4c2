"""Other ways to an exact Littlestone dimension, in one run with ours: a recursion, a SAT solver.

*Naive* is the definition with a memory (`lsclasses.naive.ldim_recursive`). *CaDiCaL* (through
python-sat) is asked whether a tree of depth k is shattered, for k = 1, 2, ... up to log2 of the
number of concepts: every node chooses a point, every leaf a concept whose labels the branch
follows. Each has a process of its own and 60 seconds of processor time, CaDiCaL 4 GB; building the
class and writing the clauses are not measured. ``python -m benchmarks peers`` prints the table of
docs/records.md; without ``pip install 'lsclasses[sat]'`` it says so, and leaves CaDiCaL out.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from importlib.util import find_spec

from benchmarks.bench_search import against, build, limit_time, recursion, search
from benchmarks.own_process import in_own_process
from lsclasses import Table

SECONDS = 60
"""When each is given up."""
MEMORY = 4 << 30
"""What CaDiCaL may use."""
SPECS = (
    "thresholds:n=31",
    "cube:n=5",
    "subsets:n=8,k=3",
    "conjunctions:n=3",
    "conjunctions:n=4",
    "decision-lists:n=3",
    "ltf:n=3",
    "monotone:n=3",
    "monotone:n=4",
    "decision-lists:n=4",
)


def clauses(table: Table, depth: int) -> Iterator[list[int]]:
    """What says that a complete tree of that depth is shattered.

    Nodes are numbered 1, 2, 3, ... from the root, the children of v being 2v and 2v + 1, so that
    nodes from 2^depth on are leaves. Variables tell that node v asks for the j-th point, that leaf
    v has the i-th concept, and that the concept at leaf v gives the j-th point the label 1.
    """
    rows, points = table.labels.tolist(), len(table.points)
    first_leaf = 1 << depth

    def asks(v: int, j: int) -> int:
        return 1 + v * points + j

    def label(v: int, j: int) -> int:
        return asks(v, j)  # a leaf asks for nothing

    def chooses(v: int, i: int) -> int:
        return 1 + 2 * first_leaf * points + (v - first_leaf) * len(rows) + i

    for v in range(1, first_leaf):
        yield [asks(v, j) for j in range(points)]
    for v in range(first_leaf, 2 * first_leaf):
        yield [chooses(v, i) for i in range(len(rows))]
        for i, row in enumerate(rows):
            for j, y in enumerate(row):
                yield [-chooses(v, i), label(v, j) if y else -label(v, j)]
        for up in range(1, depth + 1):
            above, side = v >> up, v >> (up - 1) & 1
            for j in range(points):
                yield [-asks(above, j), label(v, j) if side else -label(v, j)]


def solver(spec: str) -> tuple[int, float]:
    from pysat.solvers import Cadical195

    table = build(spec)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    limit_time(SECONDS)
    depth, seconds = 0, 0.0
    while 1 << (depth + 1) <= len(table):
        with Cadical195() as cadical:
            for clause in clauses(table, depth + 1):
                cadical.add_clause(clause)
            before = time.process_time()
            shattered = cadical.solve()
            seconds += time.process_time() - before
        if not shattered:
            break
        depth += 1
    return depth, seconds


def main() -> None:
    sat = find_spec("pysat") is not None
    if not sat:
        print("Without CaDiCaL; pip install 'lsclasses[sat]' adds it.\n")
    print("| class | concepts x points | Ldim | kernel | NumPy | naive | CaDiCaL |")
    print("|---|---|---|---|---|---|---|")
    for spec in SPECS:
        found = in_own_process(search, "native", spec)
        value, seconds, concepts, points, _ = found
        others = [
            against(found, in_own_process(search, "numpy", spec), SECONDS),
            against(found, in_own_process(recursion, spec, SECONDS), SECONDS),
            against(found, in_own_process(solver, spec), SECONDS) if sat else "not installed",
        ]
        print(
            f"| `{spec}` | {concepts} x {points} | {value} | {1000 * seconds:.3g} ms | "
            f"{' | '.join(others)} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
