"""Other ways to an exact Littlestone dimension, beside ours: a recursion, a SAT solver, an ILP.

*Naive* is the definition with a memory (`tests.oracles.ldim_recursive`). *CaDiCaL* (through
python-sat) is asked whether a tree of depth k is shattered, for k = 1, 2, ... up to log2 of the
number of concepts: every node chooses a point, every leaf a concept whose labels the branch
follows. *HiGHS* (`scipy.optimize.milp`) is asked the same by an integer linear program. Each has a
process of its own and 60 seconds of processor time for all depths, the solvers 4 GB. Building the
class and writing clauses or constraints are not measured, but count towards the 60 seconds.
``python -m benchmarks peers`` prints the table of docs/records.md; without
``pip install 'lsclasses[sat]'`` it says so, and leaves CaDiCaL out.
"""

from __future__ import annotations

import itertools
import resource
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec

import numpy as np
from scipy.optimize import LinearConstraint, milp
from scipy.sparse import block_diag, csr_array, eye_array, hstack, kron, vstack

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


def program(table: Table, depth: int) -> LinearConstraint:
    """The same as an integer linear program, in variables that are 0 or 1.

    Every inner node v asks for one point, and every leaf w has one concept. If v asks for the j-th
    point, and w lies on side y of v, the concept of w is one of those with the label y there. Nodes
    are numbered as for the clauses, and so are the first variables.
    """
    labels, leaves = table.labels, 1 << depth
    concepts, points = labels.shape
    choices = [csr_array(np.ones((1, points)))] * (leaves - 1)
    choices += [csr_array(np.ones((1, concepts)))] * leaves
    # One block for each leaf and node above it: concepts with the label, less its point.
    asks = kron(eye_array(leaves - 1, format="csr"), eye_array(points), format="csr")
    with_label = [
        kron(eye_array(leaves, format="csr"), (y == labels.T).astype(float), format="csr")
        for y in (0, 1)
    ]
    follows = []
    for w, up in itertools.product(range(leaves), range(1, depth + 1)):
        above, side = leaves + w >> up, leaves + w >> (up - 1) & 1
        point = asks[(above - 1) * points : above * points]
        follows.append(hstack([-point, with_label[side][w * points : (w + 1) * points]]))
    matrix = vstack([block_diag(choices), *follows], format="csr")
    exactly = np.arange(matrix.shape[0]) < len(choices)
    return LinearConstraint(matrix, exactly.astype(float), np.where(exactly, 1, np.inf))


def satisfied_by_program(table: Table, depth: int) -> tuple[bool, float]:
    constraint = program(table, depth)
    size = constraint.A.shape[1]
    before = time.process_time()
    found = milp(np.zeros(size), integrality=np.ones(size), bounds=(0, 1), constraints=constraint)
    assert found.status in (0, 2), found.message
    return found.status == 0, time.process_time() - before


def satisfied_by_clauses(table: Table, depth: int) -> tuple[bool, float]:
    from pysat.solvers import Cadical195

    with Cadical195() as cadical:
        for clause in clauses(table, depth):
            cadical.add_clause(clause)
        before = time.process_time()
        return cadical.solve(), time.process_time() - before


def solver(
    satisfied: Callable[[Table, int], tuple[bool, float]], spec: str
) -> tuple[int, float] | None:
    table = build(spec)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    limit_time(SECONDS)
    depth, seconds = 0, 0.0
    try:
        while 1 << (depth + 1) <= len(table):
            shattered, taken = satisfied(table, depth + 1)
            seconds += taken
            if not shattered:
                break
            depth += 1
    except MemoryError:
        return None
    return depth, seconds


def main() -> None:
    sat = find_spec("pysat") is not None
    if not sat:
        print("Without CaDiCaL; pip install 'lsclasses[sat]' adds it.\n")
    print("| class | concepts x points | Ldim | kernel | NumPy | naive | CaDiCaL | HiGHS |")
    print("|---|---|---|---|---|---|---|---|")
    for spec in SPECS:
        found = in_own_process(search, "native", spec)
        value, seconds, concepts, points, _ = found
        others = [
            against(found, in_own_process(search, "numpy", spec), SECONDS),
            against(found, in_own_process(recursion, spec, SECONDS), SECONDS),
            against(found, in_own_process(solver, satisfied_by_clauses, spec), SECONDS)
            if sat
            else "not installed",
            against(found, in_own_process(solver, satisfied_by_program, spec), SECONDS),
        ]
        print(
            f"| `{spec}` | {concepts} x {points} | {value} | {1000 * seconds:.3g} ms | "
            f"{' | '.join(others)} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
