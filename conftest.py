"""Settings of all tests and doctests: they do not use an atlas that the user has built."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

os.environ["LSCLASSES_ATLAS"] = str(Path(__file__).with_name("build") / "no-atlas.parquet")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print for each failed test the command that repeats only this test."""
    for report in terminalreporter.stats.get("failed", []):
        terminalreporter.write_line(
            f"repeat it alone: {sys.executable} -m pytest '{report.nodeid}'"
        )
