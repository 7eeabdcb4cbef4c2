"""A learner that somebody else wrote, in a package of its own (`examples/plugin`)."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from learners.auditable import AUDITABLE
from learners.playing.entries import RUNNABLE
from learners.verify import TOPICS
from tests.conftest import Installer
from tests.house import code_lines
from tests.lsclasses.commands.test_cli import run, run_json

PLUGIN = Path(__file__).parents[2] / "examples" / "plugin"
GROUPS = {registry.group: registry for registry in (RUNNABLE, AUDITABLE, TOPICS)}


@pytest.fixture
def plugin(installed: Installer) -> str:
    """The package's text, installed with the entry points of its own metadata."""
    text = (PLUGIN / "noisy_majority.py").read_text()
    declared = tomllib.loads((PLUGIN / "pyproject.toml").read_text())["project"]["entry-points"]
    points = [
        (GROUPS[group], name, value)
        for group, named in declared.items()
        for name, value in named.items()
    ]
    assert {registry.group for registry, _, _ in points} == set(GROUPS)
    installed("noisy_majority", text, *points)
    return text


def test_a_learner_of_forty_lines_is_run_audited_and_verified(plugin: str) -> None:
    """With its audit and its claim, and without touching a file of this package."""
    assert code_lines(plugin) <= 40
    game = run_json("run", "noisy-majority", "points:n=4", "--rounds", 50, "--epsilon", 1)
    assert game["rounds"] == 50 and game["privacy"]["epsilon"] == "1"
    found = run_json("audit", "noisy_majority")
    assert found["verdict"] == "holds exactly on this instance"
    said = run("verify", "--topic", "noisy-majority", "--jobs", 1).stdout
    assert "1 comparison" in said and "1 hold" in said
