"""``lsclasses audit`` as a user meets it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from learners.audit.audit_registry import AUDITABLE
from lsclasses.commands.application import app
from tests.lsclasses.commands.test_cli import run


def test_everything_that_can_be_audited_is_listed() -> None:
    shown = run("audit").stdout
    assert all(name in shown for name in AUDITABLE.names())


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


def test_a_claim_beyond_floats_is_drawn(tmp_path: Path) -> None:
    run("audit", "randomized_response", "--epsilon", "1e400", "--svg", tmp_path / "c.svg")
    assert "nan" not in (tmp_path / "c.svg").read_text()


@pytest.mark.parametrize(
    "options, lines",
    [
        (
            (),
            [
                "measured  delta(1/2) = 0, up to 5.11e-12 for rounding and cut tails",
                "needed    epsilon 0.5 with delta 0, up to 1e-06 in epsilon and 1e-09 in delta",
                "slack     none, because these inputs need the claimed epsilon, up to rounding",
            ],
        ),
        (
            ("--epsilon", "1/4"),
            [
                "slack     the claimed epsilon is only 0.5 times the epsilon that these inputs",
                "verdict   violated",
            ],
        ),
        (
            ("--tail", 2),
            ["measured  delta(1/2) is at most 0.0821", "The upper bound is unknown"],
        ),
        (("--delta", "1/2"), ["slack     these inputs need epsilon 0 only"]),
    ],
)
def test_the_measures_are_plain_sentences(options: tuple[object, ...], lines: list[str]) -> None:
    violated = "verdict   violated" in lines
    said = run("audit", "discrete_laplace", *options, status=int(violated)).stdout
    assert all(line in said for line in lines)


# ---- files of distributions


@pytest.mark.parametrize(
    "pair",
    [
        '{"P": [0.5, 0.5], "Q": [0.0, 1.0]}',
        '{"P": [0.0, 0.5, 0.5], "Q": [0.0, 0.25, 0.75]}',
        '{"P": ["1/2", "1/2"], "Q": [0, 1]}',
        '{"P": {"a": 1}, "Q": {"b": 1}}',
        '{"P": [1.0], "Q": [1.0]}',
        '{"P": [4, 0], "Q": [0, 4], "counts": true}',
        '{"P": {"a": 500, "b": 500}, "Q": {"a": 505, "b": 495}, "counts": true}',
    ],
)
def test_pairs_with_impossible_outcomes_have_reports(tmp_path: Path, pair: str) -> None:
    path = tmp_path / "pair.json"
    path.write_text(pair)
    shown = run("audit", "--distributions", path)
    assert shown.exit_code == 0 and "witness" in shown.stdout
    # Without a claim, the curve has no claimed delta.
    assert "claimed" not in shown.stdout
    if "counts" in pair:
        assert "<=" not in shown.stdout and "sampled     " in shown.stdout
    assert json.loads(run("audit", "--distributions", path, "--json").stdout)["witness"]
    claim = "--epsilon", "1", "--delta", "9/10"
    judged = CliRunner().invoke(app, ["audit", "--distributions", str(path), *claim])
    assert judged.exit_code in (0, 1) and "claimed: 9/10" in judged.stdout


def test_loose_bounds_of_a_file_are_printed_as_intervals(tmp_path: Path) -> None:
    """The true delta may be 1.196e-7 or 1.204e-7."""
    path = tmp_path / "pair.json"
    path.write_text('{"P": [0.50000012, 0.49999988], "Q": [0.5, 0.5], "error": 4e-10}')
    shown = run("audit", "--distributions", path).stdout
    low, high = re.search(r"needed    delta is in \[(\S+), (\S+)\] with epsilon 0", shown).groups()
    assert float(low) <= 1.196e-7 and float(high) >= 1.204e-7


def test_a_claim_within_the_resolution_holds_up_to_the_resolution() -> None:
    shown = run("audit", "discrete_laplace", "--epsilon", "0.499999999999").stdout
    assert "claimed   (epsilon, delta) = (0.499999999999, 0)" in shown
    assert "holds on this instance, up to 1e-09 in delta" in shown
    assert "1 pair of neighbours, " in shown and "exactly" not in shown


@pytest.mark.parametrize(
    ("pair", "options", "words"),
    [
        ('{"P": [1], "Q": [1]}', ["--tail", "36"], "cannot be combined with --tail"),
        ('{"P": [1], "Q": [1]}', ["--samples", "9"], "cannot be combined with --samples"),
        ('{"P": [1], "Q": [1], "confidence": 0.9}', [], "Only bounds from counts"),
        ('{"P": [9], "Q": [9], "counts": true, "error": 0.0001}', [], "no error"),
    ],
)
def test_options_without_effect_are_refused(tmp_path, pair: str, options, words: str) -> None:
    path = tmp_path / "pair.json"
    path.write_text(pair)
    shown = CliRunner().invoke(app, ["audit", "--distributions", str(path), *options])
    assert shown.exit_code == 2 and words in " ".join(shown.output.replace("│", " ").split())
