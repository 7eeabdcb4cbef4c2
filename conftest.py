"""No test and no doctest sees the atlas of five points that its user may have."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

os.environ["LSCLASSES_ATLAS"] = str(Path(__file__).with_name("build") / "no-atlas.parquet")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how to repeat each failed test alone."""
    for report in terminalreporter.stats.get("failed", []):
        terminalreporter.write_line(
            f"repeat it alone: {sys.executable} -m pytest '{report.nodeid}'"
        )
