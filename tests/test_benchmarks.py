"""What benchmarks hold the searches against answers the same question."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from benchmarks import merging_table
from benchmarks.__main__ import main
from benchmarks.bench_peers import clauses, satisfied_by_program
from benchmarks.bench_voting import LINES, bound
from benchmarks.kept import DOCS, FOLDER
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


def rows_of_bounds(page: Path) -> dict[tuple[str, ...], list[str]]:
    """The cells of the section on small dimensions, by power of T and by learner."""
    text = page.read_text(encoding="utf-8").partition(merging_table.TITLE)[2]
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line[:5] == "| 10^"]
    return {
        (power, cells[0].strip("`")) if cells[0][0] == "`" else (power, str(len(cells))): cells
        for power, *cells in rows
    }


def test_the_page_has_the_bounds_of_the_experts_and_of_voting() -> None:
    rows = rows_of_bounds(DOCS / "which-learner.md")
    for name in ("sparse-experts", "dartboard", "dp-hedge"):
        value = merging_table.of_experts(name, 16, 10**4)
        assert rows["10^4", name][1] == merging_table.shown(value, 10**4)
    assert rows["10^4", "5"][3] == str(merging_table.of_voting(10**4))
    assert rows["10^4", "5"][0] == f"{merging_table.of_merging(2, 10**4):,}"


@pytest.mark.slow
def test_the_page_has_the_bounds_of_many_experts_and_long_games() -> None:
    rows = rows_of_bounds(DOCS / "which-learner.md")
    for name in ("sparse-experts", "dartboard", "dp-hedge"):
        value = merging_table.of_experts(name, 10**3, 10**4)
        assert rows["10^4", name][2] == merging_table.shown(value, 10**4)
    for power in (6, 9):
        sizes = merging_table.SIZES.values()
        found = [merging_table.of_experts("sparse-experts", size, 10**power) for size in sizes]
        cells = [merging_table.shown(value, 10**power) for value in found]
        assert rows[f"10^{power}", "sparse-experts"][1:] == cells
        assert rows[f"10^{power}", "6"][0] == merging_table.first_size(2, 10**power, False)


LARGE = "sparse-experts, 2^64 concepts"


@pytest.mark.parametrize(
    "label", [*sorted(set(LINES) - {LARGE}), pytest.param(LARGE, marks=pytest.mark.slow)]
)
def test_the_figure_of_voting_has_the_bounds_of_the_learners(label: str) -> None:
    kept = json.loads((FOLDER / "voting.json").read_text(encoding="utf-8"))
    _, name, spec = LINES[label]
    for rounds, epsilon in ((10**3, Fraction(1)), (10**6, Fraction(4))):
        assert kept[f"{name}, {spec}, {rounds}, {epsilon}"] == bound(name, spec, rounds, epsilon)
