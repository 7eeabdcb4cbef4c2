"""Commands and what they answered in JSON: reordering the code changes none of it.

An answer that is meant to change is recorded anew, with a line in the CHANGELOG that says why:
``python -m tests.recorded``. Seconds and the engine that searched are left out; long answers are
kept as a digest.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from lsclasses.commands.application import app

HERE = Path(__file__).parent
COMMANDS = tuple((HERE / "commands.txt").read_text().splitlines())
ANSWERS = HERE / "answers.json"

ENGINE = re.compile(r',\s*"engine": "(?:native|numpy)"')
SECONDS = re.compile(r'("[a-z_]*seconds": )([0-9.e+-]+|\{[^{}]*\})')
SHORT = 2000


def run(command: str) -> tuple[int, str]:
    """The exit status of a command and what it printed as JSON."""
    result = CliRunner().invoke(app, [*command.split(), "--json"])
    return result.exit_code, result.stdout


def answer(status: int, output: str) -> dict[str, Any]:
    """What is kept of them."""
    text = ENGINE.sub("", SECONDS.sub(r"\1null", output))
    printed = text if len(text) <= SHORT else hashlib.sha256(text.encode()).hexdigest()
    return {"status": status, "printed": printed}


def recorded() -> dict[str, dict[str, Any]]:
    """The recorded answers by command."""
    found: dict[str, dict[str, Any]] = json.loads(ANSWERS.read_text())
    return found
