"""What benchmarks hold the searches against answers the same question."""

from __future__ import annotations

import pytest
from hypothesis import given

from benchmarks.bench_peers import clauses
from lsclasses import Table, naive
from tests.strategies import plain, tables

solvers = pytest.importorskip("pysat.solvers", reason="needs lsclasses[sat]")


@given(tables(max_concepts=9, max_points=4))
def test_a_tree_is_shattered_if_and_only_if_the_clauses_can_be_satisfied(table: Table) -> None:
    value = naive.ldim(plain(table))
    for depth in range(1, 5):
        with solvers.Cadical195(bootstrap_with=clauses(table, depth)) as solver:
            assert solver.solve() == (depth <= value)
