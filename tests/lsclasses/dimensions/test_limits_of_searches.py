"""Every search with a limit returns the exact value, or different bounds that contain it.

A clock that advances by one second per reading replaces the clock of the meters, so the tests do
not depend on the speed of the machine.
"""

from __future__ import annotations

import itertools
import json
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import optimize
from typer.testing import CliRunner

from lsclasses import Limit, Table, limits
from lsclasses.commands.application import app
from lsclasses.dimensions import DIMENSIONS
from lsclasses.dimensions.compression import labelled_compression_size
from lsclasses.errors import TooLarge
from lsclasses.searching.search_bounds import Bounds

SECONDS = (0.5, 1.5, 2.5, 5.5, 10.5, 20.5, 50.5)


@cache
def rows(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.integers(0, 2, (rng.integers(1, 12), rng.integers(0, 7)))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    readings = itertools.count()
    found = optimize.milp

    def milp(*arguments: Any, options: Any, **others: Any) -> Any:
        return found(*arguments, **others)

    monkeypatch.setattr(limits, "time", SimpleNamespace(monotonic=lambda: float(next(readings))))
    monkeypatch.setattr(optimize, "milp", milp)


def contains(lower: Any, value: Any, upper: Any) -> bool:
    if isinstance(value, tuple):
        return lower != upper and all(map(contains_weakly, lower, value, upper))
    return bool(lower < upper) and contains_weakly(lower, value, upper)


def contains_weakly(lower: Any, value: Any, upper: Any) -> bool:
    return bool(lower <= value <= upper)


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("count", [50, pytest.param(200, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", DIMENSIONS)
def test_values_or_different_bounds(name: str, count: int) -> None:
    """On random tables."""
    stopped = 0
    for seed in range(count):
        expected = DIMENSIONS[name](Table(rows(seed)))
        limit = Limit(seconds=SECONDS[seed % len(SECONDS)])
        try:
            found = DIMENSIONS[name](Table(rows(seed)), limit=limit)
        except TooLarge as error:
            stopped += 1
            assert contains(error.lower, expected, error.upper), (seed, error)
        else:
            assert (found, type(found)) == (expected, type(expected)), seed
    assert 0 < stopped < count


@pytest.mark.usefixtures("clock")
def test_dims_prints_values_or_different_bounds(tmp_path: Path) -> None:
    table = Table(np.random.default_rng(3).integers(0, 2, (11, 6)))
    table.save(tmp_path / "table.csv")
    for seconds in ("1/2", "5", "20", "60"):
        command = ["dims", str(tmp_path / "table.csv"), "--only", "all", "--seconds", seconds]
        result = CliRunner().invoke(app, [*command, "--json"])
        assert result.exit_code == 0, result.output
        (found,) = json.loads(result.stdout)
        for name, entry in DIMENSIONS.items():
            expected = json.loads(json.dumps(entry(table), default=str))
            if found[name] is None:
                lower, upper = found["bounds"][name]["lower"], found["bounds"][name]["upper"]
                assert None not in (lower, upper)
                assert lower != upper
            else:
                assert found[name] == expected


def test_no_clash_teaching_returns_when_the_bounds_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program can prove the bound of another dimension before it finds teaching sets."""

    def milp(*arguments: Any, **others: Any) -> Any:
        return SimpleNamespace(success=False, mip_dual_bound=2.0, message="time limit", x=None)

    monkeypatch.setattr(optimize, "milp", milp)
    table = Table(["011", "101", "111", "110", "000", "001"])
    assert table.no_clash_teaching_dim(limit=Limit(seconds=60)) == 2


def test_labelled_compression_returns_when_the_bounds_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pysat")
    module = "lsclasses.dimensions.compression"
    real = __import__(module, fromlist=["_Problem"])._Problem.scheme

    def scheme(problem: Any, meter: Any) -> Any:
        if problem.size == len(problem.table.points):
            raise TooLarge("No answer within the limit of 1 seconds.", limit=1)
        return real(problem, meter)

    table = Table(["0", "1"])
    expected = labelled_compression_size(table)
    monkeypatch.setattr(f"{module}._Problem.scheme", scheme)
    assert labelled_compression_size(table, limit=Limit(seconds=1)) == expected == 1


def test_errors_state_equal_bounds_as_a_value() -> None:
    with pytest.raises(TooLarge, match=r"stopped\. So far: x = 2\."), Bounds("x", 2, 2):
        raise TooLarge("stopped.")
    with pytest.raises(TooLarge, match=r"stopped\. So far: 1 <= x <= 2\."), Bounds("x", 1, 2):
        raise TooLarge("stopped.")


def test_a_class_without_points() -> None:
    assert Table([[]]).summary(limit=Limit(seconds=60)).rows
