"""``lsclasses audit`` as a user meets it."""

from __future__ import annotations

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
