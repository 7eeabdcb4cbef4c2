"""What benchmarks hold the searches against answers the same question."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from benchmarks.__main__ import main
from benchmarks.bench_peers import clauses, satisfied_by_program
from lsclasses import Table
from tests import oracles
from tests.strategies import plain, tables


@given(tables(max_concepts=9, max_points=4))
def test_a_tree_is_shattered_if_and_only_if_the_clauses_can_be_satisfied(table: Table) -> None:
    solvers = pytest.importorskip("pysat.solvers", reason="needs lsclasses[sat]")
    value = oracles.ldim(plain(table))
    for depth in range(1, 5):
        with solvers.Cadical195(bootstrap_with=clauses(table, depth)) as solver:
            assert solver.solve() == (depth <= value)


def test_a_tree_is_shattered_if_and_only_if_the_program_has_a_solution() -> None:
    rng = np.random.default_rng(2)
    for _ in range(8):
        table = Table(rng.integers(0, 2, (int(rng.integers(1, 9)), int(rng.integers(1, 5)))))
        value = oracles.ldim(plain(table))
        found = [satisfied_by_program(table, depth)[0] for depth in range(1, 4)]
        assert found == [depth <= value for depth in range(1, 4)]


@pytest.mark.parametrize("arguments", [["audit", "-h"], ["--help"]])
def test_help_lists_benchmarks_and_runs_none(arguments: list[str], capsys) -> None:
    main(arguments)
    shown = capsys.readouterr().out
    assert shown.startswith("Usage: python -m benchmarks") and "\n  audit\n" in shown
    assert "## bench_" not in shown


def test_an_unknown_benchmark_stops_all_benchmarks(capsys) -> None:
    with pytest.raises(SystemExit, match="There is no benchmark 'unknown'"):
        main(["audit", "unknown"])
    assert capsys.readouterr().out == ""
