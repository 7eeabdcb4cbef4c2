"""``lsclasses pac``, ``stability`` and ``rows`` as a user meets them."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from learners.accounting import basic
from learners.pac.entries import BATCH_LEARNERS
from tests.learners.toy_package import TOY
from tests.lsclasses.commands.test_cli import error_of, not_private_json, run

ROWS = "point,label\n0,0\n1,0\n2,0\n3,1\n4,1\n6,1\n"


def learned(*arguments: object, status: int = 0) -> Any:
    return json.loads(run("pac", *arguments, "--json", status=status).stdout)


POINTS = "points:n=9", "point=4", "000010000"
TARGETS = {"merging": ("thresholds:n=6", "3", "000111")}
"""The merging learner refuses Littlestone dimension 1, for which voting needs fewer rows."""


@pytest.mark.parametrize("name", BATCH_LEARNERS.names())
def test_every_learner_finds_the_target_of_a_distribution(name: str) -> None:
    source, target, labels = TARGETS.get(name, POINTS)
    found = learned(name, source, "--target", target, "--rows", 24_000)
    assert found["labels"].startswith(labels)
    assert found["population error"] == found["least population error"] == "0"
    assert {bound["verdict"] for bound in found["bounds"]} <= {"consistent", "does not apply"}
    event = BATCH_LEARNERS[name].learner(source, 24_000).privacy
    ledger = found["ledger"]
    assert (event is None) == (ledger is None)
    assert event is None or Fraction(ledger["epsilon"]) == basic(event)[0] <= 1


def test_a_table_tells_only_what_the_ledger_covers(tmp_path: Path) -> None:
    data = tmp_path / "rows.csv"
    data.write_text(ROWS)
    for name in ("generic", "private-littlestone"):
        result = run("pac", name, "thresholds:n=7", "--data", data)
        assert "errors" not in result.stdout and "simulation" not in result.stdout
        assert "Not private, only for the owner of the rows:" in result.stderr
        assert "least errors of a concept: 0 of 6" in result.stderr
    assert "The bound on the error needs 2824600 rows, but there are 6" in result.stderr
    assert "does not apply, because it needs: at least 2824600 rows" in result.stdout
    found = learned("erm", "thresholds:n=7", "--data", data, "--seed", 1)
    result = run("pac", "erm", "thresholds:n=7", "--data", data, "--seed", 1, "--json")
    assert not_private_json(result) == {"errors": 0, "least errors of a concept": 0}
    assert found["labels"] == "0001111 (3)" and found["ledger"] is None
    assert "Do not publish" in run("pac", "erm", "thresholds:n=7", "--data", data).stdout
    simulated = run("pac", "generic", "thresholds:n=7", "--data", data, "--seed", 1).stdout
    assert "so do not publish it" in simulated


def test_a_class_in_a_file(tmp_path: Path) -> None:
    table = tmp_path / "class.csv"
    table.write_text("concept,a,b,c\nfirst,0,1,1\nsecond,0,0,1\nthird,1,0,0\n")
    found = learned("generic", table, "--target", "second", "--points", "a:1/4,b:1/2,c:1/4")
    assert found["labels"] == "001 (second)" and found["population error"] == "0"


def test_a_table_with_fewer_rows_than_batches_is_learned_at_once(tmp_path: Path) -> None:
    """Without a row in a batch, its outcome is known; there are 10^9 of them here."""
    data = tmp_path / "rows.csv"
    data.write_text(ROWS)
    found = learned("private-littlestone", "thresholds:n=2^20", "--data", data, "--seed", 1)
    assert found["needed"] > 10**18 and found["rows"] == 6


def test_weights_in_a_file(tmp_path: Path) -> None:
    weights = tmp_path / "weights.csv"
    weights.write_text("point,weight\n2,1/3\n3,2/3\n")
    arguments = ("generic", "thresholds:n=7", "--target", 3, "--points", weights)
    by_weights = learned(*arguments)
    assert by_weights["population error"] == "0"
    weights.write_text("point,count\n2,100\n3,200\n4,0\n")
    assert learned(*arguments) == by_weights
    weights.write_text("point\n2\n3\n3\n")
    assert learned(*arguments) == by_weights


def test_what_was_learned_is_saved_and_predicts(tmp_path: Path) -> None:
    model, data, points = tmp_path / "m.json", tmp_path / "rows.csv", tmp_path / "points.csv"
    data.write_text(ROWS)
    points.write_text("point\n0\n6\n")
    found = learned("erm", "thresholds:n=7", "--data", data, "--save", model)
    assert found["saved"] == str(model)
    assert run("predict", model, points).stdout == "label\n0\n1\n"
    assert run("predict", model, data).stderr.splitlines() == [
        "Not private, only for the owner of the rows:",
        "  6 of 6 predictions agree with the column 'label'.",
    ]
    points.write_text("point\n0\n7\n")
    assert "In line 3: 7 is not a point" in error_of("predict", model, points)
    private = run("pac", "generic", "thresholds:n=7", "--data", data, "--save", model).stdout
    assert f"The model is in {model}." in private
    saved = json.loads(model.read_text())
    assert saved["privacy"]["simulated"] is False and saved["class"] == "thresholds:n=7"


def test_what_cannot_be_saved_is_shown_all_the_same(tmp_path: Path, monkeypatch: Any) -> None:
    table, model = tmp_path / "class.csv", tmp_path / "m.json"
    table.write_text("concept,a,b\nfirst,0,1\nsecond,1,1\n")
    monkeypatch.setattr("learners.tables.hypothesis_models.ENTRIES", 3)
    arguments = ("pac", "generic", table, "--target", "second", "--save", model)
    result = run(*arguments, status=2)
    assert "hypothesis  11 (second)" in result.stdout and "The model is in" not in result.stdout
    assert "The limit is 3" in result.stderr and not model.exists()
    shown = run(*arguments, "--json", status=2).stdout
    assert json.loads(shown)["saved"] is None


def test_a_learner_of_an_installed_package_has_a_command(installed: Any) -> None:
    installed("toy_pac", TOY, (BATCH_LEARNERS, "always", "toy_pac:LEARNERS"))
    assert "one label for all points" in run("pac").stdout
    assert "--label" in run("pac", "always", "--help").stdout
    found = learned("always", "points:n=3", "--target", 1, "--rows", 5, "--label")
    assert found["labels"] == "111" and found["population error"] == "2/3"


def test_a_parameter_named_like_an_option_of_the_command_is_refused(installed: Any) -> None:
    installed("toy_pac", TOY, (BATCH_LEARNERS, "always", "toy_pac:CLASHING"))
    said = error_of("pac", "always", "points:n=3", "--target", 1)
    assert "'always' cannot be a command. Two parameters of the command are named 'noise'" in said


# ---- stability


def test_a_sampled_law_is_within_its_bounds_of_the_exact_one() -> None:
    """An error has probability 10^-6."""
    arguments = ("stability", "points:n=9", "--n", 2, "--target", "point=4")
    exact = json.loads(run(*arguments, "--exact", "--json").stdout)["learner"]
    sampled = json.loads(run(*arguments, "--samples", 60, "--json").stdout)["learner"]
    assert sampled["mode"] == exact["mode"]
    bounds = sampled["probability"]
    assert bounds["lower"] <= exact["probability"]["lower"] <= bounds["upper"]
    large = run("stability", "points:n=2^64", "--samples", 9, "--target", "point=4").stdout
    assert "of 9 times" in large and "<Always 0>" in large


# ---- rows


def test_a_target_is_also_one_of_several_intervals() -> None:
    for spec in ("intervals:n=12,k=2", "intervals:n=2^64,k=2"):
        given = ("--target", "first=2,last=5", "--points", "0..9", "--rows", 300)
        found = learned("generic", spec, *given)
        assert Fraction(found["population error"]) < Fraction(1, 2)
    assert "There is no concept" in error_of(
        "pac", "erm", "intervals:n=12,k=2", "--target", "first=5,last=2", "--rows", "5"
    )
    assert "--rows 1000" in error_of("pac", "erm", "intervals:n=12", "--target", "first=2,last=5")


def test_rows_without_a_formula_of_the_dimension_are_upper_bounds() -> None:
    found = json.loads(run("rows", "intervals:n=2^64,k=3", "--json").stdout)
    assert not found["ldim is exact"] and found["ldim"] == 373 + (found["concepts"] >> 374 > 0)
    assert found["generic"] > 0 and not found["private-littlestone"]
    assert "dimension at most 1550" in run("rows", "decision-lists:n=200").stdout
    assert "dimension 128" in error_of("rows", "--ldim", "500")


def test_the_agnostic_learner_runs_on_thresholds_of_any_size() -> None:
    found = learned("agnostic", "thresholds:n=2^64", "--target", "random", "--rows", 4000)
    assert Fraction(found["population error"]) < Fraction(1, 10)
    assert found["bounds"][0]["measured"] is not None
