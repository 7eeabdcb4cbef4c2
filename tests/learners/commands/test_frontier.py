"""``lsclasses frontier``: the table, what is too large, certificates, priors."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from learners.commands import frontier as command
from lsclasses.errors import TooLarge
from tests.lsclasses.commands.test_cli import run


def test_what_may_be_published_is_ordered_and_others_stay_above() -> None:
    found = json.loads(run("frontier", "points:n=3", "--rows", "1..2", "--json").stdout)
    lower, upper = (
        {name: [entry[side] for entry in row] for name, row in found["results"].items()}
        for side in ("lower", "upper")
    )
    order = ["without privacy", "prediction", "any", "class", "exponential mechanism"]
    for size in (0, 1):
        for one, other in pairwise(order):
            assert lower[one][size] <= upper[other][size]
    assert [round(v, 3) for v in lower["any"]] == [0.385, 0.278]


def test_the_certificate_is_checked_by_check(tmp_path: Path) -> None:
    path = str(tmp_path / "proof.json")
    run("frontier", "points:n=2", "--rows", "2", "--certificate", path)
    assert "is proved by" in run("check", path, "points:n=2").stdout
    assert "does not prove a claim" in run("check", path, "points:n=3", status=1).stderr


def test_what_is_too_large_is_left_out_with_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    from learners.optimal import error

    computed = error.optimal_error

    def small(C: object, m: int, *given: object, **others: object) -> object:
        if m > 1:
            raise TooLarge("It has too many rows.", estimate=m)
        return computed(C, m, *given, **others)  # type: ignore[arg-type]

    monkeypatch.setattr(error, "optimal_error", small)
    result = run("frontier", "points:n=2", "--rows", "1..2", "--outputs", "any")
    assert "too many rows" in result.stderr and " - " in result.stdout
    alone = run("frontier", "points:n=2", "--rows", "2", "--outputs", "any")
    assert "too many rows" in alone.stderr and "without privacy" in alone.stdout


def test_rows_that_are_computed_are_printed_without_an_optimum(tmp_path: Path) -> None:
    result = run("frontier", "cube:n=4", "--rounds", "12")
    assert "11,969 distributions" in result.stderr and "Use at most 10 rounds." in result.stderr
    rows = [line.rstrip() for line in result.stdout.splitlines() if line.rstrip().endswith(" -")]
    assert len(rows) == 4
    assert "without privacy" in result.stdout and "2.0000" in result.stdout
    path = str(tmp_path / "proof.json")
    asked = ("frontier", "cube:n=4", "--rounds", "12", "--certificate", path)
    assert "about 3,475,661" in run(*asked, status=2).stderr


def test_digits_on_which_the_bounds_differ_are_shown_twice() -> None:
    assert command._digits(Fraction("0.12341"), Fraction("0.12344")) == "0.1234"
    assert command._digits(Fraction("0.12341"), Fraction("0.12356")) == "0.1234-0.1236"
