"""A learner and a sanitizer that somebody else wrote, in packages of their own (`examples`)."""

from __future__ import annotations

import tomllib
from importlib import import_module
from pathlib import Path

import catalog
from learners.auditable import AUDITABLE
from learners.playing.entries import RUNNABLE
from learners.sanitizers.checks import check_sanitizer
from learners.verify import TOPICS
from tests.conftest import Installer
from tests.house import code_lines
from tests.lsclasses.commands.test_cli import run, run_json

EXAMPLES = Path(__file__).parents[2] / "examples"
GROUPS = {registry.group: registry for registry in (RUNNABLE, AUDITABLE, TOPICS)}


def install(installed: Installer, folder: str, module: str) -> str:
    """The package's text, installed with the entry points of its own metadata."""
    text = (EXAMPLES / folder / f"{module}.py").read_text()
    declared = tomllib.loads((EXAMPLES / folder / "pyproject.toml").read_text())["project"]
    points = [
        (GROUPS[group], name, value)
        for group, named in declared["entry-points"].items()
        for name, value in named.items()
    ]
    installed(module, text, *points)
    return text


def test_a_learner_of_forty_lines_is_run_audited_and_verified(installed: Installer) -> None:
    """With its audit and its claim, and without touching a file of this package."""
    assert code_lines(install(installed, "plugin", "noisy_majority")) <= 40
    game = run_json("run", "noisy-majority", "points:n=4", "--rounds", 50, "--epsilon", 1)
    assert game["rounds"] == 50 and game["privacy"]["epsilon"] == "1"
    require_audited_and_verified("noisy_majority")


def test_a_sanitizer_is_checked_audited_and_verified(installed: Installer) -> None:
    """As CONTRIBUTING.md says, without touching a file of this package."""
    assert code_lines(install(installed, "sanitizer", "noisy_counts")) <= 60
    C = catalog.build("thresholds:n=6").to_table()
    check_sanitizer(import_module("noisy_counts").NoisyCounts(C, 1))
    require_audited_and_verified("noisy_counts")


def require_audited_and_verified(name: str) -> None:
    assert run_json("audit", name)["verdict"] == "holds exactly on this instance"
    said = run("verify", "--topic", name.replace("_", "-"), "--jobs", 1).stdout
    assert "1 comparison" in said and "1 hold" in said
