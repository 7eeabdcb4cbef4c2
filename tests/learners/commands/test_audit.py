"""``lsclasses audit`` as a user meets it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from learners.audit.registry import AUDITABLE
from lsclasses.commands.application import app


def run(*arguments: object, status: int = 0) -> Any:
    result = CliRunner().invoke(app, ["audit", *map(str, arguments)])
    assert result.exit_code == status, result.output
    return result


def test_everything_that_can_be_audited_is_listed() -> None:
    shown = run().stdout
    assert all(name in shown for name in AUDITABLE.names())


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
    claim = ("discrete_laplace:epsilon=1", "--epsilon", "0.5")
    found = json.loads(run(*claim, "--json", status=1).stdout)
    assert found["verdict"] == "violated"
    assert found["claimed"] == {"epsilon": "1/2", "delta": "0"}
    assert 0.28 < found["delta"]["lower"] <= found["delta"]["upper"] < 0.29
    assert 0.999 < found["least_epsilon"] <= 1
    assert found["worst_pair"] == ["0", "1"] and found["likelier_for"] == "0"
    assert "0" in found["worst_event"] and "1" not in found["worst_event"]
    assert found["sampled"] is None
    # A larger delta excuses it.
    assert "holds" in run(*claim, "--delta", "0.3").stdout


def test_the_slack_of_a_claim_is_printed() -> None:
    shown = run("above_threshold:epsilon=1,queries=3").stdout
    assert "epsilon is at least 0.5917909; 0.591791 is enough if delta may be 1e-09 larger" in shown
    assert "the claimed epsilon is 1.69 times what these inputs need" in shown
    # Half of what is needed was claimed.
    assert "is 0.5 times what" in run("discrete_laplace", "--epsilon", "1/4", status=1).stdout
    # Too much was cut to say what is enough, or to decide; delta alone covers everything.
    shown = run("discrete_laplace", "--tail", 8).stdout
    assert "was cut (--tail)" in shown and "undecided" in shown
    shown = run("discrete_laplace", "--delta", "0.9").stdout
    assert "epsilon is at least 0; 0 is enough" in shown and "infinitely many times" in shown


def test_the_rule_of_the_paper_for_hist_sparse_is_audited() -> None:
    assert "holds" in run("hist_sparse").stdout
    shown = run("hist_sparse:printed=1").stdout
    assert "(4, 1/1000)" in shown and "holds exactly" in shown
    assert "violated" in run("hist_sparse:printed=1", "--epsilon", "1", status=1).stdout


def test_samples_beside_the_exact_numbers() -> None:
    claim = ("discrete_laplace:epsilon=1", "--epsilon", "1/4", "--samples", 400, "--seed", 4)
    assert "sampled: violated at confidence 0.999999" in run(*claim, status=1).stdout
    found = json.loads(run(*claim, "--json", status=1).stdout)
    assert found["sampled"]["least_epsilon"] <= found["least_epsilon"] + 1e-9


def test_the_curve_is_written(tmp_path: Path) -> None:
    run("randomized_response", "--svg", tmp_path / "curve.svg")
    assert ElementTree.parse(tmp_path / "curve.svg").getroot().tag.endswith("svg")


@pytest.mark.parametrize(
    "specification",
    [
        "randomized_response:epsilon=1e400",
        "discrete_laplace:epsilon=1e-400",
        "stable_histogram:epsilon=1e400",
        "above_threshold:epsilon=1e-400",
        "tree_counter:rounds=1e400",
        "pop:rounds=2,scale=1e-400",
    ],
)
def test_numbers_beyond_floats_are_audited_or_refused(specification: str) -> None:
    result = CliRunner().invoke(app, ["audit", specification])
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
