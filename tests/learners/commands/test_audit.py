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
