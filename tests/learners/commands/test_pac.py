"""``lsclasses pac``, ``stability`` and ``rows`` as a user meets them."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import catalog
from learners.accounting import basic
from learners.coins import SeededCoins
from learners.pac.distributions import FiniteDistribution
from learners.pac.entries import TRAINABLE
from learners.pac.littlestone_parameters import RULES, sample_complexity
from learners.pac.tournaments import tournaments
from lsclasses.commands.application import app
from lsclasses.soa import SOA
from tests.learners.toy_package import TOY
from tests.lsclasses.commands.test_cli import error_of

ROWS = "point,label\n0,0\n1,0\n2,0\n3,1\n4,1\n6,1\n"


def run(*arguments: object, status: int = 0) -> Any:
    result = CliRunner().invoke(app, [*map(str, arguments)], env={"COLUMNS": "200"})
    assert result.exit_code == status, result.output
    return result


def learned(*arguments: object, status: int = 0) -> Any:
    return json.loads(run("pac", *arguments, "--json", status=status).stdout)


def test_learners_are_listed_with_their_options() -> None:
    shown = run("pac").stdout
    for entry in TRAINABLE.values():
        assert entry.name in shown and entry.title in shown
    help_of = " ".join(run("pac", "private-littlestone", "--help").stdout.split())
    assert "How batches and their number are chosen (one of printed, tight, sharp)" in help_of
    assert "--rule" not in run("pac", "generic", "--help").stdout


@pytest.mark.parametrize("name", TRAINABLE.names())
def test_every_learner_finds_the_target_of_a_distribution(name: str) -> None:
    found = learned(name, "points:n=9", "--target", "point=4", "--rows", 24_000)
    assert found["labels"].startswith("000010000")
    assert found["population error"] == found["least population error"] == "0"
    assert {bound["verdict"] for bound in found["bounds"]} <= {"consistent", "does not apply"}
    event = TRAINABLE[name].learner("points:n=9", 24_000).privacy
    ledger = found["ledger"]
    assert (event is None) == (ledger is None)
    assert event is None or Fraction(ledger["epsilon"]) == basic(event)[0] <= 1


def test_a_bound_that_rests_on_what_is_not_judged_is_not_called_violated() -> None:
    """The parity of three variables is no decision list, and nobody here knows that."""
    parity = ("parities:n=3", "--target", "(1, 1, 1)", "--rows", 40_000)
    promise = ("--alpha", "1/4", "--beta", "1e-7")
    (bound,) = learned("greedy-cover", *parity, *promise, "--features", "own")["bounds"]
    assert bound["verdict"].startswith("exceeded; it rests on what is not judged here: a decision")
    (bound,) = learned("greedy-cover", *parity, *promise)["bounds"]
    assert bound["verdict"] == "consistent"


def test_what_is_printed_is_what_the_library_finds() -> None:
    C = catalog.build("points:n=2^20")
    learner = TRAINABLE["private-littlestone"].learner(C, alpha="1/5")
    D = FiniteDistribution.labelled(C.restrict(77, 1).soa(), range(70, 81))
    h = learner.fit(D.sample_seeded(learner.rows or 0, 3), SeededCoins(3))
    arguments = ("pac", "private-littlestone", "points:n=2^20", "--alpha", ".2", "--seed", 3)
    shown = run(*arguments, "--target", "77:1", "--points", "70..80").stdout
    assert f"hypothesis  {h}" in shown
    assert f"rows        {learner.rows} (made for {learner.rows})" in shown
    assert "error       0 on the distribution" in shown
    assert "population error <= alpha = 1/5 [BLM20, Thm 1]" in shown
    assert ": consistent (population error here: 0)" in shown
    assert "stable histogram; of other rows, exponential mechanism: epsilon 1, delta 1e-06" in shown
    assert "in all: (1, 1e-06)-differentially private, one row replaced" in shown
    assert "This is a simulation" in shown


def test_several_samples_are_judged_together() -> None:
    given = ("generic", "thresholds:n=7", "--target", "start=3", "--rows", 12)
    one = [learned(*given, "--seed", seed) for seed in range(4, 9)]
    together = learned(*given, "--seed", 4, "--seeds", 5)
    assert together["samples"] == [
        {key: each[key] for key in ("seed", "labels", "population error")} for each in one
    ]
    errors = {Fraction(each["population error"]) for each in one}
    assert len(errors) > 1
    assert {Fraction(bound["measured"]) for bound in together["bounds"]} == {max(errors)}
    shown = run("pac", *given, "--seed", 4, "--seeds", 5).stdout
    assert (
        f"(population error here: at most {max(errors)})" in shown and "seed   hypothesis" in shown
    )


def test_targets_outside_the_class_are_for_agnostic_learners() -> None:
    outside = ("thresholds:n=7", "--target", "0101111")
    found = learned("generic", *outside, "--alpha", "1/4", "--rows", 3000)
    assert found["least population error"] == "1/7"
    verdicts = {bound["quantity"]: bound["verdict"] for bound in found["bounds"]}
    assert verdicts["excess population error"] == "consistent"
    assert verdicts["population error"] == "does not apply"


def test_a_table_tells_only_what_the_ledger_covers(tmp_path: Path) -> None:
    data = tmp_path / "rows.csv"
    data.write_text(ROWS)
    for name in ("generic", "private-littlestone"):
        result = run("pac", name, "thresholds:n=7", "--data", data)
        assert "errors" not in result.stdout and "simulation" not in result.stdout
        assert "Not covered by the guarantee" in result.stderr
        assert "least errors of a concept: 0 of 6" in result.stderr
    assert "The promise of a small error needs 2824600 rows; there are 6" in result.stderr
    assert "does not apply here, it would need: at least 2824600 rows" in result.stdout
    found = learned("erm", "thresholds:n=7", "--data", data, "--seed", 1)
    assert found["not covered by the guarantee"] == {"errors": 0, "least errors of a concept": 0}
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


def test_what_was_learned_is_saved_and_predicts(tmp_path: Path) -> None:
    model, data, points = tmp_path / "m.json", tmp_path / "rows.csv", tmp_path / "points.csv"
    data.write_text(ROWS)
    points.write_text("point\n0\n6\n")
    found = learned("erm", "thresholds:n=7", "--data", data, "--save", model)
    assert found["saved"] == str(model)
    assert run("predict", model, points).stdout == "label\n0\n1\n"
    assert "6 of 6 predictions are the value of 'label'" in run("predict", model, data).stderr
    points.write_text("point\n0\n7\n")
    assert "In line 3: 7 is not a point" in error_of("predict", model, points)
    private = run("pac", "generic", "thresholds:n=7", "--data", data, "--save", model).stdout
    assert f"The model is in {model}." in private
    saved = json.loads(model.read_text())
    assert saved["privacy"]["simulated"] is False and saved["class"] == "thresholds:n=7"


def test_files_are_not_written_over(tmp_path: Path) -> None:
    data, own = tmp_path / "rows.csv", tmp_path / "own.json"
    table, weights = tmp_path / "class.json", tmp_path / "weights.csv"
    data.write_text(ROWS)
    own.write_text('{"mine": 1}')
    catalog.build("thresholds:n=7").to_table().save(table)
    weights.write_text("point,weight\n2,1\n")
    before = {path: path.read_bytes() for path in (data, own, table, weights)}
    read = ("pac", "generic", "thresholds:n=7", "--data", data, "--save")
    drawn = ("--target", 3, "--save")
    assert "is read here" in error_of(*read, data)
    assert "not a model that --save wrote" in error_of(*read, own)
    assert "is read here" in error_of("pac", "generic", table, *drawn, table, "--force")
    assert "is read here" in error_of(*read[:3], "--points", weights, *drawn, weights)
    assert {path: path.read_bytes() for path in before} == before
    learned(*read[1:], own, "--force")
    assert json.loads(own.read_text())["kind"] == "hypothesis"


def test_what_cannot_be_saved_is_shown_all_the_same(tmp_path: Path, monkeypatch: Any) -> None:
    table, model = tmp_path / "class.csv", tmp_path / "m.json"
    table.write_text("concept,a,b\nfirst,0,1\nsecond,1,1\n")
    monkeypatch.setattr("learners.tables.hypotheses.ENTRIES", 3)
    arguments = ("pac", "generic", table, "--target", "second", "--save", model)
    result = run(*arguments, status=2)
    assert "hypothesis  11 (second)" in result.stdout and "The model is in" not in result.stdout
    assert "the limit is 3" in result.stderr and not model.exists()
    shown = run(*arguments, "--json", status=2).stdout
    assert json.loads(shown)["saved"] is None


def test_a_learner_of_an_installed_package_has_a_command(installed: Any) -> None:
    installed("toy_pac", TOY, (TRAINABLE, "always", "toy_pac:LEARNERS"))
    assert "one label for all points" in run("pac").stdout
    assert "--label" in run("pac", "always", "--help").stdout
    found = learned("always", "points:n=3", "--target", 1, "--rows", 5, "--label")
    assert found["labels"] == "111" and found["population error"] == "2/3"


def test_a_parameter_named_like_an_option_of_the_command_is_refused(installed: Any) -> None:
    installed("toy_pac", TOY, (TRAINABLE, "always", "toy_pac:CLASHING"))
    said = error_of("pac", "always", "points:n=3", "--target", 1)
    assert "declares the parameter 'noise', which the command has already" in said


# ---- stability


def test_exact_laws_of_tournaments() -> None:
    shown = run("stability", "thresholds:n=7", "--n", 1, "--target", "start=3").stdout
    assert "3/7" in shown and "36/49" in shown and "0001111" in shown
    assert "No deeper tournament is defined: a rule has probability 2^-d = 1/8 already" in shown
    given = ("affine:q=3,n=2,k=1", "--n", 2, "--target", "random", "--json")
    data = json.loads(run("stability", *given).stdout)
    C = catalog.build("affine:q=3,n=2,k=1")
    found = tournaments(SOA(C), FiniteDistribution.labelled(C.sample(rng=0)), 2)
    assert [level["largest"] for level in data["tournaments"]] == [
        str(level.largest) for level in found.levels
    ]
    assert data["learner"]["probability"]["lower"] >= float(Fraction(data["promised"]["printed"]))


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


def test_rows_are_those_of_the_library() -> None:
    found = sample_complexity(2, Fraction(1, 10), Fraction(1), Fraction(1, 10**6), concepts=100)
    data = json.loads(run("rows", "--ldim", 2, "--concepts", 100, "--json").stdout)
    for rule in RULES:
        assert data["private-littlestone"][rule]["rows"] == found.parameters[rule].rows
        assert list(data["private-littlestone"][rule]["read"].values()) == list(
            found.parameters[rule].read
        )
    assert data["generic"] == found.finite
    assert data["generic, agnostic"] == found.finite_agnostic
    assert data["without privacy"] == found.without_privacy
    assert data["sentence"] == found.sentence in run("rows", "--ldim", 2, "--concepts", 100).stdout
    shown = run("rows", "--ldim", 2).stdout
    assert "exponential" not in shown and "359330" in shown and "2.6 * 10^8" in shown
    assert json.loads(run("rows", "points:n=inf", "--json").stdout)["generic"] is None
