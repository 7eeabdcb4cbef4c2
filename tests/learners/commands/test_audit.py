"""``lsclasses audit`` as a user meets it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from learners.auditable import AUDITABLE
from lsclasses.commands.application import app


def run(*arguments: object, status: int = 0) -> Any:
    result = CliRunner().invoke(app, ["audit", *map(str, arguments)])
    assert result.exit_code == status, result.output
    return result


def test_everything_that_can_be_audited_is_listed() -> None:
    shown = run().stdout
    assert all(name in shown for name in AUDITABLE.names())
    assert [entry["name"] for entry in json.loads(run("--json").stdout)] == list(AUDITABLE.names())


def test_what_an_audit_does_not_show_is_said() -> None:
    listed = {entry["name"]: entry for entry in json.loads(run("--json").stdout)}
    assert listed["forest_soa"]["measured"] == "193/50" and listed["forest_soa"]["reason"]
    (round_,) = (
        each for each in listed["fooling_sanitizer"]["unseen"] if "round" in each["mistake"]
    )
    assert round_["seen_by"] == "fooling_sanitizer:rounds=1" and round_["reason"]
    assert listed["sparse"]["unseen"] == [] and listed["sparse"]["reason"] == ""


def test_a_claim_that_holds() -> None:
    shown = run("randomized_response:epsilon=1/2").stdout
    assert "claimed   (epsilon, delta) = (1/2, 0)" in shown
    assert "holds exactly on this instance" in shown
    assert "worst pair   0 and 1" in shown and "worst event" in shown
    assert "#####" in shown and "claimed: 0" in shown


def test_a_claim_that_is_violated_has_status_1() -> None:
    found = json.loads(
        run("discrete_laplace:epsilon=1", "--epsilon", "0.5", "--json", status=1).stdout
    )
    assert found["verdict"] == "violated"
    assert found["claimed"] == {"epsilon": "1/2", "delta": "0"}
    assert 0.28 < found["delta"]["lower"] <= found["delta"]["upper"] < 0.29
    assert 0.999 < found["least_epsilon"] <= 1
    assert found["worst_pair"] == ["0", "1"] and found["likelier_for"] == "0"
    assert "0" in found["worst_event"] and "1" not in found["worst_event"]
    assert found["sampled"] is None


def test_the_slack_of_a_claim_is_printed() -> None:
    shown = run("above_threshold:epsilon=1,queries=3").stdout
    assert "epsilon is at least 0.5917909; 0.591791 is enough if delta may be 1e-09 larger" in shown
    assert "the claimed epsilon is 1.69 times what these inputs need" in shown
    found = json.loads(run("above_threshold:epsilon=1,queries=3", "--json").stdout)
    assert 0.5917 < found["least_epsilon"] <= found["enough_epsilon"] + 1e-7 < 0.5918
    assert 1.689 < found["slack"]["lower"] <= found["slack"]["upper"] < 1.69
    # Half of what is needed was claimed.
    assert "is 0.5 times what" in run("discrete_laplace", "--epsilon", "1/4", status=1).stdout
    # Too much was cut to say what is enough; delta alone covers everything.
    assert "was cut (--tail)" in run("discrete_laplace", "--tail", 8).stdout
    shown = run("discrete_laplace", "--delta", "0.9").stdout
    assert "epsilon is at least 0; 0 is enough" in shown and "infinitely many times" in shown


def test_the_rule_of_the_paper_for_hist_sparse_is_audited() -> None:
    assert "holds" in run("hist_sparse").stdout
    shown = run("hist_sparse:printed=1").stdout
    assert "(4, 1/1000)" in shown and "holds exactly" in shown
    assert "violated" in run("hist_sparse:printed=1", "--epsilon", "1", status=1).stdout


def test_a_larger_delta_excuses_it() -> None:
    assert "holds" in run("discrete_laplace:epsilon=1", "--epsilon", "0.5", "--delta", "0.3").stdout


def test_cutting_too_much_decides_nothing() -> None:
    assert "undecided" in run("discrete_laplace", "--tail", 8).stdout


def test_samples_beside_the_exact_numbers() -> None:
    arguments = ("discrete_laplace:epsilon=1", "--epsilon", "1/2", "--samples", 3000)
    arguments += ("--seed", 4)
    shown = run(*arguments, status=1).stdout
    assert "sampled: violated at confidence 0.999999" in shown
    found = json.loads(run(*arguments, "--json", status=1).stdout)
    assert found["sampled"]["least_epsilon"] <= found["least_epsilon"] + 1e-9


def test_the_curve_is_written(tmp_path: Path) -> None:
    run("randomized_response", "--svg", tmp_path / "curve.svg")
    assert ElementTree.parse(tmp_path / "curve.svg").getroot().tag.endswith("svg")


def test_wrong_input_is_one_sentence() -> None:
    for arguments in (
        ("discrete_laplac",),
        ("discrete_laplace", "--epsilon", "much"),
        ("discrete_laplace", "--epsilon", "-1"),
        ("discrete_laplace", "--delta", "1"),
        ("tree_counter:rounds=5",),
    ):
        result = run(*arguments, status=2)
        assert result.stdout == "" and len(result.stderr.splitlines()) == 1
        assert result.stderr.startswith("lsclasses: ")


@pytest.mark.parametrize("power", ["1e400", "1e-400"])
@pytest.mark.parametrize(
    "parameter",
    [
        "randomized_response:epsilon",
        "discrete_laplace:epsilon",
        "stable_histogram:epsilon",
        "above_threshold:epsilon",
        "dp_winnow:features=1,rounds=1,rate",
        "tree_counter:rounds",
        "pop:rounds=2,scale",
    ],
)
def test_numbers_beyond_floats_are_audited_or_refused(parameter: str, power: str) -> None:
    result = CliRunner().invoke(app, ["audit", f"{parameter}={power}"])
    assert not re.search(r"\b(inf|nan)\b", result.output)
    if result.exit_code == 2:
        assert result.stdout == "" and len(result.stderr.splitlines()) == 1
        return
    assert result.exit_code == 0
    assert re.search(
        r"^  claimed   \(epsilon, delta\) = \([-0-9e.+/]+, [0-9/]+\)$", result.stdout, re.M
    )


def test_a_claim_beyond_floats_is_printed_as_the_number_it_is(tmp_path: Path) -> None:
    shown = run("randomized_response", "--epsilon", "1e400", "--svg", tmp_path / "c.svg").stdout
    assert "(epsilon, delta) = (1e+400, 0)" in shown and "  2e+400 " in shown
    assert "nan" not in (tmp_path / "c.svg").read_text()
    assert (
        "delta(1e-400) = 0.462"
        in run("randomized_response:answers=2", "--epsilon", "1e-400", "--delta", "0.5").stdout
    )


def test_a_number_too_long_to_be_written_out_is_refused_at_once() -> None:
    for specification in (
        "randomized_response:epsilon=1e200000000,answers=3",
        "pop:scale=1e-99999999",
    ):
        assert "must be a rational number" in run(specification, status=2).stderr
