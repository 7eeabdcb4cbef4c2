"""``lsclasses audit`` as a user meets it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

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
    run("randomized_response", "--epsilon", "1e400", "--svg", tmp_path / "c.svg")
    assert "nan" not in (tmp_path / "c.svg").read_text()
